//! The write ids by which a session notes whose work it took over: they are hashes of names now, and were of rows.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use serde::Serialize;
use vademecum_core::hash::{Hash, hex, plain};
use vademecum_core::id::{ProjectId, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;

use super::{Old, written_row};

/// The operation that notes it.
const KIND: &str = "follow_session";

/// What an entry is called in the new store, and the hash of its arguments there.
pub(super) type Renamed = BTreeMap<i64, (WriteId, Hash)>;

/// A session as its work is taken over.
struct Before {
    row: i64,
    /// What the last programs of 1.x called it.
    old: SessionKey,
    new: SessionKey,
    started_at: Time,
    /// When its present words were written; those of before count for nobody.
    words: Option<Time>,
}

impl Old {
    /// The entries that the new program looks for under another id, by their numbers.
    pub(super) fn followed(&self) -> Result<Renamed> {
        let sql = "SELECT seq, scope, write_id FROM journal WHERE kind = ?1 ORDER BY seq";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_map([KIND], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let entries = rows.collect::<rusqlite::Result<Vec<(i64, String, String)>>>()?;
        let mut renamed = Renamed::new();
        if entries.is_empty() {
            return Ok(renamed);
        }
        let mut taken: BTreeSet<(String, String)> =
            entries.iter().map(|(_, scope, id)| (scope.clone(), id.clone())).collect();
        let all = self.befores()?;
        for (seq, scope, id) in entries {
            let row = scope.strip_prefix("session:").and_then(written_row);
            let Some(this) = all.iter().find(|it| Some(it.row) == row) else { continue };
            let Some(before) = all.iter().find(|before| is_named(&id, this, before)) else {
                continue;
            };
            let arguments = hash(&(&this.new, &before.new, before.started_at, before.words))?;
            let name = hex(&arguments, 16);
            if taken.insert((scope, name.clone())) {
                let id = WriteId::new(name).context("hexadecimal digits are a legal write id")?;
                renamed.insert(seq, (id, arguments));
            }
        }
        Ok(renamed)
    }

    fn befores(&self) -> Result<Vec<Before>> {
        let sql = "SELECT id, external, started_at, updated_at
                   FROM session LEFT JOIN handoff ON handoff.session = session.id";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_and_then([], |row| {
            let (id, external): (i64, String) = (row.get(0)?, row.get(1)?);
            let new = self.key_of(id)?.clone();
            let desk = Some(&external).filter(|_| new.harness == SessionKey::DESK);
            // The last programs of 1.x called the desk of a project without an id after its row.
            let external = match desk.and_then(|external| written_row(external)) {
                Some(row) => ProjectId(u128::from(row.unsigned_abs()).to_be_bytes()).to_string(),
                None => external,
            };
            let old = SessionKey { external, ..new.clone() };
            let words = row.get::<_, Option<i64>>(3)?.map(Time);
            Ok(Before { row: id, old, new, started_at: Time(row.get(2)?), words })
        })?;
        rows.collect()
    }
}

/// Whether an id says that `this` took over what `before` left, in the words of 1.5, or of early or late 1.6.
fn is_named(id: &str, this: &Before, before: &Before) -> bool {
    let (words, started_at) = (before.words, before.started_at);
    [
        hash(&(this.row, before.row, words)),
        hash(&(&this.old, &before.old, words)),
        hash(&(&this.old, &before.old, started_at, words)),
    ]
    .into_iter()
    .flatten()
    .any(|hash| hex(&hash, 16) == id)
}

/// The hash of a write's kind and arguments; its first half is the id of a write that is made once for them.
fn hash(arguments: &impl Serialize) -> Result<Hash> {
    let json = serde_json::to_string(arguments)?;
    Ok(plain(format!("{KIND}\n{json}").as_bytes()))
}
