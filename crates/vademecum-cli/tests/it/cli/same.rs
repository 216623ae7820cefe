//! Each operation's example says the same at the command line, by name, and in the library.

use serde_json::{Value, json};
use vademecum::ops::operation::Effect;
use vademecum::ops::who::Clues;
use vademecum::ops::world::{Folders, World};
use vademecum::ops::{Call, Caller, Config, Op, OpError, Reply, fields, registry};
use vademecum::port::{Author, Origin, Surface};
use vademecum::store::Patience;

use super::home::Home;

const SESSION: &str = "test:one";

/// What an operation answers, or its error, without what differs from run to run.
type Answer = Result<Value, Value>;

fn by_command(home: &Home, words: &[String]) -> Answer {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let said = home.vade(&[&["--session", SESSION, "--json"], words.as_slice()].concat());
    let text = |text: &str| serde_json::from_str(&home.steady(text)).expect("JSON");
    if said.code == 0 { Ok(text(&said.out)) } else { Err(text(&said.err)["error"].clone()) }
}

fn by_library(home: &Home, op: &Op, arguments: Value) -> Answer {
    let steady = |value: String| serde_json::from_str(&home.steady(&value)).expect("JSON");
    match library(home, op, arguments) {
        Ok(reply) => Ok(steady(reply.object.to_string())),
        Err(error) => Err(steady(serde_json::to_string(&error).expect("JSON"))),
    }
}

/// Calls `op` in this process, on the store of `home`.
fn library(home: &Home, op: &Op, arguments: Value) -> Result<Reply, OpError> {
    let real = vademecum::world::real(None);
    let world = World {
        folders: Folders {
            home: home.path(""),
            data: home.path("data/vademecum"),
            config: home.path("config/vademecum"),
            work: home.path("demo"),
        },
        env: Box::new(|_| None),
        program: Some(env!("CARGO_BIN_EXE_vade").into()),
        ..real
    };
    let store =
        vademecum::store::open_file(&home.path("data/vademecum/vade.db"), Patience::Command);
    let caller = Caller {
        origin: Origin { surface: Surface::Cli, author: Author::User },
        clues: Clues { named: Some(SESSION.to_owned()), is_person: true, ..Clues::default() },
        write_id: None,
    };
    let config = Config::load(&world.folders, &world.folders.work)?;
    op.run(&Call::new(&store, &world, &config, caller), arguments)
}

/// A home in which examples find what they name, and the example with the note's true id.
fn prepared(op: &Op) -> (Home, Value) {
    let home = Home::configured("[scratchpad]\n");
    let call = |name: &str, arguments: Value| {
        let op = registry::find(name).expect("an operation");
        library(&home, op, arguments).expect("an answer").object
    };
    for page in ["## Plan", "## Plan\n- [ ] one", "## Plan\n- [x] one"] {
        call("write_notepad", json!({"content": page}));
    }
    let note = call("add_note", json!({"content": "The retry queue loops.", "tags": ["bug"]}));
    let id = note["id"].as_str().expect("an id");
    if op.declaration.name != "init_plan" {
        call("init_plan", json!({"name": "03-01-refunds"}));
    }
    if op.declaration.name == "restore_note" {
        call("update_note", json!({"id": id, "content": "The retry queue does not loop."}));
    }
    if op.declaration.name == "dismiss_handoff" {
        home.json(&["--session", "desk", "handoff", "write", "Mind the lock."]);
    }
    std::fs::create_dir(home.path("demo/.omc")).expect("a folder of another tool");
    let example = op.declaration.example.replace("note_1734604200000", id);
    (home, serde_json::from_str(&example).expect("JSON"))
}

#[test]
fn each_example_says_the_same_everywhere() {
    for op in registry::ALL {
        let name = op.declaration.name;
        let (home, arguments) = prepared(op);
        let wanted = by_library(&home, op, arguments.clone());
        assert!(wanted.is_ok(), "{name}: an example works: {wanted:?}");

        let (home, arguments) = anew(op, home, arguments);
        let words = ["call", name, &arguments.to_string()].map(str::to_owned);
        assert_eq!(by_command(&home, &words), wanted, "vade call {name}");

        let (home, arguments) = anew(op, home, arguments);
        let words = fields::words(op, arguments.as_object().expect("an object"));
        if let Some(words) = words {
            assert_eq!(by_command(&home, &words), wanted, "vade {}", words.join(" "));
        }
    }
}

/// What only reads says the same twice; the rest begins where the first call began.
fn anew(op: &Op, home: Home, arguments: Value) -> (Home, Value) {
    if op.declaration.effect == Effect::Reads { (home, arguments) } else { prepared(op) }
}

#[test]
fn an_example_names_only_fields_that_are_there() {
    for op in registry::ALL {
        let example: Value = serde_json::from_str(op.declaration.example).expect("JSON");
        let schema = op.input_schema();
        for name in example.as_object().expect("an object").keys() {
            assert_ne!(schema["properties"].get(name), None, "{}: {name}", op.declaration.name);
        }
        assert_eq!(schema["additionalProperties"], json!(false), "{}", op.declaration.name);
    }
}
