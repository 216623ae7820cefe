//! Sessions that a harness ran before vade was there: taken in from their transcripts, found, and offered to nobody.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use vademecum_harness::claude_code::folders::Folders;

use crate::desk::Desk;
use crate::moments::Claude;

const OCTOBER: &str = "0c70be50-0000-4000-8000-000000000001";
const NOVEMBER: &str = "0b00be50-0000-4000-8000-000000000002";

/// The time of the clock, in seconds.
const NOW: u64 = 1_763_700_000;
const DAY: u64 = 24 * 60 * 60;

/// The folder of the project.
fn work(desk: &Desk) -> PathBuf {
    desk.world.folders.work.canonicalize().expect("a folder")
}

/// Lays a transcript of Claude Code for the project, written so many days ago.
fn lay(desk: &Desk, name: &str, says: &str, days: u64) -> PathBuf {
    lay_in(desk, &work(desk), (name, says), days)
}

/// The same for a session that began in another folder.
fn lay_in(desk: &Desk, folder: &Path, (name, says): (&str, &str), days: u64) -> PathBuf {
    let folders = Folders::new(&|_| None, &desk.world.folders.home);
    let path = folders.project(&|_| None, folder).join(format!("{name}.jsonl"));
    write(&path, (name, folder, says), days);
    path
}

fn write(path: &Path, (session, folder, says): (&str, &Path, &str), days: u64) {
    let record = |idx: usize, role: &str, content: Value| {
        json!({
            "type": role, "uuid": format!("u{idx}"), "parentUuid": idx.checked_sub(1).map(|it| format!("u{it}")),
            "timestamp": format!("2025-10-{:02}T08:00:0{idx}.000Z", 31 - days), "cwd": folder, "sessionId": session,
            "message": {"role": role, "content": content, "model": "claude-sonnet-5", "id": format!("m{idx}")},
        })
    };
    let lines = [
        record(0, "user", json!("Find out why the webhook is sent twice.")),
        record(1, "assistant", json!([{"type": "text", "text": says}])),
    ];
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, lines.map(|line| format!("{line}\n")).concat()).expect("a file");
    let at = UNIX_EPOCH + Duration::from_secs(NOW - days * DAY);
    fs::File::options().append(true).open(path).expect("a file").set_modified(at).expect("a time");
}

fn found(desk: &Desk, query: &str) -> Vec<String> {
    let found = desk.object("search_project", json!({ "query": query }))["found"].clone();
    let line = |it: &Value| {
        let part = |name: &str| it[name].as_str().unwrap_or("none").to_owned();
        format!("{} {} {}: {}", part("kind"), &part("at")[..10], part("session"), part("text"))
    };
    found.as_array().expect("a list").iter().map(line).collect()
}

#[test]
fn words_that_a_recap_leaves_out_are_found() {
    let desk = Desk::new();
    let row = |n| format!("Row {n} of the sheet is about parcel {}.\n\n", n * 7);
    let rows = |range: std::ops::Range<u32>| range.map(row).collect::<Vec<String>>().concat();
    let needle = "The pelican in the logo was drawn by Bartholomew, with the key ghp_0123456789abcdefghijABCDEFGHIJ012345.";
    lay(&desk, OCTOBER, &format!("{}{needle}\n\n{}", rows(0..50), rows(50..900)), 20);
    desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer");
    let kept = found(&desk, "who drew the pelican");
    let clean = needle
        .replace("ghp_0123456789abcdefghijABCDEFGHIJ012345", "[secret replaced: github-token]");
    assert_eq!(kept[0], format!("recap 2025-10-11 0c70be50: {clean}"));
}

#[test]
fn what_lay_there_before_is_found_and_offered_to_nobody() {
    let claude = Claude::new();
    let desk = &claude.desk;
    let path =
        lay(desk, OCTOBER, "The cause is a retry without an idempotency key in gateway.rs.", 20);
    lay(
        desk,
        NOVEMBER,
        "The lease of the worker expires before the job ends, so it runs twice.",
        2,
    );
    lay(desk, "agent-a1b2", "I am a sub-agent of that session.", 2);
    lay(desk, "0a00be50-0000-4000-8000-000000000003", "This session still runs.", 0);
    let said = |arguments| desk.person("adopt", arguments).expect("an answer").text;
    let all = json!({ "from": "transcripts" });
    let left = "1 written in the last 10 minutes: they may still be written; try again later";
    let dry = said(json!({ "from": "transcripts", "dry_run": true }));
    assert_eq!(
        dry,
        format!(
            "would take in 2 sessions of transcripts; already there: 0, without anything to tell: 0\n{left}"
        )
    );
    assert_eq!(found(desk, "idempotency key"), [""; 0]);
    assert_eq!(
        said(all.clone()),
        format!(
            "took in 2 sessions of transcripts; already there: 0, without anything to tell: 0\n{left}"
        )
    );
    assert_eq!(
        said(all),
        format!(
            "took in 0 sessions of transcripts; already there: 2, without anything to tell: 0\n{left}"
        )
    );

    assert_eq!(
        found(desk, "idempotency key"),
        [
            "recap 2025-10-11 0c70be50: The cause is a retry without an idempotency key in gateway.rs."
        ]
    );
    // It is a session of the project that ended when its transcript did, and nobody's to go on with.
    let sessions = desk.object("list_sessions", json!({}))["sessions"].clone();
    let part = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
    let line = |it: &Value| ["session", "state", "started_at"].map(|name| part(it, name)).join(" ");
    let sessions: Vec<String> = sessions.as_array().expect("a list").iter().map(line).collect();
    insta::assert_snapshot!(sessions.join("\n"), @r"
    0b00be50 ended 2025-10-29T08:00:00.000Z
    0c70be50 ended 2025-10-11T08:00:00.000Z
    ");
    let context = claude.starts("startup");
    assert!(!context.contains("0b00be50") && !context.contains("webhook"), "{context}");
    let offered = desk.call("read_handoff", json!({})).expect("an answer").text;
    assert_eq!(offered, "no other session of this project left anything");
    // It goes with its session, and comes back by its name alone.
    desk.person("forget", json!({ "what": "session", "id": "0c70be50", "yes": true }))
        .expect("gone");
    assert_eq!(found(desk, "idempotency key"), [""; 0]);
    let again = said(json!({ "from": "transcripts" }));
    let forgotten = "1 forgotten here: its file by name takes one in again";
    assert!(again.starts_with("took in 0 sessions") && again.ends_with(forgotten), "{again}");
    let named = said(json!({ "from": "transcripts", "path": path }));
    assert!(named.starts_with("took in 1 session "), "{named}");
    assert_eq!(found(desk, "idempotency key").len(), 1);
}

#[test]
fn a_folder_or_a_file_that_a_person_names_is_taken_in() {
    let desk = Desk::new();
    let (folder, gone) = (desk.folder().join("old machine"), Path::new("/home/dev/old/shop"));
    write(&folder.join("one.jsonl"), ("one", gone, "The lease expires too early."), 2);
    write(&folder.join("two.jsonl"), ("two", gone, "The queue is full on Mondays."), 3);
    fs::write(folder.join("none.jsonl"), "no transcript\n").expect("a file");
    write(&folder.join("a\nvade: b.jsonl"), ("a\nb", gone, "I pose as more."), 4);
    let of = |path: &Path| desk.object("adopt", json!({ "from": "transcripts", "path": path }));
    assert_eq!(of(&folder.join("one.jsonl"))["sessions"], 1);
    let whole = of(&folder);
    assert_eq!((&whole["sessions"], &whole["kept"]), (&json!(1), &json!(1)));
    assert_eq!(whole["skipped"].as_array().map(Vec::len), Some(2), "{whole}");
    let mut skipped = whole["skipped"].as_array().expect("a list").iter();
    assert!(skipped.all(|line| !line.as_str().expect("text").contains('\n')), "{whole}");
    assert_eq!(found(&desk, "mondays").len(), 1);
    // A copy is the same session; a file alone that is no transcript is an error.
    fs::copy(folder.join("two.jsonl"), folder.join("copy of two.jsonl")).expect("a copy");
    assert_eq!(of(&folder)["sessions"], 0);
    let none =
        desk.error("adopt", json!({ "from": "transcripts", "path": folder.join("none.jsonl") }));
    assert!(none.starts_with("usage: "), "{none}");
    let missing = desk.error("adopt", json!({ "from": "transcripts", "path": "nowhere" }));
    insta::assert_snapshot!(missing.replace(&desk.folder().display().to_string(), "~"), @"missing: there is no file and no folder at ~/project/nowhere");
    let error = desk.error("adopt", json!({ "from": "omc" }));
    assert_eq!(error, "usage: adopt omc needs a path: where it keeps what is taken in");
}

/// Each session is taken in by the project whose folder its records name: names of folders may be alike.
#[test]
fn a_session_belongs_to_the_folder_that_it_worked_in() {
    let desk = Desk::new();
    let (here, like) = (work(&desk), work(&desk).with_file_name("project.x"));
    let below = here.join("src/pay");
    for folder in [&here.join(".git"), &like, &below] {
        fs::create_dir_all(folder).expect("a folder");
    }
    fs::write(here.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    let lay = |folder: &Path, name: &str, says: &str| lay_in(&desk, folder, (name, says), 2);
    lay(
        &here,
        "0a000000-0000-4000-8000-000000000001",
        "The cause is the axolotl that the worker starts twice.",
    );
    lay(
        &below,
        "0b000000-0000-4000-8000-000000000002",
        "The cause is the okapi that the worker starts twice.",
    );
    lay(
        &here.join("gone/deep"),
        "0c000000-0000-4000-8000-000000000003",
        "The cause is the quokka that the worker starts twice.",
    );
    lay(
        &like,
        "0d000000-0000-4000-8000-000000000004",
        "The cause is the ibex that the worker starts twice.",
    );
    lay(
        &here.with_file_name("project-y"),
        "0e000000-0000-4000-8000-000000000005",
        "The cause is the gnu that the worker starts twice.",
    );
    let said = desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer").text;
    let folder = desk.folder().canonicalize().expect("a folder").display().to_string();
    assert_eq!(
        said,
        "took in 3 sessions of transcripts; already there: 0, without anything to tell: 0"
    );
    for (query, n) in [("axolotl", 1), ("okapi", 1), ("quokka", 1), ("ibex", 0), ("gnu", 0)] {
        assert_eq!(found(&desk, query).len(), n, "{query}");
    }
    // What says nothing of its folder, or what climbs, is nobody's; a long first record hides none.
    let of = |cwd: &str, word: &str| {
        let path = lay(
            &here,
            &format!("0f000000-0000-4000-8000-{word:0>12}"),
            "The cause is the lynx that the worker starts twice.",
        );
        let text = fs::read_to_string(&path).expect("a file");
        let folder = json!(here).to_string();
        let long = json!({"type": "file-history-snapshot", "snapshot": "x".repeat(90_000)});
        let text =
            text.replace(&folder, &json!(cwd).to_string()).replace("lynx", &format!("lynx{word}"));
        fs::write(&path, format!("{long}\n{text}")).expect("a file");
        let at = UNIX_EPOCH + Duration::from_secs(NOW - DAY);
        fs::File::options()
            .append(true)
            .open(&path)
            .expect("a file")
            .set_modified(at)
            .expect("a time");
    };
    of("", "a1");
    of("../project", "a2");
    of(&format!("{}/gone/../../project.x", here.display()), "a3");
    of(&like.display().to_string(), "a4");
    of(&here.display().to_string(), "a5");
    let said = desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer").text;
    assert_eq!(
        said,
        "took in 1 session of transcripts; already there: 3, without anything to tell: 0"
    );
    for (word, n) in [("lynxa1", 0), ("lynxa2", 0), ("lynxa3", 0), ("lynxa4", 0), ("lynxa5", 1)] {
        assert_eq!(found(&desk, word).len(), n, "{word}");
    }
    // So does one that a person names.
    let path = lay(
        &like,
        "0d000000-0000-4000-8000-000000000004",
        "The cause is the ibex that the worker starts twice.",
    );
    let error = desk.error("adopt", json!({ "from": "transcripts", "path": path }));
    assert_eq!(
        error.replace(&folder, "~"),
        "usage: 1 of another project: vade adopt transcripts in ~/project.x takes them in there"
    );
}

/// One that grew is told anew; two commands at once take each in once.
#[test]
fn what_went_on_is_taken_in_again() {
    let desk = Desk::new();
    lay(&desk, OCTOBER, "The cause is a retry without an idempotency key.", 20);
    let n = || desk.object("adopt", json!({ "from": "transcripts" }))["sessions"].clone();
    assert_eq!((n(), n()), (json!(1), json!(0)));
    lay(
        &desk,
        OCTOBER,
        "The cause is a retry without an idempotency key, and RabbitMQ sends it again.",
        19,
    );
    assert_eq!((n(), n()), (json!(1), json!(0)));
    assert_eq!(found(&desk, "rabbitmq").len(), 1);
    for n in 10..40 {
        let name = format!("{n}000000-0000-4000-8000-000000000001");
        lay(&desk, &name, &format!("The cause of number {n} is a race."), 5);
    }
    let all = std::thread::scope(|scope| {
        let two = [(); 2].map(|()| scope.spawn(n));
        two.map(|one| one.join().expect("no panic").as_u64().expect("a number"))
    });
    assert_eq!(all[0] + all[1], 30);
    assert_eq!(
        desk.object("list_sessions", json!({ "limit": 0 }))["sessions"].as_array().map(Vec::len),
        Some(31)
    );
}

/// What another project has of a session stays as it is, whatever lies here under its name.
#[test]
fn a_session_of_another_project_stays_there() {
    let mut desk = Desk::new();
    let other = work(&desk).with_file_name("other");
    fs::create_dir_all(&other).expect("a folder");
    let says = "The cause is the wombat that the worker starts twice.";
    lay(&desk, OCTOBER, says, 20);
    let here = std::mem::replace(&mut desk.world.folders.work, other);
    lay(&desk, OCTOBER, &format!("{says} And the dingo after it, each time that it fails."), 19);
    let n =
        |desk: &Desk| desk.object("adopt", json!({ "from": "transcripts" }))["sessions"].clone();
    let theirs = std::mem::replace(&mut desk.world.folders.work, here);
    assert_eq!(n(&desk), json!(1));
    desk.world.folders.work = theirs;
    assert_eq!((n(&desk), found(&desk, "dingo").len()), (json!(0), 0));
    desk.world.folders.work = desk.world.folders.work.with_file_name("project");
    assert_eq!((found(&desk, "dingo").len(), found(&desk, "wombat").len()), (0, 1));
}

/// A project that lay below another one is another once its folder is gone.
#[test]
fn a_session_of_a_project_below_that_is_gone_stays_its_own() {
    let mut desk = Desk::new();
    let (here, below) = (work(&desk), work(&desk).join("vendor/engine"));
    for folder in [&here, &below] {
        fs::create_dir_all(folder.join(".git")).expect("a folder");
        fs::write(folder.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    }
    desk.world.folders.work = below.clone();
    desk.object("add_note", json!({ "content": "The engine has a project of its own." }));
    desk.world.folders.work = here.clone();
    fs::remove_dir_all(&below).expect("removed");
    for (folder, name, beast) in [
        (below, "0a000000-0000-4000-8000-000000000001", "quokka"),
        (here.join("vendor/other"), "0b000000-0000-4000-8000-000000000002", "okapi"),
    ] {
        let says = format!("The cause is the {beast} that the worker starts twice.");
        lay_in(&desk, &folder, (name, &says), 2);
    }
    desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer");
    assert_eq!((found(&desk, "quokka").len(), found(&desk, "okapi").len()), (0, 1));
}

/// However many are taken in, who worked under vade is offered as before.
#[test]
fn what_is_taken_in_hides_nobody() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.event("PostToolBatch", &json!({ "tool_calls": [] }));
    let mut desk = claude.desk;
    desk.session = Some(format!("claude-code:{}", claude.session));
    desk.object("write_handoff", json!({ "content": "Next: drain the queue." }));
    desk.clock.fetch_add(40 * 60 * 1000, std::sync::atomic::Ordering::SeqCst);
    for n in 0..60 {
        let path = lay(
            &desk,
            &format!("0a000000-0000-4000-8000-{n:0>12}"),
            "The cause is a race in the worker.",
            1,
        );
        let text =
            fs::read_to_string(&path).expect("a file").replace("2025-10-30T08", "2025-11-21T05");
        fs::write(&path, text).expect("a file");
        let at = UNIX_EPOCH + Duration::from_secs(NOW - DAY);
        fs::File::options()
            .append(true)
            .open(&path)
            .expect("a file")
            .set_modified(at)
            .expect("a time");
    }
    assert_eq!(desk.object("adopt", json!({ "from": "transcripts" }))["sessions"], 60);
    let shown = desk.person("read_handoff", json!({})).expect("a handoff").text;
    assert!(shown.contains("drain the queue"), "{shown}");
}

/// No secret of a transcript comes into the store.
#[test]
fn what_is_taken_in_has_no_secrets() {
    let desk = Desk::new();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let bare = "jq4i9ZpR7w2LmXc8";
    let says = format!(
        "The deploy uses the token {secret} in ci.yml, with API_SECRET='{bare}'. \
         The cause of the failure: invalid key {bare} in ci.yml."
    );
    lay(&desk, OCTOBER, &says, 20);
    desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer");
    let found = found(&desk, "deploy token ci.yml");
    assert!(
        !found.is_empty()
            && found.iter().all(|line| ![secret, bare].iter().any(|it| line.contains(it))),
        "{found:?}"
    );
}

#[test]
fn what_the_harness_deletes_soon_is_said_before_it_is_gone() {
    let claude = Claude::new();
    let desk = &claude.desk;
    lay(desk, OCTOBER, "The cause is a retry without an idempotency key in gateway.rs.", 24);
    lay(
        desk,
        NOVEMBER,
        "The lease of the worker expires before the job ends, so it runs twice.",
        2,
    );
    let settings = desk.world.folders.home.join(".claude/settings.json");
    let dry = || {
        let arguments = json!({ "from": "transcripts", "dry_run": true });
        desk.person("adopt", arguments).expect("an answer").text
    };
    let head =
        "would take in 2 sessions of transcripts; already there: 0, without anything to tell: 0";
    for (kept, said) in [
        (None, "\nClaude Code deletes 1 of these within 7 days (cleanupPeriodDays is 30)"),
        (Some("{\"cleanupPeriodDays\": 365}"), ""),
        (
            Some("{\"cleanupPeriodDays\": 5}"),
            "\nClaude Code deletes 2 of these within 7 days (cleanupPeriodDays is 5)",
        ),
        (
            Some("no settings"),
            "\nClaude Code deletes 1 of these within 7 days (cleanupPeriodDays is 30)",
        ),
        (Some("{\"cleanupPeriodDays\": 9223372036854775807}"), ""),
    ] {
        if let Some(kept) = kept {
            fs::write(&settings, kept).expect("a file");
        }
        assert_eq!(dry(), format!("{head}{said}"), "{kept:?}");
    }
}

#[test]
fn a_session_without_a_page_is_shown_by_its_recap() {
    let mut claude = Claude::new();
    let desk = &mut claude.desk;
    lay(desk, OCTOBER, "The cause is a retry without an idempotency key in gateway.rs.", 20);
    desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer");
    desk.named = Some(format!("claude-code:{OCTOBER}"));
    let shown = desk.person("show_session", json!({})).expect("an answer");
    let recap = shown.object["recap"].as_str().expect("a recap");
    assert!(recap.contains("idempotency key in gateway.rs"), "{recap}");
    assert!(shown.text.ends_with(&format!("\n## Recap\n{recap}")), "{}", shown.text);
}

/// What else is known of it nowhere leaves with an export, and enters as what it was.
#[test]
fn what_was_taken_in_leaves_and_enters_with_its_recap() {
    let desk = Desk::new();
    lay(&desk, OCTOBER, "The cause is a retry without an idempotency key in gateway.rs.", 20);
    desk.person("adopt", json!({ "from": "transcripts" })).expect("an answer");
    let listed = |desk: &Desk| desk.object("list_sessions", json!({}))["sessions"].clone();
    let (before, query) = (found(&desk, "idempotency key"), "idempotency key");
    let markdown = desk.call("export", json!({ "all": true })).expect("an export").text;
    assert!(markdown.contains("\n## Recap\n\n") && markdown.contains(query), "{markdown}");
    for format in ["json", "jsonl"] {
        let package = desk.object("export", json!({ "format": format, "all": true }));
        let package = package["content"].as_str().expect("a text");
        let claude = Claude::new();
        let other = &claude.desk;
        let import = |arguments: Value| other.person("import", arguments).expect("an import").text;
        assert_eq!(
            import(json!({ "content": package, "dry_run": true })),
            "would take in 0 notepads and 0 notes of 1 session, 1 recap; already there: 0"
        );
        assert_eq!(
            import(json!({ "content": package })),
            "took in 0 notepads and 0 notes of 1 session, 1 recap; already there: 0"
        );
        assert_eq!(
            import(json!({ "content": package })),
            "took in 0 notepads and 0 notes of 1 session; already there: 1"
        );
        assert_eq!(found(other, query), before);
        assert_eq!(listed(other), listed(&desk));
        let context = claude.starts("startup");
        assert!(!context.contains("0c70be50"), "{context}");
    }
}
