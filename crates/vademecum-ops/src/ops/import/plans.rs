//! Taking plans in: entries keep their ids where those are free, and are known by what they say.

use std::collections::BTreeMap;

use vademecum_core::entry::{Category, Entry, Labels, Line, Matter, Said, Severity, Status, Text};
use vademecum_core::id::EntryId;
use vademecum_core::plan::PlanName;
use vademecum_core::project::Project;
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope, View};

use crate::call::Call;
use crate::error::OpError;
use crate::plans::{self, EntryShape};
use crate::transfer::PackedPlan;

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
    pub(super) fn new(call: &Call<'_>, packed: &PackedPlan) -> Result<Self, OpError> {
        let name = PlanName::parse(&packed.name)?;
        let wrong = || OpError::usage(format!("plan \"{name}\" of the import has no legal time"));
        let created_at = Time::parse(&packed.created_at).ok_or_else(wrong)?;
        let completed_at = packed.completed_at.as_deref();
        let completed_at = completed_at.map(|at| Time::parse(at).ok_or_else(wrong)).transpose()?;
        let entries = packed.entries.iter().map(|shape| entry(call, &name, shape));
        let entries = entries.collect::<Result<_, _>>()?;
        Ok(Self { name, created_at, completed_at, entries })
    }
}

/// Takes all plans in at once: their entries refer to each other.
pub(super) fn take(call: &Call<'_>, plans: &[Checked], dry_run: bool) -> Result<Counts, OpError> {
    let project = match (call.read(|view| call.project(view))?, dry_run) {
        (Some(project), _) => project,
        (None, false) => call.open_project()?,
        (None, true) => {
            let taken = plans.iter().map(|plan| plan.entries.len()).sum();
            return Ok(Counts { taken, kept: 0 });
        }
    };
    let names: Vec<&PlanName> = plans.iter().map(|plan| &plan.name).collect();
    let written = call.write(Scope::Project(project.id), "import", &names, |view| {
        let (changes, counts) = changes(view, &project, plans, call.now())?;
        let counts = (counts.taken, counts.kept);
        Ok((if dry_run { Vec::new() } else { changes }, counts))
    })?;
    Ok(Counts { taken: written.value.0, kept: written.value.1 })
}

/// What of the plans is new, and by which ids the rest is known here.
#[derive(Default)]
struct News<'a> {
    begins: Vec<Change>,
    entries: Vec<&'a Entry>,
    /// The ids here of entries that had others where they come from.
    renamed: BTreeMap<EntryId, EntryId>,
    kept: usize,
}

fn news<'a>(
    view: &dyn View,
    project: &Project,
    plans: &'a [Checked],
) -> Result<News<'a>, OpError> {
    let mut news = News::default();
    for plan in plans {
        let known = view.plan(project.id, &plan.name)?;
        if known.is_none() {
            news.begins.extend(begin(project, plan));
        }
        for entry in &plan.entries {
            let same = match &known {
                Some(known) => view.same_entry(known.id, &entry.said.sameness())?,
                None => None,
            };
            match same {
                Some((same, _)) => {
                    news.renamed.insert(entry.id, same.id);
                    news.kept += 1;
                }
                None => news.entries.push(entry),
            }
        }
    }
    news.entries.sort_by_key(|entry| entry.id);
    Ok(news)
}

fn changes(
    view: &dyn View,
    project: &Project,
    plans: &[Checked],
    now: Time,
) -> Result<(Vec<Change>, Counts), OpError> {
    let News { begins, entries, mut renamed, kept } = news(view, project, plans)?;
    let mut last = view.last_entry(project.id)?;
    for entry in &entries {
        // An id from the future would push all later ones there.
        let id = EntryId::after(last, entry.id.0.min(now.0));
        last = Some(id);
        renamed.insert(entry.id, id);
    }
    let counts = Counts { taken: entries.len(), kept };
    let here = |id: EntryId| renamed.get(&id).copied();
    let adds = entries.into_iter().map(|entry| {
        let said = Said { supersedes: entry.said.supersedes.and_then(here), ..entry.said.clone() };
        let id = here(entry.id).unwrap_or(entry.id);
        let merged_from = entry.merged_from.and_then(here);
        let entry = Entry { id, said, merged_from, ..entry.clone() };
        Change::AddEntry { project: project.id, entry }
    });
    Ok((begins.into_iter().chain(adds).collect(), counts))
}

fn begin(project: &Project, plan: &Checked) -> Vec<Change> {
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
    let id = |text: &String| EntryId::parse(text).ok_or_else(|| wrong("id"));
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
        at: Time::parse(&shape.at).ok_or_else(|| wrong("time"))?,
        said,
        session: None,
        merged_from: shape.merged_from.as_ref().map(id).transpose()?,
    })
}

fn matter(shape: &EntryShape) -> Option<Matter> {
    let more = &shape.more;
    let text = |text: &Option<String>| text.as_deref().map(Text::trimmed).transpose().ok();
    Some(match Category::parse(&shape.category)? {
        Category::Issue => Matter::Issue {
            severity: match &more.severity {
                Some(word) => Some(Severity::parse(word)?),
                None => None,
            },
            status: Status::parse(more.status.as_deref().unwrap_or("open"))?,
            workaround: text(&more.workaround)?,
        },
        Category::Decision => Matter::Decision {
            rationale: text(&more.rationale)?,
            alternatives: text(&more.alternatives)?,
        },
        Category::Learning => Matter::Learning,
    })
}
