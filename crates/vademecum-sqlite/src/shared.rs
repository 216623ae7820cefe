//! File systems that several machines write to: locks do not hold there, nor does a shared index.

use std::path::Path;

use rustix::fs::StatFs;
use vademecum_store::StoreError;

use crate::error::from_io;

/// Refuses a place on a shared file system.
pub(crate) fn check(path: &Path) -> Result<(), StoreError> {
    let stat = rustix::fs::statfs(path)
        .map_err(|error| from_io(&error.into(), "look at the file system of the store"))?;
    match name(&stat, path) {
        Some(system) => Err(StoreError::Shared { system }),
        None => Ok(()),
    }
}

/// Numbers by which Linux knows them, from `statfs(2)`.
#[cfg(target_os = "linux")]
const SHARED: [(u32, &str); 7] = [
    (0x0000_6969, "nfs"),
    (0x0000_517b, "smb"),
    (0xff53_4d42, "cifs"),
    (0xfe53_4d42, "smb2"),
    (0x0102_1997, "9p"),
    (0x5346_414f, "afs"),
    (0x00c3_6400, "ceph"),
];

/// The number of all that is served by a process or, as virtiofs is, by the host of this machine.
#[cfg(target_os = "linux")]
const FUSE: u32 = 0x6573_5546;

/// What is known to be shared of those.
#[cfg(target_os = "linux")]
const SHARED_FUSE: [&str; 5] =
    ["virtiofs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.glusterfs"];

#[cfg(target_os = "linux")]
fn name(stat: &StatFs, path: &Path) -> Option<String> {
    // The number has 32 bits on every machine, in a field that has not.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as said above")]
    let number = stat.f_type as u32;
    if number == FUSE {
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
        let meta = std::fs::metadata(path).ok()?;
        return fuse(&mounts, std::os::unix::fs::MetadataExt::dev(&meta));
    }
    let shared = SHARED.iter().find(|(known, _)| *known == number);
    shared.map(|(_, name)| (*name).to_owned())
}

/// The type of the mount with this device, if it is known to be shared.
#[cfg(target_os = "linux")]
fn fuse(mounts: &str, device: u64) -> Option<String> {
    let device = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    let mount = mounts.lines().find(|line| line.split(' ').nth(2) == Some(device.as_str()))?;
    let kind = mount.split_once(" - ")?.1.split(' ').next()?;
    SHARED_FUSE.contains(&kind).then(|| kind.to_owned())
}

/// Elsewhere the name says it: that of the network file systems that macOS has.
#[cfg(not(target_os = "linux"))]
fn name(stat: &StatFs, _path: &Path) -> Option<String> {
    let bytes = stat.f_fstypename.iter().map(|byte| byte.cast_unsigned());
    let name: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
    let name = String::from_utf8_lossy(&name).into_owned();
    ["nfs", "smbfs", "afpfs", "webdav", "virtiofs", "9p"].contains(&name.as_str()).then_some(name)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 22 0:45 / /mnt/host rw,relatime shared:7 - virtiofs host rw
41 22 0:46 / /mnt/far rw - fuse.sshfs me@far: rw
42 22 0:47 / /mnt/home rw - fuse.gocryptfs /home/dev/x rw
";

    #[test]
    fn of_what_processes_serve_only_the_shared_is_refused() {
        let found = [0, 45, 46, 47].map(|minor| fuse(MOUNTS, rustix::fs::makedev(0, minor)));
        let expected = [None, Some("virtiofs"), Some("fuse.sshfs"), None];
        assert_eq!(found, expected.map(|name| name.map(str::to_owned)));
    }

    #[test]
    fn a_disk_of_this_machine_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(check(folder.path()).is_ok());
        let mut stat = rustix::fs::statfs(folder.path()).expect("a file system");
        for (number, expected) in SHARED {
            stat.f_type = number.into();
            assert_eq!(name(&stat, folder.path()).as_deref(), Some(expected));
        }
    }
}
