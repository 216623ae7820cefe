//! What a conversation may hold and holds no more: noted with each session that was told it.
//!
//! It stands in the journal of that session like what others wrote in it, so that a prompt without news
//! pays nothing for it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use vademecum_core::context::Lapsed;
use vademecum_core::entry::{Category, Entry};
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{
    Author, Change, EntryFilter, Scope, SessionFilter, StoreError, Surface, View,
};

use crate::call::Call;
use crate::error::OpError;
use crate::gather::{MOST_NEWS, News};
use crate::moments;

/// The kind of the write that notes it.
pub(crate) const KIND: &str = "note_lapse";

/// So many sessions of a project are told, those that began last.
const N_SESSIONS: usize = 50;

/// What holds no more.
///
/// Its JSON is kept in the journal: variants and fields are added, never renamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum Lapse {
    /// A note was forgotten; a number, so that its name stands nowhere.
    Note {
        /// Which.
        id: NoteId,
    },
    /// An entry was superseded, resolved or forgotten.
    Entry {
        /// Which.
        id: EntryId,
        /// learning, decision or issue.
        category: String,
        /// The entry that took its place; none where it was forgotten.
        by: Option<EntryId>,
    },
}

/// What the entries `added` put out of force in a project.
pub(crate) fn superseded(
    view: &dyn View,
    project: ProjectId,
    added: &[Entry],
) -> Result<Vec<Lapse>, StoreError> {
    let mut lapses = Vec::new();
    for later in added {
        let Some(id) = later.said.supersedes else { continue };
        let Some(entry) = view.entry(project, id)? else { continue };
        let category = entry.word().to_owned();
        lapses.push(Lapse::Entry { id, category, by: Some(later.id) });
    }
    Ok(lapses)
}

/// Notes with every session of a project that may have been told these entries that they hold no more.
///
/// The model that put them out of force knows it.
pub(crate) fn note(call: &Call<'_>, project: ProjectId, lapses: &[Lapse]) -> Result<(), OpError> {
    let ids = lapses.iter().filter_map(|lapse| match lapse {
        Lapse::Entry { id, .. } => Some(*id),
        Lapse::Note { .. } => None,
    });
    let Some(oldest) = ids.min() else { return Ok(()) };
    let told = moments::told_of_entry(&call.world.folders.data, oldest);
    let own = match call.caller.origin.author {
        Author::Agent => call.look(|view| call.session(view))?.map(|session| session.key.clone()),
        Author::User | Author::Tool | Author::Unknown(_) => None,
    };
    let filter = SessionFilter {
        project: Some(project),
        include_archived: true,
        limit: N_SESSIONS,
        ..SessionFilter::default()
    };
    let mut sessions = call.read(|view| view.sessions(filter))?;
    sessions.retain(|session| {
        let may_hold = session.ended_at.is_none() || told.contains(&session.key.to_string());
        may_hold && session.key.harness != SessionKey::DESK && Some(&session.key) != own.as_ref()
    });
    for session in sessions {
        note_with(call, &session.key, lapses)?;
    }
    Ok(())
}

/// The entries of a project that are in force, as a session that runs may hold them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InForce {
    /// The project: a session may move to another, whose entries have other ids.
    project: ProjectId,
    /// How many entries there are in all, and the newest: as long as both stay nothing has lapsed.
    all: (u64, Option<EntryId>),
    /// The category of each.
    ids: BTreeMap<EntryId, String>,
}

/// Notes with a session what other persons of its project have put out of force since `before`; what is in force now.
///
/// Whoever does it notes it with their own sessions, and sees no others. None of a session that is not known.
pub(crate) fn follow(
    call: &Call<'_>,
    key: &SessionKey,
    before: Option<&InForce>,
) -> Result<Option<InForce>, OpError> {
    let found = call.read(|view| {
        let Some(session) = view.session(key)? else { return Ok(None) };
        let filter = EntryFilter { project: Some(session.project), ..EntryFilter::default() };
        let all = (view.entry_count(filter)?, view.last_entry(session.project)?);
        let before = before.filter(|before| before.project == session.project);
        if let Some(before) = before.filter(|before| before.all == all) {
            return Ok(Some((before.clone(), Vec::new())));
        }
        let now = view.entries(EntryFilter { in_force: true, ..filter }, 0)?;
        let ids = now.iter().map(|entry| (entry.id, entry.word().to_owned())).collect();
        let now = InForce { project: session.project, all, ids };
        let lapsed = before.map_or(Ok(Vec::new()), |it| since(view, &session, it, &now))?;
        Ok(Some((now, lapsed)))
    })?;
    let Some((now, lapses)) = found else { return Ok(None) };
    if !lapses.is_empty() {
        note_with(call, key, &lapses)?;
    }
    Ok(Some(now))
}

/// What was in force before and is not now, unless the session was told of it.
fn since(
    view: &dyn View,
    session: &Session,
    before: &InForce,
    now: &InForce,
) -> Result<Vec<Lapse>, StoreError> {
    let mut gone = before.ids.clone();
    gone.retain(|id, _| !now.ids.contains_key(id));
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    for record in view.records(&Scope::Session(session.key.clone()), MOST_NEWS)? {
        let body = if record.kind == KIND { view.body(record.seq)? } else { None };
        for id in body.iter().flat_map(|body| entries(&body.reply)) {
            gone.remove(&id);
        }
    }
    let filter = EntryFilter { project: Some(session.project), ..EntryFilter::default() };
    let later = view.entries(filter, 0)?;
    let by = |id| later.iter().find(|it| it.said.supersedes == Some(id));
    // The model that put it out of force knows it.
    let is_own = |id| by(id).and_then(|it| it.session.as_deref()) == Some(&session.key);
    gone.retain(|id, _| !is_own(*id));
    let by = |id| by(id).map(|it| it.id);
    Ok(gone.into_iter().map(|(id, category)| Lapse::Entry { id, category, by: by(id) }).collect())
}

/// The entries of which such a write says that they hold no more.
fn entries(reply: &str) -> Vec<EntryId> {
    let lapses: Vec<Lapse> = serde_json::from_str(reply).unwrap_or_default();
    let entry = |lapse| match lapse {
        Lapse::Entry { id, .. } => Some(id),
        Lapse::Note { .. } => None,
    };
    lapses.into_iter().filter_map(entry).collect()
}

/// Notes with one session what holds no more.
pub(crate) fn note_with(
    call: &Call<'_>,
    session: &SessionKey,
    lapses: &[Lapse],
) -> Result<(), OpError> {
    let mut told = call.again(None);
    // What a hook or a model writes is taken for what its own session knows.
    let origin = &mut told.caller.origin;
    origin.author = Author::Tool;
    if origin.surface == Surface::Hook {
        origin.surface = Surface::Library;
    }
    told.write(Scope::Session(session.clone()), KIND, &lapses, |view| {
        let known = view.session(session)?;
        Ok((known.map(as_it_is).into_iter().collect(), lapses.to_vec()))
    })?;
    Ok(())
}

/// A change that changes nothing: a write stands in the journal for its words.
fn as_it_is(session: Session) -> Change {
    let Session { key: session, seen_at, ended_at, place, standing, .. } = session;
    Change::SetSession { session, seen_at, ended_at, place, standing }
}

/// Takes in what such a write says, as it stands now.
pub(crate) fn take(
    view: &dyn View,
    project: ProjectId,
    reply: &str,
    news: &mut News,
) -> Result<(), StoreError> {
    // What a later program says in other words is for that program to read.
    let lapses: Vec<Lapse> = serde_json::from_str(reply).unwrap_or_default();
    for lapse in lapses {
        match lapse {
            Lapse::Note { id } => news.gone.extend([id]),
            Lapse::Entry { id, category, by } => {
                let one = lapsed(view, project, (id, &category, by))?;
                news.lapsed.extend(one.filter(|one| !news.lapsed.contains(one)));
            }
        }
    }
    Ok(())
}

/// The notes that such a write says are forgotten.
pub(crate) fn notes(reply: &str) -> BTreeSet<NoteId> {
    let lapses: Vec<Lapse> = serde_json::from_str(reply).unwrap_or_default();
    let note = |lapse| match lapse {
        Lapse::Note { id } => Some(id),
        Lapse::Entry { .. } => None,
    };
    lapses.into_iter().filter_map(note).collect()
}

/// The entry as a context tells of it; none where it is in force again, as what replaced it is gone.
fn lapsed(
    view: &dyn View,
    project: ProjectId,
    (id, category, by): (EntryId, &str, Option<EntryId>),
) -> Result<Option<Lapsed>, StoreError> {
    let Some(entry) = view.entry(project, id)? else {
        return Ok(Category::parse(category).map(Lapsed::Forgotten));
    };
    let by = by.map(|by| view.entry(project, by)).transpose()?.flatten();
    let said = Box::new(entry.said);
    Ok(by.map(|by| Lapsed::Replaced { said, by: Box::new(by.said) }))
}
