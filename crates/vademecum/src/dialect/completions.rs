//! OpenAI Chat Completions, and the servers that speak like it.

use serde_json::{Value, json};

use super::{
    Answer, AnswerError, Dialect, Message, Model, Native, Tool, ToolCall, Window, arguments,
    joined, said, usage,
};

pub(super) fn request(model: &Model, window: &Window) -> Value {
    let mut messages = vec![json!({"role": "system", "content": window.system})];
    for message in &window.messages {
        push(&mut messages, message);
    }
    let tools: Vec<Value> = window.tools.iter().map(tool).collect();
    let mut request = json!({
        "model": model.name,
        "max_tokens": model.max_answer,
        "messages": messages,
    });
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    request
}

fn tool(tool: &Tool) -> Value {
    let function = json!({"name": tool.name, "description": tool.about, "parameters": tool.input});
    json!({"type": "function", "function": function})
}

fn push(messages: &mut Vec<Value>, message: &Message) {
    match message {
        Message::User(text) => messages.push(json!({"role": "user", "content": said(text)})),
        Message::Agent(answer) => messages.push(assistant(answer)),
        Message::Results { results, text } => {
            messages.extend(results.iter().map(|result| {
                json!({"role": "tool", "tool_call_id": result.call, "content": said(&result.text)})
            }));
            if !text.is_empty() {
                messages.push(json!({"role": "user", "content": text}));
            }
        }
    }
}

fn assistant(answer: &Answer) -> Value {
    if let Some(native) = answer.native_in(Dialect::Completions) {
        return native.clone();
    }
    let content = if answer.text.is_empty() { Value::Null } else { json!(answer.text) };
    let calls: Vec<Value> = answer
        .calls
        .iter()
        .map(|call| {
            let function = json!({"name": call.name, "arguments": call.text()});
            json!({"id": call.id, "type": "function", "function": function})
        })
        .collect();
    if calls.is_empty() {
        return json!({"role": "assistant", "content": answer.text});
    }
    json!({"role": "assistant", "content": content, "tool_calls": calls})
}

pub(super) fn answer(body: &Value) -> Result<Answer, AnswerError> {
    let message = &body["choices"][0]["message"];
    if !message.is_object() {
        return Err(AnswerError::Form { lacking: "choices[0].message" });
    }
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let calls = calls.iter().map(|call| ToolCall {
        id: call["id"].as_str().unwrap_or_default().to_owned(),
        name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments(&call["function"]["arguments"]),
    });
    Ok(Answer {
        text: joined(&message["content"], &["text"]),
        calls: calls.collect(),
        native: native(message),
        usage: usage(body, &["prompt_tokens"], "completion_tokens"),
    })
}

/// The message as it came, if it can be sent as it is: some servers leave out what they ask for.
fn native(message: &Value) -> Option<Native> {
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_whole = message["role"] == "assistant"
        && calls
            .iter()
            .all(|call| call["type"] == "function" && call["function"]["arguments"].is_string());
    // Fields that are only answered, such as `refusal: null`, are no part of a request.
    let sent = ["role", "content", "tool_calls", "reasoning_content", "reasoning_details"];
    let kept = message.as_object()?.iter().filter(|(name, value)| {
        sent.contains(&name.as_str()) && (!value.is_null() || *name == "content")
    });
    let body = kept
        .filter(|(name, _)| *name != "tool_calls" || !calls.is_empty())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    is_whole.then_some(Native { dialect: Dialect::Completions, body })
}
