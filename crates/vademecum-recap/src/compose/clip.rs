//! Texts cut to what they may cost, at whole words, with an ellipsis.

use vademecum_core::tokens::estimate;

use crate::statement::clause;
pub(crate) use crate::statement::flat;

/// What a piece adds to the cost of a longer text: its estimate without the margin.
#[must_use]
pub(crate) fn cost(text: &str) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "the cost of a piece is small")]
    let estimate = estimate(text) as f32;
    let root = ((0.94_f32 + 4.0 * 1.03 * estimate).sqrt() - 0.97) / (2.0 * 1.03);
    root * root
}

/// The text on one line, cut to `most` tokens.
pub(crate) fn clip(text: &str, most: f32) -> String {
    let flat = flat(text);
    let cut = &flat[..fitting(&flat, most)];
    if cut.len() == flat.len() {
        return flat;
    }
    let words = cut.rfind(' ').map_or("", |at| cut[..at].trim_end());
    if words.is_empty() { String::new() } else { format!("{words} …") }
}

/// What the user wrote on one line, cut to `most` tokens where a clause ends.
pub(crate) fn quote(text: &str, most: f32) -> String {
    let flat = flat(text);
    clause(&flat, fitting(&flat, most))
}

/// How many bytes of a line `most` tokens have room for, with the mark of a cut where it is not all.
fn fitting(flat: &str, most: f32) -> usize {
    if cost(flat) <= most {
        return flat.len();
    }
    let (mut low, mut high) = (0, flat.len());
    while low + 1 < high {
        let middle = low.midpoint(high);
        let fits = cost(&flat[..flat.floor_char_boundary(middle)]) + 1.0 <= most;
        if fits { low = middle } else { high = middle }
    }
    flat.floor_char_boundary(low)
}
