//! The list of all operations, for surfaces to walk.

use crate::operation::Op;
pub use crate::ops::ALL;

/// The operation with this name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static Op> {
    ALL.iter().find(|op| op.declaration.name == name || op.declaration.aliases.contains(&name))
}
