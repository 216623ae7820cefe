//! Gathers what a context is made of from one snapshot.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::Value;
use vademecum_core::context::{
    Back, Beside, Cap, Context, Follows, Lapsed, Moment, Older, Outside, Page, PutBack, Recap,
    compose,
};
use vademecum_core::frame::Nonce;
use vademecum_core::hash::{self, Key};
use vademecum_core::id::{EntryId, NoteId, Seq};
use vademecum_core::note::Note;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_core::tokens;
use vademecum_harness::hook::Harness;
use vademecum_store::{
    Author, Body, Counts, NoteFilter, Record, Scope, Store, StoreError, Surface, View, Whose,
};

use crate::config::Config;
use crate::history;
use crate::lapses;
use crate::open_work::{Left, OLDER, Open, OpenWork};
use crate::recaps::{self, Kept as Recapped, find};
use crate::succession::Taker;
use crate::wisdom;
use crate::world::World;

/// So many of the newest open notes are looked at for a context.
const NEWEST: usize = 60;

/// So many open notes with one of these tags are looked at, however old.
const TAGGED: [(&str, usize); 2] = [("decision", 20), ("todo", 20)];

/// What a session keeps, as contexts are made of it.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The text of its page, as far as [`PAGE`] bytes of it.
    pub notepad: String,
    /// How many bytes of it follow.
    pub notepad_more: u64,
    /// How often it was written.
    pub rev: u32,
    /// Its sub-agents that still run, where they are asked for.
    pub running: Vec<SubAgent>,
    /// The name of the one whose work it took over, where it is asked for.
    pub took_over: Option<String>,
    /// The one that took over its work since, where it is asked for.
    pub taken_by: Option<Taker>,
    /// The notes that its model may hold for open, and that are not, where they are asked for.
    pub gone: Vec<NoteId>,
    /// The entries that its model may hold for in force, and that are not, where they are asked for.
    pub lapsed: Vec<Lapsed>,
    /// The open notes that may be shown.
    pub notes: Vec<Note>,
    /// How many notes there are.
    pub counts: Counts,
}

/// The mark of guarded text in the contexts of one session: stable, and not to be guessed.
#[must_use]
pub fn nonce(store: &dyn Store, world: &World, key: &SessionKey) -> Nonce {
    mark(store, world, key.to_string().as_bytes())
}

/// The mark of guarded text in what is about `what`.
///
/// Without the secret of the store it is one of this process alone: any other could be worked out.
pub(crate) fn mark(store: &dyn Store, world: &World, what: &[u8]) -> Nonce {
    static OF_PROCESS: OnceLock<Key> = OnceLock::new();
    let of_process = || OF_PROCESS.get_or_init(|| Key(hash::plain((world.new_id)().as_bytes())));
    match store.secret() {
        Ok(Some(secret)) => Nonce::of(&secret, what),
        // Nothing was kept yet, or the secret is lost and the next write makes another one.
        Ok(None) => Nonce::of(of_process(), what),
        Err(_) => Nonce::of(of_process(), what).for_all(),
    }
}

/// So many bytes of a page are read for a context: thirty times what a harness lets through, and 3 ms of work.
pub const PAGE: usize = 256 * 1024;

impl Kept {
    /// All that page and notes say, as far as they were read.
    pub(crate) fn said(&self) -> String {
        let notes = self.notes.iter().map(|note| note.content.as_str());
        std::iter::once(self.notepad.as_str()).chain(notes).collect::<Vec<_>>().join("\n")
    }

    /// About what the page costs, in tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        // Four bytes of the part that was not read are taken for a token.
        tokens::estimate(&self.notepad)
            + usize::try_from(self.notepad_more / 4).unwrap_or(usize::MAX)
    }
}

/// What the session `id` keeps.
pub fn kept(view: &dyn View, id: &SessionKey) -> Result<Kept, StoreError> {
    let page = view.page(id, PAGE)?;
    let counts = view.counts(id)?;
    let notes = if counts.open == 0 { Vec::new() } else { notes(view, id, counts.open)? };
    let rev = page.as_ref().map_or(0, |page| page.rev);
    let notepad_more = page.as_ref().map_or(0, |page| page.more);
    let notepad = page.map(|page| page.text).unwrap_or_default();
    Ok(Kept { notepad, notepad_more, rev, notes, counts, ..Kept::default() })
}

/// The sub-agents that `session` started in its present process, and that still run.
///
/// Only those of which it is known what they were asked: of Claude Code's they work beside it. What its model
/// waits for is over when the model is asked again, and one that was interrupted says nothing of that.
pub fn running(view: &dyn View, session: &Session) -> Result<Vec<SubAgent>, StoreError> {
    let mut running = view.running(Whose::Parent(&session.key))?;
    let process = session.place.host_pid;
    let says_who_waits = session.key.harness == Harness::ClaudeCode.id();
    running.retain(|agent| !says_who_waits || agent.running.asked.is_some());
    running.retain(|agent| {
        agent.running.host_pid.is_none_or(|pid| process.is_none_or(|it| it == pid))
    });
    Ok(running)
}

/// The open notes that a context may show of `n_open`.
pub(crate) fn notes(
    view: &dyn View,
    id: &SessionKey,
    n_open: u64,
) -> Result<Vec<Note>, StoreError> {
    let mut notes = view.notes(id, &NoteFilter::default(), NEWEST)?;
    if NEWEST as u64 == n_open.min(NEWEST as u64) && NEWEST as u64 != n_open {
        for (tag, limit) in TAGGED {
            let filter = NoteFilter::open(&[tag]);
            notes.extend(view.notes(id, &filter, limit)?);
        }
        notes.sort_by_key(|note| note.id);
        notes.dedup_by_key(|note| note.id);
    }
    Ok(notes)
}

/// What stands beside the page of `session` in a context as things are, `notes` being its open ones.
pub(crate) fn beside(
    view: &dyn View,
    config: &Config,
    session: &Session,
    (notes, n_open_notes): (Vec<Note>, u64),
) -> Result<Beside, StoreError> {
    let knowledge = wisdom::is_told(config, session) && view.last_entry(session.project)?.is_some();
    let agents = !running(view, session)?.is_empty();
    Ok(Beside { recap: config.recap.enabled, agents, knowledge, notes, n_open_notes })
}

/// What a compaction of `session` puts back for certain of what it keeps: every promise of it asks here.
pub(crate) fn put_back(
    view: &dyn View,
    config: &Config,
    session: &Session,
    kept: Kept,
    (cap, nonce): (&Cap, &Nonce),
) -> Result<PutBack, StoreError> {
    let beside = beside(view, config, session, (kept.notes, kept.counts.open))?;
    let page = Page {
        profile: config.profile,
        scratchpad: config.scratchpad_budget(),
        content: &kept.notepad,
        more: kept.notepad_more,
        is_put_back: config.automatic().restores,
    };
    Ok(vademecum_core::context::put_back(&page, &beside, cap, nonce))
}

/// The text of page and notes that a compaction of `session` puts back for certain.
pub(crate) fn comes_back(
    view: &dyn View,
    config: &Config,
    session: &Session,
    form: (&Cap, &Nonce),
) -> Result<String, StoreError> {
    let kept = kept(view, &session.key)?;
    let back = put_back(view, config, session, kept.clone(), form)?;
    if !back.is_on {
        return Ok(String::new());
    }
    let n_lines = match back.page {
        Back::Nothing => 0,
        Back::Whole => usize::MAX,
        Back::First { shown, .. } => usize::try_from(shown).unwrap_or(usize::MAX),
    };
    let notes: &[Note] = if back.notes == Back::Whole { &kept.notes } else { &[] };
    let lines = kept.notepad.lines().take(n_lines);
    Ok(lines.chain(notes.iter().map(|note| note.content.as_str())).collect::<Vec<_>>().join("\n"))
}

/// What others wrote in a session since its model was last told.
#[derive(Debug, Clone, Default)]
pub struct News {
    /// Whether the page is changed.
    pub notepad: bool,
    /// The page as the conversation has it; none where it has none, or that is not known.
    pub page_before: Option<String>,
    /// The open notes that were added or changed, as far as they were looked up.
    pub notes: Vec<Note>,
    /// How many more there may be.
    pub more_notes: u64,
    /// The notes that they took away, by crossing out or for good, as far as they were looked up.
    pub gone: BTreeSet<NoteId>,
    /// The sub-agents that its model holds for running, and that are not.
    pub stopped: Vec<String>,
    /// The entries of the project that its model may hold for in force, and that are not.
    pub lapsed: Vec<Lapsed>,
    /// The newest entry that this covers.
    pub upto: Seq,
}

impl News {
    /// As a context is told of it; `gone` are its notes that are gone.
    fn outside<'a>(&'a self, gone: &'a [NoteId]) -> Outside<'a> {
        Outside {
            notepad: self.notepad,
            page_before: self.page_before.as_deref(),
            notes: &self.notes,
            more_notes: self.more_notes,
            gone,
            stopped: &self.stopped,
            lapsed: &self.lapsed,
        }
    }

    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let changes_none = self.notes.is_empty() && self.gone.is_empty();
        !self.notepad && changes_none && self.stopped.is_empty() && self.lapsed.is_empty()
    }
}

/// So many writes of others are looked at for one prompt; the rest waits for the next.
pub(crate) const MOST_NEWS: usize = 100;

/// So many bytes of what they wrote are read: an import has megabytes, of which a context shows a few lines.
pub(crate) const NEWS_BYTES: u64 = 256 * 1024;

/// So many of their notes are looked up, more than a context has room for.
const NEWS_NOTES: usize = 100;

/// From where on a conversation lacks what was written to its session.
#[derive(Debug, Clone, Default)]
pub struct Since {
    /// It was told of all that others wrote up to this.
    pub upto: Seq,
    /// It was told of all writes up to this, the model's own too.
    pub full: Seq,
    /// The calls of ours that stand in it; none where that cannot be told.
    pub calls: Option<BTreeSet<String>>,
}

impl Since {
    /// Whether the conversation lacks a write.
    pub(crate) fn lacks(&self, record: &Record) -> bool {
        match (&record.origin.surface, &record.origin.author) {
            (Surface::Hook, _) => false,
            (_, Author::Agent) => self.full < record.seq && !self.holds(record),
            (_, Author::User | Author::Tool | Author::Unknown(_)) => self.upto < record.seq,
        }
    }

    /// Whether a write is the model's own and stands in its conversation.
    ///
    /// Where calls carry no id, what an agent wrote is taken for its own.
    fn holds(&self, record: &Record) -> bool {
        let id = record.write_id.rsplit(':').next().unwrap_or_default();
        self.calls.as_ref().is_none_or(|calls| calls.contains(id))
    }
}

/// The entries that the model of `session` recorded in its present conversation; none where that cannot be told.
pub(crate) fn recorded_in(
    view: &dyn View,
    session: &Session,
    since: &Since,
) -> Result<Option<BTreeSet<EntryId>>, StoreError> {
    if since.calls.is_none() {
        return Ok(None);
    }
    let records = view.records(&Scope::Project(session.project), MOST_NEWS)?;
    let mut own = BTreeSet::new();
    for record in records.iter().filter(|record| since.holds(record)) {
        // The reply to whoever recorded an entry begins with it.
        let body = view.body(record.seq)?;
        let reply = body.and_then(|body| serde_json::from_str::<Value>(&body.reply).ok());
        own.extend(reply.and_then(|reply| EntryId::parse(reply[0]["id"].as_str()?)));
    }
    Ok(Some(own))
}

/// What others wrote in `session` behind `told_upto`.
pub fn news(view: &dyn View, session: &Session, told_upto: Seq) -> Result<News, StoreError> {
    let scope = Scope::Session(session.key.clone());
    let records = view.records_outside(&scope, told_upto, MOST_NEWS)?;
    let upto = records.last().map_or(told_upto, |record| record.seq);
    let mut news = told(view, session, &records, upto)?;
    if news.notepad
        && let Some(first) = records.first()
    {
        // One that was written and taken back is as it was last shown.
        let mut since = view.records(&scope, MOST_NEWS)?;
        let knows_all = since.iter().any(|record| record.seq <= first.seq);
        since.retain(|record| first.seq <= record.seq);
        let mut compared = News { notepad: true, ..News::default() };
        if knows_all {
            compare_page(view, &session.key, &since, &mut compared)?;
        }
        news.notepad = compared.notepad;
    }
    Ok(news)
}

/// What was written in `session` and is lacking in its conversation, whoever wrote it.
pub fn news_since(view: &dyn View, session: &Session, since: &Since) -> Result<News, StoreError> {
    let scope = Scope::Session(session.key.clone());
    let upto = view.last_seq(&scope)?;
    let mut records = view.records(&scope, MOST_NEWS)?;
    let has_more = records.len() == MOST_NEWS;
    records.retain(|record| since.full < record.seq);
    if has_more && records.len() == MOST_NEWS {
        return unread(view, session, News { upto, ..News::default() });
    }
    let mut lacking: Vec<Record> = records.iter().filter(|it| since.lacks(it)).cloned().collect();
    lacking.reverse();
    let mut news = told(view, session, &lacking, upto)?;
    if news.notepad
        && let Some(first) = lacking.first()
    {
        records.retain(|record| first.seq <= record.seq);
        compare_page(view, &session.key, &records, &mut news)?;
    }
    Ok(news)
}

/// Looks up the page as it was before the writes `records`, the newest first; one that is as it was is no news.
///
/// A conversation that lacks the first of them has the page of before: whole, or with the changes that it was told of.
fn compare_page(
    view: &dyn View,
    id: &SessionKey,
    records: &[Record],
    news: &mut News,
) -> Result<(), StoreError> {
    let Some(page) = view.page(id, PAGE)?.filter(|page| page.more == 0) else {
        return Ok(());
    };
    let before = history::before(view, records, page.text.clone(), NEWS_BYTES)?;

    news.notepad = before.as_deref() != Some(page.text.as_str());
    news.page_before = before;
    Ok(())
}

/// What these writes changed, as it stands now.
fn told(
    view: &dyn View,
    session: &Session,
    records: &[Record],
    upto: Seq,
) -> Result<News, StoreError> {
    let mut news = News { upto, ..News::default() };
    let mut room = NEWS_BYTES;
    for record in records {
        let found = view.with_body(record.seq, room)?;
        let Some((size, body)) = found.and_then(|entry| Some((entry.size?, entry.body))) else {
            continue;
        };
        let Some(body) = body else { return unread(view, session, news) };
        room -= size;
        take(view, session, (record, &body), &mut news)?;
    }
    in_order(view, &session.key, news)
}

/// Where too much was written to be read: the newest notes of all, and that the page may be another.
fn unread(view: &dyn View, session: &Session, mut news: News) -> Result<News, StoreError> {
    news.notepad |= view.notepad_rev(&session.key)?.is_some();
    take_newest(view, &session.key, NoteId(i64::MAX), &mut news)?;
    news.upto = view.last_seq(&Scope::Session(session.key.clone()))?;
    in_order(view, &session.key, news)
}

/// Whether others wrote in `session` what its model was not told of.
pub fn is_news(view: &dyn View, session: &Session) -> Result<bool, StoreError> {
    let scope = Scope::Session(session.key.clone());
    Ok(!view.records_outside(&scope, session.standing.told, 1)?.is_empty())
}

fn in_order(view: &dyn View, id: &SessionKey, mut news: News) -> Result<News, StoreError> {
    news.notes.sort_by_key(|note| note.id);
    news.notes.dedup_by_key(|note| note.id);
    news.gone.retain(|gone| news.notes.binary_search_by_key(gone, |note| note.id).is_err());
    if 0 < news.more_notes {
        // What was counted twice, or is gone since, is no open note.
        let others = view.counts(id)?.open.saturating_sub(news.notes.len() as u64);
        news.more_notes = news.more_notes.min(others);
    }
    Ok(news)
}

fn take(
    view: &dyn View,
    session: &Session,
    (record, body): (&Record, &Body),
    news: &mut News,
) -> Result<(), StoreError> {
    if record.kind == lapses::KIND {
        return lapses::take(view, session.project, &body.reply, news);
    }
    let id = &session.key;
    for change in &body.undo {
        match change {
            vademecum_store::Change::EditNotepad { .. }
            | vademecum_store::Change::DropNotepad { .. } => {
                news.notepad = true;
            }
            vademecum_store::Change::DropNote { id: note, .. } => {
                take_note(view, id, *note, news)?;
            }
            // What was there before: the model may know of it.
            vademecum_store::Change::SetNote { note, .. }
            | vademecum_store::Change::AddNote { note, .. } => {
                let was_open = !note.is_scratched();
                let is_open = take_note(view, id, note.id, news)?;
                news.gone.extend((was_open && !is_open).then_some(note.id));
            }
            vademecum_store::Change::DropNotes { upto, .. } => take_newest(view, id, *upto, news)?,
            _ => {}
        }
    }
    Ok(())
}

/// Takes a note that is open; whether it is.
fn take_note(
    view: &dyn View,
    id: &SessionKey,
    note: NoteId,
    news: &mut News,
) -> Result<bool, StoreError> {
    let open = view.note(id, note)?.filter(|note| !note.is_scratched());
    let is_open = open.is_some();
    if NEWS_NOTES <= news.notes.len() {
        news.more_notes += u64::from(is_open);
    } else {
        news.notes.extend(open);
    }
    Ok(is_open)
}

/// The newest notes up to `upto`; those behind them are counted.
fn take_newest(
    view: &dyn View,
    id: &SessionKey,
    upto: NoteId,
    news: &mut News,
) -> Result<(), StoreError> {
    let newest = view.notes(id, &NoteFilter::default(), NEWS_NOTES)?;
    news.more_notes += view.counts(id)?.open.saturating_sub(newest.len() as u64);
    news.notes.extend(newest.into_iter().filter(|note| note.id <= upto));
    Ok(())
}

/// The recap of a session that was kept last; none if a later program kept it in another form.
pub fn recap(view: &dyn View, id: &SessionKey) -> Result<Option<Recapped>, StoreError> {
    Ok(view.recap(id)?.and_then(|kept| Recapped::parse(&kept.body)))
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
    /// What the sessions before left.
    pub left: Option<&'a OpenWork>,
    /// What was said and done in this one, where the conversation itself is gone.
    pub recap: Option<&'a Recapped>,
    /// The line on the files that are as the session read them.
    pub unchanged: Option<&'a str>,
    /// What the project knows.
    pub knowledge: Option<&'a wisdom::Known>,
    /// The receipt of an earlier context that this one replaces.
    pub replaces: Option<&'a str>,
    /// Whether anything can be saved.
    pub saves: bool,
}

/// Where all stands that a session left.
fn whole_of(left: &Left, config: &Config) -> String {
    match config.recap.handoff_file.as_ref().filter(|_| left.is_in_file) {
        Some(file) => file.clone(),
        None => format!("read_handoff(from=\"{}\")", left.session.handle()),
    }
}

/// A recap as contexts are made of it, within what the configuration lets it cost.
fn told_recap<'a>(
    recap: &'a Recapped,
    config: &Config,
    coverage: &'a str,
    (before, request): (&'a Option<(String, String)>, &Request<'a>),
) -> Recap<'a> {
    let texts = recap.texts(config.recap.max_tokens);
    // The line is no reason for a recap to take more than it may.
    let fits = |line: &&str| {
        let with_it = tokens::estimate(&texts[0]) + tokens::estimate(line);
        config.recap.max_tokens.is_none_or(|most| with_it <= most)
    };
    // Short sessions have one form.
    let is_longer = |text: &&String| recaps::BUDGET < tokens::estimate(text);
    Recap {
        texts,
        n_longer: texts.iter().take_while(is_longer).count(),
        coverage,
        before: before.as_ref().map(|(handle, whole)| Follows { handle, whole }),
        is_beside_summary: recap.is_beside_summary,
        unchanged: request.unchanged.filter(fits).unwrap_or_default(),
    }
}

/// Of what a recap is: a resumed session may have gone on since its own was made.
fn covers(recap: &Recapped, request: &Request<'_>) -> String {
    // A compaction adds its summary behind the recap that is made before it.
    let most = match request.moment {
        Moment::Resume => 100,
        Moment::Compact | Moment::AgentCompact => BEFORE_SUMMARY,
        Moment::Start | Moment::Clear | Moment::Fork | Moment::Prompt => return recap.part(),
    };
    let size = find::of_session(request.session).and_then(|path| path.metadata().ok());
    size.and_then(|it| recap.made_at(it.len(), most)).unwrap_or_else(|| recap.part())
}

/// Of a transcript that a compaction has added to a recap tells so many percent, if it was made right before.
const BEFORE_SUMMARY: u64 = 85;

/// Composes the context of a moment; nothing where there is nothing to say.
#[must_use]
pub fn context(
    request: &Request<'_>,
    config: &Config,
    cap: &Cap,
    nonce: &Nonce,
) -> Option<Context> {
    let Request { moment, session, kept, faults, news, left, recap, knowledge, .. } = request;
    let gone: Vec<NoteId> = news.map_or_else(Vec::new, |news| news.gone.iter().copied().collect());
    let others = || Outside { gone: &kept.gone, lapsed: &kept.lapsed, ..Outside::default() };
    let open = left.map(|left| left.offered(config.profile)).unwrap_or_default();
    let older: Vec<Older<'_>> = open.iter().skip(1).take(OLDER).map(Open::older).collect();
    let previous = left.and_then(|left| left.previous(config.profile, *moment));
    let before = previous.map(|left| (left.session.handle(), whole_of(left, config)));
    let recap = recap.or_else(|| previous?.recap.as_ref());
    let coverage = recap.map(|recap| covers(recap, request)).unwrap_or_default();
    let material = vademecum_core::context::Material {
        moment: *moment,
        profile: config.profile,
        scratchpad: config.scratchpad_budget(),
        handle: &session.handle(),
        instance: session.instance,
        faults,
        notepad: &kept.notepad,
        notepad_more: kept.notepad_more,
        notepad_rev: u64::from(kept.rev),
        running: &kept.running,
        notes: &kept.notes,
        n_open_notes: kept.counts.open,
        outside: news.map_or_else(others, |news| news.outside(&gone)),
        knowledge: knowledge.map(|known| known.within(config.plans.wisdom_tokens)),
        replaces: request.replaces,
        saves: request.saves,
        recalls: config.recalls(),
        recap: recap.map(|recap| told_recap(recap, config, &coverage, (&before, request))),
        took_over: kept.took_over.as_deref(),
        taken_by: kept.taken_by.as_ref().map(Taker::told),
        offer: open.first().map(|first| first.offer(&older, open.len().saturating_sub(1 + OLDER))),
    };
    compose(&material, cap, nonce)
}
