//! Opens a store by its address.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use vademecum_ops::world::{Folders, World};
use vademecum_ops::{Config, OpError};
pub use vademecum_sqlite::backup::{Restored, back_up, restore};
pub use vademecum_sqlite::disk::{Size, is_same, size, sync_time};
pub use vademecum_sqlite::repair::{Report, Saved, copies, repair};
use vademecum_sqlite::{Options, Sqlite};

/// How long an opener can wait for other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A hook: milliseconds, since a person waits.
    Hook,
    /// A command or a server: up to half a minute.
    Command,
    /// What these do beside their work: milliseconds, since nobody has asked for it.
    Beside,
}

/// The name of the database in the data folder.
const FILE: &str = "vade.db";

/// Where the store lies: named by the caller, `VADE_STORE`, the configuration, else in the data folder.
pub fn path(named: Option<&OsStr>, world: &World, config: &Config) -> Result<PathBuf, OpError> {
    let variable = (world.env)("VADE_STORE").filter(|value| !value.is_empty());
    let configured = config.store.as_ref().map(std::ffi::OsString::from);
    match named.map(OsStr::to_owned).or(variable).or(configured) {
        Some(address) => from_address(&address, &world.folders),
        None if world.folders.are_of_nobody(&*world.env) => {
            Err(OpError::usage("HOME is no absolute path: there is no folder for the store")
                .hint("set HOME to the person's own folder, or XDG_DATA_HOME to another"))
        }
        None => Ok(world.folders.data.join(FILE)),
    }
}

/// `sqlite:PATH` or a plain path; a relative one is seen from the current folder.
fn from_address(address: &OsStr, folders: &Folders) -> Result<PathBuf, OpError> {
    let Some(text) = address.to_str() else {
        return Ok(folders.work.join(address));
    };
    if let Some((scheme, _)) = text.split_once("://").filter(|(scheme, _)| *scheme != "sqlite") {
        let message = format!("store address \"{scheme}://…\" is not known: use sqlite:PATH");
        return Err(OpError::usage(message));
    }
    if text.starts_with("memory:") {
        return Err(OpError::usage("store address memory: is gone with the process that made it")
            .hint("name a file: sqlite:PATH or a path, ./memory: for one of that name"));
    }
    let path =
        text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")).unwrap_or(text);
    if path.is_empty() {
        return Err(OpError::usage("the store address names no file: use sqlite:PATH"));
    }
    Ok(folders.work.join(path))
}

/// Names the store at `path`; nothing is opened or made before the first call.
#[must_use]
pub fn open(path: &Path, patience: Patience) -> Sqlite {
    let options = match patience {
        Patience::Hook => Options::hook(),
        Patience::Command => Options::patient(),
        Patience::Beside => Options::beside(),
    };
    Sqlite::at(path, options)
}
