//! Saved means saved: a reply that says something was kept, in a turn that kept nothing, is told so once.

use vademecum_core::claim::{HINTS, claims_to_keep};
use vademecum_core::session::Session;
use vademecum_harness::hook::Event;
use vademecum_harness::last_reply::last_reply;

use super::{Hook, capture};

/// What the model is told at the prompt behind such a reply.
const UNKEPT: &str = "vade: your last reply seems to say that something was saved or noted for later; no call of that turn saved anything. If it does, save it now (add_learning for the project, add_note for this session) or tell the user that it is not saved; else pass over this line.";

/// The line, where the last reply claims what did not happen; said once, as each prompt follows another reply.
pub(super) fn at_prompt(hook: &Hook<'_>, event: &Event<'_>, session: &Session) -> Option<String> {
    let is_asked = hook.config.reminder && event.agent_id.is_none() && event.is_user_prompt();
    let path = event.transcript_path.as_deref().filter(|_| is_asked)?;
    let reply = last_reply(event.harness, path, &HINTS, claims_to_keep).ok()??;
    // What the user asked to remember was kept without a call.
    let is_kept = || capture::is_kept(hook, session, &reply.asked);
    (!reply.is_active && !is_kept()).then(|| UNKEPT.to_owned())
}
