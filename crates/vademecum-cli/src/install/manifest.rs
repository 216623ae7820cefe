//! The list of every file that installing ever made or changed, kept in the data folder.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vademecum::core::hash;
use vademecum::ops::OpError;

use super::files;

/// The version of the list's form.
const VERSION: u32 = 1;

/// Everything that installing made or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    /// The folder of the list that it was made in; none where an earlier vade made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made_in: Option<KeptPath>,
    pub(crate) entries: Vec<Entry>,
}

/// One file or folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) path: KeptPath,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// What a file is, and what it takes to undo our change of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub(crate) enum What {
    /// The harness's settings, changed by us.
    Settings(Wired),
    /// The harness's list of MCP servers, changed by us.
    Servers(Wired),
    /// The hooks of Codex, changed by us.
    CodexHooks(Wired),
    /// The configuration of Codex, changed by us.
    CodexConfig(Wired),
    /// A file of ours by which a person calls us in a harness.
    Command {
        /// Where it lies, below the harness's folder.
        name: String,
        #[serde(flatten)]
        wired: Wired,
    },
    /// The copy of this program.
    Binary {
        /// The hash of what was copied; none where an older program made way for it, or an earlier vade copied it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copied: Option<String>,
    },
    /// A folder that was not there.
    Folder,
}

/// How a file that we changed looked without us, and how we left it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wired {
    /// The backup with the bytes that it has without us; none if there was no file.
    pub(crate) base: Option<String>,
    /// The hash of the bytes that we wrote; none once our entries are out again.
    pub(crate) after: Option<String>,
}

/// A path as it is kept: text, or its bytes in hexadecimal where it is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum KeptPath {
    Text(String),
    Bytes { hex: String },
}

impl From<&Path> for KeptPath {
    fn from(path: &Path) -> Self {
        let bytes = path.as_os_str().as_bytes();
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes { hex: hash::hex(bytes, bytes.len()) },
        }
    }
}

impl KeptPath {
    pub(crate) fn to_path(&self) -> PathBuf {
        match self {
            Self::Text(text) => PathBuf::from(text),
            Self::Bytes { hex } => {
                let digits = hex.as_bytes().chunks(2).filter_map(|pair| str::from_utf8(pair).ok());
                let bytes = digits.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
                PathBuf::from(OsString::from_vec(bytes))
            }
        }
    }
}

/// The hash by which a file's bytes are known again.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    hash::hex(&hash::plain(bytes), 16)
}

/// The folder of the list and of the backups.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    folder: PathBuf,
}

impl Records {
    /// The records in the data folder `data`.
    pub(crate) fn of(data: &Path) -> Self {
        Self { folder: data.join("install") }
    }

    /// Where they lie.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }

    /// Reads the list; an empty one if nothing was ever installed.
    pub(crate) fn load(&self) -> Result<Manifest, OpError> {
        let broken = |what: String| {
            OpError::broken(format!("{}: {what}", self.file().display()))
                .hint("move the file away and run the same command again")
        };
        let bytes = files::read(&self.file()).map_err(|error| broken(error.to_string()))?;
        let Some(bytes) = bytes else {
            return Ok(Manifest::empty());
        };
        let found: Manifest =
            serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
        if VERSION < found.version {
            let what = format!("made by a later vade: version {}, known {VERSION}", found.version);
            return Err(broken(what).hint("install a current vade"));
        }
        // A copied list tells of files of the home that it was copied from, which stay as they are.
        Ok(if self.is_of_here(&found) { found } else { Manifest::empty() })
    }

    /// Whether a list was made here, by whatever name this folder went then.
    fn is_of_here(&self, manifest: &Manifest) -> bool {
        let id = |path: &Path| path.metadata().map(|meta| (meta.dev(), meta.ino())).ok();
        let made_in = manifest.made_in.as_ref().map(KeptPath::to_path);
        made_in.is_none_or(|made_in| {
            made_in == self.folder
                || id(&made_in).is_some_and(|made_in| Some(made_in) == id(&self.folder))
        })
    }

    /// Writes the list.
    pub(crate) fn save(&self, manifest: &Manifest) -> Result<(), OpError> {
        let made_in = Some(KeptPath::from(self.folder.as_path()));
        let manifest = Manifest { made_in, ..manifest.clone() };
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|error| OpError::broken(format!("the list of files is no JSON: {error}")))?;
        files::make_private_folder(&self.folder)
            .and_then(|()| files::replace(&self.file(), (text + "\n").as_bytes(), 0o600))
            .map_err(|error| failed("write", &self.file(), &error))
    }

    /// Keeps `bytes` of the file at `path`; the name of the backup.
    pub(crate) fn back_up(&self, path: &Path, bytes: &[u8]) -> Result<String, OpError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{}.{}.bak", name.trim_start_matches('.'), fingerprint(bytes));
        let file = self.folder.join(&name);
        let put = || {
            files::make_private_folder(&self.folder)?;
            if file.exists() { Ok(()) } else { files::replace(&file, bytes, 0o600) }
        };
        put().map_err(|error| failed("write", &file, &error))?;
        Ok(name)
    }

    /// The bytes of the backup `name`, if it is there and whole.
    pub(crate) fn backup(&self, name: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.folder.join(name)).ok()?;
        name.contains(&fingerprint(&bytes)).then_some(bytes)
    }
}

/// A file that could not be dealt with.
pub(crate) fn failed(doing: &str, path: &Path, error: &std::io::Error) -> OpError {
    OpError::broken(format!("cannot {doing} {}: {error}", path.display()))
}

impl Manifest {
    fn empty() -> Self {
        Self { version: VERSION, made_in: None, entries: Vec::new() }
    }

    /// What is known of the file at `path`.
    pub(crate) fn find(&self, path: &Path) -> Option<&What> {
        let path = KeptPath::from(path);
        self.entries.iter().find(|entry| entry.path == path).map(|entry| &entry.what)
    }

    /// Puts what is known of the file at `path` in the place of what was.
    pub(crate) fn put(&mut self, path: &Path, what: What) {
        let path = KeptPath::from(path);
        match self.entries.iter_mut().find(|entry| entry.path == path) {
            Some(entry) => entry.what = what,
            None => self.entries.push(Entry { path, what }),
        }
    }
}
