//! A home, a project and a store of their own, and the ways to reach the store.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use vademecum_core::session::Session;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Depth, SessionFilter, Store as _, conformance, read};

use super::client::Server;

/// The harness that all processes of a home run in.
const HARNESS: &str = "claude-code";

/// Where one scenario lives.
#[derive(Clone)]
pub(super) struct Home {
    folder: Arc<TempDir>,
    vade: PathBuf,
    /// The folder of data of all programs, in which vade makes its own.
    data: PathBuf,
    /// What its processes find in their environment beside the usual.
    more: Vec<(&'static str, OsString)>,
    /// The user that its processes run as, if it is another one.
    user: Option<u32>,
}

/// What a hook left of its run; it ended with exit code 0.
#[derive(Debug)]
pub(super) struct Hooked {
    /// What the model gets; empty if nothing.
    pub(super) context: String,
    /// What stands on standard error.
    pub(super) said: String,
    /// From the start of the process to its end.
    pub(super) took: Duration,
}

/// Deadline of the hook for `event`, and what a busy machine takes to start and end a process.
///
/// Nobody waits for the hook before a compaction and at the end of a session, which have a second.
pub(super) fn limit_of(event: &str) -> Duration {
    let is_unattended = matches!(event, "PreCompact" | "SessionEnd");
    Duration::from_millis(if is_unattended { 1_500 } else { 500 })
}

impl Home {
    pub(super) fn new(vade: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("vade-torture-").tempdir()?;
        let data = folder.path().join("data");
        let (folder, vade) = (Arc::new(folder), vade.to_owned());
        let home = Self { folder, vade, data, more: Vec::new(), user: None };
        fs::create_dir_all(home.path("project"))?;
        Ok(home)
    }

    /// The same with a configuration.
    pub(super) fn configured(vade: &Path, toml: &str) -> Result<Self> {
        let home = Self::new(vade)?;
        fs::create_dir_all(home.path("config/vademecum"))?;
        fs::write(home.path("config/vademecum/config.toml"), toml)?;
        Ok(home)
    }

    /// The same home with its data in another folder.
    pub(super) fn with_data(&self, data: PathBuf) -> Self {
        Self { data, ..self.clone() }
    }

    /// The same home with one thing more in the environment of its processes.
    pub(super) fn with(&self, name: &'static str, value: impl Into<OsString>) -> Self {
        let mut home = self.clone();
        home.more.push((name, value.into()));
        home
    }

    /// Lets all processes run as `user`, who gets all files and a binary that it can reach.
    pub(super) fn given_to(mut self, user: u32) -> Result<Self> {
        let binary = self.path("vade");
        fs::copy(&self.vade, &binary)?;
        self.vade = binary;
        self.user = Some(user);
        for path in [self.folder.path().to_owned(), self.path("vade"), self.path("project")] {
            std::os::unix::fs::chown(&path, Some(user), Some(user))?;
        }
        Ok(self)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder of the store.
    pub(super) fn data(&self) -> PathBuf {
        self.data.join("vademecum")
    }

    /// A handle of this process on the store.
    pub(super) fn store(&self) -> Sqlite {
        Sqlite::at(&self.data().join("vade.db"), Options::patient())
    }

    /// The program in this session, its arguments to follow.
    pub(super) fn command(&self, session: &str) -> Command {
        let mut command = Command::new(&self.vade);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", &self.data)
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("CLAUDE_CODE_SESSION_ID", session)
            .envs(self.more.iter().map(|(name, value)| (name, value)))
            .current_dir(self.path("project"))
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        if let Some(user) = self.user {
            use std::os::unix::process::CommandExt as _;
            command.uid(user).gid(user);
        }
        command
    }

    /// Starts one command, its answer on a pipe.
    pub(super) fn spawn(&self, session: &str, words: &[&str]) -> Result<Child> {
        let mut command = self.command(session);
        command.args(words).stdout(Stdio::piped());
        command.spawn().with_context(|| format!("cannot start {command:?}"))
    }

    /// An MCP server in this session, its handshake done.
    pub(super) fn serve(&self, session: &str) -> Result<Server> {
        let mut command = self.command(session);
        command.arg("mcp");
        Server::start(command)
    }

    /// The same in another folder.
    pub(super) fn serve_in(&self, session: &str, folder: &Path) -> Result<Server> {
        let mut command = self.command(session);
        command.arg("mcp").current_dir(folder);
        Server::start(command)
    }

    /// Runs one command to its end; the answer, and the exit code.
    pub(super) fn cli(&self, session: &str, words: &[&str]) -> Result<(Value, Option<i32>)> {
        self.cli_in(session, words, &self.path("project"))
    }

    /// The same in another folder.
    pub(super) fn cli_in(
        &self,
        session: &str,
        words: &[&str],
        folder: &Path,
    ) -> Result<(Value, Option<i32>)> {
        let mut command = self.command(session);
        command.current_dir(folder);
        let output = command.arg("--json").args(words).stderr(Stdio::piped()).output()?;
        let said = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
        let answer = serde_json::from_slice(said)
            .with_context(|| format!("no JSON: {}", String::from_utf8_lossy(said)))?;
        Ok((answer, output.status.code()))
    }

    /// Runs one command to its end; what it wrote as it stands.
    pub(super) fn output(&self, session: &str, words: &[&str]) -> Result<Output> {
        fed(self.command(session).args(words), b"")
    }

    /// Runs the hook of one event of Claude Code; what it left, and how long it took.
    pub(super) fn hook(&self, session: &str, event: &str, more: &Value) -> Result<Hooked> {
        let mut payload = json!({
            "session_id": session,
            "cwd": self.path("project"),
            "hook_event_name": event,
        });
        if let (Some(payload), Some(more)) = (payload.as_object_mut(), more.as_object()) {
            payload.extend(more.clone());
        }
        let mut command = self.command(session);
        command.args(["hook", "claude-code", event]);
        let begin = Instant::now();
        let output = fed(&mut command, payload.to_string().as_bytes())?;
        let took = begin.elapsed();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.code() == Some(0), "the hook of {event} ended badly: {said}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let context = answer["hookSpecificOutput"]["additionalContext"].as_str();
        Ok(Hooked { context: context.unwrap_or_default().to_owned(), said, took })
    }

    /// Starts the session again, which takes in what was queued, however busy the machine is.
    pub(super) fn start_again(&self, session: &str) -> Result<Hooked> {
        let patient = self.with("VADE_DEADLINE_MS", "20000");
        let hooked = patient.hook(session, "SessionStart", &json!({"source": "resume"}))?;
        ensure!(!hooked.said.contains("gave up"), "{}", hooked.said);
        Ok(hooked)
    }

    /// The session as the store knows it.
    pub(super) fn known(&self, session: &str) -> Result<Session> {
        let filter = SessionFilter { include_archived: true, ..SessionFilter::default() };
        let sessions = read(&self.store(), |view| view.sessions(filter))?;
        let mut known = sessions
            .into_iter()
            .filter(|known| known.key.harness == HARNESS && known.key.external == session);
        known.next().with_context(|| format!("no session {session} in the store"))
    }

    /// Checks that the store agrees with itself.
    pub(super) fn check_sound(&self) -> Result<()> {
        let store = self.store();
        let faults = store.health(Depth::Deep)?.faults;
        ensure!(faults.is_empty(), "the store is not well: {}", faults.join("; "));
        conformance::check_sound(&store);
        Ok(())
    }
}

/// Runs `command` to its end with `input` on its standard input.
pub(crate) fn fed(command: &mut Command, input: &[u8]) -> Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    // One that ends without reading says why by itself.
    drop(stdin.write_all(input));
    drop(stdin);
    Ok(child.wait_with_output()?)
}
