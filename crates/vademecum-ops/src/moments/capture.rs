//! What becomes an entry by itself: what a person asks to remember, and what a sub-agent reports at its end.
//!
//! A store that is busy takes it in later: it waits in the spool, without secrets as everything there.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use vademecum_core::entry::{Category, Labels, Matter, Said, Text};
use vademecum_core::error::Kind;
use vademecum_core::frame;
use vademecum_core::project::KeyKind;
use vademecum_core::reported::{UNCONFIRMED, USER, findings, remember};
use vademecum_core::secrets::is_all_replaced;
use vademecum_core::session::{Session, SessionKey};
use vademecum_harness::hook::reply::Reply;
use vademecum_harness::hook::{Event, Moment};
use vademecum_store::EntryFilter;

use super::answer::told;
use super::standing::{Told, What};
use super::{FAULT_MAX, Hook, sentence, spool, start, sub_agent};
use crate::call::Call;
use crate::config::Slot;
use crate::error::OpError;
use crate::operation::Operation as _;
use crate::ops::{add_decision::AddDecision, add_issue::AddIssue, add_learning::AddLearning};
use crate::plans::{self, Recorded};

/// What is said beside the answer to a prompt.
#[derive(Default)]
pub(super) struct Beside {
    /// One line for the model.
    pub(super) context: Option<String>,
    /// One line for the person.
    pub(super) message: Option<String>,
}

/// Keeps what the prompt asks to remember, if it does: of a session that is not known yet too, but while vade is off.
pub(super) fn at_prompt(hook: &Hook<'_>, event: &Event<'_>) -> Beside {
    let Some(text) = asked(event).filter(|_| hook.config.plans.capture) else {
        hook.later.undone.is_kept();
        return Beside::default();
    };
    let undone = &hook.later.undone;
    if hook.config.has_slot(Slot::User) {
        undone.tells_model();
    }
    let beside = remembered(hook, event, text);
    // From here on the deadline finds it settled, and prints it.
    let [to_person, to_both] = beside.replies();
    let reply = if hook.config.has_slot(Slot::User) { to_both } else { to_person };
    undone.is_settled(reply.to_bytes(event).ok());
    beside
}

fn remembered(hook: &Hook<'_>, event: &Event<'_>, text: &str) -> Beside {
    let here = hook.call(&event.session_key());
    let said = match said(&here, Category::Learning, text, USER) {
        Ok(said) => said,
        Err(error) => return Beside::not(&sentence(&error)),
    };
    let found = told(hook, event, What::Found(vec![said.clone()]), None);
    start::keeps(hook, found.clone());
    let call = call_of(hook, event);
    let error = match call.is_off() {
        // While it is off no model is told anything.
        Ok(true) => {
            return Beside {
                context: None,
                ..Beside::not("vade is off here, vade on switches it on")
            };
        }
        Ok(false) => match record(&call, &said) {
            // Until this is settled the deadline queues it: recorded twice it is recorded once.
            Ok(recorded) => {
                let root = &call.place().root;
                let elsewhere = (here.place().root != *root).then_some(root.as_path());
                return Beside::kept(&recorded, !here.replaced().is_empty(), elsewhere);
            }
            Err(error) => error,
        },
        Err(error) => error,
    };
    let is_queued = error.kind == Kind::Busy && start::queue(hook, Some(&found), &error);
    let why = sentence(&error);
    if is_queued { Beside::waits(&why) } else { Beside::not(&why) }
}

/// What the person asks to be remembered by a prompt.
pub(super) fn asked<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    let Moment::UserPromptSubmit { prompt, .. } = &event.moment else { return None };
    remember(prompt).filter(|_| event.is_user_prompt())
}

/// What a sub-agent's last message reports.
pub(super) struct Reported {
    said: Vec<Said>,
    told: Told,
}

impl Reported {
    /// What is reported, which the deadline queues from here on; none where there is nothing.
    pub(super) fn of(hook: &Hook<'_>, event: &Event<'_>) -> Option<Self> {
        let Moment::SubagentStop { last_message: Some(message), .. } = &event.moment else {
            return None;
        };
        let found = findings(message);
        if found.is_empty() || !hook.config.plans.capture {
            return None;
        }
        let here = hook.call(&event.session_key());
        let said = found.iter().map(|it| said(&here, it.category, &it.text, UNCONFIRMED));
        // One that cannot be kept, such as a text of invisible characters, takes no other away.
        let said: Vec<Said> = said.filter_map(Result::ok).collect();
        if said.is_empty() {
            return None;
        }
        let told = told(hook, event, What::Found(said.clone()), None);
        // Whether it was asked to report is asked again of what is taken in late.
        start::keeps(hook, told.clone());
        Some(Self { said, told })
    }

    /// Keeps it, where the agent was asked to report.
    ///
    /// Of an agent whose start waits still, or which nobody can ask for just now, it waits too: `waits` says why.
    pub(super) fn keep(
        &self,
        hook: &Hook<'_>,
        event: &Event<'_>,
        waits: Option<OpError>,
    ) -> Option<OpError> {
        let call = call_of(hook, event);
        let waits = match sub_agent::is_briefed(&call) {
            Ok(false) => return None,
            Ok(true) => waits,
            Err(error) => Some(error),
        };
        let is_late = waits.is_some();
        let error = match waits {
            Some(error) => error,
            None => record_all(&call, &self.said).err()?,
        };
        // What the store refuses once it refuses later too.
        if is_late || error.kind == Kind::Busy {
            start::queue(hook, Some(&self.told), &error);
        }
        Some(error)
    }
}

fn call_of<'a>(hook: &'a Hook<'_>, event: &Event<'_>) -> Call<'a> {
    let key = event.session_key();
    of_session(hook.call(&key), &key)
}

/// A call about the project of the session, wherever that stands just now: it may have gone into another repository.
pub(super) fn of_session<'a>(call: Call<'a>, key: &SessionKey) -> Call<'a> {
    let root = call.read(|view| {
        let Some(session) = view.session(key)? else { return Ok(None) };
        if call.project(view)?.is_some_and(|here| here.id == session.project) {
            return Ok(None);
        }
        let keys = view.project_keys(session.project)?.into_iter();
        let folders = keys.filter(|key| key.kind == KeyKind::Folder);
        let mut paths = folders.map(|key| PathBuf::from(OsString::from_vec(key.value)));
        Ok(paths.find(|path| path.is_dir()))
    });
    match root {
        Ok(Some(root)) => call.about(&root),
        Ok(None) | Err(_) => call,
    }
}

/// Records what waited, of a project whose agents are asked to report; whether it need not wait on, as it does while
/// vade is off.
///
/// Where the work tree stood when it was said is not known any more.
pub(super) fn take_in(call: Call<'_>, found: &[Said]) -> Result<bool, OpError> {
    let call = &call.late();
    if call.is_off()? {
        return Ok(false);
    }
    if found.iter().all(|said| !said.is_unconfirmed()) || sub_agent::is_briefed(call)? {
        record_all(call, found)?;
    }
    Ok(true)
}

/// Records what was found, one after the other; what the store refuses takes no other away.
fn record_all(call: &Call<'_>, found: &[Said]) -> Result<(), OpError> {
    let mut refused = Ok(());
    for said in found {
        match record(call, said) {
            Ok(_) => {}
            Err(error) if error.kind == Kind::Busy => return Err(error),
            Err(error) => refused = refused.and(Err(error)),
        }
    }
    refused
}

/// Whether what the prompt asks to remember stands in the project.
pub(super) fn is_kept(hook: &Hook<'_>, session: &Session, prompt: &str) -> bool {
    let call = hook.call(&session.key);
    let Some(said) =
        remember(prompt).and_then(|text| said(&call, Category::Learning, text, USER).ok())
    else {
        return false;
    };
    let sameness = said.sameness();
    let filter = EntryFilter {
        project: Some(session.project),
        sameness: Some(&sameness),
        ..EntryFilter::default()
    };
    // What waits on disk is kept, too.
    spool::has_events_of(&hook.world.folders.data, &session.key)
        || call.read(|view| view.entry_count(filter)).is_ok_and(|n| 0 < n)
}

fn said(call: &Call<'_>, category: Category, text: &str, tag: &str) -> Result<Said, OpError> {
    let text = Text::new(call.accept(text)?)?;
    if is_all_replaced(text.as_str()) {
        return Err(OpError::usage("all of it is private or a secret, nothing else was said"));
    }
    Ok(Said { tags: Labels::new(&[tag])?, ..Said::bare(category, text) })
}

/// Records as the operation of its category does.
fn record(call: &Call<'_>, said: &Said) -> Result<Recorded, OpError> {
    let name = match &said.matter {
        Matter::Issue { .. } => AddIssue::DECLARATION.name,
        Matter::Decision { .. } => AddDecision::DECLARATION.name,
        Matter::Learning | Matter::Unknown { .. } => AddLearning::DECLARATION.name,
    };
    plans::record(call, name, said, None, said)
}

impl Beside {
    /// The answer for the person alone, and the one for the model too.
    pub(super) fn replies(&self) -> [Reply; 2] {
        let to_person = Reply { message: self.message.clone(), ..Reply::default() };
        [to_person.clone(), Reply { context: self.context.clone(), ..to_person }]
    }

    /// Of another project than the one that the agent stands in, a command must be told.
    fn kept(recorded: &Recorded, is_replaced: bool, elsewhere: Option<&Path>) -> Self {
        let (id, of) = (&recorded.entry.id, recorded.of());
        let secret = if is_replaced { ", a secret in it replaced" } else { "" };
        let context = format!(
            "vade: kept as the user asked{secret}: {id}, a learning of {of}. You need not save it."
        );
        let known = if recorded.known { "known already" } else { "remembered" };
        let root = elsewhere.map(|root| root.display().to_string().replace('\'', r"'\''"));
        let project = root.map(|root| format!(" --project '{root}'")).unwrap_or_default();
        let message = format!(
            "vade: {known} for {of}{secret}: {id}; vade forget entry {id} --yes{project} takes it back"
        );
        Self { context: Some(context), message: Some(message) }
    }

    /// The store takes nothing now: it is taken in with what else waits.
    pub(super) fn waits(why: &str) -> Self {
        let message =
            format!("vade: {why}: what is to be remembered waits on disk and is taken in later");
        Self { context: Some(format!("{message}. You need not save it.")), message: Some(message) }
    }

    /// It is kept nowhere.
    pub(super) fn not(why: &str) -> Self {
        let message = format!("vade: not remembered: {}", frame::line(why, FAULT_MAX));
        let context = format!("{message}. The user is told so.");
        Self { context: Some(context), message: Some(message) }
    }
}
