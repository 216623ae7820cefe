//! Killed at any call while it forgets: the next start or command leaves no byte of it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::home::{Home, Hooked};
use super::{Extent, Given};

const SESSION: &str = "f0a60000-5aa0-4000-8000-000000000001";
const OTHER: &str = "f0a60000-5aa0-4000-8000-000000000002";

const SECRET: &str = "planted-secret-0f6e";

/// What a forgetting process asks of the disk; it may die at each of them.
const CALLS: &str = "openat,pwrite64,write,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,close";

/// So many points of each way the quick set takes, spread over all of them.
const QUICK: usize = 8;

/// So often a start that gives up is followed by another one.
const TRIES: usize = 5;

/// One way to forget.
struct Way {
    name: &'static str,
    /// Whether everything of the session holds the secret, or the note alone.
    is_all: bool,
    /// The configuration.
    toml: &'static str,
    /// Whether the end of the session does it, and not a command.
    is_hook: bool,
}

const WAYS: &[Way] = &[
    Way { name: "session", is_all: true, toml: "", is_hook: false },
    Way { name: "note", is_all: false, toml: "", is_hook: false },
    Way { name: "project", is_all: true, toml: "", is_hook: false },
    Way { name: "prune", is_all: true, toml: "", is_hook: false },
    Way {
        name: "purge",
        is_all: true,
        toml: "[notepad]\non_session_end = \"purge\"\n",
        is_hook: true,
    },
];

/// Kills at every call, or at some of them.
pub(super) fn run(given: &Given) -> Result<String> {
    let mut said = Vec::new();
    for way in WAYS {
        let (n_points, n_unbegun) = kill_all(given, way)?;
        said.push(format!("{} {n_points} ({n_unbegun} not begun)", way.name));
    }
    Ok(format!("killed at {} points: 0 bytes after the next start or command", said.join(", ")))
}

/// Kills one way at its points; how many there were, and at how many nothing was begun yet.
fn kill_all(given: &Given, way: &Way) -> Result<(usize, usize)> {
    let home = Home::configured(&given.vade, way.toml)?;
    let words = planted(&home, way)?;
    let saved = home.path("saved");
    copy(&home.data(), &saved)?;
    let traced = Traced { given, home: &home, way, words: &words };
    let all = traced.points()?;
    let step = match given.extent {
        Extent::Quick => all.len().div_ceil(QUICK),
        Extent::Full => 1,
    };
    let mut n_unbegun = 0;
    let points: Vec<_> = all.into_iter().step_by(step).collect();
    for (n, (call, nth)) in points.iter().enumerate() {
        fs::remove_dir_all(home.data())?;
        copy(&saved, &home.data())?;
        traced.kill(call, *nth)?;
        let is_unbegun = ended(&home, n % 2 == 0, &words)
            .with_context(|| format!("{}, killed at {call} {nth}", way.name))?;
        n_unbegun += usize::from(is_unbegun);
    }
    Ok((points.len(), n_unbegun))
}

/// A session with everything that vade keeps of one; the words that forget it.
fn planted(home: &Home, way: &Way) -> Result<Vec<String>> {
    let start = |session: &str| home.hook(session, "SessionStart", &json!({"source": "startup"}));
    start(SESSION)?;
    let text = format!("the deploy key is {SECRET} and lies in the vault");
    let (note, _) = home.cli(SESSION, &["note", "add", &text, "--tag", "decision"])?;
    let id = note["id"].as_str().context("no id")?.to_owned();
    home.cli(SESSION, &["note", "add", "another one", "--tag", "todo"])?;
    if way.is_all {
        home.cli(SESSION, &["notepad", "write", &text])?;
        home.cli(SESSION, &["notepad", "write", "another page"])?;
        home.cli(SESSION, &["handoff", "write", &text])?;
    }
    let prefix = if way.is_all { "notepad" } else { id.as_str() };
    let drafts = home.data().join(format!("drafts/claude-code={SESSION}"));
    fs::create_dir_all(&drafts)?;
    fs::write(drafts.join(format!("{prefix}-1.md")), &text)?;
    if !way.is_hook {
        home.hook(SESSION, "SessionEnd", &json!({"reason": "other"}))?;
    }
    start(OTHER)?;
    home.cli(OTHER, &["handoff", "show", SESSION])?;
    if way.is_all {
        let key = json!({"harness": "claude-code", "external": SESSION, "agent": null});
        let place = json!({"model": SECRET, "cwd": null, "transcript": null, "host_pid": null});
        let told = json!({"key": key, "at": 1, "what": "of_a_later_version", "place": place});
        let line = json!({"at": 1, "fault": "busy", "told": told});
        fs::create_dir_all(home.data().join("spool"))?;
        fs::write(home.data().join("spool/0000000000000001-a.aside"), format!("{line}\n"))?;
    }
    ensure!(3 <= holding(&home.data())?.len(), "the secret was planted badly");
    let words: &[&str] = match way.name {
        "note" => &["forget", "note", &id, "--yes"],
        "project" => &["forget", "project", "--yes"],
        "prune" => &["prune", "--older", "0h"],
        _ => &["forget", "session", SESSION, "--yes"],
    };
    Ok(words.iter().map(|word| (*word).to_owned()).collect())
}

/// A run under strace.
struct Traced<'a> {
    given: &'a Given,
    home: &'a Home,
    way: &'a Way,
    words: &'a [String],
}

impl Traced<'_> {
    /// All calls of a whole run, as the name of each and its number among those of its name.
    fn points(&self) -> Result<Vec<(String, usize)>> {
        let log = self.home.path("trace");
        let trace = format!("trace={CALLS}");
        self.run(&["-e", &trace, "-o", log.to_str().context("an odd path")?])?;
        let text = fs::read_to_string(&log)?;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut points = Vec::new();
        for line in text.lines() {
            let call = line.split_once('(').map(|(head, _)| {
                head.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ')
            });
            if let Some(call) = call.filter(|call| CALLS.split(',').any(|known| known == *call)) {
                let count = counts.entry(call).or_default();
                *count += 1;
                points.push((call.to_owned(), *count));
            }
        }
        let left = holding(&self.home.data())?;
        ensure!(left.is_empty(), "{}: a whole run leaves it in {left:?}", self.way.name);
        ensure!(60 < points.len(), "only {} calls were traced", points.len());
        Ok(points)
    }

    fn kill(&self, call: &str, nth: usize) -> Result<()> {
        let inject = format!("inject={call}:signal=KILL:when={nth}");
        self.run(&["-e", &inject, "-o", "/dev/null"])
    }

    fn run(&self, options: &[&str]) -> Result<()> {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq"]).args(options).arg(&self.given.vade);
        let mut stdin = String::new();
        if self.way.is_hook {
            command.args(["hook", "claude-code", "SessionEnd"]);
            let payload = json!({"session_id": SESSION, "cwd": self.home.path("project"),
                "hook_event_name": "SessionEnd", "reason": "other"});
            stdin = payload.to_string();
            // Under strace everything takes many times as long.
            command.env("VADE_DEADLINE_MS", "20000");
        } else {
            command.args(self.words);
        }
        command
            .env("HOME", self.home.path(""))
            .env("XDG_DATA_HOME", self.home.path("data"))
            .env("XDG_CONFIG_HOME", self.home.path("config"))
            .env_remove("VADE_STORE")
            .env("CLAUDE_CODE_SESSION_ID", SESSION)
            .current_dir(self.home.path("project"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        // A process that is dead already reads nothing.
        drop(child.stdin.take().context("no stdin")?.write_all(stdin.as_bytes()));
        child.wait()?;
        Ok(())
    }
}

/// Lets a start or a command come next; then nothing is left, or nothing was begun: whether that is so.
fn ended(home: &Home, is_start: bool, words: &[String]) -> Result<bool> {
    if is_start {
        // On a machine that does much else a start may give up; the next one goes on.
        let start = || home.hook(OTHER, "SessionStart", &json!({"source": "resume"}));
        let gave_up = |start: &Hooked| start.said.contains("gave up");
        let mut tries = TRIES;
        while gave_up(&start()?) && 0 < tries {
            tries -= 1;
        }
    } else {
        home.cli(OTHER, &["status"])?;
    }
    let left = holding(&home.data())?;
    if left.is_empty() {
        return Ok(false);
    }
    let is_whole = left.iter().any(|file| file.contains("drafts"));
    ensure!(is_whole && home.known(SESSION).is_ok(), "begun and left in {left:?}");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (said, code): (Value, _) = home.cli(SESSION, &words)?;
    ensure!(code == Some(0), "a repeat ended with {code:?}: {said}");
    let left = holding(&home.data())?;
    ensure!(left.is_empty(), "a repeat leaves it in {left:?}");
    Ok(true)
}

/// Every file below `folder` that holds the secret.
fn holding(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(holding(&path)?);
        } else if String::from_utf8_lossy(&fs::read(&path)?).contains(SECRET) {
            found.push(path.display().to_string());
        }
    }
    Ok(found)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
