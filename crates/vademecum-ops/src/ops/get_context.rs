//! Gives what would be put in front of the model now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context::{Block, Moment};

use crate::call::Call;
use crate::error::OpError;
use crate::gather::{self, Request};
use crate::moments::cap_of;
use crate::operation::{Command, Declaration, Effect, Models, Operation};

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
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
        about: "Get the whole working memory of a session as it is shown after compaction; also that of an earlier session (session=handle) to take it over.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        command: Some(Command { words: &["context"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let (session, kept) = call.look(|view| {
            let Some(session) = call.session(view)? else {
                return Ok((None, gather::Kept::default()));
            };
            let running = gather::running(view, &session)?;
            let kept = gather::Kept { running, ..gather::kept(view, session.id)? };
            Ok((Some(session), kept))
        })?;
        let Some(session) = session else {
            return Ok(Output { context: String::new(), tokens: 0, receipt: None, blocks: Vec::new() });
        };
        let request = Request {
            moment: Moment::Resume,
            session: &session,
            kept: &kept,
            faults: &[],
            news: None,
            left: None,
            recap: None,
        };
        let nonce = gather::nonce(call.store.secret().as_ref(), &session.key);
        let context = gather::context(&request, call.config, &cap_of(&session.key), &nonce);
        Ok(context.map_or_else(
            || Output { context: String::new(), tokens: 0, receipt: None, blocks: Vec::new() },
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
