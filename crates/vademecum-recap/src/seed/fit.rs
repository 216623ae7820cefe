//! The best chunks within a budget, in the order of time.

use vademecum_core::tokens::estimate;

/// What a chunk that was cut ends with.
const MARKER: &str = " [cut]";

/// The text of the best `chunks`, and which they are.
///
/// By score, the later chunk first where scores are even; what does not fit is skipped; a best
/// chunk that is too large by itself is cut, the marker inside of the budget.
pub(super) fn fit(chunks: &[&str], scores: &[f64], budget: usize) -> (String, Vec<usize>) {
    let order = order(scores);
    if let Some(best) = order.first()
        && budget < estimate(chunks[*best])
    {
        let text = cut(chunks[*best], budget);
        let chosen = if text.is_empty() { Vec::new() } else { vec![*best] };
        return (text, chosen);
    }
    let mut chosen: Vec<usize> = Vec::new();
    for idx in order {
        let place = chosen.partition_point(|it| *it < idx);
        chosen.insert(place, idx);
        if budget < estimate(&joined(chunks, &chosen)) {
            chosen.remove(place);
        }
    }
    (joined(chunks, &chosen), chosen)
}

/// The chunks by score, best first.
pub(super) fn order(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(b.cmp(a)));
    order
}

fn joined(chunks: &[&str], chosen: &[usize]) -> String {
    let texts: Vec<&str> = chosen.iter().map(|idx| chunks[*idx]).collect();
    texts.join("\n")
}

fn cut(text: &str, budget: usize) -> String {
    let (mut low, mut high) = (0, text.len());
    while low + 1 < high {
        let middle = low.midpoint(high);
        let part = &text[..text.floor_char_boundary(middle)];
        if estimate(&format!("{part}{MARKER}")) <= budget { low = middle } else { high = middle }
    }
    let part = &text[..text.floor_char_boundary(low)];
    if part.is_empty() { String::new() } else { format!("{part}{MARKER}") }
}
