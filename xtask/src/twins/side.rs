//! One of the two programs, with folders of its own, reached as a model, a person and a harness reach it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::step::{Asked, Caller, Deed, Happened, Step};
use crate::torture::client::Server;
use crate::torture::home::fed;

/// When every sequence begins: a while ago for any machine that runs this.
const BEGIN: i64 = 1_763_700_000_000;

/// A program and its folders.
pub(super) struct Side {
    folder: TempDir,
    vade: PathBuf,
    /// The folder of what is kept.
    data: &'static str,
    shim: PathBuf,
    clock: i64,
    /// The server of each folder that a model called from.
    servers: BTreeMap<&'static str, Server>,
}

impl Side {
    pub(super) fn new(vade: &Path, shim: &Path) -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        let in_memory = builder.prefix("vade-twins-").tempdir_in("/dev/shm");
        let folder = in_memory.or_else(|_| tempfile::tempdir())?;
        let file = |name: &str, text: &str| -> Result<()> {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().context("a folder")?)?;
            Ok(fs::write(path, text)?)
        };
        file("one/.git/HEAD", "ref: refs/heads/main\n")?;
        file("one/.git/config", "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n")?;
        let place = |name: &str| format!("{}\n", folder.path().join(name).display());
        file("side/.git", &format!("gitdir: {}", place("one/.git/worktrees/side")))?;
        file("one/.git/worktrees/side/gitdir", &place("side/.git"))?;
        file("one/.git/worktrees/side/commondir", "../..\n")?;
        file(
            "config/vademecum/config.toml",
            "[mcp]\ntools = \"all\"\n[scratchpad]\nenabled = true\n",
        )?;
        file("clock", &BEGIN.to_string())?;
        for name in ["two", "three", "records", "home"] {
            fs::create_dir_all(folder.path().join(name))?;
        }
        let (vade, shim) = (vade.to_owned(), shim.to_owned());
        let (data, clock, servers) = ("data", BEGIN, BTreeMap::new());
        Ok(Self { folder, vade, data, shim, clock, servers })
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Ends its servers, so that nobody has its store open.
    pub(super) fn ends(&mut self) {
        self.servers.clear();
    }

    /// Goes on as another program on another store, in the same folders.
    pub(super) fn becomes(&mut self, vade: &Path, data: &'static str) {
        (self.vade, self.data) = (vade.to_owned(), data);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, folder: &str) -> Command {
        let mut command = Command::new(&self.vade);
        command
            .env_clear()
            .env("HOME", self.path("home"))
            .env("XDG_DATA_HOME", self.path(self.data))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("LD_PRELOAD", &self.shim)
            .env("CLOCK_FILE", self.path("clock"))
            .env("VADE_DEADLINE_MS", "60000")
            .env("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000")
            .current_dir(self.path(folder));
        command
    }

    /// Does one step; a fault, and what only a library does, is left out.
    pub(super) fn does(&mut self, step: &Step) -> Result<Value> {
        if !self.path(step.folder).exists() {
            return Ok(json!("no such folder"));
        }
        match &step.deed {
            Deed::Clock(by) => {
                self.clock += by;
                // Another file in its place: nobody reads half a time.
                let next = self.path("clock.next");
                fs::write(&next, self.clock.to_string())?;
                fs::rename(next, self.path("clock"))?;
                Ok(Value::Null)
            }
            Deed::Call(asked) if asked.caller == Caller::Person => self.typed(step.folder, asked),
            Deed::Call(asked) => self.called(step.folder, asked),
            Deed::Hook(happened) => self.hooked(step.folder, happened),
            Deed::Child(..) => Ok(Value::Null),
            Deed::Lines(path, lines) => {
                let file = fs::OpenOptions::new().create(true).append(true).open(self.path(path));
                file?.write_all(lines.as_bytes())?;
                Ok(Value::Null)
            }
            Deed::Move(from, to) => {
                let (from_path, to_path) = (self.path(from), self.path(to));
                self.servers.remove(from);
                let is_moved = !to_path.exists() && fs::rename(from_path, to_path).is_ok();
                Ok(json!(is_moved))
            }
        }
    }

    fn typed(&self, folder: &str, asked: &Asked) -> Result<Value> {
        let mut command = self.command(folder);
        command.args(["--json", "call", asked.operation, "-"]);
        if let Some(named) = &asked.named {
            command.args(["--session", named]);
        }
        if let Some(id) = &asked.write_id {
            command.args(["--write-id", id]);
        }
        let output = fed(&mut command, asked.arguments.to_string().as_bytes())?;
        let object: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(json!({ "object": object, "code": output.status.code(), "said": said }))
    }

    fn called(&mut self, folder: &'static str, asked: &Asked) -> Result<Value> {
        if !self.servers.contains_key(folder) {
            let mut command = self.command(folder);
            command.arg("mcp").stderr(std::process::Stdio::null());
            self.servers.insert(folder, Server::start(command)?);
        }
        let wire = &mut self.servers.get_mut(folder).context("a server")?.wire;
        let mut meta = json!({});
        // The id that a client is given without a harness is drawn: it is told one.
        if let Caller::Model(key) | Caller::Client(key) = &asked.caller {
            meta["dev.vademecum/session"] = key.clone().into();
        }
        if let Some(id) = &asked.write_id {
            meta["dev.vademecum/write"] = id.clone().into();
        }
        let mut arguments = asked.arguments.clone();
        if let Some(named) = &asked.named {
            arguments["session"] = named.clone().into();
        }
        let params = json!({ "name": asked.operation, "arguments": arguments, "_meta": meta });
        let id = wire.ask("tools/call", &params)?;
        loop {
            match wire.next_answer() {
                Ok((answered, result)) if answered == id => {
                    let (object, text) = (&result["structuredContent"], &result["content"]);
                    let outcome = if result["isError"] == true { "error" } else { "object" };
                    return Ok(json!({ outcome: object, "text": text }));
                }
                Ok(_) => {}
                // A tool that models are not offered is no tool.
                Err(error) => return Ok(json!({ "refused": error.to_string() })),
            }
        }
    }

    fn hooked(&self, folder: &str, happened: &Happened) -> Result<Value> {
        let mut payload = happened.payload.clone();
        let record = payload["transcript_path"].as_str().unwrap_or_default();
        payload["transcript_path"] = self.path(record).display().to_string().into();
        payload["cwd"] = self.path(folder).display().to_string().into();
        payload["hook_event_name"] = happened.name.into();
        let mut command = self.command(folder);
        command.args(["hook", happened.harness, happened.name]);
        let output = fed(&mut command, payload.to_string().as_bytes())?;
        let stdout: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(json!({ "stdout": stdout, "code": output.status.code(), "said": said }))
    }
}
