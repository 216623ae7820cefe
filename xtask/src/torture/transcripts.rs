//! Transcripts that are none: hooks end in time with the page, and show nothing of what they were led to.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::Given;
use super::chance::Chance;
use super::home::{Home, Hooked, limit_of};
use super::template::PAGE;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000043";

/// How deep, how many: what makes a parser that recurses or allocates fall.
const MANY: usize = 1_000_000;

/// How often a hook that gave up is run again.
const TRIES: usize = 3;

const HOOKS: &[(&str, &str)] = &[
    ("SessionStart", "compact"),
    ("UserPromptSubmit", ""),
    ("PreCompact", "auto"),
    ("SessionStart", "resume"),
];

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    ensure!(home.cli(SESSION, &["notepad", "write", PAGE])?.1 == Some(0), "no page");
    let secret = home.path("secret");
    fs::write(&secret, "root:canary-5f1c0e9d:19000:0:99999:7:::\n".repeat(3))?;
    let folder = home.path("transcripts");
    fs::create_dir_all(&folder)?;
    let mut chance = Chance::of(given.seed);
    let paths = files(&folder, &secret, &mut chance)?;
    let (mut n_hooks, mut slowest, mut broken) = (0, Duration::ZERO, Vec::new());
    for path in &paths {
        for (event, word) in HOOKS {
            let more = json!({"transcript_path": path, "source": word, "trigger": word, "prompt": "go on"});
            let hooked = hooked(&home, event, &more)?;
            n_hooks += 1;
            slowest = slowest.max(hooked.took);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if limit_of(event) < hooked.took {
                broken.push(format!("{event} with {name} took {:?}", hooked.took));
            }
            if hooked.context.contains("root:") || hooked.said.contains("root:") {
                broken.push(format!("{event} with {name} shows what it was led to"));
            }
            if *event == "SessionStart" && !hooked.context.contains("wait for the ferry") {
                broken.push(format!(
                    "{event} {word} with {name} has no page: {}",
                    hooked.said.trim()
                ));
            }
        }
    }
    ensure!(broken.is_empty(), "{} of {n_hooks}: {}", broken.len(), broken.join("; "));
    Ok(format!(
        "{} transcripts × {} hooks: exit 0 with the page, the slowest after {} ms, nothing shown",
        paths.len(),
        HOOKS.len(),
        slowest.as_millis()
    ))
}

/// On a busy machine a hook may give up; one that a transcript holds up gives up each time.
fn hooked(home: &Home, event: &str, more: &Value) -> Result<Hooked> {
    let mut hooked = home.hook(SESSION, event, more)?;
    for _ in 0..TRIES {
        if !hooked.said.contains("gave up") {
            break;
        }
        hooked = home.hook(SESSION, event, more)?;
    }
    Ok(hooked)
}

/// Every path that a harness is made to name.
fn files(folder: &Path, secret: &Path, chance: &mut Chance) -> Result<Vec<PathBuf>> {
    let mut paths = vec![folder.join("absent"), folder.to_owned()];
    for (name, bytes) in texts(chance) {
        let path = folder.join(name).with_extension("jsonl");
        fs::write(&path, bytes)?;
        paths.push(path);
    }
    let links = [
        ("shadow", Path::new("/etc/shadow")),
        ("zero", Path::new("/dev/zero")),
        ("kcore", Path::new("/proc/kcore")),
        ("environ", Path::new("/proc/self/environ")),
        ("secret", secret),
        ("itself", Path::new("itself.jsonl")),
    ];
    for (name, target) in links {
        let path = folder.join(name).with_extension("jsonl");
        symlink(target, &path)?;
        paths.push(path);
        if target.is_absolute() {
            paths.push(target.to_owned());
        }
    }
    let fifo = folder.join("fifo.jsonl");
    let made = Command::new("mkfifo").arg(&fifo).status().context("no mkfifo")?;
    ensure!(made.success(), "mkfifo ended with {made}");
    paths.push(fifo);
    Ok(paths)
}

/// Files that are too deep, too wide, or no text at all.
fn texts(chance: &mut Chance) -> [(&'static str, Vec<u8>); 11] {
    let user = |content: &str| {
        format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":{content}}}}}\n")
    };
    let node = |own: &str, parent: &str| {
        let turn = json!({"type": "user", "uuid": own, "parentUuid": parent,
            "message": {"role": "user", "content": own}});
        format!("{turn}\n")
    };
    let keys: Vec<String> = (0..MANY).map(|n| format!("\"k{n}\":1")).collect();
    let random: Vec<u8> = (0..MANY).map(|_| chance.below(256).to_le_bytes()[0]).collect();
    let lists = format!("{}{}", "[".repeat(MANY / 2), "]".repeat(MANY / 2));
    [
        ("deep-lists", "[".repeat(MANY).into_bytes()),
        ("deep-objects", "{\"a\":".repeat(MANY).into_bytes()),
        ("deep-content", user(&lists).into_bytes()),
        ("many-keys", format!("{{{}}}\n", keys.join(",")).into_bytes()),
        ("nul", vec![0; MANY]),
        ("nul-in-text", user("\"a\\u0000b\0c\"").into_bytes()),
        ("binary", random),
        ("circle", (node("a", "b") + &node("b", "a")).repeat(100).into_bytes()),
        ("empty", Vec::new()),
        ("no-line-end", user("\"x\"").trim_end().as_bytes().to_vec()),
        ("long-line", user(&format!("\"{}\"", "x".repeat(20 * MANY))).into_bytes()),
    ]
}
