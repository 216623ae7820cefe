//! Makes a delegated prompt: wisdom before it, and behind it what the sub-agent should record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::wisdom::{Form, Task, delegate};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::wisdom::{self, Asked};

/// Makes a delegated prompt.
#[derive(Debug)]
pub struct FormatDirective;

/// The prompt.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What the sub-agent is asked; the directive alone if absent
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Plan. Default: the active one, else the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Files that it is about
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The kind of agent that reads it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// What the wisdom may cost, four characters a token. Default: plans.wisdom_tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
}

/// The prompt to delegate.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The prompt with wisdom and directive, each once; a prompt without a word as it was.
    pub prompt: String,
    /// What the wisdom costs, four characters a token.
    pub tokens: usize,
}

impl Operation for FormatDirective {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "format_directive",
        aliases: &[],
        title: "Make a delegated prompt",
        about: "Put wisdom before the prompt of a sub-agent and behind it where to record what it finds; each once.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::Guarded("prompt"),
        command: Some(Command { words: &["plan", "directive"], places: &["prompt"], stdin: Some(Stdin::Text("prompt")) }),
        example: r#"{"prompt": "Make webhook retries idempotent.", "max_tokens": 500}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let task = Task {
            text: input.prompt.clone().unwrap_or_default(),
            files: input.files,
            agent_type: input.agent_type,
        };
        let asked = Asked {
            plan: input.plan.as_deref(),
            task: Some(&task),
            max_tokens: input.max_tokens,
            is_all: false,
            form: Form::Block,
        };
        let told = wisdom::tell(call, &asked)?;
        if told.is_unknown {
            let name = input.plan.as_deref().unwrap_or_default();
            let error = OpError::missing(format!("no plan \"{name}\" in this project"));
            return Err(error.hint("vade plan list shows them; vade plan init makes one"));
        }
        let directive = wisdom::directive(call, &told);
        let prompt = match &input.prompt {
            Some(prompt) => delegate(prompt, &told.wisdom.text, &directive),
            None => directive,
        };
        Ok(Output { prompt, tokens: told.wisdom.tokens })
    }

    fn say(output: &Output) -> String {
        output.prompt.clone()
    }
}
