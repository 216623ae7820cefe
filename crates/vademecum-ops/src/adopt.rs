//! What other tools left behind, read without being touched: their notepads become ours.

pub(crate) mod forge;
pub(crate) mod scratchpad;
pub(crate) mod sections;

use std::fs;
use std::io;
use std::path::Path;

use vademecum_core::entry::Category;
use vademecum_core::mirror::{self, Found};
use vademecum_core::plan::PlanName;

use crate::error::OpError;

/// The entries of one plan that another tool kept.
#[derive(Debug)]
pub(crate) struct Foreign {
    /// The plan, by the name of its folder.
    pub(crate) plan: PlanName,
    /// Its entries, as they stand in its files.
    pub(crate) found: Vec<Found>,
}

/// Reads `notepads/<plan>/*.md` below `folder`; folders whose names are no plans are told.
///
/// # Errors
///
/// There is no such folder, or what is in it cannot be read. A tool that kept no plan has no `notepads`.
pub(crate) fn plans(folder: &Path, skipped: &mut Vec<String>) -> Result<Vec<Foreign>, OpError> {
    if !folder.is_dir() {
        let message = format!("no folder \"{}\"", folder.display());
        return Err(OpError::missing(message).hint("name the folder of the tool, such as .omc"));
    }
    let notepads = folder.join("notepads");
    let folders = match fs::read_dir(&notepads) {
        Ok(folders) => folders,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unread(&notepads, &error)),
    };
    let mut names: Vec<String> = folders
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| folder.join("notepads").join(name).is_dir())
        .collect();
    names.sort();
    let mut plans = Vec::new();
    for name in names {
        match PlanName::parse(&name) {
            Ok(plan) => {
                let found = entries(&folder.join("notepads").join(&name))?;
                plans.push(Foreign { plan, found });
            }
            Err(error) => skipped.push(error.to_string()),
        }
    }
    Ok(plans)
}

/// The files of a plan in the tools that have them; problems are issues.
const FILES: [(&str, Category); 4] = [
    ("learnings.md", Category::Learning),
    ("decisions.md", Category::Decision),
    ("issues.md", Category::Issue),
    ("problems.md", Category::Issue),
];

fn entries(folder: &Path) -> Result<Vec<Found>, OpError> {
    let mut found = Vec::new();
    for (name, category) in FILES {
        let text = read(&folder.join(name))?.unwrap_or_default();
        found.extend(mirror::parse(category, &text).into_iter().filter(|one| !is_scaffold(one)));
    }
    Ok(found)
}

/// Whether a text without a header is what the tool put there itself: headings, comments, hints.
fn is_scaffold(found: &Found) -> bool {
    let is_hint = |line: &str| {
        let line = line.trim();
        line.is_empty() || ["#", "<!--", ">", "_"].iter().any(|mark| line.starts_with(mark))
    };
    match (&found.at, &found.said) {
        (None, Ok(said)) => said.content.as_str().lines().all(is_hint),
        (Some(_), _) | (None, Err(_)) => false,
    }
}

/// The text of a file; none where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, OpError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unread(path, &error)),
    }
}

fn unread(path: &Path, error: &io::Error) -> OpError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    OpError::broken(format!("{name} could not be read: {error}"))
}
