//! Torture: many real processes on one store, killed, starved of disk, shut out; nothing may be lost.
//!
//! What was acknowledged is written down by the client; afterwards a fresh handle must find it.

use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};

use crate::needs::{self, Program};
use crate::step;

mod agent;
mod bounds;
mod break_outs;
mod by_hand;
mod canary;
mod chance;
pub(crate) mod client;
mod clock;
mod closed;
mod connections;
mod counter;
mod cutter;
mod damage;
mod disk;
mod entries;
mod escapes;
mod faults;
mod figures;
mod forget;
mod forget_open;
mod full;
mod held;
pub(crate) mod home;
mod injected;
mod install_killed;
mod kill;
mod ledger;
mod log_damage;
mod million;
mod odd_names;
mod odd_sessions;
mod parallel;
mod power;
mod promotion;
mod repository;
mod restarts;
mod settings;
pub(crate) mod shim;
mod strace;
mod swarm;
mod teams;
mod template;
mod transcripts;
mod umask;

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

impl Given {
    /// The program as people run it: time and memory of a build for tests are no promise of anybody, and one that is
    /// copied or hashed takes minutes.
    fn optimised(&self) -> Result<PathBuf> {
        if !self.vade.parent().is_some_and(|folder| folder.ends_with("debug")) {
            return Ok(self.vade.canonicalize()?);
        }
        step::build_released_vade()
    }
}

/// How a scenario uses its time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// It works, and is run alone.
    Busy,
    /// It waits for most of its time, and does so beside the others.
    Waiting,
}

/// One way to hurt a store.
struct Scenario {
    name: &'static str,
    /// What the machine must have. A scenario that lacks something is skipped, but never in CI.
    needs: &'static [Program],
    /// Whether it takes a machine of its own.
    pace: Pace,
    /// Does it and says the figures; an error is a broken promise.
    run: fn(&Given) -> Result<String>,
}

/// One that needs nothing but what Rust needs.
const fn plain(name: &'static str, run: fn(&Given) -> Result<String>) -> Scenario {
    Scenario { name, needs: &[], pace: Pace::Busy, run }
}

/// One that makes calls fail, or watches them.
const fn traced(name: &'static str, run: fn(&Given) -> Result<String>) -> Scenario {
    Scenario { name, needs: &[strace::STRACE], pace: Pace::Busy, run }
}

const SCENARIOS: &[Scenario] = &[
    plain("swarm", swarm::run),
    plain("counter", counter::run),
    plain("parallel", parallel::run),
    plain("entries", entries::run),
    plain("kill", kill::run),
    plain("agent", agent::run),
    plain("canary", canary::run),
    plain("disk-full", faults::disk_full),
    plain("read-only", faults::read_only),
    plain("corrupt", faults::corrupt),
    plain("locked", faults::locked),
    plain("held", held::run),
    traced("power", power::run),
    traced("injected", injected::run),
    plain("damage", damage::run),
    plain("log-damage", log_damage::run),
    plain("by-hand", by_hand::run),
    plain("closed", closed::run),
    plain("full", full::run),
    Scenario { name: "forget-open", needs: &[], pace: Pace::Waiting, run: forget_open::run },
    plain("odd-names", odd_names::run),
    plain("clock", clock::run),
    plain("umask", umask::run),
    traced("connections", connections::run),
    plain("settings", settings::run),
    plain("break-outs", break_outs::run),
    plain("odd-sessions", odd_sessions::run),
    plain("escapes", escapes::run),
    plain("transcripts", transcripts::run),
    traced("install-killed", install_killed::run),
    plain("million", million::run),
    traced("forget", forget::run),
    plain("bounds", bounds::run),
    plain("restarts", restarts::run),
    plain("promotion", promotion::run),
    plain("repository", repository::run),
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
    for scenario in chosen.iter().filter(|_| needs::is_ci()) {
        scenario.needs.iter().try_for_each(Program::provide)?;
    }
    let of = |pace| chosen.iter().filter(move |scenario| scenario.pace == pace);
    let n_failed = thread::scope(|scope| {
        let waiting = of(Pace::Waiting).map(|scenario| scope.spawn(|| shown(scenario, given)));
        let waiting: Vec<_> = waiting.collect();
        let n_failed = of(Pace::Busy).filter(|scenario| !shown(scenario, given)).count();
        let ended = waiting.into_iter().map(|one| one.join().expect("a scenario gives errors"));
        n_failed + ended.filter(|is_ok| !is_ok).count()
    });
    ensure!(n_failed == 0, "{n_failed} of {} broken", chosen.len());
    Ok(())
}

/// Runs one and prints its line; whether it held.
fn shown(scenario: &Scenario, given: &Given) -> bool {
    let begin = Instant::now();
    let result = run_or_skip(scenario, given);
    let is_ok = result.is_ok();
    let (word, said) = match result {
        Ok(figures) => ("ok", figures),
        Err(error) => ("FAILED", format!("{error:#}")),
    };
    let seconds = begin.elapsed().as_secs_f64();
    println!("  {word:<6} {:<14} {seconds:6.1} s  {said}", scenario.name);
    is_ok
}

fn run_or_skip(scenario: &Scenario, given: &Given) -> Result<String> {
    match scenario.needs.iter().find(|program| !program.is_here()) {
        Some(program) => Ok(format!("skipped: {}; CI runs it", program.lack())),
        None => (scenario.run)(given),
    }
}
