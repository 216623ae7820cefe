//! Random sequences of operations give the same answers on both engines, search included.
//!
//! Each sequence is told by its number alone. It runs on SQLite, is recorded, and runs once more on `memory:` in
//! folders of the same names. `VADE_TWINS` says how many sequences are played, on all processors, `VADE_TWINS_FROM`
//! the first of them; `VADE_TWIN` plays one of them and, where it fails, leaves out what is not needed for that.

mod about_notes;
mod about_plans;
mod end;
mod keeping;
mod moments;
mod plot;
mod server;
mod stage;
mod step;
mod words;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use serde_json::{Value, json};
use tempfile::TempDir;
use vademecum_core::hash::{Hash, Key};
use vademecum_core::id::{ProjectId, WriteId};
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::time::Time;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, Memory, Origin, Scope, Store, Surface, Write, Writer,
};

use self::plot::{FOLDERS, Plot};
use self::stage::{Engine, Stage};
use self::step::{Deed, Step};
use crate::chance;

/// So many are played where nobody says how many.
const TWINS: u64 = 12;

/// The fewest steps of a sequence, and how many more it may have.
const STEPS: (u64, u64) = (20, 40);

/// A folder in memory, where the machine has one.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// SQLite in a folder.
struct OnDisk(PathBuf);

impl Engine for OnDisk {
    type Store = Sqlite;

    fn handle(&self, is_brief: bool) -> Sqlite {
        // A machine that is busy must not make a hook give up: the other engine waits for nobody.
        Sqlite::at(&self.0.join("vade.db"), Options { is_brief, ..Options::patient() })
    }
}

/// The engine `memory:`.
struct InMemory(Memory);

impl Engine for InMemory {
    type Store = Memory;

    fn handle(&self, _is_brief: bool) -> Memory {
        self.0.clone()
    }
}

/// Makes a project known, so that neither store is new and each has its key.
fn open(store: &dyn Store) {
    let key =
        ProjectKey { kind: KeyKind::Folder, machine: None, value: b"/home/dev/elsewhere".to_vec() };
    let at = Time(1_763_600_000_000);
    let change = Change::AddProject {
        id: ProjectId([7; 16]),
        name: "elsewhere".to_owned(),
        keys: vec![key],
        at,
    };
    let id = WriteId::new("first").expect("an id");
    let origin = Origin { surface: Surface::Library, author: Author::Tool };
    let write = Write {
        scope: Scope::Store,
        is_fresh: false,
        id,
        arguments: Hash::default(),
        kind: "begin_project",
        origin,
        by: Writer::NONE,
        at,
    };
    let decide = &mut |_: &dyn vademecum_store::View| {
        Ok(Decision::Commit { changes: vec![change.clone()], reply: "null".to_owned() })
    };
    store.write(&write, decide).expect("a write");
}

/// The files of an opened store, and its key: making one costs as much as a good part of a sequence.
fn opened() -> &'static (TempDir, Key) {
    static OPENED: OnceLock<(TempDir, Key)> = OnceLock::new();
    OPENED.get_or_init(|| {
        let folder = folder();
        let store = OnDisk(folder.path().to_owned()).handle(false);
        open(&store);
        store.shrink().expect("a store");
        let key = store.secret().expect("a key").expect("a key");
        drop(store);
        (folder, key)
    })
}

fn on_disk(root: &Path) -> Stage<OnDisk> {
    let data = root.join("data");
    std::fs::create_dir_all(&data).expect("a folder");
    for name in ["vade.db", "vade.key"] {
        std::fs::copy(opened().0.path().join(name), data.join(name)).expect("a copy");
    }
    Stage::new(root, OnDisk(data))
}

fn in_memory(root: &Path) -> Stage<InMemory> {
    in_memory_with(root, opened().1.clone())
}

fn in_memory_with(root: &Path, key: Key) -> Stage<InMemory> {
    let memory = Memory::new(key);
    open(&memory);
    Stage::new(root, InMemory(memory))
}

/// How often each kind of step was done, and how often refused.
type Figures = BTreeMap<&'static str, (u64, u64)>;

fn count(figures: &mut Figures, steps: &[Step], replies: &[Value]) {
    for (step, reply) in steps.iter().zip(replies) {
        let name = match &step.deed {
            Deed::Call(asked) => asked.operation,
            Deed::Hook(happened) => happened.name,
            Deed::Child(..) => "begin_child",
            Deed::Move(..) => "move",
            Deed::Clock(_) | Deed::Lines(..) => continue,
        };
        let is_refused = reply["error"].is_string() || reply["fault"].is_string();
        let (done, refused) = figures.entry(name).or_default();
        *(if is_refused { refused } else { done }) += 1;
    }
}

/// What a sequence answered: each step, and all that is kept at the end.
#[derive(Debug, Default)]
struct Played {
    replies: Vec<Value>,
    exports: Vec<Value>,
    end: Vec<String>,
}

fn ended<E: Engine>(mut stage: Stage<E>, replies: Vec<Value>) -> Played {
    stage.asks("one", "switch_on", json!({ "all": true }));
    let exports = FOLDERS.iter().flat_map(|folder| {
        let all = json!({ "format": "json", "all": true });
        [stage.asks(folder, "export", all), stage.asks(folder, "list_projects", json!({}))]
    });
    let exports = exports.collect();
    Played { replies, exports, end: end::told(&stage.store) }
}

/// Plays these steps on an engine.
fn replay<E: Engine>(mut stage: Stage<E>, steps: &[Step]) -> Played {
    let replies = steps.iter().map(|step| stage.does(step)).collect();
    ended(stage, replies)
}

/// Makes the sequence of a number while it plays it.
fn make<E: Engine>(mut stage: Stage<E>, number: u64) -> (Vec<Step>, Played) {
    let mut plot = Plot::new(number);
    let mut chance = chance::Chance::of(!number);
    let n = STEPS.0 + chance.below(STEPS.1);
    let (mut steps, mut replies) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let step = plot.next();
        let reply = stage.does(&step);
        plot.hears(&step, &reply);
        steps.push(step);
        replies.push(reply);
    }
    (steps, ended(stage, replies))
}

/// Runs `play` in a new folder that always has the same name.
fn within<T>(folder: &TempDir, play: impl FnOnce(&Path) -> T) -> T {
    let root = folder.path().join("play");
    std::fs::create_dir(&root).expect("a folder");
    let played = play(&root);
    std::fs::remove_dir_all(&root).expect("a folder");
    played
}

/// The first step in which the two differ, and how; the number of steps where that is only seen at the end.
fn difference(steps: &[Step], one: &Played, other: &Played) -> Option<(usize, String)> {
    let show = |what: &str, one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
        format!("{what}\n  disk    {one:?}\n  memory: {other:?}")
    };
    let replies = one.replies.iter().zip(&other.replies);
    if let Some((at, (one, other))) = replies.enumerate().find(|(_, (one, other))| one != other) {
        return Some((at, show("an answer", one, other)));
    }
    let exports = one.exports.iter().zip(&other.exports).find(|(one, other)| one != other);
    if let Some((one, other)) = exports {
        return Some((steps.len(), show("an export", one, other)));
    }
    let nothing = String::new();
    (0..one.end.len().max(other.end.len())).find_map(|at| {
        let line = |of: &Played| of.end.get(at).unwrap_or(&nothing).clone();
        (line(one) != line(other)).then(|| (steps.len(), show("the end", &line(one), &line(other))))
    })
}

/// Whether both engines differ on these steps, and how.
fn differs(folder: &TempDir, steps: &[Step]) -> Option<(usize, String)> {
    let one = within(folder, |root| replay(on_disk(root), steps));
    let other = within(folder, |root| replay(in_memory(root), steps));
    difference(steps, &one, &other)
}

/// The fewest first steps that show a difference.
fn shortest(folder: &TempDir, steps: &[Step], at: usize) -> Vec<Step> {
    let n = if at < steps.len() {
        at + 1
    } else {
        (1..steps.len()).find(|n| differs(folder, &steps[..*n]).is_some()).unwrap_or(steps.len())
    };
    steps[..n].to_vec()
}

/// The same without each step that the difference does not need.
fn thinned(folder: &TempDir, mut steps: Vec<Step>) -> Vec<Step> {
    for at in (0..steps.len()).rev() {
        let mut fewer = steps.clone();
        fewer.remove(at);
        if differs(folder, &fewer).is_some() {
            steps = fewer;
        }
    }
    steps
}

/// Plays the sequence of a number on both engines; what was done in it.
fn play(number: u64, is_thinned: bool) -> Result<Figures, String> {
    let folder = folder();
    let (steps, one) = within(&folder, |root| make(on_disk(root), number));
    let other = within(&folder, |root| replay(in_memory(root), &steps));
    let Some((at, _)) = difference(&steps, &one, &other) else {
        let mut figures = Figures::new();
        count(&mut figures, &steps, &one.replies);
        return Ok(figures);
    };
    let mut steps = shortest(&folder, &steps, at);
    if is_thinned {
        steps = thinned(&folder, steps);
    }
    let (_, how) = differs(&folder, &steps).unwrap_or_default();
    let steps: Vec<String> = steps.iter().map(|step| format!("  {step:?}")).collect();
    Err(format!(
        "sequence {number}, shown by these {} steps:\n{}\n{how}",
        steps.len(),
        steps.join("\n")
    ))
}

#[expect(clippy::disallowed_methods, reason = "how long is played is no part of the play")]
fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// What all threads have played.
#[derive(Debug, Default)]
struct All {
    figures: Figures,
    /// How the first sequence that failed did so.
    failed: Option<String>,
}

/// Plays those that are left until one fails.
fn play_on(next: &AtomicU64, end: u64, is_thinned: bool, all: &Mutex<All>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if end <= number {
            return;
        }
        let played = std::panic::catch_unwind(|| play(number, is_thinned));
        let played = played.unwrap_or_else(|_| Err(format!("sequence {number} panics")));
        let mut all = all.lock().expect("no panic");
        match played {
            Ok(figures) => {
                for (name, (done, refused)) in figures {
                    let (all_done, all_refused) = all.figures.entry(name).or_default();
                    (*all_done, *all_refused) = (*all_done + done, *all_refused + refused);
                }
            }
            Err(how) => {
                next.store(end, Ordering::Relaxed);
                all.failed = Some(format!("{how}\nVADE_TWIN={number} plays it again"));
            }
        }
    }
}

#[test]
fn both_engines_answer_the_same() {
    let first = given("VADE_TWINS_FROM").unwrap_or(0);
    let (twins, is_thinned) = match given("VADE_TWIN") {
        Some(one) => (one..one + 1, true),
        None => (first..first + given("VADE_TWINS").unwrap_or(TWINS), false),
    };
    let (next, all) = (AtomicU64::new(twins.start), Mutex::default());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| play_on(&next, twins.end, is_thinned, &all));
        }
    });
    let All { figures, failed } = all.into_inner().expect("no panic");
    if let Some(how) = failed {
        panic!("{how}");
    }
    println!("{} sequences, done and refused: {figures:?}", twins.end - twins.start);
}
