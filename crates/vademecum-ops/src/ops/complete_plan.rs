//! Completes a plan, and merges it into its project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::PlanName;
use vademecum_store::{Change, Scope};

use crate::call::Call;
use crate::config::Merge;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans::{self, Merged};

/// Completes a plan.
#[derive(Debug)]
pub struct CompletePlan;

/// Which plan.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name
    pub plan: String,
}

/// The plan as it stands now.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Its name.
    pub plan: String,
    /// What went to the project; none where merging is left to you.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
}

impl Operation for CompletePlan {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "complete_plan",
        aliases: &[],
        title: "Complete a plan",
        about: "Say that a plan is done. Its entries go to the project, so that later sessions and sub-agents are told of them.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "complete"], places: &["plan"], stdin: None }),
        example: r#"{"plan": "03-01-refunds"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let name = PlanName::new(&input.plan)?;
        let project = call.open_project()?;
        call.write_once_in(Scope::Project(project.id), Self::DECLARATION.name, &input, |view| {
            let plan = plans::named(view, &project, &name)?;
            plans::check_open(&plan)?;
            let set = Change::SetPlan {
                project: project.id,
                name: plan.name.clone(),
                completed_at: Some(call.now()),
                archived_at: None,
                is_tracked: plan.is_tracked,
            };
            Ok((if plan.completed_at.is_some() { Vec::new() } else { vec![set] }, ()))
        })?;
        let merged = match call.config.plans.merge {
            Merge::OnComplete => Some(plans::merge(call, &project, &name)?),
            Merge::Manual => None,
        };
        Ok(Output { plan: input.plan, merged })
    }

    fn say(output: &Output) -> String {
        let merged = match &output.merged {
            Some(merged) => merged.say(),
            None => "vade plan merge takes its entries to the project".to_owned(),
        };
        format!("plan {} is complete; {merged}", output.plan)
    }
}
