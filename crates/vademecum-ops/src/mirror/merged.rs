//! What a merge leaves in the project's folder beside its entries: patterns and the summary.

use vademecum_core::entry::Entry;
use vademecum_core::merge;
use vademecum_core::plan::Plan;
use vademecum_store::EntryFilter;

use super::files::{self, PATIENCE};
use super::{Mirror, Stop};
use crate::error::OpError;

impl Mirror<'_> {
    /// Brings patterns and summary up to date; `project` is the plan `_project`.
    pub(crate) fn write_merged(&self, project: &Plan) -> Result<(), OpError> {
        let in_force = EntryFilter { in_force: true, ..EntryFilter::of(project) };
        let entries: Vec<Entry> = self.call.read(|view| view.entries(in_force, 0))?;
        Ok(self.write_files(project, &entries)?)
    }

    fn write_files(&self, project: &Plan, entries: &[Entry]) -> Result<(), Stop> {
        let all = self.folder.make(&project.name, project.is_tracked)?;
        let _lock = all.lock(PATIENCE)?;
        let folder = all.make_folder(project.name.as_str())?;
        let known = files::read(&folder, merge::PATTERNS_FILE.as_ref())?;
        let added = merge::patterns(&known, entries);
        if !added.is_empty() {
            let title = if known.is_empty() { merge::PATTERNS_TITLE } else { "" };
            folder.append(merge::PATTERNS_FILE, format!("{title}{added}").as_bytes())?;
        }
        folder.replace(merge::SUMMARY_FILE, merge::summary(entries).as_bytes())?;
        Ok(())
    }
}
