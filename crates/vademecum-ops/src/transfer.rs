//! The shape in which sessions leave and enter a store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::notepad;
use vademecum_core::plan::Plan;
use vademecum_core::session::Session;
use vademecum_store::{EntryFilter, NoteFilter, StoreError, View};

use crate::plans::EntryShape;
use crate::shapes::NoteShape;
use crate::who::full_name;

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

/// One plan outside a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedPlan {
    /// Its name; _project for the project itself.
    pub name: String,
    /// When it was begun (RFC 3339).
    pub created_at: String,
    /// When it was completed (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
    /// Its entries, by id.
    pub entries: Vec<EntryShape>,
}

impl PackedPlan {
    /// Packs `plan` with all of its entries.
    pub fn of(view: &dyn View, plan: &Plan) -> Result<Self, StoreError> {
        let mut entries = view.entries(plan.id, EntryFilter::default(), 0)?;
        entries.sort_by_key(|entry| entry.id);
        Ok(Self {
            name: plan.name.to_string(),
            created_at: plan.created_at.to_rfc3339(),
            completed_at: plan.completed_at.map(vademecum_core::time::Time::to_rfc3339),
            entries: entries.iter().map(EntryShape::of).collect(),
        })
    }

    /// The plan for a reader.
    #[must_use]
    pub fn markdown(&self) -> String {
        let head = format!("# Plan {}\n\nBegan {}.\n", self.name, self.created_at);
        let entries = self.entries.iter().map(|entry| format!("\n{}\n", entry.line()));
        std::iter::once(head).chain(entries).collect()
    }
}

/// One session outside a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedSession {
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
    /// Its notes, by id.
    pub notes: Vec<NoteShape>,
}

impl PackedSession {
    /// Packs `session` with its page and all of its notes.
    pub fn of(view: &dyn View, session: &Session) -> Result<Self, StoreError> {
        let filter = NoteFilter { tags: Vec::new(), include_scratched: true };
        let mut notes = view.notes(session.id, &filter, 0)?;
        notes.sort_by_key(|note| note.id);
        Ok(Self {
            name: full_name(&session.key),
            started_at: session.started_at.to_rfc3339(),
            ended_at: session.ended_at.map(vademecum_core::time::Time::to_rfc3339),
            notepad: view.notepad(session.id)?.map(|page| page.text),
            handoff: view.handoff(session.id)?.map(|words| words.text),
            notes: notes.iter().map(NoteShape::of).collect(),
        })
    }

    /// The session for a reader.
    #[must_use]
    pub fn markdown(&self) -> String {
        let ended = self.ended_at.as_ref().map_or_else(String::new, |at| format!(", ended {at}"));
        let head = format!("# Session {}\n\nBegan {}{ended}.\n", self.name, self.started_at);
        let page = self.notepad.as_deref().map(|text| format!("\n{}\n", notepad::render(text)));
        let notes = self.notes.iter().map(|note| {
            let scratched = if note.scratched { " (scratched)" } else { "" };
            format!("\n### {}{scratched} [{}]\n\n{}\n", note.id, note.tags.join(", "), note.content)
        });
        let heading = (!self.notes.is_empty()).then(|| "\n## Notes\n".to_owned());
        let words = self.handoff.as_deref();
        let words = words.map(|text| format!("\n## Handoff\n\n{}\n", text.trim_end()));
        std::iter::once(head).chain(page).chain(words).chain(heading).chain(notes).collect()
    }
}
