//! Gives what would be put in front of the model now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context::{Block, Moment};
use vademecum_core::session::Session;
use vademecum_harness::transcript::{Format, Span};

use crate::call::Call;
use crate::error::OpError;
use crate::gather::{self, Request};
use crate::moments::cap_of;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::recaps::{self, BUDGET, Kept, find, wholes};
use crate::{succession, wisdom};

/// Gives what would be put in front of the model now.
#[derive(Debug)]
pub struct GetContext;

/// How much is said of it.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Say for each block what it costs and why it looks as it does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
}

/// The context.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The text, byte for byte as a harness would get it; empty if there is nothing to say.
    pub context: String,
    /// About how many tokens it costs.
    pub tokens: usize,
    /// The hash that it ends with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// Its blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockShape>,
}

/// One block of a context.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockShape {
    /// Which block.
    pub name: String,
    /// About how many tokens it costs.
    pub tokens: usize,
    /// How many of its lines or notes are shown.
    pub shown: u64,
    /// How many there are.
    pub of: u64,
    /// Why it looks as it does.
    pub why: String,
}

impl BlockShape {
    fn of(block: &Block) -> Self {
        Self {
            name: format!("{:?}", block.name).to_lowercase(),
            tokens: block.tokens(),
            shown: block.shown,
            of: block.of,
            why: block.why.clone(),
        }
    }
}

impl Operation for GetContext {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "get_context",
        aliases: &[],
        title: "Show what a model is shown",
        about: "Get the whole working memory of this session as it is shown after compaction.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::Guarded("context"),
        command: Some(Command { words: &["context"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let (session, kept, recap, knowledge) = call.look(|view| {
            let Some(session) = call.session(view)? else {
                return Ok((None, gather::Kept::default(), None, None));
            };
            let running = gather::running(view, &session)?;
            let took_over = succession::took_over(view, &session)?;
            let kept = gather::Kept { running, took_over, ..gather::kept(view, &session.key)? };
            let recap = gather::recap(view, &session.key)?;
            let knowledge = wisdom::known(call, view, &session, None)?;
            Ok((Some(session), kept, recap, knowledge))
        })?;
        let Some(session) = session else { return Ok(Output::default()) };
        let recap = if call.config.recap.enabled { told(call, &session, recap) } else { None };
        let unchanged = recap.as_ref().and_then(|recap| wholes::unchanged(recap, &call.place().root));
        let request = Request {
            moment: Moment::Resume,
            session: &session,
            kept: &kept,
            faults: &[],
            news: None,
            left: None,
            recap: recap.as_ref(),
            unchanged: unchanged.as_deref(),
            knowledge: knowledge.as_ref(),
            replaces: None,
            saves: !call.world.is_read_only(),
        };
        let nonce = gather::nonce(call.store, call.world, &session.key);
        let context = gather::context(&request, call.config, &cap_of(&session.key), &nonce);
        Ok(context.map_or_else(
            Output::default,
            |context| Output {
                tokens: context.tokens(),
                receipt: context.receipt.clone(),
                blocks: if input.explain { context.blocks.iter().map(BlockShape::of).collect() } else { Vec::new() },
                context: context.text,
            },
        ))
    }

    fn say(output: &Output) -> String {
        if output.blocks.is_empty() {
            return if output.context.is_empty() { "nothing to show yet".to_owned() } else { output.context.clone() };
        }
        let line = |block: &BlockShape| {
            let BlockShape { name, tokens, shown, of, why } = block;
            format!("{name}: {tokens} tokens, {shown} of {of}; {why}")
        };
        let blocks: Vec<String> = output.blocks.iter().map(line).collect();
        format!("{}\n\n{} tokens in all\n{}", output.context, output.tokens, blocks.join("\n"))
    }
}

/// The recap of the session as its transcript stands now; the one that was kept where that is gone.
fn told(call: &Call<'_>, session: &Session, kept: Option<Kept>) -> Option<Kept> {
    let path = find::of_session(session);
    let size = path.as_ref().and_then(|path| Some(path.metadata().ok()?.len()));
    let (Some(path), Some(size)) = (path, size) else {
        return kept;
    };
    let method = call.config.recap.method;
    if kept.as_ref().is_some_and(|kept| kept.size == size && kept.method == method) {
        return kept;
    }
    let format = Format::ALL.into_iter().find(|format| format.name() == session.key.harness);
    let making = recaps::making(call, session).ok()?;
    let read = recaps::read_for(&making, &path, format, (Span::HOOK, call.policy())).ok();
    read.map(|read| Kept::of(read, making, BUDGET)).or(kept)
}
