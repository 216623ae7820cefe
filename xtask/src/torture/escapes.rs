//! Programs that try to leave the sandbox: none sees a file, the environment or another session, none outlives its time.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::Given;
use super::home::Home;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000041";
const OTHER: &str = "5aa00000-5aa0-4000-8000-000000000042";

/// What only another session, a file and the environment hold.
const SECRET: &str = "canary-5f1c0e9d";

/// Each has one second; the parent waits half a second more, and starting takes its time.
const TOO_LONG: Duration = Duration::from_secs(5);

const PROGRAMS: &[&str] = &[
    "Object.prototype.session='claude-code:OTHER'; return await session.notepad.read()",
    "Object.prototype.toJSON=()=>({session:'claude-code:OTHER'}); return await session.list_notes({})",
    "return await session.list_notes({session:'claude-code:OTHER'})",
    "return await session.read_notepad({session:'claude-code:OTHER'})",
    "return await session.list_notes({__proto__:{session:'claude-code:OTHER'}})",
    "return await session.list_notes(new Proxy({},{get:()=>'claude-code:OTHER',ownKeys:()=>['session'],getOwnPropertyDescriptor:()=>({enumerable:true,configurable:true,value:'claude-code:OTHER'})}))",
    "JSON.stringify=()=>'{\"session\":\"claude-code:OTHER\"}'; return await session.list_notes({})",
    "JSON.parse=()=>({}); return await session.list_notes({})",
    "Promise.prototype.then=function(f){return f('x')}; return await session.list_notes({})",
    "globalThis.Promise=class{}; return await session.list_notes({})",
    "return (await import('fs')).readFileSync('/etc/passwd','utf8')",
    "return (await import('os')).getenv('SECRET')",
    "return (await import('std')).loadFile('FILE')",
    "return require('fs').readFileSync('FILE','utf8')",
    "return typeof std+typeof os+typeof process+typeof require+typeof Deno+typeof fetch",
    "return eval('this')===undefined ? 'none' : Object.getOwnPropertyNames(eval('globalThis')).join()",
    "return Function('return this')().constructor.constructor('return typeof process')()",
    "return (()=>{}).constructor('return globalThis')().std?.getenv('SECRET')",
    "return Object.getOwnPropertyNames(session).join()",
    "session.__proto__.call=()=>'x'; return await session.call?.('read_notepad',{session:'OTHER'})",
    "while(true){}",
    "for(;;) await null",
    "return /^(a+)+$/.test('a'.repeat(40)+'b')",
    "let a=[]; for(;;) a.push(new Array(1e6).fill(7))",
    "let s='x'; for(;;) s+=s",
    "return 2n**(2n**40n)",
    "(function f(){f()})()",
    "return {get a(){while(true){}}}",
    "for(;;) console.log('x'.repeat(1e5))",
    "for(;;) session.list_notes({})",
    "throw {toString(){while(true){}}}",
    "}); session; (async()=>{ return await session.list_notes({session:'claude-code:OTHER'})",
    "return new Error().stack",
    "const a={}; a.a=a; return a",
    "return new Array(4294967295).join('x').length",
    "return new SharedArrayBuffer(1e9).byteLength",
];

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?.with("SECRET", SECRET);
    for session in [SESSION, OTHER] {
        home.hook(session, "SessionStart", &json!({"source": "startup"}))?;
    }
    ensure!(home.cli(OTHER, &["notepad", "write", SECRET])?.1 == Some(0), "no page");
    ensure!(home.cli(OTHER, &["note", "add", SECRET, "--tag", "a"])?.1 == Some(0), "no note");
    let file = home.path("secret.txt");
    std::fs::write(&file, SECRET)?;
    // The canary: who may, sees it.
    let seen = run_code(&home, OTHER, "return await session.notepad.read()")?.0;
    ensure!(seen.contains(SECRET), "the page cannot be read by its own session: {seen}");

    let (mut slowest, mut n_ended) = (Duration::ZERO, 0);
    for program in PROGRAMS {
        let code = program.replace("FILE", &file.display().to_string()).replace("OTHER", OTHER);
        let (said, took, is_done) = run_code(&home, SESSION, &code)?;
        ensure!(!said.contains(SECRET), "{program:?} has seen what it must not: {said}");
        ensure!(!said.contains("panicked"), "{program:?}: {said}");
        ensure!(took < TOO_LONG, "{program:?} took {took:?}");
        slowest = slowest.max(took);
        n_ended += usize::from(!is_done);
    }
    let (page, _) = home.cli(OTHER, &["notepad", "show"])?;
    ensure!(page["content"] == SECRET, "another session's page was written: {page}");
    home.check_sound()?;
    Ok(format!(
        "{} programs: 0 saw file, environment or another session; {n_ended} ended with an error, the slowest after {} ms",
        PROGRAMS.len(),
        slowest.as_millis()
    ))
}

fn run_code(home: &Home, session: &str, code: &str) -> Result<(String, Duration, bool)> {
    let begin = Instant::now();
    let done = home.output(session, &["sandbox", "run", "--seconds", "1", "--code", code])?;
    let took = begin.elapsed();
    ensure!(
        done.status.code().is_some_and(|code| code < 100),
        "{code:?} ended with {}",
        done.status
    );
    let said = [done.stdout, done.stderr].concat();
    Ok((String::from_utf8_lossy(&said).into_owned(), took, done.status.success()))
}
