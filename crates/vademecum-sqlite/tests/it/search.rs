//! Search through the real index: a planted note, older than all others, comes first.

use vademecum_core::hash::plain;
use vademecum_core::id::{NoteId, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::search::{Query, rank};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::time::Time;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, NoteFilter, Origin, Scope, Store, Surface, Write, Writer, read,
};

/// So many notes lie on top of the planted ones: more than any bound of a search.
const OTHERS: i64 = 20_000;

const PLANTED: &[(&str, &str)] = &[
    ("parse_config", "The parse_config step drops comments, so settings are edited by span."),
    (
        "src/auth/login.go:45",
        "Order matters in src/auth/login.go:45-67 since the limiter reads the token.",
    ),
    ("E0277", "E0277 on the trait bound came from the missing Send on the guard."),
    ("with_timeout", "Wrap each probe by with_timeout(5s) or the suite hangs for good."),
    ("缓存失效", "部署之后缓存失效的原因是时区设置不一致，需要统一为世界时。"),
    ("parse config", "The parse_config step drops comments, so settings are edited by span."),
    (
        "Login tokens expiry",
        "Login hands out tokens in pairs; the shorter one has an expiry of a day.",
    ),
    ("foo\" OR (bar*", "The filter foo\" OR (bar* is taken word for word, quotes and all."),
    ("C++ -x: AND", "Built as C++ -x: AND the linker flags are passed on unread."),
    ("imeout(5", "Wrap each probe by with_timeout(5s) or the suite hangs for good."),
];

fn note(id: i64, content: &str) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(content).expect("a legal content"),
        tags: Tags::new(&["kept"]).expect("legal tags"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

fn write(store: &Sqlite, scope: Scope, id: &str, changes: &[Change]) {
    let request = Write {
        scope,
        is_fresh: false,
        id: WriteId::new(id).expect("a legal id"),
        arguments: plain(id.as_bytes()),
        kind: "test",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: Writer::NONE,
        at: Time(0),
    };
    let decide = &mut |_: &dyn vademecum_store::View| {
        Ok(Decision::Commit { changes: changes.to_vec(), reply: "null".to_owned() })
    };
    store.write(&request, decide).expect("a write");
}

fn session(store: &Sqlite) -> SessionKey {
    let keys = vec![ProjectKey { kind: KeyKind::Folder, machine: None, value: b"/p".to_vec() }];
    write(
        store,
        Scope::Store,
        "project",
        &[Change::AddProject {
            id: crate::scene::PROJECT,
            name: "p".to_owned(),
            keys: keys.clone(),
            at: Time(0),
        }],
    );
    let project =
        read(store, |view| view.project_by_keys(&keys)).expect("a read").expect("a project").id;
    let key = SessionKey { harness: "test".to_owned(), external: "s".to_owned(), agent: None };
    let add = Change::AddSession {
        project,
        key: key.clone(),
        parent: None,
        began: Began::Start,
        instance: 1,
        host_name: String::new(),
        place: Place::default(),
        at: Time(0),
    };
    write(store, Scope::Project(project), "session", &[add]);
    read(store, |view| view.session(&key)).expect("a read").expect("a session").key
}

/// Texts that hold each word of the planted ones somewhere, and never all of a query.
fn other(n: i64) -> String {
    const WORDS: [&str; 14] = [
        "parse",
        "config",
        "login",
        "tokens",
        "timeout",
        "src/auth/logout.go:12",
        "E0308",
        "缓存",
        "expiry of keys",
        "with retries",
        "parse_args",
        "失效的按钮",
        "foo and bar",
        "c++ with -x",
    ];
    let pick = |step: i64| WORDS[usize::try_from((n * step + n / 7) % 14).expect("an index")];
    format!("Step {n}: {} after {} was seen in run {}", pick(1), pick(5), n * 37 % 1_009)
}

#[test]
fn the_planted_note_comes_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::at(&folder.path().join("vade.db"), Options::patient());
    let session = session(&store);
    let planted = (1..).zip(PLANTED).map(|(id, (_, content))| note(id, content));
    let others = (0..OTHERS).map(|n| note(100 + n, &other(n)));
    let add = |note| Change::AddNote { session: session.clone(), note };
    write(
        &store,
        Scope::Session(session.clone()),
        "notes",
        &planted.chain(others).map(add).collect::<Vec<_>>(),
    );

    for (query, content) in PLANTED {
        let query_read = Query::parse(query);
        let filter = NoteFilter::open(&["kept"]);
        let found =
            read(&store, |view| view.candidates(&session, &query_read, &filter)).expect("a read");
        let hits = rank(&query_read, &found.notes, &found.stats);
        let first = hits.first().map(|hit| found.notes[hit.idx].content.as_str());
        assert_eq!(first, Some(*content), "{query}");
    }
}

#[test]
fn every_text_is_a_legal_query() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::at(&folder.path().join("vade.db"), Options::patient());
    let session = session(&store);
    write(
        &store,
        Scope::Session(session.clone()),
        "note",
        &[Change::AddNote { session: session.clone(), note: note(1, "a \" OR (b* C++ -x: AND") }],
    );
    for query in [
        "foo\" OR (bar*",
        "C++ -x: AND",
        "\"",
        "*",
        "NEAR(",
        "a:b",
        "\0",
        "-",
        "😀",
        "'; DROP TABLE note; --",
    ] {
        let query = Query::parse(query);
        read(&store, |view| view.candidates(&session, &query, &NoteFilter::default()))
            .expect("a read");
    }
}

#[test]
fn a_name_whose_notes_are_all_filtered_out_is_searched_by_its_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::at(&folder.path().join("vade.db"), Options::patient());
    let session = session(&store);
    let scratched =
        Note { scratched_at: Some(Time(1)), ..note(1, "The parse_config step is gone.") };
    let open = note(2, "How we parse flags: one word at a time.");
    let add =
        [scratched, open.clone()].map(|note| Change::AddNote { session: session.clone(), note });
    write(&store, Scope::Session(session.clone()), "notes", &add);
    let query = Query::parse("parse_config");
    let found = read(&store, |view| view.candidates(&session, &query, &NoteFilter::default()));
    assert_eq!(found.expect("a read").notes, [open]);
}

#[test]
fn a_name_finds_the_longer_names_that_hold_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::at(&folder.path().join("vade.db"), Options::patient());
    let session = session(&store);
    let contents = [
        "The parse_config step drops comments.",
        "preParseConfigFile runs before it.",
        "lib/parse/config.rs holds the table.",
        "How we parse a flag, not a config.",
        "The reparse_configs job is another.",
    ];
    let notes: Vec<Note> = (1..).zip(contents).map(|(id, content)| note(id, content)).collect();
    let add = |note: &Note| Change::AddNote { session: session.clone(), note: note.clone() };
    let add: Vec<Change> = notes.iter().map(add).collect();
    write(&store, Scope::Session(session.clone()), "notes", &add);
    let query = Query::parse("parse_config");
    let found = read(&store, |view| view.candidates(&session, &query, &NoteFilter::default()));
    assert_eq!(found.expect("a read").notes, notes[..3]);
}
