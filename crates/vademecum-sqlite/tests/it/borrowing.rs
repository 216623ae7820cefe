//! Copies of page and notes: two stores do the same, one borrows and one copies at once, and both answer alike.

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use rusqlite::params;
use vademecum_core::id::{NoteId, Seq};
use vademecum_core::note::{Content, Note, TagCount, Tags};
use vademecum_core::search::{Query, Stats, rank};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_sqlite::Sqlite;
use vademecum_store::{
    Change, Counts, Erase, NoteFilter, Notepad, Parts, Scope, Store, StoreError, View, conformance,
    read,
};

use crate::scene::{PROJECT, SESSION, Scene, add, add_session, begin, commit, note as plain};

const TAGS: [&str; 3] = ["api", "bug", "漢字"];
const WORDS: [&str; 3] = ["parse_config", "with_timeout", "内存泄漏"];

/// So many sessions there are at first.
const N_SESSIONS: usize = 5;

/// One thing that is done, to sessions by their place.
#[derive(Debug, Clone)]
enum Act {
    Add {
        to: usize,
        word: usize,
        tags: Vec<usize>,
    },
    Set {
        to: usize,
        nth: usize,
        word: usize,
        is_scratched: bool,
    },
    Drop {
        to: usize,
        nth: usize,
    },
    Page {
        to: usize,
        text: String,
    },
    DropPage {
        to: usize,
    },
    Borrow {
        to: usize,
        from: usize,
        page: bool,
        notes: bool,
    },
    /// Undoes the last write that was not undone.
    Undo,
    /// Takes a copy away whatever was done since.
    GiveBack {
        to: usize,
    },
    Forget {
        to: usize,
        nth: usize,
    },
    ForgetSession {
        to: usize,
    },
    Reopen,
}

fn act() -> impl Strategy<Value = Act> {
    let to = || 0..N_SESSIONS;
    let tags = proptest::sample::subsequence((0..TAGS.len()).collect::<Vec<_>>(), 1..=TAGS.len());
    prop_oneof![
        5 => (to(), 0..WORDS.len(), tags).prop_map(|(to, word, tags)| Act::Add { to, word, tags }),
        3 => (to(), 0..9_usize, 0..WORDS.len(), any::<bool>())
            .prop_map(|(to, nth, word, is_scratched)| Act::Set { to, nth, word, is_scratched }),
        2 => (to(), 0..9_usize).prop_map(|(to, nth)| Act::Drop { to, nth }),
        3 => (to(), "[a-c漢\n]{0,9}").prop_map(|(to, text)| Act::Page { to, text }),
        1 => to().prop_map(|to| Act::DropPage { to }),
        8 => (to(), to(), any::<bool>(), any::<bool>())
            .prop_map(|(to, from, page, notes)| Act::Borrow { to, from, page, notes }),
        2 => Just(Act::Undo),
        1 => to().prop_map(|to| Act::GiveBack { to }),
        1 => (to(), 0..9_usize).prop_map(|(to, nth)| Act::Forget { to, nth }),
        1 => to().prop_map(|to| Act::ForgetSession { to }),
        1 => Just(Act::Reopen),
    ]
}

/// How a store makes a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Copies {
    Borrowed,
    AtOnce,
}

/// One of the two stores.
struct Side {
    scene: Scene,
    store: Sqlite,
    copies: Copies,
    sessions: Vec<SessionKey>,
    n_made: usize,
    /// The writes that can be undone, the last one last.
    done: Vec<(SessionKey, Seq)>,
    /// The write by which each session got its last copy.
    borrowed: Vec<Option<Seq>>,
}

impl Side {
    fn new(copies: Copies) -> Self {
        let scene = Scene::in_memory();
        let store = scene.open();
        begin(&store);
        let (sessions, done, borrowed) = (Vec::new(), Vec::new(), vec![None; N_SESSIONS]);
        let mut side = Self { scene, store, copies, sessions, n_made: 0, done, borrowed };
        for _ in 0..N_SESSIONS {
            let made = side.make();
            side.sessions.push(made);
        }
        side
    }

    /// Makes a session known.
    fn make(&mut self) -> SessionKey {
        self.n_made += 1;
        let external = format!("s{}", self.n_made);
        let key = SessionKey { harness: "test".to_owned(), external, agent: None };
        let add = add_session(key.clone());
        let name = format!("session {}", self.n_made);
        commit(&self.store, Scope::Project(PROJECT), &name, &[add]).expect("a session");
        let found = read(&self.store, |view| view.session(&key)).expect("a read");
        found.expect("a session").key
    }

    fn ask<T>(&self, look: impl FnMut(&dyn View) -> Result<T, StoreError>) -> T {
        read(&self.store, look).expect("a read")
    }

    fn nth(&self, to: usize, nth: usize) -> Option<Note> {
        let session = &self.sessions[to];
        let notes = self.ask(|view| view.notes(session, &everything(), 0));
        notes.get(nth % notes.len().max(1)).cloned()
    }

    /// The changes of an act; none where there is nothing to change.
    fn changes(&self, act: &Act, at: i64) -> Option<(usize, Vec<Change>)> {
        let session = |to: &usize| self.sessions[*to].clone();
        Some(match act {
            Act::Add { to, word, tags } => {
                let session = session(to);
                let last = self.ask(|view| Ok(view.counts(&session)?.last));
                let id = last.map_or(at, |last| at.max(last.0 + 1));
                (*to, vec![Change::AddNote { session, note: note(id, at, *word, tags) }])
            }
            Act::Set { to, nth, word, is_scratched } => {
                let old = self.nth(*to, *nth)?;
                let scratched_at = is_scratched.then_some(Time(at));
                let new = note(old.id.0, at, *word, &[nth % TAGS.len()]);
                let note = Note { created_at: old.created_at, scratched_at, ..new };
                (*to, vec![Change::SetNote { session: session(to), note }])
            }
            Act::Drop { to, nth } | Act::Forget { to, nth } => {
                let id = self.nth(*to, *nth)?.id;
                (*to, vec![Change::DropNote { session: session(to), id }])
            }
            Act::Page { to, text } => {
                let session = session(to);
                let page = self.ask(|view| view.notepad(&session));
                let (rev, old) = page.map_or((0, String::new()), |page| (page.rev, page.text));
                let splice = Splice::between(&old, text);
                (*to, vec![Change::EditNotepad { session, splice, rev: rev + 1, at: Time(at) }])
            }
            Act::DropPage { to } => (*to, vec![Change::DropNotepad { session: session(to) }]),
            Act::Borrow { to, from, page, notes } => {
                let (session, from) = (session(to), session(from));
                let (page, notes, at) = (*page, *notes, Time(at));
                let borrow = Change::Borrow { session, from, page, notes, at };
                (
                    *to,
                    if self.copies == Copies::Borrowed { vec![borrow] } else { self.real(&borrow) },
                )
            }
            Act::Undo | Act::GiveBack { .. } | Act::ForgetSession { .. } | Act::Reopen => {
                return None;
            }
        })
    }

    /// The changes that make the copies at once.
    fn real(&self, borrow: &Change) -> Vec<Change> {
        let Change::Borrow { ref session, ref from, page, notes, at } = *borrow else {
            unreachable!("only a copy is made")
        };
        self.ask(|view| {
            let mut changes = Vec::new();
            if page && let (None, Some(held)) = (view.notepad(session)?, view.notepad(from)?) {
                let splice = Splice::between("", &held.text);
                changes.push(Change::EditNotepad { session: session.clone(), splice, rev: 1, at });
            }
            let mut held = view.notes(from, &everything(), 0)?;
            if !notes || view.counts(session)?.notes != 0 || held.is_empty() {
                return Ok(changes);
            }
            held.sort_by_key(|note| note.id);
            // The last id that was ever given goes with them.
            let last = view.counts(from)?.last.expect("a session with notes has a last one");
            if held.last().is_some_and(|note| note.id < last) {
                let gone = note(last.0, last.0, 0, &[0]);
                changes.push(Change::AddNote { session: session.clone(), note: gone });
                changes.push(Change::DropNote { session: session.clone(), id: last });
            }
            changes.extend(
                held.into_iter().map(|note| Change::AddNote { session: session.clone(), note }),
            );
            Ok(changes)
        })
    }

    fn play(&mut self, act: &Act, at: i64) {
        match act {
            Act::Reopen => self.store = self.scene.open(),
            Act::Undo => {
                if let Some((session, seq)) = self.done.pop() {
                    self.undo(&session, seq, at);
                }
            }
            Act::GiveBack { to } => {
                if let Some(seq) = self.borrowed[*to].take() {
                    self.undo(&self.sessions[*to], seq, at);
                    self.done.clear();
                }
            }
            Act::ForgetSession { to } => {
                self.store
                    .erase(&Erase::Sessions(vec![self.sessions[*to].clone()]), None)
                    .expect("erased");
                self.sessions[*to] = self.make();
                self.borrowed[*to] = None;
                self.done.clear();
            }
            _ => self.write(act, at),
        }
    }

    fn write(&mut self, act: &Act, at: i64) {
        let Some((to, changes)) = self.changes(act, at) else { return };
        let scope = Scope::Session(self.sessions[to].clone());
        commit(&self.store, scope.clone(), &format!("act {at}"), &changes).expect("a write");
        let last = self.ask(|view| view.last_seq(&scope));
        // What changed nothing was not written.
        let seq = if changes.is_empty() { Seq(0) } else { last };
        self.done.push((self.sessions[to].clone(), seq));
        match act {
            Act::Forget { .. } => {
                self.store
                    .erase(&Erase::Parts(Parts { bodies: vec![seq], ..Parts::default() }), None)
                    .expect("erased");
                self.done.clear();
            }
            Act::Borrow { .. } => self.borrowed[to] = Some(seq),
            // A page that was taken away does not come back.
            Act::DropPage { .. } => self.done.clear(),
            _ => {}
        }
    }

    fn undo(&self, session: &SessionKey, seq: Seq, at: i64) {
        let undo = self.ask(|view| view.body(seq)).map(|body| body.undo).unwrap_or_default();
        let scope = Scope::Session(session.clone());
        commit(&self.store, scope, &format!("undo {at}"), &undo).expect("undone");
    }

    /// Everything that can be seen of pages and notes.
    fn seen(&self) -> Vec<Seen> {
        self.ask(|view| self.sessions.iter().map(|session| seen(view, session)).collect())
    }
}

fn everything() -> NoteFilter {
    NoteFilter::ALL
}

fn note(id: i64, at: i64, word: usize, tags: &[usize]) -> Note {
    let tags: Vec<&str> = tags.iter().map(|&idx| TAGS[idx]).collect();
    Note {
        id: NoteId(id),
        content: Content::new(format!("why {} fails", WORDS[word])).expect("a text"),
        tags: Tags::new(&tags).expect("tags"),
        created_at: Time(at),
        updated_at: Time(at),
        scratched_at: None,
    }
}

/// What every question about one session is answered.
#[derive(Debug, PartialEq)]
struct Seen {
    page: Option<Notepad>,
    rev: Option<u32>,
    counts: Counts,
    lists: Vec<Vec<Note>>,
    tags: [Vec<TagCount>; 2],
    single: Vec<Option<Note>>,
    found: Vec<(BTreeSet<NoteId>, Stats, Vec<NoteId>)>,
}

fn seen(view: &dyn View, session: &SessionKey) -> Result<Seen, StoreError> {
    let filter = |tags: &[&str], include_scratched| NoteFilter {
        tags: tags.iter().map(ToString::to_string).collect(),
        include_scratched,
        ..NoteFilter::default()
    };
    let filters = [
        filter(&[], true),
        filter(&[], false),
        filter(&["api"], true),
        filter(&["api", "bug"], false),
        filter(&["none"], true),
    ];
    let notes = view.notes(session, &everything(), 0)?;
    let ids = notes.iter().map(|note| note.id).chain([NoteId(11), NoteId(12)]);
    let mut found = Vec::new();
    for word in [WORDS[0], WORDS[2], "fails", "config timeout"] {
        for filter in &filters[..3] {
            let query = Query::parse(word);
            let candidates = view.candidates(session, &query, filter)?;
            let hits = rank(&query, &candidates.notes, &candidates.stats);
            let hits = hits.iter().map(|hit| candidates.notes[hit.idx].id).collect();
            let ids = candidates.notes.iter().map(|note| note.id).collect();
            found.push((ids, candidates.stats, hits));
        }
    }
    Ok(Seen {
        page: view.notepad(session)?,
        rev: view.notepad_rev(session)?,
        counts: view.counts(session)?,
        lists: filters
            .iter()
            .map(|filter| view.notes(session, filter, 3))
            .collect::<Result<_, _>>()?,
        tags: [view.tags(session, true)?, view.tags(session, false)?],
        single: ids.map(|id| view.note(session, id)).collect::<Result<_, _>>()?,
        found,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn what_is_borrowed_is_seen_as_what_is_copied(
        acts in proptest::collection::vec(act(), 1..40),
    ) {
        let mut sides = [Side::new(Copies::Borrowed), Side::new(Copies::AtOnce)];
        for (at, act) in (10..).zip(&acts) {
            for side in &mut sides {
                side.play(act, at);
            }
            for (one, other) in sides[0].seen().iter().zip(&sides[1].seen()) {
                prop_assert_eq!((&one.page, one.rev, one.counts), (&other.page, other.rev, other.counts));
                prop_assert_eq!((&one.lists, &one.tags), (&other.lists, &other.tags));
                prop_assert!(one == other, "another note by its id, or another search");
            }
        }
        for side in &sides {
            conformance::check_sound(&side.store);
        }
    }
}

fn borrow(store: &Sqlite, from: &SessionKey, external: &str) -> SessionKey {
    let key = SessionKey { harness: "test".to_owned(), external: external.to_owned(), agent: None };
    let make = Change::AddSession {
        project: PROJECT,
        key: key.clone(),
        parent: Some(from.clone()),
        began: Began::Fork,
        instance: 1,
        machine: "m".to_owned(),
        place: Place::default(),
        at: Time(1),
    };
    commit(store, Scope::Project(PROJECT), external, &[make]).expect("a session");
    let session = read(store, |view| view.session(&key)).expect("a read").expect("one").key;
    let borrow = Change::Borrow {
        session: session.clone(),
        from: from.clone(),
        page: true,
        notes: true,
        at: Time(2),
    };
    commit(store, Scope::Session(session.clone()), "borrow", &[borrow]).expect("a copy");
    session
}

fn write_page(store: &Sqlite, text: &str) {
    let splice = Splice::between("", text);
    let edit = Change::EditNotepad { session: SESSION.clone(), splice, rev: 1, at: Time(1) };
    commit(store, Scope::Session(SESSION.clone()), "page", &[edit]).expect("a page");
}

#[test]
fn the_journal_names_a_copy_by_its_reverse_for_ever() {
    let scene = Scene::with_notes(3);
    let store = scene.open();
    write_page(&store, "page");
    borrow(&store, &SESSION, "second");
    let sql = "SELECT CAST(undo AS TEXT) FROM journal ORDER BY seq DESC LIMIT 1";
    let undo: String = scene.raw().query_row(sql, [], |row| row.get(0)).expect("a body");
    let expected =
        r#"[{"change":"drop_notes","session":4,"upto":3},{"change":"drop_notepad","session":4}]"#;
    assert_eq!(undo, expected);
}

/// How many bytes the log grows by when a session with so many notes, and so long a page, is copied.
fn written(n_notes: i64, page: &str) -> u64 {
    let scene = Scene::with_notes(0);
    let store = scene.open();
    let add = |id| Change::AddNote { session: SESSION.clone(), note: plain(id) };
    let add: Vec<Change> = (1..=n_notes).map(add).collect();
    write_page(&store, page);
    if !add.is_empty() {
        commit(&store, Scope::Session(SESSION.clone()), "notes", &add).expect("notes");
    }
    let session = borrow(&store, &SESSION, "first");
    assert_eq!(read(&store, |view| view.counts(&session)).expect("a read").notes, add.len() as u64);
    let empty = "PRAGMA wal_checkpoint(TRUNCATE)";
    let is_busy: i64 = scene.raw().query_row(empty, [], |row| row.get(0)).expect("a checkpoint");
    assert_eq!(is_busy, 0);
    borrow(&store, &SESSION, "second");
    fs::metadata(scene.path("vade.db-wal")).expect("a log").len()
}

#[test]
fn a_copy_writes_as_much_whatever_it_is_of() {
    let (none, few) = (written(0, "page"), written(1, "page"));
    let many = written(20_000, &"a line of a page\n".repeat(60_000));
    assert_eq!(many, few);
    // What has notes has an index of its own for them.
    assert!(many <= none + 2 * 4_120, "{many} after {none}");
}

/// Whether any file of the store holds the text.
fn holds(scene: &Scene, text: &str) -> bool {
    scene.bytes().iter().any(|(_, bytes)| bytes.windows(text.len()).any(|at| at == text.as_bytes()))
}

#[test]
fn what_is_forgotten_everywhere_is_nowhere() {
    const SECRET: &str = "the secret hunter2";
    let note = |id| Note { content: Content::new(SECRET).expect("a text"), ..plain(id) };
    for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
        let scene = Scene::with_notes(2);
        let store = scene.open();
        let add = Change::AddNote { session: SESSION.clone(), note: note(9) };
        commit(&store, Scope::Session(SESSION.clone()), "add", &[add]).expect("a note");
        write_page(&store, SECRET);
        let second = borrow(&store, &SESSION, "second");
        borrow(&store, &second, "third");
        for (n_gone, id) in (1..).zip(order) {
            let key = |id: usize| SessionKey {
                external: ["s", "second", "third"][id - 1].to_owned(),
                ..SESSION.clone()
            };
            let session = key(id);
            let seen = |id| read(&store, |view| view.note(&key(id), NoteId(9)));
            let drop = Change::DropNote { session: session.clone(), id: NoteId(9) };
            commit(&store, Scope::Session(session.clone()), "drop", &[drop]).expect("a write");
            assert!(order[n_gone..].iter().all(|id| seen(*id).expect("a read").is_some()));
            store.erase(&Erase::Sessions(vec![session]), None).expect("erased");
            assert_eq!(holds(&scene, SECRET), n_gone < order.len(), "{order:?} {id}");
        }
    }
}

#[test]
fn rows_that_break_a_loan_are_found_and_mended() {
    for (break_it, n_left) in [
        ("UPDATE borrowed SET notes = 4", 3),
        ("UPDATE borrowed SET page = NULL", 3),
        ("UPDATE borrowed SET rev = NULL", 3),
        ("INSERT INTO notepad VALUES (4, 1, 1, 'x')", 3),
        ("DELETE FROM borrowed", 0),
        ("UPDATE holder SET n_notes = 7 WHERE id = 4", 3),
    ] {
        let scene = Scene::with_notes(3);
        let store = scene.open();
        write_page(&store, "page");
        let second = borrow(&store, &SESSION, "second");
        conformance::check_sound(&store);
        drop(store);
        scene.raw().execute(break_it, params![]).expect("a change");
        assert!(!crate::scene::faults(&scene.open()).is_empty(), "{break_it}");
        let report = vademecum_sqlite::repair::repair(&scene.database()).expect("a repair");
        assert_eq!(report.left, Vec::<String>::new(), "{break_it}");
        let store = scene.open();
        conformance::check_sound(&store);
        let notes = read(&store, |view| view.notes(&second, &everything(), 0)).expect("a read");
        assert!(notes.len() == n_left || break_it.contains("notes = 4"), "{break_it}: {notes:?}");
    }
}

#[test]
fn a_copy_in_a_damaged_store_is_saved_with_what_it_is_of() {
    let scene = Scene::with_notes(3);
    let store = scene.open();
    write_page(&store, "page");
    let second = borrow(&store, &SESSION, "second");
    let all = |store: &Sqlite| read(store, |view| seen(view, &second)).expect("a read");
    let was = all(&store);
    drop(store);
    scene.raw().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
    let mut bytes = fs::read(scene.database()).expect("a file");
    bytes[..4096].fill(0xa5);
    fs::write(scene.database(), bytes).expect("a file");
    let report = vademecum_sqlite::repair::repair(&scene.database()).expect("a repair");
    assert!(report.aside.is_some(), "{report:?}");
    let store = scene.open();
    assert_eq!(all(&store), was);
    add(&store, 40).expect("a note");
    assert_eq!(all(&store), was);
    conformance::check_sound(&store);
}
