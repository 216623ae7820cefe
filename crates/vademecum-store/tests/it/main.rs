//! The engine `memory:`, seen through the port.

mod conformance;
mod handles;
mod scene;
mod search;
mod waiting;
