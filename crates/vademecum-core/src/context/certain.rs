//! What a compaction puts back for certain: what of page and notes is shown, whatever comes beside them.

use super::cap::Cap;
use super::form::Form;
use super::notes::Listing;
use super::page::{AROUND, Beside, Stored};
use super::table::{BlockName, GAP, OPEN_NOTES, Part, gap, settle};
use crate::frame::Nonce;
use crate::profile::{Layout, Profile};
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
}

/// What is put back of `page` and of the notes `beside` it, while there is no fault to tell of.
#[must_use]
pub fn put_back(page: &Page<'_>, beside: &Beside, cap: &Cap, nonce: &Nonce) -> PutBack {
    let form = Form { cap: *cap, nonce };
    let words = page.profile.words();
    let is_empty = page.more == 0 && crate::notepad::is_empty(page.content);
    let has_page = !is_empty && words.has(BlockName::Notepad);
    let n_notes = if words.has(BlockName::Notes) { beside.n_open_notes } else { 0 };
    let notes = Listing::new(OPEN_NOTES, &beside.notes, n_notes, &form);
    let (stored, room) = match words.layout {
        Layout::Framed(_) => {
            (Stored::new(page.content, page.more, &form), cap.units.saturating_sub(AROUND))
        }
        Layout::Notepad => (Stored::alone(page.content, page.more, &form), cap.units),
        Layout::Scratchpad => {
            return PutBack { page: of_scratchpad(page, &form), notes: Back::Nothing };
        }
    };
    let any = |is_there: bool, name| if is_there && words.has(name) { room } else { 0 };
    let wants = [
        (BlockName::Notepad, if has_page { gap(stored.want(&form)) } else { 0 }),
        // A recap and what sub-agents were asked may be of any length.
        (BlockName::Recap, any(beside.recap, BlockName::Recap)),
        (BlockName::Agents, any(beside.agents, BlockName::Agents)),
        (BlockName::Notes, if n_notes == 0 { 0 } else { gap(notes.want(&form)) }),
        (BlockName::Knowledge, any(beside.knowledge, BlockName::Knowledge)),
    ];
    let grants = settle(room, &wants).into_iter().map(|grant| grant.saturating_sub(GAP));
    let grants: Vec<usize> = grants.collect();
    PutBack {
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

fn of_page(page: &Page<'_>, stored: &Stored<'_>, room: usize, form: &Form) -> Back {
    if page.more == 0 && stored.want(form) <= room {
        return Back::Whole;
    }
    let shown = stored.fit(room, form).shown;
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
