//! A chain that does not hold from its start: its key was lost, or a repair accepted it. The journal says so.

use rusqlite::{Connection, OptionalExtension, params};
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, WriteId};
use vademecum_store::{Scope, StoreError, Write};

use crate::error::Port;
use crate::files::Files;
use crate::journal;
use crate::names::{Known, Names};
use crate::open::Writer;
use crate::undo::Kept;

/// What became of the chain, as table `store` keeps it with the last entry that it concerns.
struct Fact {
    name: &'static str,
    /// What the entry is called that says so.
    kind: &'static str,
    why: &'static str,
}

const REKEYED: Fact =
    Fact { name: "rekeyed", kind: "rekey", why: "the key of the journal was lost and made anew" };

const ACCEPTED: Fact = Fact {
    name: "accepted",
    kind: "accept",
    why: "the journal was accepted as it was by vade doctor --repair",
};

/// Makes a key; where there are entries already, what they were made under is lost.
///
/// The fact is on disk before the key is: a stop in between leaves no key, and all is done again.
pub(crate) fn make(connection: &Connection, files: &Files) -> Result<Key, StoreError> {
    let newest = journal::newest(connection)?;
    if Seq(0) < newest {
        let sql = "INSERT OR REPLACE INTO store (name, value) VALUES (?1, ?2)";
        connection.execute(sql, params![REKEYED.name, newest.0.to_string()]).port()?;
    }
    files.make_key()
}

/// Sees to it that the key on disk and the one in memory are one.
///
/// A key that was removed is put back by who knows it; one that another process made is the key now. It is
/// read each time: a file made anew may have the number of the one that was removed.
pub(crate) fn keep(writer: &mut Writer, files: &Files) -> Result<(), StoreError> {
    match files.read_key()? {
        Some(key) => writer.key = key,
        None => files.put_key(&writer.key)?,
    }
    Ok(())
}

/// Takes the journal as it is: from here on its entries until now are held by their order alone.
pub(crate) fn accept(connection: &Connection) -> Result<(), StoreError> {
    let newest = journal::newest(connection)?;
    let sql = "INSERT OR REPLACE INTO store (name, value) VALUES (?1, ?2)";
    connection.execute(sql, params![ACCEPTED.name, newest.0.to_string()]).port()?;
    Ok(())
}

/// The last entry whose hashes cannot be checked; 0 if all can.
pub(crate) fn last_lost(connection: &Connection) -> Result<Seq, StoreError> {
    Ok(last(connection, &REKEYED)?.max(last(connection, &ACCEPTED)?))
}

/// One line for each fact there is.
pub(crate) fn notices(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    for fact in [&REKEYED, &ACCEPTED] {
        let last = last(connection, fact)?;
        if Seq(0) < last {
            let Seq(n) = last;
            let why = fact.why;
            lines.push(format!("{why}: entries up to {n} are held by their order alone"));
        }
    }
    Ok(lines)
}

fn last(connection: &Connection, fact: &Fact) -> Result<Seq, StoreError> {
    number(connection, fact.name)
}

/// The number of an entry that the store notes under a name; 0 if it notes none.
pub(crate) fn number(connection: &Connection, name: &str) -> Result<Seq, StoreError> {
    let sql = "SELECT value FROM store WHERE name = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let value: Option<String> = query.query_row([name], |row| row.get(0)).optional().port()?;
    Ok(value.and_then(|value| value.parse().ok()).map_or(Seq(0), Seq))
}

/// Whether the journal does not say yet what became of its chain.
pub(crate) fn is_unsaid(connection: &Connection) -> Result<bool, StoreError> {
    Ok(unsaid(connection, &REKEYED)?.or(unsaid(connection, &ACCEPTED)?).is_some())
}

/// The id of the entry that has still to say a fact.
fn unsaid(connection: &Connection, fact: &Fact) -> Result<Option<WriteId>, StoreError> {
    let lost = last(connection, fact)?;
    if lost == Seq(0) {
        return Ok(None);
    }
    let id = WriteId::new(format!("{}-{}", fact.kind, lost.0));
    let id = id.expect("a word and a number are a legal id");
    let names = Names::new(connection, Known::default());
    let said = match names.find_holder(&Scope::Store)? {
        Some(holder) => journal::by_write_id(connection, holder, &id)?,
        None => None,
    };
    Ok(said.is_none().then_some(id))
}

/// Says it, in the transaction of the first write afterwards.
pub(crate) fn say(names: &Names<'_>, key: &Key, first: &Write) -> Result<(), StoreError> {
    for fact in [&REKEYED, &ACCEPTED] {
        let Some(id) = unsaid(names.connection, fact)? else { continue };
        let scope = Scope::Store;
        let entry = Write { scope, id, is_fresh: false, kind: fact.kind, ..first.clone() };
        let (arguments, reply) = (first.arguments.to_vec(), b"null".to_vec());
        let body = Kept { arguments, reply, undo: b"[]".to_vec() };
        journal::append(names, key, &entry, &body)?;
    }
    Ok(())
}
