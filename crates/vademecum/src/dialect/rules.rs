//! The rules that an API refuses a request by: voices, pairs of call and result, names.

use std::collections::HashSet;

use serde_json::Value;

/// A request that its API would refuse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("message {at}: {fault}")]
pub struct RuleError {
    /// Which message or item, from 0.
    pub at: usize,
    /// What is wrong with it.
    pub fault: String,
}

type Checked = Result<(), RuleError>;

fn fault<T>(at: usize, fault: impl Into<String>) -> Result<T, RuleError> {
    Err(RuleError { at, fault: fault.into() })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_blank(value: &Value) -> bool {
    text(value).trim().is_empty()
}

/// Names are checked against `longest`; no two tools share one.
fn check_tools<'a>(names: impl Iterator<Item = &'a str>, longest: usize) -> Checked {
    let mut seen = HashSet::new();
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    for name in names {
        let fits = (1..=longest).contains(&name.len()) && name.chars().all(is_legal);
        if !fits || !seen.insert(name) {
            return fault(0, format!("tool name \"{name}\" is illegal or doubled"));
        }
    }
    Ok(())
}

/// The calls of one answer that wait for their results, and all ids that were ever used.
#[derive(Default)]
struct Pairs<'a> {
    open: HashSet<&'a str>,
    seen: HashSet<&'a str>,
}

impl<'a> Pairs<'a> {
    fn call(&mut self, at: usize, id: &'a str) -> Checked {
        if id.is_empty() || !self.seen.insert(id) {
            return fault(at, format!("call id \"{id}\" is empty or doubled"));
        }
        self.open.insert(id);
        Ok(())
    }

    fn result(&mut self, at: usize, id: &'a str) -> Checked {
        if self.open.remove(id) {
            return Ok(());
        }
        fault(at, format!("result of \"{id}\" without its call"))
    }

    fn closed(&self, at: usize) -> Checked {
        match self.open.iter().min() {
            None => Ok(()),
            Some(id) => fault(at, format!("call \"{id}\" without its result")),
        }
    }
}

pub(super) fn anthropic(request: &Value) -> Checked {
    let messages = list(&request["messages"]);
    check_tools(list(&request["tools"]).iter().map(|tool| text(&tool["name"])), 128)?;
    let mut pairs = Pairs::default();
    for (at, message) in messages.iter().enumerate() {
        let expected = if at % 2 == 0 { "user" } else { "assistant" };
        if message["role"] != expected {
            return fault(at, format!("the role is {}, not {expected}", message["role"]));
        }
        match &message["content"] {
            Value::String(words) if words.trim().is_empty() => return fault(at, "blank text"),
            Value::String(_) => pairs.closed(at)?,
            content => anthropic_blocks(at, list(content), at % 2 == 0, &mut pairs)?,
        }
    }
    ends_with_the_user(messages, |message| message["role"] == "user")?;
    let has_calls = !pairs.seen.is_empty();
    if has_calls && list(&request["tools"]).is_empty() {
        return fault(0, "calls without tools");
    }
    Ok(())
}

fn anthropic_blocks<'a>(
    at: usize,
    blocks: &'a [Value],
    is_user: bool,
    pairs: &mut Pairs<'a>,
) -> Checked {
    if blocks.is_empty() {
        return fault(at, "no content");
    }
    let mut has_text = false;
    for block in blocks {
        match text(&block["type"]) {
            "tool_result" if has_text => return fault(at, "a result behind a text"),
            "tool_result" => pairs.result(at, text(&block["tool_use_id"]))?,
            "tool_use" if is_user => return fault(at, "a call by the user"),
            "tool_use" if !block["input"].is_object() => return fault(at, "input is no object"),
            "tool_use" => pairs.call(at, text(&block["id"]))?,
            "text" if is_blank(&block["text"]) => return fault(at, "blank text"),
            _ => has_text = true,
        }
    }
    if is_user { pairs.closed(at) } else { Ok(()) }
}

fn ends_with_the_user(messages: &[Value], is_user: impl Fn(&Value) -> bool) -> Checked {
    match messages.last() {
        Some(last) if is_user(last) => Ok(()),
        Some(_) => fault(messages.len() - 1, "the last word is not the user's"),
        None => fault(0, "no message"),
    }
}

pub(super) fn completions(request: &Value) -> Checked {
    let messages = list(&request["messages"]);
    let names = list(&request["tools"]).iter().map(|tool| text(&tool["function"]["name"]));
    check_tools(names, 64)?;
    let mut pairs = Pairs::default();
    let mut before = "";
    for (at, message) in messages.iter().enumerate() {
        let role = text(&message["role"]);
        if role == "tool" {
            pairs.result(at, text(&message["tool_call_id"]))?;
        } else {
            pairs.closed(at)?;
            check_voice(at, before, role)?;
        }
        let calls = list(&message["tool_calls"]);
        if is_blank(&message["content"]) && calls.is_empty() && role != "system" {
            return fault(at, "neither text nor call");
        }
        for call in calls {
            if !call["function"]["arguments"].is_string() {
                return fault(at, "arguments are no text");
            }
            pairs.call(at, text(&call["id"]))?;
        }
        before = role;
    }
    pairs.closed(messages.len())?;
    ends_with_the_user(messages, |last| last["role"] == "user" || last["role"] == "tool")
}

/// Templates of many local servers want the system first and the voices in turn.
fn check_voice(at: usize, before: &str, role: &str) -> Checked {
    let is_legal = match role {
        "system" => at == 0,
        "user" => before != "user",
        "assistant" => matches!(before, "user" | "tool"),
        _ => false,
    };
    if is_legal { Ok(()) } else { fault(at, format!("{role} after \"{before}\"")) }
}

pub(super) fn responses(request: &Value) -> Checked {
    let items = list(&request["input"]);
    check_tools(list(&request["tools"]).iter().map(|tool| text(&tool["name"])), 64)?;
    let mut pairs = Pairs::default();
    for (at, item) in items.iter().enumerate() {
        match text(&item["type"]) {
            "function_call" if !item["arguments"].is_string() => {
                return fault(at, "arguments are no text");
            }
            "function_call" => pairs.call(at, text(&item["call_id"]))?,
            "function_call_output" => pairs.result(at, text(&item["call_id"]))?,
            "reasoning" if at + 1 == items.len() => return fault(at, "a thought without its act"),
            _ if item["role"] == "user" => {
                pairs.closed(at)?;
                if is_blank(&item["content"]) {
                    return fault(at, "blank text");
                }
            }
            _ => {}
        }
    }
    pairs.closed(items.len())?;
    if items.first().is_some_and(|item| item["role"] != "user") {
        return fault(0, "the first word is not the user's");
    }
    ends_with_the_user(items, |last| {
        last["role"] == "user" || last["type"] == "function_call_output"
    })
}
