//! A small client: starts `vade mcp` in a folder of its own and speaks JSON-RPC with it.
#![expect(clippy::disallowed_methods, reason = "the test starts the binary, and nothing else")]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long an answer may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The newest protocol with a handshake, and the one without.
pub(super) const OLD: &str = "2025-11-25";
pub(super) const NEW: &str = "2026-07-28";

/// A home, a project and a store of their own.
pub(super) struct Home {
    folder: Arc<TempDir>,
    project: PathBuf,
    variables: Vec<(String, String)>,
}

impl Home {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join("project");
        std::fs::create_dir_all(&project).expect("a folder");
        Self { folder: Arc::new(folder), project, variables: Vec::new() }
    }

    /// The same home and store, in another project.
    pub(super) fn beside(other: &Self, project: &Path) -> Self {
        let (folder, variables) = (Arc::clone(&other.folder), other.variables.clone());
        Self { folder, project: project.to_owned(), variables }
    }

    /// A home with this configuration.
    pub(super) fn configured(toml: &str) -> Self {
        let home = Self::new();
        let folder = home.path("config/vademecum");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), toml).expect("a file");
        home
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The environment of every process here, the test's own left out.
    pub(super) fn settle(&self, command: &mut Command) {
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.project);
    }

    /// The line of sessions, as a person asks for it.
    pub(super) fn log(&self) -> Value {
        let mut command = Command::new(vade());
        self.settle(command.args(["session", "log", "--json"]));
        let said = command.output().expect("a run").stdout;
        serde_json::from_slice(&said).expect("JSON")
    }

    /// A server, before any handshake.
    pub(super) fn start(&self) -> Client {
        let mut command = Command::new(vade());
        command.arg("mcp");
        self.settle(&mut command);
        Client::of(command)
    }

    /// A server that runs in the session `session` of Claude Code, before any handshake.
    pub(super) fn start_in(&self, session: &str) -> Client {
        let mut command = Command::new(vade());
        command.arg("mcp");
        self.settle(&mut command);
        command.env("CLAUDE_CODE_SESSION_ID", session);
        Client::of(command)
    }

    /// A server that runs in the session `session` of Claude Code, its handshake done.
    pub(super) fn session(&self, session: &str) -> Client {
        let mut client = self.start_in(session);
        client.initialize("test");
        client
    }
}

pub(super) fn vade() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_vade"))
}

/// The client's side of one conversation.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
    /// Notifications that came while an answer was waited for.
    pub(super) notifications: VecDeque<Value>,
}

impl Client {
    pub(crate) fn of(mut command: Command) -> Self {
        // What it tells the person is no part of any of these tests.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let lines = lines(child.stdout.take().expect("a pipe"));
        let stdin = child.stdin.take();
        Self { child, stdin, lines, last_id: 0, notifications: VecDeque::new() }
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills the process that was started, as `kill -9` does.
    pub(super) fn kill(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).expect("it ends");
    }

    /// The next line, whatever it holds.
    #[track_caller]
    pub(super) fn skip_line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    /// Sends one line as it is.
    pub(super) fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).expect("it reads");
    }

    pub(super) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// The next line, which must be JSON.
    #[track_caller]
    pub(super) fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line in time");
        let message = serde_json::from_str(&line);
        assert!(message.is_ok(), "not a message: {line}");
        message.unwrap_or_default()
    }

    /// Whether stdout ends within `limit`; what still comes before is thrown away.
    pub(super) fn ends_within(&self, limit: Duration) -> bool {
        loop {
            match self.lines.recv_timeout(limit) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    /// Sends a request and gives its id.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole answer to a request.
    #[track_caller]
    pub(super) fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            assert_eq!(message.get("id"), None, "an answer to nothing: {message}");
            self.notifications.push_back(message);
        }
    }

    /// The result of a request, or its error.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, &params);
        let mut answer = self.answer(id);
        match answer.get_mut("result") {
            Some(result) => result.take(),
            None => answer["error"].take(),
        }
    }

    /// The handshake of the older protocols, as a client of this name.
    #[track_caller]
    pub(crate) fn initialize(&mut self, name: &str) -> Value {
        let info = json!({"name": name, "version": "1"});
        let params = json!({"protocolVersion": OLD, "capabilities": {}, "clientInfo": info});
        let result = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        result
    }

    /// Calls a tool.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.call_with(tool, arguments, json!({}))
    }

    /// Calls a tool with metadata.
    #[track_caller]
    pub(super) fn call_with(&mut self, tool: &str, arguments: Value, meta: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        self.request("tools/call", params)
    }

    /// The object that a tool answers.
    #[track_caller]
    pub(super) fn object(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        result["structuredContent"].clone()
    }

    /// The next notification.
    #[track_caller]
    pub(super) fn notification(&mut self) -> Value {
        if let Some(message) = self.notifications.pop_front() {
            return message;
        }
        let message = self.receive();
        assert_eq!(message.get("id"), None, "{message}");
        message
    }

    /// Closes the client's end.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("a status")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.close();
        self.child.kill().and_then(|()| self.child.wait()).expect("it ends");
    }
}

fn lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The metadata that the newest protocol asks for with every request.
pub(super) fn meta(client: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": NEW,
        "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
