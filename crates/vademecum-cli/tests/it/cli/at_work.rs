//! What a person means who names no session: the agent's that is at work, else the desk.

use std::fs::File;
use std::io::{Read, Write};

use super::home::Home;
use super::terminal::{Ends, open};

const ONE: &str = "claude-code:aaaa1111-1";
const TWO: &str = "codex:bbbb2222-2";

/// A home in which these sessions wrote a page and a note.
fn at_work(sessions: &[&str]) -> Home {
    let home = Home::new();
    for name in sessions {
        let page = format!("# Page of {name}\n");
        home.json(&["--session", name, "notepad", "write", &page]);
        let words = ["--session", name, "note", "add", &format!("found by {name}"), "--tag", "bug"];
        home.json(&words);
    }
    home
}

#[test]
fn a_person_sees_what_the_agent_at_work_wrote() {
    let home = at_work(&[ONE]);
    for (words, shown) in [
        (&["note", "list"][..], "found by claude-code"),
        (&["note", "search", "found"], "found by claude-code"),
        (&["notepad", "show"], "# Page of claude-code"),
        (&["notepad", "history"], "# Page of claude-code"),
        (&["tag", "list"], "bug"),
        (&["context"], "# Page of claude-code"),
        (&["export"], "found by claude-code"),
        (&["export", "--format", "jsonl"], "found by claude-code"),
        (&["session", "show"], "found by claude-code"),
        (&["call", "list_notes", "{}"], "found by claude-code"),
    ] {
        let said = home.vade(words);
        assert!(said.out.contains(shown), "{words:?}: {said:?}");
        let line = "claude-code session aaaa1111 of demo, running (--desk for your own)\n";
        assert_eq!(said.err, line, "{words:?}");
        let desk = home.vade(&[&["--desk"], words].concat());
        assert!(!desk.out.contains(shown), "{words:?}: {desk:?}");
    }
    assert_eq!(home.json(&["status"])["session"], ONE);
    assert_eq!(home.json(&["status"])["known_by"], "at work here");
}

#[test]
fn what_a_person_writes_reaches_the_agent_at_work() {
    let home = at_work(&[ONE]);
    let id = home.add("by hand", "todo");
    home.json(&["notepad", "update", "append", "more\n"]);
    home.json(&["note", "scratch", &id, "true"]);
    let page = home.json(&["--session", ONE, "notepad", "show"]);
    assert_eq!(page["content"], format!("# Page of {ONE}\nmore\n"));
    let total = |words: &[&str]| {
        home.json(&[&["--session", ONE, "note", "list"], words].concat())["total"].clone()
    };
    assert_eq!([total(&[]), total(&["--include-scratched"])], [1, 2]);
    // What the last session leaves is shown whoever asks.
    assert!(home.text(&["handoff", "show"]).contains("more"));
    assert_eq!(home.json(&["--desk", "note", "list"])["total"], 0);
    home.json(&["forget", "note", &id, "--yes"]);
    assert_eq!(home.json(&["--session", ONE, "note", "list"])["total"], 1);
}

#[test]
fn the_last_one_is_meant_where_none_runs() {
    let home = at_work(&[ONE, TWO]);
    home.json(&["session", "archive", ONE]);
    home.json(&["session", "archive", TWO]);
    let said = home.vade(&["note", "list"]);
    let line = "codex session bbbb2222 of demo, last active a moment ago (--desk for your own)\n";
    assert_eq!((said.code, said.err.as_str()), (0, line));
    assert!(said.out.contains("found by codex"), "{said:?}");
    // What is of the person alone stays so.
    assert_eq!(home.json(&["plan", "list"])["plans"], serde_json::json!([]));
    assert_eq!(home.vade(&["learning", "add", "Money is in cents."]).err, "desk session of demo\n");
    let forgot = home.json(&["forget", "session", "--yes"])["forgot"].clone();
    assert_eq!(home.steady(forgot.as_str().expect("a name")), "desk:PROJECT");
}

#[test]
fn of_several_that_run_none_is_guessed() {
    let home = at_work(&[ONE, TWO]);
    let said = home.vade(&["note", "list"]);
    let refusal = "vade: 2 sessions run in demo:\n  \
                   bbbb2222 codex, began a moment ago Page of codex:bbbb2222-2\n  \
                   aaaa1111 claude-code, began a moment ago Page of claude-code:aaaa1111-1\n  \
                   hint: --session names one of them, --desk is your own\n";
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (2, "", refusal));
    assert_eq!(home.vade(&["--session", "aaaa1111", "note", "list"]).code, 0);
    // Where things stand is told all the same.
    let status = home.vade(&["status"]);
    assert_eq!(status.code, 0, "{status:?}");
    assert_eq!(status.err, "", "{status:?}");
    let first = "project  demo, vade is on\n\
                 running  2 sessions, --session names one:\n         \
                 bbbb2222 codex Page of codex:bbbb2222-2\n         \
                 aaaa1111 claude-code Page of claude-code:aaaa1111-1\n\
                 session  desk:";
    assert!(status.out.starts_with(first), "{status:?}");
    home.text(&["off"]);
    assert!(!home.text(&["status"]).contains("aaaa1111"));
}

/// On one store with others a person's words never reach the agent of somebody else unless they name it.
#[test]
fn anothers_agent_is_only_looked_at() {
    for another in [another_person, somebody_new] {
        check_anothers_agent(another);
    }
}

/// Who has never written has no id yet.
fn somebody_new(home: &Home) {
    std::fs::remove_file(home.path("data/vademecum/identity.json")).expect("a file");
}

#[track_caller]
fn check_anothers_agent(another: fn(&Home)) {
    let home = at_work(&[ONE]);
    another(&home);
    let said = home.vade(&["notepad", "show"]);
    let line = "claude-code session aaaa1111 of demo, of another person (--desk for your own)\n";
    assert_eq!((said.out.contains(ONE), said.err.as_str()), (true, line), "{said:?}");
    assert_eq!(home.vade(&["note", "add", "mine", "-t", "x"]).err, "desk session of demo\n");
    home.json(&["notepad", "update", "append", "mine\n"]);
    let theirs = |words: &[&str]| home.json(&[&["--session", ONE], words].concat());
    assert_eq!(theirs(&["notepad", "show"])["content"], format!("# Page of {ONE}\n"));
    assert_eq!(theirs(&["note", "list"])["total"], 1);
    assert_eq!(home.json(&["status"])["known_by"], "your own desk");
    // With an agent of one's own there is no other.
    home.json(&["--session", TWO, "notepad", "write", "# Own"]);
    let said = home.vade(&["notepad", "show"]);
    let line = "codex session bbbb2222 of demo, running (--desk for your own)\n";
    assert_eq!((said.out.as_str(), said.err.as_str()), ("# Own", line));
}

/// From here on somebody else works in the home.
fn another_person(home: &Home) {
    let file = home.path("data/vademecum/identity.json");
    let text = std::fs::read_to_string(&file).expect("a file");
    let mut identity: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let person = identity["person"].as_str().expect("an id").to_owned();
    let first = if person.starts_with('0') { '1' } else { '0' };
    identity["person"] = format!("{first}{}", &person[1..]).into();
    std::fs::write(&file, identity.to_string()).expect("a file");
}

/// A heading that stands on every page says of none what its session does.
#[test]
fn each_of_several_is_told_by_what_it_does() {
    let home = at_work(&[ONE, TWO]);
    let write = |session, page| home.json(&["--session", session, "notepad", "write", page]);
    write(ONE, "## Goal\n\nMake refunds idempotent.\n## Plan\n- [ ] the key");
    write(TWO, "# Plan\n- [x] find the cause\n- [ ] use the harbour's zone");
    let running = home.json(&["status"])["running"].clone();
    let doing = ["use the harbour's zone", "Make refunds idempotent."];
    assert_eq!([&running[0]["doing"], &running[1]["doing"]], doing);
    let refused = home.vade(&["note", "list"]).err;
    assert!(doing.iter().all(|doing| refused.contains(doing)), "{refused}");
}

#[test]
fn an_empty_page_is_said_to_be_empty() {
    let home = Home::new();
    home.add("one", "t");
    for words in [&["notepad", "show"][..], &["call", "read_notepad"]] {
        let said = home.vade(words);
        let line = "desk session of demo\nthe notepad is empty: nothing stands on it\n";
        assert_eq!((said.out.as_str(), said.err.as_str()), ("", line), "{words:?}");
    }
    assert_eq!(home.vade(&["notepad", "show", "--json"]).err, "");
}

#[test]
fn a_person_at_a_terminal_is_asked() {
    let home = at_work(&[ONE, TWO]);
    for (typed, shown) in
        [("2\n", "found by claude-code"), ("\n", "found by codex"), ("7\n0\n", "no notes")]
    {
        let Ends { master, slave } = open();
        let mut command = home.command(&["note", "list"]);
        let other = slave.try_clone().expect("a terminal");
        let child = command.stdin(slave).stderr(other).spawn().expect("the binary");
        drop(command);
        let mut master = File::from(master);
        master.write_all(typed.as_bytes()).expect("an answer");
        let output = child.wait_with_output().expect("an end");
        let mut asked = Vec::new();
        drop(master.read_to_end(&mut asked));
        let asked = String::from_utf8(asked).expect("text");
        let out = String::from_utf8(output.stdout).expect("text");
        assert!(out.contains(shown), "{typed:?}: {out} {asked}");
        assert!(asked.contains("1  bbbb2222 codex, began a moment ago Page of codex"), "{asked}");
    }
}

#[test]
fn a_session_and_the_desk_are_not_named_at_once() {
    let home = at_work(&[ONE]);
    assert_eq!(
        home.error(&["--desk", "--session", "aaaa1111", "note", "list"]),
        "usage: --session and --desk name two sessions: one is enough"
    );
}

/// Nothing was kept in it, so there are no notes and no page of it to be shown.
#[test]
fn what_was_taken_in_is_no_session_at_work() {
    let home = Home::new();
    let records = serde_json::json!({"type": "user", "uuid": "u", "cwd": home.path("demo"),
        "sessionId": "old-one", "timestamp": "2025-10-11T08:00:00.000Z",
        "message": {"role": "user", "content": "Find out why the webhook is sent twice."}});
    let folder = home.path("demo").display().to_string().replace(['/', '.'], "-");
    let folder = home.path(".claude/projects").join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("old-one.jsonl"), format!("{records}\n")).expect("a file");
    let file = folder.join("old-one.jsonl");
    home.json(&["adopt", "transcripts", file.to_str().expect("text")]);
    let said = home.vade(&["note", "list"]);
    assert_eq!(said.err, "desk session of demo\n");
    let recap = home.vade(&["recap"]);
    assert!(recap.out.contains("why the webhook is sent twice"), "{recap:?}");
}
