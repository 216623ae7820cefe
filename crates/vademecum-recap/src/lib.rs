//! Turns become statements, facts and chunks, these are scored, and the best become a recap within a budget; pure.

pub mod command;
mod compose;
mod digest;
pub mod fact;
pub mod rank;
pub mod seed;
mod statement;
mod tail;

pub use compose::{Coverage, Offer, Part, Recap, Section, tokens};
pub use digest::{Digest, Options, Stop};
pub use tail::{Tail, TailRecap};
