//! The journal: one row an entry, with its body; a line of entries for each scope, whose end stands beside it.

use std::collections::BTreeMap;

use tokio_postgres::Row;
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_store::chain::{self, Seal};
use vademecum_store::{
    CopiedBody, CopiedRecord, JournalEntry, JournalFilter, Origin, Record, Scope, StoreError,
    Write, Writer,
};

use crate::error::corrupt;
use crate::names::{digest, session_digest};
use crate::snapshot::Snapshot;
use crate::statement::{Statement, Value, array, column, given, limit, number, text};
use crate::undo::{self, Kept};
use crate::{pool, sessions};

/// All of an entry but its body. With [`record`], [`append`] and `written` of the schema the one place that knows its columns.
pub(crate) const COLUMNS: &str =
    "seq, holder, write_id, kind, surface, author, at, body_hash, hash, writer";

/// So many entries are asked of each session of a list.
const FEW: usize = 32;

/// Where the columns of a body stand behind [`COLUMNS`].
const BODY: usize = 10;

/// Where the holder of a scope and its line stand behind both.
const LINE: usize = 13;

/// An entry and the number of who has it, which has no name yet.
pub(crate) fn record(row: &Row) -> Result<(i64, Record), StoreError> {
    let record = Record {
        seq: Seq(column(row, 0)?),
        scope: Scope::Store,
        write_id: text(row, 2)?,
        kind: text(row, 3)?,
        origin: Origin {
            surface: text(row, 4)?.as_str().into(),
            author: text(row, 5)?.as_str().into(),
        },
        by: Writer::from(array::<32>(row, 9)?),
        at: Time(column(row, 6)?),
        body_hash: array(row, 7)?,
        hash: array(row, 8)?,
    };
    Ok((column(row, 1)?, record))
}

/// What the store's own row tells a write, and where the next numbers are.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) key: Key,
    pub(crate) seq: i64,
    pub(crate) holder: i64,
    pub(crate) plan: i64,
    /// The ends of lines that were asked for: what each begins with, and the hash at its end.
    heads: BTreeMap<i64, (Seal, Seal)>,
}

impl Place {
    pub(crate) fn of(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            key: Key(array(row, 1)?),
            seq: column(row, pool::NUMBERS)?,
            holder: column(row, pool::NUMBERS + 1)?,
            plan: column(row, pool::NUMBERS + 2)?,
            heads: BTreeMap::new(),
        })
    }

    /// Notes that a scope was made just now, so that nothing stands in its line.
    pub(crate) fn is_new(&mut self, holder: i64, scope: &Scope) {
        let start = chain::start(&self.key, scope);
        self.heads.insert(holder, (start, start));
    }

    /// A number for a project, a session or another scope; none is given twice.
    pub(crate) fn next_holder(&mut self) -> i64 {
        self.holder += 1;
        self.holder
    }
}

/// An entry that was made, and its body unless that was erased.
pub(crate) type Made = (Record, Option<Kept>);

/// What is asked of a write before it is decided: the store, who has its scope and the end of its line, and the repeat.
fn asked_by(write: &Write) -> Vec<Statement> {
    let (scope, digest): (&str, Value) = match &write.scope {
        Scope::Session(key) => ("session", session_digest(key).into()),
        Scope::Project(id) => ("project", id.0.into()),
        Scope::Store | Scope::Unknown(_) => {
            ("other", digest(&[write.scope.to_string().as_bytes()]).into())
        }
    };
    let values = vec![Value::Word(scope.to_owned()), digest, write.id.as_str().into()];
    let mut asked =
        vec![pool::own_card(), Statement::new("SELECT * FROM written($1, $2, $3)", values)];
    if let Scope::Session(key) = &write.scope {
        asked.push(sessions::of_key(key));
    }
    asked
}

/// Begins a write: all that most of them ask, in the one round trip that takes the lock.
///
/// A decision about a session looks at it and at its card; both are answered then.
pub(crate) fn prepare(
    view: &Snapshot<'_>,
    write: &Write,
) -> Result<(Place, Option<Made>), StoreError> {
    let asked = asked_by(write);
    let rows = view.ask_all(&asked)?;
    let first = |at: usize| rows.get(at).and_then(|rows| rows.first());
    let place = first(0).ok_or_else(|| corrupt(&"the store's own row is gone"))?;
    let mut place = Place::of(place)?;
    let Some(row) = first(1) else { return Ok((place, None)) };
    if let Some(holder) = column::<Option<i64>>(row, LINE)? {
        view.met_holder(&write.scope, holder);
        if column::<Option<&[u8]>>(row, LINE + 1)?.is_some() {
            place.heads.insert(holder, (array(row, LINE + 1)?, array(row, LINE + 2)?));
        }
    }
    let made = match column::<Option<i64>>(row, 0)? {
        Some(_) => Some((record(row)?.1, Kept::of(row, BODY)?)),
        None => None,
    };
    Ok((place, made))
}

/// An entry of a write in a scope, with its body.
pub(crate) fn by_write_id(
    view: &Snapshot<'_>,
    holder: i64,
    id: &WriteId,
) -> Result<Option<Made>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, arguments, reply, undo FROM journal
         WHERE holder = $1 AND write_id = $2"
    );
    let found = view.ask_one(Statement::new(sql, vec![holder.into(), id.as_str().into()]))?;
    found.map(|row| Ok((record(&row)?.1, Kept::of(&row, BODY)?))).transpose()
}

/// An entry that has no place yet.
pub(crate) struct New<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) record: Record,
    pub(crate) body: Option<Kept>,
}

impl<'a> New<'a> {
    /// The entry of a write.
    pub(crate) fn of(write: &'a Write, body: Kept) -> Self {
        let record = Record {
            seq: Seq(0),
            scope: Scope::Store,
            write_id: write.id.as_str().to_owned(),
            kind: write.kind.to_owned(),
            origin: write.origin.clone(),
            by: write.by,
            at: write.at,
            body_hash: Seal::default(),
            hash: Seal::default(),
        };
        Self { scope: &write.scope, record, body: Some(body) }
    }

    /// An entry of another store, whose write id its scope has not.
    pub(crate) fn copy(
        view: &Snapshot<'_>,
        place: &mut Place,
        copied: &'a CopiedRecord,
    ) -> Result<Self, StoreError> {
        let CopiedRecord { scope, write_id, kind, origin, by, at, body } = copied;
        let holder = holder(view, place, scope)?;
        if by_write_id(view, holder, write_id)?.is_some() {
            return Err(StoreError::Reused { id: write_id.as_str().to_owned() });
        }
        let (body, body_hash) = match body {
            CopiedBody::Kept(body) => (Some(undo::keep_body(view, body)?), Seal::default()),
            CopiedBody::Erased(hash) => (None, *hash),
        };
        let record = Record {
            seq: Seq(0),
            scope: Scope::Store,
            write_id: write_id.as_str().to_owned(),
            kind: kind.clone(),
            origin: origin.clone(),
            by: *by,
            at: *at,
            body_hash,
            hash: Seal::default(),
        };
        Ok(Self { scope, record, body })
    }

    /// Whether both would have one write id in one scope.
    pub(crate) fn is_same_write(&self, other: &Self) -> bool {
        self.scope == other.scope && self.record.write_id == other.record.write_id
    }
}

/// Who has the journal of a scope; one that nobody has is given to somebody.
pub(crate) fn holder(
    view: &Snapshot<'_>,
    place: &mut Place,
    scope: &Scope,
) -> Result<i64, StoreError> {
    if let Some(holder) = view.find_holder(scope)? {
        return Ok(holder);
    }
    let text = scope.to_string();
    if let Scope::Project(_) | Scope::Session(_) = scope {
        return Err(crate::error::missing(&text));
    }
    let holder = place.next_holder();
    let sql = "INSERT INTO other_scope (digest, text, holder) VALUES ($1, $2, $3)";
    let digest = digest(&[text.as_bytes()]);
    view.tell(Statement::new(sql, vec![digest.into(), text.as_str().into(), holder.into()]));
    view.met_other(&text, holder);
    place.is_new(holder, scope);
    Ok(holder)
}

/// Appends entries, each behind the last one of its scope; the place of the last.
///
/// The next number is nobody else's: whoever writes has the store's lock until all can see what it wrote.
pub(crate) fn append(
    view: &Snapshot<'_>,
    place: &mut Place,
    new: Vec<New<'_>>,
) -> Result<Seq, StoreError> {
    for New { scope, mut record, body } in new {
        let holder = holder(view, place, scope)?;
        let (start, before) = match place.heads.get(&holder) {
            Some(known) => *known,
            None => head(view, holder)?.unwrap_or_else(|| {
                let start = chain::start(&place.key, scope);
                (start, start)
            }),
        };
        place.seq += 1;
        record.seq = Seq(place.seq);
        if let Some(body) = &body {
            record.body_hash = chain::body_hash(&place.key, &body.bytes());
        }
        record.hash = chain::entry_hash(&place.key, &before, &record);
        place.heads.insert(holder, (start, record.hash));
        // What is of a project is of all who share it.
        let is_shared = matches!(scope, Scope::Project(_));
        insert(view, (holder, is_shared, start), &record, body);
    }
    Ok(Seq(place.seq))
}

/// What a line begins with, and the hash at its end; none while nothing was written.
fn head(view: &Snapshot<'_>, holder: i64) -> Result<Option<(Seal, Seal)>, StoreError> {
    let sql = "SELECT start, head_hash FROM line WHERE holder = $1";
    let found = view.ask_one(Statement::new(sql, vec![holder.into()]))?;
    found.map(|row| Ok((array(&row, 0)?, array(&row, 1)?))).transpose()
}

fn insert(
    view: &Snapshot<'_>,
    (holder, is_shared, start): (i64, bool, Seal),
    record: &Record,
    body: Option<Kept>,
) {
    let sql = "SELECT append_entry($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
    let (arguments, reply, undo) = match body {
        Some(Kept { arguments, reply, undo }) => (Some(arguments), Some(reply), Some(undo)),
        None => (None, None, None),
    };
    let values = vec![
        record.seq.0.into(),
        holder.into(),
        record.write_id.as_str().into(),
        record.kind.as_str().into(),
        record.origin.surface.word().into(),
        record.origin.author.word().into(),
        record.at.0.into(),
        record.body_hash.into(),
        record.hash.into(),
        record.by.bytes().into(),
        record.origin.is_outside().into(),
        arguments.into(),
        reply.into(),
        undo.into(),
        is_shared.into(),
        start.into(),
    ];
    view.tell(Statement::new(sql, values));
}

/// The entries of a filter, in its order, with as many bodies as it allows.
pub(crate) fn by(
    view: &Snapshot<'_>,
    filter: &JournalFilter<'_>,
) -> Result<Vec<JournalEntry>, StoreError> {
    let holder = filter.scope.map(|scope| view.find_holder(scope)).transpose()?;
    if holder == Some(None) {
        return Ok(Vec::new());
    }
    let asked = listed(holder.flatten(), filter);
    // Others have no entry of that id, and bodies or many entries are much to read.
    let is_much = filter.bodies != 0 || !(1..=FEW).contains(&filter.limit);
    let is_alone = filter.scope.is_none() || filter.write_id.is_some() || is_much;
    let rows = if is_alone { view.ask(asked)? } else { view.ask_of(asked)? };
    let found = rows.iter().map(record).collect::<Result<Vec<_>, _>>()?;
    if filter.scope.is_none() {
        view.learn_keys(&found.iter().map(|(holder, _)| *holder).collect::<Vec<_>>())?;
    }
    let mut entries = Vec::with_capacity(found.len());
    for ((holder, mut record), row) in found.into_iter().zip(rows.iter()) {
        record.scope = match filter.scope {
            Some(scope) => scope.clone(),
            None => view.scope_of(holder)?,
        };
        let (mut size, mut body) = (None, None);
        if filter.bodies != 0 && column::<Option<i64>>(row, BODY)?.is_some() {
            size = Some(number(row, BODY)?);
            let kept = Kept::of(row, BODY + 1)?;
            let read = kept.map(|kept| undo::read(view, record.seq, kept)).transpose();
            let read = view.unless_anothers(holder, read)?;
            // One that cannot be read is told as one that is gone.
            size = size.filter(|_| read.is_some());
            body = read.flatten();
        }
        entries.push(JournalEntry { record, size, body });
    }
    Ok(entries)
}

/// The statement of a filter. What no longer has room is not sent, up to its end.
fn listed(holder: Option<i64>, filter: &JournalFilter<'_>) -> Statement {
    let asked: [(&str, Option<Value>); 4] = [
        (" AND holder = ?", holder.map(Value::from)),
        (" AND ? < seq", filter.after.map(|seq| seq.0.into())),
        (" AND seq < ?", filter.before.map(|seq| seq.0.into())),
        (" AND write_id = ?", filter.write_id.map(|id| id.as_str().into())),
    ];
    let (mut conditions, mut values) = ("true".to_owned(), Vec::new());
    for (condition, value) in asked {
        let Some(value) = value else { continue };
        given(&mut conditions, condition, &mut values, value);
    }
    if filter.outside {
        conditions.push_str(" AND is_outside");
    }
    values.push(limit(filter.limit));
    let order = if filter.oldest_first { "seq" } else { "seq DESC" };
    let rest = format!("FROM journal WHERE {conditions} ORDER BY {order} LIMIT ${}", values.len());
    if filter.bodies == 0 {
        return Statement::new(format!("SELECT {COLUMNS} {rest}"), values);
    }
    values.push(i64::try_from(filter.bodies).unwrap_or(i64::MAX).into());
    let room = format!("sum(size) OVER (ORDER BY {order}) <= ${}", values.len());
    let part = |name| format!("CASE WHEN {room} THEN {name} END");
    let sql = format!(
        "SELECT {COLUMNS}, size, {}, {}, {} FROM (
             SELECT *, (octet_length(arguments) + octet_length(reply) + octet_length(undo))::bigint
                 AS size {rest}) AS found ORDER BY {order}",
        part("arguments"),
        part("reply"),
        part("undo")
    );
    Statement::new(sql, values)
}
