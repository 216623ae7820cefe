//! The command that a call of a shell runs, without the shell around it.

use memchr::memmem;
use serde::Deserialize;
use vademecum_core::turn::Action;

use super::{Arguments, look, patch};

/// What a command line does: it runs, or it is a patch.
pub(super) fn actions(command: &str) -> Vec<Action> {
    let command = unwrapped(command);
    if command.contains(patch::BEGIN) {
        let patched = patch::actions(&command);
        if !patched.is_empty() {
            return patched;
        }
    }
    let is_look = look::is_look(&command);
    vec![Action::Ran { command, is_look }]
}

/// The command line of a call, given as a text or as words.
pub(super) fn command(arguments: &Arguments<'_>) -> Option<String> {
    let names = ["command", "cmd", "script"];
    if let Some(text) = arguments.text(&names) {
        return Some(text.into_owned());
    }
    let words = names.iter().find_map(|name| arguments.raw(name))?;
    words_as_line(&serde_json::from_str::<Words>(words).ok()?.0)
}

#[derive(Deserialize)]
struct Words(Vec<String>);

/// The words of a command as one line; a shell around it is taken off.
fn words_as_line(words: &[String]) -> Option<String> {
    if let Some(inner) = inner(words) {
        return Some(inner.clone());
    }
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    (!quoted.is_empty()).then(|| quoted.join(" "))
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-~^".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `command`, or what stands inside of `bash -lc "…"`.
fn unwrapped(command: &str) -> String {
    let shell = command.split_whitespace().next().unwrap_or_default();
    if !is_shell(shell) {
        return command.to_owned();
    }
    let inside = split(command).and_then(|words| inner(&words).cloned());
    inside.unwrap_or_else(|| command.to_owned())
}

/// The script among the words of a call like `bash -lc SCRIPT`, if that is all of it.
fn inner(words: &[String]) -> Option<&String> {
    let (shell, rest) = words.split_first()?;
    let (script, flags) = rest.split_last()?;
    let is_flag = |flag: &String| flag.starts_with('-');
    let runs_script = |flag: &String| !flag.starts_with("--") && flag.ends_with('c');
    (is_shell(shell) && flags.iter().all(is_flag) && flags.last().is_some_and(runs_script))
        .then_some(script)
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish" | "ksh")
}

/// Whether a command line runs `vade`, or prints the file that it writes for the next session.
pub(super) fn runs_vade(command: &str) -> bool {
    let has = |words: &str| memmem::find(command.as_bytes(), words.as_bytes()).is_some();
    if !has("vade") {
        return has("_handoff.md");
    }
    let runs = |part: &str| {
        let is_set = |word: &&str| word.contains('=');
        let program = part.split_whitespace().find(|word| !is_set(word)).unwrap_or_default();
        program.rsplit('/').next() == Some("vade")
    };
    command.split(['\n', ';', '|', '&', '(', '`']).any(runs) || has("_handoff.md")
}

/// The words of a line as a shell reads them; none where more than quotes is at work.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.trim().chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => double_quoted(&mut chars, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(chars.next()?),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '`' | '$' | '\n' => return None,
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

fn double_quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '$' | '`') => word.push(c),
                '\n' => {}
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let command = command(&Arguments::of_json(json)).expect("a command");
        let ran = actions(&command).into_iter().map(|action| match action {
            Action::Ran { command, .. } => command,
            other => format!("{other:?}"),
        });
        assert_eq!(ran.collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn the_inner_command_is_what_runs() {
        check(r#"{"command":["bash","-lc","cd a && ls"]}"#, "cd a && ls");
        check(r#"{"command":["/bin/zsh","-l","-c","x"]}"#, "x");
        check(r#"{"command":["rg","-n","a b","it's"]}"#, r"rg -n 'a b' 'it'\''s'");
        check(r#"{"cmd":"bash -lc \"echo \\\"$A\\\" \\\\n\""}"#, "echo \"$A\" \\n");
        check(r#"{"cmd":"sh -c 'a | b'"}"#, "a | b");
        check(r#"{"cmd":"bash -c 'a' && b"}"#, "bash -c 'a' && b");
        check(r#"{"command":"cd /x && bash run.sh"}"#, "cd /x && bash run.sh");
        check(r#"{"command":"bash run.sh"}"#, "bash run.sh");
        check(r#"{"command":"bash -c 'open"}"#, "bash -c 'open");
    }

    #[test]
    fn vade_is_run_wherever_it_stands_as_a_program() {
        for (command, is_run) in [
            ("vade plan show", true),
            ("cd /x && ~/.local/bin/vade note list --json | jq .", true),
            ("VADE_STORE=/x vade session log", true),
            ("echo \"$(vade notepad show)\"", true),
            ("cat .x/_handoff.md", true),
            ("cargo test -p vade", false),
            ("rg 'vade note' docs", false),
            ("evade note list; ./vade.sh", false),
        ] {
            assert_eq!(runs_vade(command), is_run, "{command}");
        }
    }

    #[test]
    fn a_patch_in_a_shell_is_a_patch() {
        let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** End Patch\nEOF";
        assert_eq!(actions(patch), [Action::Edited { path: "a".to_owned() }]);
    }
}
