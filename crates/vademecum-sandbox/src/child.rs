//! The child's end: reads a program, locks itself in, runs it, and asks its parent for each call.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;

use crate::limits::Limits;
use crate::locks::{self, Locks};
use crate::machine;
use crate::wire::{self, Answer, Ended, Said, Start};

/// The word by which a program is told to be a child; a program that is to be one calls [`child`] on it.
pub const WORD: &str = "sandbox-child";

/// The most bytes of the first frame, beside the program.
const START: usize = Limits::CODE * 6 + (64 << 10);

/// The most bytes of an answer: what is more does not fit into a program's memory either.
const ANSWER: usize = 64 << 20;

/// Is the child until its program is over. The first thing a process does: what it has open stays open.
#[must_use]
pub fn child() -> ExitCode {
    match converse() {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads a child's words: the parent is gone, or sees how this one ended.
        Err(_) => ExitCode::FAILURE,
    }
}

#[expect(clippy::disallowed_methods, reason = "nothing but the clock can end a program in time")]
fn converse() -> io::Result<()> {
    let begun = Instant::now();
    let parent = locks::end_with_parent();
    let mut from = BufReader::new(io::stdin().lock());
    let mut to = io::stdout().lock();
    let start: Start = wire::read(&mut from, START)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let locks = if start.is_locked { locks::hold(&start.limits) } else { Locks::default() };
    // Who has lost its parent has no time left.
    let elapsed = move || if parent.is_there() { begun.elapsed() } else { Duration::MAX };
    let (outcome, printed) = machine::run(&start, Rc::new(elapsed), &mut |function, arguments| {
        let arguments = RawValue::from_string(arguments)?;
        wire::write(&mut to, &Said::Call { function, arguments })?;
        let answer: Option<Answer> = wire::read(&mut from, ANSWER)?;
        Ok(answer.ok_or(io::ErrorKind::UnexpectedEof)?)
    })?;
    wire::write(&mut to, &Said::Ended(Ended { outcome, printed, locks }))
}
