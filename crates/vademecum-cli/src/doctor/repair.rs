//! Repairs the store, and says what was saved.

use serde_json::json;
use vademecum::core::error::Kind;
use vademecum::ops::{OpError, Reply};
use vademecum::store::{Report, repair};

use super::Doctor;

pub(super) fn run(doctor: &Doctor<'_>) -> Result<Reply, OpError> {
    let report = repair(&doctor.database).map_err(|error| {
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
        "tables": tables.collect::<Vec<_>>(),
        "indexed_notes": report.n_indexed,
        "rechained_scopes": report.n_rechained,
    })
}

fn text(doctor: &Doctor<'_>, report: &Report) -> String {
    let path = doctor.short(&doctor.database);
    let line = |what: &str, fault: &String| format!("  {what}: {}\n", fault.replace('\n', "; "));
    let mended = report.mended.iter().map(|fault| line("mended", fault));
    let left = report.left.iter().map(|fault| line("left", fault));
    let Some(aside) = &report.aside else {
        let n = report.n_indexed;
        let first = format!("{path} is whole; its search index was made anew ({n} notes)\n");
        return [first].into_iter().chain(mended).chain(left).collect();
    };
    let mut lines = vec![format!("{path} was damaged and is replaced by what could be read\n")];
    lines.extend(mended.chain(left));
    lines.extend(report.tables.iter().map(|saved| {
        let gaps = if saved.has_gaps { ", some may be missing" } else { "" };
        format!("  {}: {} rows saved{gaps}\n", saved.table, saved.n_rows)
    }));
    if 0 < report.n_rechained {
        let n = report.n_rechained;
        lines.push(format!("  the journal's chain was begun anew in {n} scopes\n"));
    }
    lines.push(format!("the damaged file is kept: {}\n", doctor.short(aside)));
    lines.concat()
}
