//! What a screen shows, asked of the operations that the command line calls; the surface knows no more than their answers.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use vademecum::core::id::Seq;
use vademecum::core::session;
use vademecum::core::time::Time;
use vademecum::files::open_named;
use vademecum::ops::ops::list_notes::{self, ListNotes};
use vademecum::ops::ops::list_plans::{self, ListPlans};
use vademecum::ops::ops::list_sessions::{self, ListSessions, Listed};
use vademecum::ops::ops::read_notepad::{self, ReadNotepad};
use vademecum::ops::ops::search::{self, FoundShape, Search};
use vademecum::ops::ops::session_timeline::{self, SessionTimeline};
use vademecum::ops::ops::show_plan::{self, ShowPlan};
use vademecum::ops::recaps::Kept;
use vademecum::ops::shapes::NoteShape;
use vademecum::ops::timeline::{Event, Kind};
use vademecum::ops::who::full_key;
use vademecum::ops::{Call, Config, Op, OpError, Operation, Reply, World, at_work};
use vademecum::port::Store;

use super::pane::{List, Pane, Row, What};
use super::state::{Place, State, Tab, beside};
use super::text::{clean, line};
use crate::cli::globals::Globals;
use crate::cli::setup::Setup;

/// So many events of a timeline are asked for at most: their texts are loaded with them.
const EVENTS: usize = 300;

/// So often it is looked whether a transcript grew, in milliseconds.
const GROWN_MS: i64 = 2_000;

/// The store, and who looks at it.
pub(super) struct Memory<'a> {
    /// The world and the configuration.
    pub(super) setup: &'a Setup,
    /// What the words of the command said.
    pub(super) globals: &'a Globals,
    config: &'a Config,
    store: &'a dyn Store,
    /// The newest entry of the journal that was seen.
    seen: Seq,
    /// The transcript that was read last.
    read: RefCell<Option<Transcript>>,
}

/// A transcript as far as it was read.
struct Transcript {
    path: PathBuf,
    bytes: u64,
    /// When it was looked at last.
    at: Time,
}

impl<'a> Memory<'a> {
    pub(super) fn new(
        setup: &'a Setup,
        globals: &'a Globals,
        config: &'a Config,
        store: &'a dyn Store,
    ) -> Self {
        Self { setup, globals, config, store, seen: Seq::default(), read: RefCell::default() }
    }

    /// Whether anybody wrote since this was asked last.
    pub(super) fn has_changed(&mut self) -> bool {
        // A store that does not answer now is asked again soon.
        let Ok(newest) = self.store.wait(self.seen, Duration::ZERO) else { return false };
        std::mem::replace(&mut self.seen, newest) != newest
    }

    /// Whether the transcript of the timeline that is seen is another one by now; looked at each two seconds.
    pub(super) fn has_grown(&self, place: &Place) -> bool {
        if !matches!(place, Place::Session { tab: Tab::Timeline | Tab::Lost, .. }) {
            return false;
        }
        let mut read = self.read.borrow_mut();
        let Some(read) = read.as_mut() else { return false };
        let now = self.world().now();
        // A busy agent writes all the time, and to read it again takes a part of a second.
        if now.since(read.at) < GROWN_MS {
            return false;
        }
        read.at = now;
        length(&read.path).is_some_and(|bytes| bytes != read.bytes)
    }

    fn world(&self) -> &World {
        &self.setup.world
    }

    fn call(&self, session: Option<&str>) -> Result<Call<'a>, OpError> {
        let caller = self.setup.caller(session.map(str::to_owned), self.globals)?;
        Ok(Call::new(self.store, &self.setup.world, self.config, caller))
    }

    /// Calls an operation about a session, or about the project.
    pub(super) fn run(
        &self,
        op: &Op,
        session: Option<&str>,
        arguments: Value,
    ) -> Result<Reply, OpError> {
        op.run(&self.call(session)?, arguments)
    }

    fn ask<O: Operation>(
        &self,
        session: Option<&str>,
        input: &O::Input,
    ) -> Result<O::Output, OpError> {
        let no_json = |error: serde_json::Error| OpError::broken(error.to_string());
        let arguments = serde_json::to_value(input).map_err(no_json)?;
        let reply = self.run(&Op::of::<O>(), session, arguments)?;
        serde_json::from_value(reply.object).map_err(no_json)
    }

    /// The name of the project of the folder.
    pub(super) fn project(&self) -> Result<String, OpError> {
        let call = self.call(None)?;
        let known = call.read(|view| call.project(view))?;
        Ok(line(&known.map_or_else(|| call.place().name(), |project| project.name)))
    }

    /// What the top screen of `state` shows.
    pub(super) fn load(&self, state: &State) -> Result<Pane, OpError> {
        let layer = state.top();
        match &layer.place {
            Place::Sessions => self.sessions(state.is_all, layer.limit),
            Place::Session { name, tab, .. } => match tab {
                Tab::Notepad => self.notepad(name),
                Tab::Notes => self.notes(name, layer.limit),
                Tab::Plans => self.plans(name),
                Tab::Timeline => self.timeline(name),
                Tab::Lost => self.lost(name),
            },
            Place::Plan(name) => self.plan(name, layer.limit),
            Place::Search => self.search(&state.typed, state.is_all, layer.limit),
            Place::Reading(_) => Ok(layer.pane.clone()),
        }
    }

    fn sessions(&self, all: bool, limit: usize) -> Result<Pane, OpError> {
        let input =
            list_sessions::Input { limit: Some(limit), all, ..list_sessions::Input::default() };
        let listed = self.ask::<ListSessions>(None, &input)?.sessions;
        let has_more = listed.len() == limit;
        let abouts = self.call(None)?.look(|view| {
            let about = |listed: &Listed| match full_key(&listed.session.name) {
                Some(key) => match view.session(&key)? {
                    Some(session) => Ok(at_work::about(view, &session)?),
                    None => Ok(String::new()),
                },
                None => Ok(String::new()),
            };
            listed.iter().map(about).collect::<Result<Vec<String>, OpError>>()
        })?;
        let rows =
            listed.into_iter().zip(abouts).map(|(listed, about)| self.session(listed, &about));
        Ok(list(
            &["STATE", "ACTIVE", "SESSION", "PROJECT", "NOTES", "ABOUT"],
            rows.collect(),
            (None, has_more),
            "nothing is kept here yet: vade install wires your agent, vade tour shows what it gets",
        ))
    }

    fn session(&self, listed: Listed, about: &str) -> Row {
        let Listed { session, project, .. } = listed;
        let notes = match session.notes {
            0 => String::new(),
            all => format!("{}/{all}", session.open),
        };
        let cells = vec![
            session.state.word().to_owned(),
            self.when(&session.seen_at),
            line(&session.session),
            line(&project.unwrap_or_default()),
            notes,
            line(about),
        ];
        let what = What::Session { name: session.name, handle: line(&session.session) };
        Row { cells, what }
    }

    fn notepad(&self, session: &str) -> Result<Pane, OpError> {
        let page = self.ask::<ReadNotepad>(Some(session), &read_notepad::Input {})?;
        if !page.content.is_empty() {
            return Ok(Pane::text(clean(&page.content)));
        }
        let recap = self.recap(session)?;
        let recap = recap.map(|recap| format!("\n\nwhat its transcript says:\n\n{recap}"));
        Ok(Pane::text(clean(&format!("(the notepad is empty){}", recap.unwrap_or_default()))))
    }

    /// What was made of the session's transcript.
    fn recap(&self, session: &str) -> Result<Option<String>, OpError> {
        let Some(key) = full_key(session) else { return Ok(None) };
        let kept = self.call(None)?.look(|view| Ok(view.recap(&key)?))?;
        Ok(kept.and_then(|kept| Kept::parse(&kept.body)).map(|kept| kept.text))
    }

    fn notes(&self, session: &str, limit: usize) -> Result<Pane, OpError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let input = list_notes::Input {
            limit: Some(limit),
            include_scratched: true,
            ..list_notes::Input::default()
        };
        let found = self.ask::<ListNotes>(Some(session), &input)?;
        let rows: Vec<Row> = found.notes.iter().map(|note| self.note(session, note)).collect();
        let has_more = (rows.len() as u64) < found.total;
        let heads = ["", "CHANGED", "TAGS", "NOTE"];
        Ok(list(&heads, rows, (Some(found.total), has_more), "no notes in this session"))
    }

    fn note(&self, session: &str, note: &NoteShape) -> Row {
        let mark = if note.scratched { "scratched" } else { "" };
        let tags = note.tags.join(", ");
        let cells =
            vec![mark.to_owned(), self.when(&note.updated_at), line(&tags), line(&note.content)];
        let what = What::Note {
            session: session.to_owned(),
            id: note.id.clone(),
            text: clean(&note.content),
            tags: note.tags.iter().map(|tag| line(tag)).collect(),
            is_scratched: note.scratched,
        };
        Row { cells, what }
    }

    fn plans(&self, session: &str) -> Result<Pane, OpError> {
        let found = self.ask::<ListPlans>(Some(session), &list_plans::Input::default())?;
        let rows = found.plans.into_iter().map(|plan| Row {
            cells: vec![
                if plan.active { "active".to_owned() } else { plan.stage },
                format!("{} learnings", plan.learnings),
                format!("{} decisions", plan.decisions),
                format!("{} issues", plan.issues),
                line(&plan.plan),
            ],
            what: What::Plan(plan.plan),
        });
        // Of whichever project a session is, its screen shows the plans of the one that one stands in.
        let of = format!("PLAN OF {}", self.project()?);
        let heads = ["STAGE", "", "", "", &of];
        Ok(list(&heads, rows.collect(), (None, false), "no plans in this project"))
    }

    fn plan(&self, name: &str, limit: usize) -> Result<Pane, OpError> {
        let input = show_plan::Input {
            plan: Some(name.to_owned()),
            limit: Some(limit),
            ..show_plan::Input::default()
        };
        let found = self.ask::<ShowPlan>(None, &input)?;
        let rows = found.entries.into_iter().map(|entry| Row {
            cells: vec![entry.category.clone(), self.when(&entry.at), line(&entry.content)],
            what: What::Text {
                title: format!("{} {}", entry.category, entry.id),
                text: clean(&entry.content),
            },
        });
        let rows: Vec<Row> = rows.collect();
        let has_more = (rows.len() as u64) < found.total;
        Ok(list(&["WHAT", "WHEN", "ENTRY"], rows, (Some(found.total), has_more), "no entries"))
    }

    fn events(&self, session: &str) -> Result<session_timeline::Output, OpError> {
        let input = session_timeline::Input { limit: Some(EVENTS), whole: true };
        let found = self.ask::<SessionTimeline>(Some(session), &input)?;
        let at = self.world().now();
        let read = found.transcript.as_ref();
        let read =
            read.map(|read| Transcript { path: read.path.clone().into(), bytes: read.bytes, at });
        *self.read.borrow_mut() = read;
        Ok(found)
    }

    fn timeline(&self, session: &str) -> Result<Pane, OpError> {
        let found = self.events(session)?;
        let mut rows: Vec<Row> = found.unread().map(|text| note_row(&text)).into_iter().collect();
        if 0 < found.earlier {
            rows.push(note_row(&format!("{} earlier events are left out", found.earlier)));
        }
        for (idx, event) in found.events.iter().enumerate() {
            let cells = vec![self.when(&event.at), event.kind.word().to_owned(), line(&event.text)];
            rows.push(Row { cells, what: behind(event, &found.events[idx + 1..]) });
        }
        // The newest is what one comes for.
        let cursor = rows.len().saturating_sub(1);
        let total = Some(rows.len() as u64);
        let pane = list(&["WHEN", "WHAT", ""], rows, (total, false), "nothing happened here");
        Ok(match pane {
            Pane::List(list) => Pane::List(List { cursor, is_followed: true, ..list }),
            pane => pane,
        })
    }

    /// The last compaction: what its summary says, beside what came back.
    fn lost(&self, session: &str) -> Result<Pane, OpError> {
        let found = self.events(session)?;
        let last = found.events.iter().rposition(|event| event.kind == Kind::Compaction);
        let compaction = last.map(|idx| behind(&found.events[idx], &found.events[idx + 1..]));
        Ok(match compaction {
            Some(What::Compaction { summary, back, .. }) => beside(summary, back),
            _ => Pane::text(match found.compactions {
                0 => "this session was not compacted".to_owned(),
                n => format!(
                    "compacted, by its hooks, {n} times; {}",
                    found.unread().unwrap_or_else(|| "its transcript has no summary".to_owned())
                ),
            }),
        })
    }

    fn search(&self, words: &str, all: bool, limit: usize) -> Result<Pane, OpError> {
        let heads = ["WHAT", "WHEN", "SESSION", "PROJECT", ""];
        if words.trim().is_empty() {
            return Ok(list(&heads, Vec::new(), (None, false), "type some words"));
        }
        let input = search::Input {
            query: words.to_owned(),
            limit: Some(limit),
            all,
            ..search::Input::default()
        };
        let found = self.ask::<Search>(None, &input)?.found;
        let has_more = found.len() == limit;
        let rows = found.into_iter().map(|found| self.found(found)).collect();
        Ok(list(&heads, rows, (None, has_more), "nothing holds these words"))
    }

    fn found(&self, found: FoundShape) -> Row {
        let FoundShape { kind, text, at, session, project, id, tags, over, .. } = found;
        let over = over.map_or_else(String::new, |over| format!("({over}) "));
        let cells = vec![
            kind.clone(),
            self.when(&at),
            line(session.as_deref().unwrap_or_default()),
            line(project.as_deref().unwrap_or_default()),
            line(&format!("{over}{text}")),
        ];
        // A note of another project is found there by its whole name alone: it can be read here.
        let what = match (session, id, kind.as_str(), project) {
            (Some(session), Some(id), "note", None) => What::Note {
                session,
                id,
                text: clean(&text),
                tags: tags.iter().map(|tag| line(tag)).collect(),
                is_scratched: !over.is_empty(),
            },
            // The whole of a page is more than the piece that was found.
            (Some(handle), None, "page", None) => {
                What::Session { name: handle.clone(), handle: line(&handle) }
            }
            (session, ..) => {
                let of = session.map_or_else(String::new, |session| format!(" of {session}"));
                What::Text { title: line(&format!("{kind}{of}")), text: clean(&text) }
            }
        };
        Row { cells, what }
    }

    /// Day and minute where the person is.
    fn when(&self, at: &str) -> String {
        let Some(at) = Time::parse(at) else { return line(at) };
        let east = (self.world().east)(at);
        let local = at.plus(i64::from(east) * 1000).to_rfc3339();
        local.get(5..16).map_or_else(String::new, |it| it.replace('T', " "))
    }
}

/// How long a transcript is; none where it is gone.
fn length(path: &Path) -> Option<u64> {
    Some(open_named(path).ok()?.metadata().ok()?.len())
}

fn note_row(text: &str) -> Row {
    Row { cells: vec![String::new(), String::new(), text.to_owned()], what: What::Nothing }
}

fn list(
    heads: &[&str],
    rows: Vec<Row>,
    (total, has_more): (Option<u64>, bool),
    nothing: &str,
) -> Pane {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    let nothing = nothing.to_owned();
    Pane::List(List { heads, rows, total, has_more, nothing, ..List::default() })
}

/// What stands behind an event: a session, its text, or of a compaction what came back after it.
fn behind(event: &Event, later: &[Event]) -> What {
    let title = format!("{} {}", event.kind.word(), event.at);
    let text = event.body.as_deref().unwrap_or(&event.text);
    match (event.kind, &event.refers_to) {
        (
            Kind::Began | Kind::SubAgent | Kind::SubAgentEnded | Kind::TakenOver | Kind::TookOver,
            Some(name),
        ) => What::Session { name: name.clone(), handle: handle_of(name) },
        (Kind::Compaction, _) => {
            let until = later.iter().position(|event| event.kind == Kind::Compaction);
            let later = &later[..until.unwrap_or(later.len())];
            let back = later.iter().find(|event| event.kind == Kind::Context);
            What::Compaction { title, summary: clean(text), back: came_back(text, back) }
        }
        _ => What::Text { title, text: clean(text) },
    }
}

/// The short name of a session that is called by its full one.
pub(super) fn handle_of(name: &str) -> String {
    line(&full_key(name).map_or_else(|| name.to_owned(), |key| session::handle(&key)))
}

/// What came back, each line marked that the summary does not have.
fn came_back(summary: &str, back: Option<&Event>) -> String {
    let Some(event) = back else { return "nothing came back after it".to_owned() };
    let Some(body) = &event.body else { return clean(&event.text) };
    let arrived = event.arrival.map_or("", |arrival| arrival.words());
    let lines = body.lines().map(|line| {
        let words = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let is_lost = 3 < words.len() && !summary.contains(words);
        format!("{} {line}", if is_lost { "+" } else { " " })
    });
    clean(&format!("({arrived})\n{}", lines.collect::<Vec<_>>().join("\n")))
}
