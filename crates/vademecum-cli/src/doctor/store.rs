//! Whether the store opens, is whole, and takes writes.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access, statvfs};
use rustix::process::geteuid;
use vademecum::core::id::Seq;
use vademecum::core::time::Time;
use vademecum::port::{Depth, Health, Store, StoreError, read};
use vademecum::store::copies;

use super::{Doctor, Finding, Level, holder, lasting};
use crate::install::shell::quoted;

/// With less room on its disk a store takes no write, in bytes.
const LEAST_ROOM: u64 = 64 * 1024;

const ABOUT: &str = "store";
const REPAIR: &str = "vade doctor --repair";

pub(super) fn check(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let path = doctor.short(&doctor.database);
    // A place that cannot be looked at is no empty one: the store itself says what is wrong with it.
    let is_absent = |path: &Path| matches!(path.try_exists(), Ok(false));
    if is_absent(&doctor.database) && is_absent(&log(doctor)) {
        // A key is made with a store, and is read by no other.
        let key = doctor.database.with_extension("key");
        if key.exists() {
            let text =
                format!("{path}: it is gone, its key is not: the next write begins an empty store");
            return vec![Finding::warn(ABOUT, text, restoring(doctor, &key))];
        }
        return vec![Finding::ok(ABOUT, format!("{path}: not made yet, the first write makes it"))];
    }
    let depth = if doctor.is_deep { Depth::Deep } else { Depth::Quick };
    let mut found = match store.health(depth) {
        Ok(health) => of_health(doctor, store, &path, &lasting(doctor, store, health)),
        Err(_) if is_closed(&doctor.database) => {
            let (folder, file) = places(doctor);
            let chmod = || format!("chmod u+rwx {folder} && chmod u+rw {file}");
            let mend = chown(doctor).unwrap_or_else(chmod);
            return vec![Finding::bad(ABOUT, format!("{path}: it may not be read"), mend)];
        }
        Err(error) => vec![Finding::bad(ABOUT, format!("{path}: {error}"), mend(doctor, &error))],
    };
    if let Some(unwritable) = unwritable(doctor, &path) {
        // What cannot be written is not said to be well.
        found.retain(|finding| finding.level != Level::Ok);
        found.push(unwritable);
    }
    found.extend(odd_lock(doctor));
    if let Some(holder) = holder::of(&doctor.database) {
        let text = format!("{holder} holds the lock of writers now");
        found.push(Finding::warn("lock", text, "run vade doctor again; if it stays, end it"));
    }
    found
}

/// A store whose files are the server's own matter.
pub(super) fn on_server(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let place = doctor.address.to_string();
    let depth = if doctor.is_deep { Depth::Deep } else { Depth::Quick };
    match store.health(depth).map(|health| lasting(doctor, store, health)) {
        Ok(Health { schema: None, engine, .. }) => {
            let text = format!("{place}: {engine}, no store yet, the first write makes it");
            vec![Finding::ok(ABOUT, text)]
        }
        Ok(Health { schema: Some(schema), engine, faults, of_others, notices }) => {
            let mend = "restore the database from a backup of the server's";
            let bad = |fault: &String| Finding::bad(ABOUT, format!("{place}: {fault}"), mend);
            let mut found: Vec<Finding> = faults.iter().map(bad).collect();
            if found.is_empty() {
                let whole = format!("{place}: whole, {engine}, schema {schema}");
                found.push(Finding::ok(ABOUT, whole));
            }
            let mend = "its owner mends it; to leave the project: vade project uninvite";
            found.extend(of_others.into_iter().map(|what| Finding::warn(ABOUT, what, mend)));
            let mend =
                "connect as a role of your own: docs/postgres.md, three laptops and a CI job";
            found.extend(notices.into_iter().map(|notice| Finding::warn(ABOUT, notice, mend)));
            found
        }
        Err(error) => {
            let mend = "see that the server runs and lets this user in: psql says more";
            vec![Finding::bad(ABOUT, format!("{place}: {error}"), mend)]
        }
    }
}

/// The same without what somebody is at work to end.
fn lasting(doctor: &Doctor<'_>, store: &dyn Store, mut health: Health) -> Health {
    let is_left =
        |fault: &String| fault != Health::BYTES_LEFT || lasting::of(doctor, store).has_bytes;
    health.faults.retain(is_left);
    health
}

/// A lock that is a pipe or a folder: no write can begin.
fn odd_lock(doctor: &Doctor<'_>) -> Option<Finding> {
    let lock = doctor.database.with_extension("lock");
    let is_odd = lock.metadata().is_ok_and(|meta| !meta.is_file());
    let text = format!("{} is no file of bytes: no write can begin", doctor.short(&lock));
    is_odd.then(|| Finding::bad("lock", text, format!("rm {}", quoted(&lock))))
}

/// What keeps a store that can be read from being written.
fn unwritable(doctor: &Doctor<'_>, path: &str) -> Option<Finding> {
    let folder = doctor.database.parent()?;
    let is_denied =
        |path: &std::path::Path| path.exists() && access(path, Access::WRITE_OK).is_err();
    if [folder, &doctor.database].into_iter().any(is_denied) {
        let text = format!("{path}: it can be read and not written");
        return Some(Finding::bad(ABOUT, text, writable(doctor)));
    }
    let disk = statvfs(folder).ok()?;
    let is_full = disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST_ROOM;
    is_full.then(|| {
        let text = format!("{path}: its disk is full, nothing more can be written");
        Finding::bad(ABOUT, text, "free some space: nothing that was acknowledged is lost")
    })
}

/// The command that lets the owner write.
fn writable(doctor: &Doctor<'_>) -> String {
    let (folder, file) = places(doctor);
    if let Some(chown) = chown(doctor) {
        return chown;
    }
    format!("chmod u+w {folder} {file}, or mount it writable")
}

/// The command that gives the store back where it is another user's, as after sudo; none where it is this one's.
fn chown(doctor: &Doctor<'_>) -> Option<String> {
    let folder = doctor.database.parent()?;
    let is_of_another = |path: &std::path::Path| {
        // What may not even be looked at is whose the folder around it is.
        let known = path.ancestors().find_map(|path| path.metadata().ok());
        known.is_some_and(|meta| meta.uid() != geteuid().as_raw())
    };
    let (shown, file) = places(doctor);
    if folder != doctor.world.folders.data {
        // A folder that a person named has files of others in it.
        let chown = || format!("sudo chown \"$USER\" {file}");
        return (doctor.database.exists() && is_of_another(&doctor.database)).then(chown);
    }
    let chown = || format!("sudo chown -R \"$USER\" {shown}");
    [folder, &doctor.database].into_iter().any(is_of_another).then(chown)
}

/// The folder of the store and its file, as a shell reads them.
fn places(doctor: &Doctor<'_>) -> (String, String) {
    let folder = doctor.database.parent().unwrap_or(&doctor.database);
    (quoted(folder), quoted(&doctor.database))
}

/// Whether a file is there and this person may not read it.
fn is_closed(path: &std::path::Path) -> bool {
    match access(path, Access::READ_OK) {
        Err(error) => error == rustix::io::Errno::ACCESS || error == rustix::io::Errno::PERM,
        Ok(()) => false,
    }
}

fn of_health(doctor: &Doctor<'_>, store: &dyn Store, path: &str, health: &Health) -> Vec<Finding> {
    let notices = health.notices.iter();
    let mut found: Vec<Finding> =
        notices.map(|notice| Finding::ok(ABOUT, notice.clone())).collect();
    if health.faults.is_empty() {
        found.insert(0, Finding::ok(ABOUT, whole(doctor, store, path, health)));
    }
    found.extend(health.faults.iter().map(|fault| of_fault(doctor, path, fault)));
    found
}

fn of_fault(doctor: &Doctor<'_>, path: &str, fault: &str) -> Finding {
    let mend = if fault.ends_with("by another program") {
        format!("{REPAIR} (it takes the journal as it is; look first at what vade export shows)")
    } else if fault.starts_with("the key of the journal cannot be read") {
        key(doctor)
    } else {
        REPAIR.to_owned()
    };
    Finding::bad(ABOUT, format!("{path}: {}", fault.replace('\n', "; ")), mend)
}

/// What makes a key readable again; a new one would not be the one that was lost.
fn key(doctor: &Doctor<'_>) -> String {
    let key = doctor.database.with_extension("key");
    match key.metadata() {
        Ok(meta) if !meta.is_file() => {
            format!("rm {} (it is no file; the next write makes a key)", quoted(&key))
        }
        Ok(meta) if meta.len() != 32 => {
            let aside = key.with_extension("key.aside");
            format!(
                "mv {} {} (it is no key; the next write makes one)",
                quoted(&key),
                quoted(&aside)
            )
        }
        Ok(_) | Err(_) => format!("sudo chown \"$USER\" {0} && chmod 600 {0}", quoted(&key)),
    }
}

/// The file of the last writes.
fn log(doctor: &Doctor<'_>) -> PathBuf {
    let mut log = doctor.database.clone().into_os_string();
    log.push("-wal");
    PathBuf::from(log)
}

fn whole(doctor: &Doctor<'_>, store: &dyn Store, path: &str, health: &Health) -> String {
    let schema = health.schema.as_deref().unwrap_or("none");
    let size = |path: &std::path::Path| path.metadata().map_or(0, |meta| meta.len());
    let n_bytes = size(&doctor.database) + size(&log(doctor));
    let newest = newest(store).map_or_else(
        || "nothing written".to_owned(),
        |at| format!("last written {}", at.to_rfc3339()),
    );
    let depth = if doctor.is_deep { "every page whole" } else { "whole" };
    format!(
        "{path}: {depth}, schema {schema}, {}, {} KB, {newest}",
        health.engine,
        n_bytes.div_ceil(1024)
    )
}

/// When the newest entry of the journal was written.
fn newest(store: &dyn Store) -> Option<Time> {
    let seq = store.wait(Seq(0), std::time::Duration::ZERO).ok()?;
    let newest = read(store, |view| view.with_body(seq, 0)).ok()?;
    newest.map(|entry| entry.record.at)
}

fn mend(doctor: &Doctor<'_>, error: &StoreError) -> String {
    match error {
        StoreError::Emptied { n_log_bytes: 0 } => restoring(doctor, &doctor.database),
        StoreError::Corrupt { .. } | StoreError::Emptied { .. } => REPAIR.to_owned(),
        StoreError::LogGone { .. } => format!("{REPAIR}, once your agents' sessions have ended"),
        StoreError::Foreign | StoreError::Engine { .. } => {
            format!("{REPAIR}, or name another store with --store")
        }
        StoreError::Newer { .. } => "install a current vade".to_owned(),
        StoreError::Older { .. } => {
            let database = quoted(&doctor.database);
            format!("cargo xtask convert {database} TO, or name another store with --store")
        }
        StoreError::Key { .. } => key(doctor),
        StoreError::Shared { .. } => {
            "export VADE_STORE=PATH, with a path on a disk of this machine".to_owned()
        }
        StoreError::Log { .. } => {
            let (database, log) = (quoted(&doctor.database), quoted(&log(doctor)));
            format!("cp {database} {log} FOLDER, one that can be written, and name it with --store")
        }
        StoreError::Linked { .. } => {
            let database = quoted(&doctor.database);
            format!("find ~ -samefile {database} names the others: remove them with rm")
        }
        StoreError::Busy { .. }
        | StoreError::Unmigrated { .. }
        | StoreError::Reused { .. }
        | StoreError::Erased { .. }
        | StoreError::Unknown { .. }
        | StoreError::ReadOnly
        | StoreError::Uninvited
        | StoreError::Unwanted { .. }
        | StoreError::Full
        | StoreError::Unreachable { .. }
        | StoreError::Unsettled { .. }
        | StoreError::Closed { .. }
        | StoreError::Unfinished { .. } => error.hint().to_owned(),
    }
}

/// What brings an empty store back, or lets a new one begin.
pub(super) fn restoring(doctor: &Doctor<'_>, left: &Path) -> String {
    match copies(&doctor.database).unwrap_or_default().first() {
        Some(copy) => format!("vade backup --restore {}", quoted(copy)),
        None => format!("rm {} (there is no copy; a new store begins)", quoted(left)),
    }
}
