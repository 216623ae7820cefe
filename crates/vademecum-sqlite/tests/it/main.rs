//! The embedded engine, seen through the port.

mod conformance;
mod files;
mod scene;
mod tampering;
mod waiting;
