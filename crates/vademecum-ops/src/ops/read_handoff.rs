//! Reads what the session before left, and follows it from then on.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context::Older;
use vademecum_core::frame;
use vademecum_core::id::ProjectId;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::tokens::estimate;
use vademecum_recap::State;
use vademecum_store::{Author, View};

use crate::call::Call;
use crate::error::OpError;
use crate::handoffs::{self, Left, Reader};
use crate::open_work::OpenWork;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::recaps::find;
use crate::succession::Worker;
use crate::{desk, gather, moments, succession, who};

/// Reads what the session before left.
#[derive(Debug)]
pub struct ReadHandoff;

/// Whose handoff.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The session that left it. Default: the one offered
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Tokens for notes and recap. Default: 2000
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// What it left out, instead
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rest: bool,
}

/// The handoff.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The whole; empty if no session left anything.
    pub text: String,
    /// About what it costs its reader.
    pub tokens: usize,
    /// The session that left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its place in the project's line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<u32>,
    /// Where its work stands, as one record; where it is read by a model the text alone tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// The file with all of it, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Where nothing is given unasked: the session that worked last, and still counts as running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<String>,
}

impl Operation for ReadHandoff {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "read_handoff",
        aliases: &[],
        title: "Read a handoff",
        about: "Take over what a session before left open: its words, notepad, open notes, recap. Only if the user continues it.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::Guarded("text"),
        command: Some(Command { words: &["handoff", "show"], places: &["from"], stdin: None }),
        example: "{}",
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let budget = input.budget.unwrap_or(handoffs::BUDGET);
        // What is left out is told of the handoff as it was given: a larger budget is for the rest itself.
        let given = if input.rest { budget.min(handoffs::BUDGET) } else { budget };
        let (this, session, mut left) = match call.look(|view| found(call, view, &input))? {
            Given::Of(found) => *found,
            Given::Running(name) => return Ok(Output { running: Some(name), ..Output::default() }),
            Given::Nothing => return Ok(Output::default()),
        };
        // A transcript that is gone or broken leaves the recap that was made before, or none.
        let unread = handoffs::renew(call, &mut left, &session, given).err();
        let is_written = !left.is_empty() && !call.world.is_read_only();
        let file = is_written.then(|| handoffs::write_file(call, &session, &left, given));
        let (file, unwritten) = file.map_or((None, None), |file| (file.as_ref().ok().cloned(), file.err()));
        let nonce = gather::nonce(call.store, call.world, &session.key);
        let reader = Reader::of(call);
        let mut text = if input.rest {
            handoffs::rest_text(&session, &left, (given, budget), &nonce)
        } else {
            handoffs::text(&session, &left, budget, reader, &nonce)
        };
        let unwritten = unwritten.map(|error| error.message);
        for told in unwritten.into_iter().chain(unread.map(|error| handoffs::unread(&error))) {
            text.extend(["\n\n", &told]);
        }
        let beside = call.look(|view| beside(call, view, &input, (&session, this.as_ref())))?;
        // Behind what it says itself, before what the session says.
        text.insert_str(text.find("\n\n").unwrap_or(text.len()), &beside);
        follow(call, this.as_ref(), &session)?;
        let tokens = estimate(&text);
        let file = file.filter(|_| reader == Reader::Person);
        if let Some(file) = &file {
            text = format!("{text}\n\n{}", handoffs::in_file(file));
        }
        let (from, instance) = (Some(session.handle()), Some(session.instance));
        let state = left.recap.map(|recap| recap.state).filter(|_| reader != Reader::Model);
        Ok(Output { tokens, text, from, instance, state, file, running: None })
    }

    fn say(output: &Output) -> String {
        if let Some(running) = &output.running {
            return format!(
                "session {running} worked last and still counts as running: nothing is handed over unasked\n\
                 if the user continues its work: read_handoff(from=\"{running}\")"
            );
        }
        if output.text.is_empty() {
            return "no other session of this project left anything".to_owned();
        }
        output.text.clone()
    }
}

/// What is said behind the first lines: to a model what it has to do, and who else left something.
fn beside(
    call: &Call<'_>,
    view: &dyn View,
    input: &Input,
    (session, this): (&Session, Option<&Session>),
) -> Result<String, OpError> {
    let is_unasked = asked(call, input).is_none();
    match Reader::of(call) {
        _ if input.rest => Ok(String::new()),
        Reader::Person if is_unasked => own_word(call, view, session),
        Reader::Model => {
            let is_anothers = this.is_some_and(|this| this.key != session.key);
            let copied = if is_anothers { NOT_COPIED } else { "" };
            let others = is_unasked.then(|| others(call, view, (session, this))).transpose()?;
            Ok(format!("{copied}{}", others.unwrap_or_default()))
        }
        Reader::Person | Reader::Shell | Reader::File => Ok(String::new()),
    }
}

/// The line of a word on the person's desk that waits unread beside the handoff of `session`; empty where none does.
fn own_word(call: &Call<'_>, view: &dyn View, session: &Session) -> Result<String, OpError> {
    let desk = view.session(&desk::of(view, session.project)?)?;
    let word = desk.filter(|desk| desk.key != session.key);
    let word = word.map(|desk| Worker::of(view, &desk)).transpose()?.flatten();
    let Some(word) = word else { return Ok(String::new()) };
    if word.is_read(view)? || word.is_put_away(view)? {
        return Ok(String::new());
    }
    let words = view.handoff(&word.session.key)?;
    let is_anothers = match &words {
        Some(words) => succession::is_anothers(view, call.world, (&word.session, words))?,
        None => false,
    };
    let whose = if is_anothers { "A word that is not yours, of" } else { "Your own word of" };
    let day = word.at.short_day((call.world.east)(word.at));
    Ok(format!("\n{whose} {day} was not read yet: vade handoff show desk"))
}

/// What comes back after a compaction is the page of the session that reads this.
const NOT_COPIED: &str = "\nNothing of it is copied: write onto your notepad what you go on with.";

/// So many others that left work open are named, each in so many characters.
const OTHERS: usize = 2;
const SHORT: usize = 120;

/// Whose handoff is given.
enum Given {
    /// That of the session, to the caller's own.
    Of(Box<(Option<Session>, Session, Left)>),
    /// Nobody's, unless it is asked for by name: this one worked last and still runs.
    Running(String),
    /// Nobody left anything.
    Nothing,
}

/// The session that is asked for by name: a person who names one means its handoff, not the one that it would be given.
fn asked<'a>(call: &'a Call<'_>, input: &'a Input) -> Option<&'a String> {
    let clues = &call.caller.clues;
    input.from.as_ref().or(clues.named.as_ref().filter(|_| clues.is_person))
}

/// The caller's session, the one that left something, and what.
fn found(call: &Call<'_>, view: &dyn View, input: &Input) -> Result<Given, OpError> {
    let this = call.who(view)?.session;
    // One server may serve sessions of several projects: the session's own counts, not the server's folder.
    let own = this.as_ref().filter(|this| this.key.harness != SessionKey::DESK);
    let project = match own {
        Some(own) => view.project(own.project)?,
        None => call.project(view)?,
    };
    let Some(project) = project else { return Ok(Given::Nothing) };
    let session = if let Some(name) = asked(call, input) {
        let named = who::named(view, &project, call.desk(Some(&project)), name)?;
        call.check_is_here(Some(&project), &named, name)?;
        Some(named)
    } else {
        match unasked(call, view, (project.id, this.as_ref()))? {
            Ok(session) => session,
            Err(running) => return Ok(Given::Running(running)),
        }
    };
    let Some(session) = session else { return Ok(Given::Nothing) };
    let mut left = Left::of(view, call.world, &session)?;
    if let Some(worker) = Worker::of(view, &session)? {
        left.takers = takers(call, view, &worker, this.as_ref())?;
        left.is_put_away = worker.is_put_away(view)?;
    }
    let is_own = this.as_ref().is_some_and(|this| this.key == session.key);
    let is_desk = session.key.harness == SessionKey::DESK;
    if is_desk && call.caller.origin.author == Author::Agent {
        left = left.words_alone();
    }
    left.is_running = !is_own && !is_desk && succession::is_running(call.world, &session);
    Ok(Given::Of(Box::new((this, session, left))))
}

/// What other sessions left open, in a line; empty where none did.
///
/// Who asked for none by name may mean another one than the one that worked last.
fn others(
    call: &Call<'_>,
    view: &dyn View,
    (session, this): (&Session, Option<&Session>),
) -> Result<String, OpError> {
    let is_running = |other: &Session| succession::is_running(call.world, other);
    let open = OpenWork::before(view, call.world, (session.project, this), &is_running)?;
    let open = open.open();
    let mut open: Vec<_> = open.iter().filter(|open| open.session().key != session.key).collect();
    open.truncate(OTHERS);
    let Some(first) = open.first() else { return Ok(String::new()) };
    let others: Vec<String> = open
        .iter()
        .map(|open| {
            let Older { handle, day, what } = open.older();
            format!("{handle} ({day}): {}", frame::line(what, SHORT))
        })
        .collect();
    let from = if others.len() == 1 { format!("\"{}\"", first.handle()) } else { "its id".to_owned() };
    let others = others.join("; ");
    Ok(format!("\nOther sessions left work open too: {others}. If the user means one: read_handoff(from={from})"))
}

/// The others that took over what `worker` left, and whether each still runs.
fn takers(
    call: &Call<'_>,
    view: &dyn View,
    worker: &Worker,
    this: Option<&Session>,
) -> Result<Vec<(String, bool)>, OpError> {
    let agents = succession::agents(view, worker.session.project, this)?;
    let takers = worker.takers(view, &agents)?.into_iter().map(|(taker, _)| &taker.session);
    let is_running = |taker: &Session| succession::is_running(call.world, taker);
    Ok(takers.map(|taker| (taker.handle(), is_running(taker))).collect())
}

/// The session whose handoff is meant by who names none; the name of one that still runs instead.
///
/// A person means the one that worked last. A session means the one that was offered to it, or that it took
/// over, else what would be offered now, else the last that left anything; a sub-agent those of its parent.
fn unasked(
    call: &Call<'_>,
    view: &dyn View,
    (project, this): (ProjectId, Option<&Session>),
) -> Result<Result<Option<Session>, String>, OpError> {
    let is_person = call.caller.origin.author == Author::User;
    let parent = this.and_then(|this| this.key.parent());
    let parent = parent.map(|key| view.session(&key)).transpose()?.flatten();
    let this = parent.as_ref().or(this).filter(|_| !is_person);
    if let Some(this) = this {
        let told = moments::offered(&call.world.folders.data, &this.key);
        let told = told.map(|key| view.session(&key)).transpose()?.flatten();
        let told = told.filter(|told| told.project == project && told.key != this.key);
        if let Some(session) = told.map_or_else(|| succession::taken_over(view, this), |it| Ok(Some(it)))? {
            return Ok(Ok(Some(session)));
        }
    }
    let is_running = |session: &Session| !is_person && succession::is_running(call.world, session);
    if !is_person {
        let open = OpenWork::before(view, call.world, (project, this), &is_running)?;
        if let Some(open) = open.open().first() {
            return Ok(Ok(Some(open.session().clone())));
        }
    }
    for worker in succession::workers(view, project, this)? {
        if is_running(&worker.session) && !worker.is_person() {
            return Ok(Err(worker.session.handle()));
        }
        let is_told = find::of_session(&worker.session).is_some();
        if is_told || !Left::of(view, call.world, &worker.session)?.is_empty() {
            return Ok(Ok(Some(worker.session)));
        }
    }
    Ok(Ok(None))
}

/// Notes whom the caller's session continues.
fn follow(call: &Call<'_>, this: Option<&Session>, before: &Session) -> Result<(), OpError> {
    let is_child = |this: &Session| before.key.parent().as_ref() == Some(&this.key);
    let is_own = |this: &&Session| {
        this.key != before.key && this.project == before.project && !is_child(this)
    };
    // A person who looks takes nothing over, and a sub-agent reads for its parent.
    let is_look = call.caller.origin.author == Author::User || call.world.is_read_only();
    match this.filter(|this| is_own(this) && !is_look && this.key.agent.is_none()) {
        Some(this) if this.key.harness != SessionKey::DESK => succession::follow(call, this, before),
        Some(_) | None => Ok(()),
    }
}
