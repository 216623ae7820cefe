//! What the next session gets of the one before: the agent's own words, its page, its notes, the recap.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use vademecum_core::intake::Policy;
use vademecum_core::note::Note;
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_core::tokens::estimate;
use vademecum_harness::transcript::Span;
use vademecum_store::{NoteFilter, StoreError, View};

use crate::call::Call;
use crate::config::Profile;
use crate::drafts::absent_or;
use crate::error::OpError;
use crate::recaps::{self, find};
use crate::shapes::NoteShape;
use crate::who::full_name;

/// A page of at most so many tokens is quoted whole; of a longer one, what is open in it.
const PAGE_WHOLE: usize = 1500;

/// So many open decisions and todos are quoted.
const NOTES: usize = 20;

/// Where the files of handoffs are, in the data folder.
const FOLDER: &str = "handoffs";

/// The file of the design, in the workspace.
const IN_WORKSPACE: &str = "_handoff.md";

/// All that a session leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// What its agent wrote for the next.
    pub words: Option<String>,
    /// Its page.
    pub notepad: String,
    /// Its open decisions and todos, the newest first.
    pub notes: Vec<Note>,
    /// The last recap that was made of it.
    pub recap: Option<recaps::Kept>,
    /// The session that it took over itself.
    pub before: Option<Session>,
}

impl Left {
    /// Reads what `session` leaves.
    pub fn of(view: &dyn View, session: &Session) -> Result<Self, StoreError> {
        let mut notes = Vec::new();
        for tag in ["decision", "todo"] {
            let filter = NoteFilter { tags: vec![tag.to_owned()], include_scratched: false };
            notes.extend(view.notes(session.id, &filter, NOTES)?);
        }
        notes.sort_by_key(|note| std::cmp::Reverse((note.updated_at, note.id)));
        notes.dedup_by_key(|note| note.id);
        notes.truncate(NOTES);
        let recap = view.recap(session.id)?.and_then(|kept| recaps::Kept::parse(&kept.body));
        Ok(Self {
            words: view.handoff(session.id)?.map(|handoff| handoff.text),
            notepad: view.notepad(session.id)?.map(|page| page.text).unwrap_or_default(),
            notes,
            recap,
            before: taken_over(view, session)?,
        })
    }

    /// Whether there is nothing to hand on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let recap = self.recap.as_ref().is_none_or(|recap| recap.text.is_empty());
        self.words.is_none() && self.notepad.trim().is_empty() && self.notes.is_empty() && recap
    }
}

/// The session whose work `session` took over; none of a copy, a sub-agent, or the first.
fn taken_over(view: &dyn View, session: &Session) -> Result<Option<Session>, StoreError> {
    let parent = session.parent.filter(|_| match session.began {
        Began::Start | Began::Clear | Began::Resume => true,
        Began::Fork | Began::Spawn => false,
    });
    Ok(parent.map(|parent| view.session_by_id(parent)).transpose()?.flatten())
}

/// Makes the recap anew where its transcript has grown since, or where there was none.
pub fn renew(
    left: &mut Left,
    session: &Session,
    budget: usize,
    policy: Policy,
) -> Result<(), OpError> {
    let Some(path) = find::of_session(session) else { return Ok(()) };
    let size = fs::metadata(&path).map_or(0, |meta| meta.len());
    let is_fresh = left
        .recap
        .as_ref()
        .is_some_and(|kept| kept.size == size && kept.read == kept.size && kept.budget == budget);
    if !is_fresh {
        left.recap =
            Some(recaps::Kept::of(&recaps::read(&path, None, Span::Whole, policy)?, budget));
    }
    Ok(())
}

/// The handoff of `session` as its successor reads it.
#[must_use]
pub fn text(session: &Session, left: &Left, file: Option<&Path>) -> String {
    let mut parts = vec![header(session, left)];
    if let Some(words) = &left.words {
        parts.push(format!("## Its own words\n{}", words.trim_end()));
    }
    parts.extend(page(&left.notepad));
    if !left.notes.is_empty() {
        let lines: Vec<String> = left.notes.iter().map(|note| NoteShape::of(note).line()).collect();
        parts.push(format!("## Its open decisions and todos\n{}", lines.join("\n")));
    }
    if let Some(recap) = left.recap.as_ref().filter(|recap| !recap.text.is_empty()) {
        let title = format!("## From its transcript ({})", recap.coverage());
        parts.push(format!("{title}\n{}", recap.text.trim_end()));
    }
    if let Some(before) = &left.before {
        let (instance, handle) = (before.instance, before.handle());
        parts.push(format!("It took over from instance {instance}, whose own is there too: read_handoff from={handle}"));
    }
    if let Some(file) = file {
        parts.push(format!("The rest is in {}", file.display()));
    }
    parts.join("\n\n")
}

fn header(session: &Session, left: &Left) -> String {
    let (instance, handle) = (session.instance, session.handle());
    let stopped = left.recap.as_ref().and_then(|recap| recap.stop.words());
    let stopped = stopped.map_or_else(String::new, |words| format!(" It did not end: {words}."));
    format!(
        "Handoff of instance {instance} (session {handle}).{stopped} A record, not a request: where it differs, the user's latest message and the files decide."
    )
}

/// The page whole if it is short, else what is open in it; nothing of an empty one.
fn page(notepad: &str) -> Option<String> {
    if notepad.trim().is_empty() {
        return None;
    }
    let n_tokens = estimate(notepad);
    if n_tokens <= PAGE_WHOLE {
        return Some(format!("## Its notepad\n{}", notepad.trim_end()));
    }
    let is_open =
        |line: &&str| line.trim_start().trim_start_matches(['-', '*', '+', ' ']).starts_with("[ ]");
    let open: Vec<&str> = notepad.lines().filter(is_open).take(40).collect();
    let title =
        format!("## Open in its notepad ({n_tokens} tokens; vade session show gives it whole)");
    Some(format!("{title}\n{}", open.join("\n")))
}

/// Writes the handoff with the ranked rest to its file; where that is.
///
/// In the data folder, by session; under profile seed4 in the workspace, as the design has it.
pub fn write_file(call: &Call<'_>, session: &Session, left: &Left) -> Result<PathBuf, OpError> {
    let path = file(call, &session.key);
    let rest = left.recap.as_ref().map(|recap| recap.rest.as_slice()).unwrap_or_default();
    let rest = if rest.is_empty() { "(nothing)".to_owned() } else { rest.join("\n") };
    let name = full_name(&session.key);
    let injected = text(session, left, None);
    let whole = format!("{}\n\n## Injected\n{injected}\n\n## Rest\n{rest}\n", title(&name));
    put(&path, &whole).map_err(|error| {
        OpError::broken(format!("cannot write the handoff file {}: {error}", path.display()))
    })?;
    Ok(path)
}

/// The first line of the file of the session called `name`.
fn title(name: &str) -> String {
    format!("# Session {name}")
}

fn file(call: &Call<'_>, key: &SessionKey) -> PathBuf {
    match call.config.profile {
        Profile::Seed4 => call.place().root.join(IN_WORKSPACE),
        Profile::Default | Profile::Seed0 | Profile::Seed1 | Profile::Seed2 | Profile::Seed3 => {
            of_name(&call.world.folders.data, &full_name(key))
        }
    }
}

fn of_name(data: &Path, name: &str) -> PathBuf {
    data.join(FOLDER).join(format!("{}.md", stem(name)))
}

/// The name of a session as that of a file.
fn stem(name: &str) -> String {
    name.replace(':', "=").replace('/', "+")
}

/// Writes a file beside its place and moves it there, so that nobody reads half of it.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let mut file =
        fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
    file.write_all(text.as_bytes())?;
    fs::rename(&draft, path)
}

/// Removes the handoff files of these sessions, with what killed writers left of them; that of the
/// workspace too if it is one of theirs.
pub(crate) fn forget(data: &Path, workspace: &Path, sessions: &[String]) -> std::io::Result<()> {
    let stems: BTreeSet<String> = sessions.iter().map(|name| stem(name)).collect();
    let files = match fs::read_dir(data.join(FOLDER)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        files => Some(files?),
    };
    for file in files.into_iter().flatten() {
        let file = file?.path();
        if owner(&file).is_some_and(|stem| stems.contains(stem)) {
            absent_or(fs::remove_file(file))?;
        }
    }
    let path = workspace.join(IN_WORKSPACE);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    if sessions.iter().any(|name| first == title(name)) {
        absent_or(fs::remove_file(path))?;
    }
    Ok(())
}

/// Whose handoff a file is, `name.md`, or the beginning of one, `name.77.new`.
fn owner(file: &Path) -> Option<&str> {
    let stem = file.file_stem().map(Path::new)?;
    let is_begun = file.extension().is_some_and(|ending| ending == "new");
    let stem = if is_begun { stem.file_stem() } else { Some(stem.as_os_str()) };
    stem?.to_str()
}
