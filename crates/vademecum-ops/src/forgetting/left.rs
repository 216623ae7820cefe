//! What still says the same after something was forgotten: one sentence each, with what ends it.

use std::collections::BTreeSet;

use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::note::Note;
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_store::{Change, NoteFilter, Scope, StoreError, View};

use super::entry::{all, family, is_in_force, texts};
use super::holders::Holders;
use super::note::{Traces, all_sessions, said};
use super::quotes::Texts;
use crate::succession::{self, Worker};

/// So many are named of what may be long; the rest is counted.
const NAMED: usize = 5;

/// What says the same as a note, before it goes.
pub(crate) fn left_of_note(
    view: &dyn View,
    session: &Session,
    id: NoteId,
) -> Result<Vec<String>, StoreError> {
    let texts = Traces::of(view, &session.key, id)?.texts;
    let same = all(view, session.project)?;
    let same = same.iter().filter(|entry| texts.stand_in(entry.said.content.as_str()));
    let mut left = entries("says the same in", same);
    let sessions = all_sessions(view, session.project)?;
    let mut holders = Holders::among(&sessions);
    holders.add(&session.key);
    for taker in takers(view, session)? {
        holders.add(&taker.key);
    }
    let is_it = |of: &SessionKey, note: NoteId| (of, note) == (&session.key, id);
    left.extend(said_by(view, &sessions, &texts, is_it, &mut holders)?);
    for fork in sessions.iter().filter(|it| it.began == Began::Fork && it.key != session.key) {
        left.extend(history_of(view, fork, id, &texts)?);
    }
    left.extend(transcript(session));
    left.extend(holders.transcripts(&[session]));
    Ok(left)
}

/// What sessions say of the texts in words of their own; who does holds them.
fn said_by(
    view: &dyn View,
    sessions: &[Session],
    texts: &Texts,
    is_it: impl Fn(&SessionKey, NoteId) -> bool,
    holders: &mut Holders<'_>,
) -> Result<Vec<String>, StoreError> {
    let mut all = Vec::new();
    for session in sessions {
        let mut said = words_of(view, session, texts)?;
        said.extend(notes_of(view, session, texts, |note| is_it(&session.key, note))?);
        let recap = view.recap(&session.key)?;
        if !said.is_empty() || recap.is_some_and(|recap| texts.stand_in_json(&recap.body)) {
            holders.add(&session.key);
        }
        all.extend(said);
    }
    Ok(all)
}

/// What sessions leave to others: entries that they recorded, and forks that began with copies.
pub(crate) fn left_of_sessions(
    view: &dyn View,
    sessions: &[Session],
) -> Result<Vec<String>, StoreError> {
    let Some(project) = sessions.first().map(|session| session.project) else {
        return Ok(Vec::new());
    };
    let ids: Vec<SessionKey> = sessions.iter().map(|session| session.key.clone()).collect();
    let entries_of = all(view, project)?;
    let theirs =
        |entry: &&Entry| entry.session.as_deref().is_some_and(|session| ids.contains(session));
    let mut left = entries("was recorded by it for", entries_of.iter().filter(theirs));
    let all = all_sessions(view, project)?;
    for other in all.iter().filter(|other| !ids.contains(&other.key)) {
        if is_copy(&all, other, &ids) || has_notes_of(view, other, &ids)? {
            let name = name(other);
            left.push(format!(
                "session {name} began with copies of its page and notes: vade forget session {name}"
            ));
        }
    }
    left.extend(sessions.iter().filter_map(transcript));
    left.extend(readers(view, sessions)?);
    Ok(left)
}

/// Whether a session began as a fork of one of these, or of one that did.
fn is_copy(all: &[Session], session: &Session, of: &[SessionKey]) -> bool {
    let mut it = session;
    // A line of forks is no longer than there are sessions.
    for _ in 0..all.len() {
        let Some(parent) = it.parent.as_ref().filter(|_| it.began == Began::Fork) else { break };
        if of.contains(parent) {
            return true;
        }
        let Some(next) = all.iter().find(|it| it.key == *parent) else { break };
        it = next;
    }
    false
}

/// Whether a fork whose parent may be forgotten has a note of one of these sessions.
fn has_notes_of(view: &dyn View, session: &Session, of: &[SessionKey]) -> Result<bool, StoreError> {
    if session.began != Began::Fork {
        return Ok(false);
    }
    let own = view.notes(&session.key, &NoteFilter::ALL, 0)?;
    for key in of {
        let theirs = view.notes(key, &NoteFilter::ALL, 0)?;
        let is_same =
            |note: &&Note| theirs.iter().any(|it| it.id == note.id && it.content == note.content);
        if own.iter().any(|note| is_same(&note)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The sessions that read what one left.
fn takers(view: &dyn View, session: &Session) -> Result<Vec<Session>, StoreError> {
    let workers = succession::agents(view, session.project, None)?;
    let before = Worker { session: session.clone(), at: Time(i64::MIN) };
    let takers = before.takers(view, &workers)?;
    Ok(takers.into_iter().map(|(taker, _)| taker.session.clone()).collect())
}

/// The sessions that read what one of `sessions` left: their own conversations hold it.
fn readers(view: &dyn View, sessions: &[Session]) -> Result<Vec<String>, StoreError> {
    let mut names = BTreeSet::new();
    let mut left = Vec::new();
    for session in sessions {
        for taker in takers(view, session)? {
            let Some(path) = taker.place.transcript.as_deref() else { continue };
            let name = name(&taker);
            let path = String::from_utf8_lossy(path);
            let said = format!(
                "session {name} read what it left, and its transcript may quote it: {path}"
            );
            let is_own = sessions.iter().any(|own| own.key == taker.key);
            left.extend((!is_own && names.insert(name)).then_some(said));
        }
    }
    Ok(left)
}

/// What says the same as an entry, before it goes.
///
/// The sessions of these full names were `told` of it by a context.
pub(crate) fn left_of_entry(
    view: &dyn View,
    (project, id): (ProjectId, EntryId),
    told: impl Fn(EntryId) -> BTreeSet<String>,
) -> Result<Vec<String>, StoreError> {
    let entries_of = all(view, project)?;
    let family = family(&entries_of, id);
    let (gone, stays): (Vec<_>, Vec<_>) =
        entries_of.iter().partition(|entry| family.contains(&entry.id));
    let words = Texts::new(gone.iter().flat_map(|entry| texts(entry)));
    let same = stays.iter().copied().filter(|entry| texts(entry).any(|text| words.stand_in(text)));
    let mut left = entries("says the same in", same);
    let corrected: BTreeSet<EntryId> =
        gone.iter().filter_map(|entry| entry.said.supersedes).collect();
    let others = || stays.iter().copied();
    let again = others().filter(|entry| corrected.contains(&entry.id));
    for entry in again.filter(|entry| is_in_force(entry, others())) {
        left.push(format!("{}, which it corrected, is in force again", entry.id));
    }
    let sessions = all_sessions(view, project)?;
    let mut holders = Holders::among(&sessions);
    for session in sessions.iter().filter(had(&gone, told)) {
        holders.add(&session.key);
    }
    left.extend(said_by(view, &sessions, &words, |_, _| false, &mut holders)?);
    left.extend(holders.transcripts(&[]));
    Ok(left)
}

/// Whether a session recorded one of the entries that go, or was told of them.
///
/// What a sub-agent is told at its start is noted nowhere: who began since may have been told.
fn had(gone: &[&Entry], told: impl Fn(EntryId) -> BTreeSet<String>) -> impl Fn(&&Session) -> bool {
    let by: BTreeSet<SessionKey> =
        gone.iter().filter_map(|entry| entry.session.as_deref().cloned()).collect();
    let first = gone.iter().map(|entry| entry.at).min();
    let told = gone.iter().map(|entry| entry.id).min().map(told).unwrap_or_default();
    move |session| {
        let is_briefed = session.key.agent.is_some() && first <= Some(session.started_at);
        is_briefed || by.contains(&session.key) || told.contains(&name(session))
    }
}

/// The notes of a session that say the same, but the one that is forgotten.
fn notes_of(
    view: &dyn View,
    session: &Session,
    texts: &Texts,
    is_it: impl Fn(NoteId) -> bool,
) -> Result<Vec<String>, StoreError> {
    let all = NoteFilter::ALL;
    let mut notes = view.notes(&session.key, &all, 0)?;
    notes.retain(|note| !is_it(note.id) && texts.stand_in(note.content.as_str()));
    let name = name(session);
    let said = notes.iter().map(|note| {
        let id = note.id;
        format!("note {id} of {name} says the same: vade forget note {id} --session {name}")
    });
    Ok(said.collect())
}

/// What a fork's copy of a note said before the fork changed or deleted it.
fn history_of(
    view: &dyn View,
    fork: &Session,
    id: NoteId,
    texts: &Texts,
) -> Result<Option<String>, StoreError> {
    let says = |text: &str| texts.stand_in(text);
    let now = view.note(&fork.key, id)?;
    if now.is_some_and(|note| says(note.content.as_str())) {
        // It is named already.
        return Ok(None);
    }
    let had = said(view, &fork.key, id)?.iter().any(|text| says(text));
    let name = name(fork);
    Ok(had.then(|| {
        format!("the history of note {id} of {name} says the same: vade forget note {id} --session {name}")
    }))
}

/// What a session says in words that nobody made for it: its page, earlier pages, its handoff.
fn words_of(view: &dyn View, session: &Session, texts: &Texts) -> Result<Vec<String>, StoreError> {
    let name = name(session);
    let ends = format!("vade forget session {name}");
    let page = view.notepad(&session.key)?;
    if page.is_some_and(|page| texts.stand_in(&page.text)) {
        return Ok(vec![format!("the page of {name} says the same: {ends}")]);
    }
    let mut left = Vec::new();
    if was_on_page(view, session, texts)? {
        left.push(format!("an earlier page of {name} says the same: {ends}"));
    }
    let words = view.handoff(&session.key)?;
    if words.is_some_and(|words| texts.stand_in(&words.text)) {
        left.push(format!("what {name} left word of says the same: {ends}"));
    }
    Ok(left)
}

fn was_on_page(view: &dyn View, session: &Session, texts: &Texts) -> Result<bool, StoreError> {
    for record in view.records(&Scope::Session(session.key.clone()), 0)? {
        let undo = view.body(record.seq)?.map(|body| body.undo).unwrap_or_default();
        let holds = |change: &Change| match change {
            Change::EditNotepad { splice, .. } => texts.stand_in(&splice.insert),
            Change::Unknown(unknown) => texts.are_quoted_in_json(&unknown.raw),
            _ => false,
        };
        if undo.iter().any(holds) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One sentence for each entry that is named, and one for the rest.
fn entries<'a>(what: &str, entries: impl Iterator<Item = &'a Entry>) -> Vec<String> {
    let mut left: Vec<String> = entries
        .map(|entry| {
            let (id, plan) = (entry.id, &entry.plan);
            format!("{id} {what} plan {plan}: vade forget entry {id} --yes")
        })
        .collect();
    let n_more = left.len().saturating_sub(NAMED);
    left.truncate(NAMED);
    if 0 < n_more {
        left.push(format!("{n_more} more entries: vade plan show lists them"));
    }
    left
}

/// The record of the harness, which is not ours to erase.
fn transcript(session: &Session) -> Option<String> {
    let path = session.place.transcript.as_deref()?;
    let path = String::from_utf8_lossy(path);
    Some(format!(
        "the transcript is the harness's own, and a recap made of it later may quote it: {path}"
    ))
}

fn name(session: &Session) -> String {
    session.key.to_string()
}
