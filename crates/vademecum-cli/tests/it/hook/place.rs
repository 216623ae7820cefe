//! Places where a store cannot be written: a read-only folder and a full disk, as mounts of our own.
//!
//! The superuser ignores modes, and only the superuser may mount: one of the two always works.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::mount::{mount, mount_bind, mount_change, mount_remount, unmount};

/// A mount that goes when it is dropped.
pub(crate) struct Mount(PathBuf);

impl Drop for Mount {
    fn drop(&mut self) {
        unmount(&self.0, UnmountFlags::DETACH).expect("our own mount can be taken away");
    }
}

/// Makes `folder` read-only for everybody; none where this machine does not let us.
pub(crate) fn read_only(folder: &Path) -> Option<Mount> {
    mount_bind(folder, folder).ok()?;
    let mounted = Mount(folder.to_owned());
    mount_change(folder, MountPropagationFlags::PRIVATE).ok()?;
    let flags = MountFlags::BIND | MountFlags::RDONLY;
    mount_remount(folder, flags, "").ok()?;
    Some(mounted)
}

/// Puts the files of `folder` on a disk without any room; none where this machine does not let us.
pub(crate) fn full(folder: &Path) -> Option<Mount> {
    let files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(path).expect("a file")))
        .collect();
    mount("tmpfs", folder, "tmpfs", MountFlags::empty(), c"size=1m,mode=700").ok()?;
    let mounted = Mount(folder.to_owned());
    for (path, bytes) in files {
        fs::write(path, bytes).expect("room for the store");
    }
    fill(&folder.join("ballast"));
    Some(mounted)
}

/// Writes until nothing more goes in.
fn fill(path: &Path) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file");
    for size in [65_536, 4_096, 512, 1] {
        while file.write_all(&vec![b'.'; size]).is_ok() {}
    }
}
