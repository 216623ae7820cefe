//! What was said of files before they were changed.

use crate::cues::{DECISION, DEFECT, FAILURE, LACKING, Seen, tells_of_passing};
use crate::digest::{Digest, low};
use crate::statement::{Source, Statement};

/// The names of the project's files that were changed, each with the turn at which it was last.
pub(super) struct Edits<'a>(Vec<(&'a str, u32)>);

impl<'a> Edits<'a> {
    pub(super) fn of(digest: &'a Digest) -> Self {
        let written = digest.ledger.entries().iter().filter(|entry| 0 < entry.writes);
        let named = written.filter(|entry| entry.is_of_project()).map(|entry| {
            let name = entry.text.rsplit('/').next().unwrap_or(&entry.text);
            (name, entry.written_at)
        });
        Self(named.collect())
    }

    /// Whether a sentence tells that checks pass, or what is wrong with a file that it names, and more was changed since.
    pub(super) fn are_behind(&self, it: &Statement) -> bool {
        if !matches!(it.source, Source::Said | Source::Thought | Source::Report) {
            return false;
        }
        let mut since = self.0.iter().filter(|(_, at)| it.turn < *at).peekable();
        if since.peek().is_none() {
            return false;
        }
        if tells_of_passing(&it.text) {
            return true;
        }
        let low = low(&it.text);
        let low = Seen::of(&low);
        !low.has(&DECISION)
            && [&DEFECT, &FAILURE, &LACKING].into_iter().any(|cues| low.has(cues))
            && since.any(|(name, _)| name.contains('.') && has_name(&it.text, name))
    }
}

/// Whether a file is named in a text, with or without its folder.
fn has_name(text: &str, name: &str) -> bool {
    let is_part = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    text.contains(name) && text.split(is_part).any(|word| word.trim_end_matches('.') == name)
}
