//! Entries of plans: one whose id another one has gets the next free id, and what names it follows.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::entry::{Entry, Said};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_store::{Change, EntryFilter, StoreError, View};

use super::SLICE;
use super::plans::Names;
use super::target::{Part, Target};
use crate::error::OpError;

/// Adds every entry there.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>, names: &Names) -> Result<(), OpError> {
    for project in from.projects(None)? {
        let all = EntryFilter { project: Some(project.id), by_id: true, ..EntryFilter::default() };
        let mut entries = from.entries(all, 0)?;
        entries.reverse();
        for entry in &mut entries {
            if let Some(name) = names.get(&(project.id, entry.plan.clone())) {
                entry.plan = name.clone();
            }
        }
        let all: BTreeMap<EntryId, &Entry> = entries.iter().map(|it| (it.id, it)).collect();
        let mut moved = BTreeMap::new();
        for slice in entries.chunks(SLICE) {
            let mut known = BTreeMap::new();
            to.write("entries", &(project.id, slice), |view, part| {
                known = moved.clone();
                let mut taking = Taking { project: project.id, all: &all, moved: &mut known };
                taking.slice(view, slice, part)
            })?;
            if known.is_empty() && to.read(|view| is_moved(view, project.id, slice))? {
                // The same was copied before: where it went is found anew.
                let mut part = Part::default();
                to.read(|view| {
                    known = moved.clone();
                    let mut taking = Taking { project: project.id, all: &all, moved: &mut known };
                    taking.slice(view, slice, &mut part)
                })?;
            }
            moved.append(&mut known);
        }
    }
    Ok(())
}

/// Whether the id of one of these is that of another entry there, or of none.
fn is_moved(view: &dyn View, project: ProjectId, slice: &[Entry]) -> Result<bool, StoreError> {
    for entry in slice {
        if view.entry(project, entry.id)?.is_none_or(|other| !is_alike(&other, entry)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is known while entries are taken.
struct Taking<'a> {
    project: ProjectId,
    /// The entries of the project where they come from.
    all: &'a BTreeMap<EntryId, &'a Entry>,
    /// What those are called there that have another id.
    moved: &'a mut BTreeMap<EntryId, EntryId>,
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
            let is_taken =
                self.all.contains_key(&next) || view.entry(self.project, next)?.is_some();
            if !is_taken && given.insert(next) {
                return Ok(next);
            }
        }
        Err(StoreError::Engine { what: format!("no id is free behind entry_{id}") })
    }
}

/// Whether two entries say the same at one time; which ids they name, and whose they are, does not count.
fn is_alike(one: &Entry, other: &Entry) -> bool {
    let said = |entry: &Entry| Said { supersedes: None, ..entry.said.clone() };
    (&one.plan, one.at, said(one)) == (&other.plan, other.at, said(other))
}
