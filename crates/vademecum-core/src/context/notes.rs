//! The open notes in a context: decisions and todos first, then the newest, each whole or absent.

use std::cmp::Reverse;

use super::form::Form;
use super::table::{BlockName, Fitted, Part};
use super::words;
use crate::id::NoteId;
use crate::note::Note;
use crate::openers;

/// Which notes stand under which heading.
pub(super) struct Listing {
    title: &'static str,
    entries: Vec<String>,
    of: u64,
    /// Says which notes hold no more, at length and shorter; it is no entry and not counted.
    last: Vec<String>,
}

/// So many notes that hold no more are named on one line, where there is room.
pub(super) const N_GONE: usize = 12;

impl Listing {
    /// Ranks the open ones of `notes`; `of` is the number of all, those that were not read too.
    pub(super) fn new(title: &'static str, notes: &[Note], of: u64, form: &Form) -> Self {
        let mut open: Vec<&Note> = notes.iter().filter(|note| !note.is_scratched()).collect();
        open.sort_by_key(|note| Reverse((is_first(note), note.updated_at, note.id)));
        let of = of.max(open.len() as u64);
        let entries = open.into_iter().map(|note| entry(note, form)).collect();
        Self { title, of, entries, last: Vec::new() }
    }

    /// Says on the last line, whatever else there is room for, that these hold no more.
    pub(super) fn without(mut self, gone: &[NoteId]) -> Self {
        let lines = [N_GONE, 2, 0].map(|n_named| words::gone(gone, n_named));
        self.last = lines.into_iter().filter(|line| !line.is_empty()).collect();
        self
    }

    /// Says of these, behind all others, that they hold no more.
    pub(super) fn and_gone(mut self, gone: &[NoteId]) -> Self {
        self.of += gone.len() as u64;
        let lines = gone.iter().map(|id| format!("{id} was{}", openers::GONE));
        self.entries.extend(lines);
        self
    }

    /// How many of them `room` shows for certain, the first in their order: in more room all of these stay.
    pub(super) fn first(&self, room: usize, form: &Form) -> u64 {
        if self.is_complete() && self.want(form) <= room {
            return self.of;
        }
        let mut left = room.saturating_sub(self.heading_room(form, false));
        let fits = |entry: &&String| {
            let rest = left.checked_sub(1 + form.cap.measure(entry));
            rest.map(|rest| left = rest).is_some()
        };
        self.entries.iter().take_while(fits).count() as u64
    }

    fn why(&self, shown: u64, room: usize, form: &Form) -> String {
        if self.of == 0 {
            return "nothing to show".to_owned();
        }
        if shown == self.of {
            return "all of them".to_owned();
        }
        let (n_read, want) = (self.entries.len(), self.want(form));
        format!("cut: the {n_read} that were read want {want} characters and get {room}")
    }

    // Of those that say that some are left out, the longest says it of one.
    fn heading_room(&self, form: &Form, all_fit: bool) -> usize {
        let shown = if all_fit { self.of } else { self.of.saturating_sub(1) };
        form.cap.measure(&self.heading(shown))
    }

    fn heading(&self, shown: u64) -> String {
        let (title, of) = (self.title, self.of);
        if shown == of {
            return format!("{title} ({of})");
        }
        format!("{title} ({shown} of {of}, decisions and todos first)")
    }
}

impl Part for Listing {
    fn name(&self) -> BlockName {
        BlockName::Notes
    }

    fn of(&self) -> u64 {
        self.of
    }

    fn is_complete(&self) -> bool {
        self.of == self.entries.len() as u64
    }

    fn want(&self, form: &Form) -> usize {
        if self.entries.is_empty() && self.last.is_empty() {
            return 0;
        }
        let lines = self.entries.iter().chain(self.last.first());
        let lines = lines.map(|line| 1 + form.cap.measure(line));
        self.heading_room(form, self.is_complete()) + lines.sum::<usize>()
    }

    /// The most important notes that fit, each whole.
    fn fit(&self, room: usize, form: &Form) -> Fitted {
        let all_fit = self.is_complete() && self.want(form) <= room;
        let mut left = room.saturating_sub(self.heading_room(form, all_fit));
        let last = self.last.iter().find(|line| form.cap.measure(line) < left);
        left -= last.map_or(0, |line| 1 + form.cap.measure(line));
        let mut fits = |entry: &&String| {
            let rest = left.checked_sub(1 + form.cap.measure(entry));
            rest.map(|rest| left = rest).is_some()
        };
        let entries: Vec<_> = self.entries.iter().filter(&mut fits).map(String::as_str).collect();

        let shown = entries.len() as u64;
        let lines: Vec<&str> = entries.into_iter().chain(last.map(String::as_str)).collect();
        let text = match lines.as_slice() {
            [] => String::new(),
            lines => format!("{}\n{}", self.heading(shown), lines.join("\n")),
        };
        Fitted { text, shown, why: self.why(shown, room, form) }
    }
}

fn is_first(note: &Note) -> bool {
    note.tags.as_slice().iter().any(|tag| tag == "decision" || tag == "todo")
}

/// A note as one entry: only its first line begins at the margin.
fn entry(note: &Note, form: &Form) -> String {
    let (id, content) = (note.id, note.content.as_str());
    let tags = note.tags.as_slice().join(", ");
    if form.is_innocent(content) && form.is_innocent(&tags) {
        return format!("{id} [{tags}] {}", content.replace('\n', "\n    "));
    }
    let text = format!("[{tags}] {content}");
    let guarded = form.guarded(&text);
    format!("{id}\n{guarded}")
}
