//! Taking plans in: entries keep their ids where those are free, and are known by what they say.

use std::collections::BTreeMap;

use vademecum_core::entry::{
    Category, Commit, Entry, Labels, Line, Matter, Said, Severity, Status, Stood, Text,
};
use vademecum_core::id::EntryId;
use vademecum_core::plan::PlanName;
use vademecum_core::project::Project;
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope, View};

use super::taking::{check_time, time};
use crate::call::Call;
use crate::error::OpError;
use crate::plans::{self, EntryShape, next_id};
use crate::transfer::PlanHead;

/// A plan whose every entry is legal.
pub(super) struct Checked {
    name: PlanName,
    created_at: Time,
    completed_at: Option<Time>,
    entries: Vec<Entry>,
}

/// What was taken in, and what was there already.
#[derive(Default, Clone, Copy)]
pub(super) struct Counts {
    pub(super) taken: usize,
    pub(super) kept: usize,
}

impl Checked {
    pub(super) fn new(call: &Call<'_>, head: &PlanHead) -> Result<Self, OpError> {
        let name = PlanName::parse(&head.name)?;
        let of = format!("plan \"{name}\"");
        let created_at = time(call, &of, "created_at", &head.created_at)?;
        let completed_at = head.completed_at.as_deref();
        let completed_at =
            completed_at.map(|at| time(call, &of, "completed_at", at)).transpose()?;
        Ok(Self { name, created_at, completed_at, entries: Vec::new() })
    }

    /// The entry that `shape` is in this plan.
    pub(super) fn entry(&self, call: &Call<'_>, shape: &EntryShape) -> Result<Entry, OpError> {
        entry(call, &self.name, shape)
    }

    /// Adds an entry.
    pub(super) fn push(&mut self, call: &Call<'_>, shape: &EntryShape) -> Result<(), OpError> {
        let entry = self.entry(call, shape)?;
        self.entries.push(entry);
        Ok(())
    }
}

/// So many entries are written at once: 25 ms of work, which others wait for.
const SLICE: usize = 128;

/// Takes all plans in; their entries refer to each other, wherever they stand.
pub(super) fn take(call: &Call<'_>, plans: &[Checked], dry_run: bool) -> Result<Counts, OpError> {
    let project = match (call.read(|view| call.project(view))?, dry_run) {
        (Some(project), _) => project,
        (None, false) => call.open_project()?,
        (None, true) => {
            let taken = plans.iter().map(|plan| plan.entries.len()).sum();
            return Ok(Counts { taken, kept: 0 });
        }
    };
    if !dry_run {
        begin(call, &project, plans)?;
    }
    let mut entries: Vec<&Entry> = plans.iter().flat_map(|plan| &plan.entries).collect();
    // What refers to another one came after it.
    entries.sort_by_key(|entry| entry.id);
    let mut renamed = BTreeMap::new();
    let mut counts = Counts::default();
    for slice in entries.chunks(SLICE) {
        let scope = (Scope::Project(project.id), "import");
        let (taken, names) = call.write_unless_dry(dry_run, scope, &slice.len(), |view| {
            let (changes, names) = changes(view, &project, slice, &renamed, call.now())?;
            let taken = changes.len();
            Ok((changes, (taken, names)))
        })?;
        renamed.extend(names);
        counts.taken += taken;
        counts.kept += slice.len() - taken;
    }
    Ok(counts)
}

/// Begins the plans that are not known.
fn begin(call: &Call<'_>, project: &Project, plans: &[Checked]) -> Result<(), OpError> {
    call.write(Scope::Project(project.id), "import", &plans.len(), |view| {
        let mut begins = Vec::new();
        for plan in plans {
            if view.plan(project.id, &plan.name)?.is_none() {
                begins.extend(begun(project, plan));
            }
        }
        Ok((begins, ()))
    })?;
    Ok(())
}

/// The ids here of entries that had others where they come from.
pub(crate) type Renamed = BTreeMap<EntryId, EntryId>;

/// What of the entries is new, and by which ids each is known here.
pub(crate) fn changes(
    view: &dyn View,
    project: &Project,
    entries: &[&Entry],
    renamed: &Renamed,
    now: Time,
) -> Result<(Vec<Change>, Renamed), OpError> {
    let mut changes = Vec::new();
    let mut names = Renamed::new();
    let mut last = view.last_entry(project.id)?;
    for entry in entries {
        let known = view.plan(project.id, &entry.plan)?;
        let same = known.map(|known| view.same_entry(&known, &entry.said.sameness())).transpose()?;
        if let Some((same, _)) = same.flatten() {
            names.insert(entry.id, same.id);
            continue;
        }
        let id = match last.filter(|last| last.0 <= now.latest().0) {
            // An id from the future would push all later ones there.
            believed if believed == last => {
                let wanted = EntryId(entry.id.0.min(now.0));
                believed.map_or(wanted, |last| wanted.max(EntryId(last.0 + 1)))
            }
            _ => next_id(view, project.id, last, now)?,
        };
        last = Some(id);
        names.insert(entry.id, id);
        let here = |id: EntryId| names.get(&id).or_else(|| renamed.get(&id)).copied();
        let said = Said { supersedes: entry.said.supersedes.and_then(here), ..entry.said.clone() };
        let merged_from = entry.merged_from.and_then(here);
        let entry = Entry { id, said, merged_from, ..(*entry).clone() };
        changes.push(Change::AddEntry { project: project.id, entry });
    }
    Ok((changes, names))
}

fn begun(project: &Project, plan: &Checked) -> Vec<Change> {
    let (project, name) = (project.id, plan.name.clone());
    let begin = Change::AddPlan {
        project,
        name: name.clone(),
        is_tracked: false,
        at: plan.created_at,
    };
    let complete = plan.completed_at.map(|at| Change::SetPlan {
        project,
        name,
        completed_at: Some(at),
        archived_at: None,
        is_tracked: false,
    });
    std::iter::once(begin).chain(complete).collect()
}

fn entry(call: &Call<'_>, plan: &PlanName, shape: &EntryShape) -> Result<Entry, OpError> {
    let wrong = |what: &str| {
        OpError::usage(format!("entry \"{}\" of the import has no legal {what}", shape.id))
    };
    let of = format!("entry \"{}\"", shape.id);
    let id = |text: &String| {
        let id = EntryId::parse(text).ok_or_else(|| wrong("id"))?;
        check_time(call, &of, "id", Time(id.0)).map(|_| id)
    };
    let line = |text: &Option<String>| text.as_deref().map(Line::new).transpose();
    let said = Said {
        content: Text::new(shape.content.clone())?,
        matter: matter(shape).ok_or_else(|| wrong("category, severity, status or text"))?,
        task: line(&shape.more.task)?,
        pattern: line(&shape.more.pattern)?,
        tags: Labels::new(&shape.more.tags)?,
        supersedes: shape.supersedes.as_ref().map(id).transpose()?,
    };
    let said = plans::cleaned(call, &said)?;
    Ok(Entry {
        id: id(&shape.id)?,
        plan: plan.clone(),
        at: time(call, &of, "time", &shape.at)?,
        said,
        session: None,
        merged_from: shape.merged_from.as_ref().map(id).transpose()?,
        stood: stood(call, shape, &wrong)?.map(Box::new),
    })
}

/// Where the work tree stood; a branch that is not let in as every text is takes no entry away.
fn stood(
    call: &Call<'_>,
    shape: &EntryShape,
    wrong: &dyn Fn(&str) -> OpError,
) -> Result<Option<Stood>, OpError> {
    let branch = call.accept_some(shape.branch.as_ref()).ok().flatten();
    let branch = branch.map(|branch| Line::new(&branch).map_err(|_| wrong("branch"))).transpose()?;
    let legal = |commit: &str| Commit::new(commit).ok_or_else(|| wrong("commit"));
    Ok(Stood::some(branch, shape.commit.as_deref().map(legal).transpose()?))
}

fn matter(shape: &EntryShape) -> Option<Matter> {
    let more = &shape.more;
    let text = |text: &Option<String>| text.as_deref().map(Text::trimmed).transpose().ok();
    let words = [Some(&shape.category), more.severity.as_ref(), more.status.as_ref()];
    if !words.into_iter().flatten().all(|word| is_word(word)) {
        return None;
    }
    let severity = more.severity.as_deref().map(Severity::from);
    let status = more.status.as_deref().map(Status::from);
    let workaround = text(&more.workaround)?;
    let (rationale, alternatives) = (text(&more.rationale)?, text(&more.alternatives)?);
    Some(match Category::parse(&shape.category) {
        Some(Category::Issue) => {
            Matter::Issue { severity, status: status.unwrap_or_default(), workaround }
        }
        Some(Category::Decision) => Matter::Decision { rationale, alternatives },
        Some(Category::Learning) => Matter::Learning,
        None => {
            let category = shape.category.as_str().into();
            Matter::Unknown { category, severity, status, workaround, rationale, alternatives }
        }
    })
}

/// Whether a text may be a word of a later program.
fn is_word(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
