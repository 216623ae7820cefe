//! A conversation with a server over its pipes, one line a message.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

/// The newest protocol that begins with a handshake.
const PROTOCOL: &str = "2025-11-25";

/// A server and the client's side of the conversation.
pub(super) struct Talk {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last_id: u64,
}

impl Talk {
    /// Starts a server and shakes hands.
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take().context("a pipe to the server")?;
        let stdout = BufReader::new(child.stdout.take().context("a pipe from the server")?);
        let mut talk = Self { child, stdin, stdout, last_id: 0 };
        let client = json!({"name": "bench", "version": "1"});
        talk.ask(
            "initialize",
            &json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}),
        )?;
        talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(talk)
    }

    /// The process of the server.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks and waits for the answer; an error is one here too.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line)? == 0 {
                bail!("the server has ended before it answered {method}");
            }
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] == id {
                if !message["error"].is_null() || message["result"]["isError"] == true {
                    bail!("{method}: {message}");
                }
                return Ok(message["result"].take());
            }
        }
    }

    /// Calls a tool.
    pub(super) fn call(&mut self, name: &str, arguments: &Value) -> Result<Value> {
        self.ask("tools/call", &json!({"name": name, "arguments": arguments}))
    }

    /// Closes the conversation; what the server wrote to stderr.
    pub(super) fn end(mut self) -> Result<String> {
        drop(self.stdin);
        let mut said = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut said)?;
        }
        self.child.wait()?;
        Ok(said)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        Ok(self.stdin.write_all(&line)?)
    }
}
