//! Hostile programs, made by chance and run in the sandbox: none may reach a file or another session, outlive its
//! time, or break its parent.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use vademecum_core::time::Time;
use vademecum_ops::identity::Identity;
use vademecum_ops::sandbox;
use vademecum_ops::who::Clues;
use vademecum_ops::world::{Folders, World};
use vademecum_ops::{Call, Caller, Config, registry};
use vademecum_sandbox::{Fault, Limits, Ran, SandboxError};
use vademecum_sqlite::opencode::Opencode;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Author, Origin, Surface};

use super::Chance;
use super::grammar::Grammar;

/// What only a file, the environment and another session hold.
const SECRET: &str = "canary-5f1c0e9d";

/// How long a program may take: most that loop, loop for ever.
const TIME: Duration = Duration::from_millis(100);

/// After so long a program has outlived its time, on a machine that has other things to do.
const TOO_LONG: Duration = Duration::from_secs(20);

/// After so many programs it is looked at what must not have changed.
const ROUND: u64 = 100;

/// Runs so many programs from `seed`, each in a child made of `vade`.
pub(super) fn run(vade: &Path, n_programs: u64, seed: u64) -> Result<()> {
    let place = Outside::new(vade)?;
    let before = place.seen()?;
    let grammar = Grammar::new(&place.config, &place.folder.path().join("home"));
    let (mut figures, mut longest) = (BTreeMap::new(), Duration::ZERO);
    let mut n_calls: u64 = 0;
    for n in 0..n_programs {
        let mut chance = Chance(seed ^ (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let code = grammar.program(&mut chance);
        let begun = Instant::now();
        let ran =
            place.run(&code).with_context(|| format!("program {n} of seed {seed}:\n{code}"))?;
        longest = longest.max(begun.elapsed());
        n_calls += u64::from(ran.calls);
        let end = end(&ran);
        if end == "died" {
            println!("program {n} of seed {seed} killed its child: {}\n{code}", words(&ran));
        }
        *figures.entry(end).or_insert(0_u64) += 1;
        if n % ROUND == ROUND - 1 || n + 1 == n_programs {
            let now = place.seen()?;
            ensure!(now == before, "by program {n} of seed {seed}: {before:?} became {now:?}");
        }
    }
    let figures: Vec<String> = figures.iter().map(|(end, n)| format!("{n} {end}")).collect();
    println!(
        "fuzz sandbox: {n_programs} programs, seed {seed}: {}; {n_calls} calls, the longest took {} ms",
        figures.join(", "),
        longest.as_millis()
    );
    Ok(())
}

fn words(ran: &Ran) -> String {
    ran.outcome.as_ref().err().map(ToString::to_string).unwrap_or_default()
}

/// How a program ended, in a word.
fn end(ran: &Ran) -> &'static str {
    match &ran.outcome {
        Ok(_) => "returned",
        Err(SandboxError::Long { .. }) => "too long",
        Err(SandboxError::Start(_) | SandboxError::Died { .. }) => "died",
        Err(SandboxError::Failed { failure, .. }) => match &failure.fault {
            Fault::Threw { message, .. } if message.starts_with("SyntaxError") => "no program",
            Fault::Threw { .. } => "threw",
            Fault::Time => "over time",
            Fault::Memory => "over memory",
            Fault::Stack => "over stack",
            Fault::Output => "over output",
            Fault::Calls => "over calls",
            Fault::Sent => "over bytes sent",
            Fault::Waits => "waited",
            Fault::Value { .. } => "gave no JSON",
        },
    }
}

/// What a program must not reach, and the store that it works on.
struct Outside {
    folder: TempDir,
    store: Sqlite,
    world: World,
    config: Config,
}

impl Outside {
    fn new(vade: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("vade-fuzz-").tempdir()?;
        let path = |name: &str| folder.path().join(name);
        for name in ["home", "data", "config", "project"] {
            fs::create_dir(path(name))?;
        }
        fs::write(path("home/secret.txt"), SECRET)?;
        let store = Sqlite::at(&path("data/vade.db"), Options::patient());
        let folders = Folders {
            home: path("home"),
            data: path("data"),
            config: path("config"),
            work: path("project"),
        };
        let place = Self { store, world: world(folders, vade), config: Config::default(), folder };
        place.call("theirs", "write_notepad", json!({ "content": SECRET }))?;
        place.call("theirs", "add_note", json!({ "content": SECRET, "tags": ["secret"] }))?;
        Ok(place)
    }

    fn caller(session: &str) -> Caller {
        Caller {
            origin: Origin { surface: Surface::Library, author: Author::Agent },
            clues: Clues { told: Some(format!("fuzz:{session}")), ..Clues::default() },
            write_id: None,
        }
    }

    fn call(&self, session: &str, name: &str, arguments: Value) -> Result<Value> {
        let call = Call::new(&self.store, &self.world, &self.config, Self::caller(session));
        let op = registry::find(name).context("an operation")?;
        Ok(op.run(&call, arguments)?.object)
    }

    /// Runs one program and holds it to what a sandbox promises.
    fn run(&self, code: &str) -> Result<Ran> {
        let call = Call::new(&self.store, &self.world, &self.config, Self::caller("mine"));
        let limits = Limits { time: TIME, calls: 50, ..Limits::default() };
        let begun = Instant::now();
        let ran = catch_unwind(AssertUnwindSafe(|| sandbox::run(&call, code, limits)));
        let Ok(ran) = ran else { bail!("the parent panicked") };
        let ran = ran?;
        ensure!(begun.elapsed() < TOO_LONG, "it took {} ms", begun.elapsed().as_millis());
        let said = format!("{:?} {} {}", ran.outcome, words(&ran), ran.printed);
        ensure!(!said.contains(SECRET), "it has read what it must not: {said}");
        ensure!(ran.calls <= limits.calls, "{} calls", ran.calls);
        ensure!(ran.printed.len() <= limits.output, "{} bytes printed", ran.printed.len());
        Ok(ran)
    }

    /// What must be the same after any program.
    fn seen(&self) -> Result<Vec<String>> {
        let mut seen = vec![
            self.call("theirs", "read_notepad", json!({}))?["content"].to_string(),
            self.call("theirs", "list_notes", json!({}))?["notes"].to_string(),
        ];
        for folder in
            [PathBuf::from("/"), self.folder.path().join("home"), self.folder.path().to_owned()]
        {
            let names = fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name()));
            let mut names = names.collect::<std::io::Result<Vec<_>>>()?;
            names.sort();
            seen.push(format!("{}: {names:?}", folder.display()));
        }
        seen.push(fs::read_to_string(self.folder.path().join("home/secret.txt"))?);
        Ok(seen)
    }
}

fn world(folders: Folders, vade: &Path) -> World {
    let next = AtomicU64::new(1);
    World {
        now: Box::new(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Time(i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
        }),
        east: Box::new(|_| 0),
        new_id: Box::new(move || format!("id-{}", next.fetch_add(1, Ordering::SeqCst))),
        env: Box::new(|_| None),
        folders,
        host_name: "fuzz".to_owned(),
        host_id: Box::new(|| None),
        identity: Identity::default(),
        databases: Box::new(Opencode),
        process_began: Box::new(|_| None),
        process_above: Box::new(|_| None),
        program: Some(vade.to_owned()),
        store: std::sync::OnceLock::new(),
    }
}
