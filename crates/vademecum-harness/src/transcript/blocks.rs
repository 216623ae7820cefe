//! The blocks of a message as the makers of Claude write them, in transcripts and in logs.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Arguments, Flag, Joined, Maybe, Out, Raw, Str, parse};

/// One block.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
pub(crate) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Str<'a>,
    #[serde(borrow)]
    pub(crate) text: Str<'a>,
    #[serde(borrow)]
    thinking: Str<'a>,
    #[serde(borrow)]
    pub(crate) id: Str<'a>,
    #[serde(borrow)]
    pub(crate) name: Str<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    tool_use_id: Str<'a>,
    content: Joined,
    is_error: Flag,
}

/// The blocks of a message; a message that is a string is one block.
#[derive(Debug, Default)]
pub(crate) struct Blocks<'a>(pub(crate) Vec<Block<'a>>);

impl<'a> Blocks<'a> {
    /// The blocks in the content of a message.
    pub(crate) fn of(content: Raw<'a>) -> serde_json::Result<Self> {
        content.map_or_else(|| Ok(Self::default()), |raw| parse(raw.get()))
    }

    fn text(text: Str<'a>) -> Self {
        Self(vec![Block { kind: Str(Cow::Borrowed("text")), text, ..Block::default() }])
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Blocks<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(List)
    }
}

struct List;

impl<'de> Visitor<'de> for List {
    type Value = Blocks<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("blocks or a text")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Blocks<'de>, A::Error> {
        let mut blocks = Vec::new();
        while let Some(Maybe(block)) = list.next_element()? {
            blocks.extend(block);
        }
        Ok(Blocks(blocks))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Blocks<'de>, E> {
        Ok(Blocks::text(Str(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Blocks<'de>, E> {
        Ok(Blocks::text(Str(Cow::Owned(text.to_owned()))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Blocks<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Blocks::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Blocks<'de>, E> {
        Ok(Blocks::default())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Blocks<'de>, E> {
        Ok(Blocks::text(Str(Cow::Owned(number.to_string()))))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Blocks<'de>, E> {
        Ok(Blocks::text(Str(Cow::Owned(number.to_string()))))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Blocks<'de>, E> {
        Ok(Blocks::text(Str(Cow::Owned(number.to_string()))))
    }

    fn visit_unit<E>(self) -> Result<Blocks<'de>, E> {
        Ok(Blocks::default())
    }
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

    /// Tells a tool's answer.
    pub(crate) fn tell_answer(&self, out: &mut Out<'_>) {
        out.answered(&self.tool_use_id, !self.is_error.0, &self.content.0);
    }
}
