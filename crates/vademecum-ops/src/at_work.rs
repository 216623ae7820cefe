//! Which sessions a person means who names none: those that run here, else the one that worked last.

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{StoreError, View};

use crate::operation::Declaration;
use crate::recaps::Kept;
use crate::succession::{LOOKED_AT, is_of_another, is_running, last_work, latest};
use crate::world::World;

/// Commands about what an agent wrote; plans, the store and words for the next session are the person's own.
const NOUNS: [&str; 7] = ["context", "export", "note", "notepad", "sandbox", "scratchpad", "tag"];

/// The sessions at work in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtWork {
    /// No agent ever worked here.
    Nobody,
    /// One runs.
    Running(Session),
    /// None runs; this one worked last.
    Last(Session),
    /// None of this person's ever worked; this one of another person worked last, or still runs.
    Anothers(Session),
    /// Several run, the one heard of last first.
    Several(Vec<Session>),
}

/// Finds the sessions at work in `project`; those that are not `meant` are passed over.
///
/// Who works on what others wrote too, as in a copied file, means a session of their own: another's is only theirs to look at.
pub fn find(
    view: &dyn View,
    world: &World,
    project: ProjectId,
    is_meant: &dyn Fn(&Session) -> bool,
) -> Result<AtWork, StoreError> {
    let mut sessions = latest(view, project, LOOKED_AT)?;
    sessions.retain(|session| session.key.harness != SessionKey::DESK && is_meant(session));
    let mut running = Vec::new();
    for session in sessions.iter().filter(|session| is_running(world, session)) {
        if !is_of_another(view, world, session)? {
            running.push(session.clone());
        }
    }
    let mut running = nearest(world, running);
    running.sort_by(|one, other| (other.seen_at, &other.key).cmp(&(one.seen_at, &one.key)));
    if let [session] = running.as_slice() {
        return Ok(AtWork::Running(session.clone()));
    }
    if !running.is_empty() {
        return Ok(AtWork::Several(running));
    }
    let mut worked = Vec::new();
    for session in sessions {
        // One that was only opened left nothing to be shown.
        if let Some(at) = last_work(view, &session)? {
            worked.push((at, session));
        }
    }
    worked.sort_by(|(at, one), (other_at, other)| (other_at, &other.key).cmp(&(at, &one.key)));
    for (_, session) in &worked {
        if !is_of_another(view, world, session)? {
            return Ok(AtWork::Last(session.clone()));
        }
    }
    Ok(worked.into_iter().next().map_or(AtWork::Nobody, |(_, session)| AtWork::Anothers(session)))
}

/// Those on this host; where none runs here, what the person's other machines run.
fn nearest(world: &World, mut running: Vec<Session>) -> Vec<Session> {
    let is_here = |session: &Session| session.host_name == world.host_name;
    if running.iter().any(is_here) {
        running.retain(is_here);
    }
    running
}

/// So much of a page is read for what its session does, in bytes.
const HEAD: usize = 4096;

/// What a session does, by the first line of its page that says anything; empty where none does.
///
/// A heading such as `Goal` stands on many pages, and a ticked step is over: they only serve where nothing else is.
pub fn doing(view: &dyn View, session: &Session) -> Result<String, StoreError> {
    let page = view.page(&session.key, HEAD)?.map(|page| page.text).unwrap_or_default();
    let lines = || page.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric));
    let is_said = |line: &&str| !line.starts_with(['#', '`', '~']) && !is_ticked(line);
    let first = lines().find(is_said).or_else(|| lines().next()).unwrap_or_default();
    let marks = |c: char| c.is_whitespace() || "#-*+>[]".contains(c);
    Ok(first.trim_start_matches("- [x]").trim_start_matches(marks).to_owned())
}

/// What a session was about: what it does, else what its recap says that the user asked for.
pub fn about(view: &dyn View, session: &Session) -> Result<String, StoreError> {
    let doing = doing(view, session)?;
    if !doing.is_empty() {
        return Ok(doing);
    }
    let kept = view.recap(&session.key)?.and_then(|kept| Kept::parse(&kept.body));
    Ok(kept.and_then(|kept| kept.state.goal.or(kept.state.asked)).unwrap_or_default())
}

fn is_ticked(line: &str) -> bool {
    let item = line.trim_start_matches(['-', '*', '+', ' ']);
    item.starts_with("[x]") || item.starts_with("[X]")
}

/// Whether a person who calls this without a session means the agent's, not the desk.
#[must_use]
pub fn is_meant_by(declaration: &Declaration, what: Option<&str>) -> bool {
    let words = declaration.command.map_or(&[][..], |command| command.words);
    match words {
        ["session", "show" | "timeline"] => true,
        // A session or a project is erased by its name alone.
        ["forget"] => what == Some("note"),
        [noun, ..] => declaration.of_session && NOUNS.contains(noun),
        [] => false,
    }
}
