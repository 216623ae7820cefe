//! Runs a program of an agent in a sandbox, where it may call operations.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vademecum_sandbox::Limits;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::sandbox;

/// Runs a program of an agent in a sandbox, where it may call operations.
#[derive(Debug)]
pub struct RunSandboxCode;

/// The program.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// JavaScript, the body of an async function
    pub code: String,
    /// How long it may take, 1 to 60. Default: 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// What came of it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// What it returned; absent if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// What it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// How many calls it made.
    pub calls: u32,
}

impl Operation for RunSandboxCode {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "run_sandbox_code",
        aliases: &[],
        title: "Run JavaScript in a sandbox",
        about: "Run JavaScript, the body of an async function, without files, network or modules. session.notepad.read(), .write(content), .append(text) and every tool as session.NAME({…}) give promises. What it returns and console.log come back.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Extra,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["sandbox", "run"], places: &[], stdin: None }),
        example: r#"{"code": "await session.notepad.append('- survey done');\nreturn (await session.notepad.read()).length;"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let ran = sandbox::run(call, &input.code, limits(input.seconds)?)?;
        match ran.outcome {
            Ok(result) => Ok(Output { result, printed: ran.printed, calls: ran.calls }),
            Err(error) => Err(sandbox::failed(&error, &ran.printed, ran.done)),
        }
    }

    fn say(output: &Output) -> String {
        let calls = match output.calls {
            1 => "1 call".to_owned(),
            n => format!("{n} calls"),
        };
        let result = match &output.result {
            None => "returned nothing".to_owned(),
            Some(Value::String(text)) => format!("returned: {text}"),
            Some(value) => format!("returned: {value}"),
        };
        format!("{}{result} ({calls})", output.printed)
    }
}

fn limits(seconds: Option<u64>) -> Result<Limits, OpError> {
    let Some(seconds) = seconds else { return Ok(Limits::default()) };
    let longest = Limits::LONGEST.as_secs();
    if (1..=longest).contains(&seconds) {
        return Ok(Limits { time: Duration::from_secs(seconds), ..Limits::default() });
    }
    Err(OpError::usage(format!("a program takes 1 to {longest} seconds, {seconds} given")))
}
