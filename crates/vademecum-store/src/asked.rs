//! What is asked of a snapshot in fewer words: made of the questions that engines answer.

use vademecum_core::entry::{Category, Entry, Sameness};
use vademecum_core::id::{EntryId, NoteId, ProjectId, Seq, WriteId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::Project;
use vademecum_core::session::{Session, SessionKey};

use crate::error::StoreError;
use crate::journal::{Body, JournalEntry, Record};
use crate::view::{
    Counts, EntryFilter, Handoff, JournalFilter, NoteFilter, Notepad, SessionFilter, View, Words,
};
use crate::write::Scope;

impl dyn View + '_ {
    /// The project with this id.
    pub fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        Ok(self.projects(Some(id))?.pop())
    }

    /// The sessions of a project whose external id begins with `prefix`, sub-agents included.
    pub fn sessions_by_prefix(
        &self,
        project: ProjectId,
        prefix: &str,
    ) -> Result<Vec<Session>, StoreError> {
        let project = Some(project);
        self.sessions(SessionFilter { project, prefix: Some(prefix), ..SessionFilter::ALL })
    }

    /// The highest instance number in a project, 0 if it has no session.
    pub fn last_instance(&self, project: ProjectId) -> Result<u32, StoreError> {
        let project = Some(project);
        let last = SessionFilter { project, by_instance: true, limit: 1, ..SessionFilter::ALL };
        Ok(self.sessions(last)?.first().map_or(0, |session| session.instance))
    }

    /// The whole page of a session; none until the first write.
    pub fn notepad(&self, session: &SessionKey) -> Result<Option<Notepad>, StoreError> {
        self.page(session, usize::MAX)
    }

    /// How many notes a session has.
    pub fn counts(&self, session: &SessionKey) -> Result<Counts, StoreError> {
        Ok(self.card(session)?.counts)
    }

    /// How often the page of a session was written; none until the first write.
    pub fn notepad_rev(&self, session: &SessionKey) -> Result<Option<u32>, StoreError> {
        Ok(self.card(session)?.notepad_rev)
    }

    /// One note.
    pub fn note(&self, session: &SessionKey, id: NoteId) -> Result<Option<Note>, StoreError> {
        let one = NoteFilter { id: Some(id), ..NoteFilter::ALL };
        Ok(self.notes(session, &one, 1)?.pop())
    }

    /// The notes of a session behind `after` by id, at most `limit`: all of them, slice by slice.
    pub fn notes_after(
        &self,
        session: &SessionKey,
        after: Option<NoteId>,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.notes(session, &NoteFilter { after, by_id: true, ..NoteFilter::ALL }, limit)
    }

    /// How often one tag is used.
    pub fn tag_count(
        &self,
        session: &SessionKey,
        tag: &str,
        include_scratched: bool,
    ) -> Result<u64, StoreError> {
        let found = self.tag_counts(session, Some(tag), include_scratched)?;
        Ok(found.first().map_or(0, |count| count.count))
    }

    /// How often each tag is used: count descending, then name.
    pub fn tags(
        &self,
        session: &SessionKey,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        self.tag_counts(session, None, include_scratched)
    }

    /// The plan of a project with exactly this name.
    pub fn plan(&self, project: ProjectId, name: &PlanName) -> Result<Option<Plan>, StoreError> {
        Ok(self.plans(project, Some(name))?.pop())
    }

    /// One entry of a project.
    pub fn entry(&self, project: ProjectId, id: EntryId) -> Result<Option<Entry>, StoreError> {
        let one = EntryFilter { project: Some(project), id: Some(id), ..EntryFilter::default() };
        Ok(self.entries(one, 1)?.pop())
    }

    /// The last entry of a plan that says the same, and whether it is in force.
    pub fn same_entry(
        &self,
        plan: &Plan,
        sameness: &Sameness,
    ) -> Result<Option<(Entry, bool)>, StoreError> {
        let (sameness, by_id) = (Some(sameness), true);
        let same = EntryFilter { sameness, by_id, ..EntryFilter::of(plan) };
        let Some(last) = self.entries(same, 1)?.pop() else { return Ok(None) };
        let in_force = EntryFilter { id: Some(last.id), in_force: true, ..same };
        let is_in_force = self.entry_count(in_force)? == 1;
        Ok(Some((last, is_in_force)))
    }

    /// The newest entries in force of a plan, at most `limit` of each category, and whether any has more.
    ///
    /// Each category in its order, of each the newest by (`at`, id) first.
    pub fn newest_entries(
        &self,
        plan: &Plan,
        limit: usize,
    ) -> Result<(Vec<Entry>, bool), StoreError> {
        let (mut all, mut has_more) = (Vec::new(), false);
        for category in Category::ALL {
            let category = Some(category);
            let newest = EntryFilter { category, in_force: true, ..EntryFilter::of(plan) };
            let mut entries = self.entries(newest, limit + 1)?;
            has_more |= limit < entries.len();
            entries.truncate(limit);
            all.append(&mut entries);
        }
        Ok((all, has_more))
    }

    /// What the agent of a session wrote for the next.
    pub fn handoff(&self, session: &SessionKey) -> Result<Option<Handoff>, StoreError> {
        Ok(self.handoffs(Words::Of(session))?.pop().map(|(_, handoff)| handoff))
    }

    /// What the sub-agents of a session wrote for the next, each behind its id, the newest first.
    pub fn handoffs_of_agents(
        &self,
        parent: &SessionKey,
    ) -> Result<Vec<(String, Handoff)>, StoreError> {
        self.handoffs(Words::OfAgents(parent))
    }

    /// The journal's entries of a filter, without bodies.
    pub fn records_by(&self, filter: &JournalFilter<'_>) -> Result<Vec<Record>, StoreError> {
        let entries = self.journal(filter)?;
        Ok(entries.into_iter().map(|entry| entry.record).collect())
    }

    /// The journal's entries of a scope, the newest first, at most `limit`; 0 for all.
    pub fn records(&self, scope: &Scope, limit: usize) -> Result<Vec<Record>, StoreError> {
        let scope = Some(scope);
        self.records_by(&JournalFilter { scope, limit, ..JournalFilter::default() })
    }

    /// The journal's entries of a scope after `after` that neither its model nor its harness wrote.
    ///
    /// The first written first, at most `limit`; 0 for all.
    pub fn records_outside(
        &self,
        scope: &Scope,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let (scope, after) = (Some(scope), Some(after));
        let (outside, oldest_first) = (true, true);
        let filter =
            JournalFilter { scope, after, outside, oldest_first, limit, ..Default::default() };
        self.records_by(&filter)
    }

    /// The journal's entry of a write id in a scope.
    pub fn record_of(&self, scope: &Scope, id: &WriteId) -> Result<Option<Record>, StoreError> {
        let (scope, write_id) = (Some(scope), Some(id));
        let one = JournalFilter { scope, write_id, limit: 1, ..JournalFilter::default() };
        Ok(self.records_by(&one)?.pop())
    }

    /// The newest entry of a scope in the journal, 0 when it has none.
    pub fn last_seq(&self, scope: &Scope) -> Result<Seq, StoreError> {
        Ok(self.records(scope, 1)?.first().map_or(Seq(0), |record| record.seq))
    }

    /// The body of a journal's entry; none when it was erased.
    pub fn body(&self, seq: Seq) -> Result<Option<Body>, StoreError> {
        Ok(self.with_body(seq, u64::MAX)?.and_then(|entry| entry.body))
    }

    /// A journal's entry, with its body if that takes at most `room` bytes.
    pub fn with_body(&self, seq: Seq, room: u64) -> Result<Option<JournalEntry>, StoreError> {
        let (after, before) = (Some(Seq(seq.0 - 1)), Some(Seq(seq.0 + 1)));
        // No body is of one byte: a room of nothing still asks for the size.
        let bodies = room.max(1);
        let one = JournalFilter { after, before, bodies, ..JournalFilter::default() };
        Ok(self.journal(&one)?.pop())
    }
}
