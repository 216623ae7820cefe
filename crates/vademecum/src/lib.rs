//! The working memory of AI agents: opens a store by its address and calls the operations on it.

pub mod controller;
pub mod dialect;
#[cfg(doctest)]
mod guide;
pub mod sharing;
pub mod store;
pub mod vade;
pub mod world;

pub use controller::Controller;
pub use sharing::Sharing;
pub use store::{Address, Opened, Patience, open};
pub use vade::{Session, Vade};
pub use vademecum_core as core;
pub use vademecum_files as files;
pub use vademecum_harness as harness;
pub use vademecum_ops as ops;
pub use vademecum_sandbox as sandbox;
pub use vademecum_store as port;
