//! Connections that are open, and what begins a transaction on one: nothing stays on it behind the transaction.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_postgres::Row;
use vademecum_core::hash::Key;
use vademecum_store::StoreError;
use xxhash_rust::xxh3::xxh3_64;

use crate::Options;
use crate::address::Address;
use crate::error::{Fault, failed};
use crate::link::{Link, Runtime, Step, Waits};
use crate::outage::{self, Outage, Trying};
use crate::schema;
use crate::statement::{Statement, array, column};

/// So many connections are kept open for who comes next.
const IDLE: usize = 4;

/// The longest silence of who has the lock: shorter than others wait for an answer.
const IDLE_LOCK: Duration = Duration::from_secs(5);

/// The longest silence of who looks: a copy writes elsewhere between two questions, and waits there for a disk.
const IDLE_LOOK: Duration = Duration::from_mins(10);

/// So many cards are asked for ahead: of the project and of the session, and room for another of each.
const AHEAD: usize = 4;

/// Connections of one handle.
#[derive(Debug)]
pub(crate) struct Pool {
    address: Address,
    options: Options,
    runtime: Mutex<Option<Arc<Runtime>>>,
    idle: Mutex<Vec<Link>>,
    trips: Arc<AtomicU64>,
    /// The cards that the last looks asked for.
    ahead: Mutex<Vec<Statement>>,
    secret: Mutex<Secret>,
    /// The salt of who asks, once it was read; it never changes.
    salt: Mutex<Option<Key>>,
    /// Whether the schema was seen to be of this version.
    is_ready: AtomicBool,
    outage: Outage,
    /// Whether the server was reached before: only then an outage is waited for.
    has_connected: AtomicBool,
}

/// The secret of the store, as the last transaction read it.
#[derive(Debug, Clone, Default)]
pub(crate) enum Secret {
    /// None has read it.
    #[default]
    Unread,
    /// Nothing was written yet.
    Absent,
    Known(Key),
}

/// A panic in another thread leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    pub(crate) fn of(address: Address, options: Options) -> Self {
        Self {
            address,
            options,
            runtime: Mutex::default(),
            idle: Mutex::default(),
            trips: Arc::default(),
            ahead: Mutex::default(),
            secret: Mutex::default(),
            salt: Mutex::default(),
            is_ready: AtomicBool::new(false),
            outage: Outage::of(options.outage),
            has_connected: AtomicBool::new(false),
        }
    }

    pub(crate) fn schema(&self) -> &str {
        self.address.schema()
    }

    /// The channel on which writers tell of a commit.
    pub(crate) fn channel(&self) -> String {
        format!("vade_{}", self.schema())
    }

    /// Ends a transaction that writes; one that `rings` tells those who listen once it is kept.
    pub(crate) fn commit(&self, rings: bool) -> String {
        let rung = rings.then(|| format!("SELECT pg_notify('{}', ''); ", self.channel()));
        format!("{}COMMIT", rung.unwrap_or_default())
    }

    pub(crate) fn n_trips(&self) -> u64 {
        self.trips.load(Ordering::Relaxed)
    }

    pub(crate) fn write_wait(&self) -> Duration {
        self.options.write_wait
    }

    /// A connection that nobody uses, else a new one; a server that was there before is waited for.
    pub(crate) fn take(&self) -> Result<Link, Fault> {
        let mut trying = Trying::default();
        loop {
            if let Some(link) = self.idle_link() {
                return Ok(link);
            }
            match self.open_heard(|| {}) {
                Err(Fault::Lost(_))
                    if self.has_connected.load(Ordering::Relaxed) && self.pause(&mut trying) => {}
                done => return done,
            }
        }
    }

    fn idle_link(&self) -> Option<Link> {
        let mut idle = lock(&self.idle);
        std::iter::from_fn(|| idle.pop()).find(|link| !link.is_closed())
    }

    /// A new connection whose notifications are heard, tried once.
    pub(crate) fn open_heard(&self, heard: impl Fn() + Send + 'static) -> Result<Link, Fault> {
        let runtime = self.runtime()?;
        let Options { connect_wait, write_wait, answer_wait, .. } = self.options;
        // The server gives up first, so that a wait for a lock is told as one.
        let trip = answer_wait + write_wait;
        // Less than an outage may last, for one more try.
        let begin = (self.options.outage * 9 / 10).max(connect_wait);
        let waits = Waits { connect: connect_wait, trip, begin, lock: write_wait };
        let link = Link::open(&runtime, &self.address, (waits, &self.outage), &self.trips, heard)?;
        self.has_connected.store(true, Ordering::Relaxed);
        Ok(link)
    }

    pub(crate) fn runtime(&self) -> Result<Arc<Runtime>, StoreError> {
        let mut slot = lock(&self.runtime);
        if let Some(runtime) = &*slot {
            return Ok(Arc::clone(runtime));
        }
        let runtime = Arc::new(Runtime::start()?);
        *slot = Some(Arc::clone(&runtime));
        Ok(runtime)
    }

    /// Gives a connection back for the next call; a transaction that is open is ended without a wait.
    pub(crate) fn give_back(&self, link: Link, is_open: bool) {
        if link.is_closed() {
            return;
        }
        if is_open {
            link.send(Step::Plain("ROLLBACK".to_owned()));
        }
        let mut idle = lock(&self.idle);
        if idle.len() < IDLE {
            idle.push(link);
        }
    }

    /// Waits before another try; false once the server has been away for too long.
    pub(crate) fn pause(&self, trying: &mut Trying) -> bool {
        let pause = self.outage.pause(trying);
        pause.map(outage::wait).is_some()
    }

    /// Sees to it that the schema is there, once for each handle.
    pub(crate) fn ready(&self) -> Result<(), Fault> {
        if self.is_ready.load(Ordering::Acquire) {
            return Ok(());
        }
        let link = self.take()?;
        let found = link.ask_at_once(Statement::new(card(self.schema()), Vec::new()));
        let version = match found {
            Ok(rows) => rows.first().map(|row| column(row, 0)).transpose()?,
            Err(Fault::NoSchema) => None,
            Err(fault) => return Err(fault),
        };
        version.map_or(Ok(()), schema::check)?;
        if version.is_none_or(|version: i32| version < schema::VERSION) {
            let mut begin = self.begin_write();
            // The version is read once there is one.
            begin.pop();
            schema::migrate(&link, self.schema(), begin).map_err(|fault| unmade(fault, version))?;
        }
        self.give_back(link, false);
        self.is_ready.store(true, Ordering::Release);
        Ok(())
    }

    /// Notes that the schema was seen to be of such a version, so that no write looks first.
    pub(crate) fn saw(&self, version: i32) {
        if schema::VERSION <= version {
            self.is_ready.store(true, Ordering::Release);
        }
    }

    pub(crate) fn forget_ready(&self) {
        self.is_ready.store(false, Ordering::Release);
    }

    /// What the last looks asked for, which the next one of a server most often does too.
    pub(crate) fn ahead(&self) -> Vec<Statement> {
        lock(&self.ahead).clone()
    }

    /// Keeps what a look has asked for, before what those before it did.
    pub(crate) fn keep_ahead(&self, mut cards: Vec<Statement>) {
        let mut ahead = lock(&self.ahead);
        let before = ahead.drain(..).filter(|card| !cards.contains(card)).collect::<Vec<_>>();
        cards.extend(before);
        cards.truncate(AHEAD);
        *ahead = cards;
    }

    pub(crate) fn secret(&self) -> Secret {
        lock(&self.secret).clone()
    }

    pub(crate) fn keep_secret(&self, secret: Option<Key>) {
        *lock(&self.secret) = secret.map_or(Secret::Absent, Secret::Known);
    }

    pub(crate) fn salt(&self) -> Option<Key> {
        lock(&self.salt).clone()
    }

    pub(crate) fn keep_salt(&self, salt: Option<Key>) {
        if salt.is_some() {
            *lock(&self.salt) = salt;
        }
    }

    /// That there is none holds as long as the transaction that has read it.
    pub(crate) fn forget_absence(&self) {
        let mut secret = lock(&self.secret);
        if matches!(*secret, Secret::Absent) {
            *secret = Secret::Unread;
        }
    }

    /// Begins a look: one snapshot, seen from its first question on.
    pub(crate) fn begin_read(&self) -> Vec<Step> {
        let mode = "ISOLATION LEVEL REPEATABLE READ READ ONLY";
        vec![self.begin(mode, self.options.write_wait, IDLE_LOOK), Step::Ask(own_card())]
    }

    /// Begins a write: one after the other in the whole store.
    ///
    /// A decision looks at all of the store and not at one scope, and the feed is in the order of commits: two locks of
    /// two scopes would let a number be seen before a lower one. Each statement sees what was committed before it,
    /// and under the lock nobody else commits.
    pub(crate) fn begin_write(&self) -> Vec<Step> {
        let mode = "ISOLATION LEVEL READ COMMITTED";
        // Nothing is acknowledged before it is on disk, however the database is set; a stricter setting holds.
        let synced = "SELECT set_config('synchronous_commit', 'on', true)
                      WHERE current_setting('synchronous_commit') = 'off'";
        vec![
            self.begin(mode, self.options.write_wait, IDLE_LOCK),
            Step::Plain(format!("{synced}; {}", self.locked())),
            Step::Ask(Statement::new("SELECT * FROM own_card_and_salt()", Vec::new())),
        ]
    }

    /// Begins what takes tables for itself: it waits for others no longer than they can wait for it.
    pub(crate) fn begin_wipe(&self, wait: Duration) -> Vec<Step> {
        let mode = "ISOLATION LEVEL READ COMMITTED";
        vec![self.begin(mode, wait, IDLE_LOCK), Step::Plain(self.locked())]
    }

    /// Takes the lock of all who write.
    fn locked(&self) -> String {
        let key = xxh3_64(format!("vademecum store {}", self.schema()).as_bytes()).cast_signed();
        format!("SELECT pg_advisory_xact_lock({key})")
    }

    /// Settings end with the transaction, for a pooler gives the next one to somebody else.
    ///
    /// A temporary table that somebody left on the connection must not stand before ours: its schema is named last.
    ///
    /// To compile a statement takes the server longer than to run any of these.
    ///
    /// Whoever is silent for `idle` loses what it has: another may wait for the lock, or for an older state to be over.
    fn begin(&self, mode: &str, lock_wait: Duration, idle: Duration) -> Step {
        let (schema, lock, idle) = (self.schema(), lock_wait.as_millis(), idle.as_millis());
        let statement = (lock_wait + self.options.answer_wait).as_millis();
        Step::Begin(format!(
            "BEGIN {mode}; SET LOCAL search_path = {schema}, pg_temp; SET LOCAL lock_timeout = {lock};
             SET LOCAL statement_timeout = {statement}; SET LOCAL jit = off;
             SET LOCAL idle_in_transaction_session_timeout = {idle}"
        ))
    }
}

/// Only who owns the tables makes or changes them.
fn unmade(fault: Fault, version: Option<i32>) -> Fault {
    match fault {
        Fault::Told(StoreError::ReadOnly) => Fault::Told(failed(&match version {
            None => {
                "nobody has made it yet, and this user may not: who keeps it runs vade store make"
                    .to_owned()
            }
            Some(found) => format!(
                "it is of schema {}, and this user may not bring it to {}: who keeps it runs vade store make",
                schema::word(found),
                schema::word(schema::VERSION)
            ),
        })),
        fault => fault,
    }
}

/// Where in the store's own card the next numbers stand, whether bytes of what was erased are left, since when vade is off,
/// and what was intended.
pub(crate) const NUMBERS: usize = 4;
pub(crate) const HAS_BYTES: usize = 7;
pub(crate) const OFF_AT: usize = 8;
pub(crate) const INTENTS: usize = 9;

/// What each transaction reads first, which ties it to the store's own row.
pub(crate) fn own_card() -> Statement {
    Statement::new("SELECT * FROM own_card()", Vec::new())
}

/// What the same statement gives outside of a transaction, up to the salt.
pub(crate) fn card(schema: &str) -> String {
    format!(
        "SELECT version, key, 0 < last_seq, (SELECT salt FROM {schema}.person WHERE owner = session_user)
         FROM {schema}.store"
    )
}

/// The salt of who asks; there is none before their first write.
pub(crate) fn salt_of(row: &Row) -> Result<Option<Key>, StoreError> {
    let salt: Option<&[u8]> = column(row, 3)?;
    salt.map(|_| array(row, 3).map(Key)).transpose()
}

/// The secret of the store; there is none before the first write.
pub(crate) fn secret_of(row: &Row) -> Result<Option<Key>, StoreError> {
    let has_begun: bool = column(row, 2)?;
    has_begun.then(|| array(row, 1).map(Key)).transpose()
}
