//! The engine that keeps a store in PostgreSQL: many machines, one memory, nothing acknowledged before it is on disk.

mod address;
mod apply;
mod bell;
mod erase;
mod error;
mod health;
mod journal;
#[cfg(feature = "later")]
pub mod later;
mod link;
mod members;
mod names;
mod notes;
mod outage;
mod plans;
mod pool;
mod project_search;
mod schema;
mod search;
mod service;
mod sessions;
mod snapshot;
mod statement;
mod tls;
mod undo;
mod view;

use std::sync::Arc;
use std::time::Duration;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_store::store::{Decide, Look};
use vademecum_store::{Depth, Erase, Health, IntentId, Memory, Outcome, Store, StoreError, Write};

pub use address::{Address, AddressError};

use crate::bell::Bell;
use crate::error::Fault;
use crate::link::Step;
use crate::outage::Trying;
use crate::pool::{Pool, Secret};
use crate::snapshot::{Ended, Snapshot};
use crate::statement::{Statement, column};

/// How long a store is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The longest wait for a connection.
    pub connect_wait: Duration,
    /// The longest wait for other writers.
    pub write_wait: Duration,
    /// The longest that the server may take for one answer.
    pub answer_wait: Duration,
    /// How long a server that was reached before is tried again.
    pub outage: Duration,
}

impl Options {
    /// For a command or a server: writes wait up to 30 seconds, and an outage of 10 is not noticed.
    #[must_use]
    pub fn patient() -> Self {
        Self {
            connect_wait: Duration::from_secs(5),
            write_wait: Duration::from_secs(30),
            answer_wait: Duration::from_secs(30),
            outage: Duration::from_secs(10),
        }
    }

    /// For a hook, and for what a command does beside its work: a fifth of a second for anything.
    ///
    /// A wait for other writers is shorter than one for the server, so that it is told as what it is.
    #[must_use]
    pub fn hook() -> Self {
        Self {
            connect_wait: Duration::from_millis(150),
            write_wait: Duration::from_millis(60),
            answer_wait: Duration::from_millis(150),
            outage: Duration::ZERO,
        }
    }
}

/// The longest wait for those who read an older state before what was erased is wiped: new ones stand behind it.
const WIPE_WAIT: Duration = Duration::from_secs(2);

/// The longest wait for other transactions of the database, which holds up nobody.
const SEEN_WAIT: Duration = Duration::from_secs(10);

/// So often a schema that somebody drops is made again in one call.
const MADE_AGAIN: u32 = 3;

/// So often it is looked whether they are over. The server's own clearing up keeps nothing.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A store in a schema of a PostgreSQL database; a clone is another handle that shares its connections.
#[derive(Debug, Clone)]
pub struct Postgres {
    pool: Arc<Pool>,
    bell: Arc<Bell>,
    /// What is seen where nothing was ever written.
    empty: Memory,
}

/// What a transaction that writes does, told whether its commit was sent before; and whether it is kept.
type Run<'a, T> = dyn FnMut(&Snapshot<'_>, bool) -> Result<(T, bool), StoreError> + 'a;

impl Postgres {
    /// Names the store at `address`; nothing is opened or made before the first call.
    #[must_use]
    pub fn at(address: Address, options: Options) -> Self {
        let empty = Memory::new(Key([0; 32]));
        Self { pool: Arc::new(Pool::of(address, options)), bell: Arc::default(), empty }
    }

    /// How many round trips were made, for who measures.
    #[must_use]
    pub fn n_trips(&self) -> u64 {
        self.pool.n_trips()
    }

    /// Runs `run` in a transaction that writes, once the schema is there; it may be run again.
    ///
    /// Those who wait for a commit are told by one that `rings`.
    /// What it has left to send is sent with the commit if it says so. A connection that is lost is replaced and all
    /// is done again: whoever repeats what was done finds it by its write id.
    fn change<T>(&self, rings: bool, run: &mut Run<'_, T>) -> Result<T, StoreError> {
        let mut was_sent = false;
        match self.tries(rings, run, &mut was_sent) {
            Err(StoreError::Unreachable { place, what }) if was_sent => {
                Err(StoreError::Unsettled { place, what })
            }
            done => done,
        }
    }

    fn tries<T>(
        &self,
        rings: bool,
        run: &mut Run<'_, T>,
        was_sent: &mut bool,
    ) -> Result<T, StoreError> {
        let (mut trying, mut n_made) = (Trying::default(), 0);
        loop {
            match self.pool.ready() {
                Err(Fault::Lost(_)) if self.pool.pause(&mut trying) => continue,
                ready => ready?,
            }
            let view = Snapshot::new(self.pool.take()?, self.pool.begin_write(), &self.pool);
            let done = run(&view, *was_sent).and_then(|(value, is_kept)| {
                if is_kept {
                    *was_sent = true;
                    view.finish(Step::Plain(self.pool.commit(rings)))?;
                }
                Ok((value, is_kept))
            });
            self.pool.forget_absence();
            let ended = view.ended();
            if ended.is_none() {
                let is_open = view.has_begun() && !matches!(done, Ok((_, true)));
                self.pool.give_back(view.into_link(), is_open);
            }
            match ended {
                Some(Ended::Lost) if self.pool.pause(&mut trying) => {}
                // Somebody has dropped the schema: it is made again.
                Some(Ended::NoSchema) if n_made < MADE_AGAIN => {
                    n_made += 1;
                    self.pool.forget_ready();
                }
                _ => return done.map(|(value, _)| value),
            }
        }
    }

    /// One row of a statement outside of a transaction; none while there is no store.
    fn one(&self, sql: &str) -> Result<Option<tokio_postgres::Row>, StoreError> {
        let mut trying = Trying::default();
        loop {
            let link = self.pool.take()?;
            match link.ask_at_once(Statement::new(sql.to_owned(), Vec::new())) {
                Ok(rows) => {
                    self.pool.give_back(link, false);
                    return Ok(rows.into_iter().next());
                }
                Err(Fault::NoSchema) => {
                    self.pool.give_back(link, false);
                    return Ok(None);
                }
                Err(Fault::Lost(_)) if self.pool.pause(&mut trying) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
    }

    fn newest(&self) -> Result<Seq, StoreError> {
        let row = self.one(&format!("SELECT last_seq FROM {}.store", self.pool.schema()))?;
        row.map_or(Ok(Seq(0)), |row| column(&row, 0).map(Seq))
    }

    /// Writes the tables anew, so that no page of them holds what was erased.
    ///
    /// The server carries over what an older transaction may still see, even one that never looks at it: so these
    /// are waited for first. Ours begin at the store's own row; this has it for itself once they are over.
    fn wipe(&self) -> Result<(), StoreError> {
        let lock = [
            Step::Plain("LOCK TABLE store IN ACCESS EXCLUSIVE MODE".to_owned()),
            Step::Ask(Statement::new("SELECT pg_current_xact_id()::xid::text::bytea", Vec::new())),
        ];
        let mark = self.wiping(lock.into())?;
        let mark = mark.first().map_or(Ok(String::new()), |row| statement::text(row, 0))?;
        let older = format!(
            "SELECT 1 FROM pg_stat_activity WHERE coalesce(datname, current_database()) = current_database()
             AND pid <> pg_backend_pid()
             AND age('{mark}'::xid) < greatest(age(backend_xmin), age(backend_xid))
             AND query NOT LIKE 'autovacuum: VACUUM %'
             UNION ALL SELECT 1 FROM pg_prepared_xacts
             WHERE database = current_database() AND age('{mark}'::xid) < age(transaction)
             UNION ALL SELECT 1 FROM pg_replication_slots WHERE age('{mark}'::xid) < age(xmin) LIMIT 1"
        );
        let waited = self.pool.write_wait().min(SEEN_WAIT);
        let mut left = waited;
        while self.one(&older)?.is_some() {
            if left.is_zero() {
                return Err(StoreError::Unfinished { waited });
            }
            left = left.saturating_sub(LOOK_AGAIN);
            outage::wait(LOOK_AGAIN);
        }
        self.wiping(vec![Step::Plain("SELECT wipe()".to_owned())]).map(drop)
    }

    /// One transaction of a wipe; the rows that it gives.
    fn wiping(&self, steps: Vec<Step>) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let link = self.pool.take()?;
        let mut all = self.pool.begin_wipe(WIPE_WAIT);
        let n_begin = all.len();
        all.extend(steps);
        all.push(Step::Plain("COMMIT".to_owned()));
        let done = link.trip(all);
        self.pool.give_back(link, done.is_err());
        match done {
            Ok(rows) => Ok(rows.into_iter().skip(n_begin).flatten().collect()),
            Err(fault) => Err(match StoreError::from(fault) {
                StoreError::Busy { .. } => StoreError::Unfinished { waited: WIPE_WAIT },
                other => other,
            }),
        }
    }

    fn size(&self) -> Result<u64, StoreError> {
        let row = self.one(&format!(
            "SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint FROM pg_class
             JOIN pg_namespace ON pg_namespace.oid = relnamespace
             WHERE nspname = '{}' AND relkind = 'r'",
            self.pool.schema()
        ))?;
        row.map_or(Ok(0), |row| statement::number(&row, 0))
    }

    fn has_store(&self) -> Result<bool, StoreError> {
        let found = || self.one(&format!("SELECT 1 FROM {}.store", self.pool.schema()));
        if found()?.is_some() {
            return Ok(true);
        }
        // One that was made meanwhile is found now.
        match self.is_there()? {
            true if found()?.is_none() => Err(self.lacking()),
            is_there => Ok(is_there),
        }
    }

    /// Refuses a store of a version that this program does not read: who only looks brings nothing to another one.
    fn check_version(&self) -> Result<(), StoreError> {
        let row = self.one(&format!("SELECT version FROM {}.store", self.pool.schema()))?;
        let version = row.map(|row| column(&row, 0)).transpose()?;
        version.map_or(Ok(()), schema::check_read)
    }

    fn lacking(&self) -> StoreError {
        error::corrupt(&format!("a table of its schema {} is gone", self.pool.schema()))
    }

    /// Whether there are tables of ours, which may be a store: to whom its schema is closed, and who lacks a table, the
    /// server says the same as where nothing was ever written.
    fn is_there(&self) -> Result<bool, StoreError> {
        let schema = self.pool.schema();
        let there = self.one(&format!(
            "SELECT has_schema_privilege(oid, 'USAGE'),
                 EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = pg_namespace.oid
                     AND relname IN ('store', 'journal') AND relkind = 'r')
             FROM pg_namespace WHERE nspname = '{schema}'"
        ))?;
        let Some(row) = there else { return Ok(false) };
        match (column(&row, 0)?, column(&row, 1)?) {
            (_, false) => Ok(false),
            (true, true) => Ok(true),
            (false, true) => {
                let what = format!("this user may not use its schema {schema} (GRANT USAGE)");
                Err(error::failed(&what))
            }
        }
    }
}

impl Store for Postgres {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        let (mut trying, mut is_again) = (Trying::default(), false);
        loop {
            let view = Snapshot::new(self.pool.take()?, self.pool.begin_read(), &self.pool);
            let view = view.with(self.pool.ahead());
            let done = look(&view);
            self.pool.forget_absence();
            let cards = view.cards();
            if !cards.is_empty() {
                self.pool.keep_ahead(cards);
            }
            match view.ended() {
                Some(Ended::Lost) if self.pool.pause(&mut trying) => {}
                Some(Ended::Lost) => return done,
                Some(Ended::NoSchema) => {
                    self.pool.give_back(view.into_link(), true);
                    if !self.is_there()? {
                        return self.empty.read(look);
                    }
                    self.check_version()?;
                    // It was made meanwhile, or it lacks a table.
                    if is_again {
                        return Err(self.lacking());
                    }
                    is_again = true;
                }
                None => {
                    let has_begun = view.has_begun();
                    self.pool.give_back(view.into_link(), has_begun);
                    return done;
                }
            }
        }
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        self.change(true, &mut |view, was_sent| {
            let outcome = apply::write(view, write, decide)?;
            let is_kept = matches!(outcome, Outcome::Done { .. });
            match outcome {
                // This call has made it, and the answer was lost on the way.
                Outcome::Replayed { seq, .. } if was_sent => Ok((Outcome::Done { seq }, false)),
                outcome => Ok((outcome, is_kept)),
            }
        })
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        let mut left = timeout;
        let newest = self.newest()?;
        if newest != after || left.is_zero() {
            return Ok(newest);
        }
        loop {
            // Set before the look at what it may have missed.
            self.bell.set(&self.pool);
            let newest = self.newest()?;
            if newest != after || left.is_zero() {
                return Ok(newest);
            }
            left = self.bell.wait(left);
        }
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.change(false, &mut |view, was_sent| {
            // This call has kept it, and the answer was lost on the way.
            let kept = if was_sent { erase::intended(view, what)? } else { None };
            kept.map_or_else(|| Ok((erase::intend(view, what)?, true)), |id| Ok((id, false)))
        })
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        if !self.has_store()? {
            return Ok(());
        }
        let has_bytes = self.change(false, &mut |view, _| {
            erase::drop_rows(view, what, fulfils)?;
            let row = view.ask_one(Statement::new("SELECT has_bytes FROM store", Vec::new()))?;
            Ok((row.map_or(Ok(false), |row| column(&row, 0))?, true))
        })?;
        if has_bytes { self.wipe() } else { Ok(()) }
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        let before = self.size()?;
        if before != 0 {
            self.wipe()?;
        }
        Ok((before, self.size()?))
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        // Whoever decides asks too: with a second connection it would wait for those who wait for its lock.
        match self.pool.secret() {
            Secret::Known(known) => return Ok(Some(known)),
            Secret::Absent => return Ok(None),
            Secret::Unread => {}
        }
        let row = self.one(&pool::card(self.pool.schema()))?;
        row.map_or(Ok(None), |row| pool::secret_of(&row))
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        let (engine, faults, notices) = ("PostgreSQL".to_owned(), Vec::new(), Vec::new());
        let nothing = Health { engine, schema: None, faults, of_others: Vec::new(), notices };
        if depth == Depth::Unsaid || !self.has_store()? {
            return Ok(nothing);
        }
        self.check_version()?;
        let view = Snapshot::new(self.pool.take()?, self.pool.begin_read(), &self.pool);
        let health = health::check(&view, depth == Depth::Deep);
        if view.ended().is_none() {
            self.pool.give_back(view.into_link(), true);
        }
        health
    }
}
