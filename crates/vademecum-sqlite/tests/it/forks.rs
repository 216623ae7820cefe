//! Copies of page and notes: two stores do the same, one copies at once and one a note first, and both answer alike.

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use vademecum_core::id::{NoteId, Seq};
use vademecum_core::note::{Content, Note, TagCount, Tags};
use vademecum_core::search::{Query, Stats, rank};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_sqlite::Sqlite;
use vademecum_store::{
    Change, Counts, Decision, Erase, NoteFilter, Notepad, Parts, Scope, Store, StoreError, View,
    conformance, read,
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
    Fork {
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
            .prop_map(|(to, from, page, notes)| Act::Fork { to, from, page, notes }),
        2 => Just(Act::Undo),
        1 => to().prop_map(|to| Act::GiveBack { to }),
        1 => (to(), 0..9_usize).prop_map(|(to, nth)| Act::Forget { to, nth }),
        1 => to().prop_map(|to| Act::ForgetSession { to }),
        1 => Just(Act::Reopen),
    ]
}

/// One of the two stores.
struct Side {
    scene: Scene,
    store: Sqlite,
    /// So many notes a copy has at first.
    at_once: Option<u32>,
    sessions: Vec<SessionKey>,
    n_made: usize,
    /// The writes that can be undone, the last one last.
    done: Vec<(SessionKey, Seq)>,
    /// The write by which each session got its last copy.
    forked: Vec<Option<Seq>>,
}

impl Side {
    fn new(at_once: Option<u32>) -> Self {
        let scene = Scene::in_memory();
        let store = scene.open_brief();
        begin(&store);
        let (sessions, done, forked) = (Vec::new(), Vec::new(), vec![None; N_SESSIONS]);
        let mut side = Self { scene, store, at_once, sessions, n_made: 0, done, forked };
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

    fn ask<T>(&self, look: impl Fn(&dyn View) -> Result<T, StoreError>) -> T {
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
            Act::Fork { to, from, page, notes } => {
                let (session, from, at) = (session(to), session(from), Time(at));
                let (page, notes, at_once) = (*page, *notes, None);
                (*to, vec![Change::Fork { session, from, page, notes, at_once, at }])
            }
            Act::Undo | Act::GiveBack { .. } | Act::ForgetSession { .. } | Act::Reopen => {
                return None;
            }
        })
    }

    fn play(&mut self, act: &Act, changes: Option<(usize, Vec<Change>)>, at: i64) {
        match act {
            Act::Reopen => self.store = self.scene.open_brief(),
            Act::Undo => {
                if let Some((session, seq)) = self.done.pop() {
                    self.undo(&session, seq, at);
                }
            }
            Act::GiveBack { to } => {
                if let Some(seq) = self.forked[*to].take() {
                    self.undo(&self.sessions[*to], seq, at);
                    self.done.clear();
                }
            }
            Act::ForgetSession { to } => {
                self.store
                    .erase(&Erase::Sessions(vec![self.sessions[*to].clone()]), None)
                    .expect("erased");
                self.sessions[*to] = self.make();
                self.forked[*to] = None;
                self.done.clear();
            }
            _ => {
                if let Some((to, changes)) = changes {
                    self.write(act, to, changes, at);
                }
            }
        }
    }

    fn write(&mut self, act: &Act, to: usize, mut changes: Vec<Change>, at: i64) {
        for change in &mut changes {
            if let Change::Fork { at_once, .. } = change {
                *at_once = self.at_once;
            }
        }
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
            Act::Fork { .. } => self.forked[to] = Some(seq),
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
    fn what_is_copied_later_is_what_was_there(
        acts in proptest::collection::vec(act(), 1..40),
    ) {
        let mut sides = [Side::new(None), Side::new(Some(1))];
        for (at, act) in (10..).zip(&acts) {
            let changes = sides[0].changes(act, at);
            for side in &mut sides {
                side.play(act, changes.clone(), at);
            }
            if matches!(act, Act::Reopen) {
                sides[1].store.erase(&Erase::Nothing, None).expect("completed");
            }
            for (one, other) in sides[0].seen().iter().zip(&sides[1].seen()) {
                prop_assert_eq!((&one.page, one.rev), (&other.page, other.rev));
                if other.counts.notes < one.counts.notes {
                    continue;
                }
                prop_assert_eq!((one.counts, &one.lists, &one.tags), (other.counts, &other.lists, &other.tags));
                prop_assert!(one == other, "another note by its id, or another search");
            }
        }
        sides[1].store.erase(&Erase::Nothing, None).expect("completed");
        prop_assert_eq!(sides[0].seen(), sides[1].seen());
        for side in &sides {
            conformance::check_sound(&side.store);
        }
    }
}

fn fork(store: &Sqlite, from: &SessionKey, external: &str) -> SessionKey {
    fork_at_once(store, from, external, None)
}

fn fork_at_once(
    store: &Sqlite,
    from: &SessionKey,
    external: &str,
    at_once: Option<u32>,
) -> SessionKey {
    let key = SessionKey { harness: "test".to_owned(), external: external.to_owned(), agent: None };
    let make = Change::AddSession {
        project: PROJECT,
        key: key.clone(),
        parent: Some(from.clone()),
        began: Began::Fork,
        instance: 1,
        host_name: "m".to_owned(),
        place: Place::default(),
        at: Time(1),
    };
    commit(store, Scope::Project(PROJECT), external, &[make]).expect("a session");
    let session = read(store, |view| view.session(&key)).expect("a read").expect("one").key;
    let fork = Change::Fork {
        session: session.clone(),
        from: from.clone(),
        page: true,
        notes: true,
        at_once,
        at: Time(2),
    };
    commit(store, Scope::Session(session.clone()), "fork", &[fork]).expect("a copy");
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
    fork(&store, &SESSION, "second");
    let sql = "SELECT CAST(undo AS TEXT) FROM journal ORDER BY seq DESC LIMIT 1";
    let undo: String = scene.raw().query_row(sql, [], |row| row.get(0)).expect("a body");
    let expected =
        r#"[{"change":"drop_notes","session":4,"upto":3},{"change":"drop_notepad","session":4}]"#;
    assert_eq!(undo, expected);
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
        let second = fork(&store, &SESSION, "second");
        fork(&store, &second, "third");
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

/// The ids of the notes of a session, and those that a search for a word of all of them finds.
fn ids(store: &Sqlite, session: &SessionKey) -> (Vec<i64>, usize) {
    let query = Query::parse("note");
    read(store, |view| {
        let notes = view.notes(session, &NoteFilter { by_id: true, ..everything() }, 0)?;
        let found = view.candidates(session, &query, &everything())?.notes.len();
        Ok((notes.iter().map(|note| note.id.0).collect(), found))
    })
    .expect("a read")
}

fn drop_note(store: &Sqlite, session: &SessionKey, id: i64) {
    let drop = Change::DropNote { session: session.clone(), id: NoteId(id) };
    commit(store, Scope::Session(session.clone()), "drop", &[drop]).expect("a write");
}

/// What is done while a fork lacks notes, to the store and to its file.
type Meanwhile = fn(&Scene, &Sqlite, &SessionKey);

#[test]
fn what_a_fork_lacks_is_copied_before_it_changes_or_is_asked_for() {
    let cases: [(&str, Meanwhile, Vec<i64>, Vec<i64>); 6] = [
        ("nothing", |_, _, _| {}, (18..=20).collect(), (1..=20).collect()),
        (
            "a note of the source goes",
            |_, store, _| drop_note(store, &SESSION, 4),
            (1..=20).collect(),
            (1..=20).collect(),
        ),
        (
            "a note of the fork goes",
            |_, store, fork| drop_note(store, fork, 4),
            (1..=20).filter(|id| *id != 4).collect(),
            (1..=20).filter(|id| *id != 4).collect(),
        ),
        (
            "the source gets a note",
            |_, store, _| drop(add(store, 21).expect("a note")),
            (1..=20).collect(),
            (1..=20).collect(),
        ),
        (
            "the source is forgotten",
            |_, store, _| {
                store.erase(&Erase::Sessions(vec![SESSION.clone()]), None).expect("erased");
            },
            (1..=20).collect(),
            (1..=20).collect(),
        ),
        (
            "a fork of the fork",
            |_, store, of| {
                let third = fork_at_once(store, of, "third", Some(2));
                assert_eq!(ids(store, &third), (vec![19, 20], 2));
                drop_note(store, of, 7);
                assert_eq!(ids(store, &third).0, (1..=20).collect::<Vec<_>>());
            },
            (1..=20).filter(|id| *id != 7).collect(),
            (1..=20).filter(|id| *id != 7).collect(),
        ),
    ];
    for (what, meanwhile, at_first, at_last) in cases {
        let scene = Scene::with_notes(20);
        let store = scene.open_brief();
        let of = fork_at_once(&store, &SESSION, "second", Some(3));
        conformance::check_sound(&store);
        meanwhile(&scene, &store, &of);
        assert_eq!(ids(&store, &of), (at_first.clone(), at_first.len()), "{what}");
        conformance::check_sound(&store);
        scene.open().erase(&Erase::Nothing, None).expect("completed");
        assert_eq!(ids(&store, &of), (at_last.clone(), at_last.len()), "{what}");
        let unfinished = read(&store, |view| Ok(view.store()?.unfinished)).expect("a read");
        assert!(!unfinished.has_forks, "{what}");
        conformance::check_sound(&store);
    }
}

#[test]
fn who_has_time_finds_every_fork_complete() {
    let decides_on = |store: &Sqlite, session: &SessionKey, id: i64| {
        let mut found = false;
        let request = crate::scene::request(Scope::Session(session.clone()), "change");
        let decide = &mut |view: &dyn View| {
            found = view.note(session, NoteId(id))?.is_some();
            Ok(Decision::Refuse)
        };
        store.write(&request, decide).expect("a write");
        found
    };
    let scene = Scene::with_notes(20);
    let hook = scene.open_brief();
    let of = fork_at_once(&hook, &SESSION, "second", Some(3));
    assert_eq!(ids(&hook, &of).0, [18, 19, 20]);
    let server = scene.open();
    assert_eq!(ids(&server, &of), ((1..=20).collect(), 20));
    let tags = |store: &Sqlite| read(store, |view| view.tags(&of, true)).expect("a read")[0].count;
    let counts = |store: &Sqlite| read(store, |view| view.counts(&of)).expect("a read").notes;
    assert_eq!(
        [(tags(&server), counts(&server)), (tags(&hook), counts(&hook))],
        [(20, 20), (3, 3)]
    );
    // To read them takes no lock.
    let other = scene.raw();
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    assert_eq!(ids(&server, &of), ((1..=20).collect(), 20));
    other.execute_batch("ROLLBACK").expect("an end");
    assert_eq!(ids(&hook, &of).0, [18, 19, 20]);
    assert!(decides_on(&server, &of, 2));
    assert_eq!(ids(&hook, &of).0, (1..=20).collect::<Vec<_>>());
    let unfed = "SELECT count(*) FROM waiting WHERE keys IS NULL";
    let unfed: i64 = scene.raw().query_row(unfed, [], |row| row.get(0)).expect("a count");
    assert_eq!(unfed, 20);
    hook.erase(&Erase::Nothing, None).expect("nothing");
    server.erase(&Erase::Nothing, None).expect("fed");
    assert_eq!(ids(&hook, &of), ((1..=20).collect(), 20));
    conformance::check_sound(&server);
}

#[test]
fn a_repair_copies_what_a_fork_lacks() {
    for (break_it, n_left) in [
        ("DELETE FROM waiting", 20),
        ("UPDATE holder SET n_notes = 7 WHERE id = 4", 20),
        ("UPDATE fork SET source = 99", 3),
        ("UPDATE holder SET top_at = 3 WHERE n_notes = 3", 20),
    ] {
        let scene = Scene::with_notes(20);
        let store = scene.open_brief();
        let of = fork_at_once(&store, &SESSION, "second", Some(3));
        drop(store);
        scene.raw().execute_batch(break_it).expect("a change");
        assert!(!crate::scene::faults(&scene.open()).is_empty(), "{break_it}");
        let report = vademecum_sqlite::repair::repair(&scene.database()).expect("a repair");
        assert_eq!(report.left, Vec::<String>::new(), "{break_it}");
        let store = scene.open();
        conformance::check_sound(&store);
        assert_eq!(ids(&store, &of).0.len(), n_left, "{break_it}");
    }
}

#[test]
fn a_copy_in_a_damaged_store_is_saved_with_what_it_is_of() {
    let scene = Scene::with_notes(3);
    let store = scene.open();
    write_page(&store, "page");
    let second = fork(&store, &SESSION, "second");
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
