//! Makes this folder one of another project's: after it was moved, or where two are one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::ProjectId;
use vademecum_core::project::{Project, shown};
use vademecum_store::{Change, EntryFilter, Scope, SessionFilter, View};

use crate::call::Call;
use crate::error::OpError;
use crate::forgetting::{self, Intent};
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::import::plans::changes;
use crate::shapes::counted;

/// Makes this folder one of another project's.
#[derive(Debug)]
pub struct JoinProject;

/// Which project.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The project, by its name or its id
    pub project: String,
    /// Say yes: what this folder has already moves there, and cannot be parted again
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yes: bool,
}

/// What was joined.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The project that this folder belongs to now.
    pub project: String,
    /// Its id.
    pub id: String,
    /// How many sessions moved there.
    pub sessions: usize,
    /// How many entries of plans moved there.
    pub entries: usize,
}

impl Operation for JoinProject {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "join_project",
        aliases: &[],
        title: "Make this folder part of another project",
        about: "Make this folder part of a project that is known already, as after a folder was moved. What this folder has moves there.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["project", "join"], places: &["project"], stdin: None }),
        example: r#"{"project": "demo"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let (into, own) = call.look(|view| {
            let own = call.project(view)?;
            Ok((named(view, &input.project, own.as_ref())?, own))
        })?;
        let Some(own) = own else {
            let keys = call.new_keys();
            call.write(Scope::Project(into.id), Self::DECLARATION.name, &keys, |_| {
                let change = Change::AddProjectKeys { project: into.id, keys: keys.clone() };
                Ok((vec![change], ()))
            })?;
            return Ok(Output { project: into.name, id: into.id.to_string(), ..Output::default() });
        };
        if own.id == into.id {
            return Ok(Output { project: into.name, id: into.id.to_string(), ..Output::default() });
        }
        if !input.yes {
            let message = format!("this folder is project {} already, with what it keeps", shown(&own.name));
            return Err(OpError::usage(message)
                .hint(format!("--yes moves all of it to {}: they cannot be parted again", shown(&into.name))));
        }
        // Its plans are copied: nothing of it is left for a later call to find, whoever is stopped in between.
        let left = forgetting::begin(call, Intent::Joined { project: own.id })?;
        let output = joined(call, &own, &into);
        forgetting::end(call, &left)?;
        output
    }

    fn say(output: &Output) -> String {
        let Output { project, sessions, entries, .. } = output;
        let moved = match (sessions, entries) {
            (0, 0) => String::new(),
            (n, 0) => format!("; {} moved there", counted(*n, "session")),
            (n, m) => format!("; {} and {} moved there", counted(*n, "session"), counted(*m, "entry")),
        };
        format!("this folder belongs to project {}{moved}", shown(project))
    }
}

/// The project with this id or name; of several of that name the one that this folder does not have already.
fn named(view: &dyn View, text: &str, own: Option<&Project>) -> Result<Project, OpError> {
    let mut projects = view.projects(None)?;
    if projects.iter().any(|it| it.name == text && Some(it.id) != own.map(|own| own.id)) {
        projects.retain(|it| Some(it.id) != own.map(|own| own.id));
    }
    let is_meant = |project: &&Project| project.name == text || is_id_of(project, text);
    let mut named = projects.iter().filter(is_meant);
    match (named.next(), named.next()) {
        (Some(project), None) => Ok(project.clone()),
        (Some(_), Some(_)) => Err(OpError::usage(format!("several projects are called \"{text}\""))
            .hint("name it by its id: vade project list shows them")),
        (None, _) => Err(OpError::missing(format!("no project \"{text}\""))
            .hint("vade project list shows them")),
    }
}

/// Whether `text` is the id of a project, or how it begins.
fn is_id_of(project: &Project, text: &str) -> bool {
    ProjectId::SHORT <= text.len() && project.id.to_string().starts_with(text)
}

/// Moves the folders and sessions of `own` to `into`, and copies the entries that are new there.
fn joined(call: &Call<'_>, own: &Project, into: &Project) -> Result<Output, OpError> {
    let arguments = (own.id, into.id);
    let written = call.write(Scope::Project(into.id), JoinProject::DECLARATION.name, &arguments, |view| {
        let mut all = Vec::new();
        let mut entries = Vec::new();
        for plan in view.plans(own.id, None)? {
            if view.plan(into.id, &plan.name)?.is_none() {
                let (name, at) = (plan.name.clone(), plan.created_at);
                let is_tracked = plan.is_tracked;
                all.push(Change::AddPlan { project: into.id, name, is_tracked, at });
            }
            entries.extend(view.entries(EntryFilter::of(&plan), 0)?);
        }
        entries.sort_by_key(|entry| entry.id);
        let entries: Vec<_> = entries.iter().collect();
        let (added, _) = changes(view, into, &entries, &BTreeMap::new(), call.now())?;
        let filter = SessionFilter { project: Some(own.id), ..SessionFilter::ALL };
        let sessions = view.sessions(filter)?;
        let active = sessions.iter().map(|session| Change::SetActivePlan { session: session.key.clone(), plan: None });
        let output = Output {
            project: into.name.clone(),
            id: into.id.to_string(),
            sessions: sessions.iter().filter(|session| session.key.agent.is_none()).count(),
            entries: added.len(),
        };
        all.extend(added);
        all.extend(active);
        all.push(Change::JoinProject { project: own.id, into: into.id });
        Ok((all, output))
    })?;
    Ok(written.value)
}
