//! Lists the sessions of the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::project::shown;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{Author, Origin, SessionFilter, Surface, View};

use crate::at_work;
use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::shapes::{SessionShape, columns};
use crate::succession::{self, State};
use crate::open_work::OpenWork;

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
    /// Only those that run or left work open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Sub-agents too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents: bool,
    /// Sessions of all projects: for a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// The sessions.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The sessions, the last started first.
    pub sessions: Vec<Listed>,
    /// How many were looked at.
    #[serde(skip)]
    pub all: usize,
}

/// One session of the list.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// The session.
    #[serde(flatten)]
    pub session: SessionShape,
    /// The name of its project, where those of all projects are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// What it left open, where that is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_open: Option<String>,
    /// What it does by its page, where it runs and open work is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doing: Option<String>,
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
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["session", "list"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        // At a shell a model can read what its person can.
        let Origin { surface, author } = &call.caller.origin;
        if input.all && *author == Author::Agent && *surface != Surface::Cli {
            return Err(OpError::denied("all lists sessions of other projects, which a model is not told")
                .hint("leave it out; a person may ask: vade session list --all"));
        }
        call.look(|view| {
            let project = if input.all { None } else { call.project(view)?.map(|project| project.id) };
            let mut output = Output { sessions: Vec::new(), all: 0 };
            if project.is_none() && !input.all {
                return Ok(output);
            }
            let most = match input.limit {
                Some(0) => usize::MAX,
                limit => limit.unwrap_or(20),
            };
            let filter = SessionFilter {
                project,
                include_archived: true,
                include_agents: input.agents,
                limit: if input.open || most == usize::MAX { 0 } else { most },
                ..SessionFilter::default()
            };
            for session in view.sessions(filter)? {
                if output.sessions.len() == most {
                    break;
                }
                output.all += 1;
                output.sessions.extend(listed(call, view, &input, &session)?);
            }
            Ok(output)
        })
    }

    fn say(output: &Output) -> String {
        if output.sessions.is_empty() {
            return match output.all {
                0 => "no sessions here".to_owned(),
                1 => "the one session here neither runs nor left work to take over".to_owned(),
                n => format!("none of the {n} sessions here runs or left work to take over"),
            };
        }
        let heads: Vec<&str> =
            ["PROJECT"].into_iter().chain(SessionShape::COLUMNS).chain(["LEFT OPEN", "DOING"]).collect();
        let rows = output.sessions.iter().map(|listed| {
            let Listed { session, project, left_open, doing } = listed;
            let [project, left, doing] = [project, left_open, doing].map(|it| it.clone().unwrap_or_default());
            std::iter::once(shown(&project)).chain(session.row()).chain([left, doing]).collect()
        });
        columns(&heads, rows).join("\n")
    }
}

/// One line of the list; none for a session with nothing open, where only the open ones are asked for.
fn listed(
    call: &Call<'_>,
    view: &dyn View,
    input: &Input,
    session: &Session,
) -> Result<Option<Listed>, OpError> {
    let left_open = if input.open { left_open(call, view, session)? } else { None };
    let shape = SessionShape::of(view, call.world, session)?;
    // A sub-agent runs until it says that it stops, or is swept.
    let is_agent = session.key.agent.is_some() && session.ended_at.is_none();
    if input.open && left_open.is_none() && !is_agent && shape.state != State::Running {
        return Ok(None);
    }
    let project = if input.all { view.project(session.project)? } else { None };
    let is_running = input.open && left_open.is_none();
    let doing = if is_running { Some(at_work::doing(view, session)?) } else { None };
    Ok(Some(Listed {
        session: shape,
        project: project.map(|project| project.name),
        left_open,
        doing: doing.filter(|doing| !doing.is_empty()),
    }))
}

/// What a session left open that nobody settled.
fn left_open(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
) -> Result<Option<String>, OpError> {
    let is_running = |session: &Session| succession::is_running(call.world, session);
    // A desk never runs, however lately its person was heard of.
    let is_desk = session.key.harness == SessionKey::DESK;
    if session.key.agent.is_some() || !is_desk && is_running(session) {
        return Ok(None);
    }
    let workers = succession::workers(view, session.project, None)?;
    let worker = workers.iter().find(|worker| worker.session.key == session.key);
    match worker {
        Some(worker) if !worker.is_settled(view, &workers, &is_running)? => {
            let work = OpenWork::of(view, call.world, session.clone())?;
            Ok(work.open().first().map(|open| open.what().to_owned()))
        }
        Some(_) | None => Ok(None),
    }
}
