//! How texts of ours open: contexts begin so, and the intake and the readers of transcripts know them again.

use crate::profile::{Profile, RECALLED_HINT};

/// With what every text of ours to a model begins.
pub const VOICE: &str = "vade: ";

/// The first words of a session's own memory.
pub const RESTORED: &str = "vade: restored for this session: ";

/// The same of a sub-agent's.
pub const RESTORED_AGENT: &str = "vade: restored for this sub-agent: ";

/// The first words of what a fork has from its parent.
pub const COPIED: &str = "vade: copied from the session that this one was forked from: ";

/// The first words of what a new session is told of the one before.
pub const FOLLOWS: &str = "vade: from the session before this one: ";

/// The first words of what others changed.
pub const CHANGED: &str = "vade: changed from outside since it was last shown here: ";

/// The line above the faults of a session of which nothing else is said.
pub const FAULTY: &str = "vade: something is wrong with the memory of this session.";

/// The first words of what sessions before left, of a person's words for the next one, and of words that are not theirs.
pub const OFFERED: [&str; 4] = [
    "vade: the previous session here (",
    "vade: an earlier session here (",
    "vade: the user left word for the next session (",
    "vade: word for the next session, imported or of another person (",
];

/// How the line begins that says what a project knows.
pub const KNOWS: &str = "This project knows ";

/// The same of what it knows beside what was told before.
pub const KNOWS_NOW: &str = "This project now also knows ";

/// How each line begins that says what a project knows no more.
pub const LAPSED: &str = "No longer in force: ";

/// How the line begins that says whose work a session took over.
pub const TOOK_OVER: &str = "It took over from session ";
/// How the line of a session begins that another one took over.
pub const TAKEN_OVER: &str = "Since then session ";

/// How the line of a compacted session begins that has not read the word that the user left for it.
pub const WORD: &str = "The user left word for this session (";

/// What a copy of a session is told at its start, while it is not known of which one.
pub const COPY: &str = "vade: this session is a copy of another. If its history shows of which, what that one kept is copied here at the first prompt; a notepad that was written here before stays instead of that one's.";

/// What a session that keeps nothing is told where nothing can be saved.
pub const UNUSED: &str = "vade: nothing is kept for this session.";

/// How a receipt begins.
pub const RECEIPT: &str = "[vade receipt ";

/// The first words of contexts that end in a receipt.
fn contexts() -> impl Iterator<Item = &'static str> {
    [RESTORED, RESTORED_AGENT, COPIED, FOLLOWS, CHANGED].into_iter().chain(OFFERED)
}

/// Whether a context that ends in a receipt begins so.
#[must_use]
pub fn opens_context(text: &str) -> bool {
    contexts().any(|opener| text.starts_with(opener))
}

/// How the line ends that says which notes hold no more.
pub const GONE: &str = " crossed out or deleted";

/// Whether the line may stand below one that is said where nothing is kept: its faults, the notes that hold no
/// more, what the project knows.
#[must_use]
pub fn follows_hint(line: &str) -> bool {
    let entries = ["- issue", "- decision", "- learning", LAPSED];
    let named = ["fault: ", TOOK_OVER, TAKEN_OVER, WORD, KNOWS, KNOWS_NOW, RECEIPT]
        .into_iter()
        .chain(entries);
    let is_gone = line.starts_with("note_") && line.trim_end().ends_with(GONE);
    line.is_empty() || is_gone || named.clone().any(|opener| line.starts_with(opener))
}

/// Whether the line is one that is said where nothing is kept.
#[must_use]
pub fn is_hint(line: &str) -> bool {
    let hints = Profile::ALL.map(|profile| [profile.words().empty, profile.words().emptied]);
    let mut said =
        hints.into_iter().flatten().filter(|hint| !hint.is_empty()).chain([FAULTY, COPY, UNUSED]);
    said.any(|hint| line.starts_with(hint.trim_end_matches(RECALLED_HINT)))
}
