//! The events of a harness, each answered or noted.

use std::path::Path;

use vademecum_core::context::{Cap, Context, FIRST, Moment};
use vademecum_core::error::Kind;
use vademecum_core::frame;
use vademecum_core::openers::VOICE;
use vademecum_core::scratchpad;
use vademecum_core::session::{Began, Place, Session, SessionKey};
use vademecum_harness::claude_code::own_tool;
use vademecum_harness::hook::reply::{Reply, with_session};
use vademecum_harness::hook::{Event, Harness, Moment as Happening, Source, ToolCall};
use vademecum_harness::{claude_code, codex};

use super::capture::Beside;
use super::failing::{failed, unanswered};
use super::lines::{all_told, before};
use super::missed::Owing;
use super::size::Record;
use super::standing::{self, Told, What};
use super::unheard::Unheard;
use super::{
    Answer, Hook, Upto, capture, claimed, compaction, delegating, ending, fault, fork, looking,
    missed, recalled, recap, reminder, resume, sentence, size, spool, start, unheard, warning,
};
use crate::config::Slot;
use crate::error::OpError;
use crate::gather;
use crate::ops::list_projects::other_than;
use crate::renderings::{Rendered, as_of};
use crate::wisdom;

/// Answers a call of our own tool with the session in it; needs neither store nor configuration.
///
/// None for any other event, and for Codex, which names the session in each call itself.
#[must_use]
pub fn bridge(event: &Event<'_>) -> Option<Answer> {
    match event.harness {
        Harness::ClaudeCode => {}
        Harness::Codex => return None,
    }
    let Happening::PreToolUse(ToolCall { tool_name, tool_input, .. }) = &event.moment else {
        return None;
    };
    let updated_input = match own_tool(tool_name) {
        Some(_) => with_session(tool_input, &event.session_argument()),
        None => None,
    };
    Some(print(event, &Reply { updated_input, ..Reply::default() }, None))
}

/// Answers one event.
#[must_use]
pub fn answer(hook: &Hook<'_>, event: &Event<'_>) -> Answer {
    if hook.world.is_read_only() {
        return looking::answer(hook, event);
    }
    if let Happening::PreToolUse(call) = &event.moment {
        return before_tool(hook, event, call);
    }
    if event.is_summariser() {
        return Answer::default();
    }
    let answered = match &event.moment {
        Happening::SessionStart { source, model, .. } => {
            starts(hook, event, source, model.as_deref())
        }
        Happening::UserPromptSubmit { .. } => prompt(hook, event),
        Happening::PostToolUse(call) => match delegating::launched(hook, event, call) {
            Some(told) => sub_agent(hook, &told),
            None => called(hook, event, call),
        },
        Happening::PostToolBatch { .. } => batch(hook, event),
        Happening::SubagentStart => delegating::starts(hook, event),
        Happening::PreCompact { .. } => compaction::before_compaction(hook, event),
        Happening::SessionEnd { .. } => ending::ends(hook, event, &event.session_key()),
        Happening::SubagentStop { .. } => ending::ends_agent(hook, event),
        Happening::PostCompact { .. } => compaction::after_compaction(hook, event),
        Happening::PreToolUse(_) | Happening::Stop | Happening::Other(_) => {
            Ok((Reply::default(), None))
        }
    };
    match answered {
        Ok((reply, error)) => print(event, &reply, error.as_ref()),
        Err(error) => {
            start::queue(hook, None, &error);
            print(event, &unanswered(hook, event, &error), Some(&error))
        }
    }
}

/// Before a tool runs: our own gets its session, the delegating one its briefing.
fn before_tool(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Answer {
    match bridge(event) {
        Some(answer) if own_tool(&call.tool_name).is_some() => {
            // The session must be in the call whatever the look for a parent takes; the call waits for both.
            let link =
                |history| recap::Task::LinkIfOpen(event.harness, event.session_key(), history);
            hook.later.tasks.borrow_mut().extend(event.transcript_path.clone().map(link));
            answer
        }
        Some(_) | None => delegating::answer(hook, event, call),
    }
}

/// What is printed; a part that the event has no place for is left out and said.
pub(super) fn print(event: &Event<'_>, reply: &Reply, error: Option<&OpError>) -> Answer {
    let said = error.map(fault);
    match reply.to_bytes(event) {
        Ok(stdout) => Answer { stdout, fault: said },
        Err(misplaced) => {
            Answer { stdout: Vec::new(), fault: said.or(Some(format!("vade: {misplaced}"))) }
        }
    }
}

/// A reply, and a fault that did not stand in its way.
pub(super) type Answered = Result<(Reply, Option<OpError>), OpError>;

/// What the event says of its session.
pub(super) fn told(hook: &Hook<'_>, event: &Event<'_>, what: What, model: Option<&str>) -> Told {
    Told {
        key: event.session_key(),
        at: hook.world.now(),
        what,
        place: Place {
            model: model.map(str::to_owned),
            cwd: Some(bytes(&event.cwd)),
            transcript: Record::of_event(event).path.as_deref().map(bytes),
            host_pid: host_pid(hook, event.harness),
        },
    }
}

/// The process of the harness, where it says so or can be found.
pub(super) fn host_pid(hook: &Hook<'_>, harness: Harness) -> Option<u32> {
    match harness {
        Harness::ClaudeCode => match hook.world.var("CLAUDE_PID") {
            Some(pid) => pid.parse().ok(),
            None => (hook.world.process_above)(claude_code::PROCESS),
        },
        Harness::Codex => (hook.world.process_above)(codex::PROCESS),
    }
}

fn bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().to_vec()
}

pub(super) fn moment(event: &Event<'_>, source: &Source<'_>) -> Moment {
    match source {
        Source::Compact if event.agent_id.is_some() => Moment::AgentCompact,
        Source::Compact => Moment::Compact,
        Source::Resume | Source::Other(_) => Moment::Resume,
        Source::Fork => Moment::Fork,
        Source::Clear => Moment::Clear,
        Source::Startup => Moment::Start,
    }
}

fn starts(
    hook: &Hook<'_>,
    event: &Event<'_>,
    source: &Source<'_>,
    model: Option<&str>,
) -> Answered {
    wants(hook, event);
    let fork = match source {
        Source::Resume => fork::told_as_resume(hook, event),
        Source::Startup | Source::Clear | Source::Compact | Source::Fork | Source::Other(_) => None,
    };
    let (event, source, parent) = match &fork {
        Some((fork, parent)) => (fork, &Source::Fork, Some(parent)),
        None => (event, source, None),
    };
    let key = event.session_key();
    let moment = moment(event, source);
    hook.later.undone.owes(Owing::of(hook.world, &key, moment));
    let is_compaction = matches!(moment, Moment::Compact | Moment::AgentCompact);
    let answer = is_compaction.then(|| Record::of_event(event).last_answer()).flatten();
    let told = told(hook, event, start::what(moment, answer), model);
    match is_off_at_start(hook, &told) {
        Ok(true) => return Ok((Reply::default(), None)),
        Ok(false) => {}
        Err(error) => {
            start::queue(hook, Some(&told), &error);
            return Ok((unanswered(hook, event, &error), Some(error)));
        }
    }
    hook.later.tasks.borrow_mut().push(recap::Task::Unfinished);
    let (session, error, said) = start::catch_up(hook, &told)?;
    // A fork that lacks its copies is better than one that is told nothing.
    let (lacks, error) = match error {
        None if moment == Moment::Fork => copy_parent(hook, event, (&session, parent)),
        error => (None, error),
    };
    let begun = begins(hook, event, (moment, &session), (said.or(lacks), error))?;
    missed::given(hook, key);
    Ok(begun)
}

/// Whether vade is off; a hook that comes to its end at the question keeps what it was told.
fn is_off_at_start(hook: &Hook<'_>, told: &Told) -> Result<bool, OpError> {
    start::keeps(hook, told.clone());
    let is_off = hook.call(&told.key).is_off();
    hook.later.undone.is_kept();
    is_off
}

/// Puts the context of a start in front of the model, and notes what it knows by it.
///
/// Whatever fails from here on is told, and takes no context away.
pub(super) fn begins(
    hook: &Hook<'_>,
    event: &Event<'_>,
    (moment, session): (Moment, &Session),
    (said, error): (Option<String>, Option<OpError>),
) -> Answered {
    // That the store is away stands beside the time from which all of it is.
    let is_old = hook.rendered.and_then(Rendered::as_of).is_some();
    let error_told = error.as_ref().filter(|error| !(is_old && error.kind == Kind::Busy));
    let all = error_told.into_iter().chain(&hook.config_fault).map(sentence);
    let unsaid = vademecum_store::unsaid(hook.store)
        .into_iter()
        .map(|what| format!("{what}; run: vade doctor"));
    let faults: Vec<String> = said.into_iter().chain(all).chain(unsaid).collect();
    let record = event.transcript_path.as_deref().filter(|_| moment == Moment::Resume);
    let had = resume::had(hook, event.harness, &session.key, record);
    let tells_of_others = matches!(moment, Moment::Start | Moment::Compact);
    let is_attended = !tells_of_others || !event.is_unattended(&|name| hook.world.var(name));
    let asked = start::Asked { moment, session, faults: &faults, had, is_attended };
    let start::Begun { context, upto, is_news } = start::context(hook, &asked)?;
    let context = context.map(|context| with_moved(hook, session, context));
    if !hook.config.has_slot(Slot::Startup) {
        return Ok((shown(None, error.as_ref().or(hook.config_fault.as_ref())), error));
    }
    let knows = What::Knows(upto.write);
    if let Some(context) = &context {
        hook.log(event.moment.name(), &session.key, context, upto);
    }
    // What cannot be noted is told once more at the next prompt.
    let unnoted = (is_news && error.is_none() && !hook.world.is_read_only())
        .then(|| start::note(hook, &told(hook, event, knows, None)).1);
    let fault = error.or(unnoted.flatten());
    Ok((shown(context, fault.as_ref().or(hook.config_fault.as_ref())), fault))
}

/// Tells the person of a first session too which project may have been moved here, or is shared and meant.
fn with_moved(hook: &Hook<'_>, session: &Session, context: Context) -> Context {
    let Some(notice) = context.notice.as_ref().filter(|notice| *notice == FIRST) else {
        return context;
    };
    let moved = hook
        .call(&session.key)
        .look(|view| Ok(other_than(view, hook.world, Some(session.project))?))
        .ok();
    let said = moved.flatten().map(|moved| format!("{notice}; {}", frame::line(&moved, MOVED_MAX)));
    Context { notice: said.or_else(|| context.notice.clone()), ..context }
}

/// The most characters of the name and folder of another project.
const MOVED_MAX: usize = 400;

pub(super) fn copy_parent(
    hook: &Hook<'_>,
    event: &Event<'_>,
    (session, parent): (&Session, Option<&SessionKey>),
) -> (Option<String>, Option<OpError>) {
    let record = event.transcript_path.as_deref();
    let parent = parent.cloned().or_else(|| fork::parent(hook, event.harness, session, record));
    let Some(parent) = parent.filter(|_| session.parent.is_none()) else { return (None, None) };
    match fork::copy(hook, session, &parent) {
        Ok(lacks) => (lacks, None),
        Err(error) => (None, Some(error)),
    }
}

/// A context for the model, and one line for the person.
fn shown(context: Option<Context>, error: Option<&OpError>) -> Reply {
    let said = context.as_ref().and_then(|context| context.notice.clone());
    let message = error.map(fault).or(said);
    Reply { context: context.map(|context| context.text), message, ..Reply::default() }
}

/// Notes that a session is at work, where that is not known.
///
/// What a sub-agent does is done in the process of its session.
fn at_work(hook: &Hook<'_>, event: &Event<'_>, session: &Session) {
    let is_elsewhere =
        || host_pid(hook, event.harness).is_some_and(|own| session.place.host_pid != Some(own));
    if session.ended_at.is_some() || !hook.is_running(session) && is_elsewhere() {
        // It was opened twice, and only one of its processes is gone.
        let mut resumes =
            Told { key: session.key.clone(), ..told(hook, event, What::Resumes, None) };
        if event.agent_id.is_some() {
            // Folder and record are the sub-agent's.
            let host_pid = resumes.place.host_pid;
            resumes.place = Place { host_pid, ..Place::default() };
        }
        start::note(hook, &resumes);
    }
    if event.harness == Harness::Codex {
        // Its process is not known: silence would pass for its end.
        hook.call(&session.key).hear(session);
    }
}

/// Lets a rendering be asked for of a session that has none that is current.
fn wants(hook: &Hook<'_>, event: &Event<'_>) {
    if event.agent_id.is_none() && hook.rendered.is_some_and(|rendered| !rendered.is_current()) {
        let wants = recap::Task::Render(event.session_key(), host_pid(hook, event.harness));
        hook.later.tasks.borrow_mut().push(wants);
    }
}

fn prompt(hook: &Hook<'_>, event: &Event<'_>) -> Answered {
    wants(hook, event);
    let Beside { context, message } = capture::at_prompt(hook, event);
    let line = context.filter(|_| hook.config.has_slot(Slot::User));
    let (reply, error) = match answer_prompt(hook, event, line.clone()) {
        // What became of what was asked to be remembered is told all the same.
        Err(error) if message.is_some() => {
            // Of one fault one sentence is enough.
            let is_said = message.as_ref().is_some_and(|said| said.contains(&sentence(&error)));
            let other = if is_said { Reply::default() } else { failed(event, &error, false) };
            (Reply { context: line, ..other }, Some(error))
        }
        answered => answered?,
    };
    let old = hook.rendered.and_then(Rendered::as_of).map(as_of);
    let message = message.or_else(|| Some(format!("{VOICE}{}", old?)));
    let message = match (message, reply.message) {
        (Some(own), Some(other)) => Some(format!("{own}; {}", other.trim_start_matches(VOICE))),
        (own, other) => own.or(other),
    };
    Ok((Reply { message, ..reply }, error))
}

/// Answers a prompt, with a line for the model beside whatever else it is told.
fn answer_prompt(hook: &Hook<'_>, event: &Event<'_>, line: Option<String>) -> Answered {
    let key = event.session_key();
    let Some(session) = known_or_owed(hook, event, &key)? else {
        return Ok((Reply { context: line, ..Reply::default() }, None));
    };
    if session.began == Began::Fork && session.parent.is_none() {
        link(hook, event, &key)?;
    }
    at_work(hook, event, &session);
    let kept = delegating::ended(hook, event);
    if spool::has_files(&hook.world.folders.data) {
        hook.later.tasks.borrow_mut().push(recap::Task::TakeIn(key.clone()));
    }
    let lines = line.into_iter().chain(kept.iter().cloned()).collect();
    all_told((hook, event), kept, tells(hook, event, &session, lines))
}

/// What a prompt tells, with these lines.
fn tells(
    hook: &Hook<'_>,
    event: &Event<'_>,
    session: &Session,
    mut lines: Vec<String>,
) -> Answered {
    if let Some((reply, error)) = missed::made_up(hook, event)? {
        let context = before(&hook.cap, lines, reply.context);
        return Ok((Reply { context, ..reply }, error));
    }
    let unheard = unheard::at_prompt(hook, event, session);
    if !hook.config.has_slot(Slot::User) {
        return warned(hook, event, unheard.is_warning);
    }
    let unasked =
        [claimed::at_prompt(hook, event, session), recalled::at_prompt(hook, event, session)];
    lines.extend(unasked.into_iter().flatten());
    let lines = (!lines.is_empty()).then(|| lines.join("\n"));
    let told = changed((hook, event), session, &unheard, lines.as_deref())?;
    if told.0.context.is_some() {
        return Ok(told);
    }
    let (reply, error) = warned(hook, event, unheard.is_warning)?;
    let context = match (lines, reply.context) {
        (Some(lines), Some(warning)) => Some(format!("{lines}\n{warning}")),
        (lines, warning) => lines.or(warning),
    };
    Ok((Reply { context, ..reply }, error))
}

/// What a prompt tells of what others wrote, behind a scratchpad and with these lines; nothing where there is neither.
fn changed(
    (hook, event): (&Hook<'_>, &Event<'_>),
    session: &Session,
    unheard: &Unheard,
    lines: Option<&str>,
) -> Answered {
    let (key, call) = (&session.key, hook.call(&session.key));
    let (kept, mut news) = call.read(|view| {
        let news = unheard.news(view, session)?;
        let kept = (!news.is_empty()).then(|| gather::kept(view, key)).transpose()?;
        Ok((kept.unwrap_or_default(), news))
    })?;
    let block = scratchpad(hook, session, lines)?;
    let (is_news, upto) = (!news.is_empty(), news.upto);
    news.lapsed.retain(|_| wisdom::is_told(hook.config, session));
    // The page stands in the block as it is now.
    news.notepad &= block.is_none();
    let context = changes(hook, session, (&kept, &news), (block.as_deref(), lines));
    if block.is_none() && context.is_none() {
        return Ok((Reply::default(), None));
    }
    if let Some(context) = &context {
        let (from, is_full) = (unheard.from(session), unheard.is_full());
        let upto = Upto { write: upto, from, is_full, ..Upto::default() };
        hook.log("UserPromptSubmit", key, context, upto);
    }
    // What found no room is told at the next prompt.
    let is_told = context.is_some() || news.is_empty();
    let knows = (is_news && is_told).then(|| told(hook, event, What::Knows(upto), None));
    let error = knows.and_then(|told| start::note(hook, &told).1);
    let mut reply = shown(context, error.as_ref());
    reply.context = match (block, reply.context.or(lines.map(str::to_owned))) {
        (Some(block), Some(behind)) => Some(format!("{}\n{behind}", block.trim_end_matches('\n'))),
        (block, behind) => block.or(behind),
    };
    Ok((reply, error))
}

/// What others changed, in the room that `block` leaves, with these lines; nothing where there is nothing to tell.
fn changes(
    hook: &Hook<'_>,
    session: &Session,
    (kept, news): (&gather::Kept, &gather::News),
    (block, lines): (Option<&str>, Option<&str>),
) -> Option<Context> {
    // Two line breaks at most stand beside each.
    let beside = block.into_iter().chain(lines);
    let taken: usize = beside.map(|text| hook.cap.measure(text) + 2).sum();
    let cap = Cap { units: hook.cap.units.saturating_sub(taken), ..hook.cap };
    let request = gather::Request {
        moment: Moment::Prompt,
        session,
        kept,
        faults: &[],
        news: Some(news).filter(|news| !news.is_empty()),
        left: None,
        recap: None,
        unchanged: None,
        knowledge: None,
        replaces: None,
        saves: !hook.world.is_read_only(),
    };
    let nonce = hook.nonce(&session.key);
    let context =
        request.news.and_then(|_| gather::context(&request, hook.config, &cap, &nonce))?;
    Some(match lines {
        Some(lines) => context.with_line(lines),
        None => context,
    })
}

/// The page in front of the user's message, where a scratchpad is configured and anything is on it, in the room that `lines` leave.
fn scratchpad(
    hook: &Hook<'_>,
    session: &Session,
    lines: Option<&str>,
) -> Result<Option<String>, OpError> {
    let Some(budget) = hook.config.scratchpad_budget() else {
        return Ok(None);
    };
    let page = hook.call(&session.key).read(|view| view.page(&session.key, gather::PAGE))?;
    let nonce = hook.nonce(&session.key);
    let taken = lines.map_or(0, |lines| hook.cap.measure(lines) + 1);
    let cap = Cap { units: hook.cap.units.saturating_sub(taken), ..hook.cap };
    Ok(page.and_then(|page| scratchpad::fitted(&page.text, page.more, budget, &cap, &nonce)))
}

/// Links a fork whose parent is not known yet, once the answer is out.
fn link(hook: &Hook<'_>, event: &Event<'_>, key: &SessionKey) -> Result<(), OpError> {
    let open = fork::open(hook, key)?;
    let history = event.transcript_path.clone();
    let link = |(fork, history)| recap::Task::Link(event.harness, fork, history);
    let link = open.zip(history).map(link);
    hook.later.tasks.borrow_mut().extend(link);
    Ok(())
}

fn batch(hook: &Hook<'_>, event: &Event<'_>) -> Answered {
    let key = event.session_key();
    if key.agent.is_none() {
        start::make_known(hook, &key, || told(hook, event, What::Resumes, None))?;
    }
    link(hook, event, &key)?;
    // An answer that was given since the last compaction must not pass for one from before it.
    let answered = match compaction::owed(hook, event)? {
        Some(context) => Ok((shown(Some(context), None), None)),
        None => match missed::made_up(hook, event)? {
            // Work is noted by the next one: this one has taken its time.
            Some(made_up) => return Ok(made_up),
            None => warned(hook, event, false),
        },
    };
    // What a sub-agent does is its parent's work too: it may be all that the parent waits for.
    let worker = key.parent().unwrap_or_else(|| key.clone());
    let noted = standing::works(&hook.call(&worker))?;
    if let Some(session) = &noted {
        at_work(hook, event, session);
    }
    match (answered, noted) {
        (Ok((Reply { context: None, .. }, None)), Some(session)) if key.agent.is_none() => {
            let size = || size::of(hook.world, &session, &Record::of_event(event));
            let context = reminder::due(hook, &session, size)?;
            Ok((Reply { context, ..Reply::default() }, None))
        }
        (answered, _) => answered,
    }
}

/// A batch of one call; behind one that waited for a sub-agent, what that one kept.
fn called(hook: &Hook<'_>, event: &Event<'_>, call: &ToolCall<'_>) -> Answered {
    let kept: Vec<String> = delegating::finished(hook, event, call).into_iter().collect();
    let answered = batch(hook, event).map(|(reply, error)| {
        let context = before(&hook.cap, kept.clone(), reply.context);
        (Reply { context, ..reply }, error)
    });
    all_told((hook, event), kept, answered)
}

/// A warning, if one is due; one that was taken back with its prompt does not count.
fn warned(hook: &Hook<'_>, event: &Event<'_>, is_taken_back: bool) -> Answered {
    let size = |session: &Session| size::of(hook.world, session, &Record::of_event(event));
    let context = warning::due(hook, &event.session_key(), is_taken_back, size)?;
    Ok((Reply { context, ..Reply::default() }, None))
}

/// The session unless it is off, with what waits of it taken in where the store does not know it.
pub(super) fn known(hook: &Hook<'_>, key: &SessionKey) -> Result<Option<Session>, OpError> {
    let call = hook.call(key);
    let known = call.session_if_on()?;
    if known.is_some() {
        return Ok(known);
    }
    start::drain(hook, key);
    call.session_if_on()
}

/// The session unless it is off; one that is owed its context becomes known by the prompt.
fn known_or_owed(
    hook: &Hook<'_>,
    event: &Event<'_>,
    key: &SessionKey,
) -> Result<Option<Session>, OpError> {
    match known(hook, key)? {
        // Its start came to its end before anything of it was noted.
        None if missed::is_owed(hook, key) => {
            start::make_known(hook, key, || told(hook, event, What::Resumes, None))?;
            known(hook, key)
        }
        known => Ok(known),
    }
}

/// Whether a session that is not known yet will be, by what waits of it.
pub(super) fn awaits(hook: &Hook<'_>, key: &SessionKey) -> Result<bool, OpError> {
    Ok(spool::has_events_of(&hook.world.folders.data, key) && !hook.call(key).is_off()?)
}

/// Notes what is told of a sub-agent, unless vade is off.
pub(super) fn sub_agent(hook: &Hook<'_>, told: &Told) -> Answered {
    if told.key.agent.is_none() || hook.call(&told.key).is_off()? {
        return Ok((Reply::default(), None));
    }
    let (_, error) = start::note(hook, told);
    Ok((Reply::default(), error))
}
