//! Each profile says its own words: no text under it names a tool, a block or a page that it does not offer.

use serde_json::{Value, json};
use vademecum_ops::config::{Config, Profile};
use vademecum_ops::{offer, registry, voice};

use crate::moments::Claude;

/// All that a model reads from before its first call to the start of the next session.
fn read(claude: &mut Claude) -> Vec<(String, String)> {
    let mut read = guidance(&claude.desk.config);
    let mut take = |what: &str, text: String| read.push((what.to_owned(), text));
    take("first start", claude.starts("startup"));
    claude.person("write_notepad", json!({"content": "## Plan\n- [ ] the page"}));
    take("after an edit", claude.prompt());
    claude.person("add_note", json!({"content": "the note", "tags": ["todo"]}));
    claude.person("add_learning", json!({"content": "the learning"}));
    take("after a note", claude.prompt());
    for source in ["compact", "resume", "clear", "startup", "fork"] {
        take(source, claude.starts(source));
    }
    claude.used(66_000, "msg_1");
    take("warning", claude.context("PostToolBatch", &json!({"tool_calls": []})));
    take("summariser", printed(claude, "PreCompact", &json!({"trigger": "auto"})));
    let input =
        json!({"description": "d", "prompt": "Find the callers.", "subagent_type": "Explore"});
    let call = json!({"tool_name": "Agent", "tool_use_id": "toolu_1", "tool_input": input});
    take("delegation", printed(claude, "PreToolUse", &call));
    let agent = json!({"agent_id": "a1b2", "agent_type": "Explore", "source": "compact"});
    for (event, more) in [
        ("PreCompact", json!({"trigger": "manual"})),
        ("PostCompact", json!({"trigger": "auto"})),
        ("SubagentStart", agent.clone()),
        ("SessionStart", agent.clone()),
        ("PostToolBatch", agent.clone()),
        ("SubagentStop", agent),
        ("Stop", json!({})),
        ("SessionEnd", json!({"reason": "other"})),
    ] {
        take(event, printed(claude, event, &more));
    }
    claude.session = "99999999-0000-4000-8000-000000000002";
    claude.desk.clock.fetch_add(60_000, std::sync::atomic::Ordering::SeqCst);
    take("next start", claude.starts("startup"));
    read.extend(answers(claude));
    read
}

fn printed(claude: &Claude, name: &str, more: &Value) -> String {
    String::from_utf8(claude.event(name, more).stdout).expect("text")
}

/// What a model is told before its first call, by a server and by a program that is built with the library.
fn guidance(config: &Config) -> Vec<(String, String)> {
    let (words, budget) = (config.profile.words(), config.scratchpad_budget());
    let told = [
        ("instructions", words.guidance(budget, config.automatic())),
        ("instructions without hooks", words.guidance(budget, config.automatic().without_hooks())),
        ("an agent's guidance", words.own_guidance(budget)),
        ("an agent's warning", words.own_warning.to_owned()),
    ];
    told.map(|(what, text)| (what.to_owned(), text)).into()
}

/// Arguments that most tools refuse, each for a reason of its own.
fn odd() -> [Value; 14] {
    let long = "x".repeat(900);
    [
        json!({}),
        json!({"id": "note_1", "content": "a", "scratched": true}),
        json!({"id": "note_1"}),
        json!({"id": "what"}),
        json!({"content": ""}),
        json!({"content": long, "tags": ["a"]}),
        json!({"content": "a", "tags": []}),
        json!({"content": "a", "tags": ["a", "b", "c", "d", "e", "f"]}),
        json!({"content": "a", "mode": "sideways", "operation": "sideways"}),
        json!({"operation": "find_replace", "find": "nowhere", "replace": ""}),
        json!({"operation": "append"}),
        json!({"name": "../up", "plan": "unknown", "content": "a"}),
        json!({"session": "nobody", "from": "nobody"}),
        json!({"limit": "many", "unknown": 1}),
    ]
}

/// What each tool says of itself, and answers to its own example, to odd arguments and while vade is off.
fn answers(claude: &Claude) -> Vec<(String, String)> {
    let mut answers = Vec::new();
    let config = &claude.desk.config;
    for op in offer::offered(config) {
        let declaration = op.declaration;
        let example: Value = serde_json::from_str(declaration.example).expect("JSON");
        let answer = |arguments| match claude.desk.call(declaration.name, arguments) {
            Ok(reply) => format!("{}\n{}", reply.text, reply.object),
            Err(error) => voice::refusal(&error),
        };
        let mut texts = vec![offer::about(op, config).to_owned()];
        texts.push(offer::input_schema(op, config).into_owned());
        texts.extend([example.clone(), example.clone()].map(answer));
        texts.extend(odd().map(answer));
        claude.person("switch_off", json!({}));
        texts.push(answer(example));
        claude.person("switch_on", json!({}));
        answers.extend(texts.into_iter().map(|text| (declaration.name.to_owned(), text)));
    }
    answers
}

/// The names of tools in a text that are no words of English.
fn named(text: &str) -> Vec<&'static str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<&str> = text.split(|c| !is_part(c)).collect();
    let names = registry::ALL.iter().map(|op| op.declaration.name);
    names.filter(|name| name.contains('_') && words.contains(name)).collect()
}

#[test]
fn no_text_names_a_tool_that_its_profile_does_not_offer() {
    let mut wrong = Vec::new();
    for profile in Profile::ALL {
        let mut claude = Claude::with(Config::of(profile));
        let offered: Vec<_> =
            offer::offered(&claude.desk.config).map(|op| op.declaration.name).collect();
        for (what, text) in read(&mut claude) {
            let foreign = named(&text).into_iter().filter(|name| !offered.contains(name));
            wrong.extend(foreign.map(|name| format!("{profile:?}, {what}: {name}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_text_names_a_block_or_a_page_that_its_profile_does_not_have() {
    let blocks = ["## Session Notepad", "[Session Scratchpad", "## Open notes", "## Recap of"];
    let pages = ["scratchpad", " notepad", " note ", " notes"];
    for (profile, has_blocks, has_pages) in [
        (Profile::Seed0, &blocks[..1], &[" notepad", " notes"][..]),
        (Profile::Seed1, &blocks[2..3], &[" note ", " notes"][..]),
        (Profile::Seed2, &blocks[1..2], &["scratchpad"][..]),
        (Profile::Seed3, &[], &[" notepad"][..]),
    ] {
        let mut claude = Claude::with(Config::of(profile));
        for (what, text) in read(&mut claude) {
            let of_names = blocks.iter().filter(|block| !has_blocks.contains(block));
            let of_pages = pages.iter().filter(|page| !has_pages.contains(page));
            for foreign in of_names.chain(of_pages) {
                assert!(!text.contains(foreign), "{profile:?}, {what}: {foreign}\n{text}");
            }
        }
    }
}

#[test]
fn the_scratchpads_block_is_the_only_one_of_its_design() {
    let claude = Claude::with(Config::of(Profile::Seed2));
    let block = "[Session Scratchpad - your persistent working memory]\n1. Fix X\n[End Scratchpad]";
    assert_eq!(claude.starts("startup"), "");
    claude.desk.object("session_scratchpad", json!({"content": "1. Fix X"}));
    assert_eq!(claude.prompt(), block);
    assert_eq!(claude.starts("compact"), block, "inside a turn no user message brings it");
    assert_eq!(claude.starts("resume"), "", "the next message brings it");
}

#[test]
fn the_published_warning_has_four_lines() {
    let claude = Claude::with(Config::of(Profile::Seed0));
    claude.starts("startup");
    claude.used(66_000, "msg_1");
    let warning = claude.context("PostToolBatch", &json!({"tool_calls": []}));
    assert_eq!(warning, vademecum_core::notepad::WARNING);
}

#[test]
fn the_warning_says_what_is_kept_in_the_words_of_its_profile() {
    for (profile, kept) in [
        (Profile::Default, Some("Kept now: notepad 11 tokens, 1 open note.")),
        (Profile::Seed1, Some("Kept now: 1 open note.")),
        (Profile::Seed2, Some("Kept now: scratchpad 11 tokens.")),
        (Profile::Seed3, None),
    ] {
        let mut config = Config::of(profile);
        config.precompact.enabled = true;
        let claude = Claude::with(config);
        claude.starts("startup");
        claude.person("write_notepad", json!({"content": "## Plan\n- [ ] the page"}));
        claude.person("add_note", json!({"content": "the note", "tags": ["todo"]}));
        claude.used(66_000, "msg_1");
        let warning = claude.context("PostToolBatch", &json!({"tool_calls": []}));
        assert_eq!(warning.lines().find(|line| line.starts_with("Kept now")), kept, "{profile:?}");
    }
}

/// The schema of a tool's arguments as models are shown it.
fn schema(profile: Profile, name: &str) -> Value {
    let op = registry::find(name).expect("an operation");
    let text = offer::input_schema(op, &Config::of(profile));
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// The names of those arguments.
fn arguments(profile: Profile, name: &str) -> Vec<String> {
    let schema = schema(profile, name);
    let properties = schema["properties"].as_object().expect("an object");
    properties.keys().cloned().collect()
}

#[test]
fn a_published_tool_has_its_published_arguments() {
    for (name, expected) in [
        ("add_note", &["content", "tags"][..]),
        ("search_notes", &["query", "tags", "include_scratched"]),
        ("list_notes", &["limit", "tags", "include_scratched"]),
        ("update_note", &["id", "content", "tags"]),
        ("delete_note", &["id"]),
        ("scratch_note", &["id", "scratched"]),
        ("list_tags", &[]),
    ] {
        assert_eq!(arguments(Profile::Seed1, name), expected, "{name}");
    }
    for (name, expected) in [
        ("read_notepad", &[][..]),
        ("write_notepad", &["content"]),
        ("update_notepad", &["operation", "content", "find", "replace", "replace_all"]),
    ] {
        assert_eq!(arguments(Profile::Seed0, name), expected, "{name}");
    }
    assert_eq!(arguments(Profile::Seed2, "session_scratchpad"), ["content", "mode"]);
    for (profile, name, wanted) in [
        (Profile::Seed0, "read_notepad", json!(null)),
        (Profile::Seed0, "write_notepad", json!(["content"])),
        (Profile::Seed0, "update_notepad", json!(["operation"])),
        (Profile::Seed1, "add_note", json!(["content", "tags"])),
        (Profile::Seed1, "update_note", json!(["id"])),
        (Profile::Seed1, "delete_note", json!(["id"])),
        (Profile::Seed1, "scratch_note", json!(["id", "scratched"])),
        (Profile::Seed1, "list_tags", json!(null)),
        (Profile::Seed2, "session_scratchpad", json!(["content"])),
        (Profile::Default, "add_note", json!(["content"])),
    ] {
        assert_eq!(schema(profile, name)["required"], wanted, "{profile:?} {name}");
    }
    assert!(arguments(Profile::Seed3, "add_learning").contains(&"taskId".to_owned()));
    assert!(arguments(Profile::Default, "search_notes").contains(&"session".to_owned()));
}

#[test]
fn the_published_summary_of_wisdom_has_its_names_and_shapes() {
    let claude = Claude::with(Config::of(Profile::Seed3));
    claude.desk.object("init_plan", json!({"name": "03-01-PLAN"}));
    let learning = json!({"taskId": "03-01", "content": "use .pipe()"});
    assert_eq!(claude.desk.object("add_learning", learning), json!({"ok": true}));
    let issue = json!({
        "taskId": "03-02", "content": "tags get lost", "severity": "high", "workaround": "add them by hand",
        "pattern": "src/a.rs:1", "tags": ["tags"],
    });
    assert_eq!(claude.desk.object("add_issue", issue), json!({"ok": true}));
    let summary = claude.desk.object("get_wisdom", json!({}));
    insta::assert_snapshot!(serde_json::to_string_pretty(&summary).expect("JSON"), @r#"
    {
      "learnings": [
        "2025-11-21T04:40:00.000Z | Task: 03-01\n\nuse .pipe()"
      ],
      "decisions": [],
      "issues": [
        "2025-11-21T04:40:00.000Z | Task: 03-02\n\ntags get lost\n\n**Severity:** high\n\n**Status:** workaround\n\n**Workaround:** add them by hand\n\n**Pattern found:** `src/a.rs:1`\n\n**Tags:** tags"
      ],
      "tokenEstimate": 40
    }
    "#);
    assert_eq!(claude.desk.person("get_wisdom", json!({})).expect("an answer").object, summary);
    let unknown = claude.desk.call("get_wisdom", json!({"plan": "other"})).expect("an answer");
    assert_eq!((unknown.object, unknown.text.as_str()), (Value::Null, "null"));
}

#[test]
fn the_published_notepad_answers_with_its_objects() {
    let claude = Claude::with(Config::of(Profile::Seed0));
    let said = |name, arguments| claude.desk.call(name, arguments).expect("an answer").text;
    assert_eq!(said("read_notepad", json!({})), r#"{"content":""}"#);
    assert_eq!(said("write_notepad", json!({"content": "{\"content\":\"\"}"})), r#"{"ok":true}"#);
    assert_eq!(said("read_notepad", json!({})), r#"{"content":"{\"content\":\"\"}"}"#);
}

#[test]
fn the_published_notes_answer_with_their_objects() {
    let claude = Claude::with(Config::of(Profile::Seed1));
    let id = &claude.desk.object("add_note", json!({"content": "x", "tags": ["a"]}))["id"];
    let note = |content: &str, scratched: bool| {
        json!({
            "id": id, "content": content, "tags": ["a"], "created_at": "2025-11-21T05:20:00.001Z",
            "updated_at": "2025-11-21T05:20:00.002Z", "scratched": scratched,
        })
    };
    let list = json!({"notes": [note("y", true)], "matched": 1, "partly": 0});
    for (name, arguments, expected) in [
        ("update_note", json!({"id": id, "content": "y"}), note("y", false)),
        ("scratch_note", json!({"id": id, "scratched": true}), note("y", true)),
        ("search_notes", json!({"query": "y"}), list),
        ("list_tags", json!({}), json!({"tags": [{"tag": "a", "count": 1}]})),
    ] {
        let mut reply = claude.desk.call(name, arguments).expect("an answer");
        assert_eq!(reply.text, reply.object.to_string(), "{name}");
        let notes = reply.object.get_mut("notes").and_then(Value::as_array_mut);
        for note in notes.into_iter().flatten() {
            settle(note);
        }
        settle(&mut reply.object);
        assert_eq!(reply.object, expected, "{name}");
    }
}

/// A note has its times, whatever they are.
fn settle(note: &mut Value) {
    for (name, time) in
        [("created_at", "2025-11-21T05:20:00.001Z"), ("updated_at", "2025-11-21T05:20:00.002Z")]
    {
        if let Some(told) = note.get_mut(name) {
            *told = json!(time);
        }
    }
}

#[test]
fn the_published_search_looks_through_its_session_alone() {
    let claude = Claude::with(Config::of(Profile::Seed1));
    let refused = claude.desk.error("search_notes", json!({"query": "x", "scope": "project"}));
    assert_eq!(
        refused,
        "usage: search_notes takes no scope: it looks through this session's notes"
    );
    let op = registry::find("search_notes").expect("an operation");
    let about = offer::about(op, &claude.desk.config);
    assert!(!about.contains("project"), "{about}");
    assert!(offer::about(op, &Config::default()).contains("project"));
}

#[test]
fn text_goes_into_the_slots_that_are_set_and_into_no_other() {
    use vademecum_ops::config::Slot;

    for (slots, has_start, has_prompt, has_briefing) in [
        (&Slot::ALL[..], true, true, true),
        (&[Slot::Startup], true, false, false),
        (&[Slot::User], false, true, false),
        (&[Slot::Delegate], false, false, true),
        (&[], false, false, false),
    ] {
        let claude = Claude::with(Config { slots: slots.to_vec(), ..Config::default() });
        assert_eq!(!claude.starts("startup").is_empty(), has_start, "{slots:?}");
        claude.person("add_note", json!({"content": "theirs", "tags": ["a"]}));
        claude.person("add_learning", json!({"content": "the learning"}));
        assert_eq!(claude.prompt().contains("theirs"), has_prompt, "{slots:?}");
        assert_eq!(claude.starts("compact").contains("theirs"), has_start, "{slots:?}");
        let input = json!({"description": "d", "prompt": "Find it.", "subagent_type": "Explore"});
        let call = json!({"tool_name": "Agent", "tool_use_id": "toolu_1", "tool_input": input});
        let briefed = printed(&claude, "PreToolUse", &call);
        assert_eq!(briefed.contains("the learning"), has_briefing, "{slots:?}");
    }
}
