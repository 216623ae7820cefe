//! The database of opencode: its sessions and their messages are read as they stand, never written.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row};
use vademecum_core::time::Time;
use vademecum_store::StoreError;

use crate::error::Port;

/// The most bytes of one part; of a longer one only its place is told.
const PART_MAX: i64 = 8 * 1024 * 1024;

/// How long a writer is waited for.
const WAIT: Duration = Duration::from_millis(250);

/// The parts of a session in the order they were made.
const PARTS: &str = "
    SELECT message.id,
           CASE WHEN octet_length(message.data) <= ?2 THEN message.data END,
           CASE WHEN octet_length(part.data) <= ?2 THEN part.data END
    FROM message JOIN part ON part.message_id = message.id
    WHERE message.session_id = ?1
    ORDER BY message.time_created, message.id, part.id";

/// An open database of opencode.
#[derive(Debug)]
pub struct Opencode {
    connection: Connection,
}

/// One session of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpencodeSession {
    /// Its id.
    pub id: String,
    /// The folder it was started in.
    pub directory: String,
    /// The session that it is a sub-agent of.
    pub parent: Option<String>,
    /// When it was written last.
    pub modified: Option<Time>,
    /// All of it that readers of transcripts need, as JSON.
    pub json: String,
}

/// One part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpencodePart<'a> {
    /// The id of its message.
    pub message_id: &'a str,
    /// The message and the part as JSON; none if either is too long or no text.
    pub json: Option<(&'a str, &'a str)>,
}

impl Opencode {
    /// Opens the database at `path` for reading.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).port()?;
        connection.busy_timeout(WAIT).port()?;
        connection.pragma_update(None, "trusted_schema", false).port()?;
        Ok(Self { connection })
    }

    /// Every session, the newest first.
    pub fn sessions(&self) -> Result<Vec<OpencodeSession>, StoreError> {
        let mut statement = self.connection.prepare("SELECT * FROM session").port()?;
        let rows = statement.query_map([], |row| Ok(session(row))).port()?;
        let mut sessions = rows.collect::<Result<Vec<_>, _>>().port()?;
        sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| b.id.cmp(&a.id)));
        Ok(sessions)
    }

    /// Tells every part of the session to `each`, in the order they were made.
    pub fn parts(
        &self,
        session_id: &str,
        each: &mut dyn FnMut(OpencodePart<'_>),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(PARTS).port()?;
        let mut rows = statement.query((session_id, PART_MAX)).port()?;
        while let Some(row) = rows.next().port()? {
            let text = |column: usize| row.get_ref(column).ok().and_then(|it| it.as_str().ok());
            let message_id = text(0).unwrap_or_default();
            each(OpencodePart { message_id, json: text(1).zip(text(2)) });
        }
        Ok(())
    }
}

/// A session from whichever columns this version has.
fn session(row: &Row<'_>) -> OpencodeSession {
    let text = |name: &str| row.get::<_, Option<String>>(name).ok().flatten();
    let revert: serde_json::Value =
        text("revert").and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
    let (id, directory) = (text("id").unwrap_or_default(), text("directory").unwrap_or_default());
    let json = serde_json::json!({
        "id": id, "directory": directory, "version": text("version"), "revert": revert,
    });
    OpencodeSession {
        id,
        directory,
        parent: text("parent_id"),
        modified: row.get::<_, Option<i64>>("time_updated").ok().flatten().map(Time),
        json: json.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"
        CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL,
            version TEXT NOT NULL, revert TEXT, time_updated INTEGER NOT NULL);
        CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
            time_created INTEGER NOT NULL, data TEXT NOT NULL);
        CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL,
            session_id TEXT NOT NULL, data TEXT NOT NULL);
        INSERT INTO session VALUES
            ('ses_1', NULL, '/home/dev/proj', '1.18.33', '{"messageID":"msg_9"}', 10),
            ('ses_2', 'ses_1', '/home/dev/proj', '1.18.33', NULL, 20);
        INSERT INTO message VALUES ('msg_2', 'ses_1', 2, '{"role":"assistant"}'),
            ('msg_1', 'ses_1', 1, '{"role":"user"}'), ('msg_3', 'ses_2', 3, '{}');
        INSERT INTO part VALUES ('prt_3', 'msg_2', 'ses_1', '{"n":3}'),
            ('prt_1', 'msg_1', 'ses_1', '{"n":1}'), ('prt_2', 'msg_2', 'ses_1', '{"n":2}'),
            ('prt_4', 'msg_2', 'ses_1', CAST(zeroblob(9000000) AS TEXT));
    "#;

    #[test]
    fn sessions_and_their_parts_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("opencode.db");
        Connection::open(&path).and_then(|made| made.execute_batch(SCHEMA)).expect("a database");

        let opencode = Opencode::open(&path).expect("a database");
        let sessions = opencode.sessions().expect("sessions");
        let ids: Vec<_> =
            sessions.iter().map(|it| (it.id.as_str(), it.parent.as_deref())).collect();
        assert_eq!(ids, [("ses_2", Some("ses_1")), ("ses_1", None)]);
        let json = r#"{"id":"ses_1","directory":"/home/dev/proj","version":"1.18.33","revert":{"messageID":"msg_9"}}"#;
        assert_eq!((sessions[1].json.as_str(), sessions[1].modified), (json, Some(Time(10))));

        let mut parts = Vec::new();
        let mut each = |part: OpencodePart<'_>| {
            let json = part.json.map(|(message, part)| format!("{message} {part}"));
            parts.push(format!("{} {}", part.message_id, json.unwrap_or_default()));
        };
        opencode.parts("ses_1", &mut each).expect("parts");
        let expected = [
            r#"msg_1 {"role":"user"} {"n":1}"#,
            r#"msg_2 {"role":"assistant"} {"n":2}"#,
            r#"msg_2 {"role":"assistant"} {"n":3}"#,
            "msg_2 ",
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn what_is_not_there_is_not_made() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("opencode.db");
        assert!(Opencode::open(&path).is_err());
        assert!(!path.exists());
    }
}
