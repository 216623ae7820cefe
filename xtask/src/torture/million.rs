//! A store of a million notes answers as a small one does.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::home::Home;
use super::{Extent, Given};
use crate::step;

/// The session that the program of the benchmarks fills.
const SESSION: &str = "752d8ae4-4629-4e13-a049-8589267cae64";

const N_NOTES: usize = 1_000_011;

/// What any of the quick commands may take; the adversary measured 5 to 10 ms.
const LIMIT: Duration = Duration::from_millis(250);

/// Runs it, where a release is claimed: the store alone takes minutes.
pub(super) fn run(given: &Given) -> Result<String> {
    if given.extent == Extent::Quick {
        return Ok("skipped: with --full alone, the store takes minutes".to_owned());
    }
    let maker = step::build_released_vade()?.with_file_name("bench-stores");
    let home = Home::new(&given.vade)?;
    fs::create_dir_all(home.data())?;
    let n_notes = N_NOTES.to_string();
    let database = home.data().join("vade.db");
    step::run(step::command(&maker).arg(&database).args([SESSION, &n_notes, "1000", "0"]))?;
    step::run(step::command(&maker).arg(&database).arg(home.path("project")))?;

    let commands: [&[&str]; 4] = [
        &["note", "list"],
        &["note", "search", "word"],
        &["note", "add", "one more", "--tag", "finding"],
        &["context"],
    ];
    let mut said = Vec::new();
    for words in commands {
        let begin = Instant::now();
        let done = home.output(SESSION, words)?;
        let took = begin.elapsed();
        ensure!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        ensure!(took <= LIMIT, "{words:?} took {took:?}");
        said.push(format!("{} {} ms", words.join(" "), took.as_millis()));
    }
    let start = home.hook(SESSION, "SessionStart", &json!({"source": "resume"}))?;
    ensure!(!start.context.is_empty() && start.said.is_empty(), "the hook says {:?}", start.said);
    let begin = Instant::now();
    ensure!(home.output(SESSION, &["doctor"])?.status.success(), "doctor finds something bad");
    said.push(format!(
        "hook {} ms, doctor {} ms",
        start.took.as_millis(),
        begin.elapsed().as_millis()
    ));
    home.check_sound()?;
    Ok(format!("{N_NOTES} notes: {}", said.join(", ")))
}
