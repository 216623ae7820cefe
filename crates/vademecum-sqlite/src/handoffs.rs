//! What a session leaves to the next: the agent's own words, the recap made of it, and whether it worked.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::time::Time;
use vademecum_store::{Handoff, KeptRecap, StoreError, Words};

use crate::error::Port;
use crate::index;
use crate::names::{Names, SessionRow};
use crate::numbers::{self, Order};

pub(crate) fn of(
    names: &Names<'_>,
    words: Words<'_>,
) -> Result<Vec<(String, Handoff)>, StoreError> {
    match words {
        Words::Of(key) => {
            let Some(SessionRow(row)) = names.find_session(key)? else { return Ok(Vec::new()) };
            let sql = "SELECT '', text, updated_at FROM handoff WHERE session = ?1";
            collect(names.connection, sql, [row])
        }
        Words::OfAgents(parent) => {
            // Few sessions have sub-agents: those are looked up first, by their key.
            let sql = "SELECT session.agent, handoff.text, handoff.updated_at
                       FROM session CROSS JOIN handoff ON handoff.session = session.id
                       WHERE session.harness = ?1 AND session.external = ?2 AND session.agent <> ''
                       ORDER BY handoff.updated_at DESC, session.id DESC";
            collect(names.connection, sql, [&parent.harness, &parent.external])
        }
    }
}

fn collect(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<(String, Handoff)>, StoreError> {
    let mut query = connection.prepare_cached(sql).port()?;
    let rows = query.query_map(values, |row| {
        Ok((row.get(0)?, Handoff { text: row.get(1)?, updated_at: Time(row.get(2)?) }))
    });
    rows.port()?.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn set(
    connection: &Connection,
    session: SessionRow,
    text: Option<&str>,
    at: Time,
) -> Result<(), StoreError> {
    if let Some(text) = text {
        let sql = "INSERT OR REPLACE INTO handoff (session, updated_at, text) VALUES (?1, ?2, ?3)";
        connection.execute(sql, params![session.0, at.0, text]).port()?;
        index::renew(connection, numbers::only(session, Order::Words))
    } else {
        connection.execute("DELETE FROM handoff WHERE session = ?1", [session.0]).port()?;
        index::forget(connection, numbers::only(session, Order::Words)).map(drop)
    }
}

pub(crate) fn recap(
    connection: &Connection,
    session: SessionRow,
) -> Result<Option<KeptRecap>, StoreError> {
    let sql = "SELECT body, at FROM recap WHERE session = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    query
        .query_row([session.0], |row| Ok(KeptRecap { body: row.get(0)?, at: Time(row.get(1)?) }))
        .optional()
        .port()
}

/// A recap of so many bytes is long; it is written once a session, and no hook waits for it.
const LONG: usize = 8 * 1024;

pub(crate) fn set_recap(
    connection: &Connection,
    session: SessionRow,
    body: &str,
    at: Time,
) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO recap (session, at, body) VALUES (?1, ?2, ?3)";
    connection.execute(sql, params![session.0, at.0, body]).port()?;
    let number = numbers::only(session, Order::Recap);
    if LONG <= body.len() {
        index::renew_long(connection, number)
    } else {
        index::renew(connection, number)
    }
}

pub(crate) fn set_worked(
    connection: &Connection,
    session: SessionRow,
    at: Time,
) -> Result<(), StoreError> {
    let sql = "UPDATE session SET worked_at = max(coalesce(worked_at, ?2), ?2) WHERE id = ?1";
    connection.execute(sql, params![session.0, at.0]).port()?;
    Ok(())
}
