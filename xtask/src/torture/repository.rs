//! Hostile repositories: whatever lies in a work tree, nothing outside is written, read into anything or waited for.
//!
//! A seed determines one repository and what meets it. What is outside is known by its marks and by a snapshot.

mod before;
mod child;
mod commands;
mod events;
mod hazard;
mod looked;
mod marks;
mod places;
mod round;
mod scene;
mod server;
mod snapshot;
mod swap;
mod talk;

use std::env;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use self::child::MEMORY;
use self::round::{Item, Play, Promise, Violation, play};
use super::chance::Chance;
use super::{Extent, Given};

/// How long fresh seeds are played where nobody waits for more.
const QUICK: Duration = Duration::from_mins(1);

/// How many seeds a release claims.
const FULL: u64 = 2_000;

/// After so many seeds that broke a promise it is clear that something must be mended.
const REPORTED: usize = 12;

/// So many at once: one waits for files while the other one computes.
const WORKERS: usize = 2;

/// What all seeds came to.
#[derive(Default)]
struct Figures {
    n_seeds: u64,
    n_commands: usize,
    n_done: usize,
    longest: Duration,
    memory: u64,
    /// How many things took too long once and not again.
    n_slow: usize,
    broken: Vec<String>,
    n_skipped: u64,
}

impl Figures {
    /// Counts a seed that could not be made; whether so few were that the others still show something.
    fn may_skip(&mut self) -> bool {
        self.n_skipped += 1;
        self.n_skipped <= 3 + self.n_seeds / 50
    }
}

/// Plays seeds on the whole machine; each promise that was broken is told with its place and command.
pub(super) fn run(given: &Given) -> Result<String> {
    // What we start is counted with what we have: after other scenarios that is too much.
    if MEMORY / 2 <= child::floor()? {
        return apart(given);
    }
    let vade = given.optimised()?;
    let n_leaves = commands::check_complete(&vade)?;
    let events = events::all(&vade)?;
    let size = vade.metadata()?.len();
    let quick = Play { vade: &vade, size, events: &events, only: None, is_careful: false };
    let (n_seeds, until) = match (given.alone, given.extent) {
        (true, Extent::Quick) => (1, None),
        (false, Extent::Quick) => (u64::MAX, Some(Instant::now() + QUICK)),
        (_, Extent::Full) => (FULL, None),
    };
    let line = Line { seed: given.seed, n_seeds, until, next: AtomicU64::new(0) };
    let all = Mutex::new(Figures::default());
    thread::scope(|scope| -> Result<()> {
        let work = || work(&quick, &line, &all);
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|one| one.join().expect("a worker does not panic"))
    })?;
    let figures = all.into_inner().expect("a worker does not panic");
    let said = figures.say(n_leaves);
    ensure!(figures.broken.is_empty(), "{said}\n{}", figures.broken.join("\n"));
    Ok(said)
}

/// Runs this scenario in a process of its own.
fn apart(given: &Given) -> Result<String> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["torture", "repository", "--vade"]).arg(given.vade.canonicalize()?);
    if given.alone {
        command.args(["--seed", &given.seed.to_string()]);
    }
    if given.extent == Extent::Full {
        command.arg("--full");
    }
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    ensure!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(format!("in a process of its own\n{said}"))
}

/// The seeds that wait to be played.
struct Line {
    seed: u64,
    n_seeds: u64,
    until: Option<Instant>,
    next: AtomicU64,
}

impl Line {
    /// The next one, while there is number and time.
    fn next(&self) -> Option<u64> {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let is_in_time = self.until.is_none_or(|until| Instant::now() < until);
        (n < self.n_seeds && is_in_time).then(|| self.seed.wrapping_add(n))
    }
}

/// Plays one seed after the other.
fn work(quick: &Play<'_>, line: &Line, all: &Mutex<Figures>) -> Result<()> {
    while let Some(seed) = line.next() {
        let one = match one(*quick, seed) {
            Ok(one) => one,
            // Two hazards that cannot stand together are no promise that was broken.
            Err(error) if all.lock().expect("a worker does not panic").may_skip() => {
                println!("  seed {seed} was not played: {error:#}");
                continue;
            }
            Err(error) => return Err(error.context(format!("seed {seed}"))),
        };
        let mut all = all.lock().expect("a worker does not panic");
        all.add(one);
        if REPORTED <= all.broken.len() {
            break;
        }
    }
    Ok(())
}

/// Plays a seed, and if something breaks finds out by what.
fn one(quick: Play<'_>, seed: u64) -> Result<Figures> {
    let played = play(&quick, seed)?;
    let mut figures = Figures {
        n_seeds: 1,
        n_commands: played.n_commands,
        n_done: played.n_done,
        longest: played.longest,
        memory: played.memory,
        ..Figures::default()
    };
    if played.violations.is_empty() {
        return Ok(figures);
    }
    let again = play(&Play { is_careful: true, ..quick }, seed)?;
    let is_slow = |violation: &Violation| violation.promise == Promise::InTime;
    if played.violations.iter().all(is_slow) && again.violations.is_empty() {
        figures.n_slow = played.violations.len();
        return Ok(figures);
    }
    let mut lines = Vec::new();
    for (at, item) in played.items.iter().enumerate() {
        let alone = play(&Play { is_careful: true, only: Some(at), ..quick }, seed)?;
        lines.extend(worst(&alone.violations).map(|it| line(seed, &[*item], it)));
    }
    if lines.is_empty() {
        let found = if again.violations.is_empty() { &played } else { &again };
        lines.extend(worst(&found.violations).map(|it| line(seed, &played.items, it)));
    }
    lines.push(format!("    again: cargo xtask torture repository --seed {seed}"));
    figures.broken.push(lines.join("\n"));
    Ok(figures)
}

/// The first of each promise that was broken: one fault breaks many commands after it.
fn worst(violations: &[Violation]) -> impl Iterator<Item = &Violation> {
    let mut worst: Vec<&Violation> = violations.iter().collect();
    worst.sort_by_key(|violation| violation.promise);
    worst.dedup_by_key(|violation| violation.promise);
    worst.into_iter()
}

fn line(seed: u64, items: &[Item], violation: &Violation) -> String {
    let command: Vec<_> = violation.command.iter().map(|word| word.to_string_lossy()).collect();
    let command = if command.is_empty() { "some command".to_owned() } else { command.join(" ") };
    let items: Vec<String> = items.iter().map(Item::say).collect();
    let what: String = violation.what.chars().take(300).collect();
    format!("  seed {seed}: {}: {command:?}: {what}", items.join(", "))
}

impl Item {
    fn say(&self) -> String {
        match self {
            Self::In(place, hazard) => format!("{:?} {} is {hazard:?}", place.base, place.path),
            Self::Drafts => "links wait where drafts are named by the process".to_owned(),
        }
    }
}

impl Figures {
    fn add(&mut self, one: Self) {
        self.n_seeds += one.n_seeds;
        self.n_commands += one.n_commands;
        self.n_done += one.n_done;
        self.longest = self.longest.max(one.longest);
        self.memory = self.memory.max(one.memory);
        self.n_slow += one.n_slow;
        self.broken.extend(one.broken);
    }

    fn say(&self, n_leaves: usize) -> String {
        format!(
            "{} seeds, {} calls of {n_leaves} commands, all hooks and tools ({} done, the others refused), \
             longest {} ms, largest {} MiB, {} slow once, {} seeds broke a promise",
            self.n_seeds,
            self.n_commands,
            self.n_done,
            self.longest.as_millis(),
            self.memory >> 20,
            self.n_slow,
            self.broken.len()
        )
    }
}

/// One of these.
fn pick<'a, T>(chance: &mut Chance, all: &'a [T]) -> &'a T {
    let at = usize::try_from(chance.below(all.len() as u64)).unwrap_or(0);
    &all[at]
}

fn shuffle<T>(chance: &mut Chance, all: &mut [T]) {
    for at in (1..all.len()).rev() {
        let other = usize::try_from(chance.below(at as u64 + 1)).unwrap_or(0);
        all.swap(at, other);
    }
}
