//! The throw-away folder, kept by a process of its own, so that it goes when the tour is interrupted.
#![expect(clippy::disallowed_methods, reason = "the tour starts its own program")]

use std::fs::{self, DirBuilder};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};
use vademecum::ops::World;

/// The hidden option by which the keeper is started.
pub(crate) const KEEP: &str = "keep";

/// A folder that another process removes when this one and all that it started have ended in any way.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    keeper: Child,
}

impl Folder {
    /// Starts the keeper, which makes the folder.
    pub(super) fn new(program: &Path, world: &World) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        command.args(["tour", &format!("--{KEEP}")]).env_clear();
        if let Some(folder) = world.var("TMPDIR") {
            command.env("TMPDIR", folder);
        }
        // Ctrl+C reaches the group of the tour, and the keeper must outlive it.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut keeper = command.spawn().context("the keeper of the folder does not start")?;
        let stdin = keeper.stdin.as_ref().context("the keeper has no input")?;
        // Every process of the tour holds this end too: one that outlives a killed tour for a moment
        // would make the folder anew.
        rustix::io::fcntl_setfd(stdin, rustix::io::FdFlags::empty())?;
        let stdout = keeper.stdout.take().context("the keeper has no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let path = PathBuf::from(line.trim_end_matches('\n'));
        ensure!(path.is_absolute(), "no throw-away folder can be made");
        Ok(Self { path, keeper })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until it is gone.
    pub(super) fn remove(mut self) -> anyhow::Result<()> {
        drop(self.keeper.stdin.take());
        self.keeper.wait()?;
        ensure!(!self.path.exists(), "{} could not be removed", self.path.display());
        Ok(())
    }
}

/// Makes a folder, says where, and removes it when nobody holds standard input open any more.
pub(crate) fn keep(world: &World) -> anyhow::Result<()> {
    let path = make(world)?;
    // Whoever was to hear it may be gone by now; the folder goes all the same.
    let said = writeln!(std::io::stdout(), "{}", path.display());
    let read = std::io::stdin().read_to_end(&mut Vec::new());
    fs::remove_dir_all(&path)?;
    said?;
    read?;
    Ok(())
}

fn make(world: &World) -> anyhow::Result<PathBuf> {
    let temporary = world.var("TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute());
    let above = temporary.unwrap_or_else(|| PathBuf::from("/tmp"));
    let path = above.join(format!("vade-tour-{}", (world.new_id)()));
    DirBuilder::new()
        .mode(0o700)
        .create(&path)
        .with_context(|| format!("cannot make a folder in {}", above.display()))?;
    // The harness names real paths, and so do we.
    Ok(fs::canonicalize(path)?)
}
