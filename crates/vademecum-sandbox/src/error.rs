//! Why a program gave nothing back, in words for whoever wrote it.

use std::io;

use crate::limits::Limits;
use crate::wire::{Failure, Fault};

/// Why a program gave nothing back.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The code is longer than [`Limits::CODE`].
    #[error("a program takes at most {} bytes, {given} given", Limits::CODE)]
    Long {
        /// How many bytes it has.
        given: usize,
    },
    /// The program failed, or went over a limit.
    #[error("{}", said(.failure, .limits))]
    Failed {
        /// Why, and where.
        failure: Failure,
        /// What it might use.
        limits: Limits,
    },
    /// The child could not be started.
    #[error("the sandbox does not start: {0}")]
    Start(#[source] io::Error),
    /// The child ended, or said what no child says.
    #[error("the sandbox ended before its program did: {why}")]
    Died {
        /// How.
        why: String,
    },
}

impl SandboxError {
    /// What to do next, where there is more to say than the message does.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let plain = match self {
            Self::Long { .. } => "run it in parts: what it writes is kept between them",
            Self::Failed { failure, .. } => return advice(&failure.fault),
            Self::Start(_) => "name the program vade as the one that sandboxes are made of",
            Self::Died { .. } => "run less at once; if it stays so, it is a fault of vade",
        };
        Some(plain.to_owned())
    }

    /// Whether the program is to blame, and not the sandbox.
    #[must_use]
    pub fn is_of_the_program(&self) -> bool {
        matches!(self, Self::Long { .. } | Self::Failed { .. })
    }
}

fn said(failure: &Failure, limits: &Limits) -> String {
    let what = match &failure.fault {
        Fault::Threw { message, .. } => message.clone(),
        Fault::Time => {
            format!(
                "a program may take {} s, this one was not done by then",
                limits.time.as_secs_f64()
            )
        }
        Fault::Memory => {
            format!("a program may use {} of memory, this one asked for more", size(limits.memory))
        }
        Fault::Stack => format!(
            "a program's calls may go {} of stack deep, these went deeper",
            size(limits.stack)
        ),
        Fault::Output => {
            format!("a program may print and give back {}, this one had more", size(limits.output))
        }
        Fault::Calls => format!("a program may make {} calls, this one made more", limits.calls),
        Fault::Sent => {
            format!("a program may send {} in its calls, this one sent more", size(limits.sent))
        }
        Fault::Waits => "the program waits for something that never comes".to_owned(),
        Fault::Value { message } => format!("what the program gave back is no JSON: {message}"),
    };
    match failure.place {
        Some(place) => format!("line {}, column {}: {what}", place.line, place.column),
        None => what,
    }
}

fn advice(fault: &Fault) -> Option<String> {
    let plain = match fault {
        Fault::Threw { hint: Some(hint), .. } => hint,
        Fault::Threw { message, .. } if message.starts_with("ReferenceError") => {
            "there are session.* and plain JavaScript: no modules, files, network or timers"
        }
        Fault::Threw { .. } => return None,
        Fault::Time => "do less in one run, or ask for more seconds",
        Fault::Memory => "keep less at once",
        Fault::Stack => "use a loop where a function calls itself",
        Fault::Output => "print less, or write it to the notepad",
        Fault::Calls => "put more into one call, or run it in parts",
        Fault::Sent => "send less, or run it in parts",
        Fault::Waits => "await only what a call of session or a promise of yours will settle",
        Fault::Value { .. } => "return plain objects, arrays, texts and numbers",
    };
    Some(plain.to_owned())
}

/// A count of bytes in the largest unit that divides it.
fn size(bytes: usize) -> String {
    match bytes {
        0 => "0 bytes".to_owned(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}
