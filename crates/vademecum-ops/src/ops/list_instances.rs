//! Says which instances the project had, and who continued whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::Session;
use vademecum_store::{SessionFilter, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Command, Declaration, Effect, Models, Operation};
use crate::recaps;
use crate::succession;

/// Says which instances the project had, and who continued whom.
#[derive(Debug)]
pub struct ListInstances;

/// How many of them.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// At most so many, 0 for all. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// The instances.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The instances, the last started first.
    pub instances: Vec<Instance>,
}

/// One instance of the project's line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instance {
    /// Its place in the line.
    pub instance: u32,
    /// Its short name.
    pub session: String,
    /// When it began (RFC 3339).
    pub started_at: String,
    /// Where it stands.
    pub state: State,
    /// The instance that it goes on from; none if it began anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<u32>,
    /// What the user asked for, where a recap was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Whether its agent wrote a handoff.
    pub has_handoff: bool,
}

/// Where an instance stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its process runs.
    Running,
    /// It ended.
    Ended,
    /// Its process is gone, and it never said that it ends.
    Killed,
    /// It was opened and never worked.
    Unused,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ended => "ended",
            Self::Killed => "killed",
            Self::Unused => "unused",
        }
    }
}

impl Operation for ListInstances {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_instances",
        aliases: &[],
        title: "Show who continued whom",
        about: "Show the instances of this project, the last started first: where each stands, whom it continued, what it was for.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Extra,
        command: Some(Command { words: &["session", "log"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let Some(project) = call.project(view)? else {
                return Ok(Output { instances: Vec::new() });
            };
            let filter = SessionFilter {
                project: Some(project.id),
                include_archived: true,
                include_agents: false,
                limit: input.limit.unwrap_or(20),
            };
            let sessions = view.sessions(filter)?;
            let instances = sessions.iter().map(|session| instance(call, view, session));
            Ok(Output { instances: instances.collect::<Result<_, _>>()? })
        })
    }

    fn say(output: &Output) -> String {
        if output.instances.is_empty() {
            return "no sessions here".to_owned();
        }
        output.instances.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn instance(call: &Call<'_>, view: &dyn View, session: &Session) -> Result<Instance, StoreError> {
    let state = if succession::is_running(call.world, session) {
        State::Running
    } else if !succession::has_worked(view, session)? {
        State::Unused
    } else if session.ended_at.is_some() {
        State::Ended
    } else {
        State::Killed
    };
    let before = session.parent.map(|parent| view.session_by_id(parent)).transpose()?.flatten();
    let recap = view.recap(session.id)?.and_then(|kept| recaps::Kept::parse(&kept.body));
    Ok(Instance {
        instance: session.instance,
        session: session.handle(),
        started_at: session.started_at.to_rfc3339(),
        state,
        continues: before.map(|before| before.instance),
        goal: recap.and_then(|recap| recap.goal),
        has_handoff: view.handoff(session.id)?.is_some(),
    })
}

fn line(instance: &Instance) -> String {
    let Instance { instance: n, session, started_at, state, continues, goal, has_handoff } = instance;
    let before = continues.map(|before| format!("continues {before}"));
    let handoff = has_handoff.then(|| "handoff".to_owned());
    let goal = goal.as_ref().map(|goal| format!("\"{goal}\""));
    let line = format!("{n}  {session}  {}  since {started_at}", state.word());
    let parts = std::iter::once(line).chain(before).chain(handoff).chain(goal);
    parts.collect::<Vec<_>>().join("  ")
}
