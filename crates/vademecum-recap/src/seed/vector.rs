//! Texts as sparse TF-IDF vectors of length one.

use std::collections::{BTreeMap, HashMap, HashSet};

/// A sparse vector, its places rising.
pub(super) type Vector = Vec<(u32, f64)>;

/// The words of a text in small letters; names and paths stay whole.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    text.split(move |c| !is_part(c))
        .map(|word| word.trim_matches(['.', '-', '/']).to_lowercase())
        .filter(|word| 1 < word.len())
}

/// How often each word stands in a text.
pub(super) fn counts(text: &str) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    for word in words(text) {
        *counts.entry(word).or_insert(0.0) += 1.0;
    }
    counts
}

/// One vector a text, all in one space.
pub(super) fn tf_idf(texts: &[&str]) -> Vec<Vector> {
    let counted: Vec<BTreeMap<String, f64>> = texts.iter().map(|text| counts(text)).collect();
    let mut places: HashMap<&str, (u32, usize)> = HashMap::new();
    for word in counted.iter().flat_map(BTreeMap::keys) {
        let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
        places.entry(word).or_insert((next, 0)).1 += 1;
    }
    let all = float(texts.len());
    let vector = |counts: &BTreeMap<String, f64>| {
        let weigh = |(word, n): (&String, &f64)| {
            let (place, with) = places[word.as_str()];
            (place, (1.0 + n.ln()) * (1.0 + ((1.0 + all) / (1.0 + float(with))).ln()))
        };
        let mut vector: Vector = counts.iter().map(weigh).collect();
        vector.sort_unstable_by_key(|(place, _)| *place);
        unit(vector)
    };
    counted.iter().map(vector).collect()
}

/// A dense vector as a sparse one of length one.
pub(super) fn sparse(dense: &[f32]) -> Vector {
    let pairs = (0..).zip(dense.iter().map(|value| f64::from(*value)));
    unit(pairs.filter(|(_, value)| *value != 0.0).collect())
}

fn unit(mut vector: Vector) -> Vector {
    let length = vector.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
    if 0.0 < length {
        for (_, value) in &mut vector {
            *value /= length;
        }
    }
    vector
}

/// The cosine of two vectors of length one.
pub(super) fn cosine(a: &Vector, b: &Vector) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += a[i].1 * b[j].1;
                i += 1;
                j += 1;
            }
        }
    }
    sum
}

/// In how many of `texts` each word stands.
pub(super) fn document_counts(texts: &[String]) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for text in texts {
        for word in words(text).collect::<HashSet<_>>() {
            *found.entry(word).or_insert(0) += 1;
        }
    }
    found
}

pub(super) fn float(n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of chunks and words are small")]
    let n = n as f64;
    n
}

/// Scales to a most of 1; all 1 if nothing is above 0.
pub(super) fn scale(mut values: Vec<f64>) -> Vec<f64> {
    let most = values.iter().copied().fold(0.0, f64::max);
    for value in &mut values {
        *value = if 0.0 < most { *value / most } else { 1.0 };
    }
    values
}
