//! Turns become statements, facts and chunks, these are scored, and the best become a recap within a budget; pure.

pub mod collapse;
pub mod command;
mod compose;
mod cues;
mod digest;
pub mod fact;
pub mod names;
pub mod past;
pub mod rank;
#[cfg(feature = "seed")]
pub mod seed;
mod state;
mod statement;
mod tail;
mod trace;

pub use compose::{Coverage, Part, Recap, Section, tokens};
pub use digest::{Digest, Options, Stop};
pub use state::{Committed, Failed, Listed, Standing, State};
pub use tail::{Tail, TailRecap};
pub use trace::{Place, Places, Said, Trace};
