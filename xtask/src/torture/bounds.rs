//! What is large: an import of a hundred thousand notes beside writers, killed and done again, and a page of 200 MB.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use vademecum_core::id::WriteId;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{
    Author, Change, Decision, Origin, Outcome, Scope, Store as _, Surface, Write, Writer, read,
};

use super::chance::Chance;
use super::home::{Home, limit_of};
use super::{Extent, Given};

const SESSION: &str = "b0a00000-b0a0-4000-8000-000000000007";

/// What a release program takes for 100,000 notes; the few of the quick set have it in a debug one too.
const IMPORT: Duration = Duration::from_secs(20);

/// The most memory of an import or an export, and of a hook with a page of 200 MB, in megabytes.
const IMPORT_MB: u64 = 200;
const HOOK_MB: u64 = 64;

/// What a writer beside an import may wait: some slices of 50 ms, on a machine that does much else.
const BESIDE: Duration = Duration::from_secs(2);

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let n = match given.extent {
        Extent::Quick => 5_000,
        Extent::Full => 100_000,
    };
    let imported = import(given, n)?;
    let page = large_page(given)?;
    Ok(format!("{imported}; {page}"))
}

fn import(given: &Given, n: usize) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let file = home.path("notes.jsonl");
    write_notes(&file, n)?;
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    let words = ["import", file.to_str().context("a path")?];

    // Killed somewhere in the middle, it is done again from its beginning.
    let mut killed = home.spawn(SESSION, &words)?;
    thread::sleep(Chance::of(given.seed).millis(0..1_500));
    killed.kill()?;
    killed.wait()?;
    let before = n_notes(&home)?;

    let beside = beside(&home, home.spawn(SESSION, &words)?, n)?;
    let after = n_notes(&home)?;
    ensure!(after == n as u64, "{after} notes of {n}: {before} of them before it was killed");
    let resumed = home.hook(SESSION, "SessionStart", &json!({"source": "resume"}))?;
    ensure!(resumed.context.contains("note"), "no context after the import: {}", resumed.said);
    let exported = export(&home, n)?;
    home.check_sound()?;
    let hook = resumed.took.as_millis();
    Ok(format!(
        "{n} notes, {before} of them before a kill, {beside}; the next hook {hook} ms; {exported}"
    ))
}

/// Adds notes to another session until the importer is done.
fn beside(home: &Home, mut importer: Child, n: usize) -> Result<String> {
    let mut server = home.serve("b0a00000-b0a0-4000-8000-000000000008")?;
    let begin = Instant::now();
    let (mut longest, mut n_beside, mut peak) = (Duration::ZERO, 0, 0);
    while importer.try_wait()?.is_none() {
        let asked = Instant::now();
        let note = json!({"content": format!("beside {n_beside}"), "tags": ["beside"]});
        server.wire.object("add_note", &note)?;
        longest = longest.max(asked.elapsed());
        n_beside += 1;
        peak = peak.max(peak_mb(&importer));
        thread::sleep(Duration::from_millis(20));
    }
    let took = begin.elapsed();
    ensure!(importer.wait()?.success(), "the import failed");
    ensure!(took <= IMPORT, "{n} notes took {took:?}, {IMPORT:?} is allowed");
    ensure!(longest <= BESIDE, "a write beside the import took {longest:?}");
    ensure!(peak <= IMPORT_MB, "the import took {peak} MB");
    let (seconds, longest) = (took.as_secs_f64(), longest.as_millis());
    Ok(format!(
        "in {seconds:.1} s with {peak} MB beside {n_beside} writes, the longest {longest} ms"
    ))
}

/// Lines of notes, as an export writes them.
fn write_notes(file: &Path, n: usize) -> Result<()> {
    let mut to = BufWriter::new(File::create(file)?);
    writeln!(to, "{}", json!({"vademecum": 2, "project": "p"}))?;
    let name = format!("claude-code:{SESSION}");
    let head = json!({"name": name, "started_at": "2026-01-01T00:00:00Z"});
    writeln!(to, "{}", json!({"session": head}))?;
    for (idx, ms) in (0..n).zip(1_767_225_600_000..) {
        let at = Time(ms).to_rfc3339();
        let content = format!("finding {idx}: the retry of queue {} swallows E_DUP", idx % 97);
        let note = json!({"id": format!("note_{ms}"), "content": content,
            "tags": ["bug", format!("area-{}", idx % 50)], "created_at": at, "updated_at": at, "scratched": false});
        writeln!(to, "{}", json!({"note": note}))?;
    }
    Ok(to.flush()?)
}

fn export(home: &Home, n: usize) -> Result<String> {
    let begin = Instant::now();
    let mut child = home.spawn(SESSION, &["export", "--format", "jsonl", "--all"])?;
    let out = BufReader::new(child.stdout.take().context("no stdout")?);
    let (mut n_lines, mut peak) = (0, 0);
    for line in out.split(b'\n') {
        let is_note = line?.starts_with(b"{\"note\":");
        n_lines += usize::from(is_note);
        if n_lines % 1000 == 1 {
            peak = peak.max(peak_mb(&child));
        }
    }
    child.wait()?;
    ensure!(n <= n_lines, "{n_lines} notes were exported of {n}");
    ensure!(peak <= IMPORT_MB, "the export took {peak} MB");
    Ok(format!("exported in {:.1} s with {peak} MB", begin.elapsed().as_secs_f64()))
}

/// The most memory that a process has had, in megabytes; 0 when it has ended.
fn peak_mb(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|rest| rest.trim().split(' ').next()?.parse::<u64>().ok());
    kb.unwrap_or(0) / 1024
}

fn n_notes(home: &Home) -> Result<u64> {
    let Ok(session) = home.known(SESSION) else { return Ok(0) };
    Ok(read(&home.store(), |view| Ok(view.counts(&session.key)?.notes))?)
}

/// A page as an earlier program let in: each start has a context in time, and no call makes such a one.
fn large_page(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    put_page(&home, 200 << 20)?;
    let compacted = home.hook(SESSION, "SessionStart", &json!({"source": "compact"}))?;
    let cut = "bytes shown); read_notepad gives all of it]";
    ensure!(compacted.context.contains(cut), "no head of the page: {compacted:?}");
    ensure!(
        compacted.took <= limit_of("SessionStart"),
        "a page of 200 MB took {:?}",
        compacted.took
    );
    let mut hook = home.spawn(SESSION, &["context"])?;
    let mut peak = 0;
    while hook.try_wait()?.is_none() {
        peak = peak.max(peak_mb(&hook));
    }
    ensure!(peak <= HOOK_MB, "the context of a page of 200 MB took {peak} MB");
    Ok(format!("a page of 200 MB: hook {} ms, context {peak} MB", compacted.took.as_millis()))
}

fn put_page(home: &Home, bytes: usize) -> Result<()> {
    let session = home.known(SESSION)?.key;
    let text = "- [ ] a line of a page that is large\n".repeat(bytes / 37 + 1);
    let splice = Splice::between("", &text);
    let write = Write {
        scope: Scope::Session(session.clone()),
        is_fresh: false,
        id: WriteId::new("large").context("an id")?,
        arguments: [0; 32],
        kind: "write_notepad",
        origin: Origin { surface: Surface::Mcp, author: Author::Agent },
        by: Writer::NONE,
        at: Time(1),
    };
    let change = Change::EditNotepad { session, splice, rev: 1, at: Time(1) };
    let outcome = home.store().write(&write, &mut |_| {
        Ok(Decision::Commit { changes: vec![change.clone()], reply: Value::Null.to_string() })
    })?;
    ensure!(matches!(outcome, Outcome::Done { .. }), "the page was not taken: {outcome:?}");
    Ok(())
}
