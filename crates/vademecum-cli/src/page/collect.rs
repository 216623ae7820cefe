//! What goes into the page, through the operations that the command line has, and no other way.

use maud::Markup;
use vademecum::core::time::Time;
use vademecum::ops::ops::list_plans::{self, ListPlans};
use vademecum::ops::ops::list_sessions::{self, ListSessions};
use vademecum::ops::ops::session_timeline::{self, SessionTimeline};
use vademecum::ops::ops::show_plan::{self, ShowPlan};
use vademecum::ops::ops::show_session::{self, ShowSession};
use vademecum::ops::plans::{EntryShape, PlanShape};
use vademecum::ops::shapes::{NoteShape, SessionShape, counted};
use vademecum::ops::timeline::{self, Arrival};
use vademecum::ops::who::{Clues, full_key};
use vademecum::ops::{Call, Caller, OpError, Operation as _, at_work};

use super::html;
use super::safe::{Safe, Wash};

/// So many bytes of HTML the insides of sessions take where many are shown: a page stays within what a phone opens,
/// 3 MB for a thousand sessions, with room for a line of each.
const INSIDE_MAX: usize = 2_000_000;

/// How much of what happened in a session is shown.
#[derive(Clone, Copy)]
struct How {
    /// At most so many events, 0 for all.
    events: usize,
    /// Whole texts, not only lines.
    is_whole: bool,
}

/// All of it: for a page about one session.
const WHOLE: How = How { events: 0, is_whole: true };

/// For one of many: what a reader looks through before they ask for it alone.
const GLANCE: How = How { events: 50, is_whole: false };

/// The plan that every project has.
const PROJECT: &str = "_project";

/// Which sessions a person asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Which {
    /// The one session; none for those of the project.
    pub(crate) session: Option<String>,
    /// Only those that were heard of since.
    pub(crate) since: Option<Time>,
}

/// Everything that the page shows.
pub(super) struct Book {
    pub(super) project: Safe,
    /// When it was made (RFC 3339).
    pub(super) made_at: String,
    pub(super) sessions: Vec<Sheet>,
    pub(super) plans: Vec<PlanSheet>,
}

/// One session.
pub(super) struct Sheet {
    pub(super) handle: Safe,
    /// What it was about; blank where that is not known.
    pub(super) about: Safe,
    pub(super) harness: Safe,
    pub(super) state: &'static str,
    pub(super) is_agent: bool,
    pub(super) instance: u32,
    pub(super) started_at: String,
    pub(super) notepad_rev: u32,
    pub(super) open: u64,
    pub(super) notes: u64,
    pub(super) compactions: u32,
    /// Whether the page is about it alone.
    pub(super) is_alone: bool,
    /// Its page, notes and what happened, as HTML; none where there was no room.
    pub(super) inside: Option<Markup>,
}

/// What is in a session.
pub(super) struct Inside {
    pub(super) name: Safe,
    pub(super) seen_at: String,
    pub(super) notepad: Safe,
    /// What was made of its transcript, where it left no page.
    pub(super) recap: Option<Safe>,
    pub(super) notes: Vec<Note>,
    pub(super) events: Vec<Event>,
    /// What of its time is not shown, one line each.
    pub(super) gaps: Vec<Safe>,
}

/// One thing that happened.
pub(super) struct Event {
    pub(super) at: String,
    pub(super) kind: &'static str,
    pub(super) text: Safe,
    /// Of a context whether it reached its model.
    pub(super) arrival: Option<&'static str>,
    /// The whole text, where there is more of it.
    pub(super) body: Option<Safe>,
}

pub(super) struct Note {
    pub(super) id: Safe,
    pub(super) content: Safe,
    pub(super) tags: Vec<Safe>,
    pub(super) updated_at: String,
    pub(super) is_scratched: bool,
}

/// One plan.
pub(super) struct PlanSheet {
    pub(super) name: Safe,
    pub(super) stage: Safe,
    pub(super) created_at: String,
    pub(super) entries: Vec<Entry>,
}

pub(super) struct Entry {
    pub(super) id: Safe,
    pub(super) category: Safe,
    pub(super) at: String,
    pub(super) content: Safe,
    /// What else is said of it: a name for it, and the text.
    pub(super) more: Vec<(&'static str, Safe)>,
    pub(super) tags: Vec<Safe>,
    pub(super) is_in_force: bool,
}

impl Book {
    /// How many sessions are shown with all that is in them.
    pub(super) fn n_whole(&self) -> usize {
        self.sessions.iter().filter(|sheet| sheet.inside.is_some()).count()
    }
}

/// Collects the page.
pub(super) fn book(call: &Call<'_>, which: &Which, wash: &Wash) -> Result<Book, OpError> {
    let project = call.read(|view| call.project(view))?;
    let project = project.map_or_else(|| call.place().name(), |project| project.name);
    Ok(Book {
        project: wash.text(&project),
        made_at: call.now().to_rfc3339(),
        sessions: sessions(call, which, wash)?,
        plans: if which.session.is_some() { Vec::new() } else { plans(call, which, wash)? },
    })
}

fn sessions(call: &Call<'_>, which: &Which, wash: &Wash) -> Result<Vec<Sheet>, OpError> {
    if let Some(name) = &which.session {
        let call = of_session(call, name);
        let shown = ShowSession::run(&call, show_session::Input {})?;
        let inside = html::inside(&inside(&call, &shown, WHOLE, wash)?);
        let about = about(&call, &shown.session)?;
        return Ok(vec![Sheet {
            is_alone: true,
            ..sheet((&shown.session, &about), wash, Some(inside))
        }]);
    }
    let asked =
        list_sessions::Input { limit: Some(0), agents: true, ..list_sessions::Input::default() };
    let is_meant = |session: &SessionShape| {
        let seen = Time::parse(&session.seen_at);
        which.since.is_none_or(|since| seen.is_none_or(|seen| since <= seen))
    };
    let mut left = INSIDE_MAX;
    let mut sheets = Vec::new();
    let listed = ListSessions::run(call, asked)?.sessions.into_iter().map(|listed| listed.session);
    for session in listed.filter(is_meant) {
        let markup = if 0 < left { Some(glance(call, &session, wash)?) } else { None };
        let size = markup.as_ref().map_or(0, |markup| markup.0.len());
        // One that does not fit ends it: what is shown whole are the newest, without a gap among them.
        let markup = markup.filter(|_| size <= left);
        left = if markup.is_some() { left - size } else { 0 };
        sheets.push(sheet((&session, &about(call, &session)?), wash, markup));
    }
    Ok(sheets)
}

/// What is in one session of many.
fn glance(call: &Call<'_>, session: &SessionShape, wash: &Wash) -> Result<Markup, OpError> {
    let call = of_session(call, &session.name);
    let shown = ShowSession::run(&call, show_session::Input {})?;
    Ok(html::inside(&inside(&call, &shown, GLANCE, wash)?))
}

/// The same call about another session.
fn of_session<'a>(call: &Call<'a>, name: &str) -> Call<'a> {
    let clues = Clues { named: Some(name.to_owned()), is_person: true, ..Clues::default() };
    let caller = Caller { clues, ..call.caller.clone() };
    Call::new(call.store, call.world, call.config, caller)
}

fn inside(
    call: &Call<'_>,
    shown: &show_session::Output,
    how: How,
    wash: &Wash,
) -> Result<Inside, OpError> {
    let asked = session_timeline::Input { limit: Some(how.events), whole: true };
    let timeline = SessionTimeline::run(call, asked)?;
    let earlier = (0 < timeline.earlier)
        .then(|| format!("{} before these left out", counted(timeline.earlier, "event")));
    let gaps = earlier.into_iter().chain(timeline.unread());
    Ok(Inside {
        name: wash.text(&shown.session.name),
        seen_at: shown.session.seen_at.clone(),
        notepad: wash.text(&shown.notepad),
        recap: wash.maybe(shown.recap.as_ref()),
        notes: shown.note_list.iter().map(|it| note(it, wash)).collect(),
        events: timeline.events.iter().map(|it| event(it, how, wash)).collect(),
        gaps: gaps.map(|gap| wash.text(&gap)).collect(),
    })
}

/// A text is washed before it is cut: half of a secret is not known for one.
fn event(event: &timeline::Event, how: How, wash: &Wash) -> Event {
    // What is said of a context is no beginning of it.
    let is_begun = event.arrival.is_none();
    let text = match event.body.as_ref().filter(|_| is_begun) {
        Some(body) => wash.line(body, SHORT),
        None => wash.text(&event.text),
    };
    Event {
        at: event.at.clone(),
        kind: event.kind.word(),
        text,
        arrival: event.arrival.map(Arrival::words),
        body: wash.maybe(event.body.as_ref().filter(|_| how.is_whole)),
    }
}

/// So many characters of a text stand in its line.
const SHORT: usize = 200;

/// What a session was about, on one line.
fn about(call: &Call<'_>, session: &SessionShape) -> Result<String, OpError> {
    let about = call.look(|view| match full_key(&session.name) {
        Some(key) => Ok(view.session(&key)?.map(|it| at_work::about(view, &it)).transpose()?),
        None => Ok(None),
    })?;
    Ok(about.unwrap_or_default())
}

/// So many characters of what a session was about stand in its line.
const ABOUT: usize = 160;

fn sheet((session, about): (&SessionShape, &str), wash: &Wash, inside: Option<Markup>) -> Sheet {
    let (harness, rest) = session.name.split_once(':').unwrap_or((&session.name, ""));
    Sheet {
        handle: wash.text(&session.session),
        about: wash.line(about, ABOUT),
        harness: wash.text(harness),
        state: session.state.word(),
        is_agent: rest.contains('/'),
        instance: session.instance,
        started_at: session.started_at.clone(),
        notepad_rev: session.notepad_rev,
        open: session.open,
        notes: session.notes,
        compactions: session.compactions,
        is_alone: false,
        inside,
    }
}

fn note(note: &NoteShape, wash: &Wash) -> Note {
    Note {
        id: wash.text(&note.id),
        content: wash.text(&note.content),
        tags: wash.texts(&note.tags),
        updated_at: note.updated_at.clone(),
        is_scratched: note.scratched,
    }
}

/// The plans with all of their entries, the project's own first.
fn plans(call: &Call<'_>, which: &Which, wash: &Wash) -> Result<Vec<PlanSheet>, OpError> {
    let asked = list_plans::Input { include_archived: true };
    let listed = ListPlans::run(call, asked)?.plans.into_iter().map(|plan| plan.plan);
    let names = std::iter::once(PROJECT.to_owned()).chain(listed.filter(|name| name != PROJECT));
    let mut sheets = Vec::new();
    for name in names {
        let all = show_plan::Input { plan: Some(name), all: true, limit: Some(0), category: None };
        let current = show_plan::Input {
            plan: all.plan.clone(),
            limit: all.limit,
            ..show_plan::Input::default()
        };
        let shown = ShowPlan::run(call, all)?;
        let in_force = ShowPlan::run(call, current)?.entries;
        let Some(plan) = shown.plan else { continue };
        let is_in_force = |id: &str| in_force.iter().any(|entry| entry.id == id);
        let since = |entry: &&EntryShape| {
            which.since.is_none_or(|since| Time::parse(&entry.at).is_none_or(|at| since <= at))
        };
        let entries = shown.entries.iter().filter(since);
        let entries = entries.map(|it| entry(it, is_in_force(&it.id), wash)).collect();
        sheets.push(plan_sheet(&plan, entries, wash));
    }
    Ok(sheets)
}

fn plan_sheet(plan: &PlanShape, entries: Vec<Entry>, wash: &Wash) -> PlanSheet {
    PlanSheet {
        name: wash.text(&plan.plan),
        stage: wash.text(&plan.stage),
        created_at: plan.created_at.clone(),
        entries,
    }
}

fn entry(entry: &EntryShape, is_in_force: bool, wash: &Wash) -> Entry {
    let more = &entry.more;
    let parts = [
        ("why", &more.rationale),
        ("not taken", &more.alternatives),
        ("severity", &more.severity),
        ("status", &more.status),
        ("task", &more.task),
        ("where", &more.pattern),
        ("corrects", &entry.supersedes),
    ];
    let parts =
        parts.into_iter().filter_map(|(name, text)| Some((name, wash.maybe(text.as_ref())?)));
    Entry {
        id: wash.text(&entry.id),
        category: wash.text(&entry.category),
        at: entry.at.clone(),
        content: wash.text(&entry.content),
        more: parts.collect(),
        tags: wash.texts(&more.tags),
        is_in_force,
    }
}
