//! The journal: each entry keeps write id, author and time, in the order in which they were written.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use vademecum_core::hash::hex;
use vademecum_core::id::{EntryId, NoteId, ProjectId, Seq, WriteId};
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::change::Unknown;
use vademecum_store::{
    Body, Change, CopiedBody, CopiedRecord, JournalEntry, Record, Scope, StoreError, View,
};

use super::lines::{Ids, renamed, slice_after};
use super::pages::{PageLines, Segment, Settled};
use super::target::{Own, Part, Target};
use super::{KIND, OF_CHAIN, Places, SLICE, sessions};
use crate::error::OpError;
use crate::forgetting::{Tombstone, is_needless, is_tombstone, mentioned, quoted};
use crate::history::is_of_page;

/// Copies every entry, with what its writes did to pages.
pub(super) fn copy(
    from: &dyn View,
    to: &mut Target<'_>,
    (places, ids): (&Places, &Ids),
) -> Result<(), OpError> {
    let all = sessions::all(from, to)?.into_iter().map(|session| (session.key.clone(), session));
    let all: BTreeMap<SessionKey, Session> = all.collect();
    let projects: Vec<ProjectId> = from.projects(None)?.iter().map(|project| project.id).collect();
    let lines = PageLines::default();
    let mut after = Seq(0);
    loop {
        let mut slice = slice_after(from, after, SLICE)?;
        let Some(last) = slice.last() else { return Ok(()) };
        after = last.record.seq;
        slice.retain(|entry| is_copied(&entry.record) || is_tombstone(&entry.record));
        let segments = segments(from, &slice, &lines)?;
        let content: Vec<(String, bool)> = slice
            .iter()
            .map(|it| (hex(&it.record.hash, it.record.hash.len()), it.body.is_some()))
            .collect();
        let own = to.own();
        let (slice, segments, sessions, projects) = (&slice, &segments, &all, &projects);
        let taking =
            Taking { slice, segments, lines: &lines, ids, sessions, projects, places, own: &own };
        // They are read before a write asks for them, which holds up others.
        to.read(|view| slice.iter().try_for_each(|it| ids.read(view, &it.record.scope)))?;
        to.write("records", &content, |view, part| taking.changes(view, part))?;
    }
}

fn segments(
    from: &dyn View,
    slice: &[JournalEntry],
    lines: &PageLines,
) -> Result<Vec<Segment>, StoreError> {
    let mut segments = Vec::new();
    for session in keys(slice) {
        if let Some(segment) = Segment::of(from, &session, slice)? {
            lines.read(from, &session)?;
            segments.push(segment);
        }
    }
    Ok(segments)
}

/// Whether an entry means something in another store: not what is said of a chain, by a copy, or of what is gone.
///
/// Tombstones of what was forgotten are not compared: two stores may have forgotten the same at two times.
pub(crate) fn is_copied(record: &Record) -> bool {
    let is_own = record.kind == KIND || OF_CHAIN.contains(&record.kind.as_str());
    let means_nothing = record.scope.is_gone() || record.scope == Scope::Store && is_own;
    !means_nothing && !is_tombstone(record)
}

fn keys(slice: &[JournalEntry]) -> BTreeSet<SessionKey> {
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
    lines: &'a PageLines,
    ids: &'a Ids,
    sessions: &'a BTreeMap<SessionKey, Session>,
    projects: &'a [ProjectId],
    places: &'a Places,
    own: &'a Own,
}

impl Taking<'_> {
    fn changes(&self, view: &dyn View, part: &mut Part) -> Result<Vec<Change>, StoreError> {
        let ids = self.free_ids(view)?;
        let mut pages = BTreeMap::new();
        for segment in self.segments {
            let is_free = |place: usize| ids.contains_key(&place);
            if self.is_there(view, &Scope::Session(segment.session().clone()))? {
                let is_ahead = self.lines.is_ahead(view, segment.session())?;
                let settled = segment.settle(view, (&is_free, is_ahead), self.own, part)?;
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

    /// Under which ids the entries of the slice go in, by their places; those that are there already have none.
    fn free_ids(&self, view: &dyn View) -> Result<BTreeMap<usize, WriteId>, StoreError> {
        let (mut ids, mut taken) = (BTreeMap::new(), HashSet::new());
        for (place, JournalEntry { record, .. }) in self.slice.iter().enumerate() {
            if is_tombstone(record) && is_needless(view, record)? {
                continue;
            }
            if self.is_there(view, &record.scope)?
                && let Some(id) = self.ids.free(view, record)?
            {
                // An id that the program made may have been given once more by somebody who saw it.
                let is_new = taken.insert((&record.scope, id.as_str().to_owned()));
                ids.insert(place, if is_new { id } else { renamed(record) });
            }
        }
        Ok(ids)
    }

    fn copied(
        &self,
        view: &dyn View,
        JournalEntry { record, body, .. }: &JournalEntry,
        write_id: WriteId,
        of_page: Option<(&Settled, usize)>,
    ) -> Result<CopiedRecord, StoreError> {
        let scope = &record.scope;
        let body = match body {
            Some(body) if !self.is_out(scope, body) => Some(self.body(view, scope, body, of_page)?),
            Some(_) | None => None,
        };
        let body = match body {
            Some(body) if !holds_forgotten(view, scope, &body, self.projects)? => {
                CopiedBody::Kept(body)
            }
            Some(_) | None => CopiedBody::Erased(record.body_hash),
        };
        Ok(CopiedRecord {
            scope: scope.clone(),
            write_id,
            kind: record.kind.clone(),
            origin: record.origin.clone(),
            by: record.by,
            at: record.at,
            body,
        })
    }

    /// The body as it stands there: it names notes and entries by the ids that they have, and undoes what was before
    /// there.
    fn body(
        &self,
        view: &dyn View,
        scope: &Scope,
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
        Ok(Body { arguments: body.arguments, reply: self.reply(scope, &body.reply), undo })
    }

    /// A reply in which what has another id there is called so.
    fn reply(&self, scope: &Scope, reply: &str) -> String {
        let (notes, project) = match scope {
            Scope::Session(key) => {
                let project = self.sessions.get(key).map(|session| session.project);
                (self.places.notes.get(key), project)
            }
            Scope::Project(id) => (None, Some(*id)),
            Scope::Store | Scope::Unknown(_) => (None, None),
        };
        let entries = project.and_then(|project| self.places.entries.get(&project));
        let there = |text: &str| {
            let note = text
                .parse()
                .ok()
                .and_then(|id: NoteId| notes?.moved.get(&id))
                .map(NoteId::to_string);
            let entry = || {
                EntryId::parse(text).and_then(|id| entries?.moved.get(&id)).map(EntryId::to_string)
            };
            note.or_else(entry).unwrap_or_else(|| text.to_owned())
        };
        // An id stands in a JSON text whole, and no other text between two quotation marks is one.
        reply.split('"').map(there).collect::<Vec<_>>().join("\"")
    }

    /// Whether a body names what was forgotten there under another id.
    fn is_out(&self, scope: &Scope, body: &Body) -> bool {
        match scope {
            Scope::Session(key) => self.places.notes.get(key).is_some_and(|there| {
                !there.out.is_empty() && !mentioned(body).is_disjoint(&there.out)
            }),
            Scope::Project(id) => self.places.entries.get(id).is_some_and(|there| {
                quoted(&body.reply, "entry_").any(|id| there.out.contains(&EntryId(id)))
            }),
            Scope::Store | Scope::Unknown(_) => false,
        }
    }

    /// Whether a store knows what has a line of the journal, and has not forgotten it.
    fn is_there(&self, view: &dyn View, scope: &Scope) -> Result<bool, StoreError> {
        Ok(match scope {
            Scope::Store | Scope::Unknown(_) => true,
            Scope::Project(id) => view.project(*id)?.is_some(),
            Scope::Session(key) => match self.sessions.get(key) {
                Some(session) => sessions::is_taken(view, session)?,
                None => view.session(key)?.is_some(),
            },
        })
    }

    fn change(&self, view: &dyn View, change: &Change) -> Result<Change, StoreError> {
        if let Change::Unknown(unknown) = change
            && unknown.names_what_is_gone()
        {
            return Ok(Change::Unknown(Unknown::gone(&unknown.word)));
        }
        let scope = names(change);
        if let Some(scope) = &scope
            && !self.is_there(view, scope)?
        {
            return Ok(Change::Unknown(Unknown::gone(&word(change))));
        }
        let Some(Scope::Session(key)) = scope else { return Ok(change.clone()) };
        let Some(there) = self.places.notes.get(&key) else { return Ok(change.clone()) };
        let mut change = change.clone();
        let id = match &mut change {
            Change::AddNote { note, .. } | Change::SetNote { note, .. } => Some(&mut note.id),
            Change::DropNote { id, .. } => Some(id),
            _ => None,
        };
        if let Some(id) = id {
            *id = there.moved.get(id).copied().unwrap_or(*id);
        }
        Ok(change)
    }
}

/// Whether a body holds what was forgotten there and did not come back.
fn holds_forgotten(
    view: &dyn View,
    scope: &Scope,
    body: &Body,
    projects: &[ProjectId],
) -> Result<bool, StoreError> {
    match scope {
        Scope::Session(key) => {
            for id in mentioned(body) {
                if view.note(key, id)?.is_none() && Tombstone::Note(key, id).stands_in(view)? {
                    return Ok(true);
                }
            }
        }
        Scope::Project(project) => {
            for id in quoted(&body.reply, "entry_").map(EntryId) {
                let is_gone = view.entry(*project, id)?.is_none();
                if is_gone && Tombstone::Entry(*project, id).stands_in(view)? {
                    return Ok(true);
                }
            }
        }
        // Those name projects and folders, and all of them go with a project.
        Scope::Store => {
            for project in projects {
                if Tombstone::Project(*project).stands_in(view)? {
                    return Ok(true);
                }
            }
        }
        Scope::Unknown(_) => {}
    }
    Ok(false)
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
