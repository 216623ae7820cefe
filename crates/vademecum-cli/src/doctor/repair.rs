//! Repairs the store, and says what was saved.

use serde_json::json;
use vademecum::core::error::Kind;
use vademecum::ops::shapes::counted;
use vademecum::ops::{OpError, Reply};
use vademecum::port::StoreError;
use vademecum::store::{Report, repair};

use super::{Doctor, store};
use crate::install::shell::quoted;

pub(super) fn run(doctor: &Doctor<'_>) -> Result<Reply, OpError> {
    let report = repair(&doctor.database).map_err(|error| {
        if let StoreError::Emptied { .. } = error {
            return OpError::from(error).hint(store::restoring(doctor, &doctor.database));
        }
        let error = OpError::from(error);
        match error.kind {
            Kind::Busy => OpError::new(Kind::Busy, "the store is in use: nothing was changed")
                .hint("end the sessions of your agents, then run: vade doctor --repair"),
            Kind::Usage | Kind::Missing | Kind::Conflict | Kind::Denied | Kind::Broken => error,
        }
    })?;
    Ok(Reply { object: object(&report), text: text(doctor, &report) })
}

fn object(report: &Report) -> serde_json::Value {
    let tables = report
        .tables
        .iter()
        .map(|saved| json!({ "table": saved.table, "rows": saved.n_rows, "gaps": saved.has_gaps }));
    json!({
        "mended": report.mended,
        "left": report.left,
        "kept_aside": report.aside.as_ref().map(|path| path.to_string_lossy()),
        "copied": report.copied.as_ref().map(|path| path.to_string_lossy()),
        "quarantine": report.quarantine.as_ref().map(|path| path.to_string_lossy()),
        "quarantined": report.n_quarantined,
        "acknowledged": report.acknowledged,
        "tables": tables.collect::<Vec<_>>(),
        "indexed_notes": report.n_indexed,
        "rechained_scopes": report.n_rechained,
    })
}

fn text(doctor: &Doctor<'_>, report: &Report) -> String {
    let path = doctor.short(&doctor.database);
    let line = |what: &str, fault: &String| format!("  {what}: {}\n", fault.replace('\n', "; "));
    let mended = report.mended.iter().map(|fault| line("repaired", fault));
    let left = report.left.iter().map(|fault| line("left", fault));
    let first = match (&report.aside, report.mended.is_empty() && report.left.is_empty()) {
        (Some(_), _) => format!("{path} was damaged and is replaced by what could be read\n"),
        (None, true) => {
            let n = counted(report.n_indexed, "note");
            format!("{path} is whole; its search index was rebuilt ({n})\n")
        }
        (None, false) => {
            let n = counted(report.n_indexed, "note");
            format!("{path} was repaired; its search index was rebuilt ({n})\n")
        }
    };
    let mut lines = vec![first];
    lines.extend(mended.chain(left));
    lines.extend(report.tables.iter().map(|saved| {
        let gaps = if saved.has_gaps { ", some may be missing" } else { "" };
        format!("  {}: {} rows saved{gaps}\n", saved.table, saved.n_rows)
    }));
    if 0 < report.n_rechained {
        let n = report.n_rechained;
        lines.push(format!("  the journal's chain was begun anew in {n} scopes\n"));
    }
    lines.extend(kept(doctor, report));
    lines.concat()
}

/// One line for each file that holds what was there before.
fn kept(doctor: &Doctor<'_>, report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(path) = &report.quarantine {
        let n = report.n_quarantined;
        let path = doctor.short(path);
        lines.push(format!("{n} texts or rows could not be read; their bytes are kept: {path}\n"));
    }
    if let Some(path) = &report.copied {
        lines.push(format!("the store as it was is kept: {}\n", doctor.short(path)));
    }
    for path in &report.acknowledged {
        let (short, quoted) = (doctor.short(path), quoted(path));
        lines.push(format!("a copy is kept: {short} (vade session list --store {quoted})\n"));
    }
    if let Some(path) = &report.aside {
        lines.push(format!("the damaged file is kept: {}\n", doctor.short(path)));
    }
    lines
}
