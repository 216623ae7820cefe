//! What can be asked of one snapshot of a store.

use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Category, Entry, Sameness};
use vademecum_core::id::{EntryId, NoteId, PlanId, ProjectId, Seq, SessionId, WriteId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::search::Query;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_core::time::Time;

use crate::error::StoreError;
use crate::journal::{Body, Record};
use crate::write::Scope;

/// The page of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notepad {
    /// How often it was written, from 1.
    pub rev: u32,
    /// The text, byte for byte.
    pub text: String,
    /// When it was last written.
    pub updated_at: Time,
}

/// The start of a page, and how large the whole is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageHead {
    /// How often the page was written, from 1.
    pub rev: u32,
    /// As much of the text as was asked for, to the end of a character.
    pub text: String,
    /// How many bytes of it follow.
    pub more: u64,
    /// When it was last written.
    pub updated_at: Time,
}

/// What an agent wrote for the session after its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handoff {
    /// Its words, byte for byte.
    pub text: String,
    /// When they were last written.
    pub updated_at: Time,
}

/// A recap that was made of a session, in the form of its maker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRecap {
    /// The recap as JSON; an engine does not look into it.
    pub body: String,
    /// When it was made.
    pub at: Time,
}

/// How many notes a session has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// All of them.
    pub notes: u64,
    /// Those that are not crossed out.
    pub open: u64,
    /// The newest id ever given, deleted ones included.
    pub last: Option<NoteId>,
}

/// Which notes are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoteFilter {
    /// Only notes with all of these tags, in the form that tags are kept in.
    pub tags: Vec<String>,
    /// Crossed-out notes too.
    pub include_scratched: bool,
}

/// Which sessions are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionFilter {
    /// Only those of this project.
    pub project: Option<ProjectId>,
    /// Ended ones too.
    pub include_archived: bool,
    /// Sub-agents too.
    pub include_agents: bool,
    /// At most so many, the last started first; 0 for all.
    pub limit: usize,
}

/// Which entries of a plan are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EntryFilter {
    /// Only those of this category.
    pub category: Option<Category>,
    /// Only those that nothing supersedes and that are not resolved.
    pub in_force: bool,
    /// Only those added after this one.
    pub after: Option<EntryId>,
}

/// Whose running sub-agents are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Those of one session.
    Parent(SessionId),
    /// Those of every session of a project.
    Project(ProjectId),
}

/// What an engine finds for a query, for core to verify and rank.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    /// The notes, in no order that means anything.
    pub notes: Vec<Note>,
    /// What ranking needs to know of the session.
    pub stats: vademecum_core::search::Stats,
}

/// One snapshot of a store.
pub trait View {
    /// When vade was switched off for the whole store; none while it is on.
    fn off_at(&self) -> Result<Option<Time>, StoreError>;

    /// The project known by one of `keys`; the first key that is known decides.
    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError>;

    /// The project with this id.
    fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError>;

    /// What a project is known by.
    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError>;

    /// All projects, by id.
    fn projects(&self) -> Result<Vec<Project>, StoreError>;

    /// The session with this key.
    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError>;

    /// A session, its parent, the parent's parent and so on, at most `limit`; none if it is not known.
    fn line_of(&self, key: &SessionKey, limit: usize) -> Result<Vec<SessionId>, StoreError>;

    /// The session with this id.
    fn session_by_id(&self, id: SessionId) -> Result<Option<Session>, StoreError>;

    /// The sessions of a project whose external id begins with `prefix`, sub-agents included.
    fn sessions_by_prefix(
        &self,
        project: ProjectId,
        prefix: &str,
    ) -> Result<Vec<Session>, StoreError>;

    /// Sessions, the last started first.
    fn sessions(&self, filter: SessionFilter) -> Result<Vec<Session>, StoreError>;

    /// The highest instance number in a project, 0 if it has no session.
    fn last_instance(&self, project: ProjectId) -> Result<u32, StoreError>;

    /// The page of a session; none until the first write.
    fn notepad(&self, session: SessionId) -> Result<Option<Notepad>, StoreError>;

    /// The page of a session, of which at most `most` bytes are read however large it is.
    fn notepad_head(&self, session: SessionId, most: usize)
    -> Result<Option<PageHead>, StoreError>;

    /// How often the page of a session was written, without its text; none until the first write.
    fn notepad_rev(&self, session: SessionId) -> Result<Option<u32>, StoreError>;

    /// One note.
    fn note(&self, session: SessionId, id: NoteId) -> Result<Option<Note>, StoreError>;

    /// The newest notes by (`updated_at`, id), at most `limit`; 0 for all.
    fn notes(
        &self,
        session: SessionId,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError>;

    /// The notes of a session behind `after` by id, at most `limit`: all of them, slice by slice.
    fn notes_after(
        &self,
        session: SessionId,
        after: Option<NoteId>,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError>;

    /// How many notes a session has.
    fn counts(&self, session: SessionId) -> Result<Counts, StoreError>;

    /// How often one tag is used.
    fn tag_count(
        &self,
        session: SessionId,
        tag: &str,
        include_scratched: bool,
    ) -> Result<u64, StoreError> {
        let tags = self.tags(session, include_scratched)?;
        Ok(tags.iter().find(|count| count.tag == *tag).map_or(0, |count| count.count))
    }

    /// How often each tag is used: count descending, then name.
    fn tags(
        &self,
        session: SessionId,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError>;

    /// Finds what might match `query`: bounded work, however common a word is.
    fn candidates(
        &self,
        session: SessionId,
        query: &Query,
        filter: &NoteFilter,
    ) -> Result<Candidates, StoreError>;

    /// The plans of a project, by name.
    fn plans(&self, project: ProjectId) -> Result<Vec<Plan>, StoreError>;

    /// The plan of a project with exactly this name.
    fn plan(&self, project: ProjectId, name: &PlanName) -> Result<Option<Plan>, StoreError>;

    /// The plan that a session was told to use itself.
    fn active_plan(&self, session: SessionId) -> Result<Option<PlanId>, StoreError>;

    /// The newest entries of a plan by (`at`, id), at most `limit`; 0 for all.
    fn entries(
        &self,
        plan: PlanId,
        filter: EntryFilter,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError>;

    /// The newest entries in force of a plan, at most `limit` of each category, and whether any has more.
    ///
    /// Each category in its order, of each the newest by (`at`, id) first.
    fn newest_entries(&self, plan: PlanId, limit: usize) -> Result<(Vec<Entry>, bool), StoreError>;

    /// One entry of a project.
    fn entry(&self, project: ProjectId, id: EntryId) -> Result<Option<Entry>, StoreError>;

    /// The newest entry of a plan that says the same, and whether it is in force.
    fn same_entry(
        &self,
        plan: PlanId,
        sameness: &Sameness,
    ) -> Result<Option<(Entry, bool)>, StoreError>;

    /// How many entries a plan has.
    fn entry_count(&self, plan: PlanId, filter: EntryFilter) -> Result<u64, StoreError>;

    /// The newest entry id ever given in a project.
    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError>;

    /// What the agent of a session wrote for the next.
    fn handoff(&self, session: SessionId) -> Result<Option<Handoff>, StoreError>;

    /// What the sub-agents of a session wrote for the next, each behind its id, the newest first.
    fn handoffs_of_agents(&self, parent: &SessionKey)
    -> Result<Vec<(String, Handoff)>, StoreError>;

    /// The last recap that was made of a session.
    fn recap(&self, session: SessionId) -> Result<Option<KeptRecap>, StoreError>;

    /// When a session worked last, as far as that was noted; none while it has only been opened.
    fn worked_at(&self, session: SessionId) -> Result<Option<Time>, StoreError>;

    /// The sub-agents that have started and not stopped, the first started first.
    fn running(&self, whose: Whose) -> Result<Vec<SubAgent>, StoreError>;

    /// The entry of a write id in a scope.
    fn record_of(&self, scope: &Scope, id: &WriteId) -> Result<Option<Record>, StoreError>;

    /// The entries of a scope, the newest first, before `before` if given; 0 for all.
    fn journal(
        &self,
        scope: &Scope,
        before: Option<Seq>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError>;

    /// The entries of a scope after `after` that neither its model nor its harness wrote, oldest first.
    fn journal_outside(
        &self,
        scope: &Scope,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError>;

    /// The body of an entry; none when it was erased.
    fn body(&self, seq: Seq) -> Result<Option<Body>, StoreError>;

    /// How many bytes the body of an entry takes; none when it was erased.
    fn body_size(&self, seq: Seq) -> Result<Option<u64>, StoreError>;

    /// The newest entry of a scope, 0 when it has none.
    fn last_seq(&self, scope: &Scope) -> Result<Seq, StoreError>;
}
