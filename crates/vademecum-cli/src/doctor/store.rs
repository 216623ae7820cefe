//! Whether the store opens, is whole, and takes writes.

use vademecum::core::id::Seq;
use vademecum::core::time::Time;
use vademecum::port::{Health, Store, StoreError};

use super::{Doctor, Finding, holder};

const ABOUT: &str = "store";
const REPAIR: &str = "vade doctor --repair";

pub(super) fn check(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let path = doctor.short(&doctor.database);
    if !doctor.database.exists() {
        return vec![Finding::ok(ABOUT, format!("{path}: not made yet, the first write makes it"))];
    }
    let mut found = match store.health(doctor.is_deep) {
        Ok(health) => of_health(doctor, store, &path, &health),
        Err(error) => vec![Finding::bad(ABOUT, format!("{path}: {error}"), mend(&error))],
    };
    if let Some(holder) = holder::of(&doctor.database) {
        let text = format!("{holder} holds the lock of writers now");
        found.push(Finding::warn("lock", text, "run vade doctor again; if it stays, end it"));
    }
    found
}

fn of_health(doctor: &Doctor<'_>, store: &dyn Store, path: &str, health: &Health) -> Vec<Finding> {
    let notices = health.notices.iter();
    let mut found: Vec<Finding> =
        notices.map(|notice| Finding::ok(ABOUT, notice.clone())).collect();
    if health.faults.is_empty() {
        found.insert(0, Finding::ok(ABOUT, whole(doctor, store, path, health)));
    }
    found.extend(health.faults.iter().map(|fault| of_fault(path, fault)));
    found
}

fn of_fault(path: &str, fault: &str) -> Finding {
    let mend = if fault.ends_with("by another program") {
        "it cannot be undone: see what vade export shows, keep a copy of what is right"
    } else {
        REPAIR
    };
    Finding::bad(ABOUT, format!("{path}: {}", fault.replace('\n', "; ")), mend)
}

fn whole(doctor: &Doctor<'_>, store: &dyn Store, path: &str, health: &Health) -> String {
    let schema = health.schema.as_deref().unwrap_or("none");
    let mut log = doctor.database.clone().into_os_string();
    log.push("-wal");
    let size = |path: &std::path::Path| path.metadata().map_or(0, |meta| meta.len());
    let n_bytes = size(&doctor.database) + size(log.as_ref());
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
    let newest = store.changes(Seq(seq.0.saturating_sub(1)), 1).ok()?;
    newest.first().map(|record| record.at)
}

fn mend(error: &StoreError) -> String {
    match error {
        StoreError::Corrupt { .. } => REPAIR.to_owned(),
        StoreError::Foreign | StoreError::Engine { .. } => {
            format!("{REPAIR}, or name another store with --store")
        }
        StoreError::Newer { .. } => "install a current vade".to_owned(),
        StoreError::Busy { .. }
        | StoreError::Reused { .. }
        | StoreError::Erased { .. }
        | StoreError::ReadOnly
        | StoreError::Full
        | StoreError::Unfinished { .. } => error.hint().to_owned(),
    }
}
