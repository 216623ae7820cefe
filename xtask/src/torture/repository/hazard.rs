//! What a hostile repository puts in a place instead of what is expected there.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use anyhow::{Context as _, Result};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::places::{Form, Place, text};
use super::scene::Scene;
use crate::torture::chance::Chance;

/// What stands in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hazard {
    /// A link to this file of the person.
    Private(&'static str),
    /// A link to what looks as the place should, outside.
    Twin,
    /// The same link, seen from where it lies.
    RelativeTwin,
    /// A link to this path of the system.
    To(&'static str),
    /// A link to a FIFO outside.
    ToFifo,
    /// A link to something else of the work tree.
    Inside,
    /// A link to where nothing is yet.
    Dangling,
    /// A link to itself.
    Loop,
    /// A second name of a file outside.
    HardLink,
    /// A FIFO.
    Fifo,
    /// A socket.
    Socket,
    /// A folder for a file, a file for a folder.
    OtherKind,
    /// A file of three gigabytes in which nothing is.
    Sparse,
    /// A megabyte by chance.
    Garbage,
    /// A megabyte of zeros.
    Nuls,
    /// What belongs there, with bytes that are no text.
    NoText,
    /// What belongs there, for two megabytes.
    Long,
    /// What belongs there, on one line of two megabytes.
    LongLine,
    /// Now what belongs there, now the link to its twin, in turn.
    Changing,
    /// What belongs there, and nobody may read it.
    Unreadable,
    /// A folder with a thousand odd names.
    Crowded,
    /// A file that names this folder as the repository's.
    Pointing(&'static str),
}

/// For a file.
const OF_FILES: &[Hazard] = &[
    Hazard::Private(".bashrc"),
    Hazard::Private(".profile"),
    Hazard::Private(".ssh/id_rsa"),
    Hazard::Private(".aws/credentials"),
    Hazard::Private(".netrc"),
    Hazard::Private(".letter.md"),
    Hazard::Twin,
    Hazard::RelativeTwin,
    Hazard::To("/dev/zero"),
    Hazard::To("/dev/stdin"),
    Hazard::To("/dev/random"),
    Hazard::To("/dev/full"),
    Hazard::To("/proc/self/environ"),
    Hazard::To("/proc/self/mem"),
    Hazard::To("/proc/self/fd/0"),
    Hazard::To("/proc/kmsg"),
    Hazard::ToFifo,
    Hazard::Inside,
    Hazard::Dangling,
    Hazard::Loop,
    Hazard::HardLink,
    Hazard::Fifo,
    Hazard::Socket,
    Hazard::OtherKind,
    Hazard::Sparse,
    Hazard::Garbage,
    Hazard::Nuls,
    Hazard::NoText,
    Hazard::Long,
    Hazard::LongLine,
    Hazard::Changing,
    Hazard::Unreadable,
];

/// For a folder; none is swapped as a whole: what we lay below it meanwhile would fall outside.
const OF_FOLDERS: &[Hazard] = &[
    Hazard::Twin,
    Hazard::RelativeTwin,
    Hazard::To("/proc/self"),
    Hazard::To("/dev"),
    Hazard::ToFifo,
    Hazard::Inside,
    Hazard::Dangling,
    Hazard::Loop,
    Hazard::Fifo,
    Hazard::Socket,
    Hazard::OtherKind,
    Hazard::Sparse,
    Hazard::Unreadable,
    Hazard::Crowded,
];

/// For `.git`.
const OF_GIT: &[Hazard] = &[
    Hazard::Pointing("other/.git"),
    Hazard::Pointing("outside/tree/.git"),
    Hazard::Pointing("."),
    Hazard::To("/dev/zero"),
    Hazard::To("/dev/stdin"),
    Hazard::To("/proc/self/environ"),
    Hazard::ToFifo,
    Hazard::Private(".netrc"),
    Hazard::Fifo,
    Hazard::Socket,
    Hazard::Sparse,
    Hazard::Garbage,
    Hazard::Loop,
    Hazard::Twin,
    Hazard::Unreadable,
];

impl Hazard {
    /// One that may stand in `place`.
    pub(super) fn choose(place: &Place, chance: &mut Chance) -> Self {
        loop {
            let all = match place.form {
                Form::Folder => OF_FOLDERS,
                Form::Git => OF_GIT,
                _ => OF_FILES,
            };
            let hazard = *super::pick(chance, all);
            // What a harness keeps is believed as far as it can be read, and a person may name any file:
            // only a canary that cannot be taken for a transcript or a list of notes tells anything there.
            let is_believed = place.is_of_harness() || place.is_named();
            let is_outside = matches!(hazard, Self::Twin | Self::RelativeTwin | Self::Changing);
            // A program that is named may well come through a pipe, and is shown when it is wrong.
            let is_asked = place.form == Form::Code
                && matches!(
                    hazard,
                    Self::Fifo | Self::ToFifo | Self::Private(_) | Self::To(_) | Self::Inside
                );
            if !(is_believed && is_outside || is_asked) {
                return hazard;
            }
        }
    }

    /// Puts it where `place` is, in the stead of what is there.
    pub(super) fn put(self, scene: &Scene, place: &Place, chance: &mut Chance) -> Result<()> {
        let at = scene.path(place);
        let parent = at.parent().context("a place lies in a folder")?;
        if scene.is_led_astray(&at) {
            return Ok(());
        }
        fs::create_dir_all(parent)?;
        // It is the work tree's own: the swapper keeps what it swaps beside it.
        remove(&at)?;
        let ordinary = || text(place.form, "nothing of note");
        match self {
            Self::Private(name) => symlink(scene.home().join(name), &at)?,
            Self::Twin => symlink(scene.twin(place), &at)?,
            Self::RelativeTwin => symlink(seen_from(parent, &scene.twin(place)), &at)?,
            Self::To(path) => symlink(path, &at)?,
            Self::ToFifo => symlink(scene.outside("fifo"), &at)?,
            Self::Inside => symlink(scene.tree().join("README.md"), &at)?,
            Self::Dangling => symlink(scene.outside("new"), &at)?,
            Self::Loop => symlink(&at, &at)?,
            Self::HardLink => fs::hard_link(scene.outside("hard"), &at)?,
            Self::Fifo => fifo(&at)?,
            // The file stays when nobody listens any more. A path may be too long for one.
            Self::Socket => drop(UnixListener::bind(&at)),
            Self::OtherKind if place.form == Form::Folder => fs::write(&at, "a file\n")?,
            Self::OtherKind => fs::create_dir(&at)?,
            Self::Sparse => File::create(&at)?.set_len(3 << 30)?,
            Self::Garbage => fs::write(&at, garbage(chance))?,
            Self::Nuls => fs::write(&at, vec![0; 1 << 20])?,
            Self::NoText => fs::write(&at, no_text(&ordinary()))?,
            Self::Long => fs::write(&at, long(&ordinary()))?,
            Self::LongLine => fs::write(&at, long_line(place.form))?,
            Self::Changing => scene.put_ordinary(place)?,
            Self::Unreadable => unreadable(scene, place, &at)?,
            Self::Crowded => crowd(&at)?,
            Self::Pointing(name) => {
                fs::write(&at, format!("gitdir: {}\n", scene.home().join(name).display()))?;
            }
        }
        Ok(())
    }
}

/// Makes a FIFO.
pub(super) fn fifo(at: &Path) -> Result<()> {
    Ok(mknodat(CWD, at, FileType::Fifo, Mode::from_raw_mode(0o644), 0)?)
}

/// Removes whatever stands there.
pub(super) fn remove(at: &Path) -> Result<()> {
    match fs::symlink_metadata(at) {
        Ok(meta) if meta.is_dir() => Ok(fs::remove_dir_all(at)?),
        Ok(_) => Ok(fs::remove_file(at)?),
        Err(_) => Ok(()),
    }
}

/// `path` as a link in `folder` names it without a root.
fn seen_from(folder: &Path, path: &Path) -> std::path::PathBuf {
    let up = folder.components().count().saturating_sub(1);
    let back: std::path::PathBuf = std::iter::repeat_n("..", up).collect();
    back.join(path.strip_prefix("/").unwrap_or(path))
}

fn garbage(chance: &mut Chance) -> Vec<u8> {
    let words = (0..1 << 17).flat_map(|_| chance.below(u64::MAX).to_le_bytes());
    words.collect()
}

fn no_text(ordinary: &str) -> Vec<u8> {
    let (head, tail) = ordinary.split_at(ordinary.len() / 2);
    [head.as_bytes(), b"\xff\xfe\x80", tail.as_bytes()].concat()
}

fn long(ordinary: &str) -> String {
    ordinary.repeat((2 << 20) / ordinary.len().max(1))
}

/// One word that is as long as a file, where a word may stand.
fn long_line(form: Form) -> String {
    text(form, &"y".repeat(2 << 20))
}

fn unreadable(scene: &Scene, place: &Place, at: &Path) -> Result<()> {
    scene.put_ordinary(place)?;
    match fs::set_permissions(at, Permissions::from_mode(0o000)) {
        // Outside a repository there is no `.git` to shut.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => Ok(done?),
    }
}

fn crowd(at: &Path) -> Result<()> {
    fs::create_dir(at)?;
    for n in 0..1_000 {
        let name = format!("{n}\u{202e}\u{1b}[31m\n$(touch x)\"'.md");
        match n % 3 {
            0 => fs::create_dir(at.join(name))?,
            1 => symlink("/dev/zero", at.join(name))?,
            _ => File::create(at.join(name))?.write_all(b"x")?,
        }
    }
    Ok(())
}
