//! What the hooks of a session will ask, asked beforehand: as a prompt, a compaction and a resume ask it, and a start
//! that was too late.

use vademecum_core::context::Moment;
use vademecum_core::id::Seq;
use vademecum_core::session::SessionKey;
use vademecum_store::{Answering, Answers, JournalFilter, View};

use super::resume::Had;
use super::start::{self, Asked};
use super::{Hook, missed, reminder};
use crate::error::OpError;
use crate::gather;
use crate::lapses::{self, InForce};

/// What is answered to the hooks of a session as the store is now, and up to which write; none of one that is not known.
pub fn rehearse(hook: &Hook<'_>, key: &SessionKey) -> Result<Option<(Seq, Answers)>, OpError> {
    let call = hook.call(key);
    call.look(|view| {
        view.expect(&|view| {
            drop(newest(view).and_then(|_| asks(hook, view, key)));
        });
        let seq = newest(view)?;
        let noting = Answering::noting(view);
        let is_known = asks(hook, &noting, key)?;
        Ok(is_known.then(|| (seq, noting.into_answers())))
    })
}

/// Notes with a session what other persons of its project have put out of force since `before`; what is in force now.
pub fn follow(
    hook: &Hook<'_>,
    key: &SessionKey,
    before: Option<&InForce>,
) -> Result<Option<InForce>, OpError> {
    let call = hook.call(key);
    // While it is off nothing is noted; what lapses meanwhile is once it is on.
    if call.is_off()? {
        return Ok(before.cloned());
    }
    lapses::follow(&call, key, before)
}

/// The newest write that may be seen.
fn newest(view: &dyn View) -> Result<Seq, OpError> {
    let newest = view.records_by(&JournalFilter { limit: 1, ..JournalFilter::default() })?;
    Ok(newest.first().map_or(Seq(0), |record| record.seq))
}

/// Asks what the hooks of a session ask; whether it is known.
fn asks(hook: &Hook<'_>, view: &dyn View, key: &SessionKey) -> Result<bool, OpError> {
    view.store()?;
    hook.call(key).project(view)?;
    let Some(session) = view.session(key)? else { return Ok(false) };
    view.project(session.project)?;
    view.card(key)?;
    gather::news(view, &session, session.standing.told)?;
    let kept = gather::kept(view, key)?;
    gather::put_back(view, hook.config, &session, kept, (&hook.cap, &hook.nonce(key)))?;
    reminder::known(view, &session)?;
    // A server that is far away answers a start too late; the next prompt has it from here.
    let owed = missed::start_of(hook.world, key);
    for moment in [Moment::Compact, Moment::Resume].into_iter().chain(owed) {
        let (faults, had) = (&[][..], Had::default());
        start::see(
            hook,
            view,
            &Asked { moment, session: &session, faults, had, is_attended: true },
        )?;
    }
    Ok(true)
}
