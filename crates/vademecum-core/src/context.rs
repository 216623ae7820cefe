//! The context: what is put in front of the model at a moment, within what the harness lets through.
//!
//! The same material gives the same bytes: nothing here knows a clock, an age or a count that moves.

mod agents;
mod cap;
mod certain;
mod draft;
mod form;
mod knowledge;
mod notes;
mod offer;
mod page;
mod page_changes;
mod recap;
mod receipt;
mod table;
mod ticked;
mod words;

pub use cap::{Cap, Unit};
pub use certain::{Back, Page, PutBack, put_back};
pub use knowledge::{Knowledge, LINE as ENTRY_LINE, Lapsed, cost_of_telling};
pub use offer::{Last, Leaver, Offer, Older, Taker};
pub use page::{Beside, Share, Whole, share};
pub use recap::{Follows, Recap};
pub use receipt::{Seal, seal};
pub use table::BlockName;
pub use words::FIRST;

use crate::frame::Nonce;
use crate::id::NoteId;
use crate::note::Note;
use crate::profile::{Before, Profile};
use crate::sub_agent::SubAgent;

/// When a harness asks for context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The session was compacted.
    Compact,
    /// The session goes on after a stop.
    Resume,
    /// The session is a copy of another one.
    Fork,
    /// A new session began.
    Start,
    /// A new session began because the user cleared the conversation.
    Clear,
    /// The user sent a message, or a host asks for what has changed.
    Prompt,
    /// A sub-agent was compacted; the material is the sub-agent's own.
    AgentCompact,
}

/// What others have changed in the session since it was last shown to the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outside<'a> {
    /// Whether the notepad's text is theirs.
    pub notepad: bool,
    /// The notepad as the conversation has it; none where it has none, or that is not known.
    pub page_before: Option<&'a str>,
    /// The open notes that they added or changed, as far as they were looked up.
    pub notes: &'a [Note],
    /// How many more there may be.
    pub more_notes: u64,
    /// The notes that are crossed out or deleted, and that its model may still hold for open.
    pub gone: &'a [NoteId],
    /// The sub-agents that were told of as running, and run no more.
    pub stopped: &'a [String],
    /// The entries of the project that its model may hold for in force, and that are not.
    pub lapsed: &'a [Lapsed],
}

/// All that a context is made of.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// When it is asked for.
    pub moment: Moment,
    /// Whose words and blocks it has.
    pub profile: Profile,
    /// The budget of the scratchpad, where the page stands in front of each user message.
    pub scratchpad: Option<usize>,
    /// The short name of the session.
    pub handle: &'a str,
    /// The session's place in its project's line, from 1.
    pub instance: u32,
    /// What is wrong with the memory, one sentence each, without anything that moves.
    pub faults: &'a [String],
    /// The notepad's text, or the head of one that is too large to be read whole.
    pub notepad: &'a str,
    /// How many bytes of it stand behind that head.
    pub notepad_more: u64,
    /// The notepad's revision.
    pub notepad_rev: u64,
    /// What was said and done so far; only asked for where the conversation itself is gone.
    pub recap: Option<Recap<'a>>,
    /// The sub-agents of the session that still run, the first started first.
    pub running: &'a [SubAgent],
    /// Open notes, in any order: the newest, and the newest decisions and todos.
    pub notes: &'a [Note],
    /// How many open notes there are.
    pub n_open_notes: u64,
    /// What others changed; only a prompt asks for it.
    pub outside: Outside<'a>,
    /// The short name of the session whose work it took over, where its conversation may not tell that.
    pub took_over: Option<&'a str>,
    /// The session that took over its own work since; only a resume asks for it.
    pub taken_by: Option<Taker<'a>>,
    /// What a session before left open, which only a new session asks for; of a compacted one the user's word that it has not read.
    pub offer: Option<Offer<'a>>,
    /// What the project knows.
    pub knowledge: Option<Knowledge<'a>>,
    /// The receipt of an earlier context of the same conversation that this one replaces.
    pub replaces: Option<&'a str>,
    /// Whether a model is offered what earlier sessions kept.
    pub recalls: bool,
    /// Whether anything can be saved; a session that keeps nothing is else not asked to.
    pub saves: bool,
}

impl Moment {
    /// Whether no user message follows: what else stands in front of one is shown now.
    #[must_use]
    pub fn is_inside_turn(self) -> bool {
        match self {
            Self::Compact | Self::AgentCompact => true,
            Self::Resume | Self::Fork | Self::Start | Self::Clear | Self::Prompt => false,
        }
    }
}

impl Material<'_> {
    /// As much of it as the profile has blocks for.
    fn seen(self) -> Self {
        let words = self.profile.words();
        let mut seen = self;
        if !words.has(BlockName::Notepad) {
            seen = Self { notepad: "", notepad_more: 0, notepad_rev: 0, ..seen };
        }
        seen.outside.notepad &= words.has(BlockName::Notepad) && !self.is_page_elsewhere();
        if !words.has(BlockName::Recap) {
            seen.recap = None;
        }
        if !words.has(BlockName::Agents) {
            seen.running = &[];
            seen.outside.stopped = &[];
        }
        if !words.has(BlockName::Notes) {
            seen = Self { notes: &[], n_open_notes: 0, ..seen };
            seen.outside = Outside { notes: &[], more_notes: 0, gone: &[], ..seen.outside };
        }
        if !words.has(BlockName::Knowledge) {
            seen.knowledge = None;
            seen.outside.lapsed = &[];
        }
        seen.offer = match words.before {
            Before::Nothing => None,
            Before::Offer => seen.offer,
            Before::Recap => seen.offer.map(Offer::words_alone),
        };
        seen.took_over = seen.took_over.filter(|_| words.before == Before::Offer);
        seen
    }

    /// Whether its recap is of the session before.
    fn is_told_of_before(&self) -> bool {
        self.recap.is_some_and(|recap| recap.before.is_some())
    }

    /// Whether the page is not for this context: it stands in front of the next user message.
    fn is_page_elsewhere(&self) -> bool {
        self.scratchpad.is_some() && !self.moment.is_inside_turn() && !self.is_page_empty()
    }

    fn is_page_empty(&self) -> bool {
        self.notepad_more == 0 && crate::notepad::is_empty(self.notepad)
    }

    fn is_unused(&self) -> bool {
        let keeps_none = self.notes.is_empty() && self.n_open_notes == 0;
        let tells_none = self.recap.is_none() && self.running.is_empty();
        self.is_page_empty() && keeps_none && tells_none
    }
}

/// What sort of context it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    /// All that the session keeps.
    Full,
    /// What others have changed.
    Changes,
    /// What a session before left open.
    Offer,
    /// One line for a session that keeps nothing yet.
    Hint,
    /// That line, and what the project knows.
    Project,
}

impl Sort {
    /// Whether it tells all that was kept when it was composed.
    #[must_use]
    pub fn is_whole(self) -> bool {
        match self {
            Self::Full | Self::Offer | Self::Hint | Self::Project => true,
            Self::Changes => false,
        }
    }
}

/// One block of a context, shown or absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Which block it is.
    pub name: BlockName,
    /// Its text; empty where it is absent.
    pub text: String,
    /// What it takes of the cap, in the cap's unit.
    pub units: usize,
    /// How many of its lines (notepad, recap), sub-agents or notes are shown.
    pub shown: u64,
    /// How many there are.
    pub of: u64,
    /// Why it looks as it does, for a person who asks.
    pub why: String,
}

impl Block {
    /// About what it costs the model, in tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        crate::tokens::estimate(&self.text)
    }

    /// How many lines or notes of it did not fit; none where all did.
    #[must_use]
    pub fn left_out(&self) -> Option<(BlockName, u64)> {
        self.of.checked_sub(self.shown).filter(|&n| 0 < n).map(|n| (self.name, n))
    }
}

/// What is put in front of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// What sort it is.
    pub sort: Sort,
    /// The text, byte for byte.
    pub text: String,
    /// The 16 digits of the last line, by which delivery is proven.
    pub receipt: Option<String>,
    /// Its blocks in order, those too that are absent because they are empty or had no room.
    pub blocks: Vec<Block>,
    /// What the person is told of it, on one line; none of a hint.
    pub notice: Option<String>,
}

impl Context {
    /// The same with one more line at its end, apart from what stands above it, and a receipt of its own where it has one.
    #[must_use]
    pub fn with_line(mut self, line: &str) -> Self {
        let receipt = self.receipt.take();
        let end = receipt.as_deref().map_or(0, |old| receipt::line(old).len());
        self.text.truncate(self.text.len() - end);
        let above = if self.text.ends_with('\n') { "\n" } else { "\n\n" };
        self.text.extend([above, line]);
        if receipt.is_some() {
            self.text.push('\n');
            let new = receipt::receipt(&self.text);
            self.text.push_str(&receipt::line(&new));
            self.receipt = Some(new);
        }
        self
    }

    /// The block of this name.
    #[must_use]
    pub fn block(&self, name: BlockName) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// What did not fit: lines of the notepad, notes.
    pub fn left_out(&self) -> impl Iterator<Item = (BlockName, u64)> {
        self.blocks.iter().filter_map(Block::left_out)
    }

    /// About what the whole costs the model, in tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        crate::tokens::estimate(&self.text)
    }
}

/// Composes the context of a moment; nothing where there is nothing to say.
///
/// The text never passes the cap: below [`Cap::MIN`] there may be none at all.
#[must_use]
pub fn compose(material: &Material, cap: &Cap, nonce: &Nonce) -> Option<Context> {
    let form = form::Form { cap: *cap, nonce };
    let context = draft::draft(material, &form)?;
    let context = match words::word(&material.seen(), &form) {
        // Where nothing is kept it stands below the line that says so.
        Some(word) if context.sort == Sort::Full => with_word(context, &word, (material, &form)),
        Some(_) | None => context,
    };
    let notice = words::notice(&context, material);
    (cap.measure(&context.text) <= cap.units).then_some(Context { notice, ..context })
}

/// The context with the user's word behind it; a recap gives room for that, and what a page or notes are promised does not.
fn with_word(whole: Context, word: &str, (material, form): (&Material, &form::Form)) -> Context {
    let room = form.cap.measure(word) + "\n\n".len();
    let fits = |context: &Context| form.cap.measure(&context.text) + room <= form.cap.units;
    if fits(&whole) {
        return whole.with_line(word);
    }
    let shown = |context: &Context| {
        let promised = [BlockName::Notepad, BlockName::Notes];
        promised.map(|name| context.block(name).map(|block| block.shown))
    };
    let cap = Cap { units: form.cap.units.saturating_sub(room), ..form.cap };
    let shorter = draft::draft(material, &form::Form { cap, nonce: form.nonce });
    let shorter = shorter.filter(|shorter| fits(shorter) && shown(shorter) == shown(&whole));
    shorter.map_or(whole, |shorter| shorter.with_line(word))
}

/// When what cannot be read now comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Return {
    /// By itself, at a later event of the session.
    Later,
    /// Once the session is resumed.
    OnResume,
    /// Nobody knows: the store is damaged, or something else lies in its place.
    Unknown,
}

/// Says in two lines that there is no context, and why: the store cannot be read. `is_begun` if the session may have kept something.
#[must_use]
pub fn unreadable(fault: &str, when: Return, is_begun: bool) -> String {
    words::unreadable(fault, when, is_begun)
}

#[cfg(test)]
mod tests;
