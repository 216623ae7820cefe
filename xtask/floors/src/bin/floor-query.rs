//! The least a search can do: the bare FTS5 query for one word on the same database.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::time::Instant;

use rusqlite::{Connection, OpenFlags, params};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Asks so many times for the newest notes with a key, and prints the nanoseconds of each query.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, key, n_times] = words.as_slice() else {
        anyhow::bail!("usage: floor-query PATH KEY TIMES");
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let token = token(key);
    for _ in 0..n_times.parse()? {
        let begin = Instant::now();
        ask(&connection, &token)?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}

fn ask(connection: &Connection, token: &str) -> anyhow::Result<Vec<(i64, String, String)>> {
    let sql = "SELECT note.id, note.content, note.tags
               FROM note_index CROSS JOIN note ON note.row = note_index.rowid
               WHERE note_index MATCH ?1 ORDER BY note_index.rowid DESC LIMIT 20";
    let mut query = connection.prepare_cached(sql)?;
    let rows =
        query.query_map(params![token], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The index's own token for a word of the first session: see `ARCHITECTURE.md`, search tokens.
fn token(key: &str) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = xxh3_64_with_seed(key.as_bytes(), 1 << 2);
    let digit = |place: u64| char::from(DIGITS[(hash >> (5 * place) & 31) as usize]);
    (0..8).map(digit).collect()
}
