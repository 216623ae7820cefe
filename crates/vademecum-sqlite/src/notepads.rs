//! Notepads: the page of a session, edited in place.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::id::SessionId;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Notepad, StoreError};

use crate::error::Port;

pub(crate) fn of(
    connection: &Connection,
    session: SessionId,
) -> Result<Option<Notepad>, StoreError> {
    let sql = "SELECT rev, text, updated_at FROM notepad WHERE session = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    query
        .query_row([session.0], |row| {
            Ok(Notepad { rev: row.get(0)?, text: row.get(1)?, updated_at: Time(row.get(2)?) })
        })
        .optional()
        .port()
}

pub(crate) fn edit(
    connection: &Connection,
    session: SessionId,
    splice: &Splice,
    rev: u32,
    at: Time,
) -> Result<(), StoreError> {
    let old = of(connection, session)?.map(|page| page.text).unwrap_or_default();
    let text =
        splice.apply(&old).map_err(|error| StoreError::Engine { what: error.to_string() })?;
    let sql = "INSERT INTO notepad (session, rev, updated_at, text) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (session) DO UPDATE
               SET rev = excluded.rev, updated_at = excluded.updated_at, text = excluded.text";
    connection.execute(sql, params![session.0, rev, at.0, text]).port()?;
    Ok(())
}

pub(crate) fn drop_page(connection: &Connection, session: SessionId) -> Result<(), StoreError> {
    connection.execute("DELETE FROM notepad WHERE session = ?1", [session.0]).port()?;
    Ok(())
}
