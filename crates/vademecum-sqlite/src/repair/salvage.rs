//! Copies every row that can be read, from both ends of each table and around what cannot.

use std::collections::VecDeque;

use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, ErrorCode, params_from_iter};
use vademecum_store::StoreError;

use super::Saved;
use super::scan::Pages;
use crate::error::Port;

/// So often a table is read again beyond a damaged place.
const TRIES: usize = 4096;

/// Tables that are made from others.
const DERIVED: [&str; 2] = ["note_tag", "tag_count"];

/// Copies all tables along their trees.
pub(super) fn trees(old: &Connection, new: &Connection) -> Result<Vec<Saved>, StoreError> {
    let mut saved = Vec::new();
    for table in tables(new)? {
        let mut copy = Copy::new(old, new, &table)?;
        let has_gaps = copy.run()?;
        saved.push(Saved { table: table.name.clone(), n_rows: copy.n_rows, has_gaps });
    }
    keep_sequences(old, new)?;
    Ok(saved)
}

/// Copies what the leaves of the file hold of tables with gaps; rows that are there already stay.
///
/// Which table a leaf belongs to is known by the shape of its rows, which our tables do not share.
pub(super) fn leaves(
    pages: &Pages,
    new: &Connection,
    saved: &mut [Saved],
) -> Result<(), StoreError> {
    let with_row_id: Vec<String> =
        tables(new)?.into_iter().filter(|table| table.has_row_id).map(|table| table.name).collect();
    let mut gaps = Vec::new();
    for table in
        saved.iter_mut().filter(|table| table.has_gaps && with_row_id.contains(&table.table))
    {
        let columns = columns(new, new, &table.table)?;
        let insert = insert(new, &table.table, &columns)?;
        gaps.push((table, columns.len(), insert));
    }
    pages.rows(|(id, mut values)| {
        for (table, n_columns, insert) in &mut gaps {
            if values.len() == *n_columns && is_of(&table.table, &values) {
                // The id's own column is empty in the file.
                values[0] = Value::Integer(id);
                table.n_rows += take(insert, &values)?;
            }
        }
        Ok(())
    })
}

/// Whether the row may be one of `table`: blocks of the search index look like journal bodies.
fn is_of(table: &str, values: &[Value]) -> bool {
    let is_json = matches!(values.get(1), Some(Value::Blob(body)) if body.starts_with(b"{"));
    values[0] == Value::Null && (table != "journal_body" || is_json)
}

struct Table {
    name: String,
    has_row_id: bool,
}

/// The tables of a new store that hold what cannot be made from others.
fn tables(new: &Connection) -> Result<Vec<Table>, StoreError> {
    let sql = "SELECT name, wr FROM pragma_table_list
               WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
               ORDER BY name";
    let mut query = new.prepare(sql).port()?;
    let rows = query
        .query_map([], |row| Ok(Table { name: row.get(0)?, has_row_id: !row.get::<_, bool>(1)? }))
        .port()?;
    let mut tables = rows.collect::<rusqlite::Result<Vec<_>>>().port()?;
    tables.retain(|table| !DERIVED.contains(&table.name.as_str()));
    Ok(tables)
}

/// The names of the columns that both files know.
fn columns(old: &Connection, new: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let names = |connection: &Connection| -> rusqlite::Result<Vec<String>> {
        let mut query = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
        query.query_map([table], |row| row.get(0))?.collect()
    };
    let mut known = names(new).port()?;
    // A schema that cannot be read leaves nothing to copy.
    let found = names(old).unwrap_or_default();
    known.retain(|name| found.contains(name));
    Ok(known)
}

/// The columns of a table's primary key, in order.
fn key_columns(new: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT name FROM pragma_table_info(?1) WHERE 0 < pk ORDER BY pk";
    let mut query = new.prepare(sql).port()?;
    let rows = query.query_map([table], |row| row.get(0)).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

/// One table on its way.
struct Copy<'a> {
    old: &'a Connection,
    new: &'a Connection,
    table: &'a Table,
    columns: Vec<String>,
    n_rows: usize,
}

/// In which order rows are read.
#[derive(Clone, Copy)]
enum Order {
    Up,
    Down,
}

/// How reading in one direction ended.
enum End {
    /// At the end of the range.
    Whole,
    /// At a place that cannot be read, behind the row with this id if there was one.
    Damaged(Option<i64>),
}

impl<'a> Copy<'a> {
    fn new(old: &'a Connection, new: &'a Connection, table: &'a Table) -> Result<Self, StoreError> {
        let columns = columns(old, new, &table.name)?;
        Ok(Self { old, new, table, columns, n_rows: 0 })
    }

    /// Copies what can be read; whether there are gaps.
    fn run(&mut self) -> Result<bool, StoreError> {
        if self.columns.is_empty() {
            return Ok(true);
        }
        if self.table.has_row_id { self.ranges() } else { self.ends() }
    }

    /// Reads a table without row ids from its one end, and if need be from the other.
    fn ends(&mut self) -> Result<bool, StoreError> {
        let keys = key_columns(self.new, &self.table.name)?;
        for direction in [" ASC", " DESC"] {
            let order: Vec<String> = keys.iter().map(|key| format!("{key}{direction}")).collect();
            let sql = format!(
                "SELECT 0, {} FROM {} ORDER BY {}",
                self.columns.join(", "),
                self.table.name,
                order.join(", ")
            );
            if matches!(self.read(&sql, &[], |_, _| true)?, End::Whole) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads from both ends, and what lies between two damaged places in halves, widest first.
    fn ranges(&mut self) -> Result<bool, StoreError> {
        let mut ranges = VecDeque::from([(i64::MIN, i64::MAX)]);
        let mut has_gaps = false;
        for _ in 0..TRIES {
            let Some((low, high)) = ranges.pop_front() else { break };
            let low = match self.range(low, high, Order::Up)? {
                End::Whole => continue,
                End::Damaged(last) => last.map_or(low, |last| last.saturating_add(1)),
            };
            let high = match self.range(low, high, Order::Down)? {
                End::Whole => continue,
                End::Damaged(first) => first.map_or(high, |first| first.saturating_sub(1)),
            };
            has_gaps = true;
            if low < high {
                let middle = low.midpoint(high);
                ranges.extend([(low, middle), (middle + 1, high)]);
            }
        }
        Ok(has_gaps)
    }

    fn range(&mut self, low: i64, high: i64, order: Order) -> Result<End, StoreError> {
        let (direction, is_next): (_, fn(i64, i64) -> bool) = match order {
            Order::Up => ("ASC", |last, id| last < id),
            Order::Down => ("DESC", |last, id| id < last),
        };
        let sql = format!(
            "SELECT rowid, {} FROM {} WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid {direction}",
            self.columns.join(", "),
            self.table.name
        );
        self.read(&sql, &[low, high], is_next)
    }

    /// Copies rows until the end or the first that cannot be read; a loop in the file is no row.
    fn read(
        &mut self,
        sql: &str,
        range: &[i64],
        is_next: impl Fn(i64, i64) -> bool,
    ) -> Result<End, StoreError> {
        let mut insert = insert(self.new, &self.table.name, &self.columns)?;
        let Ok(mut query) = self.old.prepare(sql) else { return Ok(End::Damaged(None)) };
        let Ok(mut rows) = query.query(params_from_iter(range)) else {
            return Ok(End::Damaged(None));
        };
        let mut last: Option<i64> = None;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(End::Whole),
                Err(_) => return Ok(End::Damaged(last)),
            };
            let Ok(id) = row.get::<_, i64>(0) else { return Ok(End::Damaged(last)) };
            if last.is_some_and(|last| !is_next(last, id)) {
                return Ok(End::Damaged(last));
            }
            last = Some(id);
            let values = (1..=self.columns.len()).map(|idx| row.get::<_, Value>(idx));
            // A row whose values are of no type that they can have is not taken.
            if let Ok(values) = values.collect::<rusqlite::Result<Vec<_>>>() {
                self.n_rows += take(&mut insert, &values)?;
            }
        }
    }
}

fn insert<'a>(
    new: &'a Connection,
    table: &str,
    columns: &[String],
) -> Result<CachedStatement<'a>, StoreError> {
    let places = vec!["?"; columns.len()].join(", ");
    let sql = format!("INSERT OR IGNORE INTO {table} ({}) VALUES ({places})", columns.join(", "));
    new.prepare_cached(&sql).port()
}

/// Writes one row; how many that makes, none if the row itself is refused.
fn take(insert: &mut CachedStatement<'_>, values: &[Value]) -> Result<usize, StoreError> {
    match insert.execute(params_from_iter(values)) {
        Ok(n) => Ok(n),
        Err(error) if is_about_the_row(&error) => Ok(0),
        Err(error) => Err(error).port(),
    }
}

/// Whether the row itself was refused, and not the new file.
fn is_about_the_row(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig)
    )
}

/// Numbers that were given and taken away are not given again.
fn keep_sequences(old: &Connection, new: &Connection) -> Result<(), StoreError> {
    let found = || -> rusqlite::Result<Vec<(String, i64)>> {
        let mut query = old.prepare("SELECT name, seq FROM sqlite_sequence")?;
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    // Without them the highest numbers that were saved stand.
    for (name, seq) in found().unwrap_or_default() {
        let n = new
            .execute("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", (&name, seq))
            .port()?;
        if n == 0 {
            new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (&name, seq))
                .port()?;
        }
    }
    Ok(())
}
