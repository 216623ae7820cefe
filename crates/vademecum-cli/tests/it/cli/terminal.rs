//! What a terminal is given: nothing that it would obey, whatever was stored, typed or read.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;
use vademecum::core::time::Time;

use super::home::Home;

/// Clipboard, clear screen, C1 colour, reversed order, unseen characters, overwritten line, DEL.
pub(super) const PAYLOAD: &str =
    "<\u{1b}]52;c;aGk=\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{200b}\u{e0041}\r[OK]\u{7f}>";

pub(super) const SESSION: &str = "claude-code:aaaa-1";

/// Which of its streams a program has on the terminal.
#[derive(Debug, Clone, Copy)]
enum On {
    Out,
    Err,
}

/// A terminal of its own.
pub(super) struct Ends {
    /// The end of the person.
    pub(super) master: OwnedFd,
    /// The end of the program.
    pub(super) slave: OwnedFd,
}

/// Opens a terminal; who is started meanwhile, by this test or another one, has neither end of it.
pub(super) fn open() -> Ends {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let slave = rustix::fs::open(name.as_c_str(), flags, Mode::empty());
    Ends { master, slave: slave.expect("a terminal") }
}

/// What `command` puts on the terminal that has `stream`, and what on the other one, a pipe.
fn run(mut command: Command, stream: On) -> (String, String) {
    let Ends { master, slave } = open();
    let slave = Stdio::from(slave);
    command.stdin(Stdio::null());
    match stream {
        On::Out => command.stdout(slave),
        On::Err => command.stderr(slave),
    };
    let child = command.spawn().expect("the binary");
    // What still holds the other end keeps the terminal open.
    drop(command);
    let reader = std::thread::spawn(move || {
        let (mut master, mut shown) = (File::from(master), Vec::new());
        // Linux ends the terminal of a program that is gone with an error.
        drop(master.read_to_end(&mut shown));
        shown
    });
    let output = child.wait_with_output().expect("an end");
    let shown = reader.join().expect("what was shown");
    let piped = match stream {
        On::Out => output.stderr,
        On::Err => output.stdout,
    };
    (String::from_utf8(shown).expect("text"), String::from_utf8(piped).expect("text"))
}

/// A home whose session holds the payload in everything that it keeps, and a transcript with it.
pub(super) fn hostile() -> Home {
    let home = Home::new().with("VADE_SESSION_ID", SESSION);
    for (name, arguments) in [
        ("write_notepad", json!({ "content": PAYLOAD })),
        ("add_note", json!({"content": PAYLOAD, "tags": ["t"]})),
        ("write_handoff", json!({ "content": PAYLOAD })),
        ("add_learning", json!({ "content": PAYLOAD })),
    ] {
        home.text(&["call", name, &arguments.to_string()]);
    }
    let turns = [("user", "Look at "), ("assistant", "It says ")];
    let turns =
        turns.map(|(role, text)| json!({"role": role, "content": format!("{text}{PAYLOAD}")}));
    std::fs::write(home.path("demo/log.jsonl"), turns.map(|turn| format!("{turn}\n")).concat())
        .expect("a transcript");
    home
}

fn raw(text: &str) -> Vec<char> {
    // The terminal itself puts a carriage return before each line feed.
    let text = text.replace("\r\n", "\n");
    text.chars().filter(|&c| PAYLOAD.contains(c) && !c.is_ascii_graphic()).collect()
}

const READ: &str = "return await session.notepad.read()";

/// Every command that shows a text which was stored, read or made; and whether a pipe gets it as it is.
const SHOWN: [(&[&str], bool); 19] = [
    (&["note", "list"], true),
    (&["note", "search", "OK"], true),
    (&["notepad", "show"], true),
    (&["notepad", "history"], true),
    (&["handoff", "show", SESSION], false),
    (&["session", "show", SESSION], true),
    (&["session", "timeline", SESSION, "--whole"], true),
    (&["export"], true),
    (&["recap", "log.jsonl"], false),
    (&["sandbox", "run", "--code", READ], true),
    (&["plan", "show", "_project"], true),
    (&["plan", "wisdom"], false),
    (&["context"], false),
    (&["call", "read_notepad", "{}"], true),
    (&["session", "list"], false),
    (&["status"], false),
    (&["tag", "list"], false),
    (&["man"], false),
    (&["completions", "bash"], false),
];

#[test]
fn a_terminal_obeys_nothing_that_is_shown() {
    let home = hostile();
    for (words, is_as_it_is) in SHOWN {
        let (shown, talk) = run(home.command(words), On::Out);
        assert_eq!(raw(&shown), Vec::new(), "{words:?}: {shown:?}");
        assert_ne!(shown, "", "{words:?}: {talk}");
        if is_as_it_is {
            assert!(shown.contains("<\\u{1b}]52;c;aGk=\\u{7}"), "{words:?}: {shown:?}");
            let piped = home.vade(words).out;
            assert!(piped.contains(PAYLOAD), "a pipe gets the bytes: {words:?}: {piped:?}");
        }
    }
}

#[test]
fn json_holds_nothing_that_a_terminal_would_obey() {
    let home = hostile();
    for words in [&["note", "list"][..], &["notepad", "show"], &["session", "show", SESSION]] {
        let words = [words, &["--json"]].concat();
        let (shown, _) = run(home.command(&words), On::Out);
        let piped = home.vade(&words).out;
        for text in [shown, piped] {
            assert_eq!(raw(&text), Vec::new(), "{words:?}: {text:?}");
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert!(value.to_string().contains("\u{9b}31m\u{202e}"), "{words:?}: {value}");
        }
    }
    let refused = home.vade(&["--json", PAYLOAD]).err;
    assert_eq!(raw(&refused), Vec::new(), "{refused:?}");
}

/// Whatever is refused is given back, and where it is given back it is shown.
#[test]
fn a_terminal_obeys_nothing_that_is_refused() {
    let home = hostile();
    let option = format!("--{PAYLOAD}");
    let path = format!("no{PAYLOAD}.jsonl");
    for words in [
        &[PAYLOAD][..],
        &["note", PAYLOAD],
        &["note", "list", &option],
        &["note", "list", PAYLOAD],
        &["note", "list", "--limit", PAYLOAD],
        &["note", "delete", PAYLOAD],
        &["session", "show", PAYLOAD],
        &["plan", "show", PAYLOAD],
        &["recap", &path],
        &["sandbox", "run", &path],
        &["sandbox", "run", "--code", PAYLOAD],
        &["call", PAYLOAD, "{}"],
        &["call", "read_notepad", PAYLOAD],
        &["import", &path],
        &["install", PAYLOAD],
        &["completions", PAYLOAD],
        &["mcp", PAYLOAD],
        &["hook", PAYLOAD, PAYLOAD],
        &["hook", "claude-code", PAYLOAD],
        &["--store", PAYLOAD, "note", "list"],
        &["doctor", "--store", PAYLOAD],
    ] {
        let (shown, answer) = run(home.command(words), On::Err);
        assert_eq!(raw(&shown), Vec::new(), "{words:?}: {shown:?}");
        let (answered, _) = run(home.command(words), On::Out);
        assert_eq!(raw(&answered), Vec::new(), "{words:?}: {answered:?} {answer:?}");
    }
}

/// What the terminal of `home` shows of a command, without the carriage returns that it adds.
fn listed(home: &Home, words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = home.command(words);
    command.envs(variables.iter().copied());
    run(command, On::Out).0.replace("\r\n", "\n")
}

#[test]
fn a_terminal_shows_columns_and_local_times() {
    let home = Home::new().with("VADE_SESSION_ID", SESSION);
    let first = home.add("Retry swallows E_DUP.", "bug,queue");
    let second = home.add("two\nlines", "todo");
    let at = home.json(&["note", "list"])["notes"][0]["updated_at"].clone();
    let at = Time::parse(at.as_str().expect("a time")).expect("a time");
    // A zone that is written out needs no files: five and a half hours east of Greenwich.
    let zone = [("TZ", "XXX-5:30")];
    let local = at.plus((5 * 60 + 30) * 60_000).to_rfc3339()[11..16].to_owned();
    let shown = listed(&home, &["note", "list"], &zone);
    let when = format!("{local}, a moment ago");
    let wanted = format!(
        "2 notes\n{:<18}  {:<19}  TAGS        NOTE\n{second}  {when}  todo        two\n{:<18}  {:<19}              lines\n\
         {first}  {when}  bug, queue  Retry swallows E_DUP.\n",
        "ID", "CHANGED", "", ""
    );
    assert_eq!(shown, wanted);
    for (words, head) in [
        (&["session", "list"][..], "SESSION "),
        (&["session", "log"], "NO  SESSION "),
        (&["tag", "list"], "TAG "),
        (&["project", "list"], "ID        PROJECT  "),
    ] {
        let shown = listed(&home, words, &zone);
        assert!(shown.starts_with(head), "{words:?}: {shown}");
        assert!(!shown.contains("2026-") || !shown.contains('Z'), "{words:?}: {shown}");
        let piped = home.text(words);
        assert_ne!(piped, shown, "a pipe gets plain lines and exact times");
    }
    let session = listed(&home, &["session", "show", SESSION], &zone);
    let first = session.lines().next().unwrap_or_default();
    assert!(first.contains(&format!("since {local}, a moment ago")), "{session}");
    let told = listed(&home, &["session", "timeline", "--whole"], &zone);
    assert!(told.contains("\n    two\n    lines ("), "{told}");
    home.json(&["notepad", "write", "# Plan"]);
    assert!(listed(&home, &["notepad", "history"], &zone).starts_with("REV  WRITTEN "));
}

#[test]
fn colour_is_for_terminals_that_have_it_and_people_who_want_it() {
    let home = Home::new().with("VADE_SESSION_ID", SESSION);
    home.add("Retry swallows E_DUP.", "bug");
    let term = ("TERM", "xterm-256color");
    for (words, variables, is_painted) in [
        (&["note", "list"][..], &[term][..], true),
        (&["-h"], &[term], true),
        (&["note", "list", "--no-color"], &[term], false),
        (&["note", "list"], &[term, ("NO_COLOR", "1")], false),
        (&["note", "list"], &[("TERM", "dumb")], false),
        (&["note", "list"], &[], false),
        (&["note", "list", "--json"], &[term], false),
    ] {
        let shown = listed(&home, words, variables);
        assert_eq!(shown.contains("\u{1b}[1m"), is_painted, "{words:?} {variables:?}: {shown:?}");
    }
    let mut command = home.command(&["note", "list"]);
    command.env("TERM", "xterm");
    let piped = command.output().expect("a run").stdout;
    assert!(!piped.contains(&0x1b));
}
