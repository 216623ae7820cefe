//! The one line long before a warning: what happened since page and notes were written.
//!
//! It is looked for where a session's work is noted anyway, every few minutes, not at each batch.

use serde::{Deserialize, Serialize};
use vademecum_core::planner::Used;
use vademecum_core::session::Session;
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope, StoreError, View};

use super::warning::Size;
use super::{Hook, recap};
use crate::error::OpError;
use crate::gather::MOST_NEWS;

/// The name of a reminder in the journal.
const KIND: &str = "remind";

/// So many calls lie between two reminders where the window is not known.
const CALLS_BETWEEN: u32 = 50;

/// Where the context stood when a reminder was given.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Given {
    /// How often the session was compacted.
    cycle: u32,
    /// How many tokens it held, where that was known.
    used: Option<u64>,
}

/// What is known before the transcript is looked at.
pub(super) struct Known {
    /// When page and notes were last written; none if never.
    written: Option<Time>,
    /// The last reminder, and when it was given.
    last: Option<(Given, Time)>,
}

/// The line, if much happened and none was given within a third of the window; noted before it is given.
pub(super) fn due(
    hook: &Hook<'_>,
    session: &Session,
    size: impl FnOnce() -> Size,
) -> Result<Option<String>, OpError> {
    let call = hook.call(&session.key);
    let cycle = session.standing.compactions;
    // One that was warned is asked already.
    if !hook.config.reminder || session.standing.warned_at == Some(cycle) {
        return Ok(None);
    }
    let known = call.read(|view| known(view, session))?;
    let size = size();
    let Some(calls) = calls_needed(&known, cycle, &size) else { return Ok(None) };
    let last = known.last.map(|(_, at)| at).filter(|_| 0 < calls);
    let Some(line) = recap::reminder(hook, session, known.written.max(last), |happened| {
        let words = hook.config.profile.words();
        words.reminder(happened, known.written.is_some()).filter(|_| calls <= happened.calls)
    }) else {
        return Ok(None);
    };
    let used = match size.used {
        Used::Fresh(used) => Some(used),
        Used::Unknown | Used::Stale { .. } => None,
    };
    let (given, at) = (Given { cycle, used }, call.now());
    let change = Change::SetWorked { session: session.key.clone(), at };
    // While the store is busy nobody is reminded.
    call.write(Scope::Session(session.key.clone()), KIND, &given, |_| {
        Ok((vec![change.clone()], given))
    })?;
    Ok(Some(line))
}

pub(super) fn known(view: &dyn View, session: &Session) -> Result<Known, StoreError> {
    let page = view.page(&session.key, 1)?;
    let noted = view.counts(&session.key)?.last.map(|note| Time(note.0));
    let journal = view.records(&Scope::Session(session.key.clone()), MOST_NEWS)?;
    let mut last = None;
    if let Some(record) = journal.iter().find(|record| record.kind == KIND) {
        let given = view.body(record.seq)?.and_then(|it| serde_json::from_str(&it.reply).ok());
        last = given.map(|given| (given, record.at));
    }
    Ok(Known { written: page.map(|page| page.updated_at).max(noted), last })
}

/// How many calls must have come since the last reminder; none where it is too early for another.
fn calls_needed(known: &Known, cycle: u32, size: &Size) -> Option<u32> {
    let Some((last, _)) = known.last else { return Some(0) };
    let (Some(window), Used::Fresh(used), Some(before)) = (size.window, size.used, last.used)
    else {
        return size.window.is_none().then_some(CALLS_BETWEEN);
    };
    let since = if last.cycle == cycle {
        used.saturating_sub(before)
    } else {
        size.compact_at.unwrap_or(window).saturating_sub(before).saturating_add(used)
    };
    (window / 3 <= since).then_some(0)
}
