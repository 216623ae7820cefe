//! Keeps what the agent wants the next session to know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::{Session, SessionKey};
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
    /// The session whose handoff it is a part of: that of a sub-agent is one of its parent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
}

/// What goes with an agent's words, and until when they tell where the work stands.
const BESIDE: (&str, &str) =
    (", with notepad, notes and recap", "; write it again if the work goes on for long");

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
            let parent = session.key.parent().map(|key| view.session(&key)).transpose()?.flatten();
            let old = view.handoff(session_id)?.map(|handoff| handoff.text);
            let new = Some(text.clone()).filter(|text| !text.trim().is_empty());
            let output = Output {
                session: session.handle(),
                tokens: new.as_deref().map_or(0, estimate),
                desk: session.key.harness == SessionKey::DESK,
                part_of: parent.as_ref().map(Session::handle),
            };
            // The same words again are meant anew: for what they were taken from before, they are not.
            let is_new = old != new || new.is_some();
            let set = Change::SetHandoff { session: session_id, text: new, at };
            let mut changes: Vec<Change> = is_new.then_some(set).into_iter().collect();
            let parent = parent.map(|parent| parent.id);
            let workers = [session_id].into_iter().chain(parent);
            changes.extend(workers.map(|session| Change::SetWorked { session, at }));
            Ok((changes, output))
        })?;
        Ok(written.value)
    }

    fn say(output: &Output) -> String {
        if output.tokens == 0 {
            return format!("handoff of session {} taken back", output.session);
        }
        if let Some(parent) = &output.part_of {
            let Output { session, tokens, .. } = output;
            return format!("handoff kept: {tokens} tokens (a part of that of session {parent}, which started you; by itself: read_handoff(from=\"{session}\"))");
        }
        let (beside, again) = if output.desk { ("", "") } else { BESIDE };
        format!("handoff kept: {} tokens (offered to the next session of this project{beside}, after /clear too{again})", output.tokens)
    }
}
