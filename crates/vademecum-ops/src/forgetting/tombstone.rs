//! What a store has forgotten leaves a tombstone in its journal, by which a copy knows what to keep out of it.
//!
//! A tombstone is a write id and nothing else, for a body can be erased; of sessions and projects it has the hash of their name.

use std::collections::BTreeSet;

use vademecum_core::hash::{hex, plain};
use vademecum_core::id::{EntryId, NoteId, ProjectId, WriteId};
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{Body, Change, CopiedBody, CopiedRecord, Record, Scope, StoreError, View};

use super::quotes::Texts;
use super::{entry, note};
use crate::call::Call;

/// What the write id of a tombstone begins with.
const PREFIX: &str = "forgotten-";

/// The operation that makes tombstones.
pub(crate) const KIND: &str = "forget";

/// What was forgotten.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tombstone<'a> {
    Note(&'a SessionKey, NoteId),
    Entry(ProjectId, EntryId),
    /// A session, by its full name.
    Session(&'a str),
    Project(ProjectId),
}

impl Tombstone<'_> {
    /// Whether it was forgotten in this store.
    ///
    /// It may be there again, since somebody brought or began it anew.
    pub(crate) fn stands_in(self, view: &dyn View) -> Result<bool, StoreError> {
        Ok(view.record_of(&self.scope(), &self.write_id())?.is_some())
    }

    /// The change that makes the tombstone; none where it stands already.
    pub(super) fn made(
        self,
        call: &Call<'_>,
        view: &dyn View,
    ) -> Result<Option<Change>, StoreError> {
        if self.stands_in(view)? {
            return Ok(None);
        }
        let write_id = self.write_id();
        let arguments = plain(write_id.as_str().as_bytes());
        let body = Body { arguments, reply: "null".to_owned(), undo: Vec::new() };
        Ok(Some(Change::CopyRecord(Box::new(CopiedRecord {
            scope: self.scope(),
            write_id,
            kind: KIND.to_owned(),
            origin: call.caller.origin.clone(),
            by: call.world.writer(),
            at: call.now(),
            body: CopiedBody::Kept(body),
        }))))
    }

    fn scope(self) -> Scope {
        match self {
            Self::Note(session, _) => Scope::Session(session.clone()),
            Self::Entry(project, _) => Scope::Project(project),
            Self::Session(_) | Self::Project(_) => Scope::Store,
        }
    }

    fn write_id(self) -> WriteId {
        let name = match self {
            Self::Note(_, id) => id.to_string(),
            Self::Entry(_, id) => id.to_string(),
            Self::Session(name) => format!("session-{}", hashed(name)),
            Self::Project(id) => format!("project-{}", hashed(&id.to_string())),
        };
        WriteId::new(format!("{PREFIX}{name}")).expect("a word and digits are a legal id")
    }
}

fn hashed(name: &str) -> String {
    hex(&plain(name.as_bytes()), 16)
}

/// Whether an entry of the journal is a tombstone.
pub(crate) fn is_tombstone(record: &Record) -> bool {
    record.kind == KIND && record.write_id.starts_with(PREFIX)
}

/// Whether a tombstone of another store tells this one nothing: it has the tombstone, or still has what was forgotten there.
///
/// A session that was forgotten there may have begun there again, and the same name means another one then: a tombstone of
/// one goes nowhere else, nor does that of a project.
pub(crate) fn is_needless(view: &dyn View, tombstone: &Record) -> Result<bool, StoreError> {
    let Some(id) = WriteId::new(tombstone.write_id.clone()) else { return Ok(true) };
    if view.record_of(&tombstone.scope, &id)?.is_some() {
        return Ok(true);
    }
    let name = tombstone.write_id.strip_prefix(PREFIX).unwrap_or_default();
    Ok(match (&tombstone.scope, name.parse(), EntryId::parse(name)) {
        (Scope::Session(key), Ok(id), _) => view.note(key, id)?.is_some(),
        (Scope::Project(project), _, Some(id)) => view.entry(*project, id)?.is_some(),
        _ => true,
    })
}

/// What `from` knows of the texts that the other store, seen by `there`, has forgotten: notes of sessions, and entries.
pub(crate) fn forgotten_texts(
    from: &dyn View,
    there: &dyn View,
    sessions: &[Session],
) -> Result<Texts, StoreError> {
    let mut all = Vec::new();
    for session in sessions {
        for name in tombstones(there, &Scope::Session(session.key.clone()))? {
            let Ok(id) = name.parse() else { continue };
            all.extend(note::said(from, &session.key, id)?);
        }
    }
    let projects: BTreeSet<ProjectId> = sessions.iter().map(|session| session.project).collect();
    for project in projects {
        for name in tombstones(there, &Scope::Project(project))? {
            let Some(id) = EntryId::parse(&name) else { continue };
            let entry = from.entry(project, id)?;
            all.extend(entry.iter().flat_map(entry::texts).map(str::to_owned));
        }
    }
    Ok(Texts::new(all.iter().map(String::as_str)))
}

/// The names that the tombstones of a scope have.
fn tombstones(view: &dyn View, scope: &Scope) -> Result<Vec<String>, StoreError> {
    let name = |record: &Record| record.write_id.strip_prefix(PREFIX).map(str::to_owned);
    let tombstones = view.records(scope, 0)?.into_iter().filter(is_tombstone);
    Ok(tombstones.filter_map(|record| name(&record)).collect())
}
