//! Copies every row that can be read, from both ends of each table and around what cannot.

use std::collections::VecDeque;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{CachedStatement, Connection, ErrorCode, Row, params_from_iter};
use vademecum_store::StoreError;

use super::quarantine::Quarantine;
use super::scan::Pages;
use super::{Saved, later};
use crate::catalog::{self, Column, Table};
use crate::error::{Port, is_outside};
use crate::texts::{self, Bad};

/// So often a table is read again beyond a damaged place.
const TRIES: usize = 4096;

/// Tables that are made from others.
const DERIVED: [&str; 2] = ["tag_count", "waiting"];

/// Copies all tables along their trees.
pub(super) fn trees(
    old: &Connection,
    new: &Connection,
    quarantine: &mut Quarantine,
) -> Result<Vec<Saved>, StoreError> {
    later::learn(old, new)?;
    let unknown = later::unknown(old, new)?;
    let mut saved = Vec::new();
    for table in tables(new)?.into_iter().filter(|table| !unknown.contains(&table.name)) {
        let mut copy = Copy::new(old, new, &table, quarantine)?;
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
    quarantine: &mut Quarantine,
) -> Result<(), StoreError> {
    let tables = tables(new)?;
    let mut gaps = Vec::new();
    for saved in saved.iter_mut().filter(|saved| saved.has_gaps) {
        let known = tables.iter().find(|table| table.has_row_id && table.name == saved.table);
        let Some(table) = known else { continue };
        let names: Vec<String> = table.columns.iter().map(Column::quoted).collect();
        let insert = insert(new, table, &names)?;
        gaps.push((saved, table, insert));
    }
    pages.rows(|row| {
        for (saved, table, insert) in &mut gaps {
            if row.values.len() == table.columns.len() && row.values[0] == Value::Null {
                let mut values = row.values.clone();
                // The id's own column is empty in the file.
                values[0] = Value::Integer(row.id);
                if take(insert, &values)? == Taken::Yes {
                    saved.n_rows += 1;
                    for (place, bytes) in &row.bad {
                        quarantine.text(&bad(table, row.id, &table.columns[*place].name, bytes))?;
                    }
                }
            }
        }
        Ok(())
    })
}

fn bad(table: &Table, id: i64, column: &str, bytes: &[u8]) -> Bad {
    Bad {
        table: table.name.clone(),
        column: column.to_owned(),
        key: vec![("rowid".to_owned(), Value::Integer(id))],
        bytes: bytes.to_vec(),
    }
}

/// The tables of a new store that hold what cannot be made from others.
fn tables(new: &Connection) -> Result<Vec<Table>, StoreError> {
    let mut tables = catalog::tables(new)?;
    tables.retain(|table| !DERIVED.contains(&table.name.as_str()));
    Ok(tables)
}

/// The columns that both files know, as statements take them.
fn columns(old: &Connection, table: &Table) -> Result<Vec<String>, StoreError> {
    let names = || -> rusqlite::Result<Vec<String>> {
        let mut query = old.prepare("SELECT name FROM pragma_table_info(?1)")?;
        query.query_map([&table.name], |row| row.get(0))?.collect()
    };
    let found = match names() {
        Ok(found) => found,
        Err(error) if is_outside(&error) => return Err(error).port(),
        // A schema that cannot be read leaves nothing to copy.
        Err(_) => Vec::new(),
    };
    let known = table.columns.iter().filter(|column| found.contains(&column.name));
    Ok(known.map(Column::quoted).collect())
}

/// One table on its way.
struct Copy<'a> {
    old: &'a Connection,
    new: &'a Connection,
    table: &'a Table,
    quarantine: &'a mut Quarantine,
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
    fn new(
        old: &'a Connection,
        new: &'a Connection,
        table: &'a Table,
        quarantine: &'a mut Quarantine,
    ) -> Result<Self, StoreError> {
        let columns = columns(old, table)?;
        Ok(Self { old, new, table, quarantine, columns, n_rows: 0 })
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
        for direction in [" ASC", " DESC"] {
            let keys = self.table.keys().into_iter();
            let order: Vec<String> =
                keys.map(|key| format!("{}{direction}", key.quoted())).collect();
            let sql = format!(
                "SELECT 0, {} FROM {} ORDER BY {}",
                self.columns.join(", "),
                self.table.quoted(),
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
            self.table.quoted()
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
        let mut insert = insert(self.new, self.table, &self.columns)?;
        let mut query = match self.old.prepare(sql) {
            Ok(query) => query,
            Err(error) => return damaged(error, None),
        };
        let mut rows = match query.query(params_from_iter(range)) {
            Ok(rows) => rows,
            Err(error) => return damaged(error, None),
        };
        let mut last: Option<i64> = None;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(End::Whole),
                Err(error) => return damaged(error, last),
            };
            let Ok(id) = row.get::<_, i64>(0) else { return Ok(End::Damaged(last)) };
            if last.is_some_and(|last| !is_next(last, id)) {
                return Ok(End::Damaged(last));
            }
            last = Some(id);
            self.row(&mut insert, id, row)?;
        }
    }

    /// Copies one row; what cannot be read of it, or the row that is refused, goes into quarantine.
    fn row(
        &mut self,
        insert: &mut CachedStatement<'_>,
        id: i64,
        row: &Row<'_>,
    ) -> Result<(), StoreError> {
        let (mut values, mut unread) = (Vec::new(), Vec::new());
        for place in 1..=self.columns.len() {
            let value = row.get_ref(place).port()?;
            if let ValueRef::Text(bytes) = value
                && std::str::from_utf8(bytes).is_err()
            {
                unread.push((place - 1, bytes.to_vec()));
                values.push(Value::Text(String::from_utf8_lossy(bytes).into_owned()));
            } else {
                values.push(texts::raw(value));
            }
        }
        let taken = take(insert, &values)?;
        match taken {
            Taken::Yes => {
                self.n_rows += 1;
                for (place, bytes) in unread {
                    let column = self.columns[place].trim_matches('"');
                    self.quarantine.text(&bad(self.table, id, column, &bytes))?;
                }
            }
            Taken::Refused => self.quarantine.row(&self.table.name, row)?,
            // The row came from the other end already, unless another one has its place.
            Taken::Ignored if self.table.has_row_id && !self.is_there(id)? => {
                self.quarantine.row(&self.table.name, row)?;
            }
            Taken::Ignored => {}
        }
        Ok(())
    }

    fn is_there(&self, id: i64) -> Result<bool, StoreError> {
        let sql = format!("SELECT 1 FROM {} WHERE rowid = ?1", self.table.quoted());
        self.new.prepare_cached(&sql).port()?.exists([id]).port()
    }
}

/// What cannot be read is damage of the file, unless the disk or the machine is at fault.
fn damaged(error: rusqlite::Error, last: Option<i64>) -> Result<End, StoreError> {
    if is_outside(&error) { Err(error).port() } else { Ok(End::Damaged(last)) }
}

fn insert<'a>(
    new: &'a Connection,
    table: &Table,
    columns: &[String],
) -> Result<CachedStatement<'a>, StoreError> {
    let places = vec!["?"; columns.len()].join(", ");
    let name = table.quoted();
    let sql = format!("INSERT OR IGNORE INTO {name} ({}) VALUES ({places})", columns.join(", "));
    new.prepare_cached(&sql).port()
}

/// What became of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// It is in the new file.
    Yes,
    /// Another row has its place.
    Ignored,
    /// It is none as the schema wants it.
    Refused,
}

/// Writes one row.
fn take(insert: &mut CachedStatement<'_>, values: &[Value]) -> Result<Taken, StoreError> {
    match insert.execute(params_from_iter(values)) {
        Ok(0) => Ok(Taken::Ignored),
        Ok(_) => Ok(Taken::Yes),
        Err(error) if is_about_the_row(&error) => Ok(Taken::Refused),
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
    let found = match found() {
        Ok(found) => found,
        Err(error) if is_outside(&error) => return Err(error).port(),
        // Without them the highest numbers that were saved stand.
        Err(_) => Vec::new(),
    };
    for (name, seq) in found {
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
