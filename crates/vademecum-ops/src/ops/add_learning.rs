//! Records a learning of a plan or of the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::Matter;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::plans::{self, Given, Recorded};

/// Records a learning.
#[derive(Debug)]
pub struct AddLearning;

/// The learning.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The fact and its why
    pub content: String,
    /// Or _project
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Task id
    #[serde(alias = "taskId", default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// file:lines
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Up to 10
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Entry id it corrects
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
}

impl Operation for AddLearning {
    type Input = Input;
    type Output = Recorded;

    const DECLARATION: Declaration = Declaration {
        name: "add_learning",
        aliases: &[],
        title: "Record a learning",
        about: "Record what the next agent on this project must know. Append-only.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["learning", "add"], places: &["content"], stdin: Some(Stdin::Statement("content")) }),
        example: r#"{"content": "Zod 3.23 needs .pipe() behind .transform().", "task": "03-01", "pattern": "src/schemas.ts:45-60", "tags": ["zod"]}"#,
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
        let matter = Matter::Learning;
        let said = given.said(call, matter)?;
        plans::record(call, Self::DECLARATION.name, &input, given.plan, &said)
    }

    fn say(output: &Recorded) -> String {
        output.say()
    }
}
