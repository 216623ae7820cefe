//! The files of a mirror: made when absent, appended to in one write, locked while they are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vademecum_core::plan::{Plan, PlanName};
use vademecum_files::{FileError, Root, draft_of};

use super::Stop;
use crate::error::OpError;

/// Another process that appends is waited for so long: it takes milliseconds, on a busy disk seconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Ten thousand entries; what is longer takes more time to read than a hook has.
const MAX_BYTES: u64 = 4 << 20;

/// The folder of all plans of a work tree, and the way to it from the top, on which no link is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folder {
    pub(super) top: PathBuf,
    pub(super) below: PathBuf,
}

impl Folder {
    /// Its whole path, by which it is known.
    pub(super) fn path(&self) -> PathBuf {
        self.top.join(&self.below)
    }

    /// Opens it; none where it is absent.
    pub(super) fn open(&self) -> Result<Option<Root>, FileError> {
        match Root::open(&self.top)? {
            Some(top) => top.below(&self.below),
            None => Ok(None),
        }
    }

    /// Opens it with the folder of a plan in it, which is out of sight of version control unless that
    /// is wanted.
    pub(super) fn make(&self, plan: &PlanName, is_tracked: bool) -> Result<Root, Stop> {
        let folder = Root::existing(&self.top)?.make_folder(&self.below)?;
        let of_plan = folder.make_folder(plan.as_str())?;
        if !is_tracked {
            match of_plan.create_new(IGNORE, IGNORE_ALL.as_bytes()) {
                Ok(()) => {}
                Err(FileError::Exists { .. }) => self.check_ignored(&of_plan, plan)?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(folder)
    }

    /// Refuses a plan that version control would see although nobody wants that: a clone may bring a `.gitignore`.
    ///
    /// Where there is none yet, whoever writes first makes it.
    pub(super) fn check_hidden(&self, folder: &Root, plan: &Plan) -> Result<(), Stop> {
        match folder.below(plan.name.as_str())? {
            Some(of_plan) if !plan.is_tracked => self.check_ignored(&of_plan, &plan.name),
            Some(_) | None => Ok(()),
        }
    }

    fn check_ignored(&self, of_plan: &Root, plan: &PlanName) -> Result<(), Stop> {
        let Some(found) = of_plan.read(IGNORE, MAX_BYTES)? else { return Ok(()) };
        if ignores_all(&found) {
            return Ok(());
        }
        let place = self.below.join(plan.as_str());
        let tracked = if plan.is_project() {
            String::new()
        } else {
            format!(", or leave the files to version control: vade plan init {plan} --track")
        };
        let message = format!(
            "nothing is written into {}, which version control would see: its {IGNORE} is not the one that vade makes; \
             look at it and remove it, the next entry makes a new one{tracked}",
            place.display()
        );
        Err(OpError::denied(message).into())
    }
}

/// Whether nothing beside a file of these lines is seen by version control.
fn ignores_all(lines: &[u8]) -> bool {
    let mut rules = lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    rules.next() == Some(b"*") && rules.all(|rule| rule == b"*")
}

const IGNORE: &str = ".gitignore";
const IGNORE_ALL: &str = "*\n";

/// The text of a file; empty where there is none. Bytes that are no text are replaced.
///
/// A file that may not be appended to is not read either: under its other name it is somebody else's.
pub(super) fn read(folder: &Root, path: &Path) -> Result<String, FileError> {
    if let Some(stat) = folder.stat(path)?
        && stat.kind == vademecum_files::Kind::File
        && 1 < stat.n_links
    {
        let n_links = stat.n_links;
        return Err(FileError::Names { path: folder.path().join(path), n_links });
    }
    let bytes = folder.read(path, MAX_BYTES)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How many files of these names the folder of a plan has.
pub(super) fn count(place: &Folder, plan: &str, names: &[&str]) -> Result<usize, FileError> {
    let Some(folder) = place.open()? else { return Ok(0) };
    let Some(of_plan) = folder.below(plan)? else { return Ok(0) };
    let entries = of_plan.entries()?;
    Ok(entries.iter().filter(|entry| names.contains(&&*entry.name.to_string_lossy())).count())
}

/// Removes the files of a plan, with what killed writers left of them, and every folder that is empty
/// without them.
pub(super) fn remove(place: &Folder, plan: &str, names: &[&str]) -> Result<(), FileError> {
    let Some(folder) = place.open()? else { return Ok(()) };
    if let Some(of_plan) = folder.below(plan)? {
        for entry in of_plan.entries()? {
            let name = entry.name.to_string_lossy();
            if names.contains(&&*name) || draft_of(&name).is_some_and(|file| names.contains(&file))
            {
                of_plan.remove_file(&entry.name)?;
            }
        }
        let ignored = of_plan.read(IGNORE, MAX_BYTES);
        if ignored.is_ok_and(|text| text.as_deref() == Some(IGNORE_ALL.as_bytes())) {
            of_plan.remove_file(IGNORE)?;
        }
    }
    folder.remove_empty_folder(plan)?;
    let Some(top) = Root::open(&place.top)? else { return Ok(()) };
    for folder in place.below.ancestors().take(2).filter(|it| !it.as_os_str().is_empty()) {
        top.remove_empty_folder(folder)?;
    }
    Ok(())
}
