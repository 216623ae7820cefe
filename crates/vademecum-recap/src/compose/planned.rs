//! The files that a plan names and nobody changed yet.

use crate::cues::{FORBIDDEN, has_any, is_imperative};
use crate::digest::{Digest, Entry, low};
use crate::fact;
use crate::statement::{Source, Statement};

/// What stands before them.
const UNTOUCHED: &str = "Named in the plan and not changed yet: ";

/// So many are told; of a plan that leaves more they say nothing.
const MOST: usize = 8;

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
        let is_part = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',');
        for word in it.text.split(is_part).filter(|word| !word.contains("://")) {
            let word = word.split(':').next().unwrap_or_default();
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
            let word = word.trim_end_matches('.');
            if is_file(word) && !named.iter().any(|known| is_same(known, word)) {
                named.push(word);
            }
        }
    }
    // A command may have changed what it names.
    let is_done = |entry: &&Entry| plan.turn < entry.written_at || 0 < entry.run;
    let written = digest.ledger.entries().iter().filter(is_done);
    let written: Vec<&str> = written.map(|entry| &*entry.text).collect();
    let n_named = named.len();
    named.retain(|name| !written.iter().any(|path| is_same(path, name)));
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

/// Whether a word is the path of one file: with a folder, and an ending.
fn is_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    let has_ending = name.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.is_empty() && ending.starts_with(|c: char| c.is_ascii_lowercase())
    });
    has_ending && word.contains('/') && fact::is_path(word)
}

/// Whether both may be one file: one of the two may lack folders in front.
fn is_same(one: &str, other: &str) -> bool {
    let ends = |long: &str, end: &str| {
        long.strip_suffix(end).is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    ends(one, other) || ends(other, one)
}
