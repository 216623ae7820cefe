//! Who continues whom: the session before, and whether it still runs.

mod cleared;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context;
use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_harness::hook::Harness;
use vademecum_harness::transcript::Format;
use vademecum_store::{
    Change, Handoff, JournalFilter, Record, Scope, SessionFilter, StoreError, View,
};

use crate::call::{Call, unique_id};
use crate::desk;
use crate::error::OpError;
use crate::gather;
use crate::recaps::{self, find};
use crate::who::HostProcess;
use crate::world::World;

pub use cleared::cleared;

/// So many sessions, those started last, are looked at for the one that worked last.
pub(crate) const LOOKED_AT: usize = 50;

/// A session that worked, or the desk with the person's word in it.
#[derive(Debug, Clone)]
pub struct Worker {
    /// The session.
    pub session: Session,
    /// When it worked last; of the desk, when the word was written.
    pub at: Time,
}

impl Worker {
    /// The session as one; none where it did nothing, or is a desk without a word.
    pub fn of(view: &dyn View, session: &Session) -> Result<Option<Self>, StoreError> {
        let at = if session.key.harness == SessionKey::DESK {
            view.handoff(&session.key)?.map(|words| words.updated_at)
        } else {
            last_work(view, session)?
        };
        Ok(at.map(|at| Self { session: session.clone(), at }))
    }

    /// Whether it is the person, who left word.
    #[must_use]
    pub fn is_person(&self) -> bool {
        self.session.key.harness == SessionKey::DESK
    }

    /// Whether its work is settled: somebody put it away, a copy of it has it, or one of `all` took it
    /// over and accounts for it since, by a page or words of its own. A person's word is settled once it is read.
    pub fn is_settled(
        &self,
        view: &dyn View,
        all: &[Self],
        is_running: &dyn Fn(&Session) -> bool,
    ) -> Result<bool, StoreError> {
        for other in all.iter().filter(|other| self.at <= other.at) {
            let is_copy = other.session.began == Began::Fork
                && other.session.parent.as_ref() == Some(&self.session.key);
            if is_copy && self.is_with(view, &other.session, is_running)? {
                return Ok(true);
            }
        }
        if self.is_put_away(view)? || self.is_read(view)? {
            return Ok(true);
        }
        for (taker, at) in self.takers(view, all)? {
            if self.is_person() || accounts_since(view, &taker.session, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one of `cleared` took its work over and accounts for none of it: the session that goes on in its place has it.
    ///
    /// Nothing of a word that was read stands anywhere else, once the conversation is gone.
    pub fn is_passed_on(&self, view: &dyn View, cleared: &[Self]) -> Result<bool, StoreError> {
        let takers = self.takers(view, cleared)?;
        let Some((taker, at)) = takers.first() else { return Ok(false) };
        Ok(!accounts_since(view, &taker.session, *at)? && !self.is_put_away(view)?)
    }

    /// Whether its work is that of `copy`: it goes on with what was over, or accounts for it.
    ///
    /// A copy that began beside it may be about anything, and while it runs is offered to nobody. Once it is
    /// over it is offered with all that it was given.
    fn is_with(
        &self,
        view: &dyn View,
        copy: &Session,
        is_running: &dyn Fn(&Session) -> bool,
    ) -> Result<bool, StoreError> {
        let began = copy.started_at;
        let was_over = self.session.ended_at.is_some_and(|ended| ended <= began);
        if self.at <= began && (was_over || !is_running(copy)) {
            return Ok(true);
        }
        accounts_since(view, copy, self.at.max(began))
    }

    /// Those of `all` that took its work over as it stands, and when: they read its present words.
    pub fn takers<'a>(
        &self,
        view: &dyn View,
        all: &'a [Self],
    ) -> Result<Vec<(&'a Self, Time)>, StoreError> {
        let mut takers = Vec::new();
        let words = view.handoff(&self.session.key)?.map(|words| words.updated_at);
        for other in all.iter().filter(|other| self.at <= other.at) {
            let key = &other.session.key;
            if *key != self.session.key
                && let Ok(write) =
                    unique_id(FOLLOW, &following(&other.session, &self.session, words))
                && let Some(record) = view.record_of(&Scope::Session(key.clone()), &write)?
            {
                takers.push((other, record.at));
            }
        }
        Ok(takers)
    }

    /// Whether it is a person's word that a session read: the desk's own journal tells, however many sessions began since.
    pub fn is_read(&self, view: &dyn View) -> Result<bool, StoreError> {
        if !self.is_person() {
            return Ok(false);
        }
        let words = view.handoff(&self.session.key)?.map(|words| words.updated_at);
        let Ok(write) = unique_id(READ_WORD, &read(&self.session, words)) else { return Ok(false) };
        Ok(view.record_of(&Scope::Session(self.session.key.clone()), &write)?.is_some())
    }

    /// Whether a person put it away, and it neither worked nor left words since.
    pub fn is_put_away(&self, view: &dyn View) -> Result<bool, StoreError> {
        let newest = view.records(&Scope::Session(self.session.key.clone()), RECORDS)?;
        // Within one millisecond the order of the writes tells.
        let is_since = |record: &&Record| self.at <= record.at && record.kind != WRITE_HANDOFF;
        let mut since = newest.iter().take_while(is_since);
        Ok(since.any(|record| PUTTING_AWAY.contains(&record.kind.as_str())))
    }
}

/// The word of the person that was there for `this` when it began, and that it has not read; none that was put away.
pub fn word_for(
    view: &dyn View,
    world: &World,
    this: &Session,
) -> Result<Option<Worker>, StoreError> {
    let Some(desk) = view.session(&desk::of(view, this.project)?)? else { return Ok(None) };
    let left = Worker::of(view, &desk)?.filter(|left| left.at <= this.started_at);
    let Some(left) = left else { return Ok(None) };
    let own = [Worker { session: this.clone(), at: world.now() }];
    let is_done = left.is_put_away(view)? || !left.takers(view, &own)?.is_empty();
    Ok((!is_done).then_some(left))
}

/// The sessions of a project whose work is settled, of those that an offer looks at.
pub fn settled(
    view: &dyn View,
    world: &World,
    project: ProjectId,
) -> Result<BTreeSet<SessionKey>, StoreError> {
    let workers = workers(view, project, None)?;
    let is_running = |session: &Session| is_running(world, session);
    view.expect(&|view| {
        for worker in &workers {
            drop(worker.is_settled(view, &workers, &is_running));
        }
    });
    let mut settled = BTreeSet::new();
    for worker in &workers {
        if worker.is_settled(view, &workers, &is_running)? {
            settled.insert(worker.session.key.clone());
        }
    }
    Ok(settled)
}

/// The kind of the write by which a session takes another's work over.
const FOLLOW: &str = "follow_session";

/// The kind of the write by which a desk knows that its word was read.
const READ_WORD: &str = "read_word";

/// The kind of the write by which a session leaves words for the next.
const WRITE_HANDOFF: &str = "write_handoff";

/// The kind of the write by which an import brings words.
pub(crate) const IMPORT: &str = "import";

/// Whether a session wrote its page, or words for the next one, at `at` or later; a copied page is not its own.
fn accounts_since(view: &dyn View, session: &Session, at: Time) -> Result<bool, StoreError> {
    let is_own = |rev| session.began != Began::Fork || 1 < rev;
    let page = view.page(&session.key, 0)?.filter(|page| is_own(page.rev));
    let page = page.map(|page| page.updated_at);
    let words = view.handoff(&session.key)?.map(|words| words.updated_at);
    Ok(page.into_iter().chain(words).any(|written| at <= written))
}

/// A session that took another's work over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taker {
    handle: String,
    commit: Option<String>,
}

impl Taker {
    /// What is told of `session` as one.
    pub fn of(view: &dyn View, session: &Session) -> Result<Self, StoreError> {
        let recap = gather::recap(view, &session.key)?;
        let commit = recap.and_then(|recap| Some(recap.state.done.first()?.subject.clone()));
        Ok(Self { handle: session.handle(), commit })
    }

    /// The same as a context tells it.
    #[must_use]
    pub fn told(&self) -> context::Taker<'_> {
        context::Taker { handle: &self.handle, commit: self.commit.as_deref() }
    }
}

/// So many sessions, those that began last, are looked at for the one that took another's work over.
const TAKERS: usize = 20;

/// Nobody takes work over from one that worked so lately, as its person may still be at it.
const TAKEN_AFTER_MS: i64 = 60 * 1000;

/// The one that took over the work of `session` last; none where nobody did.
pub fn taken_by(
    view: &dyn View,
    session: &Session,
    now: Time,
) -> Result<Option<Taker>, StoreError> {
    let worked_at = view.card(&session.key)?.worked_at;
    if worked_at.is_none_or(|at| now.since(at) < TAKEN_AFTER_MS) {
        return Ok(None);
    }
    let filter = SessionFilter {
        project: Some(session.project),
        include_archived: true,
        limit: TAKERS,
        ..SessionFilter::default()
    };
    let is_taker = |other: &Session| {
        let is_copy = [Began::Fork, Began::Spawn].contains(&other.began);
        !is_copy && other.parent.as_ref() == Some(&session.key)
    };
    let Some(taker) = view.sessions(filter)?.into_iter().find(is_taker) else { return Ok(None) };
    // Who worked on behind that one has its work again.
    let is_newer = last_work(view, session)? <= last_work(view, &taker)?;
    is_newer.then(|| Taker::of(view, &taker)).transpose()
}

/// So many writes of a desk are looked at for the one by which its word came there.
const WORDS_AMONG: usize = 500;

/// Whether the word on a desk is not of the person who works here: another one wrote it, or it was imported.
///
/// Where the journal does not tell, it is theirs.
pub fn is_anothers(
    view: &dyn View,
    world: &World,
    (desk, words): (&Session, &Handoff),
) -> Result<bool, StoreError> {
    let mut records = view.records(&Scope::Session(desk.key.clone()), WORDS_AMONG)?;
    records.retain(|record| [WRITE_HANDOFF, IMPORT].contains(&record.kind.as_str()));
    // Of a copied word the write was copied too, and one that others stayed before brought none.
    let distance = |record: &Record| record.at.since(words.updated_at).abs();
    let Some(record) = records.into_iter().min_by_key(distance) else { return Ok(false) };
    Ok(record.kind == IMPORT || !world.is_own(record.by.person))
}

/// Whether another person began a session than the one who works here; where its journal does not tell, it is theirs.
pub fn is_of_another(
    view: &dyn View,
    world: &World,
    session: &Session,
) -> Result<bool, StoreError> {
    let scope = Scope::Session(session.key.clone());
    let first = JournalFilter {
        scope: Some(&scope),
        oldest_first: true,
        limit: 1,
        ..JournalFilter::default()
    };
    Ok(view.records_by(&first)?.first().is_some_and(|record| !world.is_own(record.by.person)))
}

/// The session whose work `session` took over; none of a copy, a sub-agent, or the first.
pub fn taken_over(view: &dyn View, session: &Session) -> Result<Option<Session>, StoreError> {
    let is_copy = [Began::Fork, Began::Spawn].contains(&session.began);
    let parent = session.parent.as_ref().filter(|_| !is_copy);
    Ok(parent.map(|parent| view.session(parent)).transpose()?.flatten())
}

/// The name of the one whose work `session` took over, while nobody put that away.
pub fn took_over(view: &dyn View, session: &Session) -> Result<Option<String>, StoreError> {
    let Some(before) = taken_over(view, session)? else { return Ok(None) };
    let name = before.handle();
    let at = last_work(view, &before)?.unwrap_or(before.started_at);
    let is_put_away = Worker { session: before, at }.is_put_away(view)?;
    Ok((!is_put_away).then_some(name))
}

/// A session as replies speak of it, by its handle.
#[must_use]
pub fn called(name: &str) -> String {
    if name == SessionKey::DESK { "the desk".to_owned() } else { format!("session {name}") }
}

/// Whether a session follows none yet whose work it goes on with: a person's word is for whoever comes.
#[must_use]
fn follows_nobody(session: &Session) -> bool {
    session.parent.as_ref().is_none_or(|parent| parent.harness == SessionKey::DESK)
}

/// Notes that `this` takes over what `before` left, as it stands; the first becomes the one that it follows, a desk
/// until there is another.
pub fn follow(call: &Call<'_>, this: &Session, before: &Session) -> Result<(), OpError> {
    let words = call.read(|view| view.handoff(&before.key))?.map(|words| words.updated_at);
    let arguments = following(this, before, words);
    call.write_unique(Scope::Session(this.key.clone()), FOLLOW, &arguments, |view| {
        let now = view.session(&this.key)?;
        let is_free = now.as_ref().is_some_and(follows_nobody);
        let parent = Change::SetParent { session: this.key.clone(), parent: before.key.clone() };
        let at_work = Change::SetWorked { session: this.key.clone(), at: call.now() };
        Ok((is_free.then_some(parent).into_iter().chain([at_work]).collect(), ()))
    })?;
    if before.key.harness == SessionKey::DESK { note_read(call, before, words) } else { Ok(()) }
}

/// Notes at a desk that its word was read, as it stands.
fn note_read(call: &Call<'_>, desk: &Session, words: Option<Time>) -> Result<(), OpError> {
    let scope = Scope::Session(desk.key.clone());
    call.write_unique(scope, READ_WORD, &read(desk, words), |view| {
        let now = view.session(&desk.key)?.unwrap_or_else(|| desk.clone());
        let (seen_at, ended_at) = (now.seen_at, now.ended_at);
        Ok((vec![seen(now, seen_at, ended_at)], ()))
    })?;
    Ok(())
}

/// What makes one word of a desk another than the next.
fn read(desk: &Session, words: Option<Time>) -> (&SessionKey, Time, Option<Time>) {
    (&desk.key, desk.started_at, words)
}

/// What makes one taking over of what a session left another than the next.
///
/// A session that was forgotten and begun again under its name has another beginning.
fn following<'a>(
    this: &'a Session,
    before: &'a Session,
    words: Option<Time>,
) -> (&'a SessionKey, &'a SessionKey, Time, Option<Time>) {
    (&this.key, &before.key, before.started_at, words)
}

/// The operations by which a person says that nothing is to be done about a session any more.
const PUTTING_AWAY: [&str; 2] = ["archive_session", DISMISS];

/// The one of them that leaves all else as it is.
pub(crate) const DISMISS: &str = "dismiss_handoff";

/// So many of the newest writes of a session are looked at for one of those.
const RECORDS: usize = 32;

/// The sessions of a project that began last, at most so many.
///
/// Those that were only taken in from their transcripts are none of them: they would hide the others.
pub(crate) fn latest(
    view: &dyn View,
    project: ProjectId,
    most: usize,
) -> Result<Vec<Session>, StoreError> {
    let filter = SessionFilter {
        project: Some(project),
        include_archived: true,
        limit: most,
        ..SessionFilter::default()
    };
    let mut sessions = view.sessions(filter)?;
    if sessions.iter().any(is_taken_in) {
        sessions = view.sessions(SessionFilter { limit: 0, ..filter })?;
        sessions.retain(|session| !is_taken_in(session));
        sessions.truncate(most);
    }
    Ok(sessions)
}

/// Whether a session is known from its transcript alone: it ended without having been heard of then, as no other one does.
pub(crate) fn is_taken_in(session: &Session) -> bool {
    session.instance == 0 && session.ended_at.is_some_and(|ended| session.seen_at < ended)
}

/// The sessions of a project that worked, those that worked last first; `this` is none of them.
///
/// Of two that worked at the same time the one that started last comes first.
pub fn agents(
    view: &dyn View,
    project: ProjectId,
    this: Option<&Session>,
) -> Result<Vec<Worker>, StoreError> {
    let mut agents = Vec::new();
    let latest = latest(view, project, LOOKED_AT)?;
    view.expect(&|view| latest.iter().for_each(|session| drop(last_work(view, session))));
    for session in latest {
        let is_this = this.is_some_and(|this| this.key == session.key);
        if is_this || session.key.harness == SessionKey::DESK {
            continue;
        }
        agents.extend(last_work(view, &session)?.map(|at| Worker { session, at }));
    }
    agents.sort_by_key(|agent| std::cmp::Reverse(agent.at));
    Ok(agents)
}

/// The same, with the desk where the person left word.
pub fn workers(
    view: &dyn View,
    project: ProjectId,
    this: Option<&Session>,
) -> Result<Vec<Worker>, StoreError> {
    let mut workers = agents(view, project, this)?;
    let desk = view.session(&desk::of(view, project)?)?;
    if let Some(desk) = desk {
        let words = view.handoff(&desk.key)?;
        workers.extend(words.map(|words| Worker { session: desk, at: words.updated_at }));
    }
    workers.sort_by_key(|worker| std::cmp::Reverse(worker.at));
    Ok(workers)
}

/// How long a session works until that is noted again.
pub(crate) const NOTED_EVERY_MS: i64 = 2 * 60 * 1000;

/// When a session did or kept anything last; none where it never did.
///
/// Its hooks note its calls; without them what it keeps tells.
pub fn last_work(view: &dyn View, session: &Session) -> Result<Option<Time>, StoreError> {
    let noted = view.card(&session.key)?.worked_at;
    let page = view.page(&session.key, 0)?.map(|page| page.updated_at);
    let counts = view.counts(&session.key)?;
    let note = counts.last.filter(|_| 0 < counts.notes).map(|note| Time(note.0));
    let words = view.handoff(&session.key)?.map(|words| words.updated_at);
    // Work is noted every other minute: what it wrote since tells the rest.
    let is_since = |at: &Time| noted.is_none_or(|noted| at.since(noted) < NOTED_EVERY_MS);
    let wrote = page.into_iter().chain(note).chain(words).filter(is_since).max();
    Ok(noted.max(wrote))
}

/// Whether a session did or kept anything.
pub fn has_worked(view: &dyn View, session: &Session) -> Result<bool, StoreError> {
    Ok(last_work(view, session)?.is_some())
}

/// The change that notes when a session was heard of and when it ended.
#[must_use]
pub fn seen(session: Session, seen_at: Time, ended_at: Option<Time>) -> Change {
    let Session { key, place, standing, .. } = session;
    Change::SetSession { session: key, seen_at, ended_at, place, standing }
}

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its process runs.
    Running,
    /// It ended.
    Ended,
    /// Its process is gone, and it never said that it ends.
    Killed,
    /// A person put it away.
    Archived,
    /// It was opened and never worked.
    Unused,
    /// It is the person's own, which never ends.
    Desk,
}

impl State {
    /// The word for it in lists.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ended => "ended",
            Self::Killed => "killed",
            Self::Archived => "archived",
            Self::Unused => "unused",
            Self::Desk => "desk",
        }
    }

    /// Where `session` stands.
    pub fn of(view: &dyn View, world: &World, session: &Session) -> Result<Self, StoreError> {
        if session.key.harness == SessionKey::DESK {
            return Ok(Self::Desk);
        }
        if is_running(world, session) {
            return Ok(Self::Running);
        }
        let ended = session.ended_at.is_some();
        let Some(at) = last_work(view, session)? else {
            // What its transcript tells was work, be it talk alone or of before vade was there.
            let is_told = view.recap(&session.key)?.is_some() || is_answered(session);
            return Ok(match is_told {
                false => Self::Unused,
                true if ended => Self::Ended,
                true => Self::Killed,
            });
        };
        if ended && (Worker { session: session.clone(), at }).is_put_away(view)? {
            return Ok(Self::Archived);
        }
        // A client without hooks never says that a session ends.
        let tells = Harness::of(&session.key.harness).is_some();
        Ok(if ended || !tells { Self::Ended } else { Self::Killed })
    }
}

/// Whether the agent of a session said anything, as far as its transcript is here and tells.
fn is_answered(session: &Session) -> bool {
    let format = Format::ALL.into_iter().find(|format| format.name() == session.key.harness);
    find::of_session(session).is_some_and(|path| recaps::is_answered(&path, format))
}

/// Whether the session's own process still runs.
///
/// A harness that was killed never says so, and its number may be another process's by now: one that began
/// after the session was last heard of. Without a process to look for, silence counts; so it does for Codex,
/// one process of which may run many sessions and says of none that it was left.
#[must_use]
pub fn is_running(world: &World, session: &Session) -> bool {
    if session.ended_at.is_some() {
        return false;
    }
    let is_heard_of = || world.now().since(session.seen_at) <= crate::who::LIVE_MS;
    let has_own_process = session.key.harness != Harness::Codex.id();
    match session.place.host_pid {
        Some(pid) if session.host_name == world.host_name => {
            is_alive(pid)
                && HostProcess::of(world, pid).ran(session)
                && (has_own_process || is_heard_of())
        }
        Some(_) | None => is_heard_of(),
    }
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    match pid.map(rustix::process::test_kill_process) {
        Some(Ok(())) => true,
        // A process that may not be signalled is there.
        Some(Err(error)) => error == rustix::io::Errno::PERM,
        None => false,
    }
}
