//! Begins a plan and makes its files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::{PlanName, Stage};
use vademecum_core::project::Project;
use vademecum_store::{Change, Scope, View};

use crate::call::Call;
use crate::error::OpError;
use crate::shapes::counted;
use crate::mirror::Mirror;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans;

/// Begins a plan.
#[derive(Debug)]
pub struct InitPlan;

/// Which plan.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name: letters, digits, ".", "_", "-"
    pub name: String,
    /// Leave its files to version control
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub track: bool,
}

/// The plan.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Its name.
    pub plan: String,
    /// Whether it is new; one that was there is opened again and keeps its entries.
    pub new: bool,
    /// The folder of its files, seen from the top of the work tree.
    pub folder: String,
    /// How many entries that stood in its files were taken in.
    pub taken_in: usize,
    /// What is wrong with the files, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

impl Operation for InitPlan {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "init_plan",
        aliases: &[],
        title: "Begin a plan",
        about: "Begin a named plan whose learnings, decisions and issues every session of the project shares. Makes its files.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "init"], places: &["name"], stdin: None }),
        example: r#"{"name": "03-01-refunds"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let name = PlanName::new(&call.accept(&input.name)?)?;
        let project = call.open_project()?;
        let track = input.track;
        let clash = |view: &dyn View| refuse_clash(view, &project, &name);
        call.look(clash)?;
        // Where its files cannot be made, no plan is begun.
        Mirror::of(call, &project)?.prepare(&name, track)?;
        let written = call.write_once_in(Scope::Project(project.id), Self::DECLARATION.name, &input, |view| {
            clash(view)?;
            let change = match view.plan(project.id, &name)? {
                None => Some(plans::add_plan(&project, &name, track, call)),
                Some(plan) if plan.stage() == Stage::Open && (plan.is_tracked || !track) => None,
                Some(plan) => Some(Change::SetPlan {
                    project: project.id,
                    name: name.clone(),
                    completed_at: None,
                    archived_at: None,
                    is_tracked: plan.is_tracked || track,
                }),
            };
            let is_new = matches!(change, Some(Change::AddPlan { .. }));
            Ok((change.into_iter().collect(), is_new))
        })?;
        let plan = call.look(|view| plans::named(view, &project, &name))?;
        let standing = Mirror::of(call, &project)?.begin(&plan)?;
        let (taken_in, problems) = (standing.taken_in, standing.problems(call));
        let folder = format!("{}/notepads/{name}", call.config.plans.root);
        Ok(Output { plan: input.name, new: written.value, folder, taken_in, problems })
    }

    fn say(output: &Output) -> String {
        let Output { plan, folder, taken_in, .. } = output;
        let verb = if output.new { "began" } else { "found" };
        let taken = if *taken_in == 0 { String::new() } else { format!("; {} of its files taken in", counted(*taken_in, "entry")) };
        let head = format!("{verb} plan {plan}: {folder}/ (append only: add learnings, decisions and issues, by hand too){taken}");
        std::iter::once(head).chain(output.problems.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}

/// A file system may take two names for one folder if only their case differs.
fn refuse_clash(view: &dyn View, project: &Project, name: &PlanName) -> Result<(), OpError> {
    let plans = view.plans(project.id, None)?;
    let Some(other) = plans.iter().find(|plan| plan.name.clashes_with(name)) else { return Ok(()) };
    let message = format!("plan \"{name}\" is not allowed beside \"{}\": only the case differs", other.name);
    Err(OpError::usage(message).hint("a file system may take both for one folder"))
}
