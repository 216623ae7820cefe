//! The shapes of records that the world sees; the domain's own types stay inside.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::frame;
use vademecum_core::note::links::Links;
use vademecum_core::note::{Note, Tags};
use vademecum_core::session::Session;
use vademecum_store::{StoreError, View};

use crate::succession::State;
use crate::world::World;

/// A note as the world sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteShape {
    /// Its id.
    pub id: String,
    /// The text.
    pub content: String,
    /// What it is about.
    pub tags: Vec<String>,
    /// When it was added (RFC 3339).
    pub created_at: String,
    /// When its content or tags last changed (RFC 3339).
    pub updated_at: String,
    /// Whether it is crossed out.
    pub scratched: bool,
    /// The ids of the notes that its text names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The ids of the notes whose texts name it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked_from: Vec<String>,
}

impl NoteShape {
    /// The shape of `note`.
    #[must_use]
    pub fn of(note: &Note) -> Self {
        Self {
            id: note.id.to_string(),
            content: note.content.as_str().to_owned(),
            tags: note.tags.as_slice().to_vec(),
            created_at: note.created_at.to_rfc3339(),
            updated_at: note.updated_at.to_rfc3339(),
            scratched: note.is_scratched(),
            links: Vec::new(),
            linked_from: Vec::new(),
        }
    }

    /// The shape with the links of its note.
    #[must_use]
    pub fn with(mut self, links: &Links) -> Self {
        self.links = links.to.iter().map(ToString::to_string).collect();
        self.linked_from = links.from.iter().map(ToString::to_string).collect();
        self
    }

    /// The shape of `note` in a list: a tag that is longer than a tag may be now is cut.
    #[must_use]
    pub fn listed(note: &Note) -> Self {
        let mut shape = Self::of(note);
        shape.tags.iter_mut().for_each(clip);
        shape
    }

    /// The note in full, as a model reads it: id, tags, text, links.
    #[must_use]
    pub fn line(&self) -> String {
        let scratched = if self.scratched { " (scratched)" } else { "" };
        let linked = self.linked().map_or_else(String::new, |linked| format!(" ({linked})"));
        format!("{}{scratched} [{}] {}{linked}", self.id, self.tags.join(", "), self.content)
    }

    /// What it says and is about, for who knows its id.
    #[must_use]
    pub fn said(&self) -> String {
        let scratched = if self.scratched { "(scratched) " } else { "" };
        format!("{scratched}[{}] {}", self.tags.join(", "), self.content)
    }

    /// Its links both ways, in words; none where it has none.
    #[must_use]
    pub fn linked(&self) -> Option<String> {
        let told = [("links to", &self.links), ("linked from", &self.linked_from)];
        let told = told.into_iter().filter(|(_, ids)| !ids.is_empty());
        let told: Vec<String> =
            told.map(|(way, ids)| format!("{way} {}", ids.join(", "))).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// Cuts a tag that an earlier program let in at any length.
pub(crate) fn clip(tag: &mut String) {
    if let Some((at, _)) = tag.char_indices().nth(Tags::CHARS) {
        tag.truncate(at);
        tag.push('…');
    }
}

/// What a change of a note answers: the note, and where the session's notes stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// The note as it is now.
    #[serde(flatten)]
    pub note: NoteShape,
    /// What was done.
    pub done: String,
    /// The session whose note it is; no other session sees it.
    pub session: String,
    /// How many open notes the session has now.
    pub open: u64,
    /// Whether its tags were taken from its words, because none were given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suggested: bool,
    /// Whether a compaction puts it in front of a model again; only said where none does.
    #[serde(default = "always", skip_serializing_if = "Clone::clone")]
    pub restored: bool,
    /// Whether a compaction is sure to have room for all open notes; only said where it is not.
    #[serde(default = "always", skip_serializing_if = "Clone::clone")]
    pub all_fit: bool,
    /// The session that it is a note of, where this one took its work over, or its sub-agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited: Option<String>,
}

fn always() -> bool {
    true
}

impl Kept {
    /// The answer to something done to a note of `session`.
    #[must_use]
    pub fn new(done: &str, session: &Session, note: NoteShape, open: u64) -> Self {
        Self {
            restored: session.key.is_restored() && !note.scratched,
            all_fit: true,
            note,
            done: done.to_owned(),
            session: session.handle(),
            open,
            suggested: false,
            inherited: None,
        }
    }

    /// The same of a note of `session` for a call of `own`: no compaction of that one shows what it took over.
    #[must_use]
    pub fn of(self, session: &Session, own: &Session) -> Self {
        if session.key == own.key {
            return self;
        }
        Self { inherited: Some(session.handle()), restored: false, all_fit: true, ..self }
    }

    /// The reply as a model reads it.
    #[must_use]
    pub fn say(&self) -> String {
        let tags = self.note.tags.join(", ");
        let suggested = if !self.suggested {
            String::new()
        } else if tags == Tags::UNTAGGED {
            format!("; no tags given: {tags}")
        } else {
            format!("; no tags given, taken from its words: {tags}")
        };
        let Self { note, done, open, .. } = self;
        let whose = match &self.inherited {
            Some(of) if of.contains('/') => format!("of its sub-agent {of}"),
            Some(of) => format!("of session {of}, whose work this one took over"),
            None => "this session only".to_owned(),
        };
        let head = format!("{done} {} ({whose}; {open} open", note.id);
        let tail = match (self.restored, self.all_fit) {
            (true, true) => "; back after compaction)",
            (true, false) => {
                "; as many as fit are back after compaction, decisions and todos first)"
            }
            (false, _) => ")",
        };
        format!("{head}{tail}{suggested}")
    }
}

/// The longest path that Linux opens, so that none is cut.
const PATH_MAX: usize = 4096;

/// A path as it stands in a line of ours.
pub(crate) fn path_line(path: &Path) -> String {
    frame::line(&path.to_string_lossy(), PATH_MAX)
}

/// `1 note`, `3 notes`.
#[must_use]
pub fn count(n: u64) -> String {
    counted(usize::try_from(n).unwrap_or(usize::MAX), "note")
}

/// `1 plan`, `3 plans`, `2 entries`: a number and what it counts.
#[must_use]
pub fn counted(n: usize, one: &str) -> String {
    match (n, one.strip_suffix('y')) {
        (1, _) => format!("1 {one}"),
        (n, Some(stem)) => format!("{n} {stem}ies"),
        (n, None) => format!("{n} {one}s"),
    }
}

/// `1 holds`, `3 hold`.
#[must_use]
pub fn hold(n: u64) -> String {
    if n == 1 { "1 holds".to_owned() } else { format!("{n} hold") }
}

/// A heading, and one note a line below it.
#[must_use]
pub fn lines(head: &str, notes: &[NoteShape]) -> String {
    let lines = notes.iter().map(NoteShape::line);
    std::iter::once(head.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// A session as the world sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionShape {
    /// The short name.
    pub session: String,
    /// The full name: harness:id/agent.
    pub name: String,
    /// Its place in the project's line; 0 for a sub-agent.
    pub instance: u32,
    /// How it began.
    pub began: String,
    /// When it began (RFC 3339).
    pub started_at: String,
    /// When it was last heard of (RFC 3339).
    pub seen_at: String,
    /// When it ended (RFC 3339); none while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Where it stands.
    pub state: State,
    /// The revision of its page; 0 if it was never written.
    pub notepad_rev: u32,
    /// How many notes it has.
    pub notes: u64,
    /// How many of them are open.
    pub open: u64,
    /// How often its context was compacted.
    #[serde(default, skip_serializing_if = "is_never")]
    pub compactions: u32,
}

/// Whether there are none.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(crate) fn is_no(n: &u64) -> bool {
    *n == 0
}

/// Whether it did not happen yet.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(crate) fn is_never(n: &u32) -> bool {
    *n == 0
}

/// `compacted once`, `compacted 3 times`; nothing for never.
pub(crate) fn compacted(n: u32) -> Option<String> {
    match n {
        0 => None,
        1 => Some("compacted once".to_owned()),
        n => Some(format!("compacted {n} times")),
    }
}

impl SessionShape {
    /// The shape of `session`, with what a snapshot knows of it.
    pub fn of(view: &dyn View, world: &World, session: &Session) -> Result<Self, StoreError> {
        let card = view.card(&session.key)?;
        Ok(Self {
            state: State::of(view, world, session)?,
            session: session.handle(),
            name: session.key.to_string(),
            instance: session.instance,
            began: session.began.word().to_owned(),
            started_at: session.started_at.to_rfc3339(),
            // One that is known by its transcript alone was heard of to its end.
            seen_at: session
                .ended_at
                .map_or(session.seen_at, |it| it.max(session.seen_at))
                .to_rfc3339(),
            ended_at: session.ended_at.map(vademecum_core::time::Time::to_rfc3339),
            notepad_rev: card.notepad_rev.unwrap_or(0),
            notes: card.counts.notes,
            open: card.counts.open,
            compactions: session.standing.compactions,
        })
    }

    /// What [`SessionShape::row`] says in each column.
    pub const COLUMNS: [&str; 7] =
        ["SESSION", "", "STATE", "STARTED", "NOTEPAD", "OPEN NOTES", "NAME"];

    /// The session as a row of a list.
    #[must_use]
    pub fn row(&self) -> Vec<String> {
        let Self { session, name, instance, started_at, notepad_rev, notes, open, .. } = self;
        let compacted = compacted(self.compactions).map(|words| format!("  {words}"));
        vec![
            session.clone(),
            if *instance == 0 { String::new() } else { instance.to_string() },
            self.state.word().to_owned(),
            started_at.clone(),
            if *notepad_rev == 0 { "empty".to_owned() } else { format!("rev {notepad_rev}") },
            format!("{open} of {notes}"),
            format!("{name}{}", compacted.unwrap_or_default()),
        ]
    }

    /// The session on one line.
    #[must_use]
    pub fn line(&self) -> String {
        let [session, instance, state, since, page, notes, name] = &self.row()[..] else {
            return String::new();
        };
        let instance =
            if instance.is_empty() { String::new() } else { format!("  instance {instance}") };
        format!(
            "{session}{instance}  {state}  since {since}  notepad {page}  {notes} notes open  {name}"
        )
    }
}

/// Rows below their heads, in columns; one that is empty in all rows is left out.
pub(crate) fn columns(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows.collect();
    let is_used =
        |column: usize| rows.iter().any(|row| row.get(column).is_some_and(|it| !it.is_empty()));
    let used: Vec<usize> = (0..heads.len()).filter(|column| is_used(*column)).collect();
    let head: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    let all: Vec<&Vec<String>> = std::iter::once(&head).chain(&rows).collect();
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let width =
        |column: usize| all.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = used.iter().map(|column| width(*column)).collect();
    let line = |row: &Vec<String>| {
        let cells = used.iter().zip(&widths).map(|(column, width)| {
            let cell = cell(row, *column);
            let gap = width - cell.chars().count();
            cell + &" ".repeat(gap)
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all.iter().map(|row| line(row)).collect()
}
