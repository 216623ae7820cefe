//! Clients that do not say whose a call is: each chat gets a session of its own with its first write.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use vademecum::core::hash::{hex, plain};
use vademecum::core::session::{Session, SessionKey};
use vademecum::ops::offer::takes_session;
use vademecum::ops::operation::Op;
use vademecum::ops::who::{Clues, full_key};
use vademecum::ops::{Call, Config, OpError};

/// What a call gives as its session to begin another one.
const NEW: &str = "new";

/// What one connection knows of such calls.
#[derive(Debug, Default)]
pub(super) struct Nameless {
    /// Whether a session was begun, whose handle calls name from then on.
    has_begun: AtomicBool,
    /// The id of its only session, where no call can name one.
    only: Option<OnceLock<String>>,
}

/// What is said beside an answer, of the session that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Beside {
    /// The handle of the session that the call began; none if it only read.
    pub(super) session: Option<String>,
}

impl Beside {
    /// The line for the model.
    pub(super) fn line(&self) -> String {
        match &self.session {
            Some(handle) => {
                format!("Your session is {handle}: pass session \"{handle}\" in every call.")
            }
            None => "No session yet: your first write begins one and gives its handle.".to_owned(),
        }
    }
}

impl Nameless {
    /// What a connection knows at its start: where tools take no session, it is one.
    pub(super) fn under(config: &Config) -> Self {
        let only = (!takes_session(config)).then(OnceLock::new);
        Self { only, ..Self::default() }
    }

    /// Names the session that a write of this call begins, where nobody says whose the call is.
    ///
    /// Two chats may share a connection: once one has a session, a call that names none could be
    /// either's.
    pub(super) fn name(&self, op: &Op, clues: &mut Clues, new_id: &str) -> Result<(), OpError> {
        if clues.told.is_some() || clues.environment.is_some() {
            return Ok(());
        }
        match clues.named.as_deref().map(str::trim) {
            Some(NEW) => clues.named = None,
            Some(_) => return Ok(()),
            None if op.declaration.of_session && self.has_begun.load(Ordering::SeqCst) => {
                return Err(OpError::usage("this call names no session")
                    .hint("pass session as your first write gave it, or session: \"new\""));
            }
            None => {}
        }
        // An id begins with the clock that others share, so that all of it is hashed.
        let new = || hex(&plain(new_id.as_bytes()), 8);
        let external = match &self.only {
            Some(only) => only.get_or_init(new).clone(),
            None => new(),
        };
        let harness = SessionKey::CLIENT.to_owned();
        clues.fresh = Some(SessionKey { harness, external, agent: None }.to_string());
        Ok(())
    }

    /// What is said beside the answer to `call`, which has been made.
    pub(super) fn beside(&self, op: &Op, call: &Call<'_>) -> Option<Beside> {
        let key = call.caller.clues.fresh.as_deref().and_then(full_key)?;
        // What the store cannot say now, the next answer will.
        let session = call.read(|view| view.session(&key)).ok().flatten();
        let must_name = self.only.is_none() && session.is_some();
        self.has_begun.fetch_or(must_name, Ordering::SeqCst);
        // Where nothing is written no session begins.
        let can_begin = op.declaration.of_session && !call.world.is_read_only();
        let is_asked = self.only.is_none() && (session.is_some() || can_begin);
        is_asked.then(|| Beside { session: session.as_ref().map(Session::handle) })
    }
}
