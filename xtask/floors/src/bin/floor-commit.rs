//! The least a durable write can do: one row, or the rows of one note, on disk before the next.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::bail;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

/// Commits the text so many times, and prints the nanoseconds of each commit.
///
/// `row` keeps it in a table of its own; `note` puts the rows of a note of vademecum where they belong,
/// in the first session of a store, each by one statement and with nothing worked out.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [sort, path, text, n_times] = words.as_slice() else {
        bail!("usage: floor-commit row|note PATH TEXT TIMES");
    };
    let is_note = sort == "note";
    let mut connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE IF NOT EXISTS line (row INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;",
    )?;
    let tokens = tokens(text);
    for idx in 0..n_times.parse()? {
        let text = format!("{idx} {text}");
        let begin = Instant::now();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if is_note {
            note(&transaction, &text, &tokens)?;
        } else {
            let sql = "INSERT INTO line (content) VALUES (?1)";
            transaction.prepare_cached(sql)?.execute([text])?;
        }
        transaction.commit()?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}

/// The rows that a note with two tags needs: see `ARCHITECTURE.md`, schema.
fn note(transaction: &Transaction<'_>, text: &str, tokens: &str) -> rusqlite::Result<()> {
    let run = |sql: &str| transaction.prepare_cached(sql)?.execute([]);
    let session = "(SELECT min(id) FROM session)";
    let insert = format!(
        "INSERT INTO note (number, id, created_at, updated_at, tags, content)
         SELECT (id << 28) + last_place + 1, last_id + 1, last_id + 1, last_id + 1, ?1, ?2
         FROM holder WHERE id = {session}"
    );
    transaction.prepare_cached(&insert)?.execute(params!["bug,queue", text])?;
    let number = transaction.last_insert_rowid();
    run(&format!(
        "UPDATE holder SET last_id = last_id + 1, last_place = last_place + 1, n_notes = n_notes + 1, n_open = n_open + 1,
             head = (SELECT max(seq) + 1 FROM journal), head_hash = randomblob(16)
         WHERE id = {session}"
    ))?;
    let wait = "INSERT INTO waiting VALUES (?1, CAST(?2 AS BLOB))";
    transaction.prepare_cached(wait)?.execute(params![number, tokens])?;
    let n_waiting: i64 = transaction
        .prepare_cached("SELECT count(*) FROM waiting")?
        .query_row([], |row| row.get(0))?;
    if n_waiting == 16 {
        take_in(transaction)?;
    }
    run(&format!(
        "INSERT INTO journal (holder, before, outside, at, short, kind, surface, author, writer,
             write_id, body_hash, hash, arguments, reply, undo)
         VALUES ({session}, 1, 1, 1763700000000, NULL, 'add_note', 'mcp',
             'agent', 1, hex(randomblob(16)), randomblob(16), randomblob(16), randomblob(32), zeroblob(0),
             zeroblob(60))"
    ))?;
    Ok(())
}

/// Takes the notes that wait into the index and their tags into the counts, by a statement for each kind of row.
fn take_in(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for sql in [
        "INSERT INTO document_index (rowid, tokens) SELECT number, CAST(keys AS TEXT) FROM waiting",
        "INSERT INTO tag_count SELECT session, tag, 16, 16
         FROM (SELECT number >> 28 AS session FROM waiting LIMIT 1), (SELECT 'bug' AS tag UNION ALL SELECT 'queue')
         WHERE true ON CONFLICT DO UPDATE SET n_notes = n_notes + 16, n_open = n_open + 16",
        "DELETE FROM waiting",
    ] {
        transaction.prepare_cached(sql)?.execute([])?;
    }
    Ok(())
}

/// As many tokens as the index has for the text: its words, and its pieces of three letters.
fn tokens(text: &str) -> String {
    let words = text.split(' ');
    let pieces = words.clone().flat_map(|word| word.as_bytes().windows(3));
    let keys: BTreeSet<&[u8]> = words.map(str::as_bytes).chain(pieces).collect();
    let hash = |key| xxhash_rust::xxh3::xxh3_64(key) & 0xffff_ffff;
    let words: Vec<String> = keys.into_iter().map(|key| format!("{:08x}", hash(key))).collect();
    words.join(" ")
}
