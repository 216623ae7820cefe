//! When the server ends: its client closes its end, or is killed.
#![expect(clippy::disallowed_methods, reason = "a parent of our own is started, to be killed")]

use std::fs::File;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::client::{Client, Home, vade};

/// Within what a server ends: it allows itself three quarters of a second, a busy machine needs longer.
const SOON: Duration = Duration::from_secs(3);

/// Set for a copy of this test that plays the parent.
const IS_PARENT: &str = "VADE_TEST_IS_PARENT";

#[test]
fn ends_when_the_client_closes_its_end() {
    let home = Home::new();
    for with_handshake in [false, true] {
        let mut client = home.start();
        if with_handshake {
            client.initialize("test");
        }
        client.close();
        assert!(client.ends_within(SOON));
        assert_eq!(client.wait().code(), Some(0));
    }
}

#[test]
fn answers_what_was_asked_before_the_end() {
    let home = Home::new();
    let mut client = home.session("aaaa-1");
    // More than can be done before the first patience is over, one after the other on disk.
    let asked: Vec<u64> = (0..200)
        .map(|n| {
            let arguments = json!({"content": format!("note {n}"), "tags": ["t"]});
            client.ask("tools/call", &json!({"name": "add_note", "arguments": arguments}))
        })
        .collect();
    client.close();
    for id in asked {
        assert_eq!(client.answer(id)["result"]["isError"], false);
    }
    assert!(client.ends_within(SOON));
}

#[test]
fn a_write_that_waits_holds_up_neither_reads_nor_the_end() {
    let home = Home::new();
    let mut client = home.session("aaaa-1");
    client.call("write_notepad", json!({"content": "A"}));
    let line = File::open(home.path("data/vademecum/vade.lock")).expect("the writers' line");
    line.lock().expect("nobody writes now");

    let write = json!({"name": "write_notepad", "arguments": {"content": "B"}});
    client.ask("tools/call", &write);
    assert_eq!(client.object("read_notepad", json!({}))["content"], "A");
    client.close();
    assert!(client.ends_within(SOON));
}

#[test]
fn ends_when_its_parent_is_killed() {
    if std::env::var_os(IS_PARENT).is_some() {
        return play_the_parent();
    }
    let home = Home::new();
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", "mcp::life::ends_when_its_parent_is_killed", "--nocapture"]);
    home.settle(&mut command);
    command.env(IS_PARENT, "1");
    let mut client = Client::of(command);
    while client.skip_line() != IS_PARENT {}
    client.initialize("test");

    // The test still holds the other end of stdin, so only the parent's death can end it.
    client.kill();
    assert!(client.ends_within(SOON));
}

/// Starts the server on its own stdin and stdout, and stays until it is killed.
fn play_the_parent() {
    println!("\n{IS_PARENT}");
    let ended = Command::new(vade()).arg("mcp").status();
    assert!(ended.is_err(), "the server ended before its parent: {ended:?}");
}
