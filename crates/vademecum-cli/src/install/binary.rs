//! Where the program lies that a harness starts: in a place that stays, never among build results.

use std::path::{Path, PathBuf};

use vademecum::ops::OpError;

use super::manifest::{Manifest, What, failed, fingerprint};
use super::shell::Shell;
use super::{files, mark};

/// The name of the program.
pub(crate) const NAME: &str = "vade";

/// Folders of a home that people keep programs in, the usual one first.
const USUAL: [&str; 3] = [".local/bin", "bin", ".cargo/bin"];

/// The program that is to be wired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binary {
    /// Where it is started from.
    pub(crate) path: PathBuf,
    /// What has to be done for it to be there.
    pub(crate) step: Step,
}

/// What has to be done for the program to be in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing: it is there.
    Stay,
    /// A copy of the running one.
    Copy,
    /// A copy over an older one of ours, of this version.
    Replace(String),
}

/// What the choice of a place goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// The program that runs.
    pub(crate) running: &'a Path,
    /// The folder that the person named.
    pub(crate) folder: Option<&'a Path>,
    /// The person's own folder.
    pub(crate) home: &'a Path,
    /// Where programs are looked for.
    pub(crate) shell: &'a Shell,
    /// What was installed before.
    pub(crate) manifest: &'a Manifest,
}

impl Choice<'_> {
    /// Finds the place; a program of somebody else there is left alone.
    pub(crate) fn binary(&self) -> Result<Binary, OpError> {
        if self.folder.is_none()
            && let Some(path) = self.stable()
        {
            return Ok(Binary { path, step: Step::Stay });
        }
        let path = self.wanted_folder()?.join(NAME);
        let step = self.step_at(&path)?;
        if step != Step::Stay {
            files::check_writable(&path).map_err(|why| {
                let message = format!("the program cannot be put at {}: {why}", path.display());
                OpError::denied(message).hint("name another folder with --bin-dir")
            })?;
        }
        Ok(Binary { path, step })
    }

    /// The running program where it may be wired as it is, by the name that stays over upgrades.
    fn stable(&self) -> Option<PathBuf> {
        let is_running =
            |path: &PathBuf| std::fs::canonicalize(path).is_ok_and(|found| found == self.running);
        let named = self.shell.all(NAME).find(is_running);
        let path = named.unwrap_or_else(|| self.running.to_owned());
        let is_named = path.file_name().is_some_and(|name| name == NAME);
        (is_named && self.shell.is_stable(self.running) && self.shell.is_stable(&path))
            .then_some(path)
    }

    fn wanted_folder(&self) -> Result<PathBuf, OpError> {
        if let Some(folder) = self.folder {
            return if self.shell.is_stable(folder) {
                Ok(folder.to_owned())
            } else {
                let message = format!("{} holds what is built or temporary", folder.display());
                Err(OpError::usage(message).hint("name a folder that stays with --bin-dir"))
            };
        }
        let before =
            self.manifest.entries.iter().filter(|entry| matches!(entry.what, What::Binary { .. }));
        let before = before.map(|entry| entry.path.to_path()).find(|path| path.is_file());
        if let Some(folder) = before.as_deref().and_then(Path::parent) {
            return Ok(folder.to_owned());
        }
        let is_ready = |folder: &PathBuf| {
            self.shell.looks_in(folder) && files::check_writable(&folder.join(NAME)).is_ok()
        };
        let usual = USUAL.map(|folder| self.home.join(folder));
        Ok(usual.iter().find(|folder| is_ready(folder)).unwrap_or(&usual[0]).clone())
    }

    fn step_at(&self, path: &Path) -> Result<Step, OpError> {
        if path.symlink_metadata().is_err() {
            return Ok(Step::Copy);
        }
        let bytes = files::read(path).map_err(|error| failed("read", path, &error))?;
        let running = read_running(self.running)?;
        match bytes {
            // A link to what is built shows the same bytes, and will not stay.
            Some(bytes) if bytes == running && self.shell.is_stable(path) => Ok(Step::Stay),
            Some(bytes) => match mark::version(&bytes) {
                Some(version) => Ok(Step::Replace(version)),
                None => Err(foreign(path)),
            },
            None => Err(foreign(path)),
        }
    }
}

fn foreign(path: &Path) -> OpError {
    OpError::conflict(format!("{} is another program, not vademecum's", path.display()))
        .hint("move it away, or name another folder with --bin-dir")
}

/// The bytes of the running program.
fn read_running(path: &Path) -> Result<Vec<u8>, OpError> {
    std::fs::read(path).map_err(|error| failed("read", path, &error))
}

impl Binary {
    /// Copies the running program into its place; whoever runs the older one goes on with it.
    pub(crate) fn put(&self, running: &Path) -> Result<(), OpError> {
        if self.step == Step::Stay {
            return Ok(());
        }
        let bytes = read_running(running)?;
        let put = || {
            if let Some(folder) = self.path.parent() {
                files::make_program_folder(folder)?;
            }
            files::put_new(&self.path, &bytes, 0o755)
        };
        put().map_err(|error| failed("write", &self.path, &error))
    }

    /// The hash of the copy that is to be made; none where it takes the place of a program that we did not put there.
    pub(crate) fn copied(
        &self,
        running: &Path,
        manifest: &Manifest,
    ) -> Result<Option<String>, OpError> {
        let copied = || Ok(Some(fingerprint(&read_running(running)?)));
        match &self.step {
            Step::Stay => Ok(None),
            Step::Copy => copied(),
            Step::Replace(_) => {
                let known = manifest.find(&self.path);
                let Some(What::Binary { copied: Some(known) }) = known else { return Ok(None) };
                let there = files::read(&self.path);
                let there = there.map_err(|error| failed("read", &self.path, &error))?;
                if there.is_some_and(|bytes| fingerprint(&bytes) == *known) {
                    copied()
                } else {
                    Ok(None)
                }
            }
        }
    }

    /// What has to be done, as a line for people; none if nothing.
    pub(crate) fn change(&self, running: &Path) -> Option<String> {
        let from = running.display();
        match &self.step {
            Step::Stay => None,
            Step::Copy => Some(format!("copy this program here from {from}")),
            Step::Replace(version) => {
                Some(format!("replace vade {version} by vade {} from {from}", mark::VERSION))
            }
        }
    }
}
