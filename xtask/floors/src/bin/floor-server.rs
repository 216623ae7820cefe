//! The least that keeping, listing and finding notes in PostgreSQL can cost: the rows of a store, in tables of their own
//! with the same indexes, asked and written bare.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, NoTls};

/// The tables that a note is kept in.
const TABLES: [&str; 7] = ["note", "note_key", "journal", "line", "session", "store", "tag_count"];

/// Those that each note adds a row to, and what they are in order of.
const ROWS: [(&str, &str); 3] = [("note", "place"), ("note_key", "place"), ("journal", "seq")];

/// Copies the store into tables without triggers and policies.
const COPY: &str = "CREATE TABLE bare.THIS (LIKE vademecum.THIS INCLUDING ALL);
    INSERT INTO bare.THIS SELECT * FROM vademecum.THIS;";

/// `floor-server ADDRESS add|list|find N [WORD]`: does it so many times and prints the nanoseconds of each.
fn main() -> anyhow::Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [address, what, n, rest @ ..] = given.as_slice() else {
        bail!("usage: floor-server ADDRESS add|list|find N [WORD]");
    };
    let n: i64 = n.parse()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let times = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
        tokio::spawn(connection);
        prepare(&client).await?;
        match (what.as_str(), rest) {
            ("add", []) => add(&client, n).await,
            ("list", []) => list(&client, n).await,
            ("find", [word]) => find(&client, n, word).await,
            _ => bail!("{what} is none of add, list, find WORD"),
        }
    })?;
    for time in times {
        println!("{}", time.as_nanos());
    }
    Ok(())
}

/// Makes the tables where they are not there, with the words of the notes as PostgreSQL's own search takes them.
async fn prepare(client: &Client) -> anyhow::Result<()> {
    let made = client.query("SELECT FROM pg_namespace WHERE nspname = 'bare'", &[]).await?;
    if !made.is_empty() {
        return Ok(());
    }
    let copies = TABLES.map(|table| COPY.replace("THIS", table)).concat();
    let words = "ALTER TABLE bare.note ADD COLUMN words tsvector;
        UPDATE bare.note SET words = to_tsvector('simple', convert_from(content, 'UTF8'));
        CREATE INDEX ON bare.note USING gin (words);";
    client
        .batch_execute(&format!("CREATE SCHEMA bare; {copies} {words} ANALYZE bare.note"))
        .await?;
    Ok(())
}

/// The rows of a note and of its entry in the journal, and the rows that count them, in one transaction: one round trip.
async fn add(client: &Client, n: i64) -> anyhow::Result<Vec<Duration>> {
    let mut rows = Vec::new();
    for (table, order) in ROWS {
        let sql =
            format!("SELECT kept::text FROM bare.{table} AS kept ORDER BY {order} DESC LIMIT $1");
        rows.push(client.query(&sql, &[&n]).await?);
        let last = format!("(SELECT max({order}) FROM bare.{table}) - $1");
        let sql = format!("DELETE FROM bare.{table} WHERE {order} > {last}");
        client.execute(&sql, &[&n]).await?;
    }
    let mut times = Vec::new();
    for idx in (0..usize::try_from(n)?).rev() {
        let row = |of: usize| rows.get(of).and_then(|rows| rows.get(idx)).context("too few rows");
        let [note, key, entry] = [row(0)?.try_get(0)?, row(1)?.try_get(0)?, row(2)?.try_get(0)?];
        let begun = Instant::now();
        add_one(client, [note, key, entry]).await?;
        times.push(begun.elapsed());
    }
    Ok(times)
}

async fn add_one(client: &Client, rows: [&str; 3]) -> anyhow::Result<()> {
    let sql = ROWS
        .map(|(table, _)| format!("INSERT INTO bare.{table} SELECT ($1::text::bare.{table}).*"));
    let [note, key, entry] = &sql;
    let counts = "UPDATE bare.session SET last_place = last_place + 1, last_id = last_id + 1,
                      n_notes = n_notes + 1, n_open = n_open + 1";
    let tags = "UPDATE bare.tag_count SET n_notes = n_notes + 1, n_open = n_open + 1";
    let head = "UPDATE bare.line SET head = head + 1";
    let last = "UPDATE bare.store SET last_seq = last_seq + 1";
    tokio::try_join!(
        client.batch_execute("BEGIN"),
        async { client.execute_typed(note, &[(&rows[0], Type::TEXT)]).await.map(drop) },
        async { client.execute_typed(key, &[(&rows[1], Type::TEXT)]).await.map(drop) },
        async { client.execute_typed(entry, &[(&rows[2], Type::TEXT)]).await.map(drop) },
        async { client.execute_typed(counts, &[]).await.map(drop) },
        async { client.execute_typed(tags, &[]).await.map(drop) },
        async { client.execute_typed(head, &[]).await.map(drop) },
        async { client.execute_typed(last, &[]).await.map(drop) },
        client.batch_execute("COMMIT"),
    )?;
    Ok(())
}

/// The ten newest notes of the session.
async fn list(client: &Client, n: i64) -> anyhow::Result<Vec<Duration>> {
    let sql = "SELECT id, created_at, updated_at, scratched_at, tags, content FROM bare.note
               WHERE session = (SELECT min(id) FROM bare.session) AND scratched_at IS NULL
               ORDER BY updated_at DESC, id DESC LIMIT 10";
    asked(client, n, sql, None).await
}

/// The newest notes with a word, by the search of PostgreSQL as it comes.
async fn find(client: &Client, n: i64, word: &str) -> anyhow::Result<Vec<Duration>> {
    let sql = "SELECT id, created_at, updated_at, scratched_at, tags, content FROM bare.note
               WHERE session = (SELECT min(id) FROM bare.session)
                   AND words @@ plainto_tsquery('simple', $1)
               ORDER BY place DESC LIMIT 10";
    asked(client, n, sql, Some(word)).await
}

async fn asked(
    client: &Client,
    n: i64,
    sql: &str,
    word: Option<&str>,
) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    for _ in 0..n {
        let begun = Instant::now();
        let rows = match &word {
            Some(word) => client.query_typed(sql, &[(word, Type::TEXT)]).await,
            None => client.query_typed(sql, &[]).await,
        };
        rows?.first().context("nothing is found")?;
        times.push(begun.elapsed());
    }
    Ok(times)
}
