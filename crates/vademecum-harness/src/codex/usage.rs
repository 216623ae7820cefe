//! How full the context of Codex is and where it is compacted, from the end of a rollout.

use std::borrow::Cow;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;

use crate::tail;

/// The most that is read from the end of a rollout, in bytes.
pub const TAIL: u64 = 256 * 1024;

/// What the end of a rollout says about the context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many tokens the context holds; none where no answer is within what was read.
    pub tokens: Option<u64>,
    /// The id of the last answer; none right after a compaction.
    pub answer: Option<String>,
    /// The window that Codex uses, which is 95 % of the model's.
    pub window: Option<u64>,
}

impl Usage {
    /// At how many tokens Codex compacts, `limit` being what the person set.
    ///
    /// That is 90 % of the model's window, of which the one that is used is 95 %.
    #[must_use]
    pub fn compact_at(&self, limit: Option<u64>) -> Option<u64> {
        let own = self.window.map(|window| window.saturating_mul(90) / 95);
        own.into_iter().chain(limit).min()
    }
}

/// Reads the rollout at `path` from its last `limit` bytes.
pub fn usage(path: &Path, limit: u64) -> std::io::Result<Usage> {
    tail::search(path, limit, |tail, is_whole| {
        let mut search = Search::default();
        let is_done = tail::lines(tail, is_whole).any(|line| search.is_done_with(line));
        (search.found, is_done)
    })
}

/// Whether no context of ours stands behind the last compaction of the rollout at `path`.
///
/// A rollout without a compaction in its last `limit` bytes has lost none.
pub fn is_context_gone(path: &Path, limit: u64) -> std::io::Result<bool> {
    tail::search(path, limit, |tail, is_whole| {
        let mut lines = tail::lines(tail, is_whole);
        let gone = lines.find_map(|line| match () {
            () if loses_context(line) => Some(true),
            () if memmem::find(line, RECEIPT).is_some() && is_from_a_hook(line) => Some(false),
            () => None,
        });
        (gone.unwrap_or(false), gone.is_some())
    })
}

/// Whether what stands before the line of a rollout may be no part of the conversation any more.
pub(crate) fn loses_context(line: &[u8]) -> bool {
    is_of_kind(line, b"\"compacted\"") || is_of_kind(line, b"\"thread_rolled_back\"")
}

/// How the last line of a context begins.
const RECEIPT: &[u8] = b"[vade receipt ";

fn is_from_a_hook(line: &[u8]) -> bool {
    memmem::find(line, b"\"role\":\"developer\"").is_some()
}

/// Whether the line says near its begin that it is of this kind: a summary can be long.
fn is_of_kind(line: &[u8], kind: &[u8]) -> bool {
    memmem::find(&line[..line.len().min(200)], kind).is_some()
}

/// What was found so far, from the last line back.
#[derive(Default)]
struct Search {
    found: Usage,
    /// Whether what stands further back says nothing more of the answer.
    is_answer_known: bool,
}

impl Search {
    /// Takes in one line; true once nothing is missing.
    fn is_done_with(&mut self, line: &[u8]) -> bool {
        let Some(Line { kind, payload }) = read(line) else { return false };
        let window = payload.info.as_ref().and_then(|info| info.window).or(payload.window);
        self.found.window = self.found.window.or(window);
        let used = payload.info.and_then(|info| info.last).or(payload.usage);
        if kind == "compacted" {
            self.is_answer_known = true;
        } else if let Some(used) = used.filter(|used| 0 < used.total) {
            self.take(&used, payload.response_id.map(Cow::into_owned));
        }
        self.is_answer_known && self.found.window.is_some()
    }

    /// Takes in a count, which is an answer's, or behind a compaction Codex's own.
    fn take(&mut self, used: &Counts, answer: Option<String>) {
        if self.is_answer_known {
            return;
        }
        let is_same = self.found.tokens.is_none_or(|tokens| tokens == used.total);
        if is_same {
            self.found.tokens = Some(used.total);
            self.found.answer = answer;
        }
        self.is_answer_known = !is_same || self.found.answer.is_some() || used.input == 0;
    }
}

fn read(line: &[u8]) -> Option<Line<'_>> {
    let kinds: [&[u8]; 4] =
        [b"\"token_usage_record\"", b"\"token_count\"", b"\"task_started\"", b"\"compacted\""];
    let is_ours = kinds.iter().any(|kind| is_of_kind(line, kind));
    is_ours.then(|| serde_json::from_slice(line).ok())?
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    payload: Payload<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Payload<'a> {
    #[serde(borrow)]
    response_id: Option<Cow<'a, str>>,
    usage: Option<Counts>,
    info: Option<Info>,
    #[serde(rename = "model_context_window")]
    window: Option<u64>,
}

#[derive(Deserialize)]
struct Info {
    #[serde(rename = "last_token_usage")]
    last: Option<Counts>,
    #[serde(rename = "model_context_window")]
    window: Option<u64>,
}

#[derive(Deserialize)]
struct Counts {
    #[serde(rename = "input_tokens", default)]
    input: u64,
    #[serde(rename = "total_tokens", default)]
    total: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const STARTED: &str =
        r#"{"type":"event_msg","payload":{"type":"task_started","model_context_window":95000}}"#;
    const COMPACTED: &str = r#"{"timestamp":"t","type":"compacted","payload":{"message":"…"}}"#;

    fn count(input: u64, total: u64) -> String {
        format!(
            r#"{{"type":"event_msg","payload":{{"type":"token_count","info":{{"last_token_usage":{{"input_tokens":{input},"total_tokens":{total}}},"model_context_window":95000}}}}}}"#
        )
    }

    fn record(id: &str, total: u64) -> String {
        format!(
            r#"{{"type":"token_usage_record","payload":{{"response_id":"{id}","usage":{{"input_tokens":1,"total_tokens":{total}}}}}}}"#
        )
    }

    #[track_caller]
    fn check(lines: &[&str], tokens: Option<u64>, answer: Option<&str>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, lines.join("\n") + "\n").expect("a file");
        let wanted = Usage { tokens, answer: answer.map(str::to_owned), window: Some(95_000) };
        assert_eq!(usage(&path, TAIL).expect("a rollout"), wanted);
    }

    #[test]
    fn the_last_answer_counts() {
        let (one, two) = (record("r1", 10), record("r2", 20));
        check(&[STARTED], None, None);
        check(&[STARTED, &one, &two], Some(20), Some("r2"));
        check(&[STARTED, &one, &count(1, 10), &two, &count(1, 20)], Some(20), Some("r2"));
        // Older versions write counts alone.
        check(&[STARTED, &count(1, 10), &count(1, 20)], Some(20), None);
    }

    #[test]
    fn nothing_before_a_compaction_counts() {
        let one = record("r1", 90);
        check(&[STARTED, &one, COMPACTED], None, None);
        check(&[STARTED, &one, COMPACTED, &count(0, 6)], Some(6), None);
        check(&[STARTED, &one, COMPACTED, &count(0, 6), &record("r2", 7)], Some(7), Some("r2"));
    }

    #[test]
    fn the_person_may_compact_earlier_and_never_later() {
        let usage = Usage { window: Some(258_400), ..Usage::default() };
        assert_eq!(usage.compact_at(None), Some(244_800));
        assert_eq!(usage.compact_at(Some(50_000)), Some(50_000));
        assert_eq!(usage.compact_at(Some(900_000)), Some(244_800));
        assert_eq!(Usage::default().compact_at(None), None);
    }
}
