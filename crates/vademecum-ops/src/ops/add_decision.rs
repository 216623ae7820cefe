//! Records a decision of a plan or of the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::Matter;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::plans::{self, Given, Recorded};

/// Records a decision.
#[derive(Debug)]
pub struct AddDecision;

/// The decision.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What was decided
    pub content: String,
    /// Why
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// What was not taken, and why not
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
    /// Plan. Default: the active one, else _project
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Task id
    #[serde(alias = "taskId", default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// file:lines that shows it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Up to 10
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Entry id that this corrects
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
}

impl Operation for AddDecision {
    type Input = Input;
    type Output = Recorded;

    const DECLARATION: Declaration = Declaration {
        name: "add_decision",
        aliases: &[],
        title: "Record a decision",
        about: "Record a choice that binds the next agent on this project, with its reason. Append-only; correct it by supersedes.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["decision", "add"], places: &["content"], stdin: Some(Stdin::Statement("content")) }),
        example: r#"{"content": "A unique index, no advisory lock.", "rationale": "The lock is lost at failover.", "alternatives": "advisory lock"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Recorded, OpError> {
        let given = Given {
            content: &input.content,
            plan: input.plan.as_deref(),
            task: input.task.as_deref(),
            pattern: input.pattern.as_deref(),
            tags: &input.tags,
            supersedes: input.supersedes.as_deref(),
        };
        let matter = Matter::Decision {
            rationale: plans::text(call, input.rationale.as_ref())?,
            alternatives: plans::text(call, input.alternatives.as_ref())?,
        };
        let said = given.said(call, matter)?;
        plans::record(call, Self::DECLARATION.name, &input, given.plan, &said)
    }

    fn say(output: &Recorded) -> String {
        output.say()
    }
}
