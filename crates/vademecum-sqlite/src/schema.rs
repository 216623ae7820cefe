//! The schema and its migrations: each in one transaction, with a copy of the store before it.

use std::cmp::Ordering;

use rusqlite::{Connection, TransactionBehavior};
use vademecum_store::StoreError;

use crate::error::Port;
use crate::files::{Files, remove};
use crate::first_page::FirstPage;
use crate::rescue;

/// `vade` in ASCII, by which a file is known as a store.
const APPLICATION_ID: i32 = 0x7661_6465;

/// The major version that this program reads and writes.
///
/// Forms that version 2 went through while it was built had numbers above 90.
const MAJOR: i32 = 2;

/// One step from a version to the next.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The version that it makes, `major * 1000 + minor`.
    pub(crate) version: i32,
    /// What it does.
    pub(crate) sql: &'static str,
}

/// All steps, oldest first; steps are added, never edited. A new one is a file and a line.
///
/// Within a major version a step adds tables and their indexes: see [`stand_in`].
pub(crate) const STEPS: &[Step] = &[
    Step { version: 2_000, sql: include_str!("schema/v2.sql") },
    // Its rows go with their entries by themselves: a program of 2.0 that erases does not know them.
    Step { version: 2_001, sql: include_str!("schema/v2_1.sql") },
];

/// Lays empty tables beside an older store that is only read, as nothing migrates before a write.
///
/// Whether there were any: such a connection would not see the tables of a migrated store.
pub(crate) fn stand_in(
    connection: &Connection,
    found: i32,
    steps: &[Step],
) -> Result<bool, StoreError> {
    let missing = steps.iter().filter(|step| found < step.version);
    let tables: Vec<String> =
        missing.flat_map(|step| step.sql.split_inclusive(';')).filter_map(passing).collect();
    connection.execute_batch(&tables.concat()).port()?;
    Ok(!tables.is_empty())
}

/// The statement that makes a table for one connection alone; none for any other statement.
fn passing(statement: &str) -> Option<String> {
    let rest = statement.trim_start().strip_prefix("CREATE TABLE ")?;
    Some(format!("CREATE TEMP TABLE {rest}"))
}

/// The version of a store; none for an empty file.
///
/// All is read from one snapshot: another process may be making the store just now.
pub(crate) fn version(connection: &Connection) -> Result<Option<i32>, StoreError> {
    let snapshot = connection.unchecked_transaction().port()?;
    let found = version_in(&snapshot)?;
    snapshot.finish().port()?;
    Ok(found)
}

fn version_in(connection: &Connection) -> Result<Option<i32>, StoreError> {
    let version = pragma(connection, "user_version")?;
    let is_ours = pragma(connection, "application_id")? == APPLICATION_ID;
    match (version, is_ours) {
        (0, false) if is_empty(connection)? => Ok(None),
        (_, true) => check_major(version).map(|()| Some(version)),
        (_, false) => Err(StoreError::Foreign),
    }
}

fn check_major(version: i32) -> Result<(), StoreError> {
    match (version / 1000).cmp(&MAJOR) {
        Ordering::Equal => Ok(()),
        Ordering::Less => {
            Err(StoreError::Older { found: word(version), needed: word(newest(STEPS)) })
        }
        Ordering::Greater => {
            Err(StoreError::Newer { found: word(version), known: word(newest(STEPS)) })
        }
    }
}

/// Refuses a store of another major version, and what another program marked as its own.
pub(crate) fn check_owner(found: FirstPage) -> Result<(), StoreError> {
    match found {
        FirstPage { application_id: APPLICATION_ID, user_version } => check_major(user_version),
        // One that is being made says so in its first commit.
        FirstPage { application_id: 0, user_version: 0 } => Ok(()),
        _ => Err(StoreError::Foreign),
    }
}

/// Whether a store of this version needs no migration.
pub(crate) fn is_newest(version: Option<i32>) -> bool {
    version.is_some_and(|version| newest(STEPS) <= version)
}

/// Whether a later program has added to this store.
pub(crate) fn is_later(connection: &Connection) -> Result<bool, StoreError> {
    Ok(newest(STEPS) < pragma(connection, "user_version")?)
}

/// Gives `new` the version of `old`, if that is a later minor one and can be read.
pub(crate) fn keep_later(old: &Connection, new: &Connection) -> Result<(), StoreError> {
    match version(old) {
        Ok(Some(found)) if newest(STEPS) < found => stamp(new, found),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A version as major.minor.
pub(crate) fn word(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000)
}

fn newest(steps: &[Step]) -> i32 {
    steps.last().map_or(0, |step| step.version)
}

fn pragma(connection: &Connection, name: &str) -> Result<i32, StoreError> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).port()
}

fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
    let n: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).port()?;
    Ok(n == 0)
}

/// Makes the newest schema in an empty database.
pub(crate) fn create(connection: &Connection) -> Result<(), StoreError> {
    for step in STEPS {
        connection.execute_batch(step.sql).port()?;
    }
    stamp(connection, newest(STEPS))
}

/// Refuses to bring a large store on: the copy that is made before takes longer than a hook has.
pub(crate) fn check_quick(connection: &Connection, files: &Files) -> Result<(), StoreError> {
    let found = version(connection)?.filter(|found| !is_newest(Some(*found)));
    match found {
        Some(found) if files.is_large() => {
            Err(StoreError::Unmigrated { found: word(found), needed: word(newest(STEPS)) })
        }
        Some(_) | None => Ok(()),
    }
}

/// Brings a store to the newest schema; a store from a later minor version is left as it is.
pub(crate) fn migrate(
    connection: &mut Connection,
    files: &Files,
    steps: &[Step],
) -> Result<(), StoreError> {
    let mut found = version(connection)?;
    if found.is_none() {
        connection.execute_batch("PRAGMA journal_mode = WAL;").port()?;
    }
    for step in steps {
        if found.is_some_and(|found| step.version <= found) {
            continue;
        }
        if let Some(found) = found {
            back_up(connection, files, found)?;
        }
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
        transaction.execute_batch(step.sql).port()?;
        stamp(&transaction, step.version)?;
        transaction.commit().port()?;
        // An empty file is not worth a copy between its first steps.
        found = found.map(|_| step.version);
    }
    Ok(())
}

fn stamp(connection: &Connection, version: i32) -> Result<(), StoreError> {
    let sql = format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version};");
    connection.execute_batch(&sql).port()
}

/// Copies the store before a migration; an older copy of the same version gives way.
fn back_up(connection: &Connection, files: &Files, version: i32) -> Result<(), StoreError> {
    let copy = files.backup(&format!("{}.db", word(version)));
    files.make_backups()?;
    remove(&copy)?;
    rescue::copy_into(connection, &copy)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const FIRST: i32 = STEPS[0].version;

    const LATER: &[Step] = &[
        STEPS[0],
        Step {
            version: FIRST + 1,
            sql: "CREATE TABLE one (id INTEGER); INSERT INTO one VALUES (1);",
        },
        Step {
            version: FIRST + 2,
            sql: "ALTER TABLE one ADD COLUMN more INTEGER NOT NULL DEFAULT 2;",
        },
    ];

    /// A store of the first version with one project.
    fn store() -> (tempfile::TempDir, Files, Connection) {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::of(&folder.path().join("vade.db"));
        files.create().expect("a file");
        let mut connection = Connection::open(&files.database).expect("a database");
        migrate(&mut connection, &files, &LATER[..1]).expect("a schema");
        let sql =
            "INSERT INTO project (id, uid, name, created_at) VALUES (1, randomblob(16), 'p', 1)";
        connection.execute(sql, []).expect("a project");
        (folder, files, connection)
    }

    #[track_caller]
    fn check(connection: &Connection, expected: i32) {
        assert_eq!(version(connection).expect("a version"), Some(expected));
        let n: i64 = connection
            .query_row("SELECT count(*) FROM project WHERE name = 'p'", [], |row| row.get(0))
            .expect("the projects");
        assert_eq!(n, 1);
    }

    #[test]
    fn each_step_is_made_once_with_a_copy_before_it() {
        let (_folder, files, mut connection) = store();
        for _ in 0..2 {
            migrate(&mut connection, &files, LATER).expect("migrated");
            check(&connection, FIRST + 2);
            for expected in [FIRST, FIRST + 1] {
                let copy = files.backup(&format!("{}.db", word(expected)));
                check(&Connection::open(&copy).expect("a copy"), expected);
                let mode = copy.metadata().expect("a file").permissions().mode();
                assert_eq!(mode & 0o777, 0o600);
            }
        }
        let n_rows: i64 =
            connection.query_row("SELECT count(*) FROM one", [], |row| row.get(0)).expect("rows");
        assert_eq!(n_rows, 1);
    }

    #[test]
    fn a_store_of_another_major_version_is_refused() {
        let (_folder, _files, connection) = store();
        let refused = |found: i32| {
            stamp(&connection, found).expect("stamped");
            version(&connection).expect_err("another version").to_string()
        };
        let needed = word(newest(STEPS));
        let older = format!("the store is of version 1.6, this vade needs {needed}");
        assert_eq!(refused(1006), older);
        let newer = format!("the store has schema 99.0, this program knows {needed}");
        assert_eq!(refused(99_000), newer);
    }

    #[test]
    fn the_steps_make_what_a_new_store_has() {
        let (_folder, files, mut connection) = store();
        migrate(&mut connection, &files, STEPS).expect("migrated");
        let shape = "SELECT group_concat(sql, char(10)) FROM
                     (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name)";
        let shape_of = |connection: &Connection| -> String {
            connection.query_row(shape, [], |row| row.get(0)).expect("a schema")
        };
        let new = Connection::open_in_memory().expect("a database");
        create(&new).expect("a schema");
        assert_eq!(shape_of(&connection), shape_of(&new));
    }

    #[test]
    fn an_older_store_is_read_as_if_it_had_the_newest_tables() {
        let (_folder, files, mut connection) = store();
        let n_rows = |connection: &Connection| -> i64 {
            connection.query_row("SELECT count(*) FROM one", [], |row| row.get(0)).expect("rows")
        };
        assert!(stand_in(&connection, FIRST, &LATER[..2]).expect("tables"));
        assert_eq!(n_rows(&connection), 0);
        drop(std::mem::replace(&mut connection, Connection::open(&files.database).expect("one")));
        check(&connection, FIRST);
        assert!(!stand_in(&connection, newest(STEPS), STEPS).expect("none"));
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before_it() {
        let (_folder, files, mut connection) = store();
        let torn = "ALTER TABLE one ADD COLUMN more INTEGER; INSERT INTO nowhere VALUES (1);";
        let steps = [LATER[0], LATER[1], Step { version: FIRST + 2, sql: torn }];
        migrate(&mut connection, &files, &steps).expect_err("a torn step");
        check(&connection, FIRST + 1);
        drop(connection);

        let mut connection = Connection::open(&files.database).expect("a database");
        migrate(&mut connection, &files, LATER).expect("migrated");
        check(&connection, FIRST + 2);
    }

    #[test]
    fn no_step_is_made_without_its_copy() {
        let (_folder, files, mut connection) = store();
        std::fs::write(&files.backups, "a file is in the way").expect("a file");
        migrate(&mut connection, &files, LATER).expect_err("no folder for backups");
        check(&connection, FIRST);
    }

    #[test]
    fn a_copy_that_was_not_finished_gives_way() {
        let (_folder, files, mut connection) = store();
        std::fs::create_dir(&files.backups).expect("a folder");
        std::fs::write(files.backup(&format!("{}.db", word(FIRST))), "half a copy")
            .expect("a file");
        migrate(&mut connection, &files, LATER).expect("migrated");
        check(
            &Connection::open(files.backup(&format!("{}.db", word(FIRST)))).expect("a copy"),
            FIRST,
        );
    }
}
