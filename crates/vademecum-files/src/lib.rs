//! The one door to files that others may have made: opened first, then looked at, then used.
//!
//! A repository, an archive or a log may put a link, a FIFO or a device where a file is expected. So a
//! file is opened below a folder that is open already, no link on the way is followed and nothing waits;
//! only a regular file of a bearable size is read, and only one without a second name is written to.
//! Errors say what was found and where. They never quote what is in it.

mod draft;
mod error;
mod kind;
mod lock;
mod named;
mod root;
mod walk;
mod write;

pub use draft::{draft_name, draft_of};
pub use error::{FileError, Wanted};
pub use kind::{Kind, Stat};
pub use lock::Lock;
pub use named::{kind_at, open_named, read_in, read_named, resolve, stat_named};
pub use root::{Entry, Root};
