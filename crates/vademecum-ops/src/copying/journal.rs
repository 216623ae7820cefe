//! The journal: each entry keeps write id, author and time, in the order in which they were written.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::hash::hex;
use vademecum_core::id::{Seq, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_store::change::Unknown;
use vademecum_store::{
    Body, Change, CopiedBody, CopiedRecord, JournalEntry, Origin, Record, Scope, StoreError, View,
};

use super::lines::{Place, slice_after};
use super::notes::Moved;
use super::pages::{Segment, Settled};
use super::target::{Part, Target};
use super::{KIND, OF_CHAIN, SLICE};
use crate::error::OpError;
use crate::history::is_of_page;

/// Copies every entry, with what its writes did to pages.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>, moved: &Moved) -> Result<(), OpError> {
    let mut after = Seq(0);
    loop {
        let mut slice = slice_after(from, after, SLICE)?;
        let Some(last) = slice.last() else { return Ok(()) };
        after = last.record.seq;
        slice.retain(|entry| is_copied(&entry.record));
        let mut segments = Vec::new();
        for session in sessions(&slice) {
            segments.extend(Segment::of(from, &session, &slice)?);
        }
        let content: Vec<(String, bool)> = slice
            .iter()
            .map(|it| (hex(&it.record.hash, it.record.hash.len()), it.body.is_some()))
            .collect();
        let origin = to.own_origin();
        let taking = Taking { slice: &slice, segments: &segments, moved, origin: &origin };
        to.write("records", &content, |view, part| taking.changes(view, part))?;
    }
}

/// Whether an entry means something in another store: not what is said of a chain, by a copy, or of what is gone.
pub(crate) fn is_copied(record: &Record) -> bool {
    let is_own = record.kind == KIND || OF_CHAIN.contains(&record.kind.as_str());
    let means_nothing = record.scope.is_gone() || record.scope == Scope::Store && is_own;
    !means_nothing
}

fn sessions(slice: &[JournalEntry]) -> BTreeSet<SessionKey> {
    let key = |entry: &JournalEntry| match &entry.record.scope {
        Scope::Session(key) => Some(key.clone()),
        Scope::Store | Scope::Project(_) | Scope::Unknown(_) => None,
    };
    slice.iter().filter_map(key).collect()
}

/// A slice of the journal, and what belongs to it.
struct Taking<'a> {
    slice: &'a [JournalEntry],
    segments: &'a [Segment],
    moved: &'a Moved,
    origin: &'a Origin,
}

impl Taking<'_> {
    fn changes(&self, view: &dyn View, part: &mut Part) -> Result<Vec<Change>, StoreError> {
        let mut ids = BTreeMap::new();
        for (place, entry) in self.slice.iter().enumerate() {
            if is_there(view, &entry.record.scope)?
                && let Place::Free(id) = Place::of(view, &entry.record)?
            {
                ids.insert(place, id);
            }
        }
        let mut pages = BTreeMap::new();
        for segment in self.segments {
            let is_free = |place: usize| ids.contains_key(&place);
            if is_there(view, &Scope::Session(segment.session().clone()))? {
                let settled = segment.settle(view, is_free, self.origin, part)?;
                pages.insert(segment.session(), settled);
            }
        }
        let mut changes = Vec::new();
        for (place, id) in ids {
            let entry = &self.slice[place];
            let page = match &entry.record.scope {
                Scope::Session(key) => pages.get(key),
                Scope::Store | Scope::Project(_) | Scope::Unknown(_) => None,
            };
            if page.is_some_and(|page| page.left.contains(&place)) {
                continue;
            }
            part.report.records += 1;
            let copied = self.copied(view, entry, id, page.map(|page| (page, place)))?;
            changes.push(Change::CopyRecord(Box::new(copied)));
        }
        changes.extend(pages.into_values().flat_map(|page| page.changes));
        Ok(changes)
    }

    fn copied(
        &self,
        view: &dyn View,
        JournalEntry { record, body, .. }: &JournalEntry,
        write_id: WriteId,
        of_page: Option<(&Settled, usize)>,
    ) -> Result<CopiedRecord, StoreError> {
        Ok(CopiedRecord {
            scope: record.scope.clone(),
            write_id,
            kind: record.kind.clone(),
            origin: record.origin.clone(),
            at: record.at,
            body: match body {
                Some(body) => CopiedBody::Kept(self.body(view, body, of_page)?),
                None => CopiedBody::Erased(record.body_hash),
            },
        })
    }

    /// The body as it stands there: it names notes by the ids that they have, and undoes what was before there.
    fn body(
        &self,
        view: &dyn View,
        body: &Body,
        of_page: Option<(&Settled, usize)>,
    ) -> Result<Body, StoreError> {
        let mut undo = Vec::with_capacity(body.undo.len());
        for change in &body.undo {
            match of_page.filter(|_| is_of_page(change)) {
                Some((settled, place)) => match settled.undos.get(&place) {
                    Some(_) if undo.iter().any(is_of_page) => {}
                    Some(other) => undo.push(other.clone()),
                    None if settled.is_stripped => {}
                    None => undo.push(change.clone()),
                },
                None => undo.push(self.change(view, change)?),
            }
        }
        Ok(Body { arguments: body.arguments, reply: body.reply.clone(), undo })
    }

    fn change(&self, view: &dyn View, change: &Change) -> Result<Change, StoreError> {
        if let Change::Unknown(unknown) = change
            && unknown.names_what_is_gone()
        {
            return Ok(Change::Unknown(Unknown::gone(&unknown.word)));
        }
        let scope = names(change);
        if let Some(scope) = &scope
            && !is_there(view, scope)?
        {
            return Ok(Change::Unknown(Unknown::gone(&word(change))));
        }
        let Some(Scope::Session(key)) = scope else { return Ok(change.clone()) };
        let Some(moved) = self.moved.get(&key) else { return Ok(change.clone()) };
        let mut change = change.clone();
        let id = match &mut change {
            Change::AddNote { note, .. } | Change::SetNote { note, .. } => Some(&mut note.id),
            Change::DropNote { id, .. } => Some(id),
            _ => None,
        };
        if let Some(id) = id {
            *id = moved.get(id).copied().unwrap_or(*id);
        }
        Ok(change)
    }
}

/// Whether a store knows what has a line of the journal.
fn is_there(view: &dyn View, scope: &Scope) -> Result<bool, StoreError> {
    Ok(match scope {
        Scope::Store | Scope::Unknown(_) => true,
        Scope::Project(id) => view.project(*id)?.is_some(),
        Scope::Session(key) => view.session(key)?.is_some(),
    })
}

/// What a change that undoes is about.
fn names(change: &Change) -> Option<Scope> {
    match change {
        Change::RenameProject { project, .. } | Change::SetPlan { project, .. } => {
            Some(Scope::Project(*project))
        }
        Change::EditNotepad { session, .. }
        | Change::DropNotepad { session }
        | Change::AddNote { session, .. }
        | Change::SetNote { session, .. }
        | Change::DropNote { session, .. }
        | Change::DropNotes { session, .. }
        | Change::SetHandoff { session, .. }
        | Change::SetActivePlan { session, .. } => Some(Scope::Session(session.clone())),
        _ => None,
    }
}

fn word(change: &Change) -> String {
    let value = serde_json::to_value(change).unwrap_or_default();
    value["change"].as_str().unwrap_or_default().to_owned()
}
