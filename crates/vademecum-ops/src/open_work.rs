//! Work that earlier sessions left open, and how long a new one is told of it.

use std::collections::BTreeSet;

use vademecum_core::context::{Last, Leaver, Moment, Offer, Older};
use vademecum_core::id::ProjectId;
use vademecum_core::profile::{Before, Profile};
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_store::{NoteFilter, StoreError, View};

use crate::gather::{self, PAGE};
use crate::moments;
use crate::recaps::{Kept as Recapped, Stopped};
use crate::succession::{self, Taker, Worker, is_anothers};
use crate::world::World;

/// So many days after its session worked last an offer ends.
const DAYS: i64 = 14;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// An offer ends too once so many later sessions have worked that were told of open work.
const LATER: usize = 3;

/// So many of those behind the first are told in a few words.
pub(crate) const OLDER: usize = 2;

/// An agent that still works so long after its words for the next one has gone on with the work.
const WENT_ON_MS: i64 = 10 * 60 * 1000;

/// What a session left, open or not.
#[derive(Debug, Clone)]
pub struct Left {
    /// The session.
    pub session: Session,
    /// Who left it, seen from a new session.
    pub by: Leaver,
    /// The session that took it over, and does not account for it.
    pub taken_by: Option<Taker>,
    /// Whether the user cleared that one's conversation, and those behind it, for the session that asks.
    pub is_passed_on: bool,
    /// The day on which it worked last, as people write it.
    pub day: String,
    /// The text of its page, as far as [`PAGE`] bytes of it.
    pub notepad: String,
    /// How many open notes are todos.
    pub n_todos: u64,
    /// The newest of them.
    pub todo: Option<String>,
    /// What its agent wrote for the next one, or else one of its sub-agents.
    pub handoff: Option<String>,
    /// Whether it went on for long after those words.
    pub went_on: bool,
    /// The recap of it, as far as one was kept.
    pub recap: Option<Recapped>,
    /// Whether all of it stands in the file of the work tree.
    pub is_in_file: bool,
}

/// What the sessions before a new one left, those that worked last first.
#[derive(Debug, Clone, Default)]
pub struct OpenWork(pub Vec<Left>);

/// What ends an offer by itself.
struct Ends {
    now: Time,
    /// The sessions that were told of open work; empty where there are too few to end an offer.
    told: BTreeSet<String>,
}

impl Ends {
    fn of(world: &World, workers: &[Worker]) -> Self {
        let has_many = LATER < workers.len();
        let told = has_many.then(|| moments::told_of_work(&world.folders.data));
        Self { now: world.now(), told: told.unwrap_or_default() }
    }

    /// Whether what `worker` left is too old, or was there to be taken over often enough by those that worked `later`.
    fn is_over(&self, worker: &Worker, later: &[Worker]) -> bool {
        let end = worker.session.ended_at.filter(|_| !worker.is_person()).unwrap_or(worker.at);
        let is_told = |other: &&Worker| {
            let Session { key, started_at, .. } = &other.session;
            !other.is_person() && end <= *started_at && self.told.contains(&key.to_string())
        };
        let has_waited = DAYS * DAY_MS < self.now.since(worker.at);
        let is_passed_by = LATER <= later.len() && LATER <= later.iter().filter(is_told).count();
        // A word is for somebody: it waits however long nobody comes, and is not told for ever to those who pass it by.
        if worker.is_person() { has_waited && is_passed_by } else { has_waited || is_passed_by }
    }
}

/// Those of `some` whose work is settled by none of `all`, but for what those that were `cleared` only read.
fn unsettled<'a>(
    view: &dyn View,
    (all, cleared): (&[Worker], &[Worker]),
    some: Vec<(usize, &'a Worker)>,
    is_running: &dyn Fn(&Session) -> bool,
) -> Result<Vec<(usize, &'a Worker)>, StoreError> {
    view.expect(&|view| {
        for (_, worker) in &some {
            drop(worker.is_settled(view, all, is_running));
            drop(worker.takers(view, all));
        }
    });
    let mut open = Vec::new();
    for (idx, worker) in some {
        if !worker.is_settled(view, all, is_running)?
            || worker.is_person() && worker.is_passed_on(view, cleared)?
        {
            open.push((idx, worker));
        }
    }
    Ok(open)
}

impl OpenWork {
    /// What a new session of the project may be told of; `this` is the one that asks.
    ///
    /// What a session that still runs left is not in it: nobody is given what another one is at.
    pub fn before(
        view: &dyn View,
        world: &World,
        (project, this): (ProjectId, Option<&Session>),
        is_running: &dyn Fn(&Session) -> bool,
    ) -> Result<Self, StoreError> {
        let workers = succession::workers(view, project, this)?;
        let ends = Ends::of(world, &workers);
        let is_offered = |(idx, worker): &(usize, &Worker)| {
            !ends.is_over(worker, &workers[..*idx])
                && (worker.is_person() || !is_running(&worker.session))
        };
        let offered = workers.iter().enumerate().filter(is_offered).collect();
        let cleared = succession::cleared(view, &workers, this)?;
        let open = unsettled(view, (&workers, &cleared), offered, is_running)?;
        view.expect(&|view| {
            for (_, worker) in &open {
                drop(Left::of(view, world, worker));
            }
        });
        let mut all = Self::default();
        for (idx, worker) in open {
            let n_later = workers[..idx].iter().filter(|later| !later.is_person()).count();
            let takers = worker.takers(view, &workers)?;
            // Nobody is given what another one is at.
            if takers.iter().any(|(taker, _)| is_running(&taker.session)) {
                continue;
            }
            let taken_by =
                takers.first().map(|(taker, _)| Taker::of(view, &taker.session)).transpose()?;
            let left = Left::of(view, world, worker)?;
            let by = match left.by {
                Leaver::Previous if 0 < n_later => Leaver::Earlier,
                by => by,
            };
            let is_passed_on = worker.is_passed_on(view, &cleared)?;
            all.0.push(Left { by, taken_by, is_passed_on, ..left });
        }
        Ok(all.with_word_first())
    }

    /// What the person wrote for the next session is meant for it, whoever worked since.
    fn with_word_first(mut self) -> Self {
        self.0.sort_by_key(|left| !matches!(left.by, Leaver::Person));
        self
    }

    /// The word of the person that a session was there to read and has not: a compaction takes away what told it.
    pub fn unread_word(
        view: &dyn View,
        world: &World,
        this: &Session,
    ) -> Result<Option<Self>, StoreError> {
        let Some(desk) = succession::word_for(view, world, this)? else { return Ok(None) };
        // One that was read comes back only where the conversation that read it was cleared.
        if this.began != Began::Clear && desk.is_read(view)? {
            return Ok(None);
        }
        let workers = succession::workers(view, this.project, Some(this))?;
        let Some(idx) = workers.iter().position(Worker::is_person) else { return Ok(None) };
        if Ends::of(world, &workers).is_over(&desk, &workers[..idx]) {
            return Ok(None);
        }
        let cleared = succession::cleared(view, &workers, Some(this))?;
        let is_running = |other: &Session| succession::is_running(world, other);
        if unsettled(view, (&workers, &cleared), vec![(idx, &desk)], &is_running)?.is_empty() {
            return Ok(None);
        }
        let left = Left::of(view, world, &desk)?;
        Ok(matches!(left.by, Leaver::Person).then(|| Self(vec![left])))
    }

    /// What one session left, however long ago.
    pub fn of(view: &dyn View, world: &World, session: Session) -> Result<Self, StoreError> {
        let at = succession::last_work(view, &session)?.unwrap_or(session.started_at);
        Ok(Self(vec![Left::of(view, world, &Worker { session, at })?]))
    }

    /// What of it a conversation is told that the user cleared: words that were left for it, and what one before
    /// it had taken over and does not account for.
    #[must_use]
    pub fn after_clear(mut self) -> Self {
        self.0.retain(|left| match left.by {
            Leaver::Previous | Leaver::Earlier if left.is_passed_on => true,
            Leaver::Previous => left.handoff.is_some() && !left.went_on,
            Leaver::Person | Leaver::Another => true,
            Leaver::Earlier => false,
        });
        self
    }

    /// The session of whose work a new one is told by its recap, where the profile has that; a
    /// conversation that the user cleared is told of none.
    #[must_use]
    pub fn previous(&self, profile: Profile, moment: Moment) -> Option<&Left> {
        let is_told = profile.words().before == Before::Recap && moment == Moment::Start;
        let has_recap = |left: &&Left| left.recap.as_ref().is_some_and(|it| !it.text.is_empty());
        let is_previous = |left: &&Left| matches!(left.by, Leaver::Previous) && has_recap(left);
        self.0.iter().filter(|_| is_told).find(is_previous)
    }

    /// The session of whose work a new one is told first.
    #[must_use]
    pub fn told(&self, profile: Profile, moment: Moment) -> Option<SessionKey> {
        let before = self.previous(profile, moment).map(|left| left.session.key.clone());
        before.or_else(|| self.offered(profile).first().map(|open| open.session().key.clone()))
    }

    /// What of it a new session is offered: what is open, or where a recap tells of that, the words left for it.
    #[must_use]
    pub fn offered(&self, profile: Profile) -> Vec<Open<'_>> {
        let mut open = self.open();
        if profile.words().before == Before::Recap {
            open.retain(|open| open.left.handoff.is_some());
        }
        open
    }

    /// What of it is open, each with its words, the newest first.
    #[must_use]
    pub fn open(&self) -> Vec<Open<'_>> {
        let all = self.0.iter().map(Open::new);
        all.filter(|open| open.offer(&[], 0).is_open()).collect()
    }
}

/// Open work, with the words that say so.
#[derive(Debug)]
pub struct Open<'a> {
    left: &'a Left,
    handle: String,
    what: String,
    /// What is still to be done of the list of its agent.
    listed: Vec<String>,
}

impl<'a> Open<'a> {
    fn new(left: &'a Left) -> Self {
        let handle = left.session.handle();
        let recap = left.recap.as_ref();
        let listed = recap.map(|recap| recap.state.open().map(str::to_owned).collect());
        let listed = listed.unwrap_or_default();
        let mut open = Self { left, handle, what: String::new(), listed };
        open.what = open.offer(&[], 0).what();
        open
    }

    /// It as the offer to a new session, before `older` and so many more.
    #[must_use]
    pub fn offer<'o>(&'o self, older: &'o [Older<'o>], more: usize) -> Offer<'o> {
        let left = self.left;
        Offer {
            handle: &self.handle,
            day: &left.day,
            by: left.by,
            taken_by: left.taken_by.as_ref().map(Taker::told),
            handoff: left.handoff.as_deref(),
            went_on: left.went_on,
            notepad: &left.notepad,
            n_todos: left.n_todos,
            todo: left.todo.as_deref(),
            last: left.recap.as_ref().map(|recap| Last {
                first: recap.state.first.as_deref(),
                goal: recap.state.goal.as_deref(),
                asked: recap.state.asked.as_deref(),
                next: recap.state.next.as_deref(),
                failing: recap.state.failing(),
                commit: recap.state.done.first().map(|commit| commit.subject.as_str()),
                uncommitted: &recap.state.uncommitted,
                open: &self.listed,
                is_list_newer: recap.state.is_list_newer,
                stop: left.stop(),
            }),
            older,
            more,
        }
    }

    /// It in a few words, behind another offer.
    #[must_use]
    pub fn older(&self) -> Older<'_> {
        Older { handle: &self.handle, day: &self.left.day, what: &self.what }
    }

    /// The session that left it.
    #[must_use]
    pub fn session(&self) -> &'a Session {
        &self.left.session
    }

    /// The name by which it is asked for.
    #[must_use]
    pub fn handle(&self) -> &str {
        &self.handle
    }

    /// What is open, in a few words.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl Left {
    /// What the session of `worker` left.
    pub fn of(view: &dyn View, world: &World, worker: &Worker) -> Result<Self, StoreError> {
        let session = worker.session.clone();
        let own = view.handoff(&session.key)?;
        let words = match own {
            Some(_) => own,
            None => {
                view.handoffs_of_agents(&session.key)?.into_iter().next().map(|(_, words)| words)
            }
        };
        let went_on = match (&words, view.card(&session.key)?.worked_at) {
            (Some(words), Some(at)) => WENT_ON_MS < at.since(words.updated_at),
            (None, _) | (_, None) => false,
        };
        let by = match (worker.is_person(), &words) {
            (false, _) => Leaver::Previous,
            (true, Some(words)) if is_anothers(view, world, (&session, words))? => Leaver::Another,
            (true, _) => Leaver::Person,
        };
        let mut left = Self {
            day: worker.at.short_day((world.east)(worker.at)),
            by,
            taken_by: None,
            is_passed_on: false,
            handoff: words.map(|words| words.text),
            went_on: went_on && !worker.is_person(),
            notepad: String::new(),
            n_todos: 0,
            todo: None,
            recap: None,
            is_in_file: false,
            session,
        };
        // A person's notes are the person's: only the word is for the next session.
        if !worker.is_person() {
            left.read(view)?;
        }
        Ok(left)
    }

    fn read(&mut self, view: &dyn View) -> Result<(), StoreError> {
        let id = &self.session.key;
        let tags = view.tags(id, false)?;
        self.n_todos = tags.iter().find(|tag| tag.tag == "todo").map_or(0, |tag| tag.count);
        if 0 < self.n_todos {
            let todos = NoteFilter::open(&["todo"]);
            let newest = view.notes(id, &todos, 1)?.pop();
            self.todo = newest.map(|note| note.content.as_str().to_owned());
        }
        self.notepad = view.page(id, PAGE)?.map(|page| page.text).unwrap_or_default();
        self.recap = gather::recap(view, id)?;
        Ok(())
    }

    /// How it stopped, where that was not its end.
    fn stop(&self) -> Option<&'static str> {
        let recap = self.recap.as_ref()?;
        match recap.stop {
            Stopped::Broken if self.session.ended_at.is_none() => {
                Some("it was killed in the middle of the work")
            }
            // It waited for that one.
            Stopped::Ended if !recap.state.agents.is_empty() => {
                Some("a sub-agent of it had not reported")
            }
            stop => stop.words(),
        }
    }
}
