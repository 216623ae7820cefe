//! The parent's end: starts a child, answers its calls, and ends it when its time is over, whatever it does.

use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::child::WORD;
use crate::error::SandboxError;
use crate::limits::Limits;
use crate::locks::Locks;
use crate::wire::{self, Answer, Ended, Failure, Fault, Refusal, Said, Start};

/// A child ends its program by itself; one that cannot is ended after this much more.
const GRACE: Duration = Duration::from_millis(500);

/// A program, and what it may use.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// Its code: the body of an asynchronous function.
    pub code: &'a str,
    /// The functions of `session`, such as `add_note` or `notepad.read`.
    pub functions: &'a [String],
    /// What it may use.
    pub limits: Limits,
}

/// A call that a program makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The place of the function among those of the program.
    pub function: usize,
    /// Which call it is, from 1.
    pub number: u32,
    /// What it was called with.
    pub arguments: Vec<Value>,
}

/// What came of a program.
#[derive(Debug)]
pub struct Ran {
    /// What it gave back; nothing is `undefined`.
    pub outcome: Result<Option<Value>, SandboxError>,
    /// What it printed.
    pub printed: String,
    /// How many calls were made.
    pub calls: u32,
    /// How many of them were not refused: what they wrote stands.
    pub done: u32,
    /// What the child gave up on this machine.
    pub locks: Locks,
}

impl Ran {
    fn failed(error: SandboxError, (calls, done): (u32, u32)) -> Self {
        Self { outcome: Err(error), printed: String::new(), calls, done, locks: Locks::default() }
    }
}

/// Runs `program` in a child made of the executable `vade`, and answers its calls one by one.
///
/// `vade` is started with the word [`WORD`] alone, without an environment.
pub fn run(
    vade: &Path,
    program: &Program<'_>,
    answer: &mut dyn FnMut(Asked) -> Result<Option<Value>, Refusal>,
) -> Ran {
    if Limits::CODE < program.code.len() {
        return Ran::failed(SandboxError::Long { given: program.code.len() }, (0, 0));
    }
    match start(vade) {
        Ok((child, to, from)) => watched(child, program.limits.time, |child| {
            Talk { to, from: BufReader::new(from), program, calls: 0, done: 0, sent: 0 }
                .hold(child, answer)
        }),
        Err(error) => Ran::failed(SandboxError::Start(error), (0, 0)),
    }
}

#[expect(clippy::disallowed_methods, reason = "a sandbox is a process of its own")]
fn start(vade: &Path) -> io::Result<(Child, ChildStdin, ChildStdout)> {
    let mut command = Command::new(vade);
    command.arg(WORD).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::null()).current_dir(std::path::MAIN_SEPARATOR_STR);
    let mut child = command.spawn()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (to, from) = pipes.expect("both pipes were asked for");
    Ok((child, to, from))
}

/// A child, and whether its time was over before it was done.
struct Watched {
    child: Mutex<Child>,
    is_late: Mutex<bool>,
}

impl Watched {
    fn is_late(&self) -> bool {
        *self.is_late.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Ends the child if it still runs, and says how it ended.
    fn end(&self) -> io::Result<ExitStatus> {
        let mut child = self.child.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        child.kill()?;
        child.wait()
    }
}

/// Does `work` while a thread waits for the time to be over; then the child is ended, and its pipes with it.
fn watched(child: Child, time: Duration, work: impl FnOnce(&Watched) -> Ran) -> Ran {
    let watched = Watched { child: Mutex::new(child), is_late: Mutex::new(false) };
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let watched = &watched;
        scope.spawn(move || {
            if wait.recv_timeout(time + GRACE) == Err(RecvTimeoutError::Timeout) {
                *watched.is_late.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = true;
                drop(watched.end());
            }
        });
        let ran = work(watched);
        drop(done);
        // Whoever is done is not waited for.
        drop(watched.end());
        ran
    })
}

/// A talk with one child.
struct Talk<'a> {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    program: &'a Program<'a>,
    calls: u32,
    done: u32,
    sent: usize,
}

impl Talk<'_> {
    fn hold(
        mut self,
        child: &Watched,
        answer: &mut dyn FnMut(Asked) -> Result<Option<Value>, Refusal>,
    ) -> Ran {
        match self.converse(answer) {
            Ok(Ok(ended)) => self.ran(ended),
            Ok(Err(fault)) => Ran::failed(self.failed(fault), (self.calls, self.done)),
            Err(error) => Ran::failed(self.died(child, &error), (self.calls, self.done)),
        }
    }

    /// Answers until the program has ended, or has gone over a limit that its child did not hold.
    fn converse(
        &mut self,
        answer: &mut dyn FnMut(Asked) -> Result<Option<Value>, Refusal>,
    ) -> io::Result<Result<Ended, Fault>> {
        let Program { code, functions, limits } = *self.program;
        let start =
            Start { code: code.to_owned(), functions: functions.to_vec(), limits, is_locked: true };
        wire::write(&mut self.to, &start)?;
        loop {
            // The end may say as much as may be printed, each byte as an escape of six.
            let most = limits.sent + limits.output * 6 + (64 << 10);
            let said = wire::read(&mut self.from, most)?;
            let (function, arguments) = match said.ok_or(io::ErrorKind::UnexpectedEof)? {
                Said::Ended(ended) => return Ok(Ok(ended)),
                Said::Call { function, arguments } => (function, arguments),
            };
            self.calls += 1;
            self.sent += arguments.get().len();
            if limits.calls < self.calls {
                self.calls = limits.calls;
                return Ok(Err(Fault::Calls));
            }
            if limits.sent < self.sent {
                return Ok(Err(Fault::Sent));
            }
            let answered = self.answered(function, &arguments, answer);
            self.done += u32::from(answered.is_ok());
            wire::write(&mut self.to, &answered)?;
        }
    }

    fn answered(
        &self,
        function: usize,
        arguments: &RawValue,
        answer: &mut dyn FnMut(Asked) -> Result<Option<Value>, Refusal>,
    ) -> Answer {
        let arguments = serde_json::from_str(arguments.get())
            .map_err(|error| usage(format!("the arguments cannot be read: {error}")))?;
        if self.program.functions.len() <= function {
            return Err(usage(format!("there is no function {function}")));
        }
        let value = answer(Asked { function, number: self.calls, arguments })?;
        let raw = value.map(|value| serde_json::value::to_raw_value(&value)).transpose();
        raw.map_err(|error| usage(format!("the answer is no JSON: {error}")))
    }

    fn ran(&self, ended: Ended) -> Ran {
        let size = ended.printed.len()
            + ended.outcome.as_ref().ok().and_then(Option::as_ref).map_or(0, |raw| raw.get().len());
        if self.program.limits.output < size {
            return Ran::failed(self.failed(Fault::Output), (self.calls, self.done));
        }
        let outcome = match ended.outcome {
            Ok(None) => Ok(None),
            Ok(Some(raw)) => serde_json::from_str(raw.get())
                .map(Some)
                .map_err(|error| self.failed(Fault::Value { message: error.to_string() })),
            Err(failure) => Err(SandboxError::Failed { failure, limits: self.program.limits }),
        };
        let Self { calls, done, .. } = self;
        Ran { outcome, printed: ended.printed, calls: *calls, done: *done, locks: ended.locks }
    }

    fn failed(&self, fault: Fault) -> SandboxError {
        let failure = Failure { fault, place: None };
        SandboxError::Failed { failure, limits: self.program.limits }
    }

    /// Why the child said nothing more.
    fn died(&self, child: &Watched, error: &io::Error) -> SandboxError {
        let status = child.end();
        if child.is_late() {
            return self.failed(Fault::Time);
        }
        let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        SandboxError::Died { why: format!("{error}; {how}") }
    }
}

fn usage(message: String) -> Refusal {
    Refusal { kind: "usage".to_owned(), message, hint: None }
}
