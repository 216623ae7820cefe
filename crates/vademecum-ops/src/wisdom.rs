//! Wisdom as operations and moments give it: read fresh each time, from plan and project.

use std::collections::BTreeMap;

use vademecum_core::context::{BlockName, Knowledge};
use vademecum_core::entry::{Category, Elsewhere, Entry, Said};
use vademecum_core::frame::Nonce;
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::plan::{Plan, PlanName, Stage};
use vademecum_core::project::Project;
use vademecum_core::search;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::wisdom::{Ask, Directive, Form, Pick, Place, Sources, Task, Wisdom, wisdom};
use vademecum_harness::hook::Harness;
use vademecum_store::{Corpus, Document, EntryFilter, Hits, KeySet, NoteFilter, StoreError, View};

use crate::branches;
use crate::call::Call;
use crate::config::{Config, Profile, Tools};
use crate::error::OpError;
use crate::gather::{self, Since};
use crate::plans;

/// So many of the newest entries in force are looked at for one reader, of each category and source: those that were
/// recorded, and those that a file brought.
pub const N_CANDIDATES: usize = 20;

/// So many are read for that where files brought most of them.
const N_CANDIDATES_MOST: usize = 16 * N_CANDIDATES;

/// So many of the newest entries that have the word of a rule's tag are looked at for rules.
const N_RULES_AMONG: usize = 50;

/// So many are looked at where files brought most of them; they are read while a session waits for its start.
const N_RULES_MOST: usize = 64 * N_RULES_AMONG;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The plan; none for the one that the session works on.
    pub plan: Option<&'a str>,
    /// What the reader is about to do; an empty task is none.
    pub task: Option<&'a Task>,
    /// What it may cost; none for what is configured.
    pub max_tokens: Option<usize>,
    /// Whether as many entries are told as fit.
    pub is_all: bool,
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
    /// Whether there are older entries than were looked at.
    pub has_older: bool,
    /// Those that were recorded on another branch.
    pub elsewhere: Elsewhere,
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
        let plans = view.plans(project.id, None)?;
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
    let Some(Read { entries, of_project, has_older, elsewhere, plan }) =
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
        is_all: asked.is_all,
        task,
        nonce: &nonce,
    };
    let sources =
        Sources { project: &of_project, plan: &entries, has_older, elsewhere: &elsewhere };
    let wisdom = wisdom(&sources, &ask);
    let is_mirrored = ground.is_some_and(|ground| plans::are_mirrored(&ground.plans));
    Ok(Told { wisdom, plan, is_unknown: false, has_older, elsewhere, is_mirrored, problems })
}

/// What a session is told of what its project knows.
#[derive(Debug, Clone, Default)]
pub struct Known {
    entries: Vec<Entry>,
    has_older: bool,
    is_more: bool,
    plans: Vec<String>,
    elsewhere: Elsewhere,
}

/// What it costs a session at most that its project knows something, in tokens.
pub const KNOWN_TOKENS: usize = 300;

/// So many plans beside its own are named to a session.
const N_OTHER_PLANS: usize = 5;

impl Known {
    /// The same as contexts are made of it, within what the person lets wisdom cost.
    pub(crate) fn within(&self, wisdom_tokens: usize) -> Knowledge<'_> {
        let Self { entries, has_older, is_more, plans, elsewhere } = self;
        Knowledge {
            entries,
            has_older: *has_older,
            is_more: *is_more,
            plans,
            elsewhere,
            max_tokens: KNOWN_TOKENS.min(wisdom_tokens),
        }
    }
}

/// Takes in what was appended by hand to the files of a project, before a session is told of it.
pub(crate) fn take_in(call: &Call<'_>, project: ProjectId) -> Result<(), OpError> {
    let known = call.read(|view| {
        let plans = view.plans(project, None)?;
        let project = if plans::have_files(call, &plans) { view.project(project)? } else { None };
        Ok(project.map(|project| (project, plans)))
    })?;
    if let Some((project, plans)) = known {
        plans::take_in_of(call, &project, &plans);
    }
    Ok(())
}

/// Whether a session is told what its project knows: where its model can ask for the rest of it.
pub(crate) fn is_told(config: &Config, session: &Session) -> bool {
    let is_told = config.profile.words().has(BlockName::Knowledge);
    let is_on = config.recalls() && 0 < config.plans.wisdom_tokens;
    is_told && is_on && session.has_project()
}

/// What the project of `session` knows, of its plan first; none where it knows or may tell nothing.
///
/// With `lacks` only what is lacking in a conversation that was told of the rest.
pub(crate) fn known(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    lacks: Option<(EntryId, &Since)>,
) -> Result<Option<Known>, OpError> {
    if !is_told(call.config, session) {
        return Ok(None);
    }
    let plans = view.plans(session.project, None)?;
    let active = plans::active_of(view, &plans, Some(&session.key))?;
    let of_project = plans.iter().find(|plan| plan.name.is_project());
    let active = active.filter(|plan| !plan.name.is_project());
    let mut known = Known { is_more: lacks.is_some(), ..Known::default() };
    let pick = call.config.plans.wisdom_pick;
    let own = newest(view, active.as_ref(), pick, &mut known.has_older)?;
    let mut of_project = newest(view, of_project, pick, &mut known.has_older)?;
    // What was merged into the project is told once.
    of_project.retain(|entry| own.iter().all(|other| Some(other.id) != entry.merged_from));
    known.entries = own.into_iter().chain(of_project).collect();
    if known.has_older && lacks.is_none() {
        let plans = active.iter().chain(plans.iter().filter(|plan| plan.name.is_project()));
        let mut rules = older_rules(view, &plans.collect::<Vec<_>>(), &known.entries)?;
        known.entries.append(&mut rules);
    }
    if let Some((since, told)) = lacks {
        known.entries.retain(|entry| since < entry.id);
        drop_own(&mut known.entries, view, session, told)?;
        known.has_older = false;
    }
    let since = lacks.map(|(since, _)| since);
    known.plans = other_plans(view, &plans, active.as_ref(), since)?;
    known.elsewhere = branches::elsewhere(call, view, session.project, &known.entries)?;
    Ok((!known.entries.is_empty() || !known.plans.is_empty()).then_some(known))
}

/// The rules in force of `plans` that stand behind the newest entries: they hold however much was recorded since.
///
/// They are found by their tag, which is a word of other entries too: behind very many of those one is not seen. What
/// files brought is not counted, for a repository may bring as much as it likes.
fn older_rules(
    view: &dyn View,
    plans: &[&Plan],
    newest: &[Entry],
) -> Result<Vec<Entry>, StoreError> {
    let Some(project) = plans.first().map(|plan| plan.project) else { return Ok(Vec::new()) };
    let mut rules: Vec<Entry> = Vec::new();
    for entry in with_word_of_rule(view, project)? {
        let is_of = plans.iter().any(|plan| plan.name == entry.plan);
        let is_new = newest.iter().chain(&rules).all(|other| other.id != entry.id);
        if entry.is_rule() && is_of && is_new {
            rules.push(entry);
        }
    }
    let in_force = |entry: &Entry| {
        let id = Some(entry.id);
        EntryFilter { project: Some(project), id, in_force: true, ..EntryFilter::default() }
    };
    view.expect(&|view| rules.iter().for_each(|it| drop(view.entry_count(in_force(it)))));
    let mut held = Vec::new();
    for rule in rules {
        if 0 < view.entry_count(in_force(&rule))? {
            held.push(rule);
        }
    }
    Ok(held)
}

/// The newest entries of a project that have a word of a rule's tag.
fn with_word_of_rule(view: &dyn View, project: ProjectId) -> Result<Vec<Entry>, StoreError> {
    let keys = Said::RULES.map(|tag| search::keys("", &[tag.to_owned()]).words);
    let mut most = N_RULES_AMONG;
    loop {
        let sets = keys.each_ref().map(|keys| {
            let keys = keys.iter().map(String::as_str).collect();
            KeySet { keys, most, is_rare: false }
        });
        let hits = view.hits(Corpus::Entries(project), &sets, &NoteFilter::ALL)?;
        let has_enough = |hits: &Hits| {
            let brought = |it: &&Document| matches!(it, Document::Entry(it) if it.is_from_file());
            let n_brought = hits.documents.iter().filter(brought).count();
            hits.n < most || N_RULES_AMONG <= hits.n - n_brought
        };
        if N_RULES_MOST <= most || hits.iter().all(has_enough) {
            let entry = |document| match document {
                Document::Entry(entry) => Some(*entry),
                Document::Note(..)
                | Document::Page(..)
                | Document::Words(..)
                | Document::Recap(..) => None,
            };
            return Ok(hits
                .into_iter()
                .flat_map(|hits| hits.documents)
                .filter_map(entry)
                .collect());
        }
        most *= 2;
    }
}

/// Drops what the session itself recorded in the branch that `told` knows of.
fn drop_own(
    entries: &mut Vec<Entry>,
    view: &dyn View,
    session: &Session,
    told: &Since,
) -> Result<(), OpError> {
    let is_own = |entry: &Entry| entry.session.as_deref() == Some(&session.key);
    if entries.iter().any(is_own) {
        let own = gather::recorded_in(view, session, told)?;
        entries.retain(|entry| own.as_ref().map_or(!is_own(entry), |own| !own.contains(&entry.id)));
    }
    Ok(())
}

/// The names of other open plans that say something, since `since` where that is given.
fn other_plans(
    view: &dyn View,
    plans: &[Plan],
    active: Option<&Plan>,
    since: Option<EntryId>,
) -> Result<Vec<String>, OpError> {
    let is_other = |plan: &&Plan| {
        let is_own = active.is_some_and(|active| active.name == plan.name);
        !plan.name.is_project() && !is_own && plan.stage() == Stage::Open
    };
    let mut names = Vec::new();
    for plan in plans.iter().filter(is_other) {
        let in_force = EntryFilter { in_force: true, after: since, ..EntryFilter::of(plan) };
        if names.len() < N_OTHER_PLANS && 0 < view.entry_count(in_force)? {
            names.push(plan.name.to_string());
        }
    }
    Ok(names)
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
    let takes_reports = call.config.plans.capture;
    directive.text(&Place { root, plan, has_files: told.is_mirrored, prefix, takes_reports })
}

/// The entries in force of plan and project, and the plan.
#[derive(Default)]
struct Read {
    entries: Vec<Entry>,
    of_project: Vec<Entry>,
    has_older: bool,
    elsewhere: Elsewhere,
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
    let pick = call.config.plans.wisdom_pick;
    let of_project = newest(view, ground.plan(&PlanName::project()), pick, &mut has_older)?;
    let plan = plan.filter(|plan| !plan.name.is_project());
    let entries = newest(view, plan.as_ref(), pick, &mut has_older)?;
    let all = entries.iter().chain(&of_project);
    let elsewhere = branches::elsewhere(call, view, ground.project.id, all)?;
    let plan = plan.map(|plan| plan.name);
    Ok(Some(Read { entries, of_project, has_older, elsewhere, plan }))
}

/// The newest entries in force of a plan, as many of each category, of each the newest first.
///
/// So it costs the same however many there are: an engine finds the newest of one category at once. Those that a file
/// brought take no place of another, for a repository may bring as many as it likes: each stands behind one that was
/// recorded, as long as there are such, but where the published order is asked for.
fn newest(
    view: &dyn View,
    plan: Option<&Plan>,
    pick: Pick,
    has_older: &mut bool,
) -> Result<Vec<Entry>, OpError> {
    let Some(plan) = plan else { return Ok(Vec::new()) };
    let mut most = N_CANDIDATES;
    loop {
        let (entries, has_more) = view.newest_entries(plan, most)?;
        *has_older |= has_more;
        if !entries.iter().any(Entry::is_from_file) {
            return Ok(entries);
        }
        let lacks = |category| {
            let of = || entries.iter().filter(|it| it.said.matter.category() == Some(category));
            let n_recorded = of().filter(|it| !it.is_from_file()).count();
            of().count() == most && n_recorded < N_CANDIDATES
        };
        if has_more && most < N_CANDIDATES_MOST && Category::ALL.into_iter().any(lacks) {
            most *= 2;
            continue;
        }
        let n_all = entries.len();
        let mixed = mixed(entries, pick);
        *has_older |= mixed.len() < n_all;
        return Ok(mixed);
    }
}

/// As many entries of each category that were recorded as that a file brought, each of those behind one of these.
fn mixed(entries: Vec<Entry>, pick: Pick) -> Vec<Entry> {
    let mut counts = BTreeMap::new();
    let nth = |entry: Entry| {
        let n = counts.entry((entry.said.matter.category(), entry.is_from_file())).or_insert(0);
        *n += 1;
        (*n, entry)
    };
    let mut ranked: Vec<(usize, Entry)> = entries.into_iter().map(nth).collect();
    ranked.retain(|(nth, _)| *nth <= N_CANDIDATES);
    if pick != Pick::Literal {
        let rank = |(nth, entry): &(usize, Entry)| {
            (entry.said.matter.category(), *nth, entry.is_from_file())
        };
        ranked.sort_by_key(rank);
    }
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

/// The mark of guarded entries: the same for all readers of a plan, so that prompt caches keep their worth.
fn nonce(call: &Call<'_>, plan: Option<&PlanName>) -> Nonce {
    let name = plan.map_or(PlanName::PROJECT, PlanName::as_str);
    gather::mark(call.store, call.world, format!("plan {name}").as_bytes())
}
