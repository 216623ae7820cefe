//! The domain of vademecum, pure: no file, clock, environment or outside shape is known here.

pub mod context;
pub mod entry;
pub mod error;
pub mod frame;
pub mod hash;
pub mod id;
pub mod intake;
pub mod merge;
pub mod mirror;
pub mod note;
pub mod notepad;
pub mod openers;
pub mod plan;
pub mod planner;
pub mod profile;
pub mod project;
pub mod scratchpad;
pub mod search;
pub mod secrets;
pub mod session;
pub mod splice;
pub mod sub_agent;
pub mod time;
pub mod tokens;
pub mod turn;
pub mod wisdom;
