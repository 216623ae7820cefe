//! What an erasure takes along, and what is left: nothing of it, under no name.

use vademecum_core::entry::{Category, Entry, Said, Text};
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::plan::PlanName;
use vademecum_core::session::{Began, Place, SessionKey};

use super::scene::{START, commit, folder, key, note, project, session, try_commit};
use crate::change::Change;
use crate::journal::JournalEntry;
use crate::store::{Erase, Parts, Store, read};
use crate::view::{Counts, JournalFilter, SessionFilter};
use crate::write::{Outcome, Scope};

pub(super) const CASES: &[super::Case] = &[
    ("sub-agents go with the session that started them, and no others", sub_agents),
    ("the bodies of a session and of a project go with it", bodies),
    ("a project leaves its name and its keys free", projects),
    ("parts are erased each by itself", parts),
    ("the id of an erased entry is not given again", last_entry),
    ("what names something erased cannot be undone any more", undo_of_gone),
    ("a session under the name of an erased one has nothing of it", made_again),
];

fn begin(
    store: &dyn Store,
    project: ProjectId,
    key: &SessionKey,
    parent: Option<&SessionKey>,
    began: Began,
) {
    let add = Change::AddSession {
        project,
        key: key.clone(),
        parent: parent.cloned(),
        began,
        instance: 1,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: START,
    };
    commit(store, Scope::Session(key.clone()), "begin", &[add]);
}

fn add_note(store: &dyn Store, session: &SessionKey, id: i64) -> Outcome {
    let add = Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) };
    commit(store, Scope::Session(session.clone()), &format!("add {id}"), &[add])
}

/// The whole journal with its bodies, the oldest entry first.
fn journal(store: &dyn Store) -> Vec<JournalEntry> {
    let all = JournalFilter { oldest_first: true, bodies: u64::MAX, ..JournalFilter::default() };
    read(store, |view| view.journal(&all)).expect("a journal")
}

fn sub_agents(store: &dyn Store) {
    let project = project(store, "/p");
    let (one, two) = (session(store, project, "one"), session(store, project, "two"));
    let (child, other) = (key("one", Some("a")), key("two", Some("a")));
    let (next, fork) = (key("next", None), key("fork", None));
    for (key, of, began) in [
        (&child, &one, Began::Spawn),
        (&other, &two, Began::Spawn),
        (&next, &one, Began::Clear),
        (&fork, &child, Began::Fork),
    ] {
        begin(store, project, key, Some(of), began);
    }
    let parents = || {
        let all = read(store, |view| view.sessions(SessionFilter::ALL)).expect("a read");
        let mut all: Vec<_> = all.into_iter().map(|it| (it.key, it.parent)).collect();
        all.sort();
        all
    };
    let some = |key: &SessionKey| Some(key.clone());
    let mut expected = vec![
        (one.clone(), None),
        (two.clone(), None),
        (child.clone(), some(&one)),
        (other.clone(), some(&two)),
        (next.clone(), some(&one)),
        (fork.clone(), some(&child)),
    ];
    expected.sort();
    assert_eq!(parents(), expected);
    store.erase(&Erase::Sessions(vec![one, key("unknown", None)]), None).expect("erased");
    let mut expected = vec![(two.clone(), None), (other, Some(two)), (next, None), (fork, None)];
    expected.sort();
    assert_eq!(parents(), expected);
}

fn bodies(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    let (one, two) = (session(store, mine, "one"), session(store, mine, "two"));
    let far = session(store, other, "far");
    for session in [&one, &two, &far] {
        add_note(store, session, 1);
    }
    let has_body = |scope: &Scope| {
        let (scope, bodies) = (Some(scope), u64::MAX);
        let filter = JournalFilter { scope, bodies, ..JournalFilter::default() };
        let found = read(store, |view| view.journal(&filter)).expect("a read");
        assert!(!found.is_empty() || scope == Some(&Scope::Session(one.clone())));
        found.iter().any(|entry| entry.size.is_some() || entry.body.is_some())
    };
    let scopes = [
        Scope::Store,
        Scope::Project(mine),
        Scope::Project(other),
        Scope::Session(one.clone()),
        Scope::Session(two),
        Scope::Session(far),
    ];
    let n_entries = journal(store).len();
    store.erase(&Erase::Sessions(vec![one.clone()]), None).expect("erased");
    assert_eq!(scopes.each_ref().map(has_body), [true, true, true, false, true, true]);

    store.erase(&Erase::Project(mine), None).expect("erased");
    // The bodies of scope `store` hold the names and folders of projects.
    assert!(!has_body(&Scope::Store));
    assert!([&scopes[2], &scopes[5]].into_iter().all(has_body));
    let left = journal(store);
    let n_bodies = left.iter().filter(|entry| entry.body.is_some()).count();
    assert_eq!((left.len(), n_bodies), (n_entries, 2));
    let is_named = |scope: &Scope| left.iter().any(|entry| entry.record.scope == *scope);
    assert_eq!(scopes.each_ref().map(is_named), [true, false, true, false, false, true]);
}

fn projects(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    let (gone, kept) = (session(store, mine, "gone"), session(store, other, "kept"));
    store.erase(&Erase::Project(mine), None).expect("erased");
    store.erase(&Erase::Project(mine), None).expect("gone already");
    let seen = read(store, |view| {
        let known = view.project_by_keys(&[folder("/p"), folder("/q")])?;
        let left = view.projects(None)?.into_iter().map(|project| project.id);
        let left: Vec<_> = left.collect();
        Ok((known.map(|project| project.id), left, view.session(&gone)?, view.session(&kept)?))
    });
    let (known, left, gone, kept) = seen.expect("a read");
    assert_eq!((known, left, gone), (Some(other), vec![other], None));
    assert_eq!(kept.map(|session| session.project), Some(other));
    let (id, name, keys) = (mine, "again".to_owned(), vec![folder("/p")]);
    commit(store, Scope::Store, "again", &[Change::AddProject { id, name, keys, at: START }]);
    let known = read(store, |view| view.project_by_keys(&[folder("/p")])).expect("a read");
    assert_eq!(known.map(|project| project.name).as_deref(), Some("again"));
}

fn parts(store: &dyn Store) {
    let project = project(store, "/p");
    let [one, two] = ["one", "two"].map(|name| session(store, project, name));
    let plan = PlanName::project();
    let begin = Change::AddPlan { project, name: plan.clone(), is_tracked: false, at: START };
    let entry = |id| {
        let said = Said::bare(Category::Learning, Text::new("text").expect("a text"));
        let (id, plan) = (EntryId(id), plan.clone());
        let entry = Entry::new(id, plan, START, said);
        Change::AddEntry { project, entry }
    };
    let recap = |session: &SessionKey| {
        let (session, body) = (session.clone(), "body".to_owned());
        Change::SetRecap { session, body, at: START }
    };
    let all = [begin, entry(1), entry(2), recap(&one), recap(&two)];
    let Outcome::Done { seq } = commit(store, Scope::Project(project), "all", &all) else {
        panic!("not done")
    };
    add_note(store, &one, 1);
    let parts = Parts {
        bodies: vec![seq, Seq(9_999)],
        recaps: vec![one.clone(), key("unknown", None)],
        entries: vec![(project, EntryId(1)), (project, EntryId(7)), (ProjectId::NONE, EntryId(2))],
    };
    store.erase(&Erase::Parts(parts), None).expect("erased");
    let seen = read(store, |view| {
        let entries = [view.entry(project, EntryId(1))?, view.entry(project, EntryId(2))?];
        let recaps = [view.recap(&one)?, view.recap(&two)?];
        Ok((entries.map(|it| it.is_some()), recaps.map(|it| it.is_some()), view.body(seq)?))
    });
    assert_eq!(seen.expect("a read"), ([false, true], [false, true], None));
    assert!(journal(store).last().is_some_and(|entry| entry.body.is_some()));
    assert_eq!(read(store, |view| view.counts(&one)).expect("a read").notes, 1);
}

fn last_entry(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    let plan = PlanName::project();
    let add = |project, id| {
        let said = Said::bare(Category::Learning, Text::new("text").expect("a text"));
        let (id, plan) = (EntryId(id), plan.clone());
        let entry = Entry::new(id, plan, START, said);
        Change::AddEntry { project, entry }
    };
    let begin = |project| {
        let (name, is_tracked) = (plan.clone(), false);
        Change::AddPlan { project, name, is_tracked, at: START }
    };
    let all = [begin(mine), add(mine, 1), add(mine, 2), add(mine, 3), begin(other), add(other, 1)];
    commit(store, Scope::Project(mine), "all", &all);
    let last = || read(store, |view| Ok([view.last_entry(mine)?, view.last_entry(other)?]));
    let given = |last| [Some(EntryId(last)), Some(EntryId(1))];
    for erased in [&[2][..], &[3], &[1, 3]] {
        let entries = erased.iter().map(|id| (mine, EntryId(*id))).collect();
        let parts = Parts { entries, ..Parts::default() };
        store.erase(&Erase::Parts(parts), None).expect("erased");
        assert_eq!(last().expect("a read"), given(3));
    }
    commit(store, Scope::Project(mine), "next", &[add(mine, 4)]);
    assert_eq!(last().expect("a read"), given(4));
    store.erase(&Erase::Project(mine), None).expect("erased");
    assert_eq!(last().expect("a read"), [None, Some(EntryId(1))]);
}

fn undo_of_gone(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    let [one, two] = ["one", "two"].map(|name| session(store, mine, name));
    let changes = [
        Change::RenameProject { project: other, name: "renamed".to_owned() },
        Change::AddNote { session: two.clone(), note: note(1, "text", &["a"]) },
        Change::AddNote { session: one.clone(), note: note(1, "text", &["a"]) },
    ];
    let scope = Scope::Session(one.clone());
    let Outcome::Done { seq } = commit(store, scope.clone(), "w", &changes) else {
        panic!("not done")
    };
    let undo = || read(store, |view| view.body(seq)).expect("a read").expect("a body").undo;
    assert_eq!(undo().len(), 3);
    store.erase(&Erase::Sessions(vec![two.clone()]), None).expect("erased");
    store.erase(&Erase::Project(other), None).expect("erased");
    // Made again, it is another one.
    begin(store, mine, &two, None, Began::Start);
    let undo = undo();
    assert!(
        matches!(
            &undo[..],
            [Change::DropNote { .. }, Change::Unknown(note), Change::Unknown(name)]
                if &*note.word == "drop_note" && &*name.word == "rename_project"
        ),
        "{undo:?}"
    );
    assert!(try_commit(store, scope, "undo", &undo).is_err());
    assert_eq!(read(store, |view| view.counts(&one)).expect("a read").notes, 1);
}

fn made_again(store: &dyn Store) {
    let project = project(store, "/p");
    let one = session(store, project, "one");
    let child = key("one", Some("a"));
    begin(store, project, &child, Some(&one), Began::Fork);
    add_note(store, &one, 1);
    store.erase(&Erase::Sessions(vec![one.clone()]), None).expect("erased");
    begin(store, project, &one, None, Began::Start);
    let scope = Scope::Session(one.clone());
    let seen = read(store, |view| {
        let parent = view.session(&child)?.and_then(|child| child.parent);
        Ok((parent, view.counts(&one)?, view.records(&scope, 0)?))
    });
    let (parent, counts, records) = seen.expect("a read");
    assert_eq!((parent, counts), (None, Counts::default()));
    let line: Vec<_> = records.iter().map(|it| it.write_id.as_str()).collect();
    assert_eq!(line, ["begin"]);
    assert!(matches!(add_note(store, &one, 1), Outcome::Done { .. }));
}
