//! Lists what is filed for a project: its decisions, issues and learnings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::Category;
use vademecum_store::{Document, EntryFilter};

use crate::call::Call;
use crate::error::OpError;
use crate::finding;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::search::FoundShape;
use crate::plans;
use crate::shapes::counted;

/// Lists what is filed for a project.
#[derive(Debug)]
pub struct ListEntries;

/// So many are shown, unless more are asked for.
const SHOWN: usize = 20;

/// Which entries.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// learning, decision or issue; all if absent
    #[schemars(extend("enum" = ["learning", "decision", "issue"]))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Those that were superseded or resolved too
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// At most so many, 0 for all. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// The entries.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The entries of all plans, the newest first.
    pub entries: Vec<FoundShape>,
    /// How many there are.
    pub total: u64,
}

impl Operation for ListEntries {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_entries",
        aliases: &[],
        title: "List what the project knows",
        about: "List the decisions, issues and learnings of this project, the newest first, with plan, day and session.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["plan", "entries"], places: &[], stdin: None }),
        example: r#"{"category": "decision", "all": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.check_on()?;
        let category = input.category.as_deref().map(category).transpose()?;
        if let Some(project) = call.read(|view| call.project(view))? {
            plans::take_in(call, &project);
        }
        call.look(|view| {
            let Some(project) = call.project(view)? else { return Ok(Output::default()) };
            let filter = EntryFilter {
                project: Some(project.id),
                category,
                in_force: !input.all,
                ..EntryFilter::default()
            };
            let entries = view.entries(filter, input.limit.unwrap_or(SHOWN))?;
            let shape = |entry| {
                let document = Document::Entry(Box::new(entry));
                FoundShape::of(call, view, finding::whole(view, project.id, document)?)
            };
            let entries = entries.into_iter().map(shape).collect::<Result<_, OpError>>()?;
            Ok(Output { entries, total: view.entry_count(filter)? })
        })
    }

    fn say(output: &Output) -> String {
        let Output { entries, total } = output;
        if entries.is_empty() {
            return "nothing of that kind is filed here".to_owned();
        }
        let shown = entries.len();
        let head = if shown as u64 == *total {
            counted(shown, "entry")
        } else {
            format!("{shown} of {total} entries")
        };
        let lines = entries.iter().map(FoundShape::line);
        std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
    }
}

fn category(word: &str) -> Result<Category, OpError> {
    Category::ALL.into_iter().find(|it| it.word() == word).ok_or_else(|| {
        OpError::usage(format!(
            "category \"{word}\" is not known: use learning, decision or issue"
        ))
    })
}
