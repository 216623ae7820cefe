//! Numbers of documents: who has them, a session or a project, which of its orders they are in, and the place there.
//!
//! A session is a range of numbers, so that the keys of a project serve each of its sessions. A place is given once;
//! of what a session has one at most, all that was ever there has the same number.

use vademecum_store::StoreError;

use crate::names::{ProjectRow, SessionRow};

/// So many bits are left for the place.
const PLACE_BITS: u32 = 25;

/// So many bits are left for the order and the place.
const SESSION_BITS: u32 = 28;

/// An order of documents, which they are in by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    /// The notes, as lists show them.
    Listed,
    /// Notes that were changed out of that order, as an undo or an import does: in the order of these changes.
    Moved,
    /// The page.
    Page,
    /// The words for the next session.
    Words,
    /// The last recap.
    Recap,
    /// The entries of a project, which has no other order.
    Entries,
}

impl Order {
    const ALL: [Self; 6] =
        [Self::Listed, Self::Moved, Self::Page, Self::Words, Self::Recap, Self::Entries];

    /// The order that a number is in; none of a later program's.
    pub(crate) fn of(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|order| *order as i64 == number >> PLACE_BITS & 7)
    }

    /// Whether the documents in it are notes.
    pub(crate) fn is_of_notes(self) -> bool {
        self <= Self::Moved
    }
}

/// The number of a note.
pub(crate) fn number(session: SessionRow, order: Order, place: i64) -> Result<i64, StoreError> {
    if place >> PLACE_BITS != 0 {
        let what = format!(
            "a session takes {} changes of notes, and a project so many entries",
            (1 << PLACE_BITS) - 1
        );
        return Err(StoreError::Engine { what });
    }
    Ok(session.0 << SESSION_BITS | (order as i64) << PLACE_BITS | place)
}

/// The number of what a session has one at most.
pub(crate) fn only(session: SessionRow, order: Order) -> i64 {
    range(session, order).0
}

/// The number of an entry.
pub(crate) fn entry(project: ProjectRow, place: i64) -> Result<i64, StoreError> {
    number(SessionRow(project.0), Order::Entries, place)
}

/// The least number of an entry of a project, and the last one.
pub(crate) fn entries(project: ProjectRow) -> (i64, i64) {
    range(SessionRow(project.0), Order::Entries)
}

/// The least number of an order, and the last one.
pub(crate) fn range(session: SessionRow, order: Order) -> (i64, i64) {
    let first = session.0 << SESSION_BITS | (order as i64) << PLACE_BITS;
    (first, first | ((1 << PLACE_BITS) - 1))
}

/// The least number of a note of a session, and the last one.
pub(crate) fn notes(session: SessionRow) -> (i64, i64) {
    (range(session, Order::Listed).0, range(session, Order::Moved).1)
}

/// Whose number it is.
pub(crate) fn session(number: i64) -> SessionRow {
    SessionRow(number >> SESSION_BITS)
}
