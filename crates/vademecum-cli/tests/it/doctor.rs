//! What the doctor finds in homes that are well and in homes that are not, and what mends them.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use vademecum::port::{Erase, Store};
use vademecum_sqlite::{Options, Sqlite};

use crate::home::{Home, Said, VADE};
use crate::hook::place::{self, Mount};

const DATA: &str = ".local/share/vademecum";

/// The findings that are not ok, without what differs from run to run.
fn unwell(said: &Said) -> String {
    let lines = said.stdout.lines().filter(|line| !line.starts_with("ok"));
    let mut text: Vec<String> = lines.map(str::to_owned).collect();
    for line in &mut text {
        if let Some(at) = line.find("20").filter(|at| line[*at..].contains('T')) {
            line.replace_range(at..at + 24, "TIME");
        }
    }
    format!("{}: {}", said.code.expect("a code"), text.join("\n"))
}

fn installed() -> Home {
    let home = Home::with_program();
    home.vade(&["install", "--yes"]).success();
    home
}

fn noted() -> Home {
    let home = installed();
    let said = home.vade(&["note", "add", "the token is in the vault", "--tags", "finding"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    home
}

/// Tells the hook of a session, and gives back what it prints.
fn hook(home: &Home, source: &str) -> String {
    moment(home, "SessionStart", &json!({"source": source}))
}

fn moment(home: &Home, name: &str, more: &Value) -> String {
    let mut event = json!({
        "session_id": "s-1", "transcript_path": home.path("t.jsonl"), "cwd": home.path,
        "hook_event_name": name,
    });
    let fields = event.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    let mut command = home.command(&home.program());
    command.args(["hook", "claude-code", name]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().expect("a run");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(event.to_string().as_bytes()).expect("an event");
    drop(stdin);
    let output = child.wait_with_output().expect("an answer");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn all_is_well_after_installing() {
    let home = installed();
    insta::assert_snapshot!(home.vade(&["doctor"]).success());
    let home = noted();
    assert_eq!(unwell(&home.vade(&["doctor", "--deep"])), "0: ");
    let report: Value =
        serde_json::from_str(&home.vade(&["doctor", "--json"]).success()).expect("JSON");
    assert!(report["findings"].as_array().is_some_and(|all| 5 < all.len()), "{report}");
}

#[test]
fn what_is_not_wired_is_told() {
    insta::assert_snapshot!(unwell(&Home::new().vade(&["doctor"])));
}

#[test]
fn wiring_that_went_wrong_is_told() {
    let settings = ".claude/settings.json";
    let spoiled = |change: &dyn Fn(&Home)| {
        let home = installed();
        change(&home);
        unwell(&home.vade(&["doctor"])) + "\n"
    };
    let edit = |home: &Home, from: &str, to: &str| {
        let text = home.read(settings).expect("settings").replacen(from, to, 1);
        home.write(settings, text);
    };
    insta::assert_snapshot!(
        [
            spoiled(&|home| home.write(settings, "{ no")),
            spoiled(&|home| home.write(settings, "{}")),
            spoiled(&|home| edit(home, "\"PreCompact\"", "\"Other\"")),
            spoiled(&|home| edit(home, "{", "{\"disableAllHooks\": true,")),
            spoiled(
                &|home| home.write("../.claude/settings.local.json", "{\"disableAllHooks\":true}")
            ),
            spoiled(&|home| edit(home, "\"allow\": [", "\"deny\": [\"mcp__vade\"],\"allow\": [")),
            spoiled(&|home| edit(home, "\"mcp__vade__add_note\",", "")),
            spoiled(&|home| edit(home, "/.local/bin/vade", "/.local/bin/../bin/vade")),
            spoiled(&|home| fs::remove_file(home.path(".claude.json")).expect("a file")),
            spoiled(&|home| {
                for file in [settings, ".claude.json"] {
                    let text = home.read(file).expect("a file");
                    home.write(file, text.replace("/.local/bin/vade", "/gone/vade"));
                }
            }),
        ]
        .concat()
    );
}

#[test]
fn what_others_can_read_is_told() {
    let home = noted();
    fs::set_permissions(home.path(DATA), Permissions::from_mode(0o755)).expect("a mode");
    let key = home.path(&format!("{DATA}/vade.key"));
    fs::set_permissions(key, Permissions::from_mode(0o644)).expect("a mode");
    insta::assert_snapshot!(unwell(&home.vade(&["doctor"])));
}

#[test]
fn a_store_that_takes_no_write_is_told() {
    for (place, fault) in [
        (place::read_only as fn(&Path) -> Option<Mount>, "it can be read and not written"),
        (place::full, "its disk is full, nothing more can be written"),
    ] {
        let home = noted();
        let Some(mount) = place(&home.path(DATA)) else {
            eprintln!("skipped: this machine does not let us mount, as the superuser could");
            return;
        };
        let all = home.vade(&["doctor"]);
        let said = unwell(&all);
        assert!(said.starts_with("7: ") && said.contains(fault), "{said}");
        assert!(!all.stdout.contains(": whole"), "{all:?}");
        drop(mount);
        assert_eq!(unwell(&home.vade(&["doctor"])), "0: ");
    }
}

/// What mends that is its owner or a mode, and no repair of what is whole.
#[test]
fn a_store_that_may_not_be_read_is_told() {
    let home = noted();
    let mut command = home.command(Path::new(VADE));
    command.arg("doctor");
    let is_of_another = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    if is_of_another {
        // The superuser reads whatever the mode.
        for folder in home.path("").ancestors().take(2) {
            fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("a mode");
        }
        command.uid(65_534);
    } else {
        fs::set_permissions(home.path(DATA), Permissions::from_mode(0o000)).expect("a mode");
    }
    let Ok(output) = command.output() else {
        eprintln!("skipped: others may not enter the folder of this build");
        return;
    };
    let said = home.said(&output);
    fs::set_permissions(home.path(DATA), Permissions::from_mode(0o700)).expect("a mode");
    let store = said.stdout.lines().skip_while(|line| !line.contains(" store ")).take(2);
    let store: Vec<&str> = store.map(str::trim).collect();
    assert!(store[0].ends_with("vade.db: it may not be read"), "{said:?}");
    let mend = if is_of_another { "fix: sudo chown -R \"$USER\" " } else { "fix: chmod u+rwx " };
    assert!(store[1].starts_with(mend), "{said:?}");
}

/// A folder that may not be entered is like that for others than the superuser.
#[test]
fn a_store_that_cannot_be_looked_at_is_no_empty_one() {
    let home = noted();
    let (data, away) = (home.path(DATA), home.path("away"));
    fs::rename(&data, &away).expect("moved");
    std::os::unix::fs::symlink(&data, &data).expect("a link to itself");
    let fault = "Too many levels of symbolic links";
    for words in [
        &["note", "list"][..],
        &["notepad", "show"],
        &["note", "search", "vault"],
        &["note", "add", "more", "--tags", "a"],
        &["doctor", "--repair"],
        &["export"],
    ] {
        let said = home.vade(words);
        assert!(said.code == Some(7) && said.stderr.contains(fault), "{words:?} {said:?}");
    }
    assert!(unwell(&home.vade(&["doctor"])).contains(fault));
    assert!(hook(&home, "compact").contains(fault));
    fs::remove_file(&data).expect("a link");
    fs::rename(&away, &data).expect("moved");
    assert!(home.vade(&["note", "list"]).stdout.contains("the token is in the vault"));
}

/// The next write makes a new store without a word, so who asks before is told.
#[test]
fn a_store_that_is_gone_is_not_told_as_one_that_never_was() {
    let home = noted();
    let data = home.path(DATA);
    for name in ["vade.db", "vade.db-wal", "vade.db-shm"] {
        drop(fs::remove_file(data.join(name)));
    }
    let told = |mend: &str| {
        let gone = "vade.db: it is gone, its key is not: the next write begins an empty store\n";
        let said = home.vade(&["doctor"]).stdout;
        let at = said.find(gone).map(|at| at + gone.len());
        assert!(at.is_some_and(|at| said[at..].trim_start().starts_with(mend)), "{said}");
    };
    told("fix: rm ");
    fs::create_dir_all(data.join("backups")).expect("a folder");
    fs::write(data.join("backups/vade-kept-1.db"), "").expect("a copy");
    told("fix: vade backup --restore ");
}

#[test]
fn a_damaged_store_is_told_and_mended() {
    let home = noted();
    let database = home.path(&format!("{DATA}/vade.db"));
    let file = File::options().write(true).open(&database).expect("a file");
    file.write_all_at(&[0xa5; 8192], 5 * 4096).expect("bytes");
    let damaged = fs::read(&database).expect("a file");
    let said = home.vade(&["doctor"]);
    assert!(said.code == Some(7) && said.stdout.contains("fix: vade doctor --repair"), "{said:?}");

    let is_whole = || home.vade(&["doctor", "--deep"]).stdout.contains("every page whole");
    assert!(!is_whole());
    let mended = home.vade(&["doctor", "--repair"]).success();
    assert!(mended.contains("note: 1 rows saved\n"), "{mended}");
    assert!(mended.contains("the damaged file is kept: "), "{mended}");
    let aside = home.path(&format!("{DATA}/backups/vade-damaged-1.db"));
    assert_eq!(fs::read(aside).expect("the old file"), damaged);
    assert_eq!(unwell(&home.vade(&["doctor", "--deep"])), "0: ");
    assert!(is_whole());
    let again = home.vade(&["doctor", "--repair"]).success();
    insta::assert_snapshot!(again, @"~/.local/share/vademecum/vade.db is whole; its search index was rebuilt (1 note)");
}

#[test]
fn a_store_in_use_is_not_replaced() {
    let home = noted();
    let mut command = home.command(&home.program());
    let mut child = command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let child = child.as_mut().expect("a server");
    let ask = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "list_notes", "arguments": {"session": "desk"}}},
    ]);
    let mut stdin = child.stdin.take().expect("a pipe");
    for line in ask.as_array().expect("lines") {
        writeln!(stdin, "{line}").expect("a line");
    }
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    for _ in 0..2 {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut lines, &mut line).expect("an answer");
    }

    let database = home.path(&format!("{DATA}/vade.db"));
    let file = File::options().write(true).open(&database).expect("a file");
    file.write_all_at(&[0xa5; 8192], 5 * 4096).expect("bytes");
    let said = home.vade(&["doctor", "--repair"]).failure();
    drop(stdin);
    child.wait().expect("an end");
    insta::assert_snapshot!(said);
    home.vade(&["doctor", "--repair"]).success();
}

#[test]
fn who_holds_the_lock_is_told() {
    let home = noted();
    let lock = File::open(home.path(&format!("{DATA}/vade.lock"))).expect("a file");
    lock.lock().expect("a lock");
    let said = unwell(&home.vade(&["doctor"]));
    let me = format!("process {} (", std::process::id());
    assert!(said.starts_with("0: warn lock") && said.contains(&me), "{said}");
}

#[test]
fn what_is_off_or_waits_or_cannot_be_read_is_told() {
    let home = noted();
    home.vade(&["off"]).success();
    let queued = json!({"at": 1_795_306_351_893_i64, "fault": "the disk of the store is full", "told": null});
    let folder = home.path(&format!("{DATA}/spool"));
    home.write(&format!("{DATA}/spool/0000000000000001-a.jsonl"), format!("{queued}\n{queued}\n"));
    home.write(&format!("{DATA}/spool/0000000000000002-a.aside"), b"\xff torn\n{\"at\": 7}\n");
    fs::set_permissions(folder, Permissions::from_mode(0o700)).expect("a mode");
    home.write(".config/vademecum/config.toml", "[notes]\nlimit = 3\n");
    insta::assert_snapshot!(unwell(&home.vade(&["doctor"])));
}

#[test]
fn what_others_are_forgetting_is_no_fault_and_what_nobody_ends_is() {
    let home = noted();
    let database = home.path(&format!("{DATA}/vade.db"));
    let open = || Sqlite::at(&database, Options::patient());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let store = open();
            while !is_over.load(Ordering::Relaxed) {
                let intent = store.intend("{}").expect("an intention");
                store.erase(&Erase::Nothing, Some(intent)).expect("an end");
            }
        });
        let said: Vec<Said> = (0..4).map(|_| home.vade(&["doctor"])).collect();
        is_over.store(true, Ordering::Relaxed);
        assert!(said.iter().all(|said| said.code == Some(0)), "{said:?}");
    });
    open().intend("{}").expect("an intention");
    insta::assert_snapshot!(unwell(&home.vade(&["doctor"])), @r"
    7: bad  forget      one thing was begun to be forgotten and is not gone
                     fix: vade status goes on with it
    ");
}

/// What the doctor says of recall; nothing where it does not.
fn of_recall(home: &Home) -> String {
    let said = home.vade(&["doctor"]).success();
    let is_of_recall = |line: &&str| line.split_whitespace().nth(1) == Some("recall");
    let mut lines = said.lines().skip_while(|line| !is_of_recall(line));
    let first = lines.next().unwrap_or_default();
    let mend = lines.next().filter(|line| line.starts_with(' ')).unwrap_or_default();
    format!("{first}{mend}")
}

#[test]
fn how_much_of_what_was_told_was_used_is_told() {
    let home = installed();
    home.write(".config/vademecum/config.toml", "context.recall = \"auto\"\n");
    let kept = "worker.rs retries once: staging loses acks.";
    let decided = home.vade(&["decision", "add", kept, "--session", "claude-code:s-0"]);
    assert_eq!(decided.code, Some(0), "{decided:?}");
    let record = |lines: &[Value]| {
        let lines = lines.iter().map(|line| format!("{line}\n"));
        home.write("t.jsonl", lines.collect::<String>());
    };
    let asked = json!({"type": "user", "message": {"role": "user", "content": "hello"}});
    hook(&home, "startup");
    record(std::slice::from_ref(&asked));
    let printed =
        moment(&home, "UserPromptSubmit", &json!({"prompt": "why does worker.rs retry twice?"}));
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let told = &printed["hookSpecificOutput"]["additionalContext"];
    let context = json!({"type": "hook_additional_context", "content": [told]});
    let said = json!({"type": "assistant", "message": {"role": "assistant",
        "content": [{"type": "text", "text": "Staging loses acks."}]}});
    record(&[asked, json!({"type": "attachment", "attachment": context}), said]);
    assert_eq!(of_recall(&home), "");
    moment(&home, "SessionEnd", &json!({"reason": "other"}));
    assert_eq!(of_recall(&home), "ok   recall      1 of the last 1 told were used");

    let list = format!("{DATA}/recalls.jsonl");
    let counted = home.read(&list).expect("a list");
    assert!(!counted.contains("acks"), "{counted}");
    let mode = fs::metadata(home.path(&list)).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    home.write(&list, counted.replace("\"told\":1", "\"told\":23"));
    assert_eq!(
        of_recall(&home),
        "warn recall      silent here: 1 of the last 23 that prompts were told were used                 \
         fix: vade search WORDS, or a model's recall, lets it speak again"
    );
    home.vade(&["search", "acks"]).success();
    assert_eq!(of_recall(&home), "");
    home.write(".config/vademecum/config.toml", "");
    home.write(&list, counted);
    assert_eq!(of_recall(&home), "");
}

/// What the harness writes of a context that it handed over.
fn handed_over(printed: &str, change: impl Fn(&str) -> String) -> String {
    let answer: Value = serde_json::from_str(printed).expect("JSON");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    let line = |attachment: Value| json!({"type": "attachment", "attachment": attachment});
    let sent =
        line(json!({"type": "hook_success", "stdout": printed, "hookEvent": "SessionStart"}));
    let got = line(json!({"type": "hook_additional_context", "content": [change(text)],
        "hookEvent": "SessionStart"}));
    format!("{sent}\n{got}\n")
}

#[test]
fn what_reached_the_model_is_told() {
    let home = installed();
    let mut transcript = handed_over(&hook(&home, "startup"), str::to_owned);
    home.write("t.jsonl", &transcript);
    home.vade(&["note", "add", "one", "--tags", "finding", "--session", "claude-code:s-1"])
        .success();
    let delivery = |transcript: &str| {
        home.write("t.jsonl", transcript);
        // What was sent just now may still be on its way: a minute goes by.
        let receipts = format!("{DATA}/receipts.jsonl");
        let old = home.read(&receipts).expect("receipts").replace("\"at\":\"2", "\"at\":\"1");
        home.write(&receipts, old);
        let said = home.vade(&["doctor"]);
        let line = said.stdout.lines().find(|line| line.contains("delivery")).expect("a line");
        let code = said.code.expect("a code");
        let cut = line.split(" (the last").next().expect("a part");
        format!("{code}: {cut}\n")
    };
    let mut told = String::new();
    let first = hook(&home, "compact");
    told += &delivery(&transcript);
    transcript += &handed_over(&first, str::to_owned);
    told += &delivery(&transcript);

    home.vade(&["note", "add", "two", "--tags", "finding", "--session", "claude-code:s-1"])
        .success();
    let second = hook(&home, "compact");
    let preview = |text: &str| {
        let start: String = text.chars().take(40).collect();
        format!(
            "<persisted-output>\nOutput too large (9.8KB). Full output saved to: /t/x.txt\n\n\
                 Preview (first 2KB):\n{start}\n...\n</persisted-output>"
        )
    };
    told += &delivery(&format!("{transcript}{}", handed_over(&second, preview)));
    told += &delivery(&format!(
        "{transcript}{}",
        handed_over(&second, |text| text.replace("two", "2"))
    ));
    told += &delivery(&transcript);
    fs::remove_file(home.path("t.jsonl")).expect("a file");
    let said = home.vade(&["doctor"]).success();
    told += said.lines().find(|line| line.contains("delivery")).expect("a line");
    insta::assert_snapshot!(told);
}

#[test]
fn the_doctor_changes_nothing() {
    let home = noted();
    let kept = || {
        let mut tree = home.tree();
        // Whoever reads a log keeps its place in files of SQLite's own.
        let own = ["vade.db-wal", "vade.db-shm"];
        tree.retain(|path, _| !own.iter().any(|name| path.ends_with(name)));
        tree
    };
    let before = kept();
    home.vade(&["doctor", "--deep"]).success();
    assert!(before == kept(), "something was changed");
}
