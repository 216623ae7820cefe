//! Torture: many real processes on one store, killed, starved of disk, shut out; nothing may be lost.
//!
//! What was acknowledged is written down by the client; afterwards a fresh handle must find it.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};

use crate::step;

mod agent;
mod canary;
mod chance;
mod client;
mod counter;
mod entries;
mod faults;
mod figures;
mod held;
mod home;
mod kill;
mod ledger;
mod parallel;
mod repository;
mod swarm;

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What CI does, in minutes.
    Quick,
    /// What a release claims.
    Full,
}

/// What a scenario is given.
struct Given {
    vade: PathBuf,
    extent: Extent,
    seed: u64,
    /// Whether the seed was asked for, and no other is meant.
    alone: bool,
}

/// One way to hurt a store.
struct Scenario {
    name: &'static str,
    /// Does it and says the figures; an error is a broken promise.
    run: fn(&Given) -> Result<String>,
}

const SCENARIOS: &[Scenario] = &[
    Scenario { name: "swarm", run: swarm::run },
    Scenario { name: "counter", run: counter::run },
    Scenario { name: "parallel", run: parallel::run },
    Scenario { name: "entries", run: entries::run },
    Scenario { name: "kill", run: kill::run },
    Scenario { name: "agent", run: agent::run },
    Scenario { name: "canary", run: canary::run },
    Scenario { name: "disk-full", run: faults::disk_full },
    Scenario { name: "read-only", run: faults::read_only },
    Scenario { name: "corrupt", run: faults::corrupt },
    Scenario { name: "locked", run: faults::locked },
    Scenario { name: "held", run: held::run },
    Scenario { name: "repository", run: repository::run },
];

/// Runs the scenarios named, or all: `[--full] [--seed N] [--vade PATH] [SCENARIO…]`.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut vade, mut extent, mut seed) = (None, Extent::Quick, None);
    let mut names = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--full" => extent = Extent::Full,
            "--seed" => {
                seed = Some(words.next().context("--seed takes a number")?.parse()?);
            }
            "--vade" => vade = Some(PathBuf::from(words.next().context("--vade takes a path")?)),
            name => names.push(name),
        }
    }
    let chosen = choose(&names)?;
    let alone = seed.is_some();
    let seed = seed.unwrap_or_else(chance::from_clock);
    let given = Given { vade: vade.map_or_else(step::build_vade, Ok)?, extent, seed, alone };
    torture(&chosen, &given)
}

/// The quick set, as a stage of the tests.
pub(crate) fn stage() -> Result<()> {
    run(&[])
}

fn choose(names: &[&str]) -> Result<Vec<&'static Scenario>> {
    if let Some(name) =
        names.iter().find(|name| SCENARIOS.iter().all(|scenario| scenario.name != **name))
    {
        let all: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
        bail!("no scenario {name:?}: use {}", all.join(", "));
    }
    let is_chosen = |scenario: &&Scenario| names.is_empty() || names.contains(&scenario.name);
    Ok(SCENARIOS.iter().filter(is_chosen).collect())
}

fn torture(chosen: &[&Scenario], given: &Given) -> Result<()> {
    println!("torture of {}, --seed {}", given.vade.display(), given.seed);
    let mut n_failed = 0;
    for scenario in chosen {
        let begin = Instant::now();
        let (word, said) = match (scenario.run)(given) {
            Ok(figures) => ("ok", figures),
            Err(error) => {
                n_failed += 1;
                ("FAILED", format!("{error:#}"))
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        println!("  {word:<6} {:<10} {seconds:6.1} s  {said}", scenario.name);
    }
    ensure!(n_failed == 0, "{n_failed} of {} broken", chosen.len());
    Ok(())
}
