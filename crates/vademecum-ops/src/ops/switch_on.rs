//! Switches vade on again, for the project or for all.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::switch::{self, Switched};

/// Switches vade on again.
#[derive(Debug)]
pub struct SwitchOn;

/// Where.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// For all projects, not only this one
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Operation for SwitchOn {
    type Input = Input;
    type Output = Switched;

    const DECLARATION: Declaration = Declaration {
        name: "switch_on",
        aliases: &["on"],
        title: "Switch vade on again",
        about: "Switch vade on again for this project, or for all.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["on"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Switched, OpError> {
        switch::set(call, input.all, None)
    }

    fn say(output: &Switched) -> String {
        output.say()
    }
}
