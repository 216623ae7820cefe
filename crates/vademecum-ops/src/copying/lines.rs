//! What of a scope's journal only one of two stores has, and what those writes touched.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::id::{NoteId, Seq, WriteId};
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_store::{Body, Change, JournalEntry, JournalFilter, Record, Scope, StoreError, View};

use super::KIND;
use super::target::{Target, named};
use crate::error::OpError;

/// Bodies are read up to so many bytes at once.
const ROOM: u64 = 8 * 1024 * 1024;

/// What a write changed, as far as it can be undone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    Note(NoteId),
    /// All notes up to this one.
    Notes(NoteId),
    Handoff,
    Plan(PlanName),
}

/// By what an entry is known in both stores.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Known(String, String, Time);

impl Known {
    fn of(record: &Record) -> Self {
        Self(record.write_id.clone(), record.kind.clone(), record.at)
    }

    /// The same under the name that it has there if its own was taken.
    fn renamed(record: &Record) -> Self {
        Self(renamed(record).as_str().to_owned(), record.kind.clone(), record.at)
    }
}

/// The line of a scope in the store that is copied.
pub(super) enum Line {
    /// The other store has none of it.
    Fresh,
    /// Every entry, with what it touched.
    Met(Scope, Vec<(Record, Vec<Touch>)>),
}

/// What only one of the two touched.
pub(super) struct Alone {
    from: BTreeSet<Touch>,
    to: BTreeSet<Touch>,
}

impl Line {
    /// Reads the line of `scope`, if the other store knows the scope.
    pub(super) fn of(from: &dyn View, to: &Target<'_>, scope: &Scope) -> Result<Self, OpError> {
        if !to.read(|view| is_used(view, scope))? {
            return Ok(Self::Fresh);
        }
        Ok(Self::Met(scope.clone(), touched(from, scope, |_| true)?))
    }

    /// What only one of the two touched, as the other store is now.
    ///
    /// What a write of both touched there alone counts too: notes that got another id there.
    pub(super) fn alone(&self, to: &dyn View) -> Result<Alone, StoreError> {
        let Self::Met(scope, line) = self else {
            return Ok(Alone { from: BTreeSet::new(), to: BTreeSet::new() });
        };
        let theirs = touched(to, scope, |record| record.kind != KIND)?;
        let there: BTreeSet<Known> = theirs.iter().map(|(record, _)| Known::of(record)).collect();
        let mut here = BTreeMap::new();
        let mut from = BTreeSet::new();
        for (record, touches) in line {
            let names = [Known::of(record), Known::renamed(record)];
            if !names.iter().any(|name| there.contains(name)) {
                from.extend(touches.iter().cloned());
            }
            here.extend(names.map(|name| (name, touches)));
        }
        let mut alone = BTreeSet::new();
        for (record, touches) in theirs {
            let own = here.get(&Known::of(&record));
            let is_own = |touch: &Touch| own.is_some_and(|own| own.contains(touch));
            alone.extend(touches.into_iter().filter(|touch| !is_own(touch)));
        }
        Ok(Alone { from, to: alone })
    }

    /// Whether the other store knew the scope.
    pub(super) fn is_met(&self) -> bool {
        matches!(self, Self::Met(..))
    }
}

impl Alone {
    /// Whether only the store that is copied changed it since.
    pub(super) fn is_ahead(&self, touch: &Touch) -> bool {
        has(&self.from, touch) && !has(&self.to, touch)
    }

    /// Whether only the store that is written changed it since.
    pub(super) fn is_behind(&self, touch: &Touch) -> bool {
        !has(&self.from, touch) && has(&self.to, touch)
    }

    /// The notes that only the store that is copied changed since, one by one.
    pub(super) fn notes_ahead(&self) -> impl Iterator<Item = NoteId> {
        self.from.iter().filter(|touch| self.is_ahead(touch)).filter_map(|touch| match touch {
            Touch::Note(id) => Some(*id),
            Touch::Notes(_) | Touch::Handoff | Touch::Plan(_) => None,
        })
    }
}

fn has(all: &BTreeSet<Touch>, touch: &Touch) -> bool {
    let is_within =
        |id: NoteId| all.iter().any(|other| matches!(other, Touch::Notes(upto) if id <= *upto));
    all.contains(touch) || matches!(touch, Touch::Note(id) if is_within(*id))
}

/// Whether a store has entries or notes of a scope.
fn is_used(view: &dyn View, scope: &Scope) -> Result<bool, StoreError> {
    if let Scope::Session(key) = scope
        && view.counts(key)?.last.is_some()
    {
        return Ok(true);
    }
    if let Scope::Project(id) = scope
        && !view.plans(*id, None)?.is_empty()
    {
        return Ok(true);
    }
    Ok(!view.records(scope, 1)?.is_empty())
}

/// The entries of a scope with what they touched, the newest first.
fn touched(
    view: &dyn View,
    scope: &Scope,
    is_asked: impl Fn(&Record) -> bool,
) -> Result<Vec<(Record, Vec<Touch>)>, StoreError> {
    let mut all = Vec::new();
    for record in view.records(scope, 0)?.into_iter().filter(is_asked) {
        let body = view.body(record.seq)?;
        all.push((record, body.iter().flat_map(touches).collect()));
    }
    Ok(all)
}

fn touches(body: &Body) -> Vec<Touch> {
    let touch = |change: &Change| match change {
        Change::AddNote { note, .. } | Change::SetNote { note, .. } => Some(Touch::Note(note.id)),
        Change::DropNote { id, .. } => Some(Touch::Note(*id)),
        Change::DropNotes { upto, .. } => Some(Touch::Notes(*upto)),
        Change::SetHandoff { .. } => Some(Touch::Handoff),
        Change::SetPlan { name, .. } => Some(Touch::Plan(name.clone())),
        _ => None,
    };
    body.undo.iter().filter_map(touch).collect()
}

/// The write id of an entry whose own one means another write there.
pub(super) fn renamed(record: &Record) -> WriteId {
    let content = format!("{}\n{}\n{}", record.write_id, record.kind, record.at.0);
    named("record", content.as_bytes())
}

/// Where an entry is to go.
pub(super) enum Place {
    /// It is there already.
    There,
    /// It is not, and gets this id.
    Free(WriteId),
}

impl Place {
    /// Looks for an entry in its scope.
    pub(super) fn of(view: &dyn View, record: &Record) -> Result<Self, StoreError> {
        if Self::found(view, record)?.is_some() {
            return Ok(Self::There);
        }
        let own = WriteId::new(record.write_id.clone());
        Ok(match own {
            Some(own) if view.record_of(&record.scope, &own)?.is_none() => Self::Free(own),
            _ => Self::Free(renamed(record)),
        })
    }

    /// The number that a copied entry has there.
    pub(super) fn found(view: &dyn View, record: &Record) -> Result<Option<Seq>, StoreError> {
        let own = WriteId::new(record.write_id.clone());
        for id in own.into_iter().chain([renamed(record)]) {
            let found = view.record_of(&record.scope, &id)?;
            let is_it = |it: &Record| (&it.kind, it.at) == (&record.kind, record.at);
            if let Some(found) = found.filter(is_it) {
                return Ok(Some(found.seq));
            }
        }
        Ok(None)
    }
}

/// The entries behind `after` of all scopes with their bodies, at most `limit`, and as many as have room.
pub(super) fn slice_after(
    view: &dyn View,
    after: Seq,
    limit: usize,
) -> Result<Vec<JournalEntry>, StoreError> {
    let filter = JournalFilter {
        after: Some(after),
        oldest_first: true,
        limit,
        bodies: ROOM,
        ..JournalFilter::default()
    };
    let mut slice = view.journal(&filter)?;
    let has_room = |entry: &JournalEntry| entry.size.is_none() || entry.body.is_some();
    let n = slice.iter().take_while(|entry| has_room(entry)).count();
    if n == 0 && !slice.is_empty() {
        return view.journal(&JournalFilter { limit: 1, bodies: u64::MAX, ..filter });
    }
    slice.truncate(n);
    Ok(slice)
}
