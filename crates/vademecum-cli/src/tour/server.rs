//! Our MCP server in a process of its own, and a client that sends one message at a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;

/// A server that was started.
pub(super) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts it.
    pub(super) fn start(mut command: Command) -> anyhow::Result<Self> {
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("the MCP server does not start")?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().context("the MCP server has no output")?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, message: &Value) -> anyhow::Result<Value> {
        let stdin = self.stdin.as_mut().context("the MCP server is closed")?;
        stdin.write_all(format!("{message}\n").as_bytes())?;
        let mut line = String::new();
        while self.stdout.read_line(&mut line)? != 0 {
            let answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == message["id"] {
                return Ok(answer);
            }
            line.clear();
        }
        bail!("the MCP server ended before it answered {}", message["method"])
    }
}

impl Drop for Server {
    /// A server ends when its client has closed its end; nobody is left behind.
    fn drop(&mut self) {
        drop(self.stdin.take());
        drop(self.child.wait());
    }
}
