//! Which of our contexts a rollout shows, and which of them reached the model whole.

use std::borrow::Cow;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;

use super::usage::loses_context;
use crate::claude_code::transcript::TranscriptError;
use crate::claude_code::transcript::contexts::{Context, Contexts, OPENER, State, open, whole};
use crate::received::Received;

/// How Codex begins what it puts in the place of a text that is too long.
const PREVIEW: &str = "Warning: truncated output";

/// Opens the rollout at `path`; it does not name the events.
pub fn contexts(path: &Path) -> Result<Contexts, TranscriptError> {
    open(path, in_line)
}

/// The contexts in one line of a rollout; none if it is not from a hook.
pub(crate) fn in_line(line: &[u8]) -> Option<serde_json::Result<Vec<Context>>> {
    is_from_a_hook(line).then(|| serde_json::from_slice(line).map(Line::contexts))
}

/// Reads what stands behind the last compaction of a rollout; calls of tools carry no id that we get.
pub(crate) fn received_in(lines: &[&[u8]]) -> Received {
    let mut received = Received::default();
    for line in lines {
        if loses_context(line) {
            received = Received::default();
        } else if let Some(Ok(found)) = in_line(line) {
            for context in found {
                received.take(context);
            }
        }
    }
    received
}

fn is_from_a_hook(line: &[u8]) -> bool {
    [&b"\"response_item\""[..], b"\"developer\"", b"vade"]
        .iter()
        .all(|part| memmem::find(line, part).is_some())
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    payload: Payload<'a>,
}

#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Vec<Part<'a>>,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

impl Line<'_> {
    fn contexts(self) -> Vec<Context> {
        if self.payload.role.as_deref() != Some("developer") {
            return Vec::new();
        }
        let texts = self.payload.content.iter().filter_map(|part| part.text.as_deref());
        texts.filter_map(received).collect()
    }
}

/// The contexts in one line that reached the model, each with its text; a line that is no JSON has none.
pub(crate) fn delivered_in_line(line: &[u8]) -> Vec<(Context, String)> {
    if !is_from_a_hook(line) {
        return Vec::new();
    }
    let Ok(Line { payload }) = serde_json::from_slice(line) else { return Vec::new() };
    if payload.role.as_deref() != Some("developer") {
        return Vec::new();
    }
    let texts = payload.content.into_iter().filter_map(|part| part.text);
    texts.filter_map(|text| Some((received(&text)?, text.into_owned()))).collect()
}

fn received(text: &str) -> Option<Context> {
    let cut = Context { event: String::new(), receipt: None, state: State::Preview };
    let is_cut = || text.starts_with(PREVIEW) && text.contains(OPENER);
    whole("", text).or_else(|| is_cut().then_some(cut))
}

#[cfg(test)]
mod tests {
    use vademecum_core::hash;

    use super::*;

    #[track_caller]
    fn check(role: &str, text: &str, wanted: Option<State>) {
        let content = serde_json::json!([{ "type": "input_text", "text": text }]);
        let payload = serde_json::json!({ "type": "message", "role": role, "content": content });
        let line = serde_json::json!({ "type": "response_item", "payload": payload }).to_string();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, line + "\n").expect("a file");
        let found: Vec<State> = contexts(&path)
            .expect("a rollout")
            .map(|context| context.expect("a line").state)
            .collect();
        assert_eq!(found, wanted.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn finds_what_arrived_and_how() {
        let above = "vade: session 12345678\n## Session Notepad\nx\n";
        let receipt = hash::hex(&hash::plain(above.as_bytes()), 8);
        let whole = format!("{above}[vade receipt {receipt}]");
        check("developer", &whole, Some(State::Whole));
        check("developer", &whole.replace('x', "y"), Some(State::Changed));
        check("user", &whole, None);
        let cut = format!("Warning: truncated output (original token count: 9)\n{above}");
        check("developer", &cut, Some(State::Preview));
        check("developer", "say vade: something", None);
    }
}
