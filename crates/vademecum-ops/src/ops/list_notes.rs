//! Lists the newest notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::SessionKey;
use vademecum_core::note::Tags;
use vademecum_store::{Counts, NoteFilter, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::notes;
use crate::shapes::{self, NoteShape, lines};

/// Lists the newest notes.
#[derive(Debug)]
pub struct ListNotes;

/// How many a list shows when nothing else is asked for.
const DEFAULT_LIMIT: usize = 10;

/// Which notes.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// At most so many. Default: 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Only notes with all of these tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A single tag, for callers that know the singular.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub tag: Option<String>,
    /// Crossed-out notes too. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub include_scratched: bool,
}

/// The newest notes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The notes, the last changed first.
    pub notes: Vec<NoteShape>,
    /// How many notes match, those too that the list has no room for.
    pub total: u64,
    /// How many further notes the session has, which do not match.
    #[serde(default, skip_serializing_if = "shapes::is_no")]
    pub others: u64,
}

impl Operation for ListNotes {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_notes",
        aliases: &[],
        title: "List the newest notes",
        about: "List this session's newest notes, also by tags (AND). By words: search_notes.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfSession,
        command: Some(Command { words: &["note", "list"], places: &[], stdin: None }),
        example: r#"{"limit": 5, "tags": ["todo"]}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let words: Vec<&String> = input.tags.iter().chain(&input.tag).collect();
        let filter = NoteFilter {
            tags: Tags::filter(&words)?,
            include_scratched: input.include_scratched,
            ..NoteFilter::default()
        };
        let given = input.limit.and_then(|limit| usize::try_from(limit).ok());
        let limit = given.filter(|limit| 0 < *limit).unwrap_or(DEFAULT_LIMIT);
        call.look(|view| {
            let Some(session) = call.session(view)? else {
                return Ok(Output { notes: Vec::new(), total: 0, others: 0 });
            };
            let counts = view.counts(&session.key)?;
            view.expect(&|view| {
                drop(view.notes(&session.key, &filter, limit));
                // Those of several tags are counted by reading them.
                if filter.tags.len() < 2 {
                    drop(matching(view, &session.key, &filter, counts));
                }
            });
            let found = view.notes(&session.key, &filter, limit)?;
            let total = match found.len() {
                n if n < limit => n as u64,
                _ => matching(view, &session.key, &filter, counts)?,
            };
            let others = counts.notes.saturating_sub(total);
            let notes = notes::listed(call, view, (&session.key, counts.notes), &found)?;
            Ok(Output { notes, total, others })
        })
    }

    fn say(output: &Output) -> String {
        let n = output.notes.len() as u64;
        let head = match (n, output.total) {
            (0, _) if output.others == 0 => return "no notes in this session".to_owned(),
            (0, _) => return "no notes match".to_owned(),
            (n, total) if n == total => crate::shapes::count(n),
            (n, total) => format!("{n} of {total} notes"),
        };
        lines(&head, &output.notes)
    }
}

/// How many notes pass the filter, of one tag or none without a look at them.
fn matching(
    view: &dyn View,
    session: &SessionKey,
    filter: &NoteFilter,
    counts: Counts,
) -> Result<u64, StoreError> {
    Ok(match filter.tags.as_slice() {
        [] if filter.include_scratched => counts.notes,
        [] => counts.open,
        [tag] => view.tag_count(session, tag, filter.include_scratched)?,
        _ => view.notes(session, filter, 0)?.len() as u64,
    })
}
