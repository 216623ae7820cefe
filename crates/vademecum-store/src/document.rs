//! What is found by its words: notes, and the longer texts beside them.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;
use vademecum_core::entry::{Entry, Line, Said};
use vademecum_core::note::Note;
use vademecum_core::search::{Keys, keys};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;

use crate::view::{Handoff, KeptRecap, NoteFilter, Notepad};

/// A document, and the session whose it is; an entry says itself who wrote it.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// A note.
    Note(Arc<SessionKey>, Note),
    /// A page, whole.
    Page(Arc<SessionKey>, Notepad),
    /// What was left for the next session.
    Words(Arc<SessionKey>, Handoff),
    /// The last recap of a session.
    Recap(Arc<SessionKey>, KeptRecap),
    /// An entry of a plan.
    Entry(Box<Entry>),
}

/// What tells a document from all others of a project, in an order that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DocumentId(u8, i64, Option<Arc<SessionKey>>);

impl Document {
    pub(crate) fn id(&self) -> DocumentId {
        let of = |sort, id, key: &Arc<SessionKey>| DocumentId(sort, id, Some(Arc::clone(key)));
        match self {
            Self::Note(key, note) => of(0, note.id.0, key),
            Self::Page(key, _) => of(1, 0, key),
            Self::Words(key, _) => of(2, 0, key),
            Self::Recap(key, _) => of(3, 0, key),
            Self::Entry(entry) => DocumentId(4, entry.id.0, None),
        }
    }

    /// The note; none of another document.
    #[must_use]
    pub fn into_note(self) -> Option<Note> {
        match self {
            Self::Note(_, note) => Some(note),
            Self::Page(..) | Self::Words(..) | Self::Recap(..) | Self::Entry(_) => None,
        }
    }

    /// Whether a filter of notes lets it through; what is no note it does not ask.
    #[must_use]
    pub fn passes(&self, filter: &NoteFilter) -> bool {
        match self {
            Self::Note(_, note) => filter.lets_through(note),
            Self::Page(..) | Self::Words(..) | Self::Recap(..) | Self::Entry(_) => true,
        }
    }

    /// The session whose it is; of an entry who wrote it, as far as that is known.
    #[must_use]
    pub fn session(&self) -> Option<&SessionKey> {
        match self {
            Self::Note(key, _) | Self::Page(key, _) | Self::Words(key, _) | Self::Recap(key, _) => {
                Some(key)
            }
            Self::Entry(entry) => entry.session.as_deref(),
        }
    }

    /// When it was last written.
    #[must_use]
    pub fn at(&self) -> Time {
        match self {
            Self::Note(_, note) => note.updated_at,
            Self::Page(_, page) => page.updated_at,
            Self::Words(_, words) => words.updated_at,
            Self::Recap(_, recap) => recap.at,
            Self::Entry(entry) => entry.at,
        }
    }

    /// All of it that can be found.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Note(_, note) => note.content.as_str().into(),
            Self::Page(_, page) => page.text.as_str().into(),
            Self::Words(_, words) => words.text.as_str().into(),
            Self::Recap(_, recap) => recap_text(&recap.body).into(),
            Self::Entry(entry) => entry_text(&entry.said).into(),
        }
    }

    /// The tags of a note or an entry.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        match self {
            Self::Note(_, note) => note.tags.as_slice(),
            Self::Entry(entry) => entry.said.tags.as_slice(),
            Self::Page(..) | Self::Words(..) | Self::Recap(..) => &[],
        }
    }

    /// The keys that it is found by.
    #[must_use]
    pub fn keys(&self) -> Keys {
        keys(&self.text(), self.tags())
    }
}

/// All that an entry says, a part a line.
#[must_use]
pub fn entry_text(said: &Said) -> String {
    let lines = [&said.task, &said.pattern].into_iter().flatten().map(Line::as_str);
    let parts = std::iter::once(said.content.as_str()).chain(said.matter.own().texts());
    parts.chain(lines).collect::<Vec<_>>().join("\n")
}

/// The texts of a recap's JSON, each once: which is which only its maker knows.
#[must_use]
pub fn recap_text(body: &str) -> String {
    fn take<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
        match value {
            Value::String(text) => texts.push(text),
            Value::Array(values) => values.iter().for_each(|value| take(value, texts)),
            Value::Object(fields) => fields.values().for_each(|value| take(value, texts)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    // What is no JSON is still a text.
    let Ok(value) = serde_json::from_str(body) else { return body.to_owned() };
    let mut texts = Vec::new();
    take(&value, &mut texts);
    texts.join("\n")
}
