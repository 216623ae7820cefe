//! Whatever the order of hook, person, sub-agent and second client: nothing acknowledged is missing from what
//! the model is shown next.
//!
//! Each play has a fresh store and is told by its number alone. `VADE_PLAYS` says how many are played, on all
//! processors, and `VADE_PLAY` plays one of them again.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use serde_json::{Value, json};
use tempfile::TempDir;
use vademecum_ops::Config;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Author, Store as _, Surface};

use crate::chance::Chance;
use crate::conversation::{Conversation, Meanwhile};
use crate::desk::Desk;
use crate::moments::Claude;

/// So many are played where nobody says how many.
const PLAYS: u64 = 40;

/// So much is done in each of them.
const STEPS: usize = 14;

/// One play in so many makes its store; the others get a copy of an empty one, as making costs a fifth of a play.
const MADE: u64 = 8;

/// How often a hook asks the store at most: somebody else acts before one of these calls, or not at all.
const CALLS: u64 = 24;

/// Who acts beside the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Model,
    Person,
    /// An agent that writes to the same session from another process.
    Client,
    SubAgent,
}

/// What is done.
#[derive(Debug, Clone)]
enum Deed {
    Note(String),
    Append(String),
    Rewrite(String),
    Scratch(String),
    Delete(String),
    Learn(String),
}

/// A deed that was acknowledged.
#[derive(Debug, Clone)]
struct Done {
    who: Who,
    deed: Deed,
    /// The id that the reply names.
    id: String,
}

/// A note as it should be.
#[derive(Debug, Clone)]
struct Noted {
    text: String,
    is_open: bool,
    /// Who changed it last.
    who: Who,
}

struct Play {
    chance: Chance,
    talk: Conversation,
    n: usize,
    notes: BTreeMap<String, Noted>,
    page: Vec<(String, Who)>,
    learned: Vec<String>,
    /// Where the conversation was, since the last compaction.
    marks: Vec<(usize, usize)>,
    /// Whether the user went back: the next resume or compaction tells what was lost by it.
    is_behind: bool,
    n_acknowledged: u64,
    n_looks: u64,
    log: Vec<String>,
}

impl Play {
    fn new(number: u64) -> Self {
        let folder = folder();
        if !number.is_multiple_of(MADE) {
            put_empty_store(&folder.path().join("data"));
        }
        let claude = Claude::of(Desk::within(Config::default(), folder));
        Self {
            chance: Chance::of(number),
            talk: Conversation::new(claude),
            n: 0,
            notes: BTreeMap::new(),
            page: Vec::new(),
            learned: Vec::new(),
            marks: Vec::new(),
            is_behind: false,
            n_acknowledged: 0,
            n_looks: 0,
            log: Vec::new(),
        }
    }

    fn run(&mut self) {
        self.starts("startup");
        self.prompts();
        for _ in 0..STEPS {
            match self.chance.below(14) {
                0..4 => self.does(Who::Model),
                4..6 => self.does(Who::Person),
                6 => self.does(Who::Client),
                7 => self.does(Who::SubAgent),
                8..10 => self.prompts(),
                10 => self.starts("compact"),
                11 => self.resumes(),
                12 => self.goes_back(),
                _ => self.begins_anew(),
            }
        }
        self.resumes();
        self.starts("compact");
    }

    /// Something that `who` may do now.
    fn deed(&mut self, who: Who) -> Deed {
        self.n += 1;
        let text = format!("marker{}x", self.n);
        let open: Vec<&String> =
            self.notes.iter().filter(|(_, note)| note.is_open).map(|(id, _)| id).collect();
        let some = (!open.is_empty()).then(|| {
            let place = self.chance.below(open.len() as u64);
            open[usize::try_from(place).expect("a place")].clone()
        });
        match (who, self.chance.below(6), some) {
            (Who::SubAgent, ..) | (_, 5, _) => Deed::Learn(text),
            (_, 4, Some(id)) => Deed::Scratch(id),
            (_, 3, Some(id)) => Deed::Delete(id),
            (_, 2, _) => Deed::Rewrite(text),
            (_, 1, _) => Deed::Append(text),
            _ => Deed::Note(text),
        }
    }

    fn does(&mut self, who: Who) {
        let deed = self.deed(who);
        self.log.push(format!("{who:?} {deed:?}"));
        let done = if who == Who::Model {
            let (name, arguments) = call(&deed);
            let reply = self.talk.calls(name, &arguments);
            Done { who, id: id(&reply, &deed), deed }
        } else {
            act(&self.talk, who, deed)
        };
        self.takes(done);
    }

    /// What was acknowledged is so from now on.
    fn takes(&mut self, Done { who, deed, id }: Done) {
        self.n_acknowledged += 1;
        match deed {
            Deed::Note(text) => {
                self.notes.insert(id, Noted { text, is_open: true, who });
            }
            Deed::Scratch(_) | Deed::Delete(_) => {
                if let Some(note) = self.notes.get_mut(&id) {
                    (note.is_open, note.who) = (false, who);
                }
            }
            Deed::Append(text) => self.page.push((text, who)),
            Deed::Rewrite(text) => self.page = vec![(text, who)],
            Deed::Learn(text) => self.learned.push(text),
        }
    }

    /// A hook runs while somebody else may act; what they did, once it is over.
    fn hook(&mut self, run: impl FnOnce(&mut Conversation, Meanwhile<'_>) -> String) -> Vec<Done> {
        let at = usize::try_from(self.chance.below(2 * CALLS)).expect("a call");
        let who = [Who::Person, Who::Client, Who::SubAgent]
            [usize::try_from(self.chance.below(3)).expect("a place")];
        let deed = self.deed(who);
        let done = Mutex::new(Vec::new());
        let other = |talk: &Conversation| {
            done.lock().expect("no panic").push(act(talk, who, deed.clone()));
        };
        let said = run(&mut self.talk, Meanwhile { at, act: &other });
        let done = done.into_inner().expect("no panic");
        self.log.push(format!("hook said {said:?}, meanwhile before call {at}: {done:?}"));
        if 0 < self.talk.mark() {
            self.marks.push((self.talk.mark(), self.talk.before_it.len()));
        }
        done
    }

    fn prompts(&mut self) {
        let done = self.hook(|talk, meanwhile| talk.prompt_while(meanwhile).context);
        if !self.is_behind {
            self.check(&done, |who| who != Who::Client);
        }
        for done in done {
            self.takes(done);
        }
    }

    fn starts(&mut self, source: &str) {
        if source == "compact" {
            self.marks.clear();
        }
        let done = self.hook(|talk, meanwhile| talk.starts_while(source, meanwhile).context);
        self.is_behind = false;
        self.check(&done, |_| true);
        self.check_learned(source, &done);
        for done in done {
            self.takes(done);
        }
    }

    fn resumes(&mut self) {
        for _ in 0..self.chance.below(2) {
            self.starts("resume");
            self.talk.stops();
        }
        self.starts("resume");
        self.prompts();
    }

    /// The user goes back to where the conversation was before.
    fn goes_back(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        let place = self.chance.below(self.marks.len() as u64);
        let (line, n_before) = self.marks[usize::try_from(place).expect("a place")];
        self.marks.truncate(usize::try_from(place).expect("a place"));
        self.talk.goes_back(line, n_before);
        self.log.push(format!("back to line {line}"));
        self.is_behind = true;
    }

    /// The session ends, and another one of the project begins.
    fn begins_anew(&mut self) {
        self.talk.claude.event("SessionEnd", &json!({ "reason": "other" }));
        let next: &'static str = Box::leak(format!("session-{}", self.n).into_boxed_str());
        self.talk.becomes(next);
        self.notes.clear();
        self.page.clear();
        self.marks.clear();
        self.n += 1;
        self.starts("startup");
        self.prompts();
    }

    /// All that `is_told` to the model stands before it; what was done meanwhile may.
    fn check(&mut self, meanwhile: &[Done], is_told: impl Fn(Who) -> bool) {
        self.n_looks += 1;
        let before = self.talk.request();
        let is_touched = |id: &str| meanwhile.iter().any(|done| done.id == id);
        for (id, note) in self.notes.iter().filter(|(_, note)| is_told(note.who)) {
            let is_right = match before.rfind(&note.text) {
                at if note.is_open => at.is_some(),
                None => true,
                // It is said behind it, or the model's own call stands there.
                Some(at) => {
                    let says =
                        |line: &str| line.contains(id) && line.ends_with(" crossed out or deleted");
                    let call = format!("\"id\":\"{id}\"");
                    before[at..].lines().any(|line| says(line) || line.contains(&call))
                }
            };
            assert!(is_right || is_touched(id), "{id} {note:?} in\n{}", self.told());
        }
        let is_page_touched =
            meanwhile.iter().any(|done| matches!(done.deed, Deed::Append(_) | Deed::Rewrite(_)));
        for (line, _) in self.page.iter().filter(|(_, who)| is_told(*who)) {
            assert!(before.contains(line) || is_page_touched, "page {line} in\n{}", self.told());
        }
    }

    /// All that the project knows is named to the model, or counted.
    fn check_learned(&self, source: &str, meanwhile: &[Done]) {
        let before = self.talk.request();
        let headings = before.split("\nThis project ").skip(1).map(|block| {
            let counts = block.split_once('(').map_or("", |(_, counts)| counts);
            let n: usize = counts.split(' ').next().and_then(|n| n.parse().ok()).expect("a count");
            let named = block.lines().skip(1).take_while(|line| line.starts_with("- learning: "));
            (n, n - named.count())
        });
        let headings: Vec<(usize, usize)> = headings.collect();
        let n_unnamed = self.learned.iter().filter(|text| !before.contains(*text)).count();
        let n_counted: usize = headings.iter().map(|(_, unnamed)| unnamed).sum();
        assert!(n_unnamed <= n_counted, "{n_unnamed} of {n_counted} in\n{}", self.told());
        if source != "resume" {
            let may_be = self.learned.len()..=self.learned.len() + meanwhile.len();
            let n = headings.first().map_or(0, |(n, _)| *n);
            assert!(may_be.contains(&n) || 20 <= n, "{n} of {may_be:?} in\n{}", self.told());
        }
    }

    fn told(&self) -> String {
        format!("{}\n\n{}", self.talk.request(), self.log.join("\n"))
    }
}

/// The call that does it.
fn call(deed: &Deed) -> (&'static str, Value) {
    match deed {
        Deed::Note(text) => ("add_note", json!({ "content": text, "tags": ["rule"] })),
        Deed::Append(text) => {
            ("update_notepad", json!({ "operation": "append", "content": format!("{text}\n") }))
        }
        Deed::Rewrite(text) => ("write_notepad", json!({ "content": format!("{text}\n") })),
        Deed::Scratch(id) => ("scratch_note", json!({ "id": id, "scratched": true })),
        Deed::Delete(id) => ("delete_note", json!({ "id": id })),
        Deed::Learn(text) => ("add_learning", json!({ "content": text })),
    }
}

/// Somebody but the model does it.
fn act(talk: &Conversation, who: Who, deed: Deed) -> Done {
    let (name, arguments) = call(&deed);
    let reply = match who {
        Who::Person => talk.person(name, &arguments),
        Who::SubAgent => talk.sub_agent(name, &arguments),
        Who::Model | Who::Client => talk.asks(Author::Agent, Surface::Mcp, None, name, &arguments),
    };
    Done { who, id: id(&reply, &deed), deed }
}

fn id(reply: &Value, deed: &Deed) -> String {
    match deed {
        Deed::Scratch(id) | Deed::Delete(id) => id.clone(),
        _ => reply["id"].as_str().unwrap_or_default().to_owned(),
    }
}

#[expect(clippy::disallowed_methods, reason = "how long is played is no part of the play")]
fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A folder in memory, where the machine has one.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// Puts a store there in which nothing is kept yet.
fn put_empty_store(data: &Path) {
    static EMPTY: OnceLock<TempDir> = OnceLock::new();
    let empty = EMPTY.get_or_init(|| {
        let folder = folder();
        let store = Sqlite::at(&folder.path().join("vade.db"), Options::patient());
        store.shrink().expect("a store");
        folder
    });
    std::fs::create_dir(data).expect("a folder");
    for name in ["vade.db", "vade.key"] {
        std::fs::copy(empty.path().join(name), data.join(name)).expect("a copy");
    }
}

/// What was played.
#[derive(Debug, Default)]
struct Figures {
    plays: AtomicU64,
    acknowledged: AtomicU64,
    looks: AtomicU64,
}

impl Figures {
    fn add(&self, play: &Play) {
        self.plays.fetch_add(1, Ordering::Relaxed);
        self.acknowledged.fetch_add(play.n_acknowledged, Ordering::Relaxed);
        self.looks.fetch_add(play.n_looks, Ordering::Relaxed);
    }
}

/// Plays those that are left until one fails.
fn play(next: &AtomicU64, end: u64, figures: &Figures) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if end <= number {
            return;
        }
        let played = std::panic::catch_unwind(|| {
            let mut play = Play::new(number);
            play.run();
            figures.add(&play);
        });
        if played.is_err() {
            next.store(end, Ordering::Relaxed);
        }
        assert!(played.is_ok(), "play {number} fails: VADE_PLAY={number} plays it again");
    }
}

#[test]
fn nothing_acknowledged_is_missing_from_what_is_shown_next() {
    let plays = match given("VADE_PLAY") {
        Some(one) => one..one + 1,
        None => 0..given("VADE_PLAYS").unwrap_or(PLAYS),
    };
    let figures = Figures::default();
    let next = AtomicU64::new(plays.start);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| play(&next, plays.end, &figures));
        }
    });
    println!("{figures:?}");
}
