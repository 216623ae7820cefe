//! A throw-away machine for one scenario: its own HOME, project, store and model.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;
use tempfile::TempDir;

use super::ask::{Ask, Run};
use super::model::Model;
use super::process::{self, Finished, Running};

/// The programs that the scenarios run.
pub(super) struct Programs {
    /// The pinned Claude Code.
    pub(super) claude: PathBuf,
    /// The pinned Codex.
    pub(super) codex: PathBuf,
    /// The `vade` under test.
    pub(super) vade: PathBuf,
}

/// Everything that one scenario touches.
pub(super) struct World<'a> {
    _folder: TempDir,
    root: PathBuf,
    pub(super) programs: &'a Programs,
    pub(super) model: Model,
    n_logs: Cell<usize>,
}

/// A run of the harness takes about a second; this is for a machine that does much else.
const CLAUDE_LIMIT: Duration = Duration::from_mins(2);
pub(super) const CODEX_LIMIT: Duration = CLAUDE_LIMIT;
const VADE_LIMIT: Duration = Duration::from_secs(30);

/// The window at which Claude Code compacts from 67,000 tokens on.
const COMPACT_WINDOW: &str = "100000";

/// A proxy that refuses: whatever is not on the loopback fails at once.
const NO_PROXY_THERE: &str = "http://127.0.0.1:9";

impl<'a> World<'a> {
    /// Makes a world with a small project in it, without `vade` installed.
    pub(super) fn new(programs: &'a Programs) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("vade-e2e-").tempdir()?;
        let root = fs::canonicalize(folder.path())?;
        let world =
            Self { _folder: folder, root, programs, model: Model::start()?, n_logs: Cell::new(0) };
        for folder in [world.home(), world.project(), world.logs(), world.temporary()] {
            fs::create_dir_all(folder)?;
        }
        world.begin_project()?;
        Ok(world)
    }

    /// Installs `vade` as a person would.
    pub(super) fn install(&self) -> Result<()> {
        self.vade(&["install", "claude-code", "--yes"])?
            .success()
            .context("vade install failed")?;
        Ok(())
    }

    /// Runs the harness once, and checks what holds for every run.
    ///
    /// It ends well, no hook or tool fails, and the model said all that it was to say.
    pub(super) fn ask(&self, ask: &Ask<'_>) -> Result<Run> {
        let n_before = self.model.requests().len();
        let running = self.start(ask)?;
        self.end(running, ask, n_before)
    }

    /// Starts the harness and lets it run until the model holds its reply back.
    pub(super) fn begin(&self, ask: &Ask<'_>) -> Result<Running> {
        let mut running = self.start(ask)?;
        running.until(CLAUDE_LIMIT, || 0 < self.model.n_held())?;
        // The harness writes its transcript a tenth of a second late.
        std::thread::sleep(Duration::from_millis(500));
        Ok(running)
    }

    /// Lets the model give the reply that it holds back, and waits for the harness's end.
    pub(super) fn go_on(&self, running: Running) -> Result<()> {
        self.model.go_on();
        running.finish(CLAUDE_LIMIT)?.success().context("claude failed")?;
        Ok(())
    }

    /// Runs the harness once, and lets the model go on when it holds so many replies back.
    pub(super) fn ask_held(&self, ask: &Ask<'_>, n_held: usize) -> Result<Run> {
        let n_before = self.model.requests().len();
        let mut running = self.start(ask)?;
        running.until(CLAUDE_LIMIT, || n_held <= self.model.n_held())?;
        self.model.go_on();
        self.end(running, ask, n_before)
    }

    fn end(&self, running: Running, ask: &Ask<'_>, n_before: usize) -> Result<Run> {
        let stdout = running.finish(CLAUDE_LIMIT)?.success().context("claude failed")?;

        let run = Run::new(&stdout, self.model.requests().split_off(n_before))?;
        run.check(ask.oddities)?;
        self.model.check_played()?;
        Ok(run)
    }

    fn start(&self, ask: &Ask<'_>) -> Result<Running> {
        for (speaker, script) in &ask.scripts {
            self.model.play(speaker.clone(), script.clone());
        }
        let mut command = self.command(&self.programs.claude);
        command.args(ask.arguments());
        if ask.oddities.loads_all_tools {
            command.env("ENABLE_TOOL_SEARCH", "false");
        }
        Running::start(command, &self.log("claude"))
    }

    /// Runs `vade` in the project, as a person would.
    pub(super) fn vade(&self, arguments: &[&str]) -> Result<Finished> {
        let mut command = self.command(&self.programs.vade);
        command.args(arguments);
        process::run(command, VADE_LIMIT, &self.log("vade"))
    }

    /// Runs `vade … --json` and reads its answer.
    pub(super) fn vade_json(&self, arguments: &[&str]) -> Result<Value> {
        let stdout = self.vade(&[arguments, &["--json"]].concat())?.success();
        let stdout = stdout.with_context(|| format!("vade {} failed", arguments.join(" ")))?;
        serde_json::from_str(&stdout)
            .with_context(|| format!("vade {} gave no JSON: {stdout}", arguments.join(" ")))
    }

    /// The home folder of the person.
    #[must_use]
    pub(super) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The project that the agent works on.
    #[must_use]
    pub(super) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// The file in the project that an agent may read without asking.
    #[must_use]
    pub(super) fn file(&self) -> String {
        self.project().join("ledger.txt").display().to_string()
    }

    /// The database of the store.
    #[must_use]
    pub(super) fn database(&self) -> PathBuf {
        self.home().join(".local/share/vademecum/vade.db")
    }

    /// Leaves everything that explains `failure` in `folder`.
    pub(super) fn save(&self, folder: &Path, failure: &str) -> Result<()> {
        copy_folder(&self.root, folder)?;
        fs::write(folder.join("failure.txt"), failure)?;
        for (idx, request) in self.model.requests().iter().enumerate() {
            let name =
                format!("request-{:03}-{:?}-{:?}.json", idx + 1, request.speaker, request.purpose);
            fs::write(
                folder.join(name.replace(['(', ')', '"'], "")),
                format!("{:#}", request.body),
            )?;
        }
        Ok(())
    }

    fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    pub(super) fn log(&self, program: &str) -> PathBuf {
        self.n_logs.set(self.n_logs.get() + 1);
        self.logs().join(format!("{:02}-{program}", self.n_logs.get()))
    }

    /// A command in the project that sees this world and nothing of the developer's machine.
    pub(super) fn command(&self, program: &Path) -> Command {
        let home = self.home();
        let mut command = Command::new(program);
        command.current_dir(self.project()).env_clear();
        command.env(
            "PATH",
            format!("{}:/usr/local/bin:/usr/bin:/bin", home.join(".local/bin").display()),
        );
        command.env("TMPDIR", self.temporary()).env("LANG", "C.UTF-8").env("SHELL", "/bin/sh");
        command
            .env("XDG_DATA_HOME", home.join(".local/share"))
            .env("XDG_CONFIG_HOME", home.join(".config"));
        command
            .env("XDG_STATE_HOME", home.join(".local/state"))
            .env("XDG_CACHE_HOME", home.join(".cache"));
        command.env("HOME", home);

        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env(name, NO_PROXY_THERE).env(name.to_lowercase(), NO_PROXY_THERE);
        }
        command.env("NO_PROXY", "127.0.0.1,localhost").env("no_proxy", "127.0.0.1,localhost");
        command.env("ANTHROPIC_BASE_URL", self.model.url()).env("ANTHROPIC_API_KEY", "dummy");
        command.env("CLAUDE_CODE_AUTO_COMPACT_WINDOW", COMPACT_WINDOW);
        // Hooks of a development build, five at once, take longer than those of a release may.
        command.env("VADE_DEADLINE_MS", "2000");
        for name in
            ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY"]
        {
            command.env(name, "1");
        }
        command
    }

    /// A repository with one file that the agent may read without asking.
    fn begin_project(&self) -> Result<()> {
        fs::write(self.project().join("ledger.txt"), "carrots 3\nleeks 7\n")?;
        for arguments in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "--all"],
            &[
                "-c",
                "user.name=e2e",
                "-c",
                "user.email=e2e@localhost",
                "commit",
                "--quiet",
                "--message=ledger: begin",
            ],
        ] {
            let mut command = self.command(Path::new("git"));
            command.args(arguments);
            process::run(command, VADE_LIMIT, &self.log("git"))?.success().context("git failed")?;
        }
        Ok(())
    }
}

/// Copies files and folders; links and sockets tell nothing about a failure.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
