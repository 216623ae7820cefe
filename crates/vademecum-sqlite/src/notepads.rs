//! Notepads: the page of a session, edited in place.

use std::io::Read;

use rusqlite::{Connection, MAIN_DB, OptionalExtension, params};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Notepad, StoreError};

use crate::error::Port;
use crate::index;
use crate::names::SessionRow;
use crate::numbers::{self, Order};

/// The page as far as `most` bytes of it; of a larger one the rest is not read from the disk.
pub(crate) fn of(
    connection: &Connection,
    session: SessionRow,
    most: usize,
) -> Result<Option<Notepad>, StoreError> {
    // The length stands before the text, so that a text that is too large is not touched here.
    let sql = "SELECT rev, updated_at, octet_length(text),
                      CASE WHEN octet_length(text) <= ?2 THEN text END
               FROM notepad WHERE session = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let found =
        query.query_row(params![session.0, i64::try_from(most).unwrap_or(i64::MAX)], |row| {
            let (rev, at): (u32, i64) = (row.get(0)?, row.get(1)?);
            let (size, text): (i64, Option<String>) = (row.get(2)?, row.get(3)?);
            Ok((rev, Time(at), size.unsigned_abs(), text))
        });
    let Some((rev, updated_at, size, text)) = found.optional().port()? else {
        return Ok(None);
    };
    let text = match text {
        Some(text) => text,
        None if most == 0 => String::new(),
        None => start(connection, session.0, most)?,
    };
    let more = size.saturating_sub(text.len() as u64);
    Ok(Some(Notepad { rev, text, more, updated_at }))
}

/// The first bytes of the page in a row, to the end of a character.
fn start(connection: &Connection, row: i64, most: usize) -> Result<String, StoreError> {
    let blob = connection.blob_open(MAIN_DB, "notepad", "text", row, true).port()?;
    let mut bytes = Vec::with_capacity(most);
    let read = blob.take(most as u64).read_to_end(&mut bytes);
    read.map_err(|error| StoreError::Engine { what: error.to_string() })?;
    let end = match std::str::from_utf8(&bytes) {
        // The cut is where it is; what is damaged before it is no text.
        Err(error) if error.error_len().is_some() => {
            let what = format!("the notepad is no UTF-8 text from byte {}", error.valid_up_to());
            return Err(StoreError::Corrupt { what });
        }
        Err(error) => error.valid_up_to(),
        Ok(text) => text.len(),
    };
    bytes.truncate(end);
    String::from_utf8(bytes).map_err(|error| StoreError::Corrupt { what: error.to_string() })
}

pub(crate) fn edit(
    connection: &Connection,
    session: SessionRow,
    splice: &Splice,
    rev: u32,
    at: Time,
) -> Result<(), StoreError> {
    let old = of(connection, session, usize::MAX)?.map(|page| page.text).unwrap_or_default();
    let text =
        splice.apply(&old).map_err(|error| StoreError::Engine { what: error.to_string() })?;
    let sql = "INSERT INTO notepad (session, rev, updated_at, text) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (session) DO UPDATE
               SET rev = excluded.rev, updated_at = excluded.updated_at, text = excluded.text";
    connection.execute(sql, params![session.0, rev, at.0, text]).port()?;
    index::renew(connection, numbers::only(session, Order::Page))
}

pub(crate) fn drop_page(connection: &Connection, session: SessionRow) -> Result<(), StoreError> {
    connection.execute("DELETE FROM notepad WHERE session = ?1", [session.0]).port()?;
    index::forget(connection, numbers::only(session, Order::Page)).map(drop)
}
