//! Code in the sandbox: what it may do with the session, what it is told, and what it cannot reach.

use std::path::Path;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};
use vademecum::sandbox::{Asked, Limits, Program, Refusal};

use super::home::Home;

const PROGRAM: &str = env!("CARGO_BIN_EXE_vade");

/// Runs `code`, and gives what came of it in words.
fn said(home: &Home, code: &str) -> String {
    let said = home
        .vade_reading(code, &["--session", "test:one", "sandbox", "run", "-", "--seconds", "30"]);
    home.steady(&format!("{}{}", said.out, said.err))
}

fn page(home: &Home, session: &str) -> String {
    home.vade(&["--session", session, "notepad", "show"]).out
}

#[test]
fn c0_1_2_3_11_12_and_22_in_the_sandbox() {
    let home = Home::new();
    let said = said(
        &home,
        r#"
const page = session.notepad, seen = [await page.read()];
seen.push(await page.write("A"), await page.read());
seen.push(await page.append("B"), await page.read());
seen.push(await page.append("").catch((error) => `${error.kind}: ${error.message}`));
await page.write("");
seen.push(await page.read());
const long = "é漢😀\n".repeat(500_000);
await page.write(long);
seen.push((await page.read()) === long);
await page.write("C");
return seen;"#,
    );
    assert_snapshot!(said, @r#"
    returned: ["",null,"A",null,"AB","usage: append needs content, none given","",true] (11 calls)
    began session test:one: none was known by this name
    "#);
    assert_eq!(page(&home, "test:one"), "C");
}

#[test]
fn operations_are_functions_of_the_session() {
    let home = Home::new();
    let said = said(
        &home,
        r#"
const kept = await Promise.all(["a", "b"].map((content) => session.add_note({content, tags: ["js"]})));
console.log("kept", kept.length, "of", kept[1].open);
const { notes } = await session.list_notes({limit: 1});
return notes.map((note) => note.content);"#,
    );
    assert_snapshot!(said, @r#"
    kept 2 of 2
    returned: ["b"] (3 calls)
    began session test:one: none was known by this name
    "#);
}

#[test]
fn what_goes_wrong_is_told_with_its_line() {
    let home = Home::new();
    let programs = [
        "const a = 1;\nawait session.add_note({content: 'a', tags: []});",
        "await session.notepad.append('kept');\nconsole.log('so far');\nnull.x",
        "await session.add_note({content: 'a', tags: ['a'], session: 'other'})",
        "await session.notepad.write(5)",
        "const f = (n) => f(n + 1) + 1;\nf(0)",
        "const all = [];\nfor (;;) all.push('x'.repeat(10000) + all.length)",
        "for (;;) console.log('x'.repeat(1000))",
        "for (;;) session.list_tags()",
        "return [1, 2",
        "await new Promise(() => {})",
        "await import('fs')",
    ];
    let said: Vec<String> = programs.iter().map(|code| said(&home, code)).collect();
    assert_snapshot!(said.join("\n"));
    assert_eq!(page(&home, "test:one"), "kept");
}

#[test]
fn no_program_leaves_its_function() {
    let home = Home::new();
    let programs = [
        "}); session.notepad.write('out'); (async()=>{",
        "}, session.notepad.write('out'), async()=>{",
        "} session.notepad.write('out'); async function g(){",
        "}",
        "// }\nreturn '})' + /[})]/.source + `${'}'}`",
    ];
    let said: Vec<String> = programs.iter().map(|code| said(&home, code)).collect();
    assert_snapshot!(said.concat());
    assert_eq!(page(&home, "test:one"), "");
}

/// Its parent was killed, so nobody ends it.
#[test]
#[cfg(target_os = "linux")]
#[expect(
    clippy::disallowed_methods,
    reason = "the test starts the binary, and waits for its child's end"
)]
fn a_program_ends_with_its_parent() {
    use std::process::Stdio;
    use std::time::Instant;

    let home = Home::new();
    let code = "await session.notepad.append('on'); for (;;) Math.max(1)";
    let words = ["--session", "test:one", "sandbox", "run", "--seconds", "60", "--code", code];
    let mut command = home.command(&words);
    let mut parent =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let children = format!("/proc/{0}/task/{0}/children", parent.id());
    let begun = Instant::now();
    let in_time = || begun.elapsed() < Duration::from_secs(20);
    while in_time() && page(&home, "test:one") != "on" {}
    let child = std::fs::read_to_string(children).expect("a list").trim().to_owned();
    let runs = || {
        std::fs::read_to_string(format!("/proc/{child}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z "))
    };
    assert!(!child.is_empty() && runs(), "{child}");
    parent.kill().and_then(|()| parent.wait()).expect("it ends");
    let ended = Instant::now();
    while runs() && ended.elapsed() < Duration::from_secs(5) {
        std::thread::yield_now();
    }
    assert!(!runs(), "it runs on");
}

#[test]
fn words_of_the_command_are_checked() {
    let home = Home::new();
    std::fs::write(home.path("demo/a.js"), "return 1").expect("a file");
    let runs = [
        home.vade(&["sandbox", "run", "a.js", "--json"]),
        home.vade(&["sandbox", "run", "b.js"]),
        home.vade(&["sandbox", "run"]),
        home.vade(&["sandbox", "run", "a.js", "--seconds", "61"]),
        home.vade(&["sandbox", "run", "a.js", "--code", "return 1"]),
        home.vade(&["call", "run_sandbox_code", r#"{"code": "return {a: null}"}"#]),
        // Whoever takes the word for a command gets nothing from it.
        home.vade_reading("{}", &["sandbox-child"]),
    ];
    let said: Vec<String> =
        runs.iter().map(|said| format!("{} {}{}", said.code, said.out, said.err)).collect();
    assert_snapshot!(home.steady(&said.join("---\n")));
}

/// Runs `code` with a tenth of a second, answering each call with its arguments.
fn ran(program: &Path, code: &str) -> String {
    let limits = Limits { time: Duration::from_millis(100), ..Limits::default() };
    let functions = ["echo".to_owned()];
    let program_of = Program { code, functions: &functions, limits };
    let mut echo =
        |asked: Asked| -> Result<Option<Value>, Refusal> { Ok(Some(json!(asked.arguments))) };
    let ran = vademecum::sandbox::run(program, &program_of, &mut echo);
    match ran.outcome {
        Ok(value) => format!("{value:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_cannot_be_interrupted_is_ended() {
    let late = "a program may take 0.1 s, this one was not done by then";
    let run = |code| ran(Path::new(PROGRAM), code);
    assert_eq!(run("new Array(1e9).join('x')"), late);
    assert_eq!(run("const f = () => Promise.resolve().then(f); await f()"), late);
    assert!(run("for (;;) { try { for (;;) { Math.max(1) } } catch {} }").ends_with(late));
    assert!(run("await new Promise((go) => { for (;;) Math.max(1) })").ends_with(late));
    assert!(run("for (;;) Promise.reject(1)").ends_with(late));
}

#[test]
fn a_program_that_is_none_is_told() {
    let said = ran(Path::new("/nowhere/vade"), "return 1");
    assert!(said.starts_with("the sandbox does not start: "), "{said}");
    assert_eq!(
        ran(Path::new(PROGRAM), &"x".repeat(Limits::CODE + 1)),
        "a program takes at most 262144 bytes, 262145 given"
    );
}

#[test]
fn an_ended_program_leaves_other_sessions_and_the_store_alone() {
    let home = Home::new();
    home.vade(&["--session", "test:two", "notepad", "write", "theirs"]);
    let hostile = [
        "session.notepad.append('mine'); for (;;) session.notepad.read()",
        "Object.prototype.session = 'test:two'; Object.prototype.content = 'x'; await session.notepad.write('mine')",
        "await session.update_notepad({operation: 'append', content: 'x', session: 'test:two'})",
        "await session.update_notepad({operation: 'append', content: 'x', __proto__: {session: 'test:two'}})",
        "await session.constructor.constructor('return this')().session.notepad.write('mine')",
        "await session.forget({session: 'test:two'})",
        "await session.switch_off({all: true})",
    ];
    for code in hostile {
        said(&home, code);
    }
    assert_eq!(page(&home, "test:two"), "theirs");
    assert_eq!(page(&home, "test:one"), "mine");
}
