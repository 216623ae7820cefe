//! Sub-agents: what they are told when they start, and what the parent's context says of them.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::moments::Claude;

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
    IMPORTANT: Record with the tool add_learning of vade (plan "03-01"). Without it APPEND to these files with >> - never overwrite or use Edit tool.
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
    ## Notepad Location (for recording learnings)
    You SHOULD record findings after completing work.
    IMPORTANT: Record with the tool add_learning of vade.
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
