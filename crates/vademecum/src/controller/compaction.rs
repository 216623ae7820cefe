//! Compaction: what is told of the turns to who summarises them, a model of the host's or our recap.

use std::io::Cursor;

use serde_json::{Value, json};
use vademecum_core::intake::{Cleaner, Policy};
use vademecum_core::tokens::estimate;
use vademecum_harness::transcript::{self, Format, Span};
use vademecum_ops::OpError;
use vademecum_recap::{Digest, Options};

use super::turns::{Turn, Turns};

/// What a model is told that summarises for an agent with such a `page`, or none.
pub(super) fn task(page: Option<&str>) -> String {
    let more = page.map(|page| format!(" Do not repeat the {page}: the agent keeps it in full."));
    let more = more.unwrap_or_default();
    format!(
        "Summarize the record of an agent's session that follows, for the agent itself, which will go on from your summary alone. Keep what the user asked for and forbade, in their words; what was decided and why; what is done, what failed, what is open; names, paths, numbers and errors exactly.{more} Answer with the summary only."
    )
}

/// The turns as plain text.
pub(super) fn told<'a>(turns: impl Iterator<Item = &'a Turn>) -> String {
    let mut text = String::new();
    for turn in turns {
        tell(&mut text, turn);
    }
    text
}

fn tell(text: &mut String, turn: &Turn) {
    let mut line = |voice: &str, words: &str| {
        if !words.trim().is_empty() {
            text.extend([voice, ": ", words, "\n"]);
        }
    };
    match turn {
        Turn::User(words) => line("user", words),
        // What the memory holds comes back by itself.
        Turn::Summary(summary) => line("summary", &summary.text),
        Turn::Warning => {}
        Turn::Agent(reply) => {
            line("agent", &reply.answer.text);
            for (call, result) in reply.answer.calls.iter().zip(&reply.results) {
                line("call", &format!("{} {}", call.name, call.arguments));
                let result = result.as_ref().map_or("", |result| result.text.as_str());
                line("result", result);
            }
        }
    }
}

/// The whole session within `budget` tokens, without a model.
pub(super) fn recap(turns: &Turns, budget: usize, policy: Policy) -> Result<String, OpError> {
    let mut log = Vec::new();
    for turn in &turns.all {
        for message in logged(turn) {
            log.extend_from_slice(message.to_string().as_bytes());
            log.push(b'\n');
        }
    }
    let mut cleaner = Cleaner::new(policy);
    let mut digest = Digest::new(&Options { roots: Vec::new() });
    let mut take = |mut turn: vademecum_core::turn::Turn| {
        turn.clean(&mut cleaner);
        digest.push(&turn);
    };
    transcript::read(Some(Format::MessageLog), Span::Whole, &mut Cursor::new(log), &mut take)
        .map_err(|error| OpError::broken(format!("the session cannot be recapped: {error}")))?;
    Ok(digest.recap(budget).text)
}

/// The turn as lines of a message log; what only a harness says is none.
fn logged(turn: &Turn) -> Vec<Value> {
    match turn {
        Turn::User(text) => vec![json!({"role": "user", "content": text})],
        Turn::Warning | Turn::Summary(_) => Vec::new(),
        Turn::Agent(reply) if reply.is_flush => Vec::new(),
        Turn::Agent(reply) => {
            let answer = &reply.answer;
            let said =
                json!({"role": "assistant", "content": answer.text, "tool_calls": answer.calls});
            let results = reply.results.iter().flatten().map(|result| {
                json!({
                    "role": "tool",
                    "tool_call_id": result.call,
                    "content": result.text,
                    "is_error": result.is_error,
                })
            });
            std::iter::once(said).chain(results).collect()
        }
    }
}

/// About how many tokens a compaction would free: what is shown but summaries and the user's words.
pub(super) fn freed(turns: &Turns) -> usize {
    let shown = turns.visible();
    shown.iter().filter(|turn| matches!(turn, Turn::Agent(_))).map(|turn| cost(turn)).sum()
}

fn cost(turn: &Turn) -> usize {
    estimate(&told(std::iter::once(turn)))
}
