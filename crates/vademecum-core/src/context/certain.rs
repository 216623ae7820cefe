//! What a compaction puts back for certain: what of page and notes is shown, whatever comes beside them.

use super::cap::Cap;
use super::form::Form;
use super::notes::Listing;
use super::page::{AROUND, Beside, Stored};
use super::table::{BlockName, GAP, OPEN_NOTES, Part, gap, settle};
use crate::frame::Nonce;
use crate::profile::{Layout, Profile, Words};
use crate::scratchpad;

/// The page that a session keeps, and under which words it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// Whose blocks a context has.
    pub profile: Profile,
    /// The budget of the scratchpad, where the page is one.
    pub scratchpad: Option<usize>,
    /// The text, or the head of one that is too large to be read whole.
    pub content: &'a str,
    /// How many bytes of it stand behind that head.
    pub more: u64,
    /// Whether a compaction puts anything back.
    pub is_put_back: bool,
}

/// How much of a page or of notes is put back for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Back {
    /// There is none.
    Nothing,
    /// All of it.
    Whole,
    /// At least the first `shown` lines or notes of so many, as far as they are counted.
    First {
        /// How many.
        shown: u64,
        /// Of how many; none where not all was read.
        of: Option<u64>,
    },
}

/// What a compaction puts back for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutBack {
    /// The page, in lines.
    pub page: Back,
    /// The open notes.
    pub notes: Back,
    /// Whether anything is put back: a person may have switched that off.
    pub is_on: bool,
}

impl PutBack {
    /// Whether all of page and notes is put back, and what is written to them as long as it is short.
    #[must_use]
    pub fn is_all(&self) -> bool {
        let is_all = |back: Back| matches!(back, Back::Nothing | Back::Whole);
        self.is_on && is_all(self.page) && is_all(self.notes)
    }

    /// Nothing of what is kept.
    fn none(has_page: bool, n_notes: u64) -> Self {
        let unless = |is_empty: bool, of| {
            if is_empty { Back::Nothing } else { Back::First { shown: 0, of } }
        };
        let (page, notes) = (unless(!has_page, None), unless(n_notes == 0, Some(n_notes)));
        Self { page, notes, is_on: false }
    }
}

/// What is put back of `page` and of the notes `beside` it, while there is no fault to tell of.
#[must_use]
pub fn put_back(page: &Page<'_>, beside: &Beside, cap: &Cap, nonce: &Nonce) -> PutBack {
    let form = Form { cap: *cap, nonce };
    let words = page.profile.words();
    let is_empty = page.more == 0 && crate::notepad::is_empty(page.content);
    let has_page = !is_empty && words.has(BlockName::Notepad);
    let n_notes = if words.has(BlockName::Notes) { beside.n_open_notes } else { 0 };
    if !page.is_put_back {
        return PutBack::none(has_page, n_notes);
    }
    let notes = Listing::new(OPEN_NOTES, &beside.notes, n_notes, &form);
    let (stored, room) = match words.layout {
        Layout::Framed(_) => {
            (Stored::new(page.content, page.more, &form), cap.units.saturating_sub(AROUND))
        }
        Layout::Notepad => (Stored::alone(page.content, page.more, &form), cap.units),
        Layout::Scratchpad => {
            let page = of_scratchpad(page, &form);
            return PutBack { page, notes: Back::Nothing, is_on: true };
        }
    };
    let page_wants = if has_page { gap(stored.want(&form)) } else { 0 };
    let notes_want = if n_notes == 0 { 0 } else { gap(notes.want(&form)) };
    let grants = grants(room, (page_wants, notes_want), beside, words);
    PutBack {
        is_on: true,
        page: if has_page { of_page(page, &stored, grants[0], &form) } else { Back::Nothing },
        notes: match n_notes {
            0 => Back::Nothing,
            of => match notes.first(grants[3], &form) {
                shown if shown == of => Back::Whole,
                shown => Back::First { shown, of: Some(of) },
            },
        },
    }
}

/// What each block is granted of `room`, without the gap behind it.
fn grants(
    room: usize,
    (page, notes): (usize, usize),
    beside: &Beside,
    words: &Words,
) -> Vec<usize> {
    let any = |is_there: bool, name| if is_there && words.has(name) { room } else { 0 };
    let wants = [
        (BlockName::Notepad, page),
        // A recap and what sub-agents were asked may be of any length.
        (BlockName::Recap, any(beside.recap, BlockName::Recap)),
        (BlockName::Agents, any(beside.agents, BlockName::Agents)),
        (BlockName::Notes, notes),
        (BlockName::Knowledge, any(beside.knowledge, BlockName::Knowledge)),
    ];
    settle(room, &wants).into_iter().map(|grant| grant.saturating_sub(GAP)).collect()
}

fn of_page(page: &Page<'_>, stored: &Stored<'_>, room: usize, form: &Form) -> Back {
    if page.more == 0 && stored.want(form) <= room {
        return Back::Whole;
    }
    let shown = stored.first(room, form);
    Back::First { shown, of: (page.more == 0).then(|| stored.of()) }
}

/// Its block is cut inside a line, by its budget or by what the harness takes.
fn of_scratchpad(page: &Page<'_>, form: &Form) -> Back {
    let Page { scratchpad: Some(budget), content, more, .. } = *page else { return Back::Nothing };
    if more == 0 && crate::notepad::is_empty(content) {
        return Back::Nothing;
    }
    match scratchpad::whole(content, more, budget, &form.cap, form.nonce) {
        Some(_) => Back::Whole,
        None => Back::First { shown: 0, of: None },
    }
}
