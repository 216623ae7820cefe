//! Puts a plan away.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::PlanName;
use vademecum_store::{Change, Scope};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans;

/// Puts a plan away.
#[derive(Debug)]
pub struct ArchivePlan;

/// Which plan.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name
    pub plan: String,
}

/// The plan.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Its name.
    pub plan: String,
}

impl Operation for ArchivePlan {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "archive_plan",
        aliases: &[],
        title: "Put a plan away",
        about: "Put a plan away: it is listed no more and nothing is added to it; its entries and files stay. init_plan opens it again.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "archive"], places: &["plan"], stdin: None }),
        example: r#"{"plan": "03-01-refunds"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let name = PlanName::new(&input.plan)?;
        let project = call.open_project()?;
        // What was appended by hand until now belongs to it.
        plans::take_in(call, &project);
        call.write_once_in(Scope::Project(project.id), Self::DECLARATION.name, &input, |view| {
            let plan = plans::named(view, &project, &name)?;
            let set = Change::SetPlan {
                project: project.id,
                name: plan.name.clone(),
                completed_at: plan.completed_at,
                archived_at: Some(call.now()),
                is_tracked: plan.is_tracked,
            };
            Ok((if plan.archived_at.is_some() { Vec::new() } else { vec![set] }, ()))
        })?;
        Ok(Output { plan: input.plan })
    }

    fn say(output: &Output) -> String {
        format!("archived plan {}", output.plan)
    }
}
