//! When the server ends: within a second after its client is gone.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

/// How long calls may still be answered after the client has closed its end.
const GRACE: Duration = Duration::from_millis(700);

/// How often it is looked whether the parent lives.
const LOOK: Duration = Duration::from_millis(250);

/// Returns when the client has closed its end and the time for last answers is over.
pub(super) async fn after_close(mut closed: watch::Receiver<bool>) {
    // The other half is gone only when the wire is, and then there is nothing to wait for.
    if closed.wait_for(|closed| *closed).await.is_ok() {
        sleep(GRACE).await;
    } else {
        std::future::pending::<()>().await;
    }
}

/// Returns when the process that started this one has died.
///
/// A killed client can leave its end of the pipe open in a process of its own.
pub(super) async fn parent_died() {
    let parent = rustix::process::getppid();
    while rustix::process::getppid() == parent {
        sleep(LOOK).await;
    }
}
