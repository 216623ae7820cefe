//! What installing makes of the files of Codex, and that uninstalling gives every byte back.

use crate::home::Home;

const HOOKS: &str = ".codex/hooks.json";
const CONFIG: &str = ".codex/config.toml";

const OWN: &str = "# mine\nmodel = \"gpt-5\"  # the small one\n\n[features]\nhooks = true\n";

/// Installs twice and takes it out again; both files in between.
#[track_caller]
fn there_and_back(home: &Home) -> (String, String) {
    let before = (home.read(HOOKS), home.read(CONFIG));
    let dry = home.vade(&["install", "codex", "--dry-run"]).success();
    assert!(dry.contains("add hook SubagentStart\n") && dry.contains("add MCP server vade\n"));
    assert_eq!((home.read(HOOKS), home.read(CONFIG)), before);

    home.vade(&["install", "codex", "--yes"]).success();
    let wired = (home.read(HOOKS), home.read(CONFIG));
    let again = home.vade(&["install", "codex", "--yes"]).success();
    assert_eq!(again, "nothing to change: vade is installed\n");
    assert_eq!((home.read(HOOKS), home.read(CONFIG)), wired);

    home.vade(&["uninstall", "codex", "--yes"]).success();
    assert_eq!((home.read(HOOKS), home.read(CONFIG)), before);
    (wired.0.expect("hooks"), wired.1.expect("a configuration"))
}

#[test]
fn files_are_made_and_removed() {
    let home = Home::with_program();
    let (hooks, config) = there_and_back(&home);
    let program = home.program().display().to_string();
    assert!(hooks.contains(&format!("\"command\": \"{program} hook codex SessionStart\"")));
    assert!(config.starts_with(&format!("[mcp_servers.vade]\ncommand = \"{program}\"\n")));
}

#[test]
fn every_byte_comes_back() {
    for config in ["", "\n", "# only this", OWN, OWN.trim_end(), "a = 1\r\n"] {
        let home = Home::with_program();
        home.write(CONFIG, config);
        home.write(HOOKS, "{ \"hooks\":{\"Stop\" : []}}");
        let (hooks, wired) = there_and_back(&home);
        assert!(wired.starts_with(config.trim()) && hooks.contains("\"Stop\" : []"));
    }
}

#[test]
fn what_the_harness_wrote_meanwhile_stays() {
    let home = Home::with_program();
    home.write(CONFIG, OWN);
    home.vade(&["install", "codex", "--yes"]).success();
    let added = "\n[projects.\"/p\"]\ntrust_level = \"trusted\" # yes\n";
    home.write(CONFIG, &(home.read(CONFIG).expect("a file") + added));
    home.vade(&["uninstall", "codex", "--yes"]).success();
    assert_eq!(home.read(CONFIG), Some(format!("{OWN}{added}")));
}

#[test]
fn what_cannot_be_changed_is_refused_and_left() {
    let taken = "[mcp_servers.vade]\ncommand = \"node\"\n";
    for (config, said) in [
        (taken, "config.toml: an MCP server named \"vade\" is there already"),
        ("model = gpt\n", "config.toml: no TOML at line 1: "),
    ] {
        let home = Home::with_program();
        home.write(CONFIG, config);
        let refused = home.vade(&["install", "codex", "--yes"]).failure();
        assert!(refused.contains(said), "{refused}");
        assert_eq!((home.read(CONFIG).as_deref(), home.read(HOOKS)), (Some(config), None));
    }
}

#[test]
fn each_harness_is_wired_and_unwired_by_itself() {
    let home = Home::with_program();
    home.vade(&["install", "claude-code", "--yes"]).success();
    let claude = home.read(".claude/settings.json");
    home.vade(&["install", "codex", "--yes"]).success();
    home.vade(&["uninstall", "codex", "--yes"]).success();
    assert_eq!(home.read(".claude/settings.json"), claude);
    home.vade(&["install", "codex", "--yes"]).success();
    let codex = home.read(HOOKS);
    home.vade(&["uninstall", "claude-code", "--yes"]).success();
    assert_eq!((home.read(HOOKS), home.read(".claude/settings.json")), (codex, None));

    home.vade(&["install", "claude-code", "--yes"]).success();
    home.vade(&["uninstall", "--purge", "--yes"]).success();
    assert_eq!((home.read(HOOKS), home.read(".claude/settings.json")), (None, None));
}

#[test]
fn the_doctor_tells_what_waits_for_approval() {
    let home = Home::with_program();
    home.vade(&["install", "codex", "--yes"]).success();
    let findings = || -> Vec<String> {
        let said =
            home.vade(&["doctor"]).stdout.replace(&home.path("").display().to_string(), "~/");
        let lines = said.lines().filter(|line| line.contains("odex")).map(str::to_owned);
        lines.collect()
    };
    insta::assert_snapshot!(findings().join("\n"), @r"
    ok   hooks       Codex: all are wired to ~/.local/bin/vade
    warn approval    Codex: 8 of 8 hooks wait for approval
                     fix: start codex and approve them when it asks, or under /hooks
    ok   MCP server  Codex: registered, ~/.local/bin/vade
    ");

    let hooks = home.path(HOOKS).display().to_string();
    let events = [
        "session_start",
        "user_prompt_submit",
        "post_tool_use",
        "pre_compact",
        "post_compact",
        "subagent_start",
        "subagent_stop",
        "session_end",
    ];
    let state = |event: &&str| {
        format!("\n[hooks.state.\"{hooks}:{event}:0:0\"]\ntrusted_hash = \"sha256:1\"\n")
    };
    let approved: String = events.iter().map(state).collect();
    home.write(CONFIG, &(home.read(CONFIG).expect("a file") + &approved));
    assert!(
        findings().contains(&"ok   approval    Codex: every hook has been approved".to_owned())
    );
    home.write(CONFIG, "[features]\nhooks = false\n");
    insta::assert_snapshot!(findings().join("\n"), @r"
    ok   hooks       Codex: all are wired to ~/.local/bin/vade
    bad  hooks       Codex: its configuration switches all hooks off
    bad  MCP server  Codex: none is registered: no tool can be called
                     fix: vade install codex
    ");
}
