//! Records an issue of a plan or of the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Matter, Severity, Status};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::plans::{self, Given, Recorded};

/// Records an issue.
#[derive(Debug)]
pub struct AddIssue;

/// The issue.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The problem, trap or blocker
    pub content: String,
    /// low, medium, high or critical
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["low", "medium", "high", "critical"]))]
    pub severity: Option<String>,
    /// open, workaround or resolved. Default: open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["open", "workaround", "resolved"]))]
    pub status: Option<String>,
    /// The way around it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workaround: Option<String>,
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

impl Operation for AddIssue {
    type Input = Input;
    type Output = Recorded;

    const DECLARATION: Declaration = Declaration {
        name: "add_issue",
        aliases: &[],
        title: "Record an issue",
        about: "Record a problem or trap that the next agent would run into. Resolved: add it again with supersedes and status resolved.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["issue", "add"], places: &["content"], stdin: Some(Stdin::Statement("content")) }),
        example: r#"{"content": "The first run after a migration fails.", "severity": "high", "status": "workaround", "workaround": "run it twice"}"#,
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
        let severity = input.severity.as_deref().map(severity).transpose()?;
        let status = input.status.as_deref().map(status).transpose()?;
        let workaround = plans::text(call, input.workaround.as_ref())?;
        let unsaid = if workaround.is_some() { Status::Workaround } else { Status::Open };
        let matter = Matter::Issue { severity, status: status.unwrap_or(unsaid), workaround };
        let said = given.said(call, matter)?;
        plans::record(call, Self::DECLARATION.name, &input, given.plan, &said)
    }

    fn say(output: &Recorded) -> String {
        output.say()
    }
}

fn severity(word: &str) -> Result<Severity, OpError> {
    Severity::parse(word).ok_or_else(|| {
        OpError::usage(format!("severity \"{word}\" is not known: use low, medium, high or critical"))
    })
}

fn status(word: &str) -> Result<Status, OpError> {
    Status::parse(word)
        .ok_or_else(|| OpError::usage(format!("status \"{word}\" is not known: use open, workaround or resolved")))
}
