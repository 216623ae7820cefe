//! What the next session gets of the one before: the agent's own words, its page, its notes, the recap.

mod file;
mod text;

use vademecum_core::note::Note;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::tokens::estimate;
use vademecum_harness::transcript::Span;
use vademecum_store::{NoteFilter, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::recaps::methods::Making;
use crate::recaps::{self, find};
use crate::shapes::NoteShape;
use crate::succession;
use crate::world::World;

pub use file::write_file;
pub(crate) use file::{forget, forget_where};
pub use text::{Reader, in_file, rest_text, text, unread};

/// A page of at most so many tokens is quoted whole; of a longer one, what is open in it.
const PAGE_WHOLE: usize = 1500;

/// What a handoff gives to notes and recap when nothing else is said, in tokens; half of it is the recap's.
pub const BUDGET: usize = 2 * recaps::BUDGET;

/// So many open notes are read, the newest: no reader gets to the end of more.
const NOTES: usize = 10_000;

/// By these tags a note goes before the others.
const FIRST: [&str; 2] = ["decision", "todo"];

/// All that a session leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// The day on which it worked last, as people write it.
    pub day: Option<String>,
    /// What its agent wrote for the next.
    pub words: Option<String>,
    /// Whether those, on a desk, are not of the person who works here.
    pub is_anothers: bool,
    /// Its page.
    pub notepad: String,
    /// Its open notes: decisions and todos, then the others, the newest of each first.
    pub notes: Vec<Note>,
    /// How many more there are.
    pub more_notes: u64,
    /// The last recap that was made of it.
    pub recap: Option<recaps::Kept>,
    /// What its sub-agents wrote, each behind its id, the newest first.
    pub agents: Vec<(String, String)>,
    /// Its sub-agents that keep a page or open notes, by their handles, the last started first.
    pub keepers: Vec<String>,
    /// The session that it took over itself.
    pub before: Option<Session>,
    /// The sessions that took it over, and whether each counts as running.
    pub takers: Vec<(String, bool)>,
    /// Whether it counts as running still.
    pub is_running: bool,
    /// Whether a person dismissed or archived it, and it did nothing since.
    pub is_put_away: bool,
}

impl Left {
    /// Reads what `session` leaves.
    pub fn of(view: &dyn View, world: &World, session: &Session) -> Result<Self, StoreError> {
        let mut notes = view.notes(&session.key, &NoteFilter::default(), NOTES)?;
        let is_first =
            |note: &Note| note.tags.as_slice().iter().any(|tag| FIRST.contains(&tag.as_str()));
        notes.sort_by_key(|note| !is_first(note));
        let more_notes = view.counts(&session.key)?.open.saturating_sub(notes.len() as u64);
        let recap = view.recap(&session.key)?.and_then(|kept| recaps::Kept::parse(&kept.body));
        let at = succession::last_work(view, session)?.or(session.ended_at);
        // A sub-agent has none of its own: those of its session are its siblings, and itself.
        let (agents, keepers) = match &session.key.agent {
            Some(_) => (Vec::new(), Vec::new()),
            None => (view.handoffs_of_agents(&session.key)?, keepers(view, session)?),
        };
        let words = view.handoff(&session.key)?;
        let is_anothers = match words.as_ref().filter(|_| is_desk(session)) {
            Some(words) => succession::is_anothers(view, world, (session, words))?,
            None => false,
        };
        Ok(Self {
            day: at.map(|at| at.short_day((world.east)(at))),
            is_anothers,
            words: words.map(|words| words.text),
            notepad: view.notepad(&session.key)?.map(|page| page.text).unwrap_or_default(),
            notes,
            more_notes,
            recap,
            agents: agents.into_iter().map(|(agent, words)| (agent, words.text)).collect(),
            keepers,
            before: succession::taken_over(view, session)?,
            ..Self::default()
        })
    }

    /// The words alone: page and notes of a person's own desk are for no agent.
    #[must_use]
    pub fn words_alone(self) -> Self {
        let (notepad, notes) = (String::new(), Vec::new());
        Self { notepad, notes, more_notes: 0, recap: None, ..self }
    }

    /// Whether there is nothing to hand on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let recap = self.recap.as_ref().is_none_or(|recap| recap.text.is_empty());
        let words = self.words.is_none() && self.agents.is_empty() && self.keepers.is_empty();
        words && self.notepad.trim().is_empty() && self.notes.is_empty() && recap
    }

    /// How many of the notes, from the first, a handoff within `budget` gives: the recap goes first.
    fn n_notes(&self, budget: usize) -> usize {
        let recap = self.recap.as_ref().map_or(0, |recap| estimate(&recap.text));
        self.n_notes_within(budget.saturating_sub(recap).max(budget / 2))
    }

    /// What stands in a handoff within `budget` before the recap, whatever that is.
    fn beside(&self, budget: usize) -> String {
        let page = if is_long(&self.notepad) { "" } else { self.notepad.as_str() };
        let notes = self.notes[..self.n_notes_within(budget / 2)].iter();
        let said = self.words.as_deref().into_iter().chain([page]);
        said.chain(notes.map(|note| note.content.as_str())).collect::<Vec<_>>().join("\n")
    }

    fn n_notes_within(&self, mut room: usize) -> usize {
        let fits = |note: &&Note| {
            let left = room.checked_sub(estimate(&NoteShape::of(note).line()));
            left.map(|left| room = left).is_some()
        };
        self.notes.iter().take_while(fits).count()
    }
}

/// The handles of the sub-agents of `session` that keep a page or open notes.
fn keepers(view: &dyn View, session: &Session) -> Result<Vec<String>, StoreError> {
    let mut agents = view.sessions_by_prefix(session.project, &session.key.external)?;
    agents.retain(|agent| agent.key.parent().as_ref() == Some(&session.key));
    view.expect(&|view| agents.iter().for_each(|agent| drop(keeps(view, agent))));
    let mut keepers = Vec::new();
    for agent in agents {
        if keeps(view, &agent)? {
            keepers.push(agent.handle());
        }
    }
    Ok(keepers)
}

fn keeps(view: &dyn View, agent: &Session) -> Result<bool, StoreError> {
    let page = view.page(&agent.key, 1)?;
    Ok(0 < view.counts(&agent.key)?.open || page.is_some_and(|page| !page.text.is_empty()))
}

/// Makes the recap anew from the whole transcript, with all that it leaves out.
///
/// Of a transcript that is gone the recap stays that was kept.
pub fn renew(
    call: &Call<'_>,
    left: &mut Left,
    session: &Session,
    budget: usize,
) -> Result<(), OpError> {
    let beside = left.beside(budget);
    let room = budget.saturating_sub(estimate(&beside) + AROUND).max(budget / 2);
    let renewed = find::of_session(session).map_or(Ok(()), |path| {
        let making = Making { beside: beside.clone(), ..recaps::making(call, session)? };
        let read = recaps::read_for(&making, &path, None, (Span::Whole, call.policy()))?;
        left.recap = Some(recaps::Kept::whole(read, making, room));
        Ok(())
    });
    if let Some(recap) = &mut left.recap {
        let said = format!("{}\n{beside}", recap.text);
        recap.rest.retain(|line| !said.contains(line.trim()) && recaps::tells(line));
    }
    renewed
}

/// What stands in a handoff around its texts, in tokens: titles, ids and tags of notes, what its reader has to do, what is left out.
const AROUND: usize = 170;

fn is_desk(session: &Session) -> bool {
    session.key.harness == SessionKey::DESK
}

/// Whether a page is too long to be quoted whole.
fn is_long(notepad: &str) -> bool {
    PAGE_WHOLE < estimate(notepad)
}
