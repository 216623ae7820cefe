//! What wiring makes of the files of Codex, and that unwiring gives every byte back.

use std::path::Path;

use proptest::prelude::*;
use vademecum_harness::codex::hooks::{plan_hooks, unplan_hooks, wired_hooks};
use vademecum_harness::codex::server::{WiredServer, plan_server, unplan_server, wired_server};
use vademecum_harness::wiring::{After, Plan, SettingsError, Wiring};

const VADE: &str = "/home/dev/.local/bin/vade";

fn wiring(command: &str) -> Wiring {
    Wiring::new(Path::new(command), Vec::new()).expect("a wiring")
}

fn written(plan: Result<Plan, SettingsError>) -> String {
    match plan.expect("a plan").after {
        After::Same => "same".to_owned(),
        After::Write(bytes) => String::from_utf8(bytes).expect("UTF-8"),
        After::Remove => "removed".to_owned(),
    }
}

/// The configuration with us in it; doing it again and undoing it are checked.
#[track_caller]
fn there_and_back(existing: &str) -> String {
    let wired = written(plan_server(Some(existing.as_bytes()), &wiring(VADE)));
    assert_eq!(written(plan_server(Some(wired.as_bytes()), &wiring(VADE))), "same");
    assert_eq!(written(unplan_server(Some(wired.as_bytes()))), existing);
    wired
}

#[test]
fn the_files_are_made_and_removed() {
    let hooks = written(plan_hooks(None, &wiring(VADE)));
    insta::assert_snapshot!("codex_hooks", hooks);
    assert_eq!(written(unplan_hooks(Some(hooks.as_bytes()))), "removed");
    let config = written(plan_server(None, &wiring(VADE)));
    insta::assert_snapshot!("codex_server", config);
    assert_eq!(written(unplan_server(Some(config.as_bytes()))), "removed");
    assert_eq!(written(unplan_server(None)), "same");
}

const CONFIG: &str = "# mine\nmodel = \"gpt-5\" # the small one\n\n[mcp_servers.other]\n\
                      command = 'x'\nnote = \"\"\"\n[mcp_servers.vade]\n\"\"\"\n";

#[test]
fn a_configuration_keeps_comments_and_every_other_byte() {
    insta::assert_snapshot!("codex_among_others", there_and_back(CONFIG));
    for existing in [
        CONFIG.trim_end(),
        "\n\n",
        "[a]\n# at the end",
        "a = 1\n\n\n",
        "a = 1",
        "a = 1\r\n[b]\r\nc = 2\r\n",
        "[mcp_servers]\n",
        "[mcp_servers.vade2]\ncommand = \"vade\"\n",
    ] {
        there_and_back(existing);
    }
}

#[test]
fn what_others_add_stays_and_goes_where_it_is_ours() {
    let mut wired = written(plan_server(Some(CONFIG.as_bytes()), &wiring(VADE)));
    wired.push_str("\n[mcp_servers.vade.tools.delete_note]\napproval_mode = \"approve\" # yes\n");
    wired.push_str("# theirs\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n");
    let moved = written(plan_server(Some(wired.as_bytes()), &wiring("/opt/v\"a/vade")));
    assert_eq!(moved, wired.replace(&format!("\"{VADE}\""), r#"'/opt/v"a/vade'"#));
    assert_eq!(
        written(unplan_server(Some(moved.as_bytes()))),
        format!("{CONFIG}# theirs\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n")
    );
}

#[track_caller]
fn refused(existing: &str, said: &str) {
    let error = plan_server(Some(existing.as_bytes()), &wiring(VADE)).expect_err("refused");
    assert_eq!(error.to_string(), said);
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let taken = "an MCP server named \"vade\" is there already, and it is not ours";
    refused("[mcp_servers.vade]\ncommand = \"node\"\nargs = [\"mcp\"]\n", taken);
    refused("[mcp_servers.vade]\nurl = \"http://localhost\"\n", taken);
    refused(
        "a = 1\nkey = secret\n",
        "no TOML at line 2: string values must be quoted, expected literal string",
    );
    let inline = "mcp_servers = { other = { command = \"x\" } }\n";
    let error = plan_server(Some(inline.as_bytes()), &wiring(VADE)).expect_err("refused");
    assert!(matches!(error, SettingsError::Toml { line: 3, .. }), "{error}");

    let dotted = "mcp_servers.vade.command = \"/bin/vade\"\nmcp_servers.vade.args = [\"mcp\"]\n";
    assert!(matches!(unplan_server(Some(dotted.as_bytes())), Err(SettingsError::Place("vade"))));
    let foreign = "[mcp_servers.vade]\ncommand = \"node\"\n";
    assert_eq!(written(unplan_server(Some(foreign.as_bytes()))), "same");
}

#[test]
fn says_what_is_wired_and_approved() {
    let hooks = written(plan_hooks(
        Some(br#"{"hooks":{"SubagentStop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#),
        &wiring("/home/dev/dé v/vade"),
    ));
    let found = wired_hooks(Some(hooks.as_bytes())).expect("a file");
    assert_eq!(found.programs, ["/home/dev/dé v/vade"]);
    assert_eq!(found.names.len(), 8);
    assert!(found.names.contains(&"subagent_stop:1:0".to_owned()), "{:?}", found.names);

    let config = format!(
        "{CONFIG}[hooks.state.\"/h/hooks.json:session_start:0:0\"]\ntrusted_hash = \"sha256:1\"\n\
         [hooks.state.\"/h/hooks.json:stop:0:0\"]\nenabled = false\ntrusted_hash = \"sha256:1\"\n"
    );
    let found = wired_server(Some(config.as_bytes())).expect("a file");
    let approved = vec!["/h/hooks.json:session_start:0:0".to_owned()];
    assert_eq!(found, WiredServer { program: None, approved, are_hooks_off: false });
    let off = wired_server(Some(b"[features]\nhooks = false\n")).expect("a file");
    assert!(off.are_hooks_off);
}

proptest! {
    #[test]
    fn any_configuration_comes_back(
        lines in prop::collection::vec("(# [a-zé]{0,5}|[a-c]x? = [0-9]|\\[t[a-z]{1,3}\\]||x = '''\n\\[mcp_servers.vade\\]\n''')", 0..8),
        has_end in any::<bool>(),
    ) {
        let text = lines.join("\n") + if has_end { "\n" } else { "" };
        prop_assume!(!text.is_empty() && toml::from_str::<toml::Table>(&text).is_ok());
        there_and_back(&text);
    }
}
