//! Lists the plans of the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::Stage;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans::{self, PlanShape};
use crate::who;

/// Lists the plans of the project.
#[derive(Debug)]
pub struct ListPlans;

/// Which plans.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Archived ones too. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub include_archived: bool,
}

/// The plans.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The plans, by name.
    pub plans: Vec<PlanShape>,
}

impl Operation for ListPlans {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_plans",
        aliases: &[],
        title: "List the plans",
        about: "List the plans of this project, how many entries each has, and which one this session works on.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "list"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        if let Some(project) = call.read(|view| call.project(view))? {
            plans::take_in(call, &project);
        }
        call.look(|view| {
            let session = who::session_if_told(call, view)?;
            let Some(project) = call.project(view)? else {
                return Ok(Output { plans: Vec::new() });
            };
            let active = plans::active(view, &project, session.as_ref())?;
            let mut plans = view.plans(project.id, None)?;
            plans.retain(|plan| input.include_archived || plan.stage() != Stage::Archived);
            let shapes = plans.iter().map(|plan| PlanShape::of(view, plan, active.as_ref()));
            Ok(Output { plans: shapes.collect::<Result<_, _>>()? })
        })
    }

    fn say(output: &Output) -> String {
        if output.plans.is_empty() {
            return "no plans in this project".to_owned();
        }
        output.plans.iter().map(PlanShape::line).collect::<Vec<_>>().join("\n")
    }
}
