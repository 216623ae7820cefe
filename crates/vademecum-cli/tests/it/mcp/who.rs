//! Which session a call is about: metadata, hook, environment, never a guess; and which it may name.

use serde_json::{Value, json};

use super::client::{Client, Home};

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
    let codex = json!({"x-codex-turn-metadata": {"session_id": "xxxx-1"}});
    let agent_of_codex =
        json!({"x-codex-turn-metadata": {"session_id": "xxxx-1", "thread_id": "xxxx-2"}});
    let no = || json!({});
    let named = |session: &str| json!({ "session": session });
    let cases: Vec<Case> = vec![
        (&claude, named("claude-code:aaaa-1 as self"), no(), "aaaa-1"),
        (&claude, named("claude-code:aaaa-1/agent1 as self"), no(), "aaaa-1/agent1"),
        (&claude, named("claude-code:aaaa-1 as claude-code:aaaa-1 as self"), no(), "aaaa-1"),
        (&claude, named("claude-code:cccc-1"), no(), "cccc-1"),
        (&claude, named("claude-code:cccc-1/agent1"), no(), "cccc-1/agent1"),
        (&claude, named(""), no(), "cccc-1"),
        (&claude, json!({"session": null}), no(), "cccc-1"),
        (&claude, named("unknown"), no(), "no session \"unknown\""),
        (&claude, named("new"), no(), "no session \"new\""),
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
        (&[("VADE_SESSION_ID", "not a name")], no(), no(), "no session \"not a name\""),
    ];
    for (variables, arguments, meta, expected) in cases {
        let shown = format!("{variables:?} {arguments} {meta}");
        assert_eq!(answered(variables, arguments, meta), expected, "{shown}");
    }
}

/// Every way to name a session that is not the caller's, and what is said of it.
#[test]
fn a_model_names_its_own_session_and_its_children_only() {
    let home = Home::new();
    home.session("aaaa-1").call("write_notepad", json!({"content": "SECRET of A"}));
    let mut codex = home.start();
    codex.initialize("codex-mcp-client");
    let parent = json!({"threadId": "pppp-1", "sessionId": "pppp-1"});
    codex.call_with("write_notepad", json!({"content": "SECRET of the parent"}), parent.clone());
    let elsewhere = home.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let other = Home::beside(&home, &elsewhere);
    other
        .session("eeee-1")
        .call("write_notepad", json!({"content": "SECRET of the other project"}));

    let child = json!({"threadId": "cccc-2", "sessionId": "pppp-1"});
    let mut claude = home.session("bbbb-1");
    let mut unknown = home.start();
    unknown.initialize("cursor");
    let no = || json!({});
    for (meta, session) in [
        (&child, "codex:pppp-1"),
        (&child, "pppp-1"),
        (&child, "claude-code:aaaa-1 as self"),
        (&parent, "claude-code:aaaa-1"),
        (&parent, "desk"),
    ] {
        check_refused(&mut codex, meta, session);
    }
    for session in [
        "aaaa-1",
        "claude-code:aaaa-1",
        "claude-code:eeee-1",
        "eeee-1",
        "codex:pppp-1 as self",
        "claude-code:bbbb-1/kid as claude-code:bbbb-1",
        "claude-code:bbbb-1/kid as bbbb-1",
        "claude-code:bbbb-1/kid as claude-code:bbbb-1 as self",
        "claude-code:bbbb-1/kid as claude-code:bbbb-1/other",
        "claude-code:bbbb-1/kid as desk",
    ] {
        check_refused(&mut claude, &no(), session);
    }
    for session in ["aaaa-1", "claude-code:aaaa-1", "claude-code:aaaa-1 as self", "mcp:x", "desk"] {
        check_refused(&mut unknown, &no(), session);
    }

    for (mut client, content) in [
        (home.session("aaaa-1"), "SECRET of A"),
        (other.session("eeee-1"), "SECRET of the other project"),
    ] {
        assert_eq!(client.object("read_notepad", json!({}))["content"], content);
    }
    let page = codex.call_with("read_notepad", json!({}), parent.clone());
    assert_eq!(page["content"][0]["text"], "SECRET of the parent");
    let page =
        codex.call_with("write_notepad", json!({"content": "x", "session": "cccc-2"}), parent);
    assert_eq!(page["isError"], true, "no such child yet: {page}");
}

/// Neither a read nor a write goes through, and no page is quoted.
#[track_caller]
fn check_refused(client: &mut Client, meta: &Value, session: &str) {
    for (tool, mut arguments) in [
        ("read_notepad", json!({})),
        ("list_notes", json!({})),
        ("write_notepad", json!({"content": "CHANGED"})),
        ("write_handoff", json!({"content": "CHANGED"})),
    ] {
        arguments["session"] = json!(session);
        let result = client.call_with(tool, arguments, meta.clone());
        assert_eq!(result["isError"], true, "{tool} {session}: {result}");
        assert!(!result.to_string().contains("SECRET"), "{tool} {session}: {result}");
    }
    let uri = format!("vade://session/{session}/notepad");
    let read = client.request("resources/read", json!({"uri": uri, "_meta": meta}));
    assert!(read["code"].is_number(), "{session}: {read}");
}

/// What a person picks goes to a model all the same.
#[test]
fn the_prompt_gives_nothing_of_another_project() {
    let home = Home::new();
    let elsewhere = home.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let mut other = Home::beside(&home, &elsewhere).session("eeee-1");
    other.call("write_notepad", json!({"content": "SECRET of E"}));
    home.session("aaaa-1").call("write_notepad", json!({"content": "of this project"}));
    let refused = "session \"claude-code:eeee-1\" is of another project";
    let check = |profile: &str, expected: [&str; 2]| {
        let config = home.path("config/vademecum");
        std::fs::create_dir_all(&config).expect("a folder");
        std::fs::write(config.join("config.toml"), profile).expect("a file");
        let mut client = home.session("bbbb-1");
        let told = ["claude-code:eeee-1", "eeee-1"].map(|session| {
            let asked = json!({"name": "resume", "arguments": {"session": session}});
            client.request("prompts/get", asked)
        });
        let said = told.each_ref().map(|told| told["message"].as_str().unwrap_or_default());
        let first = said.map(|said| said.lines().next().unwrap_or_default());
        assert_eq!(first, expected, "{profile}: {told:?}");
    };
    for profile in ["", "profile = 'seed0'", "profile = 'seed1'", "profile = 'seed4'"] {
        check(profile, [refused, "no session \"eeee-1\""]);
    }
}

#[test]
fn what_another_left_is_read_by_read_handoff() {
    let home = Home::new();
    home.session("aaaa-1").call("write_notepad", json!({"content": "SECRET of A"}));
    let elsewhere = home.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let other = Home::beside(&home, &elsewhere);
    other.session("eeee-1").call("write_notepad", json!({"content": "of E"}));
    let mut client = home.session("bbbb-1");
    let read = client.object("read_handoff", json!({"from": "aaaa-1"}));
    let text = read["text"].as_str().expect("a text");
    assert!(text.starts_with("Handoff of session aaaa-1 (instance 1, "), "{text}");
    assert!(text.contains("SECRET of A"), "{text}");
    let refused = client.call("read_handoff", json!({"from": "claude-code:eeee-1"}));
    let message = &refused["structuredContent"]["message"];
    assert_eq!(message, "session \"claude-code:eeee-1\" is of another project");
}

#[test]
fn a_client_that_names_no_session_gets_one_of_its_own() {
    let home = Home::new();
    home.session("aaaa-1").call("write_notepad", json!({"content": "SECRET of A"}));
    let mut client = home.start();
    client.initialize("cursor");
    let said = |result: &Value, part: usize| {
        result["content"][part]["text"].as_str().unwrap_or_default().to_owned()
    };

    let read = client.call("read_notepad", json!({}));
    assert_eq!(read["structuredContent"], json!({"content": "", "session": null}));
    let none = "No session yet: your first write begins one and gives its handle.";
    assert_eq!(said(&read, 1), none);
    let status = client.call("list_notes", json!({}));
    assert_eq!(
        (said(&status, 0).as_str(), said(&status, 1).as_str()),
        ("no notes in this session", none)
    );

    let written = client.call("write_notepad", json!({"content": "of chat 1"}));
    let first = written["structuredContent"]["session"].as_str().expect("a handle").to_owned();
    let line = format!("Your session is {first}: pass session \"{first}\" in every call.");
    assert_eq!(said(&written, 1), line);

    for (tool, arguments) in
        [("read_notepad", json!({})), ("add_note", json!({"content": "x", "tags": ["t"]}))]
    {
        let refused = client.call(tool, arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        let text = said(&refused, 0);
        insta::allow_duplicates! {
            insta::assert_snapshot!(text, @r#"
            this call names no session
            pass session as your first write gave it, or session: "new"
            "#);
        }
    }
    let refused = client.call("delete_note", json!({"id": "note_1", "session": "new"}));
    assert_eq!(refused["isError"], true, "{refused}");
    assert_eq!(refused["structuredContent"]["session"], Value::Null, "what is refused begins none");
    let other = json!({"content": "of chat 2", "tags": ["t"], "session": "new"});
    let written = client.call("add_note", other);
    let second = written["structuredContent"]["session"].as_str().expect("a handle").to_owned();
    assert_ne!(first, second);
    let mut again = home.start();
    again.initialize("cursor");
    for (session, content) in [(&first, "of chat 1"), (&second, "")] {
        let arguments = json!({ "session": session });
        assert_eq!(client.object("read_notepad", arguments.clone())["content"], content);
        assert_eq!(again.object("read_notepad", arguments)["content"], content, "after a restart");
    }
    let page = home.session("aaaa-1").object("read_notepad", json!({}));
    assert_eq!(page["content"], "SECRET of A", "the one live session was never meant");
}

#[test]
fn where_tools_take_no_session_a_connection_is_one() {
    for (profile, write, read, key) in [
        ("seed0", ("write_notepad", json!({"content": "x"})), "read_notepad", "content"),
        ("seed1", ("add_note", json!({"content": "x", "tags": ["t"]})), "list_notes", "notes"),
    ] {
        let home = Home::configured(&format!("profile = '{profile}'"));
        let mut client = home.start();
        client.initialize("cursor");
        let nothing = client.call(read, json!({}));
        let written = client.call(write.0, write.1);
        let mut again = client.call(read, json!({}));
        for result in [&nothing, &written, &again] {
            assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
            assert_ne!(result["isError"], true, "{result}");
        }
        assert_ne!(again["structuredContent"][key].take(), nothing["structuredContent"][key]);
        let mut other = home.start();
        other.initialize("cursor");
        assert_eq!(other.call(read, json!({})), nothing, "another connection is another session");
    }
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
    let read = client.call("read_notepad", json!({}));
    assert_eq!(read["structuredContent"], json!({"content": "", "session": null}));
}
