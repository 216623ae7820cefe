//! What is promised where less comes back than usual: each sentence beside the event that it speaks of.

use serde_json::{Value, json};
use vademecum_ops::config::{Config, OnSessionEnd, Profile, Slot};

use crate::moments::Claude;
use crate::recaps::Story;

const OTHER: &str = "99999999-0000-4000-8000-000000000002";
#[cfg(feature = "seed")]
const THIRD: &str = "88888888-0000-4000-8000-000000000003";

fn said(claude: &Claude, name: &str, arguments: Value) -> String {
    claude.desk.call(name, arguments).expect("an answer").text
}

/// What a summariser is told before a compaction.
fn summariser(claude: &Claude) -> String {
    let said = claude.event("PreCompact", &json!({"trigger": "auto"}));
    String::from_utf8(said.stdout).expect("text")
}

fn warning(claude: &Claude) -> String {
    claude.used(66_000, "msg_1");
    claude.context("PostToolBatch", &json!({"tool_calls": []}))
}

/// A session of this configuration with so many lines on its page and so many notes.
fn keeping(config: Config, n_lines: usize, n_notes: usize) -> Claude {
    let claude = Claude::with(config);
    claude.starts("startup");
    let told = "make refunds idempotent; never touch the ledger crate. ".repeat(40);
    Story::default().asks(&told).says(&told).tell(&claude);
    for n in 0..n_notes {
        let content = format!("{n} {}", "a reason ".repeat(80));
        claude.desk.object("add_note", json!({"content": content, "tags": ["bug"]}));
    }
    let page = "- [ ] one more step of the plan\n".repeat(n_lines);
    claude.desk.object("write_notepad", json!({ "content": page }));
    claude
}

fn without(slots: &[Slot]) -> Config {
    let slots = Slot::ALL.into_iter().filter(|slot| !slots.contains(slot)).collect();
    Config { slots, ..Config::default() }
}

#[test]
fn a_warning_says_of_page_and_notes_what_comes_back() {
    let mut warnings = Vec::new();
    for (n_lines, n_notes) in [(0, 0), (3, 2), (400, 2), (3, 15), (400, 15)] {
        let claude = keeping(Config::default(), n_lines, n_notes);
        let warned = warning(&claude);
        let context = claude.starts("compact");
        let n_shown = context.lines().filter(|line| line.starts_with("note_")).count();
        let is_whole = n_shown == n_notes && context.matches("- [ ] one more").count() == n_lines;
        let is_promised = warned.contains("kept in full and come back afterwards");
        assert!(is_whole || !is_promised, "{n_lines} {n_notes}: {warned}\n{context}");
        warnings.push(format!("{n_lines} lines, {n_notes} notes:\n{warned}"));
    }
    insta::assert_snapshot!("warnings", warnings.join("\n\n"));
}

#[test]
fn where_starts_are_told_nothing_it_is_not_said_to_come_back() {
    let claude = keeping(without(&[Slot::Startup]), 3, 1);
    let replies = [
        said(&claude, "write_notepad", json!({"content": "PAGE"})),
        said(&claude, "add_note", json!({"content": "a reason", "tags": ["bug"]})),
        said(&claude, "add_learning", json!({"content": "the port is 8080"})),
        said(&claude, "write_handoff", json!({"content": "ONE"})),
        warning(&claude),
        summariser(&claude),
    ];
    assert_eq!(claude.starts("compact"), "");
    assert_eq!(claude.starts("resume"), "");
    insta::assert_snapshot!("without_startup", replies.join("\n\n"));
}

#[test]
fn a_learning_is_said_to_reach_those_whom_it_reaches() {
    let told = |config: Config| {
        let claude = keeping(config, 0, 0);
        let learning = json!({"content": "the port is 8080"});
        let said = claude.desk.person("add_learning", learning).expect("an answer").text;
        let input = json!({"description": "d", "prompt": "Find it.", "subagent_type": "Explore"});
        let call = json!({"tool_name": "Agent", "tool_use_id": "toolu_1", "tool_input": input});
        let briefed = claude.event("PreToolUse", &call).stdout;
        let briefed = String::from_utf8(briefed).expect("text").contains("8080");
        let mut claude = claude;
        claude.session = OTHER;
        let is_told = claude.starts("startup").contains("8080");
        let (_, rest) = said.split_once(' ').expect("an answer");
        let (_, rest) = rest.split_once(' ').expect("an id");
        format!("{rest} (sub-agent {briefed}, session {is_told})")
    };
    let told: Vec<String> = [
        Config::default(),
        without(&[Slot::Startup]),
        without(&[Slot::Delegate]),
        without(&Slot::ALL),
        Config::of(Profile::Seed3),
    ]
    .map(told)
    .into();
    insta::assert_snapshot!(told.join("\n"), @"
    (learning of this project; told to its next sub-agents and sessions) (sub-agent true, session true)
    (learning of this project; told to its next sub-agents) (sub-agent true, session false)
    (learning of this project; told to its next sessions) (sub-agent false, session true)
    (learning of this project; told to nobody by itself: recall kind=known gives it, in a shell vade plan wisdom) (sub-agent false, session false)
    (learning of this project; told to its next sub-agents) (sub-agent true, session false)
    ");
}

#[test]
fn words_that_a_purge_erases_are_not_said_to_be_offered() {
    let config = Config { on_session_end: OnSessionEnd::Purge, ..Config::default() };
    let mut claude = keeping(config, 0, 0);
    let reply = said(&claude, "write_handoff", json!({"content": "ONE"}));
    claude.event("PostToolBatch", &json!({"tool_calls": []}));
    claude.event("SessionEnd", &json!({"reason": "clear"}));
    claude.session = OTHER;
    assert!(!claude.starts("clear").contains("ONE"));
    insta::assert_snapshot!(reply, @r#"handoff kept: 3 tokens (until this session ends, which erases it: notepad.on_session_end is "purge")"#);
}

#[cfg(feature = "seed")]
/// What the next two sessions read of words under seed4: after a start, and after `/clear`.
fn under_seed4(story: &Story, write: impl Fn(&Claude) -> String) -> [String; 3] {
    let mut claude = Claude::with(Config::of(Profile::Seed4));
    claude.starts("startup");
    story.tell(&claude);
    claude.event("PostToolBatch", &json!({"tool_calls": []}));
    let reply = write(&claude);
    claude.event("SessionEnd", &json!({"reason": "clear"}));
    claude.session = OTHER;
    let cleared = claude.starts("clear");
    claude.event("SessionEnd", &json!({"reason": "other"}));
    claude.session = THIRD;
    [reply, cleared, claude.starts("startup")]
}

#[cfg(feature = "seed")]
#[test]
fn under_seed4_the_words_for_the_next_session_reach_it() {
    let own = |claude: &Claude| {
        said(claude, "write_handoff", json!({"content": "ONE is done. TWO: do not redo."}))
    };
    let story = Story::default()
        .asks("Make refunds idempotent. Don't touch the ledger crate.")
        .says("Refunds are idempotent now; the test passes.");
    let [reply, cleared, started] = under_seed4(&story, own);
    insta::assert_snapshot!("seed4_words", format!("{reply}\n\n{cleared}\n\n{started}"));
    let [_, cleared, started] = under_seed4(&Story::default(), own);
    assert!(cleared.contains("\"ONE is done.") && started.contains("\"ONE is done."));

    let person = |claude: &Claude| {
        let write = json!({"content": "PERSON: look at the cli."});
        crate::handoffs::person(&claude.desk, "write_handoff", write).text
    };
    let [_, cleared, started] = under_seed4(&story, person);
    assert!(cleared.contains("PERSON: look at the cli"), "{cleared}");
    assert!(started.contains("PERSON: look at the cli"), "{started}");
}

#[test]
fn what_was_compacted_while_it_was_off_comes_back_as_it_is_said() {
    let claude = keeping(Config::default(), 3, 0);
    let person = |name| claude.desk.person(name, json!({})).expect("an answer").text;
    assert_eq!(person("switch_on"), "vade is on for project");
    person("switch_off");
    assert_eq!(claude.starts("compact"), "");
    let said = person("switch_on");
    assert_eq!(claude.prompt(), "");
    assert!(claude.starts("resume").contains("- [ ] one more step"));
    insta::assert_snapshot!(said, @"vade is on for project. A conversation that was compacted meanwhile has its page and notes back when it is resumed or compacted again; read_notepad and list_notes give them before");
}

#[test]
fn what_a_person_forgets_while_it_is_off_is_forgotten_as_it_is_said() {
    let claude = keeping(Config::default(), 3, 0);
    claude.desk.person("switch_off", json!({})).expect("an answer");
    let id = format!("claude-code:{}", claude.session);
    let forget = json!({"what": "session", "id": id, "yes": true});
    claude.desk.person("forget", forget).expect("an answer");
    claude.desk.person("switch_on", json!({})).expect("an answer");
    let kept = claude.desk.call("read_notepad", json!({})).expect("an answer").object;
    assert_eq!(kept["content"], "");
    let off = vademecum_ops::registry::find("switch_off").expect("an operation").declaration.about;
    assert!(off.ends_with("until it is on again, but by vade forget and vade prune."), "{off}");
}
