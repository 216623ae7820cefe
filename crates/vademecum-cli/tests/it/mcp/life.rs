//! When the server ends: its client closes its end, or is killed.
#![expect(clippy::disallowed_methods, reason = "a parent of our own is started, to be killed")]

use std::fs::File;
use std::process::Command;
use std::time::{Duration, Instant};

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

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_has_nothing_to_do_is_not_woken() {
    let home = Home::new();
    let mut quiet = home.session("aaaa-1");
    quiet.request("tools/list", json!({}));
    let mut reader = home.session("bbbb-2");
    reader.call("write_notepad", json!({"content": "A"}));
    reader.request("resources/subscribe", json!({"uri": "vade://notepad"}));
    // No store lies where this one looks for it.
    let elsewhere = Home::new();
    let mut early = elsewhere.session("cccc-3");
    early.request("resources/subscribe", json!({"uri": "vade://notepad"}));

    // A thread that has done its work stays for a while, and an upkeep may still run.
    std::thread::sleep(Duration::from_secs(11));
    for client in [quiet, reader, early] {
        let before = wakes(client.pid());
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(wakes(client.pid()), before);
    }
}

/// How often each thread of a process went to sleep, by its id.
#[cfg(target_os = "linux")]
fn wakes(pid: u32) -> std::collections::BTreeMap<String, String> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("a process");
    let threads = threads.map(|thread| thread.expect("a thread").path());
    let wakes = threads.map(|thread| {
        let status = std::fs::read_to_string(thread.join("status")).expect("a status");
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        (thread.display().to_string(), count.expect("a count").trim().to_owned())
    });
    wakes.collect()
}

/// What a reader may have to wait for a change, most of the times.
const AT_ONCE: Duration = Duration::from_millis(20);

#[test]
fn readers_are_told_at_once_of_what_another_process_wrote() {
    let home = Home::new();
    let mut writer = home.session("752d4c1e-aa");
    let mut reader = home.session("752d4c1e-aa");
    reader.request("resources/subscribe", json!({"uri": "vade://notepad"}));
    let mut waits: Vec<Duration> = (0..15)
        .map(|n| {
            // Whoever looks again and again does it more seldom by now.
            std::thread::sleep(Duration::from_millis(200 + n));
            writer.call("write_notepad", json!({"content": format!("{n}")}));
            let written = Instant::now();
            reader.notification();
            written.elapsed()
        })
        .collect();
    waits.sort();
    assert!(waits[7] <= AT_ONCE, "{waits:?}");
}
