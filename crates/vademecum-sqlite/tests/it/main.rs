//! The embedded engine, seen through the port.

mod conformance;
mod erased;
mod files;
mod forks;
mod full;
mod later;
mod model;
mod names;
mod repair;
mod restoring;
mod rows;
mod scene;
mod search;
mod side_files;
mod slices;
mod stood;
mod tampering;
#[cfg(feature = "later")]
mod unknown_changes;
mod waiting;
