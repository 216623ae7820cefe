//! The shape in which sessions leave and enter a store.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::Note;
use vademecum_core::note::links;
use vademecum_core::plan::Plan;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{EntryFilter, NoteFilter, StoreError, View};

use crate::plans::EntryShape;
use crate::shapes::NoteShape;
use crate::succession;

/// The version of the shape; a later program reads every earlier one.
pub const VERSION: u32 = 2;

/// The version of a package without plans, which earlier programs read.
pub const WITHOUT_PLANS: u32 = 1;

/// Sessions outside a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Package {
    /// The version of this shape.
    pub vademecum: u32,
    /// The name of the project that they come from.
    pub project: String,
    /// The sessions, oldest first.
    pub sessions: Vec<PackedSession>,
    /// The plans, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<PackedPlan>,
}

/// One line of a package in lines, behind its head: what belongs to a session or a plan follows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// A session.
    Session(SessionHead),
    /// A note of the session before.
    Note(NoteShape),
    /// A plan.
    Plan(PlanHead),
    /// An entry of the plan before.
    Entry(Box<EntryShape>),
}

/// The head of a package in lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The version of this shape.
    pub vademecum: u32,
    /// The name of the project that it comes from.
    pub project: String,
}

/// One plan outside a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedPlan {
    /// The plan without its entries.
    #[serde(flatten)]
    pub head: PlanHead,
    /// Its entries, by id.
    pub entries: Vec<EntryShape>,
}

/// One plan outside a store, without its entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanHead {
    /// Its name; _project for the project itself.
    pub name: String,
    /// When it was begun (RFC 3339).
    pub created_at: String,
    /// When it was completed (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
}

impl PlanHead {
    /// The shape of `plan`.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self {
            name: plan.name.to_string(),
            created_at: plan.created_at.to_rfc3339(),
            completed_at: plan.completed_at.map(vademecum_core::time::Time::to_rfc3339),
        }
    }
}

impl PackedPlan {
    /// Packs `plan` with all of its entries.
    pub fn of(view: &dyn View, plan: &Plan) -> Result<Self, StoreError> {
        let mut entries = view.entries(EntryFilter::of(plan), 0)?;
        entries.sort_by_key(|entry| entry.id);
        Ok(Self { head: PlanHead::of(plan), entries: entries.iter().map(EntryShape::of).collect() })
    }

    /// The plan for a reader.
    #[must_use]
    pub fn markdown(&self) -> String {
        let head = format!("# Plan {}\n\nBegan {}.\n", self.head.name, self.head.created_at);
        let entries = self.entries.iter().map(|entry| format!("\n{}\n", entry.line()));
        std::iter::once(head).chain(entries).collect()
    }
}

/// One session outside a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedSession {
    /// The session without its notes.
    #[serde(flatten)]
    pub head: SessionHead,
    /// Its notes, by id.
    pub notes: Vec<NoteShape>,
}

/// One session outside a store, without its notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionHead {
    /// The full name: harness:id/agent.
    pub name: String,
    /// When it began (RFC 3339).
    pub started_at: String,
    /// When it ended (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Its page; none if it was never written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notepad: Option<String>,
    /// What its agent wrote for the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<String>,
    /// The full name of the session whose work it took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// Whether its work is offered to nobody any more: it was dismissed, or taken over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settled: bool,
    /// Its recap, where it was taken in from its transcript: nothing else is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recap: Option<PackedRecap>,
}

/// The recap of a session outside a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedRecap {
    /// Until when it tells (RFC 3339).
    pub at: String,
    /// What the store keeps of it.
    pub body: serde_json::Value,
}

impl PackedRecap {
    /// That of `session`, if it was taken in; none in a form that is no JSON.
    fn of(view: &dyn View, session: &Session) -> Result<Option<Self>, StoreError> {
        if !succession::is_taken_in(session) {
            return Ok(None);
        }
        let kept = view.recap(&session.key)?;
        Ok(kept.and_then(|kept| {
            let body = serde_json::from_str(&kept.body).ok()?;
            Some(Self { at: kept.at.to_rfc3339(), body })
        }))
    }
}

impl SessionHead {
    /// The shape of `session` with its page, `settled` being those whose work is.
    pub fn of(
        view: &dyn View,
        session: &Session,
        settled: &BTreeSet<SessionKey>,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            name: session.key.to_string(),
            started_at: session.started_at.to_rfc3339(),
            ended_at: session.ended_at.map(vademecum_core::time::Time::to_rfc3339),
            notepad: view.notepad(&session.key)?.map(|page| page.text),
            handoff: view.handoff(&session.key)?.map(|words| words.text),
            follows: succession::taken_over(view, session)?.map(|before| before.key.to_string()),
            settled: settled.contains(&session.key),
            recap: PackedRecap::of(view, session)?,
        })
    }
}

impl PackedSession {
    /// Packs `session` with its page and all of its notes, `settled` being those whose work is.
    pub fn of(
        view: &dyn View,
        session: &Session,
        settled: &BTreeSet<SessionKey>,
    ) -> Result<Self, StoreError> {
        let filter = NoteFilter::ALL;
        let mut notes = view.notes(&session.key, &filter, 0)?;
        notes.sort_by_key(|note| note.id);
        let head = SessionHead::of(view, session, settled)?;
        let links = links::among(&notes);
        let of = |note: &Note| links.get(&note.id).cloned().unwrap_or_default();
        let notes = notes.iter().map(|note| NoteShape::of(note).with(&of(note)));
        Ok(Self { head, notes: notes.collect() })
    }

    /// The session for a reader.
    #[must_use]
    pub fn markdown(&self) -> String {
        let SessionHead { name, started_at, ended_at, notepad, handoff, recap, .. } = &self.head;
        let ended = ended_at.as_ref().map_or_else(String::new, |at| format!(", ended {at}"));
        let head = format!("# Session {name}\n\nBegan {started_at}{ended}.\n");
        let page =
            notepad.as_deref().map(|text| format!("\n{}\n", vademecum_core::notepad::render(text)));
        let notes = self.notes.iter().map(|note| {
            let scratched = if note.scratched { " (scratched)" } else { "" };
            let linked = note.linked().map_or_else(String::new, |linked| format!("\n({linked})\n"));
            let tags = note.tags.join(", ");
            format!("\n### {}{scratched} [{tags}]\n\n{}\n{linked}", note.id, note.content)
        });
        let heading = (!self.notes.is_empty()).then(|| "\n## Notes\n".to_owned());
        let recap = recap.as_ref().and_then(|recap| recap.body["text"].as_str());
        let recap = recap.map(|text| format!("\n## Recap\n\n{}\n", text.trim_end()));
        let words = handoff.as_deref();
        let words = words.map(|text| format!("\n## Handoff\n\n{}\n", text.trim_end()));
        let parts = std::iter::once(head).chain(page).chain(words).chain(recap);
        parts.chain(heading).chain(notes).collect()
    }
}
