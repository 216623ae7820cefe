//! Stores that are copied into each other while both go on, by chance: what either had is in the other's history.

use std::collections::BTreeSet;

use tempfile::TempDir;
use vademecum_core::entry::{Category, Entry, Line, Said, Stood, Text};
use vademecum_core::hash::{Key, plain};
use vademecum_core::id::{EntryId, NoteId, ProjectId, Seq, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::plan::PlanName;
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_ops::comparing::compare;
use vademecum_ops::copying::{Report, Side, copy};
use vademecum_ops::history;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, Depth, Memory, NoteFilter, Origin, Outcome, Scope, Store, Surface,
    View, Write, Writer, read,
};

use crate::chance::Chance;

/// So many courses are tried; a course takes up to half a second.
const N_SEEDS: u64 = 16;

const START: Time = Time(1_763_700_000_000);

fn project() -> ProjectId {
    ProjectId([7; 16])
}

fn session(n: u64) -> SessionKey {
    SessionKey { harness: "test".to_owned(), external: format!("s{n}"), agent: None }
}

fn origin() -> Origin {
    Origin { surface: Surface::Import, author: Author::User }
}

/// A store that is written at a time of its own.
struct Bench {
    store: Box<dyn Store>,
    name: &'static str,
    n_writes: i64,
    _folder: Option<TempDir>,
}

impl Bench {
    fn memory(name: &'static str) -> Self {
        let store = Box::new(Memory::new(Key([7; 32])));
        Self { store, name, n_writes: 0, _folder: None }
    }

    fn sqlite(name: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Box::new(Sqlite::at(&folder.path().join("vade.db"), Options::patient()));
        Self { store, name, n_writes: 0, _folder: Some(folder) }
    }

    fn side(&self) -> Side<'_> {
        Side { store: self.store.as_ref(), name: self.name }
    }

    fn read<T>(&self, look: impl Fn(&dyn View) -> T) -> T {
        read(self.store.as_ref(), |view| Ok(look(view))).expect("a read")
    }

    fn write(&mut self, scope: Scope, changes: &[Change]) {
        let id = format!("{}-{}", self.name, self.n_writes + 1);
        self.write_as(&id, false, scope, changes);
    }

    /// Writes under an id, of which the program says that nobody else has it.
    fn write_as(&mut self, id: &str, is_fresh: bool, scope: Scope, changes: &[Change]) {
        self.n_writes += 1;
        let request = Write {
            is_fresh,
            scope,
            id: WriteId::new(id).expect("an id"),
            arguments: plain(id.as_bytes()),
            kind: "test",
            origin: Origin { surface: Surface::Mcp, author: Author::Agent },
            by: Writer::NONE,
            at: START.plus(self.n_writes),
        };
        let done = self.store.write(&request, &mut |_| {
            Ok(Decision::Commit { changes: changes.to_vec(), reply: "1".to_owned() })
        });
        assert!(matches!(done, Ok(Outcome::Done { .. })), "{done:?}");
    }

    /// One project with two sessions and a plan.
    fn begun(mut self) -> Self {
        let keys = vec![ProjectKey { kind: KeyKind::Folder, machine: None, value: b"/p".to_vec() }];
        let mut changes = vec![
            Change::AddProject { id: project(), name: "p".to_owned(), keys, at: START },
            Change::AddPlan { project: project(), name: plan(), is_tracked: false, at: START },
        ];
        changes.extend((0..2).map(|n| Change::AddSession {
            project: project(),
            key: session(n),
            parent: None,
            began: Began::Start,
            instance: 1,
            host_name: "m".to_owned(),
            place: Place::default(),
            at: START,
        }));
        self.write(Scope::Project(project()), &changes);
        self
    }

    fn set_page(&mut self, key: &SessionKey, text: &str) {
        let page = self.read(|view| view.notepad(key).expect("a page"));
        let (old, rev) = page.map_or((String::new(), 0), |page| (page.text, page.rev));
        let at = START.plus(self.n_writes + 1);
        let splice = Splice::between(&old, text);
        let edit = Change::EditNotepad { session: key.clone(), splice, rev: rev + 1, at };
        self.write(Scope::Session(key.clone()), &[edit]);
    }

    fn notes(&self, key: &SessionKey) -> Vec<Note> {
        self.read(|view| view.notes(key, &NoteFilter::ALL, 0).expect("notes"))
    }

    /// Does one thing that chance chooses.
    fn step(&mut self, chance: &mut Chance) {
        let key = session(chance.below(2));
        let scope = Scope::Session(key.clone());
        let text = format!("{} says {} {}", self.name, chance.below(100_000), "é".repeat(3));
        let notes = self.notes(&key);
        let some = usize::try_from(chance.below(notes.len().max(1) as u64)).expect("small");
        let some = notes.get(some).cloned();
        match (chance.below(7), some) {
            (0 | 1, _) => {
                let old = self.read(|view| view.notepad(&key).expect("a page"));
                let old = old.filter(|_| chance.below(3) != 0).map_or(String::new(), |it| it.text);
                self.set_page(&key, &format!("{old}\n{text}"));
            }
            (2, Some(note)) => {
                let content = Content::new(text).expect("a content");
                let updated_at = START.plus(self.n_writes);
                let note = Note { content, updated_at, ..note };
                self.write(scope, &[Change::SetNote { session: key, note }]);
            }
            (3, Some(note)) => {
                self.write(scope, &[Change::DropNote { session: key, id: note.id }]);
            }
            (4, _) => {
                let at = START.plus(self.n_writes);
                self.write(scope, &[Change::SetHandoff { session: key, text: Some(text), at }]);
            }
            (5, _) => {
                let last = self.read(|view| view.last_entry(project()).expect("an id"));
                let id = last.map_or(EntryId(1), |EntryId(id)| EntryId(id + 1));
                let content = Text::new(text).expect("a text");
                let said = Said {
                    supersedes: last.filter(|_| chance.below(2) == 0),
                    ..Said::bare(Category::Learning, content)
                };
                let (at, plan) = (START.plus(id.0), plan());
                let branch = Line::new(&format!("of {}", self.name)).ok();
                let stood = Stood::some(branch.filter(|_| chance.below(2) == 0), None);
                let stood = stood.map(Box::new);
                let entry = Entry { stood, ..Entry::new(id, plan, at, said) };
                let add = Change::AddEntry { project: project(), entry };
                self.write(Scope::Project(project()), &[add]);
            }
            _ => {
                let last = self.read(|view| view.counts(&key).expect("counts").last);
                let id = last.map_or(NoteId(1), |NoteId(id)| NoteId(id + 1));
                let note = Note {
                    id,
                    content: Content::new(text).expect("a content"),
                    tags: Tags::new(&["a"]).expect("tags"),
                    created_at: START,
                    updated_at: START.plus(id.0),
                    scratched_at: None,
                };
                self.write(scope, &[Change::AddNote { session: key, note }]);
            }
        }
    }

    /// The texts of all revisions of a page that its history leads to, each as it is found by its number.
    fn revisions(&self, key: &SessionKey) -> Vec<String> {
        self.read(|view| {
            let revisions = history::revisions(view, key, 0).expect("a history");
            let text = |rev| history::text_at(view, key, rev).expect("a revision");
            revisions.iter().map(|revision| text(revision.rev)).collect()
        })
    }

    /// Whether a note said this before a write of the journal.
    fn tells(&self, key: &SessionKey, text: &str) -> bool {
        let scope = Scope::Session(key.clone());
        self.read(|view| {
            let records = view.records(&scope, 0).expect("records");
            let bodies = records.iter().filter_map(|it| view.body(it.seq).expect("a body"));
            let mut undo = bodies.flat_map(|body| body.undo);
            undo.any(|change| match change {
                Change::AddNote { note, .. } | Change::SetNote { note, .. } => {
                    note.content.as_str() == text
                }
                _ => false,
            })
        })
    }

    fn check_sound(&self) {
        let health = self.store.health(Depth::Deep).expect("health");
        assert_eq!(health.faults, Vec::<String>::new());
    }

    fn newest(&self) -> Seq {
        self.store.wait(Seq(0), std::time::Duration::ZERO).expect("a number")
    }
}

fn plan() -> PlanName {
    PlanName::parse("work").expect("a name")
}

fn copied(from: &Bench, to: &Bench) -> Report {
    copy(from.side(), to.side(), (&origin(), Writer::NONE), START).expect("a copy")
}

#[track_caller]
fn check_same(one: &Bench, other: &Bench) {
    let found = compare(one.side(), other.side()).expect("a comparison");
    assert_eq!(found.differences, Vec::<String>::new());
}

/// Copies, and looks whether all of one is in the other then and nothing of that is lost.
fn check_copy(from: &Bench, to: &Bench) {
    let before: Vec<_> = (0..2).map(|n| to.revisions(&session(n))).collect();
    let notes: Vec<_> = (0..2).map(|n| to.notes(&session(n))).collect();
    copied(from, to);
    for n in 0..2 {
        let key = session(n);
        let after = to.revisions(&key);
        let (had, theirs) = (&before[usize::try_from(n).expect("small")], from.revisions(&key));
        let all: BTreeSet<&String> = after.iter().collect();
        assert!(
            had.iter().chain(&theirs).all(|text| all.contains(text)),
            "{had:?} {theirs:?} {after:?}"
        );
        let is_ahead = after.first() == theirs.first() || after.first() == had.first();
        assert!(is_ahead, "neither page is the one: {after:?}");
        let there: BTreeSet<String> =
            to.notes(&key).iter().map(|note| note.content.as_str().to_owned()).collect();
        let known = |note: &&Note| !there.contains(note.content.as_str());
        // Whatever is not there any more was changed or deleted by somebody, which the journal tells.
        let had = &notes[usize::try_from(n).expect("small")];
        for lost in from.notes(&key).iter().chain(had).filter(known) {
            assert!(to.tells(&key, lost.content.as_str()), "{lost:?} is lost");
        }
    }
    let count = to.newest();
    let again = copied(from, to);
    assert_eq!((again.is_empty(), to.newest()), (true, count), "twice is not once: {again:?}");
    to.check_sound();
}

#[test]
fn stores_that_go_on_and_are_copied_into_each_other_lose_nothing() {
    for seed in 0..N_SEEDS {
        let mut chance = Chance::of(seed);
        let mut one =
            if seed % 2 == 0 { Bench::memory("one") } else { Bench::sqlite("one") }.begun();
        let mut two = if seed % 3 == 0 { Bench::sqlite("two") } else { Bench::memory("two") };
        for _ in 0..chance.below(25) {
            one.step(&mut chance);
        }
        copied(&one, &two);
        check_same(&one, &two);
        for _ in 0..4 {
            for _ in 0..chance.below(8) {
                one.step(&mut chance);
            }
            for _ in 0..chance.below(8) {
                two.step(&mut chance);
            }
            if chance.below(2) == 0 {
                check_copy(&one, &two);
            } else {
                check_copy(&two, &one);
            }
        }
        // Back and forth, there is an end to it.
        check_copy(&one, &two);
        check_copy(&two, &one);
        check_copy(&one, &two);
        let mut again = Vec::new();
        for _ in 0..3 {
            again = vec![copied(&two, &one), copied(&one, &two)];
        }
        assert!(again.iter().all(Report::is_empty), "seed {seed}: {again:?}");
    }
}

#[test]
fn a_long_history_is_copied_in_slices_and_put_behind_another_page() {
    let mut one = Bench::memory("one").begun();
    let mut two = Bench::memory("two");
    let key = session(0);
    for n in 1..=1100 {
        one.set_page(&key, &format!("page {n}\n{}", "text ".repeat(n % 7)));
        if n == 300 {
            copied(&one, &two);
            check_same(&one, &two);
        }
    }
    copied(&one, &two);
    check_same(&one, &two);
    two.set_page(&key, "another page");
    for n in 1..=600 {
        one.set_page(&key, &format!("more {n}"));
    }
    copied(&one, &two);
    let fresh = Bench::sqlite("fresh");
    copied(&two, &fresh);
    for store in [&two, &fresh] {
        let revisions = store.read(|view| history::revisions(view, &key, 0).expect("a history"));
        let firsts: Vec<&str> = revisions.iter().map(|it| it.first_line.as_str()).collect();
        assert_eq!(firsts.len(), 1100 + 1 + 600 + 2, "{firsts:?}");
        assert_eq!(firsts[0], "another page");
        for n in [1, 299, 300, 301, 500, 1100] {
            assert!(firsts.contains(&format!("page {n}").as_str()), "page {n}");
        }
        for n in [1, 499, 500, 600] {
            assert!(firsts.contains(&format!("more {n}").as_str()), "more {n}");
        }
        store.check_sound();
    }
    check_same(&two, &fresh);
}

/// Nobody is to know an id that the program made; one who read it in a history may give it all the same.
#[test]
fn a_made_id_that_was_given_once_more_is_copied_twice() {
    let key = session(0);
    let mut one = Bench::sqlite("one").begun();
    let note = |id| Note {
        id: NoteId(id),
        content: Content::new(format!("note {id}")).expect("a content"),
        tags: Tags::new(&["a"]).expect("tags"),
        created_at: START,
        updated_at: START,
        scratched_at: None,
    };
    for (id, is_fresh) in [(1, true), (2, false)] {
        let add = Change::AddNote { session: key.clone(), note: note(id) };
        one.write_as("made", is_fresh, Scope::Session(key.clone()), &[add]);
    }
    for to in [Bench::sqlite("two"), Bench::memory("two")] {
        check_copy(&one, &to);
        assert_eq!(to.notes(&key).len(), 2);
    }
}
