//! Keeps what the agent wants the next session to know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::SessionKey;
use vademecum_core::tokens::estimate;
use vademecum_store::Change;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};

/// Keeps what the agent wants the next session to know.
#[derive(Debug)]
pub struct WriteHandoff;

/// The words.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// State, next step, what not to redo; "" takes it back
    pub content: String,
}

/// Where they are kept.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The session whose handoff it is.
    pub session: String,
    /// About what it costs its reader; 0 if it was taken back.
    pub tokens: usize,
    /// Whether it is the person's own word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub desk: bool,
}

impl Operation for WriteHandoff {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "write_handoff",
        aliases: &[],
        title: "Write the handoff",
        about: "Before stopping unfinished: tell the next session state, next step, what not to redo. Replaces the last one.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["handoff", "write"], places: &["content"], stdin: Some(Stdin::Text("content")) }),
        example: r#"{"content": "Key passed in api and worker, cli open. Next: SubmitArgs in cli/refund.rs."}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let text = call.accept(&input.content)?;
        let (session, _) = call.open_session()?;
        let written = call.write_once(session.id, Self::DECLARATION.name, &input, |view| {
            let (session_id, at) = (session.id, call.now());
            let old = view.handoff(session_id)?.map(|handoff| handoff.text);
            let new = Some(text.clone()).filter(|text| !text.trim().is_empty());
            let output = Output {
                session: session.handle(),
                tokens: new.as_deref().map_or(0, estimate),
                desk: session.key.harness == SessionKey::DESK,
            };
            let mut changes = Vec::new();
            if old != new {
                changes.push(Change::SetHandoff { session: session_id, text: new, at });
            }
            if view.worked_at(session_id)?.is_none() {
                changes.push(Change::SetWorked { session: session_id, at });
            }
            Ok((changes, output))
        })?;
        Ok(written.value)
    }

    fn say(output: &Output) -> String {
        if output.tokens == 0 {
            return format!("handoff of session {} taken back", output.session);
        }
        let beside = if output.desk { "" } else { ", with notepad, notes and recap" };
        format!("handoff kept: {} tokens (offered to the next session of this project{beside})", output.tokens)
    }
}
