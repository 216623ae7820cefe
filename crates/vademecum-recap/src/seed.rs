//! Method `seed`: novelty times centrality times recency times the weight of actions, as its design says.

mod centrality;
mod chunk;
mod fit;
mod novelty;
mod vector;

use std::fmt::Write as _;

pub use crate::collapse::{Collapse, Line};
pub use centrality::Centrality;
pub use chunk::{Chunk, MOST_CHUNKS};
pub use novelty::{Novelty, ncd, surprise};
use vademecum_core::turn::Turn;
use vector::{Vector, float};

/// The least that a factor can be.
const FLOOR: f64 = 0.05;

/// How many lines wait for their answers before they become chunks.
const LINES: usize = 256;

/// How chunks are weighed.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedOptions {
    /// How novelty is told.
    pub novelty: Novelty,
    /// How centrality is told.
    pub centrality: Centrality,
    /// Which calls are consequential.
    pub weighs: Weighs,
    /// What each consequential call adds to the weight of its chunk.
    pub alpha: f64,
    /// What is remembered already: the project's entries, notes and earlier recaps.
    pub memories: Vec<String>,
}

impl Default for SeedOptions {
    fn default() -> Self {
        Self {
            novelty: Novelty::default(),
            centrality: Centrality::default(),
            weighs: Weighs::default(),
            alpha: 0.25,
            memories: Vec::new(),
        }
    }
}

/// Which calls add to the weight of their chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weighs {
    /// All that change state: `rm`, `mv` and `git commit` too, and what a memory lost.
    #[default]
    Changes,
    /// By the letter of the design: writes, edits, and what was remembered.
    Letter,
}

/// Makes one vector a text, or fails.
pub type Embed<'a> = &'a mut dyn FnMut(&[&str]) -> Option<Vec<Vec<f32>>>;

/// Summarises one chunk, or fails.
pub type Summarise<'a> = &'a mut dyn FnMut(&str) -> Option<String>;

/// Programs from outside that may stand in; each answers nothing when it fails.
#[derive(Default)]
pub struct Outside<'a> {
    /// Makes one vector a text.
    pub embed: Option<Embed<'a>>,
    /// Summarises one chunk.
    pub summarise: Option<Summarise<'a>>,
}

/// A session so far, as method `seed` reads it.
#[derive(Debug, Default)]
pub struct Seed {
    collapse: Collapse,
    chunks: chunk::Chunks,
}

/// One chunk, and what each factor made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// The chunk.
    pub chunk: Chunk,
    /// What stands for it in the recap.
    pub summary: String,
    /// How new it is to what is remembered.
    pub novelty: f64,
    /// How much it is of what the session was about.
    pub centrality: f64,
    /// How late it came.
    pub recency: f64,
    /// 1 and alpha for each consequential call.
    pub action: f64,
    /// All factors multiplied, each at least 0.05.
    pub score: f64,
    /// Whether it is in the recap.
    pub is_injected: bool,
}

/// What method `seed` made of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedRecap {
    /// The best within the budget, in the order of time; empty for an empty session.
    pub text: String,
    /// All chunks in the order of time.
    pub chunks: Vec<Weighed>,
    /// How many times older neighbours were merged.
    pub n_merged: usize,
    /// How many chunks are kept.
    pub most: usize,
    /// The embedder failed, and TF-IDF stood in.
    pub is_embedder_down: bool,
    /// The summariser failed, and extracts stood in for some chunks.
    pub is_summariser_down: bool,
}

impl Seed {
    /// Keeps at most so many chunks: to weigh them costs the square of their number.
    #[must_use]
    pub fn within(mut self, most_chunks: usize) -> Self {
        self.chunks.most = most_chunks;
        self
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        self.collapse.push(turn);
        for line in self.collapse.settled(LINES) {
            self.chunks.push(&line);
        }
    }

    /// Weighs all chunks and says the best within `budget` tokens.
    #[must_use]
    pub fn recap(
        mut self,
        options: &SeedOptions,
        outside: Outside<'_>,
        budget: usize,
    ) -> SeedRecap {
        for line in self.collapse.finish() {
            self.chunks.push(&line);
        }
        let chunk::Chunks { all, most, n_merged } = self.chunks;
        let mut made = SeedRecap { n_merged, most, ..weigh(all, options, outside) };

        let scores: Vec<f64> = made.chunks.iter().map(|it| it.score).collect();
        let texts: Vec<&str> = made.chunks.iter().map(|it| it.summary.as_str()).collect();
        let (text, chosen) = fit::fit(&texts, &scores, budget);
        made.text = text;
        for idx in chosen {
            made.chunks[idx].is_injected = true;
        }
        made
    }
}

/// Weighs chunks; nothing of them is said yet.
fn weigh(chunks: Vec<Chunk>, options: &SeedOptions, outside: Outside<'_>) -> SeedRecap {
    let (summaries, is_summariser_down) = summaries(&chunks, outside.summarise);
    let texts: Vec<&str> = summaries.iter().map(String::as_str).collect();
    let (vectors, is_embedder_down) = vectors(&texts, &options.memories, outside.embed);
    let novelty = novelty::novelty(options.novelty, &texts, &options.memories, &vectors);
    let centrality = centrality::centrality(options.centrality, &vectors[..texts.len()]);

    let n = float(chunks.len());
    let weighed = |(idx, (chunk, summary)): (usize, (Chunk, String))| {
        let recency = float(idx + 1) / n;
        let n_weighed = match options.weighs {
            Weighs::Changes => chunk.n_changing,
            Weighs::Letter => chunk.n_consequential,
        };
        let action = 1.0 + options.alpha * float(n_weighed);
        let factors = [novelty[idx], centrality[idx], recency, action].map(|it| it.max(FLOOR));
        let score = factors.iter().product();
        let [novelty, centrality, recency, action] = factors;
        Weighed { chunk, summary, novelty, centrality, recency, action, score, is_injected: false }
    };
    let both = chunks.into_iter().zip(summaries);
    SeedRecap {
        text: String::new(),
        chunks: both.enumerate().map(weighed).collect(),
        n_merged: 0,
        most: MOST_CHUNKS,
        is_embedder_down,
        is_summariser_down,
    }
}

/// One summary a chunk, and whether the summariser failed for any.
fn summaries(chunks: &[Chunk], mut summarise: Option<Summarise<'_>>) -> (Vec<String>, bool) {
    let mut is_down = false;
    let mut summary = |chunk: &Chunk| {
        if let Some(summarise) = summarise.as_mut().filter(|_| !is_down) {
            if let Some(text) = summarise(&chunk.text) {
                return text;
            }
            is_down = true;
        }
        chunk::extract(&chunk.text)
    };
    let summaries = chunks.iter().map(&mut summary).collect();
    (summaries, is_down)
}

/// One vector a chunk and then one a memory, and whether the embedder failed.
fn vectors(texts: &[&str], memories: &[String], embed: Option<Embed<'_>>) -> (Vec<Vector>, bool) {
    let all: Vec<&str> = texts.iter().copied().chain(memories.iter().map(String::as_str)).collect();
    let Some(embed) = embed else { return (vector::tf_idf(&all), false) };
    match embed(&all).filter(|found| found.len() == all.len()) {
        Some(found) => (found.iter().map(|dense| vector::sparse(dense)).collect(), false),
        None => (vector::tf_idf(&all), true),
    }
}

impl SeedRecap {
    /// The best of the same chunks within another budget, in tokens.
    #[must_use]
    pub fn within(&self, budget: usize) -> String {
        let scores: Vec<f64> = self.chunks.iter().map(|it| it.score).collect();
        let texts: Vec<&str> = self.chunks.iter().map(|it| it.summary.as_str()).collect();
        fit::fit(&texts, &scores, budget).0
    }

    /// The chunks by score, best first.
    #[must_use]
    pub fn ranked(&self) -> Vec<&Weighed> {
        let scores: Vec<f64> = self.chunks.iter().map(|it| it.score).collect();
        fit::order(&scores).into_iter().map(|idx| &self.chunks[idx]).collect()
    }

    /// What is not in the recap, best first.
    #[must_use]
    pub fn rest(&self) -> Vec<&str> {
        let rest = self.ranked().into_iter().filter(|it| !it.is_injected);
        rest.map(|it| it.summary.as_str()).collect()
    }

    /// The recap and all that it left out.
    #[must_use]
    pub fn full(&self) -> String {
        let mut full = format!("## Injected\n{}\n\n## Rest\n", self.text);
        for summary in self.rest() {
            full.push_str(summary);
            full.push('\n');
        }
        full
    }

    /// A table of each factor of each chunk, best first, with what was merged or stood in.
    #[must_use]
    pub fn explain(&self) -> String {
        let mut table =
            String::from("score novelty centrality recency action injected first line\n");
        for it in self.ranked() {
            let line = it.summary.lines().next().unwrap_or_default();
            let line: String = line.chars().take(80).collect();
            let injected = if it.is_injected { "yes" } else { "no" };
            writeln!(
                table,
                "{:.4} {:.3} {:.3} {:.3} {:.2} {injected} {line}",
                it.score, it.novelty, it.centrality, it.recency, it.action,
            )
            .expect("a String takes all");
        }
        if 0 < self.n_merged {
            writeln!(
                table,
                "older neighbours merged {} times, to {} chunks at most",
                self.n_merged, self.most
            )
            .expect("a String takes all");
        }
        if self.is_embedder_down {
            table.push_str("the embedder failed: TF-IDF stood in\n");
        }
        if self.is_summariser_down {
            table.push_str("the summariser failed: extracts stood in\n");
        }
        table
    }
}
