//! The least a search can do: a bare FTS5 query for the newest notes with a word or name.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::time::Instant;

use rusqlite::{Connection, OpenFlags, params};

/// Asks so many times for the newest notes with a name, and prints the nanoseconds of each query.
///
/// It asks a table of FTS5 as anyone would make it.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, name, n_times] = words.as_slice() else {
        anyhow::bail!("usage: floor-query PATH NAME TIMES");
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let name = format!("\"{name}\"");
    for _ in 0..n_times.parse()? {
        let begin = Instant::now();
        ask(&connection, &name)?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}

const PLAIN: &str = "SELECT rowid, content, tags FROM plain
                     WHERE plain MATCH ?1 ORDER BY rowid DESC LIMIT 20";

fn ask(connection: &Connection, name: &str) -> anyhow::Result<Vec<(i64, String, String)>> {
    let mut query = connection.prepare_cached(PLAIN)?;
    let rows = query.query_map(params![name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
