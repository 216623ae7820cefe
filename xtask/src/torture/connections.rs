//! No call of the program opens a connection, whatever it is asked, while no store on a server is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::Given;
use super::client::Server;
use super::home::{Home, fed};
use super::strace;

const SESSION: &str = "c0220000-5aa0-4000-8000-000000000001";

/// What a program must call before anything is sent or taken; the name of a host is looked up by these too.
const OPENING: &str = "socket,connect,bind,listen";

/// The events of a session in their order, with what each says beside its name.
fn events() -> [(&'static str, Value); 9] {
    let edit =
        json!({"tool_name": "Bash", "tool_input": {"command": "cargo test"}, "tool_use_id": "t1"});
    [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "mend parse_config; remember: ask first"})),
        ("PreToolUse", edit.clone()),
        ("PostToolUse", edit),
        ("SubagentStart", json!({"agent_id": "a1", "agent_type": "worker"})),
        ("SubagentStop", json!({"agent_id": "a1", "agent_type": "worker"})),
        ("PreCompact", json!({"trigger": "auto"})),
        ("SessionStart", json!({"source": "compact"})),
        ("SessionEnd", json!({"reason": "other"})),
    ]
}

/// What a person and a script type.
const COMMANDS: &[&[&str]] = &[
    &["note", "add", "parse_config at https://example.org:443 fails"],
    &["notepad", "write", "see postgres://me@db.example/team"],
    &["handoff", "write", "go on"],
    &["decision", "add", "no network"],
    &["search", "example.org"],
    &["recap", "session.jsonl"],
    &["context"],
    &["status"],
    &["store", "status"],
    &["stats"],
    &["project", "list"],
    &["doctor", "--deep"],
    &["export"],
    &["install", "claude-code", "--yes"],
    &["uninstall", "claude-code", "--yes"],
    &["forget", "session", SESSION, "--yes"],
];

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let watch = Watch { home: Home::new(&given.vade)? };
    let asked = json!({"type": "user", "uuid": "1", "sessionId": SESSION, "cwd": watch.home.path("project"),
        "message": {"role": "user", "content": "mend parse_config at https://example.org"}});
    fs::write(watch.home.path("project/session.jsonl"), format!("{asked}\n"))?;
    let mut n = 0;
    for (event, more) in events() {
        let payload = json!({"session_id": SESSION, "cwd": watch.home.path("project"), "hook_event_name": event});
        let mut payload = payload.as_object().cloned().unwrap_or_default();
        payload.extend(more.as_object().cloned().unwrap_or_default());
        let words = ["hook", "claude-code", event];
        let (command, log) = watch.over(&watch.home, &words)?;
        nothing_opened(command, &log, &json!(payload).to_string())?;
        n += 1;
    }
    for words in COMMANDS {
        let (command, log) = watch.over(&watch.home, words)?;
        let code = nothing_opened(command, &log, "")?;
        ensure!(code == Some(0), "{words:?} ended with {code:?}: it shows nothing");
        n += 1;
    }
    n += watch.serve()?;

    // The canary: a store on a server is connected to, by the same program.
    let team = watch.home.with("VADE_STORE", "postgres://me@127.0.0.1:1/team");
    let (mut command, log) = watch.over(&team, &["status"])?;
    fed(&mut command, b"")?;
    ensure!(!opened(&log)?.is_empty(), "a connection to a server is not seen here");
    Ok(format!(
        "{n} hooks, commands and calls of tools: no connection; one to a store on a server is seen"
    ))
}

/// Looks at what programs of one home open.
struct Watch {
    home: Home,
}

impl Watch {
    /// A command of `home` under the tracer, and its log.
    fn over(&self, home: &Home, words: &[&str]) -> Result<(Command, PathBuf)> {
        let log = self.home.path("trace");
        let mut command = home.command(SESSION);
        command.args(words);
        Ok((strace::log(&command, OPENING, &log)?, log))
    }

    /// A server, each of whose tools is called; how many there are.
    fn serve(&self) -> Result<usize> {
        let (command, log) = self.over(&self.home, &["mcp"])?;
        let (process, mut server) = Server::start(command)?.split();
        server.ask("tools/list", &json!({}))?;
        let (_, listed) = server.next_answer()?;
        let tools = listed["tools"].as_array().cloned().unwrap_or_default();
        ensure!(10 < tools.len(), "no tools: {listed}");
        for tool in &tools {
            let tool = tool["name"].as_str().unwrap_or_default();
            // Most refuse what they are given; that is an answer too.
            drop(server.call(tool, &json!({"content": "parse_config", "query": "parse_config"})));
        }
        // It has answered all of them.
        server.object("list_notes", &json!({}))?;
        drop(server);
        process.wait()?;
        let opened = opened(&log)?;
        ensure!(opened.is_empty(), "the server called {}", opened.join(", "));
        Ok(tools.len())
    }
}

fn nothing_opened(mut command: Command, log: &Path, input: &str) -> Result<Option<i32>> {
    let output = fed(&mut command, input.as_bytes())?;
    let opened = opened(log)?;
    ensure!(opened.is_empty(), "{command:?} called {}", opened.join(", "));
    Ok(output.status.code())
}

/// What was called that opens a connection.
fn opened(log: &Path) -> Result<Vec<String>> {
    Ok(strace::lines(log)?.map(|line| line.call().to_owned()).collect())
}
