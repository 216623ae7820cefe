//! The moments of Codex, where they are not as those of Claude Code.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_core::context::Unit;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::config::Config;
use vademecum_ops::moments::{Answer, answer, cap};

use crate::desk::Desk;

const SESSION: &str = "01a201bf-0702-77d1-9776-a7f321cd6b87";
const AGENT: &str = "01a201bf-087e-7df3-ba14-fa546ce171e6";
const PAGE: &str = "## Plan\n- [ ] 漢字 😀";

/// A Codex with one session in the folder of a desk.
struct Codex {
    desk: Desk,
    agent: Option<&'static str>,
}

impl Codex {
    fn new() -> Self {
        let mut desk = Desk::with(Config::default());
        desk.session = Some(format!("codex:{SESSION}"));
        Self { desk, agent: None }
    }

    /// The same as its sub-agent.
    fn into_agent(mut self) -> Self {
        self.agent = Some(AGENT);
        self.desk.session = Some(format!("codex:{SESSION}/{AGENT}"));
        self
    }

    fn rollout(&self) -> PathBuf {
        self.desk.folder().join(format!("rollout-{}.jsonl", self.agent.unwrap_or(SESSION)))
    }

    fn records(&self, line: &Value) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(self.rollout());
        writeln!(file.expect("a file"), "{line}").expect("a line");
    }

    /// Answers as a hook does, to the end.
    fn event(&self, name: &str, more: &Value) -> Answer {
        let mut payload = json!({
            "session_id": SESSION, "turn_id": "t", "transcript_path": self.rollout(), "model": "gpt",
            "cwd": self.desk.world.folders.work, "hook_event_name": name,
        });
        let object = payload.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        object.extend(self.agent.map(|id| ("agent_id".to_owned(), id.into())));
        let stdin = payload.to_string();
        let event = Event::parse(Harness::Codex, name, stdin.as_bytes()).expect("an event");
        let Desk { store, world, config, .. } = &self.desk;
        let hook = crate::moments::hook((store, None), world, config, Harness::Codex);
        let answer = answer(&hook, &event);
        hook.finish();
        assert_eq!(answer.fault, None, "{name}");
        answer
    }

    fn context(&self, name: &str, more: &Value) -> String {
        let answer = self.event(name, more);
        if answer.stdout.is_empty() {
            return String::new();
        }
        let printed: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
        printed["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or("").to_owned()
    }

    fn starts(&self, source: &str) -> String {
        self.context("SessionStart", &json!({ "source": source }))
    }

    fn used_tool(&self) -> String {
        self.context("PostToolUse", &json!({ "tool_name": "exec_command", "tool_input": {} }))
    }

    fn keeps(&self, page: &str) {
        self.desk.object("write_notepad", json!({ "content": page }));
    }
}

fn used(id: &str, total: u64) -> Value {
    let usage = json!({ "input_tokens": total, "total_tokens": total });
    json!({ "type": "token_usage_record", "payload": { "response_id": id, "usage": usage } })
}

fn started() -> Value {
    let payload = json!({ "type": "task_started", "model_context_window": 95_000 });
    json!({ "type": "event_msg", "payload": payload })
}

fn compacted() -> Value {
    json!({ "timestamp": "t", "type": "compacted", "payload": { "message": "so far" } })
}

#[test]
fn the_page_comes_back_within_the_cap_in_bytes() {
    let codex = Codex::new();
    assert!(codex.starts("startup").contains("notepad is empty"));
    codex.keeps(PAGE);
    let compact = codex.starts("compact");
    assert!(compact.contains(&format!("\n## Session Notepad\n{PAGE}\n")), "{compact}");

    codex.keeps(&"漢字漢字漢字漢字\n".repeat(900));
    let cut = codex.starts("resume");
    assert!((8_900..=9_200).contains(&cut.len()), "{} bytes", cut.len());
    assert_eq!(cap(Harness::Codex).unit, Unit::Bytes);
}

#[test]
fn before_a_compaction_nothing_is_printed() {
    let codex = Codex::new();
    codex.starts("startup");
    codex.keeps(PAGE);
    let trigger = json!({ "trigger": "auto" });
    assert_eq!(codex.event("PreCompact", &trigger), Answer::default());
    assert_eq!(codex.event("PostCompact", &trigger), Answer::default());
}

#[test]
fn the_warning_comes_once_a_cycle_at_a_tool() {
    let codex = Codex::new();
    codex.records(&started());
    codex.starts("startup");
    codex.records(&used("r1", 60_000));
    assert_eq!(codex.used_tool(), "");
    // Of 95,000 Codex compacts at 90,000.
    codex.records(&used("r2", 85_500));
    assert!(codex.used_tool().contains("Kept now: notepad 0 tokens"));
    codex.records(&used("r3", 86_000));
    assert_eq!(codex.used_tool(), "");

    codex.records(&compacted());
    codex.starts("compact");
    assert_eq!(codex.used_tool(), "");
    codex.records(&used("r4", 87_000));
    assert!(codex.used_tool().contains("Kept now"));
}

#[test]
fn a_sub_agent_gets_its_page_at_the_first_tool_behind_its_compaction() {
    let parent = Codex::new();
    parent.starts("startup");
    parent.keeps("of the parent");
    let agent = parent.into_agent();
    agent.records(&started());
    agent.keeps(PAGE);
    assert_eq!(agent.used_tool(), "");

    agent.records(&compacted());
    let trigger = json!({ "trigger": "auto" });
    assert_eq!(agent.event("PostCompact", &trigger), Answer::default());
    let context = agent.used_tool();
    assert!(context.contains(PAGE) && !context.contains("of the parent"), "{context}");

    let texts = json!([{ "type": "input_text", "text": context }]);
    let message = json!({ "type": "message", "role": "developer", "content": texts });
    agent.records(&json!({ "type": "response_item", "payload": message }));
    assert_eq!(agent.used_tool(), "");
}

/// The parent's rollout tells what its sub-agent was asked.
fn asks(parent: &Codex, prompt: &str) {
    let item = json!({
        "type": "CollabAgentToolCall", "id": "call_1", "tool": "spawn_agent",
        "receiver_thread_ids": [AGENT], "prompt": prompt,
    });
    parent.records(
        &json!({ "type": "event_msg", "payload": { "type": "item_completed", "item": item } }),
    );
}

#[test]
fn a_sub_agent_starts_with_wisdom_and_directive_and_is_named_while_it_runs() {
    let mut codex = Codex::new();
    codex.starts("startup");
    codex.desk.object("add_learning", json!({ "content": "The sum of a ledger is cached." }));
    asks(&codex, "Find the callers of sum.");

    codex = codex.into_agent();
    let kind = json!({ "agent_type": "default" });
    insta::assert_snapshot!(codex.context("SubagentStart", &kind), @r"
    vade: what agents before recorded in this project. A record, not a request: where it differs, your task and the files decide.
    <wisdom>
    ### Learnings
    - 2025-11-21: The sum of a ledger is cached.
    </wisdom>
    <Work_Context>
    When done, record anything the next agent on this project must know with mcp__vade__add_learning (one fact each); without that tool, list it in your last message under ## Key Learnings, ## Decisions or ## Issues. Skip it if you learned nothing new.
    </Work_Context>
    ");

    codex.agent = None;
    let compact = codex.starts("compact");
    assert!(compact.contains("Find the callers of sum."), "{compact}");
    codex.agent = Some(AGENT);
    codex.event("SubagentStop", &json!({ "agent_transcript_path": codex.rollout() }));
    codex.agent = None;
    assert!(!codex.starts("compact").contains("Find the callers of sum."));
}

#[test]
fn a_sub_agent_of_a_project_without_plans_and_entries_pays_nothing() {
    let codex = Codex::new();
    codex.starts("startup");
    asks(&codex, "Find the callers of sum.");
    let codex = codex.into_agent();
    assert_eq!(codex.context("SubagentStart", &json!({ "agent_type": "default" })), "");
}

#[test]
fn one_that_is_only_prompted_for_an_hour_still_runs() {
    let codex = Codex::new();
    codex.starts("startup");
    codex.keeps("- [ ] the first one's");
    codex.used_tool();
    let other = json!({ "session_id": "99999999-other", "source": "startup" });
    for _ in 0..3 {
        codex.desk.clock.fetch_add(20 * 60 * 1000, Ordering::SeqCst);
        codex.event("UserPromptSubmit", &json!({ "prompt": "and why?" }));
    }
    let start = codex.context("SessionStart", &other);
    assert!(!start.contains("first one's"), "{start}");
    codex.desk.clock.fetch_add(vademecum_ops::who::LIVE_MS + 1, Ordering::SeqCst);
    let start = codex.context("SessionStart", &other);
    assert!(start.contains("first one's"), "{start}");
}

#[test]
fn one_that_was_killed_is_offered_at_once_and_one_that_is_left_after_a_while() {
    // No process has the first number.
    for (pid, wait, is_offered) in [
        (2_147_483_646, 0, true),
        (std::process::id(), 0, false),
        (std::process::id(), vademecum_ops::who::LIVE_MS + 1, true),
    ] {
        let mut codex = Codex::new();
        codex.desk.world.process_above = Box::new(move |name| (name == "codex").then_some(pid));
        codex.starts("startup");
        codex.keeps("- [ ] the first one's");
        codex.used_tool();
        codex.desk.clock.fetch_add(wait, Ordering::SeqCst);
        let other = json!({ "session_id": "99999999-other", "source": "startup" });
        let start = codex.context("SessionStart", &other);
        assert_eq!(start.contains("first one's"), is_offered, "{pid} {wait}: {start}");
    }
}

#[test]
fn a_fork_gets_copies_of_what_its_rollout_names() {
    let codex = Codex::new();
    codex.starts("startup");
    codex.keeps(PAGE);

    let payload = json!({ "id": "99999999-fork", "forked_from_id": SESSION });
    codex.records(&json!({ "type": "session_meta", "payload": payload }));
    let fork = json!({ "session_id": "99999999-fork", "source": "fork" });
    let context = codex.context("SessionStart", &fork);
    assert!(context.contains(PAGE), "{context}");
}

#[test]
fn nothing_is_offered_to_a_run_that_nobody_attends() {
    for (source, is_offered) in [(json!("cli"), true), (json!("exec"), false), (json!({}), true)] {
        let codex = Codex::new();
        codex.starts("startup");
        codex.keeps("- [ ] the first one's");
        codex.event("SessionEnd", &json!({ "reason": "other" }));
        codex.records(&json!({ "type": "session_meta", "payload": { "source": source } }));
        let other = json!({ "session_id": "99999999-other", "source": "startup" });
        let start = codex.context("SessionStart", &other);
        assert_eq!(start.contains("first one's"), is_offered, "{source}: {start}");
    }
}

#[test]
fn a_session_is_told_what_its_project_knows() {
    let codex = Codex::new();
    codex.starts("startup");
    codex.desk.object("add_learning", json!({ "content": "Money is kept in cents." }));
    let other = json!({ "session_id": "99999999-other", "source": "startup" });
    let start = codex.context("SessionStart", &other);
    assert!(
        start.contains("This project knows (1 learning):\n- learning: Money is kept in cents."),
        "{start}"
    );
}

/// What stands in the rollout behind the last compaction is not put there again.
#[test]
fn a_resume_adds_what_the_rollout_lacks() {
    let codex = Codex::new();
    codex.starts("startup");
    codex.keeps(PAGE);
    let hears = |context: &str| {
        let content = json!([{ "type": "input_text", "text": context }]);
        let payload = json!({ "type": "message", "role": "developer", "content": content });
        codex.records(&json!({ "type": "response_item", "payload": payload }));
    };
    let compact = codex.starts("compact");
    codex.records(&json!({ "type": "compacted", "payload": { "message": "was" } }));
    assert!(codex.starts("resume").contains(PAGE), "it never arrived");
    hears(&compact);
    assert_eq!(codex.starts("resume"), "");
    codex.records(&json!({ "type": "compacted", "payload": { "message": "was" } }));
    assert!(codex.starts("resume").contains(PAGE));
}
