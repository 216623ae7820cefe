//! The files that a plan names and nobody changed yet.

use crate::cues::{FORBIDDEN, has_any, is_imperative};
use crate::digest::{Digest, Entry, low, may_be_one};
use crate::fact;
use crate::statement::{Source, Statement};

/// What stands before them.
const UNTOUCHED: &str = "Named in the plan and not changed yet: ";

/// So many are told; of a plan that leaves more they say nothing.
const MOST: usize = 8;

/// How an agent says that a file stays as it is.
const NONE_NEEDED: [&str; 9] = [
    "no change",
    "no need",
    "nothing to",
    "not need",
    "n't need",
    "n't have",
    "not have",
    "already",
    "unchanged",
];

/// The line that names them, where the newest plan is under way: some of its files were changed behind it.
pub(super) fn untouched(digest: &Digest) -> Option<String> {
    let all = &digest.statements;
    let plan = all.all.iter().rev().find(|it| it.source == Source::Plan)?;
    let is_new = plan.request + 1 >= all.requests && !digest.work.is_list_done();
    let is_of_plan = |it: &&Statement| (it.turn, it.source) == (plan.turn, plan.source);
    let mut named: Vec<&str> = Vec::new();
    for it in all.all.iter().filter(is_of_plan).filter(|_| is_new) {
        if !changes(&it.text) {
            continue;
        }
        for path in paths(&it.text) {
            if !named.iter().any(|known| may_be_one(known, path)) {
                named.push(path);
            }
        }
    }
    // A command may have changed what it names.
    let is_done = |entry: &&Entry| plan.turn < entry.written_at || 0 < entry.run;
    let written = digest.ledger.entries().iter().filter(is_done);
    let written: Vec<&str> = written.map(|entry| &*entry.text).collect();
    let n_named = named.len();
    named.retain(|name| !written.iter().any(|path| may_be_one(path, name)));
    // What the agent found about it since outranks the plan.
    let needs_none = |it: &&Statement| {
        let is_since = plan.turn < it.turn && matches!(it.source, Source::Said | Source::Thought);
        let low = || low(&it.text);
        is_since && NONE_NEEDED.iter().any(|words| low().contains(words))
    };
    for it in all.all.iter().filter(needs_none).take_while(|_| is_new) {
        named.retain(|name| !paths(&it.text).any(|path| may_be_one(path, name)));
    }
    let is_under_way = named.len() < n_named && (1..=MOST).contains(&named.len());
    is_under_way.then(|| format!("{UNTOUCHED}{}", named.join(", ")))
}

/// Whether a sentence of a plan tells to change something, or begins with what it is about.
fn changes(text: &str) -> bool {
    let low = low(text);
    let first = low.split(' ').next().unwrap_or_default();
    let is_check = matches!(first, "run" | "test" | "verify" | "check" | "track" | "log" | "show");
    let names_first = || text.split(' ').take(3).any(|word| word.contains('/'));
    !is_check && !has_any(&low, &FORBIDDEN) && (is_imperative(text) || names_first())
}

/// The files that a sentence names.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '`');
    let words = text.split(is_part).filter(|word| !word.contains("://"));
    words.filter_map(|word| {
        let word = word.split(':').next().unwrap_or_default();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
        let word = word.trim_end_matches('.');
        is_file(word).then_some(word)
    })
}

/// Whether a word is the path of one file: with a folder, and an ending.
fn is_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    let has_ending = name.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.is_empty() && ending.starts_with(|c: char| c.is_ascii_lowercase())
    });
    has_ending && word.contains('/') && fact::is_path(word)
}
