//! One figure: what was measured, against which floor, and what it may be.

use serde::Serialize;

/// In what a figure is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unit {
    /// Instructions, as callgrind counts them.
    Instructions,
    /// Time on the wall, the median.
    Nanoseconds,
    /// The most memory that was resident.
    Kibibytes,
}

/// What a figure may be at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Bound {
    /// So many times its floor.
    Ratio(f64),
    /// So much.
    Most(u64),
}

/// What a figure is compared with, measured in the same run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Floor {
    pub(super) name: &'static str,
    pub(super) value: u64,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    pub(super) value: u64,
    pub(super) floor: Option<Floor>,
    /// The ratio to the floor: of the values, or the median of paired runs.
    pub(super) ratio: Option<f64>,
    pub(super) bound: Option<Bound>,
}

impl Figure {
    /// A figure alone.
    pub(super) fn new(name: &'static str, unit: Unit, value: u64) -> Self {
        Self { name, unit, value, floor: None, ratio: None, bound: None }
    }

    /// The figure against a floor of the same run.
    pub(super) fn against(self, name: &'static str, value: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a ratio is shown with two digits")]
        let ratio = self.value as f64 / value.max(1) as f64;
        Self { floor: Some(Floor { name, value }), ratio: Some(ratio), ..self }
    }

    /// The figure with the ratio of paired runs in place of that of the medians.
    pub(super) fn paired(self, ratio: f64) -> Self {
        Self { ratio: Some(ratio), ..self }
    }

    /// The figure with what it may be.
    pub(super) fn within(self, bound: Bound) -> Self {
        Self { bound: Some(bound), ..self }
    }

    /// Whether it is over its bound; a figure without one never is.
    pub(super) fn is_over(&self) -> bool {
        match self.bound {
            Some(Bound::Ratio(most)) => self.ratio.is_some_and(|ratio| most < ratio),
            Some(Bound::Most(most)) => most < self.value,
            None => false,
        }
    }

    /// Whether it holds a change back: times differ from machine to machine, counts do not.
    pub(super) fn is_held(&self) -> bool {
        match self.unit {
            Unit::Instructions => true,
            Unit::Nanoseconds | Unit::Kibibytes => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_a_ratio_or_a_most() {
        let figure = || Figure::new("a", Unit::Nanoseconds, 30);
        assert!(!figure().is_over());
        assert!(!figure().against("b", 10).within(Bound::Ratio(3.0)).is_over());
        assert!(figure().against("b", 10).within(Bound::Ratio(2.9)).is_over());
        assert!(figure().against("b", 10).paired(3.5).within(Bound::Ratio(3.0)).is_over());
        assert!(!figure().within(Bound::Most(30)).is_over());
        assert!(figure().within(Bound::Most(29)).is_over());
    }
}
