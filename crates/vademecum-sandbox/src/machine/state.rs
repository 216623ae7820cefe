//! What the parts of an engine share: the limits, how far they are used up, and what has ended the program.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use crate::limits::Limits;
use crate::wire::{Failure, Fault, Place};

/// How long the program has run.
pub(crate) type Elapsed = dyn Fn() -> Duration;

/// The most rejections that are remembered.
const REJECTIONS: usize = 16;

/// What has been used, and what was printed.
pub(super) struct State {
    pub(super) limits: Limits,
    elapsed: Rc<Elapsed>,
    /// What ended the program; once set it stays, so that no `catch` goes on.
    pub(super) stop: Cell<Option<Fault>>,
    is_stopped: Cell<bool>,
    /// Where the program stood then.
    pub(super) place: Cell<Option<Place>>,
    pub(super) printed: RefCell<String>,
    pub(super) n_lines: Cell<usize>,
    n_calls: Cell<u32>,
    sent: Cell<usize>,
    rejections: RefCell<Vec<Failure>>,
}

impl State {
    pub(super) fn new(limits: Limits, elapsed: Rc<Elapsed>) -> Self {
        Self {
            limits,
            elapsed,
            stop: Cell::new(None),
            is_stopped: Cell::new(false),
            place: Cell::new(None),
            printed: RefCell::new(String::new()),
            n_lines: Cell::new(1),
            n_calls: Cell::new(0),
            sent: Cell::new(0),
            rejections: RefCell::new(Vec::new()),
        }
    }

    /// Whether the program is to end; looks at the clock.
    pub(super) fn is_stopped(&self) -> bool {
        if !self.is_stopped.get() && self.limits.time <= (self.elapsed)() {
            self.end(Fault::Time, None);
        }
        self.is_stopped.get()
    }

    /// Whether something has ended the program: a function that it calls then gives up at once, so that the
    /// program's own next step is the one that is interrupted.
    pub(super) fn is_over(&self) -> bool {
        self.is_stopped.get()
    }

    /// Ends the program for `fault`, unless something has ended it already.
    pub(super) fn end(&self, fault: Fault, place: Option<Place>) {
        if !self.is_stopped.replace(true) {
            self.stop.set(Some(fault));
            self.place.set(place);
        }
    }

    /// Notes where the program stood when it was ended.
    pub(super) fn note_place(&self, place: Option<Place>) {
        self.place.set(self.place.get().or(place));
    }

    /// Counts one call that sends so many bytes; says what it goes over.
    pub(super) fn count(&self, bytes: usize) -> Result<(), Fault> {
        self.n_calls.set(self.n_calls.get() + 1);
        self.sent.set(self.sent.get().saturating_add(bytes));
        match () {
            () if self.limits.calls < self.n_calls.get() => Err(Fault::Calls),
            () if self.limits.sent < self.sent.get() => Err(Fault::Sent),
            () => Ok(()),
        }
    }

    /// Prints `text` if it fits.
    pub(super) fn print(&self, text: &str) -> Result<(), Fault> {
        let mut printed = self.printed.borrow_mut();
        if self.limits.output < printed.len() + text.len() {
            return Err(Fault::Output);
        }
        printed.push_str(text);
        Ok(())
    }

    /// Remembers a rejected promise that nobody looks at, until somebody does.
    pub(super) fn note_rejection(&self, failure: Failure, is_handled: bool) {
        let mut all = self.rejections.borrow_mut();
        if !is_handled && all.len() < REJECTIONS {
            all.push(failure);
        } else if is_handled && let Some(at) = all.iter().position(|other| *other == failure) {
            all.remove(at);
        }
    }

    pub(super) fn first_rejection(&self) -> Option<Failure> {
        self.rejections.borrow().first().cloned()
    }
}
