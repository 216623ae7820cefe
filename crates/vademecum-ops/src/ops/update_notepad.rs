//! Changes a part of the session's page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::notepad::{Edit, Parts};

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::page::{self, Saved};

/// Changes a part of the session's page.
#[derive(Debug)]
pub struct UpdateNotepad;

/// One edit.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// find_replace, append, prepend or delete
    #[schemars(extend("enum" = ["find_replace", "append", "prepend", "delete"]))]
    pub operation: String,
    /// For append/prepend: text to add. For delete: text to remove.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// For find_replace: exact substring to find
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub find: Option<String>,
    /// For find_replace: replacement text
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<String>,
    /// For find_replace: replace all occurrences. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replace_all: bool,
    /// Only if the page is still at this rev.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_rev: Option<u32>,
}

impl Operation for UpdateNotepad {
    type Input = Input;
    type Output = Saved;

    const DECLARATION: Declaration = Declaration {
        name: "update_notepad",
        aliases: &[],
        title: "Update the notepad",
        about: "Change this session's page when a step is done or the plan moves. Not for file contents.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Always,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command {
            words: &["notepad", "update"],
            places: &["operation", "content"],
            stdin: Some(Stdin::Text("content")),
        }),
        example: r#"{"operation": "append", "content": "\n- [ ] next step"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Saved, OpError> {
        let parts = Parts {
            content: call.accept_some(input.content.as_ref())?,
            find: input.find.clone(),
            replace: call.accept_some(input.replace.as_ref())?,
            replace_all: input.replace_all,
        };
        let edit = Edit::update(&input.operation, parts)?;
        let starts_line = call.is_typed();
        let apply = |text: &str| match (&edit, call.config.profile) {
            // The published design adds the text as it is.
            (edit, Profile::Seed0 | Profile::Seed2) => edit.apply(text),
            (Edit::Append { content }, _) if starts_line => {
                Edit::append_line(text, content).apply(text)
            }
            (edit, _) => edit.on_own_line(text).apply(text),
        };
        let n_places = |text: &str| edit.places(text);
        page::change(call, Self::DECLARATION.name, &input, input.if_rev, false, apply, n_places)
    }

    fn say(output: &Saved) -> String {
        output.say()
    }
}
