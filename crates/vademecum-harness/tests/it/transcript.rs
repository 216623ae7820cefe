//! What is read of transcripts: whole, torn, foreign and long ones.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use vademecum_core::error::Kind;
use vademecum_core::hash;
use vademecum_harness::claude_code::transcript::contexts::{LINE_MAX, State, contexts};
use vademecum_harness::claude_code::transcript::usage::{TAIL, Tokens, Usage, Whose, usage};

fn file(lines: &[&[u8]]) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(&lines.concat()).expect("a transcript");
    file
}

fn answer(id: &str, tokens: u64) -> String {
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"message":{{"id":"{id}","model":"claude-sonnet-5","role":"assistant","content":[{{"type":"text","text":"\"usage\" 漢"}}],"usage":{{"input_tokens":{tokens},"cache_creation_input_tokens":2,"cache_read_input_tokens":null,"output_tokens":1,"iterations":[]}}}},"type":"assistant","uuid":"u"}}"#
    ) + "\n"
}

const BOUNDARY: &str = r#"{"parentUuid":null,"isSidechain":false,"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":99079,"postTokens":2727}}
"#;
const USER: &str = r#"{"type":"user","message":{"role":"user","content":"compact_boundary"},"toolUseResult":{"usage":{"input_tokens":9}}}
"#;
const SYNTHETIC: &str = r#"{"type":"assistant","message":{"id":"m9","model":"<synthetic>","usage":{"input_tokens":7}}}
"#;

fn used(tokens: u64, id: &str) -> Tokens {
    let (message_id, model) = (Some(id.to_owned()), Some("claude-sonnet-5".to_owned()));
    Tokens::Used { tokens, message_id, model }
}

#[track_caller]
fn check(lines: &[&[u8]], whose: Whose, expected: &Usage) {
    let file = file(lines);
    assert_eq!(usage(file.path(), whose, TAIL).as_ref().ok(), Some(expected));
}

fn clean(tokens: Tokens) -> Usage {
    Usage { tokens, is_torn: false, n_skipped: 0 }
}

#[test]
fn the_last_answer_counts() {
    let (first, last) = (answer("m1", 100), answer("m2", 200));
    let lines = [first.as_bytes(), last.as_bytes(), USER.as_bytes(), SYNTHETIC.as_bytes()];
    check(&lines, Whose::Session, &clean(used(203, "m2")));
    check(&[], Whose::Session, &clean(Tokens::Unknown));
}

#[test]
fn a_boundary_ends_what_counts() {
    let (before, after) = (answer("m1", 100), answer("m2", 10));
    let compacted = clean(Tokens::Compacted { tokens: Some(2_727) });
    check(&[before.as_bytes(), BOUNDARY.as_bytes(), USER.as_bytes()], Whose::Session, &compacted);
    let lines = [before.as_bytes(), BOUNDARY.as_bytes(), after.as_bytes()];
    check(&lines, Whose::Session, &clean(used(13, "m2")));
}

#[test]
fn a_sub_agent_counts_only_in_its_own_transcript() {
    let own = answer("m1", 100);
    let agents = answer("a1", 7).replace("\"isSidechain\":false", "\"isSidechain\":true");
    let lines = [own.as_bytes(), agents.as_bytes()];
    check(&lines, Whose::Session, &clean(used(103, "m1")));
    check(&lines, Whose::Agent, &clean(used(10, "a1")));
}

#[test]
fn torn_foreign_and_broken_lines_are_passed_over() {
    let answer = answer("m1", 100);
    let torn = &answer.as_bytes()[..answer.len() - 30];
    let lines = [answer.as_bytes(), b"\0\0\0\n", b"{\"usage\":\0}\n", b"not JSON\n\n", torn];
    check(&lines, Whose::Session, &Usage { tokens: used(103, "m1"), is_torn: true, n_skipped: 2 });
    let whole_but_unended = answer.trim_end().as_bytes();
    let expected = Usage { tokens: used(103, "m1"), is_torn: true, n_skipped: 0 };
    check(&[whole_but_unended], Whose::Session, &expected);
}

#[test]
fn only_the_tail_is_read() {
    let answer = answer("m1", 100);
    let long = format!("{{\"type\":\"user\",\"text\":\"{}\"}}\n", "x".repeat(200 * 1024));
    check(&[answer.as_bytes(), long.as_bytes()], Whose::Session, &clean(used(103, "m1")));
    let lines = [answer.as_bytes(), long.as_bytes(), long.as_bytes()];
    check(&lines, Whose::Session, &clean(Tokens::Unknown));
}

#[test]
fn a_transcript_that_is_not_there_is_missing() {
    let missing = usage(Path::new("/does/not/exist.jsonl"), Whose::Session, TAIL);
    assert_eq!(missing.map_err(|error| error.kind()), Err(Kind::Missing));
}

fn context(body: &str) -> String {
    let body = format!("vade: {body}\n");
    format!("{body}[vade receipt {}]", hash::hex(&hash::plain(body.as_bytes()), 8))
}

fn delivered(texts: &[&str]) -> String {
    let line = serde_json::json!({"type": "attachment", "attachment": {
        "type": "hook_additional_context", "content": texts, "hookEvent": "SessionStart"}});
    format!("{line}\n")
}

fn printed(text: &str) -> String {
    let stdout = serde_json::json!({"hookSpecificOutput": {"additionalContext": text}});
    let line = serde_json::json!({"type": "attachment", "attachment": {
        "type": "hook_success", "content": "", "stdout": format!("{stdout}\n"),
        "hookEvent": "SessionStart"}});
    format!("{line}\n")
}

fn states(lines: &[&str]) -> (Vec<(State, bool)>, usize) {
    let bytes: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    let file = file(&bytes);
    let mut contexts = contexts(file.path()).expect("a transcript");
    let states = contexts.by_ref().map(|context| {
        let context = context.expect("a line");
        (context.state, context.receipt.is_some())
    });
    (states.collect(), contexts.n_skipped())
}

#[test]
fn receipts_tell_what_arrived() {
    let whole = context("notes 漢😀\n## x");
    let cut = &whole[..whole.len() - 5];
    let changed = whole.replace("notes", "votes");
    let preview = "<persisted-output>\nOutput too large (9.8KB). Full output saved to: /t/x.txt\n\nPreview (first 2KB):\nvade: notes\n...\n</persisted-output>";
    let foreign = preview.replace("vade:", "other:");
    let lines = [
        printed(&whole),
        delivered(&["another's", &whole]),
        delivered(&[&foreign, preview, cut]),
        delivered(&[&changed, &format!("{whole}\n")]),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let expected = vec![
        (State::Sent, true),
        (State::Whole, true),
        (State::Preview, false),
        (State::Changed, false),
        (State::Changed, true),
        (State::Whole, true),
    ];
    assert_eq!(states(&lines), (expected, 0));
}

#[test]
fn lines_of_any_length_and_kind_are_passed_over() {
    let whole = delivered(&[&context("notes")]);
    let long = delivered(&[&"x".repeat(LINE_MAX)]);
    let quoted = format!("{{\"type\":\"user\",\"text\":{}}}\n", serde_json::json!(whole));
    let lines = [&long, "\0\n", "\n", &quoted, BOUNDARY, &whole, &whole[..whole.len() - 4]];
    assert_eq!(states(&lines), (vec![(State::Whole, true)], 2));
}

/// Other people's transcripts are measured with where they are at hand, and never copied here.
#[test]
fn real_transcripts_can_be_read() {
    let Some(folder) = std::option_env!("VADE_TRANSCRIPTS").map(PathBuf::from) else { return };
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_agent = path.to_string_lossy().contains("subagent");
        let whose = if is_agent { Whose::Agent } else { Whose::Session };
        let usage = usage(&path, whose, TAIL).expect("a transcript");
        let contexts = contexts(&path).expect("a transcript").collect::<Result<Vec<_>, _>>();
        println!("{}: {usage:?}, {contexts:?}", path.display());
    }
}
