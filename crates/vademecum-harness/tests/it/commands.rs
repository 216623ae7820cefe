//! The files by which a person calls us: made, brought up to date, taken away, and never one of somebody else.

use std::path::Path;

use vademecum_harness::claude_code::commands::COMMANDS;
use vademecum_harness::codex::skills::SKILLS;
use vademecum_harness::wiring::command::Command;
use vademecum_harness::wiring::{After, Wiring};

fn wiring(command: &str) -> Wiring {
    Wiring::new(Path::new(command), Vec::new()).expect("a wiring")
}

fn text(after: After) -> String {
    let bytes = match after {
        After::Write(bytes) => Some(bytes),
        After::Same | After::Remove => None,
    };
    String::from_utf8(bytes.expect("something is written")).expect("UTF-8")
}

fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain(SKILLS)
}

#[test]
fn a_command_is_made_followed_and_removed() {
    for command in all() {
        let old = text(command.plan(None, &wiring("/old place/o'vade/vade")).after);
        assert!(!old.contains("{vade}"), "{old}");
        assert_eq!(
            command.plan(Some(old.as_bytes()), &wiring("/old place/o'vade/vade")).after,
            After::Same
        );
        let new = text(command.plan(None, &wiring("/x/vade")).after);
        if new != old {
            assert_eq!(text(command.plan(Some(old.as_bytes()), &wiring("/x/vade")).after), new);
        }
        for ours in [&old, &new] {
            assert_eq!(command.unplan(Some(ours.as_bytes())).after, After::Remove, "{ours}");
        }
        assert_eq!(command.unplan(None).after, After::Same);
    }
}

#[test]
fn a_file_of_somebody_else_or_changed_by_hand_stays() {
    for command in all() {
        let ours = text(command.plan(None, &wiring("/x/vade")).after);
        let theirs = ours.replace("# made by vade install\n", "");
        assert_eq!(command.plan(Some(theirs.as_bytes()), &wiring("/x/vade")).after, After::Same);
        for kept in
            [theirs, format!("{ours}More.\n"), ours.replace('\n', "\r\n"), "\u{0}".to_owned()]
        {
            assert_eq!(command.unplan(Some(kept.as_bytes())).after, After::Same, "{kept}");
        }
    }
}

#[test]
fn no_command_is_offered_to_a_model_unasked() {
    for command in COMMANDS {
        assert!(command.text.contains("\ndisable-model-invocation: true\n"), "{}", command.path);
    }
    for skill in SKILLS.iter().filter(|skill| skill.path.ends_with("SKILL.md")) {
        let policy = skill.path.replace("SKILL.md", "agents/openai.yaml");
        let policy = SKILLS.iter().find(|other| other.path == policy).expect("a policy");
        assert!(policy.text.contains("allow_implicit_invocation: false"), "{}", skill.path);
    }
}
