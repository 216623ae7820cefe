//! The session's page as operations change it: one edit, one revision, one reply.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::SessionId;
use vademecum_core::session::handle;
use vademecum_core::splice::Splice;
use vademecum_core::tokens;
use vademecum_store::{Change, StoreError, View};

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::who::How;

/// What a change of the page answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Saved {
    /// Always true: a failure is an error.
    pub ok: bool,
    /// The page about which this is said.
    #[serde(flatten)]
    pub page: Option<PageNow>,
}

/// The page as it is after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageNow {
    /// The session whose page it is.
    pub session: String,
    /// How often it was written.
    pub rev: u32,
    /// About how many tokens it costs.
    pub tokens: usize,
    /// What a model should know: who sees it, and whether it is shown whole.
    pub standing: String,
}

impl Saved {
    /// The reply as a model reads it.
    #[must_use]
    pub fn say(&self) -> String {
        match &self.page {
            Some(page) => format!("notepad rev {}, {}", page.rev, page.standing),
            None => "ok".to_owned(),
        }
    }
}

/// Changes the page of the call's session by `edit`, which gets the text and gives the new one.
pub(crate) fn change<E: Into<OpError>>(
    call: &Call<'_>,
    kind: &'static str,
    arguments: &impl Serialize,
    if_rev: Option<u32>,
    replaces: bool,
    edit: impl Fn(&str) -> Result<String, E>,
) -> Result<Saved, OpError> {
    let (session, how) = call.open_session()?;
    let written = call.write_once(session.id, kind, arguments, |view| {
        let page = view.notepad(session.id)?;
        let rev = page.as_ref().map_or(0, |page| page.rev);
        check_rev(if_rev, rev)?;
        if replaces && if_rev.is_none() {
            check_certain(view, session.id, how)?;
        }
        let old = page.map(|page| page.text).unwrap_or_default();
        let new = edit(&old).map_err(Into::into)?;
        let splice = Splice::between(&old, &new);
        let change =
            Change::EditNotepad { session: session.id, splice, rev: rev + 1, at: call.now() };
        let saved = saved(call, &handle(&session.key), rev + 1, &new);
        Ok((vec![change], saved))
    })?;
    Ok(written.value)
}

fn check_rev(if_rev: Option<u32>, rev: u32) -> Result<(), OpError> {
    match if_rev.filter(|if_rev| *if_rev != rev) {
        Some(given) => {
            Err(OpError::conflict(format!("the notepad is at rev {rev}, if_rev {given} given"))
                .hint("read_notepad, then write on what is there now"))
        }
        None => Ok(()),
    }
}

/// While sub-agents run, a caller known by its environment alone may be one of them.
fn check_certain(view: &dyn View, session: SessionId, how: How) -> Result<(), OpError> {
    let is_certain = match how {
        How::Named | How::Told | How::Desk => true,
        How::Environment | How::OnlyOne => false,
    };
    if is_certain || !has_agents(view, session)? {
        return Ok(());
    }
    Err(OpError::usage("sub-agents run in this session: a replacing write needs if_rev or session")
        .hint("append with update_notepad, or pass if_rev from read_notepad"))
}

fn has_agents(view: &dyn View, session: SessionId) -> Result<bool, StoreError> {
    let Some(parent) = view.session_by_id(session)? else {
        return Ok(false);
    };
    let all = view.sessions_by_prefix(parent.project, &parent.key.external)?;
    Ok(all.iter().any(|other| other.parent == Some(session) && other.ended_at.is_none()))
}

pub(crate) fn saved(call: &Call<'_>, handle: &str, rev: u32, text: &str) -> Saved {
    let page = match call.config.profile {
        // The published design answers `{ok: true}` and nothing else.
        Profile::Seed0 => None,
        Profile::Default | Profile::Seed1 | Profile::Seed2 => Some(PageNow {
            session: handle.to_owned(),
            rev,
            tokens: tokens::estimate(text),
            standing: standing(text),
        }),
    };
    Saved { ok: true, page }
}

fn standing(text: &str) -> String {
    let tokens = tokens::estimate(text);
    format!("{tokens} tokens (this session only; shown after compaction)")
}
