//! Homes and projects with the names that programs stumble over: every command works in them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use super::home::{Home, fed};
use super::{Extent, Given};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000034";

const NAMES: &[&[u8]] = &[
    b"two words",
    b" leading",
    b"it's",
    b"say \"hi\"",
    b"line\nbreak",
    b"tab\there",
    b"\xff\xfe no text",
    b"esc\x1b[31mred",
    b"bidi\xe2\x80\xaeback",
    b"$(touch PWNED)",
    b"`touch PWNED`",
    b"a;b&c|d",
    b"100%?#[x]",
    b"-rf",
    b"back\\slash",
    // The longest name that most file systems take is 255 bytes.
    &[b'l'; 200],
];

const COMMANDS: &[&[&str]] = &[
    &["note", "add", "word", "--tag", "finding"],
    &["note", "list"],
    &["notepad", "write", "page"],
    &["plan", "init", "a"],
    &["learning", "add", "word", "--plan", "a"],
    &["plan", "check"],
    &["context"],
    &["status"],
    &["hook", "claude-code", "SessionStart"],
];

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let mut n_runs = 0;
    for (n, name) in NAMES.iter().enumerate() {
        let what = || format!("the name {:?}", String::from_utf8_lossy(name));
        let name = OsStr::from_bytes(name);
        let plain = OsStr::new("plain");
        let pairs = match given.extent {
            Extent::Quick => vec![(name, name)],
            Extent::Full => vec![(name, plain), (plain, name)],
        };
        for (home, project) in pairs {
            n_runs += in_names(given, home, project, n).with_context(what)?;
        }
    }
    Ok(format!("{} names as home and project: {n_runs} commands, each with exit 0", NAMES.len()))
}

fn in_names(given: &Given, home_name: &OsStr, project: &OsStr, n: usize) -> Result<usize> {
    let home = Home::new(&given.vade)?;
    let (own, work) = (home.path("").join(home_name), home.path("work").join(project));
    fs::create_dir_all(&own)?;
    fs::create_dir_all(&work)?;
    for words in COMMANDS {
        let mut command = home.command(SESSION);
        command.env("HOME", &own).env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
        command.current_dir(&work).args(*words);
        let event = serde_json::json!({
            "session_id": SESSION, "cwd": work.to_string_lossy(),
            "hook_event_name": "SessionStart", "source": "startup",
        });
        let done = fed(&mut command, event.to_string().as_bytes())?;
        let said = String::from_utf8_lossy(&done.stderr);
        ensure!(done.status.success(), "{words:?} ended with {}: {said}", done.status);
        ensure!(words != &["note", "list"] || contains(&done.stdout, "word"), "no note is listed");
    }
    ensure!(own.join(".local/share/vademecum/vade.db").is_file(), "the store is not in home {n}");
    for place in [home.path(""), own, work] {
        ensure!(!is_pwned(&place), "a name was run as a command in {}", place.display());
    }
    Ok(COMMANDS.len())
}

fn contains(bytes: &[u8], word: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(word)
}

fn is_pwned(folder: &Path) -> bool {
    folder.join("PWNED").exists()
}
