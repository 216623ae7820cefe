//! The harnesses as people run them: in a terminal, with typed prompts, commands and keys.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::ask::Run;
use super::request::{Purpose, Request, Speaker};
use super::script::Script;
use super::terminal::{Terminal, key};
use super::world::World;

pub(super) mod agents;
pub(super) mod breaks;
pub(super) mod codex;
pub(super) mod compactions;
pub(super) mod neighbours;
pub(super) mod resumes;
pub(super) mod typed;

/// A harness with a person in front of it.
pub(super) struct Console<'w> {
    world: &'w World<'w>,
    terminal: Terminal,
    harness: Harness,
    /// Who the model is in this conversation.
    speaker: Speaker,
}

/// Which harness it is.
#[derive(Clone, Copy)]
enum Harness {
    ClaudeCode,
    Codex,
}

/// What Claude Code says of itself while it runs.
struct Status {
    session: String,
    is_idle: bool,
    /// When that changed, in milliseconds.
    changed_at: u128,
}

/// What Codex shows while the agent works.
const AT_WORK: &str = "esc to interrupt";

/// What both show when a turn was broken off.
const INTERRUPTED: &str = "nterrupted";

impl World<'_> {
    /// Installs `vade` for a person who has used Claude Code in this project before.
    pub(super) fn settle_in(&self) -> Result<()> {
        let project = self.project().display().to_string();
        let known = json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "customApiKeyResponses": { "approved": ["dummy"], "rejected": [] },
            "projects": { project: { "hasTrustDialogAccepted": true } },
        });
        fs::write(self.home().join(".claude.json"), format!("{known:#}"))?;
        self.install()
    }

    /// Starts Claude Code in a terminal and waits until it takes input.
    pub(super) fn open(&self, arguments: &[&str]) -> Result<Console<'_>> {
        self.open_as(Speaker::Main, arguments)
    }

    /// The same, where `speaker` is the model: its marker has to stand in the first prompt.
    pub(super) fn open_as(&self, speaker: Speaker, arguments: &[&str]) -> Result<Console<'_>> {
        let mut command = self.command(&self.programs.claude);
        // The mode that is the default asks a server whether a call is safe, and here there is none.
        command.args(["--model", "claude-sonnet-5", "--permission-mode", "acceptEdits"]);
        command.args(arguments);
        let terminal = Terminal::start(command, '❯')?;
        let console = Console { world: self, terminal, harness: Harness::ClaudeCode, speaker };
        console.wait("the input line", |console| {
            console.is_idle_since(0) && console.terminal.is_typed("")
        })?;
        Ok(console)
    }

    /// The same for Codex, whose hooks the person has approved.
    pub(super) fn open_codex(&self, speaker: Speaker, arguments: &[&str]) -> Result<Console<'_>> {
        let mut command = self.command(&self.programs.codex);
        command.args(arguments);
        command.args([
            "--dangerously-bypass-hook-trust",
            "--dangerously-bypass-approvals-and-sandbox",
        ]);
        let terminal = Terminal::start(command, '›')?;
        let console = Console { world: self, terminal, harness: Harness::Codex, speaker };
        console.wait("the input line", |console| {
            !console.terminal.shows(AT_WORK) && console.terminal.is_typed("")
        })?;
        Ok(console)
    }
}

impl Console<'_> {
    /// Says a prompt, waits until the model has played `script`, and gives the requests of that time.
    pub(super) fn ask(&self, prompt: &str, script: Script) -> Result<Run> {
        let (begin, n_before) = (now(), self.world.model.n_requests());
        let last_words = script.last_words().to_owned();
        self.say(prompt, script)?;
        self.wait_for_turn(&last_words, begin)?;
        self.run(n_before)
    }

    /// Says a prompt and waits until the model holds a reply back.
    pub(super) fn begin(&self, prompt: &str, script: Script) -> Result<()> {
        self.world.model.hold();
        self.say(prompt, script)?;
        self.wait("a reply that is held back", |console| 0 < console.world.model.n_held())
    }

    /// Lets the model go on, and waits until it has said `last_words`.
    pub(super) fn go_on(&self, last_words: &str) -> Result<Run> {
        let (begin, n_before) = (now(), self.world.model.n_requests());
        self.world.model.go_on();
        self.wait_for_turn(last_words, begin)?;
        self.run(n_before)
    }

    /// Breaks the turn off, as people do who see that it goes wrong.
    pub(super) fn interrupt(&self) -> Result<()> {
        let begin = now();
        self.terminal.press(key::CTRL_C)?;
        self.wait("the end of the turn that was broken off", |console| {
            console.terminal.shows(INTERRUPTED) && console.is_idle_since(begin)
        })?;
        // The connection whose reply was held back is closed; what is asked next is answered at once.
        self.world.model.go_on();
        Ok(())
    }

    /// Compacts by hand.
    pub(super) fn compact(&self) -> Result<()> {
        let (begin, n_before) = (now(), self.n_summaries());
        self.terminal.enter("/compact")?;
        self.wait("the compaction", |console| {
            n_before < console.n_summaries()
                && console.terminal.shows("ompacted")
                && console.is_idle_since(begin)
        })
    }

    /// Begins a new session in the same process; gives its id.
    pub(super) fn clear(&self) -> Result<String> {
        let before = self.session()?;
        self.terminal.enter("/clear")?;
        let is_another = |console: &Self| console.session().is_ok_and(|session| session != before);
        self.wait("another session", is_another)?;
        self.wait("the input line", |console| {
            console.is_idle_since(0) && console.terminal.is_typed("")
        })?;
        self.session()
    }

    /// Leaves as people do.
    pub(super) fn leave(self) -> Result<()> {
        self.terminal.end(key::CTRL_C)
    }

    /// Kills the harness, which gets no chance to say so.
    pub(super) fn kill(self) {
        drop(self.terminal);
        self.world.model.go_on();
    }

    /// The session that goes on now.
    pub(super) fn session(&self) -> Result<String> {
        match self.harness {
            Harness::ClaudeCode => self.status().map(|status| status.session),
            Harness::Codex => {
                let requests = self.world.model.requests();
                let last = requests.iter().rfind(|request| {
                    request.speaker == self.speaker && request.purpose == Purpose::Turn
                });
                last.and_then(|last| {
                    last.body["client_metadata"]["thread_id"].as_str().map(str::to_owned)
                })
            }
        }
        .context("the harness says nothing of its session")
    }

    /// The session as people name it to `vade`.
    pub(super) fn handle(&self) -> Result<String> {
        let harness = match self.harness {
            Harness::ClaudeCode => "claude-code",
            Harness::Codex => "codex",
        };
        Ok(format!("{harness}:{}", self.session()?))
    }

    /// The page of the session, as the person reads it.
    pub(super) fn page(&self) -> Result<String> {
        let kept = self.world.vade_json(&["notepad", "show", "--session", &self.handle()?])?;
        Ok(kept["content"].as_str().unwrap_or_default().to_owned())
    }

    /// The transcript of the session.
    pub(super) fn transcript(&self) -> Result<PathBuf> {
        let folder = match self.harness {
            Harness::ClaudeCode => ".claude/projects",
            Harness::Codex => ".codex/sessions",
        };
        let name = format!("{}.jsonl", self.session()?);
        find(&self.world.home().join(folder), &name)?.context("the session has no transcript")
    }

    fn say(&self, prompt: &str, script: Script) -> Result<()> {
        let n_before = self.n_turns();
        self.world.model.play(self.speaker.clone(), script);
        self.terminal.enter(prompt)?;
        self.wait("a request", |console| n_before < console.n_turns())
    }

    fn wait_for_turn(&self, last_words: &str, begin: u128) -> Result<()> {
        self.wait(&format!("end of the turn with {last_words:?}"), |console| {
            console.world.model.left(&console.speaker) == 0
                && console.terminal.shows(last_words)
                && console.is_idle_since(begin)
                && console.has_written(last_words)
        })
    }

    /// Whether the transcript holds `words`, a tenth of a second after the terminal: a hook of the next prompt reads
    /// there that the last one was answered.
    fn has_written(&self, words: &str) -> bool {
        let transcript = self.transcript().and_then(|path| Ok(fs::read_to_string(path)?));
        let words = Value::from(words).to_string();
        transcript.is_ok_and(|transcript| transcript.contains(words.trim_matches('"')))
    }

    fn wait(&self, what: &str, is_so: impl Fn(&Self) -> bool) -> Result<()> {
        self.terminal.until(what, |_| is_so(self))
    }

    fn run(&self, n_before: usize) -> Result<Run> {
        let requests = self.world.model.requests().split_off(n_before);
        Ok(Run { session: self.session()?, requests, hooks: Vec::new(), notices: Vec::new() })
    }

    fn n_turns(&self) -> usize {
        self.count(|request| request.purpose == Purpose::Turn && request.speaker == self.speaker)
    }

    fn n_summaries(&self) -> usize {
        self.count(|request| request.purpose == Purpose::Summary)
    }

    fn count(&self, is_meant: impl Fn(&Request) -> bool) -> usize {
        self.world.model.requests().iter().filter(|request| is_meant(request)).count()
    }

    fn is_idle_since(&self, time: u128) -> bool {
        match self.harness {
            Harness::ClaudeCode => {
                self.status().is_some_and(|status| status.is_idle && time < status.changed_at)
            }
            Harness::Codex => !self.terminal.shows(AT_WORK) && !self.is_in_task(),
        }
    }

    /// Whether the rollout of a session of Codex ends within a turn.
    fn is_in_task(&self) -> bool {
        let Ok(rollout) = self.transcript().and_then(|path| Ok(fs::read_to_string(path)?)) else {
            return false;
        };
        let last = |kinds: &[&str]| kinds.iter().filter_map(|kind| rollout.rfind(kind)).max();
        let ends = ["\"task_complete\"", "\"turn_aborted\""];
        last(&ends) < last(&["\"task_started\""])
    }

    fn status(&self) -> Option<Status> {
        let path = self.world.home().join(format!(".claude/sessions/{}.json", self.terminal.id()));
        let status: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
        Some(Status {
            session: status["sessionId"].as_str()?.to_owned(),
            is_idle: status["status"] == "idle",
            changed_at: status["statusUpdatedAt"].as_u64()?.into(),
        })
    }
}

/// The first file below `folder` whose name ends with `name`.
fn find(folder: &Path, name: &str) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let found = if path.is_dir() { find(&path, name)? } else { None };
        let is_it = || path.to_str().is_some_and(|path| path.ends_with(name));
        if let Some(found) = found.or_else(|| is_it().then(|| path.clone())) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The time in milliseconds, as Claude Code counts it.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis())
}
