//! A store with something in it, which is put back as it was before each time that it is hurt.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::json;
use vademecum_store::Store as _;

use super::faults::add_some;
use super::home::Home;
use super::ledger;

/// How many notes are in it.
pub(super) const N_NOTES: usize = 40;

/// Its page.
pub(super) const PAGE: &str = "## Plan\n- [ ] wait for the ferry — 渡し船";

/// The session that all of it belongs to.
pub(super) const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000030";

/// Where the last writes of the store lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Log {
    /// In the log: its server was killed.
    Full,
    /// In the database: the log was moved into it.
    Empty,
}

/// A home, and the data folder as it was.
pub(super) struct Template {
    pub(super) home: Home,
    /// What a ledger says of its notes.
    pub(super) lines: Vec<String>,
    kept: PathBuf,
}

impl Template {
    pub(super) fn new(vade: &Path, log: Log) -> Result<Self> {
        let home = Home::new(vade)?;
        ensure!(home.cli(SESSION, &["plan", "init", "a"])?.1 == Some(0), "no plan");
        home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
        let mut server = home.serve(SESSION)?;
        server.wire.object("write_notepad", &json!({"content": PAGE}))?;
        server.wire.object("add_learning", &json!({"content": "before", "plan": "a"}))?;
        let lines = add_some(&mut server.wire, "before", N_NOTES)?;
        drop(server);
        if log == Log::Empty {
            home.store().shrink()?;
        }
        let kept = home.path("kept");
        copy(&home.data(), &kept)?;
        Ok(Self { home, lines, kept })
    }

    /// Puts everything back.
    pub(super) fn restore(&self) -> Result<()> {
        fs::remove_dir_all(self.home.data())?;
        copy(&self.kept, &self.home.data())
    }

    /// The bytes of a file as it was.
    pub(super) fn kept(&self, name: &str) -> Result<Vec<u8>> {
        Ok(fs::read(self.kept.join(name))?)
    }

    /// What of the notes is not there any more; the store must agree with itself.
    pub(super) fn lost(&self) -> Result<Vec<String>> {
        self.home.check_sound()?;
        Ok(ledger::broken(&self.lines, &ledger::find(&self.home, SESSION)?))
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
