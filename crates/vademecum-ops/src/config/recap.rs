//! What is set for recaps: whether and by which method they are made, what they cost, where a handoff's file lies.

use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::recaps::methods::Method;

/// The recaps that are made of the harness's transcripts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recap {
    /// Whether hooks make them.
    pub enabled: bool,
    /// The method by which they are made.
    pub method: Method,
    /// The most that one takes in a context, in tokens; none for what there is room for.
    pub max_tokens: Option<usize>,
    /// How method `seed` tells novelty; none for `embed` where there is an embedder, else `tfidf`.
    pub novelty: Option<Novelty>,
    /// Which calls are consequential for method `seed`: the profile says it, and no key.
    #[serde(skip)]
    pub weighs: Weighs,
    /// What each consequential call adds to the weight of its chunk, by method `seed`.
    pub alpha: f64,
    /// The embedder of method `seed`, a program and its arguments; none if empty.
    pub embed_cmd: Vec<String>,
    /// The summariser of method `seed`, in the same form.
    pub summarize_cmd: Vec<String>,
    /// How long each of them may take for one recap.
    pub cmd_seconds: u64,
    /// The file of the work tree that holds the last handoff; none for a file of each session in the data folder.
    pub handoff_file: Option<String>,
}

/// Which calls method `seed` takes for consequential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weighs {
    /// All that change state.
    #[default]
    Changes,
    /// By the letter of the design: writes, edits, and what was remembered.
    Letter,
}

/// How method `seed` tells novelty, as the configuration names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Novelty {
    /// By the words that chunk and memory share; no embedder is asked.
    Tfidf,
    /// By the vectors of the embedder.
    Embed,
    /// By how well a chunk is compressed beside what is remembered.
    Ncd,
}

impl Recap {
    /// Whether the embedder is asked.
    #[must_use]
    pub fn asks_embedder(&self) -> bool {
        self.novelty.is_none_or(|novelty| novelty == Novelty::Embed)
    }
}

/// The table as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) enabled: Option<bool>,
    pub(super) method: Option<Method>,
    pub(super) max_tokens: Option<usize>,
    pub(super) novelty: Option<Novelty>,
    pub(super) alpha: Option<f64>,
    pub(super) embed_cmd: Option<Vec<String>>,
    pub(super) summarize_cmd: Option<Vec<String>>,
    pub(super) cmd_seconds: Option<u64>,
    pub(super) handoff_file: Option<String>,
}

impl Table {
    /// What a project's file may not set, if it does: all but what a recap costs.
    pub(super) fn not_of_project(&self) -> Option<&'static str> {
        let Self {
            enabled,
            method,
            max_tokens: _,
            novelty,
            alpha,
            embed_cmd,
            summarize_cmd,
            cmd_seconds,
            handoff_file,
        } = self;
        let set = [
            ("recap.enabled", enabled.is_some()),
            ("recap.method", method.is_some()),
            ("recap.novelty", novelty.is_some()),
            ("recap.alpha", alpha.is_some()),
            // A repository that is only looked at must not run anything.
            ("recap.embed_cmd", embed_cmd.is_some()),
            ("recap.summarize_cmd", summarize_cmd.is_some()),
            ("recap.cmd_seconds", cmd_seconds.is_some()),
            // The file would stand in the work tree, ready to be committed.
            ("recap.handoff_file", handoff_file.is_some()),
        ];
        set.into_iter().find(|(_, is_set)| *is_set).map(|(key, _)| key)
    }

    /// What is wrong with the table, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let has_embedder = self.embed_cmd.as_ref().is_some_and(|words| !words.is_empty());
        if self.novelty == Some(Novelty::Embed) && !has_embedder {
            return Some("recap.novelty embed needs recap.embed_cmd, none given".to_owned());
        }
        if let Some(alpha) = self.alpha.filter(|alpha| !alpha.is_finite() || *alpha < 0.0) {
            return Some(format!("recap.alpha takes 0 or more, {alpha} given"));
        }
        // A time in which no command can answer, or for which nobody would wait.
        if let Some(seconds) = self.cmd_seconds.filter(|it| !(1..=600).contains(it)) {
            return Some(format!("recap.cmd_seconds takes 1 to 600, {seconds} given"));
        }
        let file = self.handoff_file.as_deref().filter(|file| !is_handoff_file(file))?;
        Some(format!(
            "recap.handoff_file is the name of a Markdown file at the top of the work tree, such as _handoff.md; {file:?} given"
        ))
    }
}

/// Whether the name is that of a visible Markdown file in one folder.
fn is_handoff_file(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
    let is_markdown = Path::new(name).extension().is_some_and(|extension| extension == "md");
    is_one && parts.next().is_none() && !name.starts_with('.') && is_markdown
}
