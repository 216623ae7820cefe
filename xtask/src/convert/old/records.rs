//! The journal: its entries by names, and its chain, which ends with the old store.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use rusqlite::Row;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use vademecum_core::hash::{Hash, Key, hex, keyed};
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::time::Time;
use vademecum_store::change::Unknown;
use vademecum_store::{Body, Change, CopiedBody, CopiedRecord, Origin, Scope, Writer};

use super::{Old, bytes, written_row};
use crate::convert::source::REPAIR;

/// An entry of the old journal, by names.
pub(in super::super) struct OldRecord {
    pub(in super::super) seq: Seq,
    pub(in super::super) copied: CopiedRecord,
}

/// A body as it lies in the old store.
#[derive(Deserialize)]
struct Kept<'a> {
    arguments: String,
    reply: String,
    #[serde(borrow)]
    undo: Vec<&'a RawValue>,
}

/// An entry as the old chain sealed it.
struct Sealed {
    seq: i64,
    scope: String,
    write_id: String,
    kind: String,
    origin: String,
    at: i64,
    body_hash: Vec<u8>,
    before: Vec<u8>,
    hash: Vec<u8>,
}

impl Old {
    /// The journal behind `after`: at most `limit` entries, and none behind the one with which bodies of `most` bytes are read.
    pub(in super::super) fn records(
        &self,
        after: Seq,
        (limit, most): (usize, usize),
    ) -> Result<Vec<OldRecord>> {
        let sql = "SELECT journal.seq, scope, write_id, kind, origin, at, body_hash, body
                   FROM journal LEFT JOIN journal_body USING (seq)
                   WHERE ?1 < journal.seq ORDER BY journal.seq LIMIT ?2";
        let mut query = self.connection.prepare_cached(sql)?;
        let mut rows = query.query((after.0, i64::try_from(limit)?))?;
        let (mut records, mut n_bytes) = (Vec::new(), 0);
        while n_bytes < most
            && let Some(row) = rows.next()?
        {
            let seq = Seq(row.get(0)?);
            let what = || format!("journal entry {} cannot be read", seq.0);
            let (record, size) = self.record(row, seq).with_context(what)?;
            records.push(record);
            n_bytes += size;
        }
        Ok(records)
    }

    /// An entry, and how many bytes its body takes there.
    fn record(&self, row: &Row<'_>, seq: Seq) -> Result<(OldRecord, usize)> {
        let (scope, write_id): (String, String) = (row.get(1)?, row.get(2)?);
        let origin: String = row.get(4)?;
        let (hash, body): (Vec<u8>, Option<Vec<u8>>) = (row.get(6)?, row.get(7)?);
        let size = body.as_ref().map_or(0, Vec::len);
        let body = match body {
            Some(body) => {
                let key = self.key.as_ref().filter(|_| self.lost < seq.0);
                let is_sealed = key.is_none_or(|key| keyed(key, &[b"body", &body]) == *hash);
                ensure!(is_sealed, "its body is not the one that was written: {REPAIR}");
                CopiedBody::Kept(self.body(&body)?)
            }
            None => CopiedBody::Erased(*hash.first_chunk().context("its hash is too short")?),
        };
        let (write_id, body) = match (self.followed.get(&seq.0), body) {
            (None, body) => (WriteId::new(write_id).context("its write id is none")?, body),
            (Some((id, arguments)), CopiedBody::Kept(body)) => {
                (id.clone(), CopiedBody::Kept(Body { arguments: *arguments, ..body }))
            }
            (Some((id, _)), erased) => (id.clone(), erased),
        };
        let copied = CopiedRecord {
            scope: self.scope(&scope),
            write_id,
            kind: row.get(3)?,
            origin: Origin::parse(&origin).context("its origin is none")?,
            // 1.x noted neither person nor machine.
            by: Writer::NONE,
            at: Time(row.get(5)?),
            body,
        };
        Ok((OldRecord { seq, copied }, size))
    }

    fn body(&self, body: &[u8]) -> Result<Body> {
        let Kept { arguments, reply, undo } = serde_json::from_slice(body)?;
        // What vade said of its own chain had no arguments.
        let arguments = bytes(&arguments).context("the hash of its arguments is none")?;
        let arguments: Hash = arguments.try_into().unwrap_or_default();
        let undo = undo.into_iter().map(|raw| self.change(raw)).collect::<Result<_>>()?;
        Ok(Body { arguments, reply, undo })
    }

    /// What undoes, by names; what names something that is gone cannot be made, and a word of nobody here stays as it is.
    fn change(&self, raw: &RawValue) -> Result<Change> {
        let unknown = Unknown::of(raw);
        if !unknown.names_what_is_gone() {
            return Ok(Change::Unknown(unknown));
        }
        let mut value: Value = serde_json::from_str(raw.get())?;
        let named = self.name(&mut value).and_then(|()| serde_json::from_value(value).ok());
        Ok(named.unwrap_or_else(|| Change::Unknown(Unknown::gone(&unknown.word))))
    }

    /// Puts names in the place of rows; none if one of them is gone.
    fn name(&self, change: &mut Value) -> Option<()> {
        let fields = change.as_object_mut()?;
        for (field, value) in fields {
            let Some(row) = value.as_i64() else { continue };
            *value = match field.as_str() {
                "session" => serde_json::to_value(self.sessions.get(&row)?).ok()?,
                "project" => serde_json::to_value(self.projects.get(&row)?).ok()?,
                "plan" => serde_json::to_value(&self.plans.get(&row)?.name).ok()?,
                _ => continue,
            };
        }
        Some(())
    }

    /// What a scope is called; one of a row that is gone has no name, and its number there sets it apart.
    fn scope(&self, text: &str) -> Scope {
        let row = |digits: &str| written_row(digits);
        let named = match text.split_once(':') {
            None if text == "store" => Some(Scope::Store),
            Some(("project", digits)) => row(digits).map(|row| {
                self.projects.get(&row).copied().map_or_else(|| gone(text), Scope::Project)
            }),
            Some(("session", digits)) => row(digits).map(|row| {
                self.sessions.get(&row).cloned().map_or_else(|| gone(text), Scope::Session)
            }),
            _ => None,
        };
        named.unwrap_or_else(|| Scope::Unknown(text.into()))
    }

    /// The last entry of each scope and its hash, the oldest first, once the chain was checked as far as its key reaches.
    pub(in super::super) fn heads(&self) -> Result<Vec<(Seq, String)>> {
        let sql = "SELECT seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash
                   FROM journal ORDER BY seq";
        let mut query = self.connection.prepare(sql)?;
        let mut heads: BTreeMap<String, (i64, Vec<u8>)> = BTreeMap::new();
        for entry in query.query_map([], sealed)? {
            let entry = entry?;
            let before = heads.get(&entry.scope).map_or_else(|| vec![0; 32], |it| it.1.clone());
            let key = self.key.as_ref().filter(|_| self.lost < entry.seq);
            let is_sealed = key.is_none_or(|key| entry.hash == seal(key, &entry));
            ensure!(
                before == entry.before && is_sealed,
                "the journal does not hold at entry {}, and a new chain would hide that: {REPAIR}",
                entry.seq
            );
            heads.insert(entry.scope, (entry.seq, entry.hash));
        }
        let mut heads: Vec<_> = heads.into_values().collect();
        heads.sort();
        Ok(heads.into_iter().map(|(seq, hash)| (Seq(seq), hex(&hash, hash.len()))).collect())
    }
}

fn gone(text: &str) -> Scope {
    Scope::Unknown(format!("{}{text}", Scope::GONE).into())
}

fn sealed(row: &Row<'_>) -> rusqlite::Result<Sealed> {
    Ok(Sealed {
        seq: row.get(0)?,
        scope: row.get(1)?,
        write_id: row.get(2)?,
        kind: row.get(3)?,
        origin: row.get(4)?,
        at: row.get(5)?,
        body_hash: row.get(6)?,
        before: row.get(7)?,
        hash: row.get(8)?,
    })
}

/// The hash of an entry as 1.x made it.
fn seal(key: &Key, entry: &Sealed) -> Hash {
    keyed(
        key,
        &[
            b"entry",
            &entry.before,
            &entry.seq.to_le_bytes(),
            entry.scope.as_bytes(),
            entry.write_id.as_bytes(),
            entry.kind.as_bytes(),
            entry.origin.as_bytes(),
            &entry.at.to_le_bytes(),
            &entry.body_hash,
        ],
    )
}
