//! The clock is decades or millennia off: ids stay unique and rise, and nothing panics.

use anyhow::{Context as _, Result, ensure};

use super::Given;
use super::home::Home;
use super::ledger;
use super::shim;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000035";

/// How far the clock is off, in years, in the order in which notes are made.
const YEARS: &[i64] = &[0, -56, -20, -1, 0, 1, 10, 100, 5_000, 0, -56, 200, -10];

/// A year of the shim, in seconds.
const YEAR: i64 = 31_557_600;

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let shim = shim::build("clock")?;
    let home = Home::new(&given.vade)?;
    let (mut ids, mut lines) = (Vec::new(), Vec::new());
    for (n, years) in YEARS.iter().enumerate() {
        let shifted =
            home.with("LD_PRELOAD", &shim).with("CLOCK_SHIFT", (years * YEAR).to_string());
        let word = format!("note{n}");
        let (note, code) = shifted.cli(SESSION, &["note", "add", &word, "--tag", "finding"])?;
        ensure!(code == Some(0), "at {years} years a note is refused with {code:?}: {note}");
        let id = note["id"].as_str().context("no id")?;
        let ms = id.strip_prefix("note_").and_then(|ms| ms.parse::<i64>().ok()).context("an id")?;
        ids.push(ms);
        lines.push(format!("note {id} {word}"));
        let (listed, code) = shifted.cli(SESSION, &["note", "list", "--limit", "100"])?;
        ensure!(code == Some(0) && listed["total"] == n + 1, "at {years} years: {code:?} {listed}");
        shifted.start_again(SESSION)?;
    }
    ensure!(ids.is_sorted_by(|a, b| a < b), "ids do not rise: {ids:?}");
    // The shim works: else each would be near the one before.
    let century =
        ids.last().copied().unwrap_or_default() - ids.first().copied().unwrap_or_default();
    ensure!(100 * YEAR < century / 1_000, "the clock was not shifted: {ids:?}");
    let broken = ledger::broken(&lines, &ledger::find(&home, SESSION)?);
    ensure!(broken.is_empty(), "{}", broken.join("; "));
    home.check_sound()?;
    Ok(format!("{} clocks from −56 to +5,000 years: ids unique and rising, 0 lost", YEARS.len()))
}
