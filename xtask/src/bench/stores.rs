//! The stores that are measured: made once for one state of the code, kept under `target/bench`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::programs::Programs;
use crate::step;

/// The session that every store has.
pub(super) const SESSION: &str = "752d8ae4-4629-4e13-a049-8589267cae64";

/// A store, by what its session holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// No notes.
    Empty,
    /// A thousand notes.
    Thousand,
    /// A hundred thousand notes.
    Many,
    /// A thousand entries of plan and project.
    Entries,
    /// Ten thousand entries of plan and project.
    ManyEntries,
    /// What a full context is made of: a notepad of 6 KB and 20 open notes.
    Full,
}

impl Size {
    pub(super) const ALL: [Self; 6] =
        [Self::Empty, Self::Thousand, Self::Many, Self::Entries, Self::ManyEntries, Self::Full];

    /// Its name, which is a folder's; all are of one length.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Thousand => "thou1",
            Self::Many => "many1",
            Self::Entries => "entr1",
            Self::ManyEntries => "entr2",
            Self::Full => "full1",
        }
    }

    /// How many notes, how many bytes of notepad, and how many entries.
    fn holds(self) -> [usize; 3] {
        match self {
            Self::Empty => [0, 0, 0],
            Self::Thousand => [1000, 0, 0],
            Self::Many => [100_000, 0, 0],
            Self::Entries => [0, 0, 1000],
            Self::ManyEntries => [0, 0, 10_000],
            Self::Full => [20, 6 * 1024, 0],
        }
    }
}

/// The stores as they were made; they are copied and never written.
pub(super) struct Stores {
    folder: PathBuf,
}

impl Stores {
    /// Makes the stores where they are absent or made by other code.
    pub(super) fn provide(programs: &Programs) -> Result<Self> {
        let folder = step::target().join("bench").join(state_of_code()?);
        for size in Size::ALL.into_iter().filter(|size| !folder.join(size.name()).is_dir()) {
            step::timed(&format!("make the store {}", size.name()), || {
                make(programs, &folder, size)
            })?;
        }
        Ok(Self { folder })
    }

    /// Copies the store of this size into `folder`.
    pub(super) fn copy(&self, size: Size, folder: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        for entry in fs::read_dir(self.folder.join(size.name()))? {
            let entry = entry?;
            fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
        Ok(())
    }
}

/// Makes a store beside its place and moves it there whole.
fn make(programs: &Programs, folder: &Path, size: Size) -> Result<()> {
    let draft = folder.join(format!("draft-{}", std::process::id()));
    fs::create_dir_all(&draft)?;
    let mut command = Command::new(programs.path("bench-stores"));
    command.arg(draft.join("vade.db")).arg(SESSION);
    step::run(command.args(size.holds().map(|n| n.to_string())))?;
    fs::rename(&draft, folder.join(size.name())).context("cannot move the store into place")
}

/// A name for the code that a store is made by: another schema or other keys, another store.
fn state_of_code() -> Result<String> {
    let mut files = vec![step::root().join("xtask/floors/src/bin/bench-stores.rs")];
    for folder in ["vademecum-sqlite/src", "vademecum-sqlite/src/schema"] {
        rust_and_sql(&step::root().join("crates").join(folder), &mut files)?;
    }
    rust_and_sql(&step::root().join("crates/vademecum-core/src/search"), &mut files)?;
    files.sort();
    let mut bytes = Vec::new();
    for file in files {
        bytes.extend(fs::read(&file).with_context(|| file.display().to_string())?);
    }
    Ok(vademecum_core::hash::hex(&vademecum_core::hash::plain(&bytes), 8))
}

fn rust_and_sql(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "rs" || end == "sql") {
            files.push(path);
        }
    }
    Ok(())
}
