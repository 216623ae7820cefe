//! The door to the session's page that has a budget.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::notepad;
use vademecum_core::scratchpad::{self, Mode, Outcome};
use vademecum_core::splice::Splice;
use vademecum_core::tokens;
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::page;

/// The door to the session's page that has a budget.
#[derive(Debug)]
pub struct SessionScratchpad;

/// What is put on the page.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The scratchpad content to save
    pub content: String,
    /// replace: overwrite entire scratchpad. append: add to existing content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["replace", "append"], "default" = "replace"))]
    pub mode: Option<String>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The reply in words.
    pub message: String,
    /// Whether the page was changed.
    pub saved: bool,
    /// The budget, in tokens of four characters.
    pub budget: usize,
    /// What the page costs now.
    pub tokens: usize,
    /// What the given content costs.
    pub given: usize,
}

impl Operation for SessionScratchpad {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: scratchpad::HOST_NAME,
        aliases: &[scratchpad::NAME],
        title: "Write the scratchpad",
        about: scratchpad::DESCRIPTION,
        effect: Effect::Writes,
        of_session: true,
        models: Models::Scratchpad,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["scratchpad", "put"], places: &["content"], stdin: Some(Stdin::Text("content")) }),
        example: r###"{"content": "## Plan\n1. Fix X\n2. Test Y", "mode": "replace"}"###,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let Some(budget) = call.config.scratchpad_budget() else {
            return Err(OpError::denied("the scratchpad is not configured")
                .hint("add a [scratchpad] table to config.toml, or use update_notepad"));
        };
        let mode = input.mode.as_deref().map_or(Ok(Mode::Replace), Mode::parse)?;
        let content = call.accept(&input.content)?;
        let (session, _) = call.open_session()?;
        let mut replaced = None;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let page = view.notepad(&session.key)?;
            let rev = page.as_ref().map_or(0, |page| page.rev);
            let old = page.map(|page| page.text).unwrap_or_default();
            let outcome = scratchpad::put(&old, &content, mode, budget);
            let output = output(&outcome, &old, &input.content, budget);
            let Some(new) = outcome.text() else {
                return Ok((Vec::new(), output));
            };
            let (new, joined) = page::without_joined(call.policy(), &old, new.to_owned());
            replaced = joined;
            notepad::check_size(old.len(), new.len())?;
            let splice = Splice::between(&old, &new);
            let edit = Change::EditNotepad { session: session.key.clone(), splice, rev: rev + 1, at: call.now() };
            Ok((vec![edit], output))
        })?;
        replaced.map(|joined| call.take(joined));
        Ok(written.value)
    }

    fn say(output: &Output) -> String {
        output.message.clone()
    }
}

fn output(outcome: &Outcome, old: &str, given: &str, budget: usize) -> Output {
    Output {
        message: outcome.reply(),
        saved: outcome.text().is_some(),
        budget,
        tokens: tokens::chars4(outcome.text().unwrap_or(old)),
        given: tokens::chars4(given),
    }
}
