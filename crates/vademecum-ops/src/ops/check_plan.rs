//! Checks the files of a plan, and appends what they lost when asked to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::{Plan, PlanName};

use crate::call::Call;
use crate::error::OpError;
use crate::shapes::counted;
use crate::mirror::Mirror;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans;

/// Checks the files of a plan.
#[derive(Debug)]
pub struct CheckPlan;

/// Which plan.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name; all plans of the project if absent
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Append the lost entries again; nothing in the files is changed
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub heal: bool,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// How many plans were looked at.
    pub plans: usize,
    /// How many entries that were appended by hand were taken in.
    pub taken_in: usize,
    /// How many lost entries were appended again.
    pub healed: usize,
    /// What is wrong, one line each.
    pub problems: Vec<String>,
}

impl Operation for CheckPlan {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "check_plan",
        aliases: &[],
        title: "Check the files of a plan",
        about: "Read the files of a plan in this work tree in full: what they lost, what in them is no entry. heal appends what was lost.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "check"], places: &["plan"], stdin: None }),
        example: r#"{"plan": "03-01-refunds", "heal": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let project = call.open_project()?;
        let named = input.plan.as_deref().map(PlanName::parse).transpose()?;
        let mirror = Mirror::of(call, &project)?;
        // Files of the project that a person made before anything was said of it.
        let is_meant = named.as_ref().is_none_or(PlanName::is_project);
        if is_meant && mirror.has_folder(&PlanName::project())? {
            plans::begin_project(call, &project)?;
        }
        let plans: Vec<Plan> = call.look(|view| match &named {
            Some(name) => Ok(vec![plans::named(view, &project, name)?]),
            None => Ok(view.plans(project.id, None)?),
        })?;
        let mut output = Output { plans: plans.len(), ..Output::default() };
        for plan in &plans {
            let standing = mirror.check(plan, input.heal)?;
            output.taken_in += standing.taken_in;
            output.healed += standing.healed;
            output.problems.extend(standing.problems(call));
        }
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { plans, taken_in, healed, problems } = output;
        let state = if problems.is_empty() { "nothing is wrong" } else { "this is wrong:" };
        let (plans, taken_in) = (counted(*plans, "plan"), counted(*taken_in, "entry"));
        let head = format!("{plans}, {taken_in} taken in, {healed} appended again: {state}");
        std::iter::once(head).chain(problems.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}
