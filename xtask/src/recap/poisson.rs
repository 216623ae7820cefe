//! Poisson regression: weights whose sum over the features is the logarithm of what is expected.

/// How strongly weights are held down, as a share of one row.
const PENALTY: f64 = 1e-3;

/// How many Newton steps are made.
const STEPS: usize = 30;

/// Features and what came of them.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) features: Vec<Vec<f32>>,
    pub(super) worths: Vec<f64>,
}

/// One weight a feature, and the constant.
pub(super) fn fit(rows: &Rows) -> (Vec<f64>, f64) {
    let scales = scales(rows);
    let n = rows.features[0].len() + 1;
    let mut weights = vec![0.0; n];
    weights[n - 1] = mean(rows.worths.iter().copied()).max(1e-9).ln();
    let rows = &standard(rows, &scales);
    let mut best = loss(rows, &weights);
    for _ in 0..STEPS {
        let (slope, bend) = derivatives(rows, &weights);
        let step = solve(bend, slope);
        let Some((less, next)) = downhill(rows, &weights, &step, best) else { break };
        let gained = best - less;
        (best, weights) = (less, next);
        if gained < 1e-9 {
            break;
        }
    }
    let raw: Vec<f64> =
        weights.iter().zip(&scales).map(|(weight, (_, spread))| weight / spread).collect();
    let shift: f64 = raw.iter().zip(&scales).map(|(weight, (mean, _))| weight * mean).sum();
    (raw, weights[n - 1] - shift)
}

/// The mean and the spread of each feature.
fn scales(rows: &Rows) -> Vec<(f64, f64)> {
    let column = |idx: usize| rows.features.iter().map(move |row| f64::from(row[idx]));
    let scale = |idx| {
        let middle = mean(column(idx));
        let spread = mean(column(idx).map(|it| (it - middle).powi(2))).sqrt();
        (middle, spread.max(1e-6))
    };
    (0..rows.features[0].len()).map(scale).collect()
}

/// The rows with features of mean 0 and spread 1, and a 1 for the constant.
fn standard(rows: &Rows, scales: &[(f64, f64)]) -> Standard {
    let row = |features: &Vec<f32>| {
        let both = features.iter().zip(scales);
        let even = both.map(|(value, (mean, spread))| (f64::from(*value) - mean) / spread);
        even.chain([1.0]).collect()
    };
    Standard { rows: rows.features.iter().map(row).collect(), worths: rows.worths.clone() }
}

struct Standard {
    rows: Vec<Vec<f64>>,
    worths: Vec<f64>,
}

impl Standard {
    fn share(&self) -> f64 {
        1.0 / f64::from(u32::try_from(self.rows.len()).unwrap_or(u32::MAX))
    }
}

fn sum(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>().min(30.0)
}

/// What is to be made least.
fn loss(data: &Standard, weights: &[f64]) -> f64 {
    let one = |(row, worth): (&Vec<f64>, &f64)| {
        let sum = sum(row, weights);
        sum.exp() - worth * sum
    };
    let held: f64 = weights[..weights.len() - 1].iter().map(|weight| weight * weight).sum();
    data.share() * data.rows.iter().zip(&data.worths).map(one).sum::<f64>() + PENALTY * held / 2.0
}

/// The longest part of a step that leads downhill, and where to.
fn downhill(data: &Standard, weights: &[f64], step: &[f64], best: f64) -> Option<(f64, Vec<f64>)> {
    let mut part = 1.0;
    while 1e-4 < part {
        let next: Vec<f64> =
            weights.iter().zip(step).map(|(weight, by)| weight - part * by).collect();
        let found = loss(data, &next);
        if found < best {
            return Some((found, next));
        }
        part /= 2.0;
    }
    None
}

/// The first and second derivatives of the loss.
fn derivatives(data: &Standard, weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = weights.len();
    let (mut slope, mut bend) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    let share = data.share();
    for (row, worth) in data.rows.iter().zip(&data.worths) {
        let expected = sum(row, weights).exp();
        for i in 0..n {
            slope[i] += share * (expected - worth) * row[i];
            for j in 0..=i {
                bend[i][j] += share * expected * row[i] * row[j];
            }
        }
    }
    for i in 0..n {
        let penalty = if i + 1 < n { PENALTY } else { 1e-9 };
        slope[i] += penalty * weights[i];
        bend[i][i] += penalty;
    }
    (slope, bend)
}

/// Solves `matrix * x = right` by Cholesky; the lower half of `matrix` counts.
pub(super) fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
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

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for value in values {
        sum += value;
        n += 1.0;
    }
    if n == 0.0 { 0.0 } else { sum / n }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_weights_that_made_the_worths() {
        let mut rows = Rows::default();
        for n in 0..400_u16 {
            let (a, b) = (f32::from(n % 7) / 3.0, f32::from(n % 5) / 2.0);
            rows.worths.push((0.5 * f64::from(a) - 0.8 * f64::from(b) + 0.1).exp());
            rows.features.push(vec![a, b]);
        }
        let (weights, constant) = fit(&rows);
        assert!((weights[0] - 0.5).abs() < 0.02, "{weights:?}");
        assert!((weights[1] + 0.8).abs() < 0.02, "{weights:?}");
        assert!((constant - 0.1).abs() < 0.05, "{constant}");
    }
}
