//! What other tools left behind, read without being touched: their notepads become ours.

pub(crate) mod forge;
pub(crate) mod scratchpad;
pub(crate) mod sections;

use std::path::{Component, Path};

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

/// Reads `notepads/<plan>/*.md` in the folder of a tool; folders whose names are no plans are told.
///
/// # Errors
///
/// What is in it cannot be read. A tool that kept no plan has no `notepads`.
pub(crate) fn plans(tool: &Root, skipped: &mut Vec<String>) -> Result<Vec<Foreign>, OpError> {
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

/// The text of a file that the person names.
///
/// # Errors
///
/// There is none, or it cannot be read, as a link in the work tree cannot.
pub(crate) fn read(work: &Path, name: &str) -> Result<String, OpError> {
    let path = work.join(name);
    let bytes = match inside(work, &path) {
        Some(below) => Root::existing(work)?.read(below, MAX_BYTES),
        None => read_named(&path, MAX_BYTES),
    };
    text(bytes)?.ok_or_else(|| OpError::missing(format!("no file \"{name}\"")))
}

/// Opens the folder of a tool that the person names.
///
/// # Errors
///
/// There is none, or it cannot be opened, as a link in the work tree cannot.
pub(crate) fn folder(work: &Path, name: &str) -> Result<Root, OpError> {
    let path = work.join(name);
    let folder = match inside(work, &path) {
        Some(below) => Root::existing(work)?.below(below)?,
        None => Root::open(&path)?,
    };
    let message = || format!("no folder \"{}\"", path.display());
    folder.ok_or_else(|| {
        OpError::missing(message()).hint("name the folder of the tool, such as .omc")
    })
}

/// The text of a file in the folder of a tool; none where there is none.
pub(crate) fn read_below(tool: &Root, name: &str) -> Result<Option<String>, OpError> {
    text(tool.read(name, MAX_BYTES))
}

/// The path below the work tree: a link there may be the repository's, which nobody meant to name.
fn inside<'a>(work: &Path, path: &'a Path) -> Option<&'a Path> {
    let below = path.strip_prefix(work).ok()?;
    let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
    (is_below && below != Path::new("")).then_some(below)
}

fn text(bytes: Result<Option<Vec<u8>>, FileError>) -> Result<Option<String>, OpError> {
    Ok(bytes?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}
