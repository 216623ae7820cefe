//! Estimates what a text costs a model.

/// About how many tokens `text` costs: one for three bytes, never too few for plain text.
#[must_use]
pub fn estimate(text: &str) -> usize {
    text.len().div_ceil(3)
}
