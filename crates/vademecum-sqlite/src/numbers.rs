//! Numbers of documents: the session that has them, which of its orders they are in, and the place there.
//!
//! A session is a range of numbers, so that the keys of a project serve each of its sessions. A place is given once.

use vademecum_store::StoreError;

use crate::names::SessionRow;

/// So many bits are left for the place.
const PLACE_BITS: u32 = 25;

/// So many bits are left for the order and the place.
const SESSION_BITS: u32 = 28;

/// An order of a session, which its documents are in by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The notes, as lists show them.
    Listed,
    /// Notes that were changed out of that order, as an undo or an import does: in the order of these changes.
    Moved,
}

/// The number of a note.
pub(crate) fn number(session: SessionRow, order: Order, place: i64) -> Result<i64, StoreError> {
    if place >> PLACE_BITS != 0 {
        let what = format!("a session takes {} changes of notes", (1 << PLACE_BITS) - 1);
        return Err(StoreError::Engine { what });
    }
    Ok(session.0 << SESSION_BITS | (order as i64) << PLACE_BITS | place)
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
