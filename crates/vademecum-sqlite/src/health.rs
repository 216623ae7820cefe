//! What a store says of its own state.

use rusqlite::Connection;
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_store::{Health, StoreError, chain};

use crate::error::Port;
use crate::files::Files;
use crate::{erase, journal, open, rekey, rescue, schema, texts};

/// What must give no row in a sound store, and what is wrong if it does.
///
/// Counts and tags are kept beside the notes so that lists are fast; here they are counted anew.
const DERIVED: &[(&str, &str)] = &[
    (
        "the number of notes of a session is not that of its rows",
        "SELECT 1 FROM (SELECT s.*, coalesce(b.notes, s.id) AS holder
                        FROM session AS s LEFT JOIN borrowed AS b ON b.session = s.id) WHERE
             n_notes <> (SELECT count(*) FROM note WHERE session = holder) OR
             n_open <> (SELECT count(*) FROM note WHERE session = holder AND scratched_at IS NULL) OR
             coalesce(last_note, 0) < (SELECT coalesce(max(id), 0) FROM note WHERE session = holder)",
    ),
    (
        "a session borrows a page or notes that are not there, or has others of its own",
        "SELECT 1 FROM borrowed AS b
         WHERE (page IS NULL AND notes IS NULL) OR (page IS NULL) <> (rev IS NULL)
            OR (page IS NULL) <> (updated_at IS NULL)
            OR (page IS NOT NULL AND
                (EXISTS (SELECT 1 FROM notepad WHERE session = b.session)
                 OR NOT EXISTS (SELECT 1 FROM notepad WHERE session = b.page)))
            OR (notes IS NOT NULL AND
                (EXISTS (SELECT 1 FROM note WHERE session = b.session)
                 OR NOT EXISTS (SELECT 1 FROM note WHERE session = b.notes)))",
    ),
    (
        "a note is listed under other tags than it has",
        "SELECT 1 FROM note_tag AS t LEFT JOIN note AS n ON n.session = t.session AND n.id = t.id
         WHERE n.row IS NULL OR n.updated_at <> t.updated_at
            OR t.is_open <> (n.scratched_at IS NULL)
            OR instr(',' || n.tags || ',', ',' || t.tag || ',') = 0
         UNION ALL
         SELECT 1 FROM (SELECT count(*) AS listed FROM note_tag),
             (SELECT coalesce(sum(length(tags) - length(replace(tags, ',', '')) + 1), 0) AS had
              FROM note)
         WHERE listed <> had",
    ),
    (
        "the number of uses of a tag is not that of its rows",
        "SELECT 1 FROM (
             SELECT session, tag, n_notes, n_open FROM tag_count
             EXCEPT SELECT session, tag, count(*), sum(is_open) FROM note_tag GROUP BY session, tag)
         UNION ALL SELECT 1 FROM (
             SELECT session, tag FROM note_tag EXCEPT SELECT session, tag FROM tag_count)",
    ),
    (
        "the search index does not hold the notes that there are",
        "SELECT 1 FROM (SELECT row FROM note EXCEPT SELECT id FROM note_index_docsize)
         UNION ALL SELECT 1 FROM (SELECT id FROM note_index_docsize EXCEPT SELECT row FROM note)",
    ),
];

fn engine() -> String {
    format!("SQLite {}", rusqlite::version())
}

/// What was mended or kept apart and nobody has acknowledged; nothing is opened.
pub(crate) fn unsaid(files: &Files) -> Health {
    let faults = rescue::unsaid(files);
    Health { engine: engine(), schema: None, faults, notices: Vec::new() }
}

pub(crate) fn check(
    connection: &Connection,
    files: &Files,
    deep: bool,
) -> Result<Health, StoreError> {
    let engine = engine();
    if open::is_in_memory(connection) {
        return Ok(Health { engine, schema: None, faults: Vec::new(), notices: Vec::new() });
    }
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
        faults.push("erased bytes are still on disk: whoever erased them was stopped, or an older state is still read".to_owned());
    }
    if deep {
        faults.extend(derived(connection)?);
    }
    faults.extend(rescue::unsaid(files));
    let schema = schema::version(connection)?.map(schema::word);
    Ok(Health { engine, schema, faults, notices: rekey::notices(connection)? })
}

/// What does not hold in the journal: its chains and, when `deep`, its bodies.
pub(crate) fn chain(
    connection: &Connection,
    key: &Key,
    deep: bool,
) -> Result<Vec<String>, StoreError> {
    let lost = rekey::last_lost(connection)?;
    let mut faults = broken_chains(connection, key, lost)?;
    if deep {
        faults.extend(changed_bodies(connection, key, lost)?);
    }
    Ok(faults)
}

/// What SQLite finds wrong in the file, at most ten lines.
pub(crate) fn pages(connection: &Connection, deep: bool) -> Result<Vec<String>, StoreError> {
    // FTS5 checks its index by what this connection saw of it last, and calls damaged what another one merged since:
    // a look makes it see what there is. One that fails is what the check itself says.
    drop(connection.query_row("SELECT 1 FROM note_index WHERE rowid = 0", [], |_| Ok(())));
    let pragma = if deep { "integrity_check" } else { "quick_check" };
    let mut query = connection.prepare(&format!("PRAGMA {pragma}(10)")).port()?;
    let rows = query.query_map([], |row| row.get::<_, String>(0)).port()?;
    let mut lines = rows.collect::<rusqlite::Result<Vec<_>>>().port()?;
    lines.retain(|line| line != "ok");
    Ok(lines)
}

/// One line for each scope whose chain does not hold.
fn broken_chains(connection: &Connection, key: &Key, lost: Seq) -> Result<Vec<String>, StoreError> {
    let mut records = journal::after(connection, Seq(0), 0)?;
    records.sort_by_key(|record| (record.scope.to_string(), record.seq));
    let scopes = records.chunk_by(|a, b| a.scope == b.scope);
    let bad = scopes.filter_map(|records| chain::first_bad_after(key, lost, records));
    Ok(bad
        .map(|record| format!("journal entry {} was changed by another program", record.seq.0))
        .collect())
}

/// One line for each body that is not the one its entry was made with.
fn changed_bodies(
    connection: &Connection,
    key: &Key,
    lost: Seq,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT journal.seq, body, body_hash FROM journal_body
               LEFT JOIN journal ON journal.seq = journal_body.seq WHERE ?1 < journal_body.seq";
    let mut query = connection.prepare(sql).port()?;
    let rows = query
        .query_map([lost.0], |row| {
            let (seq, body): (Option<i64>, Vec<u8>) = (row.get(0)?, row.get(1)?);
            let hash: Option<[u8; 32]> = row.get(2)?;
            Ok((seq, hash == Some(chain::body_hash(key, &body))))
        })
        .port()?;
    let mut lines = Vec::new();
    for row in rows {
        match row.port()? {
            (_, true) => {}
            (Some(seq), false) => {
                lines.push(format!(
                    "the body of journal entry {seq} was changed by another program"
                ));
            }
            (None, _) => lines.push("a journal body belongs to no entry".to_owned()),
        }
    }
    let unreadable = journal::unreadable_bodies(connection)?.into_iter().filter(|seq| *seq <= lost);
    lines.extend(
        unreadable.map(|seq| format!("the body of journal entry {} cannot be read", seq.0)),
    );
    Ok(lines)
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
