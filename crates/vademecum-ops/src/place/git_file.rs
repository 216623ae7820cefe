//! A `.git` that is a file: it names the folder of git that is meant, and is believed if that names it.
//!
//! A repository may hold any text there. Only git's own folder can say whose it is: that of a linked
//! work tree keeps the path of its `.git` file, that of a submodule the path of its work tree. One that
//! does neither, as after `git init --separate-git-dir`, gives the project no name but its own path.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use vademecum_files::{Root, kind_at, resolve};

use super::{CONFIG_MAX_BYTES, setting};

/// What such a file begins with.
pub(super) const OPENING: &[u8] = b"gitdir:";

/// Twice the longest path that systems take.
pub(super) const MAX_BYTES: u64 = 8 << 10;

/// The folder that such a file names; whether that knows of `root` is another question.
pub(super) fn own(root: &Path, text: &[u8]) -> Option<PathBuf> {
    resolve(&root.join(path(text.strip_prefix(OPENING)?)))
}

/// The folder that all work trees of the repository share, if it says that `root` is one of them.
pub(super) fn common(root: &Path, text: &[u8]) -> Option<PathBuf> {
    let own = own(root, text)?;
    let folder = Root::open(&own).ok()??;
    match folder.read("gitdir", MAX_BYTES).ok()? {
        Some(back) => of_linked(root, &own, &back),
        None => is_of_submodule(root, &own, &folder).then_some(own),
    }
}

/// The linked work trees that are there of those which the folder `common` lists.
pub(super) fn linked(common: &Path) -> Vec<PathBuf> {
    let list = common.join("worktrees");
    let Ok(Some(folder)) = Root::open(&list) else { return Vec::new() };
    let tree = |name: &OsStr| {
        let back = folder.read(Path::new(name).join("gitdir"), MAX_BYTES).ok()??;
        resolve(list.join(name).join(path(&back)).parent()?)
    };
    let entries = folder.entries().unwrap_or_default();
    entries.iter().take(WORK_TREES).filter_map(|entry| tree(entry.name.as_ref())).collect()
}

/// So many linked work trees are looked at.
const WORK_TREES: usize = 100;

/// A linked work tree: `own` is `COMMON/worktrees/NAME`, and its `gitdir` names `ROOT/.git`.
///
/// Its `commondir`, which git reads, is not asked: git itself puts `../..` there, and what somebody else
/// puts there could name any repository.
fn of_linked(root: &Path, own: &Path, back: &[u8]) -> Option<PathBuf> {
    let git = own.join(path(back));
    let is_back = git.file_name() == Some(OsStr::new(".git")) && resolve(git.parent()?)? == root;
    let worktrees = own.parent().filter(|it| it.file_name() == Some(OsStr::new("worktrees")))?;
    let common = worktrees.parent()?;
    (is_back && kind_at(&common.join("HEAD")).is_some()).then(|| common.to_owned())
}

/// A submodule, or whatever has its work tree in its configuration.
fn is_of_submodule(root: &Path, own: &Path, folder: &Root) -> bool {
    // The first is where git puts it once work trees have configurations of their own.
    ["config.worktree", "config"].iter().any(|name| {
        let config = folder.read(name, CONFIG_MAX_BYTES).ok().flatten().unwrap_or_default();
        let back = setting(&String::from_utf8_lossy(&config), "[core]", "worktree");
        back.and_then(|back| resolve(&own.join(back))).is_some_and(|back| back == root)
    })
}

fn path(text: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(text.trim_ascii()))
}
