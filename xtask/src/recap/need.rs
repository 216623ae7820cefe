//! What an agent brought along by itself across a cut: what is to be learned.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use vademecum_core::turn::{Action, Call, Event, Turn};
use vademecum_recap::fact::Kind;
use vademecum_recap::{command, fact};

/// A fact as text, its path short.
pub(crate) type Fact = (Kind, String);

/// How many calls after the cut tell what was needed.
const HORIZON: usize = 60;

/// How many pairs one call counts for at most.
const PAIRS: f64 = 8.0;

/// Facts and pairs, and what they were worth.
#[derive(Default)]
pub(super) struct Need {
    pub(super) facts: HashMap<Fact, f64>,
    pub(super) pairs: HashMap<(Fact, Fact), f64>,
}

/// The facts of a text.
pub(crate) fn facts(text: &str, roots: &[String]) -> HashSet<Fact> {
    let mut found = HashSet::new();
    fact::scan(text, |kind, fact| {
        let fact = if kind == Kind::Path { short(fact, roots) } else { fact };
        found.insert((kind, fact.to_owned()));
        ControlFlow::Continue(())
    });
    found
}

/// What was needed of `seen`: what a call held before the user or a tool said it again.
pub(super) fn need(after: &[Turn], seen: &HashSet<Fact>, roots: &[String]) -> Need {
    let (mut need, mut given, mut calls) = (Need::default(), HashSet::new(), 0);
    let mut uses: HashMap<Fact, f64> = HashMap::new();
    for turn in after {
        match &turn.event {
            Event::Compacted { .. } => break,
            Event::Asked { text, .. } => given.extend(facts(text, roots)),
            Event::Answered(answer) => given.extend(facts(&answer.text, roots)),
            Event::Called(call) => {
                calls += 1;
                if HORIZON < calls {
                    break;
                }
                take(&mut need, call, seen, &given, roots);
                for fact in called(call, roots) {
                    *uses.entry(fact).or_insert(0.0) += 1.0;
                }
            }
            Event::Said { text } => {
                let carried = facts(text, roots);
                for fact in
                    carried.into_iter().filter(|it| seen.contains(it) && !given.contains(it))
                {
                    need.facts.entry(fact).or_insert(0.5);
                }
            }
            Event::Thought { .. } | Event::Interrupted => {}
        }
    }
    for (fact, worth) in &mut need.facts {
        *worth *= 1.0 + 0.5 * uses.get(fact).copied().unwrap_or(1.0).ln();
    }
    need
}

fn take(
    need: &mut Need,
    call: &Call,
    seen: &HashSet<Fact>,
    given: &HashSet<Fact>,
    roots: &[String],
) {
    let (own, weight) = (called(call, roots), weight(call));
    let carried: Vec<&Fact> =
        own.iter().filter(|fact| seen.contains(fact) && !given.contains(*fact)).collect();
    for fact in &carried {
        let worth = match fact.0 {
            Kind::Command => 2.0,
            Kind::Path if is_written(call, &fact.1, roots) => 3.0,
            Kind::Path
            | Kind::Link
            | Kind::Name
            | Kind::Flag
            | Kind::Id
            | Kind::Code
            | Kind::Program => weight,
        };
        need.facts.entry((*fact).clone()).or_insert(worth);
    }
    let mut pairs = Vec::new();
    for anchor in carried.iter().filter(|fact| matches!(fact.0, Kind::Path | Kind::Program)) {
        for other in carried.iter().filter(|fact| !matches!(fact.0, Kind::Command | Kind::Program))
        {
            if anchor != other && !anchor.1.contains(&other.1) && !other.1.contains(&anchor.1) {
                pairs.push(((*anchor).clone(), (*other).clone()));
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "pairs of one call are few")]
    let share = (PAIRS / pairs.len().max(1) as f64).min(1.0);
    for pair in pairs {
        let worth = need.pairs.entry(pair).or_insert(0.0);
        *worth = worth.max(share);
    }
}

/// The facts of a call: of its arguments, its files, its commands.
pub(super) fn called(call: &Call, roots: &[String]) -> HashSet<Fact> {
    let mut found = facts(&call.text, roots);
    for action in &call.actions {
        if let Some(path) = file(action) {
            found.insert((Kind::Path, short(path, roots).to_owned()));
        }
        if let Action::Ran { command, .. } = action {
            command::simple(command, |simple| {
                found.insert((Kind::Command, simple.to_owned()));
                found.insert((Kind::Program, command::head(simple).to_owned()));
            });
        }
    }
    found
}

fn weight(call: &Call) -> f64 {
    let acts = call.actions.iter().any(|it| {
        matches!(
            it,
            Action::Edited { .. } | Action::Wrote { .. } | Action::Ran { is_look: false, .. }
        )
    });
    if acts { 1.5 } else { 1.0 }
}

fn is_written(call: &Call, path: &str, roots: &[String]) -> bool {
    let is_change = |it: &&Action| matches!(it, Action::Edited { .. } | Action::Wrote { .. });
    call.actions.iter().filter(is_change).filter_map(file).any(|it| short(it, roots) == path)
}

fn file(action: &Action) -> Option<&str> {
    match action {
        Action::Read { path }
        | Action::Edited { path }
        | Action::Deleted { path }
        | Action::Moved { path, .. }
        | Action::Wrote { path, .. } => Some(path),
        Action::Listed { .. }
        | Action::Ran { .. }
        | Action::Searched { .. }
        | Action::Planned { .. }
        | Action::Delegated { .. }
        | Action::Remembered { .. }
        | Action::Revised { .. }
        | Action::Recalled { .. }
        | Action::Questioned { .. }
        | Action::Proposed { .. }
        | Action::Finished { .. }
        | Action::Looked
        | Action::Other { .. } => None,
    }
}

fn short<'a>(path: &'a str, roots: &[String]) -> &'a str {
    let below = |root: &String| path.strip_prefix(root.as_str())?.strip_prefix('/');
    let path = roots.iter().find_map(below).unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path)
}
