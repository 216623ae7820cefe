//! What installing makes of settings files, and that uninstalling gives every byte back.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::{Value, json};

use crate::home::Home;

const SETTINGS: &str = ".claude/settings.json";
const SERVERS: &str = ".claude.json";

/// Installs twice and takes it out again; the settings in between.
#[track_caller]
fn there_and_back(home: &Home) -> Value {
    let before = (home.read(SETTINGS), home.read(SERVERS));
    home.vade(&["install", "claude-code", "--yes"]).success();
    let wired = (home.read(SETTINGS), home.read(SERVERS));
    let again = home.vade(&["install", "claude-code", "--yes"]).success();
    assert_eq!(again, "nothing to change: vade is installed\n");
    assert_eq!((home.read(SETTINGS), home.read(SERVERS)), wired);

    home.vade(&["uninstall", "claude-code", "--yes"]).success();
    assert_eq!((home.read(SETTINGS), home.read(SERVERS)), before);
    let settings = wired.0.expect("settings");
    serde_json::from_str(settings.trim_start_matches('\u{feff}')).expect("JSON")
}

#[track_caller]
fn check(settings: &str) -> Value {
    let home = Home::with_program();
    home.write(SETTINGS, settings);
    home.write(SERVERS, "{\"numStartups\": 3,\"projects\":{}}");
    fs::set_permissions(home.path(SETTINGS), Permissions::from_mode(0o640)).expect("a mode");
    let wired = there_and_back(&home);
    let mode = fs::metadata(home.path(SETTINGS)).expect("a file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o640);
    wired
}

#[test]
fn files_are_made_and_removed() {
    let home = Home::with_program();
    let wired = there_and_back(&home);
    let command = home.program();
    let handler = json!({
        "type": "command", "command": command, "args": ["hook", "claude-code", "SessionStart"],
        "timeout": 10,
    });
    assert_eq!(wired["hooks"]["SessionStart"][0]["hooks"], json!([handler]));
}

#[test]
fn every_byte_comes_back() {
    for settings in [
        "",
        "\n",
        "{}",
        "{ }\n",
        "{\"model\":\"opus\"}",
        "\u{feff}{\n\t\"model\":   \"opus\"\n}",
        "{\r\n  \"model\": \"opus\",\r\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]}\r\n}\r\n",
        "{ \"hooks\": {\"Stop\": [ {\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]} ], \
         \"SessionStart\":[]},\n\n\"permissions\" : {\"deny\":[]}}",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"mcp__vade__delete_note\"\n    ]\n  }\n}\n",
    ] {
        check(settings);
    }
}

#[test]
fn other_entries_are_still_there() {
    let hook = json!({"hooks": [{"type": "command", "command": "echo hi"}]});
    let other = json!({"model": "opus", "hooks": {"SessionStart": [hook]}});
    let wired = check(&other.to_string());
    assert_eq!((&wired["model"], &wired["hooks"]["SessionStart"][0]), (&json!("opus"), &hook));
}

#[test]
fn only_what_takes_nothing_away_is_allowed() {
    let wired = check("{}");
    let allowed = wired["permissions"]["allow"].as_array().expect("a list").clone();
    assert!(allowed.contains(&json!("mcp__vade__add_note")), "{allowed:?}");
    assert!(!allowed.contains(&json!("mcp__vade__delete_note")), "{allowed:?}");

    let home = Home::with_program();
    home.vade(&["install", "claude-code", "--yes", "--no-permissions"]).success();
    assert_eq!(home.read(SETTINGS).map(|text| text.contains("permissions")), Some(false));
}

#[test]
fn what_changed_since_stays() {
    let home = Home::with_program();
    home.write(SETTINGS, "{\"model\":\"opus\"}");
    home.vade(&["install", "claude-code", "--yes"]).success();
    let wired = home.read(SETTINGS).expect("settings");
    home.write(SETTINGS, wired.replace("\"opus\"", "\"sonnet\""));
    let said = home.vade(&["uninstall", "claude-code", "--yes"]).success();
    assert_eq!(home.read(SETTINGS).as_deref(), Some("{\"model\":\"sonnet\"}"));
    assert!(said.contains("~/.claude/settings.json: without our entries"), "{said}");
}

#[test]
fn a_link_stays_a_link() {
    for target in [Some("{\"model\":\"opus\"}\n"), None] {
        let home = Home::with_program();
        home.write("dotfiles/README", "");
        if let Some(text) = target {
            home.write("dotfiles/claude.json", text);
        }
        fs::create_dir(home.path(".claude")).expect("a folder");
        symlink("../dotfiles/claude.json", home.path(SETTINGS)).expect("a link");
        let shown = home.vade(&["install", "claude-code", "--dry-run"]).success();
        let leads = "~/.claude/settings.json -> ~/dotfiles/claude.json\n";
        assert!(shown.contains(leads), "{shown}");
        there_and_back(&home);
        assert!(home.path(SETTINGS).is_symlink());
        assert_eq!(home.read("dotfiles/claude.json").as_deref(), target);
    }
}

#[test]
fn what_cannot_be_changed_is_refused_before_anything_is() {
    let refused = |settings: &str, servers: &str, mode: u32| {
        let home = Home::with_program();
        home.write(SETTINGS, settings);
        home.write(SERVERS, servers);
        fs::set_permissions(home.path(SETTINGS), Permissions::from_mode(mode)).expect("a mode");
        let before = home.tree();
        let said = home.vade(&["install", "claude-code", "--yes"]).failure();
        assert_eq!(home.tree(), before);
        said
    };
    insta::assert_snapshot!(
        [
            refused("{\n  \"model\": opus\n}", "{}", 0o644),
            refused("[]", "{}", 0o644),
            refused("{\"hooks\": 3}", "{}", 0o644),
            refused("{}", "{\"a\": 1, \"a\": 2}", 0o644),
            refused("{}", "{\"mcpServers\": {\"vade\": {\"command\": \"other\"}}}", 0o644),
            refused("{}", "{}", 0o444),
        ]
        .concat()
    );
}

#[test]
fn files_of_commands_come_and_go_and_those_of_a_person_stay() {
    let home = Home::with_program();
    home.write(".claude/commands/vade/note.md", "My own note.\n");
    home.write(".codex/skills/mine/SKILL.md", "Mine.\n");
    let kept = |path: &std::path::Path| !path.starts_with(home.path(".local"));
    let tree = || home.tree().into_iter().filter(|(path, _)| kept(path)).collect::<Vec<_>>();
    let before = tree();
    for harness in ["claude-code", "codex"] {
        home.vade(&["install", harness, "--yes"]).success();
        let again = home.vade(&["install", harness, "--yes"]).success();
        assert!(again.starts_with("nothing to change: vade is installed\n"), "{again}");
    }
    assert_eq!(home.read(".claude/commands/vade/note.md").as_deref(), Some("My own note.\n"));
    let status = home.read(".claude/commands/vade/status.md").expect("a command");
    assert!(status.contains(&format!("!`{} status`", home.program().display())), "{status}");
    assert!(home.read(".codex/skills/vade-note/agents/openai.yaml").is_some());
    for harness in ["claude-code", "codex"] {
        home.vade(&["uninstall", harness, "--yes"]).success();
    }
    assert_eq!(tree(), before);
}

#[test]
fn a_command_that_a_person_changed_is_theirs() {
    let home = Home::with_program();
    home.vade(&["install", "--yes"]).success();
    let path = ".claude/commands/vade/handoff.md";
    let own = format!("{}In German, please.\n", home.read(path).expect("a command"));
    home.write(path, &own);
    let said = home.vade(&["install", "--yes"]).success();
    assert!(
        said.contains("~/.claude/commands/vade/handoff.md is yours and stays as it is\n"),
        "{said}"
    );
    assert_eq!(home.read(path).as_deref(), Some(own.as_str()));
    let said = home.vade(&["uninstall", "--yes"]).success();
    assert!(said.contains("handoff.md: stays: you changed it"), "{said}");
    assert_eq!(home.read(path).as_deref(), Some(own.as_str()));
    assert_eq!(home.read(".claude/commands/vade/note.md"), None);
}

/// What would rule a skill of the same name is not laid beside it.
#[test]
fn a_skill_of_a_person_gets_no_policy_of_ours() {
    let home = Home::with_program();
    home.write(".codex/skills/vade-note/SKILL.md", "Mine.\n");
    let said = home.vade(&["install", "codex", "--yes"]).success();
    assert!(
        said.contains("~/.codex/skills/vade-note/SKILL.md is yours and stays as it is\n"),
        "{said}"
    );
    assert_eq!(home.read(".codex/skills/vade-note/agents/openai.yaml"), None);
    assert!(home.read(".codex/skills/vade-recap/agents/openai.yaml").is_some());
}

#[test]
fn a_status_line_is_left_out_where_a_person_wants_none() {
    let home = Home::with_program();
    home.vade(&["install", "--yes", "--no-status-line"]).success();
    assert!(!home.read(SETTINGS).expect("settings").contains("statusLine"));
}
