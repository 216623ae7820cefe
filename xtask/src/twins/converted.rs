//! A store that an older program of 1.x wrote gives the same answers once it was brought over.
//!
//! A sequence is played on the older program alone. Then each is asked for all that is kept: the older one on its store, this
//! one on the new store.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use vademecum_core::session::SessionKey;

use super::plain::Plain;
use super::plot::{FOLDERS, Plot};
use super::side::Side;
use super::step::{Asked, Caller, Deed, Step};
use super::{END, Found, STEPS, at_end, beginnings};

/// What each session is asked, the last of it after an undoing.
const ASKED: [(&str, &str); 6] = [
    ("notepad_history", "{}"),
    ("list_notes", r#"{"limit":0,"include_scratched":true}"#),
    ("search_notes", r#"{"query":"begins"}"#),
    ("read_notepad", "{}"),
    ("restore_notepad", r#"{"rev":1}"#),
    ("notepad_history", "{}"),
];

/// Plays a sequence, twice as long as where both programs play it, and compares what is kept.
pub(super) fn play(
    number: u64,
    [old, new]: [&Path; 2],
    shim: &Path,
    found: &mut Found,
) -> Result<()> {
    let mut side = Side::new(old, shim)?;
    let plain = Plain::new(side.root());
    let mut plot = Plot::new(number);
    let beginnings = beginnings(&plot);
    for at in 0..beginnings.len() + 2 * STEPS {
        let step = beginnings.get(at).cloned().unwrap_or_else(|| plot.next());
        let answer = side.does(&step)?;
        plot.hears(&step, &answer);
    }
    side.ends();
    let store = |data: &str| side.root().join(data).join("vademecum/vade.db");
    convert(&store("data"), &store("data2")).with_context(|| format!("sequence {number}"))?;
    let sessions = side.does(&at_end(sessions_at()?))?;
    for (at, step) in asked(&sessions)?.iter().enumerate() {
        let mut ask = |vade: &Path, data| -> Result<String> {
            side.becomes(vade, data);
            let answer = side.does(step)?;
            side.ends();
            Ok(plain.of(step, &answer).replace("ROOT/data2", "ROOT/data"))
        };
        let (before, after) = (ask(old, "data")?, ask(new, "data2")?);
        found.takes(number, at, step, [&before, &after]);
    }
    Ok(())
}

/// Runs this program's own task.
fn convert(from: &Path, to: &Path) -> Result<()> {
    let output = Command::new(std::env::current_exe()?).arg("convert").args([from, to]).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the store was not brought over: {said}");
    Ok(())
}

/// Where the list of sessions stands among what is asked at the end.
fn sessions_at() -> Result<usize> {
    END.iter().position(|name| *name == "list_sessions").context("sessions are listed at the end")
}

/// What is asked of both: all that is kept in each folder, then each session.
fn asked(sessions: &Value) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = (0..END.len() * FOLDERS.len()).map(at_end).collect();
    let sessions = sessions["object"]["sessions"].as_array().context("a list of sessions")?;
    // A desk has another name since.
    let is_desk = |name: &str| name.starts_with(&format!("{}:", SessionKey::DESK));
    let all = sessions.iter().filter_map(|session| session["name"].as_str());
    for name in all.filter(|name| !is_desk(name)) {
        for (operation, arguments) in ASKED {
            let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
            let (caller, named, write_id) = (Caller::Person, Some(name.to_owned()), None);
            let deed = Deed::Call(Asked { caller, named, operation, arguments, write_id });
            steps.push(Step { folder: FOLDERS[0], deed, fault: None });
        }
    }
    Ok(steps)
}
