//! What the door does with every kind of thing that may lie in the way.

mod named;
mod reading;
mod world;
mod writing;
