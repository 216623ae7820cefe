//! How close together a note holds the words of a query.

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
