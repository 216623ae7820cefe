//! How close together a note holds the words of a query.

use super::query::{Query, Term};

/// So many words of a query are paired, its most telling ones.
const MOST_PAIRED: usize = 24;

/// So many words apart two of them are near each other: one or two sentences. From 12 words to any number it matters little (docs/search.md).
const WINDOW: u32 = 24;

/// Which words of a query are paired, and which follow each other in it.
pub(super) struct Wanted {
    is_paired: Vec<bool>,
    /// For each word those that follow it, one bit for each.
    next: [u32; MOST_PAIRED],
}

impl Wanted {
    pub(super) fn new(query: &Query) -> Self {
        let terms = query.scored().take(MOST_PAIRED).enumerate();
        let mut places: Vec<(usize, usize)> = terms
            .filter(|(_, term)| term.is_needed())
            .flat_map(|(at, term)| term.places.iter().map(move |place| (*place, at)))
            .collect();
        places.sort_unstable();
        let mut next = [0; MOST_PAIRED];
        for pair in places.windows(2) {
            next[pair[0].1] |= 1 << pair[1].1;
        }
        let is_paired = query.scored().take(MOST_PAIRED).map(Term::is_needed).collect();
        Self { is_paired, next }
    }

    /// How many pairs there are of words near each other; as many of words that follow each other have numbers behind them.
    pub(super) fn n_pairs(&self) -> usize {
        self.is_paired.len() * self.is_paired.len()
    }

    /// The pairs that a text holds, each by its number, and how often.
    pub(super) fn in_text(&self, hits: &[(u32, u32)]) -> Vec<(usize, f32)> {
        let (n, n_pairs) = (self.is_paired.len(), self.n_pairs());
        let is_paired = |term: u32| self.is_paired.get(term as usize).copied().unwrap_or_default();
        let hits: Vec<(usize, u32)> = hits
            .iter()
            .filter(|(term, _)| is_paired(*term))
            .map(|&(term, place)| (term as usize, place))
            .collect();
        if hits.len() < 2 {
            return Vec::new();
        }
        let mut beside = vec![0_u32; hits.len()];
        let mut counts = vec![0.0_f32; 2 * n_pairs];
        for (at, &(term, place)) in hits.iter().enumerate() {
            for (later, &(other, there)) in hits.iter().enumerate().skip(at + 1) {
                if WINDOW < there - place {
                    break;
                }
                beside[at] |= 1 << other;
                beside[later] |= 1 << term;
                if there == place + 1 && self.next[term] >> other & 1 == 1 {
                    counts[n_pairs + term * n + other] += 1.0;
                }
            }
        }
        for (&(term, _), beside) in hits.iter().zip(beside) {
            for other in (0..n).filter(|other| *other != term && beside >> other & 1 == 1) {
                counts[term * n + other] += 1.0;
            }
        }
        let near = |pair: usize| {
            let (one, other) = (pair / n, pair % n);
            let both = counts[pair].min(counts[other * n + one]);
            (pair, if one < other { both } else { 0.0 })
        };
        let next = (n_pairs..).zip(counts[n_pairs..].iter().copied());
        (0..n_pairs).map(near).chain(next).filter(|(_, n)| 0.0 < *n).collect()
    }
}

/// The fewest words in a row that hold `n_wanted` different terms; none if no run does.
///
/// `hits` are terms, numbered below `n_terms`, with the place of each; places rise.
pub(super) fn shortest_run(hits: &[(u32, u32)], n_terms: usize, n_wanted: usize) -> Option<u32> {
    let mut counts = vec![0_u32; n_terms];
    let (mut n_held, mut start) = (0, 0);
    let mut shortest: Option<u32> = None;
    for &(term, end) in hits {
        let count = &mut counts[term as usize];
        n_held += usize::from(*count == 0);
        *count += 1;
        while n_held == n_wanted {
            let (first, place) = hits[start];
            let run = end - place + 1;
            shortest = Some(shortest.map_or(run, |shortest| shortest.min(run)));
            let count = &mut counts[first as usize];
            *count -= 1;
            n_held -= usize::from(*count == 0);
            start += 1;
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::shortest_run;

    #[test]
    fn finds_the_shortest_run() {
        assert_eq!(shortest_run(&[(0, 0), (1, 5), (0, 7), (0, 9)], 4, 2), Some(3));
        assert_eq!(shortest_run(&[(0, 4)], 1, 1), Some(1));
        assert_eq!(shortest_run(&[(0, 4), (0, 5)], 2, 2), None);
        assert_eq!(shortest_run(&[], 1, 1), None);
    }
}
