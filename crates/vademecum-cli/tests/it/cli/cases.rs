//! The shared cases, played at the command line: every call is typed, and a process of its own.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread;

use serde_json::Value;
use vademecum::ops::{fields, registry};

use super::home::Home;
use crate::cases::{self, Answer, Surface};

/// The longest word that a system takes for sure.
const LONGEST: usize = 100_000;

struct Typed {
    home: Home,
    session: String,
}

impl Surface for Typed {
    fn call(&mut self, operation: &str, arguments: Value) -> Answer {
        let op = registry::find(operation).expect("an operation");
        let words = fields::words(op, arguments.as_object().expect("an object"));
        let mut words = words.expect("a command");
        // A person may leave this out, and who calls the operation may not.
        if operation == "scratch_note" && arguments.get("scratched").is_none() {
            words = ["call".to_owned(), operation.to_owned(), arguments.to_string()].to_vec();
        }
        let untypable = words.iter_mut().find(|word| LONGEST < word.len() || word.contains('\0'));
        let input =
            untypable.map(|word| std::mem::replace(word, "-".to_owned())).unwrap_or_default();

        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let global = ["--json", "--session", &self.session];
        let said = self.home.vade_reading(&input, &[&global, words.as_slice()].concat());
        let object = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        if said.code == 0 {
            return Ok(object(&said.out));
        }
        let error = object(&said.err);
        let part = |name: &str| error["error"][name].as_str().unwrap_or_default().to_owned();
        // A person is told of the command, whose name is the operation's here.
        let command = op.declaration.command.map(|command| command.words.join(" "));
        let message = part("message");
        let rest = command.and_then(|command| message.strip_prefix(&command).map(str::to_owned));
        Err((part("kind"), rest.map_or(message, |rest| format!("{operation}{rest}"))))
    }

    fn context(&mut self) -> String {
        let context = self.home.json(&["--session", &self.session, "context"]);
        context["context"].as_str().expect("text").to_owned()
    }

    fn enter(&mut self, session: &str) {
        self.session = format!("test:{session}");
    }

    fn project(&self) -> PathBuf {
        self.home.path("demo")
    }

    fn kill(&mut self) {
        // Each call was a process of its own, and has ended.
    }
}

#[test]
fn hold() {
    for case in cases::all() {
        println!("{} {}", case.number, case.config);
        let home = Home::configured(case.config);
        (case.play)(&mut Typed { home, session: "test:session-1".to_owned() });
    }
}

/// C1.6 and C7.4, with fewer notes than the torture run.
#[test]
fn writers_of_eight_processes_lose_nothing() {
    const EACH: usize = 5;
    let home = Home::new().with("VADE_SESSION_ID", "test:session-1");
    let some = || (0..EACH).map(|n| home.add(&n.to_string(), "t")).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = thread::scope(|scope| {
        let writers: Vec<_> = (0..8).map(|_| scope.spawn(some)).collect();
        writers.into_iter().map(|writer| writer.join().expect("a writer")).collect()
    });
    assert!(all.iter().all(|ids| ids.is_sorted()), "{all:?}");
    let distinct: BTreeSet<&String> = all.iter().flatten().collect();
    let total = &home.json(&["note", "list"])["total"];
    assert_eq!((distinct.len(), total), (8 * EACH, &serde_json::json!(8 * EACH)));
}

/// C7.3: what prune says is what a reader finds.
#[test]
fn what_prune_says_is_what_readers_see() {
    let home = Home::new();
    for (session, page) in [("test:old", "old"), ("test:open", "open")] {
        home.json(&["--session", session, "notepad", "write", page]);
    }
    home.json(&["--session", "test:old", "session", "archive"]);
    let names = |reply: &Value| {
        let sessions = reply["sessions"].as_array().expect("sessions").iter();
        sessions.map(|session| session["name"].clone()).collect::<Vec<_>>()
    };
    let planned = home.json(&["prune", "--older", "0h", "--dry-run"]);
    assert_eq!(planned["sessions"], serde_json::json!(["test:old"]));
    assert_eq!(names(&home.json(&["session", "list"])).len(), 2);
    let done = home.json(&["prune", "--older", "0h"]);
    assert_eq!(done["sessions"], planned["sessions"]);
    assert_eq!(names(&home.json(&["session", "list"])), ["test:open"]);
    assert_eq!(home.json(&["--session", "test:old", "notepad", "show"])["content"], "");
    assert_eq!(home.json(&["--session", "test:open", "notepad", "show"])["content"], "open");
}
