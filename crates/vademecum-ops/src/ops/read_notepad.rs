//! Reads the session's page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// Reads the session's page.
#[derive(Debug)]
pub struct ReadNotepad;

/// What is said of an empty page where its text alone would say nothing.
pub const EMPTY: &str = "the notepad is empty: nothing stands on it";

/// No arguments.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {}

/// The page.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The whole text; empty if nothing was written.
    pub content: String,
    /// How often it was written; for `if_rev`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<u32>,
}

impl Operation for ReadNotepad {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "read_notepad",
        aliases: &[],
        title: "Read the notepad",
        about: "Read this session's page whole.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["notepad", "show"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, _input: Input) -> Result<Output, OpError> {
        let page = call.look(|view| {
            let session = call.session(view)?;
            Ok(session.map(|session| view.notepad(&session.key)).transpose()?.flatten())
        })?;
        let rev = match call.config.profile {
            Profile::Seed0 => None,
            Profile::Default
            | Profile::Seed1
            | Profile::Seed2
            | Profile::Seed3
            | Profile::Seed4 => page.as_ref().map(|page| page.rev),
        };
        Ok(Output { content: page.map(|page| page.text).unwrap_or_default(), rev })
    }

    fn say(output: &Output) -> String {
        output.content.clone()
    }
}
