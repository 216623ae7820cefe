//! Lists the tags in use.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::note::TagCount;

use crate::call::Call;
use crate::config::Profile;
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
    /// How many of those are open, as lists of notes show them; none where no others count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<u64>,
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
        let (counts, open) = call.look(|view| match call.session(view)? {
            Some(session) => {
                let counts = view.tags(&session.key, include_scratched)?;
                // The published design has one figure.
                let is_told = include_scratched && call.config.profile != Profile::Seed1;
                let open = is_told.then(|| view.tags(&session.key, false)).transpose()?;
                Ok((counts, open))
            }
            None => Ok((Vec::new(), None)),
        })?;
        let open: Option<HashMap<String, u64>> =
            open.map(|open| open.into_iter().map(|TagCount { tag, count }| (tag, count)).collect());
        let tags = counts.into_iter().map(|TagCount { mut tag, count }| {
            let open = open.as_ref().map(|open| open.get(&tag).copied().unwrap_or(0));
            shapes::clip(&mut tag);
            Tag { tag, count, open }
        });
        Ok(Output { tags: tags.collect() })
    }

    fn say(output: &Output) -> String {
        if output.tags.is_empty() {
            return "no tags in this session".to_owned();
        }
        let line = |Tag { tag, count, open }: &Tag| match open {
            Some(open) if open < count => format!("{tag} {open}, and {} scratched", count - open),
            Some(_) | None => format!("{tag} {count}"),
        };
        output.tags.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
