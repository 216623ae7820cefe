//! The embedded engine, seen through the port.

mod conformance;
mod files;
mod scene;
mod search;
mod tampering;
mod waiting;
