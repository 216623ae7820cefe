//! The journal: entries in order, those of a scope in a chain, their bodies apart.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, WriteId};

use super::notes::most;
use super::state::State;
use super::undo::{self, Kept};
use crate::chain::{self, Seal};
use crate::change::{CopiedBody, CopiedRecord};
use crate::error::StoreError;
use crate::journal::{Body, JournalEntry, Record};
use crate::view::JournalFilter;
use crate::write::{Scope, Write};

/// All entries. Their scopes are texts with numbers, as they are hashed: names are for who asks by the port.
#[derive(Debug, Clone, Default)]
pub(super) struct Journal {
    pub(super) records: Vec<Arc<Record>>,
    pub(super) lines: HashMap<String, Arc<Line>>,
    bodies: BTreeMap<Seq, Arc<Kept>>,
}

/// The entries of one scope.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// The hash before the first, which is made of the name that the scope had.
    pub(super) start: Seal,
    pub(super) records: Vec<Arc<Record>>,
    by_write_id: HashMap<String, Arc<Record>>,
}

impl Journal {
    /// The newest entry; 0 while there is none.
    pub(super) fn newest(&self) -> Seq {
        self.records.last().map_or(Seq(0), |record| record.seq)
    }

    /// The entry of a write in a scope.
    pub(super) fn by_write_id(&self, scope: &str, id: &WriteId) -> Option<&Arc<Record>> {
        self.lines.get(scope)?.by_write_id.get(id.as_str())
    }

    /// The body of an entry; none when it was erased.
    pub(super) fn body(&self, seq: Seq) -> Option<&Kept> {
        self.bodies.get(&seq).map(AsRef::as_ref)
    }

    /// Every body that there is.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (Seq, &Kept)> {
        self.bodies.iter().map(|(seq, body)| (*seq, body.as_ref()))
    }

    /// Erases the body of an entry.
    pub(super) fn erase_body(&mut self, seq: Seq) {
        self.bodies.remove(&seq);
    }

    /// Erases the bodies of all entries of a scope.
    pub(super) fn erase_bodies_of(&mut self, scope: &str) {
        let Some(line) = self.lines.get(scope) else { return };
        for record in &line.records {
            self.bodies.remove(&record.seq);
        }
    }

    /// Adds an entry behind the last one of its scope.
    pub(super) fn append(&mut self, key: &Key, new: New) -> Seq {
        let New { named, mut record, body } = new;
        let scope = record.scope.to_string();
        let new = || Arc::new(Line { start: chain::start(key, &named), ..Line::default() });
        let line = Arc::make_mut(self.lines.entry(scope).or_insert_with(new));
        let Seq(newest) = self.records.last().map_or(Seq(0), |record| record.seq);
        record.seq = Seq(newest + 1);
        if let Some(body) = &body {
            record.body_hash = chain::body_hash(key, &body.bytes());
        }
        let before = line.records.last().map_or(line.start, |record| record.hash);
        record.hash = chain::entry_hash(key, &before, &record);
        let (seq, record) = (record.seq, Arc::new(record));
        line.by_write_id.insert(record.write_id.clone(), Arc::clone(&record));
        line.records.push(Arc::clone(&record));
        self.records.push(record);
        if let Some(body) = body {
            self.bodies.insert(seq, Arc::new(body));
        }
        seq
    }
}

/// An entry that has no place yet.
#[derive(Debug)]
pub(super) struct New {
    /// What it belongs to, by its name.
    named: Scope,
    /// The entry, its scope as it is kept.
    record: Record,
    body: Option<Kept>,
}

impl New {
    /// The entry of a write, whose scope is kept as `scope`.
    pub(super) fn of(write: &Write, scope: String, body: Kept) -> Self {
        let record = Record {
            seq: Seq(0),
            scope: Scope::Unknown(scope.into()),
            write_id: write.id.as_str().to_owned(),
            kind: write.kind.to_owned(),
            origin: write.origin.clone(),
            by: write.by,
            at: write.at,
            body_hash: Seal::default(),
            hash: Seal::default(),
        };
        Self { named: write.scope.clone(), record, body: Some(body) }
    }

    /// An entry of another store, whose write id its scope has not.
    pub(super) fn copy(state: &mut State, copied: &CopiedRecord) -> Result<Self, StoreError> {
        let CopiedRecord { scope: named, write_id, kind, origin, by, at, body } = copied;
        let scope = state.scope(named)?;
        if state.journal.by_write_id(&scope, write_id).is_some() {
            return Err(StoreError::Reused { id: write_id.as_str().to_owned() });
        }
        let (body, body_hash) = match body {
            CopiedBody::Kept(body) => (Some(undo::keep_body(state, body)?), Seal::default()),
            CopiedBody::Erased(hash) => (None, *hash),
        };
        let record = Record {
            seq: Seq(0),
            scope: Scope::Unknown(scope.into()),
            write_id: write_id.as_str().to_owned(),
            kind: kind.clone(),
            origin: origin.clone(),
            by: *by,
            at: *at,
            body_hash,
            hash: Seal::default(),
        };
        Ok(Self { named: named.clone(), record, body })
    }

    /// Whether both would have one write id in one scope.
    pub(super) fn is_same_write(&self, other: &Self) -> bool {
        self.named == other.named && self.record.write_id == other.record.write_id
    }
}

/// The entries of a filter, in its order, with as many bodies as it allows.
pub(super) fn by(
    state: &State,
    filter: &JournalFilter<'_>,
) -> Result<Vec<JournalEntry>, StoreError> {
    let mut left = Some(filter.bodies);
    let with_body = |record: &Record| {
        let (size, body) = match filter.bodies {
            0 => (None, None),
            _ => body_within(state, record.seq, &mut left)?,
        };
        let scope = state.scope_of(&record.scope.to_string());
        Ok(JournalEntry { record: Record { scope, ..record.clone() }, size, body })
    };
    listed(state, filter).into_iter().map(with_body).collect()
}

fn listed<'a>(state: &'a State, filter: &JournalFilter<'_>) -> Vec<&'a Record> {
    let journal = &state.journal;
    let scope = filter.scope.map(|scope| state.find_scope(scope));
    let all = match (scope, filter.write_id) {
        (None, _) => journal.records.as_slice(),
        (Some(None), _) => &[],
        (Some(Some(scope)), Some(id)) => {
            journal.by_write_id(&scope, id).map_or(&[][..], std::slice::from_ref)
        }
        (Some(Some(scope)), None) => {
            journal.lines.get(&scope).map_or(&[][..], |line| line.records.as_slice())
        }
    };
    let start = all.partition_point(|record| filter.after.is_some_and(|it| record.seq <= it));
    let end = all.partition_point(|record| filter.before.is_none_or(|it| record.seq < it));
    let between = all.get(start..end).unwrap_or_default();
    let found = between.iter().map(AsRef::as_ref).filter(|record| lets_through(filter, record));
    if filter.oldest_first {
        found.take(most(filter.limit)).collect()
    } else {
        found.rev().take(most(filter.limit)).collect()
    }
}

fn lets_through(filter: &JournalFilter<'_>, record: &Record) -> bool {
    filter.write_id.is_none_or(|id| id.as_str() == record.write_id)
        && (record.origin.is_outside() || !filter.outside)
}

/// How many bytes a body takes, and the body if it fits what is `left`; nothing is left after the first that does not.
fn body_within(
    state: &State,
    seq: Seq,
    left: &mut Option<u64>,
) -> Result<(Option<u64>, Option<Body>), StoreError> {
    let Some(kept) = state.journal.body(seq) else { return Ok((None, None)) };
    let size = kept.size();
    *left = left.and_then(|left| left.checked_sub(size));
    let body = left.map(|_| undo::read(state, seq, kept)).transpose()?;
    Ok((Some(size), body))
}

/// What only tests do: bodies that no write made.
#[cfg(test)]
impl Journal {
    pub(super) fn put_body(&mut self, seq: Seq, body: Kept) {
        self.bodies.insert(seq, Arc::new(body));
    }

    /// Puts a body in the place of the one of an entry, and seals its scope anew.
    pub(super) fn reseal(&mut self, key: &Key, seq: Seq, body: Kept) {
        let of = self.records.iter().find(|record| record.seq == seq).expect("an entry");
        let scope = of.scope.to_string();
        let line = Arc::make_mut(self.lines.get_mut(&scope).expect("a line"));
        let mut before = line.start;
        for each in &mut line.records {
            let mut record = Record::clone(each);
            if record.seq == seq {
                record.body_hash = chain::body_hash(key, &body.bytes());
            }
            record.hash = chain::entry_hash(key, &before, &record);
            before = record.hash;
            *each = Arc::new(record);
        }
        for each in &line.records {
            line.by_write_id.insert(each.write_id.clone(), Arc::clone(each));
            let at = self.records.binary_search_by_key(&each.seq, |record| record.seq);
            self.records[at.expect("an entry")] = Arc::clone(each);
        }
        self.put_body(seq, body);
    }
}
