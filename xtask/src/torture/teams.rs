//! Groups of clients of one PostgreSQL server, each with a data folder, a project, a clock and a way to it of their own.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::client::Server;
use super::figures::Waits;
use super::home::Home;
use super::ledger;
use crate::postgres::PERSON;

/// The clients of one group, half of them in each of its sessions.
pub(super) const CLIENTS: usize = 8;

/// Every so many writes append to the page.
const PAGE: usize = 50;

/// What a call may take, whatever happens to the server.
pub(super) const LIMIT: Duration = Duration::from_secs(12);

/// A year of the shim, in seconds.
const YEAR: i64 = 31_557_600;

/// One group.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) home: Home,
    pub(super) sessions: [String; 2],
    store: String,
}

/// What one client was told is kept, line by line as a ledger has it, and how long each took.
pub(super) struct Told {
    session: String,
    lines: Vec<String>,
    waits: Waits,
}

impl Group {
    /// Group `n`, whose program finds the server at `place` and the password where PostgreSQL's own programs do.
    pub(super) fn new(
        vade: &Path,
        password: &str,
        place: &str,
        (n, name): (usize, &'static str),
    ) -> Result<Self> {
        let home = Home::new(vade)?;
        let key = home.path("pgpass");
        fs::write(&key, format!("*:*:*:{PERSON}:{password}\n"))?;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600))?;
        let store = format!("postgres://{PERSON}@{place}");
        let home = home.with("VADE_STORE", &store).with("PGPASSFILE", key);
        let session = |half: usize| format!("5aa00000-5aa0-4000-8000-2000000000{n}{half}");
        Ok(Self { name, home, sessions: [session(0), session(1)], store })
    }

    /// The same with a clock that is so many years off.
    pub(super) fn off_by(self, years: i64, shim: &Path) -> Self {
        let home = self.home.with("LD_PRELOAD", shim);
        Self { home: home.with("CLOCK_SHIFT", (years * YEAR).to_string()), ..self }
    }
}

/// How far the writers are.
#[derive(Default)]
pub(super) struct Progress {
    n_done: AtomicUsize,
    is_over: AtomicBool,
}

impl Progress {
    /// How much is written.
    pub(super) fn n_done(&self) -> usize {
        self.n_done.load(Ordering::Relaxed)
    }

    /// Whether all is written, or somebody was refused.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Lets all write while `meanwhile` does what it does; what each was told.
pub(super) fn write_all<T>(
    groups: &[Group],
    meanwhile: impl FnOnce(&Progress) -> Result<T>,
) -> Result<(Vec<Told>, T)> {
    let mut servers = Vec::new();
    for (group, n) in groups.iter().flat_map(|group| (0..CLIENTS).map(move |n| (group, n))) {
        let session = group.sessions[n % group.sessions.len()].as_str();
        servers.push((group.home.serve(session)?, session, format!("{} {n}", group.name)));
    }
    let progress = &Progress::default();
    thread::scope(|scope| {
        let work = |(server, session, name): (Server, &str, String)| {
            let told = write(server, (session, &name), progress);
            if told.is_err() {
                progress.end();
            }
            told.with_context(|| format!("client {name}"))
        };
        let writers: Vec<_> =
            servers.into_iter().map(|one| scope.spawn(move || work(one))).collect();
        let done = meanwhile(progress);
        progress.end();
        let ended = writers.into_iter().map(|one| one.join().expect("no writer panics"));
        let told: Result<Vec<Told>> = ended.collect();
        // What was to happen meanwhile has failed first, if it did.
        let done = done?;
        Ok((told?, done))
    })
}

/// Writes until it is over; a refusal is a broken promise, and so is an answer that takes too long.
fn write(mut server: Server, (session, name): (&str, &str), progress: &Progress) -> Result<Told> {
    let (mut lines, mut waits) = (Vec::new(), Waits::default());
    for n in 0.. {
        let word = format!("{name} write {n}");
        let begin = Instant::now();
        if n % PAGE == PAGE - 1 {
            let edit = json!({"operation": "append", "content": format!("\n{word}")});
            server.wire.object("update_notepad", &edit).with_context(|| word.clone())?;
            lines.push(format!("page {word}"));
        } else {
            let note = json!({"content": word, "tags": ["finding"]});
            let answer = server.wire.object("add_note", &note).with_context(|| word.clone())?;
            lines.push(format!("note {} {word}", answer["id"].as_str().context("no id")?));
        }
        let took = begin.elapsed();
        ensure!(took <= LIMIT, "{word} took {:.1} s", took.as_secs_f64());
        waits.push(took);
        progress.n_done.fetch_add(1, Ordering::Relaxed);
        if progress.is_over() {
            break;
        }
    }
    Ok(Told { session: session.to_owned(), lines, waits })
}

/// How much was acknowledged, and how long it took.
pub(super) fn sum(told: Vec<Told>) -> (usize, Waits) {
    let (mut n, mut waits) = (0, Waits::default());
    for one in told {
        n += one.lines.len();
        waits.append(one.waits);
    }
    (n, waits)
}

/// Copies the store into a file, and looks for all that was acknowledged: what was lost, and what is there twice.
pub(super) fn broken(groups: &[Group], vade: &Path, told: &[Told]) -> Result<Vec<String>> {
    let copy = Home::new(vade)?;
    fs::create_dir_all(copy.data())?;
    let file = copy.data().join("vade.db");
    let file = file.to_str().context("a path in UTF-8")?;
    let [first, ..] = groups else { anyhow::bail!("no group") };
    for words in [["store", "copy", &first.store, file], ["store", "check", &first.store, file]] {
        let output = first.home.output(&first.sessions[0], &words)?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{words:?}: {said}");
    }
    copy.check_sound()?;
    let mut by_session = BTreeMap::<&str, Vec<String>>::new();
    for one in told {
        by_session.entry(&one.session).or_default().extend_from_slice(&one.lines);
    }
    let mut broken = Vec::new();
    for (session, lines) in by_session {
        let found = ledger::find(&copy, session)?;
        broken.extend(ledger::broken(&lines, &found));
        let mut page: Vec<&str> = found.page.lines().filter(|line| !line.is_empty()).collect();
        page.sort_unstable();
        let doubled = page.windows(2).filter(|two| two[0] == two[1]);
        broken.extend(doubled.map(|two| format!("doubled: page {}", two[0])));
        // What was refused was promised not to be there.
        let is_refused = |content: &str| content == super::restarts::REFUSED;
        let kept = found.notes.iter().filter(|(_, content)| is_refused(content));
        broken.extend(kept.map(|(id, _)| format!("kept though refused: {id}")));
    }
    Ok(broken)
}
