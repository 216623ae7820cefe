//! Learns what each feature weighs from what agents needed after cuts of whole transcripts.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use vademecum_core::turn::{Event, Turn};
use vademecum_recap::rank::{FACT_FEATURES, PAIR_FEATURES, STATEMENT_FEATURES, Weights};
use vademecum_recap::{Digest, Options};

use super::kept::{self, Cut};
use super::need::{self, Fact, Need};
use super::poisson::{self, Rows};

/// Where transcripts are cut, in shares of their calls.
const CUTS: [f64; 3] = [0.35, 0.55, 0.75];

/// The fewest calls of a transcript that is learned from.
const CALLS: usize = 50;

/// What all facts of one cut are worth together.
const WORTH: f64 = 20.0;

struct Session {
    turns: Vec<Turn>,
    roots: Vec<String>,
}

/// Prints `weights.rs` as the transcripts in `folder` teach it.
pub(super) fn learn(folder: &Path) -> Result<()> {
    print!("{}", page(&weights(&files(folder)?)?));
    Ok(())
}

/// What these transcripts teach.
pub(super) fn weights(files: &[PathBuf]) -> Result<Weights> {
    let sessions = sessions(files)?;
    let common = common(&sessions);
    let (mut facts, mut pairs) = (Rows::default(), Rows::default());
    let mut statements = Vec::new();
    for session in &sessions {
        for at in cuts(&session.turns) {
            add(session, at, &common, sessions.len(), &mut facts, &mut pairs);
            statements.push(Cut::new(&session.turns, at, &session.roots));
        }
    }
    ensure!(!facts.worths.is_empty(), "no transcript of {CALLS} calls or more");
    eprintln!(
        "{} sessions, {} facts, {} pairs",
        sessions.len(),
        facts.worths.len(),
        pairs.worths.len()
    );
    let (mut weights, constant) = poisson::fit(&facts);
    weights[..7].iter_mut().for_each(|kind| *kind += constant);
    let (mut beside, constant) = poisson::fit(&pairs);
    beside[..2].iter_mut().for_each(|kind| *kind += constant);
    Ok(Weights {
        fact: rounded(&weights),
        pair: rounded(&beside),
        statement: rounded(&kept::fit(&statements)),
    })
}

/// The weights as the file has them.
fn rounded<const N: usize>(weights: &[f64]) -> [f32; N] {
    #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
    std::array::from_fn(|idx| ((weights[idx] * 100.0).round() / 100.0) as f32)
}

/// The transcripts in a folder.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    Ok(files)
}

fn sessions(files: &[PathBuf]) -> Result<Vec<Session>> {
    let session = |file: &PathBuf| {
        let mut turns = Vec::new();
        let roots = super::turns(file, &mut |turn| turns.push(turn))?.cwds;
        Ok(Session { turns, roots })
    };
    files.iter().map(session).collect()
}

/// In how many sessions each fact stands: what all have is needed by none in particular.
fn common(sessions: &[Session]) -> HashMap<Fact, usize> {
    let mut common = HashMap::new();
    for session in sessions {
        let all: HashSet<Fact> =
            session.turns.iter().flat_map(|turn| said(turn, &session.roots)).collect();
        for fact in all {
            *common.entry(fact).or_insert(0) += 1;
        }
    }
    common
}

fn said(turn: &Turn, roots: &[String]) -> HashSet<Fact> {
    match &turn.event {
        Event::Asked { text, .. } | Event::Said { text } => need::facts(text, roots),
        Event::Answered(answer) => need::facts(&answer.text, roots),
        Event::Called(call) => need::called(call, roots),
        Event::Thought { .. } | Event::Interrupted | Event::Compacted { .. } => HashSet::new(),
    }
}

/// The turns at which a session is cut.
fn cuts(turns: &[Turn]) -> Vec<usize> {
    let is_call = |(_, turn): &(usize, &Turn)| matches!(turn.event, Event::Called(_));
    let calls: Vec<usize> = turns.iter().enumerate().filter(is_call).map(|(idx, _)| idx).collect();
    if calls.len() < CALLS {
        return Vec::new();
    }
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count"
    )]
    let at = |share: &f64| calls[(calls.len() as f64 * share) as usize];
    CUTS.iter().map(at).collect()
}

/// Adds the rows of one cut.
fn add(
    session: &Session,
    at: usize,
    common: &HashMap<Fact, usize>,
    n_sessions: usize,
    facts: &mut Rows,
    pairs: &mut Rows,
) {
    let mut digest = Digest::new(&Options { roots: session.roots.clone() });
    let (before, after) = session.turns.split_at(at);
    for turn in before {
        digest.push(turn);
    }
    let samples = digest.fact_samples();
    let beside = digest.pair_samples();
    let mut seen: HashSet<Fact> = samples.iter().map(|it| (it.kind, it.text.clone())).collect();
    seen.extend(beside.iter().map(|it| it.anchor.clone()));
    let mut need = need::need(after, &seen, &session.roots);
    weigh(&mut need, common, n_sessions);
    for sample in samples {
        let worth = need.facts.get(&(sample.kind, sample.text)).copied().unwrap_or(0.0);
        facts.features.push(sample.features.to_vec());
        facts.worths.push(worth);
    }
    for sample in beside {
        let worth = need.pairs.get(&(sample.anchor, sample.other)).copied().unwrap_or(0.0);
        pairs.features.push(sample.features.to_vec());
        pairs.worths.push(worth);
    }
}

/// Makes rare facts worth more, and all of one cut the same.
fn weigh(need: &mut Need, common: &HashMap<Fact, usize>, n_sessions: usize) {
    #[expect(clippy::cast_precision_loss, reason = "sessions are few")]
    let rare = |fact: &Fact| {
        let (n, with) = (n_sessions as f64, common.get(fact).copied().unwrap_or(1) as f64);
        (((2.0 + n) / (1.0 + with)).ln() / (2.0 + n).ln()).max(0.02)
    };
    for (fact, worth) in &mut need.facts {
        *worth *= rare(fact);
    }
    for ((_, other), worth) in &mut need.pairs {
        *worth *= rare(other).sqrt();
    }
    even(need.facts.values_mut());
    even(need.pairs.values_mut());
}

fn even<'a>(worths: impl Iterator<Item = &'a mut f64>) {
    let worths: Vec<&mut f64> = worths.collect();
    let all: f64 = worths.iter().map(|worth| **worth).sum();
    for worth in worths {
        *worth *= WORTH / all.max(1e-9);
    }
}

fn page(weights: &Weights) -> String {
    let title = "//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.\n";
    let facts = table("fact", &FACT_FEATURES, &weights.fact);
    let pairs = table("pair", &PAIR_FEATURES, &weights.pair);
    let statements = table("statement", &STATEMENT_FEATURES, &weights.statement);
    format!(
        "{title}\nuse super::Weights;\n\n/// What was learned.\n\
         pub(super) const LEARNED: Weights = Weights {{\n{facts}{pairs}{statements}}};\n"
    )
}

fn table(name: &str, features: &[&str], weights: &[f32]) -> String {
    let row = |(feature, weight): (&&str, &f32)| format!("        {weight:.2}, // {feature}\n");
    let rows: String = features.iter().zip(weights).map(row).collect::<Vec<_>>().concat();
    format!("    {name}: [\n{rows}    ],\n")
}
