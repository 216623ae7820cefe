//! The tables of a file as its own schema lists them, those that this program does not know included.

use rusqlite::Connection;
use vademecum_store::StoreError;

use crate::error::Port;

/// A table that holds rows of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    /// Its name.
    pub(crate) name: String,
    /// Whether its rows are known by a number.
    pub(crate) has_row_id: bool,
    /// All of its columns.
    pub(crate) columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: String,
    /// Its type, as it was declared.
    pub(crate) kind: String,
    /// What stands behind the type when it is added to a table.
    pub(crate) rest: String,
    /// Its place in the primary key, from 1; 0 outside of it.
    pub(crate) key: i64,
}

impl Table {
    /// Its name as a statement takes it.
    pub(crate) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// The columns by which a row is known, in order.
    pub(crate) fn keys(&self) -> Vec<&Column> {
        let mut keys: Vec<&Column> = self.columns.iter().filter(|column| 0 < column.key).collect();
        keys.sort_by_key(|column| column.key);
        keys
    }
}

impl Column {
    /// Its name as a statement takes it.
    pub(crate) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// Whether it may hold text.
    pub(crate) fn holds_text(&self) -> bool {
        !["INTEGER", "INT", "REAL", "BLOB"].contains(&self.kind.as_str())
    }
}

pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The tables of `connection`, by name; the search index has none of its own.
pub(crate) fn tables(connection: &Connection) -> Result<Vec<Table>, StoreError> {
    let sql = "SELECT name, wr FROM pragma_table_list
               WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
               ORDER BY name";
    let mut query = connection.prepare(sql).port()?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, !row.get::<_, bool>(1)?))).port()?;
    let named = rows.collect::<rusqlite::Result<Vec<(String, bool)>>>().port()?;
    let table = |(name, has_row_id): (String, bool)| {
        let columns = columns(connection, &name)?;
        Ok(Table { name, has_row_id, columns })
    };
    named.into_iter().map(table).collect()
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<Column>, StoreError> {
    let sql = "SELECT name, type, pk, \"notnull\", dflt_value FROM pragma_table_info(?1)";
    let mut query = connection.prepare(sql).port()?;
    let column = |row: &rusqlite::Row<'_>| {
        let default: Option<String> = row.get(4)?;
        let default = default.map(|value| format!(" DEFAULT {value}")).unwrap_or_default();
        let is_required: bool = row.get(3)?;
        let required = if is_required { " NOT NULL" } else { "" };
        Ok(Column {
            name: row.get(0)?,
            kind: row.get(1)?,
            rest: format!("{required}{default}"),
            key: row.get(2)?,
        })
    };
    query.query_map([table], column).port()?.collect::<rusqlite::Result<_>>().port()
}
