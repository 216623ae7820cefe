//! What the store's disk does to it: full, read-only, damaged, locked; and that it recovers.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::Given;
use super::client::{Answer, Wire};
use super::home::Home;
use super::ledger;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000004";

/// Whoever is nobody on every Unix that we know.
const NOBODY: u32 = 65534;

pub(super) fn add(wire: &mut Wire, word: &str) -> Result<Answer> {
    wire.call("add_note", &json!({"content": word, "tags": ["finding"]}))
}

/// Adds `n_notes` notes that must be kept; what a ledger says of them.
pub(super) fn add_some(wire: &mut Wire, name: &str, n_notes: usize) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for n in 0..n_notes {
        let word = format!("{name}-{n}");
        match add(wire, &word)? {
            Answer::Done(note) => lines.push(line_of(&note, &word)?),
            Answer::Refused(error) => bail!("refused: {error}"),
        }
    }
    Ok(lines)
}

/// What a ledger says of a note.
pub(super) fn line_of(note: &Value, word: &str) -> Result<String> {
    Ok(format!("note {} {word}", note["id"].as_str().context("no id")?))
}

/// A write must be refused with this kind and these words, by a server and by a command.
fn refused(home: &Home, wire: &mut Wire, kind: &str, words: &str) -> Result<()> {
    let is_right = |error: &Value| {
        error["kind"] == kind && error["message"].as_str().is_some_and(|said| said.contains(words))
    };
    match add(wire, "refused")? {
        Answer::Refused(error) => ensure!(is_right(&error), "the server says {error}"),
        Answer::Done(note) => bail!("acknowledged: {note}"),
    }
    let (error, code) = home.cli(SESSION, &["note", "add", "refused", "--tag", "finding"])?;
    let error = error.get("error").unwrap_or(&error);
    ensure!(code != Some(0) && is_right(error), "the command ended with {code:?}: {error}");
    Ok(())
}

/// Finds each note that was acknowledged in `session`, and no other.
pub(super) fn check(home: &Home, session: &str, acknowledged: &[String]) -> Result<()> {
    let found = ledger::find(home, session)?;
    let broken = ledger::broken(acknowledged, &found);
    ensure!(broken.is_empty(), "{}", broken.join("; "));
    ensure!(found.notes.len() == acknowledged.len(), "{} notes are there", found.notes.len());
    home.check_sound()
}

/// A file system of a few megabytes; unmounted at the end.
pub(super) struct Small<'a>(&'a Path);

impl<'a> Small<'a> {
    pub(super) fn mount(folder: &'a Path, how: &str) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", how, "tmpfs"]).arg(folder);
        ensure!(mount.output()?.status.success(), "no right to mount");
        Ok(Self(folder))
    }

    pub(super) fn grow(&self, how: &str) -> Result<()> {
        let mut mount = Command::new("mount");
        let grown = mount.args(["-o", how]).arg(self.0).output()?;
        ensure!(grown.status.success(), "{}", String::from_utf8_lossy(&grown.stderr));
        Ok(())
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        // Lazily: a server that is being killed may still have files open.
        drop(Command::new("umount").arg("-l").arg(self.0).output());
    }
}

/// The disk fills up under a server, and grows again.
pub(super) fn disk_full(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let folder = home.data();
    let Ok(small) = Small::mount(&folder, "size=2m,mode=700") else {
        return Ok("skipped: no right to mount a small file system here".to_owned());
    };
    let mut server = home.serve(SESSION)?;
    let mut lines = Vec::new();
    let filler = "x".repeat(700);
    let error = loop {
        let word = format!("{filler}{}", lines.len());
        match add(&mut server.wire, &word)? {
            Answer::Done(note) => lines.push(line_of(&note, &word)?),
            Answer::Refused(error) => break error,
        }
        ensure!(lines.len() < 5000, "the disk does not fill up");
    };
    ensure!(error["message"] == "the disk of the store is full", "the server says {error}");
    let listed = server.wire.object("list_notes", &json!({}))?;
    ensure!(listed["total"] == lines.len(), "{} listed of {}", listed["total"], lines.len());
    refused(&home, &mut server.wire, "broken", "full")?;
    check(&home, SESSION, &lines)?;
    let n_before = lines.len();
    small.grow("remount,size=16m")?;
    lines.extend(add_some(&mut server.wire, "after", 20)?);
    check(&home, SESSION, &lines)?;
    Ok(format!("{n_before} acknowledged before the disk was full, 0 lost; 20 more after it grew"))
}

/// The folder and its files become read-only, and writable again.
pub(super) fn read_only(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    // Root may write whatever the modes say.
    let is_root = std::os::unix::fs::chown(home.path("project"), Some(0), None).is_ok();
    let home = if is_root { home.given_to(NOBODY)? } else { home };
    let mut server = home.serve(SESSION)?;
    let mut lines = add_some(&mut server.wire, "before", 20)?;
    drop(server);

    let set = |folder: u32, file: u32| -> Result<()> {
        fs::set_permissions(home.data(), Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(home.data())? {
            fs::set_permissions(entry?.path(), Permissions::from_mode(file))?;
        }
        Ok(fs::set_permissions(home.data(), Permissions::from_mode(folder))?)
    };
    set(0o500, 0o400)?;
    let mut server = home.serve(SESSION)?;
    let listed = server.wire.object("list_notes", &json!({}))?;
    ensure!(listed["total"] == lines.len(), "{} listed", listed["total"]);
    refused(&home, &mut server.wire, "denied", "read-only")?;
    set(0o700, 0o600)?;
    lines.extend(add_some(&mut server.wire, "after", 20)?);
    drop(server);
    check(&home, SESSION, &lines)?;
    Ok("reads go on, writes are refused as read-only; 20 before and 20 after, 0 lost".to_owned())
}

/// Pages of the database are overwritten, and put back.
pub(super) fn corrupt(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let mut server = home.serve(SESSION)?;
    let mut lines = add_some(&mut server.wire, "before", 50)?;
    drop(server);
    // The log goes into the database when the last handle is closed.
    add_and_close(&home)?;
    let database = home.data().join("vade.db");
    let whole = fs::read(&database)?;
    let mut damaged = whole.clone();
    damaged.get_mut(4096..).context("one page only")?.fill(0xa5);
    fs::write(&database, &damaged)?;

    let mut server = home.serve(SESSION)?;
    refused(&home, &mut server.wire, "broken", "damaged")?;
    drop(server);
    ensure!(fs::read(&database)? == damaged, "a damaged store was written to");
    fs::write(&database, &whole)?;
    let mut server = home.serve(SESSION)?;
    lines.extend(add_some(&mut server.wire, "after", 20)?);
    drop(server);
    check(&home, SESSION, &lines)?;
    Ok("refused as damaged, not one byte written; 50 before and 20 after, 0 lost".to_owned())
}

/// Moves the log into the database, as the last one to close does.
fn add_and_close(home: &Home) -> Result<()> {
    use vademecum_store::Store as _;
    home.store().shrink()?;
    Ok(())
}

/// The write lock is held for a while: the write waits and is done, reads do not wait.
pub(super) fn locked(given: &Given) -> Result<String> {
    const HELD: Duration = Duration::from_secs(2);
    let home = Home::new(&given.vade)?;
    let mut server = home.serve(SESSION)?;
    let mut lines = add_some(&mut server.wire, "before", 5)?;
    let lock = File::open(home.data().join("vade.lock"))?;
    lock.lock()?;
    let waiting = server
        .wire
        .ask_tool("add_note", &json!({"content": "while locked", "tags": ["finding"]}))?;
    let begin = Instant::now();
    let (listed, code) = home.cli(SESSION, &["note", "list"])?;
    let read_after = begin.elapsed();
    ensure!(code == Some(0) && listed["total"] == 5, "{code:?}: {listed}");
    ensure!(read_after < HELD, "a reader waited for {read_after:?}");
    thread::sleep(HELD);
    drop(lock);
    let (id, result) = server.wire.next_answer()?;
    ensure!(id == waiting && result["isError"] != true, "refused: {result}");
    lines.push(line_of(&result["structuredContent"], "while locked")?);
    check(&home, SESSION, &lines)?;
    Ok(format!(
        "a writer held the line for {} s: reads took {} ms, the write waited and was kept",
        HELD.as_secs(),
        read_after.as_millis()
    ))
}
