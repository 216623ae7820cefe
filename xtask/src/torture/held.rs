//! Another process holds the write lock for a minute: hooks answer at once, and nothing is lost.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use vademecum_core::hash;
use vademecum_core::id::WriteId;
use vademecum_core::time::Time;
use vademecum_store::{
    Author, Decision, Origin, Scope, Store as _, Surface, View, Write, Writer, conformance,
};

use super::Given;
use super::faults::{add_some, check, line_of};
use super::home::{Home, Hooked, limit_of};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000005";

const PAGE: &str = "## Plan\n- [ ] wait for the ferry — 渡し船";

/// So long nobody else writes.
const HELD: Duration = Duration::from_mins(1);

/// So often a session is compacted meanwhile, spread over the minute.
const ROUNDS: u32 = 12;

/// What each second start takes at most, on a machine that does much else: it waits 50 milliseconds for its turn.
const PROMPT: Duration = Duration::from_millis(150);

/// So many hooks may give up because the machine did something else.
const SLOW: u32 = 3;

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    let mut server = home.serve(SESSION)?;
    server.wire.object("write_notepad", &json!({"content": PAGE}))?;
    let mut lines = add_some(&mut server.wire, "before", 20)?;
    drop(server);

    let home = &home;
    let (times, late) = thread::scope(|scope| -> Result<_> {
        let (held, is_held) = channel();
        let (free, is_free) = channel::<()>();
        let holder = scope.spawn(move || hold(home, &held, &is_free));
        is_held.recv().context("the lock was not had")?;
        let early = scope.spawn(|| home.cli(SESSION, &note("early")));
        let late = scope.spawn(|| {
            thread::sleep(HELD / 2 + HELD / 10);
            home.cli(SESSION, &note("late"))
        });
        let times = meanwhile(home)?;
        let (refused, code) = early.join().expect("a caller does not panic")?;
        ensure!(code == Some(5), "a write of half a minute ended with {code:?}: {refused}");
        drop(free);
        holder.join().expect("a holder does not panic")?;
        Ok((times, late.join().expect("a caller does not panic")?))
    })?;
    ensure!(late.1 == Some(0), "the write that could wait was refused: {}", late.0);
    lines.push(line_of(&late.0, "late")?);
    taken_in(home, times.slow)?;
    check(home, SESSION, &lines)?;
    Ok(said(&times))
}

fn note(word: &str) -> [&str; 5] {
    ["note", "add", word, "--tag", "finding"]
}

/// Sits inside a write of its own until `is_free` says so.
fn hold(home: &Home, held: &Sender<()>, is_free: &Receiver<()>) -> Result<()> {
    let write = Write {
        scope: Scope::Store,
        is_fresh: false,
        id: WriteId::new("held").context("an id")?,
        arguments: hash::plain(b"held"),
        kind: "hold",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: Writer::NONE,
        at: Time(0),
    };
    let mut stay = |_: &dyn View| {
        held.send(()).expect("the scenario waits");
        // Ends when the sender is dropped, for whatever reason.
        while is_free.recv().is_ok() {}
        Ok(Decision::Refuse)
    };
    home.store().write(&write, &mut stay)?;
    Ok(())
}

/// What the hooks of a minute took.
#[derive(Default)]
struct Times {
    /// Those that put a context in front of the model.
    contexts: Vec<Duration>,
    /// All others.
    others: Vec<Duration>,
    /// How many hooks gave up because the machine did something else for as long as their deadline.
    slow: u32,
}

impl Times {
    /// What a hook says that has its time: one that gave up is run once more, and few may.
    fn hook(&mut self, home: &Home, event: &str, more: &Value) -> Result<Hooked> {
        let hooked = home.hook(SESSION, event, more)?;
        if !hooked.said.contains("gave up after") {
            return Ok(hooked);
        }
        self.slow += 1;
        ensure!(self.slow <= SLOW, "{} hooks gave up, {event} at last: {}", self.slow, hooked.said);
        home.hook(SESSION, event, more)
    }
}

/// Runs hooks while the lock is held, to the end of the minute.
fn meanwhile(home: &Home) -> Result<Times> {
    let begin = Instant::now();
    let mut times = Times::default();
    for round in 0..ROUNDS {
        let start = times.hook(home, "SessionStart", &json!({"source": "compact"}))?;
        ensure!(start.context.contains(PAGE), "no page: {start:?}");
        ensure!(start.context.contains("fault: the store is busy"), "{:?}", start.context);
        ensure!(start.said.lines().count() == 1, "not one line: {:?}", start.said);
        ensure!(start.took <= limit_of("SessionStart"), "a start took {:?}", start.took);
        times.contexts.push(start.took);
        for (event, more) in [
            ("UserPromptSubmit", json!({"prompt": "go on"})),
            ("PreToolUse", own_call()),
            ("PostToolBatch", json!({"tool_calls": []})),
            ("PreCompact", json!({"trigger": "auto"})),
        ] {
            let Hooked { said, took, .. } = times.hook(home, event, &more)?;
            ensure!(took <= limit_of(event), "{event} took {took:?}");
            ensure!(said.lines().count() <= 1, "{event}: {said:?}");
            times.others.push(took);
        }
        thread::sleep((HELD / ROUNDS * (round + 1)).saturating_sub(begin.elapsed()));
    }
    check_times(&mut times)?;
    Ok(times)
}

fn own_call() -> Value {
    json!({"tool_name": "mcp__vade__add_note", "tool_input": {}, "tool_use_id": "toolu_1"})
}

fn check_times(times: &mut Times) -> Result<()> {
    times.contexts.sort_unstable();
    times.others.sort_unstable();
    let median = median(&times.contexts);
    ensure!(median <= PROMPT, "a context took {median:?}");
    Ok(())
}

fn longest(sorted: &[Duration]) -> Duration {
    sorted.last().copied().unwrap_or_default()
}

fn median(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// The next start takes all that waited in, in order and once; what was only late is no fault.
///
/// Whether one that gave up had left its event before is not known.
fn taken_in(home: &Home, slow: u32) -> Result<()> {
    let start = home.start_again(SESSION)?;
    ensure!(!start.context.contains("fault: "), "a fault: {:?}", start.context);
    ensure!(start.context.contains(PAGE) && start.said.is_empty(), "{:?}", start.context);
    let n_compactions = home.known(SESSION)?.standing.compactions;
    let known = ROUNDS..=ROUNDS + slow;
    ensure!(known.contains(&n_compactions), "{n_compactions} compactions are known of {ROUNDS}");
    conformance::check_sound(&home.store());
    Ok(())
}

fn said(times: &Times) -> String {
    format!(
        "a writer held the lock for {} s: {} contexts in {} ms (the slowest {}), {} other hooks at most {} ms; \
         {} slow once; {ROUNDS} events taken in after it, 0 lost",
        HELD.as_secs(),
        times.contexts.len(),
        median(&times.contexts).as_millis(),
        longest(&times.contexts).as_millis(),
        times.others.len(),
        longest(&times.others).as_millis(),
        times.slow,
    )
}
