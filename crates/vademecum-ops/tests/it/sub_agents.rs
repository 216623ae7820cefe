//! Sub-agents: what they are told when they start, and what the parent's context says of them.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use vademecum_harness::hook::{Event, Harness};
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::faulty::{Faulty, Point};

use crate::conversation::Conversation;
use crate::moments::{Claude, Locked, context_of, hooked};

/// The prompt that a sub-agent gets; the given one where the call is left as it is.
#[track_caller]
fn delegated(claude: &Claude, more: &Value) -> String {
    let mut input = json!({"description": "Find callers", "prompt": "Find the callers of sum.", "subagent_type": "Explore", "run_in_background": true});
    input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let call = json!({"tool_name": "Agent", "tool_use_id": "toolu_1", "tool_input": input});
    let answer = claude.event("PreToolUse", &call);
    assert_eq!(answer.fault, None);
    if answer.stdout.is_empty() {
        return input["prompt"].as_str().expect("a prompt").to_owned();
    }
    let printed: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    let mut updated = printed["hookSpecificOutput"]["updatedInput"].clone();
    let prompt = updated["prompt"].as_str().expect("a prompt").to_owned();
    updated["prompt"] = input["prompt"].clone();
    assert_eq!(
        (&updated, &printed["hookSpecificOutput"]["permissionDecision"]),
        (&input, &Value::Null)
    );
    prompt
}

fn tick(claude: &Claude) {
    claude.desk.clock.fetch_add(1000, Ordering::SeqCst);
}

#[test]
fn a_project_without_plans_and_entries_pays_nothing() {
    let claude = Claude::new();
    assert_eq!(delegated(&claude, &json!({})), "Find the callers of sum.");
    claude.starts("startup");
    claude.desk.object("add_note", json!({"content": "a note", "tags": ["a"]}));
    assert_eq!(delegated(&claude, &json!({})), "Find the callers of sum.");
}

#[test]
fn a_sub_agent_starts_with_wisdom_and_directive() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("init_plan", json!({"name": "03-01"}));
    claude.desk.object(
        "add_learning",
        json!({"content": "The sum of a ledger is cached.", "pattern": "src/sum.rs:4-9"}),
    );
    insta::assert_snapshot!(delegated(&claude, &json!({})), @r#"
    <wisdom>
    ### Learnings
    - 2025-11-21: The sum of a ledger is cached.
      Where: src/sum.rs:4-9
    </wisdom>

    Find the callers of sum.
    <Work_Context>
    ## Notepad Location (for recording learnings)
    NOTEPAD PATH: .planning/notepads/03-01/
    - learnings.md: Record patterns, conventions, successful approaches
    - issues.md: Record problems, blockers, gotchas encountered
    - decisions.md: Record architectural choices and rationales

    You SHOULD append findings to notepad files after completing work.
    IMPORTANT: Record with mcp__vade__add_learning (plan "03-01"). Without it APPEND to these files with >> - never overwrite or use Edit tool.
    </Work_Context>
    "#);
}

#[test]
fn a_project_without_files_names_none() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("add_learning", json!({"content": "Of the project."}));
    insta::assert_snapshot!(delegated(&claude, &json!({})), @"
    <wisdom>
    ### Learnings
    - 2025-11-21: Of the project.
    </wisdom>

    Find the callers of sum.
    <Work_Context>
    When done, record anything the next agent on this project must know with mcp__vade__add_learning (one fact each); without that tool, list it in your last message under ## Key Learnings, ## Decisions or ## Issues. Skip it if you learned nothing new.
    </Work_Context>
    ");
}

#[test]
fn what_the_first_recorded_the_second_is_told() {
    let mut claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("init_plan", json!({"name": "a"}));
    let first = delegated(&claude, &json!({}));
    assert!(!first.contains("<wisdom>") && first.contains("notepads/a/"), "{first}");
    let parent = claude.desk.session.replace(format!("claude-code:{}/a41f", claude.session));
    claude.desk.object("add_learning", json!({"content": "Found by the first."}));
    claude.desk.session = parent;
    let second = delegated(&claude, &json!({}));
    assert!(second.contains("Found by the first."), "{second}");
}

#[test]
fn what_belongs_to_the_task_goes_before_what_is_newest() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("init_plan", json!({"name": "a"}));
    let add = |content: &str| {
        tick(&claude);
        claude.desk.object("add_learning", json!({"content": content}));
    };
    add("worker.rs swallows the error of a retry");
    add("Stripe repeats an event id under a new delivery id");
    for n in 0..6 {
        add(&format!("unrelated fact number {n}"));
    }
    let prompt = delegated(&claude, &json!({"prompt": "Repair src/queue/worker.rs."}));
    assert!(prompt.contains("worker.rs swallows"), "{prompt}");
    let described = json!({"description": "Stripe delivery", "prompt": "Do it."});
    let prompt = delegated(&claude, &described);
    assert!(prompt.contains("Stripe repeats"), "{prompt}");
}

#[test]
fn a_prompt_that_has_it_and_one_without_a_word_stay_as_they_are() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("init_plan", json!({"name": "a"}));
    claude.desk.object("add_learning", json!({"content": "known"}));
    let once = delegated(&claude, &json!({}));
    assert_eq!(delegated(&claude, &json!({"prompt": once})), once);
    assert_eq!(delegated(&claude, &json!({"prompt": " \n"})), " \n");
}

#[test]
fn other_tools_and_a_project_that_is_off_are_left_alone() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("init_plan", json!({"name": "a"}));
    let bash = json!({"tool_name": "Bash", "tool_input": {"prompt": "x"}});
    assert_eq!(claude.event("PreToolUse", &bash), vademecum_ops::moments::Answer::default());
    claude.desk.object("switch_off", json!({}));
    assert_eq!(delegated(&claude, &json!({})), "Find the callers of sum.");
}

/// A sub-agent starts and is sent off; the harness tells of both in either order.
fn starts(claude: &Claude, id: &str, launched_first: bool) {
    let input = json!({"description": format!("Work of {id}"), "prompt": "<wisdom>\nx\n</wisdom>\n\nDo it all.", "subagent_type": "Explore"});
    let response = json!({"isAsync": true, "status": "async_launched", "agentId": id});
    let launched = json!({"tool_name": "Agent", "tool_input": input, "tool_response": response});
    let begun = json!({"agent_id": id, "agent_type": "Explore"});
    let told = [("SubagentStart", begun), ("PostToolUse", launched)];
    let order = if launched_first { [1, 0] } else { [0, 1] };
    for (name, more) in order.map(|idx| &told[idx]) {
        assert_eq!(claude.event(name, more), vademecum_ops::moments::Answer::default());
    }
}

fn stops(claude: &Claude, id: &str) {
    let stop = json!({"agent_id": id, "agent_type": "Explore", "agent_transcript_path": "/x"});
    claude.event("SubagentStop", &stop);
}

/// What a context says of running sub-agents.
fn running(context: &str) -> Vec<&str> {
    let from = context.find("## Sub-agents still running").map_or("", |at| &context[at..]);
    from.lines().skip(1).take_while(|line| line.starts_with("- agent ")).collect()
}

#[test]
fn after_a_compaction_those_still_running_are_named_with_what_they_were_asked() {
    let claude = Claude::new();
    claude.starts("startup");
    for (id, launched_first) in [("a1", false), ("a2", true), ("a3", false)] {
        starts(&claude, id, launched_first);
        tick(&claude);
    }
    stops(&claude, "a1");
    let compact = claude.starts("compact");
    assert_eq!(
        running(&compact),
        [
            "- agent a2 (Explore): \"Work of a2: Do it all.\"",
            "- agent a3 (Explore): \"Work of a3: Do it all.\""
        ]
    );
    let asked_for = claude.desk.object("get_context", json!({}));
    assert_eq!(running(asked_for["context"].as_str().expect("a text")), running(&compact));
    let notice =
        "<task-notification>\n<task-id>a3</task-id>\n<status>killed</status>\n</task-notification>";
    claude.event("UserPromptSubmit", &json!({"prompt": notice}));
    assert_eq!(
        running(&claude.starts("compact")),
        ["- agent a2 (Explore): \"Work of a2: Do it all.\""]
    );
    stops(&claude, "a2");
    assert_eq!(running(&claude.starts("compact")), [""; 0]);
}

#[test]
fn one_that_ended_before_it_was_told_of_does_not_run() {
    let claude = Claude::new();
    claude.starts("startup");
    let input = json!({"prompt": "Do it."});
    let response = json!({"status": "async_launched", "agentId": "a1"});
    claude.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
    stops(&claude, "a1");
    let launched = json!({"tool_name": "Agent", "tool_input": input, "tool_response": response});
    claude.event("PostToolUse", &launched);
    assert_eq!(running(&claude.starts("compact")), [""; 0]);
}

/// The harness says nothing when a sub-agent that is waited for is interrupted; nobody waits at a compaction.
#[test]
fn one_that_was_waited_for_and_interrupted_does_not_run_after_a_compaction() {
    let claude = Claude::new();
    claude.starts("startup");
    let input = json!({"description": "find leak", "prompt": "Do it.", "subagent_type": "Explore"});
    let call = json!({"tool_name": "Agent", "tool_input": input, "tool_use_id": "toolu_a1"});
    claude.event("PreToolUse", &call);
    claude.event("SubagentStart", &json!({"agent_id": "int1", "agent_type": "Explore"}));
    starts(&claude, "a2", false);
    claude.event("UserPromptSubmit", &json!({"prompt": "stop that"}));
    let compact = claude.starts("compact");
    assert_eq!(running(&compact), ["- agent a2 (Explore): \"Work of a2: Do it all.\""]);
    let open = claude.desk.object("list_sessions", json!({"open": true, "agents": true}));
    let open = open["sessions"].to_string();
    assert!(open.contains("a2") && !open.contains("int1"), "{open}");
}

#[test]
fn those_of_a_killed_harness_do_not_run_for_ever() {
    let mut claude = Claude::new();
    // No process has this number: the harness of the session was killed.
    let dead = |name: &str| (name == "CLAUDE_PID").then(|| "2147483646".into());
    claude.desk.world.env = Box::new(dead);
    claude.starts("startup");
    starts(&claude, "a1", false);
    assert_eq!(running(&claude.starts("compact")).len(), 1);
    let open = |claude: &Claude| {
        let open = claude.desk.object("list_sessions", json!({"open": true, "agents": true}));
        open["sessions"].to_string().contains("a1")
    };
    assert!(open(&claude));
    let pid = std::process::id().to_string();
    claude.desk.world.env =
        Box::new(move |name| (name == "CLAUDE_PID").then(|| pid.clone().into()));
    let first = std::mem::replace(&mut claude.session, "99999999-0000-4000-8000-000000000002");
    claude.starts("startup");
    assert!(!open(&claude), "the start of another session sweeps it");
    claude.session = first;
    starts(&claude, "a2", false);
    assert_eq!(running(&claude.starts("resume")).len(), 1, "this process started it");
    claude.event("SessionEnd", &json!({"reason": "other"}));
    assert_eq!(running(&claude.starts("resume")), [""; 0]);
}

#[test]
fn a_resumed_session_has_none_of_its_last_process() {
    let mut claude = Claude::new();
    claude.desk.world.env = Box::new(|name| (name == "CLAUDE_PID").then(|| "2147483646".into()));
    claude.starts("startup");
    starts(&claude, "a1", true);
    claude.desk.world.env = Box::new(|name| (name == "CLAUDE_PID").then(|| "2147483645".into()));
    assert_eq!(running(&claude.starts("resume")), [""; 0]);
    assert_eq!(running(&claude.starts("compact")), [""; 0]);
}

/// The harness has this process from now on.
fn runs_as(claude: &mut Claude, pid: &'static str) {
    claude.desk.world.env = Box::new(move |name| (name == "CLAUDE_PID").then(|| pid.into()));
}

/// What a context says of those that run no more.
fn stopped(context: &str) -> Option<&str> {
    let at = context.find("## Sub-agents no longer running");
    at.map(|at| context[at..].split("\n[vade receipt").next().expect("a block"))
}

#[test]
fn a_conversation_that_names_them_is_told_that_they_ended_with_the_process() {
    let mut claude = Claude::new();
    runs_as(&mut claude, "2147483646");
    let mut talk = Conversation::new(claude);
    talk.starts("startup");
    talk.prompt();
    for id in ["a1", "a2"] {
        starts(&talk.claude, id, false);
    }
    talk.calls("write_notepad", &json!({ "content": "## Plan" }));
    assert_eq!(running(&talk.starts("compact")).len(), 2);
    talk.prompt();
    assert_eq!(talk.starts("resume"), "", "they run in the same process");
    runs_as(&mut talk.claude, "2147483645");
    let lost = talk.starts("resume");
    talk.stops();
    assert_eq!(talk.starts("resume"), lost, "nobody read it yet");
    assert_eq!(running(&lost), [""; 0]);
    assert_eq!(
        stopped(&lost),
        Some(
            "## Sub-agents no longer running (2): what they have not reported will not come\na1, a2"
        )
    );
    talk.prompt();
    assert_eq!(talk.starts("resume"), "");
    starts(&talk.claude, "a3", false);
    assert_eq!(running(&talk.starts("compact")).len(), 1);
}

#[test]
fn while_the_store_is_busy_none_of_the_last_process_is_named() {
    let mut claude = Claude::new();
    runs_as(&mut claude, "2147483646");
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "## Plan"}));
    starts(&claude, "a1", true);
    assert_eq!(running(&claude.starts("compact")).len(), 1);
    runs_as(&mut claude, "2147483645");
    let store = Locked::new(&claude.desk.store);
    let stdin = json!({
        "session_id": claude.session, "cwd": claude.desk.world.folders.work,
        "hook_event_name": "SessionStart", "source": "resume",
    });
    let stdin = stdin.to_string();
    let event =
        Event::parse(Harness::ClaudeCode, "SessionStart", stdin.as_bytes()).expect("an event");
    let answer = hooked(&store, &claude.desk.world, &claude.desk.config, &event);
    let printed: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    let context = printed["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    assert!(context.contains("## Plan") && context.contains("the store is busy"), "{context}");
    assert_eq!(running(context), [""; 0]);
}

/// What a sub-agent kept is its own, and its report may not name it: who asked it hears of that once.
#[test]
fn who_asked_a_sub_agent_is_told_what_it_kept() {
    let mut claude = Claude::new();
    claude.starts("startup");
    let parent = claude.desk.session.clone();
    let keeps = |claude: &mut Claude, id: &str, n_notes: usize, page: Option<&str>| {
        claude.event("SubagentStart", &json!({"agent_id": id, "agent_type": "Explore"}));
        claude.desk.session = parent.as_ref().map(|parent| format!("{parent}/{id}"));
        for n in 0..n_notes {
            claude.desk.object("add_note", json!({"content": format!("note {n}"), "tags": ["a"]}));
            tick(claude);
        }
        if let Some(page) = page {
            claude.desk.object("write_notepad", json!({"content": page}));
        }
        claude.desk.session.clone_from(&parent);
        stops(claude, id);
    };
    let asked = json!({"prompt": "Do it."});
    let waited = |claude: &Claude, id: &str| {
        let response = json!({"status": "completed", "agentId": id, "content": []});
        let call = json!({"tool_name": "Agent", "tool_input": asked, "tool_response": response});
        claude.context("PostToolUse", &call)
    };
    let notified = |claude: &Claude, id: &str| {
        let notice = format!("<task-notification>\n<task-id>{id}</task-id>\n</task-notification>");
        claude.context("UserPromptSubmit", &json!({"prompt": notice}))
    };
    keeps(&mut claude, "a1", 3, Some("the leak is in the pool"));
    keeps(&mut claude, "a2", 1, None);
    keeps(&mut claude, "a3", 0, None);
    let told = [
        waited(&claude, "a1"),
        notified(&claude, "a2"),
        waited(&claude, "a3"),
        notified(&claude, "a3"),
    ];
    insta::assert_snapshot!(told.join("\n--\n"), @r#"
    vade: sub-agent a1 kept 3 notes and a notepad: read_handoff(from="752d4c1e/a1")
    --
    vade: sub-agent a2 kept 1 note: read_handoff(from="752d4c1e/a2")
    --

    --
    "#);
    // Reading it is no taking over.
    let read = claude.desk.call("read_handoff", json!({"from": "752d4c1e/a1"})).expect("an answer");
    assert!(read.text.contains("the leak is in the pool"), "{}", read.text);
    let compacted = claude.starts("compact");
    assert!(!compacted.contains("took over"), "{compacted}");
}

/// A session whose sub-agent kept a note, and the events by which it hears of that.
fn with_kept() -> (Claude, [(&'static str, Value); 2]) {
    let mut claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "- [ ] the pool"}));
    claude.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
    let agent = claude.desk.session.as_ref().map(|parent| format!("{parent}/a1"));
    let parent = std::mem::replace(&mut claude.desk.session, agent);
    claude.desk.object("add_note", json!({"content": "a leak", "tags": ["a"]}));
    claude.desk.session = parent;
    stops(&claude, "a1");
    let response = json!({"status": "completed", "agentId": "a1", "content": []});
    let call = json!({"tool_name": "Agent", "tool_input": {"prompt": "Do it."}, "tool_response": response});
    let notice = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    (claude, [("PostToolUse", call), ("UserPromptSubmit", json!({"prompt": notice}))])
}

/// The store of a session, the n-th call of which fails.
fn failing(claude: &Claude, nth: usize) -> Faulty<Sqlite> {
    let path = claude.desk.folder().join("data/vade.db");
    Faulty::new(Sqlite::at(&path, Options::patient()), Point::Before, nth)
}

/// It is told at one event alone, whatever else that one brings or lacks.
#[test]
fn what_a_sub_agent_kept_is_told_beside_all_else() {
    const LINE: &str = "vade: sub-agent a1 kept 1 note: read_handoff(";
    for idx in 0..2 {
        let (claude, events) = with_kept();
        let (name, more) = &events[idx];
        claude.event_on(&failing(&claude, 0), "SessionStart", &json!({"source": "compact"}));
        let told = claude.context(name, more);
        assert!(told.starts_with(LINE) && told.contains("- [ ] the pool"), "{name}: {told}");

        let mut n_failed = 0;
        for nth in 0.. {
            let (claude, events) = with_kept();
            let (name, more) = &events[idx];
            let store = failing(&claude, nth);
            let answer = claude.event_on(&store, name, more);
            if store.calls() <= nth {
                break;
            }
            n_failed += usize::from(answer.fault.is_some() && context_of(&answer).contains(LINE));
        }
        assert!(0 < n_failed, "{name}: a failure beside it took it away");
    }
}

/// A harness shows of a sub-agent its id alone.
/// One may be old beside its session: both go, once that ended, and what is forgotten afterwards goes as well.
#[test]
fn a_sub_agent_is_pruned_with_its_session_and_not_before() {
    let mut claude = Claude::new();
    claude.starts("startup");
    let parent = claude.desk.session.clone().expect("a session");
    claude.desk.session = Some(format!("{parent}/a41f9c2e"));
    claude.desk.object("write_notepad", json!({"content": "page of the agent"}));
    claude.desk.session = Some(parent.clone());
    claude.desk.clock.fetch_add(8 * 24 * 3_600_000, Ordering::SeqCst);
    let prune =
        |claude: &Claude| claude.desk.object("prune", json!({"older": "7d"}))["sessions"].clone();
    assert_eq!(prune(&claude), json!([]));
    claude.event("SessionEnd", &json!({"reason": "other"}));
    claude.desk.clock.fetch_add(8 * 24 * 3_600_000, Ordering::SeqCst);
    let mut gone = prune(&claude).as_array().expect("a list").clone();
    gone.sort_by_key(ToString::to_string);
    assert_eq!(json!(gone), json!([parent, format!("{parent}/a41f9c2e")]));
    let note = claude.desk.object("add_note", json!({"content": "a secret"}));
    let forgot = json!({"what": "note", "id": note["id"], "yes": true});
    claude.desk.person("forget", forgot).expect("an answer");
    assert_eq!(claude.desk.object("list_notes", json!({}))["total"], 0);
}

#[test]
fn a_sub_agent_is_found_by_its_whole_id_and_by_the_beginning_behind_its_session() {
    let mut claude = Claude::new();
    claude.starts("startup");
    let parent = claude.desk.session.clone();
    for id in ["a41f9c2e", "a41f"] {
        claude.desk.session = parent.as_ref().map(|parent| format!("{parent}/{id}"));
        claude.desk.object("write_notepad", json!({"content": format!("page of {id}")}));
    }
    claude.desk.session = parent;
    for (name, id) in [
        ("752d4c1e/a41f9c2e", "a41f9c2e"),
        ("752d4c1e/a41f9", "a41f9c2e"),
        ("752d4c1e/a41f", "a41f"),
        ("a41f9c2e", "a41f9c2e"),
        ("a41f", "a41f"),
    ] {
        let read = claude.desk.object("read_handoff", json!({"from": name}));
        assert_eq!(read["from"], format!("752d4c1e/{id}"), "{name}");
    }
    // What a person forgets by a handle is a session: no sub-agent of another that begins so.
    let error = claude.desk.error("forget", json!({"what": "session", "id": "a41f9"}));
    assert_eq!(error, "missing: no session \"a41f9\"");
    let error = claude.desk.error("read_handoff", json!({"from": "a4"}));
    let short = "it takes 4 characters of an id, or all of a shorter one";
    assert_eq!(error, format!("missing: no session \"a4\": {short}"));
}
