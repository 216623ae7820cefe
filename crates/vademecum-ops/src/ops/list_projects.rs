//! Lists the projects of the store, with the folders that they are known by.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::ProjectId;
use vademecum_core::project::{KeyKind, Project, ProjectKey, shown};
use vademecum_core::time::Time;
use vademecum_files::{Kind, kind_at};
use vademecum_store::{SessionFilter, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::place::Place;
use crate::shapes::{counted, path_line};
use crate::world::World;

/// Lists the projects of the store.
#[derive(Debug)]
pub struct ListProjects;

/// No arguments.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {}

/// The projects.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The projects, the first seen first.
    pub projects: Vec<ProjectShape>,
}

/// A project as the world sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectShape {
    /// The first 8 hexadecimal digits of its id; all 32 where another one begins with the same.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many sessions it has, without sub-agents.
    pub sessions: usize,
    /// When one of them was last heard of (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<String>,
    /// The folders that it is known by and that are there; where none is, those that are gone.
    pub folders: Vec<String>,
    /// Whether none of them is there any more, and no other machine has it.
    pub is_gone: bool,
    /// Whether it is the project of the call.
    pub is_here: bool,
}

impl ProjectShape {
    /// The shape of `project`, with what a snapshot and the disk know of it.
    fn of(view: &dyn View, world: &World, (project, all): (&Project, &[Project]), here: Option<ProjectId>) -> Result<Self, StoreError> {
        let sessions = view.sessions(of(project.id))?;
        let keys = view.project_keys(project.id)?.into_iter();
        let keys: Vec<ProjectKey> = keys.filter(|key| key.kind == KeyKind::Folder).collect();
        let machines = world.machines();
        // What another machine has there nobody can see from here.
        let is_elsewhere = keys.iter().any(|key| key.machine.is_some_and(|it| !machines.contains(&it)));
        let mut folders: Vec<PathBuf> =
            keys.into_iter().map(|key| PathBuf::from(OsString::from_vec(key.value))).collect();
        let is_there = |folder: &PathBuf| kind_at(folder) == Some(Kind::Folder);
        let is_any_there = folders.iter().any(is_there);
        let is_gone = !folders.is_empty() && !is_any_there && !is_elsewhere;
        // One that it was moved from says nothing any more.
        folders.retain(|folder| !is_any_there || is_there(folder));
        Ok(Self {
            id: named(project, all),
            name: project.name.clone(),
            sessions: sessions.len(),
            seen_at: sessions.iter().map(|session| session.seen_at).max().map(Time::to_rfc3339),
            is_gone,
            folders: folders.iter().map(|folder| folder.display().to_string()).collect(),
            is_here: here == Some(project.id),
        })
    }

    fn line(&self) -> String {
        let Self { id, name, sessions, folders, .. } = self;
        let state = match (self.is_here, self.is_gone) {
            (true, _) => "  (here)",
            (false, true) => "  (gone)",
            (false, false) => "",
        };
        let folders: Vec<String> = folders.iter().map(|folder| path_line(Path::new(folder))).collect();
        let name = shown(name);
        format!("{id}  {name}  {}  {}{state}", counted(*sessions, "session"), folders.join(", "))
    }
}

impl Operation for ListProjects {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "list_projects",
        aliases: &[],
        title: "List all projects and where they lie",
        about: "List the projects of the store with their folders; one whose folders are gone may have been moved.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["project", "list"], places: &[], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, _input: Input) -> Result<Output, OpError> {
        call.look(|view| {
            let here = call.project(view)?.map(|project| project.id);
            Ok(Output { projects: shapes(view, call.world, here)? })
        })
    }

    fn say(output: &Output) -> String {
        if output.projects.is_empty() {
            return "no projects yet".to_owned();
        }
        output.projects.iter().map(ProjectShape::line).collect::<Vec<_>>().join("\n")
    }
}

/// As much of a project's id as it takes to tell it from all the others.
pub(crate) fn named(project: &Project, all: &[Project]) -> String {
    let id = project.id.to_string();
    let short = &id[..ProjectId::SHORT];
    let is_alike = |other: &&Project| other.id.to_string().starts_with(short);
    if all.iter().filter(is_alike).count() < 2 { short.to_owned() } else { id }
}

/// All projects, with what a snapshot and the disk know of them.
fn shapes(view: &dyn View, world: &World, here: Option<ProjectId>) -> Result<Vec<ProjectShape>, StoreError> {
    let all = view.projects(None)?;
    view.expect(&|view| {
        for project in &all {
            drop((view.sessions(of(project.id)), view.project_keys(project.id)));
        }
    });
    all.iter().map(|project| ProjectShape::of(view, world, (project, &all), here)).collect()
}

/// The sessions of a project.
fn of<'a>(project: ProjectId) -> SessionFilter<'a> {
    SessionFilter { project: Some(project), include_archived: true, ..SessionFilter::default() }
}

/// Names the project of this folder's name that others share and that is joined in no folder: this may be one of it. None
/// where there are several, for anybody may share one of any name.
fn shared(shapes: &[ProjectShape], world: &World) -> Option<String> {
    let name = Place::of(&world.folders.work).name();
    let is_it = |it: &&ProjectShape| {
        !it.is_here && it.sessions == 0 && it.folders.is_empty() && it.name == name
    };
    let mut all = shapes.iter().filter(is_it);
    let (Some(ProjectShape { id, name, .. }), None) = (all.next(), all.next()) else { return None };
    let name = shown(name);
    Some(format!(
        "{name} (project {id}) was shared with you and is joined in no folder of yours: if this is one of it, run vade project join {id}"
    ))
}

/// Names the project that a folder which is new may be of: one that is shared, else the one that may have been moved.
fn other(view: &dyn View, world: &World, here: Option<ProjectId>) -> Result<Option<String>, StoreError> {
    let shapes = shapes(view, world, here)?;
    if let Some(shared) = shared(&shapes, world) {
        return Ok(Some(shared));
    }
    let place = Place::of(&world.folders.work);
    let (folder, remote) = (place.name(), place.remote());
    let (mut fitting, mut beside) = (Vec::new(), Vec::new());
    for (project, shape) in view.projects(None)?.iter().zip(shapes) {
        if !shape.is_gone || shape.sessions == 0 {
            continue;
        }
        let keys = view.project_keys(project.id)?;
        if fits(&keys, &folder, remote.as_ref()) {
            fitting.push(shape);
        } else if folders(&keys).any(|it| it.parent() == place.root.parent()) {
            beside.push(shape);
        }
    }
    // Who gives a folder another name leaves it where it lies.
    Ok(moved(if fitting.is_empty() { &beside } else { &fitting }, &folder))
}

/// The folders that these keys name.
fn folders(keys: &[ProjectKey]) -> impl Iterator<Item = PathBuf> {
    let folders = keys.iter().filter(|key| key.kind == KeyKind::Folder);
    folders.map(|key| PathBuf::from(OsString::from_vec(key.value.clone())))
}

/// Whether a project with these keys lay in a folder of this name, or is of the same repository elsewhere. To join is for
/// good, so nobody is advised to by less than that.
fn fits(keys: &[ProjectKey], folder: &str, remote: Option<&ProjectKey>) -> bool {
    let is_named = |it: PathBuf| it.file_name().is_some_and(|name| shown(&name.to_string_lossy()) == folder);
    let is_same = |key: &ProjectKey| {
        key.kind == KeyKind::Remote && remote.is_some_and(|remote| remote.value == key.value)
    };
    folders(keys).any(is_named) || keys.iter().any(is_same)
}

/// Names the only one that fits; of several none, for either may be meant.
fn moved(fitting: &[ProjectShape], folder: &str) -> Option<String> {
    match fitting {
        [] => None,
        [ProjectShape { id, name, folders, .. }] => {
            let was = folders.first().map_or_else(String::new, |folder| path_line(Path::new(folder)));
            let name = shown(name);
            Some(format!("{name} (project {id}) was in {was}, which is gone: if it was moved here, run vade project join {id} --yes"))
        }
        several => {
            let n = several.len();
            Some(format!("{n} projects may be {folder}, and their folders are gone: if one was moved here, run vade project list"))
        }
    }
}

/// The same for a project that no session but the first was in; of others nothing is guessed.
pub fn other_than(view: &dyn View, world: &World, here: Option<ProjectId>) -> Result<Option<String>, StoreError> {
    if is_new(view, here)? { other(view, world, here) } else { Ok(None) }
}

/// The shared one that was meant by who began `here`, where no session but the first was in it.
pub fn shared_beside(view: &dyn View, world: &World, here: ProjectId) -> Result<Option<String>, StoreError> {
    if is_new(view, Some(here))? { Ok(shared(&shapes(view, world, Some(here))?, world)) } else { Ok(None) }
}

fn is_new(view: &dyn View, here: Option<ProjectId>) -> Result<bool, StoreError> {
    let two = |project| SessionFilter { limit: 2, ..of(project) };
    let n_sessions = here.map_or(Ok(0), |here| Ok(view.sessions(two(here))?.len()))?;
    Ok(n_sessions <= 1)
}
