//! The shared cases, played at the command line: every call is typed, and a process of its own.

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
        Err((part("kind"), part("message")))
    }

    fn context(&mut self) -> String {
        let context = self.home.json(&["--session", &self.session, "context"]);
        context["context"].as_str().expect("text").to_owned()
    }

    fn enter(&mut self, session: &str) {
        self.session = format!("test:{session}");
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
