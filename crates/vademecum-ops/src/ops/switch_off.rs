//! Switches vade off, for the project or for all.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::switch::{self, Switched};

/// Switches vade off.
#[derive(Debug)]
pub struct SwitchOff;

/// Where.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// For all projects, not only this one
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Operation for SwitchOff {
    type Input = Input;
    type Output = Switched;

    const DECLARATION: Declaration = Declaration {
        name: "switch_off",
        aliases: &["off"],
        title: "Switch vade off",
        about: "Switch vade off for this project, or for all: nothing kept is shown to a model, written or deleted until it \
                is on again, but by vade forget and vade prune.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["off"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Switched, OpError> {
        switch::set(call, input.all, Some(call.now()))
    }

    fn say(output: &Switched) -> String {
        output.say()
    }
}
