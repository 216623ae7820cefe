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

/// So many entries of one file are taken in at once, the last of it first: those that were appended.
///
/// A clone may bring a hundred thousand, and nobody is to wait for them or be told them in the place of a few.
const MOST: usize = 300;

/// So many are written at once: whoever else writes waits for these and no longer.
const AT_ONCE: usize = 50;

/// So many lines of one file that are no entries are told one by one.
const MOST_TOLD: usize = 20;

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
        let legal = self.legal(plan, category, found, standing)?;
        for some in legal.chunks(AT_ONCE) {
            let says: Vec<Sameness> = some.iter().map(|one| one.said.sameness()).collect();
            let scope = Scope::Project(self.project.id);
            let name = (&plan.name, category, &says);
            let written = self.call.write(scope, "take_in", &name, |view| {
                let changes = self.unknown(view, plan, known, some, present)?;
                let added = changes.iter().filter_map(added).collect::<Vec<_>>();
                Ok((changes, added))
            })?;
            standing.taken_in += written.value.len();
            // It is taken in already; a session that cannot be told of it reads it at its next start.
            drop(plans::note_lapses(self.call, self.project.id, &written.value));
        }
        Ok(())
    }

    /// What of a file is taken in now, in its order; what cannot be, and how much waits, is said.
    fn legal(
        &self,
        plan: &Plan,
        category: Category,
        found: &[Found],
        standing: &mut Standing,
    ) -> Result<Vec<Legal>, OpError> {
        let file = format!("{}/{}", plan.name, vademecum_core::mirror::file_name(category));
        let (mut legal, wrong, n_left) =
            self.call.look(|view| self.last_new(view, (plan, &file), found))?;
        standing.unreadable.extend(told(&file, wrong));
        standing.unreadable.extend(waiting(&file, plan, n_left));
        legal.reverse();
        Ok(legal)
    }

    /// The last new ones of a file, what is wrong there, both from its end on, and how many were not looked at.
    fn last_new(
        &self,
        view: &dyn View,
        (plan, file): (&Plan, &str),
        found: &[Found],
    ) -> Result<(Vec<Legal>, Vec<String>, usize), OpError> {
        let (mut legal, mut wrong, mut n_left) = (Vec::new(), Vec::new(), found.len());
        for Found { line, at, said, .. } in found.iter().rev() {
            if legal.len() == MOST {
                break;
            }
            n_left -= 1;
            let said = match said {
                Ok(said) if view.same_entry(plan, &said.sameness())?.is_some() => continue,
                Ok(said) => self.call.accept(said.content.as_str()).map(|_| said.clone()),
                Err(error) => Err(error.clone().into()),
            };
            match said {
                Ok(said) => legal.push(Legal { at: *at, said }),
                Err(error) => wrong.push(format!("{file} line {line}: {}", error.message)),
            }
        }
        Ok((legal, wrong, n_left))
    }

    fn unknown(
        &self,
        view: &dyn View,
        plan: &Plan,
        known: &Known,
        legal: &[Legal],
        present: &BTreeSet<Sameness>,
    ) -> Result<Vec<Change>, OpError> {
        let gone = gone(view, plan, known, legal, present)?;
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
            let edited = at.and_then(|at| edited(&gone, (at, said)));
            let place = (plan, known, said.matter.category());
            let supersedes = self.superseded(view, place, said.supersedes.or(edited))?;
            let said = Said { supersedes, ..said.from_file() };
            // Else it would be the newest for as long as it likes.
            let at = at.map_or(self.call.now(), |at| at.min(self.call.now()));
            let entry = Entry::new(id, plan.name.clone(), at, said);
            changes.push(Change::AddEntry { project: self.project.id, entry });
        }
        Ok(changes)
    }

    /// The entry that one of a file takes the place of: one that this file brought, or that we wrote into it.
    ///
    /// A repository edits files: nothing else that somebody said here loses its place to one, and a rule never does.
    fn superseded(
        &self,
        view: &dyn View,
        (plan, known, category): (&Plan, &Known, Option<Category>),
        id: Option<EntryId>,
    ) -> Result<Option<EntryId>, OpError> {
        let old = id.map(|id| view.entry(self.project.id, id)).transpose()?.flatten();
        let is_of_file =
            |old: &Entry| old.plan == plan.name && old.said.matter.category() == category;
        let is_written = |old: &Entry| Some(old.id) <= known.last && !old.is_rule();
        let may_go = |old: &Entry| is_of_file(old) && (old.is_from_file() || is_written(old));
        Ok(old.filter(may_go).map(|old| old.id))
    }
}

fn added(change: &Change) -> Option<EntryId> {
    match change {
        Change::AddEntry { entry, .. } => Some(entry.id),
        _ => None,
    }
}

/// What is wrong in a file, found from its end on: the first places, and how many more there are.
fn told(file: &str, mut wrong: Vec<String>) -> Vec<String> {
    wrong.reverse();
    let n_more = wrong.len().saturating_sub(MOST_TOLD);
    wrong.truncate(MOST_TOLD);
    wrong.extend((0 < n_more).then(|| format!("{file}: {n_more} more places are wrong as well")));
    wrong
}

/// What is said where entries of a file wait, so many before those that are taken in.
fn waiting(file: &str, plan: &Plan, n_left: usize) -> Option<String> {
    (0 < n_left).then(|| {
        format!(
            "{file}: {n_left} of its entries were not looked at, the last {MOST} new ones are taken in at once; \
             vade plan check {} takes in the next",
            plan.name
        )
    })
}

/// The entries that stood in this file and do no more, read once for all that come in together.
fn gone(
    view: &dyn View,
    plan: &Plan,
    known: &Known,
    legal: &[Legal],
    present: &BTreeSet<Sameness>,
) -> Result<Vec<Entry>, OpError> {
    let holds_any = known.last.is_some() || !known.also.is_empty();
    let category = legal.first().and_then(|one| one.said.matter.category());
    let filter = EntryFilter { category, in_force: true, ..EntryFilter::of(plan) };
    let mut entries = if holds_any { view.entries(filter, 0)? } else { Vec::new() };
    entries.retain(|entry| known.held(entry.id) && !present.contains(&entry.said.sameness()));
    Ok(entries)
}

/// The one of these with the same header: it was edited by hand.
fn edited(gone: &[Entry], (at, said): (Time, &Said)) -> Option<EntryId> {
    let is_it = |entry: &&Entry| entry.at == at && entry.said.task == said.task;
    gone.iter().find(is_it).map(|entry| entry.id)
}
