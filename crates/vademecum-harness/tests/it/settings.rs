//! What wiring makes of settings files, and that unwiring gives every byte back.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use vademecum_core::error::Kind;
use vademecum_harness::claude_code::settings::{
    Wired, plan, plan_servers, unplan, unplan_servers, wired, wired_server,
};
use vademecum_harness::wiring::{After, Plan, SettingsError, Wiring};

use crate::odd_json;

fn wiring(command: &str) -> Wiring {
    let allow = ["mcp__vade__add_note", "mcp__vade__list_notes"].map(str::to_owned).to_vec();
    Wiring::new(Path::new(command), allow).expect("a wiring")
}

const VADE: &str = "/home/dev/.local/bin/vade";

fn written(plan: Result<Plan, SettingsError>) -> String {
    match plan.expect("a plan").after {
        After::Same => "same".to_owned(),
        After::Write(bytes) => String::from_utf8(bytes).expect("UTF-8"),
        After::Remove => "removed".to_owned(),
    }
}

#[track_caller]
fn there_and_back(existing: &str) -> String {
    let wired = written(plan(Some(existing.as_bytes()), &wiring(VADE)));
    assert_eq!(written(plan(Some(wired.as_bytes()), &wiring(VADE))), "same");
    assert_eq!(written(unplan(Some(wired.as_bytes()))), existing);
    wired
}

#[test]
fn a_file_is_made_and_removed() {
    let plan = plan(None, &wiring(VADE)).expect("a plan");
    insta::assert_snapshot!("made_changes", plan.changes.join("\n"));
    let wired = written(Ok(plan));
    insta::assert_snapshot!("made", wired);
    assert_eq!(written(unplan(Some(wired.as_bytes()))), "removed");
    assert_eq!(written(unplan(None)), "same");
    assert_eq!(written(unplan(Some(b""))), "same");
}

#[test]
fn what_is_there_stays_as_it_is() {
    insta::assert_snapshot!(
        "among_others",
        there_and_back(
            r#"{
	"model":   "opus", "permissions": { "allow": ["Bash(ls:*)"],
		"deny": [] },
	"hooks": {
		"SessionStart": [
			{ "hooks": [ {"type": "command", "command": "echo hi"} ] }
		],
		"Stop": []
	}
}"#
        )
    );
    insta::assert_snapshot!("on_one_line", there_and_back(r#"{"model":"opus","hooks":{}}"#));
    insta::assert_snapshot!("in_an_empty_object", there_and_back("{}\n"));
}

#[test]
fn odd_files_come_back_to_the_byte() {
    for existing in [
        "{}",
        " {\r\n} \r\n",
        "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        "{\n\"hooks\":{\n\n}\n}",
        "{\"permissions\":{\"allow\":[ ]},\"hooks\":{\"PreCompact\":[],\"X\":null}}",
        "{\n    \"permissions\": {\n        \"allow\": []\n    }\n}\n",
        "{ \"\\u0068ooks\" : { \"SessionStart\" : [ 7, {\"hooks\":[]}, {} ] } }",
        "{\"a\":\"\\ud800 { \\\" ,\",\"b\":1e400}",
    ] {
        there_and_back(existing);
    }
}

#[test]
fn a_moved_binary_is_followed() {
    let old = written(plan(None, &wiring("/old place/vade")));
    let plan = plan(Some(old.as_bytes()), &wiring(VADE)).expect("a plan");
    insta::assert_snapshot!("moved_changes", plan.changes.join("\n"));
    assert_eq!(written(Ok(plan)), written(self::plan(None, &wiring(VADE))));
}

#[test]
fn entries_of_ours_are_told_from_others() {
    let ours =
        json!({"type": "command", "command": "/x/vade", "args": ["hook", "claude-code", "Stop"]});
    let existing = json!({"hooks": {"Stop": [
        {"hooks": [ours, {"type": "command", "command": "/x/other", "args": ["hook", "claude-code", "Stop"]}]},
        {"hooks": [ours]},
        {"matcher": "", "hooks": [{"type": "command", "command": "vade", "args": ["recap"]}]},
    ]}, "permissions": {"allow": ["mcp__vade", "mcp__vade__old_tool", "mcp__vader__x"]}});
    let text = serde_json::to_string_pretty(&existing).expect("JSON");
    insta::assert_snapshot!("told_apart", written(unplan(Some(text.as_bytes()))));
    // Stop is wired no more, and the rule for all our tools makes more of them needless.
    let changes = plan(Some(text.as_bytes()), &wiring(VADE)).expect("a plan").changes;
    insta::assert_snapshot!("told_apart_changes", changes.join("\n"));
}

#[test]
fn a_handler_that_was_moved_or_doubled_is_kept_once() {
    let handler = json!({"type": "command", "command": "/old/vade", "timeout": 1,
        "args": ["hook", "claude-code", "UserPromptSubmit"]});
    let other = json!({"type": "command", "command": "/x/other"});
    let existing = json!({"hooks": {"UserPromptSubmit": [
        {"hooks": [other, handler]}, {"hooks": [handler]}]}});
    let text = serde_json::to_string_pretty(&existing).expect("JSON");
    let wired = written(plan(Some(text.as_bytes()), &wiring(VADE)));
    let value: Value = serde_json::from_str(&wired).expect("JSON");
    let wanted = json!({"type": "command", "command": VADE, "timeout": 5,
        "args": ["hook", "claude-code", "UserPromptSubmit"]});
    assert_eq!(value["hooks"]["UserPromptSubmit"], json!([{"hooks": [other, wanted]}]));
    assert_eq!(written(plan(Some(wired.as_bytes()), &wiring(VADE))), "same");
}

#[test]
fn files_that_are_not_understood_are_left_alone() {
    let refused = |existing: &str| {
        let error = plan(Some(existing.as_bytes()), &wiring(VADE)).expect_err("no plan");
        assert_eq!(error.kind(), Kind::Broken);
        error.to_string()
    };
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let errors = [
        refused("{\n  // no comments\n}"),
        refused("{\"a\":1,}"),
        refused("[]"),
        refused("{} x"),
        refused("{\"a\":\n \"b\tc\"}"),
        refused("{\"é\":{\"hooks\":1,\n \"\\u0068ooks\":2}}"),
        refused("{\"hooks\":[]}"),
        refused("{\"hooks\":{\"SessionStart\":{}}}"),
        refused("{\"permissions\":null}"),
        refused("{\"permissions\":{\"allow\":\"all\"}}"),
        refused(&deep),
    ];
    insta::assert_snapshot!("refused", errors.join("\n"));
    let not_text = plan(Some(b"{\"a\":\"\xff\"}"), &wiring(VADE)).expect_err("no plan");
    assert_eq!(not_text.to_string(), "not UTF-8 at byte 6");
}

#[test]
fn only_a_whole_path_can_be_wired() {
    for command in ["vade", "./vade", "../bin/vade"] {
        let error = Wiring::new(Path::new(command), Vec::new()).expect_err("no wiring");
        assert_eq!(error.kind(), Kind::Usage);
    }
}

/// What the harness's own `mcp add --scope user` writes, its other keys left out.
const SERVERS: &str = r#"{
  "numStartups": 3,
  "mcpServers": {
    "vade": {
      "type": "stdio",
      "command": "/home/dev/.local/bin/vade",
      "args": [
        "mcp"
      ],
      "env": {}
    }
  }
}"#;

#[test]
fn the_server_is_written_as_the_harness_does() {
    let existing = "{\n  \"numStartups\": 3\n}";
    assert_eq!(written(plan_servers(Some(existing.as_bytes()), &wiring(VADE))), SERVERS);
    assert_eq!(written(plan_servers(Some(SERVERS.as_bytes()), &wiring(VADE))), "same");
    assert_eq!(written(unplan_servers(Some(SERVERS.as_bytes()))), existing);
    let made = written(plan_servers(None, &wiring(VADE)));
    assert_eq!(written(unplan_servers(Some(made.as_bytes()))), "removed");
    let other = r#"{"mcpServers":{"x":{}}}"#;
    let among = written(plan_servers(Some(other.as_bytes()), &wiring(VADE)));
    assert_eq!(written(unplan_servers(Some(among.as_bytes()))), other);
}

#[test]
fn a_server_that_moved_keeps_what_the_user_added() {
    let own = SERVERS.replace("\"env\": {}", "\"env\": {\"VADE_STORE\":\"sqlite:/x\"}");
    let old = own.replace("/home/dev/.local", "/old");
    assert_eq!(written(plan_servers(Some(old.as_bytes()), &wiring(VADE))), own);
}

#[test]
fn a_server_of_somebody_else_is_left_alone() {
    for server in [r#"{"command":"npx","args":["vade","mcp"]}"#, r#"{"type":"http","url":"x"}"#] {
        let existing = format!(r#"{{"mcpServers":{{"vade":{server}}}}}"#);
        let taken = plan_servers(Some(existing.as_bytes()), &wiring(VADE)).expect_err("no plan");
        assert_eq!(taken.kind(), Kind::Conflict);
        assert_eq!(written(unplan_servers(Some(existing.as_bytes()))), "same");
    }
}

/// Every value of `before` is in `after`, in its order; arrays and objects may have grown.
fn is_within(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let mut keys = after.keys();
            before
                .iter()
                .all(|(key, value)| keys.any(|other| other == key) && is_within(value, &after[key]))
        }
        (Value::Array(before), Value::Array(after)) => after.starts_with(before),
        _ => before == after,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn wiring_adds_and_unwiring_restores(existing in odd_json::settings()) {
        let wired = written(plan(Some(existing.as_bytes()), &wiring("/first/vade")));
        let read = |text: &str| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}'));
        prop_assert!(is_within(&read(&existing).expect("JSON"), &read(&wired).expect("JSON")));
        prop_assert_eq!(written(plan(Some(wired.as_bytes()), &wiring("/first/vade"))), "same");

        let moved = written(plan(Some(wired.as_bytes()), &wiring(VADE)));
        prop_assert!(!moved.contains("/first/") && moved.matches(VADE).count() == 9);
        for wired in [wired, moved] {
            prop_assert_eq!(&written(unplan(Some(wired.as_bytes()))), &existing);
        }
    }

    #[test]
    fn the_server_comes_and_goes(existing in odd_json::servers()) {
        let wired = written(plan_servers(Some(existing.as_bytes()), &wiring(VADE)));
        prop_assert_eq!(written(plan_servers(Some(wired.as_bytes()), &wiring(VADE))), "same");
        prop_assert_eq!(written(unplan_servers(Some(wired.as_bytes()))), existing);
    }
}

#[test]
fn what_is_wired_can_be_read() {
    let settings = r#"{"disableAllHooks": true, "permissions": {"deny": ["mcp__vade__add_note", "mcp__vademecum", "Bash"]}}"#;
    let both = written(plan(Some(settings.as_bytes()), &wiring(VADE)));
    let expected = Wired {
        programs: vec![VADE.to_owned()],
        are_hooks_off: true,
        denied: vec!["mcp__vade__add_note".to_owned()],
    };
    assert_eq!(wired(Some(both.as_bytes())).expect("settings"), expected);
    assert_eq!(wired(None).expect("nothing"), Wired::default());

    let servers = written(plan_servers(None, &wiring(VADE)));
    let found = wired_server(Some(servers.as_bytes())).expect("servers");
    assert_eq!(found.as_deref(), Some(VADE));
    assert_eq!(wired_server(Some(b"{}")).expect("servers"), None);
}

#[test]
fn a_status_line_is_set_where_there_is_none_and_taken_back() {
    let with_line = |command: &str| wiring(command).with_status_line();
    let there = |existing: &str, wiring: &Wiring| match plan(Some(existing.as_bytes()), wiring)
        .expect("a plan")
        .after
    {
        After::Write(bytes) => String::from_utf8(bytes).expect("UTF-8"),
        After::Same | After::Remove => existing.to_owned(),
    };
    let line = |settings: &str| -> Value {
        serde_json::from_str::<Value>(settings).expect("JSON")["statusLine"].clone()
    };
    for existing in
        ["{}", "{\n  \"model\": \"opus\"\n}\n", "{\"hooks\":{},\"permissions\":{\"allow\":[]}}"]
    {
        let wired = there(existing, &with_line("/home/dev/my bin/vade"));
        let command = "'/home/dev/my bin/vade' statusline";
        assert_eq!(line(&wired), json!({"type": "command", "command": command}));
        // A program that was moved is followed, whether a line is asked for or not.
        let moved = there(&wired, &wiring(VADE));
        assert_eq!(line(&moved)["command"], format!("{VADE} statusline"));
        assert_eq!(written(unplan(Some(moved.as_bytes()))), existing);
        assert_eq!(line(&there(existing, &wiring(VADE))), Value::Null);
    }
    // One of somebody else stays, one that calls ours among other things too.
    for theirs in [
        json!({"type": "command", "command": "~/line.sh"}),
        json!({"type": "command", "command": "git branch && /x/vade statusline"}),
        json!({"type": "command", "command": "vade status"}),
        Value::Null,
        json!("odd"),
    ] {
        let existing = json!({ "statusLine": theirs }).to_string();
        let wired = there(&existing, &with_line(VADE));
        assert_eq!(line(&wired), theirs);
        assert_eq!(written(unplan(Some(wired.as_bytes()))), existing);
    }
}
