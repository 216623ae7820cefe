//! The session's page as operations change it: one edit, one revision, one reply.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::context::{self, BlockName, Whole};
use vademecum_core::frame;
use vademecum_core::intake::{Accepted, Policy};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_core::tokens;
use vademecum_store::{Change, StoreError, View};

use crate::call::Call;
use crate::config::Profile;
use crate::error::OpError;
use crate::gather;
use crate::moments::cap_of;
use crate::who::{How, LIVE_MS};

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

/// Where the model of a session sees its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    /// In the contexts of its harness, as far as that lets them through.
    #[default]
    Context,
    /// Whole in every request of its host.
    Request(Room),
    /// Nowhere: it asks for it.
    Nowhere,
}

/// What a request has room for, beside what is always in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// How many tokens page and turns may take together.
    pub tokens: usize,
    /// How many of them the turns should have.
    pub turns: usize,
}

/// Changes the page of the call's session by `edit`, which gets the text and gives the new one.
pub(crate) fn change<E: Into<OpError>>(
    call: &Call<'_>,
    kind: &'static str,
    arguments: &impl Serialize,
    if_rev: Option<u32>,
    replaces: bool,
    edit: impl Fn(&str) -> Result<String, E>,
    n_places: impl Fn(&str) -> usize,
) -> Result<Saved, OpError> {
    let (session, how) = call.open_session()?;
    let mut found = None;
    let written = call.write_once(&session.key, kind, arguments, |view| {
        let page = view.notepad(&session.key)?;
        let rev = page.as_ref().map_or(0, |page| page.rev);
        check_rev(if_rev, rev)?;
        if replaces && if_rev.is_none() {
            check_certain(view, &session.key, how, call.now())?;
        }
        let old = page.map(|page| page.text).unwrap_or_default();
        let new = edit(&old).map_err(Into::into)?;
        let (new, joined) = without_joined(call.policy(), &old, new);
        found = joined;
        check_room(call, &session, &old, &new)?;
        // A revision like the one before would be another's conflict for nothing.
        let change = (old != new).then(|| Change::EditNotepad {
            session: session.key.clone(),
            splice: Splice::between(&old, &new),
            rev: rev + 1,
            at: call.now(),
        });
        let rev = rev + u32::from(change.is_some());
        let mut saved = saved(call, view, &session, (rev, &new))?;
        if let Some(page) = &mut saved.page {
            page.standing.insert_str(0, &came(&old, &new, n_places(&old)));
        }
        Ok((change.into_iter().collect(), saved))
    })?;
    found.map(|joined| call.take(joined));
    Ok(written.value)
}

/// What came of an edit, where that is not what whoever made it takes for granted.
fn came(old: &str, new: &str, n_places: usize) -> String {
    match n_places {
        _ if old == new => "nothing changed: it said so before; ".to_owned(),
        _ if new.is_empty() => "emptied; ".to_owned(),
        0 | 1 => String::new(),
        n => format!("changed at the first of {n} places; "),
    }
}

/// The new text of a page without the secrets that the change made whole, and what they were.
pub(crate) fn without_joined(policy: Policy, old: &str, new: String) -> (String, Option<Accepted>) {
    let Splice { at, insert, .. } = Splice::between(old, &new);
    let joined = policy.join(new, &(at..at + insert.len()));
    (joined.text().to_owned(), Some(joined))
}

/// Refuses what leaves no request possible: nobody would be asked to shorten it.
fn check_room(call: &Call<'_>, session: &Session, old: &str, new: &str) -> Result<(), OpError> {
    let Shown::Request(room) = call.shown else {
        return Ok(());
    };
    let cost = cost(call, session, new);
    if cost <= room.tokens || new.len() <= old.len() {
        return Ok(());
    }
    Err(OpError::usage(format!(
        "the notepad would take {cost} tokens, a request has room for {}: nothing was written",
        room.tokens
    ))
    .hint("keep the parts that are needed in every turn, and add_note for the rest"))
}

/// What the page takes of a request, where it stands as JSON.
fn cost(call: &Call<'_>, session: &Session, text: &str) -> usize {
    let nonce = gather::nonce(call.store, call.world, &session.key);
    tokens::estimate(&serde_json::Value::from(frame::render(text, &nonce)).to_string())
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
fn check_certain(
    view: &dyn View,
    session: &SessionKey,
    how: How,
    now: Time,
) -> Result<(), OpError> {
    let is_certain = match how {
        How::Named | How::Told | How::AtWork | How::Fresh | How::Desk => true,
        How::Environment => false,
    };
    if is_certain || !has_agents(view, session, now)? {
        return Ok(());
    }
    Err(OpError::usage("sub-agents run in this session: a replacing write needs if_rev or session")
        .hint("append with update_notepad, or pass if_rev from read_notepad"))
}

fn has_agents(view: &dyn View, session: &SessionKey, now: Time) -> Result<bool, StoreError> {
    let Some(parent) = view.session(session)? else {
        return Ok(false);
    };
    let all = view.sessions_by_prefix(parent.project, &parent.key.external)?;
    let is_running =
        |other: &Session| other.ended_at.is_none() && now.since(other.seen_at) <= LIVE_MS;
    Ok(all.iter().any(|other| other.parent.as_ref() == Some(session) && is_running(other)))
}

/// The reply to a change of the page of `session` to the text with this revision.
pub(crate) fn saved(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    (rev, text): (u32, &str),
) -> Result<Saved, StoreError> {
    let page = match call.config.profile {
        // The published design answers `{ok: true}` and nothing else.
        Profile::Seed0 => None,
        Profile::Default | Profile::Seed1 | Profile::Seed2 | Profile::Seed3 | Profile::Seed4 => {
            let (tokens, standing) = standing(call, view, session, text)?;
            Some(PageNow { session: session.handle(), rev, tokens, standing })
        }
    };
    Ok(Saved { ok: true, page })
}

/// About what the page costs, and what becomes of it.
fn standing(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    text: &str,
) -> Result<(usize, String), StoreError> {
    let tokens = tokens::estimate(text);
    let automatic = call.config.automatic();
    let comes_back = automatic.restores && call.config.profile.words().has(BlockName::Notepad);
    let shown = match call.shown {
        Shown::Context if session.key.is_restored() && !comes_back => {
            "not shown after compaction: read_notepad gives it".to_owned()
        }
        Shown::Context if session.key.is_restored() => in_context(call, view, session, text)?,
        // Who wrote it at a command line sees it there.
        Shown::Context if session.key.harness != SessionKey::CLIENT => String::new(),
        Shown::Request(room) => in_request(room, cost(call, session, text)),
        Shown::Context | Shown::Nowhere => "not shown: read_notepad gives it".to_owned(),
    };
    let comma = if shown.is_empty() { "" } else { ", " };
    Ok((tokens, format!("{tokens} tokens{comma}{shown} (this session only)")))
}

fn in_context(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    text: &str,
) -> Result<String, StoreError> {
    let nonce = gather::nonce(call.store, call.world, &session.key);
    let beside = || {
        let n_open_notes = view.counts(&session.key)?.open;
        let notes = gather::notes(view, &session.key, n_open_notes)?;
        gather::beside(view, call.config, session, (notes, n_open_notes))
    };
    let share = context::share(text, beside, &cap_of(&session.key), &nonce)?;
    Ok(match share.whole {
        Whole::Always => "shown whole after compaction".to_owned(),
        Whole::AsThingsAre => "shown whole after compaction as things are".to_owned(),
        Whole::Perhaps => {
            let sure = share.of;
            format!(
                "of which about {sure} are sure to be shown after compaction, the rest if there is room: shorten it"
            )
        }
    })
}

fn in_request(room: Room, cost: usize) -> String {
    let left = room.tokens.saturating_sub(cost);
    if room.turns <= left {
        return "shown whole in every request".to_owned();
    }
    format!(
        "shown whole in every request, which leaves about {left} for the conversation: shorten it"
    )
}
