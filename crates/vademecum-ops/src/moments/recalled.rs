//! What earlier sessions kept, told unasked where a prompt names what it is about; likeness of words never speaks.
//!
//! What the conversation has been told stands in its own record. When a session ends it is counted how much of that was
//! used; where that is little, nothing is told unasked.

mod counts;
mod used;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use vademecum_core::entry::{Category, Entry, on_branch};
use vademecum_core::frame;
use vademecum_core::note::{LASTING, Lasts, Note};
use vademecum_core::reported::USER;
use vademecum_core::search::Query;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_core::tokens::estimate;
use vademecum_harness::hook::{Event, Moment};
use vademecum_harness::so_far::{SoFar, Turns};
use vademecum_recap::names::Names;
use vademecum_recap::past::Error;
use vademecum_store::{Corpus, Document, EntryFilter, KeySet, NoteFilter, StoreError, View};

use super::Hook;
use crate::branches;
use crate::call::Call;
use crate::config::{Config, Profile, Recall};
use crate::error::OpError;
use crate::wisdom;

pub(crate) use counts::asked;
pub use counts::{RecallUse, recall_use, recall_use_of_sessions};
pub(super) use counts::{at_end, forget};

/// So much of a prompt is read, in bytes.
const READ: usize = 2 * 1024;

/// A prompt of fewer words goes on with what is at hand.
const FEWEST_WORDS: usize = 4;

/// Up to which prompt of a session it is told; after a compaction at the first one.
const EARLY: usize = 5;

/// So many are told at once.
const AT_ONCE: usize = 2;

/// What a prompt is told costs so many tokens at most.
const MOST: usize = 100;

/// What all of a session's prompts are told costs so many at most.
const MOST_OF_SESSION: usize = 250;

/// A text that is cut shorter, in characters, tells nothing.
const SENTENCE: usize = 60;

/// A text that begins so short may stand anywhere, in bytes.
const TELLING: usize = 20;

/// Of a longer prompt, such as a plan that was pasted, one name tells nothing of what it is about; in bytes.
///
/// Of 22 tellings that a reader judged 12 were at such prompts, and one of these was of use (docs/search.md).
const LONG: usize = 400;

/// A name that more texts are about says little of any.
const MOST_ABOUT: usize = 8;

/// So many of the newest texts that have a name are looked at.
const LOOKED_AT: usize = 50;

/// Past this age only what was decided, ruled or is open is told.
const FRESH_MS: i64 = 14 * 24 * 60 * 60 * 1000;

/// The line above what is told.
const TOLD: &str = "vade: on record from earlier work; it may no longer hold:";

/// How the line begins that is told to one that refers back, and names nothing that anything is about.
const SEARCHABLE: &str =
    "vade: no search was made for what this refers to; search_notes with scope ";

/// By these words a person refers to what another session was told or did.
const REFERRING: [&str; 9] = [
    "last time",
    "last session",
    "previous session",
    "earlier session",
    "we decided",
    "we agreed",
    "we discussed",
    "we already solved",
    "i told you before",
];

/// What may be told: something that was kept on purpose, and holds.
struct Kept {
    id: String,
    kind: &'static str,
    at: Time,
    text: String,
    /// What is said of the branch that it was recorded on, where that is another one.
    branch: Option<String>,
    /// How many of the names that are looked for it is about.
    n_names: usize,
    /// Whether it is told however old it is.
    is_lasting: bool,
}

/// The lines for a prompt; none where it names nothing that an earlier session kept something about.
pub(super) fn at_prompt(hook: &Hook<'_>, event: &Event<'_>, session: &Session) -> Option<String> {
    let Moment::UserPromptSubmit { prompt, .. } = &event.moment else { return None };
    let is_asked = event.is_user_prompt() && event.agent_id.is_none();
    if !is_set(hook.config) || !is_asked {
        return None;
    }
    let prompt = &prompt[..prompt.floor_char_boundary(READ)];
    prompt.split_whitespace().nth(FEWEST_WORDS - 1)?;
    if counts::is_silent(&hook.world.folders.data, session.project) {
        return None;
    }
    let so_far = SoFar::read(event.harness, event.transcript_path.as_deref()).ok()?;
    let turns = so_far.is_whole().then(|| so_far.turns().ok()).flatten()?;
    if !is_early(&so_far, &turns) {
        return None;
    }
    let error = turns.failed.as_deref().and_then(Error::said_in);
    let call = hook.call(&session.key);
    let kept = call.look(|view| {
        let mut kept = about(&call, view, session, &Names::of(prompt), prompt.len() < LONG)?;
        if let Some(error) = &error {
            kept.extend(of_error(&call, view, session, error)?);
        }
        if turns.n_asked == 0 && !so_far.is_compacted() {
            drop_told(&call, view, session, &mut kept)?;
        }
        Ok(kept)
    });
    let mut kept = kept.ok()?;
    kept.retain(|it| {
        !so_far.holds(&it.id) && !begin(&it.text).is_some_and(|begin| so_far.holds(&begin))
    });
    if let Some(told) = told(kept, &so_far, call.now()) {
        return Some(told);
    }
    (refers_back(prompt) && so_far.texts(SEARCHABLE).next().is_none()).then(searchable)
}

fn searchable() -> String {
    format!("{SEARCHABLE}\"project\" looks through what earlier sessions here kept, decisions too.")
}

/// Whether prompts are told anything unasked; the published designs have none of it.
fn is_set(config: &Config) -> bool {
    config.recall == Recall::Auto && matches!(config.profile, Profile::Default | Profile::Seed4)
}

/// Drops what the start may have told: of a first prompt there is no record yet.
fn drop_told(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    kept: &mut Vec<Kept>,
) -> Result<(), OpError> {
    let known = wisdom::known(call, view, session, None)?.unwrap_or_default();
    let told: Vec<String> = known
        .within(call.config.plans.wisdom_tokens)
        .named()
        .map(|entry| entry.id.to_string())
        .collect();
    kept.retain(|it| !told.contains(&it.id));
    Ok(())
}

/// How a text begins, as it stands in a record: what the start of a session told of it has no id.
fn begin(text: &str) -> Option<String> {
    let line = text.lines().next()?;
    let begin = &line[..line.floor_char_boundary(SENTENCE)];
    let quoted = serde_json::to_string(begin).ok().filter(|_| TELLING <= begin.len())?;
    Some(quoted.trim_matches('"').to_owned())
}

fn refers_back(prompt: &str) -> bool {
    let low = prompt.to_lowercase();
    REFERRING.iter().any(|words| low.contains(words))
}

fn is_early(so_far: &SoFar, turns: &Turns) -> bool {
    turns.n_asked < if so_far.is_compacted() { 1 } else { EARLY }
}

/// What the conversation was told before, in tokens, as far as it counts.
fn spent(so_far: &SoFar) -> usize {
    let told = so_far.texts(TOLD).map(|text| {
        let text = &text[..text.len().min(MOST_OF_SESSION * 8)];
        estimate(&String::from_utf8_lossy(text).replace("\\n", "\n"))
    });
    let mut spent = 0;
    for tokens in told {
        spent += tokens;
        if MOST_OF_SESSION <= spent {
            break;
        }
    }
    spent
}

/// What entries and notes of other sessions are about these names: about several of them, unless one `is_enough`.
fn about(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    names: &Names,
    is_enough: bool,
) -> Result<Vec<Kept>, StoreError> {
    let words: Vec<Query> = names.words().map(Query::parse).collect();
    let mut found: Vec<(Vec<usize>, Document)> = looked_up(view, session, &words)?
        .into_iter()
        .map(|document| (names.about(&told_by(&document)), document))
        .collect();
    let n_about = |name: usize| found.iter().filter(|(of, _)| of.contains(&name)).count();
    let is_common: Vec<bool> = (0..words.len()).map(|name| MOST_ABOUT < n_about(name)).collect();
    let fewest = if is_enough { 1 } else { 2 };
    let mut kept = Vec::new();
    for (of, document) in &mut found {
        of.retain(|name| !is_common[*name]);
        if fewest <= of.len() {
            kept.extend(self::kept(call, (view, session), document, of.len())?);
        }
    }
    Ok(kept)
}

/// Issues and causes in which the error stands that a command ended with.
fn of_error(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    error: &Error,
) -> Result<Vec<Kept>, StoreError> {
    let mut found = looked_up(view, session, &[Query::parse(error.word())])?;
    found.retain(|document| is_of_failure(document) && error.is_in(&document.text()));
    if MOST_ABOUT < found.len() {
        return Ok(Vec::new());
    }
    let kept = found.iter().map(|document| self::kept(call, (view, session), document, 1));
    kept.filter_map(Result::transpose).collect()
}

fn is_of_failure(document: &Document) -> bool {
    match document {
        Document::Entry(entry) => entry.category() == Some(Category::Issue),
        _ => LASTING.iter().any(|(tag, lasts)| {
            *lasts == Lasts::AsCause && document.tags().iter().any(|it| it == tag)
        }),
    }
}

/// The newest entries and notes that have all keys of a word, each once.
fn looked_up(
    view: &dyn View,
    session: &Session,
    words: &[Query],
) -> Result<Vec<Document>, StoreError> {
    let sets = words.iter().map(|word| newest(word.needed().map(String::as_str).collect()));
    let sets: Vec<KeySet<'_>> = sets.filter(|set| !set.keys.is_empty()).collect();
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    if sets.is_empty() {
        return Ok(found);
    }
    for corpus in [Corpus::Entries(session.project), Corpus::ProjectNotes(session.project)] {
        let hits = view.hits(corpus, &sets, &NoteFilter::ALL)?;
        for document in hits.into_iter().flat_map(|it| it.documents) {
            let id = match &document {
                Document::Note(of, note) => (note.id.0, Some(Arc::clone(of))),
                Document::Entry(entry) => (entry.id.0, None),
                Document::Page(..) | Document::Words(..) | Document::Recap(..) => continue,
            };
            if known.insert(id) {
                found.push(document);
            }
        }
    }
    Ok(found)
}

fn newest(keys: Vec<&str>) -> KeySet<'_> {
    KeySet { keys, most: LOOKED_AT, is_rare: false }
}

/// What of a document says what it is about.
fn told_by(document: &Document) -> String {
    let text = document.text();
    match document {
        Document::Entry(entry) => match &entry.said.pattern {
            Some(pattern) => format!("{} {text}", pattern.as_str()),
            None => text.into_owned(),
        },
        _ => text.into_owned(),
    }
}

/// A document as it may be told; none of one that nobody chose to record, that holds no longer, or is the session's own.
fn kept(
    call: &Call<'_>,
    (view, session): (&dyn View, &Session),
    document: &Document,
    n_names: usize,
) -> Result<Option<Kept>, StoreError> {
    let kept = match document {
        Document::Entry(entry) => entry_kept(call, view, session, entry)?,
        // A person's own desk is nobody else's.
        Document::Note(of, note)
            if **of != session.key && of.agent.is_none() && of.harness != SessionKey::DESK =>
        {
            note_kept(note)
        }
        _ => None,
    };
    Ok(kept.map(|kept| Kept { n_names, ..kept }))
}

fn entry_kept(
    call: &Call<'_>,
    view: &dyn View,
    session: &Session,
    entry: &Entry,
) -> Result<Option<Kept>, StoreError> {
    let Some(by) = entry.session.as_deref() else { return Ok(None) };
    let is_own = by.harness == session.key.harness && by.external == session.key.external;
    // What a plan has reaches those who work on it, until it is done.
    let is_told = !is_own && !entry.said.is_unconfirmed() && entry.plan.is_project();
    let Some(category) = entry.category().filter(|_| is_told) else { return Ok(None) };
    let filter = EntryFilter {
        project: Some(session.project),
        id: Some(entry.id),
        in_force: true,
        ..EntryFilter::default()
    };
    // What a person asked to remember is a rule.
    let is_rule = entry.said.tags.as_slice().iter().any(|tag| tag == USER);
    let is_lasting = category != Category::Learning || is_rule;
    if view.entry_count(filter)? == 0 {
        return Ok(None);
    }
    let elsewhere = branches::elsewhere(call, view, session.project, [entry])?;
    Ok(Some(Kept {
        id: entry.id.to_string(),
        kind: category.word(),
        at: entry.at,
        text: entry.said.content.as_str().to_owned(),
        branch: elsewhere.branch(entry).map(|branch| on_branch(branch.as_str())),
        n_names: 0,
        is_lasting,
    }))
}

fn note_kept(note: &Note) -> Option<Kept> {
    let tags = note.tags.as_slice();
    let lasting = LASTING.iter().filter(|(tag, _)| tags.iter().any(|it| it == tag));
    let is_lasting = lasting.clone().any(|(_, lasts)| *lasts == Lasts::Always);
    (lasting.count() != 0 && !note.is_scratched()).then(|| Kept {
        id: note.id.to_string(),
        kind: "note",
        at: note.updated_at,
        text: note.content.as_str().to_owned(),
        branch: None,
        n_names: 0,
        is_lasting,
    })
}

/// The lines, if there is anything to tell: what is about most of what was named first, then the newest.
fn told(mut kept: Vec<Kept>, so_far: &SoFar, now: Time) -> Option<String> {
    kept.retain(|it| it.is_lasting || now.since(it.at) <= FRESH_MS);
    let mut ids = BTreeSet::new();
    kept.retain(|it| ids.insert(it.id.clone()));
    if kept.is_empty() {
        return None;
    }
    let spent = spent(so_far);
    kept.sort_by_key(|it| (Reverse(it.n_names), it.branch.is_some(), Reverse(it.at)));
    let mut told = TOLD.to_owned();
    let room =
        |told: &str| MOST.min(MOST_OF_SESSION.saturating_sub(spent)).saturating_sub(estimate(told));
    let mut n = 0;
    for it in kept.iter().take(AT_ONCE) {
        let Some(line) = line(it, room(&told)) else { break };
        told.extend(["\n", &line]);
        n += 1;
    }
    (n != 0).then_some(told)
}

/// One line within so many tokens; none where there is no room for a sentence.
fn line(kept: &Kept, most: usize) -> Option<String> {
    let Kept { id, kind, at, text, branch, .. } = kept;
    let branch = branch.as_ref().map(|branch| format!(" ({branch})")).unwrap_or_default();
    let mut chars = text.chars().count().min(4 * most).max(SENTENCE);
    while SENTENCE <= chars {
        let line = format!("- {} {kind} {id}{branch}: {}", at.day(), frame::line(text, chars));
        if estimate(&line) <= most {
            return Some(line);
        }
        chars -= chars.div_ceil(16);
    }
    None
}
