//! What people type out of habit, and the command that they mean.

use std::ffi::OsString;

use super::tree::Tree;

/// Whole commands of other programs.
const COMMANDS: [(&str, &str); 7] = [
    ("version", "vade --version"),
    ("find", "vade search"),
    ("list", "vade note list"),
    ("log", "vade session log"),
    ("history", "vade session log"),
    ("undo", "vade note restore or vade notepad restore"),
    ("link", "vade project join"),
];

/// Verbs behind a noun whose command has other words.
const BELOW: [(&str, &str, &str); 5] = [
    ("note", "tags", "vade tag list"),
    ("note", "tag", "vade note update ID --tag"),
    ("notepad", "add", "vade notepad update append"),
    ("notepad", "append", "vade notepad update append"),
    ("session", "delete", "vade forget session"),
];

/// What a word too many is for, by the command behind which people type it.
const SURPLUS: [(&str, &str); 2] = [
    ("note edit", "it opens an editor; vade note update ID \"the new text\" needs none"),
    ("why", "--path FILE names a transcript"),
];

/// Verbs that mean the same, ours first: the first one that a noun has is meant.
const VERBS: [&[&str]; 9] = [
    &["show", "list", "read", "get", "view", "cat", "print", "open", "display", "info", "status"],
    &["add", "write", "new", "init", "put", "create", "save", "record", "keep", "leave", "begin"],
    &["update", "edit", "rename", "change", "modify", "replace", "set"],
    &["search", "list", "find", "grep", "query"],
    &["delete", "dismiss", "archive", "rm", "remove", "del", "drop", "erase", "clear"],
    &["scratch", "complete", "done", "resolve", "finish", "close", "tick"],
    &["history", "log", "revisions", "changes", "versions"],
    &["use", "switch", "select", "activate"],
    &["run", "exec", "start", "eval"],
];

/// The command that is meant by the word `given` among `typed`, which no command is called.
pub(super) fn meant(tree: &Tree, typed: &[OsString], given: &str) -> Option<String> {
    let Some((noun, verbs)) = noun(tree, typed, given) else {
        let (_, meant) = COMMANDS.iter().find(|(habit, _)| *habit == given)?;
        return Some((*meant).to_owned());
    };
    let other = BELOW.iter().find(|(of, habit, _)| (*of, *habit) == (noun, given));
    let of_noun = |group: &&[&'static str]| group.iter().find(|verb| verbs.contains(verb)).copied();
    let same = || VERBS.iter().filter(|group| group.contains(&given)).find_map(of_noun);
    let same = || same().map(|verb| format!("vade {noun} {verb}"));
    other.map(|(_, _, meant)| (*meant).to_owned()).or_else(same)
}

/// Where a word too many behind the command of these `words` belongs.
pub(super) fn surplus(words: &str) -> Option<&'static str> {
    SURPLUS.iter().find(|(of, _)| *of == words).map(|(_, told)| *told)
}

/// The verbs of the noun behind which the word `given` stands, in one line.
pub(super) fn verbs(tree: &Tree, typed: &[OsString], given: &str) -> Option<String> {
    let (noun, verbs) = noun(tree, typed, given)?;
    Some(format!("vade {noun} takes {}", verbs.join(", ")))
}

/// The noun before the word `given`, and what may follow it.
fn noun<'t>(
    tree: &Tree,
    typed: &'t [OsString],
    given: &str,
) -> Option<(&'t str, Vec<&'static str>)> {
    let before = typed.iter().take_while(|word| *word != given).filter_map(|word| word.to_str());
    let nouns = before.map(|noun| (noun, tree.words_below(&[noun])));
    nouns.filter(|(_, verbs)| !verbs.is_empty()).last()
}
