//! Lines from the client: each becomes a message, or the error that answers it.

use std::io::{self, BufRead, Read};

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use tokio::sync::mpsc::Sender;

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 16 * 1024 * 1024;

/// What a buffer may keep between two lines.
const KEPT: usize = 64 * 1024;

/// One line.
#[derive(Debug)]
pub(super) enum Line {
    /// A message.
    Message(Box<ClientJsonRpcMessage>),
    /// Something else, and what to say to it.
    Refused(Box<ServerJsonRpcMessage>),
}

/// What is read of a line that is not a message as a whole.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Option<RequestId>,
    #[serde(default)]
    method: Option<String>,
}

/// Reads lines until the client closes its end or nobody listens any more.
pub(super) fn read(mut input: impl BufRead, to: &Sender<Line>) {
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        buffer.shrink_to(KEPT);
        let limit = LONGEST as u64 + 1;
        match input.by_ref().take(limit).read_until(b'\n', &mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = if LONGEST < buffer.len() {
            Some(too_long(&buffer, &mut input))
        } else {
            parse(buffer.trim_ascii())
        };
        if line.is_some_and(|line| to.blocking_send(line).is_err()) {
            return;
        }
    }
}

/// The message that a line holds; none for an empty line and for what needs no answer.
fn parse(line: &[u8]) -> Option<Line> {
    if line.is_empty() {
        return None;
    }
    match serde_json::from_slice(line) {
        Ok(message) => Some(Line::Message(Box::new(message))),
        Err(error) => malformed(line, &error),
    }
}

fn malformed(line: &[u8], error: &serde_json::Error) -> Option<Line> {
    match serde_json::from_slice::<Envelope>(line) {
        Ok(Envelope { id: Some(id), method: Some(method) }) => {
            let message = format!("{method} is not a request as JSON-RPC 2.0 has it");
            Some(refused(ErrorData::invalid_request(message, None), Some(id)))
        }
        // A notification is never answered, nor is an answer.
        Ok(Envelope { method: Some(_), .. } | Envelope { id: Some(_), .. }) => None,
        Ok(_) => Some(refused(ErrorData::invalid_request("no method given", None), None)),
        Err(_) => {
            let message = format!("the line is not one JSON-RPC message: {error}");
            Some(refused(ErrorData::parse_error(message, None), None))
        }
    }
}

/// Refuses a line whose beginning is `head`, and skips the rest of it.
fn too_long(head: &[u8], input: &mut impl BufRead) -> Line {
    let mut rest = RestOfLine { input, is_over: head.ends_with(b"\n") };
    let line = io::BufReader::new(head.chain(&mut rest));
    let id = serde_json::from_reader::<_, Envelope>(line).ok().and_then(|line| line.id);
    let message = match io::copy(&mut rest, &mut io::sink()) {
        Ok(_) => format!("a message takes at most {LONGEST} bytes, more given"),
        Err(error) => format!("a message was too long and broke off: {error}"),
    };
    refused(ErrorData::invalid_request(message, None), id)
}

fn refused(error: ErrorData, id: Option<RequestId>) -> Line {
    Line::Refused(Box::new(ServerJsonRpcMessage::error(error, id)))
}

/// The rest of the current line, its end taken off.
struct RestOfLine<'a, R> {
    input: &'a mut R,
    is_over: bool,
}

impl<R: BufRead> Read for RestOfLine<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let available = self.input.fill_buf()?;
        let end = available.iter().position(|&byte| byte == b'\n');
        let n = end.unwrap_or(available.len()).min(to.len());
        to[..n].copy_from_slice(&available[..n]);
        self.is_over = available.is_empty() || end == Some(n);
        let used = n + usize::from(end == Some(n));
        self.input.consume(used);
        Ok(n)
    }
}
