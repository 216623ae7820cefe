//! One transaction: statements that can wait are sent with the next question, so that both take one round trip.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use tokio_postgres::Row;
use vademecum_core::hash::Key;
use vademecum_store::StoreError;

use crate::error::Fault;
use crate::link::{Link, Step};
use crate::names::Known;
use crate::pool::{self, Pool};
use crate::schema;
use crate::statement::{Statement, Value, column};

/// A transaction as the port looks at it.
pub(crate) struct Snapshot<'a> {
    link: RefCell<Link>,
    /// What is sent ahead of the next question.
    waiting: RefCell<Vec<Step>>,
    /// How many steps begin it.
    n_begin: usize,
    /// Whether something was asked: from then on the transaction is tied to this connection.
    has_begun: Cell<bool>,
    /// The fault that ended it, by which the caller of the port tells a lost connection from an answer.
    fault: Cell<Option<Ended>>,
    /// Gives another connection where the first question finds this one dead.
    pool: &'a Pool,
    pub(crate) known: RefCell<Known>,
    /// What was answered since the last change: who asks again is told the same.
    answered: RefCell<Vec<Answered>>,
    /// What is asked with the next question, for whoever asks that most often asks this too.
    ahead: RefCell<Vec<Statement>>,
    /// The sessions of the last list.
    listed: RefCell<Vec<Listed>>,
    /// Whether what is asked is only noted, to be asked with the next question.
    is_rehearsal: Cell<bool>,
    /// Why what was noted could not be asked, for whoever asks next: the server says no more than that it stopped there.
    failed: Cell<Option<StoreError>>,
}

/// A session of a list, in both ways in which a statement names it.
#[derive(Debug, Clone)]
pub(crate) struct Listed(pub(crate) [Value; 2]);

/// So many of a list are asked about at once.
const TOGETHER: usize = 64;

/// A question that was answered.
struct Answered {
    asked: Statement,
    rows: Rows,
    /// Whether somebody has asked it, and not only this program ahead of that.
    is_asked: Cell<bool>,
}

/// The rows of an answer, which more than one may read.
pub(crate) type Rows = Rc<Vec<Row>>;

/// The first row of an answer.
pub(crate) struct First(Rows);

impl Deref for First {
    type Target = Row;

    fn deref(&self) -> &Row {
        self.0.first().expect("it is made of an answer with a row")
    }
}

/// Why a transaction cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The connection is gone.
    Lost,
    /// There is no store yet.
    NoSchema,
}

impl<'a> Snapshot<'a> {
    /// A transaction that `begin` begins once something is asked.
    pub(crate) fn new(link: Link, begin: Vec<Step>, pool: &'a Pool) -> Self {
        Self {
            link: RefCell::new(link),
            n_begin: begin.len(),
            waiting: RefCell::new(begin),
            has_begun: Cell::new(false),
            fault: Cell::new(None),
            pool,
            known: RefCell::default(),
            answered: RefCell::default(),
            ahead: RefCell::default(),
            listed: RefCell::default(),
            is_rehearsal: Cell::new(false),
            failed: Cell::new(None),
        }
    }

    /// Runs `ask` with empty answers for what nobody has asked yet, and asks that with the next question.
    ///
    /// What is answered leads to more, such as the numbers of sessions: so it is asked, and run once more.
    pub(crate) fn rehearse(&self, ask: &dyn Fn()) {
        // Within another rehearsal this is a part of it.
        if self.is_rehearsal.get() {
            return ask();
        }
        self.rehearse_once(ask);
        match self.ask_ahead() {
            Ok(()) => self.rehearse_once(ask),
            Err(error) => self.failed.set(Some(error)),
        }
    }

    /// Whether what is asked is only noted: answers are made of little, and dropped.
    pub(crate) fn is_rehearsal(&self) -> bool {
        self.is_rehearsal.get()
    }

    fn rehearse_once(&self, ask: &dyn Fn()) {
        self.is_rehearsal.set(true);
        ask();
        self.is_rehearsal.set(false);
        // What was answered with nothing may be there.
        self.known.borrow_mut().forget_gone();
    }

    /// The same, which asks for these with its first question.
    pub(crate) fn with(self, ahead: Vec<Statement>) -> Self {
        self.ahead.replace(ahead);
        self
    }

    /// The cards that were asked for, in their order; not those that were only asked ahead.
    pub(crate) fn cards(&self) -> Vec<Statement> {
        let answered = self.answered.borrow();
        let asked = answered.iter().filter(|known| known.is_asked.get() && known.asked.is_card);
        asked.map(|known| known.asked.clone()).collect()
    }

    /// Why it cannot go on; none while it can.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.fault.get()
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.get()
    }

    pub(crate) fn into_link(self) -> Link {
        self.link.into_inner()
    }

    /// Makes a statement whose rows nobody reads.
    pub(crate) fn tell(&self, statement: Statement) {
        self.answered.borrow_mut().clear();
        self.listed.borrow_mut().clear();
        self.waiting.borrow_mut().push(Step::Ask(statement));
    }

    /// The rows of one question.
    pub(crate) fn ask(&self, statement: Statement) -> Result<Rows, StoreError> {
        Ok(self.ask_all(&[statement])?.pop().unwrap_or_default())
    }

    /// Notes that these sessions were listed: whoever goes through a list asks the same of each.
    pub(crate) fn list(&self, sessions: Vec<Listed>) {
        self.listed.replace(sessions);
    }

    /// The rows of a question whose first value names a session.
    ///
    /// Of one that was listed, those behind it are asked about in the same round trip.
    pub(crate) fn ask_of(&self, statement: Statement) -> Result<Rows, StoreError> {
        if self.answer(&statement).is_none() {
            self.ahead.borrow_mut().extend(self.of_those_behind(&statement));
        }
        self.ask(statement)
    }

    /// The same question of those behind its session in the last list.
    fn of_those_behind(&self, statement: &Statement) -> Vec<Statement> {
        let (listed, Some(named)) = (self.listed.borrow(), statement.values.first()) else {
            return Vec::new();
        };
        let place = |Listed(names): &Listed| names.iter().position(|name| name == named);
        let at = listed.iter().enumerate().find_map(|(at, it)| Some((at, place(it)?)));
        let Some((at, way)) = at else { return Vec::new() };
        let behind = listed.iter().skip(at + 1).take(TOGETHER - 1);
        let same = behind.map(|Listed(names)| {
            let mut same = statement.clone();
            same.values[0] = names[way].clone();
            same
        });
        same.filter(|same| !self.has_answer(same)).collect()
    }

    /// The first row of a question whose first value names a session.
    pub(crate) fn ask_one_of(&self, statement: Statement) -> Result<Option<First>, StoreError> {
        Ok(Some(self.ask_of(statement)?).filter(|rows| !rows.is_empty()).map(First))
    }

    /// The first row of a question.
    pub(crate) fn ask_one(&self, statement: Statement) -> Result<Option<First>, StoreError> {
        Ok(Some(self.ask(statement)?).filter(|rows| !rows.is_empty()).map(First))
    }

    /// The rows of questions that none of the others' answers are needed for: one round trip.
    pub(crate) fn ask_all(&self, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
        let mut unanswered: Vec<Statement> =
            statements.iter().filter(|asked| self.answer(asked).is_none()).cloned().collect();
        if self.is_rehearsal.get() {
            let mut ahead = self.ahead.borrow_mut();
            unanswered.retain(|asked| !ahead.contains(asked));
            ahead.extend(unanswered);
        } else if !unanswered.is_empty() {
            let ahead = self.ahead.take().into_iter().filter(|asked| !statements.contains(asked));
            unanswered.extend(ahead);
            self.fetch(unanswered)?;
        }
        Ok(statements.iter().map(|asked| self.answer(asked).unwrap_or_default()).collect())
    }

    /// Asks what was noted to be asked with the next question.
    fn ask_ahead(&self) -> Result<(), StoreError> {
        let ahead = self.ahead.take();
        if ahead.is_empty() { Ok(()) } else { self.fetch(ahead) }
    }

    /// Asks these in one round trip, and keeps the answers.
    fn fetch(&self, mut asked: Vec<Statement>) -> Result<(), StoreError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if !self.has_begun.get() {
            // What begins the transaction asks for it.
            asked.retain(|asked| *asked != pool::own_card());
        }
        let mut steps = self.waiting.take();
        let n_ahead = steps.len();
        steps.extend(asked.iter().cloned().map(Step::Ask));
        let rows = self.trip(steps)?.into_iter().skip(n_ahead).map(Rc::new);
        let answered = asked.into_iter().zip(rows).map(|(asked, rows)| Answered {
            asked,
            rows,
            is_asked: Cell::new(false),
        });
        self.answered.borrow_mut().extend(answered);
        Ok(())
    }

    /// Whether this was answered already.
    pub(crate) fn has_answer(&self, asked: &Statement) -> bool {
        self.answered.borrow().iter().any(|known| known.asked == *asked)
    }

    fn answer(&self, asked: &Statement) -> Option<Rows> {
        let answered = self.answered.borrow();
        let known = answered.iter().find(|known| known.asked == *asked)?;
        known.is_asked.set(true);
        Some(Rc::clone(&known.rows))
    }

    /// Sends all that waits, and this behind it.
    pub(crate) fn finish(&self, last: Step) -> Result<(), StoreError> {
        let mut steps = self.waiting.take();
        steps.push(last);
        self.trip(steps).map(drop)
    }

    /// With what the keys of notes are hashed. Who has never written has none, and no notes.
    pub(crate) fn salt(&self) -> Result<Key, StoreError> {
        if self.pool.salt().is_none() && !self.has_begun.get() {
            self.ask(pool::own_card())?;
        }
        Ok(self.pool.salt().unwrap_or(Key([0; 32])))
    }

    /// The last part of what begins a transaction reads the store's own card.
    fn keep_own_card(&self, rows: &mut [Vec<Row>]) -> Result<(), StoreError> {
        let Some(rows) = rows.get_mut(self.n_begin - 1).map(std::mem::take) else { return Ok(()) };
        let Some(row) = rows.first() else { return Ok(()) };
        let version = column(row, 0)?;
        schema::check(version)?;
        self.pool.saw(version);
        self.pool.keep_secret(pool::secret_of(row)?);
        self.pool.keep_salt(pool::salt_of(row)?);
        self.answered.borrow_mut().push(Answered {
            asked: pool::own_card(),
            rows: Rc::new(rows),
            is_asked: Cell::new(false),
        });
        Ok(())
    }

    fn trip(&self, steps: Vec<Step>) -> Result<Vec<Vec<Row>>, StoreError> {
        let can_repeat = !self.has_begun.get();
        let first = if can_repeat { steps.clone() } else { Vec::new() };
        let done = self.link.borrow().trip(steps);
        let mut done = match done {
            Err(Fault::Lost(_)) if can_repeat => match self.pool.take() {
                Ok(link) => {
                    *self.link.borrow_mut() = link;
                    self.link.borrow().trip(first)
                }
                Err(fault) => Err(fault),
            },
            done => done,
        };
        if can_repeat && let Ok(rows) = &mut done {
            self.keep_own_card(rows)?;
        }
        self.has_begun.set(true);
        done.map_err(|fault| {
            self.fault.set(match &fault {
                Fault::Lost(_) => Some(Ended::Lost),
                Fault::NoSchema => Some(Ended::NoSchema),
                Fault::Told(_) => self.fault.get(),
            });
            fault.into()
        })
    }
}
