//! What one version added to a store and another does not know: tables, columns and indexes.

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

/// The tables of `new` that an older store never had: there is nothing of them to save, and no loss.
pub(super) fn unknown(old: &Connection, new: &Connection) -> Result<Vec<String>, StoreError> {
    let found = match (schema::version(old), catalog::tables(old)) {
        (Ok(Some(version)), Ok(found)) if !schema::is_newest(Some(version)) => found,
        // What keeps the schema from being read was told by [`learn`].
        (Ok(_) | Err(_), Ok(_) | Err(_)) => return Ok(Vec::new()),
    };
    let mut unknown = catalog::tables(new)?;
    unknown.retain(|table| !found.iter().any(|known| known.name == table.name));
    Ok(unknown.into_iter().map(|table| table.name).collect())
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
