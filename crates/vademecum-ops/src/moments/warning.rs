//! The warning before a compaction: whether it is due is the planner's; once a cycle is the store's.

use vademecum_core::planner::{self, Decision, Limits, Settings, State, Used};
use vademecum_core::session::{Place, Session, SessionKey};

use super::Hook;
use super::standing::{self, Told, What};
use crate::error::OpError;
use crate::gather::wording;

/// What a harness's adapter knows of a context's size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Size {
    /// Tokens in the conversation, by its last answer.
    pub(super) used: Used,
    /// The id of that answer.
    pub(super) answer: Option<String>,
    /// The window, where it is known.
    pub(super) window: Option<u64>,
    /// Where the harness compacts, where it is known.
    pub(super) compact_at: Option<u64>,
}

/// What the planner says of a session of this size.
pub(super) fn plan(hook: &Hook<'_>, session: &Session, size: &Size) -> Decision {
    let precompact = hook.config.precompact;
    let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let settings =
        Settings::new(precompact.enabled, signed(precompact.reserve), signed(precompact.soft));
    let settings = settings.unwrap_or_default();
    let is_stale = size.answer.is_some() && size.answer == session.standing.answer;
    let state = State {
        used: if is_stale { Used::Stale { projected: None } } else { size.used },
        pending: 0,
        cycle: u64::from(session.standing.compactions),
        flushed_in: session.standing.warned_at.map(u64::from),
        running: None,
        slipped: false,
    };
    planner::plan(&state, &Limits::of_harness(size.window, size.compact_at, &settings))
}

/// The warning, if it is due and nobody has given it in this cycle; noted before it is given.
pub(super) fn due(
    hook: &Hook<'_>,
    key: &SessionKey,
    size: impl FnOnce(&Session) -> Size,
) -> Result<Option<&'static str>, OpError> {
    let call = hook.call(key);
    let Some(session) = call.session_if_on()? else {
        return Ok(None);
    };
    let decision = plan(hook, &session, &size(&session));
    let Some(text) = decision.text(wording(hook.config)) else {
        return Ok(None);
    };
    let what = What::Warned(session.standing.compactions);
    let told = Told { key: key.clone(), at: hook.world.now(), what, place: Place::default() };
    // While the store is busy nobody is warned: the next batch asks again.
    standing::note(&call, &told)?;
    Ok(Some(text))
}
