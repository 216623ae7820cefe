//! OpenAI Responses, with every item sent each time and nothing stored at the other end.

use serde_json::{Value, json};

use super::{
    Answer, AnswerError, Dialect, Message, Model, Native, Tool, ToolCall, Window, arguments,
    joined, said, usage,
};

pub(super) fn request(model: &Model, window: &Window) -> Value {
    let mut input = Vec::new();
    for message in &window.messages {
        push(&mut input, message);
    }
    let tools: Vec<Value> = window.tools.iter().map(tool).collect();
    let mut request = json!({
        "model": model.name,
        "max_output_tokens": model.max_answer,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "instructions": window.system,
        "input": input,
    });
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    request
}

fn tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.about,
        "parameters": tool.input,
        "strict": false,
    })
}

fn push(input: &mut Vec<Value>, message: &Message) {
    let user = |text: &str| json!({"role": "user", "content": said(text)});
    match message {
        Message::User(text) => input.push(user(text)),
        Message::Agent(answer) => match answer.native_in(Dialect::Responses) {
            Some(items) => input.extend(items.as_array().into_iter().flatten().cloned()),
            None => input.extend(items(answer)),
        },
        Message::Results { results, text } => {
            input.extend(results.iter().map(|result| {
                let output = said(&result.text);
                json!({"type": "function_call_output", "call_id": result.call, "output": output})
            }));
            if !text.is_empty() {
                input.push(user(text));
            }
        }
    }
}

fn items(answer: &Answer) -> Vec<Value> {
    let text = Some(&answer.text).filter(|text| !text.trim().is_empty());
    let text = text.map(|text| json!({"role": "assistant", "content": text}));
    let calls = answer.calls.iter().map(|call| {
        json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.text()})
    });
    text.into_iter().chain(calls).collect()
}

pub(super) fn answer(body: &Value) -> Result<Answer, AnswerError> {
    let output = body["output"].as_array().ok_or(AnswerError::Form { lacking: "output" })?;
    let of = |kind: &'static str| output.iter().filter(move |item| item["type"] == kind);
    let calls = of("function_call").map(|item| ToolCall {
        id: item["call_id"].as_str().unwrap_or_default().to_owned(),
        name: item["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments(&item["arguments"]),
    });
    let body_kept = output.iter().filter(|item| can_return(item)).map(without_id).collect();
    Ok(Answer {
        text: of("message").map(|item| joined(&item["content"], &["output_text"])).collect(),
        calls: calls.collect(),
        native: Some(Native { dialect: Dialect::Responses, body: body_kept }),
        usage: usage(body, &["input_tokens"], "output_tokens"),
    })
}

/// Whether the other end, which stores nothing, would know the item again.
fn can_return(item: &Value) -> bool {
    match item["type"].as_str() {
        Some("reasoning") => item["encrypted_content"].is_string(),
        Some("message") => !joined(&item["content"], &["output_text"]).trim().is_empty(),
        _ => true,
    }
}

/// The item without the id under which the other end would look for it.
fn without_id(item: &Value) -> Value {
    let mut item = item.clone();
    if let Some(item) = item.as_object_mut().filter(|item| item["type"] != "reasoning") {
        item.shift_remove("id");
    }
    item
}
