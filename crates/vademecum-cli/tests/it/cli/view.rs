//! The viewer in a terminal of its own: the real binary, keys as they are typed, the screen as it is seen.
#![expect(clippy::disallowed_methods, reason = "a person waits for what the screen shows")]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{self, Pty};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::json;
use vt100::Parser;

use super::home::Home;
use super::terminal::{Ends, PAYLOAD, SESSION, hostile, open};

/// What waits for the program gives up after this: a busy machine needs some seconds.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the terminal got, as bytes and as a screen.
struct Seen {
    parser: Parser,
    bytes: Vec<u8>,
}

/// The viewer in a terminal.
struct Viewer {
    child: Child,
    keyboard: Arc<Pty>,
    seen: Arc<Mutex<Seen>>,
}

impl Viewer {
    fn new(home: &Home, words: &[&str]) -> Self {
        Self::sized(home.command(words), (24, 80))
    }

    fn sized(mut command: Command, (rows, columns): (u16, u16)) -> Self {
        // Of a stream that is no pipe the terminal takes the place.
        let mut fresh = Command::new(command.get_program());
        fresh.args(command.get_args()).env_clear();
        fresh.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        fresh.current_dir(command.get_current_dir().expect("a folder"));
        command = fresh;
        command.env("TERM", "xterm-256color").env("TZ", "UTC");
        let (pty, end) = blocking::open().expect("a terminal");
        pty.resize(Size::new(rows, columns)).expect("a size");
        let child = blocking::Command::from(command).spawn(end).expect("the binary");
        let keyboard = Arc::new(pty);
        let [high, wide] = [rows, columns].map(|n| NonZeroU16::new(n).expect("not zero"));
        let seen = Seen { parser: Parser::new(high, wide, 0), bytes: Vec::new() };
        let seen = Arc::new(Mutex::new(seen));
        let (output, shared) = (Arc::clone(&keyboard), Arc::clone(&seen));
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            while let Ok(n @ 1..) = (&*output).read(&mut bytes) {
                let mut seen = shared.lock().unwrap_or_else(PoisonError::into_inner);
                seen.parser.process(&bytes[..n]);
                seen.bytes.extend_from_slice(&bytes[..n]);
            }
        });
        Self { child, keyboard, seen }
    }

    fn look<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn screen(&self) -> String {
        self.look(|seen| seen.parser.screen().contents())
    }

    /// Presses keys, and waits until the screen shows this.
    #[track_caller]
    fn press(&self, keys: &str, shows: &str) -> &Self {
        (&*self.keyboard).write_all(keys.as_bytes()).expect("a key");
        self.until(shows)
    }

    #[track_caller]
    fn until(&self, shows: &str) -> &Self {
        let begin = Instant::now();
        while !self.screen().contains(shows) {
            assert!(begin.elapsed() < PATIENCE, "no {shows:?} on\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        }
        self
    }

    /// Presses keys after which the program ends, and looks whether the terminal is as it was.
    #[track_caller]
    fn ends(mut self, keys: &str) -> ExitStatus {
        (&*self.keyboard).write_all(keys.as_bytes()).expect("a key");
        self.is_over()
    }

    #[track_caller]
    fn is_over(&mut self) -> ExitStatus {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "it does not end:\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        };
        let modes = tcgetattr(&*self.keyboard).expect("a terminal").local_modes;
        assert!(modes.contains(LocalModes::ECHO | LocalModes::ICANON), "{modes:?}");
        while self.look(|seen| seen.parser.screen().alternate_screen()) {
            assert!(begin.elapsed() < PATIENCE, "it left its screen behind");
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!self.look(|seen| seen.parser.screen().hide_cursor()), "the cursor is gone");
        status
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        // One that has ended can neither be killed nor has to be.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A home with one session that has a page, notes and a plan.
fn kept() -> Home {
    let home = Home::new().with("VADE_SESSION_ID", SESSION);
    home.text(&["notepad", "write", "# Plan\n- [ ] mend the retry queue"]);
    home.add("Retry swallows E_DUP.", "bug");
    home.add("The queue tells each refund twice.", "cause");
    home.text(&["learning", "add", "Run the tests with one thread."]);
    home.text(&["plan", "init", "refunds"]);
    home.without("VADE_SESSION_ID")
}

#[test]
fn vade_alone_on_a_terminal_opens_what_is_kept_and_each_key_works() {
    let home = kept();
    let viewer = Viewer::new(&home, &[]);
    viewer.until("mend the retry queue").until("aaaa-1");
    viewer.press("\r", "[1 notepad]").until("# Plan");
    viewer.press("2", "[2 notes]").until("Retry swallows E_DUP.");
    viewer.press("\t", "[3 plans]").until("refunds");
    viewer.press("\t", "[4 timeline]").until("rev 1 (write_notepad, cli/agent)");
    viewer.press("5", "was not compacted");
    viewer.press("\x1b[Z", "[4 timeline]");
    viewer.press("g", "began").press("j", "2 of").press("k", "1 of").press("G", "add_note");
    viewer.press("3", "refunds").press("G\r", "plan refunds").press("h", "[3 plans]");
    viewer.press("2", "[2 notes]").press("s", "scratched");
    viewer.press("u", "E_DUP").press("p", "learning");
    viewer.press("t", "tags: cause").press(", twice\r", "cause, twice");
    viewer.press("g", "1 of 2").press("\x1b[6~", "2 of 2").press("\x1b[5~", "1 of 2");
    viewer.press("?", "search all of it").press("\x1b", "[2 notes]");
    viewer.press("/E_DUP", "search: E_DUP_").until("note").press("\r", "search: E_DUP");
    viewer.press("\r", "Retry swallows").press("h", "search: E_DUP").press("h", "[2 notes]");
    viewer.press("h", "sessions").press("a", "all projects").press("a", "demo  sessions");
    viewer.press("d", "dismissed what session aaaa-1 left open").press("r", "demo  sessions");
    assert_eq!(viewer.ends("q").code(), Some(0));
}

const CLAUDE: &str = "752d4c1e-0000-4000-8000-000000000001";

/// A home with a session of Claude Code that was compacted, and its transcript.
fn compacted() -> Home {
    let home = Home::new();
    let path = home.path("transcript.jsonl");
    let starts = |source: &str| {
        let event = json!({
            "session_id": CLAUDE, "transcript_path": path, "cwd": home.path("demo"),
            "hook_event_name": "SessionStart", "source": source, "model": "claude-sonnet-5",
        });
        let said = home.vade_reading(&event.to_string(), &["hook", "claude-code", "SessionStart"]);
        let printed: serde_json::Value = serde_json::from_str(&said.out).unwrap_or_default();
        printed["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    starts("startup");
    let name = format!("claude-code:{CLAUDE}");
    home.text(&["--session", &name, "notepad", "write", "- [ ] find the cause"]);
    let back = starts("compact");
    let summary = json!({"role": "user", "content": "The user wants refunds to be idempotent."});
    let attachment = json!({
        "type": "hook_additional_context", "content": [back], "hookEvent": "SessionStart",
    });
    let lines = [
        json!({"type": "user", "message": {"role": "user", "content": "Make refunds idempotent."}}),
        json!({"type": "system", "subtype": "compact_boundary"}),
        json!({"type": "user", "isCompactSummary": true, "message": summary}),
        json!({"type": "attachment", "attachment": attachment}),
    ];
    // On a busy machine a hook begins long before what it sends is noted.
    let told = home.json(&["--session", &name, "session", "timeline"]);
    let at =
        told["events"].as_array().and_then(|events| events.last()).expect("an event")["at"].clone();
    let lines = lines.into_iter().enumerate().map(|(n, mut line)| {
        line["uuid"] = format!("u{n}").into();
        line["parentUuid"] = if n == 0 { json!(null) } else { format!("u{}", n - 1).into() };
        line["sessionId"] = CLAUDE.into();
        line["timestamp"] = at.clone();
        line["isSidechain"] = false.into();
        format!("{line}\n")
    });
    std::fs::write(&path, lines.collect::<String>()).expect("a transcript");
    home
}

#[test]
fn what_a_compaction_lost_stands_beside_what_came_back() {
    let home = compacted();
    let viewer = Viewer::new(&home, &[]);
    viewer.until("752d4c1e").press("\r", "[1 notepad]");
    viewer.press("5", "The user wants refunds to be idempotent.").until("(arrived whole)");
    viewer.until("+ - [ ] find the cause");
    viewer.press("4", "SessionStart: arrived whole").until("Make refunds idempotent.");
    viewer.press("G", "context").press("k\r", "the harness's summary");
    viewer.until("+ - [ ] find the cause").press("h", "[4 timeline]").press("G", "context");
    let path = home.path("transcript.jsonl");
    let before = std::fs::read_to_string(&path).expect("a transcript");
    let prompt = json!({
        "type": "user", "uuid": "u4", "parentUuid": "u3", "sessionId": CLAUDE, "isSidechain": false,
        "timestamp": "2099-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": "Then write the docs."},
    });
    std::fs::write(&path, format!("{before}{prompt}\n")).expect("a transcript");
    viewer.until("> 01-01 00:00  prompt");
    assert_eq!(viewer.ends("q").code(), Some(0));
}

#[test]
fn what_is_edited_in_the_editor_is_kept_and_shown() {
    let home = kept();
    let editor = home.path("editor");
    std::fs::write(&editor, "#!/bin/sh\necho 'written by hand' >> \"$1\"\n").expect("a script");
    let home = home.with("EDITOR", format!("sh {}", editor.display()));
    let viewer = Viewer::new(&home, &["view", "--session", SESSION]);
    viewer.until("# Plan").press("e", "written by hand");
    viewer.press("u", "notepad rev 3").until("mend the retry queue");
    assert!(!viewer.screen().contains("written by hand"));
    assert_eq!(viewer.ends("q").code(), Some(0));
}

#[test]
fn a_session_is_forgotten_when_that_was_said_twice() {
    let home = kept();
    let viewer = Viewer::new(&home, &[]);
    viewer.until("aaaa-1").press("x", "forget session aaaa-1").press("n", "nothing was forgotten");
    viewer.press("x", "forget session").press("y", "Sure?").press("y", "forgot");
    assert!(!viewer.screen().contains("mend the retry queue"), "{}", viewer.screen());
    assert_eq!(viewer.ends("\x03").code(), Some(0));
    assert_eq!(home.json(&["search", "retry queue", "--kind", "page"])["matched"], 0);
}

#[test]
fn the_terminal_is_given_back_when_a_signal_ends_the_viewer() {
    let home = kept();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut viewer = Viewer::new(&home, &[]);
        viewer.until("aaaa-1");
        let id = Pid::from_child(&viewer.child);
        kill_process(id, signal).expect("a signal");
        viewer.is_over();
    }
}

/// It may be gone between any two looks at it.
#[test]
fn a_viewer_whose_terminal_is_gone_ends() {
    let home = kept();
    for _ in 0..10 {
        let Ends { master, slave } = open();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let mut command = home.command(&[]);
        let end = || Stdio::from(slave.try_clone().expect("a terminal"));
        command.stdin(end()).stdout(end()).stderr(end()).env("TERM", "xterm");
        let mut child = command.spawn().expect("the binary");
        drop((command, slave));
        let (mut master, mut seen, mut bytes) = (File::from(master), Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&seen).contains("aaaa-1") {
            let n = master.read(&mut bytes).expect("a screen");
            seen.extend_from_slice(&bytes[..n]);
        }
        drop(master);
        let begin = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            if PATIENCE < begin.elapsed() {
                child.kill().expect("a child");
                panic!("it goes on without a terminal");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn two_viewers_follow_four_writers() {
    let home = kept();
    let viewers = [0, 1].map(|_| Viewer::new(&home, &["view", "--session", SESSION]));
    for viewer in &viewers {
        viewer.until("# Plan").press("2", "of 2");
    }
    thread::scope(|scope| {
        for writer in 0..4 {
            let home = &home;
            scope.spawn(move || {
                for n in 0..5 {
                    let text = format!("writer {writer} note {n}");
                    home.text(&["--session", SESSION, "note", "add", &text, "--tag", "t"]);
                }
            });
        }
    });
    for viewer in viewers {
        viewer.until("of 22").press("g", "note 4");
        assert_eq!(viewer.ends("q").code(), Some(0));
    }
}

#[test]
fn a_terminal_obeys_nothing_that_the_viewer_shows() {
    let home = hostile().without("VADE_SESSION_ID");
    let viewer = Viewer::new(&home, &[]);
    viewer.until("aaaa-1").press("\r", "[1 notepad]").until("\\u{1b}");
    viewer.press("2", "[2 notes]").press("\r", "note_").press("h", "[2 notes]");
    viewer.press("x", "forget note").press("n", "nothing");
    viewer
        .press("3", "[3 plans]")
        .press("\r", "plan")
        .press("\r", "learning")
        .press("hh", "[3 plans]");
    viewer.press("4", "[4 timeline]").press("/OK", "search: OK_").until("learning");
    let bytes = viewer.look(|seen| seen.bytes.clone());
    let text = String::from_utf8(bytes).expect("text");
    for c in PAYLOAD.chars().filter(|c| !c.is_ascii_graphic() && *c != '\u{1b}' && *c != '\r') {
        assert!(!text.contains(c), "{c:?} is on the terminal");
    }
    assert!(!text.contains("\u{1b}]52"), "no clipboard is written");
    let typed = "1\nt2\n1\nb\nx1\nn\nt3\n1\n1\nb\nb\nt4\n/OK\n1\nq\n";
    let plain = home.vade_reading(typed, &["view", "--plain"]).out;
    assert!(plain.contains("\\u{1b}]52;c;aGk=\\u{7}"), "{plain}");
    for c in PAYLOAD.chars().filter(|c| !c.is_ascii_graphic()) {
        assert!(!plain.contains(c), "{c:?} is said: {plain:?}");
    }
    let sequences = text.split("\u{1b}[").skip(1);
    let styles = sequences.filter_map(|rest| rest.split_once('m').map(|(style, _)| style));
    let is_style = |style: &&str| style.bytes().all(|byte| byte.is_ascii_digit() || byte == b';');
    // Attributes, and what takes them and any colour back.
    let plain = ["", "0", "1", "2", "7", "22", "27", "39", "49", "59"];
    for part in styles.filter(is_style).flat_map(|style| style.split(';')) {
        assert!(plain.contains(&part), "{part} is a colour");
    }
}

#[test]
fn a_small_and_a_large_terminal_show_the_same_things() {
    let home = kept();
    for size in [(24, 80), (40, 120), (50, 200), (6, 30)] {
        let viewer = Viewer::sized(home.command(&[]), size);
        viewer.until("aaaa-1").press("\r", "# Plan");
        assert_eq!(viewer.ends("q").code(), Some(0), "{size:?}");
    }
    let viewer = Viewer::new(&home, &[]);
    viewer.until("1 of 1");
    viewer.look(|_| viewer.keyboard.resize(Size::new(12, 40))).expect("a size");
    viewer.until("enter open  / search  a all  e edit  d …");
}

#[test]
fn without_a_screen_lines_are_numbered_and_asked_for() {
    let home = kept();
    let said = home.vade_reading("1\nt2\nx1\nn\nb\n/E_DUP\nq\n", &["view", "--plain"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    insta::assert_snapshot!(without_times(&said.out));
    let dumb = home.with("TERM", "dumb").vade_reading("q\n", &["view"]);
    assert_eq!((dumb.code, dumb.out.contains("1. running")), (0, true), "{}", dumb.err);
}

/// The lines without days and minutes, which are those of the run.
fn without_times(text: &str) -> String {
    let is_time = |word: &&str| {
        let word = word.trim_end_matches(',').as_bytes();
        matches!(word, [_, _, b'-' | b':', _, _])
    };
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').filter(|word| !is_time(word)).collect();
        words.join(" ").trim_end().to_owned() + "\n"
    };
    text.lines().map(line).collect()
}

#[test]
fn without_a_terminal_vade_prints_its_help_and_view_says_what_to_do() {
    let home = kept();
    assert!(home.text(&[]).contains("Usage: vade"));
    let refused = home.vade(&["view"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the viewer needs a terminal"), "{}", refused.err);
    assert!(refused.err.contains("--plain"), "{}", refused.err);
    assert_eq!(home.vade(&["call", "status", &json!({}).to_string()]).code, 0);
}
