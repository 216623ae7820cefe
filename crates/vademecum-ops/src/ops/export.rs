//! Writes sessions out, for a reader or for another store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_store::SessionFilter;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Command, Declaration, Effect, Models, Operation};
use crate::transfer::{PackedPlan, Package, PackedSession, VERSION, WITHOUT_PLANS};

/// Writes sessions out.
#[derive(Debug)]
pub struct Export;

/// What, and how.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// markdown for a reader, json for another store. Default: markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["markdown", "json"]))]
    pub format: Option<String>,
    /// All sessions of the project, not only the call's
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// What was written out.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The text in the format asked for.
    pub content: String,
    /// How many sessions it holds.
    pub sessions: usize,
}

impl Operation for Export {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "export",
        aliases: &[],
        title: "Write sessions out as Markdown or JSON",
        about: "Write a session, or all of the project with its plans, out as Markdown or as JSON that import reads.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Never,
        command: Some(Command { words: &["export"], places: &[], stdin: None }),
        example: r#"{"format": "json", "all": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let package = call.look(|view| {
            let project = call.project(view)?;
            let mut sessions = match (&project, input.all) {
                (Some(project), true) => view.sessions(SessionFilter {
                    project: Some(project.id),
                    include_archived: true,
                    include_agents: true,
                    limit: 0,
                })?,
                (None, true) => Vec::new(),
                (_, false) => call.session(view)?.into_iter().collect(),
            };
            sessions.reverse();
            let packed = sessions.iter().map(|session| PackedSession::of(view, session));
            let plans = match (&project, input.all) {
                (Some(project), true) => view.plans(project.id)?,
                (Some(_) | None, _) => Vec::new(),
            };
            let plans: Vec<PackedPlan> =
                plans.iter().map(|plan| PackedPlan::of(view, plan)).collect::<Result<_, _>>()?;
            Ok(Package {
                vademecum: if plans.is_empty() { WITHOUT_PLANS } else { VERSION },
                plans,
                project: project.map_or_else(|| call.place().name(), |project| project.name),
                sessions: packed.collect::<Result<_, _>>()?,
            })
        })?;
        let content = match input.format.as_deref().unwrap_or("markdown") {
            "markdown" => {
                let plans = package.plans.iter().map(PackedPlan::markdown);
                let sessions = package.sessions.iter().map(PackedSession::markdown);
                sessions.chain(plans).collect::<Vec<_>>().join("\n")
            }
            "json" => serde_json::to_string_pretty(&package)
                .map_err(|error| OpError::broken(format!("the export is no JSON: {error}")))?,
            other => return Err(OpError::usage(format!("format \"{other}\" is not known: use markdown or json"))),
        };
        Ok(Output { content, sessions: package.sessions.len() })
    }

    fn say(output: &Output) -> String {
        output.content.clone()
    }
}
