//! The sentences of a recap: goal, standing words, state, failures, what is open.

use vademecum_core::turn::{Item, Progress};

use super::clip::{clip, cost, flat};
use super::{Offer, Part, Section};
use crate::digest::{Digest, has_any, sentences};

/// How much of the budget a part may take, and how many tokens at most.
struct Share {
    part: Part,
    of_budget: f32,
    most: f32,
}

const SHARES: &[Share] = &[
    Share { part: Part::Goal, of_budget: 0.16, most: 130.0 },
    Share { part: Part::Standing, of_budget: 0.04, most: 120.0 },
    Share { part: Part::State, of_budget: 0.18, most: 150.0 },
    Share { part: Part::Failing, of_budget: 0.12, most: 90.0 },
    Share { part: Part::InFlight, of_budget: 0.08, most: 60.0 },
    Share { part: Part::Open, of_budget: 0.12, most: 120.0 },
    Share { part: Part::Done, of_budget: 0.02, most: 60.0 },
];

/// The sections in words that `budget` has room for.
pub(super) fn prose(digest: &Digest, budget: usize) -> Vec<Section> {
    #[expect(clippy::cast_precision_loss, reason = "budgets are small")]
    let budget = budget as f32;
    let mut sections = Vec::new();
    for share in SHARES {
        let room = (budget * share.of_budget).min(share.most);
        let lines = match share.part {
            Part::Goal => goal(digest, room),
            Part::Standing => standing(digest, room),
            Part::State => state(digest, room),
            Part::Failing => failing(digest, room),
            Part::Open => open(digest, room),
            Part::InFlight => {
                listed(digest.work.in_flight().map(|call| format!("`{}`", clip(call, 60.0))), room)
            }
            Part::Done => listed(digest.work.done_items().map(|item| flat(&item.text)), room),
            Part::Edited | Part::Read | Part::Commands | Part::Names => Vec::new(),
        };
        if !lines.is_empty() {
            sections.push(Section { part: share.part, lines });
        }
    }
    sections
}

/// What was asked last, after what was asked before where the last is too short to tell.
fn goal(digest: &Digest, room: f32) -> Vec<String> {
    let Some(last) = digest.voices.asks.back() else { return Vec::new() };
    let last_line = quoted(last, room);
    let spent = last_line.as_ref().map_or(0.0, |line| cost(line) + 4.0);
    let before = purpose(digest).filter(|ask| *ask != last);
    let left = Some(room - spent).filter(|left| BEFORE <= *left);
    let before_line = before.zip(left).and_then(|(ask, left)| quoted(ask, left));
    before_line.into_iter().chain(last_line).collect()
}

/// How many tokens it takes to say something of the request before.
const BEFORE: f32 = 40.0;

/// How many words a request has that tells what it is about.
const TELLING: usize = 10;

/// The last request that tells what it is about, else the first.
fn purpose(digest: &Digest) -> Option<&String> {
    let tells = |ask: &&String| TELLING <= ask.split_whitespace().count();
    digest.voices.asks.iter().rev().find(tells).or(digest.voices.first_ask.as_ref())
}

/// By what a sentence is known to say what comes next.
const COMING: &[&str] =
    &["next", "i'll", "i will", "let me", "now i", "remaining", "still", "then i", "want me to"];

/// The sentence of a message that says what comes next, else its last.
fn next(say: &str) -> Option<&str> {
    let mut last = None;
    let mut coming = None;
    for sentence in sentences(say) {
        let low = sentence.to_lowercase();
        if has_any(&low, COMING) {
            coming = Some(sentence);
        }
        last = Some(sentence);
    }
    coming.or(last)
}

fn quoted(text: &str, room: f32) -> Option<String> {
    let text = clip(text, room);
    (!text.is_empty()).then(|| format!("\"{text}\""))
}

fn standing(digest: &Digest, room: f32) -> Vec<String> {
    let last = digest.voices.asks.back().map(|ask| flat(ask)).unwrap_or_default();
    let newest = digest.voices.standing.iter().rev();
    let fresh = newest.filter(|words| !last.contains(&flat(words)));
    let mut lines = listed(fresh.map(|words| format!("\"{}\"", flat(words))), room);
    lines.reverse();
    lines
}

fn state(digest: &Digest, room: f32) -> Vec<String> {
    digest.voices.says.back().map(|say| quoted(say, room)).into_iter().flatten().collect()
}

fn failing(digest: &Digest, room: f32) -> Vec<String> {
    // A look that found nothing is nothing to mend.
    let failure = digest.work.failures.iter().rev().find(|failure| !failure.is_look);
    let Some(failure) = failure else { return Vec::new() };
    if failure.step + 25 < digest.work.n_calls {
        return Vec::new();
    }
    let errors: Vec<&str> = failure.errors.iter().take(2).map(String::as_str).collect();
    let past = if failure.is_past { " (ran well since)" } else { "" };
    let command = clip(&failure.command, room * 0.5);
    let errors = clip(&errors.join(" | "), room - cost(&command));
    if command.is_empty() { Vec::new() } else { vec![format!("`{command}`{past} → {errors}")] }
}

fn open(digest: &Digest, room: f32) -> Vec<String> {
    let said = |item: &Item| {
        let mark = if item.state == Progress::Active { "[now] " } else { "" };
        format!("{mark}{}", flat(&item.text))
    };
    listed(digest.work.open_items().map(said), room)
}

/// The lines that there is room for, skipping what is too long.
fn listed(lines: impl Iterator<Item = String>, mut room: f32) -> Vec<String> {
    let mut fitting = Vec::new();
    for line in lines {
        let price = cost(&line) + 2.0;
        if price <= room {
            room -= price;
            fitting.push(line);
        }
    }
    fitting
}

/// The few words for who may take the session over.
pub(super) fn offer(digest: &Digest) -> Offer {
    let said = |text: &str| Some(clip(text, 40.0)).filter(|it| !it.is_empty());
    Offer {
        goal: purpose(digest).and_then(|ask| said(ask)),
        asked: digest.voices.asks.back().and_then(|ask| said(ask)),
        next: digest.voices.says.back().and_then(|say| next(say)).and_then(said),
        failing: digest.work.failing().map(|it| clip(&it.command, 40.0)),
        open: digest.work.open_items().map(|item| clip(&item.text, 30.0)).collect(),
        standing: digest.voices.standing.iter().cloned().collect(),
    }
}
