//! What a later program wrote in words that this one does not know: nothing is damage, nothing goes.

use std::fs;
use std::os::unix::fs::FileExt;

use vademecum_core::entry::{Category, Entry, Matter, Said, Text};
use vademecum_core::id::{EntryId, WriteId};
use vademecum_core::plan::PlanName;
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, SessionKey};
use vademecum_core::time::Time;
use vademecum_sqlite::repair::repair;
use vademecum_store::{Change, Decision, Origin, Scope, Store, Write, Writer};

use crate::scene::{PROJECT, Scene, add, add_session, faults, n_notes};

/// A store in which a later program wrote a word of each sort.
fn scene() -> Scene {
    let scene = Scene::with_notes(30);
    let project = PROJECT;
    let text = |text: &str| Text::new(text).expect("a text");
    let plan = PlanName::new("a").expect("a name");
    let category = "risk".into();
    let (severity, status) = (Some("blocker".into()), Some("parked".into()));
    let (workaround, rationale, alternatives) = (Some(text("wait")), Some(text("why")), None);
    let matter =
        Matter::Unknown { category, severity, status, workaround, rationale, alternatives };
    let said = Said { matter, ..Said::bare(Category::Learning, text("the disk fills")) };
    let (id, at) = (EntryId(1), Time(1));
    let entry = Entry::new(id, plan.clone(), at, said);
    let key = SessionKey { harness: "test".to_owned(), external: "t".to_owned(), agent: None };
    let mut session = add_session(key);
    if let Change::AddSession { began, .. } = &mut session {
        *began = Began::from("handover");
    }
    let keys =
        vec![ProjectKey { kind: KeyKind::from("vault"), machine: None, value: b"x".to_vec() }];
    let changes = vec![
        Change::AddPlan { project, name: plan, is_tracked: false, at },
        Change::AddEntry { project, entry },
        Change::AddProjectKeys { project, keys },
        session,
    ];
    let request = Write {
        scope: Scope::Unknown("team:7".into()),
        is_fresh: false,
        id: WriteId::new("later").expect("an id"),
        arguments: [0; 32],
        kind: "later",
        origin: Origin::parse("http/robot").expect("an origin"),
        by: Writer::NONE,
        at,
    };
    let commit = || Decision::Commit { changes: changes.clone(), reply: "1".to_owned() };
    scene.open().write(&request, &mut |_| Ok(commit())).expect("a write");
    scene
}

/// Every row of the tables where such words stand, as it is kept.
fn rows(scene: &Scene) -> Vec<String> {
    let raw = scene.raw();
    let mut rows = Vec::new();
    for sql in [
        "SELECT concat_ws('|', seq, holder, kind, surface, author, write_id, hex(body_hash)) FROM journal",
        "SELECT concat_ws('|', seq, hex(arguments), hex(reply), hex(undo)) FROM journal",
        "SELECT concat_ws('|', text, holder) FROM other_scope",
        "SELECT concat_ws('|', id, harness, external, began) FROM session",
        "SELECT concat_ws('|', kind, hex(value), project) FROM project_key",
        "SELECT concat_ws('|', id, category, content, severity, status, workaround, rationale) FROM entry",
    ] {
        let mut query = raw.prepare(sql).expect("a query");
        let found = query.query_map([], |row| row.get::<_, String>(0)).expect("rows");
        rows.extend(found.map(|row| row.expect("a row")));
    }
    rows
}

#[test]
fn a_repair_finds_no_damage_in_words_of_a_later_program() {
    let scene = scene();
    let before = rows(&scene);
    assert_eq!(faults(&scene.open()), Vec::<String>::new());
    let report = repair(&scene.database()).expect("a report");
    assert_eq!((report.mended, report.n_quarantined), (Vec::new(), 0));
    assert_eq!(rows(&scene), before);
}

#[test]
fn a_store_that_is_saved_row_by_row_keeps_the_words_of_a_later_program() {
    let scene = scene();
    let before = rows(&scene);
    scene.raw().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
    let root: i64 = scene
        .raw()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'tag_count'", [], |row| {
            row.get(0)
        })
        .expect("a page");
    let file = fs::OpenOptions::new().write(true).open(scene.database()).expect("a file");
    let place = u64::try_from(root - 1).expect("a page") * 4096;
    file.write_all_at(&[0xa5; 4096], place).expect("bytes");
    drop(file);
    let report = repair(&scene.database()).expect("a report");
    assert!(report.aside.is_some() && report.n_quarantined == 0, "{report:?}");
    assert_eq!(rows(&scene), before);
    let store = scene.open();
    assert_eq!(faults(&store), Vec::<String>::new());
    add(&store, 31).expect("a note");
    assert_eq!(n_notes(&store).expect("a count"), 31);
}
