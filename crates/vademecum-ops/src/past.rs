//! The transcripts that harnesses keep of the project's sessions, whether vade was there or not.

use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use vademecum_core::id::is_uuid;
use vademecum_core::intake::Cleaner;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_core::turn::Turn;
use vademecum_files::{Root, open_named};
use vademecum_harness::transcript::discover::Found;
use vademecum_harness::transcript::{Format, Report, Span};
use vademecum_recap::Options;
use vademecum_store::{StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::forgetting::Tombstone;
use crate::recaps::{self, find};
use crate::roots::Roots;
use crate::who::{self, full_key};

/// So many bytes of transcripts that may tell of what is asked for are read, the newest first.
const MOST: u64 = 512 * 1024 * 1024;

/// How Claude Code calls the transcripts of sub-agents.
const AGENT: &str = "agent-";

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
    let (roots, mut left, mut chosen) = (Roots::of(call)?, MOST, Vec::new());
    for found in find::files(call.world, &roots) {
        walked.all += 1;
        for (path, size) in telling(&found, word) {
            if left < size {
                walked.unread += 1;
                continue;
            }
            left -= size;
            chosen.push((path, found.clone()));
        }
    }
    // The oldest is read first, and of one age a session before its sub-agents: what was once told to be a secret is one.
    let mut cleaner = Cleaner::new(call.policy());
    chosen.sort_by_key(|(_, found)| found.modified);
    for (path, found) in chosen {
        let how = (Span::Whole, cleaner.clone());
        let Ok(read) = recaps::read_knowing(&path, Some(found.format), how, &begin, &push) else {
            walked.unread += 1;
            continue;
        };
        cleaner = read.cleaner;
        let at = read.report.last_at.or(found.modified);
        if let Some(key) = of_here(call, &roots, (&found.path, &path), read.report)? {
            walked.told.push(Told { key, path, at, digest: read.digest });
        }
    }
    walked.told.reverse();
    Ok(walked)
}

/// The session of a transcript that may be told here: none of another project, and nothing that somebody forgot.
fn of_here(
    call: &Call<'_>,
    roots: &Roots,
    (of_session, path): (&Path, &Path),
    report: Report,
) -> Result<Option<SessionKey>, OpError> {
    if elsewhere(roots, &report, false).is_some() {
        return Ok(None);
    }
    let Ok(Some(key)) = key_of(of_session, report) else { return Ok(None) };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let agent = stem.strip_prefix(AGENT).map(|agent| format!("{key}/{agent}"));
    let names: Vec<String> = std::iter::once(key.to_string()).chain(agent).collect();
    let is_forgotten = call.look(|view| {
        for name in &names {
            // Who was forgotten and goes on has the same transcript.
            if Tombstone::Session(name).stands_in(view)? {
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    Ok((!is_forgotten).then_some(key))
}

/// Whether the session of the call is of the folder's project, as far as either is known.
fn is_here(call: &Call<'_>, view: &dyn View) -> Result<bool, OpError> {
    let (session, project) = (who::session_if_told(call, view)?, call.project(view)?);
    Ok(session.zip(project).is_none_or(|(session, project)| session.project == project.id))
}

/// Whether a file of Claude Code is the transcript of a sub-agent.
fn is_of_sub_agent(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.as_encoded_bytes().starts_with(AGENT.as_bytes()))
}

/// The transcripts of a session and its sub-agents that hold a word, with how long they are.
///
/// Before a sub-agent's its session's own is told: there stands what is a secret.
fn telling(found: &Found, word: &str) -> Vec<(PathBuf, u64)> {
    let sized = |path: PathBuf, word: &str| holds(&path, word).map(|size| (path, size));
    let agents = of_sub_agents(&found.path, found.format).into_iter();
    let agents: Vec<_> = agents.filter_map(|path| sized(path, word)).collect();
    let own = sized(found.path.clone(), if agents.is_empty() { word } else { "" });
    own.into_iter().chain(agents).collect()
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
pub(crate) fn elsewhere(roots: &Roots, head: &Report, is_named: bool) -> Option<PathBuf> {
    roots.elsewhere(head.cwds.first().map(PathBuf::from).unwrap_or_default(), is_named)
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
