//! The sentences of a recap: where the session stands, why, what was found, what failed, what is done.

use std::cmp::Reverse;

use vademecum_core::turn::{Item, Progress};

use super::choose::{Choice, MARK, is_telling, spoken};
use super::clip::{clip, cost, flat};
use super::{Part, Section};
use crate::cues::{self, ANNOUNCING, COMING, DECISION, FAILURE, Seen, has_any, is_result};
use crate::digest::{Digest, Failure, before_pasted, low, sentences};
use crate::statement::{Source, Statement, Statements, Step};

/// Which part of the budget the sentences take.
const SENTENCES: f32 = 0.64;

/// Which parts of the budget what must be said may take.
const ASKED: f32 = 0.12;
const LAST: f32 = 0.18;
const BEFORE: f32 = 0.06;
const FAILING: f32 = 0.09;
const RUNNING: f32 = 0.06;
const OPEN: f32 = 0.10;
const DONE: f32 = 0.10;
const RULES: f32 = 0.08;

/// What rules take at least, where there is so much room: they stand whole or not at all.
const RULE_ROOM: f32 = 40.0;

/// How many failures are told, and of how many calls.
const FAILURES: usize = 3;
const FAILED_AGO: u32 = 60;

/// What one of them takes at least, where there is so much room.
const FAILURE_ROOM: f32 = 40.0;

/// How many tokens of an earlier request are told, and how many words make it worth telling.
const REQUEST: f32 = 45.0;
const WORDS: usize = 4;

/// The sentences that their part of `budget` and `more` tokens have room for.
pub(super) fn prose(
    digest: &Digest,
    choice: &mut Choice<'_>,
    budget: usize,
    more: usize,
) -> Vec<Section> {
    #[expect(clippy::cast_precision_loss, reason = "budgets are small")]
    let (budget, more) = (budget as f32, more as f32);
    choice.start_anew();
    let mut lines = Lines::default();
    let mut room = budget * SENTENCES + more;
    let musts = musts(digest, budget).into_iter();
    for (part, line) in musts.filter(|(_, line)| !choice.beside.says_text(line)) {
        choice.say(&line);
        room -= cost(&line) + MARK;
        lines.add(part, line);
    }
    choose(choice, long_request(digest, budget), budget, room.max(budget * LAST));
    told(choice, &mut lines);
    lines.sections()
}

/// What is said in any case, as far as there is room for it.
fn musts(digest: &Digest, budget: f32) -> Vec<(Part, String)> {
    let goal = goal(digest, budget * ASKED);
    let rules = rules(digest, budget, &goal.join("\n"));
    let parts = [
        (Part::Now, goal),
        (Part::Now, now(digest, budget * RUNNING)),
        (Part::Failed, failing(digest, (budget * FAILING).max(FAILURE_ROOM).min(budget / 6.0))),
        (Part::Next, open(digest, budget * OPEN)),
        (Part::Done, done(digest, budget * DONE)),
        (Part::Rules, rules),
    ];
    let lines = |(part, lines): (Part, Vec<String>)| lines.into_iter().map(move |it| (part, it));
    parts.into_iter().flat_map(lines).collect()
}

/// The last request, if it is too long to be told whole.
fn long_request(digest: &Digest, budget: f32) -> Option<&String> {
    digest.voices.asks.back().filter(|ask| budget * ASKED < cost(&flat(ask)))
}

/// Chooses sentences of the request, of the last message, then of all, within `room`.
fn choose(choice: &mut Choice<'_>, request: Option<&String>, budget: f32, room: f32) {
    let all = choice.statements;
    let mut spent = 0.0;
    if let Some(ask) = request {
        // The first words of a long request say what it wants, however long what follows is.
        let own = sentences(ask).find(|sentence| WORDS <= cues::count(sentence));
        let is_first = |it: &Statement| own.is_some_and(|own| own.starts_with(&*it.text));
        let is_asked = |it: &Statement| it.source == Source::Asked && it.request == all.requests;
        let room = budget * ASKED;
        let is_of_it = |choice: &Choice<'_>, idx| is_asked(choice.statement(idx));
        let left = choice
            .take(room, |choice, idx| is_of_it(choice, idx) && is_first(choice.statement(idx)));
        spent +=
            room - choice.take(left, |choice, idx| is_of_it(choice, idx) && !choice.is_dull(idx));
    }
    let last = (budget * LAST).min(room);
    let spoken = spoken(all);
    spent += last
        - choice.take(last, |choice, idx| {
            let it = choice.statement(idx);
            it.message == spoken && is_telling(it)
        });
    choice.take(room - spent, |choice, idx| !choice.is_dull(idx));
}

/// Lines by part.
#[derive(Default)]
struct Lines(Vec<(Part, String)>);

impl Lines {
    fn add(&mut self, part: Part, line: String) {
        self.0.push((part, line));
    }

    fn sections(self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        let mut lines = self.0;
        lines.sort_by_key(|(part, _)| *part);
        for (part, line) in lines {
            match sections.last_mut().filter(|section| section.part == part) {
                Some(section) => section.lines.push(line),
                None => sections.push(Section { part, lines: vec![line] }),
            }
        }
        sections
    }
}

/// Puts the statements that were chosen into their parts: those of one message on one line, the newest first.
fn told(choice: &Choice<'_>, lines: &mut Lines) {
    let all = choice.statements;
    let mut taken: Vec<(Part, usize)> =
        choice.taken.iter().map(|idx| (part(all, choice.statement(*idx)), *idx)).collect();
    taken.sort_by_key(|(part, idx)| (*part, Reverse(choice.statement(*idx).turn), *idx));
    let is_passage = |before: &(Part, usize), it: &(Part, usize)| {
        before.0 == it.0 && is_beside(choice.statement(before.1), choice.statement(it.1))
    };
    for passage in taken.chunk_by(is_passage) {
        let (part, first) = passage[0];
        let mut text = choice.statement(first).text.to_string();
        for pair in passage.windows(2) {
            text.push_str(if pair[0].1 + 1 == pair[1].1 { join(&text) } else { " … " });
            text.push_str(&choice.statement(pair[1].1).text);
        }
        lines.add(part, voiced(choice.statement(first), part, text));
    }
}

fn is_beside(before: &Statement, it: &Statement) -> bool {
    before.turn == it.turn && before.source == it.source
}

/// What stands between two sentences that follow each other.
fn join(text: &str) -> &'static str {
    if text.ends_with(['.', '!', '?', ':', ';', '…', '。']) { " " } else { "; " }
}

/// A line with who says it, where that is not the agent to the user.
fn voiced(it: &Statement, part: Part, text: String) -> String {
    match (it.source, part) {
        (Source::Asked, Part::Now) => format!("User: \"{text}\""),
        (Source::Asked, _) => format!("\"{text}\""),
        (Source::Change, _) => format!("Commit: {text}"),
        (Source::Plan, Part::Done) => format!("Of the plan: {text}"),
        (Source::Plan, _) => format!("Plan: {text}"),
        _ => text,
    }
}

/// Where a statement belongs.
pub(super) fn part(all: &Statements, it: &Statement) -> Part {
    let low = low(&it.text);
    let low = Seen::of(&low);
    let requests = all.requests - it.request;
    let messages = all.messages - it.message;
    let step = all.step(it);
    match it.source {
        Source::Change => Part::Done,
        Source::Asked if requests == 0 => Part::Now,
        Source::Asked => Part::Rules,
        Source::Reply => Part::Decided,
        Source::Said if it.message == spoken(all) => Part::Now,
        _ if step == Some(Step::Open) => Part::Next,
        _ if step == Some(Step::Done) => Part::Done,
        _ if requests <= 1 && messages < 6 && low.has(&COMING) && !is_result(&low) => Part::Next,
        _ if low.has(&FAILURE) && !is_result(&low) => Part::Failed,
        _ if low.has(&DECISION) => Part::Decided,
        Source::Said if is_result(&low) => Part::Done,
        _ => Part::Found,
    }
}

/// What was asked last where it is short enough to be told whole, after what was asked before
/// where the last does not tell what it is about.
fn goal(digest: &Digest, room: f32) -> Vec<String> {
    let Some(last) = digest.voices.asks.back() else { return Vec::new() };
    let price = cost(&flat(last));
    let before = purpose(digest).filter(|ask| *ask != last && price + 20.0 <= room);
    let before = before.map(|ask| in_sentences(ask, room - price, |_| true));
    // Of a long one the sentences that matter are chosen.
    let whole = Some(last).filter(|_| price <= room || digest.statements.all.is_empty());
    let last = whole.and_then(|ask| quoted(ask, room));
    let before = before.filter(|it| !it.is_empty()).map(|text| format!("Asked before: \"{text}\""));
    let question = digest.voices.put.as_ref().filter(|_| last.is_some());
    let question = question.map(|(question, option)| {
        let both = [question, option].map(|text| clip(text, room / QUESTION));
        let both: Vec<String> = both.into_iter().filter(|it| !it.is_empty()).collect();
        format!("The agent asked: {}", both.join(" → "))
    });
    let last = last.map(|text| format!("Asked last: {text}"));
    before.into_iter().chain(question).chain(last).collect()
}

/// Which part of the last request's room the question has that it answers, and the option: one in so many.
const QUESTION: f32 = 2.5;

/// How many words a request has that tells what it is about.
const TELLING: usize = 10;

/// The last request that tells what it is about, else the first.
pub(crate) fn purpose(digest: &Digest) -> Option<&String> {
    let tells = |ask: &&String| TELLING <= cues::count(ask);
    digest.voices.asks.iter().rev().find(tells).or(digest.voices.first_ask.as_ref())
}

/// What is being done: the active items of the list, commands and sub-agents that run on.
fn now(digest: &Digest, room: f32) -> Vec<String> {
    let active = digest.work.open_items().filter(|item| item.state == Progress::Active);
    let active = active.map(|item| format!("Doing: {}", flat(&item.text)));
    let running =
        digest.work.in_flight().map(|call| format!("Running: `{}`", clip(&bare(call), 60.0)));
    let agents = digest.work.agents().map(|agent| format!("Sub-agent: {}", clip(agent, 30.0)));
    listed(active.chain(running).chain(agents), room)
}

fn open(digest: &Digest, room: f32) -> Vec<String> {
    let waits = |item: &&Item| item.state != Progress::Active;
    listed(digest.work.open_items().filter(waits).map(|item| flat(&item.text)), room)
}

/// The newest commits, pull requests and checks that ran well, and what is done of the list.
fn done(digest: &Digest, room: f32) -> Vec<String> {
    let commits = digest.work.commits.newest().take(3).map(|it| {
        let pushed = if it.pushed { ", pushed" } else { "" };
        format!("Committed {} on {}{pushed}: {}", it.hash, it.branch, clip(&it.subject, 30.0))
    });
    let passing = &digest.work.passing;
    let pulls = passing.pulls.iter().rev().take(2).map(|link| format!("Pull request: {link}"));
    let runs = passing.runs.iter().rev().take(2).map(|it| {
        let edited = if it.step < digest.work.last_edit { ", before the last edits" } else { "" };
        let line = if it.line.is_empty() {
            String::new()
        } else {
            format!(" → {}", clip(&it.line, 30.0))
        };
        format!("`{}` passed{edited}{line}", clip(&it.command, 30.0))
    });
    let items = digest.work.done_items().map(|item| flat(&item.text));
    listed(commits.chain(pulls).chain(runs).chain(items), room)
}

/// The user's standing words, then what they asked for before the last request, each the newest
/// last; nothing that `told` says already.
fn rules(digest: &Digest, budget: f32, told: &str) -> Vec<String> {
    let told = |words: &str| told.contains(words.trim_end_matches([' ', '…']));
    let newest = digest.voices.standing.iter().rev().map(|words| flat(words));
    let newest = newest.filter(|words| !told(words)).map(|words| format!("\"{words}\""));
    let mut lines = listed(newest, (budget * RULES).max(RULE_ROOM).min(budget / 6.0));
    lines.reverse();
    let said = lines.join("\n");
    let is_left = |sentence: &String| !told(sentence) && !said.contains(sentence);
    let before = digest.voices.asks.iter().rev().skip(1);
    let before = before.filter(|ask| WORDS <= cues::count(ask));
    let before = before.map(|ask| {
        in_sentences(ask, REQUEST.min((budget * BEFORE - 2.0 * MARK).max(REQUEST / 2.0)), is_left)
    });
    let before = before.filter(|ask| !ask.is_empty()).map(|ask| format!("\"{ask}\""));
    let mut asks = listed(before, budget * BEFORE);
    asks.reverse();
    lines.into_iter().chain(asks).collect()
}

/// What the user says in a message before what they pasted into it, in sentences that `most` tokens
/// have room for, as far as they are left to tell.
pub(super) fn in_sentences(ask: &str, most: f32, is_left: impl Fn(&String) -> bool) -> String {
    let own = before_pasted(ask);
    let all: Vec<String> = sentences(&own).map(flat).collect();
    let left: Vec<usize> = (0..all.len()).filter(|idx| is_left(&all[*idx])).collect();
    let mut told = String::new();
    for n in 1..=left.len() {
        let longer = joined(&all, &left[..n]);
        if most < cost(&longer) {
            return if told.is_empty() { clip(&all[left[0]], most) } else { told };
        }
        told = longer;
    }
    told
}

/// Some sentences of a message in their order, with `…` where others stand between or behind them.
fn joined(all: &[String], some: &[usize]) -> String {
    let mut text = String::new();
    for (idx, sentence) in all.iter().enumerate() {
        let is_told = some.contains(&idx);
        let is_gap = text.is_empty() || text.ends_with('…');
        let between = match (is_told, is_gap, text.ends_with(['。', '！', '？'])) {
            (false, true, _) => continue,
            (true, false, true) => "",
            (true, true, _) if text.is_empty() => "",
            _ => " ",
        };
        text.extend([between, if is_told { sentence } else { "…" }]);
    }
    text
}

fn quoted(text: &str, room: f32) -> Option<String> {
    Some(clip(text, room)).filter(|text| !text.is_empty()).map(|text| format!("\"{text}\""))
}

/// The commands that failed last, with the lines that say how: what was tried and given up, too.
fn failing(digest: &Digest, room: f32) -> Vec<String> {
    let failures = failures(digest);
    #[expect(clippy::cast_precision_loss, reason = "three at most")]
    let each = (room / failures.len() as f32).max(FAILURE_ROOM).min(room) - MARK;
    let lines = failures.into_iter().filter_map(|failure| failed(failure, each));
    listed(lines, room)
}

/// The failures that are told, the newest first.
pub(crate) fn failures(digest: &Digest) -> Vec<&Failure> {
    let mut failures: Vec<&Failure> = Vec::new();
    for failure in digest.work.failures.iter().rev() {
        let is_old = failure.step + FAILED_AGO < digest.work.n_calls;
        let says_how = !failure.errors.is_empty() || failures.is_empty();
        let again = failures.iter().any(|told| told.command == failure.command);
        // A look that found nothing is nothing to mend.
        if !failure.is_look && !is_old && says_how && !again && failures.len() < FAILURES {
            failures.push(failure);
        }
    }
    failures
}

fn failed(failure: &Failure, room: f32) -> Option<String> {
    let errors: Vec<&str> = failure.errors.iter().take(2).map(String::as_str).collect();
    let command = clip(&bare(&failure.command), room * 0.4);
    let errors = clip(&errors.join(" | "), room - cost(&command) - 3.0);
    let how = if errors.is_empty() { "" } else { " → " };
    Some(format!("`{command}`{how}{errors}")).filter(|_| !command.is_empty())
}

/// A command line without what only leads to it, and without where its errors go.
pub(super) fn bare(line: &str) -> String {
    let mut line = line.trim_start();
    while ["cd ", "echo ", "export ", "sleep ", "set "].iter().any(|lead| line.starts_with(lead)) {
        let end = line.find([';', '\n']).into_iter().chain(line.find("&&")).min();
        let Some(end) = end else { break };
        line = line[end..].trim_start_matches([';', '&']).trim_start();
    }
    line.replace(" 2>&1", "")
}

/// The lines that there is room for, skipping what is too long.
fn listed(lines: impl Iterator<Item = String>, mut room: f32) -> Vec<String> {
    let mut fitting = Vec::new();
    for line in lines {
        let price = cost(&line) + MARK;
        if price <= room {
            room -= price;
            fitting.push(line);
        }
    }
    fitting
}

/// The last sentence of a message that says what comes next.
pub(crate) fn announced(say: &str) -> Option<&str> {
    sentences(say).filter(|sentence| has_any(&low(sentence), &ANNOUNCING)).last()
}
