//! The command vade.
fn main() {}
