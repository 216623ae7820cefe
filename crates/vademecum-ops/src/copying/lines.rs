//! What of a scope's journal only one of two stores has, and what those writes touched.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use vademecum_core::hash::{hex, plain};
use vademecum_core::id::{NoteId, Seq, WriteId};
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{Body, Change, JournalEntry, JournalFilter, Record, Scope, StoreError, View};

use super::KIND;
use super::target::Target;
use crate::error::OpError;
use crate::forgetting::Tombstone;

/// What the write id of an entry begins with whose own one was taken.
const RENAMED: &str = "copy-record-";

/// Bodies are read up to so many bytes at once.
const ROOM: u64 = 8 * 1024 * 1024;

/// What a write changed, as far as it can be undone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    Note(NoteId),
    /// It was not there before.
    Born(NoteId),
    /// All notes up to this one.
    Notes(NoteId),
    Handoff,
    Plan(PlanName),
    /// The plan that a session works on.
    ActivePlan,
    /// The name of a project.
    Name,
}

impl Touch {
    fn note(&self) -> Option<NoteId> {
        match self {
            Self::Note(id) => Some(*id),
            _ => None,
        }
    }
}

/// By what an entry is known in both stores.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Known(String, String, Time);

impl Known {
    /// The name that an entry has, and the one that it gets where its own is taken.
    pub(super) fn names(record: &Record) -> [Self; 2] {
        let named = |id: &str| Self(id.to_owned(), record.kind.clone(), record.at);
        [named(&record.write_id), named(renamed(record).as_str())]
    }
}

/// An entry, and what it touched; none where its body was erased.
struct Told {
    record: Record,
    touches: Option<Vec<Touch>>,
}

/// The line of a scope in the store that is copied.
pub(super) struct Line {
    scope: Scope,
    /// Every entry; none where the other store has nothing of the scope.
    own: Vec<Told>,
    is_met: bool,
    /// What was found, and the newest entry of the other store then: it is read anew where that has written since.
    found: RefCell<Option<(Seq, Rc<Alone>)>>,
}

/// What only one of the two touched.
#[derive(Default)]
pub(super) struct Alone {
    from: BTreeSet<Touch>,
    to: BTreeSet<Touch>,
    /// What notes are called there that have another id.
    moved: BTreeMap<NoteId, NoteId>,
    /// The notes that these ids belong to.
    given: BTreeMap<NoteId, NoteId>,
    /// Notes of which the other store has erased what it knew.
    emptied: BTreeSet<NoteId>,
}

impl Line {
    /// Reads the line of `scope`, if the other store knows the scope.
    pub(super) fn of(from: &dyn View, to: &Target<'_>, scope: &Scope) -> Result<Self, OpError> {
        let is_met = to.read(|view| is_used(view, scope))?;
        let own = if is_met { told(from, scope, |_| true)? } else { Vec::new() };
        let line = Self { scope: scope.clone(), own, is_met, found: RefCell::new(None) };
        // It is found before a write asks for it, which holds up others.
        to.read(|view| line.alone(view).map(drop))?;
        Ok(line)
    }

    /// What only one of the two touched, as the other store is now.
    pub(super) fn alone(&self, to: &dyn View) -> Result<Rc<Alone>, StoreError> {
        if !self.is_met {
            return Ok(Rc::default());
        }
        let now = to.last_seq(&self.scope)?;
        if let Some((at, found)) = &*self.found.borrow()
            && *at == now
        {
            return Ok(Rc::clone(found));
        }
        let found = Rc::new(self.find(to)?);
        *self.found.borrow_mut() = Some((now, Rc::clone(&found)));
        Ok(found)
    }

    fn find(&self, to: &dyn View) -> Result<Alone, StoreError> {
        let theirs = told(to, &self.scope, |record| record.kind != KIND)?;
        let names =
            |(place, it): (usize, &Told)| Known::names(&it.record).map(|name| (name, place));
        let there: BTreeMap<Known, usize> = theirs.iter().enumerate().flat_map(names).collect();
        let mut alone = Alone::default();
        let mut both = BTreeSet::new();
        for told in &self.own {
            let touches = told.touches.iter().flatten();
            match Known::names(&told.record).iter().find_map(|name| there.get(name)) {
                Some(place) => {
                    both.insert(*place);
                    let own: Vec<NoteId> = touches.filter_map(Touch::note).collect();
                    match theirs[*place].touches.as_deref() {
                        Some(theirs) => alone.meet(&own, theirs),
                        // It was emptied for a note that it names by this id, or for one that it names by another.
                        None if !self.is_any_buried(to, &own)? => alone.emptied.extend(own),
                        None => {}
                    }
                }
                None => alone.from.extend(touches.cloned()),
            }
        }
        let theirs = theirs.into_iter().enumerate().filter(|(place, _)| !both.contains(place));
        alone.to.extend(theirs.flat_map(|(_, told)| told.touches.into_iter().flatten()));
        Ok(alone)
    }

    fn is_any_buried(&self, to: &dyn View, ids: &[NoteId]) -> Result<bool, StoreError> {
        let Scope::Session(session) = &self.scope else { return Ok(false) };
        for id in ids {
            if Tombstone::Note(session, *id).stands_in(to)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the other store knew the scope.
    pub(super) fn is_met(&self) -> bool {
        self.is_met
    }
}

impl Alone {
    /// Takes what an entry says that both have: the same notes, under the ids that they have in each.
    fn meet(&mut self, own: &[NoteId], theirs: &[Touch]) {
        let theirs: Vec<NoteId> = theirs.iter().filter_map(Touch::note).collect();
        if own.len() != theirs.len() {
            return;
        }
        for (id, there) in own.iter().copied().zip(theirs).filter(|(id, there)| id != there) {
            // The newest is read first, and says where it is now: of two that were one before, one alone.
            if !self.moved.contains_key(&id) && !self.given.contains_key(&there) {
                self.moved.insert(id, there);
                self.given.insert(there, id);
            }
        }
    }

    /// What notes are called there that have another id.
    pub(super) fn moved(&self) -> &BTreeMap<NoteId, NoteId> {
        &self.moved
    }

    /// Notes that had another id there and were forgotten under it.
    pub(super) fn forgotten(
        &self,
        view: &dyn View,
        session: &SessionKey,
    ) -> Result<BTreeSet<NoteId>, StoreError> {
        let mut found = BTreeSet::new();
        for id in &self.emptied {
            if self.was_forgotten(*id, view.note(session, *id)?.is_some()) {
                found.insert(*id);
            }
        }
        Ok(found)
    }

    /// Whether a note is one of those; where its own id is taken there, another one began under it.
    pub(super) fn was_forgotten(&self, id: NoteId, is_taken: bool) -> bool {
        self.emptied.contains(&id)
            && !self.moved.contains_key(&id)
            && (!is_taken || self.to.contains(&Touch::Born(id)))
    }

    /// Whether a note has this id there that has another one here.
    pub(super) fn is_given(&self, there: NoteId) -> bool {
        self.given.contains_key(&there)
    }

    /// Whether any entry that is known speaks of a note with this id.
    pub(super) fn knows(&self, id: NoteId) -> bool {
        let touch = Touch::Note(id);
        self.from.contains(&touch) || self.to.contains(&touch) || self.given.contains_key(&id)
    }

    /// The id that a note has there.
    pub(super) fn there(&self, id: NoteId) -> NoteId {
        self.moved.get(&id).copied().unwrap_or(id)
    }

    /// Whether an id belongs there to another note than the one of that id here.
    pub(super) fn is_anothers(&self, id: NoteId, there: NoteId) -> bool {
        self.given.get(&there).is_some_and(|other| *other != id)
    }

    /// Whether only the store that is copied changed it since.
    pub(super) fn is_ahead(&self, touch: &Touch) -> bool {
        has(&self.from, touch) && !has(&self.to, &self.touch_there(touch))
    }

    /// Whether only the store that is written changed it since.
    pub(super) fn is_behind(&self, touch: &Touch) -> bool {
        !has(&self.from, touch) && has(&self.to, &self.touch_there(touch))
    }

    /// The notes that only the store that is copied changed since, one by one.
    pub(super) fn notes_ahead(&self) -> impl Iterator<Item = NoteId> {
        self.from.iter().filter(|touch| self.is_ahead(touch)).filter_map(|touch| match touch {
            Touch::Note(id) => Some(*id),
            _ => None,
        })
    }

    fn touch_there(&self, touch: &Touch) -> Touch {
        match touch {
            Touch::Note(id) => Touch::Note(self.there(*id)),
            other => other.clone(),
        }
    }
}

fn has(all: &BTreeSet<Touch>, touch: &Touch) -> bool {
    let is_within =
        |id: NoteId| matches!(all.range(Touch::Notes(id)..).next(), Some(Touch::Notes(_)));
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
fn told(
    view: &dyn View,
    scope: &Scope,
    is_asked: impl Fn(&Record) -> bool,
) -> Result<Vec<Told>, StoreError> {
    let mut all = Vec::new();
    for record in view.records(scope, 0)?.into_iter().filter(is_asked) {
        let touches = view.body(record.seq)?.as_ref().map(touches);
        all.push(Told { record, touches });
    }
    Ok(all)
}

fn touches(body: &Body) -> Vec<Touch> {
    let touch = |change: &Change| match change {
        Change::AddNote { note, .. } | Change::SetNote { note, .. } => vec![Touch::Note(note.id)],
        Change::DropNote { id, .. } => vec![Touch::Note(*id), Touch::Born(*id)],
        Change::DropNotes { upto, .. } => vec![Touch::Notes(*upto)],
        Change::SetHandoff { .. } => vec![Touch::Handoff],
        Change::SetPlan { name, .. } => vec![Touch::Plan(name.clone())],
        Change::SetActivePlan { .. } => vec![Touch::ActivePlan],
        Change::RenameProject { .. } => vec![Touch::Name],
        _ => Vec::new(),
    };
    body.undo.iter().flat_map(touch).collect()
}

/// The write id of an entry whose own one means another write there.
pub(super) fn renamed(record: &Record) -> WriteId {
    let content = format!("{}\n{}\n{}", record.write_id, record.kind, record.at.0);
    let id = WriteId::new(format!("{RENAMED}{}", hex(&plain(content.as_bytes()), 16)));
    id.expect("a word and digits are a legal id")
}

/// What the entries of scopes in the store that is written are known by, as far as they were read.
///
/// An engine need not find a write by an id that nobody else knew.
#[derive(Default)]
pub(super) struct Ids(RefCell<HashMap<Scope, Read>>);

/// The newest entry that was read, and the entries by the hashes of their write ids.
type Read = (Seq, BTreeMap<u64, Met>);

/// An entry with a write id.
#[derive(Clone, Copy)]
struct Met {
    seq: Seq,
    /// Its kind and time.
    alike: u64,
    /// What it is called where its own name is taken.
    renamed: u64,
}

impl Met {
    fn of(record: &Record) -> Self {
        let alike = short(&format!("{}\n{}", record.kind, record.at.0));
        Self { seq: record.seq, alike, renamed: short(renamed(record).as_str()) }
    }
}

/// 64 bits of a hash.
fn short(text: &str) -> u64 {
    u64::from_le_bytes(*plain(text.as_bytes()).first_chunk().expect("a hash has 32 bytes"))
}

impl Ids {
    /// Reads what was written there since.
    pub(super) fn read(&self, view: &dyn View, scope: &Scope) -> Result<(), StoreError> {
        let mut all = self.0.borrow_mut();
        let (upto, met) = all.entry(scope.clone()).or_insert((Seq(0), BTreeMap::new()));
        let last = view.last_seq(scope)?;
        if *upto < last {
            let filter = JournalFilter {
                scope: Some(scope),
                after: Some(*upto),
                ..JournalFilter::default()
            };
            let records = view.records_by(&filter)?;
            met.extend(records.iter().map(|it| (short(&it.write_id), Met::of(it))));
            *upto = last;
        }
        Ok(())
    }

    /// The id under which an entry goes into its scope there; none if it is there already.
    pub(super) fn free(
        &self,
        view: &dyn View,
        record: &Record,
    ) -> Result<Option<WriteId>, StoreError> {
        if self.found(view, record)?.is_some() {
            return Ok(None);
        }
        let is_taken = |id: &WriteId| {
            let all = self.0.borrow();
            all.get(&record.scope).is_some_and(|(_, met)| met.contains_key(&short(id.as_str())))
        };
        let own = WriteId::new(record.write_id.clone()).filter(|own| !is_taken(own));
        Ok(Some(own.unwrap_or_else(|| renamed(record))))
    }

    /// The number that a copied entry has there.
    pub(super) fn found(
        &self,
        view: &dyn View,
        record: &Record,
    ) -> Result<Option<Seq>, StoreError> {
        self.read(view, &record.scope)?;
        let (all, own) = (self.0.borrow(), Met::of(record));
        let Some((_, met)) = all.get(&record.scope) else { return Ok(None) };
        let name = short(&record.write_id);
        let named = [name, own.renamed].into_iter().filter_map(|name| met.get(&name));
        if let Some(found) = named.filter(|met| met.alike == own.alike).map(|met| met.seq).next() {
            return Ok(Some(found));
        }
        // It may have come from there, where its own name was not taken.
        let is_it = |met: &&Met| met.alike == own.alike && met.renamed == name;
        let is_renamed = record.write_id.starts_with(RENAMED);
        Ok(is_renamed.then(|| met.values().find(is_it).map(|met| met.seq)).flatten())
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
