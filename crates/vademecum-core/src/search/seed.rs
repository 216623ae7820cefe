//! The search rule of profile seed1: plain substrings, the best first.

use std::cmp::Reverse;

use super::fold::push_all_lower;
use crate::note::Note;

/// Lists the notes that hold `query` in any case, the best first; for a blank one all, newest first.
///
/// Best is: most hits as a whole word, most hits, earliest hit, last updated, highest id.
#[must_use]
pub fn rank_seed(query: &str, notes: &[Note]) -> Vec<usize> {
    let query = if query.trim().is_empty() { String::new() } else { lower(query) };
    let hits = |idx: &usize| hits(&lower(notes[*idx].content.as_str()), &query);
    let mut found: Vec<(usize, Hits)> =
        (0..notes.len()).filter_map(|idx| hits(&idx).map(|hits| (idx, hits))).collect();
    found.sort_by_key(|&(idx, ref hits)| {
        let note = &notes[idx];
        let best = (Reverse(hits.whole), Reverse(hits.all), hits.first);
        (best, Reverse(note.updated_at), Reverse(note.id))
    });
    found.into_iter().map(|(idx, _)| idx).collect()
}

#[derive(Default)]
struct Hits {
    whole: usize,
    all: usize,
    first: usize,
}

fn hits(text: &str, query: &str) -> Option<Hits> {
    if query.is_empty() {
        return Some(Hits::default());
    }
    let at: Vec<usize> = text.match_indices(query).map(|(at, _)| at).collect();
    let whole = at.iter().filter(|&&at| is_whole(text, at, at + query.len())).count();
    at.first().map(|&first| Hits { whole, all: at.len(), first })
}

/// Whether no word runs over either end of `start..end`.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let runs_on =
        |at: usize| is_word(text[..at].chars().next_back()) && is_word(text[at..].chars().next());
    !runs_on(start) && !runs_on(end)
}

fn lower(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_all_lower(&mut out, text);
    out
}
