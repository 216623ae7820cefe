//! Servers and commands are killed at random; what they had acknowledged must be there.

use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::chance::Chance;
use super::client::{Answer, Wire};
use super::home::Home;
use super::ledger::{self, Ledger};
use super::{Extent, Given};

/// The scratchpad is the same page; with a budget that these rounds do not reach.
const CONFIG: &str = "[scratchpad]\nenabled = true\nmaxTokens = 100000\n";

const N_SERVERS: usize = 4;

/// So many rounds on one store, before a new one is begun.
const ROUNDS_PER_HOME: usize = 20;

/// When a writer takes a write for kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// On the reply.
    Reply,
    /// On having asked: what a store does that acknowledges before it commits.
    Asking,
}

/// What came of one round.
pub(super) struct Round {
    /// How many writes were acknowledged.
    pub(super) n_acknowledged: usize,
    /// What is not as it was acknowledged.
    pub(super) broken: Vec<String>,
}

/// Runs all rounds; nothing may be lost.
pub(super) fn run(given: &Given) -> Result<String> {
    let n_rounds = match given.extent {
        Extent::Quick => 40,
        Extent::Full => 200,
    };
    let mut chance = Chance::of(given.seed);
    let (mut n_acknowledged, mut broken) = (0, Vec::new());
    let mut home = Home::configured(&given.vade, CONFIG)?;
    for n in 0..n_rounds {
        if 0 < n && n % ROUNDS_PER_HOME == 0 {
            home = Home::configured(&given.vade, CONFIG)?;
        }
        let round =
            round(&home, n, &mut chance, Trust::Reply).with_context(|| format!("round {n}"))?;
        n_acknowledged += round.n_acknowledged;
        broken.extend(round.broken.into_iter().map(|line| format!("round {n}: {line}")));
    }
    ensure!(broken.is_empty(), "{} broken promises: {}", broken.len(), broken.join("; "));
    ensure!(n_rounds < n_acknowledged, "only {n_acknowledged} writes in {n_rounds} rounds");
    Ok(format!(
        "{n_rounds} rounds of kill -9 on {N_SERVERS} servers and a command: \
         {n_acknowledged} acknowledged, 0 lost, 0 doubled, store sound after each"
    ))
}

/// One round: all write, all are killed, and a fresh handle looks.
pub(super) fn round(home: &Home, n: usize, chance: &mut Chance, trust: Trust) -> Result<Round> {
    let session = format!("5aa00000-5aa0-4000-8000-1{n:011}");
    let ledgers = home.path(&format!("ledgers-{n}"));
    fs::create_dir(&ledgers)?;
    let servers: Vec<_> = (0..N_SERVERS).map(|_| home.serve(&session)).collect::<Result<_>>()?;
    let (processes, wires): (Vec<_>, Vec<_>) =
        servers.into_iter().map(super::client::Server::split).unzip();
    let pauses: Vec<_> = processes.iter().map(|_| chance.millis(0..60)).collect();
    let head_start = chance.millis(5..120);
    let stops_at = pauses.iter().sum::<std::time::Duration>() + head_start;
    thread::scope(|scope| -> Result<()> {
        let mut writers = Vec::new();
        for (writer, wire) in wires.into_iter().enumerate() {
            let ledger = Ledger::open(&ledgers.join(writer.to_string()))?;
            writers.push(scope.spawn(move || write_until_killed(wire, ledger, writer, trust)));
        }
        let (ledgers, session) = (&ledgers, &session);
        writers.push(scope.spawn(move || commands(home, session, ledgers, stops_at)));
        thread::sleep(head_start);
        for (process, pause) in processes.into_iter().zip(pauses) {
            thread::sleep(pause);
            process.kill()?;
        }
        writers.into_iter().try_for_each(|writer| writer.join().expect("no writer panics"))
    })?;
    look(home, &session, &ledgers)
}

/// Writes until there is no answer any more.
fn write_until_killed(
    mut wire: Wire,
    mut ledger: Ledger,
    writer: usize,
    trust: Trust,
) -> Result<()> {
    for n in 0.. {
        let word = format!("writer{writer}write{n}");
        let (tool, arguments) = match n % 3 {
            0 => {
                let edit = json!({"operation": "append", "content": format!("\n{word}")});
                ("update_notepad", edit)
            }
            1 if writer == 0 => ("session_scratchpad", json!({"content": word, "mode": "append"})),
            _ => ("add_note", json!({"content": word, "tags": ["finding"]})),
        };
        if trust == Trust::Asking {
            match tool {
                "add_note" => ledger.note("?", &word)?,
                _ => ledger.page(&word)?,
            }
        }
        let answer = match wire.call(tool, &arguments) {
            Ok(Answer::Done(answer)) => answer,
            Ok(Answer::Refused(error)) => anyhow::bail!("{tool} was refused: {error}"),
            // It is dead: what was asked last may be there or not.
            Err(_) => return Ok(()),
        };
        match answer["id"].as_str() {
            _ if trust == Trust::Asking => {}
            Some(id) => ledger.note(id, &word)?,
            None => ledger.page(&word)?,
        }
    }
    Ok(())
}

/// Commands that add a note each while the servers die around them.
fn commands(
    home: &Home,
    session: &str,
    ledgers: &Path,
    stops_at: std::time::Duration,
) -> Result<()> {
    let mut ledger = Ledger::open(&ledgers.join("commands"))?;
    let begin = std::time::Instant::now();
    for n in 0.. {
        let word = format!("command{n}");
        let (answer, code) = home.cli(session, &["note", "add", &word, "--tag", "finding"])?;
        ensure!(code == Some(0), "vade note add ended with {code:?}: {answer}");
        ledger.note(answer["id"].as_str().context("no id")?, &word)?;
        if stops_at < begin.elapsed() {
            break;
        }
    }
    Ok(())
}

/// Reads all back, through the port and by searching in a new server.
fn look(home: &Home, session: &str, ledgers: &Path) -> Result<Round> {
    let acknowledged = ledger::acknowledged(ledgers)?;
    let mut broken = ledger::broken(&acknowledged, &ledger::find(home, session)?);
    home.check_sound()?;
    let mut server = home.serve(session)?;
    let notes = acknowledged.iter().filter_map(|line| line.strip_prefix("note "));
    for (id, word) in notes.filter_map(|note| note.split_once(' ')) {
        let hits = server.wire.object("search_notes", &json!({"query": word}))?;
        if id != "?"
            && !hits["notes"].as_array().is_some_and(|hits| hits.iter().any(|hit| hit["id"] == id))
        {
            broken.push(format!("not found by searching: {id} {word}"));
        }
    }
    Ok(Round { n_acknowledged: acknowledged.len(), broken })
}
