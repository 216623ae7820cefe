//! Operations for code that agents write: what stands under `session` in a sandbox, and how its calls are made.

use serde_json::{Value, json};
use vademecum_core::error::Kind;
use vademecum_core::hash::{hex, plain};
use vademecum_core::id::WriteId;
use vademecum_sandbox::{Asked, Limits, Program, Ran, Refusal};

use crate::call::Call;
use crate::config::Config;
use crate::error::OpError;
use crate::operation::{Models, Op};
use crate::registry;

/// A function of `session`, and the operation that it calls.
#[derive(Debug, Clone, Copy)]
pub struct Door {
    /// Its name under `session`, such as `add_note` or `notepad.read`.
    pub path: &'static str,
    /// What it calls.
    pub op: &'static Op,
    form: Form,
}

/// How arguments and answer of a function are those of its operation.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// One object in, one object out.
    Object,
    /// Nothing in, the page out.
    Read,
    /// One text in, nothing out: the new page.
    Write,
    /// One text in, nothing out: what is added to the page.
    Append,
}

/// The three functions of the notepad's published design, and what each of them calls.
const NOTEPAD: [(&str, &str, Form); 3] = [
    ("notepad.read", "read_notepad", Form::Read),
    ("notepad.write", "write_notepad", Form::Write),
    ("notepad.append", "update_notepad", Form::Append),
];

/// The functions of `session` under `config`: the notepad's own, then each operation that is there for code.
#[must_use]
pub fn doors(config: &Config) -> Vec<Door> {
    let has_scratchpad = config.scratchpad_budget().is_some();
    let is_offered = |op: &&Op| {
        let declaration = op.declaration;
        declaration.code && (declaration.models != Models::Scratchpad || has_scratchpad)
    };
    let notepad = NOTEPAD.iter().map(|&(path, name, form)| Door {
        path,
        op: registry::find(name).expect("the notepad's operations are there"),
        form,
    });
    let object = |op: &'static Op| Door { path: op.declaration.name, op, form: Form::Object };
    notepad.chain(registry::ALL.iter().filter(is_offered).map(object)).collect()
}

/// Runs `code` for the session of `call`; each of its calls is one of the same caller.
pub fn run(call: &Call<'_>, code: &str, limits: Limits) -> Result<Ran, OpError> {
    let Some(vade) = &call.world.program else {
        return Err(OpError::missing("no program is named of which a sandbox could be made")
            .hint("a library names the program vade for it, or one that calls sandbox::child"));
    };
    // Who may not call at all is told so once, before anything runs.
    call.look(|view| call.who(view).map(drop))?;
    let doors = doors(call.config);
    let functions: Vec<String> = doors.iter().map(|door| door.path.to_owned()).collect();
    let program = Program { code, functions: &functions, limits };
    Ok(vademecum_sandbox::run(vade, &program, &mut |asked| {
        let door = doors.get(asked.function).expect("the parent has looked that it is there");
        answer(call, door, asked).map_err(refusal)
    }))
}

fn answer(call: &Call<'_>, door: &Door, asked: Asked) -> Result<Option<Value>, OpError> {
    let arguments = arguments(door, asked.arguments)?;
    let write_id = call.caller.write_id.as_ref().map(|id| numbered(id, asked.number));
    let reply = door.op.run(&call.again(write_id), arguments)?;
    Ok(match door.form {
        Form::Object => Some(reply.object),
        Form::Read => reply.object.get("content").cloned(),
        Form::Write | Form::Append => None,
    })
}

/// What a function was called with, as its operation takes it.
fn arguments(door: &Door, mut given: Vec<Value>) -> Result<Value, OpError> {
    let takes = |what: &str| {
        let given = serde_json::to_string(&given).unwrap_or_default();
        let given: String = given.chars().take(80).collect();
        Err(OpError::usage(format!("session.{} takes {what}, {given} given", door.path)))
    };
    match (door.form, given.as_slice()) {
        (Form::Object | Form::Read, []) => Ok(json!({})),
        (Form::Object, [Value::Object(_)]) => Ok(given.remove(0)),
        (Form::Object, _) => {
            takes("one object").map_err(|error| error.hint(door.op.declaration.example))
        }
        (Form::Read, _) => takes("nothing"),
        (Form::Write, [Value::String(text)]) => Ok(json!({ "content": text })),
        (Form::Append, [Value::String(text)]) => {
            Ok(json!({ "operation": "append", "content": text }))
        }
        (Form::Write | Form::Append, _) => takes("one text"),
    }
}

/// The write id of the n-th call of a program that has one: a repeat makes each of its writes once.
fn numbered(id: &WriteId, number: u32) -> WriteId {
    let name = format!("{}.{number}", id.as_str());
    WriteId::new(name.clone()).unwrap_or_else(|| {
        let short = hex(&plain(name.as_bytes()), 32);
        WriteId::new(short).expect("hexadecimal digits are a legal write id")
    })
}

fn refusal(error: OpError) -> Refusal {
    Refusal { kind: error.kind.word().to_owned(), message: error.message, hint: error.hint }
}

/// What a surface says of a program that failed: with what it printed, and what of it stands.
#[must_use]
pub fn failed(error: &vademecum_sandbox::SandboxError, printed: &str, done: u32) -> OpError {
    let kind = if error.is_of_the_program() { Kind::Usage } else { Kind::Broken };
    let stands = match done {
        0 => None,
        1 => Some("1 call was made; what it wrote stands".to_owned()),
        n => Some(format!("{n} calls were made; what they wrote stands")),
    };
    let tail = tail(printed.trim_end());
    let printed = (!tail.is_empty()).then(|| format!("it printed: {tail}"));
    let hint: Vec<String> = [error.hint(), stands, printed].into_iter().flatten().collect();
    let said = OpError::new(kind, error.to_string());
    if hint.is_empty() { said } else { said.hint(hint.join("\n  ")) }
}

/// The last words of a long text.
fn tail(text: &str) -> &str {
    const MOST: usize = 400;
    text.char_indices().rev().nth(MOST - 1).map_or(text, |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Profile, Tools};

    /// Arguments that name files, which code must never.
    const FILES: [&str; 4] = ["path", "file", "folder", "transcript"];

    #[test]
    fn code_names_no_file() {
        for door in doors(&Config { tools: Tools::All, ..Config::of(Profile::Seed2) }) {
            assert_ne!(door.op.declaration.models, Models::Never, "{}", door.path);
            let schema = door.op.input_schema();
            for name in FILES {
                assert_eq!(schema["properties"].get(name), None, "{}: {name}", door.path);
            }
        }
    }

    #[track_caller]
    fn check(path: &str, given: &Value, wanted: &str) {
        let door = doors(&Config::default()).into_iter().find(|door| door.path == path);
        let given = given.as_array().expect("an array").clone();
        let said = match arguments(&door.expect("a function"), given) {
            Ok(arguments) => arguments.to_string(),
            Err(error) => error.message,
        };
        assert_eq!(said, wanted);
    }

    #[test]
    fn functions_take_what_their_operations_take() {
        check("notepad.read", &json!([]), "{}");
        check("notepad.read", &json!([1]), "session.notepad.read takes nothing, [1] given");
        check("notepad.write", &json!(["a"]), r#"{"content":"a"}"#);
        check("notepad.write", &json!([]), "session.notepad.write takes one text, [] given");
        check("notepad.append", &json!(["a"]), r#"{"operation":"append","content":"a"}"#);
        check(
            "notepad.append",
            &json!([{"a": 1}]),
            r#"session.notepad.append takes one text, [{"a":1}] given"#,
        );
        check("list_notes", &json!([]), "{}");
        check("list_notes", &json!([{"limit": 2}]), r#"{"limit":2}"#);
        check("list_notes", &json!([2]), "session.list_notes takes one object, [2] given");
    }

    #[test]
    fn each_function_is_there_once() {
        let mut paths: Vec<&str> = doors(&Config::default()).iter().map(|door| door.path).collect();
        let n_paths = paths.len();
        assert!(
            !paths.contains(&"forget") && !paths.contains(&"recap") && paths.contains(&"add_note")
        );
        let is_missing = |op: &&Op| {
            op.declaration.models != Models::Never && !paths.contains(&op.declaration.name)
        };
        let missing: Vec<&str> =
            registry::ALL.iter().filter(is_missing).map(|op| op.declaration.name).collect();
        assert_eq!(missing, ["recap", "run_sandbox_code", "session_scratchpad"]);
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), n_paths);
    }
}
