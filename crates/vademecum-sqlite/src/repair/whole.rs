//! Mends rows in a file whose pages are whole: texts that are none, the chain, the index, the counts.

use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use super::quarantine::Quarantine;
use super::{Report, faults, mend};
use crate::error::Port;
use crate::files::Files;
use crate::{erase, health, open, rekey, rescue, texts};

/// Mends the rows in place. Where anything is wrong, the store is copied first.
pub(super) fn mend(files: &Arc<Files>) -> Result<Report, StoreError> {
    let before = faults(files)?;
    let mut writer = open::writer(files, false)?;
    // Before the copy, which would hold what was erased. Where that cannot be done yet, what is left says so.
    erase::is_still_held(&mut writer.connection, files)?;
    let mut report = Report::default();
    if !before.is_empty() {
        files.make_backups()?;
        let copy = files.free_backup("before-repair", "db");
        rescue::copy_into(&writer.connection, &copy)?;
        report.copied = Some(copy);
    }
    let mut quarantine = Quarantine::of(files);
    let transaction =
        writer.connection.transaction_with_behavior(TransactionBehavior::Immediate).port()?;
    rows(&transaction, &writer.key, &mut quarantine, &mut report)?;
    (report.n_quarantined, report.quarantine) = quarantine.keep()?;
    transaction.commit().port()?;
    drop(writer);
    report.acknowledged = rescue::acknowledge(files)?;
    report.left = faults(files)?;
    report.mended = before.into_iter().filter(|fault| !report.left.contains(fault)).collect();
    Ok(report)
}

fn rows(
    connection: &Connection,
    key: &Key,
    quarantine: &mut Quarantine,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut bad = Vec::new();
    texts::each_bad(connection, &mut |text| {
        bad.push(text);
        Ok(())
    })?;
    for text in bad {
        quarantine.text(&text)?;
        texts::mend(connection, &text)?;
    }
    mend::drop_foreign(connection, quarantine)?;
    if !health::chain(connection, key, true)?.is_empty() {
        rekey::accept(connection)?;
        report.n_rechained = mend::rechain(connection, key)?;
    }
    report.n_indexed = mend::derive(connection, quarantine)?.n_notes;
    connection.execute_batch("REINDEX").port()
}
