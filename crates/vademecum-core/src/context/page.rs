//! The notepad in a context: whole, or cut at lines with a marker that says so.

use std::borrow::Cow;

use super::cap::Cap;
use super::form::Form;
use super::notes::Listing;
use super::table::{BlockName, Fitted, OPEN_NOTES, Part, row, settle};
use super::ticked::{Less, Ticked};
use super::words::grouped;
use crate::frame::Nonce;
use crate::note::Note;
use crate::notepad::{self, HEADER};
use crate::tokens::estimate;

/// The notepad before the room for it is known.
pub(super) struct Stored<'a> {
    content: &'a str,
    // How many bytes were not read.
    more: u64,
    is_plain: bool,
    // What stands behind the page, if anything must.
    end: &'static str,
    // None where not even the text alone would pass the cap.
    whole: Option<String>,
    want: usize,
}

/// Stands behind a page whose own headings would pass for those of our blocks: its bytes stay as they are.
const END: &str = "\n[vade: the notepad ends here]";

/// How the marker of a page begins that is cut.
const CUT: &str = "[vade: the notepad is cut here";

/// The line inside which a page is cut, as its marker says; none where it is cut behind one.
pub(super) fn cut_inside(marker: &str) -> Option<u64> {
    let rest = marker.strip_prefix(CUT)?.strip_prefix(", inside line ")?;
    let (line, _) = rest.split_once(' ')?;
    line.replace(',', "").parse().ok()
}

impl<'a> Stored<'a> {
    /// Chooses the form of the text and measures it; `more` bytes of it were not read.
    pub(super) fn new(content: &'a str, more: u64, form: &Form) -> Self {
        let mut page = Self::alone(content, more, form);
        page.end = if page.is_plain && has_headings(content) { END } else { "" };
        if let Some(whole) = page.whole.as_mut() {
            whole.push_str(page.end);
            page.want = form.cap.measure(whole);
        }
        page
    }

    /// The same for a context that has no other block.
    pub(super) fn alone(content: &'a str, more: u64, form: &Form) -> Self {
        if more == 0 && notepad::is_empty(content) {
            let hint = notepad::render("");
            let want = form.cap.measure(&hint);
            return Self { content: "", more, is_plain: true, end: "", whole: Some(hint), want };
        }
        let is_plain = form.is_innocent(content);
        let units = form.cap.measure(content);
        if 0 < more || form.cap.units < units {
            let rest = usize::try_from(more).unwrap_or(usize::MAX);
            let want = units.saturating_add(rest);
            return Self { content, more, is_plain, end: "", whole: None, want };
        }
        let shown = if is_plain { content } else { &form.guarded(content) };
        let whole = notepad::render(shown);
        let want = form.cap.measure(&whole);
        Self { content, more, is_plain, end: "", want, whole: Some(whole) }
    }

    /// As much as there is room for: ticked steps give way first, and then the end.
    fn cut(&self, room: usize, form: &Form) -> Option<Fitted> {
        let ticked = Ticked::of(self.content);
        if let Some(fitted) = self.without_steps(&ticked, room, form) {
            return Some(fitted);
        }
        let all = Less::Steps(ticked.len());
        let rest = ticked.without(all);
        let gap = (0 < ticked.len()).then(|| Gap::of(&ticked, all));
        let said = gap.as_ref().map_or_else(String::new, |gap| format!("\n{}", gap.said));
        let longest = said + &self.marker("inside", self.of(), self.content);
        let room_for =
            room.checked_sub(form.cap.measure(HEADER) + 2 + form.cap.measure(&longest))?;
        let part = self.start(&rest, room_for, form)?;

        let is_line_end = rest[part.len()..].starts_with('\n');
        let n_lines = count_lines(part);
        let side = if is_line_end { "after" } else { "inside" };
        let marker = self.marker(side, ticked.number(n_lines, all), part);
        let shown = n_lines.saturating_sub(u64::from(!is_line_end));
        // Behind the cut nothing is shown at all.
        let gap = gap.filter(|gap| gap.at < part.len());
        Some(self.fitted((part, gap.as_ref(), &marker), shown, room, form))
    }

    /// The page without as little of its ticked steps as there must be, the first of them first; none where that is
    /// not enough.
    ///
    /// What is done is what its agent needs least: it must not stand in front of what is open.
    fn without_steps(&self, ticked: &Ticked<'_>, room: usize, form: &Form) -> Option<Fitted> {
        let is_whole = self.more == 0 && 0 < ticked.len();
        let less = |level: usize| match level.checked_sub(ticked.len()) {
            None | Some(0) => Less::Parts(level),
            Some(n) => Less::Steps(n),
        };
        let fitted = |level: usize| {
            let rest = ticked.without(less(level));
            let gap = Gap::of(ticked, less(level));
            let shown = self.of() - ticked.n_lines(less(level));
            let part = rest.trim_end_matches('\n');
            self.fitted((part, Some(&gap), self.end.trim_start()), shown, room, form)
        };
        // A form only adds to a text: what is too long as it stands is not put into it.
        let is_enough = |level: usize| {
            form.cap.measure(&ticked.without(less(level))) <= room
                && form.cap.measure(&fitted(level).text) <= room
        };
        let all = 2 * ticked.len();
        if !is_whole || !is_enough(all) {
            return None;
        }
        // Each level makes it shorter.
        let (mut few, mut enough) = (0, all);
        while 1 < enough - few {
            let middle = few.midpoint(enough);
            if is_enough(middle) { enough = middle } else { few = middle }
        }
        Some(fitted(enough))
    }

    fn fitted(
        &self,
        (part, gap, marker): (&str, Option<&Gap>, &str),
        shown: u64,
        room: usize,
        form: &Form,
    ) -> Fitted {
        let body = gap.map_or_else(|| self.shown(part, form), |gap| self.parted(part, gap, form));
        let text = format!("{HEADER}\n{body}\n{marker}").trim_end_matches('\n').to_owned();
        let why =
            format!("cut: it wants {} characters and gets {room}, {}", self.want, self.form());
        Fitted { text, shown, why }
    }

    /// How many of its first lines are shown in this room, whatever else is.
    pub(super) fn first(&self, room: usize, form: &Form) -> u64 {
        let shown = self.fit(room, form).shown;
        if self.of() == shown { shown } else { shown.min(Ticked::of(self.content).n_before()) }
    }

    /// The longest start that fits, up to a line end; inside a line where the lines before it fill
    /// less than half of the room.
    fn start<'t>(&self, content: &'t str, room: usize, form: &Form) -> Option<&'t str> {
        // A form only adds to a text, so no longer start can fit.
        let head = form.cap.clip(content, room);
        let fits = |end: usize| form.cap.measure(&self.shown(&head[..end], form)) <= room;
        let end = if fits(head.len()) { head.len() } else { longest_fit(head, fits) };

        let longest = Some(&head[..end]).filter(|longest| !longest.is_empty())?;
        if content[end..].starts_with('\n') {
            return Some(longest);
        }
        let line_end = longest.rfind('\n').filter(|&at| end / 2 <= at && fits(at));
        Some(line_end.map_or(longest, |at| &longest[..at]))
    }

    /// A part of the page, and what is not shown said at its place; guarded text takes no line of ours.
    fn parted<'t>(&self, part: &'t str, gap: &Gap, form: &Form) -> Cow<'t, str> {
        let said = &gap.said;
        if !self.is_plain {
            return Cow::Owned(format!("{said}\n{}", form.guarded(part)));
        }
        let (before, after) = part.split_at(gap.at.min(part.len()));
        let pieces = [form.shown(before.trim_end_matches('\n')), said.into(), form.shown(after)];
        let pieces: Vec<_> = pieces.into_iter().filter(|piece| !piece.is_empty()).collect();
        Cow::Owned(pieces.join("\n"))
    }

    /// Says where the page is cut; of one that was not read whole only its bytes are known.
    fn marker(&self, side: &str, line: u64, part: &str) -> String {
        let shown = grouped(part.chars().count() as u64);
        let (lines, shown) = match self.more {
            0 => {
                let of = grouped(self.content.chars().count() as u64);
                let lines = format!(" of {}", grouped(self.of()));
                (lines, format!("{shown} of {of} characters"))
            }
            more => {
                let of = grouped(self.content.len() as u64 + more);
                (String::new(), format!("{shown} characters of {of} bytes"))
            }
        };
        let line = grouped(line);
        format!("{CUT}, {side} line {line}{lines} ({shown} shown); read_notepad gives all of it]")
    }

    fn form(&self) -> &'static str {
        if self.is_plain { "as stored" } else { "guarded: the text is not innocent" }
    }

    // A part is guarded where the whole is, and where the cut itself makes it look forged.
    fn shown<'t>(&self, part: &'t str, form: &Form) -> Cow<'t, str> {
        if self.is_plain { form.shown(part) } else { Cow::Owned(form.guarded(part)) }
    }
}

/// What of the ticked steps of a page is not shown.
struct Gap {
    /// Where the first of them stands, or stood.
    at: usize,
    /// What is said there.
    said: String,
}

impl Gap {
    fn of(ticked: &Ticked<'_>, less: Less) -> Self {
        let said = match less {
            Less::Parts(n) => format!(
                "[vade: what stands below the first {} ticked steps from here on is not shown; read_notepad gives it]",
                grouped(n as u64)
            ),
            Less::Steps(1) if !ticked.have_parts(1) => {
                "[vade: a ticked step is not shown here; read_notepad gives it]".to_owned()
            }
            Less::Steps(n) => {
                let parts =
                    if ticked.have_parts(n) { ", nor is what stands below the others" } else { "" };
                let n = grouped(n as u64);
                format!(
                    "[vade: the first {n} ticked steps from here on are not shown{parts}; read_notepad gives them]"
                )
            }
        };
        Self { at: ticked.start(), said }
    }
}

/// Whether a heading of the page stands as high as those of our blocks, or higher.
fn has_headings(page: &str) -> bool {
    page.lines().any(|line| line.starts_with("# ") || line.starts_with("## "))
}

/// The end of the longest start of `text` that fits, 0 if none does; longer ones take more room.
fn longest_fit(text: &str, fits: impl Fn(usize) -> bool) -> usize {
    let edges: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let n_fitting = edges.partition_point(|&end| fits(end));
    edges[..n_fitting].iter().rev().copied().find(|&end| fits(end)).unwrap_or(0)
}

impl Part for Stored<'_> {
    fn name(&self) -> BlockName {
        BlockName::Notepad
    }

    fn of(&self) -> u64 {
        count_lines(self.content)
    }

    fn is_complete(&self) -> bool {
        self.more == 0
    }

    fn want(&self, _: &Form) -> usize {
        self.want
    }

    /// The whole text, or its start with a marker; nothing where not even a character would be shown.
    fn fit(&self, room: usize, form: &Form) -> Fitted {
        if let Some(whole) = self.whole.as_ref().filter(|_| self.want <= room) {
            let why = format!("whole, {}", self.form());
            return Fitted { text: whole.clone(), shown: self.of(), why };
        }
        self.cut(room, form).unwrap_or_else(|| {
            let why = format!("no room: it wants {} characters and gets {room}", self.want);
            Fitted { text: String::new(), shown: 0, why }
        })
    }
}

fn count_lines(text: &str) -> u64 {
    text.lines().count() as u64
}

/// What of the notepad a compaction shows, as the reply to a write says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// About what the notepad costs.
    pub tokens: usize,
    /// About how much of such text is always shown.
    pub of: usize,
    /// Whether it is shown whole.
    pub whole: Whole,
}

/// Whether the notepad is shown whole after a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// It is, whatever else there is.
    Always,
    /// It is while there is no more beside it than now.
    AsThingsAre,
    /// It may be cut.
    Perhaps,
}

/// What stands beside the notepad in a context as things are.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// Whether there may be a recap of the session.
    pub recap: bool,
    /// Whether sub-agents run.
    pub agents: bool,
    /// Whether the project knows something.
    pub knowledge: bool,
    /// The open notes that would be shown.
    pub notes: Vec<Note>,
    /// How many open notes there are.
    pub n_open_notes: u64,
}

// What header, left-out line and receipt take at most while there is no fault; 66 of them name whose work was taken over.
pub(super) const AROUND: usize = 666;

/// Weighs the notepad against what it has of a context for certain, then against what there is `beside` it.
///
/// What is beside it is only looked at where the page may be cut.
pub fn share<E>(
    content: &str,
    beside: impl FnOnce() -> Result<Beside, E>,
    cap: &Cap,
    nonce: &Nonce,
) -> Result<Share, E> {
    let form = Form { cap: *cap, nonce };
    let percent = row(BlockName::Notepad).map_or(0, |row| row.floor);
    let all = cap.units.saturating_sub(AROUND);
    let (room, units) = (all / 100 * percent, Stored::new(content, 0, &form).want);

    let whole = match units {
        _ if units <= room => Whole::Always,
        _ if units <= all && fits_beside(units, &beside()?, all, &form) => Whole::AsThingsAre,
        _ => Whole::Perhaps,
    };
    let tokens = estimate(content);
    let density = if content.is_empty() { (1, 4) } else { (tokens, units) };
    Ok(Share { tokens, of: room * density.0 / density.1, whole })
}

fn fits_beside(units: usize, beside: &Beside, room: usize, form: &Form) -> bool {
    let notes = Listing::new(OPEN_NOTES, &beside.notes, beside.n_open_notes, form);
    // A recap and what sub-agents were asked may be of any length.
    let any = |is_there: bool| if is_there { room } else { 0 };
    let wants = [
        (BlockName::Notepad, units),
        (BlockName::Recap, any(beside.recap)),
        (BlockName::Agents, any(beside.agents)),
        (BlockName::Notes, notes.want(form)),
        (BlockName::Knowledge, any(beside.knowledge)),
    ];
    units <= settle(room, &wants)[0]
}
