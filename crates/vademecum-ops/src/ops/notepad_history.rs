//! Lists the revisions of the session's page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::OpError;
use crate::history::{self, Revision};
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// Lists the revisions of the session's page.
#[derive(Debug)]
pub struct NotepadHistory;

/// How many.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// At most so many, 0 for all. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Show the whole text of this revision instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rev: Option<u32>,
}

/// The revisions.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The revisions, the newest first.
    pub revisions: Vec<Revision>,
    /// The text of the revision that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Operation for NotepadHistory {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "notepad_history",
        aliases: &[],
        title: "List the revisions of the notepad",
        about: "List earlier revisions of this session's page, or show one whole (rev).",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["notepad", "history"], places: &["rev"], stdin: None }),
        example: r#"{"limit": 5}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let Some(session) = call.session(view)? else {
                return Ok(Output { revisions: Vec::new(), content: None });
            };
            let Some(rev) = input.rev else {
                let revisions = history::revisions(view, &session.key, input.limit.unwrap_or(20))?;
                return Ok(Output { revisions, content: None });
            };
            let content = history::text_at(view, &session.key, rev)?;
            let mut revisions = history::revisions(view, &session.key, 0)?;
            revisions.retain(|revision| revision.rev == rev);
            Ok(Output { revisions, content: Some(content) })
        })
    }

    fn say(output: &Output) -> String {
        if let Some(content) = &output.content {
            return content.clone();
        }
        if output.revisions.is_empty() {
            return "the notepad was never written".to_owned();
        }
        let line = |revision: &Revision| {
            let Revision { rev, at, origin, operation, chars, first_line } = revision;
            format!("rev {rev}  {at}  {operation} ({origin})  {chars} characters  {first_line}")
        };
        output.revisions.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
