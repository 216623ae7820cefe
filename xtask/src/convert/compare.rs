//! Compares the two stores in full, value by value, before the new one gets its name.

use std::fmt::Debug;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use vademecum_core::id::{NoteId, Seq};
use vademecum_core::note::Note;
use vademecum_core::session::{Session, Standing};
use vademecum_ops::copying;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    CopiedBody, Counts, Depth, EntryFilter, JournalEntry, JournalFilter, NoteFilter, Scope,
    SessionFilter, Store as _, StoreError, View, Whose,
};

use super::bring::SLICE;
use super::journal::{MOST, Places};
use super::old::{Old, OldSession};
use super::target::KIND;

/// How many of each are the same in both.
type Same = Vec<(u64, &'static str)>;

/// Compares `old` with the store at `path`; the first difference is an error.
pub(super) fn whole(old: &Old, path: &Path, places: &Places) -> Result<Same> {
    let store = Sqlite::at(path, Options::patient());
    let faults = store.health(Depth::Deep)?.faults;
    ensure!(faults.is_empty(), "the new store is not sound: {}", faults.join("; "));
    let mut same = None;
    store.read(&mut |view| {
        same = Some(all(old, view, places));
        Ok(())
    })?;
    same.unwrap_or_else(|| bail!("the engine gave no snapshot"))
}

fn all(old: &Old, view: &dyn View, places: &Places) -> Result<Same> {
    equal("when vade was switched off", &old.off_at()?, &view.store()?.off_at)?;
    let projects = projects(old, view)?;
    let sessions = old.sessions()?;
    let (n_notes, n_pages, n_handoffs) = of_sessions(old, view, (&sessions, places))?;
    let running = running(old, view)?;
    let n_entries = entries(old, view)?;
    journal(old, view, places)?;
    Ok(vec![
        (projects, "projects"),
        (sessions.len() as u64, "sessions"),
        (n_pages, "pages"),
        (n_notes, "notes"),
        (old.plans()?.len() as u64, "plans"),
        (n_entries, "entries of plans"),
        (n_handoffs, "handoffs"),
        (running, "running sub-agents"),
        (places.len() as u64, "journal entries"),
    ])
}

fn equal<T: PartialEq + Debug>(what: &str, old: &T, new: &T) -> Result<()> {
    ensure!(old == new, "{what} differs: {old:?} there, {new:?} here");
    Ok(())
}

fn projects(old: &Old, view: &dyn View) -> Result<u64> {
    let there = old.projects()?;
    let mut here = Vec::new();
    for project in view.projects(None)? {
        let keys = view.project_keys(project.id)?;
        let mut plans = view.plans(project.id, None)?;
        plans.sort_by(|a, b| a.name.cmp(&b.name));
        let mut expected = old.plans()?;
        expected.retain(|plan| plan.project == project.id);
        expected.sort_by(|a, b| a.name.cmp(&b.name));
        equal("the plans of a project", &expected, &plans)?;
        here.push((project, keys));
    }
    equal("the list of projects", &there, &here)?;
    Ok(there.len() as u64)
}

fn of_sessions(
    old: &Old,
    view: &dyn View,
    (sessions, places): (&[OldSession], &Places),
) -> Result<(u64, u64, u64)> {
    let (mut n_notes, mut n_pages, mut n_handoffs) = (0, 0, 0);
    let n_here = view.sessions(SessionFilter::ALL)?.len();
    equal("the number of sessions", &sessions.len(), &n_here)?;
    for OldSession { row, session, worked_at, active_plan } in sessions {
        let key = &session.key;
        let told = places.of(session.standing.told);
        let standing = Standing { told, ..session.standing.clone() };
        let expected = Session { standing, ..session.clone() };
        equal("a session", &Some(expected), &view.session(key)?)?;
        let counts = notes(old, view, (*row, session))?;
        n_notes += counts.notes;
        let page = old.page(*row)?;
        let card = view.card(key)?;
        let expected = (counts, page.as_ref().map(|page| page.rev), *worked_at, active_plan);
        let found = (card.counts, card.notepad_rev, card.worked_at, &card.active_plan);
        equal(&format!("what is counted of {key}"), &expected, &found)?;
        equal(&format!("the page of {key}"), &page, &view.notepad(key)?)?;
        n_pages += u64::from(page.is_some());
        let handoff = old.handoff(*row)?;
        n_handoffs += u64::from(handoff.is_some());
        equal(&format!("what {key} left for the next"), &handoff, &view.handoff(key)?)?;
        equal(&format!("the recap of {key}"), &old.recap(*row)?, &view.recap(key)?)?;
    }
    Ok((n_notes, n_pages, n_handoffs))
}

/// Compares the notes of a session, which both give by time and id or by id alone; how many there are.
fn notes(old: &Old, view: &dyn View, (row, session): (i64, &Session)) -> Result<Counts> {
    let (mut counts, mut after, mut last) = (Counts::default(), None, old.last_note(row)?);
    loop {
        let slice = old.notes(row, after, SLICE)?;
        let Some(note) = slice.last() else { break };
        after = Some((note.updated_at, note.id));
        for note in slice {
            let found = view.note(&session.key, note.id)?;
            equal(&format!("{} of {}", note.id, session.key), &Some(&note), &found.as_ref())?;
            counts.notes += 1;
            counts.open += u64::from(!note.is_scratched());
            last = last.max(Some(note.id));
        }
    }
    order(old, view, (row, session))?;
    Ok(Counts { last, ..counts })
}

/// Compares the newest notes in the order of lists.
fn order(old: &Old, view: &dyn View, (row, session): (i64, &Session)) -> Result<()> {
    let ids = |notes: Vec<Note>| notes.into_iter().map(|note| note.id).collect::<Vec<NoteId>>();
    let here = ids(view.notes(&session.key, &NoteFilter::ALL, SLICE)?);
    let there = ids(old.newest_notes(row, SLICE)?);
    equal(&format!("the order of the notes of {}", session.key), &there, &here)
}

fn running(old: &Old, view: &dyn View) -> Result<u64> {
    let there = old.running()?;
    let mut n_here = 0;
    for (project, _) in old.projects()? {
        for agent in view.running(Whose::Project(project.id))? {
            n_here += 1;
            ensure!(there.contains(&agent), "what runs differs: {agent:?} is here alone");
        }
    }
    equal("the number of running sub-agents", &there.len(), &n_here)?;
    Ok(there.len() as u64)
}

fn entries(old: &Old, view: &dyn View) -> Result<u64> {
    let (mut after, mut n_entries) = (0, 0);
    loop {
        let slice = old.entries(after, SLICE)?;
        let Some((last, ..)) = slice.last() else { break };
        after = *last;
        for (_, project, entry) in slice {
            n_entries += 1;
            let found = view.entry(project, entry.id)?;
            equal(&format!("{} of plan {}", entry.id, entry.plan), &Some(&entry), &found.as_ref())?;
        }
    }
    let found = view.entry_count(EntryFilter::default())?;
    equal("the number of entries", &n_entries, &found)?;
    Ok(n_entries)
}

/// Compares the journals, entry by entry in the order in which both were written.
fn journal(old: &Old, view: &dyn View, places: &Places) -> Result<()> {
    let (mut after, mut n_there, mut here) = (Seq(0), 0, Here { view, after: Seq(0) });
    let mut waiting = Vec::new().into_iter();
    loop {
        let slice = old.records(after, MOST)?;
        let Some(last) = slice.last() else { break };
        after = last.seq;
        for record in slice {
            n_there += 1;
            let found = loop {
                if let Some(found) = waiting.next() {
                    break found;
                }
                waiting = here.slice()?.into_iter();
                ensure!(waiting.len() != 0, "journal entry {} was lost", record.seq.0);
            };
            entry(&record.copied, (record.seq, places), &found)?;
        }
    }
    ensure!(waiting.next().is_none() && here.slice()?.is_empty(), "the journal has grown");
    equal("the number of journal entries", &n_there, &places.len())
}

/// The new journal, without what the conversion wrote of its own.
struct Here<'a> {
    view: &'a dyn View,
    after: Seq,
}

impl Here<'_> {
    /// The next entries; none at the end.
    fn slice(&mut self) -> Result<Vec<JournalEntry>, StoreError> {
        loop {
            let mut slice = self.read(MOST)?;
            // What had no room is read with the next slice, alone if it must.
            let is_read = |it: &JournalEntry| it.size.is_none() || it.body.is_some();
            slice.truncate(slice.iter().take_while(|it| is_read(it)).count());
            if slice.is_empty() {
                slice = self.read((1, usize::MAX))?;
            }
            let Some(last) = slice.last() else { return Ok(slice) };
            self.after = last.record.seq;
            slice.retain(|it| {
                let is_own = [KIND, copying::KIND].contains(&it.record.kind.as_str());
                !is_own || it.record.scope != Scope::Store
            });
            if !slice.is_empty() {
                return Ok(slice);
            }
        }
    }

    /// The next entries, at most so many, with bodies of so many bytes.
    fn read(&self, (limit, most): (usize, usize)) -> Result<Vec<JournalEntry>, StoreError> {
        let (after, oldest_first, bodies) = (Some(self.after), true, most as u64);
        let filter =
            JournalFilter { after, oldest_first, limit, bodies, ..JournalFilter::default() };
        self.view.journal(&filter)
    }
}

fn entry(
    old: &vademecum_store::CopiedRecord,
    (seq, places): (Seq, &Places),
    JournalEntry { record, body, .. }: &JournalEntry,
) -> Result<()> {
    let what = format!("journal entry {}", seq.0);
    let id = old.write_id.as_str();
    let there = (&old.scope, id, old.kind.as_str(), &old.origin, old.by, old.at);
    let id = record.write_id.as_str();
    let here = (&record.scope, id, record.kind.as_str(), &record.origin, record.by, record.at);
    equal(&what, &there, &here)?;
    equal(&what, &places.of(seq), &record.seq)?;
    let kept = match &old.body {
        CopiedBody::Kept(body) => Some(body),
        CopiedBody::Erased(_) => None,
    };
    // A body can hold a whole page: what differs in it is not printed.
    ensure!(kept == body.as_ref(), "the body of {what} differs");
    Ok(())
}
