//! What a merge leaves in the project's folder beside its entries: patterns and the summary.

use vademecum_core::entry::Entry;
use vademecum_core::merge;
use vademecum_core::plan::Plan;
use vademecum_store::EntryFilter;

use super::files::{self, Lock};
use super::{Mirror, fault};
use crate::error::OpError;

impl Mirror<'_> {
    /// Brings patterns and summary up to date; `project` is the plan `_project`.
    pub(crate) fn write_merged(&self, project: &Plan) -> Result<(), OpError> {
        let in_force = EntryFilter { in_force: true, ..EntryFilter::default() };
        let entries: Vec<Entry> = self.call.read(|view| view.entries(project.id, in_force, 0))?;
        let folder = files::make_folder(&self.folder, &project.name, project.is_tracked);
        let folder = folder.map_err(|error| fault(project, &error))?;
        let _lock = Lock::of(&self.folder).map_err(|error| fault(project, &error))?;
        let patterns = folder.join(merge::PATTERNS_FILE);
        let known = files::read(&patterns).map_err(|error| fault(project, &error))?;
        let added = merge::patterns(&known, &entries);
        if !added.is_empty() {
            let title = if known.is_empty() { merge::PATTERNS_TITLE } else { "" };
            files::append(&patterns, &format!("{title}{added}"))
                .map_err(|error| fault(project, &error))?;
        }
        let summary = folder.join(merge::SUMMARY_FILE);
        files::replace(&summary, &merge::summary(&entries)).map_err(|error| fault(project, &error))
    }
}
