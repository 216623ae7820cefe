//! A home of its own for one test, and the command run in it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The program under test.
pub(crate) const VADE: &str = env!("CARGO_BIN_EXE_vade");

/// A person's own folder, and what is beside it.
pub(crate) struct Home {
    top: TempDir,
    pub(crate) path: PathBuf,
    /// What every process here has in its environment beside what [`Home::command`] sets.
    pub(crate) variables: Vec<(&'static str, &'static str)>,
}

/// What a run said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self::named(OsStr::new("home"))
    }

    /// A home with this name.
    pub(crate) fn named(name: &OsStr) -> Self {
        // Beside the program, so that a link to it can stand for a copy: a file that is written
        // while another test starts a process cannot be run.
        let top = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        // A repository of its own, so that this one's is not found.
        fs::create_dir(top.path().join(".git")).expect("a folder");
        fs::write(top.path().join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
        let path = top.path().join(name);
        fs::create_dir_all(&path).expect("a home");
        Self { top, path, variables: Vec::new() }
    }

    /// A home where the program is in its place already, so that nothing is copied.
    pub(crate) fn with_program() -> Self {
        let home = Self::new();
        home.place_program();
        home
    }

    pub(crate) fn place_program(&self) {
        fs::create_dir_all(self.path(".local/bin")).expect("a folder");
        fs::hard_link(VADE, self.program()).expect("a link");
    }

    pub(crate) fn path(&self, within: &str) -> PathBuf {
        self.path.join(within)
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.path(".local/bin/vade")
    }

    pub(crate) fn write(&self, within: &str, text: impl AsRef<[u8]>) {
        let path = self.path(within);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn read(&self, within: &str) -> Option<String> {
        fs::read(self.path(within)).ok().map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    }

    /// `program` in this home, with nothing of the developer's machine around it.
    #[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let path = format!("{}:/usr/bin:/bin", self.path(".local/bin").display());
        command.current_dir(&self.path).env_clear().env("PATH", path).env("SHELL", "/bin/bash");
        command.envs(self.variables.iter().copied());
        command.env("HOME", &self.path).stdin(Stdio::null());
        command
    }

    /// Runs the program that lies in its place, else the one just built.
    pub(crate) fn vade(&self, words: &[&str]) -> Said {
        let own = self.program();
        let program = if own.exists() { own } else { PathBuf::from(VADE) };
        self.said(&self.command(&program).args(words).output().expect("a run"))
    }

    /// What a run said, with `~` for this home.
    pub(crate) fn said(&self, output: &Output) -> Said {
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let built = Path::new(VADE).parent().expect("a folder").display().to_string();
            let top = self.top.path();
            let name = top.file_name().expect("a name").to_string_lossy();
            let text = text.replace(&*self.path.to_string_lossy(), "~").replace(&built, "BUILT");
            text.replace(&*top.to_string_lossy(), "PROJECT").replace(&*name, "PROJECT")
        };
        Said {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Everything in this home: modes, links and bytes; the program by its size only.
    pub(crate) fn tree(&self) -> BTreeMap<PathBuf, String> {
        let (mut tree, mut folders) = (BTreeMap::new(), vec![self.path.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let meta = fs::symlink_metadata(&path).expect("an entry");
                let mode = meta.permissions().mode();
                let content = if meta.is_symlink() {
                    format!("-> {}", fs::read_link(&path).expect("a link").display())
                } else if meta.is_dir() {
                    folders.push(path.clone());
                    "folder".to_owned()
                } else if 1_000_000 < meta.len() {
                    format!("{} bytes", meta.len())
                } else {
                    String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()
                };
                tree.insert(path, format!("{mode:o} {content}"));
            }
        }
        tree
    }
}

impl Said {
    /// What was said on standard output; fails with all of it if the run did.
    #[track_caller]
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert_eq!(self.stderr, "", "{self:?}");
        self.stdout
    }

    /// The exit code and what was said on standard error.
    #[track_caller]
    pub(crate) fn failure(self) -> String {
        assert_eq!(self.stdout, "", "{self:?}");
        let code = self.code.expect("a code");
        format!("{code}: {}", self.stderr)
    }
}
