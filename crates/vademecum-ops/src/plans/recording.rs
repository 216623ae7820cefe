//! Recording an entry: where it goes, who is told of it, and what it puts out of force.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context::{ENTRY_LINE, cost_of_telling};
use vademecum_core::entry::{Elsewhere, Entry, Labels, Line, Matter, Said, Status, Text};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::plan::{Plan, PlanName, Stage};
use vademecum_core::project::Project;
use vademecum_core::reported::are_alike;
use vademecum_core::session::{Session, handle};
use vademecum_store::{Change, EntryFilter, Scope, StoreError, View};

use super::{
    EntryShape, add_plan, check_open, entry_id, meant, merge, mirror, next_id, no_entry, no_plan,
    take_in,
};
use crate::call::Call;
use crate::config::Merge;
use crate::error::OpError;
use crate::{branches, gather, lapses};

/// What adding an entry answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// The entry as it is kept.
    #[serde(flatten)]
    pub entry: EntryShape,
    /// Where it is told beside its plan: the project, where the plan is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// Who is told of it by itself; absent if nobody is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// Why nobody is told of this one all the same, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untold: Option<String>,
    /// How much of it is told, where nobody is told all of it by itself, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// Whether an entry said the same already, which is the one shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    /// What is wrong with the files, one line each; the entry itself is kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

impl Recorded {
    /// Of what it is an entry.
    pub(crate) fn of(&self) -> String {
        match self.entry.plan.as_str() {
            PlanName::PROJECT => "this project".to_owned(),
            plan => format!("plan {plan}"),
        }
    }

    /// The reply as a model reads it.
    #[must_use]
    pub fn say(&self) -> String {
        let EntryShape { id, category, .. } = &self.entry;
        let place = self.of();
        let head = if self.known {
            format!("known already: {id} ({category} of {place})")
        } else {
            let also = self.also.as_ref().map_or_else(String::new, |also| format!(", {also}"));
            let what = format!("{category} of {place}{also}");
            let reach = match (&self.untold, &self.told) {
                (Some(why), _) => format!("kept, and told to nobody{why}"),
                (None, Some(told)) => {
                    format!("told to its next {told}{}", self.cut.as_deref().unwrap_or_default())
                }
                (None, None) => "told to nobody by itself: recall kind=known gives it, in a shell vade plan wisdom".to_owned(),
            };
            format!("added {id} ({what}; {reach})")
        };
        std::iter::once(head).chain(self.problems.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}

/// What an entry is made of, as operations are given it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) content: &'a str,
    pub(crate) plan: Option<&'a str>,
    pub(crate) task: Option<&'a str>,
    pub(crate) pattern: Option<&'a str>,
    pub(crate) tags: &'a [String],
    pub(crate) supersedes: Option<&'a str>,
}

impl Given<'_> {
    /// What it says, checked and let in.
    pub(crate) fn said(&self, call: &Call<'_>, matter: Matter) -> Result<Said, OpError> {
        let line = |text: Option<&str>| {
            let line = text.filter(|text| !text.trim().is_empty()).map(|text| call.accept(text));
            let line = line.transpose()?.map(|text| Line::new(&text)).transpose();
            line.map_err(OpError::from)
        };
        Ok(Said {
            content: Text::new(call.accept(self.content)?)?,
            matter,
            task: line(self.task)?,
            pattern: line(self.pattern)?,
            tags: Labels::new(&call.accept_all(self.tags)?)?,
            supersedes: self.supersedes.map(entry_id).transpose()?,
        })
    }
}

/// Adds an entry to the plan that is meant, unless one in force says the same.
pub(crate) fn record(
    call: &Call<'_>,
    kind: &'static str,
    arguments: &impl Serialize,
    given: Option<&str>,
    said: &Said,
) -> Result<Recorded, OpError> {
    let (session, _) = call.open_session()?;
    let project = call.open_project()?;
    // What stands in a file already is known by it, and not added again.
    let mut problems = take_in(call, &project);
    let (by, elsewhere) =
        ((said, &session), same_elsewhere(call, &project, &session, (given, said))?);
    let added = call.write_once_in(Scope::Project(project.id), kind, arguments, |view| {
        let name = place(view, &project, &session, (given, said))?;
        let (first, plan) = match (view.plan(project.id, &name)?, name.is_project()) {
            (None, true) => (Some(add_plan(&project, &name, false, call)), None),
            (None, false) => {
                let usual = place(view, &project, &session, (None, said))?;
                return Err(no_plan(view, &project, &name, &usual)?);
            }
            (Some(plan), _) => (None, Some(plan)),
        };
        let said = match plan.map(|it| against(view, &it, by, &elsewhere)).transpose()? {
            Some(Err(known)) => return Ok((Vec::new(), (EntryShape::of(&known), true))),
            Some(Ok(said)) => said,
            None => (said.clone(), Stands::Here),
        };
        let entry = entry(call, view, &project, &session, (&name, &said))?;
        let shape = EntryShape::of(&entry);
        let add = first.into_iter().chain([Change::AddEntry { project: project.id, entry }]);
        Ok((add.collect(), (shape, false)))
    })?;
    let after = mirror(call, &project, &added.value.0.plan);
    // What was in the way before the write is so behind it.
    problems.extend(after.into_iter().filter(|line| !problems.contains(line)).collect::<Vec<_>>());
    recorded(call, &project, added.value, (problems, said.supersedes.is_some()))
}

/// The name of the plan that an entry goes to: as given, else that of the entry which it corrects, else as usual.
///
/// Else a rule of the project would be in force for one plan alone once that one corrects it.
fn place(
    view: &dyn View,
    project: &Project,
    session: &Session,
    (given, said): (Option<&str>, &Said),
) -> Result<PlanName, OpError> {
    let old = said.supersedes.filter(|_| given.is_none());
    let old = old.map(|id| view.entry(project.id, id)).transpose()?.flatten();
    let Some(old) = old else { return meant(view, project, Some(session), given) };
    let plan = view.plan(project.id, &heir(view, project.id, old)?.plan)?;
    // Nothing is added to an archived plan: what holds of it is the project's.
    let open = plan.filter(|plan| plan.stage() != Stage::Archived);
    Ok(open.map_or_else(PlanName::project, |plan| plan.name))
}

/// What is answered of an entry that was added or known, once those are told whom it concerns.
fn recorded(
    call: &Call<'_>,
    project: &Project,
    (entry, known): (EntryShape, bool),
    (problems, is_correction): (Vec<String>, bool),
) -> Result<Recorded, OpError> {
    let told = call.config.automatic().tells.words().map(str::to_owned);
    let mut recorded =
        Recorded { entry, also: None, told, untold: None, cut: None, known, problems };
    if !known {
        // What confirms a report says the same: nobody is told that it holds no more.
        if is_correction {
            recorded.problems.extend(corrected(call, project, &recorded.entry)?);
        }
        recorded.tell(call, project)?;
    }
    Ok(recorded)
}

/// Tells those who know it what an entry that was added puts out of force; what went wrong with that.
///
/// Where another one in force took that place before, or the place of what took it, the new one does not take the
/// other's.
fn corrected(
    call: &Call<'_>,
    project: &Project,
    added: &EntryShape,
) -> Result<Vec<String>, OpError> {
    let Some(old) = &added.supersedes else { return Ok(Vec::new()) };
    let (new, old) = (entry_id(&added.id)?, entry_id(old)?);
    let other = call.read(|view| last_of_line(view, project.id, old, new))?;
    let other = other
        .map(|other| format!("{other} superseded {old} before: both it and this one are in force"));
    Ok(note_lapses(call, project.id, &[new]).into_iter().chain(other).collect())
}

/// The entry in force, another one than `new`, that ends a line of those that took the place of `old`.
fn last_of_line(
    view: &dyn View,
    project: ProjectId,
    old: EntryId,
    new: EntryId,
) -> Result<Option<EntryId>, StoreError> {
    let of_project = EntryFilter { project: Some(project), ..EntryFilter::default() };
    let mut later = view.entries(EntryFilter { after: Some(old), by_id: true, ..of_project }, 0)?;
    later.sort_unstable_by_key(|entry| entry.id);
    let mut of_line = BTreeSet::from([old]);
    let mut last = None;
    // Whoever takes a place comes later: in the order of ids one look finds the whole line.
    for entry in later.iter().filter(|entry| entry.id != new) {
        if entry.said.supersedes.is_some_and(|place| of_line.contains(&place)) {
            of_line.insert(entry.id);
            let in_force = EntryFilter { id: Some(entry.id), in_force: true, ..of_project };
            last = if view.entry_count(in_force)? == 0 { last } else { Some(entry.id) };
        }
    }
    Ok(last)
}

/// What is to be added to a plan that says other things already; the entry that says the same, where one does.
fn against(
    view: &dyn View,
    plan: &Plan,
    (said, by): (&Said, &Session),
    elsewhere: &Elsewhere,
) -> Result<Result<(Said, Stands), Entry>, OpError> {
    check_open(plan)?;
    let Some(known) = known(view, plan, said)? else {
        return Ok(Ok((said.clone(), Stands::Here)));
    };
    let stands = if elsewhere.branch(&known).is_some() { Stands::Anywhere } else { Stands::Here };
    if said.is_unconfirmed() {
        return Ok(by_both(&known, by).map(|both| (both, stands)).ok_or(known));
    }
    // Who records what was only reported confirms it, and so does who records here what was recorded on another branch.
    let tags = match (known.said.is_unconfirmed(), stands) {
        (true, _) => None,
        (false, Stands::Here) => return Ok(Err(known)),
        // What a person asked to remember stays theirs.
        (false, Stands::Anywhere) => {
            Labels::new(&[known.said.tags.as_slice(), said.tags.as_slice()].concat()).ok()
        }
    };
    let said = said.filled(&known.said);
    Ok(Ok((
        Said {
            tags: tags.unwrap_or(said.tags),
            task: said.task.or(known.said.task),
            supersedes: said.supersedes.or(Some(known.id)),
            ..said
        },
        stands,
    )))
}

/// Which entry says the same on another branch, asked before the write: git is not asked while others wait.
///
/// What waited until now is of where it was said, which is not known any more.
fn same_elsewhere(
    call: &Call<'_>,
    project: &Project,
    session: &Session,
    (given, said): (Option<&str>, &Said),
) -> Result<Elsewhere, OpError> {
    if call.is_late() {
        return Ok(Elsewhere::default());
    }
    call.look(|view| {
        let name = place(view, project, session, (given, said))?;
        let Some(plan) = view.plan(project.id, &name)? else { return Ok(Elsewhere::default()) };
        let known = known(view, &plan, said)?;
        Ok(branches::elsewhere(call, view, project.id, known.iter())?)
    })
}

/// Where an entry holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// On the branch that is checked out.
    Here,
    /// On two branches at least: it belongs to none.
    Anywhere,
}

/// What took the place of an entry with the same words, as a report by two agents does, to the last of them.
///
/// Who was told the first knows it by its own id.
fn heir(view: &dyn View, project: ProjectId, mut entry: Entry) -> Result<Entry, StoreError> {
    let sameness = entry.said.sameness();
    let of_project = EntryFilter { project: Some(project), ..EntryFilter::default() };
    loop {
        let later = EntryFilter { after: Some(entry.id), by_id: true, ..of_project };
        let is_heir =
            |it: &Entry| it.said.supersedes == Some(entry.id) && it.said.sameness() == sameness;
        match view.entries(later, 0)?.into_iter().find(is_heir) {
            Some(heir) => entry = heir,
            None => return Ok(entry),
        }
    }
}

/// The report `known` as another agent makes it too; none where that would say nothing new.
///
/// Entries never change: one in its words takes its place and names both. Who began behind it may have been told it.
fn by_both(known: &Entry, by: &Session) -> Option<Said> {
    let first = known.session.as_deref().filter(|first| **first != by.key)?;
    let is_beside = by.started_at < known.at && !known.said.is_also_by(&handle(&by.key));
    let is_report = known.said.is_unconfirmed() && is_beside;
    let both = is_report.then(|| known.said.also_by(&handle(first))).flatten()?;
    Some(Said { supersedes: Some(known.id), ..both })
}

/// The entry in force that says the same; one that corrects nothing does not say what this one corrects.
fn known(view: &dyn View, plan: &Plan, said: &Said) -> Result<Option<Entry>, OpError> {
    let same = view.same_entry(plan, &said.sameness())?;
    let same = same.filter(|(_, is_in_force)| *is_in_force).map(|(entry, _)| entry);
    let same = same.filter(|known| can_stand_for(known, said));
    if said.is_unconfirmed() && same.is_none() {
        return alike(view, plan, said);
    }
    let same = same.filter(|it| said.supersedes.is_none() || said.supersedes == it.said.supersedes);
    if same.is_some() || said.supersedes.is_some() {
        return Ok(same);
    }
    fuller(view, plan, said)
}

/// So many of the newest entries are asked whether they say the same and more: a writer waits for it.
const N_FULLER: usize = 100;

/// The entry in force that says the same and more: who leaves an option out does not say that it is not so.
fn fuller(view: &dyn View, plan: &Plan, said: &Said) -> Result<Option<Entry>, OpError> {
    let category = said.matter.category();
    let in_force = EntryFilter { category, in_force: true, ..EntryFilter::of(plan) };
    let newest = view.entries(in_force, N_FULLER)?;
    let says_all = |entry: &Entry| said.filled(&entry.said).sameness() == entry.said.sameness();
    Ok(newest.into_iter().find(|entry| can_stand_for(entry, said) && says_all(entry)))
}

/// Whether an entry may be what is said, if it says the same: a rule is not, where only a file says it, which its
/// repository may edit.
fn can_stand_for(known: &Entry, said: &Said) -> bool {
    !(said.is_rule() && known.is_from_file())
}

/// So many of the newest entries are compared with what a sub-agent reports.
const N_COMPARED: usize = 50;

/// The entry in force that says nearly the same as a report: agents that work side by side report alike.
fn alike(view: &dyn View, plan: &Plan, said: &Said) -> Result<Option<Entry>, OpError> {
    let category = said.matter.category();
    let in_force = EntryFilter { category, in_force: true, ..EntryFilter::of(plan) };
    let newest = view.entries(in_force, N_COMPARED)?;
    Ok(newest.into_iter().find(|entry| are_alike(&entry.said, said)))
}

impl Recorded {
    /// Sees to it that what is new is told to who comes next, or says why it is not.
    fn tell(&mut self, call: &Call<'_>, project: &Project) -> Result<(), OpError> {
        let (name, id) = (PlanName::parse(&self.entry.plan)?, entry_id(&self.entry.id)?);
        let (plan, entry) =
            call.read(|view| Ok((view.plan(project.id, &name)?, view.entry(project.id, id)?)))?;
        let is_over =
            plan.is_some_and(|plan| plan.stage() == Stage::Complete && !name.is_project());
        let Some(entry) = entry else { return Ok(()) };
        let wisdom_tokens = call.config.plans.wisdom_tokens;
        self.untold = match &entry.said.matter {
            Matter::Issue { status: Status::Resolved, .. } => {
                Some(", as it is resolved".to_owned())
            }
            _ if self.told.is_none() => None,
            _ if wisdom_tokens
                < cost_of_telling(&entry, &gather::mark(call.store, call.world, b"")) =>
            {
                Some(format!(
                    ": plans.wisdom_tokens = {wisdom_tokens} is too little for it; recall kind=known shows it"
                ))
            }
            _ if is_over && call.config.plans.merge == Merge::Manual => Some(format!(
                " while the plan is complete: vade plan merge {name} takes it to the project"
            )),
            _ => None,
        };
        self.cut = cut(&entry, wisdom_tokens);
        if is_over && call.config.plans.merge == Merge::OnComplete {
            self.problems.extend(merge(call, project, &name)?.problems);
            self.also = Some("and of the project, as it is complete".to_owned());
        }
        Ok(())
    }
}

/// What is told of an entry that takes more than wisdom may cost: its first line, or a part; none of a shorter one.
fn cut(entry: &Entry, wisdom_tokens: usize) -> Option<String> {
    let n_chars = entry.said.content.as_str().chars().count();
    // Headings and the day stand around it.
    let tokens = n_chars.div_ceil(4) + AROUND;
    (wisdom_tokens < tokens).then(|| {
        format!(
            ", of its {n_chars} characters a session the first {ENTRY_LINE} and sub-agents a part at most: recall kind=known shows it, several short ones are told whole"
        )
    })
}

/// What stands around a text among wisdom, in tokens.
const AROUND: usize = 50;

/// Tells those sessions what these new entries put out of force; what went wrong, since they are kept already.
pub(crate) fn note_lapses(
    call: &Call<'_>,
    project: ProjectId,
    added: &[EntryId],
) -> Option<String> {
    let lapses = call.read(|view| {
        let entries = added.iter().filter_map(|id| view.entry(project, *id).transpose());
        lapses::superseded(view, project, &entries.collect::<Result<Vec<_>, _>>()?)
    });
    lapses.and_then(|lapses| lapses::note(call, project, &lapses)).err().map(|error| error.message)
}

fn entry(
    call: &Call<'_>,
    view: &dyn View,
    project: &Project,
    session: &Session,
    (plan, (said, stands)): (&PlanName, &(Said, Stands)),
) -> Result<Entry, OpError> {
    let mut said = said.clone();
    if let Some(id) = said.supersedes {
        let old = view.entry(project.id, id)?;
        let old = old.ok_or_else(|| no_entry(call, id))?;
        let old = heir(view, project.id, old)?;
        // The original stands behind every copy: what corrects it corrects them too.
        said.supersedes = Some(old.merged_from.unwrap_or(old.id));
    }
    let at = call.now();
    let id = next_id(view, project.id, view.last_entry(project.id)?, at)?;
    let session = Some(Arc::new(session.key.clone()));
    let stood = call.stood().filter(|_| *stands == Stands::Here).map(Box::new);
    Ok(Entry { session, stood, ..Entry::new(id, plan.clone(), at, said) })
}
