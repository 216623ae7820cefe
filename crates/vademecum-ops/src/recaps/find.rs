//! Finds the transcript that a recap without a path is made of.

use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use vademecum_core::session::Session;
use vademecum_harness::transcript::Format;
use vademecum_harness::transcript::discover::{Discovered, Found, discover};
use vademecum_store::SessionFilter;

use crate::call::Call;
use crate::error::OpError;

/// So many of the project's latest sessions are looked at for a transcript that is still there.
const LOOKED_AT: usize = 20;

/// The transcript of the session that is called for, of the project's latest, or the latest that is there.
pub fn transcript(call: &Call<'_>) -> Result<PathBuf, OpError> {
    match known(call)? {
        Some(path) => Ok(path),
        None => discovered(call),
    }
}

/// Where the harness keeps the transcript of a session; none if that was not told or is gone.
#[must_use]
pub fn of_session(session: &Session) -> Option<PathBuf> {
    let bytes = session.place.transcript.clone()?;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes))).filter(|path| path.is_file())
}

/// What the store knows: a session that is named must have one, else the project's latest that has.
fn known(call: &Call<'_>) -> Result<Option<PathBuf>, OpError> {
    call.look(|view| {
        if call.caller.clues.named.is_some() || call.caller.clues.told.is_some() {
            let who = call.who(view)?;
            let path = who.session.as_ref().and_then(of_session);
            if path.is_some() || call.caller.clues.named.is_none() {
                return Ok(path);
            }
            let name = crate::who::full_name(&who.key);
            return Err(OpError::missing(format!("session {name} has no transcript here"))
                .hint("vade session list shows the sessions; vade recap PATH takes a file"));
        }
        let Some(project) = call.project(view)? else { return Ok(None) };
        let filter = SessionFilter {
            project: Some(project.id),
            include_archived: true,
            include_agents: false,
            limit: LOOKED_AT,
        };
        Ok(view.sessions(filter)?.iter().find_map(of_session))
    })
}

/// What lies on the machine, without anything installed.
fn discovered(call: &Call<'_>) -> Result<PathBuf, OpError> {
    let folders = &call.world.folders;
    let env = |name: &str| call.world.var(name);
    let root = &call.place().root;
    let here = discover(&env, &folders.home, Some(root));
    let is_file = |found: &&Found| found.format != Format::Opencode;
    let of_project = here.found.iter().filter(is_file).find(|found| found.is_of_project);
    if let Some(found) = of_project {
        return Ok(found.path.clone());
    }
    let all = discover(&env, &folders.home, None);
    match all.found.iter().find(is_file) {
        Some(found) => Ok(found.path.clone()),
        None => Err(nothing(&all)),
    }
}

/// Says where it was looked.
fn nothing(all: &Discovered) -> OpError {
    let looked: Vec<String> =
        all.looked.iter().map(|place| place.path.display().to_string()).collect();
    OpError::missing(format!("no transcript found; looked in {}", looked.join(", ")))
        .hint("vade recap PATH takes a file; vade recap --sample shows one that comes with vade")
}
