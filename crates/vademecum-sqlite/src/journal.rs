//! The journal: one row an entry, with its body; each points at the one before it in its scope.
//!
//! Who has the journal keeps its head, so that neither a list nor the next entry needs an index by scope.

use rusqlite::{CachedStatement, Connection, ErrorCode, OptionalExtension, Row, ToSql, params};
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_store::chain::{self, Seal};
use vademecum_store::{
    Body, CopiedBody, CopiedRecord, JournalEntry, JournalFilter, Origin, Record, Scope, StoreError,
    Writer,
};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Port, is_value, unreadable};
use crate::names::{Holder, Known, Names};
use crate::sessions::limit;
use crate::undo;
use crate::{rekey, schema};

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str = "+seq, +write_id, +kind, +surface, +author, +at, +body_hash, +hash, +holder, \
                       +before, +outside, +writer";

/// The fact in table `store` that holds the last number where entries were taken out behind it.
const LAST: &str = "last_seq";

/// An entry as it stands in its row.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// What the port knows of it, but for its scope and who wrote it.
    pub(crate) record: Record,
    /// Who has the journal.
    pub(crate) holder: Holder,
    /// The number of who wrote it; 0 for nobody.
    writer: i64,
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
        by: Writer::NONE,
        at: Time(row.get(5)?),
        body_hash: row.get(6)?,
        hash: row.get(7)?,
    };
    let (holder, writer) = (Holder(row.get(8)?), row.get(11)?);
    Ok(Entry { record, holder, writer, before: Seq(row.get(9)?), outside: Seq(row.get(10)?) })
}

/// Whether the row with this number can be read as an entry.
pub(crate) fn is_entry(connection: &Connection, seq: Seq) -> Result<bool, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE seq = ?1");
    match connection.prepare_cached(&sql).port()?.query_row([seq.0], entry) {
        Ok(_) => Ok(true),
        Err(error) if is_value(&error) => Ok(false),
        Err(error) => Err(error).port(),
    }
}

/// What the index knows of a write id that may be repeated, whoever's it is.
fn short(id: &str) -> i64 {
    (xxh3_64(id.as_bytes()) >> 24).cast_signed()
}

/// The entry of a write.
pub(crate) fn by_write_id(
    connection: &Connection,
    holder: Holder,
    id: &WriteId,
) -> Result<Option<Entry>, StoreError> {
    let sql = "SELECT seq FROM journal WHERE short = ?1 AND write_id = ?2 AND holder = ?3";
    let mut query = connection.prepare_cached(sql).port()?;
    let values = params![short(id.as_str()), id.as_str(), holder.0];
    let seq = query.query_row(values, |row| row.get(0).map(Seq)).optional().port()?;
    let Some(seq) = seq else { return Ok(None) };
    Ok(look(&mut looking(connection)?, At::Seq(seq), &mut Room(None))?.map(|found| found.entry))
}

/// Where an entry is looked for.
#[derive(Clone, Copy)]
enum At {
    Seq(Seq),
    /// The newest of a line, or the newest there that an outsider wrote.
    Head(Holder, bool),
}

/// An entry, how many bytes its body takes, and the body where it was asked for and has room.
struct Found {
    entry: Entry,
    size: Option<u64>,
    kept: Option<undo::Kept>,
}

/// How many bytes of bodies may still be read; none after the first that does not fit.
struct Room(Option<u64>);

impl Room {
    fn most(&self) -> i64 {
        self.0.map_or(-1, |left| i64::try_from(left).unwrap_or(i64::MAX))
    }

    fn take(&mut self, found: &Found) {
        let taken = found.size.unwrap_or_default();
        self.0 = self.0.and_then(|left| left.checked_sub(taken));
    }
}

/// What [`look`] asks: one statement for all who walk a line, so that a hook has it made once.
fn looking(connection: &Connection) -> Result<CachedStatement<'_>, StoreError> {
    // The length stands before the body, so that one that is too large is not touched.
    let size = "length(arguments) + length(reply) + length(undo)";
    let sql = format!(
        "SELECT {COLUMNS}, {size}, iif({size} <= ?4, arguments, NULL),
             iif({size} <= ?4, reply, NULL), iif({size} <= ?4, undo, NULL)
         FROM journal
         WHERE seq = coalesce(?1, (SELECT iif(?3, outside, head) FROM holder WHERE id = ?2))"
    );
    connection.prepare_cached(&sql).port()
}

/// One entry, with its body if there is room for it.
fn look(
    query: &mut CachedStatement<'_>,
    at: At,
    room: &mut Room,
) -> Result<Option<Found>, StoreError> {
    let (seq, holder, outside) = match at {
        At::Seq(seq) => (Some(seq.0), None, false),
        At::Head(holder, outside) => (None, Some(holder.0), outside),
    };
    let found = |row: &Row<'_>| {
        let size = row.get::<_, Option<i64>>(12)?.map(i64::unsigned_abs);
        let parts: [Option<Vec<u8>>; 3] = [row.get(13)?, row.get(14)?, row.get(15)?];
        Ok(Found { entry: entry(row)?, size, kept: undo::Kept::of(parts) })
    };
    let values = params![seq, holder, outside, room.most()];
    let found = query.query_row(values, found).optional().port()?;
    if let Some(found) = &found {
        room.take(found);
    }
    Ok(found)
}

/// The entries of a filter.
pub(crate) fn by(
    names: &Names<'_>,
    filter: &JournalFilter<'_>,
) -> Result<Vec<JournalEntry>, StoreError> {
    let connection = names.connection;
    let mut room = Room(Some(filter.bodies).filter(|bodies| *bodies != 0));
    let found = match filter.scope.map(|scope| names.find_holder(scope)).transpose()? {
        Some(None) => Vec::new(),
        None => with_bodies(connection, listed(connection, filter)?, &mut room)?,
        Some(Some(holder)) => match filter.write_id {
            None => line(connection, holder, filter, &mut room)?,
            Some(id) => {
                let found = by_write_id(connection, holder, id)?.into_iter();
                let found = found.filter(|it| lets_through(filter, &it.record)).collect();
                with_bodies(connection, found, &mut room)?
            }
        },
    };
    let told = |Found { entry: Entry { mut record, holder, writer, .. }, size, kept }: Found| {
        record.by = names.writer(writer)?;
        record.scope = match filter.scope {
            Some(scope) => scope.clone(),
            None => names.scope_of(holder)?,
        };
        let size = size.filter(|_| filter.bodies != 0);
        let body = kept.map(|kept| undo::read(names, record.seq, kept)).transpose()?;
        Ok(JournalEntry { record, size, body })
    };
    found.into_iter().map(told).collect()
}

/// Entries with those of their bodies that there is room for.
fn with_bodies(
    connection: &Connection,
    entries: Vec<Entry>,
    room: &mut Room,
) -> Result<Vec<Found>, StoreError> {
    if room.0.is_none() {
        let bare = |entry| Found { entry, size: None, kept: None };
        return Ok(entries.into_iter().map(bare).collect());
    }
    let mut query = looking(connection)?;
    let mut found = Vec::with_capacity(entries.len());
    for entry in entries {
        found.extend(look(&mut query, At::Seq(entry.record.seq), room)?);
    }
    Ok(found)
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
    room: &mut Room,
) -> Result<Vec<Found>, StoreError> {
    let after = filter.after.unwrap_or(Seq(0)).max(Seq(0));
    let n_most = if filter.limit == 0 { usize::MAX } else { filter.limit };
    let n_walked = if filter.oldest_first { usize::MAX } else { n_most };
    let before_it = |entry: &Entry| if filter.outside { entry.outside } else { entry.before };
    // Who goes on where a list ended names an entry of the same scope.
    let (mut query, mut none) = (looking(connection)?, Room(None));
    let from = filter.before.map(|seq| look(&mut query, At::Seq(seq), &mut none)).transpose()?;
    let from = from.flatten().filter(|from| from.entry.holder == holder);
    let mut next = from.map(|from| before_it(&from.entry));
    let mut found = Vec::new();
    while next.is_none_or(|next| after < next) && found.len() < n_walked {
        let at = next.map_or(At::Head(holder, filter.outside), At::Seq);
        let room = if filter.oldest_first { &mut none } else { &mut *room };
        let Some(it) = look(&mut query, at, room)? else { break };
        if it.entry.record.seq <= after {
            break;
        }
        next = Some(before_it(&it.entry));
        if lets_through(filter, &it.entry.record) {
            found.push(it);
        }
    }
    if !filter.oldest_first {
        return Ok(found);
    }
    found.reverse();
    found.truncate(n_most);
    with_bodies(connection, found.into_iter().map(|it| it.entry).collect(), room)
}

/// The entries of all scopes. A condition that is not asked is not in the statement.
fn listed(connection: &Connection, filter: &JournalFilter<'_>) -> Result<Vec<Entry>, StoreError> {
    let id = filter.write_id.map(WriteId::as_str);
    let short = id.map(short);
    let (after, before) = (filter.after.map(|seq| seq.0), filter.before.map(|seq| seq.0));
    let n_most = limit(filter.limit);
    let mut sql = format!("SELECT {COLUMNS} FROM journal WHERE true");
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
        sql.push_str(" AND author <> 'agent' AND surface <> 'hook'");
    }
    let newest_first = " ORDER BY seq DESC LIMIT ?";
    sql.push_str(if filter.oldest_first { " ORDER BY seq LIMIT ?" } else { newest_first });
    values.push(&n_most);
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map(values.as_slice(), entry).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
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
    let kept = |row: &Row<'_>| Ok(undo::Kept::of([row.get(0)?, row.get(1)?, row.get(2)?]));
    Ok(query.query_row([seq.0], kept).optional().port()?.flatten())
}

/// Every entry, those of one holder after the other, each line in order.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Entry>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM journal ORDER BY holder, seq");
    let mut query = connection.prepare(&sql).port()?;
    let entries =
        query.query_map([], entry).port()?.collect::<rusqlite::Result<Vec<_>>>().port()?;
    let names = Names::new(connection, Known::default());
    let with_writer = |it: Entry| {
        let record = Record { by: names.writer(it.writer)?, ..it.record };
        Ok(Entry { record, ..it })
    };
    entries.into_iter().map(with_writer).collect()
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
        let Some(kept) = undo::Kept::of([row.get(1)?, row.get(2)?, row.get(3)?]) else {
            return Ok(false);
        };
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
    let record = Record {
        seq: Seq(0),
        scope: write.scope.clone(),
        write_id: write.id.as_str().to_owned(),
        kind: write.kind.to_owned(),
        origin: write.origin.clone(),
        by: write.by,
        at: write.at,
        body_hash: chain::body_hash(key, &body.bytes()),
        hash: Seal::default(),
    };
    seal(names, key, (record, !write.is_fresh), Some(body))
}

/// Appends an entry of another store, whose write id its scope has not.
pub(crate) fn append_copy(
    names: &Names<'_>,
    key: &Key,
    copied: &CopiedRecord,
) -> Result<(), StoreError> {
    let CopiedRecord { scope, write_id, kind, origin, by, at, body } = copied;
    if by_write_id(names.connection, names.holder(scope)?, write_id)?.is_some() {
        return Err(StoreError::Reused { id: write_id.as_str().to_owned() });
    }
    let (body, body_hash) = match body {
        CopiedBody::Kept(body) => {
            let body = undo::keep(names, body)?;
            let hash = chain::body_hash(key, &body.bytes());
            (Some(body), hash)
        }
        CopiedBody::Erased(hash) => (None, *hash),
    };
    let record = Record {
        seq: Seq(0),
        scope: scope.clone(),
        write_id: write_id.as_str().to_owned(),
        kind: kind.clone(),
        origin: origin.clone(),
        by: *by,
        at: *at,
        body_hash,
        hash: Seal::default(),
    };
    seal(names, key, (record, true), body.as_ref()).map(drop)
}

/// Puts an entry at the end of its line, under the next number.
fn seal(
    names: &Names<'_>,
    key: &Key,
    (mut record, is_repeatable): (Record, bool),
    body: Option<&undo::Kept>,
) -> Result<Seq, StoreError> {
    let (connection, holder) = (names.connection, names.holder(&record.scope)?);
    let (head, last) = place(connection, holder)?;
    let start = head.start.unwrap_or_else(|| chain::start(key, &record.scope));
    record.seq = Seq(last + 1);
    record.hash = chain::entry_hash(key, &head.hash.unwrap_or(start), &record);
    let (seq, hash) = (record.seq, Some(record.hash));
    let outside = if record.origin.is_outside() { seq } else { head.outside };
    let entry = Entry { record, holder, writer: 0, before: head.seq, outside: head.outside };
    let short = is_repeatable.then(|| short(&entry.record.write_id));
    insert(connection, &entry, short, body)?;
    set_head(connection, holder, &Head { seq, outside, hash, start: Some(start) })?;
    Ok(seq)
}

/// Where a line ends, and the last number that was given: none is given twice, not even after the newest were taken away.
fn place(connection: &Connection, holder: Holder) -> Result<(Head, i64), StoreError> {
    let sql = "SELECT head, outside, head_hash, start, (SELECT max(seq) FROM journal)
               FROM holder WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let place = |row: &Row<'_>| Ok((head_in(row)?, row.get::<_, Option<i64>>(4)?));
    let place = query.query_row([holder.0], place).optional().port()?;
    let (head, newest) = place.ok_or_else(no_head)?;
    let Seq(last) = rekey::number(connection, LAST)?;
    Ok((head, last.max(newest.unwrap_or(0))))
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

const INSERT: &str = "INSERT INTO journal (seq, holder, before, outside, at, short, kind, surface,
        author, writer, write_id, body_hash, hash, arguments, reply, undo)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
        ?9, iif(?10 IS NULL, 0, (SELECT id FROM writer WHERE name = ?10)), ?11, ?12, ?13, ?14, ?15, ?16)";

fn insert(
    connection: &Connection,
    entry: &Entry,
    short: Option<i64>,
    body: Option<&undo::Kept>,
) -> Result<(), StoreError> {
    let record = &entry.record;
    let by = Some(record.by).filter(|by| *by != Writer::NONE).map(|by| by.bytes());
    let values = params![
        record.seq.0,
        entry.holder.0,
        entry.before.0,
        entry.outside.0,
        record.at.0,
        short,
        record.kind,
        record.origin.surface.word(),
        record.origin.author.word(),
        by,
        record.write_id,
        record.body_hash,
        record.hash,
        body.map(|body| &body.arguments),
        body.map(|body| &body.reply),
        body.map(|body| &body.undo),
    ];
    let mut insert = connection.prepare_cached(INSERT).port()?;
    match insert.execute(values) {
        // Who writes for the first time has no number yet.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            let sql = "INSERT OR IGNORE INTO writer (name) SELECT ?1 WHERE ?1 IS NOT NULL";
            connection.execute(sql, [by]).port()?;
            insert.execute(values).port().map(drop)
        }
        done => done.port().map(drop),
    }
}
