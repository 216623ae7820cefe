//! A server loses its client in the middle of requests: what it acknowledged is kept, the rest can be repeated.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::chance::Chance;
use super::home::Home;
use super::ledger;
use super::{Extent, Given};

const N_REQUESTS: usize = 20;

/// A server without a client ends within a second; the rest is for a machine that does much else.
const ENDS: Duration = Duration::from_secs(4);

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let n_rounds = match given.extent {
        Extent::Quick => 12,
        Extent::Full => 90,
    };
    let home = Home::new(&given.vade)?;
    let mut chance = Chance::of(given.seed);
    let (mut n_acknowledged, mut slowest) = (0, Duration::ZERO);
    for n in 0..n_rounds {
        let session = format!("5aa00000-5aa0-4000-8000-3{n:011}");
        let (lines, took) = round(&home, &session, n, &mut chance)?;
        n_acknowledged += lines.len();
        slowest = slowest.max(took);
        repeat(&home, &session)?;
        let found = ledger::find(&home, &session)?;
        let broken = ledger::broken(&lines, &found);
        ensure!(broken.is_empty(), "round {n}: {}", broken.join("; "));
        ensure!(found.notes.len() == N_REQUESTS, "round {n}: {} notes", found.notes.len());
    }
    home.check_sound()?;
    Ok(format!(
        "{n_rounds} × {N_REQUESTS} requests, stdin or stdout closed or the server killed: {n_acknowledged} acknowledged, \
         0 lost, 0 doubled when repeated; ended after {} ms at most",
        slowest.as_millis()
    ))
}

fn call(n: usize) -> Value {
    let arguments = json!({"content": format!("request{n}"), "tags": ["finding"]});
    let meta = json!({"dev.vademecum/write": format!("request-{n}")});
    let params = json!({"name": "add_note", "arguments": arguments, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": n + 100, "method": "tools/call", "params": params})
}

/// Sends all requests and goes away; what a ledger says of the answers, and how long the server lived on.
fn round(
    home: &Home,
    session: &str,
    n: usize,
    chance: &mut Chance,
) -> Result<(Vec<String>, Duration)> {
    let mut command = home.command(session);
    command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.spawn()?;
    let mut stdin = server.stdin.take().context("no stdin")?;
    let stdout = server.stdout.take().context("no stdout")?;
    let info = json!({"name": "torture", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let mut text =
        format!("{hello}\n{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n");
    for n in 0..N_REQUESTS {
        text.push_str(&call(n).to_string());
        text.push('\n');
    }
    stdin.write_all(text.as_bytes())?;

    let pause = chance.millis(0..80);
    // It stops listening after some answers; else it reads to the end.
    let n_heard = if n % 3 == 2 { usize::try_from(chance.below(20))? } else { usize::MAX };
    let reader = thread::spawn(move || {
        let read = BufReader::new(stdout).lines().map_while(Result::ok);
        read.take(n_heard).filter_map(|line| acknowledged(&line)).collect::<Vec<_>>()
    });
    thread::sleep(pause);
    if n % 3 == 1 {
        server.kill()?;
    }
    drop(stdin);
    let gone = Instant::now();
    let took = end(&mut server, gone)?;
    Ok((reader.join().expect("a reader does not panic"), took))
}

/// What a ledger says of an answer; nothing for one that acknowledges no note.
fn acknowledged(line: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(line).ok()?;
    let n = answer["id"].as_u64()?.checked_sub(100)?;
    let id = answer["result"]["structuredContent"]["id"].as_str()?;
    Some(format!("note {id} request{n}"))
}

fn end(server: &mut Child, gone: Instant) -> Result<Duration> {
    while server.try_wait()?.is_none() {
        if ENDS < gone.elapsed() {
            server.kill()?;
            server.wait()?;
            anyhow::bail!("a server outlived its client by {:?}", gone.elapsed());
        }
        thread::sleep(Duration::from_millis(2));
    }
    Ok(gone.elapsed())
}

/// Makes every call again, under the write id that it had.
fn repeat(home: &Home, session: &str) -> Result<()> {
    let mut server = home.serve(session)?;
    for n in 0..N_REQUESTS {
        server.wire.ask("tools/call", &call(n)["params"])?;
    }
    for _ in 0..N_REQUESTS {
        let (_, result) = server.wire.next_answer()?;
        ensure!(result["isError"] != true, "a repeat is refused: {result}");
    }
    Ok(())
}
