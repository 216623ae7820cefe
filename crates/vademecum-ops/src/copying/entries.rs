//! Entries of plans: one whose id another one has gets the next free id, and what names it follows.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::entry::{Entry, Said};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_store::{Change, EntryFilter, Scope, StoreError, View};

use super::lines::Known;
use super::plans::Names;
use super::target::{Part, Target};
use super::{SLICE, There};
use crate::error::OpError;
use crate::forgetting::{Tombstone, quoted};

/// What entries are called there that have another id.
type Moved = BTreeMap<EntryId, EntryId>;

/// Adds every entry there.
pub(super) fn copy(
    from: &dyn View,
    to: &mut Target<'_>,
    names: &Names,
) -> Result<BTreeMap<ProjectId, There<EntryId>>, OpError> {
    let mut all_there = BTreeMap::new();
    for project in from.projects(None)? {
        let all = EntryFilter { project: Some(project.id), by_id: true, ..EntryFilter::default() };
        let mut entries = from.entries(all, 0)?;
        entries.reverse();
        for entry in &mut entries {
            if let Some(name) = names.get(&(project.id, entry.plan.clone())) {
                entry.plan = name.clone();
            }
        }
        let emptied = emptied(from, to, project.id)?;
        all_there.insert(project.id, of_project(to, project.id, (&entries, &emptied))?);
    }
    Ok(all_there)
}

fn of_project(
    to: &mut Target<'_>,
    project: ProjectId,
    (entries, emptied): (&[Entry], &BTreeSet<EntryId>),
) -> Result<There<EntryId>, OpError> {
    let all: BTreeMap<EntryId, &Entry> = entries.iter().map(|it| (it.id, it)).collect();
    let (mut moved, mut out) = (Moved::new(), BTreeSet::new());
    for slice in entries.chunks(SLICE) {
        let mut known = (Moved::new(), BTreeSet::new());
        to.write("entries", &(project, slice), |view, part| {
            known = (moved.clone(), out.clone());
            let (moved, out) = (&mut known.0, &mut known.1);
            Taking { project, all: &all, emptied, moved, out }.slice(view, slice, part)
        })?;
        (moved, out) = known;
    }
    Ok(There { moved, out })
}

/// Entries that writes named of which the other store has erased what it knew.
fn emptied(
    from: &dyn View,
    to: &Target<'_>,
    project: ProjectId,
) -> Result<BTreeSet<EntryId>, OpError> {
    let scope = Scope::Project(project);
    let theirs = to.read(|view| {
        let mut emptied = BTreeSet::new();
        for record in view.records(&scope, 0)? {
            if view.with_body(record.seq, 0)?.is_some_and(|entry| entry.size.is_none()) {
                emptied.extend(Known::names(&record));
            }
        }
        Ok(emptied)
    })?;
    let mut found = BTreeSet::new();
    if theirs.is_empty() {
        return Ok(found);
    }
    for record in from.records(&scope, 0)? {
        let is_emptied = Known::names(&record).iter().any(|name| theirs.contains(name));
        if is_emptied && let Some(body) = from.body(record.seq)? {
            let ids: Vec<EntryId> = quoted(&body.reply, "entry_").map(EntryId).collect();
            // Where one of them is buried, the others went with it and may be there still.
            let buried = to.read(|view| {
                let tombstones =
                    ids.iter().map(|id| Tombstone::Entry(project, *id).stands_in(view));
                tombstones.collect::<Result<Vec<_>, _>>()
            })?;
            found.extend(ids.into_iter().filter(|_| !buried.contains(&true)));
        }
    }
    Ok(found)
}

/// What is known while entries are taken.
struct Taking<'a> {
    project: ProjectId,
    /// The entries of the project where they come from.
    all: &'a BTreeMap<EntryId, &'a Entry>,
    /// What those are called there that have another id.
    moved: &'a mut Moved,
    /// Those that are kept out, because they were forgotten there.
    out: &'a mut BTreeSet<EntryId>,
    /// Those of which the other store has erased what it knew.
    emptied: &'a BTreeSet<EntryId>,
}

impl Taking<'_> {
    fn slice(
        &mut self,
        view: &dyn View,
        slice: &[Entry],
        part: &mut Part,
    ) -> Result<Vec<Change>, StoreError> {
        let mut changes = Vec::new();
        let mut given = BTreeSet::new();
        for entry in slice {
            if view.plan(self.project, &entry.plan)?.is_none() {
                continue;
            }
            let new = self.following(view, entry)?;
            let known = view.entry(self.project, entry.id)?;
            if known.as_ref().is_some_and(|known| is_alike(known, &new)) {
                continue;
            }
            let new = if let Some(twin) = self.twin(view, &new)? {
                self.moved.insert(entry.id, twin);
                None
            } else if self.is_forgotten(view, entry, known.is_some())? {
                self.out.insert(entry.id);
                part.report.leave_out(&format_args!("{} of plan {}", entry.id, entry.plan));
                None
            } else if known.is_none() && given.insert(entry.id) {
                Some(new)
            } else {
                Some(self.elsewhere(view, new, &mut given, part)?)
            };
            if let Some(entry) = new {
                part.report.entries += 1;
                changes.push(Change::AddEntry { project: self.project, entry });
            }
        }
        Ok(changes)
    }

    /// Whether it was forgotten there, under whatever id, or the one that it was merged from.
    fn is_forgotten(
        &self,
        view: &dyn View,
        entry: &Entry,
        is_taken: bool,
    ) -> Result<bool, StoreError> {
        Ok(entry.merged_from.is_some_and(|from| self.out.contains(&from))
            || self.emptied.contains(&entry.id)
            || !is_taken && Tombstone::Entry(self.project, entry.id).stands_in(view)?)
    }

    /// An entry whose id another one has, under the next free id.
    fn elsewhere(
        &mut self,
        view: &dyn View,
        entry: Entry,
        given: &mut BTreeSet<EntryId>,
        part: &mut Part,
    ) -> Result<Entry, StoreError> {
        let id = self.free(view, entry.id, given)?;
        self.moved.insert(entry.id, id);
        part.report.notices.push(format!(
            "{} of plan {} is another one there: it is kept as {id}",
            entry.id, entry.plan
        ));
        Ok(Entry { id, ..entry })
    }

    /// The entry as it stands there: it names what went elsewhere by its new id.
    fn following(&self, view: &dyn View, entry: &Entry) -> Result<Entry, StoreError> {
        let there = |id: EntryId| self.moved.get(&id).copied().unwrap_or(id);
        let mut new = entry.clone();
        new.said.supersedes = new.said.supersedes.map(there);
        new.merged_from = new.merged_from.map(there);
        if let Some(key) = &new.session
            && view.session(key)?.is_none()
        {
            new.session = None;
        }
        Ok(new)
    }

    /// The entry there that is this one under an id that it got there.
    fn twin(&self, view: &dyn View, entry: &Entry) -> Result<Option<EntryId>, StoreError> {
        let sameness = entry.said.sameness();
        let filter = EntryFilter {
            project: Some(self.project),
            plan: Some(&entry.plan),
            sameness: Some(&sameness),
            ..EntryFilter::default()
        };
        let found = view.entries(filter, 0)?;
        // One that stands there for another one of here is no twin of this one.
        let is_taken = |other: &Entry| {
            self.moved.values().any(|id| *id == other.id)
                || self.all.get(&other.id).is_some_and(|own| is_alike(own, other))
        };
        let is_it = |other: &&Entry| is_alike(other, entry) && !is_taken(other);
        Ok(found.iter().find(is_it).map(|other| other.id))
    }

    /// The next id that nobody has on either side.
    fn free(
        &self,
        view: &dyn View,
        EntryId(id): EntryId,
        given: &mut BTreeSet<EntryId>,
    ) -> Result<EntryId, StoreError> {
        for next in (id + 1..).map(EntryId) {
            let is_taken = self.all.contains_key(&next)
                || view.entry(self.project, next)?.is_some()
                || Tombstone::Entry(self.project, next).stands_in(view)?;
            if !is_taken && given.insert(next) {
                return Ok(next);
            }
        }
        Err(StoreError::Engine { what: format!("no id is free behind entry_{id}") })
    }
}

/// Whether two entries say the same at one time; which ids they name, whose they are and where the work tree stood does not count.
fn is_alike(one: &Entry, other: &Entry) -> bool {
    let said = |entry: &Entry| Said { supersedes: None, ..entry.said.clone() };
    (&one.plan, one.at, said(one)) == (&other.plan, other.at, said(other))
}
