//! The engine in PostgreSQL, seen through the port, on the server that `VADE_TEST_POSTGRES` names.

mod conformance;
mod guests;
mod pooler;
mod rights;
mod scene;
mod search;
mod server;
#[cfg(feature = "later")]
mod unknown_changes;
