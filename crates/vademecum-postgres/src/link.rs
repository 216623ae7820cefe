//! Connections, and the thread on which their runtime lives: who calls waits on a channel and needs no runtime.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::time::Sleep;
use tokio_postgres::{AsyncMessage, Client, Row};
use vademecum_store::{NO_ANSWER, StoreError};

use crate::address::{self, Address};
use crate::error::{self, Fault, failed};
use crate::outage::Outage;
use crate::statement::Statement;
use crate::tls::MakeTls;

/// The runtime, which ends with its last handle.
#[derive(Debug)]
pub(crate) struct Runtime {
    handle: Handle,
    /// Dropped to end the thread.
    _end: oneshot::Sender<()>,
}

impl Runtime {
    /// Starts the thread.
    pub(crate) fn start() -> Result<Self, StoreError> {
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        let (handle, (end, ended)) = (runtime.handle().clone(), oneshot::channel::<()>());
        // It ends when the sender is dropped, which is no value that anybody reads.
        let run = move || drop(runtime.block_on(ended));
        let thread = thread::Builder::new().name("vade-postgres".to_owned());
        thread.spawn(run).map_err(|error| failed(&error))?;
        Ok(Self { handle, _end: end })
    }

    /// Runs a future on the thread and waits for it, at most so long; a server that is away is noted.
    fn run<T: Send + 'static>(
        &self,
        (place, most, outage): (&str, Duration, &Outage),
        future: impl Future<Output = Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let (tell, told) = mpsc::sync_channel(1);
        let (silent, away) = (place.to_owned(), outage.clone());
        self.handle.spawn(async move {
            let done = tokio::time::timeout(most, future).await;
            // Nobody is there to be told where the caller's thread has ended.
            drop(tell.send(done.unwrap_or_else(|_| Err(unanswered(silent, most, &away)))));
        });
        let done = told.recv().unwrap_or_else(|_| {
            let what = "its thread ended".to_owned();
            Err(Fault::Lost(StoreError::Unreachable { place: place.to_owned(), what }))
        });
        if let Err(Fault::Lost(_)) = done {
            outage.begins(Duration::ZERO);
        }
        done
    }
}

/// Says that nothing came for so long, and notes it.
fn unanswered(place: String, waited: Duration, outage: &Outage) -> Fault {
    outage.begins(waited);
    let what = format!("{NO_ANSWER}{} ms", waited.as_millis());
    Fault::Lost(StoreError::Unreachable { place, what })
}

/// One part of a round trip.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// What begins a transaction, first of all: a server that is there answers it at once.
    Begin(String),
    /// Other commands without values.
    Plain(String),
    /// A statement with values.
    Ask(Statement),
}

/// One connection to the server.
#[derive(Debug)]
pub(crate) struct Link {
    client: Arc<Client>,
    runtime: Arc<Runtime>,
    /// The server and the database, for messages.
    place: String,
    trips: Arc<AtomicU64>,
    waits: Waits,
    outage: Outage,
}

/// How long is waited for what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waits {
    pub(crate) connect: Duration,
    /// The longest that a round trip may take.
    pub(crate) trip: Duration,
    /// The longest until a transaction is begun.
    pub(crate) begin: Duration,
    /// How long the server is told to wait for a lock.
    pub(crate) lock: Duration,
}

impl Link {
    /// Connects; each notification calls `heard`.
    pub(crate) fn open(
        runtime: &Arc<Runtime>,
        address: &Address,
        (waits, outage): (Waits, &Outage),
        trips: &Arc<AtomicU64>,
        heard: impl Fn() + Send + 'static,
    ) -> Result<Self, Fault> {
        let connect = outage.limit(waits.connect);
        let (config, place) = (address.config(connect), address.place());
        let tls = MakeTls::of(address)?;
        let (told, unread) = (place.clone(), address.unread_password());
        let client = runtime.run((&place, connect, outage), async move {
            let connected = config.connect(tls).await;
            let (client, mut connection) =
                connected.map_err(|error| error::of_connecting(&error, &told, unread))?;
            tokio::spawn(async move {
                loop {
                    match poll_fn(|cx| connection.poll_message(cx)).await {
                        Some(Ok(AsyncMessage::Notification(_))) => heard(),
                        Some(Ok(_)) => {}
                        // Who waits is told of the end too: it looks, and finds out.
                        Some(Err(_)) | None => break heard(),
                    }
                }
            });
            Ok(client)
        })?;
        // Who answered may be a pooler whose server is away: an answer to a statement alone ends an outage.
        let (client, outage) = (Arc::new(client), outage.clone());
        let (runtime, trips) = (Arc::clone(runtime), Arc::clone(trips));
        Ok(Self { client, runtime, place, trips, waits, outage })
    }

    /// Whether it is known to be gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Sends all steps at once and gives the rows of each: one round trip, however many they are.
    ///
    /// After the first that fails the others do: its error is the one that counts.
    pub(crate) fn trip(&self, steps: Vec<Step>) -> Result<Vec<Vec<Row>>, Fault> {
        let begins = matches!(steps.first(), Some(Step::Begin(_)));
        self.send_all(steps, begins)
    }

    /// The rows of a small question outside of a transaction, which a server that is there answers at once.
    pub(crate) fn ask_at_once(&self, statement: Statement) -> Result<Vec<Row>, Fault> {
        let rows = self.send_all(vec![Step::Ask(statement)], true)?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Sends all; `is_at_once` says that the first is answered by whoever is there.
    fn send_all(&self, steps: Vec<Step>, is_at_once: bool) -> Result<Vec<Vec<Row>>, Fault> {
        self.trips.fetch_add(1, Ordering::Relaxed);
        let (client, waited) = (Arc::clone(&self.client), self.waits.lock);
        let (place, away) = (self.place.clone(), self.outage.clone());
        let begin = away.limit(self.waits.begin);
        let all = async move {
            let each = steps.iter().map(|step| Box::pin(take(&client, step)) as Taking<'_>);
            let first = is_at_once.then(|| Box::pin(tokio::time::sleep(begin)));
            let Some(done) = in_order(each.collect(), first).await else {
                return Err(unanswered(place, begin, &away));
            };
            done.into_iter().collect::<Result<_, _>>().map_err(|error| {
                if error::is_timed_out(&error) {
                    away.begins(address::SILENCE);
                }
                error::of(&error, &place, waited)
            })
        };
        let done = self.runtime.run((&self.place, self.waits.trip, &self.outage), all);
        if !matches!(done, Err(Fault::Lost(_))) {
            self.outage.is_over();
        }
        done
    }

    /// Sends a step that nobody waits for, such as the end of a look.
    pub(crate) fn send(&self, step: Step) {
        let client = Arc::clone(&self.client);
        let (sent, is_sent) = mpsc::sync_channel(1);
        self.runtime.handle.spawn(async move {
            let mut taking = Box::pin(take(&client, &step)) as Taking<'_>;
            let first = poll_fn(|cx| Poll::Ready(taking.as_mut().poll(cx))).await;
            let is_awaited = sent.send(()).is_ok();
            // A connection that fails here fails whoever takes it next, which begins on another one.
            if is_awaited && first.is_pending() {
                drop(taking.await);
            }
        });
        // Whoever takes the connection next stands behind it; without the runtime there is nobody.
        is_sent.recv().unwrap_or_default();
    }
}

type Taking<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<Row>, tokio_postgres::Error>> + Send + 'a>>;

/// A statement is on its way when this is first polled.
async fn take(client: &Client, step: &Step) -> Result<Vec<Row>, tokio_postgres::Error> {
    match step {
        Step::Begin(sql) | Step::Plain(sql) => client.batch_execute(sql).await.map(|()| Vec::new()),
        Step::Ask(Statement { sql, values, .. }) => {
            let values: Vec<_> = values.iter().map(super::statement::Value::typed).collect();
            client.query_typed(sql, &values).await
        }
    }
}

/// Waits for all, each polled first in its order: so they are sent in it. None if the first is not there in time.
async fn in_order(
    mut all: Vec<Taking<'_>>,
    mut end: Option<Pin<Box<Sleep>>>,
) -> Option<Vec<Result<Vec<Row>, tokio_postgres::Error>>> {
    let mut done: Vec<Option<_>> = all.iter().map(|_| None).collect();
    let is_in_time = poll_fn(|cx| {
        for (taking, done) in all.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(rows) = taking.as_mut().poll(cx) {
                *done = Some(rows);
            }
        }
        if done.iter().all(Option::is_some) {
            return Poll::Ready(true);
        }
        let end = end.as_mut().filter(|_| done.first().is_some_and(Option::is_none));
        end.map_or(Poll::Pending, |end| end.as_mut().poll(cx).map(|()| false))
    })
    .await;
    is_in_time.then(|| done.into_iter().flatten().collect())
}
