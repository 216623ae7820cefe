//! A work tree as somebody hostile leaves it, beside a file that is none of its business.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use vademecum_files::Root;

/// What nobody but its owner may read or change.
pub(crate) const SECRET: &str = "canary: nobody reads this";

/// The folders `tree` and `outside`.
pub(crate) struct World {
    top: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { top: tempfile::tempdir().expect("a folder") };
        for folder in ["tree/sub/deep", "outside"] {
            fs::create_dir_all(world.path(folder)).expect("a folder");
        }
        for (path, text) in [
            ("outside/secret", SECRET),
            ("tree/sub/deep/plain", "plain"),
            ("tree/plain", "plain"),
            ("tree/long", "0123456789"),
        ] {
            fs::write(world.path(path), text).expect("a file");
        }
        let link = |to: PathBuf, at| symlink(to, world.path(at)).expect("a link");
        link(world.path("outside/secret"), "tree/link");
        link("plain".into(), "tree/inner");
        link("/dev/zero".into(), "tree/zero");
        link("/proc/self/environ".into(), "tree/environ");
        link(world.path("outside/absent"), "tree/dangling");
        link("loop".into(), "tree/loop");
        link(world.path("outside"), "tree/away");
        link(world.path("outside"), "tree/sub/away");
        fs::hard_link(world.path("outside/secret"), world.path("tree/second")).expect("a link");
        mknodat(CWD, world.path("tree/fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .expect("a FIFO");
        drop(UnixListener::bind(world.path("tree/socket")).expect("a socket"));
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    /// The tree, opened so that paths are resolved in one call, and so that they are by steps.
    pub(crate) fn roots(&self) -> [Root; 2] {
        let root = || Root::open(&self.path("tree")).expect("it opens").expect("it is there");
        [root(), root().by_steps()]
    }

    /// What an error says, with the folder of this test left out.
    pub(crate) fn said<T>(
        &self,
        found: Result<T, vademecum_files::FileError>,
    ) -> Result<T, String> {
        found.map_err(|error| error.to_string().replace(&self.top.path().display().to_string(), ""))
    }

    /// That nothing outside the tree was changed or made.
    #[track_caller]
    pub(crate) fn check_outside(&self) {
        assert_eq!(fs::read_to_string(self.path("outside/secret")).expect("it is there"), SECRET);
        assert_eq!(fs::read_dir(self.path("outside")).expect("it is there").count(), 1);
    }
}
