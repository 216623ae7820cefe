//! The proof that these runs can fail: writes that are taken for kept too early are found lost.

use anyhow::{Result, ensure};

use super::Given;
use super::chance::Chance;
use super::home::Home;
use super::kill::{Trust, round};

/// So many rounds at most; one in two loses a write.
const ROUNDS: usize = 12;

/// Runs rounds of the kill scenario until one is red.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::configured(&given.vade, "[scratchpad]\nmaxTokens = 100000\n")?;
    let mut chance = Chance::of(given.seed);
    for n in 0..ROUNDS {
        let round = round(&home, n, &mut chance, Trust::Asking)?;
        if let Some(line) = round.broken.first() {
            let after = n + 1;
            return Ok(format!(
                "acknowledging before the commit is red after {after} rounds: {line}"
            ));
        }
    }
    ensure!(false, "{ROUNDS} rounds that trust too early lost nothing: the kill figure is void");
    Ok(String::new())
}
