//! A store far away: hooks ask what was asked beforehand, and nothing of it is older than what this machine wrote.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use vademecum_core::entry::{Category, Entry, Said, Text};
use vademecum_core::hash::{Hash, Key};
use vademecum_core::id::{EntryId, Seq, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::config::OnSessionEnd;
use vademecum_ops::moments::{self, Answer, answer};
use vademecum_ops::renderings::{self, Rendered, Wanted};
use vademecum_ops::world::OpenStore;
use vademecum_store::store::{Decide, Look};
use vademecum_store::{
    Author, Change, Decision, Depth, EntryFilter, Erase, Health, IntentId, JournalFilter, Origin,
    Outcome, Scope, Store, StoreError, Surface, Write, Writer, read,
};

use crate::moments::{Claude, SESSION, context_of, hook};

const STORE: &str = "postgres://me@far/team";

/// A store at a distance: each way there is counted, and it may be away.
struct Far<'a> {
    store: &'a dyn Store,
    n_ways: AtomicUsize,
    is_away: AtomicBool,
    /// What happens on the way of a read.
    at_read: Option<Box<dyn Fn() + Send + Sync + 'a>>,
}

impl Far<'_> {
    fn way(&self) -> Result<&dyn Store, StoreError> {
        self.n_ways.fetch_add(1, Ordering::SeqCst);
        if self.is_away.load(Ordering::SeqCst) {
            let (place, what) = ("me@far/team".to_owned(), "nobody is there".to_owned());
            return Err(StoreError::Unreachable { place, what });
        }
        Ok(self.store)
    }
}

impl Store for Far<'_> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        let store = self.way()?;
        if let Some(happens) = &self.at_read {
            happens();
        }
        store.read(look)
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        self.way()?.write(write, decide)
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.way()?.wait(after, timeout)
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.way()?.intend(what)
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.way()?.erase(what, fulfils)
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.way()?.shrink()
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.way()?.secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.store.health(depth)
    }
}

/// What a hook answered, how often it asked the store before that, and what became of it.
struct Hooked {
    answer: Answer,
    n_ways: usize,
}

/// A session of a store far away, with a page and notes of its own and what a person wrote beside.
struct Scene {
    claude: Claude,
}

impl Scene {
    fn new() -> Self {
        let scene = Self::empty();
        scene.hooked("SessionStart", &json!({ "source": "startup" }));
        scene.agent("write_notepad", json!({ "content": "# Now\nbuild the parser\n" }));
        scene.agent("add_note", json!({ "content": "flaky on CI", "tags": ["todo"] }));
        scene.agent("add_learning", json!({ "content": "the parser is recursive" }));
        scene
    }

    /// One that has not begun.
    fn empty() -> Self {
        let mut claude = Claude::new();
        let store = OpenStore { name: STORE.to_owned(), person: None };
        claude.desk.world.store = store.into();
        Self { claude }
    }

    fn agent(&self, name: &str, arguments: Value) {
        self.claude.desk.object(name, arguments);
        self.moved();
    }

    fn person(&self, name: &str, arguments: Value) {
        self.claude.person(name, arguments);
        self.moved();
    }

    /// What a process of this machine notes that wrote there.
    fn moved(&self) {
        let newest = read(&self.claude.desk.store, |view| {
            view.records_by(&JournalFilter { limit: 1, ..JournalFilter::default() })
        });
        let seq = newest.expect("a journal").first().map_or(Seq(0), |record| record.seq);
        renderings::moved(&self.claude.desk.world.folders.data, STORE, seq);
    }

    fn key() -> SessionKey {
        SessionKey { harness: "claude-code".to_owned(), external: SESSION.to_owned(), agent: None }
    }

    fn wanted(&self) -> Wanted {
        let wanted = renderings::wanted(&self.claude.desk.world.folders.data, STORE);
        assert_eq!(wanted.len(), 1, "{wanted:?}");
        wanted.into_iter().next().expect("one")
    }

    /// What its keeper does.
    fn keep(&self) {
        let desk = &self.claude.desk;
        let hook = hook((&desk.store, None), &desk.world, &desk.config, Harness::ClaudeCode);
        let seq = renderings::render(&hook, &self.wanted()).expect("a rendering");
        assert!(seq.is_some());
    }

    /// What its keeper notes where nothing was written.
    fn looked(&self) {
        let world = &self.claude.desk.world;
        renderings::looked(world, &self.wanted(), world.now());
    }

    fn hooked(&self, name: &str, more: &Value) -> Hooked {
        self.hooked_at((name, more), false)
    }

    fn hooked_at(&self, (name, more): (&str, &Value), is_away: bool) -> Hooked {
        let desk = &self.claude.desk;
        let payload = self.claude.payload(name, more);
        let event = Event::parse(Harness::ClaudeCode, name, payload.as_bytes()).expect("an event");
        let far = Far {
            store: &desk.store,
            n_ways: AtomicUsize::new(0),
            is_away: is_away.into(),
            at_read: None,
        };
        let rendered = Rendered::of(&far, &desk.world, &event.session_key());
        let hook = hook((&rendered, Some(&rendered)), &desk.world, &desk.config, event.harness);
        let answer = answer(&hook, &event);
        let n_ways = far.n_ways.load(Ordering::SeqCst);
        hook.finish();
        Hooked { answer, n_ways }
    }

    fn take_in(&self) {
        let desk = &self.claude.desk;
        moments::take_in(&desk.store, &desk.world, &desk.config, desk.world.now().plus(1_000));
        self.moved();
    }

    fn n_compactions(&self) -> u32 {
        let session = read(&self.claude.desk.store, |view| view.session(&Self::key()));
        session.expect("a session").expect("one").standing.compactions
    }
}

fn prompt() -> Value {
    json!({ "prompt": "go on" })
}

fn compacted() -> Value {
    json!({ "source": "compact" })
}

#[test]
fn a_prompt_asks_the_store_nothing() {
    let scene = Scene::new();
    let asked = scene.hooked("UserPromptSubmit", &prompt());
    assert_ne!(asked.n_ways, 0);
    scene.keep();
    let Hooked { answer, n_ways } = scene.hooked("UserPromptSubmit", &prompt());
    assert_eq!((answer, n_ways), (Answer::default(), 0));
}

/// What others wrote is told from it, once; that it was told waits for who keeps it.
#[test]
fn news_are_told_from_it_once() {
    let scene = Scene::new();
    scene.person("add_note", json!({ "content": "the runner is slow", "tags": ["ci"] }));
    scene.keep();
    let told = scene.hooked("UserPromptSubmit", &prompt());
    assert!(context_of(&told.answer).contains("the runner is slow"), "{:?}", told.answer);
    assert_eq!((told.n_ways, told.answer.fault), (0, None));
    scene.take_in();
    scene.keep();
    let again = scene.hooked("UserPromptSubmit", &prompt());
    assert_eq!((again.answer, again.n_ways), (Answer::default(), 0));
}

/// A compaction brings the memory back however far the store is, with the same words.
#[test]
fn a_compaction_brings_back_what_the_store_would() {
    let scene = Scene::new();
    scene.keep();
    let near = scene.hooked("SessionStart", &compacted());
    assert_eq!((near.n_ways, &near.answer.fault), (0, &None));
    let context = context_of(&near.answer);
    for kept in ["build the parser", "flaky on CI", "the parser is recursive"] {
        assert!(context.contains(kept), "{context}");
    }
    assert_eq!(scene.n_compactions(), 0);
    scene.take_in();
    assert_eq!(scene.n_compactions(), 1);
    let far = scene.hooked("SessionStart", &compacted());
    assert_ne!(far.n_ways, 0);
    assert_eq!(context_of(&far.answer), context);
    assert_eq!(scene.n_compactions(), 2);
}

#[test]
fn what_this_machine_wrote_since_is_asked_of_the_store() {
    let scene = Scene::new();
    scene.keep();
    scene.agent("write_notepad", json!({ "content": "# Now\nship it\n" }));
    let told = scene.hooked("SessionStart", &compacted());
    assert!(context_of(&told.answer).contains("ship it"), "{:?}", told.answer);
    assert_ne!(told.n_ways, 0);
    // So is what waits on disk, and one that nobody looked after for a while.
    scene.keep();
    scene.claude.desk.clock.fetch_add(9_000, Ordering::SeqCst);
    assert_eq!(scene.hooked("UserPromptSubmit", &prompt()).n_ways, 0);
    scene.looked();
    scene.claude.desk.clock.fetch_add(9_000, Ordering::SeqCst);
    assert_eq!(scene.hooked("UserPromptSubmit", &prompt()).n_ways, 0);
    scene.claude.desk.clock.fetch_add(2_000, Ordering::SeqCst);
    assert_ne!(scene.hooked("UserPromptSubmit", &prompt()).n_ways, 0);
}

/// While the store is away an old one is better than none, and tells how old it is.
#[test]
fn an_old_one_is_told_with_its_time_where_the_store_is_away() {
    let scene = Scene::new();
    scene.keep();
    scene.claude.desk.clock.fetch_add(60_000, Ordering::SeqCst);
    let told = scene.hooked_at(("SessionStart", &compacted()), true);
    let context = context_of(&told.answer);
    assert!(context.contains("build the parser"), "{context}");
    let as_of = "the server of the store does not answer: this is as of 2025-11-21T04:40:00";
    assert!(context.contains(as_of), "{context}");
    assert_eq!(context.matches("fault: ").count(), 1, "{context}");
    let told = scene.hooked_at(("UserPromptSubmit", &prompt()), true);
    let said: Value = serde_json::from_slice(&told.answer.stdout).expect("JSON");
    assert!(said["systemMessage"].as_str().expect("a message").contains(as_of), "{said}");
    assert_eq!(scene.n_compactions(), 0);
    scene.take_in();
    assert_eq!(scene.n_compactions(), 1);
}

#[test]
fn what_is_forgotten_or_over_is_gone_from_the_folder() {
    let scene = Scene::new();
    let folder = scene.claude.desk.world.folders.data.join(renderings::FOLDER);
    let files = || {
        let names = std::fs::read_dir(&folder).expect("a folder");
        let names = names.map(|entry| entry.expect("a file").file_name());
        let mut ends: Vec<String> = names
            .map(|name| name.to_string_lossy().rsplit('.').next().unwrap_or("").to_owned())
            .collect();
        ends.sort();
        ends
    };
    scene.keep();
    scene.looked();
    assert_eq!(files(), ["json", "looked", "moved", "wanted"]);
    renderings::erased(&scene.claude.desk.world.folders.data).expect("erased");
    assert_eq!(files(), ["erased", "looked", "moved", "wanted"]);
    scene.keep();
    scene.hooked("SessionEnd", &json!({ "reason": "other" }));
    assert_eq!(files(), ["erased", "moved"]);
    scene.hooked("UserPromptSubmit", &prompt());
    scene.keep();
    let name = format!("claude-code:{SESSION}");
    scene
        .claude
        .desk
        .person("forget", json!({ "what": "session", "id": name, "yes": true }))
        .expect("forgotten");
    assert_eq!(files(), ["erased", "moved"]);
}

/// What was asked before an erasure is not written behind it, as it may hold what is gone.
#[test]
fn what_was_asked_before_an_erasure_is_not_written() {
    let scene = Scene::new();
    let desk = &scene.claude.desk;
    let erases = Far {
        store: &desk.store,
        n_ways: AtomicUsize::new(0),
        is_away: AtomicBool::new(false),
        at_read: Some(Box::new(|| {
            renderings::erased(&desk.world.folders.data).expect("erased");
        })),
    };
    let erases = hook((&erases, None), &desk.world, &desk.config, Harness::ClaudeCode);
    assert_eq!(renderings::render(&erases, &scene.wanted()).expect("an answer"), None);
    assert!(!renderings::is_kept(&desk.world, &scene.wanted()));
    scene.keep();
    assert!(renderings::is_kept(&desk.world, &scene.wanted()));
}

/// What another person puts out of force they can note with their own sessions alone: who keeps this one's rendering does.
#[test]
fn what_others_put_out_of_force_is_told_once() {
    let scene = Scene::new();
    let desk = &scene.claude.desk;
    let hook = hook((&desk.store, None), &desk.world, &desk.config, Harness::ClaudeCode);
    let follow = |before| {
        let now = moments::follow(&hook, &Scene::key(), before).expect("a look").expect("known");
        scene.moved();
        now
    };
    let before = follow(None);
    let project = read(&desk.store, |view| view.session(&Scene::key()));
    let project = project.expect("a session").expect("one").project;
    let all = EntryFilter { project: Some(project), ..EntryFilter::default() };
    let known = read(&desk.store, |view| view.entries(all, 0)).expect("entries").remove(0);
    let said = Said::bare(Category::Learning, Text::new("the parser is a table").expect("a text"));
    let said = Said { supersedes: Some(known.id), ..said };
    let entry = Entry::new(EntryId(known.id.0 + 1), known.plan, desk.world.now(), said);
    let write = Write {
        scope: Scope::Project(project),
        id: WriteId::new("theirs").expect("an id"),
        is_fresh: true,
        arguments: Hash::default(),
        kind: "add_learning",
        origin: Origin { surface: Surface::Mcp, author: Author::Agent },
        by: Writer::NONE,
        at: desk.world.now(),
    };
    desk.store
        .write(&write, &mut |_| {
            let changes = vec![Change::AddEntry { project, entry: entry.clone() }];
            Ok(Decision::Commit { changes, reply: String::new() })
        })
        .expect("a write");
    let after = follow(Some(&before));
    let told = scene.hooked("UserPromptSubmit", &prompt());
    let context = context_of(&told.answer);
    assert!(
        context.contains("the parser is recursive (superseded by learning: the parser is a table)"),
        "{context}"
    );
    assert_eq!(scene.hooked("UserPromptSubmit", &prompt()).answer, Answer::default());
    assert_eq!(follow(Some(&after)), after);
}

/// A session that is to be erased as it ends is, beside a rendering that stands for the store.
#[test]
fn a_session_that_is_purged_is_gone_from_the_store() {
    let mut scene = Scene::new();
    scene.claude.desk.config.on_session_end = OnSessionEnd::Purge;
    scene.keep();
    let ended = scene.hooked("SessionEnd", &json!({ "reason": "other" }));
    assert_eq!(ended.answer.fault, None);
    let store = &scene.claude.desk.store;
    let known = read(store, |view| Ok((view.session(&Scene::key())?, view.store()?.unfinished)));
    let (session, unfinished) = known.expect("a look");
    assert_eq!((session, unfinished.intents.len()), (None, 0));
}

/// What was forgotten on another machine, and what a keeper that was killed left half written.
#[test]
fn nothing_of_a_forgotten_session_stays_in_the_folder() {
    let scene = Scene::new();
    let data = &scene.claude.desk.world.folders.data;
    let folder = data.join(renderings::FOLDER);
    let holds = || {
        let files = std::fs::read_dir(&folder).expect("a folder");
        let mut texts = files
            .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a text"));
        texts.any(|text| text.contains("build the parser"))
    };
    scene.keep();
    let wanted = scene.wanted();
    let name = std::fs::read_dir(&folder).expect("a folder").find_map(|file| {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        name.strip_suffix(".json").is_some().then_some(name)
    });
    let draft = folder.join(format!("{}.0123456789abcdef.new", name.expect("a rendering")));
    std::fs::write(&draft, "build the parser").expect("a draft");
    renderings::erased(data).expect("erased");
    assert!(!holds(), "{draft:?}");
    scene.keep();
    assert!(holds());
    let desk = &scene.claude.desk;
    desk.store.erase(&Erase::Sessions(vec![Scene::key()]), None).expect("erased");
    let hook = hook((&desk.store, None), &desk.world, &desk.config, Harness::ClaudeCode);
    assert_eq!(renderings::render(&hook, &wanted).expect("a look"), None);
    assert!(!holds());
}

/// A server that is too far away for a start gives what that owes through who keeps the rendering.
#[test]
fn a_start_that_was_too_late_is_told_from_it() {
    for source in ["startup", "clear"] {
        let scene = Scene::empty();
        scene.claude.person("add_learning", json!({ "content": "the parser is recursive" }));
        let start = json!({ "source": source });
        let late = scene.hooked_at(("SessionStart", &start), true);
        assert!(!context_of(&late.answer).contains("is recursive"), "{:?}", late.answer);
        scene.take_in();
        // It is asked for before the store is, which may take all the time that there is.
        let late = scene.hooked_at(("UserPromptSubmit", &prompt()), true);
        assert!(!context_of(&late.answer).contains("is recursive"), "{:?}", late.answer);
        scene.keep();
        let told = scene.hooked("UserPromptSubmit", &prompt());
        let context = context_of(&told.answer);
        assert!(context.contains("the parser is recursive"), "{source}: {context}");
        assert_eq!(told.n_ways, 0, "{source}");
    }
}

/// While the store is away it is asked once, and no page is promised that may be older than what comes back.
#[test]
fn a_store_that_is_away_is_asked_once() {
    let scene = Scene::new();
    scene.keep();
    scene.agent("write_notepad", json!({ "content": "# Now\nship it\n" }));
    let told = scene.hooked_at(("PreCompact", &json!({ "trigger": "auto" })), true);
    let text = String::from_utf8(told.answer.stdout).expect("a text");
    assert!(!text.contains("word for word"), "{text}");
    assert_eq!(told.n_ways, 1);
    // Nor is it waited for again where something waits for it.
    scene.hooked_at(("UserPromptSubmit", &json!({ "prompt": "remember: the port is 8080" })), true);
    let told = scene.hooked_at(("SessionStart", &compacted()), true);
    assert!(context_of(&told.answer).contains("build the parser"), "{:?}", told.answer);
    assert_eq!(told.n_ways, 1);
}

/// A store that was restored has lower numbers than what was written to it before.
#[test]
fn one_of_a_store_that_was_restored_stands() {
    let scene = Scene::new();
    let data = &scene.claude.desk.world.folders.data;
    renderings::moved(data, STORE, Seq(1_000));
    scene.keep();
    assert_ne!(scene.hooked("UserPromptSubmit", &prompt()).n_ways, 0);
    let folder = std::fs::read_dir(data.join(renderings::FOLDER)).expect("a folder");
    let moved = folder.map(|file| file.expect("a file").path());
    let moved = moved.into_iter().find(|path| path.extension().is_some_and(|it| it == "moved"));
    let file = std::fs::File::options().write(true).open(moved.expect("one")).expect("a file");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_hours(1);
    file.set_modified(long_ago).expect("a time");
    scene.keep();
    assert_eq!(scene.hooked("UserPromptSubmit", &prompt()).n_ways, 0);
}
