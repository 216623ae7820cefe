//! JavaScript in a child process that is held to limits: the engine, the locks, and the parent's end.
//!
//! The child reads no file, opens no connection and sees no environment; it asks its parent for each call
//! through two pipes. The parent trusts nothing that it hears: it counts, bounds and times for itself.

mod child;
mod error;
mod limits;
mod locks;
mod machine;
mod parent;
mod wire;

pub use child::{WORD, child};
pub use error::SandboxError;
pub use limits::Limits;
pub use locks::Locks;
pub use parent::{Asked, Program, Ran, run};
pub use wire::{Failure, Fault, Place, Refusal};
