//! What an agent asks of a sub-agent: the call of the delegating tool, and its prompt with more in it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::hook::ToolCall;
use crate::json_edit::members;

/// The names of the tool by which an agent starts another one.
pub const TOOLS: [&str; 2] = ["Agent", "Task"];

/// What a sub-agent is asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Delegation<'a> {
    /// The task.
    pub prompt: Cow<'a, str>,
    /// The task in a few words.
    #[serde(default)]
    pub description: Option<Cow<'a, str>>,
    /// The kind of agent; none for the usual one.
    #[serde(default, rename = "subagent_type")]
    pub agent_type: Option<Cow<'a, str>>,
}

impl<'a> Delegation<'a> {
    /// Reads it from a call; none if the call is of another tool or not understood.
    #[must_use]
    pub fn of(call: &ToolCall<'a>) -> Option<Self> {
        if !TOOLS.contains(&&*call.tool_name) {
            return None;
        }
        serde_json::from_str(call.tool_input.get()).ok()
    }
}

/// The id of the sub-agent that a call sent off to work in the background; none for one that has ended.
#[must_use]
pub fn launched_agent(tool_response: &RawValue) -> Option<String> {
    agent(tool_response, "async_launched")
}

/// The id of the sub-agent that a call waited for and that has ended; none for one in the background.
#[must_use]
pub fn finished_agent(tool_response: &RawValue) -> Option<String> {
    agent(tool_response, "completed")
}

/// The sub-agent of a call that came back with this status.
fn agent(tool_response: &RawValue, status: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Response {
        status: String,
        #[serde(rename = "agentId")]
        agent_id: String,
    }
    let response: Response = serde_json::from_str(tool_response.get()).ok()?;
    (response.status == status).then_some(response.agent_id)
}

/// The ids of the background tasks that a prompt of the harness says have ended.
pub(crate) fn ended_tasks(prompt: &str) -> impl Iterator<Item = &str> {
    let of_harness = prompt.trim_start().starts_with("<task-notification>");
    let notices = prompt.split("<task-notification>").skip(1).filter(move |_| of_harness);
    notices.filter_map(|notice| {
        let (_, rest) = notice.split_once("<task-id>")?;
        Some(rest.split_once("</task-id>")?.0.trim())
    })
}

/// The input of a call with another prompt; every other byte stays.
#[must_use]
pub fn with_prompt(tool_input: &RawValue, prompt: &str) -> Option<Box<RawValue>> {
    let input = tool_input.get();
    let members = members(input).ok()?;
    // JavaScript keeps the last of two equal keys, so the last one counts.
    let place = members.iter().rev().find(|member| member.key == "prompt")?.value.clone();
    let value = serde_json::to_string(prompt).expect("a string can always be written");
    let json = format!("{}{value}{}", &input[..place.start], &input[place.end..]);
    RawValue::from_string(json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: &str = r#"{"description":"Find callers","prompt":"Find \"sum\"","subagent_type":"Explore","model":"haiku", "n":1.50}"#;

    fn call(tool_name: &'static str, input: &'static str) -> Option<Delegation<'static>> {
        let tool_input: &RawValue = serde_json::from_str(input).expect("JSON");
        Delegation::of(&ToolCall {
            tool_name: tool_name.into(),
            tool_input,
            tool_response: None,
            tool_use_id: None,
        })
    }

    #[test]
    fn reads_what_is_asked() {
        let asked = Delegation {
            prompt: "Find \"sum\"".into(),
            description: Some("Find callers".into()),
            agent_type: Some("Explore".into()),
        };
        assert_eq!(call("Agent", INPUT), Some(asked.clone()));
        assert_eq!(call("Task", INPUT), Some(asked));
        assert_eq!(call("TaskStop", INPUT), None);
        let least = Delegation { prompt: "do".into(), description: None, agent_type: None };
        assert_eq!(call("Agent", r#"{"prompt":"do"}"#), Some(least));
        for input in ["{}", "[]", r#"{"prompt":null}"#, r#"{"prompt":"\ud800"}"#] {
            assert_eq!(call("Agent", input), None, "{input}");
        }
    }

    #[test]
    fn knows_who_was_sent_off_and_who_ended() {
        for (response, launched, finished) in [
            (r#"{"isAsync":true,"status":"async_launched","agentId":"a1"}"#, Some("a1"), None),
            (r#"{"status":"completed","agentId":"a1","content":[]}"#, None, Some("a1")),
            (r#""an error""#, None, None),
        ] {
            let response: &RawValue = serde_json::from_str(response).expect("JSON");
            assert_eq!(launched_agent(response).as_deref(), launched);
            assert_eq!(finished_agent(response).as_deref(), finished);
        }
        let notice =
            "<task-notification>\n<task-id>a1</task-id>\n<result>x</result>\n</task-notification>";
        assert_eq!(ended_tasks(notice).collect::<Vec<_>>(), ["a1"]);
        assert_eq!(ended_tasks(&format!("what is {notice}?")).count(), 0);
    }

    #[test]
    fn changes_the_prompt_and_no_other_byte() {
        let input: &RawValue = serde_json::from_str(INPUT).expect("JSON");
        let changed = with_prompt(input, "a\n\"b\"").expect("an input");
        assert_eq!(changed.get(), INPUT.replace(r#""Find \"sum\"""#, r#""a\n\"b\"""#));
    }
}
