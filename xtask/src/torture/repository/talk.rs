//! A talk with one MCP server, in which every answer is due within the patience of a person.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::child::{End, PATIENCE, Said, wait};

/// A server and what was said.
pub(super) struct Talk {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<Vec<u8>>,
    last_id: u64,
}

/// What came of a request.
pub(super) enum Heard {
    /// A line in time, with all that came before it.
    Answer(Vec<u8>),
    /// Nothing in time.
    Silence(Vec<u8>),
    /// The server has ended.
    Ended(Vec<u8>),
}

impl Talk {
    pub(super) fn start(mut command: Command, said: &Said) -> Result<Self> {
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(said.stderr()?);
        let mut child = command.spawn().context("cannot start the server")?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let (send, lines) = channel();
        thread::spawn(move || {
            let read = BufReader::new(stdout).split(b'\n').map_while(Result::ok);
            // Nobody listens any more once the talk is over.
            read.map(|line| send.send(line)).take_while(Result::is_ok).for_each(drop);
        });
        Ok(Self { child, stdin, lines, last_id: 0 })
    }

    /// The number of its process, which is that of the program: the shell before it became it.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn say(&mut self, message: &Value) {
        // A server that reads no more is found out by its silence.
        drop(self.stdin.write_all(format!("{message}\n").as_bytes()));
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Heard {
        self.last_id += 1;
        let id = self.last_id;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let (begin, mut all) = (Instant::now(), Vec::new());
        loop {
            let left = PATIENCE.saturating_sub(begin.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    all.extend_from_slice(&line);
                    all.push(b'\n');
                    let message: Value = serde_json::from_slice(&line).unwrap_or_default();
                    if message["id"] == id {
                        return Heard::Answer(all);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Heard::Silence(all),
                Err(RecvTimeoutError::Disconnected) => return Heard::Ended(all),
            }
        }
    }

    /// Hangs up; how the server ended, at once.
    pub(super) fn end(self) -> Result<End> {
        drop(self.stdin);
        wait(self.child, Instant::now(), PATIENCE)
    }
}

/// The answer in what was heard; nothing of an error.
pub(super) fn result(heard: &[u8]) -> Value {
    let last = heard.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty());
    let mut message: Value =
        last.and_then(|line| serde_json::from_slice(line).ok()).unwrap_or_default();
    message["result"].take()
}

/// What a report calls a request.
pub(super) fn name(method: &str, params: &Value) -> Vec<OsString> {
    vec!["mcp:".into(), method.into(), params.to_string().into()]
}
