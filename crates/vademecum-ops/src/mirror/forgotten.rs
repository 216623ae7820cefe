//! Taking entries out of the files of every work tree, and removing what merges made of them.

use std::collections::BTreeSet;
use std::path::Path;

use vademecum_core::entry::{Category, Said, Sameness};
use vademecum_core::error::Kind;
use vademecum_core::merge;
use vademecum_core::mirror;
use vademecum_core::plan::PlanName;
use vademecum_files::{FileError, Root};

use super::Mirror;
use super::files::{self, PATIENCE};
use super::state::State;

impl Mirror<'_> {
    /// Takes entries out of the files, which would bring them back, and what quotes them.
    pub(crate) fn forget_entries(
        &self,
        gone: &[&Said],
        quotes: &dyn Fn(&str) -> bool,
    ) -> Result<(), FileError> {
        let gone: BTreeSet<Sameness> = gone.iter().map(|said| said.sameness()).collect();
        for state in self.states.all() {
            match self.forget_in(&state, &gone, quotes) {
                // Nothing behind a link was ever written by us.
                Err(error) if error.kind() == Kind::Denied => {}
                forgot => forgot?,
            }
        }
        Ok(())
    }

    fn forget_in(
        &self,
        state: &State,
        gone: &BTreeSet<Sameness>,
        quotes: &dyn Fn(&str) -> bool,
    ) -> Result<(), FileError> {
        let Some(folder) = state.folder().open()? else { return Ok(()) };
        let _lock = folder.lock(PATIENCE)?;
        let mut state = self.states.load(&state.folder());
        for (key, known) in &mut state.files {
            let Some((plan, category)) = place(key) else { continue };
            let path = Path::new(plan).join(mirror::file_name(category));
            let is_gone = |said: &Said| gone.contains(&said.sameness());
            let text = files::read(&folder, &path)?;
            if let Some(text) = mirror::without(category, &text, is_gone) {
                folder.replace(&path, text.as_bytes())?;
                known.stat = None;
            }
        }
        remove_quotes(&folder, quotes)?;
        self.states.save(&state)
    }
}

/// Removes what merges made: the next one makes it anew.
fn remove_quotes(folder: &Root, quotes: &dyn Fn(&str) -> bool) -> Result<(), FileError> {
    for name in [merge::PATTERNS_FILE, merge::SUMMARY_FILE] {
        let path = Path::new(PlanName::PROJECT).join(name);
        if quotes(&files::read(folder, &path)?) {
            folder.remove_file(&path)?;
        }
    }
    Ok(())
}

/// The plan and the category that a key of a state names.
fn place(key: &str) -> Option<(&str, Category)> {
    let (plan, plural) = key.split_once('/')?;
    let category = Category::ALL.into_iter().find(|category| category.plural() == plural)?;
    Some((plan, category))
}
