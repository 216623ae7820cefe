//! What of ours the conversation of a transcript still holds.

use std::collections::BTreeSet;

use memchr::memmem;
use serde::Deserialize;

use super::contexts::{self, Context};
use super::turns::Turns;
use crate::claude_code::own_tool;
use crate::received::Received;
use crate::transcript::{Blocks, Maybe, Reader as _, Str, parse};

/// What of ours a line holds.
enum Piece {
    Boundary,
    Context(Context),
    Call(String),
}

/// Reads what stands behind the last compaction of the live branch.
pub(crate) fn received_in(lines: &[&[u8]]) -> Received {
    let mut turns = Turns::default();
    let mut pieces: Vec<(u64, Piece)> = Vec::new();
    for (number, line) in (1..).zip(lines) {
        if let Ok(line) = std::str::from_utf8(line) {
            turns.survey(number, line);
            pieces.extend(pieces_of(line).into_iter().map(|piece| (number, piece)));
        }
    }
    let live = turns.into_live();
    let none = || Received { calls: Some(BTreeSet::new()), ..Received::default() };
    let mut received = none();
    for (_, piece) in pieces.into_iter().filter(|(number, _)| live.is_live(*number)) {
        match piece {
            Piece::Boundary => received = none(),
            Piece::Context(context) => received.take(context),
            Piece::Call(id) => received.calls.get_or_insert_default().extend([id]),
        }
    }
    received
}

fn pieces_of(line: &str) -> Vec<Piece> {
    let has = |part: &str| memmem::find(line.as_bytes(), part.as_bytes()).is_some();
    let record = || parse::<Record<'_>>(line).unwrap_or_default();
    if has("\"compact_boundary\"") && &*record().subtype == "compact_boundary" {
        return vec![Piece::Boundary];
    }
    if has("\"tool_use\"") && has("vade__") {
        let blocks = record().message.0.map(|message| message.content.0).unwrap_or_default();
        let ours = blocks.iter().filter(|block| own_tool(&block.name).is_some());
        return ours.map(|block| Piece::Call(block.id.to_string())).collect();
    }
    let found = contexts::in_line(line.as_bytes()).and_then(Result::ok).unwrap_or_default();
    found.into_iter().map(Piece::Context).collect()
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    subtype: Str<'a>,
    #[serde(borrow)]
    message: Maybe<Message<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    content: Blocks<'a>,
}
