//! The one question, asked on a real terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::home::{Home, Said};

/// Runs `vade WORDS`, does `meanwhile` once it asks, and answers `answer`.
fn ask(home: &Home, words: &[&str], answer: &str, meanwhile: impl FnOnce()) -> Said {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let slave = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty());

    let mut command = home.command(&home.program());
    command.args(words).stdin(Stdio::from(slave.expect("a terminal")));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
    let mut asked = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    let mut byte = [0];
    while !asked.ends_with("[N]o: ") && stderr.read(&mut byte).expect("a byte") == 1 {
        asked.push_str(&String::from_utf8_lossy(&byte));
    }
    meanwhile();
    File::from(master)
        .try_clone()
        .and_then(|mut terminal| {
            terminal.write_all(answer.as_bytes())?;
            let output = child.wait_with_output()?;
            Ok(home.said(&output))
        })
        .expect("an answer")
}

const SETTINGS: &str = ".claude/settings.json";

#[test]
fn nothing_is_done_unasked() {
    let home = Home::with_program();
    let before = home.tree();
    insta::assert_snapshot!(home.vade(&["install"]).failure());
    for answer in ["n\n", "\n", "maybe\nno\n"] {
        // What would change was told with the question, and is not told again.
        assert_eq!(ask(&home, &["install"], answer, || ()).stdout, "nothing was changed\n");
    }
    assert_eq!(home.tree(), before);
}

#[test]
fn permissions_may_be_left_out() {
    for (answer, has_permissions) in [("y\n", true), ("what\nW\n", false)] {
        let home = Home::with_program();
        assert_eq!(ask(&home, &["install"], answer, || ()).code, Some(0));
        let settings = home.read(SETTINGS).expect("settings");
        assert_eq!(settings.contains("permissions"), has_permissions);
        assert!(settings.contains("SessionStart"));
    }
}

#[test]
fn what_the_harness_writes_meanwhile_is_kept() {
    let home = Home::with_program();
    home.write(".claude.json", "{\"numStartups\": 1}");
    let said =
        ask(&home, &["install"], "y\n", || home.write(".claude.json", "{\"numStartups\": 2}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let servers = home.read(".claude.json").expect("servers");
    assert!(servers.contains("\"numStartups\": 2") && servers.contains("vade"), "{servers}");

    let said =
        ask(&home, &["uninstall"], "y\n", || home.write(".claude.json", servers.replace('2', "3")));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(home.read(".claude.json").as_deref(), Some("{\"numStartups\": 3}"));
}
