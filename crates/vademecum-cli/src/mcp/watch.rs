//! Tells readers of a page that it has changed, whichever process changed it.

use std::ops::BitAnd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{RequestId, ResourceUpdatedNotificationParam};
use rmcp::service::SubscriptionSink;
use rmcp::{Peer, RoleServer};
use tokio::runtime::Handle;
use vademecum::core::id::Seq;
use vademecum::ops::{Caller, OpError};
use vademecum::port::Scope;

use crate::mcp::calls::Calls;

/// How soon it is looked again at what could not be read.
const AGAIN: Duration = Duration::from_millis(500);

/// Who is told.
#[derive(Debug, Clone)]
pub(super) enum Reader {
    /// The client of the older protocol.
    Peer(Peer<RoleServer>),
    /// One listen request of the newer protocol.
    Listener(SubscriptionSink),
}

/// One page that is read.
#[derive(Debug, Clone)]
struct Subscription {
    uri: String,
    caller: Caller,
    reader: Reader,
    seen: Seen,
}

/// What a page was like when it was last looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Seen {
    /// The last write in the scope of its session.
    last: Seq,
    /// Its revision, 0 before the first write.
    rev: u32,
}

/// All pages that are read; a thread waits for changes while there are any, and for one more.
pub(super) struct Watch {
    calls: Arc<Calls>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    subscriptions: Vec<Subscription>,
    is_running: bool,
}

impl Watch {
    /// Nobody reads anything yet.
    pub(super) fn new(calls: Arc<Calls>) -> Self {
        Self { calls, state: Mutex::default() }
    }

    /// Tells `reader` from now on when the page that `caller` means has changed.
    pub(super) async fn subscribe(
        self: &Arc<Self>,
        uri: String,
        caller: Caller,
        reader: Reader,
    ) -> Result<(), OpError> {
        let asked = caller.clone();
        let seen = self.calls.blocking(move |calls| look(calls, &asked, None)).await?;
        let mut state = self.state();
        let is_known = |other: &Subscription| other.uri == uri && other.reader.is(&reader);
        if !state.subscriptions.iter().any(is_known) {
            let seen = seen.unwrap_or_default();
            state.subscriptions.push(Subscription { uri, caller, reader, seen });
        }
        if !state.is_running {
            state.is_running = true;
            let (watch, runtime) = (Arc::clone(self), Handle::current());
            std::thread::spawn(move || run(&watch, &runtime));
        }
        Ok(())
    }

    /// Tells the client of the older protocol no more of a page.
    pub(super) fn unsubscribe(&self, uri: &str) {
        self.keep(|other| other.uri != uri || matches!(other.reader, Reader::Listener(_)));
    }

    /// Ends what one listen request has asked for.
    pub(super) fn hang_up(&self, id: &RequestId) {
        self.keep(|other| match &other.reader {
            Reader::Peer(_) => true,
            Reader::Listener(sink) => sink.id() != id,
        });
    }

    fn keep(&self, keep: impl Fn(&Subscription) -> bool) {
        self.state().subscriptions.retain(keep);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is read now; none ends the thread.
    fn subscriptions(&self) -> Option<Vec<Subscription>> {
        let mut state = self.state();
        state.is_running = !state.subscriptions.is_empty();
        state.is_running.then(|| state.subscriptions.clone())
    }

    /// Waits until something was written after `newest`, or at most `limit`.
    fn wait(&self, newest: Seq, limit: Duration) -> Seq {
        let waited = self.calls.store().ok().and_then(|store| store.wait(newest, limit).ok());
        waited.unwrap_or_else(|| {
            std::thread::park_timeout(AGAIN);
            newest
        })
    }

    /// Tells of a page if it has changed; whether it could be read.
    fn tell(self: &Arc<Self>, subscription: &Subscription, runtime: &Handle) -> bool {
        let seen = match look(&self.calls, &subscription.caller, Some(subscription.seen)) {
            Ok(Some(seen)) => seen,
            Ok(None) => return true,
            Err(_) => return false,
        };
        let has_changed = seen.rev != subscription.seen.rev;
        for other in &mut self.state().subscriptions {
            if other.uri == subscription.uri && other.reader.is(&subscription.reader) {
                other.seen = seen;
            }
        }
        if has_changed {
            let (watch, reader) = (Arc::clone(self), subscription.reader.clone());
            let uri = subscription.uri.clone();
            runtime.spawn(async move {
                if !reader.tell(uri).await {
                    watch.keep(|other| !other.reader.is(&reader));
                }
            });
        }
        true
    }
}

impl Reader {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Peer(_), Self::Peer(_)) => true,
            (Self::Listener(one), Self::Listener(other)) => one.id() == other.id(),
            (Self::Peer(_) | Self::Listener(_), _) => false,
        }
    }

    /// Whether it could be told: if not, it is gone.
    async fn tell(&self, uri: String) -> bool {
        match self {
            Self::Peer(peer) => {
                let update = ResourceUpdatedNotificationParam::new(uri);
                peer.notify_resource_updated(update).await.is_ok()
            }
            Self::Listener(sink) => sink.notify_resource_updated(uri).await.is_ok(),
        }
    }
}

/// Waits for changes until nobody reads any more.
fn run(watch: &Arc<Watch>, runtime: &Handle) {
    let mut newest = Seq::default();
    while let Some(subscriptions) = watch.subscriptions() {
        let could = subscriptions.iter().map(|subscription| watch.tell(subscription, runtime));
        let limit = if could.fold(true, BitAnd::bitand) { Duration::MAX } else { AGAIN };
        newest = watch.wait(newest, limit);
    }
}

/// The page that `caller` means; none if nothing was written in its session since `seen`.
fn look(calls: &Calls, caller: &Caller, seen: Option<Seen>) -> Result<Option<Seen>, OpError> {
    let call = calls.call(caller.clone())?;
    call.look(|view| {
        let Some(session) = call.session(view)? else {
            return Ok(None);
        };
        let last = view.last_seq(&Scope::Session(session.key.clone()))?;
        if seen.is_some_and(|seen| seen.last == last) {
            return Ok(None);
        }
        let rev = view.notepad_rev(&session.key)?.unwrap_or(0);
        Ok(Some(Seen { last, rev }))
    })
}
