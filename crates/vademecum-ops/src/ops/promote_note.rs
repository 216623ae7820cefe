//! Copies a note to a plan or to the project, where it outlives its session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Category, Matter};

use crate::call::Call;
use crate::error::OpError;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::show_plan;
use crate::plans::{self, Given, Recorded};

/// Copies a note to a plan or to the project.
#[derive(Debug)]
pub struct PromoteNote;

/// Which note, and where to.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Note ID to copy
    pub id: String,
    /// Plan. Default: the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// learning, decision or issue. Default: by its tags, else learning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["learning", "decision", "issue"]))]
    pub category: Option<String>,
}

impl Operation for PromoteNote {
    type Input = Input;
    type Output = Recorded;

    const DECLARATION: Declaration = Declaration {
        name: "promote_note",
        aliases: &[],
        title: "Copy a note to the project",
        about: "Copy a note of this session to the project or a plan, so that later sessions and sub-agents are told it.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["note", "promote"], places: &["id"], stdin: None }),
        example: r#"{"id": "note_1734604200000", "category": "decision"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Recorded, OpError> {
        let (session, _) = call.open_session()?;
        let note = call.look(|view| notes::named(call, view, &session.key, &input.id))?;
        let tags = note.tags.as_slice();
        let category = match &input.category {
            Some(word) => show_plan::category(word)?,
            None => category_of(tags),
        };
        let given = Given {
            content: note.content.as_str(),
            plan: Some(input.plan.as_deref().unwrap_or(vademecum_core::plan::PlanName::PROJECT)),
            task: None,
            pattern: None,
            tags,
            supersedes: None,
        };
        let said = given.said(call, Matter::bare(category))?;
        plans::record(call, Self::DECLARATION.name, &input, given.plan, &said)
    }

    fn say(output: &Recorded) -> String {
        output.say()
    }
}

/// What a note is by its tags.
fn category_of(tags: &[String]) -> Category {
    let has = |names: [&str; 2]| tags.iter().any(|tag| names.contains(&tag.as_str()));
    match (has(["decision", "decisions"]), has(["bug", "issue"])) {
        (true, _) => Category::Decision,
        (false, true) => Category::Issue,
        (false, false) => Category::Learning,
    }
}
