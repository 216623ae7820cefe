//! What agents wrote for the next session, and the recaps of sessions.

use vademecum_core::hash::plain;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{
    Body, Change, CopiedBody, CopiedRecord, Handoff, KeptRecap, Scope, StoreError, View,
};

use super::lines::{Alone, Line, Touch};
use super::target::{Own, Part, Target, named};
use super::{KIND, sessions};
use crate::error::OpError;
use crate::forgetting::forgotten_texts;

/// Brings the words of a session, or takes them away where they were taken away.
pub(super) fn copy(
    from: &dyn View,
    to: &mut Target<'_>,
    (session, line): (&Session, &Line),
) -> Result<(), OpError> {
    let key = &session.key;
    let words = from.handoff(key)?;
    if words.is_none() && to.read(|view| view.handoff(key))?.is_none() {
        return Ok(());
    }
    let own = to.own();
    to.write("handoff", &(key, &words), |view, part| {
        if !sessions::is_taken(view, session)? {
            return Ok(Vec::new());
        }
        let (known, alone) = (view.handoff(key)?, line.alone(view)?);
        let Some(words) = words.as_ref().filter(|_| known != words) else {
            let is_gone = words.is_none() && alone.is_ahead(&Touch::Handoff);
            let at = from.session(key)?.map_or(session.seen_at, |it| it.seen_at);
            let change = Change::SetHandoff { session: key.clone(), text: None, at };
            return Ok(known.filter(|_| is_gone).map(|_| change).into_iter().collect());
        };
        brought(view, (key, words, &own), (known.as_ref(), &alone), part)
    })?;
    Ok(())
}

/// What brings words that are not those there.
fn brought(
    view: &dyn View,
    (key, words, own): (&SessionKey, &Handoff, &Own),
    (known, alone): (Option<&Handoff>, &Alone),
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    if alone.is_behind(&Touch::Handoff) {
        return Ok(Vec::new());
    }
    let Some(known) = known.filter(|_| !alone.is_ahead(&Touch::Handoff)) else {
        part.report.handoffs += 1;
        return Ok(vec![set(key, words)]);
    };
    if known.text == words.text {
        return Ok(Vec::new());
    }
    let record = beside(key, words, own);
    if view.record_of(&record.scope, &record.write_id)?.is_some() {
        return Ok(Vec::new());
    }
    part.report.handoffs += 1;
    part.report.notices.push(format!(
        "session {key} has other words for the next one there: they stay, and those that were copied stand in its \
         journal"
    ));
    Ok(vec![Change::CopyRecord(Box::new(record))])
}

/// Brings the recap of every session, but one that quotes what was forgotten there: it can be made again.
pub(super) fn recaps(from: &dyn View, to: &mut Target<'_>) -> Result<(), OpError> {
    let sessions = sessions::taken(from, to)?;
    let texts = to.read(|view| forgotten_texts(from, view, &sessions))?;
    for session in &sessions {
        let Some(recap) = from.recap(&session.key)? else { continue };
        if !texts.are_quoted_in_json(&recap.body) {
            to.write("recap", &(&session.key, &recap), |view, part| {
                newer(view, session, &recap, part)
            })?;
        }
    }
    Ok(())
}

fn newer(
    view: &dyn View,
    session: &Session,
    recap: &KeptRecap,
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    let is_known = view.recap(&session.key)?.is_some_and(|known| recap.at <= known.at);
    if is_known || !sessions::is_taken(view, session)? {
        return Ok(Vec::new());
    }
    part.report.recaps += 1;
    let KeptRecap { body, at } = recap.clone();
    Ok(vec![Change::SetRecap { session: session.key.clone(), body, at }])
}

fn set(key: &SessionKey, handoff: &Handoff) -> Change {
    let (text, at) = (Some(handoff.text.clone()), handoff.updated_at);
    Change::SetHandoff { session: key.clone(), text, at }
}

/// The entry that keeps words beside others: to undo it puts them in their place.
fn beside(key: &SessionKey, handoff: &Handoff, own: &Own) -> CopiedRecord {
    let content = format!("{key}\n{}", handoff.text);
    CopiedRecord {
        scope: Scope::Session(key.clone()),
        write_id: named("words", content.as_bytes()),
        kind: KIND.to_owned(),
        origin: own.0.clone(),
        by: own.1,
        at: handoff.updated_at,
        body: CopiedBody::Kept(Body {
            arguments: plain(content.as_bytes()),
            reply: "null".to_owned(),
            undo: vec![set(key, handoff)],
        }),
    }
}
