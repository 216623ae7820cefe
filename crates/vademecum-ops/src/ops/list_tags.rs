//! Lists the tags in use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::TagCount;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes;

/// Lists the tags in use.
#[derive(Debug)]
pub struct ListTags;

/// Which notes count.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Count crossed-out notes too. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_scratched: Option<bool>,
}

/// The tags in use.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The tags, the most used first.
    pub tags: Vec<Tag>,
}

/// One tag.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tag {
    /// The tag.
    pub tag: String,
    /// How many notes carry it.
    pub count: u64,
}

impl Operation for ListTags {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_tags",
        aliases: &[],
        title: "List the tags in use",
        about: "List the tags of this session's notes with counts.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["tag", "list"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let include_scratched = input.include_scratched.unwrap_or(true);
        let counts = call.look(|view| match call.session(view)? {
            Some(session) => Ok(view.tags(&session.key, include_scratched)?),
            None => Ok(Vec::new()),
        })?;
        let tags = counts.into_iter().map(|TagCount { mut tag, count }| {
            shapes::clip(&mut tag);
            Tag { tag, count }
        });
        Ok(Output { tags: tags.collect() })
    }

    fn say(output: &Output) -> String {
        if output.tags.is_empty() {
            return "no tags in this session".to_owned();
        }
        let tags: Vec<String> =
            output.tags.iter().map(|tag| format!("{} {}", tag.tag, tag.count)).collect();
        tags.join("\n")
    }
}
