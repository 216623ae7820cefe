//! What the model of a resumed session has before it still: its harness's record and our receipts tell.
//!
//! A harness keeps each context that a start gave it. Given anew at each resume, the same would stand there
//! once for each of them; so a resumed session is told what changed behind the last one that arrived.

use std::path::Path;

use vademecum_core::id::EntryId;
use vademecum_core::session::SessionKey;
use vademecum_harness::hook::Harness;
use vademecum_harness::received::Received;

use super::{Hook, log};
use crate::gather::Since;
use crate::who::full_name;

/// What a conversation has of ours.
#[derive(Debug, Default)]
pub(super) struct Had {
    /// From where on it lacks what was written; none where it lacks everything.
    pub(super) since: Option<Since>,
    /// The newest entry of the project that it was told of.
    pub(super) entry: Option<EntryId>,
    /// The receipt of a context that did not arrive whole, and that the next one replaces.
    pub(super) broken: Option<String>,
}

/// Reads what the conversation of the session `key` has; nothing where its record tells nothing.
pub(super) fn had(
    hook: &Hook<'_>,
    harness: Harness,
    key: &SessionKey,
    record: Option<&Path>,
) -> Had {
    let received = record.and_then(|path| Received::read(harness, path).ok()).unwrap_or_default();
    let Received { whole, mut broken, calls } = received;
    if whole.is_empty() && broken.is_empty() {
        return Had::default();
    }
    let name = full_name(key);
    let mut sent = log::sent(&hook.world.folders.data);
    sent.retain(|sent| sent.session == name);
    let of = |receipt: &String| sent.iter().rev().find(|sent| sent.receipt == *receipt);
    let arrived: Vec<&log::Sent> = whole.iter().filter_map(of).collect();
    let full = arrived.iter().filter(|sent| sent.is_full).filter_map(|sent| sent.upto).max();
    // One that begins behind what arrived before it covers a stretch, and none of the one between.
    let upto = full.map(|full| {
        arrived.iter().filter(|sent| !sent.is_full).fold(full, |upto, sent| match sent.upto {
            Some(next) if sent.from <= upto => upto.max(next),
            Some(_) | None => upto,
        })
    });
    let entry = arrived.iter().filter_map(|sent| sent.entry).max();
    broken.retain(|receipt| of(receipt).is_some());
    let since = upto.zip(full).map(|(upto, full)| Since { upto, full, calls });
    Had { entry, since, broken: broken.pop() }
}
