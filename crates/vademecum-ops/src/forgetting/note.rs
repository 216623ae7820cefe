//! Forgetting a note: its versions, what quotes it and can be made again, then the row and its bytes.

use std::collections::BTreeSet;

use vademecum_core::id::{NoteId, ProjectId, Seq};
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{
    Body, Change, Erase, IntentId, Parts, Scope, SessionFilter, StoreError, View,
};

use super::quotes::Texts;
use super::tombstone::{self, Tombstone};
use super::unremoved;
use crate::call::Call;
use crate::error::OpError;
use crate::lapses::{self, Lapse};
use crate::{drafts, handoffs};

/// What the store knows of a note.
pub(super) struct Traces {
    /// The journal entries that hold it.
    pub(super) seqs: Vec<Seq>,
    /// What it says and has said.
    pub(super) texts: Texts,
    /// Whether it is there now.
    pub(super) is_there: bool,
    /// Whether it is there and not crossed out.
    pub(super) is_open: bool,
}

impl Traces {
    /// Finds the note in the session and in the bodies of its journal.
    pub(super) fn of(
        view: &dyn View,
        session: &SessionKey,
        id: NoteId,
    ) -> Result<Self, StoreError> {
        let now = view.note(session, id)?;
        let mut texts: Vec<String> =
            now.iter().map(|note| note.content.as_str().to_owned()).collect();
        let mut seqs = Vec::new();
        let quoted = format!("\"{id}\"");
        for record in view.records(&Scope::Session(session.clone()), 0)? {
            let Some(body) = view.body(record.seq)? else { continue };
            let before = texts.len();
            texts.extend(before_it(&body, id).map(str::to_owned));
            // What a later program did may hold it too: its number tells.
            let is_later = |change: &Change| matches!(change, Change::Unknown(unknown) if unknown.raw.contains(&id.0.to_string()));
            // That it is to be dropped holds none of its words: what made other things beside it is left to them.
            let is_of_it = |change: &Change| matches!(change, Change::DropNote { id: other, .. } if *other == id);
            let is_touched = body.undo.iter().any(is_later)
                || !body.undo.is_empty() && body.undo.iter().all(is_of_it);
            if before < texts.len() || is_touched || body.reply.contains(&quoted) {
                seqs.push(record.seq);
            }
        }
        let texts = Texts::new(texts.iter().map(String::as_str));
        let is_open = now.as_ref().is_some_and(|note| !note.is_scratched());
        Ok(Self { seqs, texts, is_there: now.is_some(), is_open })
    }
}

/// What a note said before a write.
fn before_it(body: &Body, id: NoteId) -> impl Iterator<Item = &str> {
    body.undo.iter().filter_map(move |change| match change {
        Change::AddNote { note, .. } | Change::SetNote { note, .. } if note.id == id => {
            Some(note.content.as_str())
        }
        _ => None,
    })
}

/// What a note says and has said.
pub(super) fn said(
    view: &dyn View,
    session: &SessionKey,
    id: NoteId,
) -> Result<Vec<String>, StoreError> {
    let now = view.note(session, id)?.map(|note| note.content.as_str().to_owned());
    let mut texts: Vec<String> = now.into_iter().collect();
    for record in view.records(&Scope::Session(session.clone()), 0)? {
        let body = view.body(record.seq)?;
        texts.extend(body.iter().flat_map(|body| before_it(body, id)).map(str::to_owned));
    }
    Ok(texts)
}

/// Whether the note is there, or was.
pub(crate) fn knows_note(
    view: &dyn View,
    session: &SessionKey,
    id: NoteId,
) -> Result<bool, StoreError> {
    let traces = Traces::of(view, session, id)?;
    Ok(traces.is_there || !traces.seqs.is_empty())
}

/// The notes that a body of the journal names; of several things that it made none that it only drops.
pub(crate) fn mentioned(body: &Body) -> BTreeSet<NoteId> {
    let mut found = quoted(&body.reply, "note_").map(NoteId).collect::<BTreeSet<_>>();
    for change in &body.undo {
        match change {
            Change::AddNote { note, .. } | Change::SetNote { note, .. } => {
                found.insert(note.id);
            }
            Change::DropNote { id, .. } if body.undo.len() == 1 => {
                found.insert(*id);
            }
            // What a later program did tells it by a number.
            Change::Unknown(unknown) => found.extend(
                unknown
                    .raw
                    .split(|c: char| !c.is_ascii_digit())
                    .filter_map(|it| it.parse().ok())
                    .map(NoteId),
            ),
            _ => {}
        }
    }
    found
}

/// The numbers of the ids that stand in a JSON text whole, each behind `prefix`.
pub(crate) fn quoted(json: &str, prefix: &'static str) -> impl Iterator<Item = i64> {
    let ids = json.split('"').filter_map(move |text| text.strip_prefix(prefix));
    ids.filter_map(|digits| digits.parse().ok())
}

/// Erases a note; how many bodies of the journal were emptied.
pub(super) fn forget(
    call: &Call<'_>,
    intent: IntentId,
    session: &SessionKey,
    id: NoteId,
) -> Result<usize, OpError> {
    let (known, traces) =
        call.read(|view| Ok((view.session(session)?, Traces::of(view, session, id)?)))?;
    let Some(known) = known else {
        // It went with its session.
        call.store.erase(&Erase::Nothing, Some(intent))?;
        return Ok(0);
    };
    drafts::forget_note(&call.world.folders.data, &known.key, id)
        .map_err(|error| unremoved(&error))?;
    forget_quotes(call, &traces.texts)?;
    if traces.is_open {
        lapses::note_with(call, session, &[Lapse::Note { id }])?;
    }
    let drop = vec![Change::DropNote { session: session.clone(), id }];
    let written =
        call.write(Scope::Session(session.clone()), tombstone::KIND, &id.to_string(), |view| {
            let is_there = view.note(session, id)?.is_some();
            let mut changes = if is_there { drop.clone() } else { Vec::new() };
            changes.extend(Tombstone::Note(session, id).made(call, view)?);
            Ok((changes, ()))
        })?;
    // The entry of a deletion holds the note, so that it could be undone: this one, and that of another who forgets
    // the same and may be killed before it erases.
    let mut bodies = call.read(|view| Traces::of(view, session, id))?.seqs;
    bodies.extend(written.seq.filter(|seq| !bodies.contains(seq)));
    let n_bodies = bodies.len();
    let recaps = recaps_in(call, known.project, &traces.texts)?;
    call.store.erase(&Erase::Parts(Parts { bodies, recaps, ..Parts::default() }), Some(intent))?;
    Ok(n_bodies)
}

/// Removes the handoff files that quote the texts: they are written again when they are read.
pub(super) fn forget_quotes(call: &Call<'_>, texts: &Texts) -> Result<(), OpError> {
    let root = &call.place().root;
    handoffs::forget_where(&call.world.folders.data, (root, call.config), |text| {
        texts.are_quoted_in(text)
    })
    .map_err(|error| unremoved(&error))
}

/// The sessions of a project whose recap quotes the texts.
pub(super) fn recaps_in(
    call: &Call<'_>,
    project: ProjectId,
    texts: &Texts,
) -> Result<Vec<SessionKey>, OpError> {
    call.read(|view| {
        let mut found = Vec::new();
        for session in all_sessions(view, project)? {
            let recap = view.recap(&session.key)?;
            if recap.is_some_and(|recap| texts.are_quoted_in_json(&recap.body)) {
                found.push(session.key);
            }
        }
        Ok(found)
    })
}

/// All sessions of a project.
pub(super) fn all_sessions(
    view: &dyn View,
    project: ProjectId,
) -> Result<Vec<Session>, StoreError> {
    view.sessions(SessionFilter { project: Some(project), ..SessionFilter::ALL })
}
