//! The embedded engine, seen through the port.

mod conformance;
