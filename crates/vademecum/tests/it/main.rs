//! The library as programs use it, and the example that the README shows.

#[path = "../../examples/agent.rs"]
#[expect(dead_code, unreachable_pub, reason = "an example is a program of its own")]
mod agent;
mod bench;
mod children;
mod controller;
mod dialect;
mod flow;
mod interleavings;
mod killed;
mod profiles;
mod server;

use serde_json::json;
use vademecum::Vade;

const README: &str = include_str!("../../../../README.md");
const EXAMPLE: &str = include_str!("../../examples/notes.rs");

#[test]
fn the_readme_shows_the_example() {
    let (_, rest) = README.split_once("```rust\n").expect("the README has an example");
    let (shown, _) = rest.split_once("```\n").expect("the example ends");
    assert_eq!(shown, EXAMPLE);
    assert!(EXAMPLE.lines().count() <= 40);
}

#[test]
fn sessions_keep_apart_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = format!("sqlite:{}", folder.path().join("notes.db").display());
    let vade = Vade::open(&address).expect("an address");
    let mine = vade.session("my-agent:1").expect("a name");
    mine.call("write_notepad", json!({"content": "mine"})).expect("a write");

    let again = Vade::open(&address).expect("an address");
    let page = |name: &str| {
        let session = again.session(name).expect("a name");
        session.call("read_notepad", json!({})).expect("a page").object["content"].clone()
    };
    assert_eq!(page("my-agent:1"), "mine");
    assert_eq!(page("my-agent:2"), "");
}

#[test]
fn refusals_say_what_is_taken() {
    let vade = Vade::open("sqlite:never-written.db").expect("an address");
    let refusal = vade.session("no colon").map(drop).expect_err("a name of another form");
    assert_eq!(
        refusal.message,
        "a session takes harness:id or harness:id/agent, \"no colon\" given"
    );
    assert!(Vade::open("mysql://host/db").is_err());
    let session = vade.session("my-agent:1").expect("a name");
    assert!(session.call("add_memory", json!({})).is_err());
}
