//! Pages: where both stores have one, that of the store that is copied becomes revisions before the other's.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::hash::plain;
use vademecum_core::id::Seq;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::{Splice, SpliceError};
use vademecum_core::time::Time;
use vademecum_store::{
    Body, Change, CopiedBody, CopiedRecord, JournalEntry, Notepad, Origin, Scope, StoreError, View,
};

use super::target::{Part, Target, named};
use super::{KIND, sessions};
use crate::error::OpError;
use crate::history::{page_undo, rev_made};

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
                let is_ours = record.kind == KIND;
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
    pub(super) fn settle(
        &self,
        view: &dyn View,
        is_free: impl Fn(usize) -> bool,
        origin: &Origin,
        part: &mut Part,
    ) -> Result<Settled, StoreError> {
        let Some(page) = view.notepad(&self.session)? else {
            return self.alone(part);
        };
        let free: Vec<&Step> = self.steps.iter().filter(|step| is_free(step.place)).collect();
        let Some(first) = free.first() else {
            return Ok(Settled { is_stripped: true, ..Settled::default() });
        };
        let before = self.before(first.place)?;
        let is_end = self.steps.len() - free.len()
            == self.steps.iter().take_while(|step| step.place < first.place).count();
        let is_next = is_end && before.as_deref() == Some(page.text.as_str());
        let (mut settled, top, rev) =
            self.chained(&page, |step| is_free(step.place) && (is_next || !step.is_ours))?;
        if is_next {
            let splice = Splice::between(&page.text, &top);
            settled.changes.push(self.edit(splice, rev, self.ended_at));
            part.report.pages += u64::from(self.is_last);
        } else {
            settled.left = free.iter().filter(|it| it.is_ours).map(|it| it.place).collect();
            if !settled.undos.is_empty() {
                settled.changes.push(self.closing(&page, (&top, rev), origin));
                settled.changes.push(self.edit(nothing(), rev + 1, page.updated_at));
                part.report.pages += u64::from(self.is_last);
                part.report.notices.push(format!(
                    "session {} has another page there: it stays, and the one that was copied stands before it in vade \
                     notepad history",
                    self.session
                ));
            }
        }
        Ok(settled)
    }

    /// The page comes to where there is none; its writes stay as they are.
    fn alone(&self, part: &mut Part) -> Result<Settled, StoreError> {
        let Some(last) = self.steps.last() else { return Ok(Settled::default()) };
        let mut text = self.start.clone().unwrap_or_default();
        for step in &self.steps {
            text = step.forward.apply(&text).map_err(unfit)?;
        }
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

    /// The entry behind those that were copied, from which on the page is the one that was there.
    fn closing(&self, page: &Notepad, (top, rev): (&str, u32), origin: &Origin) -> Change {
        let undo = self.edit(Splice::between(&page.text, top), rev, page.updated_at);
        self.told("page", &format!("{}\n{rev}\n{top}", self.session), undo, origin)
    }

    /// An entry of the page that no program wrote but this.
    fn told(&self, what: &str, content: &str, undo: Change, origin: &Origin) -> Change {
        let at = match undo {
            Change::EditNotepad { at, .. } => at,
            _ => self.ended_at,
        };
        Change::CopyRecord(Box::new(CopiedRecord {
            scope: Scope::Session(self.session.clone()),
            write_id: named(what, content.as_bytes()),
            kind: KIND.to_owned(),
            origin: origin.clone(),
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

fn nothing() -> Splice {
    Splice { at: 0, remove: 0, insert: String::new() }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed where an error is mapped")]
fn unfit(error: SpliceError) -> StoreError {
    StoreError::Engine { what: error.to_string() }
}

/// Brings pages of which the journal knows no write.
pub(super) fn copy(from: &dyn View, to: &mut Target<'_>) -> Result<(), OpError> {
    for session in sessions::all(from)? {
        let key = session.key;
        if from.notepad_rev(&key)?.is_none() || has_writes(from, &key)? {
            continue;
        }
        let Some(page) = from.notepad(&key)? else { continue };
        let origin = to.own_origin();
        to.write("page", &(&key, &page), |view, part| untold(view, &key, &page, &origin, part))?;
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
    origin: &Origin,
    part: &mut Part,
) -> Result<Vec<Change>, StoreError> {
    let is_same = view.notepad(key)?.is_some_and(|known| known.text == page.text);
    if is_same || view.session(key)?.is_none() {
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
    let Settled { undos, changes, .. } = segment.settle(view, |_| true, origin, part)?;
    let content = format!("{key}\n{rev}\n{}", page.text);
    let told = |undo| segment.told("untold", &content, undo, origin);
    Ok(undos.into_values().map(told).chain(changes).collect())
}
