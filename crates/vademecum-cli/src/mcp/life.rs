//! When the server ends: within a second after its client is gone.

use std::time::Duration;

use rustix::process::{Pid, getppid};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How long the next answer is waited for after the client has closed its end.
const GRACE: Duration = Duration::from_millis(500);

/// How often it is looked whether the parent lives.
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

/// Returns when this process has another parent than `parent`, which must have been asked for before
/// the first answer: a client that is killed on having read it would else never be missed.
///
/// A killed client can leave its end of the pipe open in a process of its own.
pub(super) async fn parent_died(parent: Option<Pid>) {
    while getppid() == parent {
        sleep(LOOK).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_that_died_before_the_first_look_is_missed() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let ended = runtime.expect("a runtime").block_on(async {
            // No process is its own parent.
            timeout(LOOK, parent_died(Some(rustix::process::getpid()))).await
        });
        assert_eq!(ended, Ok(()));
    }
}
