//! What a hook notes of a session: that it begins, goes on, was compacted, was warned, ends.

use serde::{Deserialize, Serialize};
use vademecum_core::entry::Said;
use vademecum_core::id::Seq;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope};

use super::running;
use crate::call::Call;
use crate::error::OpError;
use crate::succession::{NOTED_EVERY_MS, is_running};
use crate::who;

/// One thing that a harness told; kept in the spool when the store cannot take it at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Which session.
    pub key: SessionKey,
    /// When.
    pub at: Time,
    /// What.
    pub what: What,
    /// What the harness said of the session.
    pub place: Place,
}

/// What a harness told of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It begins, in this way.
    Begins(Began),
    /// It goes on after a stop.
    Resumes,
    /// It was compacted; the model's last answer before that, where it is known.
    Compacted(Option<String>),
    /// It was warned before the compaction with this number.
    Warned(u32),
    /// Its model was told of all writes up to this one.
    Knows(Seq),
    /// It is a sub-agent that starts, of this kind.
    Runs(Option<String>),
    /// It is a sub-agent of this kind that was asked this, told by the one that started it.
    Asked(Option<String>, Option<String>),
    /// This is to be recorded of it, without anybody's call.
    Found(Vec<Said>),
    /// It ended.
    Ends,
}

/// Notes what was told; the session as it is then.
pub(super) fn note(call: &Call<'_>, told: &Told) -> Result<Session, OpError> {
    let session = call.open(&told.key, &told.place, &began(&told.what), told.at)?;
    call.write_unique(Scope::Session(session.key.clone()), "note_session", told, |view| {
        let session = view.session(&told.key)?.unwrap_or_else(|| session.clone());
        let after = after(&session, told);
        let mut changes: Vec<Change> = change(&session, after).into_iter().collect();
        changes.extend(running::changes(view, &session, told)?);
        Ok((changes, ()))
    })?;
    let found = call.read(|view| view.session(&told.key))?;
    found.ok_or_else(|| OpError::broken("a session that was just noted is not there"))
}

/// Notes in one write what was told of one session before other things that are noted already.
///
/// A process may die before it can say that it did: the same things make the same write, done once.
pub(super) fn note_late(call: &Call<'_>, all: &[Told]) -> Result<(), OpError> {
    let Some(first) = all.first() else { return Ok(()) };
    let session = call.open(&first.key, &first.place, &began(&first.what), first.at)?;
    call.write_unique(Scope::Session(session.key.clone()), "note_session", &all, |view| {
        let session = view.session(&first.key)?.unwrap_or_else(|| session.clone());
        let mut now = session.clone();
        let mut runs = Vec::new();
        for told in all {
            // One that has ended since has not begun again.
            if now.ended_at.is_none_or(|ended| ended <= told.at) {
                now = after(&now, told);
            }
            running::add(&mut runs, &now, told, running::changes(view, &now, told)?);
        }
        Ok((change(&session, now).into_iter().chain(runs).collect(), ()))
    })?;
    Ok(())
}

/// The kind of the write by which a hook notes that a session works.
pub(super) const NOTE_WORK: &str = "note_work";

/// Notes that the session of `call` works; the session as it was, unless that was noted just now.
///
/// What a busy store does not take is asked for again at the next tool call.
pub(super) fn works(call: &Call<'_>) -> Result<Option<Session>, OpError> {
    let Some(session) = call.session_if_on()? else {
        return Ok(None);
    };
    let at = call.now();
    let noted = call.read(|view| Ok(view.card(&session.key)?.worked_at))?;
    let is_new = |noted: Time| {
        session.seen_at <= noted
            && at.since(noted) < NOTED_EVERY_MS
            && is_running(call.world, &session)
    };
    if noted.is_some_and(is_new) {
        return Ok(None);
    }
    let works = Change::SetWorked { session: session.key.clone(), at };
    let written = call.write(Scope::Session(session.key.clone()), NOTE_WORK, &(), |view| {
        let heard = view.session(&session.key)?.and_then(|now| who::heard(now, at));
        Ok((heard.into_iter().chain([works.clone()]).collect(), ()))
    });
    drop(written);
    Ok(Some(session))
}

fn began(what: &What) -> Began {
    match what {
        What::Begins(began) => began.clone(),
        What::Resumes
        | What::Compacted(_)
        | What::Warned(_)
        | What::Knows(_)
        | What::Runs(_)
        | What::Asked(_, _)
        | What::Found(_)
        | What::Ends => Began::Start,
    }
}

/// What is known of a session once `told` is.
pub(super) fn after(session: &Session, told: &Told) -> Session {
    let mut after = session.clone();
    let standing = &mut after.standing;
    match &told.what {
        What::Begins(_) | What::Resumes | What::Runs(_) => after.ended_at = None,
        What::Compacted(answer) => {
            after.ended_at = None;
            standing.compactions = standing.compactions.saturating_add(1);
            standing.answer.clone_from(answer);
        }
        What::Warned(at) => standing.warned_at = Some(*at),
        What::Knows(seq) => standing.told = standing.told.max(*seq),
        What::Asked(_, _) | What::Found(_) => {}
        What::Ends => after.ended_at = Some(told.at),
    }
    after.place = after.place.with(&told.place);
    after.seen_at = after.seen_at.max(told.at);
    after
}

/// The change from what is known of a session to what is known after it; none if nothing is new.
fn change(session: &Session, after: Session) -> Option<Change> {
    let Session { key, seen_at, ended_at, place, standing, .. } = after;
    let is_new = ended_at != session.ended_at
        || standing != session.standing
        || place != session.place
        || seen_at != session.seen_at;
    is_new.then_some(Change::SetSession { session: key, seen_at, ended_at, place, standing })
}

/// Where the context of a session stands, for a session that the store does not know.
pub(super) fn unknown(key: &SessionKey, told: &Told) -> Session {
    Session {
        project: vademecum_core::id::ProjectId::NONE,
        key: key.clone(),
        parent: None,
        began: began(&told.what),
        instance: 0,
        host_name: String::new(),
        started_at: told.at,
        seen_at: told.at,
        ended_at: None,
        place: told.place.clone(),
        standing: Standing::default(),
    }
}
