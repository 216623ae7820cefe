//! Of an erased project no byte is left, in no column of no table and in no file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{Erase, Store};

use crate::full::{PROJECT, SECRET, fill};
use crate::scene::{Scene, files_below};

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
    ("stood", Holds::Words),
    ("store", Holds::Facts),
    ("tag_count", Holds::Words),
    ("waiting", Holds::Numbers),
    ("writer", Holds::Facts),
];

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
