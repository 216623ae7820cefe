//! The embedded engine, seen through the port.

mod borrowing;
mod conformance;
mod files;
mod migration;
mod model;
mod repair;
mod scene;
mod search;
mod tampering;
mod waiting;
