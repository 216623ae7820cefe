//! The mock model's replies in the form of the messages API, streamed and whole.

use serde_json::{Value, json};

use super::http::Outgoing;
use super::script::Step;

/// A reply with the identity it needs on the wire.
pub(super) struct Reply<'a> {
    /// The place of the request in the run, from which all ids are made.
    pub(super) number: usize,
    /// The model's name, as the request gave it.
    pub(super) model: &'a str,
    /// What to say.
    pub(super) step: &'a Step,
}

impl Reply<'_> {
    /// Writes the reply as events or as one object, as the request asked.
    #[must_use]
    pub(super) fn send(&self, is_streamed: bool) -> Outgoing {
        if !is_streamed {
            return json_body(&self.message(&self.content()));
        }
        let lines: Vec<String> = self
            .events()
            .iter()
            .map(|event| {
                format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
            })
            .collect();
        Outgoing { content_type: "text/event-stream", body: lines.concat().into_bytes() }
    }

    fn events(&self) -> Vec<Value> {
        let mut events = vec![json!({ "type": "message_start", "message": self.message(&[]) })];
        for (index, block) in self.content().into_iter().enumerate() {
            events.extend(block_events(index, &block));
        }
        let delta = json!({ "stop_reason": self.stop_reason(), "stop_sequence": null });
        events.push(json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": OUTPUT } }));
        events.push(json!({ "type": "message_stop" }));
        events
    }

    fn message(&self, content: &[Value]) -> Value {
        let stop_reason = if content.is_empty() { Value::Null } else { json!(self.stop_reason()) };
        json!({
            "id": format!("msg_{:04}", self.number),
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": null,
            "usage": self.usage(),
        })
    }

    fn content(&self) -> Vec<Value> {
        let text =
            (!self.step.text.is_empty()).then(|| json!({ "type": "text", "text": self.step.text }));
        let calls = self.step.calls.iter().enumerate().map(|(idx, call)| {
            let id = format!("toolu_{:04}_{idx}", self.number);
            json!({ "type": "tool_use", "id": id, "name": call.tool, "input": call.input })
        });
        text.into_iter().chain(calls).collect()
    }

    fn stop_reason(&self) -> &'static str {
        if self.step.calls.is_empty() { "end_turn" } else { "tool_use" }
    }

    /// Parts whose sum, with the output, is the total that the script wants reported.
    fn usage(&self) -> Value {
        json!({
            "input_tokens": 10,
            "cache_creation_input_tokens": 2_000,
            "cache_read_input_tokens": self.step.used.saturating_sub(2_010 + OUTPUT),
            "output_tokens": OUTPUT,
        })
    }
}

/// The output tokens that every reply reports.
const OUTPUT: u64 = 40;

/// Makes a body of JSON.
#[must_use]
pub(super) fn json_body(value: &Value) -> Outgoing {
    Outgoing { content_type: "application/json", body: value.to_string().into_bytes() }
}

fn block_events(index: usize, block: &Value) -> [Value; 3] {
    let (empty, delta) = match block["text"].as_str() {
        Some(text) => {
            (json!({ "type": "text", "text": "" }), json!({ "type": "text_delta", "text": text }))
        }
        None => (
            json!({ "type": "tool_use", "id": block["id"], "name": block["name"], "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() }),
        ),
    };
    [
        json!({ "type": "content_block_start", "index": index, "content_block": empty }),
        json!({ "type": "content_block_delta", "index": index, "delta": delta }),
        json!({ "type": "content_block_stop", "index": index }),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, tool};
    use super::*;

    #[test]
    fn a_batch_is_one_reply_with_the_total_asked_for() {
        let calls = vec![
            tool("Read", json!({ "file_path": "a" })),
            tool("Read", json!({ "file_path": "b" })),
        ];
        let step = Script::new().used(64_000).batch(calls).next().expect("one step");
        let reply = Reply { number: 7, model: "m", step: &step };

        let whole: Value = serde_json::from_slice(&reply.send(false).body).expect("JSON");
        let usage = whole["usage"].as_object().expect("an object");
        assert_eq!(usage.values().filter_map(Value::as_u64).sum::<u64>(), 64_000);
        assert_eq!(whole["stop_reason"], "tool_use");
        assert_eq!(whole["content"][1]["id"], "toolu_0007_1");

        let streamed = String::from_utf8(reply.send(true).body).expect("UTF-8");
        assert_eq!(streamed.matches("event: content_block_start").count(), 2);
        assert!(streamed.contains(r#""partial_json":"{\"file_path\":\"b\"}""#));
        assert!(streamed.ends_with("data: {\"type\":\"message_stop\"}\n\n"));
    }
}
