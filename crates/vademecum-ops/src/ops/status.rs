//! Says where a session stands: what is kept, what is switched on, what is wrong.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::frame;
use vademecum_core::planner::Decision;
use vademecum_core::plan::PlanName;
use vademecum_core::project::Project;
use vademecum_core::session::Session;
use vademecum_core::tokens;
use vademecum_store::{EntryFilter, READ_ONLY, View};

use crate::call::Call;
use crate::error::OpError;
use crate::moments::{Explained, explain};
use crate::operation::{Answer, Declaration, Effect, Models, Operation};
use crate::ops::list_projects;
use crate::at_work::{self, AtWork};
use crate::succession::is_running;
use crate::{plans, shapes};
use crate::who::{self, How, Who};

/// Says where a session stands.
#[derive(Debug)]
pub struct Status;

/// What is shown.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Say also why the warning before a compaction is due or not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
}

/// Where the session stands.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The project.
    pub project: String,
    /// Whether vade is on here.
    pub on: bool,
    /// Those that run, where several do and none of them is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<Running>,
    /// The session's full name; none where it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How it became known which session it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_by: Option<String>,
    /// The revision of its page; 0 if it was never written.
    pub notepad_rev: u32,
    /// About how many tokens its page costs.
    pub notepad_tokens: usize,
    /// How many of its notes are open.
    pub open: u64,
    /// How many notes it has.
    pub notes: u64,
    /// How often its context was compacted.
    #[serde(default, skip_serializing_if = "shapes::is_never")]
    pub compactions: u32,
    /// What its page costs as a scratchpad; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratchpad: Option<Costs>,
    /// The warning before a compaction, where it is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
    /// The plan that the session works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// How many entries of the plan are in force; without one those of the project.
    #[serde(default, skip_serializing_if = "shapes::is_no")]
    pub entries: u64,
    /// Whether nothing is written, for VADE_READONLY is set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// What is wrong, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// One session of several that run.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Running {
    /// Its short name.
    pub session: String,
    /// The harness that runs it.
    pub harness: String,
    /// What it does, as its page says it; empty where that says nothing.
    pub doing: String,
}

/// What a scratchpad costs, in tokens of four characters.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Costs {
    /// What it costs now.
    pub tokens: usize,
    /// What it may cost.
    pub budget: usize,
}

/// Whether the warning before a compaction is due.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Whether the next prompt or tool batch would give it.
    pub due: bool,
    /// The cause, in one word.
    pub cause: String,
    /// The cause with its figures.
    pub why: String,
}

impl Warning {
    fn of(explained: Explained) -> Self {
        let (due, cause) = match &explained.decision {
            Decision::Warn(due) => (true, due.word()),
            Decision::Hold(cause) => (false, cause.word()),
        };
        Self { due, cause: cause.to_owned(), why: explained.text }
    }
}

impl Operation for Status {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "status",
        aliases: &[],
        title: "Say where the session stands",
        about: "Say where this session stands: project, page, notes, scratchpad budget, and what is wrong.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: true,
        answer: Answer::OfAnyone,
        // The command line has a `status` of its own: it also knows the store's address.
        command: None,
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let (mut output, session) = call.look(|view| {
            let project = call.project(view)?;
            let is_off = project.as_ref().is_some_and(|project| project.off_at.is_some());
            let mut output = Output {
                project: project.as_ref().map_or_else(|| call.place().name(), |it| it.name.clone()),
                on: view.store()?.off_at.is_none() && !is_off,
                read_only: call.world.is_read_only(),
                ..Output::default()
            };
            let session = session(call, view, project.as_ref(), &mut output);
            output.stand(call, view, session.as_ref())?;
            output.running = running(call, view, project.as_ref())?;
            if let Some(project) = &project {
                output.plans(view, project, session.as_ref())?;
                let shared = list_projects::shared_beside(view, call.world, project.id)?;
                output.problems.extend(shared);
            } else {
                let other = list_projects::other_than(view, call.world, None)?;
                let said = |other| format!("nothing is kept for this folder yet; {other}");
                output.problems.extend(other.map(said));
            }
            Ok((output, session))
        })?;
        // It looks at the harness's own files, and so outside the snapshot.
        let warning = || Warning::of(explain(call.world, call.config, session.as_ref()));
        output.warning = input.explain.then(warning);
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { project, notepad_rev, notepad_tokens, open, notes, .. } = output;
        let state = if output.on { "on" } else { "off" };
        let session = output.session.as_deref().unwrap_or("not known");
        let known_by = output.known_by.as_ref().map(|how| format!(" ({how})")).unwrap_or_default();
        let mut lines = vec![format!("project  {project}, vade is {state}")];
        if output.read_only {
            lines.push(format!("writes   none, {READ_ONLY} is set"));
        }
        if !output.running.is_empty() {
            lines.push(format!("running  {} sessions, --session names one:", output.running.len()));
        }
        lines.extend(output.running.iter().map(Running::line));
        lines.extend([
            format!("session  {session}{known_by}"),
            format!("notepad  rev {notepad_rev}, {notepad_tokens} tokens"),
            format!("notes    {open} open of {notes}"),
        ]);
        lines.extend(shapes::compacted(output.compactions).map(|words| format!("context  {words}")));
        if output.plan.is_some() || 0 < output.entries {
            let entries = shapes::counted(usize::try_from(output.entries).unwrap_or(usize::MAX), "entry");
            lines.push(match &output.plan {
                Some(plan) => format!("plan     {plan}, {entries} in force"),
                None => format!("plan     none, {entries} of the project in force"),
            });
        }
        let budget = |Costs { tokens, budget }: &Costs| format!("scratchpad  {tokens} of {budget} tokens");
        lines.extend(output.scratchpad.as_ref().map(budget));
        lines.extend(output.warning.as_ref().map(|warning| format!("warning  {}", warning.why)));
        lines.extend(output.problems.iter().map(|problem| format!("problem  {problem}")));
        lines.join("\n")
    }
}

impl Running {
    fn line(&self) -> String {
        let line = format!("{}  {}  {}", self.session, self.harness, self.doing);
        format!("         {}", frame::line(&line, 100))
    }
}

/// Those that run, where a person names none and several are at work; what they do is not told while vade is off.
fn running(call: &Call<'_>, view: &dyn View, project: Option<&Project>) -> Result<Vec<Running>, OpError> {
    let clues = &call.caller.clues;
    let is_desk = clues.is_person
        && [&clues.named, &clues.told, &clues.environment, &clues.at_work].iter().all(|it| it.is_none());
    let Some(project) = project.filter(|project| is_desk && project.off_at.is_none()) else {
        return Ok(Vec::new());
    };
    let AtWork::Several(sessions) = at_work::find(view, call.world, project.id, &|_| true)? else {
        return Ok(Vec::new());
    };
    let running = sessions.iter().map(|session| {
        let harness = session.key.harness.clone();
        Ok(Running { session: session.handle(), harness, doing: at_work::doing(view, session)? })
    });
    running.collect()
}

/// The session of the call, also while vade is off; why there is none is a problem, not a failure.
fn session(
    call: &Call<'_>,
    view: &dyn View,
    project: Option<&Project>,
    output: &mut Output,
) -> Option<Session> {
    match who::find(view, project, call.desk(project), &call.caller.clues) {
        // Its name is not settled before the first write.
        Ok(Who { how: How::Fresh, .. }) => None,
        Ok(who) => {
            output.session = Some(who.key.to_string());
            let runs = who.session.as_ref().is_some_and(|session| is_running(call.world, session));
            output.known_by = Some(known_by(who.how, runs).to_owned());
            who.session
        }
        Err(error) => {
            output.problems.push(error.message);
            None
        }
    }
}

fn known_by(how: How, runs: bool) -> &'static str {
    match how {
        How::Named => "named",
        How::Told => "told by the harness",
        How::Environment => "from the environment",
        How::AtWork if runs => "at work here",
        How::AtWork => "at work here last",
        How::Fresh => "begun by this call",
        How::Desk => "your own desk",
    }
}

impl Output {
    fn plans(&mut self, view: &dyn View, project: &Project, session: Option<&Session>) -> Result<(), OpError> {
        let active = plans::active(view, project, session)?;
        let filter = EntryFilter { in_force: true, ..EntryFilter::default() };
        let project_plan = || view.plan(project.id, &PlanName::project());
        if let Some(plan) = active.clone().map_or_else(project_plan, |plan| Ok(Some(plan)))? {
            self.entries = view.entry_count(EntryFilter { project: Some(plan.project), plan: Some(&plan.name), ..filter })?;
        }
        self.plan = active.map(|plan| plan.name.to_string());
        Ok(())
    }

    fn stand(&mut self, call: &Call<'_>, view: &dyn View, session: Option<&Session>) -> Result<(), OpError> {
        let mut text = String::new();
        if let Some(session) = session {
            let counts = view.counts(&session.key)?;
            (self.open, self.notes) = (counts.open, counts.notes);
            self.compactions = session.standing.compactions;
            if let Some(page) = view.notepad(&session.key)? {
                self.notepad_rev = page.rev;
                self.notepad_tokens = tokens::estimate(&page.text);
                text = page.text;
            }
        }
        let tokens = tokens::chars4(&text);
        self.scratchpad = call.config.scratchpad_budget().map(|budget| Costs { tokens, budget });
        Ok(())
    }
}
