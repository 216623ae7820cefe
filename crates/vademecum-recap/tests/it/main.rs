//! Tests of the recap through its public functions.

mod promises;
mod recap;
mod turns;
