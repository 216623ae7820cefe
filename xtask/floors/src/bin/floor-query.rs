//! The least a search can do: a bare FTS5 query for the newest notes with a word or name.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::time::Instant;

use rusqlite::{Connection, OpenFlags, params};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Asks so many times for the newest notes with a name, and prints the nanoseconds of each query.
///
/// `plain` asks a table of FTS5 as anyone would make it; `token` asks vademecum's own index for one key.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [sort, path, name, n_times] = words.as_slice() else {
        anyhow::bail!("usage: floor-query plain|token PATH NAME TIMES");
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let (sql, name) = match sort.as_str() {
        "plain" => (PLAIN, format!("\"{name}\"")),
        _ => (TOKEN, token(name)),
    };
    for _ in 0..n_times.parse()? {
        let begin = Instant::now();
        ask(&connection, sql, &name)?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}

const PLAIN: &str = "SELECT rowid, content, tags FROM plain
                     WHERE plain MATCH ?1 ORDER BY rowid DESC LIMIT 20";

const TOKEN: &str = "SELECT note.id, note.content, note.tags
                     FROM note_index CROSS JOIN note ON note.row = note_index.rowid
                     WHERE note_index MATCH ?1 ORDER BY note_index.rowid DESC LIMIT 20";

fn ask(
    connection: &Connection,
    sql: &str,
    name: &str,
) -> anyhow::Result<Vec<(i64, String, String)>> {
    let mut query = connection.prepare_cached(sql)?;
    let rows = query.query_map(params![name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The index's own token for a word of the first session: see `ARCHITECTURE.md`, search tokens.
fn token(key: &str) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = xxh3_64_with_seed(key.as_bytes(), 1 << 2);
    let digit = |place: u64| char::from(DIGITS[(hash >> (5 * place) & 31) as usize]);
    (0..8).map(digit).collect()
}
