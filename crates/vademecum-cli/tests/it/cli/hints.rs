//! What a person is told to do next, and that it is so.

use std::fs;

use super::home::Home;

/// What `vade` says on standard error, the words being wrong.
#[track_caller]
fn told(home: &Home, words: &[&str]) -> String {
    let said = home.vade(words);
    assert_ne!(said.code, 0, "{words:?}: {said:?}");
    home.steady(&said.err)
}

#[test]
fn a_deleted_note_is_brought_back_as_it_is_told() {
    let home = Home::new();
    let id = home.add("the only one", "t");
    let said = home.text(&["note", "delete", &id]);
    assert!(said.contains(&format!("vade note restore {id}")), "{said}");
    let again = told(&home, &["note", "delete", &id]);
    let hint = "hint: it was deleted: vade note restore note_";
    assert!(again.contains(hint) && again.contains(" brings it back"), "{again}");
    home.text(&["note", "undo", &id]);
    assert!(home.text(&["note", "list"]).contains("the only one"));
}

#[test]
fn each_hint_says_what_to_do() {
    let home = Home::new();
    let id = home.add("one", "t");
    for (words, hint) in [
        (
            &["note", "add", "x", "--tags", "a,b,c,d,e,f"][..],
            "hint: leave some out, or put them into the text",
        ),
        (&["note", "update", &id], "hint: vade note update ID \"the new text\", or --tag"),
        (&["note", "restore", &id, "99"], "hint: vade note history note_"),
        (
            &["notepad", "update", "find_replace", "--find", "nothere", "--replace", "x"],
            "hint: looked for \"nothere\"; vade notepad show shows what is there",
        ),
        (&["project", "rename", ""], "none given"),
        (&["note", "add", "two", "words"], "hint: quote a text of several words: \"… words\""),
        (
            &["note", "list", "--open"],
            "unknown option --open\n  hint: vade note list --help lists the options\n",
        ),
        (&["--foo"], "hint: vade --help lists the options\n"),
        (&["note", "list", "--all"], "hint: vade note list --help lists the options\n"),
        (&["note", "list", "--include"], "hint: did you mean --include-scratched?"),
        (&["note", "list", "--limt", "3"], "hint: did you mean --limit?"),
        (&["note", "list", "extra"], "hint: usage: vade note list [OPTIONS]\n"),
        (&["session", "show", "a", "b"], "hint: usage: vade session show [OPTIONS] [SESSION]\n"),
        (
            &["note", "edit", &id, "new text"],
            "hint: it opens an editor; vade note update ID \"the new text\" needs none; usage: vade note edit",
        ),
        (&["why", "a line", "FILE"], "hint: --path FILE names a transcript; usage: vade why"),
        (&["forget", &id], "hint: did you mean vade forget note note_ID?"),
        (&["note", "add", ""], "hint: say one decision, cause or relation, and why"),
        (&["install", "cursor"], "speaks MCP starts the server itself: vade mcp"),
        (&["sandbox", "run", "nofile.js"], "hint: --code takes the code itself"),
        (&["version"], "hint: did you mean vade --version?"),
        (&["find", "x"], "hint: did you mean vade search?"),
        (&["log"], "hint: did you mean vade session log?"),
        (&["note", "tags"], "hint: did you mean vade tag list?"),
        (&["handoff", "read"], "hint: did you mean vade handoff show?"),
        (&["notepad", "--json", "read"], "did you mean vade notepad show?"),
        (&["note", "new"], "hint: did you mean vade note add?"),
        (&["note", "done"], "hint: did you mean vade note scratch?"),
        (&["plan", "status"], "hint: did you mean vade plan show?"),
        (&["session", "find"], "hint: did you mean vade session list?"),
        (&["note", "qqqq"], "hint: vade note takes add, "),
        (&["view", "--plain", "--html", "x.html"], "--plain does not go with --html <FILE>\n"),
        (
            &["note", "list", "--include-scratched=maybe"],
            "vade: --include-scratched takes true or false, \"maybe\" given\n",
        ),
        (&["store", "copy"], "store copy needs FROM and TO, none given"),
        (&["store", "check"], "store check needs A and B, none given"),
        (&["recap", "--alpha", "x"], "--alpha takes a number, \"x\" given"),
        (&["call", "add_note", "{\"content\":5}"], "add_note: content takes a text, 5 given"),
        (&["undo"], "hint: did you mean vade note restore or vade notepad restore?"),
    ] {
        let said = told(&home, words);
        assert!(said.contains(hint), "{words:?}: {said}");
    }
    assert_eq!(home.text(&["note", "ls"]), home.text(&["note", "list"]));
}

#[test]
fn an_option_is_no_word_of_the_command() {
    let said = told(&Home::new(), &["note", "history", "--json"]);
    assert!(said.contains("\"note history needs ID, none given\""), "{said}");
}

#[test]
fn help_names_the_options_that_count() {
    let home = Home::new();
    for words in [&["notepad", "show"][..], &["recap"], &["status"], &["note", "edit"]] {
        let help = home.text(&[words, &["-h"]].concat());
        for option in ["--desk", "--session", "--json"] {
            assert!(help.contains(option), "{words:?} {option}: {help}");
        }
    }
}

#[test]
fn a_renamed_project_has_its_name_everywhere() {
    let home = Home::new();
    home.add("one", "t");
    home.text(&["project", "rename", "billing"]);
    let doctor = home.vade(&["doctor"]).out;
    assert!(doctor.contains("vade is on in billing"), "{doctor}");
    assert_eq!(home.vade(&["note", "list"]).err, "desk session of billing\n");
}

#[test]
fn while_it_is_off_nobody_is_asked_which_session() {
    let home = Home::new();
    for name in ["claude-code:aaaa1111-1", "codex:bbbb2222-2"] {
        home.json(&["--session", name, "notepad", "write", "a page"]);
    }
    let several = told(&home, &["note", "list"]);
    assert!(several.contains("2 sessions run in demo:\n  "), "{several}");
    assert!(several.contains("aaaa1111 claude-code, began"), "{several}");
    home.text(&["off"]);
    let off = told(&home, &["note", "list"]);
    assert!(off.contains("vade is switched off") && !off.contains("sessions run"), "{off}");
}

#[test]
fn a_folder_that_was_left_is_listed_no_more() {
    let home = Home::new();
    home.add("before the move", "t");
    fs::rename(home.path("demo"), home.path("moved")).expect("a move");
    let moved = home.path("moved");
    let there = |words: &[&str]| {
        let said = home.command(words).current_dir(&moved).output().expect("a run");
        String::from_utf8_lossy(&said.stdout).into_owned()
    };
    there(&["project", "join", "demo"]);
    let listed = there(&["project", "list"]);
    assert!(listed.contains("/moved  (here)") && !listed.contains("/demo"), "{listed}");
}

/// Of a project whose folder is gone the first session of another folder is told, and doctor tells too.
#[test]
fn a_folder_that_may_have_been_moved_is_told_of() {
    let home = Home::new();
    home.add("before the move", "t");
    fs::rename(home.path("demo"), home.path("moved")).expect("a move");
    fs::create_dir(home.path("demo")).expect("a folder for the next command");
    fs::remove_dir(home.path("demo")).expect("it goes again");
    let moved = home.path("moved");
    let start = serde_json::json!({
        "session_id": "cccc3333-0000-4000-8000-000000000001",
        "transcript_path": moved.join("none.jsonl"),
        "cwd": moved,
        "hook_event_name": "SessionStart",
        "source": "startup",
        "model": "m",
    })
    .to_string();
    let mut hook = home.command(&["hook", "claude-code", "SessionStart"]);
    hook.current_dir(&moved).stdin(std::process::Stdio::piped());
    let mut child = hook.spawn().expect("the binary");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), start.as_bytes())
        .expect("written");
    let said = child.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let listed = home.command(&["project", "list"]).current_dir(&moved).output().expect("a run");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let id = listed.split_once(' ').map_or("", |(id, _)| id);
    let mend = format!("vade project join {id} --yes");
    assert!(said.contains(&mend), "{said}");
    let doctor = home.command(&["doctor"]).current_dir(&moved).output().expect("a run");
    let doctor = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(doctor.contains(&mend), "{doctor}");
    // As it is told, it works.
    let words: Vec<&str> = mend.split(' ').skip(1).collect();
    let joined = home.command(&words).current_dir(&moved).output().expect("a run");
    assert!(joined.status.success(), "{joined:?}");
}
