//! Recaps by method `seed`, with the commands that a person may have configured for it.

use vademecum_core::turn::Turn;
use vademecum_recap::Recap;
use vademecum_recap::seed::{
    Centrality, Embed, Novelty, Outside, Seed, SeedOptions, SeedRecap, Summarise, Weighs,
};

use super::Commands;
use super::methods::{CentralityBy, Made, Method, NoveltyBy, Variant, only};
use crate::config;

/// A session so far, where the method is asked for.
#[derive(Debug)]
pub(super) struct Weighing(Seed);

impl Weighing {
    pub(super) fn begin(method: Method) -> Option<Self> {
        (method == Method::Seed).then(|| Self(Seed::default()))
    }

    pub(super) fn within(self, most_chunks: Option<usize>) -> Self {
        Self(most_chunks.into_iter().fold(self.0, Seed::within))
    }

    pub(super) fn push(&mut self, turn: &Turn) {
        self.0.push(turn);
    }

    /// The recap within `budget` and each of `others`; `commands` are asked where the method has a use for them.
    pub(super) fn recap(
        self,
        recap: Recap,
        variant: Variant,
        commands: Option<&mut Commands>,
        (budget, others): (usize, &[usize]),
    ) -> Made {
        let options = options(variant);
        let made = match commands {
            Some(commands) => asking(self.0, &options, commands, budget),
            None => self.0.recap(&options, Outside::default(), budget),
        };
        let forms = others.iter().map(|budget| made.within(*budget)).collect();
        Made { recap: told(recap, &made), forms, explained: Some(made.explain()) }
    }
}

fn asking(seed: Seed, options: &SeedOptions, commands: &mut Commands, budget: usize) -> SeedRecap {
    let (has_embedder, has_summariser) = (commands.embeds(), commands.summarises());
    let (embedder, summariser) = commands.both();
    let mut embed = |texts: &[&str]| embedder.embed(texts);
    let mut summarise = |text: &str| summariser.summarise(text);
    let outside = Outside {
        embed: has_embedder.then_some(&mut embed as Embed<'_>),
        summarise: has_summariser.then_some(&mut summarise as Summarise<'_>),
    };
    seed.recap(options, outside, budget)
}

fn told(recap: Recap, made: &SeedRecap) -> Recap {
    let rest = made.rest().into_iter().map(str::to_owned).collect();
    let said = made.chunks.iter().filter(|it| it.is_injected).count();
    only(recap, made.text.clone(), rest, (said, made.chunks.len()))
}

fn options(variant: Variant) -> SeedOptions {
    let default = SeedOptions::default();
    let novelty = variant.novelty.map_or(default.novelty, |by| match by {
        NoveltyBy::Distance => Novelty::Distance,
        NoveltyBy::Information => Novelty::Information,
        NoveltyBy::Compression => Novelty::Compression,
        NoveltyBy::Surprise => Novelty::Surprise,
    });
    let centrality = variant.centrality.map_or(default.centrality, |by| match by {
        CentralityBy::TextRank => Centrality::TextRank,
        CentralityBy::LexRank => Centrality::LexRank,
        CentralityBy::Mmr => Centrality::Mmr,
        CentralityBy::TfIdf => Centrality::TfIdf,
    });
    let weighs = match variant.weighs {
        config::Weighs::Changes => Weighs::Changes,
        config::Weighs::Letter => Weighs::Letter,
    };
    let alpha = variant.alpha.unwrap_or(default.alpha);
    SeedOptions { novelty, centrality, weighs, alpha, memories: variant.memories }
}
