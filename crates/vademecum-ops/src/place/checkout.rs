//! What is checked out in a work tree, read from git's own files: nothing is run, and nothing behind a link is read.
//!
//! gitrepository-layout(5) says what they are. A repository that keeps its refs in another form has none here.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use vademecum_core::entry::{Commit, Line, Stood};
use vademecum_files::{Kind, Root, kind_at, read_in};

use super::{Place, git_file};

/// Twice the longest name of a ref that systems take.
const REF_MAX_BYTES: u64 = 8 << 10;

/// Ten thousand packed refs and more; of a larger file only the branch is known.
const PACKED_MAX_BYTES: u64 = 1 << 20;

/// What the name of a branch stands behind.
const HEADS: &str = "refs/heads/";

/// The folders in which git keeps what is checked out and what all work trees share.
pub(crate) struct Checkout {
    own: Root,
    common: Root,
    /// The packed refs, read once whatever is asked.
    packed: OnceCell<Option<String>>,
}

impl Checkout {
    /// The folders of git of a place; none outside a repository, or where its `.git` is a link.
    pub(crate) fn of(place: &Place) -> Option<Self> {
        let common = place.common.as_deref()?;
        let own = own(&place.root, common)?;
        let open = |path: &Path| Root::open(path).ok().flatten();
        Some(Self { own: open(&own)?, common: open(common)?, packed: OnceCell::new() })
    }

    /// What is checked out; none where that cannot be read.
    pub(crate) fn stood(&self) -> Option<Stood> {
        let head = text(&self.own, Path::new("HEAD"), REF_MAX_BYTES)?;
        let head = head.trim_end();
        match head.strip_prefix("ref:").map(|name| name.trim_start().strip_prefix(HEADS)) {
            None => Stood::some(None, Commit::new(head)),
            Some(None) => None,
            Some(Some(name)) => {
                let branch = Line::new(name).ok().filter(|_| is_branch(name));
                let commit = branch.as_ref().and_then(|branch| self.tip(branch));
                Stood::some(branch, commit)
            }
        }
    }

    /// The last commit of a branch; none where there is no such branch.
    pub(crate) fn tip(&self, branch: &Line) -> Option<Commit> {
        let name = branch.as_str();
        if !is_branch(name) {
            return None;
        }
        let name = format!("{HEADS}{name}");
        let loose = text(&self.common, Path::new(&name), REF_MAX_BYTES);
        loose.and_then(|loose| Commit::new(loose.trim_end())).or_else(|| self.packed(&name))
    }

    fn packed(&self, name: &str) -> Option<Commit> {
        let read = || text(&self.common, Path::new("packed-refs"), PACKED_MAX_BYTES);
        let packed = self.packed.get_or_init(read).as_deref()?;
        let found = packed.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' '))?;
        Commit::new(found)
    }
}

/// The folder in which git keeps what is checked out in the work tree `root`.
fn own(root: &Path, common: &Path) -> Option<PathBuf> {
    match kind_at(&root.join(".git"))? {
        Kind::Folder => Some(common.to_owned()),
        Kind::File => git_file::own(root, &read_in(root, ".git", git_file::MAX_BYTES).ok()??),
        Kind::Link | Kind::Fifo | Kind::Device | Kind::Socket | Kind::Other => None,
    }
}

/// Whether no part of a name leads out of the folder of the branches: git-check-ref-format(1) forbids the same.
fn is_branch(name: &str) -> bool {
    name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

fn text(folder: &Root, path: &Path, most: u64) -> Option<String> {
    String::from_utf8(folder.read(path, most).ok()??).ok()
}
