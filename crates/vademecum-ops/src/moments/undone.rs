//! What a moment has begun: whoever ends the process in its midst notes it and says so, and nothing is lost in silence.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vademecum_core::context::{Return, unreadable};
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{Event, Moment};

use super::capture::{self, Beside};
use super::missed::{self, Owing};
use super::recap;
use super::spool::{self, Queued};
use crate::world::World;

/// Why, as far as the thread knows that ends the process.
pub(super) const LATE: &str = "the store gave no answer in time";

/// What a moment does once its answer is out: what takes time there takes no context away.
#[derive(Default)]
pub struct Later {
    pub(super) tasks: RefCell<Vec<recap::Task>>,
    pub(super) undone: Arc<Undone>,
}

/// What a moment has begun.
#[derive(Debug, Default)]
pub struct Undone {
    /// What it keeps.
    keeping: Mutex<Keeping>,
    /// What it is about to bring back.
    owing: Mutex<Option<Owing>>,
    /// Whether the model is told at prompts.
    is_model_told: AtomicBool,
    /// What is printed for each end that somebody must hear of; first for the person alone, then for the model too.
    answers: Vec<(Noted, [Vec<u8>; 2])>,
}

/// What a moment keeps, which changes in one step: who ends the process finds it all begun or all settled.
#[derive(Debug, Default)]
struct Keeping {
    /// What it is about to keep.
    queued: Option<(PathBuf, Queued)>,
    /// Whether a person has asked it to remember something that is neither kept nor refused yet.
    is_asked: bool,
    /// What became of that, as it is printed once it is known, whatever becomes of the rest.
    told: Option<Vec<u8>>,
}

/// What was noted of a moment that came to no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// Nothing: it had begun nothing.
    Nothing,
    /// Nothing, and what a person asked it to remember is not kept.
    Unkept,
    /// What was to be kept waits on disk.
    Queued,
    /// What its model is owed; what was to be kept too.
    Owed,
}

impl Later {
    /// Nothing waits yet, and what `event` asks for is begun.
    #[must_use]
    pub fn of(world: &World, event: &Event<'_>) -> Self {
        let is_asked = capture::asked(event).is_some();
        let undone = Undone {
            keeping: Mutex::new(Keeping { is_asked, ..Keeping::default() }),
            owing: Mutex::new(missed::at_once(world, event)),
            is_model_told: AtomicBool::new(false),
            answers: answers(event, is_asked),
        };
        Self { tasks: RefCell::default(), undone: Arc::new(undone) }
    }

    /// What the moment has begun, for whoever ends the process.
    #[must_use]
    pub fn undone(&self) -> Arc<Undone> {
        Arc::clone(&self.undone)
    }
}

impl Undone {
    /// Notes what is begun, and gives what is to be printed of it.
    pub fn note(&self) -> (Noted, Vec<u8>) {
        let is_owed = held(&self.owing).take().is_some_and(|owing| owing.note());
        let keeping = std::mem::take(&mut *held(&self.keeping));
        let is_queued =
            keeping.queued.is_some_and(|(data, queued)| spool::append(&data, &queued).is_ok());
        let noted = match (is_owed, is_queued) {
            (true, _) => Noted::Owed,
            (false, true) => Noted::Queued,
            (false, false) if keeping.is_asked => Noted::Unkept,
            (false, false) => Noted::Nothing,
        };
        let is_model_told = usize::from(self.is_model_told.load(Ordering::SeqCst));
        let answer = || self.answers.iter().find(|(end, _)| *end == noted);
        let bytes = keeping.told.or_else(|| answer()?.1.get(is_model_told).cloned());
        (noted, bytes.unwrap_or_default())
    }

    /// Begins to keep this.
    pub(super) fn keeps(&self, data: PathBuf, queued: Queued) {
        held(&self.keeping).queued = Some((data, queued));
    }

    /// Notes that it is kept, or that there is nothing to keep.
    pub(super) fn is_kept(&self) {
        let mut keeping = held(&self.keeping);
        keeping.queued = None;
        keeping.is_asked = false;
    }

    /// Notes what became of what a person has asked for.
    pub(super) fn is_settled(&self, reply: Option<Vec<u8>>) {
        *held(&self.keeping) = Keeping { told: reply, ..Keeping::default() };
    }

    /// Notes that the model is told at prompts.
    pub(super) fn tells_model(&self) {
        self.is_model_told.store(true, Ordering::SeqCst);
    }

    /// Begins to bring this back.
    pub(super) fn owes(&self, owing: Option<Owing>) {
        *held(&self.owing) = owing;
    }

    /// Notes that what is begun is not brought back; whether it is later.
    pub(super) fn is_missed(&self) -> bool {
        held(&self.owing).take().is_some_and(|owing| owing.note())
    }
}

/// What is printed for `event` by who comes too late to know more of it.
fn answers(event: &Event<'_>, is_asked: bool) -> Vec<(Noted, [Vec<u8>; 2])> {
    let mut replies = Vec::new();
    if let Moment::SessionStart { source, .. } = &event.moment {
        let message = format!("vade: {LATE}: memory comes back with a later prompt or call");
        let context = Some(unreadable(LATE, Return::Later, source.is_of_begun()));
        let reply = Reply { context, message: Some(message), ..Reply::default() };
        replies.push((Noted::Owed, [reply.clone(), reply]));
    }
    if is_asked {
        replies.push((Noted::Queued, Beside::waits(LATE).replies()));
        replies.push((Noted::Unkept, Beside::not(&format!("{LATE}; say it again")).replies()));
    }
    let bytes = |reply: Reply| reply.to_bytes(event).unwrap_or_default();
    replies.into_iter().map(|(end, replies)| (end, replies.map(bytes))).collect()
}

/// A panic elsewhere leaves nothing half done here.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
