//! What a task needs from the machine: it is looked for, and in CI installed when it is absent.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};

use crate::step;

/// A program of the system, and the Debian package that brings it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
}

pub(crate) const NPM: Program = Program { name: "npm", package: "npm" };

pub(crate) const GIT: Program = Program { name: "git", package: "git" };

/// Whether nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}

impl Program {
    /// Whether the program is on the path.
    pub(crate) fn is_here(&self) -> bool {
        let folders = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&folders).any(|folder| folder.join(self.name).is_file())
    }

    /// Says what is lacking and what brings it.
    pub(crate) fn lack(&self) -> String {
        format!("no {} on the path (Debian: apt-get install {})", self.name, self.package)
    }

    /// Makes sure that the program is there; only CI installs, and nowhere else than on Debian.
    pub(crate) fn provide(&self) -> Result<()> {
        if self.is_here() {
            return Ok(());
        }
        if !is_ci() || !Path::new("/usr/bin/apt-get").exists() {
            bail!("{}", self.lack());
        }
        install(self.package)
    }
}

/// Installs a package of Debian.
pub(crate) fn install(package: &str) -> Result<()> {
    step::timed(&format!("install {package}"), || {
        let quiet = [("DEBIAN_FRONTEND", "noninteractive")];
        step::run(step::command("apt-get").args(["update", "--quiet=2"]))?;
        let install = ["install", "--yes", "--quiet=2", "--no-install-recommends"];
        step::run(step::command("apt-get").args(install).arg(package).envs(quiet))
    })
}

/// What was started; what lacks is said, and in CI an error.
pub(crate) fn or_skip<T>(what: &str, started: Result<T, String>) -> Result<Option<T>> {
    match started {
        Ok(started) => Ok(Some(started)),
        Err(lack) if is_ci() => bail!("{lack}"),
        Err(lack) => {
            eprintln!("skipped {what}: {lack}; CI runs them");
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_and_says_what_is_not() {
        assert!(Program { name: "sh", package: "dash" }.is_here());
        let absent = Program { name: "no-such-program", package: "nothing" };
        assert!(!absent.is_here());
        let lack = "no no-such-program on the path (Debian: apt-get install nothing)";
        assert_eq!(absent.lack(), lack);
    }
}
