//! Shows the entries of a plan.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Category, Entry};
use vademecum_core::id::EntryId;
use vademecum_core::plan::Plan;
use vademecum_store::{EntryFilter, StoreError, View};

use crate::branches;
use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans::{self, EntryShape, PlanShape};
use crate::who;

/// Shows the entries of a plan.
#[derive(Debug)]
pub struct ShowPlan;

/// How many entries are shown when nothing else is asked for.
const DEFAULT_LIMIT: usize = 20;

/// Which entries.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Which plan; _project for the project. Default: the active one, else _project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// learning, decision or issue; all if absent
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["learning", "decision", "issue"]))]
    pub category: Option<String>,
    /// Superseded and resolved ones too. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// At most so many, 0 for all. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// The entries.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The plan; none for a project without entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanShape>,
    /// The entries, the newest first.
    pub entries: Vec<EntryShape>,
    /// How many there are.
    pub total: u64,
    /// What is wrong with its files, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

impl Operation for ShowPlan {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "show_plan",
        aliases: &[],
        title: "Show the entries of a plan",
        about: "Show a plan's learnings, decisions and issues, newest first, with their ids. What a reader needs of them: recall kind=known.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "show"], places: &["plan"], stdin: None }),
        example: r#"{"plan": "_project", "category": "decision"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let category = input.category.as_deref().map(category).transpose()?;
        let filter = EntryFilter { category, in_force: !input.all, ..EntryFilter::default() };
        let problems = match call.read(|view| call.project(view))? {
            Some(project) => plans::take_in(call, &project),
            None => Vec::new(),
        };
        call.look(|view| {
            let session = who::session_if_told(call, view)?;
            let nothing = Output { plan: None, entries: Vec::new(), total: 0, problems: problems.clone() };
            let Some(project) = call.project(view)? else {
                return Ok(nothing);
            };
            let name = plans::meant(view, &project, session.as_ref(), input.plan.as_deref())?;
            if name.is_project() && view.plan(project.id, &name)?.is_none() {
                return Ok(nothing);
            }
            let plan = plans::named(view, &project, &name)?;
            let active = plans::active(view, &project, session.as_ref())?;
            let entries = view.entries(EntryFilter { project: Some(plan.project), plan: Some(&plan.name), ..filter }, input.limit.unwrap_or(DEFAULT_LIMIT))?;
            Ok(Output {
                plan: Some(PlanShape::of(view, &plan, active.as_ref())?),
                entries: shapes(call, view, (&plan, &entries), input.all)?,
                total: view.entry_count(EntryFilter { project: Some(plan.project), plan: Some(&plan.name), ..filter })?,
                problems: problems.clone(),
            })
        })
    }

    fn say(output: &Output) -> String {
        let Some(plan) = &output.plan else {
            return "no entries in this project".to_owned();
        };
        let n = output.entries.len() as u64;
        let shown = if n < output.total { format!("; {n} of {} shown", output.total) } else { String::new() };
        let entries = output.entries.iter().map(EntryShape::line);
        let head = format!("{}{shown}", plan.line());
        std::iter::once(head).chain(entries).chain(output.problems.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}

/// The entries, each with the branch that it was recorded on, if that is another one, and with `all` the one that took its place.
fn shapes(
    call: &Call<'_>,
    view: &dyn View,
    (plan, entries): (&Plan, &[Entry]),
    all: bool,
) -> Result<Vec<EntryShape>, StoreError> {
    let elsewhere = branches::elsewhere(call, view, plan.project, entries)?;
    let of_project = EntryFilter { project: Some(plan.project), ..EntryFilter::default() };
    let later = if all { view.entries(of_project, 0)? } else { Vec::new() };
    let by: BTreeMap<EntryId, EntryId> = later.iter().filter_map(|it| Some((it.said.supersedes?, it.id))).collect();
    let shape = |entry: &Entry| {
        // What corrects an original corrects its copies too.
        let by = by.get(&entry.merged_from.unwrap_or(entry.id)).map(ToString::to_string);
        EntryShape { superseded_by: by, ..EntryShape::told(entry, &elsewhere) }
    };
    Ok(entries.iter().map(shape).collect())
}

/// The category that a caller named.
pub(crate) fn category(word: &str) -> Result<Category, OpError> {
    Category::parse(word)
        .ok_or_else(|| OpError::usage(format!("category \"{word}\" is not known: use learning, decision or issue")))
}
