//! Plans and entries: one name a plan, entries only added, found by what they say.

use std::sync::Arc;

use vademecum_core::entry::{
    Category, Commit, Entry, Labels, Line, Matter, Said, Severity, Status, Stood, Text,
};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::search;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;

use super::scene::{START, commit, project, session, try_commit};
use crate::change::Change;
use crate::document::Document;
use crate::store::{Erase, Parts, Store, read};
use crate::view::{Corpus, EntryFilter, KeySet, NoteFilter};
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("a plan stands where it was put", stands),
    ("two plans of a project differ by more than case", unique),
    ("an entry reads back whole", reads_back),
    ("an entry keeps where the work tree stood", keeps_stood),
    ("entries are listed newest first, filtered before limited", lists),
    ("what is superseded or resolved is not in force", in_force),
    ("an entry that says the same is found", same),
    ("the plan of a session is set and undone", active),
    ("plans and entries go with their project", erased),
];

fn name(text: &str) -> PlanName {
    PlanName::parse(text).expect("a test's name is legal")
}

fn add_plan(project: ProjectId, text: &str) -> Change {
    Change::AddPlan { project, name: name(text), is_tracked: false, at: START }
}

fn plan(store: &dyn Store, project: ProjectId, text: &str) -> Plan {
    commit(store, Scope::Project(project), &format!("plan {text}"), &[add_plan(project, text)]);
    let found = read(store, |view| view.plan(project, &name(text))).expect("a read");
    found.expect("the plan is there")
}

fn said(category: Category, content: &str) -> Said {
    Said::bare(category, Text::new(content).expect("a test's text is legal"))
}

fn entry(plan: &str, id: i64, said: Said) -> Entry {
    let at = START.plus(id);
    Entry::new(EntryId(id), name(plan), at, said)
}

fn add(store: &dyn Store, project: ProjectId, entry: &Entry) {
    let change = Change::AddEntry { project, entry: entry.clone() };
    commit(store, Scope::Project(project), &format!("add {}", entry.id), &[change]);
}

fn ids(store: &dyn Store, plan: &Plan, filter: EntryFilter<'_>, limit: usize) -> Vec<i64> {
    let entries = read(store, |view| {
        let filter = EntryFilter { project: Some(plan.project), plan: Some(&plan.name), ..filter };
        let entries = view.entries(filter, limit)?;
        if limit == 0 {
            assert_eq!(view.entry_count(filter)?, entries.len() as u64);
        }
        Ok(entries)
    });
    entries.expect("a read").iter().map(|entry| entry.id.0).collect()
}

/// The ids of the newest of each category, and whether there are more.
fn newest(store: &dyn Store, plan: &Plan, limit: usize) -> (Vec<i64>, bool) {
    let (entries, has_more) = read(store, |view| view.newest_entries(plan, limit)).expect("a read");
    (entries.iter().map(|entry| entry.id.0).collect(), has_more)
}

fn stands(store: &dyn Store) {
    let project = project(store, "/p");
    plan(store, project, "b");
    plan(store, project, "a");
    let expected = |text, completed_at| Plan {
        project,
        name: name(text),
        created_at: START,
        completed_at,
        archived_at: None,
        is_tracked: false,
    };
    let set = Change::SetPlan {
        project,
        name: name("a"),
        completed_at: Some(Time(5)),
        archived_at: None,
        is_tracked: false,
    };
    commit(store, Scope::Project(project), "complete", &[set]);
    let plans = read(store, |view| view.plans(project, None)).expect("a read");
    assert_eq!(plans, [expected("a", Some(Time(5))), expected("b", None)]);
    let undo = read(store, |view| {
        let seq = view.last_seq(&Scope::Project(project))?;
        Ok(view.body(seq)?.map(|body| body.undo))
    });
    commit(store, Scope::Project(project), "undo", &undo.expect("a read").expect("a body"));
    let plan = read(store, |view| view.plan(project, &name("a"))).expect("a read");
    assert_eq!(plan, Some(expected("a", None)));
}

fn unique(store: &dyn Store) {
    let (project, other) = (project(store, "/p"), project(store, "/q"));
    plan(store, project, "a");
    for text in ["a", "A"] {
        let scope = Scope::Project(project);
        assert!(
            try_commit(store, scope, &format!("again {text}"), &[add_plan(project, text)]).is_err()
        );
    }
    assert_eq!(read(store, |view| view.plan(project, &name("A"))).expect("a read"), None);
    plan(store, other, "A");
}

fn reads_back(store: &dyn Store) {
    let project = project(store, "/p");
    let session = session(store, project, "s");
    let text = |text: &str| Some(Text::new(text).expect("a text"));
    let line = |text: &str| Some(Line::new(text).expect("a line"));
    let matters = [
        Matter::Learning,
        Matter::Decision { rationale: text("why"), alternatives: text("a\n b") },
        Matter::Issue {
            severity: Some(Severity::High),
            status: Status::Workaround,
            workaround: text("so"),
        },
    ];
    for (id, matter) in (1..).zip(matters) {
        let said = Said {
            matter,
            task: line("03-01"),
            pattern: line("src/a.rs:45-60"),
            tags: Labels::new(&["b", "a"]).expect("tags"),
            supersedes: Some(EntryId(99)),
            ..said(Category::Learning, "漢字 😀\r\n\0 text ")
        };
        let (session, merged_from) = (Some(Arc::new(session.clone())), Some(EntryId(7)));
        let entry = Entry { session, merged_from, ..entry("_project", id, said) };
        let first = (id == 1).then(|| add_plan(project, "_project"));
        let add = Change::AddEntry { project, entry: entry.clone() };
        let changes: Vec<Change> = first.into_iter().chain([add]).collect();
        commit(store, Scope::Project(project), &format!("add {id}"), &changes);
        let found =
            read(store, |view| Ok((view.entry(project, entry.id)?, view.last_entry(project)?)));
        assert_eq!(found.expect("a read"), (Some(entry.clone()), Some(entry.id)));
    }
    let again =
        Change::AddEntry { project, entry: entry("_project", 1, said(Category::Issue, "x")) };
    assert!(try_commit(store, Scope::Project(project), "again", &[again]).is_err());
    let nowhere = Change::AddEntry { project, entry: entry("no", 9, said(Category::Issue, "x")) };
    assert!(try_commit(store, Scope::Project(project), "nowhere", &[nowhere]).is_err());
}

/// Entries with branch and commit, with either of them and with none, the newest first.
fn stood_entries() -> Vec<Entry> {
    let branch = |text: &str| Line::new(text).ok();
    let commit = |n: usize| Commit::new(&"0a".repeat(n));
    let all = [
        (None, None),
        (None, commit(20)),
        (branch("漢字 ' \"; 😀 \\"), None),
        (branch(&"b".repeat(Line::MAX)), commit(32)),
        (branch("feature/two words"), commit(20)),
    ];
    let entries = (1..).zip(all).map(|(id, (branch, commit))| {
        let entry = entry("a", id, said(Category::Learning, &format!("text {id}")));
        Entry { stood: Stood::some(branch, commit).map(Box::new), ..entry }
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.reverse();
    entries
}

fn keeps_stood(store: &dyn Store) {
    let project = project(store, "/p");
    let plan = plan(store, project, "a");
    let mut all = stood_entries();
    for entry in all.iter().rev() {
        add(store, project, entry);
    }
    check_stood(store, &plan, &all);
    let gone = all.remove(0);
    let parts = Parts { entries: vec![(project, gone.id)], ..Parts::default() };
    store.erase(&Erase::Parts(parts), None).expect("erased");
    check_stood(store, &plan, &all);
    store.erase(&Erase::Project(project), None).expect("erased");
    let left = read(store, |view| view.entries(EntryFilter::default(), 0)).expect("a read");
    assert_eq!(left, []);
}

/// Every way to an entry tells where it stood.
fn check_stood(store: &dyn Store, plan: &Plan, all: &[Entry]) {
    let keys = search::keys("text", &[]).words;
    let keys = keys.iter().map(String::as_str).collect();
    let sets = [KeySet { keys, most: all.len(), is_rare: false }];
    let corpus = Corpus::Entries(plan.project);
    let seen = read(store, |view| {
        for entry in all {
            assert_eq!(view.entry(plan.project, entry.id)?.as_ref(), Some(entry));
            let same = view.same_entry(plan, &entry.said.sameness())?;
            assert_eq!(same.map(|(same, _)| same).as_ref(), Some(entry));
        }
        for filter in [EntryFilter::of(plan), EntryFilter::default()] {
            assert_eq!(view.entries(filter, 0)?, all);
        }
        assert_eq!(view.newest_entries(plan, all.len())?.0, all);
        view.hits(corpus, &sets, &NoteFilter::ALL)
    });
    let found = seen.expect("a read").remove(0).documents;
    let documents = all.iter().map(|entry| Document::Entry(Box::new(entry.clone())));
    assert_eq!(found, documents.collect::<Vec<_>>());
}

fn lists(store: &dyn Store) {
    let project = project(store, "/p");
    let (a, b) = (plan(store, project, "a"), plan(store, project, "b"));
    for id in 1..=6 {
        let category = if id % 3 == 0 { Category::Issue } else { Category::Learning };
        add(store, project, &entry("a", id, said(category, &format!("text {id}"))));
    }
    // Read from a file: added last, said first.
    let old = Entry { at: START, ..entry("a", 7, said(Category::Learning, "older")) };
    add(store, project, &old);
    add(store, project, &entry("b", 8, said(Category::Learning, "elsewhere")));
    let all = EntryFilter::default();
    let learnings = EntryFilter { category: Some(Category::Learning), ..all };
    assert_eq!(ids(store, &a, all, 0), [6, 5, 4, 3, 2, 1, 7]);
    assert_eq!(ids(store, &a, learnings, 2), [5, 4]);
    assert_eq!(ids(store, &a, learnings, 0), [5, 4, 2, 1, 7]);
    assert_eq!(ids(store, &a, EntryFilter { after: Some(EntryId(4)), ..learnings }, 0), [5, 7]);
    assert_eq!(ids(store, &b, all, 0), [8]);
    assert_eq!(ids(store, &a, EntryFilter { by_id: true, ..all }, 2), [7, 6]);
    assert_eq!(ids(store, &a, EntryFilter { by_id: true, ..learnings }, 0), [7, 5, 4, 2, 1]);
    assert_eq!(ids(store, &a, EntryFilter { id: Some(EntryId(3)), ..all }, 0), [3]);
    assert_eq!(ids(store, &a, EntryFilter { id: Some(EntryId(8)), ..all }, 0), [0; 0]);
    assert_eq!(newest(store, &a, 5), (vec![6, 3, 5, 4, 2, 1, 7], false));
    assert_eq!(newest(store, &a, 4), (vec![6, 3, 5, 4, 2, 1], true));
    assert_eq!(newest(store, &a, 1), (vec![6, 5], true));
    assert_eq!(newest(store, &b, 1), (vec![8], false));
}

fn in_force(store: &dyn Store) {
    let project = project(store, "/p");
    let (a, whole) = (plan(store, project, "a"), plan(store, project, "_project"));
    let issue = |status| {
        let content = format!("{status:?}");
        let matter = Matter::Issue { severity: None, status, workaround: None };
        Said { matter, ..said(Category::Learning, &content) }
    };
    add(store, project, &entry("a", 1, said(Category::Learning, "wrong")));
    let copy = entry("_project", 2, said(Category::Learning, "wrong"));
    add(store, project, &Entry { merged_from: Some(EntryId(1)), ..copy });
    add(store, project, &entry("a", 3, issue(Status::Resolved)));
    add(store, project, &entry("a", 4, issue(Status::Open)));
    let right = Said { supersedes: Some(EntryId(1)), ..said(Category::Learning, "right") };
    add(store, project, &entry("a", 5, right));
    let filter = EntryFilter { in_force: true, ..EntryFilter::default() };
    assert_eq!(ids(store, &a, filter, 0), [5, 4]);
    assert_eq!(ids(store, &whole, filter, 0), [0; 0]);
    assert_eq!(ids(store, &whole, EntryFilter::default(), 0), [2]);
    assert_eq!(newest(store, &a, 2), (vec![4, 5], false));
    assert_eq!(newest(store, &whole, 2), (vec![], false));
}

fn same(store: &dyn Store) {
    let project = project(store, "/p");
    let (a, b) = (plan(store, project, "a"), plan(store, project, "b"));
    let first = entry("a", 1, said(Category::Learning, "Uses  pipe."));
    add(store, project, &first);
    let look = |plan: &Plan, content: &str| {
        let sameness = said(Category::Learning, content).sameness();
        read(store, |view| view.same_entry(plan, &sameness)).expect("a read")
    };
    assert_eq!(look(&a, "uses pipe"), Some((first.clone(), true)));
    assert_eq!((look(&a, "uses pipes"), look(&b, "uses pipe")), (None, None));
    let other = Said { supersedes: Some(EntryId(1)), ..said(Category::Learning, "uses map") };
    add(store, project, &entry("a", 2, other));
    assert_eq!(look(&a, "uses pipe"), Some((first, false)));
}

fn active(store: &dyn Store) {
    let project = project(store, "/p");
    let session = session(store, project, "s");
    let [a, b] = ["a", "b"].map(|text| plan(store, project, text).name);
    let scope = Scope::Session(session.clone());
    let seen = |store: &dyn Store, session: &SessionKey| {
        read(store, |view| Ok(view.card(session)?.active_plan)).expect("a read")
    };
    for (was, plan) in [(None, Some(&a)), (Some(&a), Some(&b)), (Some(&b), None)] {
        let (was, plan) = (was.cloned(), plan.cloned());
        let set = Change::SetActivePlan { session: session.clone(), plan: plan.clone() };
        commit(store, scope.clone(), &format!("use {plan:?}"), std::slice::from_ref(&set));
        assert_eq!(seen(store, &session), plan);
        let body = read(store, |view| view.body(view.last_seq(&scope)?)).expect("a read");
        commit(store, scope.clone(), &format!("undo {plan:?}"), &body.expect("a body").undo);
        assert_eq!(seen(store, &session), was);
        commit(store, scope.clone(), &format!("again {plan:?}"), &[set]);
    }
}

fn erased(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    let session = session(store, mine, "s");
    let (gone, kept) = (plan(store, mine, "a"), plan(store, other, "a"));
    let by = Entry {
        session: Some(Arc::new(session.clone())),
        ..entry("a", 1, said(Category::Issue, "text"))
    };
    add(store, mine, &by);
    add(store, other, &by);
    let set = Change::SetActivePlan { session: session.clone(), plan: Some(gone.name.clone()) };
    commit(store, Scope::Session(session.clone()), "use", &[set]);
    store.erase(&Erase::Sessions(vec![session.clone()]), None).expect("erased");
    let found = read(store, |view| view.entry(mine, by.id)).expect("a read");
    assert_eq!(found, Some(Entry { session: None, ..by.clone() }));
    store.erase(&Erase::Project(mine), None).expect("erased");
    for (plan, n) in [(&gone, 0), (&kept, 1)] {
        assert_eq!(ids(store, plan, EntryFilter::default(), 0).len(), n);
    }
    assert_eq!(read(store, |view| view.plans(mine, None)).expect("a read"), []);
    assert_eq!(read(store, |view| Ok(view.card(&session)?.active_plan)).expect("a read"), None);
}
