//! What agents wrote for the next session, and the recaps of sessions.

use vademecum_core::hash::plain;
use vademecum_core::session::SessionKey;
use vademecum_store::{
    Body, Change, CopiedBody, CopiedRecord, Handoff, KeptRecap, Scope, StoreError, View,
};

use super::lines::{Line, Touch};
use super::target::{Part, Target, named};
use super::{KIND, sessions};
use crate::error::OpError;

/// Brings the words and the recap of every session.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<(), OpError> {
    for session in sessions::all(from)? {
        let key = &session.key;
        if let Some(recap) = from.recap(key)? {
            to.write("recap", &(key, &recap), |view, part| newer(view, key, &recap, part))?;
        }
        let Some(handoff) = from.handoff(key)? else { continue };
        let line = Line::of(from, to, &Scope::Session(key.clone()))?;
        let origin = to.own_origin();
        to.write("handoff", &(key, &handoff), |view, part| {
            if view.session(key)?.is_none() {
                return Ok(Vec::new());
            }
            let alone = line.alone(view)?;
            match view.handoff(key)? {
                None if alone.is_behind(&Touch::Handoff) => Ok(Vec::new()),
                Some(known) if known == handoff || alone.is_behind(&Touch::Handoff) => {
                    Ok(Vec::new())
                }
                Some(_) if !alone.is_ahead(&Touch::Handoff) => {
                    let record = beside(key, &handoff, &origin);
                    if view.record_of(&record.scope, &record.write_id)?.is_some() {
                        return Ok(Vec::new());
                    }
                    part.report.handoffs += 1;
                    part.report.notices.push(format!(
                        "session {key} has other words for the next one there: they stay, and those that were copied \
                         stand in its journal"
                    ));
                    Ok(vec![Change::CopyRecord(Box::new(record))])
                }
                None | Some(_) => {
                    part.report.handoffs += 1;
                    Ok(vec![set(key, &handoff)])
                }
            }
        })?;
    }
    Ok(())
}

fn newer(
    view: &dyn View,
    key: &SessionKey,
    recap: &KeptRecap,
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    let is_known = view.recap(key)?.is_some_and(|known| recap.at <= known.at);
    if is_known || view.session(key)?.is_none() {
        return Ok(Vec::new());
    }
    part.report.recaps += 1;
    let KeptRecap { body, at } = recap.clone();
    Ok(vec![Change::SetRecap { session: key.clone(), body, at }])
}

fn set(key: &SessionKey, handoff: &Handoff) -> Change {
    let (text, at) = (Some(handoff.text.clone()), handoff.updated_at);
    Change::SetHandoff { session: key.clone(), text, at }
}

/// The entry that keeps words beside others: to undo it puts them in their place.
fn beside(key: &SessionKey, handoff: &Handoff, origin: &vademecum_store::Origin) -> CopiedRecord {
    let content = format!("{key}\n{}", handoff.text);
    CopiedRecord {
        scope: Scope::Session(key.clone()),
        write_id: named("words", content.as_bytes()),
        kind: KIND.to_owned(),
        origin: origin.clone(),
        at: handoff.updated_at,
        body: CopiedBody::Kept(Body {
            arguments: plain(content.as_bytes()),
            reply: "null".to_owned(),
            undo: vec![set(key, handoff)],
        }),
    }
}
