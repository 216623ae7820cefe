//! Writes sessions out, for a reader or for another store.

use std::collections::BTreeSet;
use std::io::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::Plan;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{SessionFilter, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::NoteShape;
use crate::succession;
use crate::transfer::{
    Head, PackedPlan, PackedSession, Package, Piece, SessionHead, VERSION, WITHOUT_PLANS,
};

/// Writes sessions out.
#[derive(Debug)]
pub struct Export;

/// What, and how.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// markdown for a reader, json for another store, jsonl for a large one. Default: markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["markdown", "json", "jsonl"]))]
    pub format: Option<String>,
    /// All sessions of the project, not only the call's
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// What was written out.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The text in the format asked for.
    pub content: String,
    /// How many sessions it holds.
    pub sessions: usize,
}

impl Operation for Export {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "export",
        aliases: &[],
        title: "Write sessions out as Markdown or JSON",
        about: "Write a session, or all of the project with its plans, out as Markdown or as JSON that import reads.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["export"], places: &[], stdin: None }),
        example: r#"{"format": "json", "all": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let format = match input.format.as_deref() {
            None => Format::Markdown,
            Some(word) => Format::parse(word)?,
        };
        if format == Format::Lines {
            let mut lines = Vec::new();
            let sessions = write_lines(call, input.all, &mut lines)?;
            let content = String::from_utf8(lines)
                .map_err(|error| OpError::broken(format!("the export is no text: {error}")))?;
            return Ok(Output { content, sessions });
        }
        let package = call.look(|view| package(call, view, input.all))?;
        let content = match format {
            Format::Markdown | Format::Lines => {
                let plans = package.plans.iter().map(PackedPlan::markdown);
                let sessions = package.sessions.iter().map(PackedSession::markdown);
                sessions.chain(plans).collect::<Vec<_>>().join("\n")
            }
            Format::Json => serde_json::to_string_pretty(&package).map_err(|error| no_json(&error))?,
        };
        Ok(Output { content, sessions: package.sessions.len() })
    }

    fn say(output: &Output) -> String {
        output.content.clone()
    }
}

/// In which form an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Markdown,
    Json,
    Lines,
}

impl Format {
    fn parse(word: &str) -> Result<Self, OpError> {
        match word {
            "markdown" => Ok(Self::Markdown),
            "json" => Ok(Self::Json),
            LINES => Ok(Self::Lines),
            other => Err(OpError::usage(format!(
                "format \"{other}\" is not known: use markdown, json or {LINES}"
            ))),
        }
    }
}

/// The format of which a line is in memory at a time.
pub const LINES: &str = "jsonl";

/// So many notes are read at once.
const SLICE: usize = 500;

fn no_json(error: &serde_json::Error) -> OpError {
    OpError::broken(format!("the export is no JSON: {error}"))
}

fn sessions(call: &Call<'_>, view: &dyn View, all: bool) -> Result<Vec<Session>, OpError> {
    let mut sessions = match (call.project(view)?, all) {
        (Some(project), true) => view.sessions(SessionFilter { project: Some(project.id), ..SessionFilter::ALL })?,
        (None, true) => Vec::new(),
        (_, false) => call.session(view)?.into_iter().collect(),
    };
    sessions.reverse();
    Ok(sessions)
}

/// The sessions of the project whose work is settled.
fn settled(call: &Call<'_>, view: &dyn View) -> Result<BTreeSet<SessionKey>, OpError> {
    let Some(project) = call.project(view)? else { return Ok(BTreeSet::new()) };
    Ok(succession::settled(view, call.world, project.id)?)
}

fn plans(call: &Call<'_>, view: &dyn View, all: bool) -> Result<Vec<Plan>, OpError> {
    Ok(match (call.project(view)?, all) {
        (Some(project), true) => view.plans(project.id, None)?,
        (Some(_) | None, _) => Vec::new(),
    })
}

/// The name of the project of a call, known or not.
pub(super) fn project_name(call: &Call<'_>, view: &dyn View) -> Result<String, OpError> {
    let project = call.project(view)?;
    Ok(project.map_or_else(|| call.place().name(), |project| project.name))
}

fn package(call: &Call<'_>, view: &dyn View, all: bool) -> Result<Package, OpError> {
    let sessions = sessions(call, view, all)?;
    let plans = plans(call, view, all)?;
    let plans = plans.iter().map(|plan| PackedPlan::of(view, plan));
    let plans = plans.collect::<Result<Vec<_>, _>>()?;
    let settled = settled(call, view)?;
    let packed = sessions.iter().map(|session| PackedSession::of(view, session, &settled));
    Ok(Package {
        vademecum: if plans.is_empty() { WITHOUT_PLANS } else { VERSION },
        project: project_name(call, view)?,
        sessions: packed.collect::<Result<_, _>>()?,
        plans,
    })
}

/// Writes one JSON object a line, of one snapshot: head, sessions with their notes, plans with their entries.
///
/// However much there is, a page, or the entries of a plan, are the most that is in memory. How many sessions.
pub fn write_lines(call: &Call<'_>, all: bool, to: &mut dyn Write) -> Result<usize, OpError> {
    let mut written = None;
    call.store.read(&mut |view| {
        let project = call.project(view)?;
        // What is written cannot be taken back: a snapshot that is lost meanwhile ends it.
        if written.is_none() {
            let project = project.map_or_else(|| call.place().name(), |project| project.name);
            written = Some(lines(call, view, (all, project), to));
        }
        Ok(())
    })?;
    written.unwrap_or_else(|| Err(OpError::broken("the engine gave no snapshot")))
}

fn lines(
    call: &Call<'_>,
    view: &dyn View,
    (all, project): (bool, String),
    to: &mut dyn Write,
) -> Result<usize, OpError> {
    line(to, &Head { vademecum: VERSION, project })?;
    let sessions = sessions(call, view, all)?;
    let settled = settled(call, view)?;
    for session in &sessions {
        line(to, &Piece::Session(SessionHead::of(view, session, &settled)?))?;
        let mut last = None;
        loop {
            let notes = view.notes_after(&session.key, last, SLICE)?;
            let Some(newest) = notes.last() else { break };
            last = Some(newest.id);
            for note in &notes {
                line(to, &Piece::Note(NoteShape::of(note)))?;
            }
        }
    }
    for plan in plans(call, view, all)? {
        let PackedPlan { head, entries } = PackedPlan::of(view, &plan)?;
        line(to, &Piece::Plan(head))?;
        entries.into_iter().try_for_each(|entry| line(to, &Piece::Entry(Box::new(entry))))?;
    }
    Ok(sessions.len())
}

fn line(to: &mut dyn Write, object: &impl Serialize) -> Result<(), OpError> {
    let mut line = serde_json::to_vec(object).map_err(|error| no_json(&error))?;
    line.push(b'\n');
    let written = to.write_all(&line);
    written.map_err(|error| OpError::broken(format!("the export cannot be written: {error}")))
}
