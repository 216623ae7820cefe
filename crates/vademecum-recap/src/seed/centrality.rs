//! How much a chunk is of what the session was about, in four ways.

use super::vector::{Vector, cosine, float, scale};

/// How centrality is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Centrality {
    /// Damped PageRank over the cosines.
    #[default]
    TextRank,
    /// The same over links alone: cosines of 0.1 or more.
    LexRank,
    /// Nearness to the whole, less likeness to what is nearer.
    Mmr,
    /// Nearness to the whole.
    TfIdf,
}

const DAMPING: f64 = 0.85;
const ROUNDS: usize = 30;
const LINKED: f64 = 0.1;
const TRADE: f64 = 0.7;

/// Of each chunk, scaled to a most of 1; 1 for a single one.
pub(super) fn centrality(how: Centrality, vectors: &[Vector]) -> Vec<f64> {
    if vectors.len() < 2 {
        return vec![1.0; vectors.len()];
    }
    match how {
        Centrality::TextRank => scale(page_rank(vectors, |cosine| cosine)),
        Centrality::LexRank => {
            scale(page_rank(vectors, |cosine| if cosine < LINKED { 0.0 } else { 1.0 }))
        }
        Centrality::Mmr => mmr(vectors),
        Centrality::TfIdf => scale(relevance(vectors)),
    }
}

fn page_rank(vectors: &[Vector], weigh: impl Fn(f64) -> f64) -> Vec<f64> {
    let links = links(vectors, weigh);
    let n = float(vectors.len());
    let degrees: Vec<f64> =
        links.iter().map(|links| links.iter().map(|(_, weight)| weight).sum()).collect();
    let mut rank = vec![1.0 / n; vectors.len()];
    for _ in 0..ROUNDS {
        let mut next = vec![(1.0 - DAMPING) / n; vectors.len()];
        for (from, links) in links.iter().enumerate() {
            for (to, weight) in links {
                next[*to] += DAMPING * rank[from] * weight / degrees[from];
            }
        }
        rank = next;
    }
    rank
}

fn links(vectors: &[Vector], weigh: impl Fn(f64) -> f64) -> Vec<Vec<(usize, f64)>> {
    let mut links = vec![Vec::new(); vectors.len()];
    for (i, a) in vectors.iter().enumerate() {
        for (j, b) in vectors.iter().enumerate().skip(i + 1) {
            let weight = weigh(cosine(a, b));
            if 0.0 < weight {
                links[i].push((j, weight));
                links[j].push((i, weight));
            }
        }
    }
    links
}

/// The cosine of each to the sum of all.
fn relevance(vectors: &[Vector]) -> Vec<f64> {
    let mut sum = std::collections::BTreeMap::new();
    for (place, value) in vectors.iter().flatten() {
        *sum.entry(*place).or_insert(0.0) += value;
    }
    let sum: Vector = sum.into_iter().collect();
    vectors.iter().map(|vector| cosine(vector, &sum)).collect()
}

/// Picks all one by one; the first is worth 1, the last 1/n.
fn mmr(vectors: &[Vector]) -> Vec<f64> {
    let relevance = scale(relevance(vectors));
    let mut repeated = vec![0.0_f64; vectors.len()];
    let mut worth = vec![0.0; vectors.len()];
    for left in (1..=vectors.len()).rev() {
        let gain = |idx: &usize| TRADE * relevance[*idx] - (1.0 - TRADE) * repeated[*idx];
        let open = (0..vectors.len()).filter(|idx| worth[*idx] == 0.0);
        let Some(best) = open.max_by(|a, b| gain(a).total_cmp(&gain(b)).then(a.cmp(b))) else {
            break;
        };
        worth[best] = float(left) / float(vectors.len());
        for (idx, vector) in vectors.iter().enumerate() {
            repeated[idx] = repeated[idx].max(cosine(vector, &vectors[best]));
        }
    }
    worth
}
