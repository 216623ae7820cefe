//! Where a person's shell looks for programs, and which places stay.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use vademecum::ops::World;

/// Folders whose files do not stay, beside the one that the environment names.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// What is known of the folders of programs.
#[derive(Debug, Clone)]
pub(crate) struct Shell {
    /// The person's own folder.
    home: PathBuf,
    /// The folders in which programs are looked for, in order.
    path: Vec<PathBuf>,
    /// The folders whose files do not stay.
    temporary: Vec<PathBuf>,
    /// The name of the shell itself, such as `zsh`.
    name: String,
}

impl Shell {
    /// The shell of `world`.
    pub(crate) fn of(world: &World) -> Self {
        let path = (world.env)("PATH").unwrap_or_default();
        let chosen = (world.env)("TMPDIR").map(PathBuf::from);
        let temporary = TEMPORARY.map(PathBuf::from).into_iter().chain(chosen);
        let name = world.var("SHELL").unwrap_or_default();
        Self {
            home: real(&world.folders.home),
            path: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect(),
            temporary: temporary.map(|folder| real(&folder)).collect(),
            name: name.rsplit('/').next().unwrap_or_default().to_owned(),
        }
    }

    /// The first program called `name`.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        self.all(name).next()
    }

    /// All programs called `name`, in the order in which they are looked for.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let files = self.path.iter().map(move |folder| folder.join(name));
        files.filter(|file| file.is_file() && access(file, Access::EXEC_OK).is_ok())
    }

    /// Whether programs are looked for in `folder`.
    pub(crate) fn looks_in(&self, folder: &Path) -> bool {
        let folder = real(folder);
        self.path.iter().any(|other| real(other) == folder)
    }

    /// Whether what lies at `path` is there to stay: not built, not temporary.
    ///
    /// What lies in the person's own folder stays as long as that folder does.
    pub(crate) fn is_stable(&self, path: &Path) -> bool {
        let path = real(path);
        let is_at_home = path.starts_with(&self.home);
        let is_above_home = |folder: &Path| is_at_home && self.home.starts_with(folder);
        let is_temporary = |folder: &PathBuf| path.starts_with(folder) && !is_above_home(folder);
        let is_built = |folder: &Path| {
            let is_target = folder.file_name() == Some(OsStr::new("target"));
            (is_target || folder.join("CACHEDIR.TAG").exists()) && !is_above_home(folder)
        };
        !self.temporary.iter().any(is_temporary) && !path.ancestors().any(is_built)
    }

    /// What to type once so that programs are looked for in `folder`, and in which file to keep it.
    pub(crate) fn advice(&self, folder: &Path) -> String {
        let folder = quoted(folder);
        match self.name.as_str() {
            "fish" => format!("run: fish_add_path {folder}"),
            name => {
                let file = match name {
                    "zsh" => "~/.zshrc",
                    "bash" => "~/.bashrc",
                    _ => "~/.profile",
                };
                format!("add to {file}: export PATH={folder}:\"$PATH\"")
            }
        }
    }
}

/// The path without links; as given where it does not exist.
fn real(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let Ok(found) = fs::canonicalize(existing) {
            return path.strip_prefix(existing).map_or_else(
                |_| path.to_owned(),
                |rest| if rest.as_os_str().is_empty() { found.clone() } else { found.join(rest) },
            );
        }
    }
    path.to_owned()
}

/// A path as one word of a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(home: &str, path: &str, is_stable: bool) {
        let temporary = vec![PathBuf::from("/tmp"), PathBuf::from("/scratch")];
        let shell = Shell { home: home.into(), path: Vec::new(), temporary, name: String::new() };
        assert_eq!(shell.is_stable(Path::new(path)), is_stable, "{path} of {home}");
    }

    #[test]
    fn what_is_built_or_temporary_does_not_stay() {
        let home = "/nowhere/me";
        check(home, "/nowhere/me/.local/bin/vade", true);
        check(home, "/nowhere/bin/vade", true);
        check(home, "/nowhere/me/p/target/debug/vade", false);
        check(home, "/nowhere/target/vade", false);
        check(home, "/tmp/x/vade", false);
        check(home, "/scratch/vade", false);
        check("/tmp/h", "/tmp/h/bin/vade", true);
        check("/tmp/h", "/tmp/h/target/bin/vade", false);
        check("/tmp/h", "/tmp/other/vade", false);
        check("/p/target/home", "/p/target/home/bin/vade", true);
        check("/p/target/home", "/p/target/debug/vade", false);
    }

    #[test]
    fn a_folder_is_one_word() {
        for (path, word) in [("/a/b-c", "/a/b-c"), ("/a b/é", "'/a b/é'"), ("/a'b", r"'/a'\''b'")]
        {
            assert_eq!(quoted(Path::new(path)), word);
        }
    }
}
