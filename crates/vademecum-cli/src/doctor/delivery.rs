//! Which contexts of the latest sessions reached their model, as the harness's own transcripts show.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use vademecum::core::error::Kind;
use vademecum::core::session::Session;
use vademecum::core::time::Time;
use vademecum::harness::claude_code::transcript::TranscriptError;
use vademecum::harness::claude_code::transcript::contexts::{State, contexts};
use vademecum::harness::codex;
use vademecum::harness::hook::Harness;
use vademecum::ops::moments::{Owed, Sent, owed, sent};
use vademecum::ops::place::Place;
use vademecum::port::{SessionFilter, Store, StoreError, read};

use super::{Doctor, Finding};

const ABOUT: &str = "delivery";

/// So many of the project's latest sessions are looked at.
const SESSIONS: usize = 5;

/// A context of the last seconds may not be in the transcript yet.
const PENDING_MS: i64 = 60_000;

/// What a session was owed so long ago says nothing of the store as it is now.
const OWED_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) fn check(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let data = &doctor.world.folders.data;
    let mut findings = missed(doctor, &owed(data));
    // A store that cannot be read is told of above.
    let Ok(sessions) = sessions(doctor, store) else { return findings };
    let all = sent(data);
    findings.extend(sessions.iter().filter_map(|session| of_session(doctor, session, &all)));
    if findings.is_empty() {
        findings.push(Finding::ok(
            ABOUT,
            "no context with a receipt was sent here yet; the line of a new session has none",
        ));
    }
    findings
}

/// The sessions of this data folder that were not given their memory, for their store did not answer in time.
fn missed(doctor: &Doctor<'_>, owed: &[Owed]) -> Vec<Finding> {
    let now: Time = doctor.world.now();
    let recent = owed.iter().rev().filter(|owed| now.since(owed.at) < OWED_MS);
    let finding = |owed: &Owed| {
        let Owed { session, source, at, tries, .. } = owed;
        let other = doctor.another_store(owed.store.as_ref());
        let of = other.map(|its| format!(" in the store {its}")).unwrap_or_default();
        let at = at.to_rfc3339();
        let text = if owed.is_due() {
            format!(
                "{session} lacks its memory since {at} ({source}){of}: its next prompt or call brings it"
            )
        } else {
            format!(
                "{session} was not given its memory at {at} ({source}){of}, nor in {tries} tries since"
            )
        };
        Finding::warn(
            ABOUT,
            text,
            "if it happens often: vade store status says how fast the store answers",
        )
    };
    recent.take(SESSIONS).map(finding).collect()
}

/// The latest sessions of harnesses with hooks in this project, sub-agents too.
fn sessions(doctor: &Doctor<'_>, store: &dyn Store) -> Result<Vec<Session>, StoreError> {
    let keys = Place::of(&doctor.world.folders.work).clues(&doctor.world.machines());
    read(store, |view| {
        let Some(project) = view.project_by_keys(&keys)? else { return Ok(Vec::new()) };
        let filter =
            SessionFilter { project: Some(project.id), limit: 10 * SESSIONS, ..SessionFilter::ALL };
        let mut sessions = view.sessions(filter)?;
        sessions.retain(|session| Harness::of(&session.key.harness).is_some());
        sessions.truncate(SESSIONS);
        Ok(sessions)
    })
}

/// What a transcript shows of our contexts.
#[derive(Debug, Default)]
struct Shown {
    whole: HashSet<String>,
    n_whole: usize,
    n_previews: usize,
    n_changed: usize,
}

fn of_session(doctor: &Doctor<'_>, session: &Session, all: &[Sent]) -> Option<Finding> {
    let name = session.key.to_string();
    let sent: Vec<&Sent> = all.iter().filter(|sent| sent.session == name).collect();
    let handle = session.handle();
    let harness = Harness::of(&session.key.harness)?;
    let path = transcript(session)?;
    let shown = match shown(harness, &path) {
        Ok(shown) => shown,
        Err(error) if error.kind() == Kind::Missing => {
            let text = format!("session {handle}: its transcript is not there");
            return (!sent.is_empty()).then(|| Finding::ok(ABOUT, text));
        }
        Err(error) => {
            let text = format!("session {handle}: {error}");
            return Some(Finding::warn(ABOUT, text, "make the transcript readable"));
        }
    };
    if sent.is_empty() && shown.n_whole == 0 {
        return None;
    }
    Some(judge(harness, doctor.world.now(), &handle, &sent, &shown))
}

/// Where the harness's record of the session lies, as its hooks told.
fn transcript(session: &Session) -> Option<PathBuf> {
    Some(PathBuf::from(OsString::from_vec(session.place.transcript.clone()?)))
}

fn shown(harness: Harness, path: &std::path::Path) -> Result<Shown, TranscriptError> {
    let mut shown = Shown::default();
    let contexts = match harness {
        Harness::ClaudeCode => contexts(path)?,
        Harness::Codex => codex::contexts::contexts(path)?,
    };
    for context in contexts {
        let context = context?;
        match context.state {
            State::Whole => {
                shown.n_whole += 1;
                shown.whole.extend(context.receipt);
            }
            State::Preview => shown.n_previews += 1,
            State::Changed if context.receipt.is_some() => shown.n_changed += 1,
            // A line at a fresh start has no receipt; what lost its own counts as not arrived.
            State::Sent | State::Changed => {}
        }
    }
    Ok(shown)
}

fn judge(harness: Harness, now: Time, handle: &str, sent: &[&Sent], shown: &Shown) -> Finding {
    let unseen = sent.iter().filter(|sent| !shown.whole.contains(&sent.receipt));
    let is_pending =
        |sent: &&&Sent| Time::parse(&sent.at).is_some_and(|at| now.since(at) < PENDING_MS);
    let (pending, missing): (Vec<&&Sent>, Vec<&&Sent>) = unseen.partition(is_pending);
    let n_cut = shown.n_previews + shown.n_changed;
    let n_lost = missing.len().saturating_sub(n_cut);

    let parts = [
        (shown.n_previews, "only as a preview"),
        (shown.n_changed, "changed on the way"),
        (n_lost, "sent and never arrived"),
        (pending.len(), "sent just now"),
    ];
    let whole = contexts_in_words(shown.n_whole);
    let mut said = vec![format!("session {handle}: {whole} arrived whole")];
    said.extend(parts.iter().filter(|(n, _)| 0 < *n).map(|(n, what)| format!("{n} {what}")));
    let mut text = said.join(", ");
    if let Some(last) = missing.last().filter(|_| 0 < n_lost) {
        text.extend([" (the last at ", &last.event, ", ", &last.at, ")"]);
    }
    if 0 < n_lost && shown.n_whole == 0 {
        let mend = match harness {
            Harness::ClaudeCode => {
                "look at the rows above; claude --debug shows what its hooks answer"
            }
            Harness::Codex => "look at the rows above; codex exec prints which of its hooks fail",
        };
        return Finding::bad(ABOUT, text, mend);
    }
    if 0 < n_lost + n_cut {
        return Finding::warn(
            ABOUT,
            text,
            "vade context shows what would be put in front of the model",
        );
    }
    Finding::ok(ABOUT, text)
}

fn contexts_in_words(n: usize) -> String {
    if n == 1 { "1 context".to_owned() } else { format!("{n} contexts") }
}
