//! Lines from the client: each becomes a message, or the error that answers it.

use std::io::{self, BufRead, Read};

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::Sender;
use vademecum::harness::transcript::without_lone_surrogates;

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
        let lines = if LONGEST < buffer.len() {
            vec![too_long(&buffer, &mut input)]
        } else {
            parse(buffer.trim_ascii())
        };
        if lines.into_iter().any(|line| to.blocking_send(line).is_err()) {
            return;
        }
    }
}

/// The messages that a line holds; none for an empty line and for what needs no answer.
///
/// The revision of March 2025 has several in one line, which are as many messages here: each is answered
/// by itself, as that revision allows.
fn parse(line: &[u8]) -> Vec<Line> {
    if !line.starts_with(b"[") {
        return message(line).into_iter().collect();
    }
    match serde_json::from_slice::<Vec<&RawValue>>(line) {
        Ok(batch) if batch.is_empty() => {
            vec![refused(ErrorData::invalid_request("the batch is empty", None), None)]
        }
        Ok(batch) => batch.iter().filter_map(|one| message(one.get().as_bytes())).collect(),
        Err(error) => malformed(line, &error).into_iter().collect(),
    }
}

/// One message; none for an empty line and for what needs no answer.
fn message(line: &[u8]) -> Option<Line> {
    if line.is_empty() {
        return None;
    }
    match serde_json::from_slice(line) {
        Ok(message) => Some(Line::Message(Box::new(message))),
        Err(error) => mended(line).or_else(|| malformed(line, &error)),
    }
}

/// The message in a text of JavaScript, which may hold one half of a character: U+FFFD stands for it.
fn mended(line: &[u8]) -> Option<Line> {
    let mended = without_lone_surrogates(std::str::from_utf8(line).ok()?)?;
    serde_json::from_str(&mended).ok().map(|message| Line::Message(Box::new(message)))
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
