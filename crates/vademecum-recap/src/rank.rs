//! How likely a statement is to be needed next: a sum of weighted features.

mod weights;

use crate::cues::Cues;
use crate::digest::{Digest, low};
use crate::statement::{Source, Statement, Statements};

/// What the features of a statement are called, in their order.
pub const STATEMENT_FEATURES: [&str; 16] = [
    "one",
    "asked",
    "said",
    "plan",
    "change",
    "report",
    "closing",
    "messages since",
    "near in messages",
    "near in requests",
    "closing and near",
    "words used later",
    "words used now",
    "names",
    "said again",
    "tells what is done at the moment",
];

/// What each feature weighs, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Of a statement.
    pub statement: [f32; STATEMENT_FEATURES.len()],
}

impl Weights {
    /// Those that were learned from all sessions.
    pub const LEARNED: Self = weights::LEARNED;
}

/// A statement that could be said, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementSample {
    /// The sentence.
    pub text: String,
    /// The record of the transcript that it stands in.
    pub record: u64,
    /// Its words, by hash.
    pub words: Vec<u64>,
    /// One value a feature.
    pub features: [f32; STATEMENT_FEATURES.len()],
}

impl Digest {
    /// Every statement with its features, to learn weights from.
    #[must_use]
    pub fn statement_samples(&self) -> Vec<StatementSample> {
        let sample = |statement: &Statement| StatementSample {
            text: statement.text.to_string(),
            record: statement.record,
            words: statement.words.to_vec(),
            features: features(&self.statements, statement),
        };
        self.statements.all.iter().filter(|it| !it.words.is_empty()).map(sample).collect()
    }
}

/// What each statement is worth, from 0 on.
pub(crate) fn worths(
    statements: &Statements,
    weights: &[f32; STATEMENT_FEATURES.len()],
) -> Vec<f32> {
    let worth = |statement: &Statement| {
        if statement.words.is_empty() {
            return 0.0;
        }
        let features = features(statements, statement);
        features.iter().zip(weights).map(|(a, b)| a * b).sum::<f32>().max(0.0)
    };
    statements.all.iter().map(worth).collect()
}

fn features(all: &Statements, it: &Statement) -> [f32; STATEMENT_FEATURES.len()] {
    let mut features = [0.0; STATEMENT_FEATURES.len()];
    let (place, form) = features.split_at_mut(PLACED);
    place.copy_from_slice(&placed(all, it));
    form.copy_from_slice(&formed(all, it));
    features
}

/// How many of the features say whose a statement is and where it stands.
const PLACED: usize = 11;

fn placed(all: &Statements, it: &Statement) -> [f32; PLACED] {
    let (messages, requests) = (all.messages - it.message, all.requests - it.request);
    let of = |source| flag(it.source == source);
    let is_closing = it.source == Source::Said
        && (all.closings.contains(&it.message) || it.message == all.messages);
    let near_requests = 1.0 / (1.0 + small(requests));
    [
        1.0,
        of(Source::Asked),
        of(Source::Said),
        of(Source::Plan),
        of(Source::Change) + of(Source::Posted),
        of(Source::Report),
        flag(is_closing),
        log(messages) / 5.0,
        1.0 / (1.0 + small(messages)),
        near_requests,
        flag(is_closing) * near_requests,
    ]
}

/// How a statement reads, and what its words tell.
fn formed(all: &Statements, it: &Statement) -> [f32; STATEMENT_FEATURES.len() - PLACED] {
    let [later, now] = used(all, it);
    [later, now, log(names(&it.text)), log(it.again.into()), flag(it.is_narration)]
}

/// How much the words of a statement were used after it, and how much just now.
fn used(all: &Statements, it: &Statement) -> [f32; 2] {
    let (mut later, mut now) = (0_u32, 0_u32);
    for used in it.words.iter().filter_map(|word| all.uses.get(word)) {
        later +=
            u32::try_from(used.last.iter().filter(|turn| it.turn < **turn).count()).unwrap_or(0);
        now += u32::from(all.turn < used.last[0] + NOW);
    }
    let n = small(u32::try_from(it.words.len().max(1)).unwrap_or(u32::MAX));
    [small(later) / (3.0 * n), small(now) / n]
}

/// What was used in so many turns is used now.
const NOW: u32 = 25;

/// How many names of code a sentence holds, by their marks.
pub(crate) fn names(text: &str) -> u32 {
    let is_name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.bytes().any(|byte| matches!(byte, b'_' | b'/' | b'.' | b'#'))
            || word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
            || (word.bytes().any(|byte| byte.is_ascii_digit()) && 5 < word.len())
    };
    // Most words are plain.
    let is_plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let names =
        text.split_ascii_whitespace().filter(|word| !is_plain(word) && is_name(word)).count();
    u32::try_from(names).unwrap_or(u32::MAX)
}

/// Whether a sentence only says what the agent is about to look at.
pub(crate) fn is_narration(text: &str) -> bool {
    let low = low(&text[..text.floor_char_boundary(OPENING)]);
    let doing = low.strip_prefix("i'm ").or_else(|| low.strip_prefix("i am "));
    let is_doing =
        doing.is_some_and(|it| it.split(' ').next().is_some_and(|it| it.ends_with("ing")));
    is_doing || NARRATION.opening(&low).is_some()
}

fn small(n: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let n = n as f32;
    n
}

/// How much of a sentence tells that.
const OPENING: usize = 40;

static NARRATION: Cues = Cues::new(
    "\
    let me|first, let me|first let me|let's|i'll|i will|now let|looking at|checking|\
    i have a good|i have a complete|i need to look|i need to check|i need to see|i need to read|\
    i need to find|i need to understand|i need to update|i understand|here's|here is|here are|\
    now i|first i'm|first i am|i'm also|wait|hmm|if you need specific details|you're right|you're absolutely right|sounds good",
);

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

fn log(n: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a count so large is as good as infinite")]
    let n = n as f32;
    n.ln_1p()
}
