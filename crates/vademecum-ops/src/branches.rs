//! Which entries were recorded on another branch, and may not hold on the one that is checked out.
//!
//! None is hidden for that: it is told behind the others, with the name of its branch.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use vademecum_core::entry::{Commit, Elsewhere, Entry, Line, Stood};
use vademecum_core::id::ProjectId;
use vademecum_core::intake::Intake;
use vademecum_core::time::Time;
use vademecum_store::{StoreError, Surface, View};

use crate::call::Call;
use crate::config::Profile;
use crate::git;
use crate::place::Checkout;

/// For so long: a branch that was squashed, and kept, never shows that it was merged.
const UNMERGED_MS: i64 = 14 * 24 * 60 * 60 * 1000;

/// So long git is asked in all, in milliseconds.
const ASKED_MS: i64 = 300;

/// What others branch off is called so.
const TRUNKS: [&str; 3] = ["main", "master", "trunk"];

/// What is checked out where the call is about; none outside a repository.
pub(crate) fn stood(call: &Call<'_>) -> Option<Stood> {
    let Stood { branch, commit } = Checkout::of(call.place())?.stood()?;
    // A branch is called what somebody likes: what poses as ours or holds a secret is not kept.
    let is_let_in = |branch: &Line| {
        let intake = Intake::new(Intake::NOTEPAD_MAX, call.policy());
        let accepted = intake.take(branch.as_str().to_owned());
        accepted.is_ok_and(|accepted| accepted.text() == branch.as_str())
    };
    Stood::some(branch.filter(is_let_in), commit)
}

/// Which of these entries of a project were recorded on a branch that is there still and not merged.
///
/// A hook goes by names alone. Of another project than that of the call nothing is known: its work tree is another one.
pub(crate) fn elsewhere<'e>(
    call: &Call<'_>,
    view: &dyn View,
    project: ProjectId,
    entries: impl IntoIterator<Item = &'e Entry>,
) -> Result<Elsewhere, StoreError> {
    let mut of = by_branch(call.now(), entries);
    let is_ours = matches!(call.config.profile, Profile::Default | Profile::Seed4);
    if of.is_empty() || !is_ours {
        return Ok(Elsewhere::default());
    }
    let checkout = Checkout::of(call.place());
    let Some((checkout, here)) = checkout.and_then(|it| it.stood().map(|here| (it, here))) else {
        return Ok(Elsewhere::default());
    };
    of.retain(|branch, _| here.branch.as_ref() != Some(*branch));
    if of.is_empty() || call.project(view)?.is_none_or(|here| here.id != project) {
        return Ok(Elsewhere::default());
    }
    let begun = call.now();
    let of_hook = call.caller.origin.surface == Surface::Hook;
    let unmerged = of.into_iter().filter_map(|(branch, entries)| match checkout.tip(branch) {
        // Gone: merged in whatever form, or given up.
        None => None,
        // It has nothing that is not here.
        Some(tip) if here.commit.as_ref() == Some(&tip) => None,
        // What others branch off holds for them as far as names tell.
        Some(_) if of_hook => (!is_trunk(branch)).then_some(entries),
        Some(tip) => Some(unmerged(call, (branch, &tip), entries, begun)),
    });
    Ok(unmerged.flatten().map(|entry| entry.id).collect())
}

fn lines(said: &str) -> BTreeSet<&str> {
    said.lines().collect()
}

fn is_trunk(branch: &Line) -> bool {
    TRUNKS.contains(&branch.as_str())
}

/// The entries that name a branch and are not too old, by its name.
fn by_branch<'e>(
    now: Time,
    entries: impl IntoIterator<Item = &'e Entry>,
) -> BTreeMap<&'e Line, Vec<&'e Entry>> {
    let mut of = BTreeMap::<_, Vec<_>>::new();
    for entry in entries {
        let branch = entry.stood.as_ref().and_then(|stood| stood.branch.as_ref());
        let branch = branch.filter(|_| now.since(entry.at) <= UNMERGED_MS);
        if let Some(branch) = branch {
            of.entry(branch).or_default().push(entry);
        }
    }
    of
}

/// Those of a branch that hold here neither by a merge nor from before both parted; all where git says nothing.
fn unmerged<'e>(
    call: &Call<'_>,
    (branch, tip): (&Line, &Commit),
    mut entries: Vec<&'e Entry>,
    begun: Time,
) -> Vec<&'e Entry> {
    let ask = |arguments: &[&str]| {
        let left = u64::try_from(ASKED_MS - call.now().since(begun)).ok()?;
        let time = Duration::from_millis(left);
        git::ask(&call.world.env, call.place(), arguments, time)
    };
    let Some(parted) = ask(&["merge-base", "HEAD", tip.as_str()]) else { return entries };
    let parted = parted.trim();
    if parted == tip.as_str() {
        return Vec::new();
    }
    let commit = |entry: &Entry| Some(entry.stood.as_ref()?.commit.as_ref()?.as_str().to_owned());
    let commits: BTreeSet<String> = entries.iter().filter_map(|entry| commit(entry)).collect();
    let behind = format!("^{parted}");
    let list = |arguments: &[&str]| {
        let commits = commits.iter().map(String::as_str);
        ask(&["rev-list", "--ignore-missing"]
            .into_iter()
            .chain(arguments.iter().copied())
            .chain(commits)
            .collect::<Vec<_>>())
    };
    // Of a commit that is not here nobody can say that it was before; one that is here keeps git from asking for another.
    let both = list(&[&behind]).zip(list(&["--no-walk", parted]));
    let Some((beyond, known)) = both else { return entries };
    let (beyond, known) = (lines(&beyond), lines(&known));
    entries.retain(|entry| match commit(entry) {
        // Before its first commit a trunk had nothing beside it.
        None => !is_trunk(branch),
        // Where both parted a branch has begun, and what it branched off was before.
        Some(it) if it == parted => !is_trunk(branch),
        Some(it) => beyond.contains(&*it) || !known.contains(&*it),
    });
    entries
}
