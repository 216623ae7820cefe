//! Under umask 000 nobody else can read what is kept, and `doctor` finds modes that are too wide.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::json;

use super::Given;
use super::home::{Home, fed};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000036";

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let commands: [&[&str]; 6] = [
        &["note", "add", "word", "--tag", "finding"],
        &["notepad", "write", "page"],
        &["handoff", "write", "words"],
        &["learning", "add", "word"],
        &["hook", "claude-code", "SessionStart"],
        &["handoff", "show"],
    ];
    for words in commands {
        let mut command = Command::new("sh");
        let vade = home.command(SESSION);
        command.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(vade.get_program()).args(words);
        command.env_clear().current_dir(home.path("project"));
        command.envs(vade.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let event = json!({
            "session_id": SESSION, "cwd": home.path("project"),
            "hook_event_name": "SessionStart", "source": "resume",
        });
        fed(&mut command, event.to_string().as_bytes())?;
    }
    let mut n_files = 0;
    let wide = wide(&home.data(), &mut n_files)?;
    ensure!(3 < n_files, "only {n_files} files were made");
    ensure!(wide.is_empty(), "others may use {}", wide.join(", "));

    // The canary, and what `doctor` says of it.
    fs::set_permissions(home.data().join("vade.db"), Permissions::from_mode(0o644))?;
    ensure!(self::wide(&home.data(), &mut 0)?.len() == 1, "a wide mode is not seen here");
    let looked = home.output(SESSION, &["doctor"])?;
    let said = String::from_utf8_lossy(&looked.stdout);
    ensure!(said.contains("chmod") || !looked.status.success(), "doctor sees no wide mode: {said}");
    Ok(format!("{n_files} files and folders: 0 that others may use; a wide one is found"))
}

/// What in `folder` anybody but its owner may use.
fn wide(folder: &Path, n_files: &mut usize) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut look = |path: &Path| -> Result<()> {
        *n_files += 1;
        if fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
            found.push(path.display().to_string());
        }
        Ok(())
    };
    look(folder)?;
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { folders.push(path) } else { look(&path)? }
    }
    for folder in folders {
        found.extend(wide(&folder, n_files)?);
    }
    Ok(found)
}
