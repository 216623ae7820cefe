//! Pages: where both stores have one, that of the store that is copied becomes revisions before the other's.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::hash::plain;
use vademecum_core::id::Seq;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::{Splice, SpliceError};
use vademecum_core::time::Time;
use vademecum_store::{
    Body, Change, CopiedBody, CopiedRecord, JournalEntry, JournalFilter, Notepad, Scope,
    StoreError, View,
};

use super::lines::Known;
use super::target::{Own, Part, Target, named};
use super::{KIND, sessions};
use crate::error::OpError;
use crate::history::{page_undo, rev_made};

/// What the write that leads back to another page is called.
const CLOSING: &str = "page";

/// What the write is called that brings a page of which nobody knows who wrote it.
const UNTOLD: &str = "untold";

/// What the writes in a slice of the journal did to one page.
pub(super) struct Segment {
    session: SessionKey,
    /// The page before the first of them; none where there was none.
    start: Option<String>,
    /// The oldest first.
    steps: Vec<Step>,
    /// When the page was written as the last of them left it.
    ended_at: Time,
    /// Whether that is how it stands.
    is_last: bool,
}

/// One write of a page.
struct Step {
    /// Its place in the slice.
    place: usize,
    /// The revision that it made.
    rev: u32,
    /// What it did.
    forward: Splice,
    /// What its reverse says of the time.
    at: Time,
    /// Whether a copy wrote it, to put a page behind another one.
    is_ours: bool,
}

/// In which sessions the other store has written a page that the store that is copied does not know of.
#[derive(Default)]
pub(super) struct PageLines(RefCell<BTreeMap<SessionKey, PageLine>>);

/// What the store that is copied knows of a session, and how far the other one was looked through.
#[derive(Default)]
struct PageLine {
    known: BTreeSet<Known>,
    upto: Seq,
    has_own: bool,
}

impl PageLines {
    /// Reads what is known of a session where it comes from.
    pub(super) fn read(&self, from: &dyn View, session: &SessionKey) -> Result<(), StoreError> {
        if !self.0.borrow().contains_key(session) {
            let records = from.records(&Scope::Session(session.clone()), 0)?;
            let known = records.iter().flat_map(Known::names).collect();
            let line = PageLine { known, ..PageLine::default() };
            self.0.borrow_mut().insert(session.clone(), line);
        }
        Ok(())
    }

    /// Whether all that was written of the page there is known where it comes from.
    pub(super) fn is_ahead(
        &self,
        view: &dyn View,
        session: &SessionKey,
    ) -> Result<bool, StoreError> {
        let mut lines = self.0.borrow_mut();
        let line = lines.entry(session.clone()).or_default();
        let scope = Scope::Session(session.clone());
        let news =
            JournalFilter { scope: Some(&scope), after: Some(line.upto), ..Default::default() };
        let records = view.records_by(&news)?;
        line.upto = records.first().map_or(line.upto, |record| record.seq);
        for record in records.iter().filter(|record| record.kind != KIND) {
            let is_known = Known::names(record).iter().any(|name| line.known.contains(name));
            if !line.has_own && !is_known {
                let body = view.body(record.seq)?;
                line.has_own = body.is_some_and(|body| page_undo(&body).is_some());
            }
        }
        Ok(!line.has_own)
    }
}

/// What becomes of the writes of a page.
#[derive(Default)]
pub(super) struct Settled {
    /// What undoes those that are copied, by their place, where that is no more what undid them.
    pub(super) undos: BTreeMap<usize, Change>,
    /// Those that are left out.
    pub(super) left: BTreeSet<usize>,
    /// Whether all others leave the page alone: no way leads to them.
    pub(super) is_stripped: bool,
    /// What is changed beside.
    pub(super) changes: Vec<Change>,
}

impl Segment {
    /// Walks from the page as it is back to the slice; none if nothing in it is a write of the page.
    pub(super) fn of(
        from: &dyn View,
        session: &SessionKey,
        slice: &[JournalEntry],
    ) -> Result<Option<Self>, StoreError> {
        let is_of_page = |entry: &&JournalEntry| {
            entry.record.scope == Scope::Session(session.clone())
                && entry.body.as_ref().is_some_and(|body| page_undo(body).is_some())
        };
        if slice.iter().find(is_of_page).is_none() {
            return Ok(None);
        }
        let places = slice.iter().enumerate().map(|(place, it)| (it.record.seq, place)).collect();
        let mut segment = Self {
            session: session.clone(),
            start: None,
            steps: Vec::new(),
            ended_at: Time(0),
            is_last: false,
        };
        if let Some(page) = from.notepad(session)? {
            segment.walk(from, &page, &places)?;
        }
        segment.steps.reverse();
        Ok(Some(segment))
    }

    fn walk(
        &mut self,
        from: &dyn View,
        page: &Notepad,
        places: &BTreeMap<Seq, usize>,
    ) -> Result<(), StoreError> {
        let (mut text, mut rev) = (Some(page.text.clone()), page.rev);
        let first = places.keys().next().copied().unwrap_or_default();
        let mut is_unsure = false;
        for record in from.records(&Scope::Session(self.session.clone()), 0)? {
            let Some(now) = text.as_deref().filter(|_| first <= record.seq) else { break };
            // What was erased, or only a later program knows, may have written the page.
            let Some(body) = from.body(record.seq)? else {
                is_unsure = true;
                continue;
            };
            let is_unknown = body.unknown().is_some();
            let Some(undo) = page_undo(&body) else {
                is_unsure |= is_unknown;
                continue;
            };
            if is_unsure && rev_made(undo) != rev {
                break;
            }
            let Ok((before, forward, at)) = back(now, undo, record.at) else { break };
            if let Some(place) = places.get(&record.seq) {
                if self.steps.is_empty() {
                    self.is_last = rev == page.rev;
                    self.ended_at = if self.is_last { page.updated_at } else { record.at };
                }
                let is_ours = record.kind == KIND && record.write_id.starts_with("copy-page-");
                self.steps.push(Step { place: *place, rev, forward, at, is_ours });
            }
            rev = rev_made(undo) - 1;
            text = before;
            is_unsure = is_unknown;
        }
        self.start = text;
        Ok(())
    }

    /// Whose page it is.
    pub(super) fn session(&self) -> &SessionKey {
        &self.session
    }

    /// What becomes of those writes that `is_free` lets through, seen from the page there.
    ///
    /// Where nobody there has written it alone (`is_ahead`), or where it goes on from the page there, it takes that
    /// page's place.
    pub(super) fn settle(
        &self,
        view: &dyn View,
        (is_free, is_ahead): (&dyn Fn(usize) -> bool, bool),
        own: &Own,
        part: &mut Part,
    ) -> Result<Settled, StoreError> {
        let free: Vec<&Step> = self.steps.iter().filter(|step| is_free(step.place)).collect();
        let page = view.notepad(&self.session)?;
        let (Some(first), Some(last)) = (free.first(), self.steps.last()) else {
            return Ok(Settled { is_stripped: page.is_some(), ..Settled::default() });
        };
        let Some(page) = page else { return self.alone(part) };
        let end = self.before(last.place + 1)?.unwrap_or_default();
        let is_end = self.steps.len() - free.len()
            == self.steps.iter().take_while(|step| step.place < first.place).count();
        let is_next = is_end && self.before(first.place)?.as_deref() == Some(page.text.as_str());
        let is_any = free.iter().any(|step| !step.is_ours);
        let is_taken = if is_any { is_next || is_ahead } else { is_ahead && end != page.text };
        let (mut settled, top, rev) =
            self.chained(&page, |step| is_free(step.place) && (is_taken || !step.is_ours))?;
        if !is_taken {
            settled.left = free.iter().filter(|it| it.is_ours).map(|it| it.place).collect();
        }
        if settled.undos.is_empty() {
            return Ok(settled);
        }
        part.report.pages += u64::from(self.is_last);
        let taken = is_taken.then_some(end.as_str());
        settled.changes.extend(self.ending(&page, (&top, rev), taken, own));
        if !is_taken && end != page.text {
            part.report.notices.push(format!(
                "session {} has another page there: it stays, and the one that was copied stands before it in vade \
                 notepad history",
                self.session
            ));
        }
        Ok(settled)
    }

    /// What makes the page `taken`, or the one that is there again, behind revision `rev` with the text `top`.
    fn ending(
        &self,
        page: &Notepad,
        (top, rev): (&str, u32),
        taken: Option<&str>,
        own: &Own,
    ) -> Vec<Change> {
        if taken == Some(top) {
            return vec![self.edit(Splice::between(&page.text, top), rev, self.ended_at)];
        }
        let (text, at) = taken.map_or((&*page.text, page.updated_at), |end| (end, self.ended_at));
        let edit = self.edit(Splice::between(&page.text, text), rev + 1, at);
        vec![self.closing((text, at), (top, rev), own), edit]
    }

    /// The page comes to where there is none; its writes stay as they are.
    fn alone(&self, part: &mut Part) -> Result<Settled, StoreError> {
        let Some(last) = self.steps.last() else { return Ok(Settled::default()) };
        let text = self.before(last.place + 1)?.unwrap_or_default();
        part.report.pages += u64::from(self.is_last);
        let edit = self.edit(Splice::between("", &text), last.rev, self.ended_at);
        Ok(Settled { changes: vec![edit], ..Settled::default() })
    }

    /// The page before the write at a place; none where there was none.
    fn before(&self, place: usize) -> Result<Option<String>, StoreError> {
        let mut text = self.start.clone();
        for step in self.steps.iter().take_while(|step| step.place < place) {
            text = Some(step.forward.apply(&text.unwrap_or_default()).map_err(unfit)?);
        }
        Ok(text)
    }

    /// Those that `is_taken` takes, one behind the other and behind the page; the text and revision of the last.
    fn chained(
        &self,
        page: &Notepad,
        is_taken: impl Fn(&Step) -> bool,
    ) -> Result<(Settled, String, u32), StoreError> {
        let mut settled = Settled { is_stripped: true, ..Settled::default() };
        let (mut top, mut rev) = (page.text.clone(), page.rev);
        let mut text = self.start.clone().unwrap_or_default();
        for step in &self.steps {
            let next = step.forward.apply(&text).map_err(unfit)?;
            if is_taken(step) {
                let splice = if text == top {
                    step.forward.reverse(&text).map_err(unfit)?
                } else {
                    Splice::between(&next, &top)
                };
                settled.undos.insert(step.place, self.edit(splice, rev, step.at));
                rev += 1;
                top.clone_from(&next);
            }
            text = next;
        }
        Ok((settled, top, rev))
    }

    fn edit(&self, splice: Splice, rev: u32, at: Time) -> Change {
        Change::EditNotepad { session: self.session.clone(), splice, rev, at }
    }

    /// The entry behind those that were copied, from which on the page is `text` again.
    fn closing(&self, (text, at): (&str, Time), (top, rev): (&str, u32), own: &Own) -> Change {
        let undo = self.edit(Splice::between(text, top), rev, at);
        let content = format!("{}\n{rev}\n{}\n{}\n{top}{text}", self.session, at.0, top.len());
        self.told(CLOSING, &content, undo, own)
    }

    /// An entry of the page that no program wrote but this.
    fn told(&self, what: &str, content: &str, undo: Change, own: &Own) -> Change {
        let at = match undo {
            Change::EditNotepad { at, .. } => at,
            _ => self.ended_at,
        };
        Change::CopyRecord(Box::new(CopiedRecord {
            scope: Scope::Session(self.session.clone()),
            write_id: named(what, content.as_bytes()),
            kind: KIND.to_owned(),
            origin: own.0.clone(),
            by: own.1,
            at,
            body: CopiedBody::Kept(Body {
                arguments: plain(content.as_bytes()),
                reply: "null".to_owned(),
                undo: vec![undo],
            }),
        }))
    }
}

/// The text before a write, what the write did, and the time that its reverse tells.
fn back(now: &str, undo: &Change, at: Time) -> Result<(Option<String>, Splice, Time), SpliceError> {
    match undo {
        Change::EditNotepad { splice, at, .. } => {
            Ok((Some(splice.apply(now)?), splice.reverse(now)?, *at))
        }
        _ => Ok((None, Splice::between("", now), at)),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed where an error is mapped")]
fn unfit(error: SpliceError) -> StoreError {
    StoreError::Engine { what: error.to_string() }
}

/// Brings pages of which the journal knows no write.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<(), OpError> {
    for session in sessions::all(from, to)? {
        let key = &session.key;
        if from.notepad_rev(key)?.is_none() || has_writes(from, key)? {
            continue;
        }
        let Some(page) = from.notepad(key)? else { continue };
        let own = to.own();
        to.write("page", &(&session.key, &page), |view, part| {
            if sessions::is_taken(view, &session)? {
                untold(view, &session.key, &page, &own, part)
            } else {
                Ok(Vec::new())
            }
        })?;
    }
    Ok(())
}

fn has_writes(view: &dyn View, key: &SessionKey) -> Result<bool, StoreError> {
    for record in view.records(&Scope::Session(key.clone()), 0)? {
        if view.body(record.seq)?.is_some_and(|body| page_undo(&body).is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What brings a page of which nobody knows who wrote it: as if a copy had.
fn untold(
    view: &dyn View,
    key: &SessionKey,
    page: &Notepad,
    own: &Own,
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    let content = format!("{key}\n{}\n{}", page.rev, page.text);
    let id = named(UNTOLD, content.as_bytes());
    let is_known = view.record_of(&Scope::Session(key.clone()), &id)?.is_some();
    let is_same = view.notepad(key)?.is_some_and(|known| known.text == page.text);
    if is_same || is_known {
        return Ok(Vec::new());
    }
    let (rev, at) = (page.rev, page.updated_at);
    let forward = Splice::between("", &page.text);
    let segment = Segment {
        session: key.clone(),
        start: None,
        steps: vec![Step { place: 0, rev, forward, at, is_ours: false }],
        ended_at: at,
        is_last: true,
    };
    let all = |_| true;
    let Settled { undos, changes, .. } = segment.settle(view, (&all, false), own, part)?;
    let told = |undo| segment.told(UNTOLD, &content, undo, own);
    Ok(undos.into_values().map(told).chain(changes).collect())
}
