//! Many processes add notes to one session at once.

use std::collections::BTreeSet;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use vademecum_store::{Change, Scope, read};

use super::client::Server;
use super::figures::Waits;
use super::home::Home;
use super::ledger;
use super::{Extent, Given};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000001";

/// How many processes, and how many notes each adds.
struct Size {
    servers: usize,
    notes: usize,
    /// Beside them, processes that add one note and end, one after the other.
    commands: usize,
}

/// Runs every size of this extent.
pub(super) fn run(given: &Given) -> Result<String> {
    let quick = [(8, 100), (64, 10)];
    let full = [(8, 500), (64, 100), (8, 1250)];
    let sizes = match given.extent {
        Extent::Quick => &quick[..],
        Extent::Full => &full[..],
    };
    let mut said = Vec::new();
    for &(servers, notes) in sizes {
        let size = Size { servers, notes, commands: 20 };
        said.push(swarm(given, &size).with_context(|| format!("{servers} × {notes}"))?);
    }
    Ok(said.join("\n                              "))
}

fn swarm(given: &Given, size: &Size) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let servers: Vec<_> = (0..size.servers).map(|_| home.serve(SESSION)).collect::<Result<_>>()?;
    let begin = Instant::now();
    let (ids, waits) = write_all(&home, servers, size)?;
    let seconds = begin.elapsed().as_secs_f64();
    check(&home, &ids, size.servers * size.notes + size.commands)?;
    let rate = f64::from(u32::try_from(ids.len())?) / seconds;
    Ok(format!(
        "{} × {} notes: {} acknowledged, 0 lost, 0 errors, {rate:.0} a second, {}",
        size.servers,
        size.notes,
        ids.len(),
        waits.say()
    ))
}

/// Lets all write at once.
fn write_all(home: &Home, servers: Vec<Server>, size: &Size) -> Result<(Vec<String>, Waits)> {
    let (mut ids, mut waits) = (Vec::new(), Waits::default());
    thread::scope(|scope| {
        let mut writers = Vec::new();
        for (writer, mut server) in servers.into_iter().enumerate() {
            writers.push(scope.spawn(move || {
                // The whole of it: a closure that took the wire alone would end the process.
                let server = &mut server;
                add_all(size.notes, |n| {
                    let content = format!("writer {writer} note {n}");
                    let note = json!({"content": content, "tags": ["finding"]});
                    id_of(&server.wire.object("add_note", &note)?)
                })
            }));
        }
        writers.push(scope.spawn(move || {
            add_all(size.commands, |n| {
                let content = format!("command {n}");
                let words = ["note", "add", &content, "--tag", "finding"];
                let (answer, code) = home.cli(SESSION, &words)?;
                ensure!(code == Some(0), "vade note add ended with {code:?}: {answer}");
                id_of(&answer)
            })
        }));
        for writer in writers {
            let (own, own_waits) = writer.join().expect("a writer does not panic")?;
            ids.extend(own);
            waits.append(own_waits);
        }
        Ok((ids, waits))
    })
}

/// Adds notes one after the other; their ids, and how long each took.
fn add_all(
    n_notes: usize,
    mut add: impl FnMut(usize) -> Result<String>,
) -> Result<(Vec<String>, Waits)> {
    let (mut ids, mut waits) = (Vec::new(), Waits::default());
    for n in 0..n_notes {
        let begin = Instant::now();
        ids.push(add(n)?);
        waits.push(begin.elapsed());
    }
    Ok((ids, waits))
}

fn id_of(answer: &serde_json::Value) -> Result<String> {
    Ok(answer["id"].as_str().with_context(|| format!("no id in {answer}"))?.to_owned())
}

/// Every acknowledged note is there once, and ids rise in the order of the commits.
fn check(home: &Home, acknowledged: &[String], n_expected: usize) -> Result<()> {
    ensure!(acknowledged.len() == n_expected, "{} of {n_expected} added", acknowledged.len());
    let found = ledger::find(home, SESSION)?;
    let found: BTreeSet<&String> = found.notes.iter().map(|(id, _)| id).collect();
    let distinct: BTreeSet<&String> = acknowledged.iter().collect();
    ensure!(distinct.len() == n_expected, "{} distinct ids of {n_expected}", distinct.len());
    ensure!(found == distinct, "{} found, {n_expected} acknowledged", found.len());

    let scope = Scope::Session(home.known(SESSION)?.key);
    let newest_first = read(&home.store(), |view| {
        let mut ids = Vec::new();
        for record in view.records(&scope, 0)? {
            for change in view.body(record.seq)?.into_iter().flat_map(|body| body.undo) {
                if let Change::DropNote { id, .. } = change {
                    ids.push(id);
                }
            }
        }
        Ok(ids)
    })?;
    ensure!(newest_first.len() == n_expected, "{} in the journal", newest_first.len());
    ensure!(newest_first.is_sorted_by(|a, b| b < a), "ids do not rise in the order of commits");
    home.check_sound()
}
