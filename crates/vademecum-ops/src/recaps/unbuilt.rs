//! What stands in the place of method `seed` in a build without it.

use vademecum_core::turn::Turn;
use vademecum_recap::Recap;

use super::methods::{Made, Method, Variant};
use crate::call::Call;

/// The commands of a method that is not there: none.
pub(crate) struct Commands;

impl Commands {
    pub(crate) fn of(_: &Call<'_>) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "the other build knows some")]
    pub(crate) fn faults(&self) -> Vec<String> {
        Vec::new()
    }
}

/// There is none.
#[derive(Debug)]
pub(super) enum Weighing {}

impl Weighing {
    pub(super) fn begin(_: Method) -> Option<Self> {
        None
    }

    pub(super) fn within(self, _: Option<usize>) -> Self {
        self
    }

    pub(super) fn push(&mut self, _: &Turn) {
        match *self {}
    }

    pub(super) fn recap(
        self,
        _: Recap,
        _: Variant,
        _: Option<&mut Commands>,
        _: (usize, &[usize]),
    ) -> Made {
        match self {}
    }
}
