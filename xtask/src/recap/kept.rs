//! What of a session was said again after a cut: in reports, commits, requests and summaries.

use std::collections::{HashMap, HashSet};

use vademecum_core::turn::{Event, Turn};
use vademecum_recap::rank::{STATEMENT_FEATURES, StatementSample};
use vademecum_recap::{Digest, Options};

/// How much weights are held back from what few rows say.
const RIDGE: f64 = 3.0;

/// A word that stands in more places than this says nothing of either.
const PLACES: usize = 400;

/// The statements before a cut, and those after it.
pub(super) struct Cut {
    before: Vec<StatementSample>,
    after: Vec<(HashSet<u64>, f64)>,
}

impl Cut {
    /// Cuts a session at the turn `at`.
    pub(super) fn new(turns: &[Turn], at: usize, roots: &[String]) -> Self {
        let (before, after) = turns.split_at(at);
        let after: Vec<Turn> = after.iter().map(told).collect();
        let worth = |it: StatementSample| (it.words.into_iter().collect(), worth(&it.features));
        Self {
            before: samples(before, roots),
            after: samples(&after, roots).into_iter().map(worth).filter(|it| 0.0 < it.1).collect(),
        }
    }
}

/// The turn, with what a harness wrote in the place of what it dropped as if the agent had said it.
fn told(turn: &Turn) -> Turn {
    match &turn.event {
        Event::Compacted { summary: Some(text) } => {
            Turn { event: Event::Said { text: text.clone() }, ..turn.clone() }
        }
        _ => turn.clone(),
    }
}

fn samples(turns: &[Turn], roots: &[String]) -> Vec<StatementSample> {
    let mut digest = Digest::new(&Options { roots: roots.to_vec() });
    for turn in turns {
        digest.push(turn);
    }
    digest.statement_samples()
}

/// What it counts that a statement is said after the cut, by who says it.
fn worth(features: &[f32; STATEMENT_FEATURES.len()]) -> f64 {
    let has = |name: &str| {
        STATEMENT_FEATURES.iter().position(|it| *it == name).is_some_and(|at| 0.0 < features[at])
    };
    if has("closing") || has("change") {
        1.0
    } else if has("asked") {
        0.8
    } else if has("said") {
        0.6
    } else {
        0.0
    }
}

/// What each feature weighs in how much of a statement was said again.
pub(super) fn fit(cuts: &[Cut]) -> Vec<f64> {
    let rare = rarity(cuts);
    let n = STATEMENT_FEATURES.len();
    let (mut matrix, mut right) = (vec![vec![0.0; n]; n], vec![0.0; n]);
    (0..n).for_each(|at| matrix[at][at] = RIDGE);
    for cut in cuts {
        #[expect(clippy::cast_precision_loss, reason = "statements are few")]
        let weight = 1.0 / (cut.before.len().max(1) as f64).sqrt();
        for (sample, again) in cut.before.iter().zip(again(cut, &rare)) {
            let row: Vec<f64> = sample.features.iter().map(|it| f64::from(*it)).collect();
            for (at, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                right[at] += weight * value * again;
                row.iter()
                    .zip(&mut matrix[at])
                    .for_each(|(other, sum)| *sum += weight * value * other);
            }
        }
    }
    solve(matrix, right)
}

/// How rare each word is among the cuts.
fn rarity(cuts: &[Cut]) -> HashMap<u64, f64> {
    let mut with: HashMap<u64, f64> = HashMap::new();
    for cut in cuts {
        let all: HashSet<u64> = cut.before.iter().flat_map(|it| it.words.iter().copied()).collect();
        for word in all {
            *with.entry(word).or_default() += 1.0;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "cuts are few")]
    let n = cuts.len() as f64;
    with.into_iter().map(|(word, with)| (word, ((n + 1.0) / (with + 0.5)).ln())).collect()
}

/// For each statement before the cut: how much of it one statement after the cut says.
fn again(cut: &Cut, rare: &HashMap<u64, f64>) -> Vec<f64> {
    let weight = |word: &u64| rare.get(word).copied().unwrap_or(0.0);
    let sizes: Vec<f64> =
        cut.after.iter().map(|(words, _)| words.iter().map(weight).sum()).collect();
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, (words, _)) in cut.after.iter().enumerate() {
        for word in words {
            places.entry(*word).or_default().push(at);
        }
    }
    let again = |sample: &StatementSample| {
        let mut shared: HashMap<usize, f64> = HashMap::new();
        for word in &sample.words {
            for at in places.get(word).filter(|it| it.len() < PLACES).into_iter().flatten() {
                *shared.entry(*at).or_default() += weight(word);
            }
        }
        let size: f64 = sample.words.iter().map(weight).sum();
        let likeness = |(at, shared): (usize, f64)| {
            shared / (size * sizes[at]).sqrt().max(1e-9) * cut.after[at].1
        };
        shared.into_iter().map(likeness).fold(0.0, f64::max)
    };
    cut.before.iter().map(again).collect()
}

/// Solves `matrix * x = right` by Cholesky; the lower half of `matrix` counts.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            matrix[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / matrix[j][j] };
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k][i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_is_given() {
        let solved = solve(vec![vec![4.0, 0.0], vec![2.0, 3.0]], vec![8.0, 7.0]);
        assert!((solved[0] - 1.25).abs() < 1e-9 && (solved[1] - 1.5).abs() < 1e-9, "{solved:?}");
    }
}
