//! The journal: one row an entry, with its body; each points at the one before it in its scope.
//!
//! Who has the journal keeps its head, so that neither a list nor the next entry needs an index by scope.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_store::chain::{self, Seal};
use vademecum_store::{Body, JournalEntry, JournalFilter, Origin, Record, Scope, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Port, is_value, unreadable};
use crate::names::{Holder, Names};
use crate::schema;
use crate::sessions::limit;
use crate::undo;

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str = "+journal.seq, +journal.write_id, +journal.kind, +author.surface, +author.author, \
                       +journal.at, +journal.body_hash, +journal.hash, +journal.holder, \
                       +journal.before, +journal.outside";

const FROM: &str = "journal LEFT JOIN author ON author.id = journal.author";

/// The fact in table `store` that holds the last number where entries were taken out behind it.
const LAST: &str = "last_seq";

/// An entry as it stands in its row.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// What the port knows of it, but for its scope.
    pub(crate) record: Record,
    /// Who has the journal.
    pub(crate) holder: Holder,
    /// The entry before it in the scope; 0 for the first.
    pub(crate) before: Seq,
    /// The one before it there that an outsider wrote.
    pub(crate) outside: Seq,
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let word = |column| -> rusqlite::Result<&str> {
        row.get_ref(column)?.as_str().map_err(|error| unreadable(column, error))
    };
    let record = Record {
        seq: Seq(row.get(0)?),
        // What it is called is found out for who asks by the port.
        scope: Scope::Store,
        write_id: row.get(1)?,
        kind: row.get(2)?,
        origin: Origin { surface: word(3)?.into(), author: word(4)?.into() },
        at: Time(row.get(5)?),
        body_hash: row.get(6)?,
        hash: row.get(7)?,
    };
    let holder = Holder(row.get(8)?);
    Ok(Entry { record, holder, before: Seq(row.get(9)?), outside: Seq(row.get(10)?) })
}

/// Whether the row with this number can be read as an entry.
pub(crate) fn is_entry(connection: &Connection, seq: Seq) -> Result<bool, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM {FROM} WHERE seq = ?1");
    match connection.prepare_cached(&sql).port()?.query_row([seq.0], entry) {
        Ok(_) => Ok(true),
        Err(error) if is_value(&error) => Ok(false),
        Err(error) => Err(error).port(),
    }
}

/// What the index knows of a write id, whoever's it is.
fn short(id: &str) -> i64 {
    (xxh3_64(id.as_bytes()) >> 24).cast_signed()
}

/// The entry of a write.
pub(crate) fn by_write_id(
    connection: &Connection,
    holder: Holder,
    id: &WriteId,
) -> Result<Option<Entry>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS} FROM {FROM} WHERE short = ?1 AND write_id = ?2 AND holder = ?3");
    let mut query = connection.prepare_cached(&sql).port()?;
    let values = params![short(id.as_str()), id.as_str(), holder.0];
    query.query_row(values, entry).optional().port()
}

fn one(connection: &Connection, seq: Seq) -> Result<Option<Entry>, StoreError> {
    in_line(connection, (Some(seq), None, false))
}

/// The newest entry of a line, or the newest that an outsider wrote.
fn newest_of(
    connection: &Connection,
    holder: Holder,
    outside: bool,
) -> Result<Option<Entry>, StoreError> {
    in_line(connection, (None, Some(holder), outside))
}

/// The entry with this number, else the newest of a holder: one statement, for whoever asks for both has it made once.
fn in_line(
    connection: &Connection,
    (seq, holder, outside): (Option<Seq>, Option<Holder>, bool),
) -> Result<Option<Entry>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {FROM} WHERE seq = coalesce(?1,
             (SELECT CASE WHEN ?3 THEN outside ELSE head END FROM holder WHERE id = ?2))"
    );
    let values = params![seq.map(|seq| seq.0), holder.map(|holder| holder.0), outside];
    connection.prepare_cached(&sql).port()?.query_row(values, entry).optional().port()
}

/// The entries of a filter.
pub(crate) fn by(
    names: &Names<'_>,
    filter: &JournalFilter<'_>,
) -> Result<Vec<JournalEntry>, StoreError> {
    let connection = names.connection;
    let found = match filter.scope.map(|scope| names.find_holder(scope)).transpose()? {
        Some(None) => Vec::new(),
        None => listed(connection, filter)?,
        Some(Some(holder)) => match filter.write_id {
            None => line(connection, holder, filter)?,
            Some(id) => {
                let found = by_write_id(connection, holder, id)?.into_iter();
                found.filter(|it| lets_through(filter, &it.record)).collect()
            }
        },
    };
    let mut left = Some(filter.bodies);
    let with_body = |Entry { mut record, holder, .. }: Entry| {
        record.scope = match filter.scope {
            Some(scope) => scope.clone(),
            None => names.scope_of(holder)?,
        };
        let (size, body) = match filter.bodies {
            0 => (None, None),
            _ => body_within(names, record.seq, &mut left)?,
        };
        Ok(JournalEntry { record, size, body })
    };
    found.into_iter().map(with_body).collect()
}

fn lets_through(filter: &JournalFilter<'_>, record: &Record) -> bool {
    filter.after.is_none_or(|after| after < record.seq)
        && filter.before.is_none_or(|before| record.seq < before)
        && (!filter.outside || record.origin.is_outside())
}

/// The entries of one scope, each found by the one behind it.
fn line(
    connection: &Connection,
    holder: Holder,
    filter: &JournalFilter<'_>,
) -> Result<Vec<Entry>, StoreError> {
    let after = filter.after.unwrap_or(Seq(0)).max(Seq(0));
    let n_most = if filter.limit == 0 { usize::MAX } else { filter.limit };
    let n_walked = if filter.oldest_first { usize::MAX } else { n_most };
    let before_it = |entry: &Entry| if filter.outside { entry.outside } else { entry.before };
    // Who goes on where a list ended names an entry of the same scope.
    let from = filter.before.map(|seq| one(connection, seq)).transpose()?.flatten();
    let from = from.filter(|from| from.holder == holder);
    let mut next = from.map(|from| before_it(&from));
    let mut found = Vec::new();
    while next.is_none_or(|next| after < next) && found.len() < n_walked {
        let entry = match next {
            Some(next) => one(connection, next)?,
            None => newest_of(connection, holder, filter.outside)?,
        };
        let Some(entry) = entry.filter(|entry| after < entry.record.seq) else { break };
        next = Some(before_it(&entry));
        if lets_through(filter, &entry.record) {
            found.push(entry);
        }
    }
    if filter.oldest_first {
        found.reverse();
        found.truncate(n_most);
    }
    Ok(found)
}

/// The entries of all scopes. A condition that is not asked is not in the statement.
fn listed(connection: &Connection, filter: &JournalFilter<'_>) -> Result<Vec<Entry>, StoreError> {
    let id = filter.write_id.map(WriteId::as_str);
    let short = id.map(short);
    let (after, before) = (filter.after.map(|seq| seq.0), filter.before.map(|seq| seq.0));
    let n_most = limit(filter.limit);
    let mut sql = format!("SELECT {COLUMNS} FROM {FROM} WHERE true");
    let mut values: Vec<&dyn ToSql> = Vec::new();
    for (condition, value) in [
        (" AND short = ?", short.as_ref().map(|it| it as &dyn ToSql)),
        (" AND write_id = ?", id.as_ref().map(|it| it as _)),
        (" AND ? < seq", after.as_ref().map(|it| it as _)),
        (" AND seq < ?", before.as_ref().map(|it| it as _)),
    ] {
        let Some(value) = value else { continue };
        sql.push_str(condition);
        values.push(value);
    }
    if filter.outside {
        sql.push_str(" AND author.author <> 'agent' AND author.surface <> 'hook'");
    }
    let newest_first = " ORDER BY seq DESC LIMIT ?";
    sql.push_str(if filter.oldest_first { " ORDER BY seq LIMIT ?" } else { newest_first });
    values.push(&n_most);
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map(values.as_slice(), entry).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

/// How many bytes a body takes, and the body if it fits what is `left`; nothing is left after the first that does not.
fn body_within(
    names: &Names<'_>,
    seq: Seq,
    left: &mut Option<u64>,
) -> Result<(Option<u64>, Option<Body>), StoreError> {
    // The length stands before the body, so that one that is too large is not touched.
    let sql = "SELECT length(arguments) + length(reply) + length(undo) AS size,
                   CASE WHEN length(arguments) + length(reply) + length(undo) <= ?2 THEN arguments END,
                   reply, undo
               FROM journal WHERE seq = ?1";
    let mut query = names.connection.prepare_cached(sql).port()?;
    let most = left.map_or(-1, |left| i64::try_from(left).unwrap_or(i64::MAX));
    let sized = |row: &Row<'_>| {
        let Some(size) = row.get::<_, Option<i64>>(0)? else { return Ok(None) };
        let Some(arguments) = row.get(1)? else { return Ok(Some((size, None))) };
        let kept = undo::Kept { arguments, reply: row.get(2)?, undo: row.get(3)? };
        Ok(Some((size, Some(kept))))
    };
    let found = query.query_row((seq.0, most), sized).optional().port()?.flatten();
    let Some((size, kept)) = found else { return Ok((None, None)) };
    let size = size.unsigned_abs();
    *left = left.and_then(|left| left.checked_sub(size));
    let body = kept.map(|kept| undo::read(names, seq, kept)).transpose()?;
    Ok((Some(size), body))
}

pub(crate) fn newest(connection: &Connection) -> Result<Seq, StoreError> {
    let sql = "SELECT coalesce(max(seq), 0) FROM journal";
    connection.prepare_cached(sql).port()?.query_row([], |row| row.get(0).map(Seq)).port()
}

pub(crate) fn body(names: &Names<'_>, seq: Seq) -> Result<Option<Body>, StoreError> {
    kept(names.connection, seq)?.map(|kept| undo::read(names, seq, kept)).transpose()
}

/// The body of an entry as it is kept and hashed; none where it was erased.
pub(crate) fn kept(connection: &Connection, seq: Seq) -> Result<Option<undo::Kept>, StoreError> {
    let sql = "SELECT arguments, reply, undo FROM journal WHERE seq = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let kept = |row: &Row<'_>| {
        let parts: [Option<Vec<u8>>; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
        let [Some(arguments), Some(reply), Some(undo)] = parts else { return Ok(None) };
        Ok(Some(undo::Kept { arguments, reply, undo }))
    };
    Ok(query.query_row([seq.0], kept).optional().port()?.flatten())
}

/// Every entry, those of one holder after the other, each line in order.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Entry>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM {FROM} ORDER BY holder, seq");
    let mut query = connection.prepare(&sql).port()?;
    query.query_map([], entry).port()?.collect::<rusqlite::Result<_>>().port()
}

/// The entries whose bodies cannot be read as such.
///
/// Of those of a later program only the form is known.
pub(crate) fn unreadable_bodies(connection: &Connection) -> Result<Vec<Seq>, StoreError> {
    let is_later = schema::is_later(connection)?;
    let is_json = |bytes: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    let sql = "SELECT seq, arguments, reply, undo FROM journal
               WHERE coalesce(arguments, reply, undo) IS NOT NULL ORDER BY seq";
    let mut query = connection.prepare(sql).port()?;
    let is_body = |row: &Row<'_>| -> rusqlite::Result<bool> {
        let parts: [Option<Vec<u8>>; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
        let [Some(arguments), Some(reply), Some(undo)] = parts else { return Ok(false) };
        let kept = undo::Kept { arguments, reply, undo };
        Ok(if is_later { is_json(&kept.undo) } else { undo::is_body(&kept) })
    };
    let rows = query.query_map([], |row| Ok((Seq(row.get(0)?), is_body(row)?)));
    let rows = rows.port()?.collect::<rusqlite::Result<Vec<_>>>().port()?;
    Ok(rows.into_iter().filter(|(_, is_body)| !is_body).map(|(seq, _)| seq).collect())
}

/// The end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Head {
    /// The newest entry; 0 while there is none.
    pub(crate) seq: Seq,
    /// The newest that an outsider wrote.
    pub(crate) outside: Seq,
    /// Its hash, or what a line begins with; none while nothing was written.
    pub(crate) hash: Option<Seal>,
    /// What it begins with; none while nothing was written.
    pub(crate) start: Option<Seal>,
}

fn head_in(row: &Row<'_>) -> rusqlite::Result<Head> {
    let (seq, outside) = (Seq(row.get(0)?), Seq(row.get(1)?));
    Ok(Head { seq, outside, hash: row.get(2)?, start: row.get(3)? })
}

/// The end of a holder's line; none where the holder was lost.
pub(crate) fn find_head(
    connection: &Connection,
    holder: Holder,
) -> Result<Option<Head>, StoreError> {
    let sql = "SELECT head, outside, head_hash, start FROM holder WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    query.query_row([holder.0], head_in).optional().port()
}

/// Puts the end of a holder's line where it is now.
pub(crate) fn set_head(
    connection: &Connection,
    holder: Holder,
    head: &Head,
) -> Result<(), StoreError> {
    let sql = "UPDATE holder SET head = ?2, outside = ?3, head_hash = ?4, start = ?5 WHERE id = ?1";
    let values = params![holder.0, head.seq.0, head.outside.0, head.hash, head.start];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    Ok(())
}

/// Appends an entry; the number it gets is the next one, which nobody else can take behind the gate.
pub(crate) fn append(
    names: &Names<'_>,
    key: &Key,
    write: &vademecum_store::Write,
    body: &undo::Kept,
) -> Result<Seq, StoreError> {
    let (connection, holder) = (names.connection, names.holder(&write.scope)?);
    let Place { head, author, last } = place(connection, holder, &write.origin)?;
    let author = author.map_or_else(|| add_author(connection, &write.origin), Ok)?;
    let start = head.start.unwrap_or_else(|| chain::start(key, &write.scope));
    let mut record = Record {
        seq: Seq(last + 1),
        scope: write.scope.clone(),
        write_id: write.id.as_str().to_owned(),
        kind: write.kind.to_owned(),
        origin: write.origin.clone(),
        at: write.at,
        body_hash: chain::body_hash(key, &body.bytes()),
        hash: Seal::default(),
    };
    record.hash = chain::entry_hash(key, &head.hash.unwrap_or(start), &record);
    let (seq, hash) = (record.seq, Some(record.hash));
    let outside = if record.origin.is_outside() { seq } else { head.outside };
    let entry = Entry { record, holder, before: head.seq, outside: head.outside };
    insert(connection, &entry, author, body)?;
    set_head(connection, holder, &Head { seq, outside, hash, start: Some(start) })?;
    Ok(seq)
}

/// Where the next entry of a line goes.
struct Place {
    head: Head,
    /// The number of its author; none of one who writes for the first time.
    author: Option<i64>,
    /// The last number that was given; none is given twice, not even after the newest entries were taken away.
    last: i64,
}

/// All in one statement, which a process that ends at once makes for one write.
fn place(connection: &Connection, holder: Holder, origin: &Origin) -> Result<Place, StoreError> {
    let sql = "SELECT head, outside, head_hash, start,
                   (SELECT id FROM author WHERE surface = ?2 AND author = ?3),
                   max(coalesce((SELECT max(seq) FROM journal), 0),
                       coalesce((SELECT CAST(value AS INTEGER) FROM store WHERE name = ?4), 0))
               FROM holder WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let values = params![holder.0, origin.surface.word(), origin.author.word(), LAST];
    let place =
        |row: &Row<'_>| Ok(Place { head: head_in(row)?, author: row.get(4)?, last: row.get(5)? });
    query.query_row(values, place).optional().port()?.ok_or_else(no_head)
}

fn no_head() -> StoreError {
    StoreError::Corrupt { what: "the head of a journal is gone".to_owned() }
}

/// Sees to it that no number up to the newest, or up to a head, is given again.
pub(crate) fn keep_last(connection: &Connection) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO store (name, value)
               SELECT ?1, CAST(max(coalesce((SELECT max(seq) FROM journal), 0),
                   coalesce((SELECT max(head) FROM holder), 0),
                   coalesce((SELECT CAST(value AS INTEGER) FROM store WHERE name = ?1), 0)) AS TEXT)";
    connection.execute(sql, [LAST]).port()?;
    Ok(())
}

fn insert(
    connection: &Connection,
    entry: &Entry,
    author: i64,
    body: &undo::Kept,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO journal (seq, holder, before, outside, author, at, short, kind, write_id,
                   body_hash, hash, arguments, reply, undo)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    let record = &entry.record;
    let values = params![
        record.seq.0,
        entry.holder.0,
        entry.before.0,
        entry.outside.0,
        author,
        record.at.0,
        short(&record.write_id),
        record.kind,
        record.write_id,
        record.body_hash,
        record.hash,
        body.arguments,
        body.reply,
        body.undo,
    ];
    connection.prepare_cached(sql).port()?.execute(values).port()?;
    Ok(())
}

/// Gives a number to an author.
fn add_author(connection: &Connection, origin: &Origin) -> Result<i64, StoreError> {
    let sql = "INSERT INTO author (surface, author) VALUES (?1, ?2)";
    connection.execute(sql, params![origin.surface.word(), origin.author.word()]).port()?;
    Ok(connection.last_insert_rowid())
}
