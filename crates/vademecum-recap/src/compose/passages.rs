//! What is said as lines: each in its part, and what was said together on one line.

use super::choose::Choice;
use super::{Part, Section};
use crate::cues::is_imperative;
use crate::digest::low;
use crate::statement::{Follows, Source, Statement};

/// Where a line stands: what stands under Now stands there in the order in which it came about.
pub(super) type Place = (Part, Age);

/// What a line under Now tells of, the oldest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Age {
    /// What the session began with.
    First,
    /// What was said before the last request.
    Before,
    /// The last request.
    Asked,
    /// What was said since.
    Since,
    /// What is in the works.
    Standing,
}

/// How the request is told that tells what it is about, where the last does not.
pub(super) const ASKED_BEFORE: &str = "Asked before";

/// A place outside of Now.
pub(super) fn other(part: Part) -> Place {
    (part, Age::First)
}

/// Lines by part.
#[derive(Default)]
pub(super) struct Lines(Vec<(Place, String)>);

impl Lines {
    pub(super) fn add(&mut self, place: Place, line: String) {
        self.0.push((place, line));
    }

    /// What is told.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|(_, line)| &**line).collect::<Vec<_>>().join("\n")
    }

    /// The same but for the request before the last: it stands in its place where that is told as well.
    pub(super) fn text_but_asked_before(&self) -> String {
        let lines = self.0.iter().map(|(_, line)| &**line);
        lines.filter(|line| !line.starts_with(ASKED_BEFORE)).collect::<Vec<_>>().join("\n")
    }

    /// Lets go of that request where it stands in its place.
    pub(super) fn drop_asked_before(&mut self, choice: &Choice<'_>) {
        let is_twice = |line: &str| line.starts_with(ASKED_BEFORE) && choice.has_asked(line);
        self.0.retain(|(_, line)| !is_twice(line));
    }

    pub(super) fn sections(self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        let mut lines = self.0;
        lines.sort_by_key(|(place, _)| *place);
        for ((part, _), line) in lines {
            match sections.last_mut().filter(|section| section.part == part) {
                Some(section) => section.lines.push(line),
                None => sections.push(Section { part, lines: vec![line] }),
            }
        }
        sections
    }
}

/// Puts the statements that were chosen into their parts: those of one message on one line, the newest first, and under
/// Now as they followed each other.
pub(super) fn told(choice: &Choice<'_>, lines: &mut Lines) {
    let mut taken = in_passages(choice);
    let order = |part: Part, turn: u32| if part == Part::Now { turn } else { u32::MAX - turn };
    taken.sort_by_key(|(part, idx)| (*part, order(*part, choice.statement(*idx).turn), *idx));
    let is_passage = |before: &(Part, usize), it: &(Part, usize)| {
        before.0 == it.0 && is_beside(choice.statement(before.1), choice.statement(it.1))
    };
    for passage in taken.chunk_by(is_passage) {
        let (part, first) = passage[0];
        let mut text = choice.statement(first).text.to_string();
        for pair in passage.windows(2) {
            let it = choice.statement(pair[1].1);
            text.push_str(join(&text, it, pair[0].1 + 1 == pair[1].1));
            text.push_str(&it.text);
        }
        let it = choice.statement(first);
        let age = match (part, it.source) {
            (Part::Now, _) if it.request < choice.statements.requests => Age::Before,
            (Part::Now, Source::Asked) => Age::Asked,
            (Part::Now, _) => Age::Since,
            _ => Age::First,
        };
        if it.source == Source::Said {
            let is_last = part == Part::Now && passage.len() == 1 && choice.is_newest(it);
            text = led(it, is_last, text);
        }
        lines.add((part, age), voiced(it, part, past(choice, passage), text));
    }
}

/// What is said of a passage that held before tests passed, or before more was changed.
fn past(choice: &Choice<'_>, passage: &[(Part, usize)]) -> &'static str {
    let (part, _) = passage[0];
    // Under Now what follows tells as well that it was before.
    let n_looked = if part == Part::Now { 1 } else { passage.len() };
    let mut looked = passage[..n_looked].iter().map(|(_, idx)| choice.statement(*idx));
    match () {
        () if looked.clone().any(|it| choice.is_over(it)) => OVER,
        () if looked.any(|it| choice.edits.are_behind(it)) => CHANGED,
        () => "",
    }
}

/// What was chosen, each with its part. Sentences that follow each other are understood together: what is found, done, or
/// fails stands with the cause that was said beside it.
fn in_passages(choice: &Choice<'_>) -> Vec<(Part, usize)> {
    let mut taken = choice.taken.clone();
    taken.sort_unstable();
    let is_next = |before: &usize, it: &usize| {
        before + 1 == *it && is_beside(choice.statement(*before), choice.statement(*it))
    };
    let mut placed = Vec::with_capacity(taken.len());
    for run in taken.chunk_by(is_next) {
        let place = |idx: &usize| {
            let it = choice.statement(*idx);
            let is_step = choice.statements.step(it).is_some();
            let part = choice.part(it);
            (part, TOGETHER.iter().position(|it| *it == part).filter(|_| !is_step))
        };
        let stands: Vec<_> = run.iter().map(place).collect();
        let first = stands.iter().filter_map(|(_, together)| *together).min();
        placed.extend(run.iter().zip(stands).map(|(idx, place)| match (place, first) {
            ((_, Some(_)), Some(first)) => (TOGETHER[first], *idx),
            ((part, _), _) => (part, *idx),
        }));
    }
    placed
}

/// The parts whose sentences stand together where they were said together, under the first of them.
const TOGETHER: [Part; 4] = [Part::Failed, Part::Decided, Part::Done, Part::Found];

fn is_beside(before: &Statement, it: &Statement) -> bool {
    before.turn == it.turn && before.source == it.source
}

/// What stands between a text and the next sentence of its message.
fn join(text: &str, it: &Statement, is_next: bool) -> &'static str {
    if it.source == Source::Asked {
        return if is_next { it.follows } else { Follows::Gap }.join(text);
    }
    if !is_next {
        return " … ";
    }
    if text.ends_with(['.', '!', '?', ':', ';', '…', '。']) { " " } else { "; " }
}

/// A line with who says it, where that is not the agent to the user.
fn voiced(it: &Statement, part: Part, held: &str, text: String) -> String {
    match (it.source, part) {
        _ if !held.is_empty() => format!("{held}{text}"),
        (Source::Asked, Part::Now) => format!("User: \"{text}\""),
        (Source::Asked, _) => format!("\"{text}\""),
        (Source::Change, _) => format!("Change: {text}"),
        (Source::Posted, _) => format!("Posted: {text}"),
        (Source::Plan, _) => format!("Plan: {text}"),
        (_, Part::Decided) if is_imperative(&text) => format!("Plan: {text}"),
        _ => text,
    }
}

/// A passage without the colon behind which it leads to what was not chosen, or to what the agent did then.
fn led(it: &Statement, is_last: bool, mut text: String) -> String {
    let leads = text.ends_with([':', '：']);
    if leads {
        text.pop();
    }
    let is_begun = if leads { is_at(it) } else { it.is_turning };
    if is_last && is_begun { format!("{BEGAN}{text}") } else { text }
}

/// Whether a sentence says what the agent is at: "Let me …", "fixing …".
fn is_at(it: &Statement) -> bool {
    let first = low(it.text.split(' ').next().unwrap_or_default());
    let is_going_on = first.ends_with("ing") && !NO_ACTIVITY.iter().any(|it| first.ends_with(it));
    it.is_narration || is_going_on || is_imperative(&it.text)
}

/// How words end that end like what somebody is at.
const NO_ACTIVITY: &[&str] = &["thing", "during", "string", "missing", "remaining", "existing"];

/// What is said of the last message where it only says what the agent does next: how that ended is not told.
const BEGAN: &str = "Began: ";

/// What is said of failures that were told before tests ran well.
const OVER: &str = "Before tests passed: ";

/// What is said of checks that passed, and of faults of files, before more was changed.
const CHANGED: &str = "Before the last edits: ";
