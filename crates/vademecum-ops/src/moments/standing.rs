//! What a hook notes of a session: that it begins, goes on, was compacted, was warned, ends.

use serde::{Deserialize, Serialize};
use vademecum_core::id::Seq;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope};

use super::running;
use crate::call::Call;
use crate::error::OpError;
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
    /// It ended.
    Ends,
}

/// Notes what was told; the session as it is then.
pub(super) fn note(call: &Call<'_>, told: &Told) -> Result<Session, OpError> {
    note_with(call, told, news)
}

/// The same for what was told before other things that are noted already.
pub(super) fn note_late(call: &Call<'_>, told: &Told) -> Result<Session, OpError> {
    // One that has ended since has not begun again.
    let is_over = |session: &Session| session.ended_at.is_some_and(|ended| told.at < ended);
    note_with(call, told, |session, told| news(session, told).filter(|_| !is_over(session)))
}

fn note_with(
    call: &Call<'_>,
    told: &Told,
    news: impl Fn(&Session, &Told) -> Option<Change>,
) -> Result<Session, OpError> {
    let session = match call.read(|view| view.session(&told.key))? {
        Some(session) => session,
        None => call.begin(&told.key, &told.place, began(&told.what))?,
    };
    // What was spooled may be taken in twice by a process that died before it could say so.
    call.write_unique(Scope::Session(session.id), "note_session", told, |view| {
        let session = view.session(&told.key)?.unwrap_or_else(|| session.clone());
        let mut changes: Vec<Change> = news(&session, told).into_iter().collect();
        changes.extend(running::changes(view, &session, told)?);
        Ok((changes, ()))
    })?;
    let found = call.read(|view| view.session(&told.key))?;
    found.ok_or_else(|| OpError::broken("a session that was just noted is not there"))
}

/// How long a session works until that is noted again.
const NOTED_EVERY_MS: i64 = 2 * 60 * 1000;

/// Notes that the session of `call` works, unless that was noted just now.
///
/// What a busy store does not take is asked for again at the next tool call.
pub(super) fn works(call: &Call<'_>) -> Result<(), OpError> {
    let Some(session) = call.session_if_on()? else {
        return Ok(());
    };
    let at = call.now();
    let noted = call.read(|view| view.worked_at(session.id))?;
    if noted.is_some_and(|noted| at.since(noted) < NOTED_EVERY_MS) {
        return Ok(());
    }
    let works = Change::SetWorked { session: session.id, at };
    let written = call.write(Scope::Session(session.id), "note_work", &(), |view| {
        let heard = view.session_by_id(session.id)?.and_then(|now| who::heard(now, at));
        Ok((heard.into_iter().chain([works.clone()]).collect(), ()))
    });
    drop(written);
    Ok(())
}

fn began(what: &What) -> Began {
    match what {
        What::Begins(began) => *began,
        What::Resumes
        | What::Compacted(_)
        | What::Warned(_)
        | What::Knows(_)
        | What::Runs(_)
        | What::Asked(_, _)
        | What::Ends => Began::Start,
    }
}

/// The change that `told` makes to what is known of a session; none if it says nothing new.
fn news(session: &Session, told: &Told) -> Option<Change> {
    let mut standing = session.standing.clone();
    let mut ended_at = session.ended_at;
    match &told.what {
        What::Begins(_) | What::Resumes | What::Runs(_) => ended_at = None,
        What::Compacted(answer) => {
            ended_at = None;
            standing.compactions = standing.compactions.saturating_add(1);
            standing.answer.clone_from(answer);
        }
        What::Warned(at) => standing.warned_at = Some(*at),
        What::Knows(seq) => standing.told = standing.told.max(*seq),
        What::Asked(_, _) => {}
        What::Ends => ended_at = Some(told.at),
    }
    let place = session.place.clone().with(&told.place);
    let is_new =
        ended_at != session.ended_at || standing != session.standing || place != session.place;
    let seen_at = session.seen_at.max(told.at);
    let (session, seen) = (session.id, session.seen_at);
    (is_new || seen != seen_at).then_some(Change::SetSession {
        session,
        seen_at,
        ended_at,
        place,
        standing,
    })
}

/// Where the context of a session stands, for a session that the store does not know.
pub(super) fn unknown(key: &SessionKey, told: &Told) -> Session {
    Session {
        id: vademecum_core::id::SessionId(0),
        project: vademecum_core::id::ProjectId(0),
        key: key.clone(),
        parent: None,
        began: began(&told.what),
        instance: 0,
        machine: String::new(),
        started_at: told.at,
        seen_at: told.at,
        ended_at: None,
        place: told.place.clone(),
        standing: Standing::default(),
    }
}
