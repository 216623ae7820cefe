//! Commands that write to a plan are killed while a person appends to its file by hand: each entry is there once.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use vademecum_core::entry::Category;
use vademecum_core::mirror;

use super::chance::Chance;
use super::entries::{append, content, file, once};
use super::home::Home;
use super::{Extent, Given};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000031";

const N_WRITERS: usize = 4;

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let (n_each, n_by_hand) = match given.extent {
        Extent::Quick => (8, 40),
        Extent::Full => (200, 1_300),
    };
    let home = Home::new(&given.vade)?;
    let tree = home.path("project");
    ensure!(home.cli(SESSION, &["plan", "init", "a"])?.1 == Some(0), "no plan");
    ensure!(home.cli(SESSION, &learning("first", "first"))?.1 == Some(0), "no entry");

    let n_kills = Mutex::new(0_usize);
    thread::scope(|scope| -> Result<()> {
        let (home, n_kills) = (&home, &n_kills);
        let mut writers = Vec::new();
        for writer in 0..N_WRITERS {
            let chance = Chance::of(given.seed.wrapping_add(u64::try_from(writer)?));
            writers.push(scope.spawn(move || write(home, writer, n_each, chance, n_kills)));
        }
        let path = file(&tree);
        writers.push(scope.spawn(move || append(0, n_by_hand, &path)));
        writers.into_iter().try_for_each(|writer| writer.join().expect("a writer does not panic"))
    })?;
    let n_kills = *n_kills.lock().expect("no writer panics");
    let n_expected = N_WRITERS * n_each + n_by_hand + 1;
    check(&home, &tree, n_expected)?;
    // How many writers a kill meets is chance, and fewer on a busy machine.
    ensure!(0 < n_kills, "no kills");
    Ok(format!(
        "{n_kills} kills of {N_WRITERS} writers, {} acknowledged, {n_by_hand} by hand: 0 lost, 0 twice in store and file",
        n_expected - n_by_hand
    ))
}

fn learning<'a>(word: &'a str, id: &'a str) -> [&'a str; 7] {
    ["learning", "add", word, "--plan", "a", "--write-id", id]
}

/// Adds entries, each repeated under its write id until one run of it was not killed.
fn write(
    home: &Home,
    writer: usize,
    n_entries: usize,
    mut chance: Chance,
    n_kills: &Mutex<usize>,
) -> Result<()> {
    for n in 0..n_entries {
        let word = format!("writer {writer} entry {n}");
        // The first time it is killed, as a rule; later on it has more time, to the end of all.
        for n_try in 1.. {
            let mut command = home.command(SESSION);
            command.args(learning(&word, &word)).stdout(Stdio::null());
            let mut child = command.spawn()?;
            thread::sleep(chance.millis(2..40) * n_try);
            let is_ended = child.try_wait()?.is_some();
            if !is_ended {
                child.kill()?;
                *n_kills.lock().expect("no writer panics") += 1;
            }
            let ended = child.wait()?;
            if ended.success() {
                break;
            }
            ensure!(ended.code().is_none(), "{word} ended with {ended}");
            ensure!(n_try < 100, "{word} never ends");
        }
    }
    Ok(())
}

fn check(home: &Home, tree: &Path, n_expected: usize) -> Result<()> {
    // What a kill left out of the file is appended by the next write.
    ensure!(home.cli(SESSION, &learning("last", "last"))?.1 == Some(0), "no last entry");
    let (checked, _) = home.cli(SESSION, &["plan", "check"])?;
    ensure!(checked["problems"] == json!([]), "{checked}");
    let (shown, _) = home.cli(SESSION, &["plan", "show", "a", "--limit", "0", "--all"])?;
    let entries = shown["entries"].as_array().into_iter().flatten();
    once(entries.filter_map(content), n_expected + 1).context("in the store")?;
    let text = fs::read_to_string(file(tree))?;
    let found = mirror::parse(Category::Learning, &text);
    let said = found.iter().filter_map(|found| found.said.as_ref().ok());
    once(said.map(|said| said.content.as_str().to_owned()), n_expected + 1)
        .context("in the file")?;
    home.check_sound()
}
