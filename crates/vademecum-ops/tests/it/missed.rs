//! A start whose store could not be read brings its memory back late, and once.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_ops::moments::owed;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::faulty::{Faulty, Point};

use crate::handoffs::person;
use crate::keeping::files_with;
use crate::moments::{Claude, SESSION, context_of};

const NEXT: &str = "22222222-0000-4000-8000-000000000002";
const PAGE: &str = "- [ ] reticulate the splines";

/// A session with a page.
fn at_work() -> Claude {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": PAGE}));
    claude
}

/// The store, the n-th call of which fails.
fn failing(claude: &Claude, nth: usize) -> Faulty<Sqlite> {
    let path = claude.desk.folder().join("data/vade.db");
    Faulty::new(Sqlite::at(&path, Options::patient()), Point::Before, nth)
}

fn prompt() -> Value {
    json!({"prompt": "go on"})
}

fn compaction() -> Value {
    json!({"source": "compact", "model": "claude-sonnet-5"})
}

/// A session whose compaction failed at its first look.
fn missed() -> Claude {
    let claude = at_work();
    let answer = claude.event_on(&failing(&claude, 0), "SessionStart", &compaction());
    assert!(!context_of(&answer).contains(PAGE), "{answer:?}");
    claude
}

/// A try is over in a second.
fn later(claude: &Claude) {
    claude.desk.clock.fetch_add(1_000, Ordering::SeqCst);
}

fn owes(claude: &Claude) -> usize {
    owed(&claude.desk.world.folders.data).len()
}

/// Whatever call fails at a compaction, the page is there by the next prompt or call, and is given once.
#[test]
fn what_a_compaction_could_not_read_comes_with_the_next_event() {
    let events = [("UserPromptSubmit", prompt()), ("PostToolBatch", json!({"tool_calls": []}))];
    let mut n_missed = 0;
    for nth in 0.. {
        let mut is_over = false;
        for (name, more) in &events {
            let claude = at_work();
            let store = failing(&claude, nth);
            let told = context_of(&claude.event_on(&store, "SessionStart", &compaction()));
            is_over = store.calls() <= nth;
            let had = told.contains(PAGE);
            let next = claude.context(name, more);
            assert_eq!(next.contains(PAGE), !had, "call {nth}, then {name}: {told}\n{next}");
            assert!(!claude.context(name, more).contains(PAGE), "call {nth}, {name} again");
            assert_eq!(owes(&claude), 0, "call {nth}, {name}");
            n_missed += usize::from(!had);
        }
        if is_over {
            break;
        }
    }
    assert!(0 < n_missed, "no call brought the page away");
}

/// Whatever call fails as a session begins that no store knows yet, the word of its person and what the project knows come with it
/// or with its first prompt, once.
#[test]
fn what_a_first_start_could_not_read_comes_with_the_next_event() {
    let known = "the queue is paused while it is drained";
    for point in [Point::Before, Point::During] {
        for nth in 0.. {
            let mut claude = Claude::new();
            claude.starts("startup");
            claude.desk.object("add_learning", json!({"content": known}));
            person(&claude.desk, "write_handoff", json!({"content": "Mind the lock."}));
            claude.event("SessionEnd", &json!({"reason": "other"}));
            claude.session = NEXT;
            let path = claude.desk.folder().join("data/vade.db");
            let store = Faulty::new(Sqlite::at(&path, Options::patient()), point, nth);
            let start = json!({"source": "startup", "model": "claude-sonnet-5"});
            let told = context_of(&claude.event_on(&store, "SessionStart", &start));
            let is_over = store.calls() <= nth;
            let next = claude.context("UserPromptSubmit", &prompt());
            for what in ["Mind the lock.", known] {
                let told = [&told, &next].map(|told| told.contains(what));
                assert!(
                    told == [true, false] || told == [false, true],
                    "{point:?} {nth}: {what}: {told:?}\n{next}"
                );
            }
            assert_eq!(owes(&claude), 0, "call {nth}");
            if is_over {
                break;
            }
        }
    }
}

/// Whatever call of the next batch fails, the page comes with it or with the one behind it.
#[test]
fn a_batch_that_fails_owes_it_still() {
    let batch = json!({"tool_calls": []});
    for nth in 0.. {
        let claude = missed();
        let store = failing(&claude, nth);
        let first = context_of(&claude.event_on(&store, "PostToolBatch", &batch));
        let is_over = store.calls() <= nth;
        later(&claude);
        let second = claude.context("PostToolBatch", &batch);
        let had = [first, second].map(|told| told.contains(PAGE));
        assert!(had == [true, false] || had == [false, true], "call {nth}: {had:?}");
        if is_over {
            break;
        }
    }
}

#[test]
fn what_is_owed_is_told_as_at_its_start() {
    let claude = missed();
    let told = claude.prompt();
    insta::assert_snapshot!(told);
}

#[test]
fn a_start_that_works_settles_what_is_owed() {
    let claude = missed();
    assert_eq!(owes(&claude), 1);
    assert!(claude.starts("resume").contains(PAGE));
    assert_eq!(owes(&claude), 0);
    assert!(!claude.prompt().contains(PAGE));
}

/// A prompt at which the n-th call fails; how often what is owed was tried behind it.
fn tries(claude: &Claude, nth: usize) -> Option<u32> {
    later(claude);
    claude.event_on(&failing(claude, nth), "UserPromptSubmit", &prompt());
    owed(&claude.desk.world.folders.data).first().map(|owed| owed.tries)
}

/// A store that is too slow for it each time must not take away what else a prompt tells.
#[test]
fn it_is_tried_three_times() {
    let after = |failed: &[usize]| {
        let claude = missed();
        for &nth in failed {
            tries(&claude, nth);
        }
        claude
    };
    let mut failed = Vec::new();
    for tried in 1..=3 {
        let nth = (0..100).find(|&nth| tries(&after(&failed), nth) == Some(tried));
        failed.push(nth.expect("a call"));
    }
    let claude = after(&failed);
    later(&claude);
    assert!(!claude.prompt().contains(PAGE));
    assert_eq!(owes(&claude), 1, "doctor tells of it");
    // A store is not slow for ever.
    claude.desk.clock.fetch_add(60_000, Ordering::SeqCst);
    assert!(claude.prompt().contains(PAGE));
    assert_eq!(owes(&claude), 0);
    let claude = after(&failed);
    assert!(claude.starts("compact").contains(PAGE));
    assert_eq!(owes(&claude), 0);
}

#[test]
fn what_is_forgotten_is_owed_to_nobody() {
    let claude = missed();
    let owed = claude.desk.folder().join("data/owed");
    let file =
        std::fs::read_dir(&owed).expect("a folder").next().expect("a file").expect("a file").path();
    // A writer that was killed left its draft.
    std::fs::copy(&file, format!("{}.0011223344556677.new", file.display())).expect("a draft");
    assert_eq!(owes(&claude), 1);
    claude.desk.object("forget", json!({"what": "session", "yes": true}));
    assert_eq!(files_with(&claude.desk.folder().join("data"), SESSION), [""; 0]);
}

/// Who comes while another one tries it leaves it to that one, and who comes later tries it again.
#[test]
fn what_is_being_tried_is_left_to_who_tries_it() {
    // The first has taken it on and comes to no end.
    let nth = (0..100).find(|&nth| tries(&missed(), nth) == Some(1)).expect("a call");
    let claude = missed();
    assert_eq!(tries(&claude, nth), Some(1));
    assert!(!claude.prompt().contains(PAGE), "another one tries it just now");
    later(&claude);
    assert!(claude.prompt().contains(PAGE));
}

#[test]
fn while_it_is_off_nothing_is_tried() {
    let claude = missed();
    claude.desk.object("switch_off", json!({}));
    for _ in 0..4 {
        later(&claude);
        claude.context("PostToolBatch", &json!({"tool_calls": []}));
    }
    claude.desk.object("switch_on", json!({}));
    later(&claude);
    assert!(claude.prompt().contains(PAGE));
}

#[test]
fn who_has_ended_is_owed_nothing() {
    let claude = missed();
    claude.event("SessionEnd", &json!({"reason": "other"}));
    assert_eq!(owes(&claude), 0);
}
