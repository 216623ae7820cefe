//! Which session a call is about: named, told by the harness, or found without guessing.

use vademecum_core::id::ProjectId;
use vademecum_core::project::Project;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_store::{Change, SessionFilter, StoreError, View};

use crate::error::OpError;

/// A session that was heard of within so many milliseconds counts as running.
pub const LIVE_MS: i64 = 30 * 60 * 1000;

/// The fewest characters of a longer id by which a session may be named.
const SHORTEST_HANDLE: usize = 4;

/// How it became known which session a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The call names it.
    Named,
    /// The harness says so with the call.
    Told,
    /// The environment says so; a sub-agent inherits it, so it may be the parent's.
    Environment,
    /// It is the only one that runs in the project.
    OnlyOne,
    /// It is the person's own.
    Desk,
}

/// What is known of a caller before any session is looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clues {
    /// The session that the call names, as given.
    pub named: Option<String>,
    /// What the harness told with this call, as `harness:id` or `harness:id/agent`.
    pub told: Option<String>,
    /// What the environment says, in the same form.
    pub environment: Option<String>,
    /// The process that started this one, by which a newer session of it is found.
    pub host_pid: Option<u32>,
    /// Whether a person calls, who has a desk.
    pub is_person: bool,
}

/// The session that a call is about; it may not be in the store yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// What makes it unique.
    pub key: SessionKey,
    /// The session, if it is in the store.
    pub session: Option<Session>,
    /// How it became known.
    pub how: How,
}

/// Finds the session that a call is about; never "the most recent".
pub fn find(
    view: &dyn View,
    project: Option<&Project>,
    desk: &SessionKey,
    clues: &Clues,
    now: Time,
) -> Result<Who, OpError> {
    if let Some(named) = clues.named.as_deref().map(str::trim).filter(|named| !named.is_empty()) {
        return by_name(view, project, desk, named);
    }
    if let Some(key) = clues.told.as_deref().and_then(full_key) {
        return known(view, key, How::Told);
    }
    if let Some(key) = clues.environment.as_deref().and_then(full_key) {
        return known(view, newer_of_host(view, project, key, clues.host_pid)?, How::Environment);
    }
    if clues.is_person {
        return known(view, desk.clone(), How::Desk);
    }
    only_live(view, project, now)
}

fn known(view: &dyn View, key: SessionKey, how: How) -> Result<Who, OpError> {
    let session = view.session(&key)?;
    Ok(Who { key, session, how })
}

/// `harness:id` or `harness:id/agent`, as hooks and environments name a session.
#[must_use]
pub fn full_key(text: &str) -> Option<SessionKey> {
    let (harness, rest) = text.split_once(':')?;
    let (external, agent) = match rest.split_once('/') {
        Some((external, agent)) => (external, Some(agent)),
        None => (rest, None),
    };
    let is_word = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.len() <= 128
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    let all_words = is_word(harness) && is_word(external) && agent.is_none_or(is_word);
    all_words.then(|| SessionKey {
        harness: harness.to_owned(),
        external: external.to_owned(),
        agent: agent.map(str::to_owned),
    })
}

/// The full name of a session: what [`full_key`] reads.
#[must_use]
pub fn full_name(key: &SessionKey) -> String {
    let SessionKey { harness, external, agent } = key;
    match agent {
        Some(agent) => format!("{harness}:{external}/{agent}"),
        None => format!("{harness}:{external}"),
    }
}

/// The session that a person or a model names, which must be there.
pub fn named(
    view: &dyn View,
    project: &Project,
    desk: &SessionKey,
    name: &str,
) -> Result<Session, OpError> {
    let who = by_name(view, Some(project), desk, name.trim())?;
    who.session.ok_or_else(|| {
        OpError::missing(format!("no session \"{name}\"")).hint("vade session list shows them")
    })
}

fn by_name(
    view: &dyn View,
    project: Option<&Project>,
    desk: &SessionKey,
    named: &str,
) -> Result<Who, OpError> {
    if named == SessionKey::DESK {
        return known(view, desk.clone(), How::Named);
    }
    if let Some(key) = full_key(named) {
        return known(view, key, How::Named);
    }
    let found = match project {
        Some(project) => by_handle(view, project.id, named)?,
        None => Vec::new(),
    };
    match found.as_slice() {
        [] => Err(OpError::missing(format!("no session \"{named}\""))
            .hint("vade session list shows them")),
        [session] => {
            Ok(Who { key: session.key.clone(), session: Some(session.clone()), how: How::Named })
        }
        several => {
            Err(OpError::usage(format!("session \"{named}\" may be any of {}", names(several)))
                .hint("give more characters, or the full name"))
        }
    }
}

/// The sessions that a handle may stand for: a prefix of the id, and the agent if one is named.
///
/// A short one stands for an id that is as short, and for no other.
pub fn by_handle(
    view: &dyn View,
    project: ProjectId,
    handle: &str,
) -> Result<Vec<Session>, StoreError> {
    let (prefix, agent) = match handle.split_once('/') {
        Some((prefix, agent)) => (prefix, Some(agent)),
        None => (handle, None),
    };
    let is_short = prefix.chars().count() < SHORTEST_HANDLE;
    let mut found = view.sessions_by_prefix(project, prefix)?;
    found.retain(|session| {
        session.key.agent.as_deref() == agent && (!is_short || session.key.external == prefix)
    });
    Ok(found)
}

fn names(sessions: &[Session]) -> String {
    let names: Vec<String> = sessions.iter().map(|session| full_name(&session.key)).collect();
    names.join(", ")
}

/// After `/clear` a harness runs a new session in the same process; its hook has told us.
fn newer_of_host(
    view: &dyn View,
    project: Option<&Project>,
    key: SessionKey,
    host_pid: Option<u32>,
) -> Result<SessionKey, StoreError> {
    let (Some(project), Some(host_pid)) = (project, host_pid) else {
        return Ok(key);
    };
    let filter = SessionFilter { project: Some(project.id), limit: 50, ..SessionFilter::default() };
    let newest = view.sessions(filter)?.into_iter().filter(|session| {
        session.key.harness == key.harness && session.place.host_pid == Some(host_pid)
    });
    let newest = newest.max_by_key(|session| (session.seen_at, session.id));
    Ok(newest.map_or(key, |session| session.key))
}

fn only_live(view: &dyn View, project: Option<&Project>, now: Time) -> Result<Who, OpError> {
    let live = match project {
        Some(project) => live(view, project.id, now)?,
        None => Vec::new(),
    };
    match live.as_slice() {
        [session] => {
            Ok(Who { key: session.key.clone(), session: Some(session.clone()), how: How::OnlyOne })
        }
        [] => Err(OpError::usage("no session is known for this call")
            .hint("pass session: any id of your own, as mcp:<id>, the same in every call")),
        several => Err(OpError::usage(format!("several sessions run here: {}", names(several)))
            .hint("pass session with the handle that your context block names")),
    }
}

/// Notes that a session was heard of; none if that is known, and for one that has ended.
pub(crate) fn heard(session: Session, at: Time) -> Option<Change> {
    let is_news = session.ended_at.is_none() && session.seen_at < at;
    let Session { id: session, place, standing, .. } = session;
    is_news.then_some(Change::SetSession { session, seen_at: at, ended_at: None, place, standing })
}

/// The sessions of a harness that run in a project now.
pub fn live(view: &dyn View, project: ProjectId, now: Time) -> Result<Vec<Session>, StoreError> {
    let filter = SessionFilter { project: Some(project), ..SessionFilter::default() };
    let mut sessions = view.sessions(filter)?;
    sessions.retain(|session| {
        session.key.harness != SessionKey::DESK && now.since(session.seen_at) <= LIVE_MS
    });
    Ok(sessions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_names_read_back() {
        for text in ["claude-code:752d4c1e-aa", "claude-code:752d/a41f", "desk:12"] {
            assert_eq!(full_key(text).map(|key| full_name(&key)).as_deref(), Some(text));
        }
        for bad in ["752d4c1e", "claude-code:", ":x", "a:b/", "a:b c", "a:b/c/d", "a:../x"] {
            assert_eq!(full_key(bad), None, "{bad}");
        }
    }
}
