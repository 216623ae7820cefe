//! The agent's own list of what is to be done, beside a page that may have the same steps.

use vademecum_core::turn::{Item, Progress};

use super::clip::{clip, flat};
use super::prose::listed;
use super::said::Said;
use super::{Part, Section};
use crate::digest::Digest;

/// What the lines of the list may take.
pub(super) struct Rooms {
    pub(super) doing: f32,
    pub(super) open: f32,
    pub(super) done: f32,
    pub(super) ticked: f32,
}

/// The list in lines.
pub(super) struct List {
    /// That it is newer than the page, and what that has open and the list as done.
    pub(super) news: Vec<String>,
    pub(super) doing: Vec<String>,
    pub(super) open: Vec<String>,
    pub(super) done: Vec<String>,
    /// Whether it is newer than the page: what differs from it is told then, and what does not shows that it is the
    /// same list.
    pub(super) is_newer: bool,
}

impl List {
    pub(super) fn new(digest: &Digest, beside: &Said, rooms: &Rooms) -> Self {
        let is_newer = is_list_newer(digest, beside);
        let (doing, open) = (doing(digest, rooms.doing), open(digest, rooms.open));
        let ticked = ticked(digest, beside, rooms.ticked).filter(|_| is_newer);
        let is_told = |item: &String| ticked.as_ref().is_some_and(|line| line.contains(item));
        let is_beside = |item: &String| !is_newer && beside.says_line(Part::Done, item);
        let done = digest.work.done_items().map(|item| flat(&item.text));
        let done = done.filter(|item| !is_told(item) && !is_beside(item));
        let done = listed(done, rooms.done).join("; ");
        // Beside commits they would pass for committed.
        let done = Some(format!("{LISTED}{done}")).filter(|_| !done.is_empty());
        let done: Vec<String> = done.into_iter().collect();
        let has_lines = ticked.is_some() || [&doing, &open, &done].iter().any(|it| !it.is_empty());
        let newer = Some(NEWER.to_owned()).filter(|_| has_lines && is_newer);
        let news = newer.into_iter().chain(ticked).collect();
        Self { news, doing, open, done, is_newer }
    }
}

/// What is said of what the list has as done.
const LISTED: &str = "By the to-do list: ";

/// What is said of a list that is newer than the page beside it.
const NEWER: &str = "The to-do list told here is newer than the notepad: of a step on both its state holds; a step on the notepad alone may be open.";

/// Whether the list is newer than the page that stands beside the recap, where both have steps.
fn is_list_newer(digest: &Digest, beside: &Said) -> bool {
    beside.has_boxes() && digest.work.is_list_newer()
}

/// What the page beside the recap has as an open box, and the newer list as done.
fn ticked(digest: &Digest, beside: &Said, room: f32) -> Option<String> {
    let is_open =
        |item: &&Item| beside.says_text(&item.text) && !beside.says_line(Part::Done, &item.text);
    let items: Vec<String> =
        digest.work.done_items().filter(is_open).map(|item| flat(&item.text)).collect();
    let line = format!("Open on the notepad and done since: {}", items.join("; "));
    Some(clip(&line, room)).filter(|_| !items.is_empty())
}

/// The active items of the list.
fn doing(digest: &Digest, room: f32) -> Vec<String> {
    let ruled_out = digest.statements.ruled_out();
    let is_now = |item: &&Item| {
        item.state == Progress::Active && !ruled_out.has_item(&item.text, digest.work.listed_at)
    };
    let active = digest.work.open_items().filter(is_now);
    if digest.work.is_list_old() {
        let items: Vec<String> = active.map(|item| flat(&item.text)).collect();
        let line =
            format!("Doing, by a to-do list older than the last changes: {}", items.join("; "));
        return Some(clip(&line, room)).filter(|_| !items.is_empty()).into_iter().collect();
    }
    listed(active.map(|item| format!("Doing: {}", flat(&item.text))), room)
}

/// The items of the list that wait, or what was open on one that is old.
fn open(digest: &Digest, room: f32) -> Vec<String> {
    if digest.work.is_list_old() {
        let waits = digest.work.open_items().filter(|item| item.state != Progress::Active);
        let items: Vec<String> = waits.map(|item| flat(&item.text)).collect();
        let line = format!("On a to-do list older than the last changes: {}", items.join("; "));
        return Some(line)
            .filter(|_| !items.is_empty())
            .map(|line| clip(&line, room))
            .into_iter()
            .collect();
    }
    let ruled_out = digest.statements.ruled_out();
    let at = digest.work.listed_at;
    let waits =
        |item: &&Item| item.state != Progress::Active && !ruled_out.has_item(&item.text, at);
    let open: Vec<String> =
        digest.work.open_items().filter(waits).map(|item| flat(&item.text)).collect();
    let n_open = open.len();
    let mut told = listed(open.into_iter(), room);
    match n_open - told.len() {
        0 => {}
        1 => told.push("1 more open item of the to-do list".to_owned()),
        n => told.push(format!("{n} more open items of the to-do list")),
    }
    told
}

/// The items of the list that neither the sections nor the text beside them say.
pub(super) fn untold_items(digest: &Digest, beside: &Said, sections: &[Section]) -> Vec<String> {
    let is_told = |text: &str| {
        sections.iter().any(|section| section.lines.iter().any(|line| line.contains(text)))
    };
    let ruled_out = digest.statements.ruled_out();
    let is_wanted = |item: &&Item| !ruled_out.has_item(&item.text, digest.work.listed_at);
    let open = digest.work.open_items().filter(is_wanted);
    let open = open.map(|item| (Part::Next, flat(&item.text)));
    let done = digest.work.done_items().map(|item| (Part::Done, flat(&item.text)));
    open.chain(done)
        .filter(|(part, text)| !is_told(text) && !beside.says_line(*part, text))
        .map(|(part, text)| if part == Part::Done { format!("Done: {text}") } else { text })
        .collect()
}
