//! Sessions that the store does not know yet: all that is kept of them waits in the spool.

use vademecum_core::session::SessionKey;

use super::unremoved;
use crate::call::Call;
use crate::error::OpError;
use crate::moments::{self, Awaited};

/// The sessions that would come into the project of the call; one of which nobody can tell the folder may.
pub(crate) fn awaited_here(call: &Call<'_>) -> Result<Vec<SessionKey>, OpError> {
    let is_here = |there: &Awaited| -> Result<bool, OpError> {
        let Some(folder) = there.folder() else { return Ok(true) };
        let there = call.again(None).about(folder);
        let (own, its) = call.read(|view| Ok((call.project(view)?, there.project(view)?)))?;
        Ok(match (own, its) {
            (Some(own), Some(its)) => own.id == its.id,
            (None, None) => call.place().keys(None) == there.place().keys(None),
            (Some(_), None) | (None, Some(_)) => false,
        })
    };
    let mut here = Vec::new();
    for awaited in unknown(call)? {
        if is_here(&awaited)? {
            here.push(awaited.key);
        }
    }
    Ok(here)
}

/// The one session of this name, be it its id alone; none where none or several wait.
pub(crate) fn awaited_by_name(call: &Call<'_>, name: &str) -> Result<Option<SessionKey>, OpError> {
    let keys = unknown(call)?.into_iter().map(|awaited| awaited.key);
    let is_meant = |key: &SessionKey| {
        let full = key.to_string();
        full == name || full.split_once(':').is_some_and(|(_, id)| id == name)
    };
    let mut meant = keys.filter(is_meant);
    Ok(meant.next().filter(|_| meant.next().is_none()))
}

fn unknown(call: &Call<'_>) -> Result<Vec<Awaited>, OpError> {
    let mut unknown = Vec::new();
    for awaited in moments::awaited(call.world).map_err(|error| unremoved(&error))? {
        if call.read(|view| view.session(&awaited.key))?.is_none() {
            unknown.push(awaited);
        }
    }
    Ok(unknown)
}
