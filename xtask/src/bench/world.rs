//! The world of a measured program: an environment of its own, whose names are always as long.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::programs::Programs;
use super::stores::{SESSION, Size, Stores};

/// A folder with a home, a project and a copy of each store.
pub(super) struct World<'a> {
    folder: TempDir,
    programs: &'a Programs,
    stores: Stores,
    n_scratch: Cell<usize>,
}

impl<'a> World<'a> {
    /// Makes a world; the stores are copied when they are first asked for.
    pub(super) fn new(programs: &'a Programs) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("vade-bench-").tempdir()?;
        let stores = Stores::provide(programs)?;
        let world = Self { folder, programs, stores, n_scratch: Cell::new(0) };
        for name in ["home/.claude", "config", "project/.git"] {
            fs::create_dir_all(world.path(name))?;
        }
        fs::write(world.path("project/.git/HEAD"), "ref: refs/heads/main\n")?;
        fs::write(world.path("home/.claude/settings.json"), "{\"model\":\"sonnet\"}\n")?;
        fs::write(world.path("transcript.jsonl"), transcript())?;
        Ok(world)
    }

    /// A path of this world.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The data folder with the store of this size.
    fn data(&self, size: Size) -> PathBuf {
        self.path(size.name())
    }

    /// The database of this size, copied when it is not there yet.
    pub(super) fn database(&self, size: Size) -> Result<PathBuf> {
        let folder = self.data(size).join("vademecum");
        if !folder.is_dir() {
            self.stores.copy(size, &folder)?;
        }
        Ok(folder.join("vade.db"))
    }

    /// The database of this size as it was made, whatever was written since.
    pub(super) fn fresh(&self, size: Size) -> Result<PathBuf> {
        self.stores.copy(size, &self.data(size).join("vademecum"))?;
        self.database(size)
    }

    /// Another copy of the database of this size, as it was made.
    pub(super) fn another(&self, size: Size) -> Result<PathBuf> {
        self.n_scratch.set(self.n_scratch.get() + 1);
        let folder = self.path(&format!("scratch-{:04}", self.n_scratch.get()));
        self.stores.copy(size, &folder)?;
        Ok(folder.join("vade.db"))
    }

    /// Lets the project of the store of this size be the one of this world.
    pub(super) fn here(&self, size: Size) -> Result<()> {
        let mut command = self.command("bench-stores", size)?;
        let project = fs::canonicalize(self.path("project"))?;
        finish(command.arg(self.database(size)?).arg(project))?;
        Ok(())
    }

    /// A program with the environment of this world, on the store of this size.
    pub(super) fn command(&self, program: &str, size: Size) -> Result<Command> {
        self.database(size)?;
        Ok(self.settled(Command::new(self.programs.path(program)), size))
    }

    /// The same program under callgrind, its addresses always the same.
    pub(super) fn counted(&self, program: &str, size: Size) -> Result<Command> {
        self.database(size)?;
        let mut command = Command::new("setarch");
        command.args([std::env::consts::ARCH, "-R", "valgrind", "--tool=callgrind"]);
        command.arg("--callgrind-out-file=/dev/null").arg(self.programs.path(program));
        Ok(self.settled(command, size))
    }

    /// A program with the environment of this world.
    pub(super) fn settled(&self, mut command: Command, size: Size) -> Command {
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LC_ALL", "C")
            .env("HOME", self.path("home"))
            .env("XDG_DATA_HOME", self.data(size))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("CLAUDE_PROJECT_DIR", self.path("project"))
            .env("CLAUDE_CODE_SESSION_ID", SESSION)
            // As the harness tells it: else a hook looks for it among the processes above.
            .env("CLAUDE_PID", "1")
            .env("VADE_DEADLINE_MS", "60000")
            .current_dir(self.path("project"))
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .stdout(Stdio::piped());
        command
    }

    /// Puts an event of Claude Code in front of a hook.
    pub(super) fn event(&self, command: &mut Command, name: &str, more: &Value) -> Result<()> {
        let mut event = json!({
            "session_id": SESSION,
            "transcript_path": self.path("transcript.jsonl"),
            "cwd": self.path("project"),
            "permission_mode": "default",
            "hook_event_name": name,
        });
        for (field, value) in more.as_object().into_iter().flatten() {
            event[field] = value.clone();
        }
        let file = self.path("event.json");
        fs::write(&file, serde_json::to_vec(&event)?)?;
        command.args(["hook", "claude-code", name]).stdin(File::open(&file)?);
        Ok(())
    }
}

/// Runs `command` to its end; what it wrote to stdout and stderr.
pub(super) fn finish(command: &mut Command) -> Result<(String, String)> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("{command:?} ended with {}\n{said}", output.status);
    }
    Ok((String::from_utf8(output.stdout)?, said))
}

/// How many instructions callgrind says that it has counted.
pub(super) fn collected(said: &str) -> Result<u64> {
    let line = said.lines().find_map(|line| line.split_once("Collected : "));
    let (_, count) = line.with_context(|| format!("callgrind has not counted:\n{said}"))?;
    Ok(count.trim().parse()?)
}

/// The middle value.
pub(super) fn median<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    sorted.get(sorted.len() / 2).copied()
}

/// A transcript whose last answers say how full the context is.
fn transcript() -> String {
    let mut lines = String::new();
    for turn in 0..60 {
        let text = format!("turn {turn}: {}", "what was seen there ".repeat(30));
        let user = json!({
            "type": "user", "sessionId": SESSION, "uuid": format!("user-{turn}"),
            "message": {"role": "user", "content": text},
        });
        let answer = json!({
            "type": "assistant", "sessionId": SESSION, "uuid": format!("answer-{turn}"),
            "message": {
                "id": format!("msg_{turn}"), "role": "assistant", "model": "claude-sonnet-5",
                "content": [{"type": "text", "text": text}],
                "usage": {
                    "input_tokens": 12, "cache_creation_input_tokens": 800,
                    "cache_read_input_tokens": 20_000 + turn * 400, "output_tokens": 300,
                },
            },
        });
        lines.extend([user.to_string(), "\n".to_owned(), answer.to_string(), "\n".to_owned()]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_count_and_the_middle() {
        let said = "==7== Events    : Ir\n==7== Collected : 123456\n==7==\n";
        assert_eq!(collected(said).expect("a count"), 123_456);
        assert!(collected("vade: gave up").is_err());
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median::<u64>(&[]), None);
    }
}
