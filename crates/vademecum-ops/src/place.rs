//! Which project a folder belongs to: its repository with all worktrees, else the folder itself.

mod checkout;
mod git_file;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use vademecum_core::id::MachineId;
use vademecum_core::project::{KeyKind, ProjectKey, shown};
use vademecum_files::{Kind, Root, kind_at, read_in, resolve};

pub(crate) use checkout::Checkout;

/// A configuration of git with a hundred remotes and thousands of branches has less.
const CONFIG_MAX_BYTES: u64 = 1 << 20;

/// Where a folder stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The top of the work tree, else the folder itself.
    pub root: PathBuf,
    /// The folder that all worktrees of the repository share; none outside a repository.
    pub common: Option<PathBuf>,
}

impl Place {
    /// Finds the repository around `folder`; links in its path are followed, nothing is run.
    ///
    /// What a repository says of itself cannot make it another one's work tree.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        let folder = resolve(folder).unwrap_or_else(|| folder.to_owned());
        for root in folder.ancestors() {
            let git = root.join(".git");
            let common = match kind_at(&git) {
                // Nothing behind a link is read: the work tree is a project by its own path.
                Some(Kind::Link) => Some(git),
                Some(Kind::Folder) if kind_at(&git.join("HEAD")).is_some() => Some(git),
                Some(Kind::File) => match read_in(root, ".git", git_file::MAX_BYTES) {
                    Ok(Some(text)) if text.starts_with(git_file::OPENING) => {
                        git_file::common(root, &text)
                    }
                    Ok(_) | Err(_) => continue,
                },
                Some(Kind::Folder | Kind::Fifo | Kind::Device | Kind::Socket | Kind::Other)
                | None => continue,
            };
            return Self { root: root.to_owned(), common };
        }
        Self { root: folder, common: None }
    }

    /// What the project is looked up by, the surest first: as the machines of the data folder know it, then as all do
    /// that know it.
    ///
    /// A folder that was copied to another machine keeps its memory, and so does one of which no machine is known.
    #[must_use]
    pub fn clues(&self, machines: &[MachineId]) -> Vec<ProjectKey> {
        let own = machines.iter().flat_map(|machine| self.keys(Some(*machine)));
        own.chain(self.keys(None)).collect()
    }

    /// What the project is known by on a machine, the surest first.
    #[must_use]
    pub fn keys(&self, machine: Option<MachineId>) -> Vec<ProjectKey> {
        let key = |kind, path: &Path| {
            let value = path.as_os_str().as_bytes().to_vec();
            ProjectKey { kind, machine, value }
        };
        let git = self.common.iter().map(|path| key(KeyKind::Git, path));
        git.chain([key(KeyKind::Folder, &self.root)]).collect()
    }

    /// The name that people see: the last part of the main work tree's path, on one line.
    #[must_use]
    pub fn name(&self) -> String {
        let main = self.common.as_deref().filter(|path| path.ends_with(".git"));
        let folder = main.and_then(Path::parent).unwrap_or(&self.root);
        folder
            .file_name()
            .map(|name| shown(&name.to_string_lossy()))
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| "/".to_owned())
    }

    /// The work trees of the repository that are there, this one first; else the folder itself.
    ///
    /// What its list of them names counts where that says the same.
    pub(crate) fn work_trees(&self) -> Vec<PathBuf> {
        let mut trees = vec![self.root.clone()];
        let Some(common) = &self.common else { return trees };
        let main = common.parent().filter(|_| common.ends_with(".git")).map(Path::to_owned);
        for tree in main.into_iter().chain(git_file::linked(common)) {
            let is_one = || Self::of(&tree) == Self { root: tree.clone(), ..self.clone() };
            if !trees.contains(&tree) && is_one() {
                trees.push(tree);
            }
        }
        trees
    }

    /// The address of the repository elsewhere, brought into one form; none without one.
    #[must_use]
    pub fn remote(&self) -> Option<ProjectKey> {
        let common = self.common.as_ref()?;
        let holder = Root::open(common.parent()?).ok()??;
        let config = Path::new(common.file_name()?).join("config");
        let config = holder.read(config, CONFIG_MAX_BYTES).ok()??;
        let url = setting(&String::from_utf8_lossy(&config), "[remote \"origin\"]", "url")?;
        let value = normal_remote(&url)?.into_bytes();
        Some(ProjectKey { kind: KeyKind::Remote, machine: None, value })
    }
}

/// The first value of `name` below the line `section` of a configuration of git.
fn setting(config: &str, section: &str, name: &str) -> Option<String> {
    let mut is_inside = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_inside = line == section;
        } else if is_inside
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == name
        {
            return Some(unquoted(value.trim()));
        }
    }
    None
}

/// A value as git reads it: what is between quotes, where `\` stands before what it would end.
fn unquoted(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {}
            '\\' => text.extend(letters.next()),
            letter => text.push(letter),
        }
    }
    text
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
    fn a_setting_is_read_as_git_writes_it() {
        let config = "[core]\n\tbare = false\n\tworktree = \"../a \\\"b\\\" \\\\c\"\n[remote \"x\"]\n\turl = u\n";
        assert_eq!(setting(config, "[core]", "worktree").as_deref(), Some("../a \"b\" \\c"));
        assert_eq!(setting(config, "[remote \"x\"]", "url").as_deref(), Some("u"));
        assert_eq!(setting(config, "[core]", "url"), None);
    }
}
