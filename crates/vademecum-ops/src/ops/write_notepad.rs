//! Writes the session's page anew.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::notepad::Edit;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::page::{self, Saved};

/// Writes the session's page anew.
#[derive(Debug)]
pub struct WriteNotepad;

/// The new page.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The new notepad content (replaces everything)
    pub content: String,
    /// Only if the page is still at this rev.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_rev: Option<u32>,
}

impl Operation for WriteNotepad {
    type Input = Input;
    type Output = Saved;

    const DECLARATION: Declaration = Declaration {
        name: "write_notepad",
        aliases: &[],
        title: "Write the notepad anew",
        about: "Replace this session's whole page. For one step: update_notepad.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["notepad", "write"], places: &["content"], stdin: Some(Stdin::Text("content")) }),
        example: r###"{"content": "## Plan\n- [ ] first step"}"###,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Saved, OpError> {
        let edit = Edit::Write { content: call.accept(&input.content)? };
        let apply = |text: &str| edit.apply(text);
        page::change(call, Self::DECLARATION.name, &input, input.if_rev, true, apply, |_| 1)
    }

    fn say(output: &Saved) -> String {
        output.say()
    }
}
