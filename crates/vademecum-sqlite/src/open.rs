//! Opens connections: readers that change nothing, and the one writer of a process.

use std::path::Path;
use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use crate::error::Port;
use crate::files::Files;
use crate::held::Held;
use crate::{deadline, erase, ground, rekey, schema, shared};

/// SQLite before this version can lose a log that two processes reset at once.
const OLDEST_SQLITE: i32 = 3_051_003;

/// A connection that reads, and the files that it reads.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) connection: Held,
    /// Whether it is good for one read only.
    ///
    /// What was opened while nothing could be written stays so, and what is in memory stays empty.
    pub(crate) is_passing: bool,
    /// Whether it was opened so that it may write.
    pub(crate) can_promote: bool,
}

/// The connection that writes, the files that it writes, and the key of the chain.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: Held,
    pub(crate) key: Key,
    /// Whether the journal has still to say that the key is a new one.
    pub(crate) must_say_rekeyed: bool,
    /// Whether an erasure has still to be finished.
    pub(crate) must_wipe: bool,
}

/// Opens a connection that reads; where there is no store yet, an empty one in memory.
///
/// In a process that ends at once it is the only one: [`promote`] makes it the one that writes.
pub(crate) fn reader(files: &Arc<Files>, is_brief: bool) -> Result<Reader, StoreError> {
    if !ground::is_made(files)? {
        return nothing(files);
    }
    let can_write = files.can_write();
    if is_brief
        && can_write
        && let Some(connection) = connect_both(files)?
    {
        let connection = Held::new(connection, files)?;
        return Ok(Reader { connection, is_passing: false, can_promote: true });
    }
    let (connection, is_older) = connect_reader(files)?;
    if !is_brief {
        keep_small(&connection)?;
    }
    let is_passing = !can_write || is_in_memory(&connection) || is_older;
    Ok(Reader { connection: Held::new(connection, files)?, is_passing, can_promote: false })
}

/// Reads on a connection that makes and changes no file, until the deadline of this thread.
///
/// While there is no log the database is all that was written, and is not locked. What was read of it, or failed,
/// while another process wrote is read again.
pub(crate) fn look<T>(
    files: &Arc<Files>,
    mut run: impl FnMut(&mut Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    loop {
        let before = files.state()?;
        let looked =
            looker(files, before.n_log_bytes).and_then(|mut reader| run(&mut reader.connection));
        let is_locked = before.n_log_bytes != 0 && looked.is_ok();
        if is_locked || files.state()? == before {
            return looked;
        }
        if deadline::left().is_zero() {
            return Err(StoreError::Busy { waited: deadline::waited() });
        }
    }
}

/// A connection that reads such a log with its index, which is only read, or the database alone.
fn looker(files: &Arc<Files>, n_log_bytes: u64) -> Result<Reader, StoreError> {
    if !ground::is_made(files)? {
        return nothing(files);
    }
    let (connection, _) = match n_log_bytes {
        0 => try_reader(files, ALONE)?,
        _ if files.index.exists() => try_reader(files, "readonly_shm=1")?,
        // Only who makes the index can read a log.
        _ => connect_reader(files)?,
    };
    Ok(Reader { connection: Held::new(connection, files)?, is_passing: true, can_promote: false })
}

/// What stands for a store that is not made yet, for one read.
fn nothing(files: &Arc<Files>) -> Result<Reader, StoreError> {
    let connection = Held::new(empty()?, files)?;
    Ok(Reader { connection, is_passing: true, can_promote: false })
}

/// The parameter by which the database is read alone, without a lock.
const ALONE: &str = "immutable=1";

/// A connection of the newest schema that may write later; none where only reading is sure to work.
fn connect_both(files: &Files) -> Result<Option<Connection>, StoreError> {
    let opened = connect_writer(files, true)
        .and_then(|connection| Ok((schema::version(&connection)?, connection)));
    match opened {
        Ok((version, connection)) => Ok(schema::is_newest(version).then_some(connection)),
        Err(StoreError::ReadOnly | StoreError::Full | StoreError::Engine { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A connection, and whether the store is older than this program.
fn connect_reader(files: &Files) -> Result<(Connection, bool), StoreError> {
    match try_reader(files, "") {
        // A log cannot be made beside a database on a read-only or full medium: read the database alone.
        // Where a log holds anything, the database alone is an older state, and nobody would know.
        Err(error @ (StoreError::ReadOnly | StoreError::Full | StoreError::Engine { .. })) => {
            match files.n_log_bytes()? {
                0 => try_reader(files, ALONE),
                n_bytes => Err(StoreError::Log { what: error.to_string(), n_bytes }),
            }
        }
        opened => opened,
    }
}

fn try_reader(files: &Files, parameter: &str) -> Result<(Connection, bool), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = if parameter.is_empty() {
        Connection::open_with_flags(&files.database, flags).port()?
    } else {
        let uri = uri(&files.database, parameter);
        Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI).port()?
    };
    prepare(&mut connection)?;
    match schema::version(&connection)? {
        Some(version) => {
            let is_older = schema::stand_in(&connection, version, schema::STEPS)?;
            Ok((connection, is_older))
        }
        None => Ok((empty()?, false)),
    }
}

/// The database as an address; bytes that mean something in an address are written as escapes.
pub(crate) fn uri(path: &Path, parameter: &str) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;

    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_') {
            uri.push(char::from(byte));
        } else {
            write!(uri, "%{byte:02x}").expect("writing to a String cannot fail");
        }
    }
    uri + "?" + parameter
}

fn empty() -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory().port()?;
    schema::create(&connection)?;
    Ok(connection)
}

/// Whether this connection stands for a store that did not exist when it was opened.
pub(crate) fn is_in_memory(connection: &Connection) -> bool {
    connection.path().is_none_or(str::is_empty)
}

/// Opens the connection that writes; makes or migrates the store first. Called behind the gate.
pub(crate) fn writer(files: &Arc<Files>, is_brief: bool) -> Result<Writer, StoreError> {
    if !ground::is_made(files)? {
        files.create()?;
        shared::check(&files.database)?;
    }
    let mut connection = connect_writer(files, is_brief)?;
    if is_brief {
        schema::check_quick(&connection, files)?;
    } else {
        keep_small(&connection)?;
    }
    schema::migrate(&mut connection, files, schema::STEPS)?;
    settle(files, Held::new(connection, files)?, is_brief)
}

/// Makes the connection of a process that ends at once the one that writes. Called behind the gate.
pub(crate) fn promote(files: &Files, reader: Reader) -> Result<Writer, StoreError> {
    settle(files, reader.connection, true)
}

fn connect_writer(files: &Files, is_brief: bool) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(&files.database, flags).port()?;
    prepare(&mut connection)?;
    if is_brief {
        // The last one to close would otherwise move the whole log, under a lock, in a hook.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).port()?;
    }
    Ok(connection)
}

fn settle(files: &Files, connection: Held, is_brief: bool) -> Result<Writer, StoreError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true).port()?;
    connection.execute_batch("PRAGMA synchronous = FULL;").port()?;
    let key = match files.read_key()? {
        Some(key) => key,
        None => rekey::make(&connection, files)?,
    };
    Ok(Writer {
        must_say_rekeyed: rekey::is_unsaid(&connection)?,
        must_wipe: !is_brief && erase::is_unfinished(&connection)?,
        connection,
        key,
    })
}

/// Keeps at most a megabyte of pages: a server has several connections, and files are cached anyway.
fn keep_small(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch("PRAGMA cache_size = -1024;").port()
}

/// More statements than any hook or call asks, so that none is made twice.
const N_STATEMENTS: usize = 64;

fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    let version = rusqlite::version_number();
    if version < OLDEST_SQLITE {
        let what = format!("SQLite {version} can lose writes, {OLDEST_SQLITE} or later is needed");
        return Err(StoreError::Engine { what });
    }
    connection.busy_handler(Some(deadline::busy)).port()?;
    connection.set_prepared_statement_cache_capacity(N_STATEMENTS);
    // A statement would otherwise be made anew once its values are known.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).port()?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).port()?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).port()?;
    connection.execute_batch("PRAGMA cell_size_check = ON;").port()
}
