//! The real Codex, installed by `vade install codex`, against the same mock model.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::model::Model;
use super::process::Running;
use super::request::{Purpose, Request, Speaker};
use super::script::Script;
use super::world::World;

pub(super) mod compaction;
pub(super) mod reply;
pub(super) mod request;
pub(super) mod siblings;
pub(super) mod skills;
pub(super) mod sub_agents;
pub(super) mod wiring;

/// Where a script compacts, and where it is warned: 4,750 before.
pub(super) const COMPACT_AT: u64 = 50_000;

/// One run of Codex: a prompt, and what the model does then.
pub(super) struct Asking<'a> {
    prompt: &'a str,
    session: Option<&'a str>,
    options: Vec<&'a str>,
    scripts: Vec<(Speaker, Script)>,
}

impl<'a> Asking<'a> {
    /// Asks in a new session.
    #[must_use]
    pub(super) fn new(prompt: &'a str) -> Self {
        Self { prompt, session: None, options: vec![TRUST], scripts: Vec::new() }
    }

    /// Asks in an earlier session.
    #[must_use]
    pub(super) fn resume(mut self, session: &'a str) -> Self {
        self.session = Some(session);
        self
    }

    /// Runs as a person does who has approved no hook.
    #[must_use]
    pub(super) fn without_approval(mut self) -> Self {
        self.options.retain(|option| *option != TRUST);
        self
    }

    /// Adds options of the harness.
    #[must_use]
    pub(super) fn with(mut self, options: &[&'a str]) -> Self {
        self.options.extend(options);
        self
    }

    /// Sets what the agent does.
    #[must_use]
    pub(super) fn script(mut self, script: Script) -> Self {
        self.scripts.push((Speaker::Main, script));
        self
    }

    /// Sets what the sub-agent `name` does.
    #[must_use]
    pub(super) fn sub_agent(mut self, name: &str, script: Script) -> Self {
        self.scripts.push((Speaker::Agent(name.to_owned()), script));
        self
    }
}

/// Stands for a person who has approved every hook.
const TRUST: &str = "--dangerously-bypass-hook-trust";

/// A run that ended well.
pub(super) struct Run {
    /// The session's id.
    pub(super) session: String,
    /// The requests that the model received in it.
    pub(super) requests: Vec<Request>,
}

impl World<'_> {
    /// Writes the person's own configuration, which names the mock model.
    pub(super) fn configure_codex(&self) -> Result<String> {
        let text = configuration(&self.model, &self.project());
        fs::create_dir_all(self.home().join(".codex"))?;
        fs::write(self.home().join(".codex/config.toml"), &text)?;
        Ok(text)
    }

    /// Installs `vade` as a person would.
    pub(super) fn install_codex(&self) -> Result<()> {
        self.configure_codex()?;
        self.vade(&["install", "codex", "--yes"])?.success().context("vade install failed")?;
        Ok(())
    }

    /// Runs Codex once, and checks what holds for every run: no hook fails, and all was said.
    pub(super) fn ask_codex(&self, asking: &Asking<'_>) -> Result<Run> {
        let n_before = self.model.requests().len();
        let running = self.begin_codex(asking)?;
        self.end_codex(running, n_before)
    }

    /// The notepad of a session of Codex, as the person reads it.
    pub(super) fn page_of(&self, session: &str) -> Result<String> {
        let name = format!("codex:{session}");
        let kept = self.vade_json(&["notepad", "show", "--session", &name])?;
        Ok(kept["content"].as_str().unwrap_or_default().to_owned())
    }

    /// Starts Codex.
    pub(super) fn begin_codex(&self, asking: &Asking<'_>) -> Result<Running> {
        for (speaker, script) in &asking.scripts {
            self.model.play(speaker.clone(), script.clone());
        }
        let mut command = self.command(&self.programs.codex);
        arguments(&mut command, asking);
        Running::start(command, &self.log("codex"))
    }

    /// Waits for the end of Codex, of whose run the first `n_before` requests are not.
    pub(super) fn end_codex(&self, running: Running, n_before: usize) -> Result<Run> {
        let finished = running.finish(super::world::CODEX_LIMIT)?;
        let printed = format!("{}{}", finished.stdout, finished.stderr);
        finished.success().context("codex failed")?;
        let failed: Vec<&str> = printed
            .lines()
            .filter(|line| line.starts_with("hook: ") && line.contains("Failed"))
            .collect();
        ensure!(failed.is_empty(), "hooks failed: {failed:?}");
        let session = printed.lines().find_map(|line| line.strip_prefix("session id: "));
        let session = session.context("codex named no session")?.to_owned();
        self.model.check_played()?;
        Ok(Run { session, requests: self.model.requests().split_off(n_before) })
    }
}

fn arguments(command: &mut Command, asking: &Asking<'_>) {
    command.arg("exec").args(&asking.options);
    command.args(["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]);
    if let Some(session) = asking.session {
        command.args(["resume", session]);
    }
    command.arg(asking.prompt);
}

fn configuration(model: &Model, project: &Path) -> String {
    let (url, project) = (model.url(), project.display());
    format!(
        "# What the person wrote.\nmodel = \"gpt-5.1-codex\"   # as ever\nmodel_provider = \"mock\"\n\
         model_context_window = 100000\nmodel_auto_compact_token_limit = {COMPACT_AT}\n\
         check_for_update_on_startup = false\n\n[analytics]\nenabled = false\n\n\
         [projects.\"{project}\"]\ntrust_level = \"trusted\"\n\n\
         [model_providers.mock]\nname = 'mock'\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n\
         requires_openai_auth = false\nsupports_websockets = false # no line end after this"
    )
}

impl Run {
    /// The requests for the next reply of `speaker`, in order.
    #[must_use]
    pub(super) fn turns(&self, speaker: &Speaker) -> Vec<&Request> {
        let is_turn =
            |request: &&Request| request.speaker == *speaker && request.purpose == Purpose::Turn;
        self.requests.iter().filter(is_turn).collect()
    }

    /// The first request of `speaker`.
    pub(super) fn first(&self, speaker: &Speaker) -> Result<&Request> {
        let first = self.turns(speaker).first().copied();
        first.with_context(|| format!("{speaker:?} asked the model nothing"))
    }

    /// The last request of `speaker`.
    pub(super) fn last(&self, speaker: &Speaker) -> Result<&Request> {
        let last = self.turns(speaker).last().copied();
        last.with_context(|| format!("{speaker:?} asked the model nothing"))
    }

    /// The request for a summary of `speaker`'s conversation, and the turns after it.
    pub(super) fn compaction(&self, speaker: &Speaker) -> Result<(&Request, Vec<&Request>)> {
        let is_summary =
            |request: &&Request| request.speaker == *speaker && request.purpose == Purpose::Summary;
        let place = self.requests.iter().position(|request| is_summary(&request));
        let place = place.with_context(|| format!("{speaker:?} was not compacted"))?;
        let after = self.requests[place..].iter();
        let is_turn =
            |request: &&Request| request.speaker == *speaker && request.purpose == Purpose::Turn;
        Ok((&self.requests[place], after.filter(is_turn).collect()))
    }
}
