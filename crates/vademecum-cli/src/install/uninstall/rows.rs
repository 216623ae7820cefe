//! Every file that vade made or changed, and what becomes of it.

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vademecum::harness::hook::Harness;
use vademecum::harness::wiring::After;
use vademecum::ops::{OpError, Reply, World, mirror};

use super::super::manifest::{Manifest, Records, What, Wired, failed, fingerprint};
use super::super::wiring::{Role, check_writable, refused, wires};
use super::super::{End, files, mark, short};
use super::Uninstall;
use super::kept::{Kept, is_copy};

/// One file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    path: PathBuf,
    act: Act,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Act {
    /// Nothing, for this reason.
    Keep(&'static str),
    /// A file of the harness gets the bytes that it has without us.
    Unwire(Role, Unwired),
    /// A file of ours is removed, with what it keeps.
    Erase,
    /// The copy of the program is removed.
    Remove,
    /// A folder that we made is removed if nothing is left in it.
    EraseEmpty,
}

/// What a file of the harness is without us.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unwired {
    /// As it was before, byte for byte.
    Back(Vec<u8>),
    /// Without our entries; what else changed since stays.
    Less(Vec<u8>),
    /// Gone: we made it.
    Gone,
}

/// All of them, in the order in which they are dealt with.
#[derive(Debug)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// The data folder, if all of it goes.
    purged: Option<PathBuf>,
}

impl Rows {
    /// Looks at everything and changes nothing.
    pub(super) fn new(
        asked: &Uninstall,
        world: &World,
        records: &Records,
        manifest: &Manifest,
    ) -> Result<Self, OpError> {
        let (files, others) = harness_files(asked, world, manifest)?;
        let mut rows = wired(files, records, manifest)?;
        rows.extend(binaries(manifest, asked.is_purge, starter(others, records, manifest)));
        let own = |path: PathBuf| Row {
            path,
            act: if asked.is_purge { Act::Erase } else { Act::Keep("stays") },
        };
        let data = &world.folders.data;
        let named = asked.database.as_deref().map(named_store).transpose()?.unwrap_or_default();
        let kept = Kept::of(data, &named).map_err(|error| failed("list", data, &error))?;
        let has_own = !kept.files.is_empty() || !kept.folders.is_empty();
        let is_all = asked.is_purge && kept.others.is_empty() && has_own;
        let elsewhere = named.into_iter().filter(|file| !kept.files.contains(file));
        let elsewhere: Vec<PathBuf> = elsewhere.collect();
        rows.extend(elsewhere.into_iter().chain(kept.files).map(own));
        let config = world.folders.config.join("config.toml");
        if config.exists() {
            rows.push(Row { path: config, act: Act::Keep("stays: it is yours") });
        }
        let keep = |path| Row { path, act: Act::Keep("stays: it belongs to the project") };
        rows.extend(mirror::folders(data).into_iter().map(keep));
        let purged = is_all.then(|| data.clone());
        if asked.is_purge && !is_all {
            let stays = |path| Row { path, act: Act::Keep("stays: not vade's") };
            rows.extend(kept.others.into_iter().map(stays));
            rows.extend(kept.folders.into_iter().map(|path| Row { path, act: Act::EraseEmpty }));
        }
        for folder in made_folders(manifest) {
            if is_left_empty(&folder, &rows, purged.as_deref()) {
                rows.push(Row { path: folder, act: Act::EraseEmpty });
            }
        }
        Ok(Self { rows, purged })
    }

    /// Whether there is nothing to do.
    pub(super) fn is_idle(&self) -> bool {
        let does_nothing = |row: &Row| matches!(row.act, Act::Keep(_) | Act::EraseEmpty);
        self.rows.iter().all(does_nothing) && self.purged.as_ref().is_none_or(|data| !data.exists())
    }

    /// One line for each, as it is to be, or once it is done as it is.
    pub(super) fn text(&self, home: &Path, end: End) -> String {
        let lines =
            self.shown(end).flat_map(|(path, fate)| [short(path, home), format!(": {fate}\n")]);
        lines.collect()
    }

    /// What is answered: each file and what became of it, and the outcome.
    ///
    /// Who was asked has read the list already.
    pub(super) fn reply(&self, home: &Path, end: End, is_listed: bool, outcome: &str) -> Reply {
        let row =
            |(path, fate): (&Path, &str)| json!({ "path": path.to_string_lossy(), "fate": fate });
        let files: Vec<Value> = self.shown(end).map(row).collect();
        let object = json!({ "outcome": end, "files": files });
        let list = if is_listed { self.text(home, end) } else { String::new() };
        Reply { object, text: format!("{list}{outcome}\n") }
    }

    /// Whether a file of ours stays that a person changed.
    pub(super) fn leave_changes(&self) -> bool {
        self.rows.iter().any(|row| row.act == Act::Keep(CHANGED))
    }

    /// Whether the program goes, too.
    pub(super) fn removes_program(&self) -> bool {
        self.rows.iter().any(|row| row.act == Act::Remove)
    }

    fn shown(&self, end: End) -> impl Iterator<Item = (&Path, &'static str)> {
        self.rows.iter().map(move |row| (row.path.as_path(), row.fate(end)))
    }

    /// Does it, and notes in `manifest` which files are without us now.
    pub(super) fn apply(&self, records: &Records, manifest: &mut Manifest) -> Result<(), OpError> {
        for row in &self.rows {
            row.apply(records, manifest)?;
        }
        if let Some(data) = &self.purged
            && let Ok(real) = fs::canonicalize(data)
        {
            fs::remove_dir_all(&real).map_err(|error| failed("remove", &real, &error))?;
            files::absent(fs::remove_file(data)).map_err(|error| failed("remove", data, &error))?;
        }
        for row in self.rows.iter().filter(|row| row.act == Act::EraseEmpty) {
            // A folder with something of somebody else in it stays.
            if fs::read_dir(&row.path).is_ok_and(|mut entries| entries.next().is_none()) {
                fs::remove_dir(&row.path).map_err(|error| failed("remove", &row.path, &error))?;
            }
        }
        Ok(())
    }
}

/// What becomes of a file of ours that a person changed.
const CHANGED: &str = "stays: you changed it";

impl Act {
    fn fate(&self) -> &'static str {
        match self {
            Self::Keep(why) => why,
            Self::Unwire(_, Unwired::Back(_)) => "restored, byte for byte",
            Self::Unwire(_, Unwired::Less(_)) => "without our entries; all else stays as it is",
            Self::Unwire(_, Unwired::Gone) | Self::EraseEmpty | Self::Remove => {
                "removed: vade made it"
            }
            Self::Erase => "erased",
        }
    }

    /// Whether nothing is there afterwards.
    fn removes(&self) -> bool {
        match self {
            Self::Keep(_) | Self::Unwire(_, Unwired::Back(_) | Unwired::Less(_)) => false,
            Self::Unwire(_, Unwired::Gone) | Self::Erase | Self::Remove | Self::EraseEmpty => true,
        }
    }
}

impl Row {
    fn fate(&self, end: End) -> &'static str {
        match (&self.act, end) {
            (Act::EraseEmpty, End::Done) if self.path.exists() => "stays: something is in it",
            (act, _) => act.fate(),
        }
    }

    fn apply(&self, records: &Records, manifest: &mut Manifest) -> Result<(), OpError> {
        match &self.act {
            Act::Keep(_) | Act::EraseEmpty => Ok(()),
            Act::Erase | Act::Remove => files::absent(fs::remove_file(&self.path))
                .map_err(|error| failed("remove", &self.path, &error)),
            Act::Unwire(role, _) => self.unwire(*role, records, manifest),
        }
    }

    /// Looks again, since the harness may have written the file while the person was asked.
    fn unwire(
        &self,
        role: Role,
        records: &Records,
        manifest: &mut Manifest,
    ) -> Result<(), OpError> {
        let known = manifest.find(&self.path).and_then(Role::of).map(|(_, wired)| wired.clone());
        let done = match unwired(&self.path, role, known.as_ref(), records)? {
            None => Ok(()),
            Some(Unwired::Back(bytes) | Unwired::Less(bytes)) => {
                files::replace(&self.path, &bytes, 0o600)
            }
            Some(Unwired::Gone) => files::remove(&self.path),
        };
        done.map_err(|error| failed("write", &self.path, &error))?;
        if let Some(wired) = known {
            manifest.put(&self.path, role.keep(Wired { after: None, ..wired }));
        }
        Ok(())
    }
}

/// A file of a harness, and what it is there.
type HarnessFile = (Role, PathBuf);

/// The files of the harnesses, of those that are asked for and of the others: those that we know of, and those that this
/// environment means.
fn harness_files(
    asked: &Uninstall,
    world: &World,
    manifest: &Manifest,
) -> Result<(Vec<HarnessFile>, Vec<HarnessFile>), OpError> {
    let mut files: Vec<HarnessFile> = Vec::new();
    for entry in &manifest.entries {
        files.extend(Role::of(&entry.what).map(|(role, _)| (role, entry.path.to_path())));
    }
    for harness in Harness::ALL {
        let here = wires(world, harness)?.all();
        files.extend(here.filter(|(_, path)| manifest.find(path).is_none()));
    }
    Ok(files.into_iter().partition(|(role, _)| asked.is_purge || role.harness() == asked.harness))
}

/// The harness that still starts us, among those of `files`; a file that cannot be read may.
fn starter(files: Vec<HarnessFile>, records: &Records, manifest: &Manifest) -> Option<Harness> {
    let mut files = files.into_iter();
    let starts = files.find(|(role, path)| {
        let known = manifest.find(path).and_then(Role::of).map(|(_, wired)| wired);
        !matches!(unwired(path, *role, known, records), Ok(None))
    });
    starts.map(|(role, _)| role.harness())
}

/// What becomes of the files of a harness.
fn wired(
    files: Vec<HarnessFile>,
    records: &Records,
    manifest: &Manifest,
) -> Result<Vec<Row>, OpError> {
    let rows = files.into_iter().filter_map(|(role, path)| {
        let known = manifest.find(&path).and_then(Role::of).map(|(_, wired)| wired);
        let act = match unwired(&path, role, known, records) {
            Ok(Some(unwired)) => check_writable(&path).map(|()| Act::Unwire(role, unwired)),
            Ok(None) if known.is_some() && path.exists() => Ok(Act::Keep(match role {
                Role::Command(..) => CHANGED,
                _ => "nothing of vade is in it",
            })),
            Ok(None) if known.is_some() => Ok(Act::Keep("is gone already")),
            Ok(None) => return None,
            Err(error) => Err(error),
        };
        Some(act.map(|act| Row { path, act }))
    });
    rows.collect()
}

/// What the file is without us; none if nothing of us is in it.
fn unwired(
    path: &Path,
    role: Role,
    known: Option<&Wired>,
    records: &Records,
) -> Result<Option<Unwired>, OpError> {
    let bytes = files::read(path).map_err(|error| failed("read", path, &error))?;
    let Some(bytes) = bytes else { return Ok(None) };
    let base = known.and_then(|wired| wired.base.as_deref());
    let base = base.and_then(|name| records.backup(name));
    if let Some(wired) = known.filter(|wired| wired.after == Some(fingerprint(&bytes))) {
        match (&wired.base, base.clone()) {
            (None, _) => return Ok(Some(Unwired::Gone)),
            (Some(_), Some(base)) => return Ok(Some(Unwired::Back(base))),
            // The backup is gone: our entries can still be taken out.
            (Some(_), None) => {}
        }
    }
    let plan = role.unplan(Some(&bytes)).map_err(|error| refused(path, &error))?;
    Ok(match plan.after {
        After::Same => None,
        After::Write(bytes) if base.as_ref() == Some(&bytes) => Some(Unwired::Back(bytes)),
        After::Write(bytes) => Some(Unwired::Less(bytes)),
        After::Remove => Some(base.map_or(Unwired::Gone, Unwired::Back)),
    })
}

/// The copies of the program: one that is as we copied it goes, unless the harness `starter` still starts it.
fn binaries(manifest: &Manifest, is_purge: bool, starter: Option<Harness>) -> Vec<Row> {
    let made = manifest.entries.iter().filter_map(|entry| {
        let What::Binary { copied } = &entry.what else { return None };
        Some((entry.path.to_path(), copied))
    });
    let made = made.map(|(path, copied)| {
        let act = match read_program(&path) {
            Err(_) => Act::Keep("is gone already"),
            Ok(bytes) if mark::version(&bytes).is_none() => Act::Keep("stays: not vade any more"),
            Ok(_) if is_purge => Act::Erase,
            Ok(bytes) => match (starter, copied) {
                (Some(Harness::ClaudeCode), _) => Act::Keep("stays: Claude Code starts it"),
                (Some(Harness::Codex), _) => Act::Keep("stays: Codex starts it"),
                (None, Some(copied)) if *copied == fingerprint(&bytes) => Act::Remove,
                (None, _) => Act::Keep("stays: it is not the copy that vade made"),
            },
        };
        Row { path, act }
    });
    made.collect()
}

/// A program; of what is none, a pipe or a device, nothing is read.
fn read_program(path: &Path) -> std::io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() { fs::read(path) } else { Ok(Vec::new()) }
}

/// Whether a file bears the mark of our stores: `application_id` at byte 68 of the header of a database
/// (<https://www.sqlite.org/fileformat2.html>, section 1.3).
fn is_store(path: &Path) -> bool {
    let mut header = [0; 72];
    // Opening a pipe would wait for who writes to it.
    if !fs::metadata(path).is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.starts_with(b"SQLite format 3\0") && header.ends_with(b"vade")
}

/// The files of the store that was named.
fn named_store(database: &Path) -> Result<Vec<PathBuf>, OpError> {
    // What only was named as the store is whose it was.
    if !is_store(database) {
        return Ok(Vec::new());
    }
    let beside = |ending: &str| {
        let mut name = database.to_owned().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    let own = ["key", "key.new", "lock"].map(|ending| database.with_extension(ending));
    let mut found = vec![database.to_owned(), beside("-wal"), beside("-shm")];
    found.extend(own);
    let backups = database.parent().unwrap_or(Path::new("/")).join("backups");
    let backups = files::walk(&backups).map_err(|error| failed("list", &backups, &error))?;
    let stem = database.file_stem().unwrap_or_default();
    let is_copy = |name: &OsStr| is_copy(name, stem);
    found.extend(backups.into_iter().filter(|file| file.file_name().is_some_and(is_copy)));
    // What is longer than a key is one of something else.
    let is_key = |file: &Path| file.extension().is_none_or(|it| it != "key") || has_key(file);
    found.retain(|file| file.is_file() && is_key(file));
    Ok(found)
}

/// Whether a file has as many bytes as the key of a store, or none.
fn has_key(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| [0, 32].contains(&meta.len()))
}

/// The folders that we made, the innermost first.
fn made_folders(manifest: &Manifest) -> Vec<PathBuf> {
    let made = manifest.entries.iter().filter(|entry| entry.what == What::Folder);
    let mut made: Vec<PathBuf> = made.map(|entry| entry.path.to_path()).collect();
    made.retain(|folder| folder.is_dir());
    made.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    made
}

/// Whether nothing is left in `folder` once `rows` are dealt with.
fn is_left_empty(folder: &Path, rows: &[Row], purged: Option<&Path>) -> bool {
    let goes = |path: PathBuf| {
        let is_purged = purged.is_some_and(|data| path.starts_with(data));
        let row = rows.iter().find(|row| row.path == path);
        is_purged || row.is_some_and(|row| row.act.removes())
    };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    entries.is_ok_and(|entries| entries.into_iter().all(|entry| goes(entry.path())))
}
