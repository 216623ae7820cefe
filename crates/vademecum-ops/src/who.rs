//! Which session a call is about: told by the harness, named by its caller, never guessed.

use vademecum_core::id::{ProjectId, is_uuid};
use vademecum_core::project::Project;
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_harness::hook::Harness;
use vademecum_store::{Change, SessionFilter, StoreError, View};

use crate::call::Call;
use crate::desk::Desk;
use crate::error::OpError;
use crate::world::World;

/// A session that was heard of within so many milliseconds counts as running.
pub const LIVE_MS: i64 = 30 * 60 * 1000;

/// A process may have begun so many milliseconds after its session was heard of: clocks are coarse.
const COARSE_MS: i64 = 1_000;

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
    /// Nobody says, and a person means the agent that is at work here.
    AtWork,
    /// Nobody says: the first write of the call begins one.
    Fresh,
    /// It is the person's own.
    Desk,
}

/// What is known of a caller before any session is looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clues {
    /// The session that the arguments name, as given; a model may name its own and their children.
    pub named: Option<String>,
    /// What the harness told with this call: `harness:id`, `harness:id/agent` or a handle.
    pub told: Option<String>,
    /// What the environment says, in the same form.
    pub environment: Option<String>,
    /// Why the environment names no session, though it means to; told to what needs one.
    pub fault: Option<OpError>,
    /// The full name of the session that a write begins where nobody says whose the call is.
    pub fresh: Option<String>,
    /// The full name of the session that a person means who names none.
    pub at_work: Option<String>,
    /// The process that started this one, by which a newer session of it is found.
    pub host: Option<HostProcess>,
    /// Whether a person calls, who has a desk.
    pub is_person: bool,
}

impl Clues {
    /// Whether neither the words nor the environment of a person mean a session.
    #[must_use]
    pub fn is_unnamed(&self) -> bool {
        self.named.is_none() && self.environment.is_none() && self.fault.is_none()
    }
}

/// The process of a harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostProcess {
    /// Its number, which another host or an earlier process of this one may have had too.
    pub pid: u32,
    /// The host that it runs on.
    pub host_name: String,
    /// When it began; none where nothing tells.
    pub began: Option<Time>,
}

impl HostProcess {
    /// The process of this number on this host.
    #[must_use]
    pub fn of(world: &World, pid: u32) -> Self {
        Self { pid, host_name: world.host_name.clone(), began: (world.process_began)(pid) }
    }

    /// Whether `session` was heard of from this process.
    #[must_use]
    pub fn ran(&self, session: &Session) -> bool {
        session.place.host_pid == Some(self.pid)
            && session.host_name == self.host_name
            && self.began.is_none_or(|began| began <= session.seen_at.plus(COARSE_MS))
    }
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

/// Finds the session that a call is about; never "the most recent", never another agent's.
pub fn find(
    view: &dyn View,
    project: Option<&Project>,
    desk: Desk,
    clues: &Clues,
) -> Result<Who, OpError> {
    let caller = || caller(view, project, desk, clues);
    let Some(named) = clues.named.as_deref().map(str::trim).filter(|named| !named.is_empty())
    else {
        return caller()?.ok_or_else(|| {
            OpError::usage("no session is known for this call")
                .hint("pass session as an earlier reply gave it")
        });
    };
    if clues.is_person {
        return by_name(view, project, desk, named);
    }
    let caller = caller()?;
    owned(candidates(view, project, desk, named)?, caller.as_ref(), project, named)
}

/// Who calls, as far as harness, environment or desk say so.
fn caller(
    view: &dyn View,
    project: Option<&Project>,
    desk: Desk,
    clues: &Clues,
) -> Result<Option<Who>, OpError> {
    let who = if let Some(told) = &clues.told {
        match full_key(told) {
            Some(key) => known(view, key, How::Told)?,
            None => Who { how: How::Told, ..by_name(view, project, desk, told)? },
        }
    } else if let Some(fault) = &clues.fault {
        // Not the one that runs: it is somebody else's.
        return Err(fault.clone());
    } else if let Some(name) = &clues.environment {
        match full_key(name) {
            Some(key) => {
                let key = newer_of_host(view, project, key, clues.host.as_ref())?;
                known(view, key, How::Environment)?
            }
            None => Who { how: How::Environment, ..by_name(view, project, desk, name)? },
        }
    } else if let Some(key) = clues.at_work.as_deref().and_then(full_key) {
        known(view, key, How::AtWork)?
    } else if clues.is_person {
        known(view, desk.key(view)?, How::Desk)?
    } else if let Some(key) = clues.fresh.as_deref().and_then(full_key) {
        known(view, key, How::Fresh)?
    } else {
        return Ok(None);
    };
    Ok(Some(who))
}

/// The session of a call about what is the project's, which only says more with one; none where the environment's is no name.
pub fn session_if_told(call: &Call<'_>, view: &dyn View) -> Result<Option<Session>, OpError> {
    let clues = &call.caller.clues;
    if clues.fault.is_none() || clues.named.is_some() {
        return call.session(view);
    }
    call.check_on_in(view, call.project(view)?.as_ref())?;
    Ok(None)
}

/// The one of `found` that is the caller's: its own session, or a child of it in the same project.
fn owned(
    found: Vec<Who>,
    caller: Option<&Who>,
    project: Option<&Project>,
    named: &str,
) -> Result<Who, OpError> {
    let is_known = found.iter().any(|who| who.session.is_some());
    let own = found.into_iter().filter(|who| match caller {
        Some(caller) => is_own(caller, who, project),
        // Its client alone was told the handle, and no harness runs under that name.
        None => who.key.harness == SessionKey::CLIENT && is_in(who, project),
    });
    let own: Vec<Who> = own.collect();
    match (own.as_slice(), caller) {
        ([_], _) => Ok(own.into_iter().next().expect("one was found")),
        ([], Some(_)) if is_known => {
            Err(OpError::denied(format!("session \"{named}\" is another agent's"))
                .hint("leave session out; read_handoff from=... reads what another left"))
        }
        ([], Some(_)) => Err(OpError::missing(format!("no session \"{named}\""))
            .hint("leave session out: the call says whose it is")),
        ([], None) => Err(OpError::missing(format!("no session \"{named}\" of this client"))
            .hint("pass session as a reply gave it, or session: \"new\"")),
        (several, _) => Err(ambiguous(named, several)),
    }
}

/// Whether `who` is the caller or a child of it, in the caller's project.
fn is_own(caller: &Who, who: &Who, project: Option<&Project>) -> bool {
    if who.key == caller.key {
        return true;
    }
    let is_spawned = who.session.as_ref().is_some_and(|session| {
        session.began == Began::Spawn
            && session.parent.is_some()
            && session.parent.as_ref() == caller.session.as_ref().map(|caller| &caller.key)
    });
    let is_child = is_spawned || who.key.parent().as_ref() == Some(&caller.key);
    let is_here = match (&who.session, &caller.session) {
        (Some(child), Some(caller)) => child.project == caller.project,
        (Some(_), None) => is_in(who, project),
        (None, _) => true,
    };
    is_child && is_here
}

/// The session of the caller and its sub-agents', as far as something is kept of them.
pub fn family(
    view: &dyn View,
    project: Option<&Project>,
    desk: Desk,
    clues: &Clues,
) -> Result<Vec<Session>, OpError> {
    let (Some(caller), Some(here)) = (caller(view, project, desk, clues)?, project) else {
        return Ok(Vec::new());
    };
    let mut sessions = view.sessions_by_prefix(here.id, &caller.key.external)?;
    sessions.retain(|session| is_own(&caller, &named_by(session.clone()), project));
    Ok(sessions)
}

fn named_by(session: Session) -> Who {
    Who { key: session.key.clone(), session: Some(session), how: How::Named }
}

fn is_in(who: &Who, project: Option<&Project>) -> bool {
    who.session.as_ref().map(|session| session.project) == project.map(|project| project.id)
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

/// The session that a person or a model names, which must be there.
pub fn named(
    view: &dyn View,
    project: &Project,
    desk: Desk,
    name: &str,
) -> Result<Session, OpError> {
    let who = by_name(view, Some(project), desk, name.trim())?;
    who.session.ok_or_else(|| unknown(name))
}

fn by_name(
    view: &dyn View,
    project: Option<&Project>,
    desk: Desk,
    named: &str,
) -> Result<Who, OpError> {
    let found = candidates(view, project, desk, named)?;
    match found.as_slice() {
        [] => Err(unknown(named)),
        [who] => {
            if who.session.is_none() {
                refuse_slip(view, project, (desk, &who.key), named)?;
            }
            Ok(who.clone())
        }
        several => Err(ambiguous(named, several)),
    }
}

/// All that `named` may mean: one of which nothing is kept yet only by its full name.
fn candidates(
    view: &dyn View,
    project: Option<&Project>,
    desk: Desk,
    named: &str,
) -> Result<Vec<Who>, OpError> {
    if named == SessionKey::DESK {
        return Ok(vec![known(view, desk.key(view)?, How::Named)?]);
    }
    if let Some(key) = full_key(named) {
        return Ok(vec![known(view, key, How::Named)?]);
    }
    let Some(project) = project else { return Ok(Vec::new()) };
    Ok(by_handle(view, project.id, named)?.into_iter().map(named_by).collect())
}

/// Refuses a full name that nobody gives a session that is to begin: that of another desk, or a known one cut short.
fn refuse_slip(
    view: &dyn View,
    project: Option<&Project>,
    (desk, key): (Desk, &SessionKey),
    named: &str,
) -> Result<(), OpError> {
    if key.harness == SessionKey::DESK {
        let is_own = desk.key(view)? == *key;
        let none = || unknown(named).hint("desk is the one of this project");
        return if is_own { Ok(()) } else { Err(none()) };
    }
    // Programs of a person's own give ids of their own, of which one may begin as another does.
    let may_be_cut =
        Harness::of(&key.harness).is_some() && !is_short(&key.external) && !is_uuid(&key.external);
    let Some(project) = project.filter(|_| may_be_cut) else { return Ok(()) };
    let longer = view.sessions_by_prefix(project.id, &key.external)?.into_iter();
    let mut longer = longer.map(|longer| longer.key);
    let is_cut =
        |longer: &SessionKey| longer.harness == key.harness && longer.external != key.external;
    let Some(longer) = longer.find(is_cut) else { return Ok(()) };
    let message = format!("no session \"{named}\", but {longer}");
    Err(OpError::missing(message)
        .hint("name it by its handle or its full name; vade session list shows both"))
}

fn unknown(named: &str) -> OpError {
    let short = if is_short(named) {
        format!(": it takes {SHORTEST_HANDLE} characters of an id, or all of a shorter one")
    } else {
        String::new()
    };
    OpError::missing(format!("no session \"{named}\"{short}")).hint("vade session list shows them")
}

/// Whether a handle is too short to stand for a longer id.
fn is_short(prefix: &str) -> bool {
    prefix.chars().count() < SHORTEST_HANDLE
}

fn ambiguous(named: &str, several: &[Who]) -> OpError {
    let choices: Vec<String> = several.iter().map(|who| who.key.to_string()).collect();
    OpError::usage(format!("session \"{named}\" may be any of {}", choices.join(", ")))
        .hint("give more characters, or the full name")
}

/// The sessions that a handle may stand for: a prefix of the id, and the agent if one is named.
///
/// A short one stands for an id that is as short, and for no other. Where no session is meant, a sub-agent may be by the
/// whole id that its harness gave it: the beginning of one is more often that of a session which is not there.
pub fn by_handle(
    view: &dyn View,
    project: ProjectId,
    handle: &str,
) -> Result<Vec<Session>, StoreError> {
    let (prefix, agent) = match handle.split_once('/') {
        Some((prefix, agent)) => (prefix, Some(agent)),
        None => (handle, None),
    };
    let mut found = view.sessions_by_prefix(project, prefix)?;
    found.retain(|session| is_meant(&session.key.external, prefix));
    match agent {
        None => found.retain(|session| session.key.agent.is_none()),
        Some(agent) => retain_agents(&mut found, agent),
    }
    if found.is_empty() && agent.is_none() {
        found = view.sessions(SessionFilter { project: Some(project), ..SessionFilter::ALL })?;
        found.retain(|session| session.key.agent.as_deref() == Some(handle));
    }
    Ok(found)
}

/// Whether an id is meant by what was given of it.
fn is_meant(id: &str, given: &str) -> bool {
    if is_short(given) { id == given } else { id.starts_with(given) }
}

/// Keeps the sub-agents that are meant by what was given of their id: all of it goes before the beginning of another.
fn retain_agents(found: &mut Vec<Session>, given: &str) {
    let is_whole = |session: &Session| session.key.agent.as_deref() == Some(given);
    let is_begun =
        |session: &Session| session.key.agent.as_deref().is_some_and(|id| is_meant(id, given));
    let has_whole = found.iter().any(is_whole);
    found.retain(|session| if has_whole { is_whole(session) } else { is_begun(session) });
}

/// After `/clear` a harness runs a new session in the same process; its hook has told us.
fn newer_of_host(
    view: &dyn View,
    project: Option<&Project>,
    key: SessionKey,
    host: Option<&HostProcess>,
) -> Result<SessionKey, StoreError> {
    let (Some(project), Some(host)) = (project, host) else {
        return Ok(key);
    };
    let filter = SessionFilter { project: Some(project.id), limit: 50, ..SessionFilter::default() };
    let newest = view.sessions(filter)?.into_iter();
    let newest = newest.filter(|it| it.key.harness == key.harness && host.ran(it));
    let newest =
        newest.max_by(|one, other| (one.seen_at, &one.key).cmp(&(other.seen_at, &other.key)));
    Ok(newest.map_or(key, |session| session.key))
}

/// Notes that a session was heard of; none if that is known, and for one that has ended.
pub(crate) fn heard(session: Session, at: Time) -> Option<Change> {
    let is_news = session.ended_at.is_none() && session.seen_at < at;
    let Session { key: session, place, standing, .. } = session;
    is_news.then_some(Change::SetSession { session, seen_at: at, ended_at: None, place, standing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_names_read_back() {
        for text in ["claude-code:752d4c1e-aa", "claude-code:752d/a41f", "desk:12"] {
            assert_eq!(full_key(text).map(|key| key.to_string()).as_deref(), Some(text));
        }
        for bad in ["752d4c1e", "claude-code:", ":x", "a:b/", "a:b c", "a:b/c/d", "a:../x"] {
            assert_eq!(full_key(bad), None, "{bad}");
        }
    }
}
