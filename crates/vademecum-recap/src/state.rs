//! Where a session stands, as one record for who takes it over and for who leaves it.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::turn::{self, Progress};

use crate::compose::{announced, clip, failures, first_ask, purpose};
use crate::cues::{GIVEN_UP, WAITING, has_any};
use crate::digest::{Digest, Entry, Failure, low, sentences};
use crate::fact::Kind;
use crate::statement::{Source, Statement};

/// Where a session stands; what is not known is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct State {
    /// What the user asked for that tells what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// What the user asked for first, where that tells what it is about and is not what was asked last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// What the user asked for last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What is done: the commits that git answered to, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<Committed>,
    /// What the agent is at, by its own list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doing: Vec<String>,
    /// What the agent said it would do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// What it waits for: what the agent says holds it up, or the question that it ended with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
    /// What failed last and did not run well since, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Failed>,
    /// What was tried and given up, in the agent's words, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
    /// The branch that is worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The pull requests that were opened, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pull_requests: Vec<String>,
    /// The project's files that were changed and not committed since, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    /// The commands that run on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<String>,
    /// The sub-agents that have not reported, by what they were started for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// What must not be done again: commands that took effect beyond the work tree, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_again: Vec<String>,
    /// The user's rules in force, the newest last.
    #[serde(skip_serializing_if = "Vec::is_empty", alias = "standing")]
    pub rules: Vec<String>,
    /// The agent's list as it stands now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Listed>,
    /// Whether that list was told behind the last change of the agent's notepad: where they differ, it holds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_list_newer: bool,
}

/// A commit of a session, as git answered to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Committed {
    /// Its hash, as short as git told it; empty where git told none.
    pub hash: String,
    /// The first line of its message.
    pub subject: String,
    /// The branch that it is on; empty where git did not tell.
    pub branch: String,
    /// Whether its branch was pushed since.
    pub pushed: bool,
}

/// A command that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failed {
    /// The command.
    pub command: String,
    /// The line that says how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// Whether nothing ran well since: the work stands there.
    pub last: bool,
}

/// One item of the agent's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub state: Standing,
}

/// How far an item of the agent's list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is done.
    Done,
    /// It is in the works.
    Doing,
    /// It is not begun.
    Open,
}

impl State {
    /// The command that fails as things stand.
    #[must_use]
    pub fn failing(&self) -> Option<&str> {
        self.failed.iter().find(|it| it.last).map(|it| it.command.as_str())
    }

    /// What is still to be done of the agent's list.
    pub fn open(&self) -> impl Iterator<Item = &str> {
        let is_left = |it: &&Listed| it.state != Standing::Done;
        self.items.iter().filter(is_left).map(|it| it.text.as_str())
    }

    /// Drops each text that does not pass.
    pub fn retain(&mut self, passes: impl Fn(&str) -> bool) {
        for text in
            [&mut self.goal, &mut self.first, &mut self.asked, &mut self.next, &mut self.blocked]
        {
            *text = text.take().filter(|text| passes(text));
        }
        self.branch = self.branch.take().filter(|branch| passes(branch));
        let lists = [
            &mut self.doing,
            &mut self.given_up,
            &mut self.pull_requests,
            &mut self.uncommitted,
            &mut self.running,
            &mut self.agents,
            &mut self.not_again,
            &mut self.rules,
        ];
        for list in lists {
            list.retain(|text| passes(text));
        }
        self.done.retain(|it| passes(&it.subject) && passes(&it.branch));
        self.failed.retain(|it| passes(&it.command) && it.how.as_deref().is_none_or(&passes));
        self.items.retain(|it| passes(&it.text));
    }
}

/// What a text of the record may take, in tokens.
const TEXT: f32 = 40.0;
const ITEM: f32 = 30.0;

/// How many dead ends are told, and among how many statements they are looked for.
const FEW: usize = 3;
const LOOKED_AT: usize = 400;

/// How many files are named.
const FILES: usize = 40;

/// The fewest words of a sentence that tells a dead end by itself.
const WORDS: usize = 5;

impl Digest {
    /// Where the session stands.
    #[must_use]
    pub fn state(&self) -> State {
        let (work, voices) = (&self.work, &self.voices);
        let active = work.open_items().filter(|item| item.state == Progress::Active);
        State {
            goal: purpose(self).and_then(|ask| said(ask)),
            first: first_ask(self).and_then(|ask| said(ask)),
            asked: voices.asks.back().and_then(|ask| said(ask)),
            done: work.commits.newest().cloned().collect(),
            doing: active.map(|item| clip(&item.text, ITEM)).collect(),
            next: self.next().and_then(said),
            blocked: self.blocked().and_then(said),
            failed: self.failed(),
            given_up: self.given_up(),
            branch: work.commits.branch.clone(),
            pull_requests: work.passing.pulls.iter().rev().cloned().collect(),
            uncommitted: self.uncommitted(),
            running: work.in_flight().map(|command| clip(command, TEXT)).collect(),
            agents: work.agents().map(|agent| clip(agent, ITEM)).collect(),
            not_again: work.passing.effects.iter().rev().cloned().collect(),
            rules: voices.standing.iter().cloned().collect(),
            items: work.items.iter().filter_map(listed).collect(),
            is_list_newer: work.is_list_newer(),
        }
    }

    /// What the agent said last of what comes next, unless the user ruled that out since.
    fn next(&self) -> Option<&str> {
        let next = self.voices.says.back().and_then(|say| next(say));
        next.filter(|next| !self.statements.ruled_out().has(next))
    }

    fn failed(&self) -> Vec<Failed> {
        let last = self.work.failing();
        let left = failures(self).into_iter();
        let failed = |it: &Failure| Failed {
            command: clip(&it.command, TEXT),
            how: it.errors.first().and_then(|line| said(line)),
            last: last == Some(it),
        };
        left.map(failed).filter(|it| !it.command.is_empty()).collect()
    }

    /// What the agent's last message says that it waits for.
    fn blocked(&self) -> Option<&str> {
        let say = self.voices.says.back().filter(|_| !self.is_asked())?;
        let held = sentences(say).filter(|it| has_any(&low(it), &WAITING)).last();
        held.or_else(|| sentences(say).last().filter(|it| it.ends_with(['?', '？'])))
    }

    fn given_up(&self) -> Vec<String> {
        let newest = self.statements.all.iter().rev().take(LOOKED_AT);
        let is_told = |it: &&Statement| {
            !matches!(it.source, Source::Asked | Source::Reply | Source::Plan)
                && WORDS <= it.words.len()
                && has_any(&low(&it.text), &GIVEN_UP)
        };
        newest.filter(is_told).take(FEW).map(|it| it.text.to_string()).collect()
    }

    /// Files that lie elsewhere are nobody's to commit.
    fn uncommitted(&self) -> Vec<String> {
        let is_left =
            |it: &&Entry| it.kind == Kind::Path && it.is_uncommitted() && it.is_of_project();
        let mut files: Vec<_> = self.ledger.entries().iter().filter(is_left).collect();
        files.sort_by_key(|it| Reverse(it.written_at));
        let named = |it: &Entry| match &it.fate {
            Some(fate) => format!("{} ({fate})", it.text),
            None => it.text.to_string(),
        };
        files.into_iter().take(FILES).map(named).collect()
    }
}

fn said(text: &str) -> Option<String> {
    Some(clip(text, TEXT)).filter(|it| !it.is_empty())
}

fn listed(item: &turn::Item) -> Option<Listed> {
    let state = match item.state {
        Progress::Done => Standing::Done,
        Progress::Active => Standing::Doing,
        Progress::Pending => Standing::Open,
        Progress::Dropped => return None,
    };
    Some(Listed { text: clip(&item.text, ITEM), state })
}

/// The sentence of a message that says what comes next, else its last.
fn next(say: &str) -> Option<&str> {
    announced(say).or_else(|| sentences(say).last())
}
