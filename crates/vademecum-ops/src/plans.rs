//! Plans as operations see them: which one is meant, what is added to it, how it is shown.

mod recording;

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::{
    Category, Elsewhere, Entry, Labels, Line, Matter, Said, Text, on_branch,
};
use vademecum_core::frame;
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::merge;
use vademecum_core::plan::{Plan, PlanName, Stage};
use vademecum_core::project::Project;
use vademecum_core::reported::unconfirmed;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_core::wisdom::Tally;
use vademecum_store::{Change, EntryFilter, Scope, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::mirror::Mirror;
use crate::notes::is_person;
use crate::shapes::counted;

pub use recording::Recorded;
pub(crate) use recording::{Given, note_lapses, record};

/// So many parents of a session are asked for their plan.
const GENERATIONS: usize = 16;

/// An entry as the world sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntryShape {
    /// Its id.
    pub id: String,
    /// Its plan; _project for the project itself.
    pub plan: String,
    /// learning, decision or issue.
    pub category: String,
    /// When it was said (RFC 3339).
    pub at: String,
    /// The text.
    pub content: String,
    /// What belongs to its category, its task, pattern and tags.
    #[serde(flatten)]
    pub more: EntryParts,
    /// The entry that it corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The entry of another plan that it was merged from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_from: Option<String>,
    /// The branch that was checked out when it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit that was checked out then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The entry that took its place, where those that are not in force are told too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// The branch that it was recorded on, where another one is checked out into which it is not merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
}

/// The parts of an entry that may be absent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EntryParts {
    /// The task in which it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Where to look, as file:lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Why it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// What was not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
    /// How bad an issue is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// Where an issue stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The way around an issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workaround: Option<String>,
}

impl EntryShape {
    /// The shape of `entry`.
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        let stood = entry.stood.as_deref();
        let branch = stood.and_then(|stood| stood.branch.as_ref());
        let commit = stood.and_then(|stood| stood.commit.as_ref());
        Self {
            id: entry.id.to_string(),
            plan: entry.plan.to_string(),
            category: entry.word().to_owned(),
            at: entry.at.to_rfc3339(),
            content: entry.said.content.as_str().to_owned(),
            more: EntryParts::of(&entry.said),
            supersedes: entry.said.supersedes.map(|id| id.to_string()),
            merged_from: entry.merged_from.map(|id| id.to_string()),
            branch: branch.map(|branch| branch.as_str().to_owned()),
            commit: commit.map(|commit| commit.as_str().to_owned()),
            superseded_by: None,
            elsewhere: None,
        }
    }

    /// The shape of `entry`, with its branch if that is another one.
    pub(crate) fn told(entry: &Entry, elsewhere: &Elsewhere) -> Self {
        let branch = elsewhere.branch(entry).map(|branch| branch.as_str().to_owned());
        Self { elsewhere: branch, ..Self::of(entry) }
    }

    /// The entry on one line and what follows it, as a model reads it.
    #[must_use]
    pub fn line(&self) -> String {
        let more = &self.more;
        let status = more.status.as_deref().filter(|status| *status != "open");
        let unconfirmed = unconfirmed(&more.tags);
        let over = self.superseded_by.as_ref().map(|by| format!("superseded by {by}"));
        let branch = self.elsewhere.as_deref().map(on_branch);
        let severity = more.severity.as_deref().map(in_line);
        let status = status.map(in_line);
        let words = [
            severity.as_deref(),
            status.as_deref(),
            unconfirmed.as_deref(),
            over.as_deref(),
            branch.as_deref(),
        ];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let words =
            if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) };
        // Its further lines cannot be taken for entries of their own.
        let content = self.content.replace('\n', "\n  ");
        let category = in_line(&self.category);
        format!("{} {} {category}{words}: {content}", self.id, &self.at[..10])
    }

    /// The same with what speaks for it, or how it is worked around.
    pub(crate) fn line_with_why(&self) -> String {
        let more = &self.more;
        let parts = [
            ("why", &more.rationale),
            ("instead of", &more.alternatives),
            ("workaround", &more.workaround),
        ];
        let parts = parts.iter().filter_map(|(name, text)| {
            Some(format!(" · {name}: {}", text.as_ref()?.replace('\n', "\n  ")))
        });
        std::iter::once(self.line()).chain(parts).collect()
    }
}

/// What stands in a line of ours: a store may hold what vade never let in.
fn in_line(word: &str) -> String {
    frame::line(word, Line::MAX)
}

impl EntryParts {
    fn of(said: &Said) -> Self {
        let line = |line: &Option<Line>| line.as_ref().map(|line| line.as_str().to_owned());
        let own = said.matter.own();
        Self {
            task: line(&said.task),
            pattern: line(&said.pattern),
            tags: said.tags.as_slice().to_vec(),
            rationale: own.rationale.map(str::to_owned),
            alternatives: own.alternatives.map(str::to_owned),
            severity: own.severity.map(str::to_owned),
            status: own.status.map(str::to_owned),
            workaround: own.workaround.map(str::to_owned),
        }
    }
}

/// A plan as the world sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanShape {
    /// Its name.
    pub plan: String,
    /// open, complete or archived.
    pub stage: String,
    /// When it was begun (RFC 3339).
    pub created_at: String,
    /// How many issues of it are in force.
    pub issues: u64,
    /// How many decisions of it are in force.
    pub decisions: u64,
    /// How many learnings of it are in force.
    pub learnings: u64,
    /// Whether the session of the call works on it.
    pub active: bool,
}

impl PlanShape {
    /// The shape of `plan`, with what a snapshot knows of it.
    pub fn of(view: &dyn View, plan: &Plan, active: Option<&Plan>) -> Result<Self, OpError> {
        let count = |category| {
            let category = Some(category);
            view.entry_count(EntryFilter { category, in_force: true, ..EntryFilter::of(plan) })
        };
        Ok(Self {
            plan: plan.name.to_string(),
            stage: plan.stage().word().to_owned(),
            created_at: plan.created_at.to_rfc3339(),
            issues: count(Category::Issue)?,
            decisions: count(Category::Decision)?,
            learnings: count(Category::Learning)?,
            active: active.is_some_and(|active| active.name == plan.name),
        })
    }

    /// The plan on one line.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { plan, stage, issues, decisions, learnings, .. } = self;
        let active = if self.active { ", active" } else { "" };
        let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let (issues, decisions) = (count(*issues), count(*decisions));
        let words = Tally { issues, decisions, learnings: count(*learnings) }.words();
        let words = if words.is_empty() { "no entries".to_owned() } else { words };
        format!("{plan} ({stage}{active}): {words} in force")
    }
}

/// The plan that a session works on: told itself or by a parent, else the only open one.
pub fn active(
    view: &dyn View,
    project: &Project,
    session: Option<&Session>,
) -> Result<Option<Plan>, OpError> {
    active_of(view, &view.plans(project.id, None)?, session.map(|session| &session.key))
}

/// [`active`] of plans that were read already.
pub(crate) fn active_of(
    view: &dyn View,
    plans: &[Plan],
    key: Option<&SessionKey>,
) -> Result<Option<Plan>, OpError> {
    let is_open = |plan: &&Plan| plan.stage() == Stage::Open;
    let mut line = key.map_or_else(|| Ok(Vec::new()), |key| view.line_of(key, GENERATIONS))?;
    // A sub-agent that nothing was written for yet goes by what its parent was told.
    if let (true, Some(parent)) = (line.is_empty(), key.and_then(SessionKey::parent)) {
        line = view.line_of(&parent, GENERATIONS)?;
    }
    for name in line.into_iter().filter_map(|(_, plan)| plan) {
        if let Some(plan) = plans.iter().filter(is_open).find(|plan| plan.name == name) {
            return Ok(Some(plan.clone()));
        }
    }
    let mut open = plans.iter().filter(is_open).filter(|plan| !plan.name.is_project());
    match (open.next(), open.next()) {
        (Some(plan), None) => Ok(Some(plan.clone())),
        (Some(_) | None, _) => Ok(None),
    }
}

/// The plan with this name, or in words why there is none.
pub fn named(view: &dyn View, project: &Project, name: &PlanName) -> Result<Plan, OpError> {
    match view.plan(project.id, name)? {
        Some(plan) => Ok(plan),
        None => Err(no_plan(view, project, name, &PlanName::project())?),
    }
}

/// What is said where no plan is called `name`, `usual` being the one that takes what names none.
fn no_plan(
    view: &dyn View,
    project: &Project,
    name: &PlanName,
    usual: &PlanName,
) -> Result<OpError, OpError> {
    let plans = view.plans(project.id, None)?;
    let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
    let hint = match names.as_slice() {
        [] => String::new(),
        names => format!("there are: {}; ", names.join(", ")),
    };
    let usual = if usual.is_project() {
        "it is the project's".to_owned()
    } else {
        format!("it is of plan {usual}, which is active, and with _project the project's")
    };
    let hint = format!("{hint}without a plan {usual}; vade plan init {name} makes this one");
    Ok(OpError::missing(format!("no plan \"{name}\" in this project")).hint(hint))
}

/// The name of the plan that is meant: as given, else the session's own, else the project itself.
pub(crate) fn meant(
    view: &dyn View,
    project: &Project,
    session: Option<&Session>,
    given: Option<&str>,
) -> Result<PlanName, OpError> {
    match given {
        Some(given) => Ok(PlanName::parse(given)?),
        None => Ok(active(view, project, session)?.map_or_else(PlanName::project, |it| it.name)),
    }
}

/// Whether entries of the project are mirrored in files: some plan of it was initialised.
pub(crate) fn is_mirrored(view: &dyn View, project: &Project) -> Result<bool, OpError> {
    Ok(are_mirrored(&view.plans(project.id, None)?))
}

/// Whether entries of a project with these plans are mirrored.
pub(crate) fn are_mirrored(plans: &[Plan]) -> bool {
    plans.iter().any(|plan| !plan.name.is_project() && plan.stage() != Stage::Archived)
}

/// Whether files of a project with these plans may say something new: without a mirror only a person made them.
///
/// A start pays one look for it, at the folder in which it starts.
pub(crate) fn have_files(call: &Call<'_>, plans: &[Plan]) -> bool {
    let folder = || Path::new(&call.config.plans.root).join("notepads").join(PlanName::PROJECT);
    are_mirrored(plans) || (!plans.is_empty() && call.world.folders.work.join(folder()).is_dir())
}

/// Takes in what was appended to files by hand; a busy store or an unreadable file is told, not fatal.
pub(crate) fn take_in(call: &Call<'_>, project: &Project) -> Vec<String> {
    match call.read(|view| view.plans(project.id, None)) {
        Ok(plans) => take_in_of(call, project, &plans),
        Err(error) => vec![error.message],
    }
}

/// [`take_in`] of plans that were read already; where nothing is written, none of it.
pub(crate) fn take_in_of(call: &Call<'_>, project: &Project, plans: &[Plan]) -> Vec<String> {
    if call.world.is_read_only() {
        return Vec::new();
    }
    let is_open = |plan: &&Plan| plan.stage() != Stage::Archived;
    let open: Vec<Plan> = plans.iter().filter(is_open).cloned().collect();
    let standing = Mirror::of(call, project).and_then(|mirror| mirror.take_in(&open));
    match standing {
        Ok(standing) => standing.problems(call),
        Err(error) => vec![error.message],
    }
}

/// A text of an entry that may be absent; blank is absent.
pub(crate) fn text(call: &Call<'_>, text: Option<&String>) -> Result<Option<Text>, OpError> {
    let text = text.filter(|text| !text.trim().is_empty()).map(|text| call.accept(text));
    Ok(text.transpose()?.map(|text| Text::trimmed(&text)).transpose()?)
}

/// What a file says, let in: without secrets.
pub(crate) fn cleaned(call: &Call<'_>, said: &Said) -> Result<Said, OpError> {
    let line = |line: &Option<Line>| -> Result<Option<Line>, OpError> {
        let line = line.as_ref().map(|line| call.accept(line.as_str())).transpose()?;
        Ok(line.map(|line| Line::new(&line)).transpose()?)
    };
    let some = |text: &Option<Text>| -> Result<Option<Text>, OpError> {
        let text = text.as_ref().map(|text| call.accept(text.as_str())).transpose()?;
        Ok(text.map(Text::new).transpose()?)
    };
    let matter = match &said.matter {
        Matter::Issue { severity, status, workaround } => {
            let (severity, status) = (severity.clone(), status.clone());
            Matter::Issue { severity, status, workaround: some(workaround)? }
        }
        Matter::Decision { rationale, alternatives } => {
            Matter::Decision { rationale: some(rationale)?, alternatives: some(alternatives)? }
        }
        Matter::Learning => Matter::Learning,
        Matter::Unknown { category, severity, status, workaround, rationale, alternatives } => {
            Matter::Unknown {
                category: category.clone(),
                severity: severity.clone(),
                status: status.clone(),
                workaround: some(workaround)?,
                rationale: some(rationale)?,
                alternatives: some(alternatives)?,
            }
        }
    };
    Ok(Said {
        content: Text::new(call.accept(said.content.as_str())?)?,
        matter,
        task: line(&said.task)?,
        pattern: line(&said.pattern)?,
        tags: Labels::new(&call.accept_all(said.tags.as_slice())?)?,
        supersedes: said.supersedes,
    })
}

/// The id that a caller gave.
pub(crate) fn entry_id(text: &str) -> Result<EntryId, OpError> {
    EntryId::parse(text).ok_or_else(|| {
        let what = match text.parse::<NoteId>() {
            Ok(_) => "a note and no entry: ids of entries",
            Err(_) => "no entry id: they",
        };
        OpError::usage(format!("\"{text}\" is {what} look like entry_1734604200000"))
    })
}

/// What is said where the project has no entry `id`.
pub(crate) fn no_entry(call: &Call<'_>, id: EntryId) -> OpError {
    let shows = if is_person(call) { "show_plan" } else { "recall kind=known" };
    OpError::missing(format!("no entry \"{id}\" in this project"))
        .hint(format!("{shows} shows ids"))
}

/// The id of an entry that is added to a project now, `last` being the newest that it ever had.
pub(crate) fn next_id(
    view: &dyn View,
    project: ProjectId,
    last: Option<EntryId>,
    now: Time,
) -> Result<EntryId, StoreError> {
    let mut id = EntryId::after(last, now);
    // Only behind an id that no clock gave may the next one be in use.
    if last.is_some_and(|last| id < last) {
        while view.entry(project, id)?.is_some() {
            id.0 += 1;
        }
    }
    Ok(id)
}

/// The change that begins a plan.
pub(crate) fn add_plan(
    project: &Project,
    name: &PlanName,
    is_tracked: bool,
    call: &Call<'_>,
) -> Change {
    Change::AddPlan { project: project.id, name: name.clone(), is_tracked, at: call.now() }
}

/// Begins the plan of the project itself, if nothing was said of it yet.
pub(crate) fn begin_project(call: &Call<'_>, project: &Project) -> Result<(), OpError> {
    let name = PlanName::project();
    call.write(Scope::Project(project.id), "begin_project_plan", &name, |view| {
        let is_there = view.plan(project.id, &name)?.is_some();
        let add = add_plan(project, &name, false, call);
        Ok((if is_there { Vec::new() } else { vec![add] }, ()))
    })?;
    Ok(())
}

/// Refuses what is added to a plan that was put away.
pub(crate) fn check_open(plan: &Plan) -> Result<(), OpError> {
    match plan.stage() {
        Stage::Open | Stage::Complete => Ok(()),
        Stage::Archived => {
            let message = format!("plan \"{}\" is archived: nothing is added to it", plan.name);
            Err(OpError::denied(message).hint("give another plan, or _project for the project"))
        }
    }
}

/// Brings the files of a plan up to date; what went wrong, since the entries are kept already.
pub(crate) fn mirror(call: &Call<'_>, project: &Project, name: &str) -> Vec<String> {
    let mirrored = call.look(|view| {
        let plan = named(view, project, &PlanName::parse(name)?)?;
        Ok((plan, is_mirrored(view, project)?))
    });
    let standing = match mirrored {
        Ok((plan, true)) => Mirror::of(call, project).and_then(|mirror| mirror.update(&plan)),
        Ok((_, false)) => return Vec::new(),
        Err(error) => Err(error),
    };
    match standing {
        Ok(standing) => standing.problems(call),
        Err(error) => vec![error.message],
    }
}

/// What a merge answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// The plan.
    pub plan: String,
    /// How many of its entries the project has got.
    pub merged: usize,
    /// What is wrong with the files, one line each; the entries themselves are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

impl Merged {
    /// The reply as a model reads it.
    #[must_use]
    pub fn say(&self) -> String {
        let head = match self.merged {
            0 => format!("the project has every entry of plan {} already", self.plan),
            n => format!("{} of plan {} merged into the project", counted(n, "entry"), self.plan),
        };
        std::iter::once(head).chain(self.problems.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}

/// Copies what the project does not have yet of a plan, and brings the project's files up to date.
pub(crate) fn merge(
    call: &Call<'_>,
    project: &Project,
    name: &PlanName,
) -> Result<Merged, OpError> {
    let mut problems = take_in(call, project);
    let scope = Scope::Project(project.id);
    let written = call.write(scope, "merge", name, |view| {
        let plan = named(view, project, name)?;
        let whole = view.plan(project.id, &PlanName::project())?;
        let first = whole.is_none().then(|| add_plan(project, &PlanName::project(), false, call));
        let known = match whole {
            Some(whole) => view.entries(EntryFilter::of(&whole), 0)?,
            None => Vec::new(),
        };
        let entries = view.entries(EntryFilter::of(&plan), 0)?;
        let superseded: Vec<EntryId> =
            entries.iter().filter_map(|entry| entry.said.supersedes).collect();
        let entries: Vec<Entry> =
            entries.into_iter().filter(|entry| !superseded.contains(&entry.id)).collect();
        let mut last = view.last_entry(project.id)?;
        let mut changes = Vec::new();
        for entry in merge::unmerged(&entries, &known) {
            let id = next_id(view, project.id, last, call.now())?;
            last = Some(id);
            let (plan, merged_from) = (PlanName::project(), Some(entry.id));
            let entry = Entry { id, plan, merged_from, ..entry.clone() };
            changes.push(Change::AddEntry { project: project.id, entry });
        }
        let n = changes.len();
        Ok((first.into_iter().chain(changes).collect(), n))
    })?;
    problems.extend(mirror(call, project, PlanName::PROJECT));
    problems.extend(write_merged(call, project).err().map(|error| error.message));
    Ok(Merged { plan: name.to_string(), merged: written.value, problems })
}

fn write_merged(call: &Call<'_>, project: &Project) -> Result<(), OpError> {
    let plan = call.look(|view| {
        let plan = view.plan(project.id, &PlanName::project())?;
        Ok(plan.filter(|_| is_mirrored(view, project).unwrap_or(false)))
    })?;
    match plan {
        Some(plan) => Mirror::of(call, project)?.write_merged(&plan),
        None => Ok(()),
    }
}
