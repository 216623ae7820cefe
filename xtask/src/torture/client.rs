//! The client's side of one MCP server: one line out, one line back.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

/// No answer takes so long unless something hangs.
const PATIENCE: Duration = Duration::from_mins(2);

/// A server and the wire to it; it is killed when this is dropped.
pub(crate) struct Server {
    process: Process,
    pub(crate) wire: Wire,
}

/// The process of a server.
pub(crate) struct Process(Child);

/// What is said to a server and what it answers.
pub(crate) struct Wire {
    stdin: ChildStdin,
    lines: Receiver<String>,
    last_id: u64,
}

impl Server {
    /// Starts it and shakes hands.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let process = Process(child);
        let (send, lines) = channel();
        thread::spawn(move || {
            let read = BufReader::new(stdout).lines().map_while(Result::ok);
            // Nobody listens any more once the wire is gone.
            read.map(|line| send.send(line)).take_while(Result::is_ok).for_each(drop);
        });
        let mut wire = Wire { stdin, lines, last_id: 0 };
        wire.shake_hands()?;
        Ok(Self { process, wire })
    }

    /// The process apart from the wire, for one thread to kill and another to talk.
    pub(crate) fn split(self) -> (Process, Wire) {
        (self.process, self.wire)
    }
}

impl Process {
    /// Waits for its end, which comes once nobody has its wire.
    pub(crate) fn wait(mut self) -> Result<()> {
        self.0.wait()?;
        Ok(())
    }

    /// Ends it as `kill -9` does.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error says that it has ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Wire {
    fn shake_hands(&mut self) -> Result<()> {
        let info = json!({"name": "torture", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let id = self.ask("initialize", &params)?;
        self.answer(id)?;
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    }

    fn say(&mut self, message: &Value) -> Result<()> {
        let line = format!("{message}\n");
        self.stdin.write_all(line.as_bytes()).context("the server reads no more")
    }

    /// Sends a request and gives its id.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.last_id += 1;
        let id = self.last_id;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// Asks for a call of a tool.
    pub(crate) fn ask_tool(&mut self, tool: &str, arguments: &Value) -> Result<u64> {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The next answer, whichever request it is for.
    pub(crate) fn next_answer(&mut self) -> Result<(u64, Value)> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).context("no answer")?;
            let mut message: Value = serde_json::from_str(&line)?;
            let Some(id) = message["id"].as_u64() else { continue };
            if let Some(error) = message.get("error") {
                bail!("the request was refused: {error}");
            }
            return Ok((id, message["result"].take()));
        }
    }

    fn answer(&mut self, id: u64) -> Result<Value> {
        loop {
            let (answered, result) = self.next_answer()?;
            if answered == id {
                return Ok(result);
            }
        }
    }

    /// Calls a tool: what it answers, or why it refuses.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer> {
        let id = self.ask_tool(tool, arguments)?;
        let mut result = self.answer(id)?;
        let object = result["structuredContent"].take();
        let is_error = result["isError"] == true;
        Ok(if is_error { Answer::Refused(object) } else { Answer::Done(object) })
    }

    /// Calls a tool that must not refuse.
    pub(crate) fn object(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        match self.call(tool, arguments)? {
            Answer::Done(object) => Ok(object),
            Answer::Refused(error) => bail!("{tool} was refused: {error}"),
        }
    }
}

/// What a tool answers.
pub(crate) enum Answer {
    /// It did what was asked.
    Done(Value),
    /// It did nothing, and says why.
    Refused(Value),
}
