//! The contexts of ours that a harness's record shows as given to the model, with their texts.

use std::io;
use std::path::Path;

use vademecum_core::time::Time;

use crate::claude_code::transcript::contexts::{self, Stamp};
use crate::codex;
use crate::hook::Harness;
use crate::received::Context;
use crate::tail;

/// One context as the model got it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// When its line was written; none where the harness does not say.
    pub at: Option<Time>,
    /// What the record shows of it.
    pub context: Context,
    /// What the model got: all of it, or what the harness put in its place.
    pub text: String,
}

/// Reads the contexts in the last `most` bytes of the record at `path`, oldest first.
///
/// A record that is not there has none.
pub fn delivered(harness: Harness, path: &Path, most: u64) -> io::Result<Vec<Delivered>> {
    let bytes = match tail::last(path, most) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes?,
    };
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|len| len < most);
    let in_line = match harness {
        Harness::ClaudeCode => contexts::delivered_in_line,
        Harness::Codex => codex::contexts::delivered_in_line,
    };
    let mut found = Vec::new();
    for line in tail::lines(&bytes, is_whole) {
        let told = in_line(line);
        let at = if told.is_empty() { None } else { Stamp::of(line) };
        let told = told.into_iter().rev();
        found.extend(told.map(|(context, text)| Delivered { at, context, text }));
    }
    found.reverse();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use vademecum_core::hash;

    use super::*;
    use crate::received::Received;

    /// A context as it is sent, with its receipt.
    fn signed(above: &str) -> String {
        let receipt = hash::hex(&hash::plain(above.as_bytes()), 8);
        format!("{above}[vade receipt {receipt}]")
    }

    fn claude(text: &str) -> String {
        let attachment = serde_json::json!({
            "type": "hook_additional_context", "hookEvent": "SessionStart", "content": [text],
        });
        let at = "2026-07-01T10:00:00.000Z";
        serde_json::json!({ "type": "attachment", "timestamp": at, "attachment": attachment })
            .to_string()
    }

    fn codex(text: &str) -> String {
        let content = serde_json::json!([{ "type": "input_text", "text": text }]);
        let payload =
            serde_json::json!({ "type": "message", "role": "developer", "content": content });
        let at = "2026-07-01T10:00:00.000Z";
        serde_json::json!({ "type": "response_item", "timestamp": at, "payload": payload })
            .to_string()
    }

    #[test]
    fn each_harness_shows_the_text_that_its_model_got_and_when() {
        let text = signed("vade: session 1234\n## Session Notepad\nx\n");
        for (harness, line) in
            [(Harness::ClaudeCode, claude(&text)), (Harness::Codex, codex(&text))]
        {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("record.jsonl");
            let other = "{\"type\":\"user\",\"content\":\"say vade: something\"}\n".repeat(9);
            std::fs::write(&path, format!("{other}{line}\nno JSON\n")).expect("a file");
            let found = delivered(harness, &path, 1 << 20).expect("a record");
            let said: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
            assert_eq!(said, [text.as_str()]);
            assert_eq!(found[0].at, Time::parse("2026-07-01T10:00:00.000Z"));
            let receipts: Vec<_> = found.into_iter().filter_map(|it| it.context.receipt).collect();
            assert_eq!(Received::read(harness, &path).expect("a record").whole, receipts);
            assert_eq!(delivered(harness, &path, 40).expect("a record"), [], "beyond the limit");
        }
    }
}
