//! What becomes an entry by itself: what a person asks to remember, and what sub-agents report at their end.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_core::context::{Seal, seal};
use vademecum_core::time::Time;
use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::config::{Config, OnSessionEnd, Profile};
use vademecum_ops::moments::{Answer, Hook, Later, answer, cap, take_in};
use vademecum_store::{EntryFilter, View};

use crate::desk::Desk;
use crate::moments::{Claude, Locked, SESSION, hooked};

const REPORT: &str = "\
The callers are in src/sum.rs.

## Key Learnings:
- The sum of a ledger is cached until it is locked.
- None

## Issues
1. The test of `sum` hangs without Redis on port 6379.";

/// A harness with a session in a project that knows something: its sub-agents are asked to report.
fn knowing(config: Config) -> Claude {
    let claude = Claude::with(config);
    claude.starts("startup");
    claude.desk.object("add_learning", json!({"content": "Ledgers are never edited."}));
    claude
}

fn stops(claude: &Claude, agent: &str, message: &str) {
    let of = json!({"agent_id": agent, "agent_type": "Explore"});
    assert_eq!(claude.event("SubagentStart", &of), Answer::default());
    claude.desk.clock.fetch_add(1000, Ordering::SeqCst);
    let mut end = of;
    end["last_assistant_message"] = message.into();
    assert_eq!(claude.event("SubagentStop", &end), Answer::default());
}

/// The entries in force, the newest first, each as `category tags: content`.
fn entries(claude: &Claude) -> Vec<String> {
    let known = claude.desk.object("recall", json!({"kind": "known", "limit": 0}));
    let known = known["known"].as_array().into_iter().flatten();
    known
        .map(|it| {
            let tags: Vec<&str> =
                it["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let word = |key: &str| it[key].as_str().expect("a word").to_owned();
            format!("{} {}: {}", word("category"), tags.join(","), word("content"))
        })
        .collect()
}

#[test]
fn what_a_sub_agent_reports_is_kept_and_told_as_unconfirmed() {
    let claude = knowing(Config::default());
    claude.event("SubagentStart", &json!({"agent_id": "a2", "agent_type": "Explore"}));
    claude.desk.clock.fetch_add(1000, Ordering::SeqCst);
    stops(&claude, "a1", REPORT);
    // Another one that worked beside it reports nearly the same; one that came later may have been told it.
    let alike = "## Issues\n- Test of `sum` hangs without Redis on port 6379";
    stops(&claude, "a2", alike);
    assert_eq!(
        entries(&claude),
        [
            "issue unconfirmed,also 752d4c1e/a1: The test of `sum` hangs without Redis on port 6379.",
            "learning : Ledgers are never edited.",
            "learning unconfirmed: The sum of a ledger is cached until it is locked.",
        ]
    );
    // Neither of them is a third.
    stops(&claude, "a4", alike);
    stops(&claude, "a1", REPORT);
    stops(&claude, "a2", alike);
    let told = claude.desk.call("recall", json!({"kind": "known"})).expect("an answer").text;
    assert!(
        told.contains(" issue (unconfirmed, reported by 2 agents): The test of `sum`"),
        "{told}"
    );
    let begins = Claude { session: "00000000-0000-4000-8000-000000000002", ..claude };
    let begun = begins.starts("startup");
    let known = begun.lines().skip(2).take_while(|line| !line.starts_with('['));
    insta::assert_snapshot!(known.collect::<Vec<_>>().join("\n"), @"
    This project knows (1 issue, 2 learnings):
    - issue, unconfirmed, reported by 2 agents: The test of `sum` hangs without Redis on port 6379.
    - learning: Ledgers are never edited.
    - learning, unconfirmed: The sum of a ledger is cached until it is locked.
    ");
}

#[test]
fn who_records_a_report_confirms_it() {
    let claude = knowing(Config::default());
    stops(&claude, "a1", REPORT);
    let content = "The sum of a ledger is cached until it is locked.";
    let added = claude.desk.call("add_learning", json!({"content": content})).expect("an answer");
    assert!(added.text.starts_with("added entry_"), "{}", added.text);
    let known = entries(&claude);
    assert_eq!(known.len(), 3);
    assert!(known.contains(&format!("learning : {content}")), "{known:?}");
    // What is said again by a report stays as it was confirmed.
    stops(&claude, "a3", REPORT);
    assert_eq!(entries(&claude), known);
}

/// What a prompt answers: what its model is told, and its person.
fn says(claude: &Claude, more: &Value) -> (Option<String>, Option<String>) {
    let answer = claude.event("UserPromptSubmit", more);
    assert_eq!(answer.fault, None);
    if answer.stdout.is_empty() {
        return (None, None);
    }
    let printed: Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    (text(&printed["hookSpecificOutput"]["additionalContext"]), text(&printed["systemMessage"]))
}

/// The id of the newest entry.
fn newest(claude: &Claude) -> String {
    let known = claude.desk.object("recall", json!({"kind": "known"}));
    known["known"][0]["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_person_asks_to_remember() {
    let claude = Claude::new();
    claude.starts("startup");
    let asked = json!({"prompt": "Remember: the staging key is ghp_0123456789abcdefghijABCDEFGHIJ012345,\nask Ann"});
    let (told, said) = says(&claude, &asked);
    let known = entries(&claude);
    insta::assert_snapshot!(known.join("\n"), @"
    learning user: the staging key is [secret replaced: github-token],
    ask Ann
    ");
    let id = newest(&claude);
    assert_eq!(
        told,
        Some(format!(
            "vade: kept as the user asked, a secret in it replaced: {id}, a learning of this project. You need not save it."
        ))
    );
    assert_eq!(
        said,
        Some(format!(
            "vade: remembered for this project, a secret in it replaced: {id}; vade forget entry {id} --yes takes it back"
        ))
    );
    let (_, said) = says(&claude, &asked);
    assert_eq!(
        said,
        Some(format!(
            "vade: known already for this project, a secret in it replaced: {id}; vade forget entry {id} --yes takes it back"
        ))
    );
    assert_eq!(entries(&claude), known);
}

/// What was asked to be remembered is answered where a prompt has more to tell, and is told once.
#[test]
fn what_is_kept_is_said_beside_what_others_changed() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.person("add_note", json!({"content": "from the person", "tags": ["rule"]}));
    let (told, _) = says(&claude, &json!({"prompt": "remember: use pnpm"}));
    let told = told.expect("a context");
    assert!(matches!(seal(&told), Seal::Whole(_)), "{told}");
    let id = newest(&claude);
    let kept = format!(
        "vade: kept as the user asked: {id}, a learning of this project. You need not save it."
    );
    assert_eq!(told.lines().rev().nth(1), Some(&*kept), "{told}");
    assert!(told.contains("from the person"), "{told}");
    assert_eq!(says(&claude, &json!({"prompt": "go on"})), (None, None));
}

#[test]
fn what_is_kept_is_said_behind_a_scratchpad() {
    let mut config = Config::of(Profile::Seed2);
    config.plans.capture = true;
    let claude = Claude::with(config);
    claude.starts("startup");
    claude.desk.object("session_scratchpad", json!({"content": "1. Fix X"}));
    let (told, _) = says(&claude, &json!({"prompt": "remember: use pnpm"}));
    let told = told.expect("a context");
    let block = "[Session Scratchpad - your persistent working memory]\n1. Fix X\n[End Scratchpad]";
    let (before, line) = told.split_once("\nvade: kept as the user asked").expect("a line");
    assert_eq!(before, block);
    assert!(line.ends_with("You need not save it."), "{line}");
}

#[test]
fn what_nobody_asked_for_is_not_kept() {
    let claude = knowing(Config::default());
    let known = entries(&claude);
    for prompt in [
        json!({"prompt": "remember:"}),
        json!({"prompt": "do you remember: the key?"}),
        json!({"prompt": "remember: a timer's words", "source": "cron"}),
        json!({"prompt": "remember: an agent's words", "agent_id": "a1", "source": "agent"}),
    ] {
        assert_eq!(says(&claude, &prompt), (None, None));
    }
    stops(&claude, "a1", "## Key learnings of today\n- The sum of a ledger is cached.");
    assert_eq!(entries(&claude), known);

    // Where sub-agents are told nothing, they are not asked to report.
    let empty = Claude::new();
    empty.starts("startup");
    stops(&empty, "a1", REPORT);
    assert_eq!(entries(&empty), [""; 0]);
}

#[test]
fn capture_is_switched_off_and_is_in_no_published_design() {
    let mut off = Config::default();
    off.plans.capture = false;
    for config in [off, Config::of(Profile::Seed3), Config::of(Profile::Seed0)] {
        let claude = Claude::with(config);
        claude.starts("startup");
        claude.desk.object("add_learning", json!({"content": "Ledgers are never edited."}));
        stops(&claude, "a1", REPORT);
        assert_eq!(says(&claude, &json!({"prompt": "remember: use pnpm"})), (None, None));
        let mut on = claude;
        on.desk.config = Config::default();
        assert_eq!(entries(&on), ["learning : Ledgers are never edited."]);
    }
}

#[test]
fn what_a_busy_store_does_not_take_waits_and_is_taken_in() {
    let claude = knowing(Config::default());
    stops(&claude, "a1", "Nothing to report.");
    let store = Locked::new(&claude.desk.store);
    let event = |name: &str, more: Value| {
        let mut payload = json!({"session_id": SESSION, "cwd": claude.desk.world.folders.work, "hook_event_name": name});
        payload.as_object_mut().expect("an object").extend(more.as_object().expect("more").clone());
        let stdin = payload.to_string();
        let event = Event::parse(Harness::ClaudeCode, name, stdin.as_bytes()).expect("an event");
        let Desk { world, config, .. } = &claude.desk;
        hooked(&store, world, config, &event)
    };
    let end = json!({"agent_id": "a1", "agent_type": "Explore", "last_assistant_message": REPORT});
    event("SubagentStop", end);
    let asked = "remember: the key is ghp_0123456789abcdefghijABCDEFGHIJ012345, ask Ann";
    let waits = String::from_utf8(event("UserPromptSubmit", json!({"prompt": asked})).stdout)
        .expect("text");
    assert!(
        waits.contains("waits on disk and is taken in later. You need not save it."),
        "{waits}"
    );
    assert_eq!(entries(&claude), ["learning : Ledgers are never edited."]);
    let spool = walk(&claude.desk.world.folders.data.join("spool"));
    assert!(spool.contains("ask Ann") && !spool.contains("ghp_"), "{spool}");

    store.is_busy.store(false, Ordering::SeqCst);
    event("SessionStart", json!({"source": "resume"}));
    assert_eq!(
        entries(&claude),
        [
            "issue unconfirmed: The test of `sum` hangs without Redis on port 6379.",
            "learning : Ledgers are never edited.",
            "learning user: the key is [secret replaced: github-token], ask Ann",
            "learning unconfirmed: The sum of a ledger is cached until it is locked.",
        ]
    );
}

/// What a harness is told of a prompt while nobody can write to the store.
fn says_while_locked(claude: &Claude) -> String {
    let store = Locked::new(&claude.desk.store);
    let prompt = json!({"session_id": SESSION, "cwd": claude.desk.world.folders.work, "hook_event_name": "UserPromptSubmit", "prompt": "remember: use pnpm"});
    let stdin = prompt.to_string();
    let event = Event::parse(Harness::ClaudeCode, "UserPromptSubmit", stdin.as_bytes());
    let Desk { world, config, .. } = &claude.desk;
    let answer = hooked(&store, world, config, &event.expect("an event"));
    String::from_utf8(answer.stdout).expect("text")
}

/// What a busy machine answers at the end of a sub-agent whose start is known, or not yet.
fn stops_while_shut(claude: &Claude) {
    let end = json!({
        "session_id": SESSION, "cwd": claude.desk.world.folders.work, "hook_event_name": "SubagentStop",
        "agent_id": "a1", "agent_type": "Explore", "last_assistant_message": REPORT,
    });
    let stdin = end.to_string();
    let event = Event::parse(Harness::ClaudeCode, "SubagentStop", stdin.as_bytes());
    let Desk { store, world, config, .. } = &claude.desk;
    let store = Locked { is_unreadable: true, ..Locked::new(store) };
    let answer = hooked(&store, world, config, &event.expect("an event"));
    let fault = answer.fault.expect("a fault");
    assert!(fault.contains("the store is busy"), "{fault}");
}

/// Another program that holds the whole database takes no report away.
#[test]
fn what_a_sub_agent_reports_while_nothing_can_be_read_waits() {
    let claude = knowing(Config::default());
    claude.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
    stops_while_shut(&claude);
    claude.starts("resume");
    assert_eq!(entries(&claude).len(), 3);

    // Of a project whose agents are not asked to report nothing is taken in.
    let claude = Claude::new();
    claude.starts("startup");
    claude.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
    stops_while_shut(&claude);
    claude.starts("resume");
    assert_eq!(entries(&claude), [""; 0]);
    assert_eq!(walk(&claude.desk.world.folders.data.join("spool")), "");
}

#[test]
fn what_was_set_aside_is_forgotten_with_its_entry() {
    let claude = Claude::new();
    claude.starts("startup");
    waits(&claude);
    let spool = claude.desk.world.folders.data.join("spool");
    let files =
        || std::fs::read_dir(&spool).expect("a folder").map(|it| it.expect("a file").path());
    let waiting = files().next().expect("a file");
    let aside = waiting.with_extension("aside");
    let line = std::fs::read_to_string(&waiting).expect("text");
    // A later program's word, of which this one cannot take anything in; and what another asked for.
    let later = line.replace("\"found\"", "\"found_later\"");
    let other = later.replace("use pnpm", "use make");
    claude.starts("resume");
    std::fs::create_dir_all(&spool).expect("a folder");
    std::fs::write(&aside, format!("{later}{other}")).expect("a file");
    let id = newest(&claude);
    claude.person("forget", json!({"what": "entry", "id": id, "yes": true}));
    assert_eq!(walk(&spool), other);
}

#[test]
fn what_is_private_alone_is_not_remembered() {
    let claude = Claude::new();
    claude.starts("startup");
    let (told, said) = says(&claude, &json!({"prompt": "remember: <private>my pin</private>."}));
    let why = "vade: not remembered: all of it is private or a secret, nothing else was said";
    assert_eq!(said.as_deref(), Some(why));
    assert_eq!(told, Some(format!("{why}. The user is told so.")));
    assert_eq!(entries(&claude), [""; 0]);
}

#[test]
fn a_session_that_nobody_told_of_is_asked_to_remember_too() {
    let claude = Claude::new();
    assert!(says_while_locked(&claude).contains("waits on disk"));
    claude.starts("startup");
    assert_eq!(entries(&claude), ["learning user: use pnpm"]);

    let new = Claude::new();
    let (told, _) = says(&new, &json!({"prompt": "remember: use pnpm"}));
    assert!(told.is_some_and(|told| told.starts_with("vade: kept as the user asked")));
    assert_eq!(entries(&new), ["learning user: use pnpm"]);
    // What is off keeps nothing, and tells no model; who asked is told.
    new.person("switch_off", json!({}));
    let off = "vade: not remembered: vade is off here, vade on switches it on".to_owned();
    assert_eq!(says(&new, &json!({"prompt": "remember: use yarn"})), (None, Some(off)));
}

/// What is asked to be remembered while the store is busy.
fn waits(claude: &Claude) {
    let said = says_while_locked(claude);
    assert!(said.contains("waits on disk"), "{said}");
}

#[test]
fn what_waits_outlives_the_session_that_said_it() {
    let config = Config { on_session_end: OnSessionEnd::Purge, ..Config::default() };
    let claude = Claude::with(config);
    claude.starts("startup");
    waits(&claude);
    claude.event("SessionEnd", &json!({"reason": "other"}));
    assert_eq!(entries(&claude), ["learning user: use pnpm"]);

    let claude = Claude::new();
    claude.starts("startup");
    waits(&claude);
    claude.person("forget", json!({"what": "session", "id": SESSION, "yes": true}));
    assert_eq!(entries(&claude), ["learning user: use pnpm"]);
}

#[test]
fn what_is_forgotten_does_not_come_back_from_what_waits() {
    let claude = Claude::new();
    claude.starts("startup");
    waits(&claude);
    says(&claude, &json!({"prompt": "remember: use pnpm"}));
    let id = newest(&claude);
    claude.person("forget", json!({"what": "entry", "id": id, "yes": true}));
    assert!(!walk(&claude.desk.world.folders.data.join("spool")).contains("pnpm"));
    claude.starts("resume");
    assert_eq!(entries(&claude), [""; 0]);
}

#[test]
fn what_waits_of_a_project_that_is_off_is_in_nobodys_way() {
    let claude = Claude::new();
    claude.starts("startup");
    waits(&claude);
    claude.person("switch_off", json!({}));
    let Desk { store, world, config, .. } = &claude.desk;
    take_in(store, world, config, Time(i64::MAX));
    assert!(walk(&claude.desk.world.folders.data.join("spool")).contains("use pnpm"));
    claude.person("switch_on", json!({}));
    claude.starts("resume");
    assert_eq!(entries(&claude), ["learning user: use pnpm"]);
    assert_eq!(walk(&claude.desk.world.folders.data.join("spool")), "");
}

/// A session that has gone into another repository still works on its own project.
#[test]
fn what_is_remembered_is_of_the_sessions_project() {
    let mut claude = Claude::new();
    claude.starts("startup");
    let home = claude.desk.world.folders.work.clone();
    let within = home.join("vendor/lib");
    std::fs::create_dir_all(within.join(".git")).expect("a repository");
    std::fs::write(within.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    claude.desk.world.folders.work = within;
    let (told, said) = says(&claude, &json!({"prompt": "remember: use pnpm"}));
    assert!(told.is_some());
    let root = home.canonicalize().expect("a folder");
    let project = format!("--yes --project '{}' takes it back", root.display());
    let said = said.expect("a line");
    assert!(said.ends_with(&project), "{said} {project}");
    claude.desk.world.folders.work = home;
    assert_eq!(entries(&claude), ["learning user: use pnpm"]);
}

/// So does what waits: it is of the session's project, whatever folder the agent was in.
#[test]
fn what_waits_is_of_the_sessions_project() {
    let claude = Claude::new();
    claude.starts("startup");
    let home = claude.desk.world.folders.work.clone();
    let mut within = claude;
    within.desk.world.folders.work = home.join("vendor/lib");
    std::fs::create_dir_all(within.desk.world.folders.work.join(".git")).expect("a repository");
    let head = within.desk.world.folders.work.join(".git/HEAD");
    std::fs::write(head, "ref: refs/heads/main\n").expect("a file");
    waits(&within);
    within.desk.world.folders.work = home;
    within.starts("resume");
    assert_eq!(entries(&within), ["learning user: use pnpm"]);
}

/// Files of plans that a clone brings cost a hook nothing, however long they are, and a person as much as can be read.
#[test]
fn long_files_of_plans_are_left_to_those_who_have_time() {
    let claude = knowing(Config::default());
    let folder = claude.desk.world.folders.work.join(".planning/notepads/_project");
    std::fs::create_dir_all(&folder).expect("a folder");
    let lines: Vec<String> = (0..3_000).map(|n| format!("- A fact of number {n}.\n")).collect();
    let text = format!("# Learnings\n{}", lines.concat());
    std::fs::write(folder.join("learnings.md"), text).expect("a file");
    claude.starts("resume");
    says(&claude, &json!({"prompt": "remember: use pnpm"}));
    let count = || {
        let count = |view: &dyn View| view.entry_count(EntryFilter::default());
        vademecum_store::read(&claude.desk.store, count).expect("a read")
    };
    assert_eq!(count(), 2);
    claude.person("check_plan", json!({}));
    assert_eq!(count(), 302);
}

/// A hook reads no such file, and a person who forgets has no other look at it.
#[test]
fn what_is_forgotten_does_not_come_back_from_a_long_file() {
    let claude = Claude::new();
    claude.starts("startup");
    says(&claude, &json!({"prompt": "remember: use yarn"}));
    let folder = claude.desk.world.folders.work.join(".planning/notepads/_project");
    std::fs::create_dir_all(&folder).expect("a folder");
    let lines: Vec<String> = (0..3_000).map(|n| format!("- A fact of number {n}.\n")).collect();
    let text = format!("# Learnings\nuse pnpm\n\n{}", lines.concat());
    let file = folder.join("learnings.md");
    std::fs::write(&file, text).expect("a file");
    let (told, _) = says(&claude, &json!({"prompt": "remember: use pnpm"}));
    let told = told.expect("a line");
    let id = told.split([' ', ',']).find(|word| word.starts_with("entry_")).expect("an id");
    claude.person("forget", json!({"what": "entry", "id": id, "yes": true}));
    let text = std::fs::read_to_string(&file).expect("text");
    assert!(!text.contains("pnpm"), "{}", &text[..200]);
    claude.person("check_plan", json!({}));
    let found = claude.desk.object("search_notes", json!({"query": "pnpm", "scope": "project"}));
    assert!(!found.to_string().contains("use pnpm"), "{found}");
}

/// The report of a sub-agent that waits behind others outlives a session that is purged.
#[test]
fn what_an_agent_of_a_purged_session_reported_outlives_it() {
    let config = Config { on_session_end: OnSessionEnd::Purge, ..Config::default() };
    let claude = knowing(config);
    claude.event("SubagentStart", &json!({"agent_id": "a1", "agent_type": "Explore"}));
    stops_while_shut(&claude);
    let fault = ends_without_time(&claude).fault.expect("a fault");
    assert!(fault.contains("what was queued before is taken in first"), "{fault}");
    let Desk { store, world, config, .. } = &claude.desk;
    take_in(store, world, config, Time(i64::MAX));
    assert_eq!(entries(&claude).len(), 3);
}

/// The end of the session, whose hook has time for one file of the spool alone: that of another session.
fn ends_without_time(claude: &Claude) -> Answer {
    let Desk { store, world, config, .. } = &claude.desk;
    let other = json!({
        "session_id": "00000000-0000-4000-8000-000000000009", "cwd": world.folders.work,
        "hook_event_name": "SessionStart", "source": "startup",
    });
    let parse = |event: &Value| event.to_string();
    let stdin = parse(&other);
    let event = Event::parse(Harness::ClaudeCode, "SessionStart", stdin.as_bytes());
    let shut = Locked { is_unreadable: true, ..Locked::new(store) };
    // It waits longest, and is the one that is taken in.
    claude.desk.clock.fetch_sub(5_000, Ordering::SeqCst);
    hooked(&shut, world, config, &event.expect("an event"));
    claude.desk.clock.fetch_add(5_000, Ordering::SeqCst);
    let end = json!({
        "session_id": SESSION, "cwd": world.folders.work, "hook_event_name": "SessionEnd", "reason": "other",
    });
    let stdin = parse(&end);
    let event = Event::parse(Harness::ClaudeCode, "SessionEnd", stdin.as_bytes());
    let hook = Hook {
        rendered: None,
        config_fault: None,
        store,
        world,
        config,
        cap: cap(Harness::ClaudeCode),
        recap_until: (world.now)(),
        drain_until: Time(0),
        later: Later::default(),
    };
    answer(&hook, &event.expect("an event"))
}

/// Nothing is said to wait on disk that could not be written there.
#[test]
fn what_can_be_kept_nowhere_is_said() {
    let claude = Claude::new();
    claude.starts("startup");
    std::fs::create_dir_all(&claude.desk.world.folders.data).expect("a folder");
    std::fs::write(claude.desk.world.folders.data.join("spool"), "in the way").expect("a file");
    let said = says_while_locked(&claude);
    assert!(said.contains("vade: not remembered: the store is busy"), "{said}");
    assert!(!said.contains("waits on disk") && !said.contains("kept as"), "{said}");
}

/// All that stands in the files of a folder, if there is one.
fn walk(folder: &std::path::Path) -> String {
    let Ok(files) = std::fs::read_dir(folder) else { return String::new() };
    let files = files.map(|it| it.expect("a file").path());
    files.map(|path| std::fs::read_to_string(path).expect("text")).collect()
}
