//! Begins a session of one's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::hash::{hex, plain};
use vademecum_core::session::{Began, Place, SessionKey};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::SessionShape;

/// Begins a session of one's own.
#[derive(Debug)]
pub struct NewSession;

/// What it is called.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The name of what runs it. Default: person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<String>,
}

/// The session.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The session that was begun.
    #[serde(flatten)]
    pub session: SessionShape,
}

impl Operation for NewSession {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "new_session",
        aliases: &[],
        title: "Begin a session",
        about: "Begin a session of your own in this project; its full name goes into VADE_SESSION_ID.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["session", "new"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let harness = input.harness.as_deref().unwrap_or(SessionKey::PERSON);
        // Repeated under the same write id, it is the same session.
        let named = call.caller.write_id.as_ref().map(|id| id.as_str().to_owned());
        let unique = named.unwrap_or_else(|| (call.world.new_id)());
        // Hashed, since ids begin with the time: sessions of one minute would have the same handle.
        let name = format!("{harness}:{}", hex(&plain(unique.as_bytes()), 16));
        let Some(key) = crate::who::full_key(&name).filter(|key| key.agent.is_none()) else {
            return Err(OpError::usage(format!("harness \"{harness}\" is not allowed: use letters, digits, \"-\", \"_\", \".\"")));
        };
        if key.harness == SessionKey::DESK {
            return Err(OpError::usage("harness \"desk\" is kept for a project's own session: use another name"));
        }
        let session = call.begin(&key, &Place::default(), Began::Start)?;
        let session = call.read(|view| SessionShape::of(view, call.world, &session))?;
        Ok(Output { session })
    }

    fn say(output: &Output) -> String {
        let name = &output.session.name;
        format!("began {name}\nexport VADE_SESSION_ID={name}")
    }
}
