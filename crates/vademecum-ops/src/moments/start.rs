//! The start of a session in all its ways: what is noted, and what comes back into context.

use vademecum_core::context::{Context, Leaver, Moment};
use vademecum_core::id::ProjectId;
use vademecum_core::profile::Before;
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_store::{Scope, StoreError, View};

use super::late::{Drain, Drained};
use super::resume::Had;
use super::spool::Reach;
use super::standing::{self, Told, What};
use super::undone::LATE;
use super::{Hook, Upto, recap, running, sentence, spool};
use crate::error::OpError;
use crate::gather::{self, Kept, News, Request, Since};
use crate::open_work::{OLDER, OpenWork};
use crate::recaps::Kept as Recapped;
use crate::{succession, wisdom};

/// Notes what was told, in the store or else in the spool; the session as far as it is known.
pub(super) fn note(hook: &Hook<'_>, told: &Told) -> (Session, Option<OpError>) {
    if let Some(session) = put_off(hook, told) {
        return (session, None);
    }
    let error = match standing::note(&hook.call(&told.key), told) {
        Ok(session) => return (session, None),
        Err(error) => error,
    };
    later(hook, told, error)
}

/// Why an event waits that was left to the session's server.
const PUT_OFF: &str = "it is left to the MCP server of its session";

/// Leaves what was told to who keeps the session's rendering, which takes it in within a moment; the session as it is then.
///
/// Of a store far away a hook would come too late with its answer. None where it has to be noted here.
fn put_off(hook: &Hook<'_>, told: &Told) -> Option<Session> {
    match told.what {
        What::Compacted(_) | What::Knows(_) => {}
        // Where it begins or ends nobody keeps a rendering yet, or for much longer.
        What::Begins(_)
        | What::Resumes
        | What::Ends
        | What::Warned(_)
        | What::Runs(_)
        | What::Asked(..)
        | What::Found(_) => return None,
    }
    hook.rendered.filter(|it| it.is_current())?;
    let known = hook.call(&told.key).read(|view| view.session(&told.key)).ok()??;
    let queued = queued(hook, Some(told.clone()), PUT_OFF.to_owned());
    spool::append(&hook.world.folders.data, &queued).ok()?;
    Some(standing::after(&known, told))
}

/// Puts what was told into the spool; the session as far as it is known.
fn later(hook: &Hook<'_>, told: &Told, error: OpError) -> (Session, Option<OpError>) {
    queue(hook, Some(told), &error);
    (as_known(hook, told).unwrap_or_else(|_| standing::unknown(&told.key, told)), Some(error))
}

/// A session as far as the store knows it, which has not taken in what was told; of one that it does not know the project.
pub(super) fn as_known(hook: &Hook<'_>, told: &Told) -> Result<Session, OpError> {
    let call = hook.call(&told.key);
    call.read(|view| {
        if let Some(known) = view.session(&told.key)? {
            // Where it runs is known all the same: nothing of an earlier process is told as running.
            return Ok(Session { place: known.place.clone().with(&told.place), ..known });
        }
        let project = call.project(view)?.map_or(ProjectId::NONE, |project| project.id);
        Ok(Session { project, ..standing::unknown(&told.key, told) })
    })
}

/// Puts what was told, or the fault alone, into the spool; whether it is on disk there.
///
/// A spool that cannot be written either is the same full or read-only disk: the fault is said anyway.
pub(super) fn queue(hook: &Hook<'_>, told: Option<&Told>, error: &OpError) -> bool {
    if hook.world.is_read_only() {
        return false;
    }
    // Of a fault without an event one line is enough.
    if told.is_none() && !spool::is_empty(&hook.world.folders.data) {
        return true;
    }
    let queued = queued(hook, told.cloned(), sentence(error));
    spool::append(&hook.world.folders.data, &queued).is_ok()
}

fn queued(hook: &Hook<'_>, told: Option<Told>, fault: String) -> spool::Queued {
    let store = hook.world.store_name().cloned();
    spool::Queued { at: hook.world.now(), fault, told, store }
}

/// Keeps what is told, of which nothing else is left if the deadline passes meanwhile.
pub(super) fn keeping<T>(hook: &Hook<'_>, told: Told, keep: impl FnOnce() -> T) -> T {
    keeps(hook, told);
    let kept = keep();
    hook.later.undone.is_kept();
    kept
}

/// Begins to keep what is told.
pub(super) fn keeps(hook: &Hook<'_>, told: Told) {
    let queued = queued(hook, Some(told), LATE.to_owned());
    hook.later.undone.keeps(hook.world.folders.data.clone(), queued);
}

/// Takes in what waits in the spool, then notes what was told: in the order in which it happened.
///
/// Where the session's own events wait still, what was told waits behind them; where the store takes
/// nothing, a second wait for it would be too long for a hook.
/// One sentence for the context if a moment before was not answered.
pub(super) fn catch_up(
    hook: &Hook<'_>,
    told: &Told,
) -> Result<(Session, Option<OpError>, Option<String>), OpError> {
    let (session, error, said) = match told.what {
        // Noted twice it is noted once; of a compaction each counts.
        What::Begins(_) | What::Resumes => keeping(hook, told.clone(), || caught_up(hook, told)),
        _ => caught_up(hook, told),
    };
    // In no project nobody has left anything: where its project cannot even be asked for, its context is owed.
    let is_asked = error.is_none() || session.has_project();
    Ok((if is_asked { session } else { as_known(hook, told)? }, error, said))
}

fn caught_up(hook: &Hook<'_>, told: &Told) -> (Session, Option<OpError>, Option<String>) {
    let drained = drain(hook, &told.key);
    let said = drained.said();
    let (session, error) = match drained.stuck {
        Some(error) => later(hook, told, error),
        None => note(hook, told),
    };
    if error.is_none() && matches!(told.what, What::Begins(_) | What::Resumes) {
        // Those that a busy store does not sweep are swept at the next start.
        drop(running::sweep(&hook.call(&told.key), &session, &|other| hook.is_running(other)));
    }
    (session, error, said)
}

/// Makes a session known whose start was not: vade was not there yet, or off, or the store was held.
///
/// What is told of it is asked for only then: it may take a look at the processes.
pub(super) fn make_known(
    hook: &Hook<'_>,
    key: &SessionKey,
    told: impl FnOnce() -> Told,
) -> Result<(), OpError> {
    let call = hook.call(key);
    let is_known = call.read(|view| view.session(key))?.is_some();
    if is_known || call.is_off()? {
        return Ok(());
    }
    match drain(hook, key).stuck {
        Some(stuck) => Err(stuck),
        None => standing::note(&call, &told()).map(drop),
    }
}

/// Takes in what waits, that of the session `own` first.
pub(super) fn drain(hook: &Hook<'_>, own: &SessionKey) -> Drained {
    let Hook { store, world, config, drain_until: until, .. } = *hook;
    Drain { store, world, config, until }.run(Some(own), Reach::Own)
}

/// What one start reads from its snapshot.
pub(super) struct Seen {
    kept: Kept,
    left: Option<OpenWork>,
    recap: Option<Recapped>,
    /// The line on the files that are as the session read them before its compaction.
    unchanged: Option<String>,
    /// What is lacking in a conversation that has all else.
    news: Option<News>,
    /// What the project knows.
    knowledge: Option<wisdom::Known>,
    /// Up to what all of this is.
    upto: Upto,
    /// Whether others wrote what its model was not told of.
    is_news: bool,
}

/// For which start a context is asked.
pub(super) struct Asked<'a> {
    /// When.
    pub(super) moment: Moment,
    /// For which session.
    pub(super) session: &'a Session,
    /// What is wrong with the memory.
    pub(super) faults: &'a [String],
    /// What its conversation has already.
    pub(super) had: Had<'a>,
    /// Whether anybody attends it: a run of one prompt goes on with nothing that others left.
    pub(super) is_attended: bool,
}

/// What a start tells, and what its model knows by that: both are of one snapshot.
pub(super) struct Begun {
    /// The context.
    pub(super) context: Option<Context>,
    /// All up to this is in it, or counted as left out.
    pub(super) upto: Upto,
    /// Whether one of them was not known to be known.
    pub(super) is_news: bool,
}

/// The context of a start.
pub(super) fn context(hook: &Hook<'_>, asked: &Asked<'_>) -> Result<Begun, OpError> {
    let Asked { moment, session, faults, had, .. } = asked;
    let call = hook.call(&session.key);
    if wisdom::is_told(hook.config, session) {
        // What stands in a file of the plans and cannot be taken in is told by `vade plan check`.
        wisdom::take_in(&call, session.project)?;
    }
    let mut seen = call.look(|view| {
        view.expect(&|view| drop(see(hook, view, asked)));
        see(hook, view, asked)
    })?;
    if had.since().is_none() {
        refresh(hook, *moment, session, &mut seen);
    }
    let request = Request {
        // What a conversation lacks is told as at a prompt.
        moment: if seen.news.is_some() { Moment::Prompt } else { *moment },
        session,
        kept: &seen.kept,
        faults,
        news: seen.news.as_ref(),
        left: seen.left.as_ref(),
        recap: seen.recap.as_ref(),
        unchanged: seen.unchanged.as_deref(),
        knowledge: seen.knowledge.as_ref(),
        replaces: had.broken.as_deref().filter(|_| seen.news.is_none()),
        saves: !hook.world.is_read_only(),
    };
    let nonce = hook.nonce(&session.key);
    let context = gather::context(&request, hook.config, &hook.cap, &nonce);
    seen.upto.offered = seen.left.as_ref().and_then(|left| left.told(hook.config.profile, *moment));
    Ok(Begun { context, upto: seen.upto, is_news: seen.is_news })
}

pub(super) fn see(hook: &Hook<'_>, view: &dyn View, asked: &Asked<'_>) -> Result<Seen, OpError> {
    let Asked { moment, session, had, .. } = asked;
    let upto = view.last_seq(&Scope::Session(session.key.clone()))?;
    let is_news = gather::is_news(view, session)?;
    let mut news = had.since().map(|since| news(view, session, (had, since))).transpose()?;
    let is_knowing = wisdom::is_told(hook.config, session);
    if let Some(news) = &mut news {
        news.lapsed.retain(|_| is_knowing);
    }
    let is_asked = session.has_project() && news.as_ref().is_none_or(|news| !news.is_empty());
    let mut kept = if is_asked { gather::kept(view, &session.key)? } else { Kept::default() };
    if lists_running(*moment, session) && news.is_none() {
        kept.running = gather::running(view, session)?;
        kept.took_over = succession::took_over(view, session)?;
    }
    if *moment == Moment::Resume {
        kept.taken_by = succession::taken_by(view, session, hook.world.now())?;
        let is_all = is_asked && news.is_none();
        kept.gone = if is_all { had.gone(view, session)? } else { Vec::new() };
    }
    if is_news && is_knowing && puts_back(*moment) && news.is_none() {
        kept.lapsed = gather::news(view, session, session.standing.told)?.lapsed;
    }
    let is_fresh = kept.rev == 0 && session.has_project() && asked.is_attended;
    let left = left(hook, view, (asked, is_fresh))?;
    let tells_recap = news.is_none() && tells_recap(hook, *moment, session, &kept);
    let recap = if tells_recap { gather::recap(view, &session.key)? } else { None };
    let mut upto = Upto { write: upto, is_full: true, ..Upto::default() };
    upto.running = kept.running.iter().map(|agent| agent.id.clone()).collect();
    upto.stopped = news.as_ref().map_or_else(Vec::new, |news| news.stopped.clone());
    let mut knowledge = None;
    if is_knowing {
        upto.entry = view.last_entry(session.project)?;
        let is_told = had.since().is_some() && had.entry == upto.entry;
        let lacks = had.entry.zip(had.since());
        let call = hook.call(&session.key);
        knowledge = if is_told { None } else { wisdom::known(&call, view, session, lacks)? };
    }
    Ok(Seen { kept, left, recap, unchanged: None, news, knowledge, upto, is_news })
}

/// What those before left, as the moment tells of it: to a session that keeps nothing yet, or the word of the person to
/// a compacted one that has not read it.
fn left(
    hook: &Hook<'_>,
    view: &dyn View,
    (asked, is_fresh): (&Asked<'_>, bool),
) -> Result<Option<OpenWork>, StoreError> {
    let Asked { moment, session, .. } = asked;
    if hook.config.profile.words().before == Before::Nothing || !session.has_project() {
        return Ok(None);
    }
    let before = || {
        let this = (session.project, Some(*session));
        OpenWork::before(view, hook.world, this, &|other| hook.is_running(other))
    };
    match moment {
        Moment::Start if is_fresh => before().map(Some),
        Moment::Clear if is_fresh => Ok(Some(before()?.after_clear())),
        Moment::Compact if asked.is_attended => OpenWork::unread_word(view, hook.world, session),
        _ => Ok(None),
    }
}

/// What is lacking in a conversation that was told all else.
fn news(
    view: &dyn View,
    session: &Session,
    (had, since): (&Had, &Since),
) -> Result<News, StoreError> {
    let mut news = gather::news_since(view, session, since)?;
    if !had.running.is_empty() {
        let running = gather::running(view, session)?;
        let is_over = |id: &&String| running.iter().all(|agent| agent.id != **id);
        news.stopped = had.running.iter().filter(is_over).cloned().collect();
    }
    Ok(news)
}

/// Whether the conversation, or the summary of it, may hold what was told before.
fn puts_back(moment: Moment) -> bool {
    match moment {
        Moment::Compact | Moment::Resume => true,
        Moment::Start | Moment::Clear | Moment::Fork | Moment::Prompt | Moment::AgentCompact => {
            false
        }
    }
}

/// Whether sub-agents may run that the conversation does not tell of any more.
fn lists_running(moment: Moment, session: &Session) -> bool {
    puts_back(moment) && session.has_project()
}

/// A page of so many tokens says by itself where a resumed session stands.
const LITTLE: usize = 150;

/// Whether the session's own recap belongs into the context.
///
/// After a compaction the conversation is gone. A resumed session has its own since the last compaction,
/// and with it the recap that came then; only where the page says little is it told again.
fn tells_recap(hook: &Hook<'_>, moment: Moment, session: &Session, kept: &Kept) -> bool {
    let is_wanted = match moment {
        Moment::Compact | Moment::AgentCompact => true,
        Moment::Resume => 0 < session.standing.compactions && kept.tokens() < LITTLE,
        Moment::Start | Moment::Clear | Moment::Fork | Moment::Prompt => false,
    };
    is_wanted && hook.config.recap.enabled
}

/// Brings the recaps up to date that this moment shows; a start also makes one that is missing.
fn refresh(hook: &Hook<'_>, moment: Moment, session: &Session, seen: &mut Seen) {
    match moment {
        Moment::Compact | Moment::AgentCompact => {
            let kept = seen.recap.take();
            let fresh = recap::fresh(hook, session, kept.clone());
            seen.recap =
                fresh.map(|fresh| fresh.kept).or(kept).filter(|_| hook.config.recap.enabled);
            seen.unchanged =
                seen.recap.as_ref().and_then(|kept| recap::unchanged(hook, session, kept));
        }
        Moment::Start | Moment::Clear => {
            let is_made = seen.left.as_mut().is_some_and(|left| refresh_left(hook, left));
            if !is_made {
                hook.later.tasks.borrow_mut().push(recap::Task::OneMore(session.clone()));
            }
        }
        Moment::Resume | Moment::Fork | Moment::Prompt => {}
    }
}

/// Brings the recaps up to date of those that are told, the newest first, while there is time; whether one had to be made.
///
/// An out-of-date recap could show as open what was finished since: those of others are left out then.
fn refresh_left(hook: &Hook<'_>, left: &mut OpenWork) -> bool {
    let (mut is_made, mut n_earlier) = (false, 0);
    for left in &mut left.0 {
        let kept = left.recap.take();
        left.recap = match left.by {
            Leaver::Previous => recap::fresh(hook, &left.session, kept).map(|fresh| {
                is_made |= fresh.is_made;
                left.is_in_file = recap::write_file(hook, &left.session, Some(&fresh.kept));
                fresh.kept
            }),
            // One that was killed beside the last has no recap yet, and without words nothing else may tell of it.
            Leaver::Earlier if left.handoff.is_none() && n_earlier < OLDER => {
                n_earlier += 1;
                recap::fresh(hook, &left.session, kept).map(|fresh| {
                    is_made |= fresh.is_made;
                    fresh.kept
                })
            }
            Leaver::Earlier | Leaver::Person | Leaver::Another => {
                kept.filter(|kept| recap::is_current(hook, &left.session, kept))
            }
        };
    }
    is_made
}

/// The way a session begins, as the store keeps it.
pub(super) fn what(moment: Moment, answer: Option<String>) -> What {
    match moment {
        Moment::Start => What::Begins(Began::Start),
        Moment::Clear => What::Begins(Began::Clear),
        Moment::Fork => What::Begins(Began::Fork),
        Moment::Resume | Moment::Prompt => What::Resumes,
        Moment::Compact | Moment::AgentCompact => What::Compacted(answer),
    }
}
