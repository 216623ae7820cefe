//! What operations on notes share: finding the one that is named, and listing them with their links.

use vademecum_core::context::{Back, BlockName};
use vademecum_core::id::{EntryId, NoteId};
use vademecum_core::note::Note;
use vademecum_core::note::links;
use vademecum_core::session::{Session, SessionKey, handle};
use vademecum_core::time::Time;
use vademecum_store::{Author, Counts, Document, NoteFilter, StoreError, View};

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::finding;
use crate::gather;
use crate::history::{self, note::NoteStep};
use crate::moments::cap_of;
use crate::shapes::{Kept, NoteShape};
use crate::succession::{self, Worker};

/// The note of this session with the id `id`.
pub fn named(
    call: &Call<'_>,
    view: &dyn View,
    session: &SessionKey,
    id: &str,
) -> Result<Note, OpError> {
    let Ok(note) = id.trim().parse::<NoteId>() else { return Err(missing(id)) };
    match view.note(session, note)? {
        Some(note) => Ok(note),
        None if history::note::steps(view, session, note)?.is_empty() => {
            Err(another(call, view, session, note)?.unwrap_or_else(|| missing(id)))
        }
        None => Err(deleted(call, note)),
    }
}

/// The session whose note `id` a call of `session` changes: its own, one whose work it took over, or its sub-agent's.
///
/// A handoff shows the notes of those: who goes on with their work ticks them off, while they do not run themselves.
pub fn holder(call: &Call<'_>, session: &Session, id: &str) -> Result<Session, OpError> {
    let Ok(note) = id.trim().parse::<NoteId>() else { return Ok(session.clone()) };
    call.look(|view| {
        if view.note(&session.key, note)?.is_some() {
            return Ok(session.clone());
        }
        for found in finding::notes(view, session.project, note)? {
            let Document::Note(of, _) = found else { continue };
            if let Some(before) = view.session(&of)?
                && (is_of(call, session, &before) || has_work_of(call, view, (session, &before))?)
            {
                return Ok(before);
            }
        }
        Ok(session.clone())
    })
}

/// Whether a session is a sub-agent of `session` that does not run any more.
fn is_of(call: &Call<'_>, session: &Session, agent: &Session) -> bool {
    agent.key.parent().as_ref() == Some(&session.key) && !succession::is_running(call.world, agent)
}

/// Whether `session` has the work of `before`: it took that over, nobody else did since, and that one neither runs nor
/// worked since.
fn has_work_of(
    call: &Call<'_>,
    view: &dyn View,
    (session, before): (&Session, &Session),
) -> Result<bool, StoreError> {
    let is_persons = before.key.harness == SessionKey::DESK;
    if is_persons || succession::is_running(call.world, before) {
        return Ok(false);
    }
    let Some(took_at) = took_over_at(call, view, (session, before))? else { return Ok(false) };
    let Some(before) = Worker::of(view, before)?.filter(|before| before.at <= took_at) else {
        return Ok(false);
    };
    let others = succession::agents(view, session.project, Some(session))?;
    view.expect(&|view| drop(before.takers(view, &others)));
    let takers = before.takers(view, &others)?;
    Ok(takers.iter().all(|(_, at)| *at <= took_at))
}

/// When `session` took over the work of `before` as that left it; none where it did not.
fn took_over_at(
    call: &Call<'_>,
    view: &dyn View,
    (session, before): (&Session, &Session),
) -> Result<Option<Time>, StoreError> {
    let own = [Worker { session: session.clone(), at: call.now() }];
    let at = succession::last_work(view, before)?.unwrap_or(before.started_at);
    let taken =
        Worker { session: before.clone(), at }.takers(view, &own)?.first().map(|(_, at)| *at);
    // Of what was imported only the session's own row tells.
    let is_its = succession::taken_over(view, session)?.is_some_and(|it| it.key == before.key);
    Ok(taken.or_else(|| is_its.then_some(session.started_at)))
}

/// What is said of a note that another session of the project has, as a search of the project shows it.
fn another(
    call: &Call<'_>,
    view: &dyn View,
    session: &SessionKey,
    id: NoteId,
) -> Result<Option<OpError>, OpError> {
    let Some(session) = view.session(session)? else { return Ok(None) };
    let Some(Document::Note(of, _)) = finding::notes(view, session.project, id)?.into_iter().next()
    else {
        return Ok(None);
    };
    let hint = match takes_over(call, view, (&session, &of))? {
        _ if is_person(call) => format!("--session {} works on it", handle(&of)),
        true => format!(
            "{TAKE_OVER} read_handoff(from=\"{}\") takes it over with its notes; else {INSTEAD}",
            handle(&of)
        ),
        false => INSTEAD.to_owned(),
    };
    let of = handle(&of);
    Ok(Some(
        OpError::missing(format!("{id} is a note of session {of}, not of this one")).hint(hint),
    ))
}

/// What a model can do about a note of another session.
const TAKE_OVER: &str = "if you go on with its work,";
const INSTEAD: &str = "say what holds now with add_learning, naming this note";

/// Whether `session` would by reading the handoff of the session `of` take its work over, which it did not yet.
fn takes_over(
    call: &Call<'_>,
    view: &dyn View,
    (session, of): (&Session, &SessionKey),
) -> Result<bool, StoreError> {
    let is_session =
        of.harness != SessionKey::DESK && of.agent.is_none() && session.key.agent.is_none();
    let Some(of) = view.session(of)?.filter(|_| is_session) else { return Ok(false) };
    let is_taken = took_over_at(call, view, (session, &of))?.is_some();
    Ok(!is_taken && !succession::is_running(call.world, &of))
}

/// What is said of a note that the session had.
fn deleted(call: &Call<'_>, id: NoteId) -> OpError {
    let hint = if is_person(call) {
        format!("it was deleted: restore_note {id} brings it back")
    } else {
        "it was deleted; list_notes or search_notes shows what is there".to_owned()
    };
    OpError { hint: Some(hint), ..missing(&id.to_string()) }
}

/// Whether a person calls, who can do more than a model.
pub(crate) fn is_person(call: &Call<'_>) -> bool {
    call.caller.origin.author == Author::User
}

/// What is said where the session has no note `id`.
#[must_use]
pub fn missing(id: &str) -> OpError {
    OpError::missing(format!("no note \"{id}\" in this session"))
        .hint("list_notes or search_notes shows ids")
}

/// Every step of the note `id` that the journal knows, the newest first; never none.
pub fn steps(view: &dyn View, session: &SessionKey, id: &str) -> Result<Vec<NoteStep>, OpError> {
    let steps = match id.trim().parse::<NoteId>() {
        Ok(id) => history::note::steps(view, session, id)?,
        Err(_) => Vec::new(),
    };
    if steps.is_empty() { Err(missing(id)) } else { Ok(steps) }
}

/// So many notes are looked at in one go for one whose id begins or ends in a way.
const SLICE: usize = 500;

/// The whole id of the one note of the call's session whose id begins or ends with `part`; else `part`.
pub fn whole_id(call: &Call<'_>, part: &str) -> Result<String, OpError> {
    let part = part.trim();
    let digits = part.strip_prefix("note_").unwrap_or(part);
    let is_part = (3..13).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_part {
        return Ok(part.to_owned());
    }
    let found = call.look(|view| {
        let Some(session) = call.session(view)? else { return Ok(Vec::new()) };
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let notes = view.notes_after(&session.key, after, SLICE)?;
            let ids = notes.iter().map(|note| note.id);
            found.extend(ids.filter(|id| {
                let id = id.0.to_string();
                id.starts_with(digits) || part == digits && id.ends_with(digits)
            }));
            after = notes.last().map(|note| note.id);
            if notes.len() < SLICE {
                return Ok(found);
            }
        }
    })?;
    match found.as_slice() {
        [] => Ok(part.to_owned()),
        [one] => Ok(one.to_string()),
        several => {
            let ids: Vec<String> = several.iter().take(5).map(ToString::to_string).collect();
            Err(OpError::usage(format!("\"{part}\" may be any of {}", ids.join(", ")))
                .hint("give more digits"))
        }
    }
}

/// The id of a note that is added to `session` now, `last` being the newest that it ever had.
pub fn next_id(
    view: &dyn View,
    session: &SessionKey,
    last: Option<NoteId>,
    now: Time,
) -> Result<NoteId, StoreError> {
    let mut id = NoteId::after(last, now);
    // Only behind an id that no clock gave may the next one be in use.
    if last.is_some_and(|last| id < last) {
        while view.note(session, id)?.is_some() {
            id.0 += 1;
        }
    }
    Ok(id)
}

/// Up to so many open notes are weighed for a reply; whether more all fit is not worth reading them.
const WEIGHED: usize = 12;

/// The answer to something done to `note` of `session`, which has so many open notes then.
pub fn kept(
    call: &Call<'_>,
    view: &dyn View,
    (done, session): (&str, &Session),
    note: &Note,
    n_open: u64,
) -> Result<Kept, StoreError> {
    let mut kept = Kept::new(done, session, NoteShape::of(note), n_open);
    kept.restored &= call.config.automatic().restores;
    kept.restored &= call.config.profile.words().has(BlockName::Notes);
    let all_fit =
        !kept.restored || n_open <= WEIGHED as u64 && all_fit(call, view, session, note, n_open)?;
    Ok(Kept { all_fit, ..kept })
}

/// Whether a compaction is sure to put back all open notes with `note` among them.
fn all_fit(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    note: &Note,
    n_open: u64,
) -> Result<bool, StoreError> {
    let mut notes = view.notes(&session.key, &NoteFilter::default(), WEIGHED)?;
    notes.retain(|other| other.id != note.id);
    notes.push(note.clone());
    let page = view.page(&session.key, gather::PAGE)?;
    let notepad_more = page.as_ref().map_or(0, |page| page.more);
    let notepad = page.map(|page| page.text).unwrap_or_default();
    let counts = Counts { open: n_open, ..Counts::default() };
    let kept = gather::Kept { notepad, notepad_more, notes, counts, ..gather::Kept::default() };
    let nonce = gather::nonce(call.store, call.world, &session.key);
    let form = (&cap_of(&session.key), &nonce);
    let back = gather::put_back(view, call.config, session, kept, form)?;
    Ok(matches!(back.notes, Back::Whole | Back::Nothing))
}

/// Refuses an id of a plan's entry, where a note is to be changed or taken away.
pub fn refuse_entries(id: &str) -> Result<(), OpError> {
    let Some(id) = EntryId::parse(id.trim()) else { return Ok(()) };
    Err(OpError::denied("plan notepads only grow: add a learning, decision or issue instead")
        .hint(format!("add_learning with supersedes \"{id}\" corrects this one")))
}

/// In a session of more notes than this, a list tells of links from notes that it shows alone.
///
/// Who names a note is known only by reading all; an export does.
const FEW: u64 = 100;

/// So many notes in one answer are enough to tell links among them, without asking how many others there are.
const MANY: usize = 20;

/// Notes of a session that has `n_notes`, as a list shows them, with their links both ways; the
/// published design has no links.
pub fn listed(
    call: &Call<'_>,
    view: &dyn View,
    (session, n_notes): (&SessionKey, u64),
    notes: &[Note],
) -> Result<Vec<NoteShape>, StoreError> {
    if call.config.profile == Profile::Seed1 {
        return Ok(notes.iter().map(NoteShape::listed).collect());
    }
    let links = if notes.len() < MANY && n_notes <= FEW {
        links::among(&view.notes(session, &EVERY, 0)?)
    } else {
        let among = |view: &dyn View| {
            links::among_and(notes, |id| Ok::<_, StoreError>(view.note(session, id)?.is_some()))
        };
        view.expect(&|view| drop(among(view)));
        among(view)?
    };
    let shape = |note: &Note| match links.get(&note.id) {
        Some(links) => NoteShape::listed(note).with(links),
        None => NoteShape::listed(note),
    };
    Ok(notes.iter().map(shape).collect())
}

/// All notes of a session.
const EVERY: NoteFilter = NoteFilter::ALL;
