//! Which project a folder belongs to: its repository with all worktrees, else the folder itself.

use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use vademecum_core::project::{KeyKind, ProjectKey};

/// Where a folder stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The top of the work tree, else the folder itself.
    pub root: PathBuf,
    /// The folder that all worktrees of the repository share; none outside a repository.
    pub common: Option<PathBuf>,
}

impl Place {
    /// Finds the repository around `folder`; links are followed, nothing is run.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        for root in folder.ancestors() {
            if let Some(common) = common_folder(&root.join(".git")) {
                return Self { root: root.to_owned(), common: Some(common) };
            }
        }
        Self { root: folder, common: None }
    }

    /// What the project is looked up by on this machine, the surest first.
    #[must_use]
    pub fn keys(&self) -> Vec<ProjectKey> {
        let key =
            |kind, path: &Path| ProjectKey { kind, value: path.as_os_str().as_bytes().to_vec() };
        let git = self.common.iter().map(|path| key(KeyKind::Git, path));
        git.chain([key(KeyKind::Folder, &self.root)]).collect()
    }

    /// The name that people see: the last part of the main work tree's path.
    #[must_use]
    pub fn name(&self) -> String {
        let main = self.common.as_deref().filter(|path| path.ends_with(".git"));
        let folder = main.and_then(Path::parent).unwrap_or(&self.root);
        folder
            .file_name()
            .map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The address of the repository elsewhere, brought into one form; none without one.
    #[must_use]
    pub fn remote(&self) -> Option<ProjectKey> {
        let config = fs::read_to_string(self.common.as_ref()?.join("config")).ok()?;
        let value = normal_remote(&origin(&config)?)?.into_bytes();
        Some(ProjectKey { kind: KeyKind::Remote, value })
    }
}

/// The folder shared by all worktrees, if `git` is a repository's `.git`, a folder or a file.
fn common_folder(git: &Path) -> Option<PathBuf> {
    let meta = git.metadata().ok()?;
    if meta.is_dir() {
        return git.join("HEAD").exists().then(|| git.to_owned());
    }
    let own = pointed_at(git, fs::read(git).ok()?.strip_prefix(b"gitdir:")?)?;
    let common = match fs::read(own.join("commondir")) {
        Ok(path) => pointed_at(&own.join("commondir"), &path)?,
        Err(_) => own,
    };
    fs::canonicalize(common).ok()
}

/// The path that the content of `file` names, seen from the folder of `file`.
fn pointed_at(file: &Path, content: &[u8]) -> Option<PathBuf> {
    let path = content.trim_ascii().to_vec();
    Some(file.parent()?.join(PathBuf::from(std::ffi::OsString::from_vec(path))))
}

fn origin(config: &str) -> Option<String> {
    let mut is_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_origin = line == "[remote \"origin\"]";
        } else if is_origin
            && let Some((name, value)) = line.split_once('=')
            && name.trim() == "url"
        {
            return Some(value.trim().to_owned());
        }
    }
    None
}

/// `host/path` of a remote, without scheme, user, port and `.git`.
fn normal_remote(url: &str) -> Option<String> {
    let rest = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.to_owned(),
        None => {
            let (host, path) = url.split_once(':')?;
            if host.contains('/') {
                return None;
            }
            format!("{host}/{path}")
        }
    };
    let rest = rest.rsplit_once('@').map_or(rest.as_str(), |(_, rest)| rest);
    let (host, path) = rest.split_once('/')?;
    let host = host.split(':').next()?.to_lowercase();
    let path = path.trim_matches('/').trim_end_matches(".git").trim_end_matches('/');
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_have_one_form() {
        for url in [
            "https://example.org/team/repo.git",
            "https://user@example.org/team/repo",
            "ssh://git@Example.org:2222/team/repo.git/",
            "git@example.org:team/repo.git",
        ] {
            assert_eq!(normal_remote(url).as_deref(), Some("example.org/team/repo"), "{url}");
        }
        for none in ["/srv/git/repo.git", "file:///srv/repo", "./a:b", "example.org:"] {
            assert_eq!(normal_remote(none), None, "{none}");
        }
    }

    #[test]
    fn worktrees_and_folders_below_are_one_project() {
        let folder = tempfile::tempdir().expect("a folder");
        let top = fs::canonicalize(folder.path()).expect("a path");
        let main = top.join("main repo's");
        let own = main.join(".git/worktrees/side");
        fs::create_dir_all(&own).expect("a folder");
        fs::create_dir_all(main.join("src/deep")).expect("a folder");
        fs::create_dir_all(top.join("side")).expect("a folder");
        fs::write(main.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
        fs::write(
            main.join(".git/config"),
            "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n",
        )
        .expect("a file");
        fs::write(own.join("commondir"), "../..\n").expect("a file");
        fs::write(top.join("side/.git"), format!("gitdir: {}\n", own.display())).expect("a file");

        let common = Some(main.join(".git"));
        let of = |path: PathBuf| Place::of(&path);
        assert_eq!(of(main.join("src/deep")), Place { root: main.clone(), common: common.clone() });
        assert_eq!(of(top.join("side")), Place { root: top.join("side"), common });
        assert_eq!(of(top.clone()), Place { root: top.clone(), common: None });
        assert_eq!(of(top.join("side")).name(), "main repo's");
        let remote = of(main).remote().map(|key| key.value);
        assert_eq!(remote, Some(b"example.org/a/b".to_vec()));
    }
}
