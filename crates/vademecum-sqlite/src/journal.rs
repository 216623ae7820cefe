//! The journal: entries in order, their bodies apart, and the chain.

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::hash::{Hash, Key};
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_store::{Body, Origin, Record, Scope, StoreError, chain};

use crate::error::{Port, is_value, unreadable};
use crate::schema;
use crate::sessions::limit;

const COLUMNS: &str = "seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash";

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let scope: String = row.get(1)?;
    let origin: String = row.get(4)?;
    Ok(Record {
        seq: Seq(row.get(0)?),
        scope: Scope::from(scope.as_str()),
        write_id: row.get(2)?,
        kind: row.get(3)?,
        origin: Origin::parse(&origin).ok_or_else(|| unreadable(4, origin))?,
        at: Time(row.get(5)?),
        body_hash: row.get(6)?,
        prev_hash: row.get(7)?,
        hash: row.get(8)?,
    })
}

/// Whether the row with this number can be read as an entry.
pub(crate) fn is_entry(connection: &Connection, seq: Seq) -> Result<bool, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE seq = ?1");
    match connection.prepare_cached(&sql).port()?.query_row([seq.0], record) {
        Ok(_) => Ok(true),
        Err(error) if is_value(&error) => Ok(false),
        Err(error) => Err(error).port(),
    }
}

pub(crate) fn by_write_id(
    connection: &Connection,
    scope: &Scope,
    id: &WriteId,
) -> Result<Option<Record>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE scope = ?1 AND write_id = ?2");
    let mut query = connection.prepare_cached(&sql).port()?;
    query.query_row(params![scope.to_string(), id.as_str()], record).optional().port()
}

pub(crate) fn of_scope(
    connection: &Connection,
    scope: &Scope,
    before: Option<Seq>,
    n_most: usize,
) -> Result<Vec<Record>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM journal WHERE scope = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3"
    );
    let before = before.map_or(i64::MAX, |seq| seq.0);
    collect(connection, &sql, params![scope.to_string(), before, limit(n_most)])
}

pub(crate) fn outside(
    connection: &Connection,
    scope: &Scope,
    after: Seq,
    n_most: usize,
) -> Result<Vec<Record>, StoreError> {
    // The condition on the origin is the one of the index: only what is told is read.
    let sql = format!(
        "SELECT {COLUMNS} FROM journal
         WHERE scope = ?1 AND ?2 < seq AND origin NOT GLOB '*/agent' AND origin NOT GLOB 'hook/*'
         ORDER BY seq LIMIT ?3"
    );
    collect(connection, &sql, params![scope.to_string(), after.0, limit(n_most)])
}

pub(crate) fn after(
    connection: &Connection,
    after: Seq,
    n_most: usize,
) -> Result<Vec<Record>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE ?1 < seq ORDER BY seq LIMIT ?2");
    collect(connection, &sql, params![after.0, limit(n_most)])
}

fn collect(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Record>, StoreError> {
    let mut query = connection.prepare_cached(sql).port()?;
    let rows = query.query_map(values, record).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn newest(connection: &Connection) -> Result<Seq, StoreError> {
    let sql = "SELECT coalesce(max(seq), 0) FROM journal";
    connection.prepare_cached(sql).port()?.query_row([], |row| row.get(0).map(Seq)).port()
}

pub(crate) fn last_seq(connection: &Connection, scope: &Scope) -> Result<Seq, StoreError> {
    let sql = "SELECT coalesce(max(seq), 0) FROM journal WHERE scope = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    query.query_row([scope.to_string()], |row| row.get(0).map(Seq)).port()
}

pub(crate) fn body(connection: &Connection, seq: Seq) -> Result<Option<Body>, StoreError> {
    let Some(bytes) = body_bytes(connection, seq)? else {
        return Ok(None);
    };
    let corrupt = |error: serde_json::Error| StoreError::Corrupt {
        what: format!("journal body {}: {error}", seq.0),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(corrupt)
}

/// How long the body of an entry is; it is not read.
pub(crate) fn body_size(connection: &Connection, seq: Seq) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT length(body) FROM journal_body WHERE seq = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let size = query.query_row([seq.0], |row| row.get::<_, i64>(0)).optional().port()?;
    Ok(size.map(i64::unsigned_abs))
}

/// The body of an entry as it is kept and hashed.
pub(crate) fn body_bytes(connection: &Connection, seq: Seq) -> Result<Option<Vec<u8>>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT body FROM journal_body WHERE seq = ?1").port()?;
    query.query_row([seq.0], |row| row.get(0)).optional().port()
}

/// The entries whose bodies cannot be read as such.
///
/// Of those of a later program only the form is known.
pub(crate) fn unreadable_bodies(connection: &Connection) -> Result<Vec<Seq>, StoreError> {
    let is_later = schema::is_later(connection)?;
    let is_body = |bytes: &[u8]| {
        if is_later {
            serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
        } else {
            serde_json::from_slice::<Body>(bytes).is_ok()
        }
    };
    let mut query = connection.prepare("SELECT seq, body FROM journal_body ORDER BY seq").port()?;
    let rows =
        query.query_map([], |row| Ok((Seq(row.get(0)?), is_body(row.get_ref(1)?.as_bytes()?))));
    let rows = rows.port()?.collect::<rusqlite::Result<Vec<_>>>().port()?;
    Ok(rows.into_iter().filter(|(_, is_body)| !is_body).map(|(seq, _)| seq).collect())
}

/// Appends an entry; the number it gets is the next one, which nobody else can take behind the gate.
pub(crate) fn append(
    connection: &Connection,
    key: &Key,
    write: &vademecum_store::Write,
    body: &Body,
) -> Result<Seq, StoreError> {
    let bytes =
        serde_json::to_vec(body).map_err(|error| StoreError::Engine { what: error.to_string() })?;
    let mut record = Record {
        seq: Seq(next_seq(connection)?),
        scope: write.scope.clone(),
        write_id: write.id.as_str().to_owned(),
        kind: write.kind.to_owned(),
        origin: write.origin.clone(),
        at: write.at,
        body_hash: chain::body_hash(key, &bytes),
        prev_hash: last_hash(connection, &write.scope)?,
        hash: chain::START,
    };
    record.hash = chain::entry_hash(key, &record);
    insert(connection, &record, &bytes)?;
    Ok(record.seq)
}

/// Numbers are never used twice, not even after the newest entries were taken away.
fn next_seq(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'journal'), 0) + 1";
    connection.prepare_cached(sql).port()?.query_row([], |row| row.get(0)).port()
}

fn last_hash(connection: &Connection, scope: &Scope) -> Result<Hash, StoreError> {
    let sql = "SELECT hash FROM journal WHERE scope = ?1 ORDER BY seq DESC LIMIT 1";
    let mut query = connection.prepare_cached(sql).port()?;
    let hash = query.query_row([scope.to_string()], |row| row.get(0)).optional().port()?;
    Ok(hash.unwrap_or(chain::START))
}

fn insert(connection: &Connection, record: &Record, body: &[u8]) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let values = params![
        record.seq.0,
        record.scope.to_string(),
        record.write_id,
        record.kind,
        record.origin.word(),
        record.at.0,
        record.body_hash,
        record.prev_hash,
        record.hash,
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    let sql = "INSERT INTO journal_body (seq, body) VALUES (?1, ?2)";
    connection.prepare_cached(sql).port()?.execute(params![record.seq.0, body]).port()?;
    Ok(())
}
