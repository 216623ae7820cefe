//! The warning before a compaction: whether it is due is the planner's; once a cycle is the store's.

use vademecum_core::planner::{self, Cause, Decision, Limits, Settings, State, Used};
use vademecum_core::session::{Place, Session, SessionKey};

use super::standing::{self, Told, What};
use super::{Hook, recap};
use crate::config::Config;
use crate::error::OpError;
use crate::gather;
use crate::world::World;

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
    /// Why the adapter does not know the window, where it can say so.
    pub(super) unknown: Option<String>,
}

/// Why the warning of a session is due now or is not, for a person who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// What the planner says.
    pub decision: Decision,
    /// What the planner says, and what the harness's adapter knows of the cause.
    pub text: String,
}

/// Explains the warning of a session; of one that no harness runs nothing is known.
#[must_use]
pub fn explain(world: &World, config: &Config, session: Option<&Session>) -> Explained {
    let sized =
        session.and_then(|session| Some((session, super::size::of_session(world, session)?)));
    let Some((session, size)) = sized else {
        let limits = Limits::of_harness(None, None, &settings(config));
        let decision = planner::plan(&UNKNOWN, &limits);
        return Explained { decision, text: decision.to_string() };
    };
    let decision = plan(config, session, &size);
    let unknown = size.unknown.filter(|_| decision == Decision::Hold(Cause::UnknownWindow));
    let why = unknown.map_or_else(String::new, |why| format!(": {why}"));
    Explained { decision, text: format!("{decision}{why}") }
}

const UNKNOWN: State = State {
    used: Used::Unknown,
    pending: 0,
    cycle: 0,
    flushed_in: None,
    running: None,
    slipped: false,
};

fn settings(config: &Config) -> Settings {
    let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let precompact = config.precompact;
    Settings::new(precompact.enabled, signed(precompact.reserve), signed(precompact.soft))
        .unwrap_or_default()
}

/// What the planner says of a session of this size; ours is not given where it comes too late.
pub(super) fn plan(config: &Config, session: &Session, size: &Size) -> Decision {
    let is_stale = size.answer.is_some() && size.answer == session.standing.answer;
    let state = State {
        used: if is_stale { Used::Stale { projected: None } } else { size.used },
        cycle: u64::from(session.standing.compactions),
        flushed_in: session.standing.warned_at.map(u64::from),
        ..UNKNOWN
    };
    let limits = Limits::of_harness(size.window, size.compact_at, &settings(config));
    let decision = planner::plan(&state, &limits);
    if config.profile.words().warns_of_lacks() { decision.if_in_time() } else { decision }
}

/// The warning, if it is due and its model has not had it in this cycle; noted before it is given.
pub(super) fn due(
    hook: &Hook<'_>,
    key: &SessionKey,
    is_taken_back: bool,
    size: impl FnOnce(&Session) -> Size,
) -> Result<Option<String>, OpError> {
    let call = hook.call(key);
    let Some(mut session) = call.session_if_on()? else {
        return Ok(None);
    };
    if is_taken_back {
        session.standing.warned_at = None;
    }
    if !plan(hook.config, &session, &size(&session)).is_due() {
        return Ok(None);
    }
    let words = hook.config.profile.words();
    let (back, kept_now, said) = call.read(|view| {
        let kept = gather::kept(view, &session.key)?;
        let (kept_now, said) = (words.kept_now(kept.tokens(), kept.counts.open), kept.said());
        let form = (&hook.cap, &hook.nonce(&session.key));
        Ok((gather::put_back(view, hook.config, &session, kept, form)?, kept_now, said))
    })?;
    let what = What::Warned(session.standing.compactions);
    let told = Told { key: key.clone(), at: hook.world.now(), what, place: Place::default() };
    // While the store is busy nobody is warned: the next batch asks again.
    standing::note(&call, &told)?;
    let lacks = if words.warns_of_lacks() { recap::lacking(hook, &session, said) } else { None };
    // What is kept now stands below, so that the model need not read it to know.
    let lines = [Some(words.warning(&back, lacks.as_deref())), kept_now];
    Ok(Some(lines.into_iter().flatten().collect::<Vec<_>>().join("\n")))
}
