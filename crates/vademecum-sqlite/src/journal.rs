//! The journal: entries in order, their bodies apart, and the chain.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::hash::{Hash, Key};
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_store::{
    Body, JournalEntry, JournalFilter, Origin, Record, Scope, StoreError, chain,
};

use crate::error::{Port, is_value, unreadable};
use crate::names::Names;
use crate::schema;
use crate::sessions::limit;
use crate::undo;

const COLUMNS: &str = "seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash";

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let scope: String = row.get(1)?;
    let origin: String = row.get(4)?;
    Ok(Record {
        seq: Seq(row.get(0)?),
        // As it stands there: what it names is found out for who asks by the port.
        scope: Scope::Unknown(scope.into()),
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
    scope: &str,
    id: &WriteId,
) -> Result<Option<Record>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE scope = ?1 AND write_id = ?2");
    let mut query = connection.prepare_cached(&sql).port()?;
    query.query_row(params![scope, id.as_str()], record).optional().port()
}

/// The entries of a filter. A condition that is not asked is not in the statement, so that each
/// choice of conditions gets the index that fits it.
pub(crate) fn by(
    names: &Names<'_>,
    filter: &JournalFilter<'_>,
) -> Result<Vec<JournalEntry>, StoreError> {
    let records = match filter.scope.map(|scope| names.find_scope(scope)).transpose()? {
        Some(None) => Vec::new(),
        scope => listed(names.connection, scope.flatten().as_deref(), filter)?,
    };
    let mut left = Some(filter.bodies);
    let with_body = |mut record: Record| {
        record.scope = match filter.scope {
            Some(scope) => scope.clone(),
            None => names.scope_of(&record.scope.to_string())?,
        };
        let (size, body) = match filter.bodies {
            0 => (None, None),
            _ => body_within(names, record.seq, &mut left)?,
        };
        Ok(JournalEntry { record, size, body })
    };
    records.into_iter().map(with_body).collect()
}

fn listed(
    connection: &Connection,
    scope: Option<&str>,
    filter: &JournalFilter<'_>,
) -> Result<Vec<Record>, StoreError> {
    let write_id = filter.write_id.map(WriteId::as_str);
    let (after, before) = (filter.after.map(|seq| seq.0), filter.before.map(|seq| seq.0));
    let n_most = limit(filter.limit);
    let mut sql = format!("SELECT {COLUMNS} FROM journal WHERE true");
    let mut values: Vec<&dyn ToSql> = Vec::new();
    for (condition, value) in [
        (" AND scope = ?", scope.as_ref().map(|it| it as &dyn ToSql)),
        (" AND write_id = ?", write_id.as_ref().map(|it| it as _)),
        (" AND ? < seq", after.as_ref().map(|it| it as _)),
        (" AND seq < ?", before.as_ref().map(|it| it as _)),
    ] {
        let Some(value) = value else { continue };
        sql.push_str(condition);
        values.push(value);
    }
    if filter.outside {
        // The condition is the one of the index: only what is told is read.
        sql.push_str(" AND origin NOT GLOB '*/agent' AND origin NOT GLOB 'hook/*'");
    }
    let newest_first = " ORDER BY seq DESC LIMIT ?";
    sql.push_str(if filter.oldest_first { " ORDER BY seq LIMIT ?" } else { newest_first });
    values.push(&n_most);
    collect(connection, &sql, values.as_slice())
}

/// How many bytes a body takes, and the body if it fits what is `left`; nothing is left after the first that does not.
fn body_within(
    names: &Names<'_>,
    seq: Seq,
    left: &mut Option<u64>,
) -> Result<(Option<u64>, Option<Body>), StoreError> {
    // The length stands before the body, so that one that is too large is not touched.
    let sql = "SELECT length(body), CASE WHEN length(body) <= ?2 THEN body END
               FROM journal_body WHERE seq = ?1";
    let mut query = names.connection.prepare_cached(sql).port()?;
    let most = left.map_or(-1, |left| i64::try_from(left).unwrap_or(i64::MAX));
    let sized = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<Vec<u8>>>(1)?));
    let Some((size, bytes)) = query.query_row((seq.0, most), sized).optional().port()? else {
        return Ok((None, None));
    };
    let size = size.unsigned_abs();
    *left = left.and_then(|left| left.checked_sub(size));
    let body = bytes.map(|bytes| undo::read(names, seq, &bytes)).transpose()?;
    Ok((Some(size), body))
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

pub(crate) fn body(names: &Names<'_>, seq: Seq) -> Result<Option<Body>, StoreError> {
    let bytes = body_bytes(names.connection, seq)?;
    bytes.map(|bytes| undo::read(names, seq, &bytes)).transpose()
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
            undo::is_body(bytes)
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
    names: &Names<'_>,
    key: &Key,
    write: &vademecum_store::Write,
    body: &undo::Kept,
) -> Result<Seq, StoreError> {
    let (connection, scope) = (names.connection, names.scope(&write.scope)?);
    let bytes = body.bytes()?;
    let mut record = Record {
        seq: Seq(next_seq(connection)?),
        scope: Scope::Unknown(scope.as_str().into()),
        write_id: write.id.as_str().to_owned(),
        kind: write.kind.to_owned(),
        origin: write.origin.clone(),
        at: write.at,
        body_hash: chain::body_hash(key, &bytes),
        prev_hash: last_hash(connection, &scope)?,
        hash: chain::START,
    };
    record.hash = chain::entry_hash(key, &record);
    insert(connection, &record, &bytes)?;
    Ok(record.seq)
}

/// Numbers are never used twice, not even after the newest entries were taken away.
fn next_seq(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'journal'";
    let mut query = connection.prepare_cached(sql).port()?;
    let last: Option<i64> = query.query_row([], |row| row.get(0)).optional().port()?;
    Ok(last.unwrap_or(0) + 1)
}

fn last_hash(connection: &Connection, scope: &str) -> Result<Hash, StoreError> {
    // By the statement of lists: whoever asks for both has it made once.
    let newest = JournalFilter { limit: 1, ..JournalFilter::default() };
    let last = listed(connection, Some(scope), &newest)?.pop();
    Ok(last.map_or(chain::START, |record| record.hash))
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
