//! Notes that wait for the index: how many, and what is left of one that is forgotten.

use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{Change, Erase, Parts, Scope, Store, read};

use crate::scene::{SESSION, Scene, add, add_session, commit, faults, note};

fn n_waiting(scene: &Scene) -> i64 {
    let sql = "SELECT count(*) FROM waiting";
    scene.raw().query_row(sql, [], |row| row.get(0)).expect("a count")
}

#[test]
fn sixteen_notes_are_taken_in_together() {
    let scene = Scene::with_notes(0);
    for id in 1..=40 {
        add(&scene.open(), id).expect("a note");
        assert_eq!(n_waiting(&scene), id % 16);
    }
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
}

/// A number of a note is not given again: nothing of one that is gone is found under another.
#[test]
fn a_note_in_the_place_of_one_that_is_gone_is_found_as_itself() {
    for n_before in [3, 16, 20] {
        let scene = Scene::with_notes(n_before);
        let store = scene.open();
        let session = || SESSION.clone();
        let drop = Change::DropNote { session: session(), id: NoteId(n_before) };
        let content = Content::new("the lantern".to_owned()).expect("a text");
        let other = Note { content, ..note(n_before + 1) };
        let add = Change::AddNote { session: session(), note: other };
        commit(&store, Scope::Session(session()), "both", &[drop, add]).expect("a write");
        for (word, n_found) in [("lantern", 1), (&format!("{n_before}"), 0)] {
            let query = vademecum_core::search::Query::parse(word);
            let all = vademecum_store::NoteFilter::ALL;
            let found = read(&store, |view| view.candidates(&SESSION, &query, &all));
            let found = found.expect("candidates").notes;
            let holds = |note: &&Note| note.content.as_str().split(' ').any(|it| it == word);
            assert_eq!(found.iter().filter(holds).count(), n_found, "{n_before} {word}");
        }
        assert_eq!(faults(&store), Vec::<String>::new(), "{n_before}");
    }
}

/// The keys of a note, as it waits with them.
fn keys(scene: &Scene, id: i64) -> Option<Vec<u8>> {
    let sql = "SELECT keys FROM waiting JOIN note USING (number) WHERE id = ?1";
    scene.raw().query_row(sql, [id], |row| row.get(0)).ok()
}

#[test]
fn of_a_forgotten_note_nothing_is_left_whether_it_waits_or_not() {
    const SECRET: &str = "the lantern behind the sixth door";
    for (id, is_whole_session) in [(3, false), (18, false), (3, true), (18, true)] {
        let scene = Scene::with_notes(id - 1);
        let store = scene.open();
        let content = Content::new(SECRET.to_owned()).expect("a text");
        let add_it =
            Change::AddNote { session: SESSION.clone(), note: Note { content, ..note(id) } };
        commit(&store, Scope::Session(SESSION.clone()), "secret", &[add_it]).expect("a note");
        let keys = keys(&scene, id).expect("one that waits");
        // The first is taken in before it is forgotten, the second waits still.
        for other in id + 1..=id + (16 - id % 16) * i64::from(id == 3) {
            add(&store, other).expect("a note");
        }
        assert_eq!(self::keys(&scene, id).is_some(), id == 18);
        let erase = if is_whole_session {
            Erase::Sessions(vec![SESSION.clone()])
        } else {
            let drop = Change::DropNote { session: SESSION.clone(), id: NoteId(id) };
            commit(&store, Scope::Session(SESSION.clone()), "drop", &[drop]).expect("a write");
            let bodies = read(&store, |view| {
                let records = view.records(&Scope::Session(SESSION.clone()), 0)?;
                Ok(records.iter().map(|record| record.seq).collect())
            });
            Erase::Parts(Parts { bodies: bodies.expect("a read"), ..Parts::default() })
        };
        store.erase(&erase, None).expect("erased");
        let parts = [SECRET.as_bytes(), &keys[keys.len() - 15..], &keys[..15]];
        for (file, bytes) in scene.bytes() {
            for part in parts {
                let is_in = bytes.windows(part.len()).any(|window| window == part);
                assert!(!is_in, "{id} {is_whole_session}: {file} has {part:?}");
            }
        }
        assert_eq!(faults(&scene.open()), Vec::<String>::new());
    }
}

/// What a later program lets wait, or has in the index, in an order of its own stays where it is.
#[test]
fn documents_of_a_later_program_stay_where_they_are() {
    let scene = Scene::with_notes(3);
    let (waits, indexed) = ((2_i64 << 28) | (7 << 25) | 1, (2_i64 << 28) | (7 << 25) | 2);
    let raw = scene.raw();
    raw.execute("INSERT INTO waiting (number, keys) VALUES (?1, NULL)", [waits]).expect("a row");
    let sql = "INSERT INTO document_index (rowid, tokens) VALUES (?1, 'aaaaaaaa')";
    raw.execute(sql, [indexed]).expect("a row");
    let store = scene.open();
    for id in 10..60 {
        add(&store, id).expect("a note");
    }
    assert_eq!(faults(&store), Vec::<String>::new());
    // A fork is complete without them.
    let fork = SessionKey { external: "fork".to_owned(), ..SESSION.clone() };
    let changes = [
        add_session(fork.clone()),
        Change::Fork {
            session: fork.clone(),
            from: SESSION.clone(),
            page: true,
            notes: true,
            at_once: Some(2),
            at: Time(9),
        },
    ];
    commit(&store, Scope::Session(fork), "fork", &changes).expect("a fork");
    store.erase(&Erase::Nothing, None).expect("complete");
    for (sql, number) in [
        ("SELECT count(*) FROM waiting WHERE number = ?1", waits),
        ("SELECT count(*) FROM document_index_docsize WHERE id = ?1", indexed),
    ] {
        let n: i64 = raw.query_row(sql, [number], |row| row.get(0)).expect("a number");
        assert_eq!(n, 1, "{sql}");
    }
}
