//! Says how many secrets reach the store, a context or an output: `cargo xtask secrets [--samples FILE]`.
//!
//! Each sample is put into the prompt of a made-up session, a command, a failing command, the output of a tool,
//! the agent's words, a file that it writes, and a note. The hooks of the program run as Claude Code runs them.
//! Then the secret's bytes are looked for in every file of the data folder and in everything that was printed.

mod home;
mod transcript;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result, bail, ensure};
use vademecum_core::secrets::samples::{self, Sample};
use vademecum_core::secrets::{find, kinds};

use crate::step;
use home::Home;
use transcript::Placement;

/// At least so many of the samples in a hundred must be gone.
const GONE: usize = 99;

/// So many harmless strings are looked at, of which one in two hundred may be taken for a secret.
const HARMLESS: usize = 2_000;

/// The seed of our own samples: any other gives others of the same kinds.
const SEED: u64 = 12;

/// A sample of a kind, whoever made it.
struct Given {
    kind: String,
    text: String,
    secret: String,
}

/// Measures, and fails below the bound.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let given = match words {
        [] => own(),
        [option, file] if option == "--samples" => read(Path::new(file))?,
        _ => bail!("usage: cargo xtask secrets [--samples FILE]"),
    };
    let vade = step::build_vade()?;
    let left = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || {
            while let Some(given) = given.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found = measure(&vade, given)?;
                left.lock().expect("no thread panics").insert(given.kind.clone(), found);
            }
            Ok::<_, anyhow::Error>(())
        };
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    report(given.len(), &left.into_inner().expect("no thread panics"))
}

fn own() -> Vec<Given> {
    let samples = samples::all(SEED).into_iter().enumerate();
    let given = samples.map(|(idx, Sample { kind, text, secret })| {
        let kind = format!("{kind} ({idx})");
        Given { kind, text, secret }
    });
    given.collect()
}

/// Reads `{kind: [text around it, the secret]}`.
fn read(file: &Path) -> Result<Vec<Given>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let samples: BTreeMap<String, (String, String)> = serde_json::from_str(&text)?;
    let given =
        samples.into_iter().map(|(kind, (text, secret))| Given { kind, text, secret }).collect();
    Ok(given)
}

/// Where the secret of a sample was found: the placements, each with what held it.
fn measure(vade: &Path, given: &Given) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for placement in Placement::ALL {
        let home = Home::new(vade)?;
        let printed = home.session(placement, &given.text)?;
        found.extend(
            home.holds(&given.secret, &printed)?
                .map(|where_| format!("{}: {where_}", placement.name())),
        );
    }
    let home = Home::new(vade)?;
    let printed = home.note(&given.text)?;
    found.extend(home.holds(&given.secret, &printed)?.map(|where_| format!("note: {where_}")));
    Ok(found)
}

fn report(n_given: usize, left: &BTreeMap<String, Vec<String>>) -> Result<()> {
    let n_places = n_given * (Placement::ALL.len() + 1);
    let n_left: usize = left.values().map(Vec::len).sum();
    for (kind, found) in left.iter().filter(|(_, found)| !found.is_empty()) {
        println!("left {kind}: {}", found.join("; "));
    }
    for placement in Placement::ALL.map(Placement::name).into_iter().chain(["note"]) {
        let is_here = |found: &&String| found.starts_with(placement);
        let n = left.values().flatten().filter(is_here).count();
        println!("{placement:<16} {} of {n_given} gone", n_given - n);
    }
    let flagged =
        samples::harmless(SEED, HARMLESS).iter().filter(|it| !find(it).is_empty()).count();
    println!(
        "in all           {} of {n_places} gone; {} kinds of rules",
        n_places - n_left,
        kinds().len()
    );
    println!("harmless strings {flagged} of {HARMLESS} taken for a secret");
    ensure!(n_places * GONE <= (n_places - n_left) * 100, "more than 1 % of the secrets are left");
    ensure!(flagged * 200 <= HARMLESS, "more than 0.5 % of harmless strings are taken for secrets");
    Ok(())
}
