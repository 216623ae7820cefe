//! When the server ends: within a second after its client is gone.

use std::io::{self, Read};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::process::{Pid, getppid};
#[cfg(target_os = "linux")]
use rustix::process::{PidfdFlags, pidfd_open};
use tokio::sync::watch;
use tokio::time::timeout;

/// How long the next answer is waited for after the client has closed its end.
const GRACE: Duration = Duration::from_millis(500);

/// How often it is looked whether the parent lives, where nobody tells.
const LOOK: Duration = Duration::from_millis(250);

/// What is seen of the client on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pulse {
    /// It sends no more.
    pub(super) has_closed: bool,
    /// It reads no more.
    pub(super) is_gone: bool,
    /// How many messages were written to it.
    pub(super) n_written: u64,
}

/// Returns when the client reads no more, or has closed its end and is owed no more answers.
///
/// What was asked before the end is still answered, as long as answers keep coming.
pub(super) async fn client_left(mut pulse: watch::Receiver<Pulse>) {
    let mut seen = match pulse.wait_for(|now| now.has_closed || now.is_gone).await {
        Ok(now) => *now,
        // The wire is no more: whoever dropped it ends the conversation.
        Err(_) => return std::future::pending().await,
    };
    while !seen.is_gone {
        match timeout(GRACE, pulse.wait_for(|now| *now != seen)).await {
            Ok(Ok(now)) => seen = *now,
            Ok(Err(_)) | Err(_) => return,
        }
    }
}

/// Standard input, which ends with the parent too: a killed client can leave its end of the pipe open in a
/// process of its own.
///
/// Linux tells when the parent ends; elsewhere it is looked again and again.
pub(super) struct Input<F> {
    from: F,
    parent: Option<Pid>,
    told: Option<OwnedFd>,
}

impl<F: AsFd> Input<F> {
    /// `parent` must have been asked for before the first answer: a client that is killed on having read
    /// it would else never be missed.
    pub(super) fn of(from: F, parent: Option<Pid>) -> Self {
        #[cfg(target_os = "linux")]
        let told = parent.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        #[cfg(not(target_os = "linux"))]
        let told = None;
        Self { from, parent, told }
    }

    /// Waits for something to read or its end; false when the parent is gone and nothing is left.
    fn is_fed(&self) -> io::Result<bool> {
        loop {
            // Asked before each wait: the number may have been another's before it was watched.
            let is_orphan = getppid() != self.parent;
            let limit = match &self.told {
                _ if is_orphan => Some(Duration::ZERO),
                None if self.parent.is_some() => Some(LOOK),
                None | Some(_) => None,
            };
            let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
            let mut ends = vec![PollFd::new(&self.from, PollFlags::IN)];
            ends.extend(self.told.as_ref().map(|told| PollFd::new(told, PollFlags::IN)));
            poll(&mut ends, limit.as_ref())?;
            let is_fed = !ends[0].revents().is_empty();
            if is_fed || is_orphan {
                return Ok(is_fed);
            }
        }
    }
}

impl<F: AsFd> Read for Input<F> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.is_fed()? { Ok(rustix::io::read(&self.from, to)?) } else { Ok(0) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_parent_that_died_before_the_first_look_is_missed() {
        let (from, mut to) = io::pipe().expect("a pipe");
        to.write_all(b"a line").expect("room");
        // No process is its own parent.
        let mut read = String::new();
        let input = Input::of(from, Some(rustix::process::getpid())).read_to_string(&mut read);
        assert_eq!((input.ok(), read.as_str()), (Some(6), "a line"));
    }
}
