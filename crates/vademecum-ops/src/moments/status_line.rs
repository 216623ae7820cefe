//! The status line: where the session in front of the person stands, in a few words; it never writes.

use vademecum_core::planner::{Cause, Decision, Used};
use vademecum_core::session::Session;
use vademecum_harness::claude_code::status_line::StatusLine;
use vademecum_store::Store;

use super::warning::{self, Size};
use super::{size, told_call};
use crate::config::Config;
use crate::error::OpError;
use crate::shapes::counted;
use crate::world::World;

/// The line; empty for a session that nothing is known of, and while vade is off.
pub fn status_line(
    store: &dyn Store,
    world: &World,
    config: &Config,
    told: &StatusLine,
) -> Result<String, OpError> {
    let call = told_call(store, world, config, &told.key);
    let Some(session) = call.session_if_on()? else {
        return Ok(String::new());
    };
    let (rev, open) = call.read(|view| {
        let page = view.notepad(&session.key)?;
        Ok((page.map_or(0, |page| page.rev), view.counts(&session.key)?.open))
    })?;
    let page = if rev == 0 { "no page".to_owned() } else { format!("page rev {rev}") };
    let open = counted(usize::try_from(open).unwrap_or(usize::MAX), "open note");
    let parts = [Some(format!("vade: {page}")), Some(open), room(world, config, &session, told)];
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// How far the warning before the compaction is; none where nobody can say.
fn room(world: &World, config: &Config, session: &Session, told: &StatusLine) -> Option<String> {
    // What the harness says is newer than what its transcript does, and costs no look at it.
    let size = match told.used {
        Some(used) => {
            let limit = size::limit(world, told.model.as_deref(), session);
            Size { used: Used::Fresh(used), answer: None, ..limit }
        }
        None => size::of_session(world, session)?,
    };
    match warning::plan(config, session, &size) {
        Decision::Hold(Cause::Below { total, flush_at }) => {
            Some(format!("{} to the warning", thousands(flush_at.saturating_sub(total))))
        }
        Decision::Hold(Cause::Flushed { .. }) => Some("warned".to_owned()),
        Decision::Hold(Cause::Late { .. }) => Some("compaction due".to_owned()),
        Decision::Warn(_) => Some("warning due".to_owned()),
        Decision::Hold(
            Cause::Disabled
            | Cause::Running(_)
            | Cause::UnknownWindow
            | Cause::UnknownThreshold
            | Cause::NoRoom { .. }
            | Cause::UnknownCount
            | Cause::Stale,
        ) => None,
    }
}

/// A count of tokens as it is read at a glance, rounded down: there is never less room than it says.
fn thousands(tokens: u64) -> String {
    if tokens < 1_000 { format!("{tokens} tokens") } else { format!("{}k tokens", tokens / 1_000) }
}
