//! What a store says of its own state.

use rusqlite::Connection;
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_store::chain::{self, BodyBytes, Seal};
use vademecum_store::{Health, StoreError};

use crate::error::Port;
use crate::files::Files;
use crate::{erase, journal, lines, open, rekey, rescue, schema, texts};

/// What must give no row in a sound store, and what is wrong if it does.
///
/// Counts and tags are kept beside the notes so that lists are fast; here they are counted anew.
const DERIVED: &[(&str, &str)] = &[
    (
        "the number of notes of a session is not that of its rows",
        "SELECT 1 FROM holder LEFT JOIN
             (SELECT number >> 28 AS holder, count(*) AS notes, count(*) - count(scratched_at) AS open,
                  max(id) AS last, max(number & 33554431) AS place
              FROM note GROUP BY number >> 28) AS had ON had.holder = holder.id
         WHERE n_notes <> coalesce(notes, 0) OR n_open <> coalesce(open, 0)
             OR last_id < last OR last_place < place",
    ),
    (
        "a note is out of the order of lists",
        "SELECT 1 FROM (
             SELECT updated_at, note.id, top_at, top_id,
                 lag(updated_at, 1, -1) OVER line AS at_before, lag(note.id, 1, -1) OVER line AS id_before
             FROM note JOIN holder ON holder.id = number >> 28 WHERE number >> 25 & 7 = 0
             WINDOW line AS (PARTITION BY number >> 28 ORDER BY number))
         WHERE (updated_at, id) <= (at_before, id_before) OR (top_at, top_id) < (updated_at, id)",
    ),
    (
        "a project has an entry with an id beyond the last one",
        "SELECT 1 FROM entry LEFT JOIN holder ON holder.id = entry.project
         WHERE coalesce(holder.last_id, 0) < entry.id
             OR coalesce(holder.last_place, 0) < entry.number & 33554431",
    ),
    (
        "a fork waits for notes of a session that is not there",
        "SELECT 1 FROM fork WHERE session NOT IN (SELECT id FROM session)
             OR below <> 0 AND source NOT IN (SELECT id FROM session)",
    ),
    (
        "the number of uses of a tag is not that of its notes",
        "WITH RECURSIVE split (session, is_open, tag, rest) AS (
             SELECT number >> 28, scratched_at IS NULL, '', tags || ','
             FROM note WHERE number NOT IN (SELECT number FROM waiting)
             UNION ALL SELECT session, is_open,
                 substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1)
             FROM split WHERE rest <> ''),
         used AS (SELECT session, tag, count(*), sum(is_open) FROM split
                  WHERE tag <> '' GROUP BY session, tag)
         SELECT 1 FROM (SELECT session, tag, n_notes, n_open FROM tag_count EXCEPT SELECT * FROM used)
         UNION ALL SELECT 1 FROM (
             SELECT * FROM used EXCEPT SELECT session, tag, n_notes, n_open FROM tag_count)",
    ),
    (
        "the search index does not hold the documents that there are",
        "WITH document (number) AS (
             SELECT number FROM note UNION ALL SELECT number FROM entry
             UNION ALL SELECT (session << 28) | (2 << 25) FROM notepad
             UNION ALL SELECT (session << 28) | (3 << 25) FROM handoff
             UNION ALL SELECT (session << 28) | (4 << 25) FROM recap)
         SELECT 1 FROM (SELECT number FROM document EXCEPT SELECT id FROM document_index_docsize
                        EXCEPT SELECT number FROM waiting)
         UNION ALL SELECT 1 FROM (
             SELECT id FROM document_index_docsize UNION SELECT number FROM waiting
             EXCEPT SELECT number FROM document) WHERE (id >> 25 & 7) <= 5
         UNION ALL SELECT 1 FROM waiting WHERE number IN (SELECT id FROM document_index_docsize)",
    ),
];

fn engine() -> String {
    format!("SQLite {}", rusqlite::version())
}

/// What was mended or kept apart and nobody has acknowledged; nothing is opened.
pub(crate) fn unsaid(files: &Files) -> Health {
    of_faults(rescue::unsaid(files))
}

/// What these faults alone say.
fn of_faults(faults: Vec<String>) -> Health {
    let (of_others, notices) = (Vec::new(), Vec::new());
    Health { engine: engine(), schema: None, faults, of_others, notices }
}

pub(crate) fn check(
    connection: &Connection,
    files: &Files,
    deep: bool,
) -> Result<Health, StoreError> {
    if open::is_in_memory(connection) {
        return Ok(of_faults(Vec::new()));
    }
    // Others write meanwhile: a journal and a head of two moments would look like what was taken away.
    let one_moment = connection.unchecked_transaction().port()?;
    let health = of_moment(&one_moment, files, deep)?;
    one_moment.finish().port()?;
    let schema = schema::version(connection)?.map(schema::word);
    Ok(Health { schema, ..health })
}

fn of_moment(connection: &Connection, files: &Files, deep: bool) -> Result<Health, StoreError> {
    let mut faults = pages(connection, deep)?;
    if faults.is_empty() {
        faults.extend(texts::faults(connection)?);
    }
    match files.read_key() {
        // What cannot be read as an entry is told of above.
        Ok(Some(key)) if faults.is_empty() => faults.extend(chain(connection, &key, deep)?),
        Ok(Some(_)) => {}
        Ok(None) => faults.push("the key of the journal is missing".to_owned()),
        Err(error) => faults.push(error.to_string()),
    }
    if erase::is_unfinished(connection)? {
        faults.push(Health::BYTES_LEFT.to_owned());
    }
    if deep {
        faults.extend(derived(connection)?);
    }
    faults.extend(rescue::unsaid(files));
    Ok(Health { notices: rekey::notices(connection)?, ..of_faults(faults) })
}

/// What does not hold in the journal: its chains and, when `deep`, its bodies.
pub(crate) fn chain(
    connection: &Connection,
    key: &Key,
    deep: bool,
) -> Result<Vec<String>, StoreError> {
    let lost = rekey::last_lost(connection)?;
    let lines = lines::all(connection)?;
    let mut faults: Vec<String> = lines.iter().filter_map(|line| line.fault(key, lost)).collect();
    if deep {
        faults.extend(changed_bodies(connection, key, lost)?);
    }
    Ok(faults)
}

/// What SQLite finds wrong in the file, at most ten lines.
pub(crate) fn pages(connection: &Connection, deep: bool) -> Result<Vec<String>, StoreError> {
    // FTS5 checks its index by what this connection saw of it last, and calls damaged what another one merged since:
    // a look in the same transaction makes it see what there is. One that fails is what the check itself says.
    drop(connection.query_row("SELECT 1 FROM document_index WHERE rowid = 0", [], |_| Ok(())));
    let pragma = if deep { "integrity_check" } else { "quick_check" };
    let mut query = connection.prepare(&format!("PRAGMA {pragma}(10)")).port()?;
    let rows = query.query_map([], |row| row.get::<_, String>(0)).port()?;
    let mut lines = rows.collect::<rusqlite::Result<Vec<_>>>().port()?;
    lines.retain(|line| line != "ok");
    Ok(lines)
}

/// One line for each body that is not the one its entry was made with.
fn changed_bodies(
    connection: &Connection,
    key: &Key,
    lost: Seq,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT seq, body_hash, arguments, reply, undo FROM journal
               WHERE ?1 < seq AND coalesce(arguments, reply, undo) IS NOT NULL ORDER BY seq";
    let mut query = connection.prepare(sql).port()?;
    let rows = query.query_map([lost.0], |row| {
        let hash: Seal = row.get(1)?;
        let part = |column| -> rusqlite::Result<&[u8]> {
            Ok(row.get_ref(column)?.as_blob_or_null()?.unwrap_or_default())
        };
        let body = BodyBytes { arguments: part(2)?, reply: part(3)?, undo: part(4)? };
        Ok((row.get::<_, i64>(0)?, hash == chain::body_hash(key, &body)))
    });
    let rows = rows.port()?.collect::<rusqlite::Result<Vec<_>>>().port()?;
    let changed = rows.into_iter().filter(|(_, is_same)| !is_same);
    let changed = changed
        .map(|(seq, _)| format!("the body of journal entry {seq} was changed by another program"));
    let unreadable = journal::unreadable_bodies(connection)?.into_iter().filter(|seq| *seq <= lost);
    let unreadable =
        unreadable.map(|seq| format!("the body of journal entry {} cannot be read", seq.0));
    Ok(changed.chain(unreadable).collect())
}

/// One line for each kind of derived rows that do not agree with the notes.
fn derived(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    for (wrong, sql) in DERIVED {
        if connection.prepare(sql).port()?.exists([]).port()? {
            lines.push((*wrong).to_owned());
        }
    }
    Ok(lines)
}
