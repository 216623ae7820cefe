//! Which session a call is about: argument, metadata, environment, and no guess.

use serde_json::{Value, json};

use super::client::Home;

/// Variables, arguments, metadata; and who answers, or what is said.
type Case<'a> = (&'a [(&'a str, &'a str)], Value, Value, &'a str);

/// Calls once in a fresh home and gives the handle of the session that answered, or the error.
fn answered(variables: &[(&str, &str)], arguments: Value, meta: Value) -> String {
    let home = variables.iter().fold(Home::new(), |home, (name, value)| home.with(name, value));
    let mut client = home.start();
    client.initialize("test");
    let mut call = json!({"content": "x", "tags": ["t"]});
    call.as_object_mut()
        .expect("an object")
        .extend(arguments.as_object().cloned().unwrap_or_default());
    let result = client.call_with("add_note", call, meta);
    let object = &result["structuredContent"];
    let said = object["session"].as_str().or(object["message"].as_str());
    said.map_or_else(|| result.to_string(), str::to_owned)
}

#[test]
fn the_surest_clue_wins() {
    let claude = [("CLAUDE_CODE_SESSION_ID", "cccc-1")];
    let both = [("VADE_SESSION_ID", "mine:vvvv-1"), ("CLAUDE_CODE_SESSION_ID", "cccc-1")];
    let below = [("CLAUDE_CODE_CHILD_SESSION", "1"), ("CLAUDE_CODE_SESSION_ID", "cccc-1")];
    let codex = json!({"x-codex-turn-metadata": {"session_id": "xxxx-1"}});
    let agent_of_codex =
        json!({"x-codex-turn-metadata": {"session_id": "xxxx-1", "thread_id": "xxxx-2"}});
    let nobody = "no session is known for this call";
    let no = || json!({});
    let cases: Vec<Case> = vec![
        (&claude, json!({"session": "claude-code:aaaa-1"}), json!({"threadId": "t-1"}), "aaaa-1"),
        (&claude, json!({"session": "claude-code:aaaa-1/agent1"}), no(), "aaaa-1/agent1"),
        (&claude, json!({"session": ""}), no(), "cccc-1"),
        (&claude, json!({"session": null}), no(), "cccc-1"),
        (&claude, json!({"session": "unknown"}), no(), "no session \"unknown\""),
        (&claude, json!({"session": 7}), no(), "session takes a text, 7 given"),
        (&claude, no(), json!({"dev.vademecum/session": "own:oooo-1", "threadId": "t"}), "oooo-1"),
        (&claude, no(), json!({"threadId": "tttt-1", "ai.opencode/sessionID": "p"}), "tttt-1"),
        (&claude, no(), codex, "xxxx-1"),
        (&claude, no(), json!({"threadId": "tttt-1", "sessionId": "tttt-1"}), "tttt-1"),
        (&claude, no(), json!({"threadId": "tttt-2", "sessionId": "tttt-1"}), "tttt-1/tttt-2"),
        (&claude, no(), agent_of_codex, "xxxx-1/xxxx-2"),
        (&claude, no(), json!({"ai.opencode/sessionID": "ses_1"}), "ses_1"),
        (&claude, no(), json!({"antigravity.google/conversation_id": "anti-1"}), "anti-1"),
        (&claude, no(), json!({"threadId": 5}), "cccc-1"),
        (&both, no(), no(), "vvvv-1"),
        (&both, no(), json!({"threadId": "tttt-1"}), "tttt-1"),
        (&claude, no(), no(), "cccc-1"),
        (&below, no(), no(), nobody),
        (&[], no(), no(), nobody),
        (&[("VADE_SESSION_ID", "not a name")], no(), no(), "no session \"not a name\""),
    ];
    for (variables, arguments, meta, expected) in cases {
        let shown = format!("{variables:?} {arguments} {meta}");
        assert_eq!(answered(variables, arguments, meta), expected, "{shown}");
    }
}

#[test]
fn the_only_session_that_runs_is_meant() {
    let home = Home::new();
    home.session("aaaa-1").call("write_notepad", json!({"content": "A"}));
    let mut unnamed = home.start();
    unnamed.initialize("test");
    assert_eq!(unnamed.object("read_notepad", json!({}))["content"], "A");

    home.session("bbbb-2").call("write_notepad", json!({"content": "B"}));
    let refused = unnamed.call("read_notepad", json!({}));
    let text = refused["content"][0]["text"].as_str().expect("a text");
    let said = "several sessions run here: claude-code:bbbb-2, claude-code:aaaa-1";
    assert!(text.starts_with(said), "{text}");
    let named = unnamed.object("read_notepad", json!({"session": "aaaa-1"}));
    assert_eq!(named["content"], "A");
}

#[test]
fn a_sub_agent_works_on_its_own_page() {
    let home = Home::new();
    let mut client = home.session("aaaa-1");
    let agent = "claude-code:aaaa-1/agent1";
    client.call("write_notepad", json!({"content": "parent"}));
    assert_eq!(client.object("read_notepad", json!({"session": agent}))["content"], "");
    client.call("write_notepad", json!({"content": "agent", "session": agent}));
    client.call("add_note", json!({"content": "found", "tags": ["t"], "session": agent}));

    assert_eq!(client.object("read_notepad", json!({}))["content"], "parent");
    assert_eq!(client.object("read_notepad", json!({"session": agent}))["content"], "agent");
    assert_eq!(client.object("list_notes", json!({}))["total"], 0);
    let page = client.object("read_notepad", json!({"session": "aaaa-1/agent1"}));
    assert_eq!(page["content"], "agent", "its handle is understood");

    // While it runs, who is known by the environment alone may be it: no replacing unseen.
    let refused = client.call("write_notepad", json!({"content": "x"}));
    assert_eq!(refused["structuredContent"]["kind"], "usage", "{refused}");
    let appended = json!({"operation": "append", "content": "!"});
    assert_eq!(client.object("update_notepad", appended)["rev"], 2);
    assert_eq!(client.object("write_notepad", json!({"content": "x", "if_rev": 2}))["rev"], 3);
}

#[test]
fn the_project_is_the_one_that_claude_code_tells() {
    let home = Home::new();
    let elsewhere = home.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let told = elsewhere.to_str().expect("a path").to_owned();
    let home = home.with("CLAUDE_PROJECT_DIR", &told);
    home.session("aaaa-1").call("write_notepad", json!({"content": "A"}));

    // Below a shell of Claude Code the folder is somebody else's, and the current one counts.
    let below = home.with("CLAUDE_CODE_CHILD_SESSION", "1");
    let mut client = below.start();
    client.initialize("test");
    let refused = client.call("read_notepad", json!({}));
    assert_eq!(refused["structuredContent"]["message"], "no session is known for this call");
}
