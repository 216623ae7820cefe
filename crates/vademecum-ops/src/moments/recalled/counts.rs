//! How much of what prompts were told was used, session by session, and where that is too little to tell anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use vademecum_core::id::ProjectId;
use vademecum_core::session::Session;
use vademecum_files::FileError;
use vademecum_harness::hook::Harness;
use vademecum_harness::so_far::SoFar;

use super::{is_set, used};
use crate::call::Call;
use crate::config::Config;
use crate::moments::Hook;
use crate::moments::list::{self, List};
use crate::recaps::find;

const LIST: List = List("recalls.jsonl");

/// So much of the end of the list is read at a prompt, in bytes: a few hundred sessions.
const READ: u64 = 64 * 1024;

/// So many that were told are judged by; fewer say little.
const LOOKED_AT: u64 = 20;

/// Of these so many must have been used: below one in five it costs more than it gives.
const FEWEST_USED: u64 = 4;

/// How much prompts were told, and how much of that was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecallUse {
    /// Lines that were told.
    pub told: u64,
    /// Those of them that were used.
    pub used: u64,
}

impl RecallUse {
    /// Whether so little was used that nothing is told unasked.
    #[must_use]
    pub fn is_silent(self) -> bool {
        LOOKED_AT <= self.told && self.used < FEWEST_USED
    }
}

/// One line of the list; it holds no text of what was told.
#[derive(Serialize, Deserialize)]
struct Line {
    /// When (RFC 3339).
    at: String,
    project: ProjectId,
    #[serde(flatten)]
    what: What,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum What {
    /// All that a session was told until it ended; the last line of a session counts.
    Counted {
        session: String,
        #[serde(flatten)]
        count: RecallUse,
    },
    /// Somebody asked where nothing was told any more: what was counted before counts no longer.
    Asked { asked: bool },
}

/// How much of what prompts of a project were told last was used; none where nothing was, or it is not set.
#[must_use]
pub fn recall_use(config: &Config, data: &Path, project: ProjectId) -> Option<RecallUse> {
    let count = is_set(config).then(|| last(data, project))?;
    (count.told != 0).then_some(count)
}

/// The same of each session by its full name, as far as the list goes back.
#[must_use]
pub fn recall_use_of_sessions(data: &Path) -> BTreeMap<String, RecallUse> {
    let counted = |line: Line| match line.what {
        What::Counted { session, count } => Some((session, count)),
        What::Asked { .. } => None,
    };
    list::parsed(&LIST.text(data)).filter_map(counted).collect()
}

/// Whether prompts of a project are told nothing unasked.
pub(super) fn is_silent(data: &Path, project: ProjectId) -> bool {
    last(data, project).is_silent()
}

/// The counts of the newest sessions, as many as were told what is judged by.
fn last(data: &Path, project: ProjectId) -> RecallUse {
    let (mut all, mut known) = (RecallUse::default(), BTreeSet::new());
    let text = LIST.end(data, READ);
    for line in list::parsed::<Line>(&text).rev().filter(|line| line.project == project) {
        match line.what {
            What::Asked { .. } => break,
            What::Counted { session, count } => {
                // An older line of a session is a part of its last one.
                let count = if known.insert(session) { count } else { RecallUse::default() };
                all.told += count.told;
                all.used += count.used;
            }
        }
        if LOOKED_AT <= all.told {
            break;
        }
    }
    all
}

/// Counts what a session that has just ended was told; one that ends again tells only what is new.
pub(in crate::moments) fn at_end(hook: &Hook<'_>, session: &Session) {
    let harness = Harness::of(&session.key.harness).filter(|_| is_set(hook.config));
    let Some((harness, path)) = harness.zip(find::of_session(session)) else { return };
    let passages = SoFar::read(harness, Some(&path)).and_then(|so_far| so_far.passages());
    let Ok(passages) = passages else { return };
    let count = used::count(&passages, session.started_at);
    let (data, session_name) = (&hook.world.folders.data, session.key.to_string());
    let before = recall_use_of_sessions(data).remove(&session_name).unwrap_or_default();
    if count != before && count.told != 0 {
        let what = What::Counted { session: session_name, count };
        let (at, project) = (hook.world.now().to_rfc3339(), session.project);
        LIST.append(data, &Line { at, project, what });
    }
}

/// Lets recall speak again in the project that somebody asks about, where it is silent; no answer waits for it.
pub(crate) fn asked(call: &Call<'_>) {
    if !is_set(call.config) || call.world.is_read_only() {
        return;
    }
    let project = call.look(|view| {
        let own = call.session(view)?.map(|session| session.project);
        Ok(own.or(call.project(view)?.map(|project| project.id)))
    });
    let project = project.ok().flatten();
    let data = &call.world.folders.data;
    if let Some(project) = project.filter(|project| is_silent(data, *project)) {
        let (at, what) = (call.now().to_rfc3339(), What::Asked { asked: true });
        LIST.append(data, &Line { at, project, what });
    }
}

/// Takes the lines of these sessions out of the list, and all of a project that goes with them.
pub(in crate::moments) fn forget(
    data: &Path,
    sessions: &[String],
    project: Option<ProjectId>,
) -> Result<(), FileError> {
    LIST.retain(data, |text| {
        let line: Line = serde_json::from_slice(text).ok()?;
        let is_gone = match &line.what {
            What::Counted { session, .. } => sessions.contains(session),
            What::Asked { .. } => false,
        };
        (!is_gone && Some(line.project) != project).then(|| text.to_vec())
    })
}
