//! The blocks of a message as the makers of Claude write them, in transcripts and in logs.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Arguments, Flag, Maybe, Out, Raw, Str, joined};

/// What stands before the user's words where a call was refused with a reason.
const REFUSED: &str = "To tell you how to proceed, the user said:\n";

/// One block.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Str<'a>,
    #[serde(borrow)]
    pub(crate) text: Str<'a>,
    #[serde(borrow)]
    thinking: Str<'a>,
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    tool_use_id: Str<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    is_error: Flag,
}

/// The blocks of a message; a message that is a string is one block.
pub(crate) fn blocks(content: Raw<'_>) -> Vec<Block<'_>> {
    let json = content.map_or("", RawValue::get);
    if let Ok(blocks) = serde_json::from_str::<Vec<Maybe<Block<'_>>>>(json) {
        return blocks.into_iter().filter_map(|block| block.0).collect();
    }
    let text: Str<'_> = serde_json::from_str(json).unwrap_or_default();
    let kind = Str(Cow::Borrowed("text"));
    vec![Block { kind, text, ..Block::default() }]
}

impl Block<'_> {
    /// Tells a block that the model wrote.
    pub(crate) fn tell(&self, out: &mut Out<'_>) {
        match &*self.kind {
            "text" => out.said(&self.text),
            "thinking" => out.thought(&self.thinking),
            "tool_use" | "server_tool_use" => {
                out.called(&self.id, &self.name, &Arguments::of(self.input));
            }
            _ => {}
        }
    }

    /// Tells a tool's answer, and the user's words where they refused the call.
    pub(crate) fn tell_answer(&self, out: &mut Out<'_>) {
        let text = joined(self.content);
        out.answered(&self.tool_use_id, !self.is_error.0, &text);
        if self.is_error.0
            && let Some((_, words)) = text.split_once(REFUSED)
        {
            out.asked(words);
        }
    }
}
