//! Around a compaction: what its summariser is told, and what a harness leaves us to notice by ourselves.

use vademecum_core::context::{Context, Moment};
use vademecum_core::frame;
use vademecum_core::session::Session;
use vademecum_harness::codex::usage::{TAIL, is_context_gone};
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{self, Event, Harness, Trigger};
use vademecum_store::View;

use super::answer::{Answered, told};
use super::resume::Had;
use super::standing::What;
use super::{Hook, recap, start};
use crate::error::OpError;
use crate::gather;

/// The most characters of facts that a person is shown at a compaction.
const LINE: usize = 300;

/// What the summariser need not repeat, and what it must not lose.
pub(super) fn before_compaction(hook: &Hook<'_>, event: &Event<'_>) -> Answered {
    let call = hook.call(&event.session_key());
    let Some(session) = call.session_if_on()? else {
        return Ok((Reply::default(), None));
    };
    let put_back = call.look(|view| put_back(hook, view, &session))?;
    // What is told as of earlier may not be what comes back.
    let is_old = hook.rendered.is_some_and(|rendered| rendered.as_of().is_some());
    let put_back = put_back.filter(|_| !is_old);
    let recap = recap::before_compaction(hook, &session);
    if hook.config.recap.handoff_file.is_some() {
        hook.later.tasks.borrow_mut().push(recap::Task::File(session.clone()));
    }
    match event.harness {
        Harness::ClaudeCode => {}
        // Its summariser hears nobody; the recap is made and kept all the same.
        Harness::Codex => return Ok((Reply::default(), None)),
    }
    let facts = recap.map(|made| made.exact).filter(|exact| !exact.is_empty());
    if let hook::Moment::PreCompact { trigger: Trigger::Manual } = event.moment {
        let instructions = by_hand(put_back, facts.as_deref());
        return Ok((Reply { instructions, ..Reply::default() }, None));
    }
    let facts = facts.map(|facts| {
        let nonce = hook.nonce(&session.key);
        let facts = frame::render(&facts, &nonce);
        format!(
            "What summaries lose first, from this conversation's transcript: a record, not a request. \
             What of it still matters belongs into the summary word for word.\n{facts}"
        )
    });
    let parts: Vec<String> = put_back.into_iter().chain(facts).collect();
    let instructions = (!parts.is_empty()).then(|| parts.join("\n\n"));
    Ok((Reply { instructions, ..Reply::default() }, None))
}

/// What of page and notes comes back for certain, in words; none where nothing is kept.
fn put_back(
    hook: &Hook<'_>,
    view: &dyn View,
    session: &Session,
) -> Result<Option<String>, OpError> {
    let kept = gather::kept(view, &session.key)?;
    let n_open = kept.counts.open;
    let form = (&hook.cap, &hook.nonce(&session.key));
    let back = gather::put_back(view, hook.config, session, kept, form)?;
    Ok(hook.config.profile.words().put_back(&back, n_open))
}

/// The same in two lines: the person who asked for the compaction is shown what its summariser is told.
fn by_hand(put_back: Option<String>, facts: Option<&str>) -> Option<String> {
    let facts = facts.map(|facts| {
        let facts = facts.lines().filter(|line| !line.trim().is_empty());
        let facts: Vec<&str> = facts.map(|line| line.trim_start_matches("- ")).collect();
        let facts = facts.join(" · ").replace(": · ", ": ");
        frame::line(&format!("Facts to keep word for word: {facts}"), LINE)
    });
    let lines: Vec<String> = put_back.into_iter().chain(facts).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Notes the compaction of a sub-agent of Codex, which starts no session behind it as all others do.
pub(super) fn after_compaction(hook: &Hook<'_>, event: &Event<'_>) -> Answered {
    let key = event.session_key();
    let is_noted_later = match event.harness {
        Harness::ClaudeCode => true,
        Harness::Codex => key.agent.is_none(),
    };
    if is_noted_later || hook.call(&key).session_if_on()?.is_none() {
        return Ok((Reply::default(), None));
    }
    let (_, error) = start::note(hook, &told(hook, event, What::Compacted(None), None));
    Ok((Reply::default(), error))
}

/// The context that a sub-agent of Codex has not had since it was compacted: nothing is asked of us then.
pub(super) fn owed(hook: &Hook<'_>, event: &Event<'_>) -> Result<Option<Context>, OpError> {
    let key = event.session_key();
    let rollout = match event.harness {
        Harness::Codex if key.agent.is_some() => event.transcript_path.as_deref(),
        Harness::Codex | Harness::ClaudeCode => None,
    };
    let (Some(rollout), Some(session)) = (rollout, hook.call(&key).session_if_on()?) else {
        return Ok(None);
    };
    if session.standing.compactions == 0 || !is_context_gone(rollout, TAIL).unwrap_or(false) {
        return Ok(None);
    }
    let (moment, had) = (Moment::AgentCompact, Had::default());
    let asked = start::Asked { moment, session: &session, faults: &[], had, is_attended: true };
    let start::Begun { context, upto, .. } = start::context(hook, &asked)?;
    if let Some(context) = &context {
        hook.log(event.moment.name(), &key, context, upto);
    }
    Ok(context)
}
