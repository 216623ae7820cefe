//! Takes in what another tool kept; its files are read and never touched.

mod transcripts;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::Entry;
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::notepad;
use vademecum_core::plan::PlanName;
use vademecum_core::project::Project;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Change, NoteFilter, Scope, View};

use crate::adopt::{self, Foreign, forge, scratchpad, sections};
use crate::call::Call;
use crate::error::OpError;
use crate::shapes::counted;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::page;
use crate::plans;

pub use transcripts::due;

/// Takes in what another tool kept.
#[derive(Debug)]
pub struct Adopt;

/// Whose, and from where.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// transcripts, openclaw, forge, omc, omo or planning
    #[schemars(extend("enum" = ["transcripts", "openclaw", "forge", "omc", "omo", "planning"]))]
    pub from: String,
    /// The session's JSONL for openclaw, the JSON of its notes for forge, else the tool's folder, such as .omc;
    /// of transcripts a file or a folder, by default all of this project that lie on the machine
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Only say what would be taken in
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// What was taken in.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// How many pages became the session's notepad, or a part of it.
    pub notepads: usize,
    /// How many entries were taken in.
    pub entries: usize,
    /// How many notes became notes of the session.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub notes: usize,
    /// How many sessions of transcripts were taken in, or taken in anew because theirs had grown.
    #[serde(default)]
    pub sessions: usize,
    /// How many transcripts tell of no work.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub empty: usize,
    /// What was there already.
    pub kept: usize,
    /// How many lines were damaged and left out.
    pub damaged: usize,
    /// What was left out and why, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Whether nothing was taken in because only a report was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Whether it was of transcripts.
    #[serde(skip)]
    pub is_of_transcripts: bool,
}

/// The word for the sessions of harnesses.
pub const TRANSCRIPTS: &str = "transcripts";

impl Operation for Adopt {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "adopt",
        aliases: &[],
        title: "Take in what another tool kept",
        about: "Take in what lay there before: the sessions of this project in the transcripts of Claude Code, Codex and Copilot CLI, for vade search; or the notepads of OpenClaw, Forge, oh-my-claudecode, oh-my-openagent or a .planning folder. They stay as they are; a repeat changes nothing.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["adopt"], places: &["from", "path"], stdin: None }),
        example: r#"{"from": "omc", "path": ".omc", "dry_run": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let mut output = Output { dry_run: input.dry_run, ..Output::default() };
        if input.from == TRANSCRIPTS {
            output.is_of_transcripts = true;
            transcripts::take(call, input.path.as_deref(), &mut output)?;
            return Ok(output);
        }
        of_tool(call, &input, &mut output)?;
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { notepads, entries, notes, sessions, empty, kept, damaged, skipped, dry_run, is_of_transcripts } = output;
        let verb = if *dry_run { "would take in" } else { "took in" };
        if *is_of_transcripts {
            let sessions = counted(*sessions, "session");
            let head = format!("{verb} {sessions} of transcripts; already there: {kept}, without anything to tell: {empty}");
            return std::iter::once(head).chain(skipped.iter().cloned()).collect::<Vec<_>>().join("\n");
        }
        let (notepads, entries) = (counted(*notepads, "notepad"), counted(*entries, "entry"));
        let notes = counted(*notes, "note");
        let head = format!(
            "{verb} {notepads}, {entries} and {notes}; already there: {kept}, left out as damaged: {damaged}"
        );
        std::iter::once(head).chain(skipped.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}

/// Takes in what one of the tools keeps.
fn of_tool(call: &Call<'_>, input: &Input, output: &mut Output) -> Result<(), OpError> {
    let work = &call.world.folders.work;
    let needed = || OpError::usage(format!("adopt {} needs a path: where it keeps what is taken in", input.from));
    let path = || input.path.as_deref().ok_or_else(needed);
    match input.from.as_str() {
        "openclaw" => take_page(call, &scratchpad::read(&adopt::read(work, path()?)?), output),
        "forge" => {
            let path = path()?;
            let (found, n_damaged) = forge::read(&adopt::read(work, path)?)
                .ok_or_else(|| OpError::usage(format!("\"{path}\" holds no list of notes")))?;
            output.damaged = n_damaged;
            notes(call, &found, output)
        }
        "omc" => {
            let tool = adopt::folder(work, path()?)?;
            let mut foreign = adopt::plans(&tool, &mut output.skipped)?;
            let text = adopt::read_below(&tool, "notepad.md")?.unwrap_or_default();
            foreign.push(Foreign { plan: PlanName::project(), found: sections::read(&text) });
            entries(call, foreign, output)
        }
        "omo" | "planning" => {
            let foreign = adopt::plans(&adopt::folder(work, path()?)?, &mut output.skipped)?;
            entries(call, foreign, output)
        }
        other => Err(OpError::usage(format!(
            "\"{other}\" is not known: use transcripts, openclaw, forge, omc, omo or planning"
        ))),
    }
}

/// Puts a scratchpad behind the session's page, once.
fn take_page(call: &Call<'_>, pad: &scratchpad::Pad, output: &mut Output) -> Result<(), OpError> {
    output.damaged = pad.damaged;
    if pad.page.is_empty() {
        return Ok(());
    }
    let given = call.accept(&pad.page)?;
    let dry_run = output.dry_run;
    let known = if dry_run { call.look(|view| call.session(view))? } else { Some(call.open_session()?.0) };
    let Some(session) = known else {
        output.notepads = 1;
        return Ok(());
    };
    let scope = (Scope::Session(session.key.clone()), "adopt");
    let is_new = call.write_unless_dry(dry_run, scope, &given, |view| {
        let page = view.notepad(&session.key)?;
        let (rev, old) = page.map_or((0, String::new()), |page| (page.rev, page.text));
        if old.contains(&given) {
            return Ok((Vec::new(), false));
        }
        let gap = if old.is_empty() { "" } else { "\n\n" };
        let (new, _) = page::without_joined(call.policy(), &old, format!("{old}{gap}{given}"));
        notepad::check_size(old.len(), new.len())?;
        let splice = Splice::between(&old, &new);
        let edit = Change::EditNotepad { session: session.key.clone(), splice, rev: rev + 1, at: call.now() };
        Ok((vec![edit], true))
    })?;
    output.notepads = usize::from(is_new);
    output.kept = usize::from(!is_new);
    Ok(())
}

/// Makes notes of the session out of those that it does not have yet; what says the same is the same.
fn notes(call: &Call<'_>, found: &[forge::Found], output: &mut Output) -> Result<(), OpError> {
    let mut legal = Vec::new();
    for (idx, one) in found.iter().enumerate() {
        let checked = call.accept(&one.content).and_then(|content| {
            Ok((Content::new(content)?, Tags::new(&call.accept_all(&one.tags)?)?))
        });
        match checked {
            Ok((content, tags)) => legal.push((one, content, tags)),
            Err(error) => output.skipped.push(format!("note {}: {}", idx + 1, error.message)),
        }
    }
    let dry_run = output.dry_run;
    let session = if dry_run { call.look(|view| call.session(view))? } else { Some(call.open_session()?.0) };
    let Some(session) = session else {
        output.notes = legal.len();
        return Ok(());
    };
    let scope = (Scope::Session(session.key.clone()), "adopt");
    output.notes = call.write_unless_dry(dry_run, scope, &legal.len(), |view| {
        let filter = NoteFilter::ALL;
        let known = view.notes(&session.key, &filter, 0)?;
        let mut known: BTreeSet<String> = known.iter().map(|note| note.content.as_str().to_owned()).collect();
        let mut last = view.counts(&session.key)?.last;
        let mut changes = Vec::new();
        for (one, content, tags) in &legal {
            if !known.insert(content.as_str().to_owned()) {
                continue;
            }
            let id = crate::notes::next_id(view, &session.key, last, call.now())?;
            last = Some(id);
            let note = as_note(one, content, tags, (id, call.now()));
            changes.push(Change::AddNote { session: session.key.clone(), note });
        }
        let n = changes.len();
        Ok((changes, n))
    })?;
    output.kept = legal.len() - output.notes;
    Ok(())
}

/// The note that it becomes: its times as they were, its id behind the last one.
fn as_note(
    one: &forge::Found,
    content: &Content,
    tags: &Tags,
    (id, now): (NoteId, Time),
) -> Note {
    // What no clock can have shown would stand before all else for ever.
    let believed = |at: Option<Time>| at.filter(|at| *at <= now.latest());
    let created_at = believed(one.created_at).unwrap_or(now);
    let updated_at = believed(one.updated_at).unwrap_or(created_at);
    Note {
        id,
        content: content.clone(),
        tags: tags.clone(),
        created_at,
        updated_at,
        scratched_at: one.is_scratched.then_some(updated_at),
    }
}

fn entries(call: &Call<'_>, foreign: Vec<Foreign>, output: &mut Output) -> Result<(), OpError> {
    let mut legal = Vec::new();
    for Foreign { plan, found } in foreign {
        for one in found {
            let said = match one.said {
                Ok(said) => plans::cleaned(call, &said),
                Err(error) => Err(error.into()),
            };
            match said {
                Ok(said) => legal.push((plan.clone(), one.at, said)),
                Err(error) => output.skipped.push(format!("{plan} line {}: {}", one.line, error.message)),
            }
        }
    }
    let project = match (call.read(|view| call.project(view))?, output.dry_run) {
        (Some(project), _) => project,
        (None, false) => call.open_project()?,
        (None, true) => {
            let said = legal.iter().map(|(plan, _, said)| (plan, said.sameness()));
            output.entries = said.collect::<BTreeSet<_>>().len();
            return Ok(());
        }
    };
    let scope = (Scope::Project(project.id), "adopt");
    let n_legal = legal.len();
    output.entries = call.write_unless_dry(output.dry_run, scope, &n_legal, |view| {
        changes(call, view, &project, &legal)
    })?;
    output.kept = n_legal - output.entries;
    Ok(())
}

/// An entry that may be kept: its plan, its time if that is known, what it says.
type Legal = (PlanName, Option<Time>, vademecum_core::entry::Said);

fn changes(
    call: &Call<'_>,
    view: &dyn View,
    project: &Project,
    legal: &[Legal],
) -> Result<(Vec<Change>, usize), OpError> {
    let (mut seen, mut begun) = (BTreeSet::new(), BTreeSet::new());
    let mut last = view.last_entry(project.id)?;
    let mut changes = Vec::new();
    let mut n = 0;
    for (plan, at, said) in legal {
        let known = view.plan(project.id, plan)?;
        let same = match &known {
            Some(known) => view.same_entry(known, &said.sameness())?,
            None => None,
        };
        if same.is_some() || !seen.insert((plan, said.sameness())) {
            continue;
        }
        if known.is_none() && begun.insert(plan) {
            changes.push(plans::add_plan(project, plan, false, call));
        }
        let id = plans::next_id(view, project.id, last, call.now())?;
        last = Some(id);
        let at = at.filter(|at| *at <= call.now().latest()).unwrap_or_else(|| call.now());
        let (plan, said) = (plan.clone(), said.from_file());
        let entry = Entry::new(id, plan, at, said);
        changes.push(Change::AddEntry { project: project.id, entry });
        n += 1;
    }
    Ok((changes, n))
}
