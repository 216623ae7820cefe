//! Help: what a person reads before the first command.

use std::collections::BTreeSet;

use super::home::Home;

#[test]
fn the_root_and_each_noun_have_short_help() {
    let home = Home::new();
    for noun in ["", "note", "notepad", "tag", "session", "config"] {
        let words: Vec<&str> = noun.split_terminator(' ').chain(["-h"]).collect();
        let name = if noun.is_empty() { "vade" } else { noun };
        insta::assert_snapshot!(format!("help_{name}"), home.text(&words));
    }
}

#[test]
fn commands_have_long_help() {
    let home = Home::new();
    for command in ["note add", "notepad update", "session show", "call"] {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        insta::assert_snapshot!(format!("help_{}", command.replace(' ', "_")), home.text(&words));
    }
}

#[test]
fn every_command_says_what_it_does_in_one_line() {
    let page = include_str!("../../../../../docs/operations.md");
    let home = Home::new();
    let commands = page.lines().filter(|line| line.starts_with("| [`"));
    let commands: BTreeSet<&str> = commands
        .filter_map(|line| line.split("`vade ").nth(1)?.split('`').next())
        .filter(|command| !command.starts_with("scratchpad"))
        .collect();
    assert!(20 < commands.len(), "the page lists them");
    let tools = page.lines().filter_map(|line| line.strip_prefix("| [`")?.split('`').next());
    let tools: Vec<&str> = tools.filter(|tool| tool.contains('_')).collect();
    for command in commands {
        let words: Vec<&str> = command.split(' ').chain(["-h"]).collect();
        let help = home.text(&words);
        let first = help.lines().next().expect("a line");
        assert!(first.starts_with(|c: char| c.is_uppercase()), "{command}: {first}");
        assert!(!first.ends_with('.') && first.len() <= 60, "{command}: {first}");
        let whole = home.text(&[&words[..words.len() - 1], &["--help"]].concat()).to_lowercase();
        for ours in ["mirror", "intake", "receipt", "briefing", "instance"] {
            assert!(!whole.contains(ours), "{command} says \"{ours}\": {whole}");
        }
        // In a program operations have the names of tools.
        let whole = whole.replace("session.add_note", "");
        let tool = tools.iter().find(|tool| whole.contains(**tool));
        assert_eq!(tool, None, "{command} is a person's, who has no tools: {whole}");
    }
}

#[test]
fn nothing_asked_is_help_and_the_version_is_one_line() {
    let home = Home::new();
    assert_eq!(home.text(&[]), home.text(&["-h"]));
    assert_eq!(home.text(&["--version"]), format!("vade {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(home.text(&["help", "note", "add"]), home.text(&["note", "add", "--help"]));
}

#[test]
fn completions_know_what_the_store_has() {
    let home = Home::new();
    let id = home.add("The queue loops.", "bug");
    home.json(&["plan", "init", "03-01-refunds"]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.text(&["completions", shell]);
        assert!(script.contains("COMPLETE") && script.contains("vade"), "{shell}: {script}");
    }
    let offered = |words: &[&str]| {
        let mut command = home.command(&[&["--", "vade"], words].concat());
        command.env("COMPLETE", "fish");
        String::from_utf8(command.output().expect("a run").stdout).expect("text")
    };
    for (words, offer) in [
        (&["no"][..], "notepad"),
        (&["note", "scratch", ""], id.as_str()),
        (&["note", "edit", "note_"], &id),
        (&["note", "list", "--tag", ""], "bug"),
        (&["plan", "show", ""], "03-01-refunds"),
        (&["session", "show", ""], "desk\tdesk:"),
        (&["notepad", "update", "x", "--if"], "--if-rev"),
    ] {
        let offered = offered(words);
        assert!(offered.contains(offer), "{words:?}: {offered:?}");
    }
    assert_eq!(offered(&["note", "scratch", "x"]), "");
}

#[test]
fn manual_pages_tell_the_environment_and_the_exit_status() {
    let home = Home::new();
    let page = home.text(&["man"]);
    assert!(page.contains(".TH vade 1"));
    home.text(&["man", "pages"]);
    let below = std::fs::read_to_string(home.path("demo/pages/vade-note-add.1")).expect("a page");
    assert!(below.contains("Keep a note"));
    for page in [page, below] {
        for part in [".SH ENVIRONMENT", "VADE_SESSION_ID", "VADE_STORE", ".SH \"EXIT STATUS\""] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}

#[test]
fn every_command_stands_in_a_group() {
    let help = Home::new().text(&["-h"]);
    assert!(help.contains("\nWhat your agents keep:\n  view"), "{help}");
    assert!(!help.contains("Others:") && !help.contains("Commands about"), "{help}");
}
