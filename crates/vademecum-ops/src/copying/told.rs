//! How far in the journal the model of a session was told, by the numbers that entries have there.

use vademecum_core::id::Seq;
use vademecum_core::session::{Session, Standing};
use vademecum_store::{Change, JournalFilter, Record, StoreError, View};

use super::lines::Ids;
use super::target::Target;
use super::{SLICE, sessions};
use crate::error::OpError;

/// Entries before the last that was told are looked at for one that was copied.
const LOOKED: usize = 20;

/// Says of each session up to where it was told, unless it works there by now.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>, ids: &Ids) -> Result<(), OpError> {
    let mut told = Vec::new();
    for session in sessions::taken(from, to)? {
        if Seq(0) < session.standing.told {
            let Seq(seq) = session.standing.told;
            let before = Some(Seq(seq.saturating_add(1)));
            let filter = JournalFilter { before, limit: LOOKED, ..JournalFilter::default() };
            told.push((session, from.records_by(&filter)?));
        }
    }
    for slice in told.chunks(SLICE) {
        let content: Vec<_> = slice.iter().map(|(it, _)| (&it.key, it.standing.told)).collect();
        to.write("told", &content, |view, _| {
            let mut changes = Vec::new();
            for (session, records) in slice {
                changes.extend(of_session(view, session, (records, ids))?);
            }
            Ok(changes)
        })?;
    }
    Ok(())
}

fn of_session(
    view: &dyn View,
    session: &Session,
    (records, ids): (&[Record], &Ids),
) -> Result<Option<Change>, StoreError> {
    let Some(there) = view.session(&session.key)? else { return Ok(None) };
    if there.standing.told != Seq(0) {
        return Ok(None);
    }
    for record in records {
        let Some(told) = ids.found(view, record)? else { continue };
        return Ok(Some(Change::SetSession {
            session: there.key,
            seen_at: there.seen_at,
            ended_at: there.ended_at,
            place: there.place,
            standing: Standing { told, ..there.standing },
        }));
    }
    Ok(None)
}
