//! Stores that programs of 1.0, 1.5 and 1.6 wrote, brought over: whole, stopped at each step, and refused.
//!
//! The three scripts are those stores as SQL, without their search indexes; the key stands in them as in a backup.
//! Each has notes that were changed, scratched, deleted and forgotten, revisions, a desk and a forgotten session; the later
//! ones a plan with entries, forks that borrow and one that ceased to, a sub-agent that runs, a handoff and who took it over.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tempfile::TempDir;
use vademecum_core::hash::{hex, plain};
use vademecum_core::id::{NoteId, Seq, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_ops::copying;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, CopiedBody, CopiedRecord, JournalEntry, JournalFilter, NoteFilter, Origin,
    Scope, Surface, View, Writer, read,
};

use super::target::Target;
use super::{Report, bring, compare, convert, source};

const V1_0: &str = include_str!("tests/v1.0.sql");
const V1_5: &str = include_str!("tests/v1.5.sql");
const V1_6: &str = include_str!("tests/v1.6.sql");

/// How many of each the stores hold, in the order of a report.
const COUNTS_1_0: [u64; 9] = [2, 3, 1, 7, 0, 0, 0, 0, 27];
const COUNTS_1_5: [u64; 9] = [2, 7, 3, 20, 3, 6, 1, 1, 61];
const COUNTS_1_6: [u64; 9] = [2, 7, 3, 20, 3, 6, 1, 1, 57];

/// How many bodies were erased in the store of 1.6.
const ERASED: usize = 5;

/// The last entry of that store, whose seals nobody can check without a key.
const UNSEALED: i64 = 57;

/// The scopes there of a session that was forgotten.
const GONE: [&str; 2] = ["gone:session:3", "gone:session:3"];

/// A store of before, and a place for the new one.
struct Scene {
    folder: TempDir,
}

impl Scene {
    /// Makes a store of a script and `more`; its last writes lie in the log alone.
    fn new(script: &str, more: &str) -> Self {
        // In memory where that is: each write of the new store waits for the disk.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let scene = Self { folder: folder.expect("a folder") };
        fs::create_dir(scene.folder.path().join("old")).expect("a folder");
        let connection = Connection::open(scene.from()).expect("a database");
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("set");
        // Rows stand in the script as tables do, not in the order of what they refer to.
        let set =
            "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 0;";
        connection
            .execute_batch(&format!("{set} BEGIN; {script} COMMIT; {more}"))
            .expect("a store");
        scene
    }

    fn from(&self) -> PathBuf {
        self.folder.path().join("old/vade.db")
    }

    fn to(&self) -> PathBuf {
        self.folder.path().join("new/vade.db")
    }

    /// Converts; the step with this number, from 0, fails, and so does all behind it, as for one that was killed.
    fn convert(&self, fails_at: Option<usize>) -> Result<Report> {
        let mut n_steps = 0;
        convert(&self.from(), &self.to(), Time(1_795_700_000_000), &mut |what| {
            n_steps += 1;
            ensure!(fails_at.is_none_or(|n| n_steps <= n), "stopped at: {what}");
            Ok(())
        })
    }

    /// Every file beside the old store, with its bytes.
    fn old_files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files(&self.folder.path().join("old"))
    }

    fn look<T>(&self, look: impl Fn(&dyn View) -> T) -> T {
        let store = Sqlite::at(&self.to(), Options::patient());
        read(&store, |view| Ok(look(view))).expect("a snapshot")
    }

    fn journal(&self) -> Vec<JournalEntry> {
        self.look(|view| {
            let (oldest_first, bodies) = (true, u64::MAX);
            let all = JournalFilter { oldest_first, bodies, ..JournalFilter::default() };
            view.journal(&all).expect("a journal")
        })
    }
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    paths.map(|path| (path.clone(), fs::read(&path).expect("bytes"))).collect()
}

fn session(name: &str) -> SessionKey {
    let (harness, external) = name.split_once(':').expect("a name");
    SessionKey { harness: harness.to_owned(), external: external.to_owned(), agent: None }
}

/// The session that the forks were copied from, one that still borrows, and one that has written since.
fn forks() -> [SessionKey; 3] {
    [
        "codex:11111111-aaaa-4000-8000-000000000001",
        "codex:22222222-bbbb-4000-8000-000000000002",
        "codex:44444444-dddd-4000-8000-000000000004",
    ]
    .map(session)
}

#[track_caller]
fn check_counts(script: &str, version: &str, expected: [u64; 9]) {
    let scene = Scene::new(script, "");
    let before = scene.old_files();
    let report = scene.convert(None).expect("converted");
    assert_eq!(report.version, version);
    assert_eq!(report.counts.iter().map(|(n, _)| *n).collect::<Vec<_>>(), expected);
    assert_eq!(scene.old_files(), before);
    let new = files(&scene.folder.path().join("new")).into_keys();
    let names: Vec<_> = new.map(|path| path.file_name().expect("a name").to_owned()).collect();
    assert_eq!(names, ["vade.db", "vade.key"]);
}

#[test]
fn a_store_of_1_0_is_brought_over() {
    check_counts(V1_0, "1.0", COUNTS_1_0);
}

#[test]
fn a_store_of_1_5_is_brought_over() {
    check_counts(V1_5, "1.5", COUNTS_1_5);
}

#[test]
fn a_store_of_1_6_is_brought_over() {
    check_counts(V1_6, "1.6", COUNTS_1_6);
}

#[test]
fn a_link_to_a_store_stands_for_all_that_lies_beside_it() {
    let scene = Scene::new(V1_6, "");
    let link = scene.folder.path().join("link.db");
    std::os::unix::fs::symlink(scene.from(), &link).expect("a link");
    let report = convert(&link, &scene.to(), Time(0), &mut |_| Ok(())).expect("converted");
    assert_eq!(report.counts.iter().map(|(n, _)| *n).collect::<Vec<_>>(), COUNTS_1_6);
}

#[test]
fn each_version_between_is_read_without_the_tables_that_came_later() {
    let mut more = String::new();
    for (version, tables) in [
        (1004, &["worked"][..]),
        (1003, &["borrowed"]),
        (1002, &["running"]),
        (1001, &["handoff", "recap", "work"]),
        (1000, &["active_plan", "entry", "plan"]),
    ] {
        more.extend(tables.iter().map(|table| format!("DROP TABLE {table};")));
        let scene = Scene::new(V1_5, &format!("{more} PRAGMA user_version = {version};"));
        let report = scene.convert(None).expect("converted");
        assert_eq!(report.version, format!("1.{}", version - 1000));
        let expected = if version < 1001 { 0 } else { COUNTS_1_5[5] };
        assert_eq!(report.counts[5].0, expected);
    }
}

#[test]
fn what_a_fork_borrowed_is_a_copy() {
    for script in [V1_5, V1_6] {
        let scene = Scene::new(script, "");
        scene.convert(None).expect("converted");
        scene.look(|view| {
            let [from, borrows, writes] = forks();
            let ids = |key: &SessionKey| -> Vec<NoteId> {
                let open = NoteFilter { by_id: true, ..NoteFilter::default() };
                view.notes(key, &open, 0).expect("notes").iter().map(|note| note.id).collect()
            };
            let text = |key: &SessionKey| view.notepad(key).expect("a page").expect("one").text;
            // Crossed out at the source after the copy was made.
            assert_eq!(ids(&from).len() + 1, ids(&borrows).len());
            assert_eq!(ids(&borrows).len() + 1, ids(&writes).len());
            assert_eq!(text(&borrows), "A page of the desk.");
            assert_eq!(text(&from), "# Plan\n- [ ] one\n");
            assert_eq!(text(&writes), "Another page of the fork.");
        });
    }
}

#[test]
fn undo_lists_name_what_they_undo() {
    let scene = Scene::new(V1_5, "");
    scene.convert(None).expect("converted");
    let [_, borrows, _] = forks();
    let mut n_named = 0;
    for entry in scene.journal() {
        for change in entry.body.iter().flat_map(|body| &body.undo) {
            assert!(!matches!(change, Change::Unknown(_)), "{change:?}");
            n_named += 1;
        }
        let is_copy = entry.record.kind == "copy_session"
            && entry.record.scope == Scope::Session(borrows.clone());
        if let Some(body) = entry.body.filter(|_| is_copy) {
            let [Change::DropNotes { session: same, .. }, Change::DropNotepad { session }] =
                &body.undo[..]
            else {
                panic!("{:?}", body.undo);
            };
            assert_eq!((session, same), (&borrows, &borrows));
        }
    }
    assert!(25 < n_named, "{n_named}");
}

#[test]
fn who_took_over_whose_work_is_found_by_the_names_of_both() {
    for script in [V1_5, V1_6] {
        let scene = Scene::new(script, "");
        scene.convert(None).expect("converted");
        let [before, ..] = forks();
        let this = session("codex:55555555-eeee-4000-8000-000000000005");
        // As the operations make it: of kind, both names, the beginning of the one before, and when it wrote its words.
        let arguments = scene.look(|view| {
            let began = view.session(&before).expect("a look").expect("one").started_at;
            let words = view.handoff(&before).expect("a look").expect("words").updated_at;
            let json = serde_json::to_string(&(&this, &before, began, words)).expect("JSON");
            plain(format!("follow_session\n{json}").as_bytes())
        });
        let journal = scene.journal();
        let is_it = |entry: &&JournalEntry| entry.record.kind == "follow_session";
        let found: Vec<&JournalEntry> = journal.iter().filter(is_it).collect();
        let [entry] = found[..] else { panic!("{found:?}") };
        assert_eq!(entry.record.scope, Scope::Session(this));
        assert_eq!(entry.record.write_id, hex(&arguments, 16));
        assert_eq!(entry.body.as_ref().map(|body| body.arguments), Some(arguments));
    }
}

#[test]
fn erased_bodies_stay_erased_and_nothing_is_said_of_what_is_gone() {
    let scene = Scene::new(V1_6, "");
    scene.convert(None).expect("converted");
    let journal = scene.journal();
    let is_erased = |entry: &&JournalEntry| entry.body.is_none();
    assert_eq!(journal.iter().filter(is_erased).count(), ERASED);
    assert!(journal.iter().all(|entry| !entry.record.write_id.starts_with("forgotten-")));
    let gone: Vec<String> = journal
        .iter()
        .filter(|entry| entry.record.scope.is_gone())
        .map(|entry| entry.record.scope.to_string())
        .collect();
    assert_eq!(gone, GONE);
}

#[test]
fn the_first_entry_says_where_the_old_journal_ended() {
    for (script, more, key) in
        [(V1_6, "", "kept"), (V1_6, "DELETE FROM store WHERE name = 'key';", "lost and made anew")]
    {
        let scene = Scene::new(script, more);
        scene.convert(None).expect("converted");
        let journal = scene.journal();
        let first = &journal[0];
        assert_eq!((first.record.seq, &first.record.scope), (Seq(1), &Scope::Store));
        assert_eq!(first.record.kind, "convert_store");
        let reply = &first.body.as_ref().expect("a body").reply;
        let said: serde_json::Value = serde_json::from_str(reply).expect("JSON");
        assert_eq!((&said["version"], &said["key"]), (&"1.6".into(), &key.into()));
        let n_unsealed = if more.is_empty() { 0 } else { UNSEALED };
        assert_eq!(said["unsealed_up_to"], n_unsealed);
        let heads = said["heads"].as_array().expect("a list");
        let connection = Connection::open(scene.from()).expect("the old store");
        let sql = "SELECT max(seq), lower(hex(hash)) FROM journal GROUP BY scope ORDER BY 1";
        let mut query = connection.prepare(sql).expect("a query");
        let rows = query.query_map([], |row| {
            Ok(serde_json::json!([row.get::<_, i64>(0)?, row.get::<_, String>(1)?]))
        });
        let rows: Vec<_> = rows.expect("rows").map(|row| row.expect("a row")).collect();
        assert_eq!(heads, &rows);
    }
}

#[test]
fn the_key_comes_over_and_a_lost_one_is_made_anew() {
    let key = [7; 32];
    let without = "DELETE FROM store WHERE name = 'key';";
    // Nothing was sealed with this one: all is held by its order alone.
    let accepted = "INSERT INTO store VALUES ('accepted', '1000');";
    let scene = Scene::new(V1_6, &format!("{without} {accepted}"));
    fs::write(scene.from().with_extension("key"), key).expect("a key");
    scene.convert(None).expect("converted");
    assert_eq!(fs::read(scene.to().with_extension("key")).expect("a key"), key);

    let scene = Scene::new(V1_6, without);
    let report = scene.convert(None).expect("converted");
    assert_eq!(report.notices.len(), 1);
    assert_eq!(fs::read(scene.to().with_extension("key")).expect("a key").len(), 32);
}

#[test]
fn the_words_of_a_later_program_stay() {
    let raw = r#"{"change":"set_mood","session":1,"mood":"calm"}"#;
    let body = format!(r#"{{"arguments":"","reply":"null","undo":[{raw}]}}"#);
    let more = format!(
        "DELETE FROM store WHERE name = 'key';
         INSERT INTO journal VALUES (900, 'machine:7', 'w', 'mood', 'pigeon/oracle', 5,
             zeroblob(32), zeroblob(32), zeroblob(32));
         INSERT INTO journal_body VALUES (900, CAST('{body}' AS BLOB));"
    );
    let scene = Scene::new(V1_6, &more);
    scene.convert(None).expect("converted");
    let journal = scene.journal();
    let entry = journal.iter().find(|entry| entry.record.kind == "mood").expect("the entry");
    assert_eq!(entry.record.scope.to_string(), "machine:7");
    assert_eq!(entry.record.origin.word(), "pigeon/oracle");
    let unknown = entry.body.as_ref().and_then(|body| body.unknown()).expect("a change");
    assert_eq!(&*unknown.raw, raw);
}

#[test]
fn what_names_a_row_that_is_gone_cannot_be_made() {
    let more = "DELETE FROM store WHERE name = 'key';
        INSERT INTO journal_body SELECT max(seq), CAST(
            '{\"arguments\":\"\",\"reply\":\"null\",\"undo\":[{\"change\":\"drop_note\",\"session\":3,\"id\":1}]}'
            AS BLOB) FROM journal WHERE seq NOT IN (SELECT seq FROM journal_body);";
    let scene = Scene::new(V1_6, more);
    scene.convert(None).expect("converted");
    let journal = scene.journal();
    let words: Vec<&str> = journal
        .iter()
        .filter_map(|entry| entry.body.as_ref()?.unknown())
        .map(|unknown| &*unknown.word)
        .collect();
    assert_eq!(words, ["gone"]);
}

#[test]
fn one_that_is_stopped_leaves_the_old_store_and_a_repeat_finishes() {
    let whole = Scene::new(V1_6, "");
    let expected = whole.convert(None).expect("converted").counts;
    for n in 0.. {
        let scene = Scene::new(V1_6, "");
        let before = scene.old_files();
        let Err(error) = scene.convert(Some(n)) else {
            assert!(25 < n, "{n} steps");
            return;
        };
        assert_eq!(scene.old_files(), before, "{n}: {error:#}");
        let was_given = scene.to().exists();
        let report =
            scene.convert(None).unwrap_or_else(|again| panic!("{n}: {error:#}: {again:#}"));
        assert_eq!(report.version.is_empty(), was_given, "{n}: {error:#}");
        assert!(was_given || report.counts == expected, "{n}: {error:#}");
        assert_eq!(scene.old_files(), before, "{n}: {error:#}");
        let journal =
            |scene: &Scene| scene.journal().into_iter().map(|entry| entry.record.write_id);
        assert!(journal(&scene).eq(journal(&whole)), "{n}: {error:#}");
        assert!(!scene.folder.path().join("new/vade.db.converting").exists(), "{n}: {error:#}");
    }
}

/// What the comparing says of a store that has had one more change.
#[track_caller]
fn check_found(change: Option<Change>, expected: &str) {
    let scene = Scene::new(V1_6, "");
    let folder = scene.folder.path();
    let store = folder.join("new.db");
    let mut go_on = |_: &str| Ok(());
    let old = source::take(&scene.from(), &folder.join("copy.db"), &mut go_on).expect("a copy");
    let mut target = Target::new(&store, Time(1), &mut go_on);
    bring::head(&old, &mut target).expect("the head");
    bring::state(&old, &mut target).expect("the state");
    let places = super::journal::bring(&old, &mut target).expect("the journal");
    bring::standing(&old, &places, &mut target).expect("the rest");
    if let Some(change) = change {
        target.write(copying::KIND, vec![change], "null").expect("written");
    }
    drop(target);
    let found = compare::whole(&old, &store, &places);
    let found = found.map_or_else(|error| error.to_string(), |_| "nothing".to_owned());
    assert!(found.contains(expected), "{found}");
}

#[test]
fn comparing_finds_what_differs() {
    let [session, borrows, _] = forks();
    let (at, text) = (Time(5), Some("Other words.".to_owned()));
    let splice = Splice::between("", "One ");
    let record = CopiedRecord {
        scope: Scope::Store,
        write_id: WriteId::new("more").expect("an id"),
        kind: "more".to_owned(),
        origin: Origin { surface: Surface::Cli, author: Author::User },
        by: Writer::NONE,
        at,
        body: CopiedBody::Erased([0; 16]),
    };
    check_found(None, "nothing");
    for (change, expected) in [
        (Change::SetOff { project: None, off_at: Some(at) }, "when vade was switched off"),
        (Change::SetHandoff { session: session.clone(), text, at }, "left for the next"),
        (Change::DropNotepad { session: borrows.clone() }, "what is counted of codex:2222"),
        (Change::DropNotes { session: borrows, upto: NoteId(i64::MAX) }, "note_"),
        (Change::EditNotepad { session: session.clone(), splice, rev: 4, at }, "the page of"),
        (Change::SetRunning { session, running: None }, "nothing"),
        (Change::CopyRecord(Box::new(record)), "the journal has grown"),
    ] {
        check_found(Some(change), expected);
    }
}

/// What a store is refused with, and that nothing was made of it.
#[track_caller]
fn check_refused(more: &str, prepare: impl Fn(&Scene), expected: &str) {
    let scene = Scene::new(V1_6, more);
    prepare(&scene);
    let before = scene.old_files();
    let was_there = scene.to().exists();
    let error = scene.convert(None).expect_err("refused");
    let error = format!("{error:#}").replace(&*scene.folder.path().to_string_lossy(), "");
    assert!(error.contains(expected), "{error}");
    assert_eq!(scene.old_files(), before);
    assert_eq!(scene.to().exists(), was_there);
    assert!(!scene.folder.path().join("new/vade.db.converting").exists(), "{error}");
}

#[test]
fn what_cannot_be_brought_over_is_refused_with_a_reason() {
    let nothing = |_: &Scene| {};
    for (more, expected) in [
        ("PRAGMA user_version = 1007;", "of version 1.7, and 1.0 to 1.6 are read"),
        ("PRAGMA user_version = 92000;", "of version 92.0, and 1.0 to 1.6 are read"),
        ("PRAGMA application_id = 5;", "no vademecum store"),
        ("INSERT INTO store VALUES ('forget:3', '[]');", "1 things were begun to be forgotten"),
        ("UPDATE journal SET at = at + 1 WHERE seq = 9;", "the journal does not hold at entry 9"),
        ("UPDATE journal_body SET body = x'7b7d' WHERE seq = 9;", "journal entry 9"),
        ("DELETE FROM journal WHERE seq = 9;", "the journal does not hold at entry 10"),
        ("UPDATE note SET tags = '' WHERE row = 1;", "cannot be read"),
    ] {
        check_refused(more, nothing, expected);
    }
}

#[test]
fn paths_that_are_taken_are_refused_with_a_reason() {
    let make = |name: &'static str| {
        move |scene: &Scene| {
            fs::create_dir_all(scene.folder.path().join("new")).expect("a folder");
            fs::write(scene.folder.path().join(name), "words").expect("a file");
        }
    };
    for (name, expected) in [
        ("new/vade.db", "/new/vade.db is there already: name a file that is not"),
        ("new/vade.db-wal", "/new/vade.db-wal is there already and belongs to a store"),
        ("new/vade.key", "/new/vade.key is there already and belongs to a store"),
    ] {
        check_refused("", make(name), expected);
    }
    let scene = Scene::new(V1_6, "");
    let (from, beside) = (scene.from(), scene.folder.path().join("old/vade.new"));
    let convert = |from: &Path, to: &Path| convert(from, to, Time(0), &mut |_| Ok(()));
    let error = convert(&from, &beside).expect_err("the same key").to_string();
    assert!(error.contains("would have the key of"), "{error}");
    let error = convert(&from.with_extension("none"), &scene.to()).expect_err("no file");
    assert!(error.to_string().starts_with("cannot read"), "{error}");
    fs::hard_link(&from, from.with_extension("two")).expect("a second name");
    let error = convert(&from, &scene.to()).expect_err("two names").to_string();
    assert!(error.contains("has 2 names"), "{error}");
    let error = super::run(&["one".to_owned()]).expect_err("one path").to_string();
    assert_eq!(error, "two paths are taken, 1 given: run: cargo xtask convert FROM TO");
}
