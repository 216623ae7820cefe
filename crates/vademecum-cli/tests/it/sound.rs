//! A store whose files were damaged, removed or hidden: every surface says so, and one command ends it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileExt, symlink};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};

use crate::home::{Home, Said};

const DATA: &str = ".local/share/vademecum";

/// A server that a harness started.
struct Server {
    child: Child,
    stdin: ChildStdin,
    lines: BufReader<ChildStdout>,
    n_calls: u64,
}

impl Server {
    fn of(home: &Home) -> Self {
        let mut command = home.command(&home.program());
        command.env("CLAUDE_CODE_SESSION_ID", "s-1");
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a server");
        let stdin = child.stdin.take().expect("a pipe");
        let lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Self { child, stdin, lines, n_calls: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}});
        server.ask("initialize", &hello);
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        writeln!(server.stdin, "{ready}").expect("a line");
        server
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.n_calls += 1;
        let id = self.n_calls;
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(self.stdin, "{line}").expect("a line");
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).expect("an answer");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    /// Adds a note; whether that was acknowledged.
    fn add(&mut self, text: &str) -> bool {
        let arguments = json!({"content": text, "tags": ["finding"]});
        let answer = self.ask("tools/call", &json!({"name": "add_note", "arguments": arguments}));
        answer["isError"] != json!(true)
    }

    /// Ends it as a crash would; what it said on standard error.
    fn kill(mut self) -> String {
        self.child.kill().expect("an end");
        let output = self.child.wait_with_output().expect("an end");
        String::from_utf8(output.stderr).expect("a text")
    }
}

fn home() -> Home {
    let home = Home::with_program();
    home.vade(&["install", "--yes"]).success();
    start(&home);
    home
}

fn data(home: &Home, name: &str) -> std::path::PathBuf {
    home.path(&format!("{DATA}/{name}"))
}

/// A note of the session from the command line; whether that was acknowledged.
fn add(home: &Home, text: &str) -> bool {
    let words = ["note", "add", text, "--tags", "finding", "--session", "claude-code:s-1"];
    home.vade(&words).code == Some(0)
}

fn list(home: &Home) -> Said {
    home.vade(&["note", "list", "--limit", "200", "--session", "claude-code:s-1"])
}

/// Tells the hook of a start; what it prints for the model, and on standard error.
fn start(home: &Home) -> (String, String) {
    let event = json!({
        "session_id": "s-1", "transcript_path": home.path("t.jsonl"), "cwd": home.path,
        "hook_event_name": "SessionStart", "source": "compact",
    });
    let mut command = home.command(&home.program());
    command.args(["hook", "claude-code", "SessionStart"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(event.to_string().as_bytes()).expect("an event");
    drop(stdin);
    let output = child.wait_with_output().expect("an answer");
    assert_eq!(output.status.code(), Some(0));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr))
}

/// Every `bad` line of the doctor names the command that ends it; those lines.
fn bad(home: &Home) -> Vec<String> {
    let report = home.vade(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let bad = findings.filter(|finding| finding["level"] == "bad");
    bad.map(|finding| {
        let mend = finding["mend"].as_str().expect("a command");
        let is_command = ["vade ", "chmod ", "sudo ", "rm ", "find ", "cp "];
        assert!(is_command.iter().any(|word| mend.starts_with(word)), "{finding}");
        finding["text"].as_str().expect("a text").to_owned()
    })
    .collect()
}

/// The fault is said on standard error, in the next context and by the doctor.
#[track_caller]
fn check_said(home: &Home, fault: &str) {
    let said = list(home);
    assert!(said.stderr.contains(fault), "{said:?}");
    let (context, stderr) = start(home);
    assert!(context.contains(fault), "{context}");
    assert!(stderr.contains(fault) || said.code == Some(0), "{stderr}");
    let bad = bad(home);
    assert!(bad.iter().any(|line| line.contains(fault)), "{bad:?}");
}

#[track_caller]
fn check_mended(home: &Home, n_notes: usize) {
    let mended = home.vade(&["doctor", "--repair"]);
    assert_eq!(mended.code, Some(0), "{mended:?}");
    check_well(home, n_notes);
}

#[track_caller]
fn check_well(home: &Home, n_notes: usize) {
    let said = list(home).success();
    assert_eq!(said.matches("text ").count(), n_notes, "{said}");
    assert_eq!(bad(home), Vec::<String>::new());
}

/// Forty-five notes in the log of a server that was killed.
fn killed() -> Home {
    let home = home();
    let mut server = Server::of(&home);
    for n in 0..45 {
        assert!(server.add(&format!("text {n}")));
    }
    server.kill();
    home
}

#[test]
fn an_empty_database_beside_a_full_log_is_said_and_made_again() {
    let home = killed();
    File::options()
        .write(true)
        .open(data(&home, "vade.db"))
        .expect("a file")
        .set_len(0)
        .expect("cut");
    let log = fs::read(data(&home, "vade.db-wal")).expect("a log");
    check_said(&home, "the database file is empty or gone");
    assert!(!add(&home, "text more"));
    assert!(fs::read(data(&home, "vade.db-wal")).expect("a log") == log, "the log was changed");
    check_mended(&home, 45);
}

#[test]
fn a_log_that_cannot_be_opened_is_said() {
    let home = killed();
    let index = data(&home, "vade.db-shm");
    fs::remove_file(&index).expect("a file");
    symlink("nowhere", &index).expect("a link");
    let said = list(&home);
    assert_eq!((said.code, said.stdout.as_str()), (Some(7), ""), "{said:?}");
    assert!(start(&home).0.contains("cannot be read"));
    assert!(bad(&home).iter().any(|line| line.contains("bytes) cannot be read")));
    fs::remove_file(&index).expect("a link");
    check_well(&home, 45);
}

/// As `ulimit -n 4` has it: the log is one file too many.
#[test]
fn with_too_few_open_files_nothing_passes_for_empty() {
    let home = killed();
    for most in 3..12 {
        let mut command = home.command("/bin/sh".as_ref());
        let run = format!(
            "ulimit -n {most}; exec {} note list --limit 200 --session claude-code:s-1",
            home.program().display()
        );
        let said = home.said(&command.args(["-c", &run]).output().expect("a run"));
        let n_listed = said.stdout.matches("text ").count();
        let is_right =
            (said.code == Some(0) && n_listed == 45) || said.code.is_none_or(|code| code != 0);
        assert!(is_right, "{most}: {said:?}");
    }
    check_well(&home, 45);
}

/// A server and the command line in turn; what was acknowledged is there at the end.
#[test]
fn side_files_that_are_removed_under_a_server_lose_nothing() {
    for gone in [&["vade.db-shm"][..], &["vade.db-wal"]] {
        let home = home();
        let mut server = Server::of(&home);
        let mut n_acknowledged = 0;
        for round in 0..6 {
            n_acknowledged += usize::from(server.add(&format!("text {round} of the server")));
            n_acknowledged += usize::from(add(&home, &format!("text {round} of a command")));
            if round == 2 {
                for name in gone {
                    fs::remove_file(data(&home, name)).expect("a file");
                }
            }
        }
        assert!(n_acknowledged >= 11, "{gone:?}: {n_acknowledged}");
        let stderr = server.kill();
        let said = list(&home);
        assert_eq!(said.stdout.matches("text ").count(), n_acknowledged, "{gone:?} {said:?}");
        if gone.contains(&"vade.db-wal") {
            assert!(stderr.contains("the log was removed"), "{stderr}");
            check_said(&home, "the log was removed while the store was in use");
        }
        check_mended(&home, n_acknowledged);
    }
}

/// Where others wrote into a new log meanwhile, what only the server saw is kept and told of.
#[test]
fn what_cannot_be_merged_is_kept() {
    let home = home();
    let mut server = Server::of(&home);
    assert!(server.add("text of the server"));
    for name in ["vade.db-wal", "vade.db-shm"] {
        fs::remove_file(data(&home, name)).expect("a file");
    }
    for n in 0..3 {
        // The session itself may have been in the log alone.
        let said = home.vade(&[
            "note",
            "add",
            &format!("text {n}"),
            "--tags",
            "a",
            "--session",
            "claude-code:s-2",
        ]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    server.add("text after it");
    let stderr = server.kill();
    assert!(stderr.contains("has writes that the store has not"), "{stderr}");
    let copy = data(&home, "backups/vade-unmerged-1.db");
    let kept = home.vade(&[
        "note",
        "list",
        "--session",
        "claude-code:s-1",
        "--store",
        &copy.display().to_string(),
    ]);
    assert!(kept.stdout.contains("text of the server"), "{kept:?}");
    assert!(bad(&home).iter().any(|line| line.contains("has writes that the store has not")));
    let mended = home.vade(&["doctor", "--repair"]).success();
    assert!(mended.contains("a copy is kept: "), "{mended}");
    assert_eq!(bad(&home), Vec::<String>::new());
}

#[test]
fn a_log_that_is_gone_with_its_server_is_said() {
    let home = killed();
    fs::remove_file(data(&home, "vade.db-wal")).expect("a log");
    check_said(&home, "the log of the store was removed while it held");
    assert!(!add(&home, "text more"));
    let mended = home.vade(&["doctor", "--repair"]).success();
    assert!(mended.contains("repaired: the log of the store was removed"), "{mended}");
    assert_eq!(bad(&home), Vec::<String>::new());
}

/// Flips a bit of the first place in the database that holds these bytes.
fn flip(home: &Home, bytes: &[u8]) {
    let path = data(home, "vade.db");
    let file = fs::read(&path).expect("a file");
    let places = file.windows(bytes.len()).enumerate().filter(|(_, window)| *window == bytes);
    let file = File::options().write(true).open(&path).expect("a file");
    for (place, _) in places {
        file.write_all_at(&[bytes[0] | 0x80], u64::try_from(place).expect("a place"))
            .expect("a byte");
    }
}

#[test]
fn a_flipped_bit_takes_one_sign_and_no_note() {
    let home = home();
    let words = ["notepad", "write", "page of text", "--session", "claude-code:s-1"];
    home.vade(&words);
    assert!(add(&home, "text one") && add(&home, "text two"));
    home.vade(&["backup", &home.path("copy.db").display().to_string()]).success();
    flip(&home, b"text one");
    check_said(&home, "UTF-8");
    let mended = home.vade(&["doctor", "--repair"]).success();
    assert!(mended.contains("could not be read; their bytes are kept: "), "{mended}");
    let said = list(&home).success();
    assert!(said.contains("\u{fffd}ext one") && said.contains("text two"), "{said}");
    assert_eq!(bad(&home), Vec::<String>::new());
}

#[test]
fn a_key_that_cannot_be_read_is_said_and_stays() {
    let home = home();
    assert!(add(&home, "text one"));
    let (key, aside) = (data(&home, "vade.key"), data(&home, "aside"));
    fs::rename(&key, &aside).expect("moved");
    fs::create_dir(&key).expect("a folder");
    let said =
        home.vade(&["note", "add", "text two", "--tags", "a", "--session", "claude-code:s-1"]);
    assert!(said.code == Some(7) && said.stderr.contains("the key of the journal cannot be read"));
    assert!(bad(&home).iter().any(|line| line.contains("the key of the journal cannot be read")));
    fs::remove_dir(&key).expect("a folder");
    fs::rename(&aside, &key).expect("moved");
    assert!(add(&home, "text two"));
    check_well(&home, 2);
}

#[test]
fn a_pipe_for_a_key_or_a_lock_keeps_nobody_waiting() {
    let home = home();
    assert!(add(&home, "text one"));
    for (name, fault) in
        [("vade.key", "the key of the journal"), ("vade.lock", "no write can begin")]
    {
        let (path, aside) = (data(&home, name), data(&home, "aside"));
        fs::rename(&path, &aside).expect("moved");
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, &path, FileType::Fifo, mode, 0).expect("a pipe");
        assert!(!add(&home, "text two"), "{name}");
        assert!(start(&home).0.contains("text one"));
        let bad = bad(&home);
        assert!(bad.iter().any(|line| line.contains(fault)), "{bad:?}");
        fs::rename(&aside, &path).expect("moved");
    }
    check_well(&home, 1);
}

#[test]
fn a_second_name_of_the_database_is_refused() {
    let home = home();
    assert!(add(&home, "text one"));
    let other = home.path("hard.db");
    fs::hard_link(data(&home, "vade.db"), &other).expect("a link");
    check_said(&home, "the database file has 2 names");
    assert!(!add(&home, "text two"));
    fs::remove_file(other).expect("a link");
    check_well(&home, 1);
}

#[test]
fn a_backup_comes_back() {
    let home = home();
    assert!(add(&home, "text one"));
    let copy = home.path("copy.db").display().to_string();
    let said = home.vade(&["backup", &copy]).success();
    insta::assert_snapshot!(said, @"the store is in ~/copy.db (1 note), with its key: keep it to yourself");
    insta::assert_snapshot!(home.vade(&["backup", &copy]).failure(), @r"
    4: vade: ~/copy.db is there already
      hint: name another file: a backup overwrites nothing
    ");
    assert!(add(&home, "text two"));
    let mut server = Server::of(&home);
    assert!(server.add("text three"));
    let said = home.vade(&["backup", "--restore", &copy]).success();
    insta::assert_snapshot!(said, @r"
    the store is what ~/copy.db holds (1 note)
    the store as it was is kept: ~/.local/share/vademecum/backups/vade-before-restore-1.db
    ");
    assert!(server.add("text four"));
    server.kill();
    check_well(&home, 2);

    fs::write(data(&home, "vade.db"), "").expect("a file");
    fs::remove_file(data(&home, "vade.db-wal")).expect("a log");
    fs::remove_file(data(&home, "vade.db-shm")).expect("an index");
    let refused = home.vade(&["doctor", "--repair"]).failure();
    let newest = "vade backup --restore ~/.local/share/vademecum/backups/vade-before-restore-1.db";
    assert!(refused.contains(newest), "{refused}");
    assert!(list(&home).stderr.contains("vade doctor says what it can be restored from"));
    assert!(home.vade(&["doctor"]).stdout.contains(newest));
    home.vade(&["backup", "--restore", &copy]).success();
    check_well(&home, 1);
}

#[test]
fn a_backup_of_nothing_makes_no_file() {
    let home = Home::with_program();
    let copy = home.path("copy.db");
    let said = home.vade(&["backup", &copy.display().to_string()]).failure();
    assert_eq!(said, "3: vade: nothing was ever written, so there is nothing to copy\n");
    assert!(!copy.exists());
}
