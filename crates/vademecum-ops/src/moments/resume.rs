//! What the model of a resumed session has before it still: its harness's record and our receipts tell.
//!
//! A harness keeps each context that a start gave it. Given anew at each resume, the same would stand there
//! once for each of them; so a resumed session is told what changed behind the last one that arrived.

use std::collections::BTreeSet;
use std::path::Path;

use vademecum_core::id::{EntryId, NoteId, Seq};
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_harness::hook::Harness;
use vademecum_harness::received::Received;
use vademecum_store::{
    Author, Change, JournalEntry, JournalFilter, Record, Scope, StoreError, Surface, View,
};

use super::{Hook, log};
use crate::gather::{MOST_NEWS, NEWS_BYTES, Since};
use crate::lapses;

/// What a conversation has of ours.
#[derive(Debug, Default)]
pub(super) struct Had<'a> {
    /// The record that tells.
    record: Option<(Harness, &'a Path)>,
    /// Whether a context that told everything stands there.
    is_whole: bool,
    /// From where on it lacks what was written, if that one is counted as told.
    told: Since,
    /// Behind which and up to which write of others it was told of what changed, each time.
    changes: Vec<(Seq, Seq)>,
    /// The newest entry of the project that it was told of.
    pub(super) entry: Option<EntryId>,
    /// The sub-agents that it was told of as running.
    pub(super) running: BTreeSet<String>,
    /// The receipt of a context that did not arrive whole, and that the next one replaces.
    pub(super) broken: Option<String>,
}

/// Reads what the conversation of the session `key` has; nothing where its record tells nothing.
pub(super) fn had<'a>(
    hook: &Hook<'_>,
    harness: Harness,
    key: &SessionKey,
    record: Option<&'a Path>,
) -> Had<'a> {
    let received = record.and_then(|path| Received::read(harness, path).ok()).unwrap_or_default();
    let had = Had { record: record.map(|path| (harness, path)), ..Had::default() };
    if received.whole.is_empty() && received.broken.is_empty() {
        return Had { told: Since { calls: received.calls, ..Since::default() }, ..had };
    }
    had.of(received, &sent(hook, key))
}

/// The contexts that the session `key` was sent, oldest first.
fn sent(hook: &Hook<'_>, key: &SessionKey) -> Vec<log::Sent> {
    let name = key.to_string();
    let mut sent = log::sent(&hook.world.folders.data);
    sent.retain(|sent| sent.session == name);
    sent
}

/// From where on the conversation lacks what was written, if the user left what it was told on another branch.
///
/// What has these receipts was not answered. None where it lacks nothing, or what it has is not known.
pub(super) fn left_behind(
    hook: &Hook<'_>,
    session: &Session,
    (harness, path): (Harness, &Path),
    unanswered: &[&str],
) -> Option<Since> {
    let mut received = Received::read(harness, path).ok()?;
    let is_unanswered = |receipt: &mut String| unanswered.contains(&receipt.as_str());
    let mut left = std::mem::take(&mut received.left);
    left.whole.extend(received.whole.extract_if(.., is_unanswered));
    let began_empty = matches!(session.began, Began::Start | Began::Clear);
    let is_first = received.is_all && began_empty && session.standing.compactions == 0;
    let sent = sent(hook, &session.key);
    let had = Had::default().of(received, &sent);
    if !had.is_whole && !is_first {
        return None;
    }
    let lacks = |sent: &log::Sent| Some(had.told.upto) < sent.upto;
    let is_lost = |receipt: &String| find(&sent, receipt).is_some_and(lacks);
    let lacks_any = left.has_calls || left.whole.iter().any(is_lost);
    lacks_any.then_some(had.told)
}

fn find<'a>(sent: &'a [log::Sent], receipt: &str) -> Option<&'a log::Sent> {
    sent.iter().rev().find(|sent| sent.receipt == receipt)
}

impl Had<'_> {
    /// The same with what a record says of these contexts.
    fn of(mut self, received: Received, sent: &[log::Sent]) -> Self {
        let Received { whole, mut broken, calls, .. } = received;
        self.told.calls = calls;
        let arrived: Vec<&log::Sent> = whole.iter().filter_map(|it| find(sent, it)).collect();
        broken.retain(|receipt| find(sent, receipt).is_some());
        Self { broken: broken.pop(), ..self.with(&arrived) }
    }

    /// The same with what these contexts told, oldest first.
    fn with(mut self, arrived: &[&log::Sent]) -> Self {
        let full = arrived.iter().filter(|sent| sent.is_full).filter_map(|sent| sent.upto).max();
        self.is_whole = full.is_some();
        self.told.full = full.unwrap_or_default();
        let changes = arrived.iter().filter(|sent| !sent.is_full);
        self.changes = changes.filter_map(|sent| Some((sent.from, sent.upto?))).collect();
        // One that begins behind what arrived before it covers a stretch, and none of the one between.
        let next = |upto: Seq, &(from, next)| if from <= upto { upto.max(next) } else { upto };
        self.told.upto = self.changes.iter().fold(self.told.full, next);
        self.entry = arrived.iter().filter_map(|sent| sent.entry).max();
        for sent in arrived {
            self.running.extend(sent.running.iter().cloned());
            self.running.retain(|id| !sent.stopped.contains(id));
        }
        self
    }

    /// From where on it lacks what was written; none where it lacks everything.
    pub(super) fn since(&self) -> Option<&Since> {
        self.is_whole.then_some(&self.told)
    }

    /// The notes that it may hold for open, by the model's own calls or by what it was told, and that are not.
    ///
    /// Where no whole context stands in it, no list of what is open ever did.
    pub(super) fn gone(
        &self,
        view: &dyn View,
        session: &Session,
    ) -> Result<Vec<NoteId>, StoreError> {
        let writes = writes(view, &session.key)?;
        let is_lost = |write: &NoteWrite| write.notes.iter().any(|(_, is_lost)| *is_lost);
        let by_agent =
            |write: &NoteWrite| write.record.origin.author == Author::Agent && is_lost(write);
        let mut told = self.told.clone();
        if told.calls.is_none() && writes.iter().any(by_agent) {
            let calls = self.record.and_then(|(harness, path)| Received::calls(harness, path).ok());
            told.calls = calls.flatten();
        }
        let lacks = |record: &Record| told.lacks(record) && !self.was_told(record);
        let (mut lost, mut known) = (BTreeSet::new(), BTreeSet::new());
        for NoteWrite { record, notes } in &writes {
            // Of what was forgotten nothing is left that could tell whether it was known.
            let forgotten = notes.iter().filter(|_| record.kind == lapses::KIND);
            known.extend(forgotten.map(|(note, _)| *note));
            if lacks(record) {
                lost.extend(notes.iter().filter(|(_, is_lost)| *is_lost).map(|(note, _)| *note));
            } else {
                known.extend(notes.iter().map(|(note, _)| *note));
            }
        }
        Ok(lost.intersection(&known).copied().collect())
    }

    /// Whether a context about what others changed tells of this write.
    fn was_told(&self, record: &Record) -> bool {
        let is_theirs = record.origin.author != Author::Agent;
        let is_in = |&(from, upto)| from < record.seq && record.seq <= upto;
        is_theirs && self.changes.iter().any(is_in)
    }
}

/// A write of a session that changed notes.
struct NoteWrite {
    record: Record,
    /// Each of them, and whether it was open before and is not now.
    notes: Vec<(NoteId, bool)>,
}

/// The newest writes that changed notes of a session.
fn writes(view: &dyn View, id: &SessionKey) -> Result<Vec<NoteWrite>, StoreError> {
    let mut writes = Vec::new();
    if view.counts(id)?.last.is_none() {
        return Ok(writes);
    }
    let scope = Scope::Session(id.clone());
    let (scope, limit, bodies) = (Some(&scope), MOST_NEWS, NEWS_BYTES);
    let newest = JournalFilter { scope, limit, bodies, ..JournalFilter::default() };
    for JournalEntry { record, size, body } in view.journal(&newest)? {
        if record.origin.surface == Surface::Hook || size.is_none() {
            continue;
        }
        let Some(body) = body else { break };
        if record.kind == lapses::KIND {
            let notes = lapses::notes(&body.reply).into_iter().map(|note| (note, true)).collect();
            writes.push(NoteWrite { record, notes });
            continue;
        }
        let notes = body.undo.iter().filter_map(|change| note(view, id, change).transpose());
        let notes = notes.collect::<Result<Vec<_>, _>>()?;
        writes.push(NoteWrite { record, notes });
    }
    Ok(writes)
}

/// The note that a change put back would touch, and whether it was open before and is not now.
fn note(
    view: &dyn View,
    id: &SessionKey,
    change: &Change,
) -> Result<Option<(NoteId, bool)>, StoreError> {
    Ok(match change {
        Change::DropNote { id: note, .. } => Some((*note, false)),
        Change::SetNote { note, .. } | Change::AddNote { note, .. } => {
            let is_open = || Ok(view.note(id, note.id)?.is_some_and(|now| !now.is_scratched()));
            Some((note.id, !note.is_scratched() && !is_open()?))
        }
        _ => None,
    })
}
