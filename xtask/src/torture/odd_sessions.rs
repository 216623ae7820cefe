//! Odd ids of sessions in hooks, with the store free and with the spool in between: all are taken in, none leads out.

use std::fs::{self, File};

use anyhow::{Result, ensure};
use serde_json::json;

use super::Given;
use super::home::{Home, fed};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000040";

/// Starts until everything that waits must be taken in.
const STARTS: usize = 20;

fn ids() -> Vec<String> {
    let fixed = [
        "../x",
        "../../../../etc/x",
        "a\0b",
        "a\nb",
        "a\r\nb",
        "",
        " ",
        "/",
        "..",
        ".",
        "a/b",
        "a\\b",
        "é",
        "\u{202e}x",
        "%00",
        "-rf",
        "'\"`$(x)",
        "claude-code:abc",
        "\u{1b}[31m",
    ];
    let mut ids: Vec<String> = fixed.iter().map(|id| (*id).to_owned()).collect();
    ids.push("x".repeat(5_000));
    ids
}

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    let before = outside(&home)?;
    let mut n_hooks = events(&home)?;
    let lock = File::open(home.data().join("vade.lock"))?;
    lock.lock()?;
    n_hooks += events(&home)?;
    // The canary: something waits now.
    ensure!(!is_drained(&home)?, "nothing was spooled while the lock was held");
    drop(lock);
    for n in 0.. {
        ensure!(n < STARTS, "after {STARTS} starts something still waits in the spool");
        home.start_again(SESSION)?;
        if is_drained(&home)? {
            break;
        }
    }
    ensure!(outside(&home)? == before, "files were made outside the data folder");
    home.check_sound()?;
    Ok(format!(
        "{} odd ids in {n_hooks} hooks, half of them spooled: exit 0, all taken in",
        ids().len()
    ))
}

fn events(home: &Home) -> Result<usize> {
    let mut n_hooks = 0;
    for id in ids() {
        for (event, source) in [("SessionStart", "compact"), ("SessionEnd", "exit")] {
            let event_of = json!({
                "session_id": id, "cwd": home.path("project"), "hook_event_name": event,
                "source": source, "reason": source, "agent_type": id, "model": id,
            });
            let mut command = home.command(SESSION);
            command.args(["hook", "claude-code", event]);
            let done = fed(&mut command, event_of.to_string().as_bytes())?;
            let said = String::from_utf8_lossy(&done.stderr);
            ensure!(
                done.status.code() == Some(0),
                "{event} of {id:?} ended with {}: {said}",
                done.status
            );
            ensure!(!said.contains("panicked"), "{event} of {id:?}: {said}");
            let said = String::from_utf8_lossy(&done.stdout);
            let is_raw = said.contains('\u{202e}') || said.contains('\u{1b}');
            ensure!(!is_raw, "{event} of {id:?} shows it as it is: {said}");
            n_hooks += 1;
        }
    }
    Ok(n_hooks)
}

fn is_drained(home: &Home) -> Result<bool> {
    let looked = home.output(SESSION, &["--json", "doctor"])?;
    let report: serde_json::Value = serde_json::from_slice(&looked.stdout)?;
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let spool = findings.iter().find(|finding| finding["about"] == "spool");
    Ok(spool.is_some_and(|finding| finding["level"] == "ok"))
}

/// What lies in the home beside the data.
fn outside(home: &Home) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in ["", "project", "data"] {
        for entry in fs::read_dir(home.path(folder))? {
            found.push(entry?.path().display().to_string());
        }
    }
    found.sort();
    Ok(found)
}
