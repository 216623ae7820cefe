//! Takes the entries of a plan to its project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::plan::PlanName;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::plans::{self, Merged};

/// Takes the entries of a plan to its project.
#[derive(Debug)]
pub struct MergePlan;

/// Which plan.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name
    pub plan: String,
}

impl Operation for MergePlan {
    type Input = Input;
    type Output = Merged;

    const DECLARATION: Declaration = Declaration {
        name: "merge_plan",
        aliases: &[],
        title: "Merge a plan into its project",
        about: "Take a plan's entries to the project now, without completing it. A repeat adds nothing.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "merge"], places: &["plan"], stdin: None }),
        example: r#"{"plan": "03-01-refunds"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Merged, OpError> {
        let name = PlanName::new(&input.plan)?;
        let project = call.open_project()?;
        plans::merge(call, &project, &name)
    }

    fn say(output: &Merged) -> String {
        output.say()
    }
}
