//! The least a durable write can do: one row in one transaction, on disk before the next.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::time::Instant;

use rusqlite::{Connection, TransactionBehavior};

/// Commits so many rows of so many bytes, and prints the nanoseconds of each commit.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, n_rows, n_bytes] = words.as_slice() else {
        anyhow::bail!("usage: floor-commit PATH ROWS BYTES");
    };
    let text = "x".repeat(n_bytes.parse()?);
    let mut connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE IF NOT EXISTS note (row INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;",
    )?;
    for _ in 0..n_rows.parse()? {
        let begin = Instant::now();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.prepare_cached("INSERT INTO note (content) VALUES (?1)")?.execute([&text])?;
        transaction.commit()?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}
