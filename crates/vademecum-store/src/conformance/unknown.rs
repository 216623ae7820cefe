//! Words that only a later program knows: kept, passed on, and nobody stumbles over them.

use vademecum_core::entry::{Category, Entry, Matter, Said, Severity, Status, Text};
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::plan::PlanName;
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, Place};

use super::scene::{START, commit, fed, key, note, project, session, try_commit, write};
use crate::change::{Change, Unknown};
use crate::error::StoreError;
use crate::store::{Depth, Store, read};
use crate::view::EntryFilter;
use crate::write::{Author, Decision, Origin, Outcome, Scope, Surface, Write};

pub(super) const CASES: &[super::Case] = &[
    ("a way in and an author of a later program stand in the journal", origins),
    ("a scope of a later program has a line of its own", scopes),
    ("a key and a beginning of a later program are kept", keys),
    ("an entry of a category of a later program is kept whole", entries),
    ("a change of a later program is refused, and its write whole", refused),
];

/// A change of a later program, as it may stand there.
const LATER: &str =
    r#"{ "change":"weave_page","thread":[1, 2.50, 1e400],"session":1,"b":"\u00e9","a":null }"#;

/// What stands in an undo list and is not known here is kept byte for byte, and everything goes on.
///
/// `put` puts a list of changes in the place of what undoes an entry, as a later program would have written it.
pub fn check_unknown_changes(store: &dyn Store, put: &dyn Fn(Seq, &str)) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let add =
        |id| vec![Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) }];
    commit(store, scope.clone(), "one", &add(1));
    let body = |seq| read(store, |view| view.body(seq)).expect("a read").expect("a body");
    let seq = read(store, |view| view.last_seq(&scope)).expect("a read");
    let known = body(seq);
    let undo = serde_json::to_string(&known.undo).expect("JSON");
    let list = format!("[{LATER},{},7]", undo.trim_matches(['[', ']']));
    put(seq, &list);
    let later = body(seq);
    assert_eq!((&later.arguments, &later.reply), (&known.arguments, &known.reply));
    assert_eq!(later.undo[1..2], known.undo[..]);
    let unknown = later.unknown().expect("a change of a later program");
    assert_eq!((&*unknown.word, &*unknown.raw), ("weave_page", LATER));
    assert_eq!(serde_json::to_string(&later.undo).expect("JSON"), list);
    let again = store.write(&write(scope.clone(), "one", "one"), &mut |_| panic!("asked again"));
    assert!(matches!(again, Ok(Outcome::Replayed { .. })), "{again:?}");
    let size = || read(store, |view| Ok(view.with_body(seq, 0)?.and_then(|entry| entry.size)));
    let kept = size().expect("a read");
    commit(store, scope.clone(), "two", &add(2));
    commit(store, scope, "undo", &later.undo[1..2]);
    let n_notes = read(store, |view| Ok(view.counts(&session)?.notes));
    assert_eq!((size().expect("a read"), n_notes.expect("a read")), (kept, 1));
    assert_eq!(body(seq), later);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn refused(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let unknown = Unknown { word: "weave_page".into(), raw: LATER.into() };
    let add = Change::AddNote { session: session.clone(), note: note(1, "text", &["a"]) };
    let changes = [add, Change::Unknown(unknown)];
    let refused = try_commit(store, Scope::Session(session.clone()), "w", &changes);
    let is_refused = matches!(&refused, Err(StoreError::Unknown { word }) if word == "weave_page");
    assert!(is_refused, "{refused:?}");
    assert_eq!(read(store, |view| view.counts(&session)).expect("a read").notes, 0);
}

fn origins(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let mut expected = Vec::new();
    for (id, word) in (1..).zip(["http/user", "http/agent", "mcp/robot", "hook/robot", "a/b/c"]) {
        let origin = Origin::parse(word).expect("an origin");
        let add =
            vec![Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) }];
        let name = id.to_string();
        let request = Write { origin: origin.clone(), ..write(scope.clone(), &name, &name) };
        let decide = || Decision::Commit { changes: add.clone(), reply: "1".to_owned() };
        store.write(&request, &mut |_| Ok(decide())).expect("a write");
        expected.push(origin);
    }
    let (all, outside) = read(store, |view| {
        let outside = view.records_outside(&scope, Seq(0), 0)?;
        Ok((view.records(&scope, 0)?, outside))
    })
    .expect("a read");
    assert!(all.iter().rev().map(|record| &record.origin).eq(&expected));
    // Whoever neither the model nor the harness is, is somebody else.
    let outside: Vec<String> = outside.iter().map(|record| record.origin.word()).collect();
    assert_eq!(outside, ["http/user", "mcp/robot", "a/b/c"]);
    let fed = fed(store, all[4].seq, 0);
    assert!(fed.iter().map(|record| &record.origin).eq(&expected[1..]));
    let known = Origin { surface: Surface::Mcp, author: Author::Agent };
    assert_eq!(Origin::parse("mcp/agent"), Some(known));
}

fn scopes(store: &dyn Store) {
    let project = project(store, "/p");
    let scope = Scope::Unknown("team:7".into());
    for id in ["one", "two"] {
        let rename = Change::RenameProject { project, name: id.to_owned() };
        commit(store, scope.clone(), id, &[rename]);
    }
    let found = read(store, |view| view.records(&scope, 0)).expect("a read");
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|record| record.scope.to_string() == "team:7"));
}

fn keys(store: &dyn Store) {
    let project = project(store, "/p");
    let vault = ProjectKey { kind: KeyKind::from("vault"), machine: None, value: b"x".to_vec() };
    let keys = vec![vault.clone()];
    commit(store, Scope::Project(project), "k", &[Change::AddProjectKeys { project, keys }]);
    let add = Change::AddSession {
        project,
        key: key("s", None),
        parent: None,
        began: Began::from("handover"),
        instance: 1,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: START,
    };
    commit(store, Scope::Project(project), "s", &[add]);
    let (found, kept, session) = read(store, |view| {
        let found = view.project_by_keys(std::slice::from_ref(&vault))?;
        Ok((found, view.project_keys(project)?, view.session(&key("s", None))?))
    })
    .expect("a read");
    assert_eq!(found.map(|found| found.id), Some(project));
    assert!(kept.contains(&vault) && kept.len() == 2);
    assert_eq!(session.expect("a session").began.word(), "handover");
}

fn entries(store: &dyn Store) {
    let project = project(store, "/p");
    let plan = PlanName::parse("a").expect("a name");
    let begin = Change::AddPlan { project, name: plan.clone(), is_tracked: false, at: START };
    let text = |text: &str| Text::new(text).expect("a text");
    let risk = Matter::Unknown {
        category: "risk".into(),
        severity: Some(Severity::from("blocker")),
        status: None,
        workaround: Some(text("wait")),
        rationale: Some(text("why")),
        alternatives: None,
    };
    let (severity, status) = (Some(Severity::from("blocker")), Status::from("parked"));
    let issue = Matter::Issue { severity, status, workaround: None };
    let learning = Matter::bare(Category::Learning);
    let mut all = Vec::new();
    for (id, matter) in (1..).zip([risk.clone(), issue, learning, risk]) {
        let supersedes = (id == 4).then_some(EntryId(1));
        let content = text(&format!("text {id}"));
        let said = Said { matter, supersedes, ..Said::bare(Category::Learning, content) };
        let (at, plan) = (START.plus(id), plan.clone());
        all.push(Entry::new(EntryId(id), plan, at, said));
    }
    let add = all.iter().map(|entry| Change::AddEntry { project, entry: entry.clone() });
    let changes: Vec<Change> = std::iter::once(begin).chain(add).collect();
    commit(store, Scope::Project(project), "entries", &changes);
    all.reverse();
    check_entries(store, (project, &plan), &all);
}

fn check_entries(store: &dyn Store, (project, plan): (ProjectId, &PlanName), all: &[Entry]) {
    read(store, |view| {
        let plan = view.plan(project, plan)?.expect("a plan");
        assert_eq!(view.entries(EntryFilter::of(&plan), 0)?, all);
        let in_force = EntryFilter { in_force: true, ..EntryFilter::of(&plan) };
        assert_eq!(view.entries(in_force, 0)?, all[..3]);
        assert_eq!(view.entry_count(in_force)?, 3);
        let issues = EntryFilter { category: Some(Category::Issue), ..in_force };
        assert_eq!(view.entries(issues, 0)?, all[2..3]);
        for entry in all {
            assert_eq!(view.entry(project, entry.id)?.as_ref(), Some(entry));
            let (same, _) = view.same_entry(&plan, &entry.said.sameness())?.expect("the same");
            assert_eq!(&same, entry);
        }
        // A reader is told of the three that it knows.
        assert_eq!(view.newest_entries(&plan, 5)?.0, [all[2].clone(), all[1].clone()]);
        Ok(())
    })
    .expect("a read");
}
