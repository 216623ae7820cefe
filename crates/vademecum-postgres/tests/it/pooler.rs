//! A store behind PgBouncer, which gives each transaction to whatever connection is free; here there is one.

use std::thread;

use vademecum_core::time::Time;
use vademecum_postgres::{Options, Postgres};
use vademecum_store::{Change, Depth, NoteFilter, Outcome, Scope, Store as _, read};

use crate::scene::{add_note, decision, pooler, request, with_session};

/// So many clients write at once, each so many notes.
const WRITERS: i64 = 12;
const NOTES: i64 = 20;

#[test]
fn who_begins_a_store_may_ask_for_its_secret() {
    let Some(server) = pooler() else { return };
    let store = Postgres::at(server.place(), Options::patient());
    let begin = |id: &str, has_secret: bool| {
        let done = store.write(&request(Scope::Store, id), &mut |_| {
            assert_eq!(store.secret().expect("a secret").is_some(), has_secret);
            Ok(decision(&[Change::SetOff { project: None, off_at: Some(Time(1)) }]))
        });
        assert!(matches!(done, Ok(Outcome::Done { .. })), "{done:?}");
    };
    begin("first", false);
    begin("second", true);
}

#[test]
fn many_writers_share_one_connection() {
    let Some(server) = pooler() else { return };
    let (store, session) = with_session(&server);
    let schema = server.last();
    let write = &|writer: i64| {
        let own = Postgres::at(server.address(&format!("schema={schema}")), Options::patient());
        // Some with connections of their own, some with those of one handle.
        let store = if writer % 2 == 0 { &own } else { &store };
        for id in writer * NOTES..(writer + 1) * NOTES {
            let request = request(Scope::Session(session.clone()), &format!("{id}"));
            let done = store.write(&request, &mut |_| {
                // As an operation does that marks what it shows.
                assert!(store.secret().expect("a secret").is_some());
                Ok(decision(&[add_note(&session, id, "text")]))
            });
            assert!(matches!(done, Ok(Outcome::Done { .. })), "{done:?}");
            let notes = read(store, |view| {
                assert!(store.secret().expect("a secret").is_some());
                view.notes(&session, &NoteFilter::ALL, 0)
            });
            assert!(notes.expect("a read").iter().any(|note| note.id.0 == id));
        }
    };
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || write(writer));
        }
    });
    let notes = read(&store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
    assert_eq!(i64::try_from(notes.len()), Ok(WRITERS * NOTES));
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}
