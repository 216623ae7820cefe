//! A Claude Code with one session, as far as hooks see it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::home::{Home, Said, VADE};

/// The session's id.
pub(crate) const SESSION: &str = "752d4c1e-0000-4000-8000-000000000001";

/// A home and the one session in it.
pub(crate) struct Claude {
    pub(crate) home: Home,
    /// The process that hooks are told to be of; none if they are not told.
    pub(crate) host_pid: Option<u32>,
    /// The session for whose environment the harness keeps a file; none where it names no file.
    pub(crate) environment_of: Option<&'static str>,
}

/// What a hook left of its run.
#[derive(Debug)]
pub(crate) struct Hooked {
    /// What the model gets; empty if nothing.
    pub(crate) context: String,
    /// The line in the person's own view; empty if none.
    pub(crate) message: String,
    /// What stands on standard error.
    pub(crate) stderr: String,
}

impl Claude {
    pub(crate) fn new() -> Self {
        Self { home: Home::new(), host_pid: None, environment_of: None }
    }

    /// Where the store lies.
    pub(crate) fn data(&self) -> PathBuf {
        self.home.path(".local/share/vademecum")
    }

    /// The event as Claude Code 2.1 gives it.
    pub(crate) fn payload(&self, event: &str, more: &Value) -> Value {
        let mut payload = json!({
            "session_id": SESSION,
            "transcript_path": self.home.path("transcript.jsonl"),
            "cwd": self.home.path,
            "hook_event_name": event,
        });
        let object = payload.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        payload
    }

    /// Runs the hook of `event` with these bytes on its standard input.
    pub(crate) fn run(&self, event: &str, stdin: &[u8]) -> Said {
        // A hook that gave up says nothing of what it does; how long it takes is measured where that counts.
        self.run_within(20_000, event, stdin)
    }

    /// The same with so many milliseconds for the answer.
    pub(crate) fn run_within(&self, ms: u64, event: &str, stdin: &[u8]) -> Said {
        let mut command = self.home.command(Path::new(VADE));
        command
            .args(["hook", "claude-code", event])
            .env("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000")
            .env("VADE_DEADLINE_MS", ms.to_string());
        command.envs(self.host_pid.map(|pid| ("CLAUDE_PID", pid.to_string())));
        let file =
            |session| self.home.path(&format!("session-env/{session}/sessionstart-hook-0.sh"));
        command.envs(self.environment_of.map(|session| ("CLAUDE_ENV_FILE", file(session))));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let mut pipe = child.stdin.take().expect("a pipe");
        // A hook that does not read what it is given is told so by the exit code, not here.
        drop(pipe.write_all(stdin));
        drop(pipe);
        self.home.said(&child.wait_with_output().expect("an end"))
    }

    /// Runs the hook of `event`; whatever happens, it exits 0 and prints JSON or nothing.
    #[track_caller]
    pub(crate) fn hook(&self, event: &str, more: &Value) -> Hooked {
        let Said { code, stdout, stderr } =
            self.run(event, self.payload(event, more).to_string().as_bytes());
        assert_eq!(code, Some(0), "{stderr}");
        let printed: Value = match stdout.as_str() {
            "" => Value::Null,
            text => serde_json::from_str(text).expect("JSON"),
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Hooked {
            context: text(&printed["hookSpecificOutput"]["additionalContext"]),
            message: text(&printed["systemMessage"]),
            stderr,
        }
    }

    /// Runs the hook of a session's begin.
    #[track_caller]
    pub(crate) fn starts(&self, source: &str) -> Hooked {
        self.hook("SessionStart", &json!({ "source": source, "model": "claude-sonnet-5" }))
    }

    /// Runs a command of the person in the session.
    #[track_caller]
    pub(crate) fn vade(&self, words: &[&str]) -> String {
        let session = format!("claude-code:{SESSION}");
        self.home.vade(&[words, &["--session", &session]].concat()).success()
    }

    /// Lets the harness's record end with an answer that used so many tokens.
    pub(crate) fn used(&self, tokens: u64, answer: &str) {
        let usage = json!({ "input_tokens": tokens, "output_tokens": 0 });
        let message = json!({ "id": answer, "model": "claude-sonnet-5", "usage": usage });
        let line = json!({ "type": "assistant", "isSidechain": false, "message": message });
        self.home.write("transcript.jsonl", format!("{line}\n"));
    }
}
