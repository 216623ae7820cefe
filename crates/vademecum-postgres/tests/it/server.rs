//! What a server does to its clients: it refuses, ends, is cut off, and others write into its tables.

use std::fs::Permissions;
use std::io::{Read, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use vademecum_core::id::Seq;
use vademecum_postgres::{Options, Postgres};
use vademecum_store::{Depth, Erase, NoteFilter, Outcome, Scope, Store, StoreError, read};

use crate::rights::{PERSON, Role};
use crate::scene::{Server, add_note, add_project, commit, key, server, texts, with_session};

/// Longer than any machine takes to wake a thread; only a bell that does not ring lets it pass.
const LONG: Duration = Duration::from_secs(30);

fn open(server: &Server, settings: &str) -> Postgres {
    Postgres::at(server.address(settings), Options::patient())
}

#[test]
fn who_is_refused_is_told_why_and_no_password() {
    let Some(server) = server() else { return };
    let look = |url: &str| {
        let address = vademecum_postgres::Address::parse(url, &|_| None).expect("an address");
        let store = Postgres::at(address, Options::patient());
        let error = read(&store, |view| view.store()).expect_err("no store");
        assert!(!error.to_string().contains("hunter2"), "{error}");
        error
    };
    let server = server.url.rsplit_once('@').expect("a user").1;
    let (host, _) = server.split_once('/').expect("a database");
    for url in [
        format!("postgres://nobody_here:hunter2@{server}"),
        format!("postgres://vade:hunter2@{host}/no_such_database"),
    ] {
        let error = look(&url);
        assert!(matches!(error, StoreError::Closed { .. }), "{error:?}");
    }
    // A file that others can read is not used, and nothing but a person mends that.
    let folder = tempfile::tempdir().expect("a folder");
    let passwords = folder.path().join("pgpass");
    std::fs::write(&passwords, "*:*:*:*:hunter2").expect("a file");
    std::fs::set_permissions(&passwords, Permissions::from_mode(0o644)).expect("a mode");
    let env = |name: &str| (name == "PGPASSFILE").then(|| passwords.clone().into_os_string());
    let url = format!("postgres://vade@{server}");
    let address = vademecum_postgres::Address::parse(&url, &env).expect("an address");
    let error = read(&Postgres::at(address, Options::patient()), |view| view.store());
    let error = error.expect_err("no password").to_string();
    assert!(error.ends_with("pgpass, so it is not used: chmod 600 it"), "{error}");
    let error = look("postgres://vade:hunter2@127.0.0.1:1/postgres");
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    let error = look(&format!("postgres://vade:hunter2@{server}?sslmode=require"));
    assert!(error.to_string().contains("TLS"), "{error}");
}

#[test]
fn what_cannot_be_written_is_said_to_be_so() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    let schema = server.last();
    let add = |store: &Postgres, id| {
        commit(store, Scope::Session(key("s")), &format!("{id}"), &[add_note(&session, id, "text")])
    };
    let settings = format!("schema={schema}&options=-cdefault_transaction_read_only%3Don");
    let error = add(&open(&server, &settings), 1).expect_err("read-only");
    assert!(matches!(error, StoreError::ReadOnly), "{error:?}");
    // What a server with a full disk answers, which a trigger can say in its place.
    server.raw(&format!(
        "CREATE FUNCTION {schema}.no_room() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER no_room BEFORE INSERT ON {schema}.journal
             EXECUTE FUNCTION {schema}.no_room()"
    ));
    let error = add(&store, 2).expect_err("a full disk");
    assert!(matches!(error, StoreError::Full), "{error:?}");
    server.raw(&format!("DROP FUNCTION {schema}.no_room() CASCADE"));
    assert!(matches!(add(&store, 2), Ok(Outcome::Done { .. })));
    server.raw(&format!("UPDATE {schema}.store SET version = 3000"));
    let error = add(&open(&server, &format!("schema={schema}")), 3).expect_err("a later schema");
    assert!(matches!(error, StoreError::Newer { .. }), "{error:?}");
    assert!(matches!(add(&store, 3), Err(StoreError::Newer { .. })));
}

#[test]
fn a_schema_of_somebody_else_is_left_alone() {
    let Some(server) = server() else { return };
    let address = server.place();
    let schema = address.schema().to_owned();
    server.raw(&format!("CREATE SCHEMA {schema}; CREATE TABLE {schema}.theirs (n integer)"));
    let store = Postgres::at(address, Options::patient());
    let error = commit(&store, Scope::Store, "p", &[add_project()]).expect_err("not ours");
    assert!(matches!(error, StoreError::Foreign), "{error:?}");
}

#[test]
fn many_that_begin_at_once_make_one_store() {
    let Some(server) = server() else { return };
    let address = server.place();
    let begun: Vec<bool> = thread::scope(|scope| {
        let begin = |n: i32| {
            let store = Postgres::at(address.clone(), Options::patient());
            move || commit(&store, Scope::Store, &format!("{n}"), &[add_project()]).is_ok()
        };
        let threads: Vec<_> = (0..12).map(|n| scope.spawn(begin(n))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).collect()
    });
    // The project can be added once, and the schema was made for the others too.
    assert_eq!(begun.iter().filter(|is_done| **is_done).count(), 1);
    let store = Postgres::at(address, Options::patient());
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

/// What was made by the version before this one, without the functions that most calls ask.
#[test]
fn a_store_of_an_older_version_is_brought_to_this_one_by_who_owns_it() {
    let Some(server) = server() else { return };
    let (_, session) = with_session(&server);
    let schema = server.last();
    let named = format!(
        "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = '{schema}'::regnamespace
         AND proname !~ '^(count|keep|is|wipe|drop)_?'"
    );
    let functions = texts(&server.raw(&named));
    assert_eq!(functions.len(), 10, "{functions:?}");
    for function in functions {
        server.raw(&format!("DROP FUNCTION {function}"));
    }
    server.raw(&format!("UPDATE {schema}.store SET version = 2000"));
    let notes = |store: &Postgres| read(store, |view| view.notes(&session, &NoteFilter::ALL, 0));
    let older = "the store failed: it is of schema 2.0, and the next write brings it to 2.1: vade store make does it now";
    let (own, role) = (server.again(), Role::new(&server, "older", &PERSON));
    for told in [notes(&own).map(drop), own.health(Depth::Quick).map(drop)] {
        assert_eq!(told.expect_err("an older one").to_string(), older);
    }
    let add = |store: &Postgres, id| commit(store, Scope::Store, id, &[add_project()]);
    let error = add(&role.store(), "theirs").expect_err("somebody else's").to_string();
    assert!(
        error.contains("it is of schema 2.0, and this user may not bring it to 2.1"),
        "{error}"
    );
    own.intend("nothing").expect("the next write");
    assert_eq!(notes(&own).expect("notes"), []);
    assert_eq!(notes(&role.store()).expect("nothing of theirs"), []);
    server
        .raw(&format!("UPDATE {schema}.store SET version = 3000; DROP FUNCTION {schema}.own_card"));
    for told in [notes(&server.again()).map(drop), add(&server.again(), "newer").map(drop)] {
        assert!(matches!(told, Err(StoreError::Newer { .. })), "{told:?}");
    }
}

#[test]
fn who_waits_is_woken_by_each_write() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    let (other, tell) = (server.again(), mpsc::channel());
    let (tell, told) = tell;
    let start = store.wait(Seq(0), Duration::ZERO).expect("a wait");
    thread::spawn(move || {
        let mut newest = start;
        while newest < Seq(start.0 + 20) {
            newest = other.wait(newest, Duration::MAX).expect("a wait");
            tell.send(newest).expect("somebody listens");
        }
    });
    for n in 1..=20 {
        commit(
            &store,
            Scope::Session(session.clone()),
            &format!("{n}"),
            &[add_note(&session, n, "x")],
        )
        .expect("a note");
        assert_eq!(told.recv_timeout(LONG), Ok(Seq(start.0 + n)));
    }
}

#[test]
fn connections_that_the_server_ends_are_replaced() {
    let Some(server) = server() else { return };
    let (_, session) = with_session(&server);
    // No other test's are ended.
    let name = format!("ended_{}", server.last());
    let store = open(&server, &format!("schema={}&application_name={name}", server.last()));
    let end = || {
        server.raw(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'"
        ));
    };
    let count = || read(&store, |view| Ok(view.counts(&session)?.notes)).expect("a read");
    for id in 1..=3 {
        let scope = Scope::Session(session.clone());
        let request = crate::scene::request(scope, &format!("{id}"));
        let mut n_decided = 0;
        let done = store.write(&request, &mut |_| {
            n_decided += 1;
            if n_decided == 1 {
                end();
            }
            Ok(crate::scene::decision(&[add_note(&session, id, "text")]))
        });
        assert!(matches!(done, Ok(Outcome::Done { .. })), "{done:?}");
        assert_eq!(n_decided, 2);
        end();
        assert_eq!(count(), id.unsigned_abs());
    }
    // In the midst of a look too, which then begins anew.
    let n_looked = AtomicU32::new(0);
    let notes = read(&store, |view| {
        view.session(&session)?;
        if n_looked.fetch_add(1, Ordering::SeqCst) == 0 {
            end();
        }
        view.notes(&session, &NoteFilter::ALL, 0)
    });
    assert_eq!(notes.expect("a read").len(), 3);
    assert_eq!(n_looked.into_inner(), 2);
}

/// A way to the server that is cut behind the first commit, whether it was; it may stay cut.
fn cut_off(server: &Server, is_for_good: bool) -> (u16, Arc<AtomicBool>) {
    let target = server.socket();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let cuts = Arc::new(AtomicBool::new(true));
    let is_on = Arc::clone(&cuts);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            if is_for_good && !is_on.load(Ordering::SeqCst) {
                break;
            }
            let (target, is_on) = (target.clone(), Arc::clone(&is_on));
            thread::spawn(move || carry(&client, &target, &is_on));
        }
    });
    (port, cuts)
}

#[test]
fn a_commit_whose_answer_is_lost_is_made_once() {
    let Some(server) = server() else { return };
    let (_, session) = with_session(&server);
    let (port, cuts) = cut_off(&server, false);
    let store = Postgres::at(server.through(port), Options::patient());
    let add = [add_note(&session, 1, "text")];
    let done = commit(&store, Scope::Session(session.clone()), "once", &add);
    assert!(matches!(done, Ok(Outcome::Done { .. })), "{done:?}");
    assert!(!cuts.load(Ordering::SeqCst), "nothing was cut");
    let notes = read(&store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
    assert_eq!(notes.len(), 1);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

#[test]
fn a_commit_whose_answer_never_comes_is_not_said_to_be_undone() {
    let Some(server) = server() else { return };
    let (direct, session) = with_session(&server);
    let (port, _) = cut_off(&server, true);
    let options = Options { outage: Duration::from_secs(1), ..Options::patient() };
    let store = Postgres::at(server.through(port), options);
    let add = [add_note(&session, 1, "text")];
    let error = commit(&store, Scope::Session(session.clone()), "once", &add).expect_err("cut");
    assert!(matches!(error, StoreError::Unsettled { .. }), "{error:?}");
    assert!(error.to_string().contains("it may be saved or not"), "{error}");
    let notes = read(&direct, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
    assert_eq!(notes.len(), 1);
    // The next one has sent nothing: it is said to have changed nothing.
    let error = commit(&store, Scope::Session(session), "twice", &add).expect_err("away");
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
}

/// Carries bytes both ways; the first answer to a commit is not passed on, and the line is cut.
fn carry(client: &TcpStream, target: &str, cuts: &AtomicBool) {
    let server = TcpStream::connect(target).expect("a server");
    thread::scope(|scope| {
        scope.spawn(|| pass(client, &server, |_| true));
        pass(&server, client, |bytes| {
            // The tag of the command that was completed.
            let is_answer = bytes.windows(7).any(|word| word == b"COMMIT\0");
            let is_cut = is_answer && cuts.swap(false, Ordering::SeqCst);
            !is_cut
        });
    });
}

fn pass(mut from: &TcpStream, mut to: &TcpStream, passes: impl Fn(&[u8]) -> bool) {
    let mut buffer = vec![0; 65_536];
    while let Ok(n) = from.read(&mut buffer) {
        let is_over = n == 0 || !passes(&buffer[..n]) || to.write_all(&buffer[..n]).is_err();
        if is_over {
            break;
        }
    }
    for stream in [from, to] {
        stream.shutdown(Shutdown::Both).ok();
    }
}

#[test]
fn what_was_changed_by_another_program_is_found() {
    let Some(server) = server() else { return };
    for (sql, expected) in [
        (
            "UPDATE S.journal SET kind = 'x' WHERE seq = 2",
            "journal entry 2 was changed by another program",
        ),
        (
            "UPDATE S.journal SET reply = '2' WHERE seq = 2",
            "the body of journal entry 2 was changed",
        ),
        (
            "DELETE FROM S.journal WHERE seq = 3",
            "what follows up to journal entry 3 was taken away",
        ),
        (
            "UPDATE S.session SET n_open = 7",
            "the number of notes of a session is not that of its rows",
        ),
        ("DELETE FROM S.tag_count", "the number of uses of a tag is not that of its notes"),
    ] {
        let (store, session) = with_session(&server);
        commit(&store, Scope::Session(session.clone()), "n", &[add_note(&session, 1, "text")])
            .expect("a note");
        server.raw(&sql.replace("S.", &format!("{}.", server.last())));
        let faults = store.health(Depth::Deep).expect("health").faults;
        assert!(faults.iter().any(|fault| fault == expected), "{sql}: {faults:?}");
    }
}

#[test]
fn nothing_of_what_was_forgotten_is_left_in_the_files_of_tables() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    let scope = Scope::Session(session.clone());
    commit(&store, scope, "n", &[add_note(&session, 1, "a word that is forgotten")])
        .expect("a note");
    let schema = server.last();
    let has_it = || {
        server.raw("CHECKPOINT");
        // The bytes of every page, as they lie in the files.
        let files = server.raw(&format!(
            "SELECT count(*) FROM pg_class, pg_read_binary_file(pg_relation_filepath(pg_class.oid)) AS bytes
             WHERE relnamespace = '{schema}'::regnamespace AND relkind IN ('r', 'i')
                 AND position('a word that is forgotten'::bytea IN bytes) <> 0"
        ));
        crate::scene::texts(&files) != ["0"]
    };
    assert!(has_it());
    // Whoever else works in this database may still see it: then it is not said to be done, and is done later.
    let mut erased = store.erase(&Erase::Sessions(vec![session]), None);
    for _ in 0..30 {
        if let Err(StoreError::Unfinished { .. }) = erased {
            erased = store.erase(&Erase::Nothing, None);
        }
    }
    erased.expect("erased");
    assert!(!has_it());
    assert!(!read(&store, |view| Ok(view.store()?.unfinished.has_bytes)).expect("a read"));
}
