//! The committed counts, and how they were made.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::figure::Figure;
use crate::step;

/// Where they lie, from the top folder.
pub(super) const PAGE: &str = "xtask/bench/baselines.json";

/// The counts of one machine and one compiler; other compilers give other counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Baselines {
    /// The compiler.
    rustc: String,
    /// The counter.
    valgrind: String,
    /// The machine's kind; nothing above its lowest level is used.
    target: String,
    /// The count of each figure that is held.
    instructions: BTreeMap<String, u64>,
}

impl Baselines {
    /// More than so many percent over the baseline is a regression.
    pub(super) const SLACK: u64 = 5;

    /// Reads the committed page; an absent one holds nothing.
    pub(super) fn read() -> Result<Self> {
        match fs::read(step::root().join(PAGE)) {
            Ok(bytes) => serde_json::from_slice(&bytes).context(PAGE),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).context(PAGE),
        }
    }

    /// These baselines with the counts of `figures`, and how they were made.
    pub(super) fn with(&self, figures: &[Figure]) -> Result<Self> {
        let (rustc, valgrind) = (version("rustc")?, version("valgrind")?);
        let target = format!("{}, baseline features", std::env::consts::ARCH);
        let held = figures.iter().filter(|figure| figure.is_held());
        let mut instructions = self.instructions.clone();
        instructions.extend(held.map(|figure| (figure.name.to_owned(), figure.value)));
        Ok(Self { rustc, valgrind, target, instructions })
    }

    /// Writes the page.
    pub(super) fn write(&self) -> Result<()> {
        let path = step::root().join(PAGE);
        fs::create_dir_all(path.parent().expect("the page lies in a folder")).context(PAGE)?;
        fs::write(path, serde_json::to_string_pretty(self)? + "\n").context(PAGE)
    }

    /// These baselines where they were made by this compiler and counter, else none: others count otherwise.
    pub(super) fn of_these_tools(self) -> Result<Self> {
        let (rustc, valgrind) = (version("rustc")?, version("valgrind")?);
        if self.rustc == rustc && self.valgrind == valgrind {
            return Ok(self);
        }
        eprintln!("{PAGE} was made by {}, {}: only the bounds are held", self.rustc, self.valgrind);
        Ok(Self { rustc, valgrind, ..Self::default() })
    }

    /// What is wrong with `figure`: a count over its baseline, none for a figure that is not held.
    pub(super) fn fault(&self, figure: &Figure) -> Option<String> {
        let &baseline = self.instructions.get(figure.name).filter(|_| figure.is_held())?;
        let is_over = baseline * (100 + Self::SLACK) < figure.value * 100;
        is_over.then(|| {
            let made = format!("{}, {}", self.rustc, self.valgrind);
            let Figure { name, value, .. } = figure;
            format!("{name}: {value} instructions, the baseline is {baseline} (made by {made})")
        })
    }
}

fn version(program: &str) -> Result<String> {
    Ok(step::output(step::command(program).arg("--version"))?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::figure::Unit;
    use super::*;

    #[track_caller]
    fn check(unit: Unit, value: u64, is_faulty: bool) {
        let instructions = BTreeMap::from([("a".to_owned(), 1000)]);
        let baselines = Baselines { instructions, ..Baselines::default() };
        let figure = Figure::new("a", unit, value);
        assert_eq!(baselines.fault(&figure).is_some(), is_faulty, "{value}");
    }

    #[test]
    fn five_percent_more_is_allowed() {
        check(Unit::Instructions, 900, false);
        check(Unit::Instructions, 1050, false);
        check(Unit::Instructions, 1051, true);
        check(Unit::Nanoseconds, 5000, false);
    }
}
