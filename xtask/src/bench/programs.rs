//! The programs that are measured and their floors, built with the profile that people get.

use std::path::PathBuf;

use anyhow::Result;

use crate::step;

/// The programs, by where they lie.
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds the product and the floors.
    pub(super) fn build() -> Result<Self> {
        step::build_released_vade()?;
        Ok(Self { folder: step::target().join("release") })
    }

    /// The program `name`.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}
