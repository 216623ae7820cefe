//! Consecutive lines as chunks, at most 2,000; where there are more, older neighbours are merged.

use super::vector::{cosine, tf_idf};
use crate::collapse::Line;

/// How many chunks are kept.
pub const MOST_CHUNKS: usize = 2_000;

/// How many bytes of lines make a chunk.
const CHUNK: usize = 600;

/// How many bytes of one line are kept, and of a chunk that others were merged into.
const LINE: usize = 2_000;

/// How many characters a summary has at most.
const SUMMARY: usize = 280;

/// Consecutive lines weighed as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its lines.
    pub text: String,
    /// How many consequential calls it tells.
    pub n_consequential: usize,
    /// How many calls that change state, those included.
    pub n_changing: usize,
    /// The record of its first turn.
    pub first: u64,
    /// The record of its last turn.
    pub last: u64,
}

/// Makes chunks of lines, one line at a time.
#[derive(Debug)]
pub(super) struct Chunks {
    pub(super) all: Vec<Chunk>,
    /// How many of them are kept.
    pub(super) most: usize,
    /// How many times two chunks were merged.
    pub(super) n_merged: usize,
}

impl Default for Chunks {
    fn default() -> Self {
        Self { all: Vec::new(), most: MOST_CHUNKS, n_merged: 0 }
    }
}

impl Chunks {
    pub(super) fn push(&mut self, line: &Line) {
        let text = &line.text[..line.text.floor_char_boundary(LINE)];
        match self.all.last_mut() {
            Some(chunk) if !line.is_request && chunk.text.len() + text.len() < CHUNK => {
                chunk.text.push('\n');
                chunk.text.push_str(text);
                chunk.n_consequential += line.n_consequential;
                chunk.n_changing += line.n_changing;
                chunk.last = line.record;
            }
            Some(_) | None => self.all.push(Chunk {
                text: text.to_owned(),
                n_consequential: line.n_consequential,
                n_changing: line.n_changing,
                first: line.record,
                last: line.record,
            }),
        }
        if self.most < self.all.len() {
            self.merge();
        }
    }

    /// Merges the older half by twos.
    fn merge(&mut self) {
        let newer = self.all.split_off(self.most / 2);
        let older = std::mem::take(&mut self.all);
        let mut older = older.into_iter();
        while let Some(mut chunk) = older.next() {
            if let Some(next) = older.next() {
                self.n_merged += 1;
                chunk.text.push('\n');
                chunk.text.push_str(&next.text);
                chunk.text.truncate(chunk.text.floor_char_boundary(LINE));
                chunk.n_consequential += next.n_consequential;
                chunk.n_changing += next.n_changing;
                chunk.last = next.last;
            }
            self.all.push(chunk);
        }
        self.all.extend(newer);
    }
}

/// The lines of a chunk that are nearest to all of it, in their order; the whole where it is short.
pub(super) fn extract(text: &str) -> String {
    if text.chars().count() <= SUMMARY {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut texts = lines.clone();
    texts.push(text);
    let vectors = tf_idf(&texts);
    let near = |idx: usize| cosine(&vectors[idx], &vectors[lines.len()]);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|a, b| near(*b).total_cmp(&near(*a)).then(b.cmp(a)));

    let mut left = SUMMARY;
    let mut chosen = Vec::new();
    for idx in order.iter().copied() {
        let len = lines[idx].chars().count() + 1;
        if len <= left {
            left -= len;
            chosen.push(idx);
        }
    }
    if chosen.is_empty() {
        return shortened(lines[order[0]]);
    }
    chosen.sort_unstable();
    chosen.iter().map(|idx| lines[*idx]).collect::<Vec<_>>().join("\n")
}

fn shortened(line: &str) -> String {
    let end = line.char_indices().nth(SUMMARY - 1).map_or(line.len(), |(end, _)| end);
    format!("{}…", &line[..end])
}
