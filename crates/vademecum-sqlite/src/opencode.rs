//! The databases of opencode: their sessions and messages are read as they stand, never written.

pub mod made;

use std::path::Path;
use std::time::Duration;

use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, Statement};
use vademecum_core::time::Time;
use vademecum_store::{DatabasePart, DatabaseSession, Databases, StoreError};

use crate::error::{Port, from_sqlite};
use crate::files::with_ending;
use crate::open::uri;

/// The most bytes of one part; of a longer one only its place is told.
const PART_MAX: i64 = 8 * 1024 * 1024;

/// The most bytes of one value, a computed one too: a part that is longer is not read anyhow.
const VALUE_MAX: i32 = 64 * 1024 * 1024;

/// How long a writer is waited for.
const WAIT: Duration = Duration::from_millis(250);

/// Every session, the newest first.
const SESSIONS: &str = "
    SELECT id, directory, parent_id, time_updated FROM session ORDER BY time_updated DESC, id DESC";

/// The parts of a session in the order they were made.
const PARTS: &str = "
    SELECT message.id,
           CASE WHEN octet_length(message.data) <= ?2 THEN message.data END,
           CASE WHEN octet_length(part.data) <= ?2 THEN part.data END
    FROM message JOIN part ON part.message_id = message.id
    WHERE message.session_id = ?1
    ORDER BY message.time_created, message.id, part.id";

/// Opens databases of opencode.
#[derive(Debug, Clone, Copy)]
pub struct Opencode;

impl Databases for Opencode {
    fn sessions(&self, path: &Path) -> Result<Vec<DatabaseSession>, StoreError> {
        let connection = open(path)?;
        let mut statement = prepare(&connection, SESSIONS)?;
        let rows = statement.query_map([], |row| Ok(session(row))).port()?;
        rows.collect::<Result<_, _>>().port()
    }

    fn about(&self, path: &Path, session_id: &str) -> Result<Option<String>, StoreError> {
        let connection = open(path)?;
        let mut statement = prepare(&connection, "SELECT * FROM session WHERE id = ?1")?;
        statement.query_row([session_id], |row| Ok(about(row))).optional().port()
    }

    fn parts(
        &self,
        path: &Path,
        session_id: &str,
        each: &mut dyn FnMut(DatabasePart<'_>),
    ) -> Result<(), StoreError> {
        let connection = open(path)?;
        let mut statement = prepare(&connection, PARTS)?;
        let mut rows = statement.query((session_id, PART_MAX)).port()?;
        while let Some(row) = rows.next().port()? {
            let text = |column: usize| row.get_ref(column).ok().and_then(|it| it.as_str().ok());
            let message_id = text(0).unwrap_or_default();
            each(DatabasePart { message_id, json: text(1).zip(text(2)) });
        }
        Ok(())
    }
}

/// Opens the database for reading.
///
/// Beside one on a read-only medium no log can be opened: there the database is read alone, unless the log
/// holds what the database has not.
fn open(path: &Path) -> Result<Connection, StoreError> {
    let connection = connect(path, "")?;
    match connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0)).port() {
        Err(error @ (StoreError::ReadOnly | StoreError::Engine { .. })) => {
            match with_ending(path, "-wal").metadata().map_or(0, |meta| meta.len()) {
                0 => connect(path, "immutable=1").and_then(plain),
                n_bytes => Err(StoreError::Log { what: error.to_string(), n_bytes }),
            }
        }
        Err(error) => Err(error),
        Ok(_) => plain(connection),
    }
}

/// Refuses a database in which a name that is read is no table: a view may compute without an end.
fn plain(connection: Connection) -> Result<Connection, StoreError> {
    let sql = "SELECT count(*) FROM sqlite_schema
               WHERE name IN ('session', 'message', 'part')
                 AND (type <> 'table' OR sql LIKE 'CREATE VIRTUAL%' OR sql LIKE '%GENERATED%')";
    let n_others: i64 = connection.query_row(sql, [], |row| row.get(0)).port()?;
    if n_others == 0 { Ok(connection) } else { Err(StoreError::Foreign) }
}

fn connect(path: &Path, parameter: &str) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri(path, parameter), flags).port()?;
    connection.busy_timeout(WAIT).port()?;
    connection.pragma_update(None, "trusted_schema", false).port()?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_MAX).port()?;
    Ok(connection)
}

/// Prepares what every database of opencode can answer; another one lacks the tables or columns.
fn prepare<'c>(connection: &'c Connection, sql: &str) -> Result<Statement<'c>, StoreError> {
    connection.prepare(sql).map_err(|error| {
        let is_about_sql = matches!(error, rusqlite::Error::SqlInputError { .. })
            || error.sqlite_error_code() == Some(ErrorCode::Unknown);
        if is_about_sql { StoreError::Foreign } else { from_sqlite(&error) }
    })
}

fn text(row: &Row<'_>, name: &str) -> Option<String> {
    row.get::<_, Option<String>>(name).ok().flatten()
}

fn session(row: &Row<'_>) -> DatabaseSession {
    DatabaseSession {
        id: text(row, "id").unwrap_or_default(),
        directory: text(row, "directory").unwrap_or_default(),
        parent: text(row, "parent_id"),
        modified: row.get::<_, Option<i64>>("time_updated").ok().flatten().map(Time),
    }
}

/// What is told of a session by whichever columns this version has.
fn about(row: &Row<'_>) -> String {
    let revert = text(row, "revert").and_then(|json| serde_json::from_str(&json).ok());
    let revert: serde_json::Value = revert.unwrap_or_default();
    let text = |name: &str| text(row, name);
    let about = serde_json::json!({
        "id": text("id"), "directory": text("directory"), "version": text("version"), "revert": revert,
    });
    about.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A session with its messages, each an id with its parts.
    fn export(id: &str, parent: Option<&str>, at: i64, messages: &[(&str, &[Value])]) -> Value {
        let message = |(id, parts): &(&str, &[Value])| json!({"info": {"id": id, "role": "user", "time": {"created": at}}, "parts": parts});
        json!({
            "info": {
                "id": id, "parentID": parent, "directory": "/home/dev/proj", "version": "1.18.33",
                "revert": {"messageID": "msg_9"}, "time": {"created": at, "updated": at},
            },
            "messages": messages.iter().map(message).collect::<Vec<_>>(),
        })
    }

    #[test]
    fn sessions_and_their_parts_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("opencode ü?.db");
        let long = "x".repeat(9_000_000);
        let two = [json!({"n": 2}), json!({"n": 3}), json!({"long": long})];
        let first = [("msg_1", &[json!({"n": 1})][..]), ("msg_2", &two)];
        let made = [
            export("ses_1", None, 10, &first),
            export("ses_2", Some("ses_1"), 20, &[("msg_3", &[json!({"n": 4})])]),
        ];
        made::lay(&path, &made).expect("a database");

        let session = |id: &str, parent: Option<&str>, at| DatabaseSession {
            id: id.to_owned(),
            directory: "/home/dev/proj".to_owned(),
            parent: parent.map(str::to_owned),
            modified: Some(Time(at)),
        };
        let sessions = Opencode.sessions(&path).expect("sessions");
        assert_eq!(sessions, [session("ses_2", Some("ses_1"), 20), session("ses_1", None, 10)]);
        let about = r#"{"id":"ses_1","directory":"/home/dev/proj","version":"1.18.33","revert":{"messageID":"msg_9"}}"#;
        assert_eq!(Opencode.about(&path, "ses_1").expect("a read").as_deref(), Some(about));
        assert_eq!(Opencode.about(&path, "ses_9").expect("a read"), None);

        let mut parts = Vec::new();
        let mut each = |part: DatabasePart<'_>| {
            let json = part.json.map(|(message, part)| format!("{message} {part}"));
            parts.push(format!("{} {}", part.message_id, json.unwrap_or_default()));
        };
        Opencode.parts(&path, "ses_1", &mut each).expect("parts");
        let expected = [
            r#"msg_1 {"role":"user","time":{"created":10}} {"n":1}"#,
            r#"msg_2 {"role":"user","time":{"created":10}} {"n":2}"#,
            r#"msg_2 {"role":"user","time":{"created":10}} {"n":3}"#,
            "msg_2 ",
        ];
        assert_eq!(parts, expected);
    }

    #[track_caller]
    fn check(path: &Path, is_expected: fn(&StoreError) -> bool) {
        let errors = [
            Opencode.sessions(path).expect_err("no sessions"),
            Opencode.about(path, "ses_1").expect_err("no session"),
            Opencode.parts(path, "ses_1", &mut |_| {}).expect_err("no parts"),
        ];
        assert!(errors.iter().all(is_expected), "{errors:?}");
    }

    #[test]
    fn what_is_not_there_is_not_made() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("opencode.db");
        check(&path, |error| matches!(error, StoreError::Engine { .. }));
        assert!(!path.exists());
    }

    #[test]
    fn what_is_computed_in_place_of_tables_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["session", "message", "part"] {
            let path = folder.path().join(format!("{name}.db"));
            made::lay(&path, &[]).expect("a database");
            let other = Connection::open(&path).expect("a database");
            let body = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
                        SELECT old.*, hex(zeroblob(400000000)) AS more FROM c, old";
            let sql = format!("ALTER TABLE {name} RENAME TO old; CREATE VIEW {name} AS {body};");
            other.execute_batch(&sql).expect("a view");
            drop(other);
            check(&path, |error| matches!(error, StoreError::Foreign));
        }
    }

    #[test]
    fn what_is_not_opencodes_or_is_held_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("opencode.db");
        std::fs::write(&path, "no database").expect("a file");
        check(&path, |error| matches!(error, StoreError::Foreign));
        std::fs::remove_file(&path).expect("a file");
        let other = Connection::open(&path).expect("a database");
        other.execute_batch("CREATE TABLE session (id TEXT)").expect("a table");
        assert!(matches!(Opencode.sessions(&path), Err(StoreError::Foreign)));
        drop(other);
        std::fs::remove_file(&path).expect("a file");

        made::lay(&path, &[]).expect("a database");
        let held = made::hold(&path).expect("a lock");
        check(&path, |error| matches!(error, StoreError::Busy { .. }));
        drop(held);
        assert_eq!(Opencode.sessions(&path).expect("sessions"), []);
    }
}
