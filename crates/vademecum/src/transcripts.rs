//! Transcripts that only an engine can open, as the readers take them.

use std::path::Path;

use vademecum_core::turn::Turn;
use vademecum_harness::opencode::transcript::{Row, Rows};
use vademecum_harness::transcript::Report;
use vademecum_sqlite::opencode::{Opencode, OpencodeSession};
use vademecum_store::StoreError;

/// The sessions in opencode's database at `path`, the newest first.
pub fn opencode_sessions(path: &Path) -> Result<Vec<OpencodeSession>, StoreError> {
    Opencode::open(path)?.sessions()
}

/// Reads the turns of one session in opencode's database at `path`.
pub fn read_opencode(
    path: &Path,
    session: &OpencodeSession,
    sink: &mut dyn FnMut(Turn),
) -> Result<Report, StoreError> {
    let mut rows = Rows::new(&session.json, sink);
    Opencode::open(path)?.parts(&session.id, &mut |part| match part.json {
        Some((message, json)) => {
            rows.part(Row { message_id: part.message_id, message, part: json });
        }
        None => rows.long(),
    })?;
    Ok(rows.finish())
}
