//! Random sequences of calls and hooks give the same answers from this program as from an older one.
//!
//! The sequences are those that the tests of the operations play on both engines. Here each step goes through the real
//! surfaces: MCP for a model, the command line for a person, hooks for a harness. Both programs have folders of their own
//! and a clock that is set, so that what differs is what they do, and what they drew by chance.

#[path = "../../crates/vademecum-ops/tests/it/twins/about_notes.rs"]
mod about_notes;
#[path = "../../crates/vademecum-ops/tests/it/twins/about_plans.rs"]
mod about_plans;
#[path = "../../crates/vademecum-ops/tests/it/chance.rs"]
mod chance;
mod converted;
#[path = "../../crates/vademecum-ops/tests/it/twins/keeping.rs"]
mod keeping;
#[path = "../../crates/vademecum-ops/tests/it/twins/moments.rs"]
mod moments;
mod plain;
#[path = "../../crates/vademecum-ops/tests/it/twins/plot.rs"]
mod plot;
mod side;
#[path = "../../crates/vademecum-ops/tests/it/twins/step.rs"]
mod step;
#[path = "../../crates/vademecum-ops/tests/it/twins/words.rs"]
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use self::plain::Plain;
use self::plot::{FOLDERS, Plot};
use self::side::Side;
use self::step::{Asked, Caller, Deed, Step};
use crate::torture::shim;

/// So many steps has a sequence: each costs four processes.
const STEPS: usize = 30;

/// So many bytes are shown before and behind the place where two answers differ.
const AROUND: usize = 250;

/// `--against PATH [--vade PATH] [--from N] [--count N] [--converted]`: each difference once for each operation.
///
/// With `--converted` the sequences are played on the older program alone, and its store is brought over.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut against, mut vade, mut from, mut count) = (None, None, 0, 100);
    let (arguments, converted): (Vec<_>, Vec<_>) =
        arguments.iter().partition(|word| *word != "--converted");
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} takes a value"))?;
        match word.as_str() {
            "--against" => against = Some(PathBuf::from(value)),
            "--vade" => vade = Some(PathBuf::from(value)),
            "--from" => from = value.parse()?,
            "--count" => count = value.parse()?,
            _ => anyhow::bail!(
                "no option {word}: use --against, --vade, --from, --count or --converted"
            ),
        }
    }
    let against = against.context("--against PATH says which older program")?;
    let vade = vade.map_or_else(crate::step::build_vade, Ok)?;
    let shim = shim::build("clock")?;
    let begin = Instant::now();
    let mut found = Found::default();
    for number in from..from + count {
        let play = if converted.is_empty() { play } else { converted::play };
        play(number, [&against, &vade], &shim, &mut found)?;
    }
    println!(
        "{count} sequences, {} steps, {} of them differ, in {:.0} s",
        found.n_steps,
        found.n_differ,
        begin.elapsed().as_secs_f64()
    );
    for (what, n) in &found.by_operation {
        println!("  {what}: {n}");
    }
    ensure!(found.n_differ == 0, "{} steps differ", found.n_differ);
    Ok(())
}

/// What was found in all sequences.
#[derive(Debug, Default)]
struct Found {
    n_steps: u64,
    n_differ: u64,
    /// How many steps of an operation differ.
    by_operation: BTreeMap<String, u64>,
}

impl Found {
    /// Counts a step, and prints the first two differences of an operation.
    fn takes(&mut self, number: u64, at: usize, step: &Step, [old, new]: [&str; 2]) {
        self.n_steps += 1;
        if old == new {
            return;
        }
        self.n_differ += 1;
        let n = self.by_operation.entry(name(step)).or_default();
        *n += 1;
        if *n <= 2 {
            let [old, new] = parted(old, new);
            println!("sequence {number}, step {at}: {step:?}\n  old {old}\n  new {new}");
        }
    }
}

/// What stands around the first letter in which two texts differ.
fn parted<'a>(one: &'a str, other: &'a str) -> [&'a str; 2] {
    let at = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    [one, other].map(|text| {
        let (from, to) = (at.saturating_sub(AROUND), (at + AROUND).min(text.len()));
        &text[text.floor_char_boundary(from)..text.floor_char_boundary(to)]
    })
}

fn name(step: &Step) -> String {
    match &step.deed {
        Deed::Call(asked) => asked.operation.to_owned(),
        Deed::Hook(happened) => happened.name.to_owned(),
        other => format!("{other:?}"),
    }
}

/// Plays a sequence on both; it ends with all that is kept, and where the two have parted.
fn play(number: u64, programs: [&Path; 2], shim: &Path, found: &mut Found) -> Result<()> {
    let [old, new] = programs;
    let mut sides = [Side::new(old, shim)?, Side::new(new, shim)?];
    let plains = [Plain::new(sides[0].root()), Plain::new(sides[1].root())];
    let mut plot = Plot::new(number);
    let beginnings = beginnings(&plot);
    let n_steps = beginnings.len() + STEPS;
    for at in 0..n_steps + END.len() * FOLDERS.len() {
        let step = match beginnings.get(at) {
            Some(step) => step.clone(),
            None if at < n_steps => plot.next(),
            None => at_end(at - n_steps),
        };
        let [old, new] = &mut sides;
        let answers = std::thread::scope(|scope| {
            let old = scope.spawn(|| old.does(&step));
            let new = new.does(&step);
            [old.join().expect("a side gives errors"), new]
        });
        let [old, new] = answers;
        let (old, new) = (old?, new?);
        let [plain_old, plain_new] = &plains;
        let (old, shown) = (plain_old.of(&step, &old), plain_new.of(&step, &new));
        let n_differ = found.n_differ;
        found.takes(number, at, &step, [&old, &shown]);
        if n_differ < found.n_differ {
            // What follows on a difference says nothing of its own.
            return Ok(());
        }
        plot.hears(&step, &new);
    }
    Ok(())
}

/// A first note of each session and of the person in each folder.
///
/// Once a call that was refused began a session too: what follows on that says nothing of what is kept.
fn beginnings(plot: &Plot) -> Vec<Step> {
    let note = |folder, caller| {
        let arguments = json!({ "content": "It begins.", "tags": ["begun"] });
        let (named, write_id) = (None, None);
        let deed = Deed::Call(Asked { caller, named, operation: "add_note", arguments, write_id });
        Step { folder, deed, fault: None }
    };
    let desks = FOLDERS.iter().map(|folder| note(*folder, Caller::Person));
    let cast = plot.cast.iter().map(|actor| note(actor.folder, Caller::Model(actor.key.clone())));
    // At one moment it would be the order in which they became known that tells them apart.
    let tick = Step { folder: "one", deed: Deed::Clock(1_000), fault: None };
    desks.chain(cast).flat_map(|note| [tick.clone(), note]).collect()
}

/// What is asked in each folder at the end.
const END: &[&str] = &["export", "list_sessions", "list_projects"];

fn at_end(n: usize) -> Step {
    let operation = END[n % END.len()];
    let arguments = match operation {
        "export" => json!({ "format": "json", "all": true }),
        "list_sessions" => json!({ "agents": true, "all": true, "limit": 0 }),
        _ => json!({}),
    };
    let (caller, named, write_id) = (Caller::Person, None, None);
    let deed = Deed::Call(Asked { caller, named, operation, arguments, write_id });
    Step { folder: FOLDERS[n / END.len()], deed, fault: None }
}
