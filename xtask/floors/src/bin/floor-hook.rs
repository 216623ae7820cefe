//! The least a hook can do: start, open the database, read one row, end.

use rusqlite::{Connection, OpenFlags};

fn main() -> anyhow::Result<()> {
    let path = std::env::args_os().nth(1).expect("the path of a database");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let seen_at: i64 =
        connection.query_row("SELECT seen_at FROM session LIMIT 1", [], |row| row.get(0))?;
    println!("{seen_at}");
    Ok(())
}
