//! What the readers make of a small transcript of each harness.

use std::io::Cursor;
use std::path::Path;

use insta::assert_snapshot;
use vademecum_core::turn::{Event, Turn};
use vademecum_harness::opencode::transcript::{Row, Rows};
use vademecum_harness::transcript::{
    Format, LINE_MAX, Report, Skipped, Span, TEXT_MAX, TranscriptError, read, sniff,
};

pub(crate) const FIXTURES: [(&str, Format); 11] = [
    ("claude_code/session.jsonl", Format::ClaudeCode),
    ("claude_code/agent.jsonl", Format::ClaudeCode),
    ("claude_code/beside.jsonl", Format::ClaudeCode),
    ("codex/rollout.jsonl", Format::Codex),
    ("codex/beside.jsonl", Format::Codex),
    ("copilot/events.jsonl", Format::Copilot),
    ("copilot/beside.jsonl", Format::Copilot),
    ("opencode/export.json", Format::Opencode),
    ("opencode/beside.json", Format::Opencode),
    ("message_log/openai.jsonl", Format::MessageLog),
    ("message_log/anthropic.jsonl", Format::MessageLog),
];

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read(folder.join(name)).expect("a fixture")
}

pub(crate) fn turns(bytes: &[u8], format: Option<Format>, span: Span) -> (Vec<Turn>, Report) {
    let mut turns = Vec::new();
    let mut sink = |turn| turns.push(turn);
    let report = read(format, span, &mut Cursor::new(bytes), &mut sink).expect("a transcript");
    assert_eq!(turns.len() as u64, report.turns);
    (turns, report)
}

fn shown(turns: &[Turn], report: &Report) -> String {
    let lines = turns.iter().map(|turn| {
        let event = serde_json::to_string(&turn.event).expect("JSON");
        let at = turn.at.map_or_else(|| "-".to_owned(), |at| at.to_rfc3339()[14..19].to_owned());
        format!("{:>2} {at} {event}\n", turn.record)
    });
    format!("{}{report:#?}", lines.collect::<String>())
}

/// What a memory tells is no material, but how much a search found is counted.
#[test]
fn of_what_a_memory_tells_a_search_keeps_how_much_it_found() {
    let line = |role: &str, block: serde_json::Value| {
        serde_json::json!({"type": role, "sessionId": "s", "version": "2.1.330",
            "message": {"role": role, "content": [block]}})
        .to_string()
    };
    let told = |tool: &str, input: serde_json::Value| {
        let call =
            serde_json::json!({"type": "tool_use", "id": "t1", "name": tool, "input": input});
        let text = "3 found; 10 hold a part\nnote_1 (2026-11-16): use a lease";
        let answer = serde_json::json!({"type": "tool_result", "tool_use_id": "t1",
            "content": [{"type": "text", "text": text}]});
        let bytes = [line("assistant", call), line("user", answer)].join("\n") + "\n";
        let (turns, _) = turns(bytes.as_bytes(), Some(Format::ClaudeCode), Span::Whole);
        let answer = turns.into_iter().find_map(|turn| match turn.event {
            Event::Answered(answer) => Some(answer.text),
            _ => None,
        });
        answer.expect("an answer")
    };
    let searched = told("mcp__vade__search_notes", serde_json::json!({"query": "lease"}));
    assert_eq!(searched, "3 found; 10 hold a part");
    assert_eq!(told("mcp__vade__read_notepad", serde_json::json!({})), "");
}

#[test]
fn a_transcript_of_each_harness_becomes_turns() {
    for (name, format) in FIXTURES {
        let bytes = fixture(name);
        assert_eq!(sniff(&mut Cursor::new(&bytes)).ok(), Some(format), "{name}");
        let (turns, report) = turns(&bytes, None, Span::Whole);
        assert_eq!(report.skipped, Skipped::default(), "{name}");
        assert_snapshot!(name.replace(['/', '.'], "_"), shown(&turns, &report));
    }
}

#[test]
fn rows_of_a_database_say_the_same_as_the_export() {
    let bytes = fixture("opencode/export.json");
    let (from_export, _) = turns(&bytes, None, Span::Whole);
    let export: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let mut from_rows = Vec::new();
    let mut sink = |turn| from_rows.push(turn);
    let mut rows = Rows::new(&export["info"].to_string(), &mut sink);
    for message in export["messages"].as_array().expect("messages") {
        let mut info = message["info"].clone();
        let id = info["id"].take();
        for part in message["parts"].as_array().expect("parts") {
            let (message_id, message) = (id.as_str().expect("an id"), &info.to_string());
            rows.part(Row { message_id, message, part: &part.to_string() });
        }
    }
    assert_eq!(rows.finish().skipped, Skipped::default());
    assert_eq!(from_rows, from_export);
}

#[test]
fn what_no_reader_knows_is_an_error() {
    let error = |bytes: &[u8]| sniff(&mut Cursor::new(bytes)).expect_err("no transcript");
    assert!(matches!(error(b"{\"a\":1}\nx\n"), TranscriptError::Unknown { n_records: 2 }));
    assert!(matches!(error(b""), TranscriptError::Unknown { n_records: 0 }));
    assert!(matches!(error(b"SQLite format 3\0..."), TranscriptError::Database));
}

#[track_caller]
fn check_skipped(name: &str, change: impl Fn(&mut Vec<u8>), expected: &Skipped, replaced: u64) {
    let mut bytes = fixture(name);
    let (whole, _) = turns(&bytes, None, Span::Whole);
    change(&mut bytes);
    let (read, report) =
        turns(&bytes, Some(FIXTURES.iter().find(|it| it.0 == name).expect("it").1), Span::Whole);
    assert_eq!((&report.skipped, report.replaced), (expected, replaced));
    assert!(whole.len() <= read.len() + 2, "{} of {}", read.len(), whole.len());
}

#[test]
fn broken_lines_are_counted_and_passed_over() {
    let name = "codex/rollout.jsonl";
    let none = Skipped::default();
    check_skipped(name, |bytes| bytes.truncate(bytes.len() - 9), &Skipped { torn: 1, ..none }, 0);
    check_skipped(name, |bytes| bytes.truncate(bytes.len() - 1), &none, 0);
    check_skipped(
        name,
        |bytes| bytes.extend(b"warning: x\n[]\n"),
        &Skipped { foreign: 2, ..none },
        0,
    );
    check_skipped(name, |bytes| bytes.extend([0; 9]), &Skipped { nul: 1, ..none }, 0);
    check_skipped(name, |bytes| drop(bytes.splice(0..0, [0; 99])), &none, 0);
    let wild = b"{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"\xff \\ud800 \x01\"}}\n";
    check_skipped(name, |bytes| bytes.extend(wild), &none, 2);
    let long = [vec![b'x'; LINE_MAX + 1], vec![b'\n']].concat();
    check_skipped(name, |bytes| bytes.extend(&long), &Skipped { too_long: 1, ..none }, 0);
    let name = "opencode/export.json";
    check_skipped(name, |bytes| bytes.truncate(bytes.len() - 9), &Skipped { torn: 1, ..none }, 0);
}

#[test]
fn long_texts_lose_their_middle() {
    let line = serde_json::json!({"role": "user", "content": "漢".repeat(TEXT_MAX)});
    let (turns, report) = turns(line.to_string().as_bytes(), None, Span::Whole);
    assert_eq!((turns.len(), report.clipped, report.skipped.total()), (1, 1, 0));
}

#[test]
fn ends_say_how_much_they_cover() {
    let line = |number: usize| format!("{{\"role\":\"user\",\"content\":\"{number:0100}\"}}\n");
    let log: String = (0..1000).map(line).collect();
    let (turns, report) = turns(log.as_bytes(), None, Span::Ends { head: 1000, tail: 5000 });
    assert_eq!((report.coverage.read, report.coverage.is_whole()), (6000, false));
    assert_eq!(turns.len(), 1000 / line(0).len() + 5000 / line(0).len());
    assert!(format!("{:?}", turns.last()).contains("999"));
}

/// A recap that was read is no material for the next one, nor is what hooks put in.
#[test]
fn recaps_of_recaps_never_grow() {
    let (turns, _) = turns(&fixture("claude_code/session.jsonl"), None, Span::Whole);
    let text = format!("{turns:?}");
    for injected in ["older things", "working memory", "be brief", "Whatever", "Caveat", "/model"] {
        assert!(!text.contains(injected), "{injected}");
    }
}

#[test]
fn what_claude_code_says_in_the_models_name_is_not_told() {
    let said = |model: &str, text: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{text}","message":{{"id":"{text}","model":"{model}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let lines = [said("model-5", "Mended."), said("<synthetic>", "No response requested.")];
    for line in &lines {
        let (turns, _) = turns(line.as_bytes(), Some(Format::ClaudeCode), Span::Whole);
        let told: Vec<&Event> = turns.iter().map(|turn| &turn.event).collect();
        let expected = Event::Said { text: "Mended.".to_owned() };
        assert_eq!(told, if line == &lines[0] { vec![&expected] } else { Vec::new() });
    }
}
