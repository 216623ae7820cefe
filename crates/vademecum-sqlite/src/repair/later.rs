//! What a later program added to a store: tables, columns and indexes that this one does not know.

use rusqlite::Connection;
use vademecum_store::StoreError;

use crate::catalog;
use crate::error::{Port, is_outside};
use crate::schema;

/// Gives `new` what `old` has and this program does not know, so that its rows are saved too.
pub(super) fn learn(old: &Connection, new: &Connection) -> Result<(), StoreError> {
    let found = match catalog::tables(old) {
        Ok(found) => found,
        Err(StoreError::Corrupt { .. } | StoreError::Foreign) => return Ok(()),
        Err(error) => return Err(error),
    };
    let known = catalog::tables(new)?;
    for table in found {
        let Some(same) = known.iter().find(|same| same.name == table.name) else {
            make(old, new, &table.name)?;
            continue;
        };
        let has = |name: &str| same.columns.iter().any(|column| column.name == name);
        for column in table.columns.iter().filter(|column| !has(&column.name)) {
            let sql = format!(
                "ALTER TABLE {} ADD COLUMN {} {}{}",
                table.quoted(),
                column.quoted(),
                column.kind,
                column.rest
            );
            new.execute_batch(&sql).port()?;
        }
    }
    schema::keep_later(old, new)
}

/// Makes the table with its indexes, as the old file says that it is made.
fn make(old: &Connection, new: &Connection, table: &str) -> Result<(), StoreError> {
    let statements = || -> rusqlite::Result<Vec<String>> {
        let sql = "SELECT sql FROM sqlite_schema WHERE tbl_name = ?1 AND sql IS NOT NULL
                   AND type IN ('table', 'index') ORDER BY type DESC";
        let mut query = old.prepare(sql)?;
        query.query_map([table], |row| row.get(0))?.collect()
    };
    match statements() {
        Ok(statements) => new.execute_batch(&statements.join(";")).port(),
        Err(error) if is_outside(&error) => Err(error).port(),
        // The file that is kept aside has it still.
        Err(_) => Ok(()),
    }
}
