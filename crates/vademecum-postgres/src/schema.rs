//! The schema of a store and its versions; a migration is one transaction, and of many that start at once one makes it.

use vademecum_store::StoreError;

use crate::error::{Fault, failed};
use crate::link::{Link, Step};
use crate::statement::{Statement, column};

/// The schema that this program writes, as `major * 1000 + minor`.
pub(crate) const VERSION: i32 = 2_001;

/// The steps from nothing to [`VERSION`]: what each makes, and the version that it leads to. None is ever edited.
const STEPS: &[(i32, &str)] =
    &[(2_000, include_str!("schema/v2.sql")), (2_001, include_str!("schema/v2_1.sql"))];

/// A version as people write it.
pub(crate) fn word(version: i32) -> String {
    format!("{}.{}", version / 1_000, version % 1_000)
}

/// Refuses another major version; a higher minor one is worked with.
pub(crate) fn check(version: i32) -> Result<(), StoreError> {
    let known = VERSION / 1_000;
    match version / 1_000 {
        major if known < major => {
            Err(StoreError::Newer { found: word(version), known: word(VERSION) })
        }
        major if major < known => {
            Err(StoreError::Older { found: word(version), needed: word(VERSION) })
        }
        _ => Ok(()),
    }
}

/// Refuses an older minor version too, which lacks what this program asks: whoever writes brings it to this one.
pub(crate) fn check_read(version: i32) -> Result<(), StoreError> {
    check(version)?;
    if version < VERSION {
        let (found, known) = (word(version), word(VERSION));
        return Err(failed(&format!(
            "it is of schema {found}, and the next write brings it to {known}: vade store make does it now"
        )));
    }
    Ok(())
}

/// Makes the schema, or brings it to this program's version.
///
/// `begin` begins a transaction that has the lock of all who write, so that a second one finds it made.
pub(crate) fn migrate(link: &Link, schema: &str, begin: Vec<Step>) -> Result<(), Fault> {
    let mut steps = begin;
    // Its name and not `current_schema`: while it is not there that is `pg_temp`, the last of the path.
    let there = format!("SELECT 1 FROM pg_namespace WHERE nspname = '{schema}'");
    steps.push(Step::Ask(Statement::new(there, Vec::new())));
    let found = link.trip(steps)?.pop().unwrap_or_default();
    let done = match found.as_slice() {
        [] => {
            let make = [
                format!("CREATE SCHEMA {schema}"),
                format!("SET LOCAL search_path = {schema}, pg_temp"),
            ];
            raise(link, make.map(Step::Plain).into(), 0)
        }
        _ => version(link).and_then(|version| raise(link, Vec::new(), version)),
    };
    if done.is_err() {
        // A connection that goes back in a transaction would take its lock along.
        drop(link.trip(vec![Step::Plain("ROLLBACK".to_owned())]));
    }
    done
}

fn raise(link: &Link, mut steps: Vec<Step>, version: i32) -> Result<(), Fault> {
    if version != 0 {
        check(version)?;
    }
    for (to, sql) in STEPS.iter().filter(|(to, _)| version < *to) {
        let keep = format!("UPDATE store SET version = {to}");
        steps.extend([Step::Plain((*sql).to_owned()), Step::Plain(keep)]);
    }
    steps.push(Step::Plain("COMMIT".to_owned()));
    link.trip(steps).map(drop)
}

/// The version of a schema that is there; 0 of one that somebody made for the store and left empty.
fn version(link: &Link) -> Result<i32, Fault> {
    let sql = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()
               UNION ALL SELECT count(*) FROM pg_tables
               WHERE schemaname = current_schema() AND tablename = 'store'";
    let rows = link.trip(vec![Step::Ask(Statement::new(sql, Vec::new()))])?;
    let counts =
        rows.iter().flatten().map(|row| column(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    match counts.as_slice() {
        [0, 0] => return Ok(0),
        [_, 1] => {}
        _ => return Err(Fault::Told(StoreError::Foreign)),
    }
    let rows =
        link.trip(vec![Step::Ask(Statement::new("SELECT version FROM store", Vec::new()))])?;
    let row = rows.first().and_then(|rows| rows.first());
    let row = row.ok_or_else(|| Fault::Told(failed(&"the store's own row is gone")))?;
    Ok(column(row, 0)?)
}
