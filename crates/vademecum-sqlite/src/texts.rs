//! Texts that are no UTF-8: every read of such a row fails, however whole the file is.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params_from_iter};
use vademecum_store::StoreError;

use crate::catalog::{self, Column, Table};
use crate::error::Port;

/// A text that cannot be read.
#[derive(Debug)]
pub(crate) struct Bad {
    /// The table.
    pub(crate) table: String,
    /// The column.
    pub(crate) column: String,
    /// By which its row is known.
    pub(crate) key: Vec<(String, Value)>,
    /// What stands there.
    pub(crate) bytes: Vec<u8>,
}

impl Bad {
    /// What can be read of it, with a sign for each part that cannot.
    pub(crate) fn readable(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Hands every text that is no UTF-8 to `take`: of all tables and columns that the file has.
pub(crate) fn each_bad(
    connection: &Connection,
    take: &mut dyn FnMut(Bad) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for table in catalog::tables(connection)? {
        in_table(connection, &table, take)?;
    }
    Ok(())
}

fn in_table(
    connection: &Connection,
    table: &Table,
    take: &mut dyn FnMut(Bad) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let texts: Vec<&Column> = table.columns.iter().filter(|column| column.holds_text()).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let (keys, key_names) = keys(table);
    let columns = texts.iter().map(|column| column.quoted());
    let columns = keys.iter().cloned().chain(columns).collect::<Vec<_>>().join(", ");
    let mut query =
        connection.prepare(&format!("SELECT {columns} FROM {}", table.quoted())).port()?;
    let mut rows = query.query([]).port()?;
    while let Some(row) = rows.next().port()? {
        for (place, column) in texts.iter().enumerate() {
            let ValueRef::Text(bytes) = row.get_ref(keys.len() + place).port()? else { continue };
            if std::str::from_utf8(bytes).is_ok() {
                continue;
            }
            let named = key_names.iter().enumerate();
            let key = named.map(|(place, name)| Ok((name.clone(), raw(row.get_ref(place)?))));
            take(Bad {
                table: table.name.clone(),
                column: column.name.clone(),
                key: key.collect::<rusqlite::Result<_>>().port()?,
                bytes: bytes.to_vec(),
            })?;
        }
    }
    Ok(())
}

/// The columns by which a row is known, and their names.
fn keys(table: &Table) -> (Vec<String>, Vec<String>) {
    if table.has_row_id {
        return (vec!["rowid".to_owned()], vec!["rowid".to_owned()]);
    }
    let keys = table.keys();
    (
        keys.iter().map(|key| key.quoted()).collect(),
        keys.iter().map(|key| key.name.clone()).collect(),
    )
}

/// A value whose text may be none.
pub(crate) fn raw(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Blob(bytes.to_vec()),
        },
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

/// Puts what can be read of a text in its place; whether its row took it.
pub(crate) fn mend(connection: &Connection, bad: &Bad) -> Result<bool, StoreError> {
    let conditions = bad.key.iter().enumerate().map(|(place, (name, value))| {
        let name = if name == "rowid" { name.clone() } else { catalog::quoted(name) };
        match value {
            // The key itself may be the text: as bytes it is what it is.
            Value::Blob(_) | Value::Text(_) => {
                format!("CAST({name} AS BLOB) = CAST(?{} AS BLOB)", place + 2)
            }
            Value::Null | Value::Integer(_) | Value::Real(_) => format!("{name} IS ?{}", place + 2),
        }
    });
    let sql = format!(
        "UPDATE OR IGNORE {} SET {} = ?1 WHERE {}",
        catalog::quoted(&bad.table),
        catalog::quoted(&bad.column),
        conditions.collect::<Vec<_>>().join(" AND ")
    );
    let readable = Value::Text(bad.readable());
    let values = std::iter::once(&readable).chain(bad.key.iter().map(|(_, value)| value));
    Ok(connection.execute(&sql, params_from_iter(values)).port()? == 1)
}

/// One line for each column that holds such texts.
pub(crate) fn faults(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<(String, usize)> = Vec::new();
    each_bad(connection, &mut |bad| {
        let place = format!("{}.{}", bad.table, bad.column);
        match found.iter_mut().find(|(known, _)| *known == place) {
            Some((_, n)) => *n += 1,
            None => found.push((place, 1)),
        }
        Ok(())
    })?;
    let line = |(place, n)| match n {
        1 => format!("1 text in {place} is no UTF-8 and cannot be read"),
        n => format!("{n} texts in {place} are no UTF-8 and cannot be read"),
    };
    Ok(found.into_iter().map(line).collect())
}
