//! Tests of the recap through its public functions.

mod promises;
mod recap;
mod seed;
mod tail;
mod turns;
