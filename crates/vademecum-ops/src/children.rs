//! Sessions that stem from another: what they start with, and where a context of one's own stands.

use serde::{Deserialize, Serialize};
use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Change, NoteFilter, Scope, StoreError, View};

use crate::call::Call;
use crate::error::OpError;

/// What a session starts with of the one that it stems from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// Nothing: it is spawned.
    Nothing,
    /// A copy of the page: it is spawned.
    Page,
    /// Copies of page and notes: it is forked.
    Everything,
}

impl Given {
    fn began(self) -> Began {
        match self {
            Self::Nothing | Self::Page => Began::Spawn,
            Self::Everything => Began::Fork,
        }
    }
}

/// So many notes a fork gets at once, within the deadline of a hook; the next command, call or server copies the others.
const AT_ONCE: u32 = 1_000;

/// Makes the child `key` of `parent` known, with what it is given; a repeat changes nothing.
pub fn begin(
    call: &Call<'_>,
    key: &SessionKey,
    parent: &SessionKey,
    given: Given,
) -> Result<(), OpError> {
    let place = Place::default();
    let known = call.read(|view| view.session(parent))?;
    let parent = match known {
        Some(parent) => parent,
        None => call.begin(parent, &place, Began::Start)?,
    };
    let child = call.open(key, &place, &given.began(), call.now())?;
    call.write_unique(
        Scope::Session(child.key.clone()),
        "begin_child",
        &(&parent.key, given),
        |view| Ok((changes(view, &child.key, &parent, given, call.now())?, ())),
    )?;
    Ok(())
}

/// The changes by which a session gets what it is given: a page where it has none, notes beside its own.
pub(crate) fn changes(
    view: &dyn View,
    child: &SessionKey,
    parent: &Session,
    given: Given,
    at: Time,
) -> Result<Vec<Change>, StoreError> {
    let mut changes =
        vec![Change::SetParent { session: child.clone(), parent: parent.key.clone() }];
    if given == Given::Nothing {
        return Ok(changes);
    }
    let page = view.notepad_rev(child)?.is_none() && view.notepad_rev(&parent.key)?.is_some();
    let notes = given == Given::Everything && 0 < view.counts(&parent.key)?.notes;
    if page || notes {
        changes.push(Change::Fork {
            session: child.clone(),
            from: parent.key.clone(),
            page,
            notes,
            at_once: Some(AT_ONCE),
            at,
        });
    }
    if notes {
        changes.extend(moved(view, child, &parent.key)?);
    }
    Ok(changes)
}

/// Adds those notes of `parent` under whose ids the child has others: under the next free ones.
fn moved(
    view: &dyn View,
    child: &SessionKey,
    parent: &SessionKey,
) -> Result<Vec<Change>, StoreError> {
    let last = |session| Ok::<_, StoreError>(view.counts(session)?.last);
    let mut last = last(child)?.max(last(parent)?).unwrap_or(NoteId(0));
    let mut changes = Vec::new();
    for own in view.notes(child, &NoteFilter { by_id: true, ..NoteFilter::ALL }, 0)? {
        let Some(note) = view.note(parent, own.id)?.filter(|theirs| *theirs != own) else {
            continue;
        };
        last.0 += 1;
        changes.push(Change::AddNote { session: child.clone(), note: Note { id: last, ..note } });
    }
    Ok(changes)
}

/// Notes where the context of the call's session stands, for a host that compacts by itself.
///
/// The counts are whole, not steps: what a crash left out is made good by the next note.
pub fn note_context(
    call: &Call<'_>,
    compactions: u32,
    warned_at: Option<u32>,
    place: &Place,
) -> Result<(), OpError> {
    let (session, _) = call.open_session()?;
    let news = |now: &Session| {
        let standing = Standing { compactions, warned_at, ..now.standing.clone() };
        let place = now.place.clone().with(place);
        let is_new = standing != now.standing || place != now.place;
        is_new.then(|| Change::SetSession {
            session: now.key.clone(),
            seen_at: now.seen_at.max(call.now()),
            ended_at: now.ended_at,
            place,
            standing,
        })
    };
    if news(&session).is_none() {
        return Ok(());
    }
    call.write(Scope::Session(session.key.clone()), "note_context", &compactions, |view| {
        let now = view.session(&session.key)?;
        Ok((now.as_ref().and_then(news).into_iter().collect(), ()))
    })?;
    Ok(())
}
