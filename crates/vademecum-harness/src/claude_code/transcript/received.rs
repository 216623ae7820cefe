//! What of ours the conversation of a transcript still holds.

use std::collections::BTreeSet;

use memchr::memmem;
use serde::Deserialize;

use super::contexts::{self, Context, State};
use super::turns::Turns;
use crate::claude_code::own_tool;
use crate::received::Received;
use crate::transcript::{Blocks, Flag, Maybe, Reader as _, Str, parse};

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
    for (number, piece) in pieces {
        match (piece, live.is_live(number)) {
            (Piece::Boundary, true) => received = none(),
            (Piece::Context(context), true) => received.take(context),
            (Piece::Call(id), true) => received.calls.get_or_insert_default().extend([id]),
            (Piece::Boundary, false) => {}
            (Piece::Context(context), false) => {
                let receipt = context.receipt.filter(|_| context.state == State::Whole);
                received.left.whole.extend(receipt);
            }
            (Piece::Call(_), false) => received.left.has_calls = true,
        }
    }
    received
}

/// What stands in the leaf that the record names right after the user went back to an earlier place.
const NO_LEAF: &[u8] = b"\"leafUuid\":\"00000000-0000-0000-0000-000000000000\"";

/// Whether the end of a record tells that the user went back to an earlier place.
pub(crate) fn went_back(bytes: &[u8]) -> bool {
    memmem::find(bytes, NO_LEAF).is_some()
}

/// The contexts of prompts behind the last answer, the lines being given from the last one back.
///
/// Whether that answer was found is said beside them.
pub(crate) fn unanswered_in<'a>(lines: impl Iterator<Item = &'a [u8]>) -> (Vec<Context>, bool) {
    let mut found = Vec::new();
    for line in lines.filter_map(|line| std::str::from_utf8(line).ok()) {
        if is_heard(line) {
            return (found, true);
        }
        let contexts = contexts::in_line(line.as_bytes()).and_then(Result::ok).unwrap_or_default();
        let of_prompts = contexts
            .into_iter()
            .filter(|context| context.event == "UserPromptSubmit" && context.state != State::Sent);
        found.extend(of_prompts);
    }
    (found, false)
}

/// How the harness says that an answer was interrupted: what was asked stays in the conversation.
const INTERRUPTED: &str = "[Request interrupted";

/// Whether a line shows that the model has what stands before it.
fn is_heard(line: &str) -> bool {
    let record: Head<'_> = parse(line).unwrap_or_default();
    match &*record.kind {
        "assistant" => !record.is_sidechain.0,
        "system" => &*record.subtype == "compact_boundary",
        "user" => line.contains("\"tool_result\"") || line.contains(INTERRUPTED),
        _ => false,
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Head<'a> {
    #[serde(rename = "type", borrow)]
    kind: Str<'a>,
    #[serde(borrow)]
    subtype: Str<'a>,
    #[serde(rename = "isSidechain")]
    is_sidechain: Flag,
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
