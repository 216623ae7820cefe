//! The port that engines fill: one snapshot to read, one transaction to write, and a feed.

pub mod chain;
pub mod change;
pub mod conformance;
pub mod error;
pub mod faulty;
pub mod journal;
pub mod store;
pub mod transcripts;
pub mod view;
pub mod write;

pub use change::Change;
pub use error::StoreError;
pub use faulty::Faulty;
pub use journal::{Body, Record};
pub use store::{Erase, Health, Store, read, write};
pub use transcripts::{DatabasePart, DatabaseSession, Databases};
pub use view::{
    Candidates, Counts, EntryFilter, Handoff, KeptRecap, NoteFilter, Notepad, PageHead,
    SessionFilter, View, Whose,
};
pub use write::{Author, Decision, Origin, Outcome, Scope, Surface, Write};
