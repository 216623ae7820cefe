//! One transaction, as the port asks of it.

use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_core::time::Time;
use vademecum_store::{
    Corpus, EntryFilter, Handoff, Hits, IntentId, JournalEntry, JournalFilter, KeptRecap, KeySet,
    NoteFilter, Notepad, SessionCard, SessionFilter, StoreCard, StoreError, Unfinished, View,
    Whose, Words, hits_among,
};

use crate::snapshot::Snapshot;
use crate::statement::{column, utf8, whole};
use crate::{journal, notes, plans, pool, project_search, search, sessions};

impl View for Snapshot<'_> {
    fn expect(&self, ask: &dyn Fn(&dyn View)) {
        self.rehearse(&|| ask(self));
    }

    fn store(&self) -> Result<StoreCard, StoreError> {
        let Some(row) = self.ask_one(pool::own_card())? else { return Ok(StoreCard::default()) };
        let ids = column::<Option<Vec<i64>>>(&row, pool::INTENTS)?.unwrap_or_default();
        let whats = column::<Option<Vec<Vec<u8>>>>(&row, pool::INTENTS + 1)?.unwrap_or_default();
        let intent = |(id, what)| Ok((IntentId(whole(id)?), utf8(what)?));
        let intents = ids.into_iter().zip(whats).map(intent).collect::<Result<_, StoreError>>()?;
        let has_bytes = column(&row, pool::HAS_BYTES)?;
        Ok(StoreCard {
            off_at: column::<Option<i64>>(&row, pool::OFF_AT)?.map(Time),
            unfinished: Unfinished { intents, has_bytes, has_forks: false },
        })
    }

    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError> {
        plans::by_keys(self, keys)
    }

    fn projects(&self, id: Option<ProjectId>) -> Result<Vec<Project>, StoreError> {
        plans::projects(self, id)
    }

    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
        plans::keys(self, id)
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError> {
        sessions::by_key(self, key)
    }

    fn line_of(
        &self,
        key: &SessionKey,
        limit: usize,
    ) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError> {
        sessions::line_of(self, key, limit)
    }

    fn sessions(&self, filter: SessionFilter<'_>) -> Result<Vec<Session>, StoreError> {
        sessions::by(self, filter)
    }

    fn card(&self, session: &SessionKey) -> Result<SessionCard, StoreError> {
        sessions::card(self, session)
    }

    fn page(&self, session: &SessionKey, most: usize) -> Result<Option<Notepad>, StoreError> {
        sessions::page(self, session, most)
    }

    fn notes(
        &self,
        session: &SessionKey,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        notes::by(self, session, filter, limit)
    }

    fn tag_counts(
        &self,
        session: &SessionKey,
        tag: Option<&str>,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        notes::tag_counts(self, session, tag, include_scratched)
    }

    fn hits(
        &self,
        corpus: Corpus<'_>,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError> {
        match corpus {
            Corpus::Notes(session) => search::hits(self, session, sets, filter),
            Corpus::Sessions(project) => project_search::hits(self, (project, false), sets, filter),
            Corpus::ProjectNotes(project) => {
                project_search::hits(self, (project, true), sets, filter)
            }
            Corpus::Entries(project) => {
                let entries = search::of_entries(self, project)?;
                Ok(hits_among(if self.is_rehearsal() { &[] } else { &entries[..] }, sets, filter))
            }
        }
    }

    fn plans(&self, project: ProjectId, name: Option<&PlanName>) -> Result<Vec<Plan>, StoreError> {
        plans::plans(self, project, name)
    }

    fn entries(&self, filter: EntryFilter<'_>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        plans::entries(self, &filter, limit)
    }

    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError> {
        plans::last_entry(self, project)
    }

    fn entry_count(&self, filter: EntryFilter<'_>) -> Result<u64, StoreError> {
        plans::count(self, &filter)
    }

    fn handoffs(&self, words: Words<'_>) -> Result<Vec<(String, Handoff)>, StoreError> {
        sessions::handoffs(self, words)
    }

    fn recap(&self, session: &SessionKey) -> Result<Option<KeptRecap>, StoreError> {
        sessions::recap(self, session)
    }

    fn running(&self, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
        sessions::running(self, whose)
    }

    fn journal(&self, filter: &JournalFilter<'_>) -> Result<Vec<JournalEntry>, StoreError> {
        journal::by(self, filter)
    }
}
