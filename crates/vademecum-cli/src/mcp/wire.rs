//! JSON-RPC messages on stdin and stdout, one a line; nothing else ever reaches stdout.

mod lines;

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rustix::stdio;
use tokio::sync::{mpsc, watch};

use crate::mcp::life::Pulse;
use crate::mcp::wire::lines::Line;

/// How many messages may wait to be looked at.
const WAITING: usize = 256;

/// Takes the real stdout away: what anybody else prints goes to stderr from now on.
pub(super) fn take_stdout() -> io::Result<File> {
    let private = rustix::io::fcntl_dupfd_cloexec(stdio::stdout(), 3)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok(File::from(private))
}

/// Both directions of the conversation.
pub(super) struct Wire {
    lines: mpsc::Receiver<Line>,
    output: Arc<Output>,
    is_open: bool,
}

/// The direction to the client.
struct Output {
    stdout: Mutex<File>,
    pulse: watch::Sender<Pulse>,
}

impl Output {
    /// Writes one message whole; several writers do not mix.
    fn write(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let written = self.stdout.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        self.pulse.send_modify(|pulse| {
            pulse.is_gone |= written.is_err();
            pulse.n_written += 1;
        });
        written
    }
}

impl Wire {
    /// Reads stdin on a thread of its own; the second value tells what is seen of the client.
    pub(super) fn open(stdout: File) -> (Self, watch::Receiver<Pulse>) {
        let (sender, lines) = mpsc::channel(WAITING);
        std::thread::spawn(move || lines::read(io::stdin().lock(), &sender));
        let (pulse, seen) = watch::channel(Pulse::default());
        let output = Arc::new(Output { stdout: Mutex::new(stdout), pulse });
        (Self { lines, output, is_open: false }, seen)
    }

    /// Whether a message is to be answered; before the conversation is open only requests are.
    ///
    /// A client that gave up a probe may say so before it tries the older handshake.
    fn is_due(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if let JsonRpcMessage::Request(request) = message {
            let is_probe = matches!(
                request.request,
                ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
            );
            self.is_open |= !is_probe;
            return true;
        }
        self.is_open
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { output.write(&item) }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.lines.recv().await {
                Some(Line::Message(message)) if self.is_due(&message) => return Some(*message),
                Some(Line::Message(_)) => {}
                Some(Line::Refused(answer)) if self.output.write(&answer).is_ok() => {}
                Some(Line::Refused(_)) | None => {
                    self.output.pulse.send_modify(|pulse| pulse.has_closed = true);
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
