//! Takes pieces into the store: checked one by one, and written in slices that let others write.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::Value;
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::session::{Began, Place, Session, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope, View};

use super::{Elsewhere, Output, plans};
use crate::call::Call;
use crate::error::OpError;
use crate::newcomer::Newcomer;
use crate::recaps::Kept as Recapped;
use crate::shapes::NoteShape;
use crate::succession::{DISMISS, IMPORT, seen};
use crate::transfer::{PackedRecap, Piece, SessionHead};
use crate::who::full_key;

/// How long a slice should hold the store, in milliseconds: half of what others may be made to wait.
const SLICE_MS: usize = 25;

/// The notes of the first slice: a few milliseconds of work on any machine.
const FIRST: usize = 32;

/// The fewest notes of a later slice: each pays for a commit, whatever else the machine does.
const LEAST: usize = 128;

/// The most notes of a slice, so that its entry in the journal stays a small one.
const MOST: usize = 512;

/// Says whether every piece of a package is legal, and writes nothing.
pub(super) struct Checker<'a> {
    call: &'a Call<'a>,
    /// Whether a session or a plan stands before what belongs to one.
    has_session: bool,
    plan: Option<plans::Checked>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(call: &'a Call<'a>) -> Self {
        Self { call, has_session: false, plan: None }
    }

    pub(super) fn check(&mut self, piece: &Piece) -> Result<(), OpError> {
        match piece {
            Piece::Session(head) => {
                self.has_session = true;
                Checked::new(self.call, head).map(drop)
            }
            Piece::Note(shape) if self.has_session => note(self.call, shape).map(drop),
            Piece::Note(_) => Err(homeless("note", "session")),
            Piece::Plan(head) => {
                self.plan = Some(plans::Checked::new(self.call, head)?);
                Ok(())
            }
            Piece::Entry(shape) => match &self.plan {
                Some(plan) => plan.entry(self.call, shape).map(drop),
                None => Err(homeless("entry", "plan")),
            },
        }
    }
}

fn homeless(what: &str, of: &str) -> OpError {
    OpError::usage(format!("a {what} of the import stands before any {of}"))
}

/// Writes the pieces of a package that was checked.
pub(super) struct Taker<'a> {
    call: &'a Call<'a>,
    pub(super) output: Output,
    /// The session to which notes belong; none where it is not known and nothing is to be written.
    session: Option<SessionKey>,
    notes: Vec<Note>,
    slice: usize,
    plans: Vec<plans::Checked>,
}

impl<'a> Taker<'a> {
    pub(super) fn new(call: &'a Call<'a>, dry_run: bool) -> Self {
        let output = Output { dry_run, ..Output::default() };
        Self { call, output, session: None, notes: Vec::new(), slice: FIRST, plans: Vec::new() }
    }

    pub(super) fn take(&mut self, piece: Piece) -> Result<(), OpError> {
        match piece {
            Piece::Session(head) => {
                self.flush()?;
                let checked = Checked::new(self.call, &head)?;
                self.session = checked.take(self.call, &mut self.output)?;
            }
            Piece::Note(shape) => {
                self.notes.push(note(self.call, &shape)?);
                if self.slice <= self.notes.len() {
                    self.flush()?;
                }
            }
            Piece::Plan(head) => self.plans.push(plans::Checked::new(self.call, &head)?),
            Piece::Entry(shape) => match self.plans.last_mut() {
                Some(plan) => plan.push(self.call, &shape)?,
                None => return Err(homeless("entry", "plan")),
            },
        }
        Ok(())
    }

    /// Writes what is still held.
    pub(super) fn end(mut self) -> Result<Output, OpError> {
        self.flush()?;
        if !self.plans.is_empty() {
            let counts = plans::take(self.call, &self.plans, self.output.dry_run)?;
            (self.output.entries, self.output.kept) =
                (counts.taken, self.output.kept + counts.kept);
        }
        Ok(self.output)
    }

    /// Writes one slice of notes; the next one is as long as this one's time says.
    fn flush(&mut self) -> Result<(), OpError> {
        let notes = std::mem::take(&mut self.notes);
        let Some(session) = self.session.as_ref().filter(|_| !notes.is_empty()) else {
            self.output.notes += notes.len();
            return Ok(());
        };
        let begun = Cell::new(self.call.now());
        let scope = (Scope::Session(session.clone()), IMPORT);
        let written = self.call.write_unless_dry(self.output.dry_run, scope, &notes.len(), |view| {
            // The wait for others is not ours.
            begun.set(self.call.now());
            let (changes, differing) = added(view, session, &notes)?;
            let taken = changes.len();
            Ok((changes, (taken, differing)))
        })?;
        let took = usize::try_from(self.call.now().since(begun.get())).unwrap_or(0).max(1);
        let fitting = notes.len() * SLICE_MS / took;
        self.slice = fitting.clamp(LEAST, MOST).min(self.slice * 2);
        let (taken, differing) = written;
        self.output.notes += taken;
        self.output.kept += notes.len() - taken;
        self.output.differing += differing;
        Ok(())
    }
}

/// The notes that the session does not have yet, and how many of those that it has say something else.
fn added(
    view: &dyn View,
    session: &SessionKey,
    notes: &[Note],
) -> Result<(Vec<Change>, usize), OpError> {
    let (mut changes, mut differing) = (Vec::new(), 0);
    let mut seen = BTreeMap::new();
    for note in notes {
        let known = match seen.get(&note.id) {
            Some(first) => Some(Clone::clone(*first)),
            None => view.note(session, note.id)?,
        };
        match known {
            Some(known) => differing += usize::from(known.content != note.content),
            None => changes.push(Change::AddNote { session: session.clone(), note: note.clone() }),
        }
        seen.entry(note.id).or_insert(note);
    }
    Ok((changes, differing))
}

/// Counts a known session for its project, where that is not the one of the call.
fn note_place(call: &Call<'_>, session: &Session, output: &mut Output) -> Result<(), OpError> {
    let (here, of) = call.read(|view| Ok((call.project(view)?, view.project(session.project)?)))?;
    let Some(of) = of.filter(|of| here.is_none_or(|here| here.id != of.id)) else { return Ok(()) };
    let project = of.id.to_string();
    match output.elsewhere.iter_mut().find(|it| it.project == project) {
        Some(known) => known.sessions += 1,
        None => output.elsewhere.push(Elsewhere { project, name: of.name, sessions: 1 }),
    }
    Ok(())
}

/// Pages, handoffs and recaps taken in, how many were there already, and how many of those say something else.
type Counts = (usize, usize, usize, (usize, usize));

/// A session whose every part is legal.
struct Checked {
    key: SessionKey,
    notepad: Option<String>,
    handoff: Option<String>,
    started_at: Time,
    ended_at: Option<Time>,
    follows: Option<SessionKey>,
    is_settled: bool,
    /// The recap of one that was taken in from its transcript, and until when it tells.
    recap: Option<(String, Time)>,
}

/// The session with this full name; a desk has the number of its project in the store that it comes from.
fn key(call: &Call<'_>, name: &str) -> Result<SessionKey, OpError> {
    let key = full_key(name)
        .ok_or_else(|| OpError::usage(format!("\"{name}\" is no full name of a session")))?;
    if key.harness != SessionKey::DESK {
        return Ok(key);
    }
    let desk = call.read(|view| call.desk(call.project(view)?.as_ref()).key(view))?;
    Ok(desk)
}

impl Checked {
    fn new(call: &Call<'_>, head: &SessionHead) -> Result<Self, OpError> {
        let name = &head.name;
        let key_of = |name: &String| key(call, name);
        let of = format!("session \"{name}\"");
        let started_at = time(call, &of, "started_at", &head.started_at)?;
        let ended_at = head.ended_at.as_deref();
        Ok(Self {
            key: key_of(name)?,
            follows: head.follows.as_ref().map(key_of).transpose()?,
            is_settled: head.settled,
            recap: head.recap.as_ref().map(|packed| recap(call, &of, packed)).transpose()?,
            notepad: call.accept_some(head.notepad.as_ref())?,
            handoff: call.accept_some(head.handoff.as_ref())?,
            started_at,
            ended_at: ended_at.map(|at| time(call, &of, "ended_at", at)).transpose()?,
        })
    }

    /// Takes in all but the notes; the session, as far as it is known.
    fn take(self, call: &Call<'_>, output: &mut Output) -> Result<Option<SessionKey>, OpError> {
        output.sessions += 1;
        let known = call.read(|view| view.session(&self.key))?;
        let is_new = known.is_none();
        // What a session of another place kept is as old as it is: it is not who worked here last.
        let then = self.ended_at.unwrap_or(self.started_at).min(call.now());
        let (key, ended, at) = match (known, output.dry_run) {
            (Some(session), _) => {
                note_place(call, &session, output)?;
                (session.key, None, call.now())
            }
            (None, false) => {
                let session = call.begin_as(&self.newcomer(call.now()))?;
                (session.key.clone(), self.ended(session, call.now()), then)
            }
            (None, true) => {
                output.notepads += usize::from(self.notepad.is_some());
                output.handoffs += usize::from(self.handoff.is_some());
                output.recaps += usize::from(self.recap.is_some());
                return Ok(None);
            }
        };
        let scope = (Scope::Session(key.clone()), IMPORT);
        let counts = call.write_unless_dry(output.dry_run, scope, &(), |view| {
            let (mut changes, counts) = self.changes(view, &key, at)?;
            changes.extend(ended.clone());
            Ok((changes, counts))
        })?;
        if is_new {
            self.stand(call, &key)?;
        }
        let (notepads, handoffs, recaps, (kept, differing)) = counts;
        output.notepads += notepads;
        output.recaps += recaps;
        output.handoffs += handoffs;
        output.kept += kept;
        output.differing += differing;
        Ok(Some(key))
    }

    /// Notes of a session that was not known whose work it took over, and whether its own is settled.
    fn stand(&self, call: &Call<'_>, key: &SessionKey) -> Result<(), OpError> {
        let scope = || Scope::Session(key.clone());
        if let Some(before) = &self.follows {
            call.write(scope(), IMPORT, before, |view| {
                let both = view.session(before)?.zip(view.session(key)?);
                let is_free = both.is_some_and(|(before, session)| {
                    before.project == session.project && session.parent.is_none()
                });
                let (session, parent) = (key.clone(), before.clone());
                let follow = is_free.then_some(Change::SetParent { session, parent });
                Ok((follow.into_iter().collect(), ()))
            })?;
        }
        if self.is_settled {
            call.write(scope(), DISMISS, &(), |view| {
                let same = |it: Session| {
                    let (seen_at, ended_at) = (it.seen_at, it.ended_at);
                    seen(it, seen_at, ended_at)
                };
                Ok((view.session(key)?.map(same).into_iter().collect(), ()))
            })?;
        }
        Ok(())
    }

    /// That a session which was not known has ended, where it had.
    fn ended(&self, session: Session, now: Time) -> Option<Change> {
        let Session { key: session, place, standing, .. } = session;
        let ended_at = self.ended_at;
        let mut seen_at = ended_at?.min(now);
        if self.recap.is_some() {
            // By that one is known that was only taken in.
            seen_at = self.started_at.min(seen_at.plus(-1));
        }
        Some(Change::SetSession { session, seen_at, ended_at, place, standing })
    }

    /// What is new in the store: pages and handoffs taken in, and how many were there already.
    fn changes(
        &self,
        view: &dyn View,
        id: &SessionKey,
        at: Time,
    ) -> Result<(Vec<Change>, Counts), OpError> {
        let mut changes = Vec::new();
        let (mut notepads, mut handoffs, mut kept, mut differing) = (0, 0, 0, 0);
        match (&self.notepad, view.notepad_rev(id)?) {
            (Some(text), None) => {
                let splice = Splice::between("", text);
                changes.push(Change::EditNotepad { session: id.clone(), splice, rev: 1, at });
                notepads += 1;
            }
            (Some(text), Some(_)) => {
                kept += 1;
                differing += usize::from(view.notepad(id)?.is_some_and(|page| page.text != *text));
            }
            (None, _) => {}
        }
        match (&self.handoff, view.handoff(id)?) {
            (Some(text), None) => {
                changes.push(Change::SetHandoff { session: id.clone(), text: Some(text.clone()), at });
                handoffs += 1;
            }
            (Some(text), Some(known)) => {
                kept += 1;
                differing += usize::from(known.text != *text);
            }
            (None, _) => {}
        }
        let recap = self.recap.as_ref().map(|recap| set_recap(view, id, recap)).transpose()?;
        // One that is there tells as much.
        kept += usize::from(recap.as_ref().is_some_and(Vec::is_empty));
        let recap = recap.unwrap_or_default();
        let recaps = recap.len();
        changes.extend(recap);
        Ok((changes, (notepads, handoffs, recaps, (kept, differing))))
    }

    /// The session as one that is not known; one that is known from its transcript alone stands in no line.
    fn newcomer(&self, now: Time) -> Newcomer {
        Newcomer {
            key: self.key.clone(),
            place: Place::default(),
            began: Began::Start,
            at: Some(self.started_at.min(now)),
            is_in_line: self.recap.is_none(),
        }
    }
}

/// The change that keeps a recap; none where the session has one of as much of the transcript.
fn set_recap(
    view: &dyn View,
    id: &SessionKey,
    (body, at): &(String, Time),
) -> Result<Vec<Change>, OpError> {
    let (session, body, at) = (id.clone(), body.clone(), *at);
    let known = view.recap(id)?;
    let size = |body: &str| Recapped::size_in(body).unwrap_or(0);
    let is_known = known.is_some_and(|known| size(&body) <= size(&known.body));
    Ok(if is_known { Vec::new() } else { vec![Change::SetRecap { session, body, at }] })
}

/// A recap that is legal: one that this program can tell, without secrets.
fn recap(call: &Call<'_>, of: &str, packed: &PackedRecap) -> Result<(String, Time), OpError> {
    let at = time(call, of, "recap", &packed.at)?.min(call.now());
    let mut body = packed.body.clone();
    accept(call, &mut body)?;
    let body = body.to_string();
    if Recapped::parse(&body).is_none() {
        return Err(OpError::usage(format!("{of} of the import has no legal recap")));
    }
    Ok((body, at))
}

/// Lets each text of `value` in.
fn accept(call: &Call<'_>, value: &mut Value) -> Result<(), OpError> {
    match value {
        Value::String(text) => *text = call.accept(text)?,
        Value::Array(all) => all.iter_mut().try_for_each(|one| accept(call, one))?,
        Value::Object(all) => all.values_mut().try_for_each(|one| accept(call, one))?,
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn note(call: &Call<'_>, shape: &NoteShape) -> Result<Note, OpError> {
    let of = format!("note \"{}\"", shape.id);
    let wrong = || OpError::usage(format!("{of} of the import has no legal id"));
    let id: NoteId = shape.id.parse().map_err(|_| wrong())?;
    check_time(call, &of, "id", Time(id.0))?;
    let updated_at = time(call, &of, "updated_at", &shape.updated_at)?;
    Ok(Note {
        id,
        content: Content::new(call.accept(&shape.content)?)?,
        tags: Tags::new(&call.accept_all(&shape.tags)?)?,
        created_at: time(call, &of, "created_at", &shape.created_at)?,
        updated_at,
        scratched_at: shape.scratched.then_some(updated_at),
    })
}

/// A time of the import, if it is one and no clock is needed that is years ahead.
pub(super) fn time(call: &Call<'_>, of: &str, what: &str, text: &str) -> Result<Time, OpError> {
    let wrong = || OpError::usage(format!("{of} of the import has no legal {what}"));
    let at = Time::parse(text).ok_or_else(wrong)?;
    check_time(call, of, what, at)
}

/// Refuses what lies further ahead than any clock is: all that comes later would stand behind it.
pub(super) fn check_time(
    call: &Call<'_>,
    of: &str,
    what: &str,
    at: Time,
) -> Result<Time, OpError> {
    let latest = call.now().latest();
    if at <= latest {
        return Ok(at);
    }
    let (at, latest) = (at.day(), latest.day());
    Err(OpError::usage(format!(
        "the {what} of {of} in the import is {at} or later, at most ten years ahead is taken: {latest}"
    ))
    .hint("fix the clock of this machine, or the file"))
}
