//! Power cuts: what was acknowledged must be there when only what was synced is left.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use vademecum_core::plan::PlanName;
use vademecum_store::read;

use super::chance::Chance;
use super::client::{Answer, Server, Wire};
use super::disk::{Disk, Kind, Names};
use super::home::Home;
use super::ledger;
use super::shim;
use super::strace;
use super::{Extent, Given};

const N_SERVERS: usize = 4;

/// Cuts of one storm while it rages; one more follows when hooks have spooled behind a held lock.
const CUTS_IN_STORM: usize = 4;

/// Hook events that find the lock held before the last cut of a storm.
const SPOOLED: usize = 3;

/// Storms on one disk, each on what the one before has left: all of it is looked at after each cut.
///
/// A disk that lies is found out in the first of them nearly always.
const STORMS: usize = 6;

/// More entries than all storms of a run can make.
const ENTRIES: usize = 1_000_000;

/// What was acknowledged in one session, in the words of a ledger.
type Lines = Vec<String>;

/// What came of some storms.
#[derive(Default)]
struct Outcome {
    n_cuts: usize,
    n_acknowledged: usize,
    lost: Vec<String>,
}

/// What one cut left, and what had been acknowledged before it.
struct Cut {
    data: PathBuf,
    lines: Lines,
}

/// Runs it; nothing may be lost, and a disk that lies must be found out.
pub(super) fn run(given: &Given) -> Result<String> {
    // Five cuts in each storm: 60 and 1,020.
    let n_disks = match given.extent {
        Extent::Quick => 1,
        Extent::Full => 17,
    };
    let built = shim::build("power")?;
    let kind = |names, deaf| Kind { shim: built.clone(), names, deaf };
    let n_syncs = sees_every_sync(given, &kind(Names::WithTheFolder, ""))?;
    let mut chance = Chance::of(given.seed);

    let mut total = Outcome::default();
    for names in [Names::WithTheFolder, Names::WithTheFile].repeat(n_disks) {
        total.add(storms(given, &kind(names, ""), &mut chance)?);
    }
    let Outcome { n_cuts, n_acknowledged, lost } = total;
    ensure!(lost.is_empty(), "{} of {n_acknowledged} lost: {}", lost.len(), lost[0]);

    let wal = red(given, &kind(Names::WithTheFile, "vade.db-wal"), &mut chance)?;
    let spool = red(given, &kind(Names::WithTheFile, "spool"), &mut chance)?;
    Ok(format!(
        "{n_cuts} cuts, {n_acknowledged} acknowledged, 0 lost, store sound after each; {n_syncs} syncs \
         seen by strace and the shim; without those of the log {wal} lost, of the spool {spool} lost"
    ))
}

impl Outcome {
    fn add(&mut self, more: Self) {
        self.n_cuts += more.n_cuts;
        self.n_acknowledged += more.n_acknowledged;
        self.lost.extend(more.lost);
    }
}

/// Each sync of a run that strace sees must be seen by the shim; how many there were.
fn sees_every_sync(given: &Given, kind: &Kind) -> Result<u64> {
    let base = Home::new(&given.vade)?;
    let disk = Disk::of(&base, kind, base.path("shadow"))?;
    let trace = base.path("trace");
    let runs: [&[&str]; 4] = [
        &["note", "add", "one", "--tag", "finding"],
        &["learning", "add", "two"],
        &["notepad", "write", "three"],
        &["forget", "session", "--yes"],
    ];
    let mut n_traced = 0;
    for words in runs {
        let home = disk.home.with("POWER_THROUGH", "1");
        let mut command = home.command("5aa00000-5aa0-4000-8000-000000000020");
        command.arg("--json").args(words);
        let done = strace::log(&command, strace::SYNCS, &trace)?.output()?;
        ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let data = disk.home.data();
        n_traced += strace::lines(&trace)?.filter(|line| line.is_in(&data)).count();
    }
    let (n_seen, n_traced) = (disk.syncs()?, u64::try_from(n_traced)?);
    ensure!(
        0 < n_seen && n_seen == n_traced,
        "the shim saw {n_seen} syncs, strace {n_traced}: some do not go through libc"
    );
    Ok(n_seen)
}

/// So many promises a disk breaks that loses some syncs; an error if it is not found out.
fn red(given: &Given, kind: &Kind, chance: &mut Chance) -> Result<usize> {
    let outcome = storms(given, kind, chance)?;
    ensure!(
        !outcome.lost.is_empty(),
        "a disk that loses each sync of {} lost none of {}: the figure is void",
        kind.deaf,
        outcome.n_acknowledged
    );
    Ok(outcome.lost.len())
}

/// Storms one after the other, each on what the last cut has left, until something is lost.
fn storms(given: &Given, kind: &Kind, chance: &mut Chance) -> Result<Outcome> {
    let base = Home::new(&given.vade)?;
    let mut home = base.clone();
    let mut outcome = Outcome::default();
    let mut earlier = Vec::<(String, Lines)>::new();
    for n in 0..STORMS {
        let session = format!("5aa00000-5aa0-4000-8000-2{n:011}");
        let disk = Disk::of(&home, kind, base.path(&format!("shadow-{n}")))?;
        let mut newest = Lines::new();
        for cut in storm(&disk, &session, chance)? {
            home = base.with_data(cut.data);
            let what = || format!("cut {} of storm {n}", outcome.n_cuts);
            home.start_again(&session).and_then(|_| home.check_sound()).with_context(what)?;
            let mut lost = broken(&home, &session, &cut.lines).with_context(what)?;
            for (session, lines) in &earlier {
                lost.extend(broken(&home, session, lines).with_context(what)?);
            }
            outcome.lost.extend(lost.iter().map(|line| format!("{}: {line}", what())));
            outcome.n_cuts += 1;
            newest = cut.lines;
        }
        outcome.n_acknowledged += newest.len();
        earlier.push((session, newest));
        if !outcome.lost.is_empty() {
            break;
        }
    }
    Ok(outcome)
}

/// Servers, commands and hooks write at once, the power is cut meanwhile; then hooks that find the lock held.
fn storm(disk: &Disk, session: &str, chance: &mut Chance) -> Result<Vec<Cut>> {
    let (lines, is_over) = (Mutex::new(Lines::new()), AtomicBool::new(false));
    let servers: Vec<Server> =
        (0..N_SERVERS).map(|_| disk.home.serve(session)).collect::<Result<_>>()?;
    let (processes, wires): (Vec<_>, Vec<_>) = servers.into_iter().map(Server::split).unzip();
    let mut cuts = Vec::new();
    thread::scope(|scope| -> Result<()> {
        let (lines, is_over, home) = (&lines, &is_over, &disk.home);
        let mut writers = Vec::new();
        for (writer, wire) in wires.into_iter().enumerate() {
            writers.push(scope.spawn(move || serve(wire, writer, lines)));
        }
        writers.push(scope.spawn(move || command(home, session, lines, is_over)));
        writers.push(scope.spawn(move || hooks(home, session, lines, is_over)));
        let mut wait_and_cut = || -> Result<()> {
            for _ in 0..CUTS_IN_STORM {
                thread::sleep(chance.millis(40..250));
                cuts.push(cut(disk, lines)?);
            }
            Ok(())
        };
        let done = wait_and_cut();
        is_over.store(true, Ordering::SeqCst);
        processes.into_iter().try_for_each(super::client::Process::kill)?;
        writers.into_iter().try_for_each(|writer| writer.join().expect("no writer panics"))?;
        done
    })?;

    let gate = File::open(disk.home.data().join("vade.lock"))?;
    gate.lock()?;
    for _ in 0..SPOOLED {
        compact(&disk.home, session, &lines)?;
    }
    cuts.push(cut(disk, &lines)?);
    Ok(cuts)
}

/// What is left when the power goes now.
fn cut(disk: &Disk, lines: &Mutex<Lines>) -> Result<Cut> {
    // First what was promised: what comes between is there and was not promised yet.
    let lines = lines.lock().expect("no writer panics").clone();
    let folder = tempfile::Builder::new().prefix("cut-").tempdir_in(disk.home.path(""))?;
    let data = folder.keep();
    disk.cut(&data)?;
    Ok(Cut { data, lines })
}

fn promise(lines: &Mutex<Lines>, line: String) {
    lines.lock().expect("no writer panics").push(line);
}

/// Writes over MCP until the server is killed.
fn serve(mut wire: Wire, writer: usize, lines: &Mutex<Lines>) -> Result<()> {
    for n in 0.. {
        let word = format!("server{writer}write{n}");
        let (tool, arguments) = match (writer + n) % 3 {
            0 => ("add_note", json!({"content": word, "tags": ["finding"]})),
            1 => ("add_learning", json!({"content": word})),
            _ => {
                let edit = json!({"operation": "append", "content": format!("\n{word}")});
                ("update_notepad", edit)
            }
        };
        match wire.call(tool, &arguments) {
            Ok(Answer::Done(answer)) => promise(lines, line_of(tool, &answer["id"], &word)),
            Ok(Answer::Refused(error)) => anyhow::bail!("{tool} was refused: {error}"),
            // It was killed.
            Err(_) => break,
        }
    }
    Ok(())
}

fn line_of(tool: &str, id: &serde_json::Value, word: &str) -> String {
    match tool {
        "add_note" => format!("note {} {word}", id.as_str().unwrap_or("?")),
        "add_learning" => format!("entry {word}"),
        _ => format!("page {word}"),
    }
}

/// Writes by commands until the storm is over.
fn command(home: &Home, session: &str, lines: &Mutex<Lines>, is_over: &AtomicBool) -> Result<()> {
    for n in 0.. {
        if is_over.load(Ordering::SeqCst) {
            break;
        }
        let word = format!("command{n}");
        let (tool, words) = match n % 2 {
            0 => ("add_note", vec!["note", "add", &word, "--tag", "finding"]),
            _ => ("add_learning", vec!["learning", "add", &word]),
        };
        let (answer, code) = home.cli(session, &words)?;
        ensure!(code == Some(0), "{words:?} ended with {code:?}: {answer}");
        promise(lines, line_of(tool, &answer["id"], &word));
    }
    Ok(())
}

/// Compacts the session by hooks until the storm is over.
fn hooks(home: &Home, session: &str, lines: &Mutex<Lines>, is_over: &AtomicBool) -> Result<()> {
    while !is_over.load(Ordering::SeqCst) {
        compact(home, session, lines)?;
    }
    Ok(())
}

/// One compaction, which the store or the spool keeps.
fn compact(home: &Home, session: &str, lines: &Mutex<Lines>) -> Result<()> {
    let hooked = home.hook(session, "SessionStart", &json!({"source": "compact"}))?;
    // A hook that says that it gave up has promised nothing.
    if !hooked.said.contains("gave up") {
        promise(lines, "compaction".to_owned());
    }
    Ok(())
}

/// What of `lines` is not there.
fn broken(home: &Home, session: &str, lines: &[String]) -> Result<Vec<String>> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let Ok(known) = home.known(session) else {
        return Ok(vec![format!("lost: the session with {} writes", lines.len())]);
    };
    let is_of_ledger = |line: &&String| line.starts_with("note ") || line.starts_with("page ");
    let kept: Vec<String> = lines.iter().filter(is_of_ledger).cloned().collect();
    let mut lost = ledger::broken(&kept, &ledger::find(home, session)?);

    let plan = PlanName::project();
    let entries = read(&home.store(), |view| {
        let Some(plan) = view.plan(known.project, &plan)? else { return Ok(Vec::new()) };
        Ok(view.newest_entries(&plan, ENTRIES)?.0)
    })?;
    let has = |word: &str| entries.iter().any(|entry| entry.said.content.as_str() == word);
    let words = lines.iter().filter_map(|line| line.strip_prefix("entry "));
    lost.extend(words.filter(|word| !has(word)).map(|word| format!("lost: entry {word}")));

    let n_promised = lines.iter().filter(|line| *line == "compaction").count();
    let n_known = known.standing.compactions;
    if usize::try_from(n_known)? < n_promised {
        lost.push(format!("lost: {n_promised} compactions were noted, {n_known} are known"));
    }
    Ok(lost)
}
