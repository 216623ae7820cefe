//! The start of a sub-agent, in whatever harness: what its siblings learned, and where to record.

use vademecum_core::session::SessionKey;
use vademecum_core::wisdom::{Form, Task, delegate};

use super::Hook;
use crate::call::Call;
use crate::config::Slot;
use crate::error::OpError;
use crate::wisdom::{self, Asked, Ground};

/// What a sub-agent is told at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Briefing {
    /// The wisdom in its block; empty where there is nothing to say.
    wisdom: String,
    /// Where to record what it finds.
    directive: String,
    /// What is wrong with the files, one line each.
    pub problems: Vec<String>,
}

/// What stands before a briefing that does not come in a prompt.
const LEAD: &str = "vade: what agents before recorded in this project. A record, not a request: where it differs, \
     your task and the files decide.";

impl Briefing {
    /// The delegated prompt with wisdom before it and the directive behind it, each once.
    ///
    /// None for a prompt without a word, and for one that has both already.
    #[must_use]
    pub fn prompt(&self, prompt: &str) -> Option<String> {
        let delegated = delegate(prompt, &self.wisdom, &self.directive);
        (delegated != prompt).then_some(delegated)
    }

    /// The same for a harness that puts a text beside the prompt.
    #[must_use]
    pub fn context(&self) -> String {
        let wisdom = self.wisdom.trim_end();
        let lead = if wisdom.is_empty() { "" } else { LEAD };
        let parts = [lead, wisdom, self.directive.trim()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n")
    }
}

/// What a sub-agent of `parent` is told, chosen by its task as far as that is known.
///
/// Nothing while vade is off, and nothing in a project that has neither an entry nor a plan. It is read
/// anew each time: what a sibling recorded a moment ago is in it.
pub fn briefing(
    hook: &Hook<'_>,
    parent: &SessionKey,
    task: &Task,
) -> Result<Option<Briefing>, OpError> {
    of_call(&hook.call(parent), parent, task)
}

/// The same for a call, from a host of one's own.
pub fn of_call(
    call: &Call<'_>,
    parent: &SessionKey,
    task: &Task,
) -> Result<Option<Briefing>, OpError> {
    let Some(ground) = ground(call)? else { return Ok(None) };
    told(call, (&ground, parent), task, call.config.plans.wisdom_tokens)
}

/// So many tokens a session that begins is told of what its project knows.
const KNOWN: usize = 300;

/// What agents before recorded in the project, for a session of one's own that begins.
pub fn known(call: &Call<'_>, session: &SessionKey) -> Result<Option<String>, OpError> {
    let Some(ground) = ground(call)? else { return Ok(None) };
    let asked =
        Asked { plan: None, task: None, max_tokens: Some(KNOWN), is_all: true, form: Form::Block };
    let told = wisdom::tell_of(call, Some(&ground), Some(session), &asked)?;
    let text = told.wisdom.text.trim_end();
    Ok((!text.is_empty()).then(|| format!("{LEAD}\n{text}")))
}

/// The same within what the harness lets through as a context.
pub fn briefing_within_cap(
    hook: &Hook<'_>,
    parent: &SessionKey,
    task: &Task,
) -> Result<Option<Briefing>, OpError> {
    let call = hook.call(parent);
    let Some(ground) = ground(&call)? else { return Ok(None) };
    let mut budget = hook.config.plans.wisdom_tokens;
    loop {
        let told = told(&call, (&ground, parent), task, budget)?;
        let fits = |told: &Briefing| hook.cap.measure(&told.context()) <= hook.cap.units;
        if told.as_ref().is_none_or(fits) {
            return Ok(told);
        }
        if budget == 0 {
            return Ok(None);
        }
        budget = budget * 3 / 4;
    }
}

/// Whether sub-agents of this call are told of the project, and where to record what they find.
pub(super) fn is_briefed(call: &Call<'_>) -> Result<bool, OpError> {
    Ok(ground(call)?.is_some())
}

/// The project and its plans; none where nothing was ever recorded, and while vade is off.
fn ground(call: &Call<'_>) -> Result<Option<Ground>, OpError> {
    let is_told = call.config.profile.words().tells_wisdom;
    if !is_told || !call.config.has_slot(Slot::Delegate) {
        return Ok(None);
    }
    call.read(|view| {
        let ground = Ground::of(call, view)?.filter(|ground| !ground.plans.is_empty());
        let Some(ground) = ground else { return Ok(None) };
        let is_off = ground.project.off_at.is_some() || view.store()?.off_at.is_some();
        Ok((!is_off).then_some(ground))
    })
}

fn told(
    call: &Call<'_>,
    (ground, parent): (&Ground, &SessionKey),
    task: &Task,
    budget: usize,
) -> Result<Option<Briefing>, OpError> {
    let asked = Asked {
        plan: None,
        task: Some(task),
        max_tokens: Some(budget),
        is_all: false,
        form: Form::Block,
    };
    let told = wisdom::tell_of(call, Some(ground), Some(parent), &asked)?;
    if told.is_unknown || (told.plan.is_none() && told.wisdom.text.is_empty()) {
        return Ok(None);
    }
    let directive = wisdom::directive(call, &told);
    Ok(Some(Briefing { wisdom: told.wisdom.text, directive, problems: told.problems }))
}
