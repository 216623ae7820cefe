//! What a view answered, by question: whoever asks the same elsewhere is told it without the store.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;

use crate::error::StoreError;
use crate::journal::JournalEntry;
use crate::view::{
    Corpus, EntryFilter, Handoff, Hits, JournalFilter, KeptRecap, KeySet, NoteFilter, Notepad,
    SessionCard, SessionFilter, StoreCard, View, Whose, Words,
};

/// What a view answered, as JSON, by question.
///
/// Another program may word its questions in another way: it finds none of these.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answers(BTreeMap<String, Box<RawValue>>);

/// A view of answers: those of another view, which are noted, or those that were.
pub struct Answering<'a> {
    source: Source<'a>,
    lacks: Cell<bool>,
}

/// Who answers.
enum Source<'a> {
    /// A view, whose answers are noted.
    View(&'a dyn View, RefCell<Answers>),
    /// What was noted.
    Known(&'a Answers),
}

impl<'a> Answering<'a> {
    /// A view that notes what `source` answers.
    #[must_use]
    pub fn noting(source: &'a dyn View) -> Self {
        Self { source: Source::View(source, RefCell::default()), lacks: Cell::new(false) }
    }

    /// A view of these answers alone.
    #[must_use]
    pub fn of(known: &'a Answers) -> Self {
        Self { source: Source::Known(known), lacks: Cell::new(false) }
    }

    /// Whether it was asked what it does not know, so that whatever was made of it means nothing.
    #[must_use]
    pub fn lacks(&self) -> bool {
        self.lacks.get()
    }

    /// What it noted.
    #[must_use]
    pub fn into_answers(self) -> Answers {
        match self.source {
            Source::View(_, noted) => noted.into_inner(),
            Source::Known(_) => Answers::default(),
        }
    }

    fn answer<T: Serialize + DeserializeOwned>(
        &self,
        question: &str,
        about: &dyn Debug,
        ask: impl FnOnce(&dyn View) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let question = format!("{question} {about:?}");
        match &self.source {
            Source::View(view, noted) => {
                let answer = ask(*view)?;
                // What has no JSON is asked again.
                if let Ok(raw) = to_raw_value(&answer) {
                    noted.borrow_mut().0.insert(question, raw);
                }
                Ok(answer)
            }
            Source::Known(known) => {
                let raw = known.0.get(&question);
                let answer = raw.and_then(|raw| serde_json::from_str(raw.get()).ok());
                answer.ok_or_else(|| self.unknown())
            }
        }
    }

    fn unknown(&self) -> StoreError {
        self.lacks.set(true);
        StoreError::Engine { what: "this was not asked before".to_owned() }
    }
}

impl View for Answering<'_> {
    fn store(&self) -> Result<StoreCard, StoreError> {
        self.answer("store", &(), |view| view.store())
    }

    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError> {
        self.answer("project_by_keys", &keys, |view| view.project_by_keys(keys))
    }

    fn projects(&self, id: Option<ProjectId>) -> Result<Vec<Project>, StoreError> {
        self.answer("projects", &id, |view| view.projects(id))
    }

    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
        self.answer("project_keys", &id, |view| view.project_keys(id))
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError> {
        self.answer("session", key, |view| view.session(key))
    }

    fn line_of(
        &self,
        key: &SessionKey,
        limit: usize,
    ) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError> {
        self.answer("line_of", &(key, limit), |view| view.line_of(key, limit))
    }

    fn sessions(&self, filter: SessionFilter<'_>) -> Result<Vec<Session>, StoreError> {
        self.answer("sessions", &filter, |view| view.sessions(filter))
    }

    fn card(&self, session: &SessionKey) -> Result<SessionCard, StoreError> {
        self.answer("card", session, |view| view.card(session))
    }

    fn page(&self, session: &SessionKey, most: usize) -> Result<Option<Notepad>, StoreError> {
        self.answer("page", &(session, most), |view| view.page(session, most))
    }

    fn notes(
        &self,
        session: &SessionKey,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.answer("notes", &(session, filter, limit), |view| view.notes(session, filter, limit))
    }

    fn tag_counts(
        &self,
        session: &SessionKey,
        tag: Option<&str>,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        self.answer("tag_counts", &(session, tag, include_scratched), |view| {
            view.tag_counts(session, tag, include_scratched)
        })
    }

    /// What is searched for is another thing each time: it is not noted.
    fn hits(
        &self,
        corpus: Corpus<'_>,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError> {
        match &self.source {
            Source::View(view, _) => view.hits(corpus, sets, filter),
            Source::Known(_) => Err(self.unknown()),
        }
    }

    fn plans(&self, project: ProjectId, name: Option<&PlanName>) -> Result<Vec<Plan>, StoreError> {
        self.answer("plans", &(project, name), |view| view.plans(project, name))
    }

    fn entries(&self, filter: EntryFilter<'_>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.answer("entries", &(filter, limit), |view| view.entries(filter, limit))
    }

    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError> {
        self.answer("last_entry", &project, |view| view.last_entry(project))
    }

    fn entry_count(&self, filter: EntryFilter<'_>) -> Result<u64, StoreError> {
        self.answer("entry_count", &filter, |view| view.entry_count(filter))
    }

    fn handoffs(&self, words: Words<'_>) -> Result<Vec<(String, Handoff)>, StoreError> {
        self.answer("handoffs", &words, |view| view.handoffs(words))
    }

    fn recap(&self, session: &SessionKey) -> Result<Option<KeptRecap>, StoreError> {
        self.answer("recap", session, |view| view.recap(session))
    }

    fn running(&self, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
        self.answer("running", &whose, |view| view.running(whose))
    }

    fn journal(&self, filter: &JournalFilter<'_>) -> Result<Vec<JournalEntry>, StoreError> {
        self.answer("journal", filter, |view| view.journal(filter))
    }
}
