//! Anthropic Messages.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    Answer, AnswerError, Dialect, Message, Model, Native, Tool, ToolCall, ToolResult, Window,
    joined, said, usage,
};

pub(super) fn request(model: &Model, window: &Window) -> Value {
    let messages: Vec<Value> = window.messages.iter().map(message).collect();
    let tools: Vec<Value> = window.tools.iter().map(tool).collect();
    let mut request = json!({
        "model": model.name,
        "max_tokens": model.max_answer,
        "system": window.system,
        "messages": messages,
    });
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    request
}

fn tool(tool: &Tool) -> Value {
    json!({"name": tool.name, "description": tool.about, "input_schema": tool.input})
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": said(text)}),
        Message::Agent(answer) => json!({"role": "assistant", "content": blocks(answer)}),
        Message::Results { results, text } => {
            let mut content: Vec<Value> = results.iter().map(result).collect();
            if !text.is_empty() {
                content.push(json!({"type": "text", "text": text}));
            }
            json!({"role": "user", "content": content})
        }
    }
}

fn result(result: &ToolResult) -> Value {
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": legal(&result.call),
        "content": said(&result.text),
    });
    if result.is_error {
        block["is_error"] = true.into();
    }
    block
}

fn blocks(answer: &Answer) -> Value {
    if let Some(native) = answer.native_in(Dialect::Anthropic) {
        return native.clone();
    }
    let text = Some(&answer.text).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| json!({"type": "text", "text": text}));
    let calls = answer.calls.iter().map(|call| {
        json!({"type": "tool_use", "id": legal(&call.id), "name": call.name, "input": call.object()})
    });
    text.into_iter().chain(calls).collect()
}

/// The id in the characters that this API takes.
fn legal(id: &str) -> Cow<'_, str> {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if id.chars().all(is_legal) {
        return Cow::Borrowed(id);
    }
    Cow::Owned(id.chars().map(|c| if is_legal(c) { c } else { '_' }).collect())
}

pub(super) fn answer(body: &Value) -> Result<Answer, AnswerError> {
    let content = body["content"].as_array().ok_or(AnswerError::Form { lacking: "content" })?;
    let calls = content.iter().filter(|block| block["type"] == "tool_use").map(|block| ToolCall {
        id: block["id"].as_str().unwrap_or_default().to_owned(),
        name: block["name"].as_str().unwrap_or_default().to_owned(),
        arguments: block["input"].clone(),
    });
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    // An empty text is sent by the API but refused by it.
    let is_blank = |block: &Value| {
        block["type"] == "text" && block["text"].as_str().is_none_or(|text| text.trim().is_empty())
    };
    let kept: Value = content.iter().filter(|block| !is_blank(block)).cloned().collect();
    Ok(Answer {
        text: joined(&body["content"], &["text"]),
        calls: calls.collect(),
        native: Some(Native { dialect: Dialect::Anthropic, body: kept }),
        usage: usage(body, &input, "output_tokens"),
    })
}
