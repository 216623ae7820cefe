//! The Markdown files of plans: records are the truth, a file is only ever appended to.
//!
//! Each work tree has files of its own. What people and agents append by hand is taken in once, by
//! what it says, from any of them; entries that a file lacks are appended to it when the project is
//! next written to from there. A file that lost entries is reported and mended only when asked for.

mod files;
mod forgotten;
mod merged;
mod state;
mod taking;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use vademecum_core::entry::{Category, Entry, Said, Sameness};
use vademecum_core::error::Kind;
use vademecum_core::hash::Key;
use vademecum_core::id::EntryId;
use vademecum_core::merge;
use vademecum_core::mirror;
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{Project, ProjectKey};
use vademecum_files::{FileError, Lock, Root};
use vademecum_store::{EntryFilter, Surface};

use crate::call::Call;
use crate::error::OpError;
use crate::plans;
use files::{Folder, PATIENCE};
pub use state::folders;
use state::{Known, Stat, State, States};

/// So much of changed files a hook reads, in bytes; it leaves the others to whoever has time for them.
///
/// As much of the shortest entries takes half of the 240 ms that it has.
const MOST_OF_HOOK: u64 = 24 * 1024;

/// So long a hook waits for another process at the files: what it is to record goes before.
const PATIENCE_OF_HOOK: Duration = Duration::from_millis(20);

/// The files of one project in the work tree of the call.
pub(crate) struct Mirror<'a> {
    call: &'a Call<'a>,
    project: &'a Project,
    states: States,
    /// The folder of all plans, in this work tree.
    folder: Folder,
    /// How much more of changed files is read, in bytes.
    room: Cell<u64>,
}

/// How the files of one plan stand in one work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// How many entries that were appended by hand were taken in.
    pub(crate) taken_in: usize,
    /// What a file had and has no more, one line each file.
    pub(crate) lost: Vec<String>,
    /// What stands in a file and is no legal entry, and what is no file of ours, one line each.
    pub(crate) unreadable: Vec<String>,
    /// How many entries were appended again.
    pub(crate) healed: usize,
}

impl Standing {
    /// What went wrong, one line each; a model may read it, so paths begin at the top of the work tree.
    pub(crate) fn problems(self, call: &Call<'_>) -> Vec<String> {
        let top = format!("{}/", call.place().root.display());
        let told = self.lost.into_iter().chain(self.unreadable);
        told.map(|line| line.replace(&top, "")).collect()
    }

    /// Notes what was refused for what it is: it is left alone, and in nobody's way.
    fn pass<T>(&mut self, done: Result<T, Stop>) -> Result<Option<T>, Stop> {
        match done {
            Err(Stop::File(error)) if error.kind() == Kind::Denied => {
                self.unreadable.push(format!("left alone: {error}"));
                Ok(None)
            }
            done => done.map(Some),
        }
    }
}

fn is_of_hook(call: &Call<'_>) -> bool {
    call.caller.origin.surface == Surface::Hook
}

/// What ended the work at a file.
enum Stop {
    File(FileError),
    Op(OpError),
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<OpError> for Stop {
    fn from(error: OpError) -> Self {
        Self::Op(error)
    }
}

/// What went wrong with a file; the entries themselves are in the store.
impl From<Stop> for OpError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::File(error) => {
                let message = format!("a file of the plans could not be read or written: {error}");
                Self::new(error.kind(), message).hint(
                    "what was acknowledged is in the store; vade plan check says what the files lack",
                )
            }
            Stop::Op(error) => error,
        }
    }
}

impl<'a> Mirror<'a> {
    /// The mirror of `project` where the call is.
    pub(crate) fn of(call: &'a Call<'a>, project: &'a Project) -> Result<Self, OpError> {
        let keys = call.place().keys(None);
        let states = States::of(&call.world.folders.data, call.store.secret()?, &keys);
        let below = Path::new(&call.config.plans.root).join("notepads");
        let folder = Folder { top: call.place().root.clone(), below };
        let room = Cell::new(if is_of_hook(call) { MOST_OF_HOOK } else { u64::MAX });
        Ok(Self { call, project, states, folder, room })
    }

    /// Makes the folder of a plan, before anything of the plan is kept.
    pub(crate) fn prepare(&self, name: &PlanName, is_tracked: bool) -> Result<(), OpError> {
        self.folder.make(name, is_tracked).map(drop).map_err(|stop| match stop {
            Stop::File(error) => {
                let message = format!("the files of plan {name} cannot be made: {error}");
                let plain = OpError::new(error.kind(), message);
                error.hint().into_iter().fold(plain, OpError::hint)
            }
            Stop::Op(error) => error,
        })
    }

    /// Makes the files of a plan where they are absent, and brings them up to date.
    pub(crate) fn begin(&self, plan: &Plan) -> Result<Standing, OpError> {
        self.make(plan).map_err(OpError::from)?;
        self.update(plan)
    }

    fn make(&self, plan: &Plan) -> Result<(), Stop> {
        let folder = self.folder.make(&plan.name, plan.is_tracked)?;
        let _lock = self.lock(&folder)?;
        for category in Category::ALL {
            let path = path(plan, category);
            if Stat::of(&folder, &path)?.is_none() {
                folder.append(&path, mirror::title(category).as_bytes())?;
            }
        }
        Ok(())
    }

    /// Takes in what was appended by hand here, and appends what the files lack.
    pub(crate) fn update(&self, plan: &Plan) -> Result<Standing, OpError> {
        Ok(self.update_files(plan)?)
    }

    fn update_files(&self, plan: &Plan) -> Result<Standing, Stop> {
        let folder = self.folder.make(&plan.name, plan.is_tracked)?;
        let _lock = self.lock(&folder)?;
        let mut state = self.states.load(&self.folder);
        let mut standing = Standing::default();
        for category in Category::ALL {
            let done = self.update_file(&folder, &mut state, plan, category, &mut standing);
            standing.pass(done)?;
        }
        self.states.save(&state)?;
        Ok(standing)
    }

    /// Takes in what was appended by hand to the files of these plans, in every work tree.
    pub(crate) fn take_in(&self, plans: &[Plan]) -> Result<Standing, OpError> {
        let mut standing = Standing::default();
        let mut states = self.states.all();
        // Nothing may have been written here yet, but by hand.
        if states.iter().all(|state| state.folder() != self.folder) {
            states.push(self.states.load(&self.folder));
        }
        for state in states {
            let done = self.take_in_tree(&state.folder(), &state, plans, &mut standing);
            standing.pass(done)?;
        }
        Ok(standing)
    }

    fn take_in_tree(
        &self,
        place: &Folder,
        state: &State,
        plans: &[Plan],
        standing: &mut Standing,
    ) -> Result<(), Stop> {
        let Some(folder) = place.open()? else { return Ok(()) };
        let changed = changed(&folder, state, plans, standing)?;
        if changed.is_empty() {
            return Ok(());
        }
        let _lock = self.lock(&folder)?;
        let mut state = self.states.load(place);
        for (plan, category) in changed {
            let known = state.files.get(&key(plan, category)).cloned().unwrap_or_default();
            if self.is_left(&folder, path(plan, category), &known)? {
                continue;
            }
            let read = self.read_file(&folder, plan, category, known, standing);
            if let Some((known, _)) = standing.pass(read)? {
                state.files.insert(key(plan, category), known);
            }
        }
        self.states.save(&state)?;
        Ok(())
    }

    /// Whether there is a folder for a plan in this work tree; one behind a link is none.
    pub(crate) fn has_folder(&self, name: &PlanName) -> Result<bool, OpError> {
        let found = self.folder.open().and_then(|folder| match folder {
            Some(folder) => folder.below(name.as_str()),
            None => Ok(None),
        });
        match found {
            Err(error) if error.kind() == Kind::Denied => Ok(false),
            found => Ok(found.map_err(Stop::File)?.is_some()),
        }
    }

    /// Reads all files of a plan in this work tree; appends what they lost if that is asked for.
    pub(crate) fn check(&self, plan: &Plan, must_heal: bool) -> Result<Standing, OpError> {
        Ok(self.check_files(plan, must_heal)?)
    }

    fn check_files(&self, plan: &Plan, must_heal: bool) -> Result<Standing, Stop> {
        let Some(folder) = self.folder.open()? else { return Ok(Standing::default()) };
        let _lock = self.lock(&folder)?;
        let mut state = self.states.load(&self.folder);
        let mut standing = Standing::default();
        let is_hidden = match self.folder.check_hidden(&folder, plan) {
            Err(Stop::Op(error)) => {
                standing.unreadable.push(error.message);
                false
            }
            done => standing.pass(done)?.is_some(),
        };
        let must_heal = must_heal && is_hidden;
        for category in Category::ALL {
            let known = state.files.get(&key(plan, category)).cloned().unwrap_or_default();
            let done = self.check_file(&folder, plan, category, &known, must_heal, &mut standing);
            if let Some(known) = standing.pass(done)? {
                state.files.insert(key(plan, category), known);
            }
        }
        self.states.save(&state)?;
        Ok(standing)
    }

    fn check_file(
        &self,
        folder: &Root,
        plan: &Plan,
        category: Category,
        known: &Known,
        must_heal: bool,
        standing: &mut Standing,
    ) -> Result<Known, Stop> {
        let unread = Known { stat: None, ..known.clone() };
        let (read, present) = self.read_file(folder, plan, category, unread, standing)?;
        let lost = self.lost(plan, category, known, &present.unwrap_or_default())?;
        if !must_heal || lost.is_empty() {
            return Ok(read);
        }
        self.folder.make(&plan.name, plan.is_tracked)?;
        self.append(folder, plan, category, &lost)?;
        standing.healed += lost.len();
        standing.lost.clear();
        Ok(Known { stat: Stat::of(folder, path(plan, category))?, ..read })
    }

    /// Whether a file is left as it is: a clone may bring one of megabytes, and a hook has a fraction of a second.
    fn is_left(&self, folder: &Root, path: impl AsRef<Path>, known: &Known) -> Result<bool, Stop> {
        if !is_of_hook(self.call) {
            return Ok(false);
        }
        let stat = Stat::of(folder, path)?;
        let Some(changed) = stat.filter(|_| stat != known.stat) else { return Ok(false) };
        let room = self.room.get().checked_sub(changed.size());
        room.inspect(|room| self.room.set(*room));
        Ok(room.is_none())
    }

    fn lock(&self, folder: &Root) -> Result<Lock, Stop> {
        Ok(folder.lock(if is_of_hook(self.call) { PATIENCE_OF_HOOK } else { PATIENCE })?)
    }

    fn update_file(
        &self,
        folder: &Root,
        state: &mut State,
        plan: &Plan,
        category: Category,
        standing: &mut Standing,
    ) -> Result<(), Stop> {
        let known = state.files.get(&key(plan, category)).cloned().unwrap_or_default();
        if self.is_left(folder, path(plan, category), &known)? {
            return Ok(());
        }
        let last = known.last;
        let (mut read, _) = self.read_file(folder, plan, category, known, standing)?;
        let mut missing = self.entries(plan, category, last)?;
        let newest = missing.last().map(|entry| entry.id).or(last);
        missing.retain(|entry| !read.also.contains(&entry.id));
        if !missing.is_empty() {
            let n_bytes = self.append(folder, plan, category, &missing)?;
            let now = Stat::of(folder, path(plan, category))?;
            // Somebody else may have appended since it was read: then it is read again next time.
            let before = read.stat.map_or(0, Stat::size);
            read.stat = now.filter(|now| now.size() == before + n_bytes);
        }
        (read.last, read.also) = (newest, BTreeSet::new());
        state.files.insert(key(plan, category), read);
        Ok(())
    }

    /// Takes in what is new in a file if it changed: what is known of it then, and what it says.
    fn read_file(
        &self,
        folder: &Root,
        plan: &Plan,
        category: Category,
        known: Known,
        standing: &mut Standing,
    ) -> Result<(Known, Option<BTreeSet<Sameness>>), Stop> {
        let path = path(plan, category);
        let stat = Stat::of(folder, &path)?;
        if stat.is_some() && stat == known.stat {
            return Ok((known, None));
        }
        let text = files::read(folder, &path)?;
        let mut found = mirror::parse(category, &text);
        for one in &mut found {
            // What cannot be let in is said by who takes it.
            if let Ok(said) = &one.said
                && let Ok(clean) = plans::cleaned(self.call, said)
            {
                one.said = Ok(clean);
            }
        }
        let present: BTreeSet<Sameness> =
            found.iter().filter_map(|found| found.said.as_ref().ok().map(Said::sameness)).collect();
        self.take(plan, category, &known, &found, &present, standing)?;
        let lost = self.lost(plan, category, &known, &present)?;
        standing.lost.extend(lost_line(plan, category, &lost));
        // A stat from before the read: what was appended meanwhile shows as a change.
        let mut also = self.entries(plan, category, known.last)?;
        // Those that it lost stay in: it is for the person to say whether they come back.
        also.retain(|entry| known.held(entry.id) || present.contains(&entry.said.sameness()));
        let also = also.iter().map(|entry| entry.id).collect();
        Ok((Known { stat, last: known.last, also }, Some(present)))
    }

    /// The entries that the file held and holds no more; corrected ones are not missed.
    fn lost(
        &self,
        plan: &Plan,
        category: Category,
        known: &Known,
        present: &BTreeSet<Sameness>,
    ) -> Result<Vec<Entry>, OpError> {
        let mut entries = self.entries(plan, category, None)?;
        let corrected: BTreeSet<EntryId> =
            entries.iter().filter_map(|entry| entry.said.supersedes).collect();
        entries.retain(|entry| {
            known.held(entry.id)
                && !corrected.contains(&entry.id)
                && !present.contains(&entry.said.sameness())
        });
        Ok(entries)
    }

    /// The entries of a category that were added after `last`, in the order in which they came.
    fn entries(
        &self,
        plan: &Plan,
        category: Category,
        last: Option<EntryId>,
    ) -> Result<Vec<Entry>, OpError> {
        let filter = EntryFilter { category: Some(category), after: last, ..EntryFilter::of(plan) };
        let mut entries = self.call.read(|view| view.entries(filter, 0))?;
        entries.sort_by_key(|entry| entry.id);
        Ok(entries)
    }

    /// Appends entries, under a title if they make the file; how many bytes.
    fn append(
        &self,
        folder: &Root,
        plan: &Plan,
        category: Category,
        entries: &[Entry],
    ) -> Result<u64, Stop> {
        let path = path(plan, category);
        let is_new = Stat::of(folder, &path)?.is_none();
        let mut text = if is_new { mirror::title(category).to_owned() } else { String::new() };
        text.push_str(&self.written(category, entries)?);
        folder.append(&path, text.as_bytes())?;
        Ok(text.len() as u64)
    }

    /// The entries as they are written, those of another plan behind its name.
    fn written(&self, category: Category, entries: &[Entry]) -> Result<String, OpError> {
        let (mut text, mut last) = (String::new(), None);
        for entry in entries {
            let source = match entry.merged_from {
                Some(id) => self.call.read(|view| view.entry(self.project.id, id))?,
                None => None,
            };
            let source = source.map(|source| source.plan);
            if source != last {
                let name = source.as_ref().unwrap_or(&entry.plan);
                text.push_str(&mirror::from_plan(name));
            }
            last = source;
            text.push_str(&mirror::render(category, entry.at, &entry.said));
        }
        Ok(text)
    }
}

/// The folders of plans whose files [`forget`] removes, and how many files each has.
pub(crate) fn made(
    call: &Call<'_>,
    secret: Option<Key>,
    keys: &[ProjectKey],
) -> Result<Vec<(PathBuf, usize)>, FileError> {
    let states = States::of(&call.world.folders.data, secret, keys);
    let mut made = Vec::new();
    for state in states.all() {
        let folder = state.folder();
        for name in plans_of(&state) {
            match files::count(&folder, name, &FILES) {
                // Nothing behind a link was ever written by us.
                Err(error) if error.kind() == Kind::Denied => {}
                n_files => made.push((folder.path().join(name), n_files?)),
            }
        }
    }
    made.retain(|(_, n_files)| 0 < *n_files);
    Ok(made)
}

/// Removes every file that was made for the project known by `keys`, in every work tree.
pub(crate) fn forget(
    call: &Call<'_>,
    secret: Option<Key>,
    keys: &[ProjectKey],
) -> Result<(), FileError> {
    let states = States::of(&call.world.folders.data, secret, keys);
    for state in states.all() {
        for name in plans_of(&state) {
            match files::remove(&state.folder(), name, &FILES) {
                // Nothing behind a link was ever written by us.
                Err(error) if error.kind() == Kind::Denied => {}
                removed => removed?,
            }
        }
    }
    states.forget()
}

/// The names of the plans that have files in one work tree.
fn plans_of(state: &State) -> BTreeSet<&str> {
    state.files.keys().filter_map(|key| Some(key.split_once('/')?.0)).collect()
}

/// All files of a plan's folder.
const FILES: [&str; 5] =
    ["learnings.md", "decisions.md", "issues.md", merge::PATTERNS_FILE, merge::SUMMARY_FILE];

fn key(plan: &Plan, category: Category) -> String {
    format!("{}/{}", plan.name, category.plural())
}

/// The file of a category, seen from the folder of all plans.
fn path(plan: &Plan, category: Category) -> PathBuf {
    Path::new(plan.name.as_str()).join(mirror::file_name(category))
}

/// The files of these plans that are not as they were.
fn changed<'p>(
    folder: &Root,
    state: &State,
    plans: &'p [Plan],
    standing: &mut Standing,
) -> Result<Vec<(&'p Plan, Category)>, Stop> {
    let mut changed = Vec::new();
    for plan in plans {
        let of_plan = folder.below(plan.name.as_str()).map_err(Stop::from);
        let Some(of_plan) = standing.pass(of_plan)?.flatten() else { continue };
        for category in Category::ALL {
            let known = state.files.get(&key(plan, category)).and_then(|known| known.stat);
            let found = Stat::of(&of_plan, mirror::file_name(category))?;
            // A file that is gone has nothing to take in; `check` says that it lost its entries.
            if found.is_some() && found != known {
                changed.push((plan, category));
            }
        }
    }
    Ok(changed)
}

fn lost_line(plan: &Plan, category: Category, lost: &[Entry]) -> Option<String> {
    let n = lost.len();
    let file = format!("{}/{}", plan.name, mirror::file_name(category));
    (0 < n).then(|| {
        format!("{file} lost {n} of its entries: vade plan check --heal appends them again")
    })
}
