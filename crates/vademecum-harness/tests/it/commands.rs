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
            assert_eq!(Command::unplan(Some(ours.as_bytes())).after, After::Remove, "{ours}");
        }
        assert_eq!(Command::unplan(None).after, After::Same);
    }
}

#[test]
fn a_file_of_somebody_else_or_changed_by_hand_stays() {
    for command in all() {
        let ours = text(command.plan(None, &wiring("/x/vade")).after);
        let mark = ours.lines().find(|line| line.starts_with("# made by vade install "));
        let mark = mark.expect("a mark");
        let changed = [
            ours.replace(&format!("{mark}\n"), ""),
            ours.replace(mark, "# made by vade install"),
            ours.replace("vade", "my vade"),
            format!("{ours}More.\n"),
            ours.replace('\n', "\r\n"),
            "\u{0}".to_owned(),
        ];
        for kept in changed {
            for program in ["/x/vade", "/y/vade"] {
                let plan = command.plan(Some(kept.as_bytes()), &wiring(program));
                assert_eq!(plan.after, After::Same, "{kept}");
            }
            assert_eq!(Command::unplan(Some(kept.as_bytes())).after, After::Same, "{kept}");
        }
    }
}

/// What an older version wrote is known by itself, whatever it said.
#[test]
fn a_file_of_another_version_is_brought_up_to_date() {
    let old =
        Command { path: "commands/vade/note.md", text: "# made by vade install\nOld {vade}.\n" };
    let old = text(old.plan(None, &wiring("/x/vade")).after);
    assert_eq!(old, "# made by vade install 8edbd85a\nOld /x/vade.\n");
    let new = COMMANDS.iter().find(|it| it.path.ends_with("note.md")).expect("a command");
    assert!(text(new.plan(Some(old.as_bytes()), &wiring("/x/vade")).after).contains("Keep a note"));
    assert_eq!(Command::unplan(Some(old.as_bytes())).after, After::Remove);
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
