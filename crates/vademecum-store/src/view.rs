//! What can be asked of one snapshot of a store.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Category, Entry, Sameness};
use vademecum_core::id::{EntryId, NoteId, ProjectId, Seq, WriteId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_core::time::Time;

use crate::document::Document;
use crate::error::StoreError;
use crate::journal::JournalEntry;
use crate::store::Unfinished;
use crate::write::Scope;

/// The store's own card.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StoreCard {
    /// When vade was switched off for the whole store; none while it is on.
    pub off_at: Option<Time>,
    /// What was begun to be forgotten and is not gone yet.
    pub unfinished: Unfinished,
}

/// What is counted and noted of a session beside its row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionCard {
    /// How many notes it has.
    pub counts: Counts,
    /// How often its page was written; none until the first write.
    pub notepad_rev: Option<u32>,
    /// When it worked last, as far as that was noted; none while it has only been opened.
    pub worked_at: Option<Time>,
    /// The plan that it was told to use itself.
    pub active_plan: Option<PlanName>,
}

/// The page of a session, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notepad {
    /// How often it was written, from 1.
    pub rev: u32,
    /// The text, byte for byte; where more was not asked for, to the end of a character.
    pub text: String,
    /// How many bytes of it follow.
    #[serde(default)]
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

/// Which notes are asked for; every condition given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoteFilter {
    /// Only notes with all of these tags, in the form that tags are kept in.
    pub tags: Vec<String>,
    /// Crossed-out notes too.
    pub include_scratched: bool,
    /// Only the note with this id.
    pub id: Option<NoteId>,
    /// Only notes behind this id.
    pub after: Option<NoteId>,
    /// In the order of ids, else the newest by (`updated_at`, id) first.
    pub by_id: bool,
}

impl NoteFilter {
    /// Every note of a session, crossed out or not.
    pub const ALL: Self =
        Self { tags: Vec::new(), include_scratched: true, id: None, after: None, by_id: false };

    /// The open notes that have all of `tags`.
    #[must_use]
    pub fn open(tags: &[&str]) -> Self {
        let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
        Self { tags, ..Self::default() }
    }

    /// Whether a note meets every condition.
    #[must_use]
    pub fn lets_through(&self, note: &Note) -> bool {
        self.tags.iter().all(|tag| note.tags.as_slice().contains(tag))
            && (self.include_scratched || !note.is_scratched())
            && self.id.is_none_or(|id| note.id == id)
            && self.after.is_none_or(|after| after < note.id)
    }

    /// What [`View::notes`] gives of these, which may be in any order: at most `limit`, 0 for all.
    #[must_use]
    pub fn pick<'n>(&self, notes: impl IntoIterator<Item = &'n Note>, limit: usize) -> Vec<Note> {
        let all = notes.into_iter().filter(|note| self.lets_through(note));
        let mut found: Vec<&Note> = all.collect();
        if self.by_id {
            found.sort_unstable_by_key(|note| note.id);
        } else {
            found.sort_unstable_by_key(|note| Reverse((note.updated_at, note.id)));
        }
        let most = if limit == 0 { usize::MAX } else { limit };
        found.into_iter().take(most).cloned().collect()
    }
}

/// Which sessions are asked for; every condition given must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionFilter<'a> {
    /// Only those of this project.
    pub project: Option<ProjectId>,
    /// Only those whose external id begins with this.
    pub prefix: Option<&'a str>,
    /// Only those of the harness with this name.
    pub harness: Option<&'a str>,
    /// Ended ones too.
    pub include_archived: bool,
    /// Sub-agents too.
    pub include_agents: bool,
    /// The highest instance number first, else the last started.
    pub by_instance: bool,
    /// At most so many, the first in that order; 0 for all.
    pub limit: usize,
}

impl SessionFilter<'_> {
    /// Every session, ended or not, sub-agents included.
    pub const ALL: Self = Self {
        project: None,
        prefix: None,
        harness: None,
        include_archived: true,
        include_agents: true,
        by_instance: false,
        limit: 0,
    };
}

/// Which entries of plans are asked for; every condition given must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EntryFilter<'a> {
    /// Only those of this project.
    pub project: Option<ProjectId>,
    /// Only those of this plan.
    pub plan: Option<&'a PlanName>,
    /// Only those with this id, which a project has once.
    pub id: Option<EntryId>,
    /// Only those that say the same.
    pub sameness: Option<&'a Sameness>,
    /// Only those of this category.
    pub category: Option<Category>,
    /// Only those that nothing supersedes and that are not resolved.
    pub in_force: bool,
    /// Only those added after this one.
    pub after: Option<EntryId>,
    /// The highest id first, else the newest by (`at`, id).
    pub by_id: bool,
}

impl<'a> EntryFilter<'a> {
    /// Every entry of a plan.
    #[must_use]
    pub fn of(plan: &'a Plan) -> Self {
        Self { project: Some(plan.project), plan: Some(&plan.name), ..Self::default() }
    }
}

/// Which entries of the journal are asked for; every condition given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalFilter<'a> {
    /// Only those of this scope; none for the whole store.
    pub scope: Option<&'a Scope>,
    /// Only those later than this one.
    pub after: Option<Seq>,
    /// Only those earlier than this one.
    pub before: Option<Seq>,
    /// Only those that neither a model nor a harness wrote.
    pub outside: bool,
    /// Only those of this write id; a scope has at most one. A fresh one need not be found.
    pub write_id: Option<&'a WriteId>,
    /// The first written first, else the newest.
    pub oldest_first: bool,
    /// At most so many, the first in that order; 0 for all.
    pub limit: usize,
    /// How many bytes of bodies may be read in all; 0 asks for none, nor for their sizes.
    ///
    /// Bodies are read in the order of the answer, up to the first that does not fit.
    pub bodies: u64,
}

/// Whose words for the next session are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words<'a> {
    /// Those of one session.
    Of(&'a SessionKey),
    /// Those of the sub-agents of the session with this key.
    OfAgents(&'a SessionKey),
}

/// Whose running sub-agents are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose<'a> {
    /// Those of one session.
    Parent(&'a SessionKey),
    /// Those of every session of a project.
    Project(ProjectId),
}

/// Keys that a document must have, all of them: those of its words and of its letters, as [`Document::keys`] makes them.
///
/// An engine may take two keys for one: who reads what it gives sees whether it is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySet<'a> {
    /// The keys; without any nothing is found.
    pub keys: Vec<&'a str>,
    /// So many documents at most, the first of their corpus, and they are counted no further.
    pub most: usize,
    /// Whether none is given where there are as many: what so many have tells little.
    pub is_rare: bool,
}

/// Where documents are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corpus<'a> {
    /// Among the notes of a session, the last added first.
    Notes(&'a SessionKey),
    /// Among all that the sessions of a project keep: those of the session that became known last first, and of each its
    /// recap, its words for the next one, its page, then its notes.
    Sessions(ProjectId),
    /// Among the notes of all sessions of a project alone, in the same order.
    ProjectNotes(ProjectId),
    /// Among the entries of a project, the last added first.
    Entries(ProjectId),
}

/// What has the keys of one set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// The documents, in the order of their corpus.
    pub documents: Vec<Document>,
    /// How many have them, as far as they are counted.
    pub n: usize,
}

/// One snapshot of a store: what an engine answers.
///
/// Callers ask in the shorter words of `impl dyn View` too, which are made of these.
pub trait View {
    /// Says that all that `ask` asks will be asked, so that an engine far away may answer it in one go.
    ///
    /// It may call `ask` for that, more than once and with empty answers; whatever that makes of them is dropped.
    fn expect(&self, _ask: &dyn Fn(&dyn View)) {}

    /// The store's own card.
    fn store(&self) -> Result<StoreCard, StoreError>;

    /// The project known by one of `keys`; the first key that is known decides.
    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError>;

    /// All projects, or the one with this id, the first seen first.
    fn projects(&self, id: Option<ProjectId>) -> Result<Vec<Project>, StoreError>;

    /// What a project is known by.
    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError>;

    /// The session with this key.
    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError>;

    /// A session, its parent, the parent's parent and so on, at most `limit`; none if it is not known.
    ///
    /// Each with the plan that it was told to use itself.
    fn line_of(
        &self,
        key: &SessionKey,
        limit: usize,
    ) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError>;

    /// The sessions of a filter, in its order.
    fn sessions(&self, filter: SessionFilter<'_>) -> Result<Vec<Session>, StoreError>;

    /// What is counted and noted of a session; of one that is not known, nothing.
    fn card(&self, session: &SessionKey) -> Result<SessionCard, StoreError>;

    /// The page of a session, of which at most `most` bytes are read however large it is.
    ///
    /// None until the first write.
    fn page(&self, session: &SessionKey, most: usize) -> Result<Option<Notepad>, StoreError>;

    /// The notes of a filter, in its order, at most `limit`; 0 for all.
    fn notes(
        &self,
        session: &SessionKey,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError>;

    /// How often each tag is used, or this one: count descending, then name. One without a use is not there.
    fn tag_counts(
        &self,
        session: &SessionKey,
        tag: Option<&str>,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError>;

    /// For each set of keys the documents that have all of them, in the order of their corpus; of notes of one session
    /// those that pass the filter.
    ///
    /// What a fork still lacks of long sessions need not be found in its project: it is found where it comes from.
    fn hits(
        &self,
        corpus: Corpus<'_>,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError>;

    /// The plans of a project, by name, or the one with exactly this name.
    fn plans(&self, project: ProjectId, name: Option<&PlanName>) -> Result<Vec<Plan>, StoreError>;

    /// The entries of a filter, in its order, at most `limit`; 0 for all.
    fn entries(&self, filter: EntryFilter<'_>, limit: usize) -> Result<Vec<Entry>, StoreError>;

    /// The newest entry id ever given in a project.
    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError>;

    /// How many entries a filter lets through.
    fn entry_count(&self, filter: EntryFilter<'_>) -> Result<u64, StoreError>;

    /// What was written for the next session, the newest first.
    ///
    /// Each behind the id of the sub-agent that wrote it, which is empty for a session's own.
    fn handoffs(&self, words: Words<'_>) -> Result<Vec<(String, Handoff)>, StoreError>;

    /// The last recap that was made of a session.
    fn recap(&self, session: &SessionKey) -> Result<Option<KeptRecap>, StoreError>;

    /// The sub-agents that have started and not stopped, the first started first.
    fn running(&self, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError>;

    /// The journal's entries of a filter, in its order, with as many bodies as it allows.
    fn journal(&self, filter: &JournalFilter<'_>) -> Result<Vec<JournalEntry>, StoreError>;
}
