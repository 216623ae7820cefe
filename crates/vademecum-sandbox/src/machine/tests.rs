//! Programs that do their work, and programs that mean harm, on an engine without a process.

use std::cell::RefCell;
use std::time::Duration;

use super::*;
use crate::limits::Limits;
use crate::wire::Refusal;

/// A clock that goes on by a millisecond whenever it is asked.
fn clock() -> Rc<Elapsed> {
    let asked = std::cell::Cell::new(0);
    Rc::new(move || {
        asked.set(asked.get() + 1);
        Duration::from_millis(asked.get())
    })
}

fn limits() -> Limits {
    Limits {
        time: Duration::from_secs(1),
        memory: 8 << 20,
        output: 1000,
        calls: 20,
        ..Limits::default()
    }
}

/// Runs `code`; `fail` refuses, every other function gives back what it is given.
fn ran(code: &str) -> String {
    let start = Start {
        code: code.to_owned(),
        functions: ["notepad.read", "echo", "fail"].map(str::to_owned).to_vec(),
        limits: limits(),
        is_locked: false,
    };
    let asked = RefCell::new(Vec::new());
    let (outcome, printed) = run(&start, clock(), &mut |function, arguments| {
        asked.borrow_mut().push(format!("{}{arguments}", start.functions[function]));
        if function == 2 {
            let hint = Some("do not".to_owned());
            return Ok(Err(Refusal {
                kind: "usage".to_owned(),
                message: "refused".to_owned(),
                hint,
            }));
        }
        Ok(Ok(Some(RawValue::from_string(arguments)?)))
    })
    .expect("the parent answers");
    let outcome = match outcome {
        Ok(value) => value.map_or("undefined".to_owned(), |value| value.get().to_owned()),
        Err(Failure { fault, place: Some(at) }) => format!("{}:{} {fault:?}", at.line, at.column),
        Err(Failure { fault, place: None }) => format!("{fault:?}"),
    };
    let asked = asked.into_inner();
    let n_asked = asked.len();
    let calls = if 3 < n_asked { format!("{n_asked} calls") } else { asked.join(" ") };
    let cut: String = printed.chars().take(60).collect();
    format!("{outcome} | {calls} | {}", cut.replace('\n', "⏎"))
}

/// What agents may come up with, and worse.
const PROGRAMS: &[&str] = &[
    "return 1 + 1",
    "return await session.echo({a: [1, 'ü']}, null)",
    "console.log('a', {b: 1}, undefined, new TypeError('x')); // no more",
    "session.echo(1); session.echo(2)",
    "return (await Promise.all([1, 2].map((n) => session.echo(n)))).flat()",
    "try { await session.fail() } catch (e) { return [e.message, e.kind, e.hint, e instanceof Error] }",
    "const p = session.fail(); await session.echo(); try { await p } catch { return 'caught' }",
    // What nobody looked at is told.
    "session.fail();\nreturn 1",
    "const a = 1;\n  await session.fail()",
    "let a = 1;\nreturn a.b.c;",
    "x = 1",
    "return [1, 2",
    "throw 'no'",
    "throw {toString() { throw 1 }}",
    "await new Promise(() => {})",
    "const a = {}; a.a = a; return a",
    "return 1n",
    "return '\\ud800'",
    "return () => 1",
    "function f() {\n  for (;;) {}\n}\nf()",
    "await session.echo(1);\nfor (;;) { try { for (;;) {} } catch {} }",
    "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
    "const a = [];\nfor (;;) a.push('x'.repeat(1000) + a.length)",
    "const f = (n) => f(n + 1) + 1;\nreturn f(0)",
    "for (;;) console.log('x'.repeat(100))",
    "for (;;) { try { console.log('x'.repeat(100)) } catch {} }",
    "return 'x'.repeat(2000)",
    "for (;;) session.echo(1)",
    "for (;;) await session.echo(1)",
    "session.echo = 1",
    "session = 1",
    "delete session.notepad.read",
    "Array.prototype.toJSON = () => ({length: 1e9}); return await session.echo(1)",
    "Promise.prototype.then = () => 1; return await session.echo(1)",
    "globalThis.Error = 1; JSON.stringify = 1; await session.fail()",
    "Object.defineProperty(Object.prototype, 'hint', {get() { for (;;) {} }}); throw new Error('a')",
    "throw new Proxy(new Error('a'), {get() { for (;;) {} }})",
    "Error.prepareStackTrace = () => { for (;;) {} }; throw new Error('a')",
    "return await import('fs')",
    "return [typeof require, typeof process, typeof fetch, typeof std, typeof os, typeof setTimeout]",
    "return new Function('return typeof session')()",
    "}); session.echo(3); (() => {",
    "\0",
    "",
];

#[test]
fn programs() {
    let said: Vec<String> = PROGRAMS
        .iter()
        .map(|code| format!("{}\n    {}", code.replace('\n', "⏎").replace('\0', "␀"), ran(code)))
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}
