//! What a host of one's own puts in front of its model, by the composers that hooks use.

use vademecum_core::context::{BlockName, Cap, Context, Moment};
use vademecum_core::sub_agent::SubAgent;

use crate::call::Call;
use crate::error::OpError;
use crate::gather::{self, Kept, Request};

/// What the call's session keeps beside its page, after its conversation was compacted.
///
/// The page stands elsewhere in what such a host sends. Nothing where nothing is open and nobody runs.
pub fn put_back(
    call: &Call<'_>,
    running: Vec<SubAgent>,
    cap: &Cap,
) -> Result<Option<Context>, OpError> {
    let found = call.look(|view| {
        let Some(session) = call.session(view)? else { return Ok(None) };
        let kept = gather::kept(view, &session.key)?;
        Ok(Some((session, kept)))
    })?;
    let Some((session, kept)) = found else { return Ok(None) };
    let mut kept = Kept { notepad: String::new(), notepad_more: 0, rev: 0, running, ..kept };
    let words = call.config.profile.words();
    if !words.has(BlockName::Notes) {
        (kept.notes, kept.counts.open) = (Vec::new(), 0);
    }
    if !words.has(BlockName::Agents) {
        kept.running.clear();
    }
    if kept.notes.is_empty() && kept.running.is_empty() {
        return Ok(None);
    }
    let request = Request {
        moment: Moment::Compact,
        session: &session,
        kept: &kept,
        faults: &[],
        news: None,
        left: None,
        recap: None,
        unchanged: None,
        knowledge: None,
        replaces: None,
        saves: !call.world.is_read_only(),
    };
    let nonce = gather::nonce(call.store, call.world, &session.key);
    Ok(gather::context(&request, call.config, cap, &nonce))
}
