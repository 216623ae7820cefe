//! Finds the transcript that a recap is made of: the one that is named, else the one that is meant.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use vademecum_core::session::Session;
use vademecum_core::time::Time;
use vademecum_core::turn::Turn;
use vademecum_files::{read_named, resolve};
use vademecum_harness::claude_code::folders::Folders;
use vademecum_harness::opencode;
use vademecum_harness::transcript::discover::{Discovered, Found, discover};
use vademecum_harness::transcript::{Format, Span};
use vademecum_recap::Options;
use vademecum_store::{SessionFilter, View};

use super::databases::{self, Transcript};
use super::{Kept, Read};
use crate::call::Call;
use crate::error::OpError;
use crate::gather;
use crate::roots::Roots;
use crate::world::World;

/// So many transcripts, the newest, are opened to see whether they are of the project.
const OPENED: usize = 1_000;

/// So many of the project's latest sessions are looked at for a transcript that is still there.
const LOOKED_AT: usize = 20;

/// What is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The file.
    pub path: Option<&'a str>,
    /// The session in a database.
    pub session_id: Option<&'a str>,
    /// How it is written.
    pub format: Option<Format>,
    /// Whether only files are looked for where nothing is named.
    pub files_only: bool,
}

impl Wanted<'_> {
    /// Whether the caller named neither a file nor a session in a database.
    #[must_use]
    pub fn is_anything(self) -> bool {
        self.path.is_none() && self.session_id.is_none()
    }

    fn fits(self, format: Format) -> bool {
        self.format.is_none_or(|wanted| wanted == format)
            && !(self.files_only && format == Format::Opencode)
    }
}

/// The transcript that is named, else that of the session that is called for, else the project's latest.
pub fn transcript(call: &Call<'_>, wanted: Wanted<'_>) -> Result<Transcript, OpError> {
    if let Some(path) = wanted.path {
        return at(call, call.world.folders.work.join(path), wanted);
    }
    if wanted.session_id.is_some() {
        return in_discovered(call, wanted);
    }
    match known(call)? {
        Known::File(path) => at(call, path, wanted),
        Known::Opencode(id) => match of_opencode(call, wanted, &id) {
            // What is named must be there; what the harness told may not have been written yet.
            Err(_) if call.caller.clues.named.is_none() => discovered(call, wanted),
            found => found,
        },
        Known::Nothing => discovered(call, wanted),
    }
}

/// Reads the transcript that [`transcript`] finds, whole.
pub fn read<D>(
    call: &Call<'_>,
    wanted: Wanted<'_>,
    begin: impl Fn(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<(Transcript, Read<D>), OpError> {
    let read = |transcript: &Transcript| match transcript {
        Transcript::File(path) => {
            let how = (Span::Whole, call.policy());
            super::read_with(path, wanted.format, how, &begin, &push)
        }
        Transcript::InDatabase(path, session) => {
            let how = (path.as_path(), call.policy());
            databases::read_with(&*call.world.databases, how, session, &begin, &push)
        }
    };
    let found = transcript(call, wanted)?;
    match read(&found) {
        Ok(read) => Ok((found, read)),
        // A database whose sessions can be listed and not read stands in nobody's way either.
        Err(error) if wanted.is_anything() && matches!(found, Transcript::InDatabase(..)) => {
            let wanted = Wanted { files_only: true, ..wanted };
            let Ok(other) = transcript(call, wanted) else { return Err(error) };
            let read = read(&other)?;
            Ok((other, read))
        }
        Err(error) => Err(error),
    }
}

/// Where the harness keeps the transcript of a session; none if that was not told or is gone.
#[must_use]
pub fn of_session(session: &Session) -> Option<PathBuf> {
    let bytes = session.place.transcript.clone()?;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes))).filter(|path| path.is_file())
}

/// The transcript in the file at `path`, which may be a database.
fn at(call: &Call<'_>, path: PathBuf, wanted: Wanted<'_>) -> Result<Transcript, OpError> {
    if !databases::is_database(&path) {
        return match wanted.session_id {
            Some(id) if path.is_file() => Err(only_one(&path, id)),
            Some(_) | None => Ok(Transcript::File(path)),
        };
    }
    if let Some(format) = wanted.format.filter(|format| *format != Format::Opencode) {
        let (path, name) = (path.display(), format.name());
        return Err(OpError::usage(format!("{path} is a database, and {name} keeps none"))
            .hint("leave harness out: its first bytes tell"));
    }
    let roots = Roots::of(call)?.folders;
    let session = databases::session(&*call.world.databases, &path, wanted.session_id, &roots)?;
    Ok(Transcript::InDatabase(path, session))
}

fn only_one(path: &Path, id: &str) -> OpError {
    let path = path.display();
    OpError::usage(format!(
        "session_id is for a database, {path} holds one session: \"{id}\" given"
    ))
    .hint("leave session_id out")
}

/// A session that is named without the database that it is in.
fn in_discovered(call: &Call<'_>, wanted: Wanted<'_>) -> Result<Transcript, OpError> {
    match database(call, Wanted { format: Some(Format::Opencode), ..wanted }) {
        Some(path) => at(call, path, wanted),
        None => {
            Err(OpError::missing("session_id is for a database, and there is none of opencode")
                .hint("give its path too"))
        }
    }
}

/// The session that opencode calls `id`.
fn of_opencode(call: &Call<'_>, wanted: Wanted<'_>, id: &str) -> Result<Transcript, OpError> {
    match database(call, wanted) {
        Some(path) => at(call, path, Wanted { session_id: Some(id), ..wanted }),
        None => Err(without(&format!("{}:{id}", opencode::ID))),
    }
}

/// opencode's database, if there is one and it may be what is asked for.
fn database(call: &Call<'_>, wanted: Wanted<'_>) -> Option<PathBuf> {
    let found = lying(call.world, wanted, None).found;
    found.into_iter().find(|found| found.format == Format::Opencode).map(|found| found.path)
}

/// What is known of the transcript that is meant before any folder is looked into.
enum Known {
    /// It is this file.
    File(PathBuf),
    /// It is in opencode's database, under this id.
    Opencode(String),
    /// Nothing is known.
    Nothing,
}

/// What the call and the store know: a session that is named must have a transcript, else the
/// project's latest that has.
fn known(call: &Call<'_>) -> Result<Known, OpError> {
    call.look(|view| {
        let clues = &call.caller.clues;
        if is_one_meant(call) {
            let who = call.who(view)?;
            if let Some(path) = who.session.as_ref().and_then(of_session) {
                return Ok(Known::File(path));
            }
            if who.key.harness == opencode::ID && who.key.agent.is_none() {
                return Ok(Known::Opencode(who.key.external));
            }
            if clues.named.is_none() {
                return Ok(Known::Nothing);
            }
            return Err(without(&who.key.to_string()));
        }
        let latest = latest(call, view)?.iter().find_map(of_session);
        Ok(latest.map_or(Known::Nothing, Known::File))
    })
}

/// Whether the call is about one session, not about any of its project.
fn is_one_meant(call: &Call<'_>) -> bool {
    let clues = &call.caller.clues;
    let is_told = clues.told.is_some() || clues.environment.is_some() || clues.fault.is_some();
    clues.named.is_some() || clues.at_work.is_some() || is_told
}

/// The latest sessions of the project.
fn latest(call: &Call<'_>, view: &dyn View) -> Result<Vec<Session>, OpError> {
    let Some(project) = call.project(view)? else { return Ok(Vec::new()) };
    Ok(view.sessions(SessionFilter {
        project: Some(project.id),
        include_archived: true,
        limit: LOOKED_AT,
        ..SessionFilter::default()
    })?)
}

/// What was kept of the session that is meant, else of the project's latest of which anything was.
pub fn kept(call: &Call<'_>) -> Result<Option<(Session, Kept)>, OpError> {
    call.look(|view| {
        let meant = if is_one_meant(call) {
            call.who(view)?.session.into_iter().collect()
        } else {
            latest(call, view)?
        };
        for session in meant {
            if let Some(kept) = gather::recap(view, &session.key)? {
                return Ok(Some((session, kept)));
            }
        }
        Ok(None)
    })
}

/// Says that the session called `name` left nothing to be read.
fn without(name: &str) -> OpError {
    OpError::missing(format!("session {name} has no transcript here"))
        .hint("vade session list shows the sessions; vade recap PATH takes a file")
}

/// The newest of the project that lies on the machine, without anything installed; never another project's.
fn discovered(call: &Call<'_>, wanted: Wanted<'_>) -> Result<Transcript, OpError> {
    let mut fault = None;
    let roots = Roots::of(call)?;
    let lying = lying(call.world, wanted, Some(&roots.folders));
    newest(call, (&roots, &lying.found), &mut fault)
        .ok_or_else(|| nothing(call, &lying, fault.as_ref()))
}

/// What lies on the machine and may be what is asked for.
fn lying(world: &World, wanted: Wanted<'_>, project: Option<&[PathBuf]>) -> Discovered {
    let env = |name: &str| world.var(name);
    let mut discovered = discover(&env, &world.folders.home, project);
    discovered.found.retain(|found| wanted.fits(found.format));
    discovered
}

/// The newest of `found` that is known to be of the project; they come the newest first.
///
/// A database is opened only where it may hold something newer than any file, and passed over with its
/// fault if it cannot be read.
fn newest(
    call: &Call<'_>,
    (roots, found): (&Roots, &[Found]),
    fault: &mut Option<OpError>,
) -> Option<Transcript> {
    let is_database = |found: &&Found| found.format == Format::Opencode;
    let file = ours(roots, &found[..found.len().min(OPENED)]).next();
    let database = found.iter().find(is_database);
    let database = database.filter(|it| file.is_none_or(|file| file.modified <= it.modified));
    let session = database.and_then(|database| {
        let path = &database.path;
        let sessions = call.world.databases.sessions(path);
        let sessions = sessions.map_err(|error| databases::unreadable(path, &error));
        let sessions = sessions.map_err(|error| *fault = Some(error)).ok()?;
        let newest = databases::newest(&sessions, Some(&roots.folders))?;
        let is_newest = file.is_none_or(|file| file.modified <= newest.modified);
        is_newest.then(|| Transcript::InDatabase(path.clone(), newest.clone()))
    });
    session.or_else(|| file.map(|file| Transcript::File(file.path.clone())))
}

/// The files among `found` that are known to be of the project at `roots`.
fn ours<'f>(roots: &Roots, found: &'f [Found]) -> impl Iterator<Item = &'f Found> {
    let is_here = move |folder: PathBuf| roots.elsewhere(folder, false).is_none();
    // Folders of several projects may have one name at Claude Code; of a folder that is gone that has to do.
    let is_ours = move |found: &&Found| {
        let tells = |folder: &PathBuf| !found.is_of_project || resolve(folder).is_some();
        found.work_folder().filter(tells).map_or(found.is_of_project, &is_here)
    };
    found.iter().filter(|found| found.format != Format::Opencode).filter(is_ours)
}

/// The files in which harnesses may keep sessions of the project at `roots`, the newest first.
///
/// Claude Code calls a folder after the one that a session began in, and writes alike what a path has but letters and
/// digits: what such a file says of its folder tells whether it is of this project.
#[must_use]
pub fn files(world: &World, roots: &Roots) -> Vec<Found> {
    let wanted = Wanted { files_only: true, ..Wanted::default() };
    let env = |name: &str| world.var(name);
    let folders = Folders::new(&env, &world.folders.home);
    let folders: Vec<PathBuf> =
        roots.folders.iter().map(|root| folders.project(&env, root)).collect();
    let names = folders.iter().filter_map(|folder| folder.file_name()).map(OsStr::as_encoded_bytes);
    let names: Vec<&[u8]> = names.collect();
    let mut found = lying(world, wanted, None).found;
    for one in &mut found {
        let of = one.path.parent().and_then(Path::file_name).map(OsStr::as_encoded_bytes);
        // Below one, or one.
        let is_below = |name: &&[u8]| {
            let rest = of.and_then(|of| of.strip_prefix(*name));
            rest.is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b'-'))
        };
        one.is_of_project = one.format == Format::ClaudeCode && names.iter().any(is_below);
    }
    ours(roots, &found).cloned().collect()
}

/// How many days Claude Code keeps a transcript after its last record where its settings do not say.
const DAYS_KEPT: i64 = 30;

/// How many days ahead is looked.
const DAYS_AHEAD: i64 = 7;

/// What Claude Code deletes of `files` within 7 days; none where that is nothing.
#[must_use]
pub fn deleted_soon(world: &World, files: &[Found]) -> Option<String> {
    let settings = Folders::new(&|name| world.var(name), &world.folders.home).settings;
    let settings = read_named(&settings, SETTINGS).ok().flatten().unwrap_or_default();
    let settings: Option<serde_json::Value> = serde_json::from_slice(&settings).ok();
    let days = settings.and_then(|settings| settings.get("cleanupPeriodDays")?.as_i64());
    let days = days.unwrap_or(DAYS_KEPT).clamp(0, 100_000);
    let left_ms = (days - DAYS_AHEAD) * 24 * 60 * 60 * 1_000;
    let is_old = |at: Time| left_ms < world.now().since(at);
    let old = files
        .iter()
        .filter(|it| it.format == Format::ClaudeCode && it.modified.is_some_and(is_old));
    let n = old.count();
    (0 < n).then(|| {
        format!("Claude Code deletes {n} of these within 7 days (cleanupPeriodDays is {days})")
    })
}

/// The longest settings file that is read.
const SETTINGS: u64 = 4 * 1024 * 1024;

/// Says where it was looked, and what could not be read.
fn nothing(call: &Call<'_>, all: &Discovered, fault: Option<&OpError>) -> OpError {
    let looked: Vec<String> =
        all.looked.iter().map(|place| place.path.display().to_string()).collect();
    let fault = fault.map_or_else(String::new, |fault| format!("; {}", fault.message));
    let (project, looked) = (call.place().name(), looked.join(", "));
    OpError::missing(format!("no transcript of {project} was found in {looked}{fault}"))
        .hint("vade recap PATH takes a file; vade recap --sample shows one that comes with vade")
}
