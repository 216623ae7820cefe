//! The operations of vademecum, each declared once, and what surfaces need to call them.

mod adopt;
pub mod call;
pub mod children;
pub mod config;
pub mod drafts;
pub mod error;
pub mod fields;
pub mod gather;
pub mod handoffs;
pub mod history;
pub mod mirror;
pub mod moments;
pub mod notes;
pub mod offer;
pub mod operation;
pub mod ops;
pub mod page;
pub mod place;
pub mod plans;
pub mod recaps;
pub mod registry;
pub mod sandbox;
pub mod schema;
pub mod settings;
pub mod shapes;
pub mod succession;
pub mod switch;
pub mod transfer;
pub mod who;
pub mod wisdom;
pub mod world;

pub use call::{Call, Caller};
pub use config::Config;
pub use error::OpError;
pub use operation::{Declaration, Op, Operation, Reply};
pub use world::{Folders, World};
