//! Files of other programs: read whole, replaced at once, with mode, owner and links kept.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use vademecum::files::read_named;

/// So many links are followed before it is taken for a circle.
const LINKS_MAX: usize = 40;

/// The bytes of the file at `path`; none if there is none.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // A pipe in its place would be waited for, and a device never ends.
    Ok(read_named(path, MOST)?)
}

/// The longest file that is read; our own program, built to be debugged, has an eighth of it.
const MOST: u64 = 1 << 30;

/// Replaces the file at `path`; a link stays a link, and a file that is there keeps mode and owner.
///
/// A new file gets `mode`. Whoever reads meanwhile sees the old bytes or the new ones.
pub(crate) fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let path = follow(path)?;
    put(&path, bytes, |draft| dress(draft, &path, mode))
}

/// Puts a new file with `mode` at `path`, whatever was there; a link gives way.
pub(crate) fn put_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    put(path, bytes, |draft| draft.set_permissions(Permissions::from_mode(mode)))
}

/// Writes a draft beside `path` and gives it this name once it is whole and on disk.
fn put(path: &Path, bytes: &[u8], dress: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let draft = folder.join(format!(".vade-{}.new", std::process::id()));
    absent(fs::remove_file(&draft))?;
    let write = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        file.write_all(bytes)?;
        dress(&file)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    if let Err(error) = write() {
        absent(fs::remove_file(&draft))?;
        return Err(error);
    }
    File::open(folder)?.sync_all()
}

/// Gives a draft the mode and the owner of the file that it is to replace.
fn dress(draft: &File, path: &Path, mode: u32) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return draft.set_permissions(Permissions::from_mode(mode));
        }
        Err(error) => return Err(error),
    };
    let new = draft.metadata()?;
    if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
        std::os::unix::fs::fchown(draft, Some(old.uid()), Some(old.gid()))?;
    }
    draft.set_permissions(Permissions::from_mode(old.mode() & 0o7777))
}

/// Removes the file at `path`, or the one that it leads to as a link; it may be absent.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    absent(fs::remove_file(follow(path)?))
}

/// Success also where there is nothing.
pub(crate) fn absent(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// The file that `path` leads to through links, whether it is there or not.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_symlink() => {
                let target = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("/")).join(target);
            }
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "links lead in a circle"))
}

/// Whether the file at `path` may be replaced or made; why not, if not.
pub(crate) fn check_writable(path: &Path) -> Result<(), String> {
    let path = follow(path).map_err(|error| error.to_string())?;
    let read_only = |meta: &fs::Metadata| meta.mode() & 0o222 == 0;
    if fs::metadata(&path).is_ok_and(|meta| read_only(&meta)) {
        return Err("it is read-only".to_owned());
    }
    let folders = path.ancestors().skip(1);
    let Some(folder) = folders.into_iter().find(|folder| folder.exists()) else { return Ok(()) };
    if !folder.is_dir() {
        return Err(format!("{} is no folder", folder.display()));
    }
    access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|_| format!("the folder {} cannot be written", folder.display()))
}

/// The folders of `folder`'s path that are not there yet, the outermost first.
pub(crate) fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let mut missing: Vec<_> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Makes `folder` with those above it; only its owner may enter what is made, whatever the umask says.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes a folder for programs with those above it; everybody may enter it, its owner alone write.
pub(crate) fn make_program_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(folder)
}

/// Where the links in `path` below `home` lead; none without one.
pub(crate) fn target(path: &Path, home: &Path) -> Option<PathBuf> {
    let file = follow(path).ok()?;
    let target = fs::canonicalize(file.parent()?).ok()?.join(file.file_name()?);
    let is_plain = match path.strip_prefix(home) {
        Ok(rest) => fs::canonicalize(home).is_ok_and(|home| home.join(rest) == target),
        Err(_) => false,
    };
    (!is_plain && target != path).then_some(target)
}

/// All files beneath `folder`, by path; links are not followed.
pub(crate) fn walk(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let list = if entry.file_type()?.is_dir() { &mut folders } else { &mut files };
            list.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}
