//! The spool: what the store could not take in time, in small files that are taken in one by one.
//!
//! A file holds events of one session. It is appended to while it is open, closed by a new name when
//! somebody takes it, and removed once its events are in the store. Whoever works on a file holds its
//! lock: one whose taker died is free again. What cannot be read is set aside and never in the way.

mod file;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Said, Sameness};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;

use super::standing::{Told, What};
use file::{Folder, Lock, Name, State};

/// So many events at most one file holds: taken in, they are one short write.
const EVENTS_PER_FILE: usize = 64;

/// One event of the spool, a line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// When it was queued.
    pub at: Time,
    /// What was wrong then.
    pub fault: String,
    /// What is to be noted; none where only the fault is.
    pub told: Option<Told>,
    /// The store that it is for; none where an earlier program queued it, which knew of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
}

impl Queued {
    /// Whether it is for the store of this name.
    pub(super) fn is_for(&self, store: Option<&String>) -> bool {
        self.store.as_ref().zip(store).is_none_or(|(its, this)| its == this)
    }
}

/// What waits in the spool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waiting {
    /// How many events wait to be taken in.
    pub n_events: usize,
    /// The one that waits longest.
    pub oldest: Option<Queued>,
    /// How many lines were set aside because this program cannot read them.
    pub n_unreadable: usize,
}

/// Appends one event to the newest open file of its session, and waits until it is on disk.
pub(super) fn append(data: &Path, queued: &Queued) -> io::Result<()> {
    let mut line = serde_json::to_vec(queued)?;
    line.push(b'\n');
    let session = session_of(queued.told.as_ref().map(|told| &told.key));
    // Each round somebody else has taken the file that was found, or made the one that was to be made.
    loop {
        let folder = Folder::make(data)?;
        let theirs = folder.names()?.into_iter().filter(|name| name.session == session);
        let newest = theirs.max_by_key(|name| name.at);
        let is_added = match &newest {
            Some(name) if name.state == State::Open => {
                folder.append(name, &line, EVENTS_PER_FILE)?
            }
            Some(_) | None => false,
        };
        // A clock that was set back must not bring a later event before an earlier one.
        let after = newest.map_or(0, |name| name.at.saturating_add(1));
        let at = u64::try_from(queued.at.0).unwrap_or(0).max(after);
        if is_added || folder.create(&Name::open(at, &session), &line)? {
            return Ok(());
        }
    }
}

/// Whether nothing waits.
pub(super) fn is_empty(data: &Path) -> bool {
    Folder::is_absent(data) || names(data).iter().all(|name| name.state == State::Aside)
}

/// Whether there are files, be it of lines that were set aside.
pub(super) fn has_files(data: &Path) -> bool {
    !Folder::is_absent(data)
}

/// What waits in the spool, and what was set aside.
#[must_use]
pub fn waiting(data: &Path) -> Waiting {
    let folder = Folder::of(data);
    let mut waiting = Waiting::default();
    for name in names(data) {
        let (events, unreadable) = parse(&folder.read(&name).unwrap_or_default());
        waiting.n_unreadable += unreadable.len();
        waiting.n_events += events.len();
        let oldest = waiting.oldest.take().into_iter().chain(events);
        waiting.oldest = oldest.min_by_key(|queued| queued.at);
    }
    waiting
}

/// How many events wait for the store of this name.
#[must_use]
pub fn waiting_for(data: &Path, store: &str) -> usize {
    let folder = Folder::of(data);
    let events = |name: &Name| parse(&folder.read(name).unwrap_or_default()).0.into_iter();
    names(data).iter().flat_map(events).filter(|it| it.store.as_deref() == Some(store)).count()
}

/// What is taken in by one drain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// What waits.
    Waiting,
    /// That, and of the caller's own session what was set aside: it may have been for this store.
    Own,
    /// That, and what an earlier program has set aside: a later one may know its words.
    Everything,
}

/// The files of one session, in the order in which they are to be taken.
pub(super) struct Line {
    /// Whether the session is that of the caller.
    pub(super) is_own: bool,
    /// The files.
    pub(super) files: Vec<Name>,
}

/// The files that wait, by session: those of `own` first, then the one that waits longest.
pub(super) fn lines(data: &Path, own: Option<&SessionKey>, reach: Reach) -> Vec<Line> {
    if Folder::is_absent(data) {
        return Vec::new();
    }
    let own = own.map(|key| session_of(Some(key)));
    let mut names = names(data);
    let is_reached = |name: &Name| match reach {
        Reach::Everything => true,
        Reach::Own => name.state != State::Aside || own.as_ref() == Some(&name.session),
        Reach::Waiting => name.state != State::Aside,
    };
    names.retain(is_reached);
    names.sort();
    let mut places = BTreeMap::new();
    let mut lines: Vec<Line> = Vec::new();
    for name in names {
        let is_own = own.as_ref() == Some(&name.session);
        let place = *places.entry(name.session.clone()).or_insert(lines.len());
        if place == lines.len() {
            lines.push(Line { is_own, files: Vec::new() });
        }
        lines[place].files.push(name);
    }
    lines.sort_by_key(|line| !line.is_own);
    lines
}

/// How a session begins that waits still, as its harness told it.
pub(super) fn start_of(data: &Path, key: &SessionKey) -> Option<Told> {
    let line = lines(data, Some(key), Reach::Waiting).into_iter().next()?;
    let folder = Folder::of(data);
    let files = line.files.iter().filter(|_| line.is_own);
    let queued = files.filter_map(|name| folder.read(name).ok()).flat_map(|bytes| parse(&bytes).0);
    let begins = |told: &Told| told.key == *key && matches!(told.what, What::Begins(_));
    queued.filter_map(|queued| queued.told).find(begins)
}

/// Whether anything of a session waits.
pub(super) fn has_events_of(data: &Path, key: &SessionKey) -> bool {
    lines(data, Some(key), Reach::Waiting).first().is_some_and(|line| line.is_own)
}

/// Whether anything waits of a session or of its sub-agents; yes where nobody can tell.
///
/// What was set aside does not wait: it goes with its session.
pub(super) fn has_events_below(data: &Path, key: &SessionKey) -> bool {
    let is_below = |it: &Awaited| it.key == *key || it.key.parent().as_ref() == Some(key);
    let waiting = || lying(data, Reach::Waiting, None);
    !Folder::is_absent(data) && waiting().map_or(true, |all| all.iter().any(is_below))
}

/// What became of an attempt to take a file.
pub(super) enum Taking {
    /// It is not there any more: it was taken in.
    Gone,
    /// Somebody else works on it.
    Held,
    /// It is the caller's.
    Taken(Batch),
}

/// Takes a file, for one taker at a time.
pub(super) fn take(data: &Path, name: &Name) -> io::Result<Taking> {
    Ok(match Folder::of(data).take(name)? {
        Lock::Gone => Taking::Gone,
        Lock::Held => Taking::Held,
        Lock::Had(taken) => Taking::Taken(Batch::of(taken)),
    })
}

/// The events of a file that was taken; nobody else takes it before this is dropped.
pub(super) struct Batch {
    taken: file::Taken,
    /// Its events, in the order in which they were queued.
    pub(super) events: Vec<Queued>,
    unreadable: Vec<Vec<u8>>,
}

impl Batch {
    fn of(taken: file::Taken) -> Self {
        let (events, unreadable) = parse(taken.bytes());
        Self { taken, events, unreadable }
    }

    /// Takes the events out that are for another store than this.
    pub(super) fn part(&mut self, store: Option<&String>) -> Vec<Queued> {
        self.events.extract_if(.., |queued| !queued.is_for(store)).collect()
    }

    /// Removes the file: its events are in the store, and what could not be read, or is for others, is set aside.
    pub(super) fn finish(self, others: &[Queued]) -> io::Result<()> {
        let mut aside = self.unreadable.concat();
        for queued in others {
            aside.extend(serde_json::to_vec(queued)?);
            aside.push(b'\n');
        }
        match aside.is_empty() {
            true => self.taken.remove(),
            false if self.events.is_empty() => self.taken.set_aside(None),
            false => self.taken.set_aside(Some(&aside)),
        }
    }

    /// Sets the whole file aside: the store refuses its events for good.
    pub(super) fn set_aside(self) -> io::Result<()> {
        self.taken.set_aside(None)
    }

    /// Opens the file again: nothing of it was taken in.
    pub(super) fn put_back(self) -> io::Result<()> {
        self.taken.reopen()
    }
}

/// A session that a line of the spool names.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Awaited {
    /// Which.
    pub(crate) key: SessionKey,
    place: Option<Ran>,
}

/// Where it ran.
#[derive(Debug, Clone, Deserialize)]
struct Ran {
    cwd: Option<Vec<u8>>,
}

impl Awaited {
    /// The folder in which it ran; none where nobody can tell.
    pub(crate) fn folder(&self) -> Option<&Path> {
        let cwd = self.place.as_ref()?.cwd.as_deref()?;
        Some(Path::new(OsStr::from_bytes(cwd)))
    }

    /// Of whom a line tells, whatever it tells; none of a fault alone, an error where nobody can say.
    fn of(line: &[u8]) -> serde_json::Result<Option<Self>> {
        #[derive(Deserialize)]
        struct Line {
            told: Option<Awaited>,
        }
        Ok(serde_json::from_slice::<Line>(line)?.told)
    }
}

/// The sessions of which anything lies in the spool, each as its first line names it.
pub(super) fn awaited(data: &Path, store: Option<&String>) -> io::Result<Vec<Awaited>> {
    lying(data, Reach::Everything, store)
}

fn lying(data: &Path, reach: Reach, store: Option<&String>) -> io::Result<Vec<Awaited>> {
    let folder = Folder::of(data);
    let mut names = folder.names()?;
    names.retain(|name| name.state != State::Aside || reach == Reach::Everything);
    names.sort();
    let mut all: Vec<Awaited> = Vec::new();
    for name in names {
        let bytes = match folder.read(&name) {
            // Somebody took it, and may give it back under another name.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return lying(data, reach, store);
            }
            bytes => bytes?,
        };
        for awaited in bytes
            .split(|&byte| byte == b'\n')
            .filter(|line| is_line_for(line, store))
            .filter_map(|line| Awaited::of(line).ok()?)
        {
            if !all.iter().any(|known| known.key == awaited.key) {
                all.push(awaited);
            }
        }
    }
    Ok(all)
}

/// Takes every line of these sessions and of their sub-agents out of the spool, and all that nobody can tell
/// the session of.
///
/// What is for another store than this is that one's to forget.
pub(super) fn forget(data: &Path, store: Option<&String>, sessions: &[String]) -> io::Result<()> {
    let stays = |line: &[u8]| !is_line_for(line, store) || is_of_others(line, sessions);
    rewrite_all(data, |bytes| {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        lines.filter(|line| stays(line)).flatten().copied().collect()
    })
}

/// Takes what is to be recorded and says one of these out of the spool, save of sessions that are `others`: it may have
/// been set aside, by a later program too.
pub(super) fn forget_found(
    data: &Path,
    store: Option<&String>,
    texts: &[&Said],
    others: impl Fn(&SessionKey) -> bool,
) -> io::Result<()> {
    let same: Vec<Sameness> = texts.iter().map(|said| said.sameness()).collect();
    let quoted = texts.iter().filter_map(|said| serde_json::to_string(said.content.as_str()).ok());
    let quoted: Vec<String> = quoted.map(|text| format!("\"content\":{text}")).collect();
    let rest = |line: &[u8]| -> Vec<u8> {
        if !is_line_for(line, store) {
            return line.to_vec();
        }
        let Ok(mut queued) = serde_json::from_slice::<Queued>(line) else {
            let holds = |text: &String| memchr::memmem::find(line, text.as_bytes()).is_some();
            let is_others = Awaited::of(line).is_ok_and(|of| of.is_some_and(|of| others(&of.key)));
            let is_gone = quoted.iter().any(holds) && !is_others;
            return if is_gone { Vec::new() } else { line.to_vec() };
        };
        let Some(Told { what: What::Found(found), key, .. }) = &mut queued.told else {
            return line.to_vec();
        };
        let n_found = found.len();
        found.retain(|said| !same.contains(&said.sameness()));
        match found.len() {
            n if n == n_found || others(key) => line.to_vec(),
            0 => Vec::new(),
            _ => [serde_json::to_vec(&queued).unwrap_or_default(), b"\n".to_vec()].concat(),
        }
    };
    rewrite_all(data, |bytes| bytes.split_inclusive(|&byte| byte == b'\n').flat_map(rest).collect())
}

/// Writes each file anew that `change` changes, until none does: who takes a file, or gives it back, gives it another
/// name meanwhile, and may set lines of it aside.
fn rewrite_all(data: &Path, change: impl Fn(&[u8]) -> Vec<u8>) -> io::Result<()> {
    let folder = Folder::of(data);
    loop {
        let mut is_changed = false;
        for name in folder.names()? {
            is_changed |= folder.rewrite(&name, &change)? || !folder.has(&name);
        }
        if !is_changed {
            return Ok(());
        }
    }
}

/// Whether a line is for the store of this name, as far as anybody can tell.
fn is_line_for(line: &[u8], store: Option<&String>) -> bool {
    #[derive(Deserialize)]
    struct Line {
        #[serde(default)]
        store: Option<String>,
    }
    let its = serde_json::from_slice::<Line>(line).ok().and_then(|line| line.store);
    its.as_ref().zip(store).is_none_or(|(its, this)| its == this)
}

/// Whether a file that was set aside holds a line that this store may take, or that nobody can read.
pub(super) fn concerns(data: &Path, name: &Name, store: Option<&String>) -> bool {
    let is_aside = name.state == State::Aside;
    let bytes = || Folder::of(data).read(name).unwrap_or_default();
    let is_any = |bytes: Vec<u8>| {
        let mut lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.any(|line| is_line_for(line, store))
    };
    !is_aside || is_any(bytes())
}

/// Whether a line names a session that is none of these; a line that names none may be of any.
fn is_of_others(line: &[u8], sessions: &[String]) -> bool {
    let is_one = |key: &SessionKey| sessions.contains(&key.to_string());
    match Awaited::of(line) {
        Ok(Some(Awaited { key, .. })) => {
            !is_one(&key) && !key.parent().as_ref().is_some_and(is_one)
        }
        Ok(None) => true,
        Err(_) => false,
    }
}

/// The events of a file, and the lines that are none: torn, or written by another version.
fn parse(bytes: &[u8]) -> (Vec<Queued>, Vec<Vec<u8>>) {
    let (mut events, mut unreadable) = (Vec::new(), Vec::new());
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(queued) => events.push(queued),
            Err(_) => unreadable.push([line, b"\n"].concat()),
        }
    }
    (events, unreadable)
}

/// The files of the spool; none where there is no folder.
fn names(data: &Path) -> Vec<Name> {
    Folder::of(data).names().unwrap_or_default()
}

/// By what the files of a session are known; a fault without an event has files of its own.
fn session_of(key: Option<&SessionKey>) -> String {
    let name = key.map(ToString::to_string).unwrap_or_default();
    vademecum_core::hash::hex(&vademecum_core::hash::plain(name.as_bytes()), 8)
}
