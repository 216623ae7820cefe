//! Forgetting an entry of a plan: its lines in the files of every work tree, then the row and its bytes.

use std::collections::BTreeSet;

use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::session::SessionKey;
use vademecum_store::{EntryFilter, Erase, IntentId, Parts, Scope, StoreError, View};

use super::note::{forget_quotes, recaps_in};
use super::quotes::Texts;
use super::tombstone::{self, Tombstone};
use super::unremoved;
use crate::call::Call;
use crate::error::OpError;
use crate::lapses::{self, Lapse};
use crate::mirror::Mirror;
use crate::moments;

/// All entries of a project.
pub(super) fn all(view: &dyn View, project: ProjectId) -> Result<Vec<Entry>, StoreError> {
    let mut all = Vec::new();
    for plan in view.plans(project, None)? {
        all.extend(view.entries(EntryFilter::of(&plan), 0)?);
    }
    Ok(all)
}

/// An entry, the one that it was merged from, and all that were merged from either.
pub(super) fn family(entries: &[Entry], id: EntryId) -> BTreeSet<EntryId> {
    let mut family = BTreeSet::from([id]);
    loop {
        let before = family.len();
        for entry in entries {
            let from = entry.merged_from;
            if family.contains(&entry.id) || from.is_some_and(|from| family.contains(&from)) {
                family.insert(entry.id);
                family.extend(from);
            }
        }
        if family.len() == before {
            return family;
        }
    }
}

/// What an entry says in words of its own.
pub(super) fn texts(entry: &Entry) -> impl Iterator<Item = &str> {
    std::iter::once(entry.said.content.as_str()).chain(entry.said.matter.own().texts())
}

/// Erases an entry; how many bodies of the journal were emptied.
pub(super) fn forget(
    call: &Call<'_>,
    intent: IntentId,
    project: ProjectId,
    id: EntryId,
) -> Result<usize, OpError> {
    let (known, entries) = call.read(|view| Ok((view.project(project)?, all(view, project)?)))?;
    let family = family(&entries, id);
    let gone: Vec<&Entry> = entries.iter().filter(|entry| family.contains(&entry.id)).collect();
    let words = Texts::new(gone.iter().flat_map(|entry| texts(entry)));
    if let Some(project) = &known {
        let said: Vec<_> = gone.iter().map(|entry| &entry.said).collect();
        let quotes = |text: &str| words.are_quoted_in(text);
        Mirror::of(call, project)?
            .forget_entries(&said, &quotes)
            .map_err(|error| unremoved(&error))?;
        forget_quotes(call, &words)?;
    }
    let said: Vec<_> = gone.iter().map(|entry| &entry.said).collect();
    let others = |key: &SessionKey| {
        let of = call.read(|view| Ok(view.session(key)?.map(|session| session.project)));
        of.is_ok_and(|of| of.is_some_and(|of| of != project))
    };
    moments::forget_found(call.world, &said, others).map_err(|error| unremoved(&error))?;
    let lapsed = lapsed(&entries, &gone);
    lapses::note(call, project, lapsed.as_slice())?;
    if known.is_some() {
        // Who copies must know it before the bodies are looked for that hold it.
        bury(call, project, &family)?;
    }
    let bodies = call.read(|view| touching(view, project, &family))?;
    let n_bodies = bodies.len();
    let recaps = recaps_in(call, project, &words)?;
    let entries = family.into_iter().map(|id| (project, id)).collect();
    call.store.erase(&Erase::Parts(Parts { bodies, recaps, entries }), Some(intent))?;
    Ok(n_bodies)
}

fn bury(call: &Call<'_>, project: ProjectId, family: &BTreeSet<EntryId>) -> Result<(), OpError> {
    call.write(Scope::Project(project), tombstone::KIND, family, |view| {
        let made = family.iter().map(|id| Tombstone::Entry(project, *id).made(call, view));
        let made = made.collect::<Result<Vec<_>, _>>()?;
        Ok((made.into_iter().flatten().collect(), ()))
    })?;
    Ok(())
}

/// What sessions hold no more for in force; copies that merges made are one with their original.
fn lapsed(entries: &[Entry], gone: &[&Entry]) -> Option<Lapse> {
    let is_in_force = |entry: &&&Entry| is_in_force(entry, entries.iter());
    let entry = gone.iter().find(is_in_force)?;
    let category = entry.word().to_owned();
    Some(Lapse::Entry { id: entry.id, category, by: None })
}

/// Whether none of `others` supersedes an entry, and it is not resolved.
pub(super) fn is_in_force<'a>(entry: &Entry, mut others: impl Iterator<Item = &'a Entry>) -> bool {
    let own = [Some(entry.id), entry.merged_from];
    let is_corrected =
        |other: &Entry| other.said.supersedes.is_some() && own.contains(&other.said.supersedes);
    !entry.is_resolved() && !others.any(is_corrected)
}

/// The journal entries of a project whose replies name these.
fn touching(
    view: &dyn View,
    project: ProjectId,
    family: &BTreeSet<EntryId>,
) -> Result<Vec<Seq>, StoreError> {
    let names: Vec<String> = family.iter().map(|id| format!("\"{id}\"")).collect();
    let mut seqs = Vec::new();
    for record in view.records(&Scope::Project(project), 0)? {
        if let Some(body) = view.body(record.seq)?
            && names.iter().any(|name| body.reply.contains(name))
        {
            seqs.push(record.seq);
        }
    }
    Ok(seqs)
}
