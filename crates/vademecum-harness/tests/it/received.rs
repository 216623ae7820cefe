//! What a conversation still holds of ours: behind the last compaction, on the branch that it is on.

use serde_json::{Value, json};
use vademecum_core::hash;
use vademecum_harness::hook::Harness;
use vademecum_harness::received::Received;

/// A context whose receipt is made for it.
fn context(body: &str) -> (String, String) {
    let above = format!("vade: {body}\n");
    let receipt = hash::hex(&hash::plain(above.as_bytes()), 8);
    (format!("{above}[vade receipt {receipt}]"), receipt)
}

/// Records of Claude Code, each the child of the one before it unless it says otherwise.
fn transcript(records: &[Value]) -> String {
    let mut text = String::new();
    for (n, record) in records.iter().enumerate() {
        let parent = (0 < n).then(|| format!("u{}", n - 1));
        let mut line =
            json!({ "uuid": format!("u{n}"), "parentUuid": parent, "isSidechain": false });
        line.as_object_mut().expect("an object").extend(record.as_object().expect("one").clone());
        text += &line.to_string();
        text.push('\n');
    }
    text
}

fn heard(text: &str) -> Value {
    let attachment = json!({ "type": "hook_additional_context", "content": [text], "hookEvent": "SessionStart" });
    json!({ "type": "attachment", "attachment": attachment })
}

fn asked() -> Value {
    json!({ "type": "user", "message": { "role": "user", "content": "go on" } })
}

fn called(id: &str, tool: &str) -> Value {
    let call = json!({ "type": "tool_use", "id": id, "name": tool, "input": {} });
    json!({ "type": "assistant", "message": { "role": "assistant", "content": [call] } })
}

fn compacted() -> Value {
    json!({ "type": "system", "subtype": "compact_boundary", "parentUuid": null })
}

fn summary() -> Value {
    json!({ "type": "user", "isCompactSummary": true, "message": { "role": "user", "content": "was" } })
}

#[track_caller]
fn check(harness: Harness, record: &str, whole: &[&str], broken: &[&str], calls: Option<&[&str]>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("record.jsonl");
    std::fs::write(&path, record).expect("a file");
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let found = Received::read(harness, &path).expect("a record");
    let wanted = Received {
        whole: texts(whole),
        broken: texts(broken),
        calls: calls.map(|calls| calls.iter().map(|&id| id.to_owned()).collect()),
        left: found.left.clone(),
        is_all: found.is_all,
    };
    assert_eq!(found, wanted);
}

#[test]
fn what_stands_behind_the_last_compaction_is_still_there() {
    let ((one, _), (two, receipt)) = (context("one"), context("two"));
    let records = [
        heard(&one),
        asked(),
        called("t1", "mcp__vade__add_note"),
        compacted(),
        summary(),
        heard(&two),
        asked(),
        called("t2", "mcp__vade__add_note"),
        called("t3", "Bash"),
    ];
    check(Harness::ClaudeCode, &transcript(&records), &[&receipt], &[], Some(&["t2"]));
    // A compaction that nothing follows yet.
    check(Harness::ClaudeCode, &transcript(&records[..6]), &[&receipt], &[], Some(&[]));
    check(Harness::ClaudeCode, "", &[], &[], None);
}

#[test]
fn what_the_user_went_back_from_is_not() {
    let ((one, first), (two, _)) = (context("one"), context("two"));
    let mut back = asked();
    back["parentUuid"] = "u1".into();
    let records = [heard(&one), asked(), heard(&two), asked(), called("t1", "mcp__vade__x"), back];
    check(Harness::ClaudeCode, &transcript(&records), &[&first], &[], Some(&[]));
}

#[test]
fn one_that_was_cut_is_told_apart() {
    let (one, receipt) = context("one");
    let records = [heard(&one.replace("one", "two")), asked()];
    check(Harness::ClaudeCode, &transcript(&records), &[], &[&receipt], Some(&[]));
}

#[test]
fn a_rollout_is_one_line_of_time() {
    let ((one, first), (two, second)) = (context("one"), context("two"));
    let line = |text: &str| {
        let content = json!([{ "type": "input_text", "text": text }]);
        let payload = json!({ "type": "message", "role": "developer", "content": content });
        format!("{}\n", json!({ "type": "response_item", "payload": payload }))
    };
    let compacted =
        format!("{}\n", json!({ "type": "compacted", "payload": { "message": "was" } }));
    let rolled =
        json!({ "type": "event_msg", "payload": { "type": "thread_rolled_back", "num_turns": 1 } });
    let both = format!("{}{}", line(&one), line(&two));
    check(Harness::Codex, &both, &[&first, &second], &[], None);
    check(
        Harness::Codex,
        &format!("{}{compacted}{}", line(&one), line(&two)),
        &[&second],
        &[],
        None,
    );
    check(Harness::Codex, &format!("{both}{compacted}"), &[], &[], None);
    check(Harness::Codex, &format!("{both}{rolled}\n"), &[], &[], None);
}
