//! Checks everything that has to work together, and says how to mend what does not.

mod delivery;
pub(crate) mod holder;
mod lasting;
mod modes;
mod plans;
mod program;
mod project;
mod repair;
mod store;
mod wiring;

use std::path::PathBuf;

use serde::Serialize;
use serde_json::json;
use vademecum::Address;
use vademecum::ops::{Config, OpError, Reply, World};
use vademecum::port::READ_ONLY;

use crate::install::shell::Shell;
use crate::install::short;

/// What there is to look at.
#[derive(Debug)]
pub(crate) struct Doctor<'a> {
    /// The outside world.
    pub(crate) world: &'a World,
    /// What is set, or why that is not known.
    pub(crate) config: Result<&'a Config, OpError>,
    /// The program that runs.
    pub(crate) running: PathBuf,
    /// The store.
    pub(crate) address: Address,
    /// Its file; empty where a server keeps it.
    pub(crate) database: PathBuf,
    /// Whether every page of the store is read.
    pub(crate) is_deep: bool,
}

/// How well something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// As it should be.
    Ok,
    /// It works, and could be better.
    Warn,
    /// It does not work.
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    level: Level,
    about: &'static str,
    text: String,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

impl Finding {
    fn ok(about: &'static str, text: impl Into<String>) -> Self {
        Self { level: Level::Ok, about, text: text.into(), mend: None }
    }

    fn warn(about: &'static str, text: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { level: Level::Warn, about, text: text.into(), mend: Some(mend.into()) }
    }

    fn bad(about: &'static str, text: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { level: Level::Bad, about, text: text.into(), mend: Some(mend.into()) }
    }
}

/// All that was found.
#[derive(Debug)]
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Doctor<'_> {
    /// Looks at everything; changes nothing.
    pub(crate) fn check(&self) -> Report {
        let shell = Shell::of(self.world);
        let store = vademecum::open(&self.address, self.world, vademecum::Patience::Command);
        let mut findings = match &self.address {
            Address::File(_) => [store::check(self, &store), modes::check(self)].concat(),
            Address::Server(_) => store::on_server(self, &store),
        };
        findings.extend(self.writes());
        findings.extend(program::check(self, &shell));
        findings.extend(wiring::check(self, &shell));
        findings.extend(project::check(self, &store));
        findings.extend(plans::check(self, &store));
        findings.extend(delivery::check(self, &store));
        Report { findings }
    }

    /// Whether nothing is written, as a person asked for.
    fn writes(&self) -> Option<Finding> {
        let text = format!("{READ_ONLY} is set: nothing is written");
        self.world.is_read_only().then(|| Finding::ok("writes", text))
    }

    /// Saves the store if it is damaged, and makes its index anew.
    pub(crate) fn repair(&self) -> Result<Reply, OpError> {
        repair::run(self)
    }

    /// The address of the store of this name, unless it is the one that is looked at.
    fn another_store(&self, name: Option<&String>) -> Option<String> {
        let name = name.filter(|name| **name != self.address.name(self.world))?;
        Some(Address::of_name(name, self.world))
    }

    /// A path as people read it.
    fn short(&self, path: &std::path::Path) -> String {
        short(path, &self.world.folders.home)
    }
}

impl Report {
    /// Whether something does not work.
    pub(crate) fn is_bad(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Bad)
    }

    /// One line for each finding, and one for what mends it.
    pub(crate) fn reply(&self) -> Reply {
        let mut lines = Vec::new();
        for Finding { level, about, text, mend } in &self.findings {
            let level = match level {
                Level::Ok => "ok",
                Level::Warn => "warn",
                Level::Bad => "bad",
            };
            lines.push(format!("{level:<5}{about:<12}{text}\n"));
            lines.extend(mend.iter().map(|mend| format!("                 fix: {mend}\n")));
        }
        Reply { object: json!({ "findings": self.findings }), text: lines.concat() }
    }
}
