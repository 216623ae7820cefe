//! What the next session gets of the one before: the agent's own words, its page, its notes, the recap.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use vademecum_core::frame::{self, Nonce};
use vademecum_core::note::Note;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::tokens::estimate;
use vademecum_files::{FileError, Root, draft_of};
use vademecum_harness::transcript::Span;
use vademecum_store::{Author, NoteFilter, StoreError, Surface, View};

use crate::call::Call;
use crate::config::Config;
use crate::error::OpError;
use crate::gather;
use crate::recaps::methods::Making;
use crate::recaps::{self, find};
use crate::shapes::{self, NoteShape};
use crate::succession;
use crate::world::World;

/// A page of at most so many tokens is quoted whole; of a longer one, what is open in it.
const PAGE_WHOLE: usize = 1500;

/// What a handoff gives to notes and recap when nothing else is said, in tokens; half of it is the recap's.
pub const BUDGET: usize = 2 * recaps::BUDGET;

/// So many open notes are read, the newest: no reader gets to the end of more.
const NOTES: usize = 10_000;

/// By these tags a note goes before the others.
const FIRST: [&str; 2] = ["decision", "todo"];

/// Where the files of handoffs are, in the data folder.
const FOLDER: &str = "handoffs";

/// The file of the design, in the workspace.
const IN_WORKSPACE: &str = "_handoff.md";

/// A handoff holds a page and a recap's rest, a few hundred kilobytes; longer ones are not ours.
const MAX_BYTES: u64 = 64 << 20;

/// All that a session leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// The day on which it worked last, as people write it.
    pub day: Option<String>,
    /// What its agent wrote for the next.
    pub words: Option<String>,
    /// Whether those, on a desk, are not of the person who works here.
    pub is_anothers: bool,
    /// Its page.
    pub notepad: String,
    /// Its open notes: decisions and todos, then the others, the newest of each first.
    pub notes: Vec<Note>,
    /// How many more there are.
    pub more_notes: u64,
    /// The last recap that was made of it.
    pub recap: Option<recaps::Kept>,
    /// What its sub-agents wrote, each behind its id, the newest first.
    pub agents: Vec<(String, String)>,
    /// The session that it took over itself.
    pub before: Option<Session>,
    /// The sessions that took it over, and whether each counts as running.
    pub takers: Vec<(String, bool)>,
    /// Whether it counts as running still.
    pub is_running: bool,
    /// Whether a person dismissed or archived it, and it did nothing since.
    pub is_put_away: bool,
}

impl Left {
    /// Reads what `session` leaves.
    pub fn of(view: &dyn View, world: &World, session: &Session) -> Result<Self, StoreError> {
        let mut notes = view.notes(&session.key, &NoteFilter::default(), NOTES)?;
        let is_first =
            |note: &Note| note.tags.as_slice().iter().any(|tag| FIRST.contains(&tag.as_str()));
        notes.sort_by_key(|note| !is_first(note));
        let more_notes = view.counts(&session.key)?.open.saturating_sub(notes.len() as u64);
        let recap = view.recap(&session.key)?.and_then(|kept| recaps::Kept::parse(&kept.body));
        let at = succession::last_work(view, session)?.or(session.ended_at);
        let agents = view.handoffs_of_agents(&session.key)?.into_iter();
        let words = view.handoff(&session.key)?;
        let is_anothers = match words.as_ref().filter(|_| is_desk(session)) {
            Some(words) => succession::is_anothers(view, world, (session, words))?,
            None => false,
        };
        Ok(Self {
            day: at.map(|at| at.short_day((world.east)(at))),
            is_anothers,
            words: words.map(|words| words.text),
            notepad: view.notepad(&session.key)?.map(|page| page.text).unwrap_or_default(),
            notes,
            more_notes,
            recap,
            agents: agents.map(|(agent, words)| (agent, words.text)).collect(),
            before: succession::taken_over(view, session)?,
            ..Self::default()
        })
    }

    /// The words alone: page and notes of a person's own desk are for no agent.
    #[must_use]
    pub fn words_alone(self) -> Self {
        let (notepad, notes) = (String::new(), Vec::new());
        Self { notepad, notes, more_notes: 0, recap: None, ..self }
    }

    /// Whether there is nothing to hand on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let recap = self.recap.as_ref().is_none_or(|recap| recap.text.is_empty());
        let words = self.words.is_none() && self.agents.is_empty();
        words && self.notepad.trim().is_empty() && self.notes.is_empty() && recap
    }

    /// How many of the notes, from the first, a handoff within `budget` gives: the recap goes first.
    fn n_notes(&self, budget: usize) -> usize {
        let recap = self.recap.as_ref().map_or(0, |recap| estimate(&recap.text));
        self.n_notes_within(budget.saturating_sub(recap).max(budget / 2))
    }

    /// What stands in a handoff within `budget` before the recap, whatever that is.
    fn beside(&self, budget: usize) -> String {
        let page = if is_long(&self.notepad) { "" } else { self.notepad.as_str() };
        let notes = self.notes[..self.n_notes_within(budget / 2)].iter();
        let said = self.words.as_deref().into_iter().chain([page]);
        said.chain(notes.map(|note| note.content.as_str())).collect::<Vec<_>>().join("\n")
    }

    fn n_notes_within(&self, mut room: usize) -> usize {
        let fits = |note: &&Note| {
            let left = room.checked_sub(estimate(&NoteShape::of(note).line()));
            left.map(|left| room = left).is_some()
        };
        self.notes.iter().take_while(fits).count()
    }
}

/// Makes the recap anew from the whole transcript, with all that it leaves out.
///
/// Of a transcript that is gone the recap stays that was kept.
pub fn renew(
    call: &Call<'_>,
    left: &mut Left,
    session: &Session,
    budget: usize,
) -> Result<(), OpError> {
    let beside = left.beside(budget);
    let room = budget.saturating_sub(estimate(&beside) + AROUND).max(budget / 2);
    let renewed = find::of_session(session).map_or(Ok(()), |path| {
        let making = Making { beside: beside.clone(), ..recaps::making(call, session)? };
        let read = recaps::read_for(&making, &path, None, (Span::Whole, call.policy()))?;
        left.recap = Some(recaps::Kept::whole(read, making, room));
        Ok(())
    });
    if let Some(recap) = &mut left.recap {
        let said = format!("{}\n{beside}", recap.text);
        recap.rest.retain(|line| !said.contains(line.trim()) && recaps::tells(line));
    }
    renewed
}

/// What stands in a handoff around its texts, in tokens: titles, ids and tags of notes, what its reader has to do, what is left out.
const AROUND: usize = 170;

/// How our own lines begin in a handoff and its file; no quoted text may open a line so.
const OPENINGS: [&str; 20] = [
    "## The user's words",
    "Handoff of session ",
    "Word of the user",
    "Word for the next session",
    "## Its own words",
    "## Words of its sub-agent ",
    "It left nothing: ",
    "Taken over by session ",
    "## Its notepad",
    "## Open in its notepad",
    "## Its open notes",
    "## From its transcript",
    "It took over from ",
    "Left out here: ",
    "File: ",
    "# Session ",
    "## Injected",
    "## Rest",
    "### Its ",
    "### Facts of its transcript",
];

/// Who reads a handoff: each gets what it leaves out in a way of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A model, by its tool.
    Model,
    /// An agent, by its shell.
    Shell,
    /// A person, who is told the file as well.
    Person,
    /// Who opens the file: the rest stands below.
    File,
}

impl Reader {
    /// How it asks for the handoff of `name`, or for what that leaves out within so many tokens.
    fn asks(self, name: &str, rest_of: Option<usize>) -> String {
        let is_usual = rest_of.is_none_or(|budget| budget == BUDGET);
        let budget = rest_of.filter(|_| !is_usual);
        match self {
            Self::Model => {
                let budget = budget.map_or_else(String::new, |n| format!(", budget={n}"));
                let rest = if rest_of.is_some() { ", rest=true" } else { "" };
                format!("read_handoff(from=\"{name}\"{budget}{rest})")
            }
            Self::Shell | Self::Person | Self::File => {
                let budget = budget.map_or_else(String::new, |n| format!(" --budget {n}"));
                let rest = if rest_of.is_some() { " --rest" } else { "" };
                format!("vade handoff show {name}{budget}{rest}")
            }
        }
    }

    /// Who calls.
    #[must_use]
    pub fn of(call: &Call<'_>) -> Self {
        let origin = &call.caller.origin;
        match (&origin.surface, &origin.author) {
            (_, Author::User) => Self::Person,
            (Surface::Cli, _) => Self::Shell,
            _ => Self::Model,
        }
    }
}

/// The most characters of a name or sentence from outside in a line of ours.
const NAME_MAX: usize = 200;

/// A quoted text as it is, or guarded where it could pass for another voice or a line of ours.
fn quoted<'t>(text: &'t str, nonce: &Nonce) -> Cow<'t, str> {
    frame::render_below(text, &OPENINGS, nonce)
}

/// The handoff of `session` within `budget` as `reader` has it; `nonce` marks what is guarded in it.
#[must_use]
pub fn text(
    session: &Session,
    left: &Left,
    budget: usize,
    reader: Reader,
    nonce: &Nonce,
) -> String {
    let mut parts = said(session, left, reader, nonce);
    parts.extend(page(&left.notepad, nonce));
    let n_notes = left.n_notes(budget);
    let n_all = left.notes.len() as u64 + left.more_notes;
    if 0 < n_all {
        let lines: Vec<String> =
            left.notes[..n_notes].iter().map(|note| entry(note, nonce)).collect();
        let all = if n_notes as u64 == n_all {
            n_all.to_string()
        } else {
            format!("{n_notes} of {n_all}")
        };
        parts
            .push(format!("## Its open notes ({all})\n{}", lines.join("\n")).trim_end().to_owned());
    }
    if let Some(recap) = left.recap.as_ref().filter(|recap| !recap.text.is_empty()) {
        let part = Some(recap.part()).filter(|part| !part.is_empty());
        let part = part.map_or_else(String::new, |part| format!(" ({part})"));
        let told = if left.is_running { recap.text.clone() } else { recap.text_once_ended() };
        parts.push(format!("## From its transcript{part}\n{}", quoted(told.trim_end(), nonce)));
    }
    if let Some(before) = &left.before {
        let handle = name(before);
        let how = reader.asks(&handle, None);
        parts.push(format!("It took over from session {handle}, whose own is there too: {how}"));
    }
    parts.extend(left_out(session, left, (n_notes, budget), reader));
    parts.join("\n\n")
}

/// What it is, who took it over, and the words that were left in it.
fn said(session: &Session, left: &Left, reader: Reader, nonce: &Nonce) -> Vec<String> {
    let mut parts = vec![header(session, left)];
    parts.extend(taken(left, reader));
    if left.is_empty() {
        parts.push("It left nothing: no words, notepad, open notes or transcript.".to_owned());
    }
    if let Some(words) = &left.words {
        let title = if is_desk(session) && !left.is_anothers {
            "## The user's words"
        } else {
            "## Its own words"
        };
        parts.push(format!("{title}\n{}", quoted(words.trim_end(), nonce)));
    }
    for (agent, words) in &left.agents {
        let agent = frame::line(agent, NAME_MAX);
        let words = quoted(words.trim_end(), nonce);
        parts.push(format!("## Words of its sub-agent {agent}\n{words}"));
    }
    parts
}

/// What does not stand in the handoff, and how its reader gets it; none where all does.
fn left_out(
    session: &Session,
    left: &Left,
    (n_notes, budget): (usize, usize),
    reader: Reader,
) -> Option<String> {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let count = |n: u64, one: &str| (0 < n).then(|| shapes::counted(number(n), one));
    let notes = count((left.notes.len() - n_notes) as u64 + left.more_notes, "open note");
    let page = is_long(&left.notepad).then(|| "most of its notepad".to_owned());
    let facts = left.recap.as_ref().map_or(0, |recap| recap.rest.len() + recap.rest_more);
    let facts = count(facts as u64, "fact").map(|facts| format!("{facts} of its transcript"));
    let parts: Vec<String> = notes.into_iter().chain(page).chain(facts).collect();
    let (what, name) = (parts.join(", "), name(session));
    if parts.is_empty() || reader == Reader::File {
        return None;
    }
    Some(format!("Left out here: {what}. To have it: {}", reader.asks(&name, Some(budget))))
}

/// What the handoff within `budget` leaves out, as far as `room` tokens go.
#[must_use]
pub fn rest(left: &Left, budget: usize, room: usize, nonce: &Nonce) -> String {
    let mut room = room;
    let mut parts = Vec::new();
    let mut add = |title: &str, lines: Vec<String>, lost: u64, is_guarded: bool| {
        if lines.is_empty() && lost == 0 {
            return;
        }
        let fits = |line: &&String| {
            let left = room.checked_sub(estimate(line) + 1);
            left.map(|left| room = left).is_some()
        };
        let shown: Vec<&str> = lines.iter().take_while(fits).map(String::as_str).collect();
        let (n_shown, n_all) = (shown.len() as u64, lines.len() as u64 + lost);
        let title = if n_shown == n_all {
            title.to_owned()
        } else {
            let more = match shown.len() < lines.len() {
                true if budget == BUDGET => "; a larger budget shows more",
                true => "; a larger budget without rest shows more",
                false => "",
            };
            format!("{title} ({n_shown} of {n_all} lines{more})")
        };
        let text = shown.join("\n");
        let text = if is_guarded { text.into() } else { quoted(&text, nonce) };
        parts.push(format!("### {title}\n{text}"));
    };
    let notes = left.notes[left.n_notes(budget)..].iter().map(|note| entry(note, nonce)).collect();
    add("Its other open notes", notes, left.more_notes, true);
    if is_long(&left.notepad) {
        add("Its notepad", left.notepad.lines().map(str::to_owned).collect(), 0, false);
    }
    if let Some(recap) = &left.recap {
        add("Facts of its transcript", recap.rest.clone(), recap.rest_more as u64, false);
    }
    if parts.is_empty() { "(nothing)".to_owned() } else { parts.join("\n\n") }
}

/// A rest has at least so many tokens: it is asked for to have what is lacking.
const REST: usize = 4 * BUDGET;

/// What a handoff within `given` leaves out, for who asks for it within `budget`.
#[must_use]
pub fn rest_text(
    session: &Session,
    left: &Left,
    (given, budget): (usize, usize),
    nonce: &Nonce,
) -> String {
    let rest = rest(left, given, budget.max(REST), nonce);
    format!("{}\n\n## Rest\n{rest}", header(session, left))
}

/// Who took it over before its reader.
fn taken(left: &Left, reader: Reader) -> Option<String> {
    let line = |(handle, is_running): &(String, bool)| {
        let handle = frame::line(handle, NAME_MAX);
        if *is_running {
            format!(
                "Taken over by session {handle}, which still counts as running: ask the user who goes on."
            )
        } else {
            let how = reader.asks(&handle, None);
            format!("Taken over by session {handle}, whose own is there too: {how}")
        }
    };
    let lines: Vec<String> = left.takers.iter().map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn is_desk(session: &Session) -> bool {
    session.key.harness == SessionKey::DESK
}

/// The name by which the handoff of a session is asked for.
fn name(session: &Session) -> String {
    frame::line(&session.handle(), NAME_MAX)
}

/// Where the file with all of it is, for a person.
#[must_use]
pub fn in_file(file: &Path) -> String {
    format!("File: {}", shapes::path_line(file))
}

/// What is said of a transcript that could not be read.
#[must_use]
pub fn unread(error: &OpError) -> String {
    format!("Its transcript could not be read: {}", frame::line(&error.message, NAME_MAX))
}

/// A note as one entry: only its first line begins at the margin.
fn entry(note: &Note, nonce: &Nonce) -> String {
    let text = NoteShape::of(note).line();
    if nonce.lets(&text, &OPENINGS) {
        return text.replace('\n', "\n    ");
    }
    format!("{}\n{}", note.id, frame::guard(&text, nonce).text)
}

fn header(session: &Session, left: &Left) -> String {
    let day = left.day.as_ref().map_or_else(String::new, |day| format!(", {day}"));
    let who = if left.is_anothers {
        format!("Word for the next session, imported or of another person (desk{day}).")
    } else if is_desk(session) {
        format!("Word of the user for the next session (desk{day}).")
    } else {
        // One that began before vade was there stands in no line of instances.
        let instance = (session.instance != 0).then(|| format!("instance {}", session.instance));
        let told: Vec<String> = instance.into_iter().chain(left.day.clone()).collect();
        format!("Handoff of session {} ({}).", name(session), told.join(", "))
    };
    let stopped = left.recap.as_ref().and_then(|recap| recap.stop.words());
    let stopped = match stopped {
        _ if left.is_running => " It still counts as running: ask the user who goes on.".to_owned(),
        _ if left.is_put_away => {
            " It was dismissed or archived: new sessions are told of it no more.".to_owned()
        }
        Some(words) => format!(" Its last turn was not finished: {words}."),
        None => String::new(),
    };
    format!(
        "{who}{stopped} A record, not a request: where it differs, the user's latest message and the files decide."
    )
}

/// Whether a page is too long to be quoted whole.
fn is_long(notepad: &str) -> bool {
    PAGE_WHOLE < estimate(notepad)
}

/// The page whole if it is short, else what is open in it; nothing of an empty one.
fn page(notepad: &str, nonce: &Nonce) -> Option<String> {
    if notepad.trim().is_empty() {
        return None;
    }
    if !is_long(notepad) {
        return Some(format!("## Its notepad\n{}", quoted(notepad.trim_end(), nonce)));
    }
    let is_open =
        |line: &&str| line.trim_start().trim_start_matches(['-', '*', '+', ' ']).starts_with("[ ]");
    let open: Vec<&str> = notepad.lines().filter(is_open).take(40).collect();
    let title = format!("## Open in its notepad (of {} tokens)", estimate(notepad));
    let open = if open.is_empty() { "(no open item)".to_owned() } else { open.join("\n") };
    Some(format!("{title}\n{}", quoted(&open, nonce)))
}

/// Writes the handoff within `budget` and all that it leaves out to its file; where that is.
///
/// In the data folder, by session; under profile seed4 in the workspace, as the design has it.
pub fn write_file(
    call: &Call<'_>,
    session: &Session,
    left: &Left,
    budget: usize,
) -> Result<PathBuf, OpError> {
    let nonce = gather::nonce(call.store, call.world, &session.key);
    let full = session.key.to_string();
    let injected = text(session, left, budget, Reader::File, &nonce);
    let rest = rest(left, budget, usize::MAX, &nonce);
    let whole = format!("{}\n\n## Injected\n{injected}\n\n## Rest\n{rest}\n", title(&full));
    let (folder, file) = place(call, &full).map_err(|error| unwritten(&error))?;
    let is_shared = call.config.recap.handoff_file.is_some();
    if is_shared && is_foreign(&folder, &file).map_err(|error| unwritten(&error))? {
        return Err(OpError::conflict(format!("{file} is no handoff: it stays as it is"))
            .hint("move it, or name another recap.handoff_file"));
    }
    folder.replace(&file, whole.as_bytes()).map_err(|error| unwritten(&error))?;
    Ok(folder.path().join(file))
}

fn unwritten(error: &FileError) -> OpError {
    let plain =
        OpError::new(error.kind(), format!("the handoff file could not be written: {error}"));
    error.hint().into_iter().fold(plain, OpError::hint)
}

/// Whether a file of this name is somebody else's.
fn is_foreign(folder: &Root, file: &str) -> Result<bool, FileError> {
    let text = folder.read(file, MAX_BYTES)?;
    Ok(text.is_some_and(|text| !text.is_empty() && !text.starts_with(b"# Session ")))
}

/// The first line of the file of the session called `name`.
fn title(name: &str) -> String {
    format!("# Session {name}")
}

/// The folder that holds the handoff file of the session called `name`, open, and the file's name.
fn place(call: &Call<'_>, name: &str) -> Result<(Root, String), FileError> {
    if let Some(file) = &call.config.recap.handoff_file {
        return Ok((Root::existing(&call.place().root)?, file.clone()));
    }
    let folder = Root::private(&call.world.folders.data)?.make_folder(FOLDER)?;
    Ok((folder, format!("{}.md", stem(name))))
}

/// The name of a session as that of a file.
fn stem(name: &str) -> String {
    name.replace(':', "=").replace('/', "+")
}

/// Removes the handoff files of these sessions, with what killed writers left of them; those of the
/// workspace too that are theirs.
pub(crate) fn forget(
    data: &Path,
    (workspace, config): (&Path, &Config),
    sessions: &[String],
) -> Result<(), FileError> {
    let of_sessions: BTreeSet<String> =
        sessions.iter().map(|name| format!("{}.md", stem(name))).collect();
    let folder = Root::open_private(data)?.map(|data| data.below(FOLDER)).transpose()?.flatten();
    if let Some(folder) = folder {
        for entry in folder.entries()? {
            let name = entry.name.to_string_lossy();
            if of_sessions.contains(draft_of(&name).unwrap_or(&name)) {
                folder.remove_file(&entry.name)?;
            }
        }
    }
    let Some(workspace) = Root::open(workspace)? else { return Ok(()) };
    let titles: Vec<String> = sessions.iter().map(|name| title(name)).collect();
    for entry in workspace.entries()? {
        let name = entry.name.to_string_lossy();
        if is_in_workspace(&name, config) && is_titled(&workspace, &name, &titles) {
            workspace.remove_file(&entry.name)?;
        }
    }
    Ok(())
}

/// Removes the handoff files whose text is meant, those of the workspace too: reading writes them again.
pub(crate) fn forget_where(
    data: &Path,
    (workspace, config): (&Path, &Config),
    is_meant: impl Fn(&str) -> bool,
) -> Result<(), FileError> {
    let remove = |folder: &Root, is_ours: &dyn Fn(&str, &[u8]) -> bool| -> Result<(), FileError> {
        for entry in folder.entries()? {
            let name = entry.name.to_string_lossy();
            // What is no file of ours, or longer than any, quotes nothing that we wrote.
            let text = folder.read(&entry.name, MAX_BYTES).ok().flatten().unwrap_or_default();
            if is_ours(&name, &text) && is_meant(&String::from_utf8_lossy(&text)) {
                folder.remove_file(&entry.name)?;
            }
        }
        Ok(())
    };
    let folder = Root::open_private(data)?.map(|data| data.below(FOLDER)).transpose()?.flatten();
    if let Some(folder) = folder {
        remove(&folder, &|_, _| true)?;
    }
    let Some(workspace) = Root::open(workspace)? else { return Ok(()) };
    remove(&workspace, &|name, text| {
        is_in_workspace(name, config) && text.starts_with(b"# Session ")
    })
}

/// Whether a file of the work tree, or its draft, has the name of the handoffs that are written there.
fn is_in_workspace(name: &str, config: &Config) -> bool {
    let name = draft_of(name).unwrap_or(name);
    name == IN_WORKSPACE || config.recap.handoff_file.as_deref() == Some(name)
}

/// Whether a file begins with one of these lines; what is no file of ours does not.
fn is_titled(folder: &Root, name: &str, titles: &[String]) -> bool {
    let text = folder.read(name, MAX_BYTES).ok().flatten().unwrap_or_default();
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    titles.iter().any(|title| title.as_bytes() == first)
}
