//! A session as Claude Code records it, with a text in one place of it.

use serde_json::{Value, json};

/// Where the text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    Prompt,
    Command,
    FailingCommand,
    Output,
    Words,
    File,
}

impl Placement {
    pub(super) const ALL: [Self; 6] =
        [Self::Prompt, Self::Command, Self::FailingCommand, Self::Output, Self::Words, Self::File];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Command => "command",
            Self::FailingCommand => "failing command",
            Self::Output => "tool output",
            Self::Words => "agent's words",
            Self::File => "written file",
        }
    }
}

/// The lines of the record, with `text` at `placement` and words of coding work around it.
pub(super) fn lines(placement: Placement, text: &str, (session, cwd): (&str, &str)) -> String {
    let at = |here: Placement, with: String, without: &str| {
        if placement == here { with } else { without.to_owned() }
    };
    let asked =
        at(Placement::Prompt, format!("Make refunds work, use {text} for it"), "Make refunds work");
    let command =
        at(Placement::Command, format!("deploy --with {text} --now"), "cargo build -p pay");
    let failing =
        at(Placement::FailingCommand, format!("cargo test -p pay {text}"), "cargo test -p pay");
    let output = at(Placement::Output, format!("loaded {text} from src/pay.rs\nok"), "ok");
    let error = at(
        Placement::FailingCommand,
        format!("error: cannot use {text}"),
        "error: left 1, right 2",
    );
    let words = at(
        Placement::Words,
        format!("Next I pass {text} to submit."),
        "Next I pass the key to submit.",
    );
    let content = at(Placement::File, format!("// settings\n{text}\n"), "pub fn pay() {}\n");
    let messages = [
        json!({ "role": "user", "content": asked }),
        call(1, "Bash", &json!({ "command": command })),
        answer(1, &output, false),
        call(
            2,
            "Write",
            &json!({ "file_path": format!("{cwd}/src/settings.rs"), "content": content }),
        ),
        answer(2, "File created successfully", false),
        call(3, "Bash", &json!({ "command": failing })),
        answer(3, &format!("Exit code 101\n{error}"), true),
        json!({ "role": "assistant", "model": "claude", "id": "msg_9", "content": [{ "type": "text", "text": words }] }),
    ];
    recorded(messages, session, cwd)
}

/// The messages as records, each with its parent.
fn recorded(messages: [Value; 8], session: &str, cwd: &str) -> String {
    let mut before = Value::Null;
    let mut lines = String::new();
    for (idx, message) in messages.into_iter().enumerate() {
        let id = format!("0000000{idx}-0000-4000-8000-000000000000");
        let line = json!({
            "parentUuid": before, "isSidechain": false, "type": message["role"], "message": message, "uuid": id,
            "timestamp": format!("2026-11-20T10:00:0{idx}.000Z"), "sessionId": session, "cwd": cwd, "version": "2.1.330",
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
        before = Value::from(id);
    }
    lines
}

fn call(n: u32, tool: &str, input: &Value) -> Value {
    let part =
        json!({ "type": "tool_use", "id": format!("toolu_{n}"), "name": tool, "input": input });
    json!({ "role": "assistant", "model": "claude", "id": format!("msg_{n}"), "content": [part] })
}

fn answer(n: u32, text: &str, is_error: bool) -> Value {
    let part = json!({
        "type": "tool_result", "tool_use_id": format!("toolu_{n}"), "content": text, "is_error": is_error,
    });
    json!({ "role": "user", "content": [part] })
}
