//! Installing is killed at each of its writes: links stay, no JSON is torn, and uninstalling gives every byte back.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::chance::Chance;
use super::home::Home;
use super::strace;
use super::{Extent, Given};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000044";

/// The calls by which files change.
const CALLS: &str = "write,rename,unlink,fsync,mkdir";

/// So many points are enough for CI, others with each seed.
const QUICK: usize = 4;

const SETTINGS: &str =
    "{\r\n  \"model\":   \"opus\",\r\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]}\r\n}\r\n";
const SERVERS: &str = "{\"numStartups\": 3,\"projects\":{}}";

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let vade = given.optimised()?;
    let mut points = points(&vade)?;
    let n_all = points.len();
    let mut chance = Chance::of(given.seed);
    while given.extent == Extent::Quick && QUICK < points.len() {
        points.remove(usize::try_from(chance.below(u64::try_from(points.len())?))?);
    }
    for (call, n) in &points {
        killed(&vade, call, *n).with_context(|| format!("killed at {call} {n}"))?;
    }
    Ok(format!(
        "{} of {n_all} writes of install, kill -9 at each: link kept, JSON never torn, uninstall byte-identical",
        points.len()
    ))
}

/// A home with settings that are a link, as those who keep them in a repository have it.
fn home(vade: &Path) -> Result<Home> {
    let home = Home::new(vade)?;
    fs::create_dir_all(home.path("dotfiles"))?;
    fs::create_dir_all(home.path(".claude"))?;
    fs::write(home.path("dotfiles/settings.json"), SETTINGS)?;
    symlink("../dotfiles/settings.json", home.path(".claude/settings.json"))?;
    fs::write(home.path(".claude.json"), SERVERS)?;
    Ok(home)
}

fn install(home: &Home) -> std::process::Command {
    let mut command = home.command(SESSION);
    command.args(["install", "claude-code", "--yes"]);
    command
}

/// Each write of an install that nobody disturbs.
fn points(vade: &Path) -> Result<Vec<(String, usize)>> {
    let home = home(vade)?;
    let log = home.path("trace");
    let done = strace::log(&install(&home), CALLS, &log)?.output()?;
    ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let (ours, mut counts) = (home.path(""), std::collections::BTreeMap::new());
    let mut points = BTreeSet::new();
    for line in strace::lines(&log)? {
        let n = counts.entry((line.thread().to_owned(), line.call().to_owned())).or_insert(0);
        *n += 1;
        if line.is_in(&ours) {
            points.insert((line.call().to_owned(), *n));
        }
    }
    Ok(points.into_iter().collect())
}

fn killed(vade: &Path, call: &str, n: usize) -> Result<()> {
    let home = home(vade)?;
    let ended = strace::kill(&install(&home), call, n)?.output()?.status;
    // The canary: a run that was not killed would prove nothing.
    ensure!(!ended.success(), "it was not killed");
    whole(&home)?;
    let again = install(&home).output()?;
    ensure!(again.status.success(), "again: {}", String::from_utf8_lossy(&again.stderr));
    whole(&home)?;
    let gone = home.output(SESSION, &["uninstall", "claude-code", "--yes"])?;
    ensure!(gone.status.success(), "uninstall: {}", String::from_utf8_lossy(&gone.stderr));
    whole(&home)?;
    let now = fs::read_to_string(home.path("dotfiles/settings.json"))?;
    ensure!(now == SETTINGS, "the settings are not as they were: {now:?}");
    let now = fs::read_to_string(home.path(".claude.json"))?;
    ensure!(now == SERVERS, "the servers are not as they were: {now:?}");
    Ok(())
}

/// Both files are JSON, and the link is a link.
fn whole(home: &Home) -> Result<()> {
    let link = home.path(".claude/settings.json");
    let target = fs::read_link(&link).context("the link is gone")?;
    ensure!(target == Path::new("../dotfiles/settings.json"), "it leads to {}", target.display());
    for path in [link, home.path(".claude.json")] {
        let text = fs::read_to_string(&path)?;
        let json: Result<Value, _> = serde_json::from_str(&text);
        ensure!(json.is_ok(), "{} is torn: {text:?}", path.display());
    }
    Ok(())
}
