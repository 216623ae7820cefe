//! The call by which an agent starts another one: its prompt gets what the siblings learned.
//!
//! The start of the sub-agent itself (`SubagentStart`) knows nothing of its task, so nothing could be chosen by
//! it there. What goes into the prompt also costs the agent that delegates nothing.

use vademecum_core::session::{Place, SessionKey};
use vademecum_core::sub_agent::asked as in_short;
use vademecum_core::wisdom::Task;
use vademecum_harness::claude_code::delegation::{Delegation, launched_agent, with_prompt};
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{Event, ToolCall};

use super::answer::{print, told};
use super::standing::{Told, What};
use super::{Answer, Hook, fault, start, sub_agent};
use crate::error::OpError;

/// Answers the call with the prompt that the sub-agent gets; it never approves the call.
pub(super) fn answer(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Answer {
    match briefed(hook, event, call) {
        Ok((reply, problems)) => {
            let problem = problems.first().map(|problem| format!("vade: {problem}"));
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
    let Some(briefing) = sub_agent::briefing(hook, &event.session_key(), &task(&asked))? else {
        return Ok((Reply::default(), Vec::new()));
    };
    let prompt = briefing.prompt(&asked.prompt);
    let updated_input = prompt.and_then(|prompt| with_prompt(call.tool_input, &prompt));
    Ok((Reply { updated_input, ..Reply::default() }, briefing.problems))
}

/// What is told of a sub-agent that was just sent off to work beside the one that asked it.
///
/// One that is waited for is over when its call is; nothing is compacted meanwhile.
pub(super) fn launched(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Option<Told> {
    let asked = Delegation::of(call)?;
    let agent = launched_agent(call.tool_response?)?;
    let kind = asked.agent_type.as_deref().map(str::to_owned);
    let what = What::Asked(kind, in_short(asked.description.as_deref(), &asked.prompt));
    Some(of_agent(hook, event, &agent, what))
}

/// What an event of the parent tells of one of its sub-agents; the record is the parent's own.
fn of_agent(hook: &Hook<'_>, event: &Event<'_>, agent: &str, what: What) -> Told {
    let told = told(hook, event, what, None);
    let key = SessionKey { agent: Some(agent.to_owned()), ..told.key };
    Told { key, place: Place { transcript: None, ..told.place }, ..told }
}

/// Notes the ends of sub-agents that the harness reports as a prompt; stopped ones do not say so themselves.
pub(super) fn ended(hook: &Hook<'_>, event: &Event<'_>) {
    for agent in event.ended_agents() {
        let told = of_agent(hook, event, agent, What::Ends);
        if hook.call(&told.key).session_if_on().is_ok_and(|session| session.is_some()) {
            start::note(hook, &told);
        }
    }
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
