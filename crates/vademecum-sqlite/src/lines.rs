//! The journal's lines: whether each holds from its start to its head, and how one is sealed anew.

use rusqlite::{Connection, params};
use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_store::chain::{self, Seal};
use vademecum_store::{Scope, StoreError};

use crate::error::Port;
use crate::journal::{self, Entry, Head};
use crate::names::{Holder, Known, Names};

/// What one holder has of the journal.
pub(crate) struct Line {
    holder: Holder,
    /// What it belongs to; of who is gone, no name.
    scope: Scope,
    /// Where it ends, as its holder has it.
    head: Head,
    /// Its entries, oldest first.
    pub(crate) entries: Vec<Entry>,
}

/// Every line, by the number of its holder; one whose holder was lost has no head.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Line>, StoreError> {
    let names = Names::new(connection, Known::default());
    let sql = "SELECT id FROM holder UNION SELECT holder FROM journal ORDER BY 1";
    let mut query = connection.prepare(sql).port()?;
    let holders = query.query_map([], |row| row.get(0).map(Holder)).port()?;
    let holders = holders.collect::<rusqlite::Result<Vec<_>>>().port()?;
    let mut entries = journal::all(connection)?.into_iter().peekable();
    let mut lines = Vec::with_capacity(holders.len());
    for holder in holders {
        let own = std::iter::from_fn(|| entries.next_if(|entry| entry.holder == holder)).collect();
        let head = journal::find_head(connection, holder)?.unwrap_or_default();
        let scope = names.scope_of(holder)?;
        lines.push(Line { holder, scope, head, entries: own });
    }
    Ok(lines)
}

impl Line {
    /// What does not hold, as a sentence; of the entries up to `lost` the links alone are looked at.
    pub(crate) fn fault(&self, key: &Key, lost: Seq) -> Option<String> {
        let (mut at, mut outside) = (Seq(0), Seq(0));
        let mut hash = self.start(key, lost);
        for entry in &self.entries {
            let record = &entry.record;
            let is_linked = (entry.before, entry.outside) == (at, outside);
            let is_sealed = record.seq <= lost
                || hash.is_some_and(|hash| record.hash == chain::entry_hash(key, &hash, record));
            if !is_linked || !is_sealed {
                let Seq(seq) = record.seq;
                return Some(format!("journal entry {seq} was changed by another program"));
            }
            (at, hash) = (record.seq, Some(record.hash));
            if record.origin.is_outside() {
                outside = at;
            }
        }
        let hash = hash.filter(|_| at != Seq(0));
        let is_whole = (self.head.seq, self.head.outside, self.head.hash) == (at, outside, hash);
        let Seq(end) = self.head.seq.max(at);
        (!is_whole).then(|| format!("what follows up to journal entry {end} was taken away"))
    }

    /// What the line begins with: made of its name where it has one and the key is still the one.
    fn start(&self, key: &Key, lost: Seq) -> Option<Seal> {
        let first = self.entries.first()?.record.seq;
        if self.scope.is_gone() || first <= lost {
            self.head.start
        } else {
            Some(chain::start(key, &self.scope))
        }
    }

    /// Links and seals it from its start, as its entries and their bodies are now.
    pub(crate) fn seal(&mut self, connection: &Connection, key: &Key) -> Result<(), StoreError> {
        let sql = "UPDATE journal SET before = ?2, outside = ?3, body_hash = ?4, hash = ?5
                   WHERE seq = ?1";
        let mut update = connection.prepare_cached(sql).port()?;
        let start = chain::start(key, &self.scope);
        let mut head = Head::default();
        for entry in &mut self.entries {
            let record = &mut entry.record;
            if let Some(body) = journal::kept(connection, record.seq)? {
                record.body_hash = chain::body_hash(key, &body.bytes());
            }
            record.hash = chain::entry_hash(key, &head.hash.unwrap_or(start), record);
            (entry.before, entry.outside) = (head.seq, head.outside);
            let values = params![
                record.seq.0,
                entry.before.0,
                entry.outside.0,
                record.body_hash,
                record.hash
            ];
            update.execute(values).port()?;
            head = Head { seq: record.seq, hash: Some(record.hash), start: Some(start), ..head };
            if record.origin.is_outside() {
                head.outside = record.seq;
            }
        }
        self.head = head;
        let sql = "INSERT OR IGNORE INTO holder (id) VALUES (?1)";
        connection.execute(sql, [self.holder.0]).port()?;
        journal::set_head(connection, self.holder, &head)
    }
}
