//! A disk whose power can be cut: beside the store lies what would be left of it.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, Result, bail};

use super::home::Home;

/// What puts the name of a new file on disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The sync of its folder alone, which is all that POSIX promises.
    WithTheFolder,
    /// The sync of the file as well, as the journals of ext4, XFS and Btrfs have it.
    WithTheFile,
}

/// A home on such a disk.
pub(super) struct Disk {
    /// The home; its processes run under the shim.
    pub(super) home: Home,
    /// What is on disk: `f/` the bytes of files, `d/` the names in folders, each by its key.
    shadow: PathBuf,
}

/// How a disk behaves.
#[derive(Clone)]
pub(super) struct Kind {
    /// The built shim.
    pub(super) shim: PathBuf,
    pub(super) names: Names,
    /// Syncs of paths that contain this are lost; nothing for an honest disk.
    pub(super) deaf: &'static str,
}

impl Disk {
    /// The disk of `home`; what lies there already is on it.
    pub(super) fn of(home: &Home, kind: &Kind, shadow: PathBuf) -> Result<Self> {
        private(&home.data())?;
        for part in ["f", "d"] {
            fs::create_dir_all(shadow.join(part))?;
        }
        File::create(shadow.join("lock"))?;
        keep(&home.data(), &shadow)?;
        let names = match kind.names {
            Names::WithTheFolder => "folder",
            Names::WithTheFile => "own",
        };
        let home = home
            .with("LD_PRELOAD", &kind.shim)
            .with("POWER_ROOT", fs::canonicalize(home.data())?)
            .with("POWER_SHADOW", &shadow)
            .with("POWER_NAMES", names)
            .with("POWER_DEAF", kind.deaf);
        Ok(Self { home, shadow })
    }

    /// How many syncs the shim has seen.
    pub(super) fn syncs(&self) -> Result<u64> {
        Ok(fs::metadata(self.shadow.join("lock"))?.len())
    }

    /// Puts into `data` what a cut at this moment would leave.
    pub(super) fn cut(&self, data: &Path) -> Result<()> {
        let lock = File::open(self.shadow.join("lock"))?;
        // No sync is half done while it is held.
        lock.lock()?;
        let root = key(&fs::metadata(self.home.data())?)?;
        leave(&self.shadow, &root, &data.join("vademecum"))
    }
}

/// The name of a file for as long as the disk lives, as the shim makes it.
fn key(meta: &Metadata) -> Result<String> {
    let born = meta.created().context("this file system knows no time of birth")?;
    let born = born.duration_since(UNIX_EPOCH)?;
    Ok(format!("{}.{}.{}", meta.ino(), born.as_secs(), born.subsec_nanos()))
}

/// Puts all of `folder` on the disk.
fn keep(folder: &Path, shadow: &Path) -> Result<()> {
    let mut lines = String::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, meta) = (entry.path(), entry.metadata()?);
        let own = key(&meta)?;
        let name = entry.file_name().into_string().ok().context("an odd name")?;
        let kind = if meta.is_dir() { 'd' } else { 'f' };
        writeln!(lines, "{kind} {own} {name}")?;
        if meta.is_dir() {
            keep(&path, shadow)?;
        } else {
            fs::copy(path, shadow.join("f").join(own))?;
        }
    }
    Ok(fs::write(shadow.join("d").join(key(&fs::metadata(folder)?)?), lines)?)
}

/// Makes of what is on disk under `key` the folder `into`.
fn leave(shadow: &Path, key: &str, into: &Path) -> Result<()> {
    private(into)?;
    // A folder that was never synced has its name and is empty.
    let lines = fs::read_to_string(shadow.join("d").join(key)).unwrap_or_default();
    for line in lines.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(kind), Some(own), Some(name)) = (words.next(), words.next(), words.next()) else {
            bail!("the shim wrote {line:?}");
        };
        if kind == "d" {
            leave(shadow, own, &into.join(name))?;
        } else {
            // A file whose bytes were never synced has its name and is empty.
            let bytes = fs::read(shadow.join("f").join(own)).unwrap_or_default();
            let mut options = OpenOptions::new();
            let mut file =
                options.create_new(true).write(true).mode(0o600).open(into.join(name))?;
            file.write_all(&bytes)?;
        }
    }
    Ok(())
}

fn private(folder: &Path) -> Result<()> {
    Ok(DirBuilder::new().recursive(true).mode(0o700).create(folder)?)
}
