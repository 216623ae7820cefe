//! JSON-RPC messages on stdin and stdout, one a line; nothing else ever reaches stdout.

mod lines;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, JsonRpcRequest,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use rustix::process::Pid;
use rustix::stdio;
use tokio::sync::{Notify, mpsc, watch};

use crate::mcp::life::{Input, Pulse};
use crate::mcp::listing;
use crate::mcp::wire::lines::Line;

/// How many messages may wait to be looked at.
const WAITING: usize = 256;

/// The most requests that are worked on at once; a client that sends more is not read meanwhile.
const MOST: usize = 128;

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
    /// The requests that are owed an answer: under which id each is worked on, and which it came with.
    owed: Mutex<HashMap<RequestId, RequestId>>,
    has_room: Notify,
    pulse: watch::Sender<Pulse>,
}

impl Output {
    /// Notes that a request is owed an answer, unless it lasts as long as its client listens.
    ///
    /// One whose id is in use is worked on under another, so that both get their answer.
    fn owe(&self, request: &mut JsonRpcRequest<ClientRequest>) {
        if matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) {
            return;
        }
        let mut owed = lock(&self.owed);
        let given = request.id.clone();
        let mut n = 1;
        while owed.contains_key(&request.id) {
            n += 1;
            request.id = RequestId::String(format!("{given}#{n}").into());
        }
        owed.insert(request.id.clone(), given);
    }

    /// Notes that a request is owed nothing more; the id it came with.
    fn settle(&self, id: &RequestId) -> Option<RequestId> {
        let given = lock(&self.owed).remove(id);
        if given.is_some() {
            self.has_room.notify_one();
        }
        given
    }

    /// Waits while as many requests are worked on as may be.
    async fn room(&self) {
        while MOST <= lock(&self.owed).len() {
            self.has_room.notified().await;
        }
    }

    /// Writes one message whole; several writers do not mix.
    fn write(&self, mut message: ServerJsonRpcMessage) -> io::Result<()> {
        let id = match &mut message {
            JsonRpcMessage::Response(response) => Some(&mut response.id),
            JsonRpcMessage::Error(error) => error.id.as_mut(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = id
            && let Some(given) = self.settle(id)
        {
            *id = given;
        }
        let mut line = listing::to_vec(&message)?;
        line.push(b'\n');
        let written = lock(&self.stdout).write_all(&line);
        self.pulse.send_modify(|pulse| {
            pulse.is_gone |= written.is_err();
            pulse.n_written += 1;
        });
        written
    }
}

/// A panic elsewhere leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    /// Reads stdin on a thread of its own, until its end or that of `parent`; the second value tells what is seen of the client.
    pub(super) fn open(stdout: File, parent: Option<Pid>) -> (Self, watch::Receiver<Pulse>) {
        let (sender, lines) = mpsc::channel(WAITING);
        let (pulse, seen) = watch::channel(Pulse::default());
        let output = Arc::new(Output {
            stdout: Mutex::new(stdout),
            owed: Mutex::default(),
            has_room: Notify::new(),
            pulse,
        });
        let reader = Arc::clone(&output);
        let input = BufReader::new(Input::of(stdio::stdin(), parent));
        std::thread::spawn(move || {
            lines::read(input, &sender);
            reader.pulse.send_modify(|pulse| pulse.has_closed = true);
        });
        (Self { lines, output, is_open: false }, seen)
    }

    /// Whether a message is to be looked at; before the conversation is open only requests are.
    ///
    /// A client that gave up a probe may say so before it tries the older handshake.
    fn is_due(&mut self, message: &mut ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                let is_probe = matches!(
                    request.request,
                    ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                );
                self.is_open |= !is_probe;
                self.output.owe(request);
                return true;
            }
            JsonRpcMessage::Notification(notification) => {
                // What the client has cancelled is never answered.
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.output.settle(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
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
        async move { output.write(item) }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.output.room().await;
            match self.lines.recv().await {
                Some(Line::Message(mut message)) => {
                    if self.is_due(&mut message) {
                        return Some(*message);
                    }
                }
                Some(Line::Refused(answer)) => self.output.write(*answer).ok()?,
                None => return None,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
