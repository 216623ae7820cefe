//! What leaves the program: answers on standard output, talk and failures on standard error.
//!
//! A terminal is shown what it would obey, and obeys nothing; a file or a pipe gets each byte.

use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use serde_json::{Value, json};
use vademecum::core::frame;
use vademecum::ops::Reply;
use vademecum::world;

use super::exit::Failure;

/// Prints an answer: its object as one line of JSON, laid out on a terminal, or its text.
pub(crate) fn reply(reply: &Reply, as_json: bool) -> Result<(), Failure> {
    one_of_many(reply, as_json).map(|_| ())
}

/// Prints an answer that others follow: whether anybody still reads them.
pub(crate) fn one_of_many(reply: &Reply, as_json: bool) -> Result<bool, Failure> {
    if as_json {
        return put(&json_text(&reply.object));
    }
    let is_stored_text = reply.object.get("content").is_some_and(|part| *part == *reply.text);
    // A stored text goes into a file or a pipe byte for byte.
    let is_exact = is_stored_text && !io::stdout().is_terminal();
    let ends = reply.text.is_empty() || reply.text.ends_with('\n');
    if is_exact || ends { put(&reply.text) } else { put(&format!("{}\n", reply.text)) }
}

fn json_text(object: &Value) -> String {
    let text =
        if io::stdout().is_terminal() { format!("{object:#}\n") } else { format!("{object}\n") };
    json_escaped(&text)
}

/// The same JSON without characters that a terminal would obey, should somebody look at it on one.
fn json_escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    let mut at = 0;
    for place in frame::unseen(json) {
        let c = json[place..].chars().next().expect("the place of a character");
        escaped.push_str(&json[at..place]);
        let mut units = [0; 2];
        escaped.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        at = place + c.len_utf8();
    }
    escaped.push_str(&json[at..]);
    escaped
}

/// The colours of a terminal, or none; no text means anything by its colour alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Paint {
    is_on: bool,
}

impl Paint {
    /// Colours for a stream that is a terminal, unless the person wants none.
    pub(crate) fn of(stream: &impl IsTerminal, is_unwanted: bool) -> Self {
        let var = |name| world::var(name).filter(|value| !value.is_empty());
        let can = || var("TERM").is_some_and(|term| term != "dumb");
        Self { is_on: !is_unwanted && stream.is_terminal() && can() && var("NO_COLOR").is_none() }
    }

    /// By what a thing is called.
    pub(crate) fn name(self, text: &str) -> String {
        self.styled(AnsiColor::Cyan.on_default(), text)
    }

    /// What stands above others.
    pub(crate) fn head(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// What matters less.
    pub(crate) fn faint(self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    /// What went wrong.
    pub(crate) fn bad(self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.is_on && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// Prints a text whose parts were made visible before they were painted.
pub(crate) fn painted(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written.context("cannot write to standard output")?),
    }
}

fn put(text: &str) -> Result<bool, Failure> {
    match write(io::stdout().lock(), text) {
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        written => Ok(written.map(|()| true).context("cannot write to standard output")?),
    }
}

/// The one way to a stream that may be a terminal.
fn write(mut to: impl Write + IsTerminal, text: &str) -> io::Result<()> {
    let text = if to.is_terminal() { frame::visible(text) } else { Cow::Borrowed(text) };
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// Says one line to the person.
pub(crate) fn say(line: &str) {
    if write(io::stderr(), &format!("{line}\n")).is_err() {
        // Nobody listens: there is nowhere left to say so.
    }
}

/// Says one line that begins with a painted word.
fn complain(opening: &str, text: &str) {
    let mut err = io::stderr();
    let written =
        err.write_all(opening.as_bytes()).and_then(|()| write(err, &format!(" {text}\n")));
    if written.is_err() {
        // Nobody listens: there is nowhere left to say so.
    }
}

/// Asks the person; the answer is typed behind it.
pub(crate) fn ask(question: &str) -> io::Result<()> {
    write(io::stderr(), question)
}

/// Prints a failure on standard error, so that standard output holds answers only; its exit code.
pub(crate) fn failure(failure: &Failure, as_json: bool, paint: Paint) -> ExitCode {
    let (kind, message, hint) = match failure {
        Failure::Op(error) => (error.kind.word(), error.message.clone(), error.hint.clone()),
        Failure::Unexpected(error) => ("unexpected", format!("{error:#}"), None),
        Failure::Found(found) | Failure::Differs(found) => {
            // The answer itself is what was asked for.
            return match reply(found, as_json) {
                Ok(()) => ExitCode::from(failure.code()),
                Err(unprinted) => self::failure(&unprinted, as_json, paint),
            };
        }
    };
    if as_json {
        let mut error = json!({"kind": kind, "message": message});
        if let Some(hint) = hint {
            error["hint"] = hint.into();
        }
        say(&json_escaped(&json!({"error": error}).to_string()));
    } else {
        complain(&paint.bad("vade:"), &message);
        if let Some(hint) = hint {
            complain(&paint.head("  hint:"), &hint);
        }
    }
    ExitCode::from(failure.code())
}
