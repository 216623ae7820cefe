//! The methods by which a recap may be made, beside the default one.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::ProjectId;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_core::turn::{Event, Turn};
use vademecum_recap::{Coverage, Digest, Options, Recap, Tail};
use vademecum_store::{EntryFilter, NoteFilter, SessionFilter, StoreError, View};

use super::Commands;
use super::Kept;
#[cfg(feature = "seed")]
use super::seed::Weighing;
#[cfg(not(feature = "seed"))]
use super::unbuilt::Weighing;
use super::wholes::{Whole, Wholes};
use crate::config::{self, Recap as Recaps, Weighs};

/// How the best of a transcript is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// What the next session needs, by what it is.
    #[default]
    #[serde(alias = "default")]
    Best,
    /// The last messages and calls.
    Tail,
    /// Novelty, centrality, recency and action, as the published design weighs chunks.
    Seed,
}

impl Method {
    /// It, or the default one where it is no part of this build.
    #[must_use]
    pub fn built(self) -> Self {
        if self == Self::Seed && !cfg!(feature = "seed") { Self::Best } else { self }
    }

    /// What it counts.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Best => "facts",
            Self::Tail => "lines",
            Self::Seed => "chunks",
        }
    }
}

/// How method `seed` tells novelty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoveltyBy {
    /// One less the nearest memory's cosine.
    Distance,
    /// How rare its words are in memory.
    Information,
    /// The distance to the nearest memory by compression.
    Compression,
    /// How far it shifts the distribution of words.
    Surprise,
}

/// How method `seed` tells centrality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CentralityBy {
    /// PageRank over the cosines.
    TextRank,
    /// PageRank over links alone.
    LexRank,
    /// Nearness to the whole, less likeness to what is nearer.
    Mmr,
    /// Nearness to the whole.
    TfIdf,
}

/// What method `seed` is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variant {
    /// How it tells novelty; none for its default.
    pub novelty: Option<NoveltyBy>,
    /// How it tells centrality; none for its default.
    pub centrality: Option<CentralityBy>,
    /// Which calls are consequential.
    pub weighs: Weighs,
    /// What each consequential call adds; none for its default.
    pub alpha: Option<f64>,
    /// What is remembered already.
    pub memories: Vec<String>,
}

/// How the recaps that are kept are made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Making {
    /// The method.
    pub method: Method,
    /// What it is asked for.
    pub variant: Variant,
    /// How many chunks a method weighs at most; none for its own limit.
    pub most_chunks: Option<usize>,
    /// What its reader has beside it: the default method does not say it again.
    pub beside: String,
    /// When the page was written that stands beside it.
    pub page: Option<Time>,
    /// The work tree of the session.
    pub root: PathBuf,
}

impl Making {
    /// The same in the time of a hook, with at most so many chunks and as many memories.
    #[must_use]
    pub fn within(mut self, most: usize) -> Self {
        self.variant.memories.truncate(most);
        Self { most_chunks: Some(most), ..self }
    }

    /// What the turns of a transcript are given to.
    pub(crate) fn maker(&self, options: &Options) -> Maker {
        Maker::new(self.method, options).within(self.most_chunks).since(self.page)
    }

    /// As it is set; `memories` are asked for where the method weighs chunks against them.
    pub fn of<E>(
        config: &Recaps,
        memories: impl FnOnce() -> Result<Vec<String>, E>,
    ) -> Result<Self, E> {
        let is_weighed = config.method == Method::Seed;
        let memories = if is_weighed { memories()? } else { Vec::new() };
        let variant = Variant {
            novelty: NoveltyBy::of(config.novelty),
            centrality: None,
            weighs: config.weighs,
            alpha: Some(config.alpha),
            memories,
        };
        Ok(Self { method: config.method, variant, most_chunks: None, ..Self::default() })
    }
}

impl NoveltyBy {
    /// As it is set; none for the default.
    pub(crate) fn of(set: Option<config::Novelty>) -> Option<Self> {
        set.map(|novelty| match novelty {
            config::Novelty::Tfidf | config::Novelty::Embed => Self::Distance,
            config::Novelty::Ncd => Self::Compression,
        })
    }
}

/// What a project remembers already: its entries, the notes and recaps of its sessions.
///
/// The recap of the session `but` is no memory: it is what is made anew.
pub fn memories(
    view: &dyn View,
    project: ProjectId,
    but: Option<&SessionKey>,
) -> Result<Vec<String>, StoreError> {
    let filter = SessionFilter { project: Some(project), limit: 20, ..SessionFilter::default() };
    let mut memories = Vec::new();
    for plan in view.plans(project, None)? {
        let entries = view.entries(EntryFilter::of(&plan), 200)?;
        memories.extend(entries.iter().map(|entry| entry.said.content.as_str().to_owned()));
    }
    for session in view.sessions(SessionFilter { include_archived: true, ..filter })? {
        let notes = view.notes(&session.key, &NoteFilter::default(), 100)?;
        memories.extend(notes.iter().map(|note| note.content.as_str().to_owned()));
        if but != Some(&session.key) {
            let recap = view.recap(&session.key)?.and_then(|kept| Kept::parse(&kept.body));
            memories.extend(recap.map(|recap| recap.text));
        }
    }
    Ok(memories)
}

/// Takes turns in for one of the methods.
///
/// The default method's digest is always kept: how a session stopped is told by all of them.
#[derive(Debug)]
pub struct Maker {
    digest: Digest,
    tail: Option<Tail>,
    seed: Option<Weighing>,
    page: Option<Time>,
    newer: u32,
    wholes: Option<Wholes>,
}

/// What a method made of a session.
#[derive(Debug)]
pub struct Made {
    /// The default method's recap; text, rest and counts are those of the method that was asked for.
    pub recap: Recap,
    /// The same within each further budget.
    pub forms: Vec<String>,
    /// Each factor of each chunk, where the method weighs chunks.
    pub explained: Option<String>,
}

impl Maker {
    /// Starts with no turn.
    #[must_use]
    pub fn new(method: Method, options: &Options) -> Self {
        Self {
            digest: Digest::new(options),
            tail: (method == Method::Tail).then(Tail::default),
            seed: Weighing::begin(method),
            page: None,
            newer: 0,
            wholes: None,
        }
    }

    /// Counts the calls after the page was written.
    #[must_use]
    pub fn since(self, page: Option<Time>) -> Self {
        Self { page, ..self }
    }

    /// Notes which files were read whole, for who is told later which of them are unchanged.
    #[must_use]
    pub(crate) fn noting_wholes(self, root: &Path) -> Self {
        Self { wholes: Some(Wholes::of(root)), ..self }
    }

    /// The files that were read whole, where that was noted.
    pub(super) fn take_wholes(&mut self) -> Vec<Whole> {
        self.wholes.take().map(Wholes::into_read).unwrap_or_default()
    }

    /// How many calls there were after the page was written; 0 without a page.
    pub(crate) fn newer(&self) -> u32 {
        self.newer
    }

    /// Weighs so many chunks at most, where the method weighs chunks.
    #[must_use]
    pub fn within(self, most_chunks: Option<usize>) -> Self {
        let seed = self.seed.map(|seed| seed.within(most_chunks));
        Self { seed, ..self }
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        self.digest.push(turn);
        if let Some(wholes) = &mut self.wholes {
            wholes.push(turn);
        }
        let is_newer = self.page.is_some() && self.page < turn.at;
        self.newer += u32::from(is_newer && matches!(turn.event, Event::Called(_)));
        if let Some(tail) = &mut self.tail {
            tail.push(turn);
        }
        if let Some(seed) = &mut self.seed {
            seed.push(turn);
        }
    }

    /// What the default method knows of the session.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Says the best within `budget` tokens, and within each of `others` too.
    #[must_use]
    pub(crate) fn recap(
        self,
        variant: Variant,
        commands: Option<&mut Commands>,
        (budget, others): (usize, &[usize]),
    ) -> Made {
        let recap = self.digest.recap(budget);
        if let Some(tail) = self.tail {
            let made = tail.recap(budget);
            let forms = others.iter().map(|budget| tail.recap(*budget).text).collect();
            let recap = only(recap, made.text, Vec::new(), (made.said, made.lines));
            return Made { recap, forms, explained: None };
        }
        if let Some(seed) = self.seed {
            return seed.recap(recap, variant, commands, (budget, others));
        }
        let forms = others.iter().map(|budget| self.digest.recap(*budget).text).collect();
        Made { recap, forms, explained: None }
    }
}

/// The recap with the text of another method, which says so many of so many of what it counts.
pub(super) fn only(
    recap: Recap,
    text: String,
    rest: Vec<String>,
    (said, of): (usize, usize),
) -> Recap {
    let coverage = Coverage { said, facts: of, ..recap.coverage };
    Recap { text, rest, coverage, sections: Vec::new(), ..recap }
}

#[cfg(test)]
mod tests {
    use vademecum_core::turn::Call;

    use super::*;

    #[test]
    fn calls_after_the_page_are_counted() {
        let called = |at| {
            let (id, tool, text) = (String::new(), String::new(), String::new());
            let call = Call { id, tool, actions: Vec::new(), text };
            Turn { record: 0, at, event: Event::Called(call) }
        };
        let newer = |page: Option<Time>| {
            let mut maker = Maker::new(Method::Best, &Options::default()).since(page);
            for at in [Some(Time(5)), Some(Time(10)), Some(Time(20)), None] {
                maker.push(&called(at));
            }
            maker.newer()
        };
        assert_eq!((newer(None), newer(Some(Time(10))), newer(Some(Time(1)))), (0, 1, 3));
    }
}
