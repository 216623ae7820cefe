//! The mock model's replies in the form of the responses API, always streamed.

use serde_json::{Value, json};

use super::super::http::Outgoing;
use super::super::request::Request;
use super::super::script::{Call, Step};

/// What a script writes for the id of the sub-agent that its agent has started last.
pub(in super::super) const LAST_AGENT: &str = "$LAST_AGENT";

/// Writes the reply to the request with this place in the run, from which all ids are made.
#[must_use]
pub(in super::super) fn send(number: usize, step: &Step, request: &Request) -> Outgoing {
    let id = format!("resp_{number}");
    let mut events = vec![json!({ "type": "response.created", "response": { "id": id } })];
    for (index, item) in items(number, step, request).into_iter().enumerate() {
        events.push(
            json!({ "type": "response.output_item.done", "output_index": index, "item": item }),
        );
    }
    let response = json!({ "id": id, "usage": usage(step.used) });
    events.push(json!({ "type": "response.completed", "response": response }));
    let lines: Vec<String> = events
        .iter()
        .map(|event| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        })
        .collect();
    Outgoing { content_type: "text/event-stream", body: lines.concat().into_bytes() }
}

fn items(number: usize, step: &Step, request: &Request) -> Vec<Value> {
    let text = (!step.text.is_empty()).then(|| {
        let content = json!([{ "type": "output_text", "text": step.text }]);
        json!({ "type": "message", "role": "assistant", "id": format!("msg_{number}"), "content": content })
    });
    let calls = step.calls.iter().enumerate().map(|(idx, call)| item(number, idx, call, request));
    text.into_iter().chain(calls).collect()
}

/// A call; `mcp__vade__add_note` is the tool `add_note` in the namespace `mcp__vade`.
fn item(number: usize, idx: usize, call: &Call, request: &Request) -> Value {
    let (namespace, name) = match call.tool.rsplit_once("__") {
        Some((namespace, name)) => (Some(namespace), name),
        None => (None, call.tool.as_str()),
    };
    let mut arguments = call.input.to_string();
    if arguments.contains(LAST_AGENT) {
        arguments = arguments.replace(LAST_AGENT, &last_agent(request));
    }
    let mut item = json!({
        "type": "function_call",
        "id": format!("fc_{number}_{idx}"),
        "call_id": format!("call_{number}_{idx}"),
        "name": name,
        "arguments": arguments,
    });
    if let Some(namespace) = namespace {
        item["namespace"] = namespace.into();
    }
    item
}

/// The id in the last answer that names one.
fn last_agent(request: &Request) -> String {
    let input = request.body["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    let outputs = input.iter().filter_map(|item| item["output"].as_str());
    let mut ids = outputs.filter_map(|output| {
        let output: Value = serde_json::from_str(output).ok()?;
        output["agent_id"].as_str().map(str::to_owned)
    });
    ids.next_back().unwrap_or_default()
}

fn usage(total: u64) -> Value {
    const OUTPUT: u64 = 40;
    json!({
        "input_tokens": total.saturating_sub(OUTPUT),
        "input_tokens_details": { "cached_tokens": 1_000 },
        "output_tokens": OUTPUT,
        "output_tokens_details": { "reasoning_tokens": 10 },
        "total_tokens": total,
    })
}
