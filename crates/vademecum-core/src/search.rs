//! Search in notes: which keys a note is found by, what a query asks for, and which note comes first.
//!
//! An engine looks [`keys`] up and hands over candidates; [`rank`] reads their text and decides.

mod fold;
mod keys;
mod near;
mod query;
mod rank;
mod read;
mod score;
mod seed;
mod split;
mod stem;
mod stop;
mod topics;
mod words;

pub use keys::{Keys, keys};
pub use query::{Literal, Query, Term};
pub use rank::{Count, Hit, Searched, Stats, Tier, rank};
pub use score::weigh;
pub use seed::rank_seed;
pub use topics::{each_topic, each_word, topic, topics};

#[cfg(test)]
mod tests;
