//! Transcripts that are sessions in a harness's database: which one is meant, and its turns.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use vademecum_core::error::Kind;
use vademecum_core::intake::{Cleaner, Policy};
use vademecum_core::turn::Turn;
use vademecum_files::open_named;
use vademecum_harness::opencode::transcript::{Row, Rows};
use vademecum_harness::transcript::{self, Report};
use vademecum_recap::Options;
use vademecum_store::{DatabaseSession, Databases, StoreError};

use super::Read;
use crate::error::OpError;

/// So many sessions are named where one was asked for that is not there.
const NAMED: usize = 3;

/// A transcript, wherever it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transcript {
    /// A file of its own.
    File(PathBuf),
    /// One session in a database.
    InDatabase(PathBuf, DatabaseSession),
}

impl Transcript {
    /// The file that it is, or lies in.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::InDatabase(path, _) => path,
        }
    }
}

/// Whether `path` is a database, told by its first bytes; what cannot be read is none.
#[must_use]
pub fn is_database(path: &Path) -> bool {
    let file = open_named(path);
    file.is_ok_and(|file| transcript::is_database(&mut BufReader::new(file)).unwrap_or(false))
}

/// The session `id` in the database at `path`; else the newest of the project at `roots`, else the newest.
pub(crate) fn session(
    databases: &dyn Databases,
    path: &Path,
    id: Option<&str>,
    roots: &[PathBuf],
) -> Result<DatabaseSession, OpError> {
    let sessions = databases.sessions(path).map_err(|error| unreadable(path, &error))?;
    let found = match id {
        Some(id) => sessions.iter().find(|session| session.id == id),
        None => newest(&sessions, Some(roots)).or_else(|| newest(&sessions, None)),
    };
    found.cloned().ok_or_else(|| missing(path, id, &sessions))
}

/// The newest of `sessions` that is no sub-agent's and, with `roots`, was started there or below.
pub(crate) fn newest<'s>(
    sessions: &'s [DatabaseSession],
    roots: Option<&[PathBuf]>,
) -> Option<&'s DatabaseSession> {
    let is_there = |session: &DatabaseSession| {
        roots.is_none_or(|roots| roots.iter().any(|root| is_below(session, root)))
    };
    sessions.iter().find(|session| session.parent.is_none() && is_there(session))
}

fn is_below(session: &DatabaseSession, root: &Path) -> bool {
    let directory = Path::new(&session.directory);
    let real = || directory.canonicalize().is_ok_and(|directory| directory.starts_with(root));
    directory.starts_with(root) || real()
}

/// Reads one session of the database at `path`.
pub(crate) fn read_with<D>(
    databases: &dyn Databases,
    (path, policy): (&Path, Policy),
    session: &DatabaseSession,
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    let mut cleaner = Cleaner::new(policy);
    let mut digest = begin(&Options { roots: vec![session.directory.clone()] });
    let mut take = |mut turn: Turn| {
        turn.clean(&mut cleaner);
        push(&mut digest, &turn);
    };
    let report = turns(databases, path, &session.id, &mut take);
    let report = report.map_err(|error| unreadable(path, &error))?;
    let gone = || format!("session \"{}\" is no longer in {}", session.id, path.display());
    let report = report.ok_or_else(|| OpError::missing(gone()).hint("it was deleted just now"))?;
    Ok(Read { digest, report, cleaner })
}

/// Tells the turns of the session `id` to `sink`, one after the other; none if it is not there.
pub fn turns(
    databases: &dyn Databases,
    path: &Path,
    id: &str,
    sink: &mut dyn FnMut(Turn),
) -> Result<Option<Report>, StoreError> {
    let Some(about) = databases.about(path, id)? else { return Ok(None) };
    let mut rows = Rows::new(&about, sink);
    databases.parts(path, id, &mut |part| match part.json {
        Some((message, json)) => {
            rows.part(Row { message_id: part.message_id, message, part: json });
        }
        None => rows.long(),
    })?;
    Ok(Some(rows.finish()))
}

/// The ids of the messages that these rows of the session `id` belong to, in their order.
pub(crate) fn messages(
    databases: &dyn Databases,
    path: &Path,
    id: &str,
    rows: &[u64],
) -> Result<Vec<String>, OpError> {
    let (mut found, mut row) = (vec![String::new(); rows.len()], 0);
    let read = databases.parts(path, id, &mut |part| {
        for (_, message) in rows.iter().zip(&mut found).filter(|(wanted, _)| **wanted == row) {
            part.message_id.clone_into(message);
        }
        row += 1;
    });
    read.map_err(|error| unreadable(path, &error))?;
    Ok(found)
}

/// Says which sessions there are instead.
fn missing(path: &Path, id: Option<&str>, sessions: &[DatabaseSession]) -> OpError {
    let path = path.display();
    if sessions.is_empty() {
        return OpError::missing(format!("no session in {path}"))
            .hint("opencode keeps one as soon as a prompt was sent");
    }
    let what = match id {
        Some(id) => format!("no session \"{id}\""),
        None => "no session but those of sub-agents".to_owned(),
    };
    let newest = sessions.iter().filter(|session| id.is_none() || session.parent.is_none());
    let newest =
        newest.take(NAMED).map(|session| format!("{} ({})", session.id, session.directory));
    let (n_sessions, newest) = (sessions.len(), newest.collect::<Vec<_>>().join(", "));
    OpError::missing(format!("{what} in {path}, which holds {n_sessions}; the newest: {newest}"))
        .hint("give one of these as session_id; without it the newest of the project is taken")
}

/// What is wrong with the database at `path`.
pub(crate) fn unreadable(path: &Path, error: &StoreError) -> OpError {
    let path = path.display();
    match error {
        StoreError::Busy { .. } | StoreError::Unfinished { .. } => {
            OpError::new(Kind::Busy, format!("{path} is locked by another process"))
                .hint("try the same call again in a second")
        }
        StoreError::Foreign | StoreError::Newer { .. } | StoreError::Older { .. } => OpError::usage(format!(
            "{path} is no database of opencode"
        ))
        .hint("of databases vade reads opencode's alone; transcripts of other harnesses are files"),
        StoreError::Corrupt { what } | StoreError::Engine { what } => {
            OpError::broken(format!("cannot read {path}: {what}"))
                .hint("opencode export SESSION writes one session to a file, which vade reads too")
        }
        StoreError::Reused { .. }
        | StoreError::Erased { .. }
        | StoreError::ReadOnly
        | StoreError::Uninvited
        | StoreError::Unwanted { .. }
        | StoreError::Full
        | StoreError::Linked { .. }
        | StoreError::Shared { .. }
        | StoreError::Log { .. }
        | StoreError::LogGone { .. }
        | StoreError::Unreachable { .. }
        | StoreError::Unsettled { .. }
        | StoreError::Closed { .. }
        | StoreError::Emptied { .. }
        | StoreError::Unknown { .. }
        | StoreError::Unmigrated { .. }
        | StoreError::Key { .. } => OpError::broken(format!("cannot read {path}: {error}")),
    }
}
