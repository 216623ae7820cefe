//! Logs of messages as the APIs of models take them, one a line: the session log of any agent.

use serde::Deserialize;

use crate::transcript::{
    Arguments, Block, Blocks, Facts, Flag, Known, Maybe, Out, Raw, Reader, Str, inner_json, joined,
    parse,
};

/// The name of the format in arguments and reports.
pub const ID: &str = "messages";

/// Reads messages; a system's and a developer's are no turns.
#[derive(Debug, Default)]
pub(crate) struct Turns {}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    role: Str<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow, alias = "reasoning")]
    reasoning_content: Str<'a>,
    #[serde(borrow)]
    tool_calls: Raw<'a>,
    #[serde(borrow)]
    tool_call_id: Str<'a>,
    is_error: Flag,
    #[serde(borrow, alias = "at", alias = "created_at")]
    timestamp: Str<'a>,
    #[serde(borrow)]
    model: Str<'a>,
    #[serde(borrow, alias = "session")]
    session_id: Str<'a>,
    #[serde(borrow)]
    cwd: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    function: Maybe<Function<'a>>,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow, alias = "input", alias = "args")]
    arguments: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
}

impl Reader for Turns {
    fn survey(&mut self, _: u64, _: &str) -> bool {
        false
    }

    fn record(&mut self, _: u64, line: &str, out: &mut Out<'_>) -> serde_json::Result<Known> {
        let message: Message<'_> = parse(line)?;
        if message.role.said().is_none() {
            return Ok(Known::Foreign);
        }
        let Blocks(blocks) = Blocks::of(message.content)?;
        out.at(&message.timestamp);
        out.facts(&Facts {
            session: message.session_id.said(),
            model: message.model.said(),
            cwd: message.cwd.said(),
            ..Facts::default()
        });
        message.tell(&blocks, out);
        Ok(Known::Ours)
    }
}

impl Message<'_> {
    fn tell(&self, blocks: &[Block<'_>], out: &mut Out<'_>) {
        match &*self.role {
            "user" | "human" => {
                for block in blocks {
                    match &*block.kind {
                        "tool_result" => block.tell_answer(out),
                        "text" | "input_text" => out.asked(&block.text),
                        _ => {}
                    }
                }
            }
            "assistant" | "ai" | "model" => self.tell_answer(blocks, out),
            "tool" | "function" => {
                out.answered(&self.tool_call_id, !self.is_error.0, &joined(self.content));
            }
            _ => {}
        }
    }

    fn tell_answer(&self, blocks: &[Block<'_>], out: &mut Out<'_>) {
        out.thought(&self.reasoning_content);
        for block in blocks {
            block.tell(out);
        }
        let json = self.tool_calls.map_or("[]", serde_json::value::RawValue::get);
        let calls: Vec<Maybe<ToolCall<'_>>> = parse(json).unwrap_or_default();
        for call in calls.iter().filter_map(|call| call.0.as_ref()) {
            call.tell(out);
        }
    }
}

impl ToolCall<'_> {
    /// Tells the call; its arguments are an object, or one that stands in a string.
    fn tell(&self, out: &mut Out<'_>) {
        let function = self.function.0.as_ref();
        let name = function.map_or(&self.name, |function| &function.name);
        let raw = function.map_or(self.arguments, |function| function.arguments);
        out.called(&self.id, name, &Arguments::of_json(&inner_json(raw)));
    }
}
