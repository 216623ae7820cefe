//! The Markdown files of plans: records are the truth, a file is only ever appended to.
//!
//! Each work tree has files of its own. What people and agents append by hand is taken in once, by
//! what it says, from any of them; entries that a file lacks are appended to it when the project is
//! next written to from there. A file that lost entries is reported and mended only when asked for.

mod files;
mod merged;
mod state;
mod taking;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use vademecum_core::entry::{Category, Entry, Said, Sameness};
use vademecum_core::id::EntryId;
use vademecum_core::merge;
use vademecum_core::mirror;
use vademecum_core::plan::Plan;
use vademecum_core::project::Project;
use vademecum_store::EntryFilter;

use crate::call::Call;
use crate::error::OpError;
use crate::plans;
use files::Lock;
use state::{Known, Stat, State, States};

/// The files of one project in the work tree of the call.
pub(crate) struct Mirror<'a> {
    call: &'a Call<'a>,
    project: &'a Project,
    states: States,
    /// The folder of all plans, in this work tree.
    folder: PathBuf,
}

/// How the files of one plan stand in one work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// How many entries that were appended by hand were taken in.
    pub(crate) taken_in: usize,
    /// What a file had and has no more, one line each file.
    pub(crate) lost: Vec<String>,
    /// What stands in a file and is no legal entry, one line each.
    pub(crate) unreadable: Vec<String>,
    /// How many entries were appended again.
    pub(crate) healed: usize,
}

impl<'a> Mirror<'a> {
    /// The mirror of `project` where the call is.
    pub(crate) fn of(call: &'a Call<'a>, project: &'a Project) -> Self {
        let keys = call.place().keys();
        let secret = call.store.secret();
        let states = States::of(&call.world.folders.data, secret.as_ref(), &keys);
        let folder = call.place().root.join(&call.config.plans.root).join("notepads");
        Self { call, project, states, folder }
    }

    /// Makes the files of a plan where they are absent, and brings them up to date.
    pub(crate) fn begin(&self, plan: &Plan) -> Result<Standing, OpError> {
        let folder = files::make_folder(&self.folder, &plan.name, plan.is_tracked);
        let folder = folder.map_err(|error| fault(plan, &error))?;
        let lock = Lock::of(&self.folder).map_err(|error| fault(plan, &error))?;
        for category in Category::ALL {
            let path = folder.join(mirror::file_name(category));
            if Stat::of(&path).map_err(|error| fault(plan, &error))?.is_none() {
                let title = mirror::title(category);
                files::append(&path, title).map_err(|error| fault(plan, &error))?;
            }
        }
        drop(lock);
        self.update(plan)
    }

    /// Takes in what was appended by hand here, and appends what the files lack.
    pub(crate) fn update(&self, plan: &Plan) -> Result<Standing, OpError> {
        let folder = files::make_folder(&self.folder, &plan.name, plan.is_tracked);
        folder.map_err(|error| fault(plan, &error))?;
        let _lock = Lock::of(&self.folder).map_err(|error| fault(plan, &error))?;
        let mut state = self.states.load(&self.folder);
        let mut standing = Standing::default();
        for category in Category::ALL {
            self.update_file(&mut state, plan, category, &mut standing)?;
        }
        self.states.save(&state).map_err(|error| fault(plan, &error))?;
        Ok(standing)
    }

    /// Takes in what was appended by hand to the files of these plans, in every work tree.
    pub(crate) fn take_in(&self, plans: &[Plan]) -> Result<Standing, OpError> {
        let mut standing = Standing::default();
        for mut state in self.states.all() {
            let folder = state.folder();
            let changed = changed(&state, plans);
            if changed.is_empty() {
                continue;
            }
            let lock = Lock::of(&folder).map_err(|error| fault(changed[0].0, &error))?;
            state = self.states.load(&folder);
            for (plan, category) in &changed {
                let known = state.files.get(&key(plan, *category)).cloned().unwrap_or_default();
                let path = path(&folder, plan, *category);
                let (known, _) = self.read_file(&path, plan, *category, known, &mut standing)?;
                state.files.insert(key(plan, *category), known);
            }
            self.states.save(&state).map_err(|error| fault(changed[0].0, &error))?;
            drop(lock);
        }
        Ok(standing)
    }

    /// Reads all files of a plan in this work tree; appends what they lost if that is asked for.
    pub(crate) fn check(&self, plan: &Plan, must_heal: bool) -> Result<Standing, OpError> {
        if !self.folder.is_dir() {
            return Ok(Standing::default());
        }
        let _lock = Lock::of(&self.folder).map_err(|error| fault(plan, &error))?;
        let mut state = self.states.load(&self.folder);
        let mut standing = Standing::default();
        for category in Category::ALL {
            let path = path(&self.folder, plan, category);
            let known = state.files.get(&key(plan, category)).cloned().unwrap_or_default();
            let unread = Known { stat: None, ..known.clone() };
            let (read, present) = self.read_file(&path, plan, category, unread, &mut standing)?;
            let lost = self.lost(plan, category, &known, &present.unwrap_or_default())?;
            if must_heal && !lost.is_empty() {
                standing.healed += lost.len();
                standing.lost.clear();
                self.append(&path, plan, category, &lost)?;
                let stat = Stat::of(&path).map_err(|error| fault(plan, &error))?;
                state.files.insert(key(plan, category), Known { stat, ..read });
            } else {
                state.files.insert(key(plan, category), read);
            }
        }
        self.states.save(&state).map_err(|error| fault(plan, &error))?;
        Ok(standing)
    }

    /// Removes every file that was made for the project, in every work tree.
    pub(crate) fn forget(&self) -> io::Result<()> {
        for state in self.states.all() {
            let names: BTreeSet<&str> =
                state.files.keys().filter_map(|key| Some(key.split_once('/')?.0)).collect();
            for name in names {
                files::remove(&state.folder(), name, &FILES)?;
            }
        }
        self.states.forget()
    }

    fn update_file(
        &self,
        state: &mut State,
        plan: &Plan,
        category: Category,
        standing: &mut Standing,
    ) -> Result<(), OpError> {
        let path = path(&self.folder, plan, category);
        let known = state.files.get(&key(plan, category)).cloned().unwrap_or_default();
        let last = known.last;
        let (mut read, _) = self.read_file(&path, plan, category, known, standing)?;
        let mut missing = self.entries(plan, category, last)?;
        let newest = missing.last().map(|entry| entry.id).or(last);
        missing.retain(|entry| !read.also.contains(&entry.id));
        if !missing.is_empty() {
            let n_bytes = self.append(&path, plan, category, &missing)?;
            let now = Stat::of(&path).map_err(|error| fault(plan, &error))?;
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
        path: &Path,
        plan: &Plan,
        category: Category,
        known: Known,
        standing: &mut Standing,
    ) -> Result<(Known, Option<BTreeSet<Sameness>>), OpError> {
        let stat = Stat::of(path).map_err(|error| fault(plan, &error))?;
        if stat.is_some() && stat == known.stat {
            return Ok((known, None));
        }
        let text = files::read(path).map_err(|error| fault(plan, &error))?;
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
        let filter = EntryFilter { category: Some(category), in_force: false, after: last };
        let mut entries = self.call.read(|view| view.entries(plan.id, filter, 0))?;
        entries.sort_by_key(|entry| entry.id);
        Ok(entries)
    }

    /// Appends entries, under a title if they make the file; how many bytes.
    fn append(
        &self,
        path: &Path,
        plan: &Plan,
        category: Category,
        entries: &[Entry],
    ) -> Result<u64, OpError> {
        let is_new = Stat::of(path).map_err(|error| fault(plan, &error))?.is_none();
        let mut text = if is_new { mirror::title(category).to_owned() } else { String::new() };
        text.push_str(&self.written(entries)?);
        files::append(path, &text).map_err(|error| fault(plan, &error))?;
        Ok(text.len() as u64)
    }

    /// The entries as they are written, those of another plan behind its name.
    fn written(&self, entries: &[Entry]) -> Result<String, OpError> {
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
            text.push_str(&mirror::render(entry.at, &entry.said));
        }
        Ok(text)
    }
}

/// All files of a plan's folder.
const FILES: [&str; 5] =
    ["learnings.md", "decisions.md", "issues.md", merge::PATTERNS_FILE, merge::SUMMARY_FILE];

fn key(plan: &Plan, category: Category) -> String {
    format!("{}/{}", plan.name, category.plural())
}

fn path(folder: &Path, plan: &Plan, category: Category) -> PathBuf {
    folder.join(plan.name.as_str()).join(mirror::file_name(category))
}

/// The files of these plans that are not as they were.
fn changed<'p>(state: &State, plans: &'p [Plan]) -> Vec<(&'p Plan, Category)> {
    let folder = state.folder();
    let mut changed = Vec::new();
    for plan in plans {
        for category in Category::ALL {
            let known = state.files.get(&key(plan, category)).and_then(|known| known.stat);
            let found = Stat::of(&path(&folder, plan, category)).ok().flatten();
            // A file that is gone has nothing to take in; `check` says that it lost its entries.
            if found.is_some() && found != known {
                changed.push((plan, category));
            }
        }
    }
    changed
}

fn lost_line(plan: &Plan, category: Category, lost: &[Entry]) -> Option<String> {
    let n = lost.len();
    let file = format!("{}/{}", plan.name, mirror::file_name(category));
    (0 < n).then(|| {
        format!("{file} lost {n} of its entries: vade plan check --heal appends them again")
    })
}

/// What went wrong with a file; the entries themselves are in the store.
fn fault(plan: &Plan, error: &io::Error) -> OpError {
    let kind = match error.kind() {
        io::ErrorKind::WouldBlock => vademecum_core::error::Kind::Busy,
        _ => vademecum_core::error::Kind::Broken,
    };
    OpError::new(
        kind,
        format!("the files of plan {} could not be read or written: {error}", plan.name),
    )
    .hint("what was acknowledged is in the store; vade plan check says what the files lack")
}
