//! Taking in what was appended by hand: once, whoever looks first, by what it says.

use std::collections::BTreeSet;

use vademecum_core::entry::{Category, Entry, Said, Sameness};
use vademecum_core::id::EntryId;
use vademecum_core::mirror::Found;
use vademecum_core::plan::Plan;
use vademecum_core::time::Time;
use vademecum_store::{Change, EntryFilter, Scope, View};

use super::state::Known;
use super::{Mirror, Standing};
use crate::error::OpError;
use crate::plans;

/// An entry of a file that may be kept.
struct Legal {
    at: Option<Time>,
    said: Said,
}

impl Mirror<'_> {
    /// Adds what a file says and the plan does not; `known` is what the file held before.
    pub(super) fn take(
        &self,
        plan: &Plan,
        category: Category,
        known: &Known,
        found: &[Found],
        present: &BTreeSet<Sameness>,
        standing: &mut Standing,
    ) -> Result<(), OpError> {
        let legal = self.legal(plan, category, found, standing);
        let is_known = self.call.read(|view| {
            for one in &legal {
                if view.same_entry(plan, &one.said.sameness())?.is_none() {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        if is_known {
            return Ok(());
        }
        let scope = Scope::Project(self.project.id);
        let name = (&plan.name, category, present);
        let written = self.call.write(scope, "take_in", &name, |view| {
            let changes = self.unknown(view, plan, known, &legal, present)?;
            let added = changes.iter().filter_map(added).collect::<Vec<_>>();
            Ok((changes, added))
        })?;
        standing.taken_in += written.value.len();
        // It is taken in already; a session that cannot be told of it reads it at its next start.
        drop(plans::note_lapses(self.call, self.project.id, &written.value));
        Ok(())
    }

    /// What of a file may be kept; the rest is said.
    fn legal(
        &self,
        plan: &Plan,
        category: Category,
        found: &[Found],
        standing: &mut Standing,
    ) -> Vec<Legal> {
        let mut legal = Vec::new();
        for Found { line, at, said, .. } in found {
            let said = match said {
                Ok(said) => self.call.accept(said.content.as_str()).map(|_| said.clone()),
                Err(error) => Err(error.clone().into()),
            };
            match said {
                Ok(said) => legal.push(Legal { at: *at, said }),
                Err(error) => {
                    let file = vademecum_core::mirror::file_name(category);
                    let place = format!("{}/{file} line {line}", plan.name);
                    standing.unreadable.push(format!("{place}: {}", error.message));
                }
            }
        }
        legal
    }

    fn unknown(
        &self,
        view: &dyn View,
        plan: &Plan,
        known: &Known,
        legal: &[Legal],
        present: &BTreeSet<Sameness>,
    ) -> Result<Vec<Change>, OpError> {
        let mut seen = BTreeSet::new();
        let mut newest = view.last_entry(self.project.id)?;
        let mut changes = Vec::new();
        for Legal { at, said } in legal {
            let sameness = said.sameness();
            if view.same_entry(plan, &sameness)?.is_some() || !seen.insert(sameness) {
                continue;
            }
            let id = plans::next_id(view, self.project.id, newest, self.call.now())?;
            newest = Some(id);
            let edited = at.map(|at| edited(view, plan, known, (at, said), present)).transpose()?;
            let said = Said { supersedes: said.supersedes.or(edited.flatten()), ..said.clone() };
            let at = at.unwrap_or_else(|| self.call.now());
            let entry = Entry::new(id, plan.name.clone(), at, said);
            changes.push(Change::AddEntry { project: self.project.id, entry });
        }
        Ok(changes)
    }
}

fn added(change: &Change) -> Option<EntryId> {
    match change {
        Change::AddEntry { entry, .. } => Some(entry.id),
        _ => None,
    }
}

/// The entry with the same header that stood in this file and does no more: it was edited by hand.
fn edited(
    view: &dyn View,
    plan: &Plan,
    known: &Known,
    (at, said): (Time, &Said),
    present: &BTreeSet<Sameness>,
) -> Result<Option<EntryId>, OpError> {
    let category = said.matter.category();
    let filter = EntryFilter { category, in_force: true, ..EntryFilter::of(plan) };
    let holds_any = known.last.is_some() || !known.also.is_empty();
    let entries = if holds_any { view.entries(filter, 0)? } else { Vec::new() };
    let is_it = |entry: &&Entry| {
        known.held(entry.id)
            && entry.at == at
            && entry.said.task == said.task
            && !present.contains(&entry.said.sameness())
    };
    Ok(entries.iter().find(is_it).map(|entry| entry.id))
}
