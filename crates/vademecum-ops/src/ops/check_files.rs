//! Checks what the project keeps against its files: what names one that is gone, or was written since.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Component, Path};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::on_branch;
use vademecum_core::frame;
use vademecum_core::id::ProjectId;
use vademecum_core::time::Time;
use vademecum_files::{Root, Stat};
use vademecum_recap::fact;
use vademecum_store::{EntryFilter, NoteFilter, SessionFilter, View};

use super::search;
use crate::branches;
use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// Checks what the project keeps against its files.
#[derive(Debug)]
pub struct CheckFiles;

/// So many of the project's latest sessions are asked for their open notes.
const SESSIONS: usize = 1_000;

/// So many files are looked at.
const FILES: usize = 5_000;

/// So many characters of a text are shown on its line.
const SHORT: usize = 160;

/// What is checked.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Also what names a file that was written since
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
}

/// What is to be looked at again.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// How many notes and entries that hold name files of the project.
    pub checked: u64,
    /// Those that name a file that is not there, or was written since, the oldest first.
    pub found: Vec<Named>,
    /// Whether there were more files than are looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

/// A note or an entry and the files that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// note, decision, issue or learning.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// When it was written (RFC 3339).
    pub at: String,
    /// Its text.
    pub text: String,
    /// The files that are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The files that were written after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The branch that an entry was recorded on, where another one is checked out into which it is not merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
    /// When it was written where the person is.
    #[serde(skip)]
    pub when: String,
}

impl Operation for CheckFiles {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "check_files",
        aliases: &[],
        title: "Check what is kept against the project's files",
        about: "List the open notes and the entries in force that name a file of this project which is not there, or, with changed, was written since: they may hold no longer.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["check"], places: &[], stdin: None }),
        example: r#"{"changed": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.check_on()?;
        let kept = call.look(|view| {
            let project = call.project(view)?.map(|project| project.id);
            project.map(|project| kept(call, view, project)).transpose()
        })?;
        let Some(root) = Root::open(&call.place().root)? else { return Ok(Output::default()) };
        let mut files = Files { root, seen: BTreeMap::new(), has_more: false };
        let mut output = Output::default();
        for Kept { kind, id, at, text, pattern, elsewhere } in kept.unwrap_or_default() {
            let paths = paths(&text, pattern.as_deref(), &call.place().root);
            if paths.is_empty() {
                continue;
            }
            output.checked += 1;
            let (mut gone, mut changed) = (Vec::new(), Vec::new());
            for path in paths {
                match files.look(&path) {
                    Looked::Gone => gone.push(path),
                    Looked::There(stat) if input.changed && at < written(&stat) => changed.push(path),
                    Looked::There(_) | Looked::Unknown => {}
                }
            }
            if !gone.is_empty() || !changed.is_empty() {
                let when = search::when(call, at);
                let at = at.to_rfc3339();
                output.found.push(Named { kind, id, at, text, gone, changed, elsewhere, when });
            }
        }
        output.more = files.has_more;
        output.found.sort_by(|a, b| (&a.at, &a.id).cmp(&(&b.at, &b.id)));
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let more = if output.more { "; there were more files than are looked at" } else { "" };
        let name = if output.checked == 1 { "note or entry names" } else { "notes and entries name" };
        let named = format!("{} {name} files of this project", output.checked);
        let head = match output.found.len() {
            0 => format!("{named}: none of these is gone{more}"),
            found => format!("{named}; {found} may hold no longer{more}"),
        };
        let lines = output.found.iter().map(Named::line);
        std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
    }
}

impl Named {
    fn line(&self) -> String {
        let Self { kind, id, when, text, gone, changed, elsewhere, .. } = self;
        let list = |what: &str, files: &[String]| {
            let files = files.iter().map(|file| frame::line(file, SHORT));
            (0 < files.len()).then(|| format!("{what}: {}", files.collect::<Vec<_>>().join(", ")))
        };
        let files: Vec<String> =
            [list("not there", gone), list("written since", changed)].into_iter().flatten().collect();
        let text = frame::line(&text.split_whitespace().collect::<Vec<_>>().join(" "), SHORT);
        let branch = elsewhere.as_deref().map(|it| format!(", {}", on_branch(it))).unwrap_or_default();
        format!("{} {id} ({when}{branch}): {} · {text}", frame::line(kind, SHORT), files.join("; "))
    }
}

/// A note or an entry that holds.
struct Kept {
    kind: String,
    id: String,
    at: Time,
    text: String,
    pattern: Option<String>,
    elsewhere: Option<String>,
}

/// The open notes of the project's sessions and the entries in force.
fn kept(call: &Call<'_>, view: &dyn View, project: ProjectId) -> Result<Vec<Kept>, OpError> {
    let mut kept = Vec::new();
    let filter = SessionFilter { project: Some(project), limit: SESSIONS, ..SessionFilter::ALL };
    for session in view.sessions(filter)? {
        for note in view.notes(&session.key, &NoteFilter::default(), 0)? {
            let (id, text) = (note.id.to_string(), note.content.as_str().to_owned());
            let (kind, at) = ("note".to_owned(), note.updated_at);
            kept.push(Kept { kind, id, at, text, pattern: None, elsewhere: None });
        }
    }
    let filter = EntryFilter { project: Some(project), in_force: true, by_id: true, ..EntryFilter::default() };
    let mut entries = view.entries(filter, 0)?;
    entries.retain(|entry| entry.merged_from.is_none());
    let elsewhere = branches::elsewhere(call, view, project, &entries)?;
    for entry in &entries {
        let pattern = entry.said.pattern.as_ref().map(|line| line.as_str().to_owned());
        let (kind, id) = (entry.word().to_owned(), entry.id.to_string());
        let text = entry.said.content.as_str().to_owned();
        let elsewhere = elsewhere.branch(entry).map(|branch| branch.as_str().to_owned());
        kept.push(Kept { kind, id, at: entry.at, text, pattern, elsewhere });
    }
    Ok(kept)
}

/// The files of the project that a text names, relative to its root; each once.
///
/// A name without a folder may be any, and a path that leaves the project is none of its.
fn paths(text: &str, pattern: Option<&str>, root: &Path) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let root = format!("{}/", root.display());
    let mut add = |path: &str| {
        let path = path.strip_prefix(&root).unwrap_or(path).trim_start_matches("./");
        // `src/a.rs:3-9` names lines of it.
        let path = path.split_once(':').map_or(path, |(path, _)| path);
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let is_file = path.contains('/') && Path::new(path).extension().is_some();
        if is_inside && is_file && !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    };
    pattern.into_iter().for_each(&mut add);
    fact::scan(text, |kind, path| {
        if kind == fact::Kind::Path && !fact::is_loose(path) {
            add(path);
        }
        ControlFlow::Continue(())
    });
    paths
}

/// What lies in the project, each file looked at once, no link followed.
struct Files {
    root: Root,
    seen: BTreeMap<String, Looked>,
    has_more: bool,
}

/// What a look at a file gave.
#[derive(Debug, Clone, Copy)]
enum Looked {
    There(Stat),
    Gone,
    /// It lies behind a link.
    Unknown,
}

impl Files {
    fn look(&mut self, path: &str) -> Looked {
        if let Some(seen) = self.seen.get(path) {
            return *seen;
        }
        if self.seen.len() == FILES {
            self.has_more = true;
            return Looked::Unknown;
        }
        let looked = match self.root.stat(path) {
            Ok(Some(stat)) => Looked::There(stat),
            Ok(None) => Looked::Gone,
            Err(_) => Looked::Unknown,
        };
        self.seen.insert(path.to_owned(), looked);
        looked
    }
}

fn written(stat: &Stat) -> Time {
    Time(stat.seconds.saturating_mul(1_000))
}
