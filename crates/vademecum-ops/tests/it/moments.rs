//! The moments of Claude Code: what each puts in front of the model, and what it notes.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_core::id::{Seq, WriteId};
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::config::{Config, Profile};
use vademecum_ops::moments::{Answer, Hook, Later, answer, cap};
use vademecum_ops::renderings::Rendered;
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller, World, registry};
use vademecum_store::{Author, Origin, Store, Surface};

use crate::desk::Desk;

pub(crate) const SESSION: &str = "752d4c1e-0000-4000-8000-000000000001";

/// Answers as a hook does, to the end; no machine is too slow for a test, whose clock stands still.
pub(crate) fn hooked(
    store: &dyn Store,
    world: &World,
    config: &Config,
    event: &Event<'_>,
) -> Answer {
    let hook = hook((store, None), world, config, event.harness);
    let answer = answer(&hook, event);
    hook.finish();
    answer
}

/// A hook with all the time that it needs.
pub(crate) fn hook<'a>(
    (store, rendered): (&'a dyn Store, Option<&'a Rendered<'a>>),
    world: &'a World,
    config: &'a Config,
    harness: Harness,
) -> Hook<'a> {
    let recap_until = (world.now)().plus(60_000);
    let (config_fault, cap, later) = (None, cap(harness), Later::default());
    let drain_until = recap_until;
    Hook { store, rendered, world, config, config_fault, cap, recap_until, drain_until, later }
}

/// A record of Claude Code that tells of an answer and its tokens.
fn usage_line(tokens: u64, answer: &str, at: i64) -> String {
    let usage = json!({"input_tokens": tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 0});
    let message = json!({"id": answer, "model": "claude-sonnet-5", "usage": usage});
    let at = vademecum_core::time::Time(at);
    let line = json!({"type": "assistant", "timestamp": at.to_rfc3339(), "isSidechain": false, "message": message});
    format!("{line}\n")
}

/// A Claude Code with one session in the folder of a desk.
pub(crate) struct Claude {
    pub(crate) desk: Desk,
    pub(crate) session: &'static str,
}

impl Claude {
    pub(crate) fn with(config: Config) -> Self {
        Self::of(Desk::with(config))
    }

    pub(crate) fn of(mut desk: Desk) -> Self {
        desk.session = Some(format!("claude-code:{SESSION}"));
        desk.world.env =
            Box::new(|name| (name == "CLAUDE_CODE_AUTO_COMPACT_WINDOW").then(|| "100000".into()));
        Self { desk, session: SESSION }
    }

    pub(crate) fn new() -> Self {
        Self::with(Config::default())
    }

    pub(crate) fn transcript(&self) -> PathBuf {
        self.desk.folder().join("transcript.jsonl")
    }

    /// Lets the harness's record end with an answer that used so many tokens, given now.
    pub(crate) fn used(&self, tokens: u64, answer: &str) {
        self.used_at(tokens, answer, self.desk.clock.fetch_add(1, Ordering::SeqCst) + 1);
    }

    /// The same for an answer given at `at`, in milliseconds; a record is written late.
    fn used_at(&self, tokens: u64, answer: &str, at: i64) {
        std::fs::write(self.transcript(), usage_line(tokens, answer, at)).expect("a file");
    }

    /// The same behind what the record holds already.
    pub(crate) fn fills(&self, tokens: u64, answer: &str) {
        let at = self.desk.clock.fetch_add(1, Ordering::SeqCst) + 1;
        let before = std::fs::read_to_string(self.transcript()).expect("a file");
        let line = usage_line(tokens, answer, at);
        std::fs::write(self.transcript(), format!("{before}{line}")).expect("a file");
    }

    pub(crate) fn event(&self, name: &str, more: &Value) -> Answer {
        self.event_on(&self.desk.store, name, more)
    }

    /// The same on another way to the store.
    pub(crate) fn event_on(&self, store: &dyn Store, name: &str, more: &Value) -> Answer {
        let Desk { world, config, .. } = &self.desk;
        let payload = self.payload(name, more);
        let event = Event::parse(Harness::ClaudeCode, name, payload.as_bytes()).expect("an event");
        hooked(store, world, config, &event)
    }

    /// What the harness tells a hook.
    pub(crate) fn payload(&self, name: &str, more: &Value) -> String {
        let mut payload = json!({
            "session_id": self.session,
            "transcript_path": self.transcript(),
            "cwd": self.desk.world.folders.work,
            "hook_event_name": name,
        });
        let object = payload.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        payload.to_string()
    }

    /// What the model gets at an event; empty if nothing.
    #[track_caller]
    pub(crate) fn context(&self, name: &str, more: &Value) -> String {
        let answer = self.event(name, more);
        assert_eq!(answer.fault, None);
        context_of(&answer)
    }

    pub(crate) fn starts(&self, source: &str) -> String {
        self.context("SessionStart", &json!({"source": source, "model": "claude-sonnet-5"}))
    }

    pub(crate) fn prompt(&self) -> String {
        self.context("UserPromptSubmit", &json!({"prompt": "go on"}))
    }

    /// Calls an operation as the person at the command line.
    pub(crate) fn person(&self, name: &str, arguments: Value) {
        let caller = Caller {
            origin: Origin { surface: Surface::Cli, author: Author::User },
            clues: Clues { told: self.desk.session.clone(), ..Clues::default() },
            write_id: None::<WriteId>,
        };
        let Desk { store, world, config, .. } = &self.desk;
        let call = Call::new(store, world, config, caller);
        registry::find(name).expect("an operation").run(&call, arguments).expect("an answer");
    }
}

/// What an answer puts in front of the model; empty if nothing.
pub(crate) fn context_of(answer: &Answer) -> String {
    if answer.stdout.is_empty() {
        return String::new();
    }
    let printed: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    printed["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or("").to_owned()
}

#[test]
fn page_and_notes_come_back_after_a_compaction_and_a_resume() {
    let claude = Claude::new();
    assert!(claude.starts("startup").contains("notepad is empty"));
    let compacted = claude.starts("compact");
    assert!(compacted.contains("compacted and has nothing on its notepad"), "{compacted}");
    claude.desk.object("write_notepad", json!({"content": "## Plan\n- [ ] 漢字 😀"}));
    claude.desk.object("add_note", json!({"content": "why", "tags": ["decision"]}));
    let compact = claude.starts("compact");
    assert!(compact.contains("\n## Session Notepad\n## Plan\n- [ ] 漢字 😀\n"), "{compact}");
    assert!(compact.contains("[decision] why"), "{compact}");
    claude.event("SessionEnd", &json!({"reason": "other"}));
    let left = claude.desk.object("list_sessions", json!({"open": true}));
    let left = &left["sessions"][0];
    assert_eq!([&left["state"], &left["left_open"]], ["ended", "\"漢字 😀\""]);
    let resume = claude.starts("resume");
    assert!(resume.contains("[decision] why"), "{resume}");
    let open = claude.desk.object("list_sessions", json!({"open": true}));
    assert_eq!(open["sessions"][0]["state"], "running");
}

#[test]
fn a_new_session_sees_an_offer_and_nothing_else_of_the_one_before() {
    let mut claude = Claude::new();
    claude.starts("startup");
    claude.desk.object(
        "write_notepad",
        json!({"content": "secret line\n- [x] done\n- [ ] write the docs"}),
    );
    claude.event("SessionEnd", &json!({"reason": "other"}));
    claude.session = "99999999-0000-4000-8000-000000000002";
    let offer = claude.starts("startup");
    assert!(offer.contains("write the docs") && offer.contains("read_handoff"), "{offer}");
    assert!(!offer.contains("secret line") && offer.lines().count() <= 6, "{offer}");
    assert_eq!(claude.prompt(), "");
}

#[test]
fn a_running_session_is_never_offered() {
    let mut claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "- [ ] write the docs"}));
    claude.session = "99999999-0000-4000-8000-000000000002";
    let start = claude.starts("startup");
    assert!(!start.contains("write the docs"), "{start}");
}

#[test]
fn a_prompt_says_once_what_others_changed() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("add_note", json!({"content": "mine alone", "tags": ["a"]}));
    assert_eq!(claude.prompt(), "");
    claude.person("add_note", json!({"content": "from the person", "tags": ["rule"]}));
    let told = claude.prompt();
    assert!(told.contains("from the person") && !told.contains("mine alone"), "{told}");
    assert_eq!(claude.prompt(), "");
    claude.person("write_notepad", json!({"content": "their page"}));
    assert!(claude.starts("compact").contains("their page"));
    assert_eq!(claude.prompt(), "", "what a start has shown is not told again");
}

#[test]
fn the_warning_comes_once_in_a_cycle_and_not_on_a_stale_count() {
    let claude = Claude::new();
    let batch = |claude: &Claude| claude.context("PostToolBatch", &json!({"tool_calls": []}));
    claude.starts("startup");
    claude.used(40_000, "msg_1");
    assert_eq!(batch(&claude), "");
    claude.used(64_000, "msg_2");
    assert!(batch(&claude).contains("notepad"));
    assert_eq!(batch(&claude), "");
    claude.starts("compact");
    assert_eq!(batch(&claude), "", "the record still ends with the answer before the compaction");
    let before = claude.desk.clock.load(Ordering::SeqCst) - 1;
    claude.used_at(66_500, "msg_late", before);
    assert_eq!(
        batch(&claude),
        "",
        "an answer from before the compaction that was written after it"
    );
    claude.used(65_000, "msg_3");
    assert!(batch(&claude).contains("notepad"), "a new cycle");
    claude.used(66_000, "msg_4");
    assert_eq!(batch(&claude), "");
}

#[test]
fn a_sub_agent_has_a_page_of_its_own() {
    let mut claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "parent"}));
    let agent = json!({"source": "compact", "agent_id": "a41f", "agent_type": "Explore"});
    let start = claude.context("SessionStart", &agent);
    assert!(!start.contains("parent"), "{start}");
    claude.desk.session = Some(format!("claude-code:{SESSION}/a41f"));
    claude.desk.object("write_notepad", json!({"content": "child"}));
    assert!(claude.context("SessionStart", &agent).contains("child"));
    let parent = claude.starts("compact");
    assert!(parent.contains("parent") && !parent.contains("child"), "{parent}");
}

#[test]
fn a_summariser_is_told_what_is_kept() {
    let claude = Claude::new();
    claude.starts("startup");
    let compacts = json!({"trigger": "auto", "custom_instructions": null});
    assert_eq!(claude.event("PreCompact", &compacts), Answer::default());
    claude.desk.object("write_notepad", json!({"content": "plan"}));
    let said = String::from_utf8(claude.event("PreCompact", &compacts).stdout).expect("text");
    assert!(said.starts_with("The session's notepad is kept outside this conversation"), "{said}");
}

#[test]
fn a_scratchpad_stands_in_front_of_each_message() {
    let claude = Claude::with(Config::of(Profile::Seed2));
    claude.starts("startup");
    assert_eq!(claude.prompt(), "");
    claude.desk.object("session_scratchpad", json!({"content": "## Plan\n1. Fix X"}));
    for _ in 0..2 {
        let block = "[Session Scratchpad - your persistent working memory]\n## Plan\n1. Fix X\n[End Scratchpad]\n\n";
        assert_eq!(claude.prompt().trim_end(), block.trim_end());
    }
    assert!(
        claude.starts("compact").contains("1. Fix X"),
        "inside a turn the page itself comes back"
    );
    assert!(!claude.starts("resume").contains("1. Fix X"), "one page, never twice in one context");
}

#[test]
fn while_it_is_off_nothing_is_said_or_noted() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "page"}));
    claude.desk.object("switch_off", json!({}));
    claude.used(66_000, "msg_1");
    for (name, more) in [
        ("SessionStart", json!({"source": "compact"})),
        ("UserPromptSubmit", json!({"prompt": "x"})),
        ("PostToolBatch", json!({"tool_calls": []})),
        ("PreCompact", json!({"trigger": "auto"})),
        ("SessionEnd", json!({"reason": "other"})),
    ] {
        assert_eq!(claude.event(name, &more), Answer::default(), "{name}");
    }
    claude.desk.object("switch_on", json!({}));
    assert!(claude.starts("compact").contains("page"));
}

/// A store that nobody can write to until told otherwise.
pub(crate) struct Locked<'a> {
    pub(crate) inner: &'a vademecum_sqlite::Sqlite,
    pub(crate) is_busy: std::sync::atomic::AtomicBool,
    /// Whether nobody can read it either.
    pub(crate) is_unreadable: bool,
}

impl<'a> Locked<'a> {
    pub(crate) fn new(inner: &'a vademecum_sqlite::Sqlite) -> Self {
        Self { inner, is_busy: true.into(), is_unreadable: false }
    }

    fn is_busy(&self) -> bool {
        self.is_busy.load(std::sync::atomic::Ordering::SeqCst)
    }
}

const BUSY: vademecum_store::StoreError =
    vademecum_store::StoreError::Busy { waited: std::time::Duration::from_millis(50) };

impl vademecum_store::Store for Locked<'_> {
    fn read(
        &self,
        look: &mut vademecum_store::store::Look<'_>,
    ) -> Result<(), vademecum_store::StoreError> {
        if self.is_unreadable { Err(BUSY) } else { self.inner.read(look) }
    }

    fn write(
        &self,
        write: &vademecum_store::Write,
        decide: &mut vademecum_store::store::Decide<'_>,
    ) -> Result<vademecum_store::Outcome, vademecum_store::StoreError> {
        if self.is_busy() {
            return Err(BUSY);
        }
        self.inner.write(write, decide)
    }

    fn wait(
        &self,
        after: Seq,
        timeout: std::time::Duration,
    ) -> Result<Seq, vademecum_store::StoreError> {
        self.inner.wait(after, timeout)
    }

    fn intend(&self, what: &str) -> Result<vademecum_store::IntentId, vademecum_store::StoreError> {
        if self.is_busy() { Err(BUSY) } else { self.inner.intend(what) }
    }

    fn erase(
        &self,
        what: &vademecum_store::Erase,
        fulfils: Option<vademecum_store::IntentId>,
    ) -> Result<(), vademecum_store::StoreError> {
        if self.is_busy() { Err(BUSY) } else { self.inner.erase(what, fulfils) }
    }

    fn shrink(&self) -> Result<(u64, u64), vademecum_store::StoreError> {
        self.inner.shrink()
    }

    fn secret(&self) -> Result<Option<vademecum_core::hash::Key>, vademecum_store::StoreError> {
        self.inner.secret()
    }

    fn health(
        &self,
        depth: vademecum_store::Depth,
    ) -> Result<vademecum_store::Health, vademecum_store::StoreError> {
        self.inner.health(depth)
    }
}

#[test]
fn what_a_busy_store_could_not_note_is_taken_in_later_and_is_no_fault() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "page"}));
    let store = Locked::new(&claude.desk.store);
    let starts = |source: &str| {
        let stdin = json!({
            "session_id": SESSION, "cwd": claude.desk.world.folders.work, "hook_event_name": "SessionStart",
            "source": source,
        })
        .to_string();
        let event =
            Event::parse(Harness::ClaudeCode, "SessionStart", stdin.as_bytes()).expect("an event");
        let Desk { world, config, .. } = &claude.desk;
        hooked(&store, world, config, &event)
    };
    let compactions = || {
        let key = vademecum_ops::who::full_key(&format!("claude-code:{SESSION}")).expect("a key");
        let session =
            vademecum_store::read(&claude.desk.store, |view| view.session(&key)).expect("a read");
        session.expect("a session").standing.compactions
    };
    let busy = starts("compact");
    let text = String::from_utf8(busy.stdout).expect("text");
    assert!(
        text.contains("## Session Notepad\\npage") && text.contains("the store is busy"),
        "{text}"
    );
    assert!(busy.fault.is_some_and(|fault| fault.starts_with("vade: the store is busy")));
    assert_eq!(compactions(), 0);

    store.is_busy.store(false, Ordering::SeqCst);
    let healed = String::from_utf8(starts("resume").stdout).expect("text");
    assert!(healed.contains("page") && !healed.contains("fault"), "{healed}");
    assert_eq!(compactions(), 1);
}
