//! What happened in a session, in order of time, as a person is shown it.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_core::time::Time;

use crate::moments::Claude;

const MINUTE: i64 = 60_000;

const NEXT: &str = "99999999-0000-4000-8000-000000000002";

/// A session of Claude Code that writes its transcript at the time of the clock.
struct Run {
    claude: Claude,
    lines: Vec<Value>,
}

impl Run {
    fn new() -> Self {
        Self { claude: Claude::new(), lines: Vec::new() }
    }

    fn wait(&self) {
        self.claude.desk.clock.fetch_add(MINUTE, Ordering::SeqCst);
    }

    fn record(&mut self, kind: &str, more: &Value) {
        let (n, at) = (self.lines.len(), Time(self.claude.desk.clock.load(Ordering::SeqCst)));
        let mut line = json!({
            "type": kind, "uuid": format!("u{n}"), "isSidechain": false, "version": "2.1.330",
            "sessionId": self.claude.session, "timestamp": at.to_rfc3339(),
            "parentUuid": (0 < n).then(|| format!("u{}", n - 1)),
        });
        let object = line.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        self.lines.push(line);
        let text: Vec<String> = self.lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(self.claude.transcript(), text.concat()).expect("a transcript");
    }

    fn asks(&mut self, text: &str) {
        self.wait();
        self.record("user", &json!({"message": {"role": "user", "content": text}}));
    }

    /// The model hears a context, as it was sent or as the harness made it.
    fn hears(&mut self, event: &str, text: &str) {
        let attachment =
            json!({"type": "hook_additional_context", "content": [text], "hookEvent": event});
        self.record("attachment", &json!({"attachment": attachment}));
    }

    fn starts(&mut self, source: &str) -> String {
        self.wait();
        self.claude.starts(source)
    }

    fn compacts(&mut self, summary: &str) -> String {
        let context = self.starts("compact");
        self.record("system", &json!({"subtype": "compact_boundary"}));
        let message = json!({"role": "user", "content": summary});
        self.record("user", &json!({"isCompactSummary": true, "message": message}));
        context
    }

    fn object(&self, arguments: &Value) -> Value {
        self.claude.desk.object("session_timeline", arguments.clone())
    }

    /// When, what and the words, for a person.
    fn said(&self, arguments: &Value) -> String {
        let folder = self.claude.desk.folder().display().to_string();
        let reply = self.claude.desk.person("session_timeline", arguments.clone());
        reply.expect("an answer").text.replace(&folder, "~")
    }
}

/// A session with all that can happen in one, which another takes over.
fn full() -> Run {
    let mut run = Run::new();
    let first = run.starts("startup");
    run.hears("SessionStart", &first);
    run.asks("Make refunds idempotent.\nUse the key sk_live_51H8xZqLkdIwHu7ixk2pYvQmN of the test account.");
    run.claude.desk.object("write_notepad", json!({"content": "## Plan\n- [ ] find the cause"}));
    run.claude.desk.object("add_note", json!({"content": "why it fails", "tags": ["cause"]}));
    let told = run.claude.desk.object("list_notes", json!({}))["notes"][0]["id"].clone();
    run.claude.desk.object("scratch_note", json!({"id": told, "scratched": true}));
    let back = run.compacts(
        "Summary: refunds, with \u{1b}[31mcolour and key sk_live_51H8xZqLkdIwHu7ixk2pYvQmN.",
    );
    run.hears("SessionStart", &back);
    let cut = run.compacts("Summary: refunds again.");
    let preview = format!("<persisted-output>\nOutput too large (saved to x):\n{}", &cut[..90]);
    run.hears("SessionStart", &preview);
    let changed = run.compacts("Summary: a third time.").replace("the cause", "a cause");
    run.hears("SessionStart", &changed);
    run.compacts("Summary: a fourth time.");
    run.wait();
    let warning =
        "vade: this conversation is close to its token limit and will soon be compacted. Both.";
    run.hears("PostToolBatch", warning);
    let task = json!({"description": "Find callers", "prompt": "All of submit.", "subagent_type": "Explore"});
    let call = json!({"type": "tool_use", "id": "t1", "name": "Task", "input": task});
    run.record("assistant", &json!({"message": {"role": "assistant", "content": [call]}}));
    let agent = json!({"agent_id": "a1", "agent_type": "Explore"});
    run.claude.event("SubagentStart", &agent);
    run.wait();
    run.claude.event("SubagentStop", &agent);
    run.claude.desk.object("write_handoff", json!({"content": "Goal: refunds. Next: the test."}));
    run.wait();
    run.claude.event("SessionEnd", &json!({"reason": "other"}));
    run.wait();
    run.claude.desk.session = Some(format!("claude-code:{NEXT}"));
    run.claude.session = NEXT;
    run.claude.event("SessionStart", &json!({"source": "startup", "transcript_path": "/gone"}));
    run.claude.desk.object("read_handoff", json!({}));
    run.claude.desk.session = Some(format!("claude-code:{}", crate::moments::SESSION));
    run
}

#[test]
fn all_that_happened_is_shown_in_order_of_time() {
    let run = full();
    insta::assert_snapshot!(run.said(&json!({})));
}

#[test]
fn whole_texts_are_shown_where_they_are_asked_for() {
    let run = full();
    let events = run.object(&json!({"whole": true}))["events"].clone();
    let events = events.as_array().expect("a list");
    let bodies = |kind: &str| -> Vec<&str> {
        let of = events.iter().filter(|event| event["kind"] == kind);
        of.map(|event| event["body"].as_str().unwrap_or_default()).collect()
    };
    assert_eq!(bodies("prompt").len(), 1);
    assert!(bodies("prompt")[0].starts_with("Make refunds idempotent.\nUse the key "));
    assert!(bodies("context").iter().any(|body| body.contains("- [ ] find the cause")));
    let all = run.object(&json!({"whole": true})).to_string();
    assert!(!all.contains("51H8xZqLkdIwHu7ixk2pYvQmN"), "secrets are taken out: {all}");
    assert!(run.object(&json!({}))["events"][3].get("body").is_none());
    let taken = events.iter().find(|event| event["kind"] == "taken_over").expect("a taker");
    assert_eq!(taken["refers_to"], format!("claude-code:{NEXT}"), "a name that any call takes");
}

/// A password that a prompt names is one wherever it stands bare, and a context may be anybody's.
#[test]
fn what_was_known_for_a_secret_once_stands_nowhere() {
    let mut run = Run::new();
    let start = run.starts("startup");
    run.hears("SessionStart", &start);
    run.hears("SessionStart", "another tool: ghp_0123456789abcdefghijABCDEFGHIJ012345");
    run.asks("export DB_PASSWORD=Vb6Nm8Kl0Pq2Ws4E and go");
    run.hears("UserPromptSubmit", "the password Vb6Nm8Kl0Pq2Ws4E again");
    run.compacts("Summary: it uses Vb6Nm8Kl0Pq2Ws4E.");
    let all = run.object(&json!({"whole": true})).to_string();
    assert!(all.contains("Summary: it uses [secret replaced"), "{all}");
    assert!(!all.contains("Vb6Nm8Kl0Pq2Ws4E") && !all.contains("ghp_0123456789"), "{all}");
}

#[test]
fn the_newest_are_shown_and_the_others_counted() {
    let run = full();
    let all = run.object(&json!({"limit": 0}))["events"].as_array().expect("a list").len();
    let all = u64::try_from(all).expect("a number");
    let few = run.object(&json!({"limit": 2}));
    let kinds: Vec<&str> = few["events"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|event| event["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["ended", "taken_over"]);
    assert!(few["earlier"].as_u64().expect("a number") <= all - 2);
    assert!(run.said(&json!({"limit": 2})).contains("before these left out"));
}

#[test]
fn without_its_transcript_a_session_still_has_what_the_store_knows() {
    let run = full();
    std::fs::remove_file(run.claude.transcript()).expect("a transcript");
    insta::assert_snapshot!(run.said(&json!({})));
}

#[test]
fn of_a_long_transcript_the_end_is_read_and_the_rest_is_said() {
    let mut run = Run::new();
    run.starts("startup");
    run.asks("the first words");
    let filler = "x".repeat(700_000);
    for _ in 0..8 {
        let text = json!({"type": "text", "text": filler});
        run.record("assistant", &json!({"message": {"role": "assistant", "content": [text]}}));
    }
    run.asks("the last words");
    let said = run.said(&json!({}));
    assert!(said.contains("the last words") && !said.contains("the first words"), "{said}");
    assert!(said.contains("of its transcript were read"), "{said}");
}

#[test]
fn a_session_that_is_not_there_is_named() {
    let mut run = Run::new();
    run.claude.desk.session = Some("claude-code:nowhere".to_owned());
    assert_eq!(
        run.claude.desk.error("session_timeline", json!({})),
        "missing: no session \"claude-code:nowhere\""
    );
}

#[test]
fn a_person_reads_what_was_said_and_a_model_what_is_guarded() {
    let mut run = Run::new();
    run.starts("startup");
    run.asks("Why does <system-reminder> stand here?\u{1b}[31m");
    let line = |said: String| said.lines().find(|it| it.contains(" prompt ")).map(str::to_owned);
    let by_agent = run.claude.desk.call("session_timeline", json!({})).expect("an answer").text;
    let said = [line(run.said(&json!({}))), line(by_agent)];
    let at = "2025-11-21T04:42:00.000Z  prompt ";
    assert_eq!(
        said,
        [
            Some(format!("{at} Why does <system-reminder> stand here?\\u{{1b}}[31m")),
            Some(format!("{at} Why does \\u{{3c}}system-reminder> stand here?\\u{{1b}}[31m")),
        ]
    );
}
