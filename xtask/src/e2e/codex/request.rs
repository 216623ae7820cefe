//! One request of the responses API, as the mock model received it.

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::super::request::{Purpose, Request, Speaker};

const MARKER: (&str, &str) = ("[sub-agent ", "]");

/// Reads who asks, and for what, out of a body.
#[must_use]
pub(in super::super) fn read(body: Value) -> Request {
    let request = Request { speaker: Speaker::Main, purpose: Purpose::Turn, body };
    let speaker = speaker(&request);
    let has_tools = request.body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    // A title for the terminal is asked for as an object.
    let is_object = request.body["text"]["format"].is_object();
    let purpose = match (has_tools, is_object) {
        (true, _) => Purpose::Turn,
        (false, true) => Purpose::Side,
        (false, false) => Purpose::Summary,
    };
    Request { speaker, purpose, ..request }
}

/// The texts of the messages in `role`, in order.
#[must_use]
pub(super) fn texts<'a>(request: &'a Request, role: &str) -> Vec<&'a str> {
    let messages = input(request).iter().filter(|item| item["role"] == role);
    messages.flat_map(|message| texts_of(&message["content"])).collect()
}

/// What our hooks put in front of the model, in order.
#[must_use]
pub(in super::super) fn contexts(request: &Request) -> Vec<&str> {
    let texts = texts(request, "developer").into_iter();
    texts.filter(|text| text.starts_with("vade") || text.contains("[vade receipt ")).collect()
}

/// Everything in the conversation that holds `part`.
#[must_use]
pub(in super::super) fn anywhere<'a>(request: &'a Request, part: &str) -> Vec<&'a str> {
    let texts = ["developer", "user", "assistant"].map(|role| texts(request, role)).concat();
    texts.into_iter().filter(|text| text.contains(part)).collect()
}

/// The last answer of our tool `tool`.
pub(in super::super) fn result(request: &Request, tool: &str) -> Result<String> {
    let calls = input(request).iter().filter(|item| item["type"] == "function_call");
    let calls: Vec<&Value> =
        calls.filter(|call| call["name"] == tool).map(|call| &call["call_id"]).collect();
    let mut outputs = input(request).iter().filter(|item| item["type"] == "function_call_output");
    let last = outputs.rfind(|output| calls.contains(&&output["call_id"]));
    let output = &last.with_context(|| format!("{tool} was never answered"))?["output"];
    Ok(output.as_str().map_or_else(|| texts_of(output).concat(), str::to_owned))
}

fn input(request: &Request) -> &[Value] {
    request.body["input"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn texts_of(content: &Value) -> Vec<&str> {
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    parts.iter().filter_map(|part| part["text"].as_str()).collect()
}

/// The marker stands in what a sub-agent was asked: a message of the user, or one between agents.
///
/// A sub-agent may have its parent's conversation before it, so the last one counts.
fn speaker(request: &Request) -> Speaker {
    let asked = input(request)
        .iter()
        .filter(|item| item["role"] == "user" || item["type"] == "agent_message");
    let texts: Vec<String> = asked.map(|item| item["content"].to_string()).collect();
    let name = texts.iter().rev().find_map(|text| {
        let (_, rest) = text.split_once(MARKER.0)?;
        Some(rest.split_once(MARKER.1)?.0.to_owned())
    });
    name.map_or(Speaker::Main, Speaker::Agent)
}
