//! Lists the sessions of the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_store::SessionFilter;

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Command, Declaration, Effect, Models, Operation};
use crate::shapes::SessionShape;

/// Lists the sessions of the project.
#[derive(Debug)]
pub struct ListSessions;

/// Which sessions.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// At most so many, 0 for all. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only sessions that have not ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Sub-agents too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents: bool,
    /// Sessions of all projects.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// The sessions.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The sessions, the last started first.
    pub sessions: Vec<SessionShape>,
}

impl Operation for ListSessions {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_sessions",
        aliases: &[],
        title: "List the sessions of the project",
        about: "List the sessions of this project, the last started first.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Extra,
        command: Some(Command { words: &["session", "list"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let project = if input.all { None } else { call.project(view)?.map(|project| project.id) };
            if project.is_none() && !input.all {
                return Ok(Output { sessions: Vec::new() });
            }
            let filter = SessionFilter {
                project,
                include_archived: !input.open,
                include_agents: input.agents,
                limit: input.limit.unwrap_or(20),
            };
            let sessions = view.sessions(filter)?;
            let shapes = sessions.iter().map(|session| SessionShape::of(view, session));
            Ok(Output { sessions: shapes.collect::<Result<_, _>>()? })
        })
    }

    fn say(output: &Output) -> String {
        if output.sessions.is_empty() {
            return "no sessions here".to_owned();
        }
        output.sessions.iter().map(SessionShape::line).collect::<Vec<_>>().join("\n")
    }
}
