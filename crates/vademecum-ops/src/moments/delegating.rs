//! The start of a sub-agent: it gets what its siblings learned, and is noted as running.
//!
//! In Claude Code the call that starts it carries the task, so its prompt gets more; that costs the agent that
//! delegates nothing. In Codex such a call cannot be changed without approving it: there the start itself
//! gets a context, chosen by the task that the parent's rollout tells.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use vademecum_core::frame;
use vademecum_core::openers::VOICE;
use vademecum_core::session::{Place, SessionKey};
use vademecum_core::sub_agent::asked as in_short;
use vademecum_core::wisdom::Task;
use vademecum_harness::claude_code::delegation::{
    Delegation, finished_agent, launched_agent, with_prompt,
};
use vademecum_harness::codex::delegation::delegation;
use vademecum_harness::codex::usage::TAIL;
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{Event, Harness, ToolCall};

use super::answer::{Answered, print, sub_agent, told};
use super::standing::{Told, What};
use super::sub_agent::{self as brief, Briefing};
use super::{Answer, FAULT_MAX, Hook, fault, start};
use crate::config::Slot;
use crate::error::OpError;
use crate::offer::find;
use crate::shapes::count;

/// Answers the call with the prompt that the sub-agent gets; it never approves the call.
pub(super) fn answer(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Answer {
    match briefed(hook, event, call) {
        Ok((reply, problems)) => {
            let problem = problems
                .first()
                .map(|problem| format!("vade: {}", frame::line(problem, FAULT_MAX)));
            let answer = print(event, &reply, None);
            Answer { fault: answer.fault.or(problem), ..answer }
        }
        // The sub-agent starts without a briefing; its prompt stays as it is.
        Err(error) => Answer { stdout: Vec::new(), fault: Some(fault(&error)) },
    }
}

fn briefed(
    hook: &Hook<'_>,
    event: &Event<'_>,
    call: &ToolCall<'_>,
) -> Result<(Reply, Vec<String>), OpError> {
    let Some(asked) = Delegation::of(call) else {
        return Ok((Reply::default(), Vec::new()));
    };
    let Some(briefing) = brief::briefing(hook, &event.session_key(), &task(&asked))? else {
        return Ok((Reply::default(), Vec::new()));
    };
    let prompt = briefing.prompt(&asked.prompt);
    let updated_input = prompt.and_then(|prompt| with_prompt(call.tool_input, &prompt));
    Ok((Reply { updated_input, ..Reply::default() }, briefing.problems))
}

/// Notes that a sub-agent runs; Codex also gives it a context.
pub(super) fn starts(hook: &Hook<'_>, event: &Event<'_>) -> Answered {
    let kind = event.agent_type.as_deref().map(str::to_owned);
    let runs = told(hook, event, What::Runs(kind.clone()), None);
    let noted = sub_agent(hook, &runs)?;
    match event.harness {
        Harness::ClaudeCode => return Ok(noted),
        Harness::Codex => {}
    }
    let parent = SessionKey { agent: None, ..event.session_key() };
    let asked = rollout(hook, &parent)?
        .and_then(|rollout| delegation(&rollout, event.agent_id.as_deref()?, TAIL).ok().flatten());
    let asked = asked.unwrap_or_default();
    if let Some(line) = asked_of(hook, asked.description.as_deref(), &asked.prompt) {
        sub_agent(hook, &told(hook, event, What::Asked(kind.clone(), Some(line)), None))?;
    }
    let description = asked.description.unwrap_or_default();
    let task = Task {
        text: format!("{description}\n{}", asked.prompt),
        files: Vec::new(),
        agent_type: kind,
    };
    let briefing = brief::briefing_within_cap(hook, &parent, &task)?;
    let context = briefing.as_ref().map(Briefing::context);
    let problem = briefing.and_then(|briefing| briefing.problems.into_iter().next());
    let error = noted.1.or_else(|| problem.map(|it| OpError::broken(it).hint("vade plan check")));
    Ok((Reply { context, ..Reply::default() }, error))
}

/// Where the record of a session lies, as its own hooks told.
fn rollout(hook: &Hook<'_>, key: &SessionKey) -> Result<Option<PathBuf>, OpError> {
    let session = hook.call(key).read(|view| view.session(key))?;
    let path = session.and_then(|session| session.place.transcript);
    Ok(path.map(|path| PathBuf::from(OsString::from_vec(path))))
}

/// What is told of a sub-agent that was just sent off to work beside the one that asked it.
///
/// One that is waited for is over when its call is; nothing is compacted meanwhile.
pub(super) fn launched(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Option<Told> {
    let asked = Delegation::of(call)?;
    let agent = launched_agent(call.tool_response?)?;
    let kind = asked.agent_type.as_deref().map(str::to_owned);
    let what = What::Asked(kind, asked_of(hook, asked.description.as_deref(), &asked.prompt));
    Some(of_agent(hook, event, &agent, what))
}

/// What a sub-agent is asked, in short, without secrets: nobody chose to keep it.
fn asked_of(hook: &Hook<'_>, description: Option<&str>, prompt: &str) -> Option<String> {
    let policy = hook.config.policy();
    let description = description.map(|text| policy.clean(text));
    in_short(description.as_deref(), &policy.clean(prompt))
}

/// What an event of the parent tells of one of its sub-agents; the record is the parent's own.
fn of_agent(hook: &Hook<'_>, event: &Event<'_>, agent: &str, what: What) -> Told {
    let told = told(hook, event, what, None);
    let key = SessionKey { agent: Some(agent.to_owned()), ..told.key };
    Told { key, place: Place { transcript: None, ..told.place }, ..told }
}

/// Notes the ends of sub-agents that the harness reports as a prompt; stopped ones do not say so themselves.
///
/// What they kept, a line each.
pub(super) fn ended(hook: &Hook<'_>, event: &Event<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for agent in event.ended_agents() {
        let told = of_agent(hook, event, agent, What::Ends);
        if hook.call(&told.key).session_if_on().is_ok_and(|session| session.is_some()) {
            start::note(hook, &told);
            lines.extend(kept(hook, &told.key));
        }
    }
    lines
}

/// What the sub-agent kept that a call waited for: its notes and page are its own, and its report may not name them.
pub(super) fn finished(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Option<String> {
    Delegation::of(call)?;
    let agent = finished_agent(call.tool_response?)?;
    kept(hook, &SessionKey { agent: Some(agent), ..event.session_key() })
}

/// What a sub-agent kept and how its parent reads it, in one line; none where it kept nothing, or no model has that tool.
fn kept(hook: &Hook<'_>, agent: &SessionKey) -> Option<String> {
    let is_told = hook.config.has_slot(Slot::User) && find("read_handoff", hook.config).is_some();
    if !is_told {
        return None;
    }
    let call = hook.call(agent);
    let session = call.session_if_on().ok()??;
    let counted = call.read(|view| {
        let page = view.page(agent, 1)?;
        Ok((view.counts(agent)?.open, page.is_some_and(|page| !page.text.is_empty())))
    });
    let (open, has_page) = counted.ok()?;
    let notes = (0 < open).then(|| count(open));
    let page = has_page.then(|| "a notepad".to_owned());
    let kept = notes.into_iter().chain(page).reduce(|notes, page| format!("{notes} and {page}"))?;
    let id = frame::line(agent.agent.as_deref()?, FAULT_MAX);
    let handle = frame::line(&session.handle(), FAULT_MAX);
    Some(format!("{VOICE}sub-agent {id} kept {kept}: read_handoff(from=\"{handle}\")"))
}

/// What the sub-agent is about to do, in the words of the one that starts it.
fn task(asked: &Delegation<'_>) -> Task {
    let description = asked.description.as_deref().unwrap_or_default();
    Task {
        text: format!("{description}\n{}", asked.prompt),
        files: Vec::new(),
        agent_type: asked.agent_type.as_deref().map(str::to_owned),
    }
}
