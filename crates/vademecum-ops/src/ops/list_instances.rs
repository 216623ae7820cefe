//! Says which instances the project had, and who continued whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::Session;
use vademecum_store::{SessionFilter, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::recaps;
use crate::shapes::columns;
use crate::succession::State;

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
    /// Those too that were opened and never worked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unused: bool,
}

/// The instances.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The instances, the last started first.
    pub instances: Vec<Instance>,
    /// How many among them were opened and never worked, and are left out.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unused: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none(n: &u64) -> bool {
    *n == 0
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

impl Operation for ListInstances {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_instances",
        aliases: &[],
        title: "Show who continued whom",
        about: "Show the sessions of this project that worked, the last started first: where each stands, whom it continued, what it was for.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["session", "log"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let mut output = Output { instances: Vec::new(), unused: 0 };
            let Some(project) = call.project(view)? else { return Ok(output) };
            let filter = SessionFilter { project: Some(project.id), include_archived: true, ..SessionFilter::default() };
            let most = match input.limit {
                Some(0) => usize::MAX,
                limit => limit.unwrap_or(20),
            };
            for session in view.sessions(filter)? {
                if output.instances.len() == most {
                    break;
                }
                match State::of(view, call.world, &session)? {
                    State::Desk => {}
                    State::Unused if !input.unused => output.unused += 1,
                    state => output.instances.push(instance(view, &session, state)?),
                }
            }
            Ok(output)
        })
    }

    fn say(output: &Output) -> String {
        let unused = match output.unused {
            0 => None,
            n => Some(format!("and {n} unused (vade session log --unused)")),
        };
        if output.instances.is_empty() {
            return unused.unwrap_or_else(|| "no sessions here".to_owned());
        }
        let head = ["", "SESSION", "STATE", "STARTED", "CONTINUES", "HANDOFF", "ABOUT"];
        let rows = output.instances.iter().map(row);
        let table = columns(&head, rows);
        table.into_iter().chain(unused).collect::<Vec<_>>().join("\n")
    }
}

fn instance(view: &dyn View, session: &Session, state: State) -> Result<Instance, StoreError> {
    let before = session.parent.as_ref().map(|parent| view.session(parent)).transpose()?.flatten();
    let recap = view.recap(&session.key)?.and_then(|kept| recaps::Kept::parse(&kept.body));
    Ok(Instance {
        instance: session.instance,
        session: session.handle(),
        started_at: session.started_at.to_rfc3339(),
        state,
        continues: before.map(|before| before.instance),
        goal: recap.and_then(|recap| recap.state.goal),
        has_handoff: view.handoff(&session.key)?.is_some(),
    })
}

fn row(instance: &Instance) -> Vec<String> {
    let Instance { instance: n, session, started_at, state, continues, goal, has_handoff } = instance;
    vec![
        n.to_string(),
        session.clone(),
        state.word().to_owned(),
        started_at.clone(),
        continues.map_or_else(String::new, |before| before.to_string()),
        if *has_handoff { "written".to_owned() } else { String::new() },
        goal.as_ref().map_or_else(String::new, |goal| format!("\"{goal}\"")),
    ]
}
