//! Every case with every call failing in turn: after a fault the store is sound, and a caller that
//! repeats the call sees what it would have seen without one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;

use super::sound::check_sound;
use crate::error::StoreError;
use crate::faulty::{Faulty, Point, is_fault};
use crate::journal::Record;
use crate::store::{Decide, Depth, Erase, Health, IntentId, Look, Store, read};
use crate::write::{Outcome, Write};

/// More calls than any case makes.
const MOST_CALLS: usize = 10_000;

const POINTS: [Point; 3] = [Point::Before, Point::During, Point::After];

/// Runs every case with its n-th call failing, for one n in `every` and at every point; how many faults that were.
///
/// Where each case begins to count is another place, so that a slice sees all kinds of calls fail.
///
/// `place` names a new, empty store each time; what it gives opens a fresh handle on that store.
pub fn run_with_faults<S: Store, H: Fn() -> S + Send + Sync>(
    place: &mut impl FnMut() -> H,
    every: usize,
) -> usize {
    let mut n_faults = 0;
    for (number, (name, case)) in super::cases().into_iter().enumerate() {
        for point in POINTS {
            n_faults += (number % every..MOST_CALLS)
                .step_by(every)
                .take_while(|&nth| {
                    println!("conformance: {name}, call {nth} fails: {point:?}");
                    strikes(case, point, nth, place())
                })
                .count();
        }
    }
    n_faults
}

/// Runs a case with this one fault; whether the case makes so many calls.
fn strikes<S: Store>(
    case: fn(&dyn Store),
    point: Point,
    nth: usize,
    open: impl Fn() -> S + Send + Sync,
) -> bool {
    let store = Repeating {
        faulty: Faulty::new(open(), point, nth),
        point,
        witness: open(),
        open: &open,
        n_faults: AtomicUsize::new(0),
    };
    case(&store);
    check_sound(&open());
    // A repeat is no call of the case itself.
    nth < store.faulty.calls() - store.n_faults.load(Ordering::SeqCst)
}

/// A careful caller: after a fault it looks at the store through a fresh handle, and calls again.
struct Repeating<'a, S, H> {
    faulty: Faulty<S>,
    point: Point,
    /// A handle that was open all the time.
    witness: S,
    open: &'a H,
    n_faults: AtomicUsize,
}

impl<S: Store, H: Fn() -> S> Repeating<'_, S, H> {
    fn again<T>(
        &self,
        call: &mut dyn FnMut(&Faulty<S>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match call(&self.faulty) {
            Err(error) if is_fault(&error) => {
                self.n_faults.fetch_add(1, Ordering::SeqCst);
                check_sound(&(self.open)());
                call(&self.faulty)
            }
            done => done,
        }
    }

    /// Where the journal ends, and the entry that a write has in it.
    fn found(store: &S, write: &Write) -> (Seq, Option<Record>) {
        let newest = store.wait(Seq(0), Duration::ZERO).expect("a wait");
        let record = read(store, |view| view.record_of(&write.scope, &write.id));
        (newest, record.expect("a read"))
    }

    /// The outcome of a repeat, as the first call would have given it.
    fn settle(&self, write: &Write, before: &(Seq, Option<Record>), again: Outcome) -> Outcome {
        let after = Self::found(&self.witness, write);
        match (&before.1, &after.1, again) {
            (None, Some(record), Outcome::Replayed { seq, .. }) => {
                assert_eq!((self.point, seq), (Point::After, record.seq));
                Outcome::Done { seq }
            }
            (_, _, outcome) => outcome,
        }
    }
}

impl<S: Store, H: Fn() -> S + Send + Sync> Store for Repeating<'_, S, H> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        self.again(&mut |store| store.read(look))
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        let before = Self::found(&self.witness, write);
        match self.faulty.write(write, decide) {
            Err(error) if is_fault(&error) => {}
            done => return done,
        }
        self.n_faults.fetch_add(1, Ordering::SeqCst);
        let fresh = (self.open)();
        check_sound(&fresh);
        let left = Self::found(&fresh, write);
        if self.point != Point::After {
            assert_eq!(left, before, "a write that failed has left something");
        }
        let again = self.faulty.write(write, decide);
        let end = Self::found(&(self.open)(), write);
        if left != before {
            assert_eq!(end, left, "a write that was done is done twice");
        }
        again.map(|outcome| self.settle(write, &before, outcome))
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.again(&mut |store| store.wait(after, timeout))
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.again(&mut |store| store.intend(what))
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.again(&mut |store| store.erase(what, fulfils))
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.again(&mut Store::shrink)
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        self.faulty.secret()
    }

    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        self.again(&mut |store| store.health(depth))
    }
}
