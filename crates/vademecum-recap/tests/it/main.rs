//! Tests of the recap through its public functions.

mod background;
mod files;
mod past;
mod plan;
mod promises;
mod readers;
mod recap;
#[cfg(feature = "seed")]
mod seed;
mod since;
mod state;
mod statements;
mod tail;
mod turns;
