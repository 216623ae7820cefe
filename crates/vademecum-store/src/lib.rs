//! The port that engines fill: one snapshot to read, one transaction to write, and a feed.

mod answers;
mod asked;
mod candidates;
pub mod chain;
pub mod change;
pub mod conformance;
mod document;
pub mod error;
pub mod faulty;
pub mod journal;
pub mod members;
mod memory;
mod read_only;
pub mod store;
pub mod transcripts;
pub mod view;
pub mod write;

pub use answers::{Answering, Answers};
pub use candidates::{Candidates, ProjectCandidates, hits_among};
pub use change::{Change, CopiedBody, CopiedRecord};
pub use document::{Document, entry_text, recap_text};
pub use error::{AT_SERVER, NO_ANSWER, READ_ONLY, StoreError, UNMIGRATED};
pub use faulty::Faulty;
pub use journal::{Body, JournalEntry, Record};
pub use members::{Invited, Members};
pub use memory::Memory;
pub use read_only::ReadOnly;
pub use store::{Depth, Erase, Health, IntentId, Parts, Store, Unfinished, read, unsaid, write};
pub use transcripts::{DatabasePart, DatabaseSession, Databases};
pub use view::{
    Corpus, Counts, EntryFilter, Handoff, Hits, JournalFilter, KeptRecap, KeySet, NoteFilter,
    Notepad, SessionCard, SessionFilter, StoreCard, View, Whose, Words,
};
pub use write::{Author, Decision, Origin, Outcome, Scope, Surface, Write, Writer};
