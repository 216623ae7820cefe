//! Of an erased project no byte is left, in no column of no table and in no file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use vademecum_core::entry::{Category, Entry, Labels, Line, Matter, Said, Severity, Status, Text};
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::plan::PlanName;
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Change, Erase, Scope, Store};

use crate::scene::{Scene, commit, files_below};

/// A word of letters, so that it is a key of the index too.
const SECRET: &str = "plantedsecret";

const PROJECT: ProjectId = ProjectId([9; 16]);

/// What each table of the schema holds of a project.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Its words, as they are.
    Words,
    /// Numbers and hashes of what it has.
    Numbers,
    /// What stays when it goes: nothing of it.
    Facts,
}

/// A new table has a line here, and a change below that fills it.
const TABLES: &[(&str, Holds)] = &[
    ("document_index", Holds::Numbers),
    ("entry", Holds::Words),
    ("fork", Holds::Numbers),
    ("handoff", Holds::Words),
    ("holder", Holds::Facts),
    ("journal", Holds::Words),
    ("note", Holds::Words),
    ("notepad", Holds::Words),
    ("other_scope", Holds::Facts),
    ("plan", Holds::Words),
    ("project", Holds::Words),
    ("project_key", Holds::Words),
    ("recap", Holds::Words),
    ("running", Holds::Words),
    ("session", Holds::Words),
    ("store", Holds::Facts),
    ("tag_count", Holds::Words),
    ("waiting", Holds::Numbers),
    ("writer", Holds::Facts),
];

fn key(external: &str, agent: Option<&str>) -> SessionKey {
    let external = format!("{SECRET}-{external}");
    SessionKey { harness: "test".to_owned(), external, agent: agent.map(str::to_owned) }
}

fn session(key: &SessionKey, parent: Option<&SessionKey>) -> Change {
    let place = Place {
        cwd: Some(format!("/home/{SECRET}").into_bytes()),
        transcript: Some(format!("/home/{SECRET}.jsonl").into_bytes()),
        model: Some(SECRET.to_owned()),
        ..Place::default()
    };
    Change::AddSession {
        project: PROJECT,
        key: key.clone(),
        parent: parent.cloned(),
        began: if key.agent.is_some() { Began::Spawn } else { Began::Start },
        instance: 1,
        host_name: SECRET.to_owned(),
        place,
        at: Time(1),
    }
}

fn note(id: i64) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(format!("a {SECRET} of note {id}")).expect("a content"),
        tags: Tags::new(&[SECRET]).expect("a tag"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

fn entry(id: i64) -> Entry {
    let text = |what: &str| Text::new(format!("{SECRET} {what}")).expect("a text");
    let line = || Some(Line::new(SECRET).expect("a line"));
    let workaround = Some(text("way around"));
    let matter = Matter::Issue { severity: Some(Severity::Low), status: Status::Open, workaround };
    let said = Said {
        content: text("issue"),
        matter,
        task: line(),
        pattern: line(),
        tags: Labels::new(&[SECRET]).expect("a tag"),
        ..Said::bare(Category::Issue, text("issue"))
    };
    let plan = PlanName::new(SECRET).expect("a name");
    let session = Some(Arc::new(key("one", None)));
    Entry { id: EntryId(id), plan, at: Time(id), said, session, merged_from: None }
}

/// Puts the word into every table that has room for it.
fn fill(store: &Sqlite) {
    let (one, agent) = (key("one", None), key("one", Some("a")));
    let keys = vec![ProjectKey {
        kind: KeyKind::Folder,
        machine: None,
        value: format!("/home/{SECRET}").into_bytes(),
    }];
    let begin = Change::AddProject { id: PROJECT, name: SECRET.to_owned(), keys, at: Time(1) };
    commit(store, Scope::Store, "begin", &[begin, session(&one, None)]).expect("a session");
    let plan = PlanName::new(SECRET).expect("a name");
    let running = Running {
        began_at: Time(2),
        host_pid: None,
        kind: Some(SECRET.to_owned()),
        asked: Some(SECRET.to_owned()),
    };
    let page = format!("a page on {SECRET}");
    let changes = [
        session(&agent, Some(&one)),
        Change::SetRunning { session: agent, running: Some(running) },
        Change::AddPlan { project: PROJECT, name: plan.clone(), is_tracked: false, at: Time(1) },
        Change::SetActivePlan { session: one.clone(), plan: Some(plan) },
        Change::AddEntry { project: PROJECT, entry: entry(1) },
        Change::EditNotepad {
            session: one.clone(),
            splice: Splice::between("", &page),
            rev: 1,
            at: Time(2),
        },
        Change::SetHandoff { session: one.clone(), text: Some(page.clone()), at: Time(2) },
        Change::SetRecap { session: one.clone(), body: format!("\"{SECRET}\""), at: Time(2) },
    ];
    commit(store, Scope::Session(one.clone()), "fill", &changes).expect("a write");
    // What the page said is in the journal.
    for (rev, old, new) in [(2, page.as_str(), "clean"), (3, "clean", page.as_str())] {
        let splice = Splice::between(old, new);
        let edit = Change::EditNotepad { session: one.clone(), splice, rev, at: Time(3) };
        let id = format!("edit {rev}");
        commit(store, Scope::Session(one.clone()), &id, &[edit]).expect("a write");
    }
    // A slice of them is in the index, the others wait; a fork lacks most.
    let notes = |ids: std::ops::Range<i64>| -> Vec<Change> {
        ids.map(|id| Change::AddNote { session: one.clone(), note: note(id) }).collect()
    };
    commit(store, Scope::Session(one.clone()), "notes", &notes(1..40)).expect("a write");
    let fork = key("fork", None);
    commit(
        store,
        Scope::Session(fork.clone()),
        "fork",
        &[
            session(&fork, None),
            Change::Fork {
                session: fork.clone(),
                from: one,
                page: true,
                notes: true,
                at_once: Some(5),
                at: Time(3),
            },
        ],
    )
    .expect("a fork");
    let entries = (2..5).map(|id| Change::AddEntry { project: PROJECT, entry: entry(id) });
    for (n, entry) in entries.enumerate() {
        // A write id is never erased.
        let id = format!("entry {n}");
        commit(store, Scope::Project(PROJECT), &id, &[entry]).expect("a write");
    }
}

/// How many rows each table has, and the columns of it that hold the word.
fn tables(scene: &Scene) -> BTreeMap<String, (i64, BTreeSet<String>)> {
    let connection = scene.raw();
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table'
                 AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'document_index_%'";
    let mut query = connection.prepare(names).expect("a query");
    let names = query.query_map([], |row| row.get(0)).expect("names");
    let names: Vec<String> = names.collect::<Result<_, _>>().expect("names");
    let holds = |table: &String| {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        let mut query = connection.prepare(&columns).expect("a query");
        let columns = query.query_map([], |row| row.get(0)).expect("columns");
        let columns: Vec<String> = columns.collect::<Result<_, _>>().expect("columns");
        let has = |column: &&String| {
            let sql = format!(
                "SELECT 1 FROM \"{table}\" WHERE instr(CAST(\"{column}\" AS BLOB), CAST(?1 AS BLOB))"
            );
            connection.prepare(&sql).expect("a query").exists([SECRET]).expect("a look")
        };
        let n = format!("SELECT count(*) FROM \"{table}\"");
        let n = connection.query_row(&n, [], |row| row.get(0)).expect("a number");
        (table.clone(), (n, columns.iter().filter(has).cloned().collect()))
    };
    names.iter().map(holds).collect()
}

/// The tokens that the index has.
fn tokens(scene: &Scene) -> Vec<String> {
    let connection = scene.raw();
    let sql = "CREATE VIRTUAL TABLE temp.known USING fts5vocab(main, document_index, row)";
    connection.execute_batch(sql).expect("a table");
    let mut query = connection.prepare("SELECT term FROM temp.known").expect("a query");
    let terms = query.query_map([], |row| row.get(0)).expect("terms");
    terms.collect::<Result<_, _>>().expect("terms")
}

#[test]
fn no_byte_of_an_erased_project_is_left_in_any_column_of_any_table() {
    let scene = Scene::empty();
    let store = Sqlite::at(&scene.database(), Options::patient());
    fill(&store);
    let before = tables(&scene);
    let known: Vec<&str> = TABLES.iter().map(|(table, _)| *table).collect();
    assert_eq!(before.keys().map(String::as_str).collect::<Vec<_>>(), known);
    for (table, holds) in TABLES {
        let (n, columns) = &before[*table];
        let is_of_the_store = *table == "writer";
        assert!(0 < *n || is_of_the_store, "{table} is empty: fill it");
        assert_eq!(*holds == Holds::Words, !columns.is_empty(), "{table}: {columns:?}");
    }
    let indexed = tokens(&scene);
    assert!(30 < indexed.len(), "{} tokens", indexed.len());

    store.erase(&Erase::Project(PROJECT), None).expect("erased");
    for (table, (n, columns)) in tables(&scene) {
        assert_eq!(columns, BTreeSet::new(), "{table}");
        let (_, holds) = TABLES.iter().find(|(known, _)| *known == table).expect("a known table");
        // The journal keeps its entries without their bodies.
        let is_left = *holds == Holds::Facts || table == "journal";
        assert!(n == 0 || is_left, "{table}: {n} rows");
    }
    assert_eq!(tokens(&scene), Vec::<String>::new());
    drop(store);
    for path in files_below(&scene.path(".")) {
        let bytes = fs::read(&path).expect("a file");
        let has = |word: &str| bytes.windows(word.len()).any(|it| it == word.as_bytes());
        assert!(!has(SECRET), "{}", path.display());
        assert!(!indexed.iter().any(|token| has(token)), "{}", path.display());
    }
}
