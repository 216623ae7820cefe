//! The moments: when a harness calls, what is put in front of its model, and what is noted.
//!
//! Nothing here blocks, forces a turn, approves a permission or fails to the harness.

mod answer;
mod capture;
mod claimed;
mod compaction;
mod delegating;
mod ending;
mod failing;
mod fork;
mod late;
mod lines;
mod list;
mod log;
mod looking;
mod missed;
mod recalled;
mod recap;
mod rehearsal;
mod reminder;
mod resume;
mod running;
mod size;
mod spool;
mod standing;
mod start;
mod status_line;
pub mod sub_agent;
mod undone;
mod unheard;
mod warning;

use std::collections::BTreeSet;

use vademecum_core::context::{Cap, Context, Unit};
use vademecum_core::entry::Said;
use vademecum_core::error::Kind;
use vademecum_core::frame::{self, Nonce};
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::session::{Began, Place, Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_files::Root;
use vademecum_harness::hook::Harness;
use vademecum_harness::{claude_code, codex};
use vademecum_store::{AT_SERVER, Author, NO_ANSWER, Origin, Store, Surface, UNMIGRATED};

use crate::call::{Call, Caller};
use crate::config::Config;
use crate::error::OpError;
use crate::gather;
use crate::renderings::{self, Rendered};
use crate::who::Clues;
use crate::world::World;

pub use answer::{answer, bridge};
pub use failing::without_config;
pub use late::take_in;
pub use log::{Sent, sent};
pub use missed::{Owed, owed};
pub(crate) use recalled::asked;
pub use recalled::{RecallUse, recall_use, recall_use_of_sessions};
pub use rehearsal::{follow, rehearse};
pub(crate) use spool::Awaited;
pub use spool::{Queued, Waiting, waiting, waiting_for};
pub use status_line::status_line;
pub use undone::{Later, Noted, Undone};
pub use warning::{Explained, explain};

/// The names of the processes of harnesses.
pub const PROCESSES: [&str; 2] = [claude_code::PROCESS, codex::PROCESS];

/// What a harness lets through, with room to spare.
#[must_use]
pub fn cap(harness: Harness) -> Cap {
    match harness {
        Harness::ClaudeCode => Cap { units: claude_code::CONTEXT_UNITS, unit: Unit::Utf16 },
        Harness::Codex => Cap { units: codex::CONTEXT_BYTES, unit: Unit::Bytes },
    }
}

/// What the harness of a session lets through; one that we do not know is taken for Claude Code.
pub(crate) fn cap_of(key: &SessionKey) -> Cap {
    cap(Harness::of(&key.harness).unwrap_or(Harness::ClaudeCode))
}

/// Everything a moment may look at.
pub struct Hook<'a> {
    /// The store, opened for a hook.
    pub store: &'a dyn Store,
    /// The same where it is far away, and was asked beforehand.
    pub rendered: Option<&'a Rendered<'a>>,
    /// The outside world; its work folder is the harness's.
    pub world: &'a World,
    /// What is set.
    pub config: &'a Config,
    /// What is wrong with a part of it that was left out; a start says so.
    pub config_fault: Option<OpError>,
    /// What the harness lets through.
    pub cap: Cap,
    /// When a recap must be there; a context goes out without it then.
    pub recap_until: Time,
    /// Until when what waits in the spool is taken in before the answer.
    pub drain_until: Time,
    /// What waits until the answer is out; empty at first.
    pub later: Later,
}

impl std::fmt::Debug for Later {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Later").field(&self.tasks.borrow().len()).finish()
    }
}

impl std::fmt::Debug for Hook<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hook").field("cap", &self.cap).finish_non_exhaustive()
    }
}

/// What a moment answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// What is printed for the harness; nothing in the usual case.
    pub stdout: Vec<u8>,
    /// What is wrong, on one line for the person.
    pub fault: Option<String>,
}

impl Hook<'_> {
    /// Does what waits until the answer is out: recaps are kept, and one that is missing is made.
    pub fn finish(&self) {
        // All of it writes.
        if self.world.is_read_only() {
            return;
        }
        for task in self.later.tasks.take() {
            recap::perform(self, task);
        }
    }

    /// A call in the name of `key`, as operations know it.
    fn call(&self, key: &SessionKey) -> Call<'_> {
        told_call(self.store, self.world, self.config, key)
    }

    /// The mark of guarded text in the contexts of the session `key`.
    fn nonce(&self, key: &SessionKey) -> Nonce {
        gather::nonce(self.store, self.world, key)
    }

    /// Whether the session's own process still runs.
    fn is_running(&self, session: &Session) -> bool {
        crate::succession::is_running(self.world, session)
    }

    /// Notes that a context was sent; it is no acknowledged write and is not waited for.
    ///
    /// It tells what was written up to `upto`.
    fn log(&self, event: &str, key: &SessionKey, context: &Context, upto: Upto) {
        if let Some(receipt) = context.receipt.as_ref().filter(|_| !self.world.is_read_only()) {
            let sent = Sent {
                at: self.world.now().to_rfc3339(),
                session: key.to_string(),
                event: event.to_owned(),
                receipt: receipt.clone(),
                units: self.cap.measure(&context.text),
                is_full: upto.is_full,
                from: upto.from,
                entry: upto.entry,
                running: upto.running,
                stopped: upto.stopped,
                offered: upto.offered,
                upto: Some(upto.write),
            };
            log::append(&self.world.folders.data, &sent);
        }
    }
}

/// A call of a harness in the name of `key`, as operations know it.
fn told_call<'a>(
    store: &'a dyn Store,
    world: &'a World,
    config: &'a Config,
    key: &SessionKey,
) -> Call<'a> {
    let caller = Caller {
        origin: Origin { surface: Surface::Hook, author: Author::Tool },
        clues: Clues { told: Some(key.to_string()), ..Clues::default() },
        write_id: None,
    };
    Call::new(store, world, config, caller)
}

/// The most characters of what is wrong: it stands in lines of ours, and may quote a name from outside.
const FAULT_MAX: usize = 300;

/// The fault on one line: what is wrong, and the command that mends it.
fn fault(error: &OpError) -> String {
    let what = sentence(error);
    match &error.hint {
        Some(_) if error.kind == Kind::Busy => {
            format!("vade: {what}; once it answers, what waits is taken in")
        }
        Some(hint) => format!("vade: {what}; {}", frame::line(hint, FAULT_MAX)),
        None => format!("vade: {what}; run: vade doctor"),
    }
}

/// Up to what a context tells.
#[derive(Debug, Clone, Default)]
struct Upto {
    /// The newest write of the session.
    write: Seq,
    /// Behind which write it begins.
    from: Seq,
    /// Whether that holds of the model's own writes too, as at every start.
    is_full: bool,
    /// The newest entry of the project; none where the context tells of no entries.
    entry: Option<EntryId>,
    /// The sub-agents that it tells of as running.
    running: Vec<String>,
    /// Those that it tells of as running no more.
    stopped: Vec<String>,
    /// The session of whose work it tells first.
    offered: Option<SessionKey>,
}

/// What is wrong, without anything that moves: the same fault has the same bytes in each context.
fn sentence(error: &OpError) -> String {
    match error.kind {
        // Of another program's time the milliseconds move; that the store is of an earlier version does not.
        Kind::Busy if error.message.starts_with(UNMIGRATED) => {
            frame::line(&error.message, FAULT_MAX)
        }
        Kind::Busy if error.message.starts_with(AT_SERVER) => {
            let is_slow = error.message.contains(NO_ANSWER);
            let what = if is_slow { "gave no answer in time" } else { "cannot be reached" };
            format!("the server of the store {what}")
        }
        Kind::Busy => "the store is busy: another process holds it".to_owned(),
        Kind::Usage | Kind::Missing | Kind::Conflict | Kind::Denied | Kind::Broken => {
            frame::line(&error.message, FAULT_MAX)
        }
    }
}

/// The session of whose work the session `key` was told first, when it began; none where that is not known.
#[must_use]
pub fn offered(data: &std::path::Path, key: &SessionKey) -> Option<SessionKey> {
    let name = key.to_string();
    let mut sent = log::offers(data).into_iter().rev();
    sent.find(|sent| sent.session == name)?.offered
}

/// Whether anything lies in the spool: one look at a folder that is not there in the usual case.
#[must_use]
pub fn is_waiting(data: &std::path::Path) -> bool {
    spool::has_files(data)
}

/// Whether anything lies in the spool that hooks told of a session.
pub(crate) fn waits(data: &std::path::Path, key: &SessionKey) -> bool {
    spool::has_events_of(data, key)
}

/// The full names of the sessions that were told of work that others left open.
pub(crate) fn told_of_work(data: &std::path::Path) -> BTreeSet<String> {
    log::offers(data).into_iter().map(|sent| sent.session).collect()
}

/// The full names of the sessions that were told of what their project knows up to this entry.
pub(crate) fn told_of_entry(data: &std::path::Path, id: EntryId) -> BTreeSet<String> {
    let sent = log::sent(data).into_iter();
    sent.filter(|sent| Some(id) <= sent.entry).map(|sent| sent.session).collect()
}

/// How a session began whose start waits in the spool, where and when.
pub(crate) fn start_of(data: &std::path::Path, key: &SessionKey) -> Option<(Began, Place, Time)> {
    match spool::start_of(data, key)? {
        standing::Told { what: standing::What::Begins(began), place, at, .. } => {
            Some((began, place, at))
        }
        _ => None,
    }
}

/// The sessions of which anything waits in the spool.
pub(crate) fn awaited(world: &World) -> std::io::Result<Vec<Awaited>> {
    spool::awaited(&world.folders.data, world.store_name())
}

/// Takes what is to be recorded and says one of these, and waits or was set aside, out of the spool, save of sessions
/// that are `others`.
pub(crate) fn forget_found(
    world: &World,
    texts: &[&Said],
    others: impl Fn(&SessionKey) -> bool,
) -> std::io::Result<()> {
    spool::forget_found(&world.folders.data, world.store_name(), texts, others)
}

/// Takes every trace of these sessions, and of the project that goes with them, out of the files beside the database.
pub(crate) fn forget(
    call: &Call<'_>,
    sessions: &[String],
    project: Option<ProjectId>,
) -> std::io::Result<()> {
    let data = &call.world.folders.data;
    crate::drafts::forget(data, sessions)?;
    crate::handoffs::forget(data, (&call.place().root, call.config), sessions)?;
    log::forget(data, sessions)?;
    missed::forget(call.world, sessions)?;
    renderings::forget(call.world, sessions)?;
    recalled::forget(data, sessions, project)?;
    spool::forget(data, call.world.store_name(), sessions)?;
    // A removal that a power cut takes back would outlive the rows that told of it.
    let Some(data) = Root::open_private(data)? else { return Ok(()) };
    for name in ["handoffs", "drafts", "owed", "spool", renderings::FOLDER] {
        if let Some(folder) = data.below(name)? {
            folder.sync()?;
        }
    }
    Ok(data.sync()?)
}
