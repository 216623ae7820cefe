//! Wisdom as operations and moments give it: read fresh each time, from plan and project.

use vademecum_core::entry::Entry;
use vademecum_core::frame::Nonce;
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::Project;
use vademecum_core::session::SessionKey;
use vademecum_core::wisdom::{Ask, Directive, Form, Pick, Place, Sources, Task, Wisdom, wisdom};
use vademecum_harness::hook::Harness;
use vademecum_store::{StoreError, View};

use crate::call::Call;
use crate::config::{Profile, Tools};
use crate::error::OpError;
use crate::gather;
use crate::plans;

/// So many of the newest entries in force are looked at for one reader, of each category and source.
pub const N_CANDIDATES: usize = 20;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The plan; none for the one that the session works on.
    pub plan: Option<&'a str>,
    /// What the reader is about to do; an empty task is none.
    pub task: Option<&'a Task>,
    /// What it may cost; none for what is configured.
    pub max_tokens: Option<usize>,
    /// The form.
    pub form: Form,
}

/// What the reader is told.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The wisdom.
    pub wisdom: Wisdom,
    /// The plan that was read beside the project.
    pub plan: Option<PlanName>,
    /// Whether no such plan is known: then there is nothing to tell.
    pub is_unknown: bool,
    /// Whether entries of the project stand in files too.
    pub is_mirrored: bool,
    /// What is wrong with the files, one line each.
    pub problems: Vec<String>,
}

/// The project that a reader is told of, and its plans.
#[derive(Debug, Clone)]
pub(crate) struct Ground {
    /// The project.
    pub(crate) project: Project,
    /// All plans of it.
    pub(crate) plans: Vec<Plan>,
}

impl Ground {
    /// What stands under a call; none before anything was written for its project.
    pub(crate) fn of(call: &Call<'_>, view: &dyn View) -> Result<Option<Self>, StoreError> {
        let Some(project) = call.project(view)? else { return Ok(None) };
        let plans = view.plans(project.id)?;
        Ok(Some(Self { project, plans }))
    }

    fn plan(&self, name: &PlanName) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.name == *name)
    }
}

/// Reads plan and project anew and chooses for one reader.
pub fn tell(call: &Call<'_>, asked: &Asked<'_>) -> Result<Told, OpError> {
    let ground = call.read(|view| Ground::of(call, view))?;
    tell_of(call, ground.as_ref(), None, asked)
}

/// [`tell`] where the project was looked up already, and the session is known.
pub(crate) fn tell_of(
    call: &Call<'_>,
    ground: Option<&Ground>,
    key: Option<&SessionKey>,
    asked: &Asked<'_>,
) -> Result<Told, OpError> {
    let problems = match ground {
        Some(ground) => plans::take_in_of(call, &ground.project, &ground.plans),
        None => Vec::new(),
    };
    let Some(Read { entries, of_project, has_older, plan }) =
        call.look(|view| read(call, view, (ground, key), asked.plan))?
    else {
        return Ok(Told { is_unknown: true, problems, ..Told::default() });
    };
    let nonce = nonce(call, plan.as_ref());
    let is_published = call.config.profile == Profile::Seed3;
    let task = asked.task.filter(|task| **task != Task::default() && !is_published);
    let config = &call.config.plans;
    let ask = Ask {
        budget: asked.max_tokens.unwrap_or(config.wisdom_tokens),
        form: asked.form,
        pick: config.wisdom_pick,
        is_published,
        task,
        nonce: &nonce,
    };
    let wisdom = wisdom(&Sources { project: &of_project, plan: &entries, has_older }, &ask);
    let is_mirrored = ground.is_some_and(|ground| plans::are_mirrored(&ground.plans));
    Ok(Told { wisdom, plan, is_unknown: false, is_mirrored, problems })
}

/// What a sub-agent is told about recording in the plan that was read, else in the project.
#[must_use]
pub fn directive(call: &Call<'_>, told: &Told) -> String {
    let is_published =
        call.config.profile == Profile::Seed3 || call.config.plans.wisdom_pick == Pick::Literal;
    let directive = match call.config.tools {
        _ if is_published => Directive::Seed,
        Tools::Default => Directive::Operation,
        Tools::All => Directive::Operations,
    };
    let project = PlanName::project();
    let (root, plan) = (call.config.plans.root.as_str(), told.plan.as_ref().unwrap_or(&project));
    let prefix = call.harness().map_or("", Harness::tool_prefix);
    directive.text(&Place { root, plan, has_files: told.is_mirrored, prefix })
}

/// The entries in force of plan and project, and the plan.
#[derive(Default)]
struct Read {
    entries: Vec<Entry>,
    of_project: Vec<Entry>,
    has_older: bool,
    plan: Option<PlanName>,
}

/// What is read for a reader; nothing where no such plan is known.
fn read(
    call: &Call<'_>,
    view: &dyn View,
    (ground, key): (Option<&Ground>, Option<&SessionKey>),
    given: Option<&str>,
) -> Result<Option<Read>, OpError> {
    let key = match key {
        Some(key) => key.clone(),
        None => call.who_in(view, ground.map(|ground| &ground.project))?.key,
    };
    let given = given.map(PlanName::parse).transpose()?;
    let Some(ground) = ground else {
        return Ok(given.is_none_or(|name| name.is_project()).then(Read::default));
    };
    let plan = match &given {
        Some(name) => ground.plan(name).cloned(),
        None => plans::active_of(view, &ground.plans, Some(&key))?,
    };
    if plan.is_none() && given.is_some_and(|name| !name.is_project()) {
        return Ok(None);
    }
    let mut has_older = false;
    let of_project = newest(view, ground.plan(&PlanName::project()), &mut has_older)?;
    let plan = plan.filter(|plan| !plan.name.is_project());
    let entries = newest(view, plan.as_ref(), &mut has_older)?;
    Ok(Some(Read { plan: plan.map(|plan| plan.name), entries, of_project, has_older }))
}

/// The newest entries in force of a plan, as many of each category, of each the newest first.
///
/// So it costs the same however many there are: an engine finds the newest of one category at once.
fn newest(
    view: &dyn View,
    plan: Option<&Plan>,
    has_older: &mut bool,
) -> Result<Vec<Entry>, OpError> {
    let Some(plan) = plan else { return Ok(Vec::new()) };
    let (entries, has_more) = view.newest_entries(plan.id, N_CANDIDATES)?;
    *has_older |= has_more;
    Ok(entries)
}

/// The mark of guarded entries: the same for all readers of a plan, so that prompt caches keep their worth.
fn nonce(call: &Call<'_>, plan: Option<&PlanName>) -> Nonce {
    let name = plan.map_or(PlanName::PROJECT, PlanName::as_str);
    gather::mark(call.store, call.world, format!("plan {name}").as_bytes())
}
