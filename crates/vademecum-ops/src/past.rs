//! The transcripts that harnesses keep of the project's sessions, whether vade was there or not.

use std::collections::BTreeSet;
use std::io::{Read as _, Seek as _};
use std::path::{Component, Path, PathBuf};

use memchr::memmem::Finder;
use vademecum_core::id::is_uuid;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_core::turn::Turn;
use vademecum_files::{Root, open_named, resolve};
use vademecum_harness::transcript::{Format, Report, Span};
use vademecum_recap::Options;
use vademecum_store::{StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::forgetting::Tombstone;
use crate::place::Place as Folder;
use crate::recaps::{self, find};
use crate::who::full_key;

/// So many bytes of transcripts that may tell of what is asked for are read, the newest first.
const MOST: u64 = 512 * 1024 * 1024;

/// So much of a transcript is looked through at a time.
const PIECE: usize = 256 * 1024;

/// What one transcript told.
pub(crate) struct Told<D> {
    /// The session that it is of; a sub-agent's is told as its parent's.
    pub key: SessionKey,
    /// The file.
    pub path: PathBuf,
    /// When its last record was written; else when the file was.
    pub at: Option<Time>,
    /// What was made of its turns.
    pub digest: D,
}

impl<D> Told<D> {
    /// Whether it is a sub-agent's: what it is asked, another agent asks.
    pub(crate) fn is_of_sub_agent(&self) -> bool {
        is_of_sub_agent(&self.path)
    }
}

/// What the transcripts told.
pub(crate) struct Walked<D> {
    /// Each that may tell of what is asked for, the newest first.
    pub told: Vec<Told<D>>,
    /// How many transcripts of the project there are.
    pub all: usize,
    /// How many older ones were too much to read, and those that could not be read.
    pub unread: usize,
}

/// Reads the transcripts of the project that hold `word` in letters of any case.
///
/// A session of another project than the folder's is told nothing: one server may serve sessions of several.
pub(crate) fn walk<D>(
    call: &Call<'_>,
    word: &str,
    begin: impl Fn(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Walked<D>, OpError> {
    let mut walked = Walked { told: Vec::new(), all: 0, unread: 0 };
    if !call.look(|view| is_here(call, view))? {
        return Ok(walked);
    }
    let (mut left, mut known) = (MOST, BTreeSet::new());
    for found in find::files(call.world, call.place()) {
        let forked = of_sub_agents(&found.path, found.format);
        walked.all += 1;
        for path in std::iter::once(found.path.clone()).chain(forked) {
            let Some(size) = holds(&path, word) else { continue };
            if left < size {
                walked.unread += 1;
                continue;
            }
            left -= size;
            let how = (Span::Whole, call.policy());
            let Ok(read) = recaps::read_with(&path, Some(found.format), how, &begin, &push) else {
                walked.unread += 1;
                continue;
            };
            if elsewhere(call, &read.report, false).is_some() {
                continue;
            }
            let at = read.report.last_at.or(found.modified);
            let Ok(Some(key)) = key_of(&found.path, read.report) else { continue };
            let is_gone =
                !known.contains(&key) && call.look(|view| Ok(is_forgotten(view, &key)?))?;
            if !is_gone {
                known.insert(key.clone());
                walked.told.push(Told { key, path, at, digest: read.digest });
            }
        }
    }
    Ok(walked)
}

/// Whether the session of the call is of the folder's project, as far as either is known.
fn is_here(call: &Call<'_>, view: &dyn View) -> Result<bool, OpError> {
    let (session, project) = (call.session(view)?, call.project(view)?);
    Ok(session.zip(project).is_none_or(|(session, project)| session.project == project.id))
}

/// Whether a file of Claude Code is the transcript of a sub-agent.
fn is_of_sub_agent(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.as_encoded_bytes().starts_with(b"agent-"))
}

/// The transcripts of a session's sub-agents, which lie beside its own.
fn of_sub_agents(path: &Path, format: Format) -> Vec<PathBuf> {
    if format != Format::ClaudeCode {
        return Vec::new();
    }
    let path = path.with_extension("").join("subagents");
    let entries = Root::open(&path).ok().flatten().and_then(|folder| folder.entries().ok());
    let names = entries.into_iter().flatten().map(|entry| path.join(entry.name));
    names.filter(|path| path.extension().is_some_and(|it| it == "jsonl")).collect()
}

/// How long a file is that holds a word in letters of any case; none of one that does not, or cannot be read.
fn holds(path: &Path, word: &str) -> Option<u64> {
    let mut file = open_named(path).ok()?;
    let word = word.to_ascii_lowercase();
    let finder = Finder::new(word.as_bytes());
    let (mut piece, mut kept, mut is_there) = (vec![0; PIECE], 0, word.is_empty());
    while !is_there {
        let n = file.read(&mut piece[kept..]).ok()?;
        if n == 0 {
            return None;
        }
        let filled = kept + n;
        piece[kept..filled].make_ascii_lowercase();
        is_there = finder.find(&piece[..filled]).is_some();
        // What stands over the edge of two pieces is found in the next one.
        kept = filled.min(word.len());
        piece.copy_within(filled - kept..filled, 0);
    }
    file.seek(std::io::SeekFrom::End(0)).ok()
}

/// Whether a session is not there because somebody forgot it.
pub(crate) fn is_forgotten(view: &dyn View, key: &SessionKey) -> Result<bool, StoreError> {
    Ok(view.session(key)?.is_none() && Tombstone::Session(&key.to_string()).stands_in(view)?)
}

/// The folder of the other project that a session worked in; none where it is this one's.
///
/// A folder that is gone was this project's where its path says so, or where a person names the transcript. A path that
/// climbs, or does not begin at the top, says nothing.
pub(crate) fn elsewhere(call: &Call<'_>, head: &Report, is_named: bool) -> Option<PathBuf> {
    let place = call.place();
    let folder = head.cwds.first().map(PathBuf::from).unwrap_or_default();
    let climbs = folder.components().any(|part| part == Component::ParentDir);
    if !folder.is_absolute() || climbs {
        return (!is_named).then_some(folder);
    }
    if resolve(&folder).is_none() {
        return (!is_named && !folder.starts_with(&place.root)).then_some(folder);
    }
    let there = Folder::of(&folder);
    (there.keys(None).first() != place.keys(None).first()).then_some(there.root)
}

/// The session of a transcript; none of a sub-agent's.
///
/// Claude Code calls a file after its session, and records in it may be copies of another one's.
pub(crate) fn key_of(
    path: &Path,
    Report { format, session, .. }: Report,
) -> Result<Option<SessionKey>, OpError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let external = match format {
        Format::ClaudeCode if is_of_sub_agent(path) => return Ok(None),
        Format::ClaudeCode if is_uuid(&stem) => stem,
        Format::ClaudeCode
        | Format::Codex
        | Format::Copilot
        | Format::Opencode
        | Format::MessageLog => session.unwrap_or(stem),
    };
    let key = full_key(&format!("{}:{external}", format.name())).filter(|key| key.agent.is_none());
    let wrong = || OpError::usage(format!("{}: \"{external}\" names no session", path.display()));
    key.map(Some).ok_or_else(wrong)
}
