//! Notes: order, filters, counts and candidates.

use vademecum_core::id::NoteId;
use vademecum_core::note::{Note, TagCount};
use vademecum_core::search::{Query, Tier, rank};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;

use super::scene::{START, commit, key, note, project, session, try_commit};
use crate::change::Change;
use crate::document::Document;
use crate::store::{Depth, Store, read};
use crate::view::{Corpus, Counts, Hits, KeySet, NoteFilter};
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("notes are listed newest first, filtered before limited", lists),
    ("the last changed note is listed first, and keeps when it was added", changed),
    ("a note id is used once", unique),
    ("counts and tags follow every change", counts),
    ("each set of keys gives exactly the newest that have all of them", hits),
    ("candidates stay in their session and filter", candidates),
    ("a note is found, listed and counted as soon as it is written", found_at_once),
    ("a store is well after a search and writes behind it", well_after_search),
    ("a note's changes are undone from the journal", undoes),
];

fn add(store: &dyn Store, session: &SessionKey, id: i64, content: &str, tags: &[&str]) {
    let add = Change::AddNote { session: session.clone(), note: note(id, content, tags) };
    commit(store, Scope::Session(session.clone()), &format!("add {id}"), &[add]);
}

fn ids(
    store: &dyn Store,
    session: &SessionKey,
    tags: &[&str],
    include_scratched: bool,
    limit: usize,
) -> Vec<i64> {
    let tags = tags.iter().map(ToString::to_string).collect();
    let filter = NoteFilter { tags, include_scratched, ..NoteFilter::default() };
    let notes = read(store, |view| view.notes(session, &filter, limit)).expect("a read");
    notes.iter().map(|note| note.id.0).collect()
}

fn scratch(store: &dyn Store, session: &SessionKey, id: i64, scratched_at: Option<Time>) {
    let old = read(store, |view| view.note(session, NoteId(id))).expect("a read").expect("a note");
    let note = vademecum_core::note::Note { scratched_at, ..old };
    let name = format!("scratch {id} {scratched_at:?}");
    commit(
        store,
        Scope::Session(session.clone()),
        &name,
        &[Change::SetNote { session: session.clone(), note }],
    );
}

fn lists(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    for id in 1..=12 {
        let tags: &[&str] = if id % 3 == 0 { &["todo", "api"] } else { &["api"] };
        add(store, &session, id, &format!("note {id}"), tags);
    }
    scratch(store, &session, 6, Some(START));
    assert_eq!(ids(store, &session, &[], true, 4), [12, 11, 10, 9]);
    assert_eq!(ids(store, &session, &[], false, 0), [12, 11, 10, 9, 8, 7, 5, 4, 3, 2, 1]);
    assert_eq!(ids(store, &session, &["api", "todo"], false, 0), [12, 9, 3]);
    assert_eq!(ids(store, &session, &["todo"], true, 3), [12, 9, 6]);
    assert_eq!(ids(store, &session, &["none"], true, 0), [0; 0]);
    assert_eq!(ids(store, &session, &["todo", "none"], true, 0), [0; 0]);
    let after = |after: Option<i64>, limit| {
        let notes = read(store, |view| view.notes_after(&session, after.map(NoteId), limit));
        notes.expect("a read").iter().map(|note| note.id.0).collect::<Vec<_>>()
    };
    assert_eq!(after(None, 3), [1, 2, 3]);
    assert_eq!(after(Some(5), 2), [6, 7]);
    assert_eq!(after(Some(12), 2), [0; 0]);
}

fn changed(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    for id in 1..=4 {
        add(store, &session, id, "text", &["a"]);
    }
    let set = |id, updated_at| {
        let note = Note { updated_at, created_at: START.plus(99), ..note(id, "new", &["a"]) };
        Change::SetNote { session: session.clone(), note }
    };
    let changes = [set(1, START.plus(9)), set(3, START.plus(9)), set(4, START), set(7, START)];
    commit(store, Scope::Session(session.clone()), "set", &changes);
    assert_eq!(ids(store, &session, &[], true, 0), [3, 1, 2, 4]);
    assert_eq!(ids(store, &session, &["a"], true, 3), [3, 1, 2]);
    let found = read(store, |view| view.notes_after(&session, Some(NoteId(1)), 2));
    let found: Vec<_> =
        found.expect("a read").into_iter().map(|it| (it.id.0, it.created_at)).collect();
    assert_eq!(found, [(2, START), (3, START)]);
}

fn unique(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    add(store, &session, 1, "first", &["a"]);
    let again = Change::AddNote { session: session.clone(), note: note(1, "again", &["a"]) };
    assert!(try_commit(store, Scope::Session(session.clone()), "again", &[again]).is_err());
    let kept = read(store, |view| view.note(&session, NoteId(1))).expect("a read");
    assert_eq!(kept, Some(note(1, "first", &["a"])));
}

fn tag(tag: &str, count: u64) -> TagCount {
    TagCount { tag: tag.to_owned(), count }
}

#[track_caller]
fn check_counts(store: &dyn Store, session: &SessionKey, expected: Counts, tags: &[TagCount]) {
    let found = read(store, |view| Ok((view.counts(session)?, view.tags(session, true)?)));
    assert_eq!(found.expect("a read"), (expected, tags.to_vec()));
}

fn counts(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let last = Some(NoteId(3));
    for id in 1..=3 {
        add(store, &session, id, "text", if id == 1 { &["b", "a"] } else { &["c", "b"] });
    }
    check_counts(
        store,
        &session,
        Counts { notes: 3, open: 3, last },
        &[tag("b", 3), tag("c", 2), tag("a", 1)],
    );
    scratch(store, &session, 3, Some(START));
    let open = read(store, |view| view.tags(&session, false)).expect("a read");
    assert_eq!(open, [tag("b", 2), tag("a", 1), tag("c", 1)]);
    let changes = [
        Change::SetNote { session: session.clone(), note: note(2, "other", &["d"]) },
        Change::DropNote { session: session.clone(), id: NoteId(3) },
    ];
    commit(store, Scope::Session(session.clone()), "change", &changes);
    check_counts(
        store,
        &session,
        Counts { notes: 2, open: 2, last },
        &[tag("a", 1), tag("b", 1), tag("d", 1)],
    );
}

fn hits(store: &dyn Store) {
    let project = project(store, "/p");
    let (mine, other) = (session(store, project, "mine"), session(store, project, "other"));
    for id in 1..=40 {
        let rare = if id % 10 == 0 { "leek" } else { "carrot" };
        add(store, &mine, id, &format!("a sack of {rare}"), &[if id < 30 { "old" } else { "new" }]);
        add(store, &other, id, "a sack of leek", &["new"]);
    }
    let seen = |session: &SessionKey, keys: &[&str], most, is_rare, filter: &NoteFilter| {
        let sets = [KeySet { keys: keys.to_vec(), most, is_rare }];
        let mut found =
            read(store, |view| view.hits(Corpus::Notes(session), &sets, filter)).expect("a read");
        let Hits { documents, n } = found.remove(0);
        let notes = documents.into_iter().filter_map(Document::into_note);
        (notes.map(|note| note.id.0).collect::<Vec<_>>(), n)
    };
    let new = NoteFilter { tags: vec!["new".to_owned()], ..NoteFilter::default() };
    let nobody = key("nobody", None);
    for (session, keys, most, is_rare, filter, expected) in [
        (&mine, &["leek"][..], 9, false, &NoteFilter::ALL, (vec![40, 30, 20, 10], 4)),
        (&mine, &["leek"], 3, false, &NoteFilter::ALL, (vec![40, 30, 20], 3)),
        (&mine, &["leek"], 5, true, &NoteFilter::ALL, (vec![40, 30, 20, 10], 4)),
        (&mine, &["leek"], 4, true, &NoteFilter::ALL, (vec![], 4)),
        (&mine, &["leek", "sack"], 9, false, &new, (vec![40, 30], 2)),
        (&mine, &["sack"], 4, false, &new, (vec![40, 39, 38, 37], 4)),
        (&mine, &["leek", "carrot"], 9, false, &NoteFilter::ALL, (vec![], 0)),
        (&mine, &[], 9, false, &NoteFilter::ALL, (vec![], 0)),
        (&nobody, &["leek"], 9, true, &NoteFilter::ALL, (vec![], 0)),
    ] {
        assert_eq!(
            seen(session, keys, most, is_rare, filter),
            expected,
            "{keys:?} {most} {filter:?}"
        );
    }
}

fn candidates(store: &dyn Store) {
    let project = project(store, "/p");
    let (mine, other) = (session(store, project, "mine"), session(store, project, "other"));
    add(store, &mine, 1, "the parse_config function loses comments", &["bug"]);
    add(store, &mine, 2, "nothing of interest", &["bug"]);
    add(store, &other, 1, "parse_config elsewhere", &["bug"]);
    let query = Query::parse("parse_config");
    for (tags, n_hits) in [(&[][..], 1), (&["bug"][..], 1), (&["todo"][..], 0)] {
        let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
        let filter = NoteFilter { tags, ..NoteFilter::default() };
        let found = read(store, |view| view.candidates(&mine, &query, &filter)).expect("a read");
        assert!(found.notes.iter().all(|note| !note.content.as_str().contains("elsewhere")));
        let hits = rank(&query, &found.notes, &found.stats);
        let strong = hits.iter().filter(|hit| hit.tier == Tier::Substring).count();
        assert_eq!(strong, n_hits);
    }
}

fn well_after_search(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let add = |ids: std::ops::Range<i64>| {
        ids.for_each(|id| add(store, &session, id, &format!("the queue of worker {id}"), &["api"]));
    };
    add(1..4);
    let query = Query::parse("queue");
    let found = read(store, |view| view.candidates(&session, &query, &NoteFilter::ALL));
    assert_eq!(found.expect("candidates").notes.len(), 3);
    add(4..18);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

/// An engine may feed its index late: nobody can tell which notes it holds already.
fn found_at_once(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let query = Query::parse("queue");
    let mut expected: Vec<i64> = Vec::new();
    for id in 1..=40 {
        add(store, &session, id, &format!("the queue of worker {id}"), &["api", "bug"]);
        expected.insert(0, id);
        // One that was just added, and one that was added long ago, get another text and other tags.
        for old in [id - 1, id - 20].into_iter().filter(|old| 0 < *old && id % 3 == 0) {
            let note = note(old, "of no interest", &["bug"]);
            let set = Change::SetNote { session: session.clone(), note };
            commit(store, Scope::Session(session.clone()), &format!("set {id} {old}"), &[set]);
            expected.retain(|id| *id != old);
        }
        let tagged = NoteFilter { tags: vec!["api".to_owned()], ..NoteFilter::default() };
        let seen = read(store, |view| {
            let found = view.candidates(&session, &query, &tagged)?;
            let mut found: Vec<i64> = found.notes.iter().map(|note| note.id.0).collect();
            found.sort_unstable_by(|a, b| b.cmp(a));
            let listed = view.notes(&session, &tagged, 0)?;
            let listed: Vec<i64> = listed.iter().map(|note| note.id.0).collect();
            Ok((found, listed, view.tags(&session, false)?))
        });
        let count = |tag: &str, n: usize| TagCount { tag: tag.to_owned(), count: n as u64 };
        let all = usize::try_from(id).expect("a count");
        let mut counts = vec![count("bug", all), count("api", expected.len())];
        counts.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.tag.cmp(&b.tag)));
        assert_eq!(seen.expect("a read"), (expected.clone(), expected.clone(), counts), "{id}");
    }
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn undoes(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    add(store, &session, 1, "one", &["a"]);
    commit(
        store,
        scope.clone(),
        "edit",
        &[Change::SetNote { session: session.clone(), note: note(1, "two", &["b", "c"]) }],
    );
    commit(
        store,
        scope.clone(),
        "drop",
        &[Change::DropNote { session: session.clone(), id: NoteId(1) }],
    );
    let records = read(store, |view| view.records(&scope, 0)).expect("a read");
    for (record, was) in
        records.iter().zip([Some(note(1, "two", &["b", "c"])), Some(note(1, "one", &["a"])), None])
    {
        let body = read(store, |view| view.body(record.seq)).expect("a read").expect("a body");
        commit(store, scope.clone(), &format!("undo {}", record.seq.0), &body.undo);
        assert_eq!(read(store, |view| view.note(&session, NoteId(1))).expect("a read"), was);
    }
}
