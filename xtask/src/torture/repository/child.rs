//! One process of the program under limits: its time, its memory, and what it said.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use wait4::Wait4 as _;

/// What nothing may take longer than: a person calls it hanging.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// What no process may take more of; a server takes 12 MB after a swarm.
pub(super) const MEMORY: u64 = 64 << 20;

/// What one process may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) time: Duration,
    pub(super) memory: u64,
}

impl Limits {
    /// Those of the command that begins with `word`, of a program of so many bytes.
    pub(super) fn of(word: Option<&OsString>, program: u64) -> Self {
        let word = word.and_then(|word| word.to_str()).unwrap_or_default();
        Self {
            // The tour is a show of some twenty processes.
            time: if word == "tour" { 5 * PATIENCE } else { PATIENCE },
            // Who installs or takes back holds the whole program.
            memory: if matches!(word, "install" | "uninstall") { MEMORY + program } else { MEMORY },
        }
    }
}

/// What a process cannot go past whatever it reads, in kilobytes of address space: the machine goes on.
const RAIL: &str = "1048576";

/// So often it is looked whether a process has ended: a short command takes a few milliseconds.
const PAUSE: Duration = Duration::from_micros(500);

/// How a process ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) took: Duration,
    pub(super) memory: u64,
    /// The exit code; none if a signal ended it.
    pub(super) code: Option<i32>,
    /// Whether it was ended for its time.
    pub(super) hung: bool,
    pub(super) signal: Option<i32>,
}

/// Where a process writes what it says; files, so that nobody waits for a reader.
pub(super) struct Said {
    stdout: PathBuf,
    stderr: PathBuf,
}

/// What stands on the standard input of a process.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stdin<'a> {
    /// This, and then the end.
    Whole(&'a [u8]),
    /// This, and then nothing for as long as it runs.
    Open(&'a [u8]),
}

impl Said {
    pub(super) fn below(folder: &Path) -> Self {
        Self { stdout: folder.join("stdout"), stderr: folder.join("stderr") }
    }

    /// The start of each, at most a few megabytes: what is longer is a fault by its memory or time.
    pub(super) fn texts(&self) -> Result<[Vec<u8>; 2]> {
        let read = |path: &Path| -> Result<Vec<u8>> {
            let mut bytes = Vec::new();
            File::open(path)?.take(4 << 20).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        Ok([read(&self.stdout)?, read(&self.stderr)?])
    }

    /// What a server said beside its answers.
    pub(super) fn stderr_text(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(&self.stderr)?.take(4 << 20).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn stderr(&self) -> Result<Stdio> {
        Ok(File::create(&self.stderr)?.into())
    }
}

/// The program within limits of address space, in a group of its own.
pub(super) fn limited(vade: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\"; exec \"$@\"", RAIL]).arg(vade).process_group(0);
    command
}

/// Runs a command that [`limited`] made to its end, or to ours.
pub(super) fn run(
    mut command: Command,
    stdin: Stdin<'_>,
    said: &Said,
    patience: Duration,
) -> Result<End> {
    let stdout = File::create(&said.stdout)?;
    command.stdin(Stdio::piped()).stdout(stdout).stderr(said.stderr()?);
    let begin = Instant::now();
    let mut child = command.spawn().context("cannot start the program")?;
    let mut pipe = child.stdin.take().context("no stdin")?;
    let (Stdin::Whole(text) | Stdin::Open(text)) = stdin;
    // Who does not read its input is not asked to.
    drop(pipe.write_all(text));
    let open = match stdin {
        // A hook reads to the end of its input, and waits for it.
        Stdin::Whole(_) => {
            drop(pipe);
            None
        }
        Stdin::Open(_) => Some(pipe),
    };
    let end = wait(child, begin, patience);
    drop(open);
    end
}

/// Waits until it ends, and ends it with all that it started when that takes too long.
pub(super) fn wait(mut child: Child, begin: Instant, patience: Duration) -> Result<End> {
    let mut hung = false;
    let used = loop {
        if let Some(used) = child.try_wait4()? {
            break used;
        }
        if !hung && patience < begin.elapsed() {
            hung = true;
            kill(&child);
        }
        thread::sleep(PAUSE);
    };
    Ok(End {
        took: begin.elapsed(),
        memory: used.rusage.maxrss,
        code: used.status.code(),
        hung,
        signal: used.status.signal().filter(|_| !hung),
    })
}

fn kill(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // An error says that it has ended meanwhile.
    if let Some(group) = group {
        kill_process_group(group, Signal::KILL).ok();
    }
}

/// What any process that we start is counted with: the memory that we ourselves had then.
pub(super) fn floor() -> Result<u64> {
    let child = Command::new("true").stdin(Stdio::null()).spawn()?;
    Ok(child.wait4()?.rusage.maxrss)
}

/// Removes a folder whatever its modes are.
pub(super) fn remove(path: &Path) {
    drop(fs::remove_dir_all(path));
}
