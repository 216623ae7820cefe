//! Takes sessions in that an export wrote; what is there already is left as it is.

mod plans;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::{NoteId, SessionId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::session::{Began, Place, Session, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Command, Declaration, Effect, Models, Operation};
use crate::shapes::NoteShape;
use crate::transfer::{Package, PackedSession, VERSION};
use crate::who::full_key;

/// Takes sessions in.
#[derive(Debug)]
pub struct Import;

/// What is taken in.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The JSON that export wrote
    pub content: String,
    /// Only say what would be taken in
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// What was taken in.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// How many sessions were looked at.
    pub sessions: usize,
    /// How many pages were taken in.
    pub notepads: usize,
    /// How many notes were taken in.
    pub notes: usize,
    /// How many handoffs were taken in.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub handoffs: usize,
    /// How many entries of plans were taken in.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub entries: usize,
    /// What was there already and left as it is.
    pub kept: usize,
    /// Whether nothing was taken in because only a report was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

impl Operation for Import {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "import",
        aliases: &[],
        title: "Take sessions in that export wrote",
        about: "Take sessions in that export wrote as JSON. What is there already stays; a repeat changes nothing.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        command: Some(Command { words: &["import"], places: &["content"], stdin: Some("content") }),
        example: r#"{"content": "{\"vademecum\": 1, \"project\": \"demo\", \"sessions\": []}", "dry_run": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let mut package: Package = serde_json::from_str(&input.content)
            .map_err(|error| OpError::usage(format!("the import is no export of vade: {error}")))?;
        if VERSION < package.vademecum {
            return Err(OpError::usage(format!(
                "the export has version {}, this program reads up to {VERSION}",
                package.vademecum
            )));
        }
        package.sessions.iter_mut().try_for_each(|packed| clean(call, packed))?;
        let check = |packed| Checked::new(call, packed);
        let checked: Vec<Checked> = package.sessions.iter().map(check).collect::<Result<_, _>>()?;
        let mut output = Output { dry_run: input.dry_run, ..Output::default() };
        let plans = package.plans.iter().map(|packed| plans::Checked::new(call, packed));
        let plans: Vec<plans::Checked> = plans.collect::<Result<_, _>>()?;
        for session in &checked {
            session.take(call, &mut output)?;
        }
        if !plans.is_empty() {
            let counts = plans::take(call, &plans, input.dry_run)?;
            (output.entries, output.kept) = (counts.taken, output.kept + counts.kept);
        }
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { sessions, notepads, notes, handoffs, entries, kept, dry_run } = output;
        let verb = if *dry_run { "would take in" } else { "took in" };
        let entries = if *entries == 0 { String::new() } else { format!(", {entries} entries of plans") };
        let handoffs = if *handoffs == 0 { String::new() } else { format!(", {handoffs} handoffs") };
        format!("{verb} {notepads} notepads and {notes} notes of {sessions} sessions{handoffs}{entries}; {kept} were there already")
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Takes the secrets out of what a session says.
fn clean(call: &Call<'_>, packed: &mut PackedSession) -> Result<(), OpError> {
    packed.notepad = call.accept_some(packed.notepad.as_ref())?;
    packed.handoff = call.accept_some(packed.handoff.as_ref())?;
    for note in &mut packed.notes {
        note.content = call.accept(&note.content)?;
        note.tags = call.accept_all(&note.tags)?;
    }
    Ok(())
}

/// A session whose every part is legal: nothing is taken in before all are.
struct Checked<'a> {
    packed: &'a PackedSession,
    key: SessionKey,
    notes: Vec<Note>,
    ended_at: Option<Time>,
}

impl<'a> Checked<'a> {
    fn new(call: &Call<'_>, packed: &'a PackedSession) -> Result<Self, OpError> {
        let key = full_key(&packed.name)
            .ok_or_else(|| OpError::usage(format!("\"{}\" is no full name of a session", packed.name)))?;
        // A desk has the number of its project in the store that it comes from.
        let key = if key.harness == SessionKey::DESK {
            call.read(|view| Ok(call.desk(call.project(view)?.as_ref())))?
        } else {
            key
        };
        let wrong = || OpError::usage(format!("session \"{}\" of the import has no legal ended_at", packed.name));
        let ended_at = packed.ended_at.as_deref().map(|at| Time::parse(at).ok_or_else(wrong)).transpose()?;
        let notes = packed.notes.iter().map(note).collect::<Result<_, _>>()?;
        Ok(Self { packed, key, notes, ended_at })
    }

    fn take(&self, call: &Call<'_>, output: &mut Output) -> Result<(), OpError> {
        output.sessions += 1;
        let known = call.read(|view| view.session(&self.key))?;
        let (id, ended) = match (known, output.dry_run) {
            (Some(session), _) => (session.id, None),
            (None, false) => {
                let session = call.begin(&self.key, &Place::default(), Began::Start)?;
                (session.id, self.ended(session))
            }
            (None, true) => {
                output.notepads += usize::from(self.packed.notepad.is_some());
                output.handoffs += usize::from(self.packed.handoff.is_some());
                output.notes += self.notes.len();
                return Ok(());
            }
        };
        let dry_run = output.dry_run;
        let written = call.write(Scope::Session(id), "import", self.packed, |view| {
            let (mut changes, counts) = self.changes(view, id, call.now())?;
            changes.extend(ended.clone());
            Ok((if dry_run { Vec::new() } else { changes }, counts))
        })?;
        let (notepads, handoffs, notes, kept) = written.value;
        output.notepads += notepads;
        output.handoffs += handoffs;
        output.notes += notes;
        output.kept += kept;
        Ok(())
    }

    /// That a session which was not known has ended, where it had.
    fn ended(&self, session: Session) -> Option<Change> {
        let Session { id: session, seen_at, place, standing, .. } = session;
        let ended_at = self.ended_at;
        ended_at.is_some().then_some(Change::SetSession { session, seen_at, ended_at, place, standing })
    }

    /// What is new in the store, and how many pages and notes are new or there already.
    fn changes(&self, view: &dyn View, id: SessionId, at: Time) -> Result<(Vec<Change>, Counts), OpError> {
        let mut changes = Vec::new();
        let (mut notepads, mut handoffs, mut notes, mut kept) = (0, 0, 0, 0);
        match (&self.packed.notepad, view.notepad(id)?) {
            (Some(text), None) => {
                let splice = Splice::between("", text);
                changes.push(Change::EditNotepad { session: id, splice, rev: 1, at });
                notepads += 1;
            }
            (Some(_), Some(_)) => kept += 1,
            (None, _) => {}
        }
        match (&self.packed.handoff, view.handoff(id)?) {
            (Some(text), None) => {
                changes.push(Change::SetHandoff { session: id, text: Some(text.clone()), at });
                handoffs += 1;
            }
            (Some(_), Some(_)) => kept += 1,
            (None, _) => {}
        }
        for note in &self.notes {
            if view.note(id, note.id)?.is_some() {
                kept += 1;
            } else {
                changes.push(Change::AddNote { session: id, note: note.clone() });
                notes += 1;
            }
        }
        Ok((changes, (notepads, handoffs, notes, kept)))
    }
}

/// Pages, handoffs and notes taken in, and how many of all were there already.
type Counts = (usize, usize, usize, usize);

fn note(shape: &NoteShape) -> Result<Note, OpError> {
    let wrong = |what: &str| OpError::usage(format!("note \"{}\" of the import has no legal {what}", shape.id));
    let time = |text: &str, what: &str| Time::parse(text).ok_or_else(|| wrong(what));
    let updated_at = time(&shape.updated_at, "updated_at")?;
    Ok(Note {
        id: shape.id.parse::<NoteId>().map_err(|_| wrong("id"))?,
        content: Content::new(shape.content.clone())?,
        tags: Tags::new(&shape.tags)?,
        created_at: time(&shape.created_at, "created_at")?,
        updated_at,
        scratched_at: shape.scratched.then_some(updated_at),
    })
}
