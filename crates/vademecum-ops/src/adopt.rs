//! What other tools left behind, read without being touched: their notepads become ours.

pub(crate) mod forge;
pub(crate) mod scratchpad;
pub(crate) mod sections;

use std::path::Path;

use vademecum_core::entry::Category;
use vademecum_core::mirror::{self, Found};
use vademecum_core::plan::PlanName;
use vademecum_files::{FileError, Kind, Root, read_named};

use crate::error::OpError;

/// A session of another tool with its whole history has less.
const MAX_BYTES: u64 = 256 << 20;

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
    let Some(tool) = Root::open(folder)? else {
        let message = format!("no folder \"{}\"", folder.display());
        return Err(OpError::missing(message).hint("name the folder of the tool, such as .omc"));
    };
    let Some(notepads) = tool.below("notepads")? else { return Ok(Vec::new()) };
    let mut plans = Vec::new();
    for entry in notepads.entries()?.into_iter().filter(|entry| entry.kind == Kind::Folder) {
        match PlanName::parse(&entry.name.to_string_lossy()) {
            Ok(plan) => {
                let of_plan = notepads.below(&entry.name)?;
                let found = of_plan.map_or_else(|| Ok(Vec::new()), |folder| entries(&folder))?;
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

fn entries(folder: &Root) -> Result<Vec<Found>, OpError> {
    let mut found = Vec::new();
    for (name, category) in FILES {
        let text = text(folder.read(name, MAX_BYTES))?.unwrap_or_default();
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

/// The text of a file that the person names; none where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, OpError> {
    text(read_named(path, MAX_BYTES))
}

/// The text of a file in the folder of a tool; none where there is none.
pub(crate) fn read_below(folder: &Path, name: &str) -> Result<Option<String>, OpError> {
    match Root::open(folder)? {
        Some(folder) => text(folder.read(name, MAX_BYTES)),
        None => Ok(None),
    }
}

fn text(bytes: Result<Option<Vec<u8>>, FileError>) -> Result<Option<String>, OpError> {
    Ok(bytes?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}
