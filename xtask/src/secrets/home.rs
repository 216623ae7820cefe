//! A home of its own in which one session runs, and the search through all that it left.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::transcript::{Placement, lines};

const SESSION: &str = "5a3b1c9e-0d41-4c7e-9f11-2c8e6d7a4b10";

/// A session after it, which gets the offer of what it left.
const NEXT: &str = "7c3b1c9e-0d41-4c7e-9f11-2c8e6d7a4b10";

/// Where one sample is measured.
pub(super) struct Home {
    folder: TempDir,
    vade: PathBuf,
}

impl Home {
    pub(super) fn new(vade: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("vade-secrets-").tempdir()?;
        fs::create_dir_all(folder.path().join("project"))?;
        Ok(Self { folder, vade: vade.to_owned() })
    }

    /// Runs a session with `text` at `placement`, and the start of the next one; all that was printed.
    pub(super) fn session(&self, placement: Placement, text: &str) -> Result<String> {
        let cwd = self.folder.path().join("project").display().to_string();
        let prompt = match placement {
            Placement::Prompt => format!("Make refunds work, use {text} for it"),
            Placement::Command
            | Placement::FailingCommand
            | Placement::Output
            | Placement::Words
            | Placement::File => "Make refunds work".to_owned(),
        };
        let mut printed = self.hook(SESSION, "SessionStart", &json!({ "source": "startup" }))?;
        printed += &self.hook(SESSION, "UserPromptSubmit", &json!({ "prompt": prompt }))?;
        fs::write(self.transcript(), lines(placement, text, (SESSION, &cwd)))?;
        let tool = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "toolu_7" });
        printed += &self.hook(SESSION, "PostToolUse", &tool)?;
        printed += &self.hook(SESSION, "PreCompact", &json!({ "trigger": "auto" }))?;
        printed += &self.hook(SESSION, "SessionStart", &json!({ "source": "compact" }))?;
        printed += &self.hook(SESSION, "SessionEnd", &json!({ "reason": "other" }))?;
        printed += &self.hook(NEXT, "SessionStart", &json!({ "source": "startup" }))?;
        printed += &self.run(&["handoff", "read", "--from", SESSION], NEXT, "")?;
        Ok(printed)
    }

    /// Keeps a note that holds `text`; all that was printed.
    pub(super) fn note(&self, text: &str) -> Result<String> {
        let note = json!({ "content": format!("It wants {text} to start."), "tags": ["todo"] });
        // A text may be longer than a note can be: then nothing of it is kept.
        self.run(&["call", "add_note", &note.to_string()], SESSION, "")
    }

    /// What holds `secret`: a file of the data folder, or what was printed; none if it is gone.
    pub(super) fn holds(&self, secret: &str, printed: &str) -> Result<Option<String>> {
        if contains(printed.as_bytes(), secret) {
            return Ok(Some("an output".to_owned()));
        }
        let mut folders = vec![self.folder.path().join("data")];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if contains(&fs::read(&path)?, secret) {
                    return Ok(path.file_name().map(|name| name.to_string_lossy().into_owned()));
                }
            }
        }
        Ok(None)
    }

    fn transcript(&self) -> PathBuf {
        self.folder.path().join("transcript.jsonl")
    }

    fn hook(&self, session: &str, event: &str, more: &Value) -> Result<String> {
        let mut payload = json!({
            "session_id": session, "transcript_path": self.transcript(), "hook_event_name": event,
            "cwd": self.folder.path().join("project"), "model": "claude-sonnet-5",
        });
        if let (Value::Object(payload), Value::Object(more)) = (&mut payload, more) {
            payload.extend(more.clone());
        }
        self.run(&["hook", "claude-code", event], session, &payload.to_string())
    }

    fn run(&self, words: &[&str], session: &str, stdin: &str) -> Result<String> {
        let mut command = Command::new(&self.vade);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.folder.path().join("data"))
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env("CLAUDE_CODE_SESSION_ID", session)
            // A build with checks is many times slower, and a hook that gives up keeps nothing at all.
            .env("VADE_DEADLINE_MS", "60000")
            .current_dir(self.folder.path().join("project"));
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("vade cannot be started")?;
        child.stdin.take().context("a pipe")?.write_all(stdin.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(
            words[0] != "hook" || output.status.success(),
            "a hook ended with {}",
            output.status
        );
        let said = [output.stdout, output.stderr].concat();
        Ok(String::from_utf8_lossy(&said).into_owned())
    }
}

/// Whether the bytes hold the secret, as it is or as JSON writes it.
fn contains(bytes: &[u8], secret: &str) -> bool {
    let json = Value::from(secret).to_string();
    let is_there = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    is_there(secret) || is_there(&json[1..json.len() - 1])
}
