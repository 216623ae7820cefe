//! Pages and notes that a session has from another one, their holder, until either of the two changes.
//!
//! A session has rows of its own of a kind or borrows them, never both; a holder has rows of its own.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::time::Time;
use vademecum_store::StoreError;

use crate::error::Port;
use crate::index;
use crate::names::SessionRow;

/// What can be borrowed.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Page,
    Notes,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Page, Self::Notes];

    /// The column that names the holder.
    fn column(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Notes => "notes",
        }
    }
}

/// The session that holds what `session` borrows; none if it borrows nothing of the kind.
pub(crate) fn holder(
    connection: &Connection,
    session: SessionRow,
    kind: Kind,
) -> Result<Option<SessionRow>, StoreError> {
    let sql = format!("SELECT {} FROM borrowed WHERE session = ?1", kind.column());
    let mut query = connection.prepare_cached(&sql).port()?;
    let found: Option<Option<i64>> =
        query.query_row([session.0], |row| row.get(0)).optional().port()?;
    Ok(found.flatten().map(SessionRow))
}

/// Lends what `from` has of a kind to a session that has nothing of it.
pub(crate) fn lend(
    connection: &Connection,
    kind: Kind,
    session: SessionRow,
    from: SessionRow,
    at: Time,
) -> Result<(), StoreError> {
    match kind {
        Kind::Page => lend_page(connection, session, from, at),
        Kind::Notes => lend_notes(connection, session, from),
    }
}

fn lend_page(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
    at: Time,
) -> Result<(), StoreError> {
    let holder = holder(connection, from, Kind::Page)?.unwrap_or(from);
    let sql = "INSERT INTO borrowed (session, page, rev, updated_at)
               SELECT ?1, session, 1, ?3 FROM notepad WHERE session = ?2
                   AND NOT EXISTS (SELECT 1 FROM notepad WHERE session = ?1)
               ON CONFLICT (session) DO UPDATE
               SET page = excluded.page, rev = excluded.rev, updated_at = excluded.updated_at
               WHERE page IS NULL";
    connection.execute(sql, params![session.0, holder.0, at.0]).port()?;
    Ok(())
}

/// The counts go with the notes.
fn lend_notes(
    connection: &Connection,
    session: SessionRow,
    from: SessionRow,
) -> Result<(), StoreError> {
    let holder = holder(connection, from, Kind::Notes)?.unwrap_or(from);
    let sql = "INSERT INTO borrowed (session, notes)
               SELECT id, ?2 FROM holder WHERE id = ?1 AND n_notes = 0
                   AND EXISTS (SELECT 1 FROM note WHERE session = ?2)
               ON CONFLICT (session) DO UPDATE SET notes = excluded.notes";
    if connection.execute(sql, params![session.0, holder.0]).port()? == 0 {
        return Ok(());
    }
    let sql = "UPDATE holder SET n_notes = held.n_notes, n_open = held.n_open,
                   last_id = max(coalesce(holder.last_id, 0), held.last_id)
               FROM holder AS held WHERE held.id = ?2 AND holder.id = ?1";
    connection.execute(sql, params![session.0, from.0]).port()?;
    Ok(())
}

/// Ends what a session borrows of a kind, without a copy; whether it borrowed.
pub(crate) fn give_back(
    connection: &Connection,
    session: SessionRow,
    kind: Kind,
) -> Result<bool, StoreError> {
    let column = kind.column();
    let dates = match kind {
        Kind::Page => ", rev = NULL, updated_at = NULL",
        Kind::Notes => "",
    };
    let sql = format!(
        "UPDATE borrowed SET {column} = NULL{dates} WHERE session = ?1 AND {column} IS NOT NULL"
    );
    let had = connection.execute(&sql, [session.0]).port()?;
    let sql = "DELETE FROM borrowed WHERE session = ?1 AND page IS NULL AND notes IS NULL";
    connection.execute(sql, [session.0]).port()?;
    Ok(had != 0)
}

/// Makes copies real, before rows of this kind change in `session`.
///
/// A borrower copies for itself. What a holder has is copied to one borrower, who holds it for the others.
pub(crate) fn settle(
    connection: &Connection,
    session: SessionRow,
    kind: Kind,
) -> Result<(), StoreError> {
    let column = kind.column();
    let sql = format!(
        "SELECT session, {column} FROM borrowed WHERE session = ?1 AND {column} IS NOT NULL
         UNION ALL SELECT session, {column} FROM borrowed WHERE {column} = ?1 LIMIT 1"
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let pair = |row: &rusqlite::Row<'_>| Ok((SessionRow(row.get(0)?), SessionRow(row.get(1)?)));
    let Some((borrower, holder)) = query.query_row([session.0], pair).optional().port()? else {
        return Ok(());
    };
    match kind {
        Kind::Page => copy_page(connection, borrower)?,
        Kind::Notes => copy_notes(connection, holder, borrower)?,
    }
    give_back(connection, borrower, kind)?;
    if holder == session {
        let sql = format!("UPDATE borrowed SET {column} = ?2 WHERE {column} = ?1");
        connection.execute(&sql, params![holder.0, borrower.0]).port()?;
    }
    Ok(())
}

fn copy_page(connection: &Connection, borrower: SessionRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO notepad (session, rev, updated_at, text)
               SELECT borrowed.session, borrowed.rev, borrowed.updated_at, held.text
               FROM borrowed JOIN notepad AS held ON held.session = borrowed.page
               WHERE borrowed.session = ?1";
    connection.execute(sql, [borrower.0]).port()?;
    Ok(())
}

/// Copies notes in the order in which the index has them, so that a search finds what it found before.
fn copy_notes(
    connection: &Connection,
    holder: SessionRow,
    borrower: SessionRow,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO note (session, id, created_at, updated_at, scratched_at, tags, content)
               SELECT ?2, id, created_at, updated_at, scratched_at, tags, content
               FROM note WHERE session = ?1 ORDER BY row";
    connection.execute(sql, params![holder.0, borrower.0]).port()?;
    index::add_all(connection, borrower)
}

/// Makes the copies real that others borrow from sessions in table `gone`, before these go.
pub(crate) fn outlive(connection: &Connection) -> Result<(), StoreError> {
    let sql = "DELETE FROM borrowed WHERE session IN (SELECT id FROM gone)";
    connection.execute(sql, []).port()?;
    for kind in Kind::ALL {
        let column = kind.column();
        let sql = format!(
            "SELECT DISTINCT {column} FROM borrowed WHERE {column} IN (SELECT id FROM gone)"
        );
        let mut query = connection.prepare(&sql).port()?;
        let holders = query.query_map([], |row| row.get(0).map(SessionRow)).port()?;
        for holder in holders.collect::<rusqlite::Result<Vec<_>>>().port()? {
            settle(connection, holder, kind)?;
        }
    }
    Ok(())
}

/// Ends what is borrowed and not there, and takes the counts of borrowers from their holders.
pub(crate) fn mend(connection: &Connection) -> Result<(), StoreError> {
    connection
        .execute_batch(
            "UPDATE borrowed SET page = NULL, rev = NULL, updated_at = NULL
             WHERE page IS NULL OR page NOT IN (SELECT session FROM notepad)
                 OR session IN (SELECT session FROM notepad);
             UPDATE borrowed SET rev = coalesce(rev, 1), updated_at = coalesce(updated_at, 0)
             WHERE page IS NOT NULL;
             UPDATE borrowed SET notes = NULL
             WHERE NOT EXISTS (SELECT 1 FROM note WHERE note.session = borrowed.notes)
                 OR EXISTS (SELECT 1 FROM note WHERE note.session = borrowed.session);
             DELETE FROM borrowed WHERE page IS NULL AND notes IS NULL;
             UPDATE holder SET n_notes = held.n_notes, n_open = held.n_open,
                 last_id = max(coalesce(holder.last_id, 0), held.last_id)
             FROM borrowed, holder AS held
             WHERE borrowed.session = holder.id AND held.id = borrowed.notes;",
        )
        .port()
}
