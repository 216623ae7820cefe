//! Notepads: the page of a session, edited in place.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::id::SessionId;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Notepad, StoreError};

use crate::borrowed::{self, Kind};
use crate::error::Port;

pub(crate) fn of(
    connection: &Connection,
    session: SessionId,
) -> Result<Option<Notepad>, StoreError> {
    const OWN: &str = "SELECT rev, text, updated_at FROM notepad WHERE session = ?1";
    const BORROWED: &str = "SELECT borrowed.rev, held.text, borrowed.updated_at
                            FROM borrowed JOIN notepad AS held ON held.session = borrowed.page
                            WHERE borrowed.session = ?1";
    // Who has a page of its own does not pay for the other question.
    match page(connection, OWN, session)? {
        None => page(connection, BORROWED, session),
        own => Ok(own),
    }
}

fn page(
    connection: &Connection,
    sql: &str,
    session: SessionId,
) -> Result<Option<Notepad>, StoreError> {
    let mut query = connection.prepare_cached(sql).port()?;
    query
        .query_row([session.0], |row| {
            Ok(Notepad { rev: row.get(0)?, text: row.get(1)?, updated_at: Time(row.get(2)?) })
        })
        .optional()
        .port()
}

pub(crate) fn rev(connection: &Connection, session: SessionId) -> Result<Option<u32>, StoreError> {
    let sql = "SELECT rev FROM notepad WHERE session = ?1
               UNION ALL SELECT rev FROM borrowed WHERE session = ?1 AND page IS NOT NULL";
    let mut query = connection.prepare_cached(sql).port()?;
    query.query_row([session.0], |row| row.get(0)).optional().port()
}

pub(crate) fn edit(
    connection: &Connection,
    session: SessionId,
    splice: &Splice,
    rev: u32,
    at: Time,
) -> Result<(), StoreError> {
    borrowed::settle(connection, session, Kind::Page)?;
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
    if borrowed::give_back(connection, session, Kind::Page)? {
        return Ok(());
    }
    borrowed::settle(connection, session, Kind::Page)?;
    connection.execute("DELETE FROM notepad WHERE session = ?1", [session.0]).port()?;
    Ok(())
}
