//! The status line as Claude Code asks for it: a process that is told on standard input whose line it wants.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::claude::{Claude, SESSION};
use crate::home::VADE;

/// Prints the line; whatever is broken it is one line, nothing is said beside it, and nothing is written.
#[track_caller]
fn line_of(claude: &Claude, stdin: &[u8]) -> String {
    let tree = || {
        let mut tree = claude.home.tree();
        // Who reads makes the log and its index anew where there are none.
        tree.retain(|path, _| !path.to_string_lossy().contains("vade.db-"));
        tree
    };
    let before = tree();
    let mut command = claude.home.command(Path::new(VADE));
    command.arg("statusline").env("VADE_DEADLINE_MS", "20000");
    command.env("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    drop(child.stdin.take().expect("a pipe").write_all(stdin));
    let said = claude.home.said(&child.wait_with_output().expect("an end"));
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    assert_eq!(tree(), before, "the status line wrote");
    let line = said.stdout.strip_suffix('\n').expect("a line");
    assert!(!line.contains(char::is_control), "{line:?}");
    line.to_owned()
}

/// What Claude Code tells after an answer that left so many tokens in the context.
fn told(claude: &Claude, used: Option<u64>) -> Value {
    let usage = used.map(|used| {
        json!({ "input_tokens": 5, "output_tokens": 5, "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": used - 10 })
    });
    json!({
        "session_id": SESSION, "cwd": "/", "version": "2.1.330",
        "model": { "id": "claude-sonnet-5", "display_name": "Sonnet 5" },
        "workspace": { "current_dir": "/", "project_dir": claude.home.path },
        "context_window": { "context_window_size": 200_000, "current_usage": usage },
    })
}

#[test]
fn the_status_line_says_page_notes_and_room() {
    let claude = Claude::new();
    let line = |used| line_of(&claude, told(&claude, used).to_string().as_bytes());
    // Of a session that vade does not know there is nothing to say.
    assert_eq!(line(Some(30_000)), "");
    claude.starts("startup");
    assert_eq!(line(None), "vade: no page, 0 open notes");
    claude.vade(&["notepad", "write", "## Plan"]);
    claude.vade(&["note", "add", "\u{1b}[2Jhostile", "--tag", "x"]);
    assert_eq!(line(Some(30_000)), "vade: page rev 1, 1 open note, 32k tokens to the warning");
    assert_eq!(line(Some(61_500)), "vade: page rev 1, 1 open note, 500 tokens to the warning");
    assert_eq!(line(Some(62_000)), "vade: page rev 1, 1 open note, warning due");
    assert_eq!(line(Some(67_000)), "vade: page rev 1, 1 open note, compaction due");
    // Where the harness does not say it, its transcript does.
    claude.used(40_000, "msg_1");
    assert_eq!(line(None), "vade: page rev 1, 1 open note, 22k tokens to the warning");
    claude.used(62_500, "msg_2");
    claude.hook("PostToolBatch", &json!({ "tool_calls": [] }));
    assert_eq!(line(Some(62_500)), "vade: page rev 1, 1 open note, warned");
    claude.home.vade(&["off"]).success();
    assert_eq!(line(Some(30_000)), "");
}

#[test]
fn a_status_line_of_which_anything_is_broken_is_empty() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.vade(&["notepad", "write", "## Plan"]);
    let good = told(&claude, Some(30_000)).to_string();
    for stdin in ["", "{", "[]", "{}", "\u{0}", "{\"session_id\": 5}", "{\"session_id\": \"\"}"] {
        assert_eq!(line_of(&claude, stdin.as_bytes()), "", "{stdin}");
    }
    // What is of another type is not known; the rest is.
    let odd = good.replace("\"input_tokens\":5", "\"input_tokens\":-1");
    assert_ne!(odd, good);
    assert!(line_of(&claude, odd.as_bytes()).starts_with("vade: page rev 1"));
    claude.home.write(".config/vademecum/config.toml", "recap.maxtokens = 5\n");
    assert_eq!(line_of(&claude, good.as_bytes()), "");
    claude.home.write(".config/vademecum/config.toml", "");
    claude.home.write(".local/share/vademecum/vade.db", "no database");
    assert_eq!(line_of(&claude, good.as_bytes()), "");
}
