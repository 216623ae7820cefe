//! The command for recaps as a person meets it: nothing installed, a file, a sample, a transcript that grows.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use vademecum_sqlite::opencode::made;

use super::home::Home;
use crate::home::VADE;

#[test]
fn the_sample_reads_so() {
    let home = Home::new();
    insta::assert_snapshot!(home.text(&["recap", "--sample", "--budget", "300"]));
}

#[test]
fn where_nothing_is_found_it_says_where_it_looked() {
    let home = crate::home::Home::new();
    let said = home.vade(&["recap"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(3), ""), "{}", said.stderr);
    for place in ["~/.claude/projects", "~/.codex/sessions", "vade recap --sample"] {
        assert!(said.stderr.contains(place), "{}", said.stderr);
    }
}

#[test]
fn without_a_path_it_takes_the_latest_of_the_project() {
    let home = crate::home::Home::new();
    let line = r#"{"type":"user","message":{"role":"user","content":"Make refunds idempotent."},"uuid":"a","parentUuid":null,"sessionId":"s","cwd":"/x","timestamp":"2026-11-20T10:00:00.000Z"}"#;
    let project =
        home.path.parent().expect("the project").to_string_lossy().replace(['/', '.', '_'], "-");
    home.write(&format!(".claude/projects/{project}/s.jsonl"), format!("{line}\n"));
    let said = home.vade(&["recap", "--format", "text"]);
    assert_eq!(
        said.stdout, "Now:\n- Asked last: \"Make refunds idempotent.\"\n",
        "{}",
        said.stderr
    );
}

#[test]
fn a_budget_without_room_for_a_line_is_refused() {
    let home = Home::new();
    for budget in ["0", "10", "11"] {
        assert_eq!(
            home.error(&["recap", "--sample", "--budget", budget]),
            format!("usage: a recap of this takes more than {budget} tokens")
        );
    }
}

#[test]
fn a_transcript_of_another_harness_than_the_one_given_is_refused() {
    let home = Home::new();
    let line =
        json!({"type": "user", "message": {"role": "user", "content": "hi"}, "sessionId": "s"});
    std::fs::write(home.path("demo/s.jsonl"), format!("{line}\n")).expect("a transcript");
    std::fs::write(home.path("demo/none.jsonl"), "").expect("a transcript");
    for harness in ["codex", "copilot", "opencode", "message-log"] {
        let said = home.error(&["recap", "s.jsonl", "--harness", harness]);
        assert!(said.starts_with("usage: no record of /"), "{said}");
        let given = format!("/s.jsonl is known as one of harness \"{harness}\"");
        assert!(said.ends_with(&given), "{said}");
        assert_eq!(home.vade(&["recap", "none.jsonl", "--harness", harness]).code, 0);
    }
    assert_eq!(home.vade(&["recap", "s.jsonl", "--harness", "claude-code"]).code, 0);
}

#[test]
fn the_session_that_one_is_in_is_told_and_not_the_latest() {
    let home = Home::new();
    for (session, wish) in [("one", "Make refunds idempotent."), ("two", "Look for callers.")] {
        let transcript = home.path(&format!("{session}.jsonl"));
        let line = json!({"type": "user", "message": {"role": "user", "content": wish}});
        std::fs::write(&transcript, format!("{line}\n")).expect("a transcript");
        let event = json!({
            "session_id": session, "transcript_path": transcript, "cwd": home.path("demo"),
            "hook_event_name": "SessionStart", "source": "startup",
        });
        home.vade_reading(&event.to_string(), &["hook", "claude-code", "SessionStart"]);
    }
    for (session, told) in [("one", "Make refunds idempotent."), ("two", "Look for callers.")] {
        let mut within = home.command(&["recap", "--format", "text"]);
        let output = within.env("CLAUDE_CODE_SESSION_ID", session).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said, format!("Now:\n- Asked last: \"{told}\"\n"), "{output:?}");
    }
    let home = home.with("CLAUDE_CODE_SESSION_ID", "bad:id");
    assert_eq!(
        home.error(&["recap"]),
        "usage: CLAUDE_CODE_SESSION_ID holds no id of a session: \"bad:id\" given"
    );
}

/// A session of opencode as it is exported, with one wish of the user.
fn session(id: &str, parent: Option<&str>, directory: &Path, wish: &str, at: i64) -> Value {
    json!({
        "info": {"id": id, "parentID": parent, "directory": directory, "version": "1.18.33",
                 "time": {"created": at, "updated": at}},
        "messages": [{
            "info": {"id": format!("msg_{id}"), "role": "user", "time": {"created": at}},
            "parts": [{"type": "text", "text": wish}],
        }],
    })
}

#[test]
fn a_session_of_opencode_is_told_from_its_database() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("data/opencode")).expect("a folder");
    let (demo, other) = (home.path("demo"), home.path("other"));
    let sessions = [
        session("ses_1", None, &demo, "Make refunds idempotent.", 10),
        session("ses_2", Some("ses_1"), &demo, "Look for callers.", 20),
        session("ses_3", None, &other, "Another project.", 30),
    ];
    made::lay(&home.path("data/opencode/opencode.db"), &sessions).expect("a database");
    let runs: [&[&str]; 4] = [
        &["recap"],
        &["recap", "../data/opencode/opencode.db", "--session-id", "ses_2"],
        &["recap", "--session-id", "ses_3", "--format", "text"],
        &["recap", "--session-id", "ses_4"],
    ];
    let said = runs.map(|words| {
        let run = home.vade(words);
        format!("$ vade {}\n{}{}", words.join(" "), run.out, run.err)
    });
    insta::assert_snapshot!(home.steady(&said.join("\n")));
}

/// So many tenths of a second are waited for an end, however busy the machine is; one that comes ends the wait.
const PATIENCE: u32 = 1_200;

#[track_caller]
fn check_watched(options: &[&str]) {
    let home = crate::home::Home::new();
    home.write("log.jsonl", "{\"role\": \"user\", \"content\": \"first wish\"}\n");
    let mut log = OpenOptions::new().append(true).open(home.path("log.jsonl")).expect("a file");
    let mut wish = |words: &str| {
        let line = format!("{{\"role\": \"user\", \"content\": \"{words}\"}}\n");
        log.write_all(line.as_bytes()).expect("a line");
    };
    let mut command = home.command(Path::new(VADE));
    command.args(["recap", "log.jsonl", "--watch"]).args(options);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("a start");
    let stdout = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout).lines().map(|line| line.expect("a line"));
    assert!(lines.any(|line| line.contains("first wish")));
    wish("second wish");
    let second = lines.find(|line| line.contains("second wish")).expect("a recap");
    let is_json = serde_json::from_str::<Value>(&second).is_ok();
    assert_eq!(is_json, options.contains(&"--json"), "{second}");

    // Nobody reads any more: it ends with the next thing that it would say.
    drop(lines);
    let ended = (0..PATIENCE).find_map(|_| {
        // A process that another test is starting may have the other end open for a moment.
        wish("another wish");
        vademecum::world::pause(Duration::from_millis(100));
        child.try_wait().expect("a state")
    });
    child.kill().expect("killed");
    child.wait().expect("an end");
    assert_eq!(ended.and_then(|status| status.code()), Some(0));
}

#[test]
fn a_watched_transcript_is_told_again_when_it_grows() {
    check_watched(&["--format", "text"]);
    check_watched(&["--json"]);
}

#[test]
fn a_transcript_may_stand_on_standard_input() {
    let home = Home::new();
    let log = "{\"role\": \"user\", \"content\": \"Make refunds idempotent.\"}\n";
    let words = ["recap", "-", "--format", "text"];
    let wanted = "Now:\n- Asked last: \"Make refunds idempotent.\"\n";
    let said = home.vade_reading(log, &words);
    assert_eq!((said.code, said.out.as_str()), (0, wanted), "{}", said.err);
    std::fs::write(home.path("log.jsonl"), log).expect("a file");
    let file = std::fs::File::open(home.path("log.jsonl")).expect("a file");
    let run = home.command(&words).stdin(file).output().expect("an end");
    assert_eq!(String::from_utf8_lossy(&run.stdout), wanted);
    let said = home.vade_reading(log, &["recap", "-"]);
    assert!(said.out.contains("\nFrom standard input: 1 turns"), "{}", said.out);
    let said = home.vade_reading("no transcript\n", &words);
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.err.starts_with("vade: standard input: no transcript of"), "{}", said.err);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_before_it_is_waited_for() {
    let home = Home::new();
    let run = home.vade(&["recap", "/dev/null"]);
    insta::assert_snapshot!(format!("{}\n{}", run.code, run.err), @r"
    2
    vade: /dev/null is a device, not a regular file
      hint: a transcript is read twice: write it to a file and name that
    ");
}
