//! Which session a command works on: the named one, the one of the environment, else the desk.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use super::home::Home;

#[test]
fn a_person_works_on_the_desk_and_is_told() {
    let home = Home::new();
    let said = home.vade(&["notepad", "write", "mine"]);
    assert_eq!(said.err, "desk session of demo\n");
    assert_eq!(home.vade(&["notepad", "show", "--session", "desk"]).err, "");
    assert_eq!(home.vade(&["notepad", "show", "--json"]).err, "");
    assert_eq!(home.json(&["notepad", "write", "mine"])["session"], "desk");
}

#[test]
fn an_agent_works_on_its_own_session() {
    for (variables, name) in [
        (&[("VADE_SESSION_ID", "other:abc-1")][..], "other:abc-1"),
        (&[("VADE_SESSION_ID", "other:abc-1/sub-2")], "other:abc-1/sub-2"),
        (&[("CLAUDE_CODE_SESSION_ID", "752d4c1e-aa")], "claude-code:752d4c1e-aa"),
        (&[("CODEX_SESSION_ID", "01a2-aa"), ("CODEX_THREAD_ID", "01a2-aa")], "codex:01a2-aa"),
        (
            &[("CODEX_SESSION_ID", "01a2-aa"), ("CODEX_THREAD_ID", "01a2-bb")],
            "codex:01a2-aa/01a2-bb",
        ),
        (&[("CLAUDE_CODE_SESSION_ID", "752d"), ("CODEX_SESSION_ID", "01a2-aa")], "codex:01a2-aa"),
        (
            &[("CLAUDE_CODE_SESSION_ID", "752d4c1e-aa"), ("VADE_SESSION_ID", "other:abc-1")],
            "other:abc-1",
        ),
    ] {
        let home = variables.iter().fold(Home::new(), |home, (name, value)| home.with(name, value));
        let said = home.vade(&["notepad", "write", "text"]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{name}");
        assert_eq!(home.json(&["status"])["session"], name);
        assert_eq!(home.json(&["session", "show", name])["notepad"], "text");
        assert!(home.text(&["notepad", "history"]).contains("(cli/agent)"));
    }
    let home = Home::new().with("VADE_SESSION_ID", "no name");
    assert_eq!(
        home.error(&["notepad", "show"]),
        "usage: VADE_SESSION_ID takes harness:id or harness:id/agent, \"no name\" given"
    );
}

/// What is the project's, whoever asks.
const NEED_NO_SESSION: [&[&str]; 9] = [
    &["session", "list"],
    &["config", "show"],
    &["project", "list"],
    &["stats"],
    &["how"],
    &["decision", "list"],
    &["plan", "list"],
    &["check"],
    &["search", "anything"],
];

#[test]
fn an_id_that_names_no_session_is_not_taken_for_the_one_that_runs() {
    for variable in ["CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID", "CODEX_THREAD_ID"] {
        let home = Home::new().with(variable, "bad:id");
        home.json(&["--session", "test:one", "notepad", "write", "of the one that runs"]);
        for words in [&["notepad", "write", "another's"][..], &["note", "add", "another's"]] {
            assert_eq!(
                home.error(words),
                format!("usage: {variable} holds no id of a session: \"bad:id\" given")
            );
        }
        // What needs no session works, and so finds the one that is meant.
        for words in NEED_NO_SESSION {
            assert_eq!(home.vade(words).code, 0, "{words:?}");
        }
        let show = ["--session", "one", "notepad", "show"];
        assert_eq!(home.json(&show)["content"], "of the one that runs", "{variable}");
    }
}

/// Bytes that are no text are an id as well, if none that is.
#[test]
fn an_id_that_is_no_text_is_none_that_is_not_there() {
    for variable in ["VADE_SESSION_ID", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"] {
        let home = Home::new().with(variable, OsStr::from_bytes(b"\xff"));
        assert_eq!(
            home.error(&["notepad", "write", "another's"]),
            format!("usage: {variable} holds no id of a session: it is no text")
        );
        // As the hint says.
        if variable != "VADE_SESSION_ID" {
            home.with("VADE_SESSION_ID", "mine:1").text(&["notepad", "write", "mine"]);
        }
    }
}

#[test]
fn a_session_is_named_before_or_behind_and_by_its_handle() {
    let home = Home::new().with("VADE_SESSION_ID", "other:environment");
    home.json(&["--session", "test:12345678-aa", "notepad", "write", "named"]);
    for words in [
        &["--session", "test:12345678-aa", "notepad", "show"][..],
        &["notepad", "--session", "12345678", "show"],
        &["notepad", "show", "--session=1234"],
        &["call", "read_notepad", r#"{"session": "12345678"}"#],
    ] {
        assert_eq!(home.json(words)["content"], "named", "{words:?}");
    }
    assert_eq!(home.page(), "");
    let refused = home.error(&["call", "read_notepad", r#"{"session": 5}"#]);
    assert_eq!(refused, "usage: session takes a handle, 5 given");
}

#[test]
fn a_project_and_a_store_can_be_named() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("other")).expect("a folder");
    home.json(&["notepad", "write", "here"]);
    home.json(&["--project", "../other", "notepad", "write", "there"]);
    assert_eq!(home.page(), "here");
    assert_eq!(home.json(&["notepad", "show", "--project=../other"])["content"], "there");

    home.json(&["--store", "own.db", "notepad", "write", "elsewhere"]);
    assert!(home.path("demo/own.db").is_file());
    for address in ["own.db", "sqlite:own.db", "../demo/own.db"] {
        assert_eq!(home.json(&["notepad", "show", "--store", address])["content"], "elsewhere");
    }
    // A relative store is seen from here, whatever the project.
    home.json(&["--project", "../other", "--store", "own.db", "notepad", "write", "x"]);
    assert!(!home.path("other/own.db").exists());
    assert_eq!(home.page(), "here");
}

/// What a repository has lying where the call is made is not taken for the person's own store.
#[test]
fn a_store_that_is_set_is_the_same_in_every_folder() {
    let home = Home::new();
    home.json(&["--store", "own.db", "notepad", "write", "of the repository"]);
    home.json(&["--store", "../own.db", "notepad", "write", "the person's"]);
    let page = ["notepad", "show"];
    let mut home = home;
    for (address, is_taken) in [
        ("own.db", false),
        ("sqlite:own.db", false),
        ("./own.db", false),
        ("sqlite:../own.db", false),
        ("~/own.db", true),
        ("sqlite:~/own.db", true),
        ("sqlite://~/own.db", true),
    ] {
        home.configure(&format!("store.url = '{address}'\n"));
        let by_file = home.vade(&page);
        home.configure("");
        home = home.with("VADE_STORE", address);
        for said in [by_file, home.vade(&page)] {
            if is_taken {
                assert_eq!(said.out, "the person's", "{said:?}");
            } else {
                let told = format!(
                    "vade: store address \"{address}\" is relative\n  hint: VADE_STORE and"
                );
                assert!(said.code == 2 && said.err.starts_with(&told), "{said:?}");
            }
        }
        home = home.without("VADE_STORE");
    }
}

#[test]
fn sessions_of_one_moment_are_told_apart_by_their_handles() {
    let home = Home::new();
    let names = ["first", "second", "third"].map(|text| {
        let session = home.json(&["session", "new"]);
        let name = session["name"].as_str().expect("a name").to_owned();
        home.json(&["--session", &name, "notepad", "write", text]);
        name
    });
    for (name, text) in names.iter().zip(["first", "second", "third"]) {
        let handle = &name["person:".len()..][..8];
        assert_eq!(home.json(&["--session", handle, "notepad", "show"])["content"], text);
    }
}

#[test]
fn the_word_of_a_person_is_shown_and_dismissed() {
    let home = Home::new();
    home.json(&["--session", "test:12345678-aa", "notepad", "write", "- [ ] theirs"]);
    home.json(&["--session", "test:12345678-aa", "session", "archive"]);
    // What it did since is offered again.
    home.json(&["--session", "test:12345678-aa", "notepad", "write", "- [ ] theirs now"]);
    home.text(&["handoff", "write", "Mind the lock."]);
    let put_away = "It was dismissed or archived: new sessions are told of it no more.";
    let mut is_first = true;
    let shown = home.text(&["handoff", "show"]);
    assert!(shown.contains("Mind the lock.") && !shown.contains("theirs"), "{shown}");
    // A session is named as it is for other commands, or by its place.
    for name in [&["--session", "12345678"][..], &["-s", "12345678"], &["12345678"]] {
        let shown = home.text(&[&["handoff", "show"], name].concat());
        assert!(shown.contains("theirs") && !shown.contains("Mind the lock."), "{name:?}: {shown}");
        assert_eq!(shown.contains(put_away), !is_first, "{name:?}: {shown}");
        let dismissed = home.text(&[&["handoff", "dismiss"], name].concat());
        let theirs = if is_first {
            "dismissed what session 12345678 left open: "
        } else {
            "session 12345678 was dismissed or archived already\n"
        };
        assert!(dismissed.starts_with(theirs), "{name:?}: {dismissed}");
        is_first = false;
    }
    let dismissed = home.text(&["handoff", "dismiss"]);
    let what = "dismissed what session desk left open: \"Mind the lock.\"";
    assert!(dismissed.starts_with(what), "{dismissed}");
    let error = home.error(&["handoff", "dismiss"]);
    assert_eq!(error, "missing: nothing that a session left open is offered now");
    let shown = home.text(&["handoff", "show"]);
    assert!(shown.contains("Mind the lock.") && shown.contains(put_away), "{shown}");
}

#[test]
fn a_desk_has_no_transcript_to_be_missed() {
    let home = Home::new();
    home.add("by hand", "t");
    let timeline = home.text(&["session", "timeline", "desk"]);
    assert!(timeline.contains("by hand") && !timeline.contains("transcript"), "{timeline}");
}

#[test]
fn a_session_that_a_write_begins_by_its_name_is_told() {
    let home = Home::new();
    for (session, words, told) in [
        ("test:one", &["notepad", "show"][..], "the notepad is empty: nothing stands on it\n"),
        (
            "test:one",
            &["note", "add", "a"],
            "began session test:one: none was known by this name\n",
        ),
        ("test:one", &["note", "add", "b"], ""),
        ("test:two", &["--json", "note", "add", "c"], ""),
    ] {
        let said = home.vade(&[&["--session", session][..], words].concat());
        assert_eq!((said.code, said.err.as_str()), (0, told), "{words:?}");
    }
}

/// A name that is cut short, or of a desk that is not there, begins nothing and writes nowhere else.
#[test]
fn a_name_that_can_only_be_a_slip_begins_no_session() {
    let home = Home::new();
    home.json(&["--session", "claude-code:12345678-aa", "notepad", "write", "theirs"]);
    for (session, told) in [
        ("desk:zzzz", ""),
        ("claude-code:12345678", ", but claude-code:12345678-aa"),
        ("claude-code:1234", ", but claude-code:12345678-aa"),
        ("claude-code:1234/a1", ", but claude-code:12345678-aa"),
    ] {
        for words in [&["note", "add", "a", "--tag", "t"][..], &["notepad", "show"]] {
            let refused = home.error(&[&["--session", session][..], words].concat());
            assert_eq!(refused, format!("missing: no session \"{session}\"{told}"));
        }
    }
    let others = ["ci:build-10", "ci:build-1", "codex:12345678", "claude-code:123"];
    for session in ["desk", "claude-code:12345678-aa/a1"].into_iter().chain(others) {
        home.text(&["--session", session, "note", "add", "a", "--tag", "t"]);
    }
    let names = home.json(&["session", "list", "--agents"]);
    let names = names["sessions"].as_array().expect("a list").iter();
    let mut names: Vec<_> = names
        .map(|it| it["name"].as_str().expect("a name"))
        .filter(|name| !name.starts_with("desk:"))
        .collect();
    names.sort_unstable();
    let begun = [
        "ci:build-1",
        "ci:build-10",
        "claude-code:123",
        "claude-code:12345678-aa",
        "claude-code:12345678-aa/a1",
        "codex:12345678",
    ];
    assert_eq!(names, begun);
}
