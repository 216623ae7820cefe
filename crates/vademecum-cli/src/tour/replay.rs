//! Does what the recorded harness did, with this program's own processes at the other end.
#![expect(clippy::disallowed_methods, reason = "the tour starts its own program, and times it")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::run::{self, Recorded};
use super::server::Server;
use super::{Kind, Step, Tour};

/// So often a hook is tried.
const TRIES: usize = 5;

/// A call of one of our tools, between its hook and the server.
struct Pending {
    arguments: Value,
    milliseconds: f64,
}

/// A replay on its way.
pub(super) struct Replay<'a> {
    program: &'a Path,
    home: &'a Path,
    project: PathBuf,
    session: String,
    server: Option<Server>,
    pending: Option<Pending>,
    /// How many tokens the conversation had at its last answer.
    used: u64,
    tour: Tour,
}

impl<'a> Replay<'a> {
    /// Makes the project that the recorded session works on.
    pub(super) fn new(program: &'a Path, home: &'a Path) -> anyhow::Result<Self> {
        let project = home.join("ferry");
        fs::create_dir_all(project.join(".git"))?;
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        let (server, pending, tour) = (None, None, Tour::default());
        let session = String::new();
        Ok(Self { program, home, project, session, server, pending, used: 0, tour })
    }

    /// Plays all of it.
    pub(super) fn play(mut self) -> anyhow::Result<Tour> {
        let home = self.home.to_str().context("the throw-away folder is no text")?;
        for recorded in run::recorded(home)? {
            match recorded {
                Recorded::Transcript { session, line } => self.write_transcript(&session, &line)?,
                Recorded::Hook { event, stdin } => self.run_hook(&event, &stdin)?,
                Recorded::Mcp { message } => self.send(message)?,
                Recorded::Summary { text } => self.tour.summary = text,
            }
        }
        Ok(self.tour)
    }

    /// A command as the harness starts it: nothing of the person's own environment is seen.
    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command
            .current_dir(&self.project)
            .env_clear()
            .env("HOME", self.home)
            .env("XDG_DATA_HOME", self.home.join(".local/share"))
            .env("XDG_CONFIG_HOME", self.home.join(".config"))
            .env("CLAUDE_PROJECT_DIR", &self.project)
            .env("CLAUDE_CODE_SESSION_ID", &self.session)
            .env("CLAUDE_PID", std::process::id().to_string())
            .env(run::WINDOW.0, run::WINDOW.1);
        command
    }

    fn write_transcript(&mut self, session: &str, line: &Value) -> anyhow::Result<()> {
        let usage = line["message"]["usage"].as_object();
        if let Some(usage) = usage {
            self.used = usage.values().filter_map(Value::as_u64).sum();
        }
        let folder = self.home.join(".claude/projects/-home-dev-ferry");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{session}.jsonl"));
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        Ok(())
    }

    fn run_hook(&mut self, event: &str, stdin: &Value) -> anyhow::Result<()> {
        if let Some(session) = stdin["session_id"].as_str() {
            session.clone_into(&mut self.session);
        }
        let begin = Instant::now();
        let stdout = self.hook(event, stdin)?;
        let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
        let answer: Value = serde_json::from_slice(&stdout).unwrap_or_default();
        if event == "PreToolUse" {
            let arguments = answer["hookSpecificOutput"]["updatedInput"].clone();
            self.pending = Some(Pending { arguments, milliseconds });
            return Ok(());
        }
        let context = answer["hookSpecificOutput"]["additionalContext"].as_str();
        let (kind, answered) = match event {
            "PreCompact" => (Kind::Words, String::from_utf8(stdout)?),
            "PostToolBatch" => (Kind::Warning, context.unwrap_or_default().to_owned()),
            _ => (Kind::Context, context.unwrap_or_default().to_owned()),
        };
        self.remember(event, stdin, &answered, &answer);
        let moment = self.moment(event, stdin);
        self.tour.steps.push(Step { moment, answer: answered, kind, milliseconds });
        Ok(())
    }

    /// Runs one hook; on a machine that is too busy for its deadline, again.
    fn hook(&self, event: &str, stdin: &Value) -> anyhow::Result<Vec<u8>> {
        for _ in 1..TRIES {
            if let Ok(stdout) = self.hook_once(event, stdin) {
                return Ok(stdout);
            }
        }
        self.hook_once(event, stdin)
    }

    /// Runs one hook, as the harness does.
    fn hook_once(&self, event: &str, stdin: &Value) -> anyhow::Result<Vec<u8>> {
        let mut command = self.command();
        command.args(["hook", "claude-code", event]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("a hook does not start")?;
        let mut pipe = child.stdin.take().context("a hook has no input")?;
        pipe.write_all(stdin.to_string().as_bytes())?;
        drop(pipe);
        let output = child.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && said.is_empty(), "the hook {event} says: {said}");
        Ok(output.stdout)
    }

    /// Keeps what the tour shows whole.
    fn remember(&mut self, event: &str, stdin: &Value, context: &str, answer: &Value) {
        match (event, stdin["source"].as_str()) {
            ("SessionStart", Some("compact")) => {
                context.clone_into(&mut self.tour.after);
                answer["systemMessage"]
                    .as_str()
                    .unwrap_or_default()
                    .clone_into(&mut self.tour.line);
            }
            ("SessionStart", _) => context.clone_into(&mut self.tour.next),
            _ => {}
        }
    }

    fn moment(&self, event: &str, stdin: &Value) -> String {
        let used = thousands(self.used);
        match event {
            "SessionStart" => {
                format!("session starts: {}", stdin["source"].as_str().unwrap_or_default())
            }
            "UserPromptSubmit" => "user: a prompt".to_owned(),
            "PostToolBatch" => format!("tools done, {used} in context"),
            "PreCompact" => format!("compaction, {used} in context"),
            "SessionEnd" => "session ends".to_owned(),
            other => other.to_owned(),
        }
    }

    /// Sends a message to the server; a call gets the arguments that its hook answered.
    fn send(&mut self, mut message: Value) -> anyhow::Result<()> {
        if self.server.is_none() {
            self.server = Some(Server::start(self.command())?);
        }
        let pending = self.pending.take();
        if let Some(pending) = &pending {
            message["params"]["arguments"] = pending.arguments.clone();
        }
        let begin = Instant::now();
        let server = self.server.as_mut().context("the server was just started")?;
        let answer = server.ask(&message)?;
        let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
        let result = &answer["result"];
        ensure!(answer.get("error").is_none(), "the MCP server refused: {}", answer["error"]);
        ensure!(result["isError"] != true, "a call failed: {}", result["content"]);
        let Some(tool) = message["params"]["name"].as_str() else {
            let instructions = result["instructions"].as_str().unwrap_or_default().to_owned();
            self.push("MCP server starts", instructions, Kind::Context, milliseconds);
            return Ok(());
        };
        let reply = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        let before = pending.map_or(0.0, |pending| pending.milliseconds);
        self.push(&format!("tool: {tool}"), reply, Kind::Tool, before + milliseconds);
        Ok(())
    }

    fn push(&mut self, moment: &str, answer: String, kind: Kind, milliseconds: f64) {
        self.tour.steps.push(Step { moment: moment.to_owned(), answer, kind, milliseconds });
    }
}

/// `n` with a comma before every three digits from the right.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if 0 < idx && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
