//! The same sequences on PostgreSQL, where the tests have a server: compared with `memory:`, as SQLite is.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use vademecum_core::hash::Key;
use vademecum_ops::world::OpenStore;
use vademecum_postgres::{Address, Options, Postgres, later};
use vademecum_store::Store;

use super::stage::{Engine, Stage};
use crate::moments::Claude;

use super::{difference, folder, given, in_memory_with, make, open, replay, within};

/// The server's address, as `cargo xtask test` gives it.
const VARIABLE: &str = "VADE_TEST_POSTGRES";

/// So many are played where nobody says how many.
const TWINS: u64 = 6;

/// A store on the server, which is dropped at the end.
struct OnServer(Postgres);

impl Engine for OnServer {
    type Store = Postgres;

    fn handle(&self, _is_brief: bool) -> Postgres {
        self.0.clone()
    }
}

impl Drop for OnServer {
    fn drop(&mut self) {
        later::drop_store(&self.0).expect("a store");
    }
}

/// The place of a new store on the server; none, with a word why, where none is named. In CI that is an error.
fn place() -> Option<Address> {
    static LAST: AtomicU32 = AtomicU32::new(0);
    #[expect(clippy::disallowed_methods, reason = "a test is told of its server by a variable")]
    let (url, is_ci) = (std::env::var(VARIABLE), std::env::var_os("CI").is_some());
    let Ok(url) = url else {
        assert!(!is_ci, "{VARIABLE} is not set: cargo xtask test starts a server");
        println!("skipped: {VARIABLE} names no server; cargo xtask test starts one");
        return None;
    };
    let n = LAST.fetch_add(1, Ordering::Relaxed);
    let url = format!("{url}?schema=twins{}_{n}", std::process::id());
    Some(Address::parse(&url, &|_| None).expect("an address"))
}

fn store() -> Option<(Postgres, Key)> {
    let store = Postgres::at(place()?, Options::patient());
    open(&store);
    let key = store.secret().expect("a key").expect("a key");
    Some((store, key))
}

#[test]
fn postgres_answers_the_same() {
    let first = given("VADE_TWINS_FROM").unwrap_or(0);
    for number in first..first + given("VADE_TWINS").unwrap_or(TWINS) {
        let Some((store, key)) = store() else { return };
        let folder = folder();
        let (steps, one) =
            within(&folder, |root| make(Stage::new(root, OnServer(store.clone())), number));
        let other = within(&folder, |root| replay(in_memory_with(root, key), &steps));
        if let Some((at, how)) = difference(&steps, &one, &other) {
            let steps: Vec<String> =
                steps.iter().take(at + 1).map(|step| format!("  {step:?}")).collect();
            panic!("sequence {number}, in step {at} of\n{}\n{how}", steps.join("\n"));
        }
    }
}

/// So many round trips each call takes at most: on a line of 20 ms each is felt.
#[test]
fn a_call_takes_few_round_trips() {
    let Some((store, _)) = store() else { return };
    let folder = folder();
    within(&folder, |root| {
        let mut stage = Stage::new(root, OnServer(store));
        let mut trips = |operation, arguments| {
            let before = stage.store.n_trips();
            let reply = stage.asks("one", operation, arguments);
            assert!(reply["error"].is_null(), "{reply}");
            stage.store.n_trips() - before
        };
        let note =
            |n: u32| json!({ "content": format!("parse_config of step {n}"), "tags": ["a"] });
        // The first begins project, session and connection.
        trips("add_note", note(1));
        let all = [
            ("add_note", note(2)),
            ("add_note", note(3)),
            ("list_notes", json!({})),
            ("search_notes", json!({ "query": "parse_config" })),
            ("search_notes", json!({ "query": "what of the step" })),
            ("search_notes", json!({ "query": "what of the step", "scope": "project" })),
            ("read_notepad", json!({})),
            ("write_notepad", json!({ "content": "page" })),
        ];
        let found = all.map(|(operation, arguments)| (operation, trips(operation, arguments)));
        println!("round trips: {found:?}");
        let counts = found.map(|(_, n)| n);
        let most = [3, 3, 2, 2, 2, 5, 2, 4];
        assert!(counts.iter().zip(most).all(|(n, most)| *n <= most), "{found:?}");
    });
}

/// Few more where a session has more notes than are read whole, and others keep what is found too: one looks up the
/// notes that those shown name.
#[test]
fn a_look_at_much_takes_few_round_trips() {
    let Some((store, _)) = store() else { return };
    let folder = folder();
    within(&folder, |root| {
        let mut stage = Stage::new(root, OnServer(store));
        let mut ask = |session: &'static str, operation, arguments| {
            let before = stage.store.n_trips();
            let reply = stage.asks(session, operation, arguments);
            assert!(reply["error"].is_null(), "{reply}");
            (stage.store.n_trips() - before, reply)
        };
        let mut last = String::new();
        for n in 0..120 {
            let content = format!("parse_config of step {n}, after {last}");
            let note = json!({ "content": content, "tags": ["a", format!("b{}", n % 7)] });
            let (_, reply) = ask("one", "add_note", note);
            last = reply["object"]["id"].as_str().expect("its id").to_owned();
        }
        for session in ["two", "three", "four", "five"] {
            ask(session, "add_note", json!({ "content": "parse_config again" }));
            for text in ["it holds", "it does not hold"] {
                let decision = json!({ "content": format!("parse_config: {text} for {session}") });
                ask(session, "add_decision", decision);
            }
        }
        ask("one", "list_notes", json!({}));
        let all = [
            ("list_notes", json!({})),
            ("list_notes", json!({ "tags": ["a"], "limit": 5 })),
            ("search_notes", json!({ "query": "parse_config" })),
            ("search_notes", json!({ "query": "what of the step" })),
            ("search_notes", json!({ "query": "parse_config", "scope": "project" })),
            ("search_notes", json!({ "query": "does it hold", "scope": "project" })),
        ];
        let found =
            all.map(|(operation, arguments)| (operation, ask("one", operation, arguments).0));
        println!("round trips: {found:?}");
        let most = [3, 3, 3, 3, 5, 4];
        assert!(found.iter().zip(most).all(|((_, n), most)| *n <= most), "{found:?}");
    });
}

/// So many round trips a hook takes, each with connections of its own as a process has: the more sessions were there before
/// the more there is to tell, and it takes no more trips.
#[test]
fn a_hook_takes_few_round_trips() {
    let Some(place) = place() else { return };
    let _dropped = OnServer(Postgres::at(place.clone(), Options::patient()));
    let mut claude = Claude::new();
    claude.desk.world.store = OpenStore { name: "team".to_owned(), person: None }.into();
    let mut trips = |session: &'static str, name: &str, more: &Value| {
        claude.session = session;
        let store = Postgres::at(place.clone(), Options::patient());
        let answer = claude.event_on(&store, name, more);
        assert_eq!(answer.fault, None, "{name}");
        store.n_trips()
    };
    let (start, batch) = (json!({"source": "startup"}), json!({"tool_calls": []}));
    let end = json!({"reason": "other"});
    let mut begins = |session| {
        let n = trips(session, "SessionStart", &start);
        trips(session, "PostToolBatch", &batch);
        // What it leaves is looked at by each that begins behind it.
        trips(session, "SessionEnd", &end);
        n
    };
    let sessions = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let starts = sessions.map(|letter| begins(format!("{letter}{letter}-1").leak()));
    trips("mm-1", "SessionStart", &start);
    let prompt = trips("mm-1", "UserPromptSubmit", &json!({"prompt": "go on"}));
    let compact = trips("mm-1", "SessionStart", &json!({"source": "compact"}));
    println!("round trips: starts {starts:?}, prompt {prompt}, compaction {compact}");
    assert!(starts[11] <= starts[3] + 2, "{starts:?}");
    assert!(starts[11] <= 22 && prompt <= 6 && compact <= 12, "{starts:?} {prompt} {compact}");
}
