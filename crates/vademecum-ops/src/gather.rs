//! Gathers what a context is made of from one snapshot.

use vademecum_core::context::{Cap, Context, Moment, Offer, Outside, compose};
use vademecum_core::frame::Nonce;
use vademecum_core::hash::Key;
use vademecum_core::id::{Seq, SessionId};
use vademecum_core::note::Note;
use vademecum_core::notepad::Wording;
use vademecum_core::session::{Session, SessionKey};
use vademecum_store::{Counts, NoteFilter, Record, Scope, SessionFilter, StoreError, View};

use crate::config::{Config, Profile};
use crate::who::full_name;

/// So many of the newest open notes are looked at for a context.
const NEWEST: usize = 60;

/// So many open notes with one of these tags are looked at, however old.
const TAGGED: [(&str, usize); 2] = [("decision", 20), ("todo", 20)];

/// What a session keeps, as contexts are made of it.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The text of its page.
    pub notepad: String,
    /// How often it was written.
    pub rev: u32,
    /// The open notes that may be shown.
    pub notes: Vec<Note>,
    /// How many notes there are.
    pub counts: Counts,
}

/// Whose words a context uses.
#[must_use]
pub fn wording(config: &Config) -> Wording {
    match config.profile {
        Profile::Seed0 => Wording::Seed0,
        Profile::Default | Profile::Seed1 | Profile::Seed2 | Profile::Seed4 => Wording::Factual,
    }
}

/// The mark of guarded text in the contexts of one session: stable, and not to be guessed.
#[must_use]
pub fn nonce(secret: Option<&Key>, key: &SessionKey) -> Nonce {
    Nonce::of(secret.unwrap_or(&Key([0; 32])), full_name(key).as_bytes())
}

/// What the session `id` keeps.
pub fn kept(view: &dyn View, id: SessionId) -> Result<Kept, StoreError> {
    let page = view.notepad(id)?;
    let counts = view.counts(id)?;
    let notes = if counts.open == 0 { Vec::new() } else { notes(view, id, counts.open)? };
    let rev = page.as_ref().map_or(0, |page| page.rev);
    Ok(Kept { notepad: page.map(|page| page.text).unwrap_or_default(), rev, notes, counts })
}

fn notes(view: &dyn View, id: SessionId, n_open: u64) -> Result<Vec<Note>, StoreError> {
    let mut notes = view.notes(id, &NoteFilter::default(), NEWEST)?;
    if NEWEST as u64 == n_open.min(NEWEST as u64) && NEWEST as u64 != n_open {
        for (tag, limit) in TAGGED {
            let filter = NoteFilter { tags: vec![tag.to_owned()], include_scratched: false };
            notes.extend(view.notes(id, &filter, limit)?);
        }
        notes.sort_by_key(|note| note.id);
        notes.dedup_by_key(|note| note.id);
    }
    Ok(notes)
}

/// What others wrote in a session since its model was last told.
#[derive(Debug, Clone, Default)]
pub struct News {
    /// Whether the page is changed.
    pub notepad: bool,
    /// The open notes that were added or changed.
    pub notes: Vec<Note>,
    /// The newest entry that this covers.
    pub upto: Seq,
}

impl News {
    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.notepad && self.notes.is_empty()
    }
}

/// So many writes of others are looked at for one prompt; the rest waits for the next.
const MOST_NEWS: usize = 100;

/// What others wrote in `session` since its model was last told.
pub fn news(view: &dyn View, session: &Session) -> Result<News, StoreError> {
    let scope = Scope::Session(session.id);
    let records = view.journal_outside(scope, session.standing.told, MOST_NEWS)?;
    let mut news = News { upto: session.standing.told, ..News::default() };
    for record in &records {
        take(view, session.id, record, &mut news)?;
        news.upto = record.seq;
    }
    news.notes.sort_by_key(|note| note.id);
    news.notes.dedup_by_key(|note| note.id);
    Ok(news)
}

fn take(
    view: &dyn View,
    id: SessionId,
    record: &Record,
    news: &mut News,
) -> Result<(), StoreError> {
    let Some(body) = view.body(record.seq)? else {
        return Ok(());
    };
    for change in &body.undo {
        match change {
            vademecum_store::Change::EditNotepad { .. }
            | vademecum_store::Change::DropNotepad { .. } => {
                news.notepad = true;
            }
            vademecum_store::Change::DropNote { id: note, .. } => {
                news.notes.extend(view.note(id, *note)?.filter(|note| !note.is_scratched()));
            }
            vademecum_store::Change::SetNote { note, .. } => {
                news.notes.extend(view.note(id, note.id)?.filter(|note| !note.is_scratched()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What the session before left open.
#[derive(Debug, Clone)]
pub struct Left {
    /// Its short name.
    pub handle: String,
    /// Its place in the line.
    pub instance: u32,
    /// The text of its page.
    pub notepad: String,
    /// How many open notes are todos.
    pub n_todos: u64,
}

/// The last session of a project before `this`, if it has ended and left something open.
pub fn left(
    view: &dyn View,
    this: &Session,
    is_running: &dyn Fn(&Session) -> bool,
) -> Result<Option<Left>, StoreError> {
    let filter = SessionFilter {
        project: Some(this.project),
        include_archived: true,
        include_agents: false,
        limit: 5,
    };
    let mut before = view.sessions(filter)?;
    before.retain(|session| {
        session.id != this.id && session.key.harness == this.key.harness && !is_running(session)
    });
    let Some(session) = before.first() else {
        return Ok(None);
    };
    let n_todos = view
        .tags(session.id, false)?
        .iter()
        .find(|tag| tag.tag == "todo")
        .map_or(0, |tag| tag.count);
    let notepad = view.notepad(session.id)?.map(|page| page.text).unwrap_or_default();
    let is_empty = notepad.trim().is_empty() && n_todos == 0;
    let left = Left { handle: session.handle(), instance: session.instance, notepad, n_todos };
    Ok((!is_empty).then_some(left))
}

/// All that one context is asked for with.
#[derive(Debug)]
pub struct Request<'a> {
    /// When.
    pub moment: Moment,
    /// For which session.
    pub session: &'a Session,
    /// What it keeps.
    pub kept: &'a Kept,
    /// What is wrong with the memory.
    pub faults: &'a [String],
    /// What others wrote.
    pub news: Option<&'a News>,
    /// What the session before left.
    pub left: Option<&'a Left>,
}

/// Composes the context of a moment; nothing where there is nothing to say.
#[must_use]
pub fn context(
    request: &Request<'_>,
    config: &Config,
    cap: &Cap,
    nonce: &Nonce,
) -> Option<Context> {
    let Request { moment, session, kept, faults, news, left } = request;
    let handle = session.handle();
    let material = vademecum_core::context::Material {
        moment: *moment,
        wording: wording(config),
        handle: &handle,
        instance: session.instance,
        faults,
        notepad: &kept.notepad,
        notepad_rev: u64::from(kept.rev),
        notes: &kept.notes,
        n_open_notes: kept.counts.open,
        outside: news.map_or_else(Outside::default, |news| Outside {
            notepad: news.notepad,
            notes: &news.notes,
        }),
        offer: left.map(|left| Offer {
            handle: &left.handle,
            instance: left.instance,
            notepad: &left.notepad,
            n_todos: left.n_todos,
        }),
    };
    compose(&material, cap, nonce)
}
