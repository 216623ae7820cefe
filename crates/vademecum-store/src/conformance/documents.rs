//! What is found in a project by its words, whatever it is and whenever the index has it.

use vademecum_core::entry::{Category, Entry, Labels, Line, Matter, Said, Text};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::plan::PlanName;
use vademecum_core::search;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::Splice;

use super::scene::{START, commit, note, project, session};
use crate::change::Change;
use crate::document::Document;
use crate::store::{Depth, Erase, Parts, Store, read};
use crate::view::{Corpus, Hits, KeySet, NoteFilter};
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("all that a project keeps is found in it and in no other", found),
    ("what is written anew or taken back is found as it is now", changed),
    ("what is erased is found no more", erased),
    ("what a joined project kept is found in the one that it is part of", joined),
    ("of many documents the first of their order are found, and no more are counted", counted),
];

fn set_page(session: &SessionKey, (old, new): (&str, &str)) -> Change {
    let splice = Splice::between(old, new);
    Change::EditNotepad { session: session.clone(), splice, rev: 1, at: START }
}

fn set_words(session: &SessionKey, text: Option<&str>) -> Change {
    Change::SetHandoff { session: session.clone(), text: text.map(str::to_owned), at: START }
}

fn set_recap(session: &SessionKey, body: &str) -> Change {
    Change::SetRecap { session: session.clone(), body: body.to_owned(), at: START }
}

fn add_note(session: &SessionKey, id: i64, text: &str) -> Change {
    Change::AddNote { session: session.clone(), note: note(id, text, &["tagged"]) }
}

fn add_entry(project: ProjectId, id: i64, text: &str) -> Change {
    let matter = Matter::Decision {
        rationale: Some(Text::new("rationale of leeks").expect("a text")),
        alternatives: None,
    };
    let said = Said {
        content: Text::new(text).expect("a text"),
        matter,
        pattern: Some(Line::new("src/lib.rs").expect("a line")),
        tags: Labels::new(&["labelled"]).expect("a tag"),
        ..Said::bare(Category::Decision, Text::new(text).expect("a text"))
    };
    let (id, plan) = (EntryId(id), PlanName::project());
    Change::AddEntry { project, entry: Entry::new(id, plan, START, said) }
}

fn begin_plan(project: ProjectId) -> Change {
    Change::AddPlan { project, name: PlanName::project(), is_tracked: false, at: START }
}

/// What is found with all these words, in its order, behind how many are counted.
fn hits(
    store: &dyn Store,
    corpus: Corpus<'_>,
    words: &[&str],
    most: usize,
) -> (Vec<String>, usize) {
    let keys: Vec<String> = words.iter().flat_map(|word| search::keys(word, &[]).words).collect();
    let keys = keys.iter().map(String::as_str).collect();
    let sets = [KeySet { keys, most, is_rare: false }];
    let mut found = read(store, |view| view.hits(corpus, &sets, &NoteFilter::ALL)).expect("a read");
    let found = found.remove(0);
    (found.documents.iter().map(named).collect(), found.n)
}

fn named(document: &Document) -> String {
    match document {
        Document::Note(of, note) => format!("{} note {}", of.external, note.id.0),
        Document::Page(of, page) => format!("{} page: {}", of.external, page.text),
        Document::Words(of, words) => format!("{} words: {}", of.external, words.text),
        Document::Recap(of, recap) => format!("{} recap: {}", of.external, recap.body),
        Document::Entry(entry) => format!("entry {}", entry.id.0),
    }
}

fn all(store: &dyn Store, project: ProjectId, word: &str) -> Vec<String> {
    let found = [Corpus::Sessions(project), Corpus::Entries(project)];
    found.into_iter().flat_map(|corpus| hits(store, corpus, &[word], 99).0).collect()
}

fn notes(store: &dyn Store, project: ProjectId, word: &str) -> Vec<String> {
    hits(store, Corpus::ProjectNotes(project), &[word], 99).0
}

/// A session that keeps one of each, and an entry of its project.
fn fill(store: &dyn Store, project: ProjectId, name: &str) -> SessionKey {
    let session = session(store, project, name);
    let changes = [
        add_note(&session, 1, "a note on leeks"),
        set_page(&session, ("", "a page on leeks")),
        set_words(&session, Some("words on leeks")),
        set_recap(&session, r#"{"kind": "recap", "lines": [{"text": "a line on leeks"}]}"#),
    ];
    commit(store, Scope::Session(session.clone()), &format!("fill {name}"), &changes);
    session
}

fn found(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    for (project, names) in [(mine, ["one", "two"]), (other, ["three", "four"])] {
        commit(store, Scope::Project(project), "plan", &[begin_plan(project)]);
        for name in names {
            fill(store, project, name);
        }
        commit(store, Scope::Project(project), "entry", &[add_entry(project, 7, "an entry")]);
    }
    let of = |name: &str, keys: &[&str]| keys.iter().map(|key| format!("{name} {key}")).collect();
    let every: Vec<String> = ["two", "one"]
        .iter()
        .flat_map(|name| -> Vec<String> {
            let recap = r#"recap: {"kind": "recap", "lines": [{"text": "a line on leeks"}]}"#;
            of(name, &[recap, "words: words on leeks", "page: a page on leeks", "note 1"])
        })
        .chain(["entry 7".to_owned()])
        .collect();
    // Half of them wait for the index, whose slices another project's fill too.
    for round in 0..2 {
        assert_eq!(all(store, mine, "leek"), every);
        assert_eq!(notes(store, mine, "leek"), ["two note 1", "one note 1"]);
        for (word, expected) in [
            ("page", vec!["two page: a page on leeks", "one page: a page on leeks"]),
            ("tagged", vec!["two note 1", "one note 1"]),
            ("rationale", vec!["entry 7"]),
            ("labelled", vec!["entry 7"]),
            ("lib", vec!["entry 7"]),
            ("turnip", vec![]),
        ] {
            assert_eq!(all(store, mine, word), expected, "{word}");
        }
        let filler = session(store, other, &format!("filler {round}"));
        let changes: Vec<Change> = (1..=20).map(|id| add_note(&filler, id, "a filler")).collect();
        commit(store, Scope::Session(filler.clone()), "fill", &changes);
        store.erase(&Erase::Sessions(vec![filler]), None).expect("erased");
    }
    assert_eq!(all(store, ProjectId::NONE, "leek"), Vec::<String>::new());
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn changed(store: &dyn Store) {
    let project = project(store, "/p");
    let one = fill(store, project, "one");
    let filler = session(store, project, "filler");
    for round in 0..3 {
        let scope = Scope::Session(one.clone());
        let (old, new) = ("a page on leeks", "a page on carrots");
        let changes =
            [set_page(&one, (old, new)), set_words(&one, None), set_recap(&one, r#""carrots""#)];
        commit(store, scope.clone(), &format!("change {round}"), &changes);
        let now = [r#"one recap: "carrots""#, "one page: a page on carrots"];
        assert_eq!(all(store, project, "carrot"), now);
        assert_eq!(all(store, project, "leek"), ["one note 1"]);
        let drop = [Change::DropNotepad { session: one.clone() }];
        commit(store, scope.clone(), &format!("drop {round}"), &drop);
        assert_eq!(all(store, project, "carrot"), [r#"one recap: "carrots""#]);
        // What is there now goes into the index before the next round.
        let back = [set_page(&one, ("", old)), set_words(&one, Some("on leeks"))];
        commit(store, scope, &format!("back {round}"), &back);
        let more = round * 20 + 1..=round * 20 + 20;
        let changes: Vec<Change> = more.map(|id| add_note(&filler, id, "a filler")).collect();
        commit(store, Scope::Session(filler.clone()), &format!("filler {round}"), &changes);
        let now = ["one words: on leeks", "one page: a page on leeks", "one note 1"];
        assert_eq!(all(store, project, "leek"), now);
    }
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn erased(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    let [one, _two] = ["one", "two"].map(|name| fill(store, mine, name));
    let kept = fill(store, other, "three");
    let entries = [begin_plan(mine), add_entry(mine, 1, "first"), add_entry(mine, 2, "second")];
    commit(store, Scope::Project(mine), "entries", &entries);
    let changes: Vec<Change> = (101..117).map(|id| add_note(&kept, id, "a filler")).collect();
    commit(store, Scope::Session(kept.clone()), "filler", &changes);
    commit(store, Scope::Project(mine), "third", &[add_entry(mine, 3, "third")]);
    let entries = [1, 3].map(|id| (mine, EntryId(id))).to_vec();
    let parts = Parts { entries, recaps: vec![one.clone()], ..Parts::default() };
    store.erase(&Erase::Parts(parts), None).expect("erased");
    let found = all(store, mine, "leek");
    assert_eq!(found.len(), 3 + 4 + 1, "{found:?}");
    store.erase(&Erase::Sessions(vec![one]), None).expect("erased");
    assert_eq!(all(store, mine, "leek").len(), 4 + 1);
    store.erase(&Erase::Project(mine), None).expect("erased");
    assert_eq!(all(store, mine, "leek"), Vec::<String>::new());
    assert_eq!(all(store, other, "leek").len(), 4);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn joined(store: &dyn Store) {
    let (mine, other) = (project(store, "/p"), project(store, "/q"));
    fill(store, mine, "one");
    fill(store, other, "two");
    let entries = [begin_plan(other), add_entry(other, 1, "an entry of before")];
    commit(store, Scope::Project(other), "entries", &entries);
    // The index has them all.
    let filler = session(store, other, "filler");
    let changes: Vec<Change> = (1..=20).map(|id| add_note(&filler, id, "a filler")).collect();
    commit(store, Scope::Session(filler), "fill", &changes);
    let join = Change::JoinProject { project: other, into: mine };
    commit(store, Scope::Project(mine), "join", &[join]);
    // Begun before and after they were one.
    fill(store, mine, "three");
    assert_eq!(all(store, mine, "note"), ["three note 1", "two note 1", "one note 1"]);
    assert_eq!(all(store, other, "note"), Vec::<String>::new());
    // Entries stay where they are until they are copied.
    assert_eq!(all(store, mine, "entry"), Vec::<String>::new());
    assert_eq!(all(store, other, "entry"), ["entry 1"]);
}

fn counted(store: &dyn Store) {
    let project = project(store, "/p");
    let [one, two] = ["one", "two"].map(|name| session(store, project, name));
    commit(store, Scope::Project(project), "plan", &[begin_plan(project)]);
    let text = |id| format!("a sack of {}", if id % 10 == 0 { "leeks" } else { "carrots" });
    for of in [&one, &two] {
        let notes = (1..=30).map(|id| add_note(of, id, &text(id)));
        commit(store, Scope::Session(of.clone()), &of.external, &notes.collect::<Vec<_>>());
    }
    let all: Vec<Change> = (1..=30).map(|id| add_entry(project, id, "a sack")).collect();
    commit(store, Scope::Project(project), "entries", &all);
    let [sessions, notes, entries] =
        [Corpus::Sessions, Corpus::ProjectNotes, Corpus::Entries].map(|of| of(project));
    for (corpus, words, most, expected, n) in [
        (
            sessions,
            &["leek", "sack"][..],
            4,
            "two note 30, two note 20, two note 10, one note 30",
            4,
        ),
        (
            sessions,
            &["leek"],
            9,
            "two note 30, two note 20, two note 10, one note 30, one note 20, one note 10",
            6,
        ),
        (entries, &["sack", "leek"], 2, "entry 30, entry 29", 2),
        (entries, &["carrot"], 2, "", 0),
        (sessions, &[], 2, "", 0),
        (notes, &["leek", "sack"], 2, "two note 30, two note 20", 2),
    ] {
        let (found, counted) = hits(store, corpus, words, most);
        assert_eq!((found.join(", ").as_str(), counted), (expected, n), "{corpus:?} {words:?}");
    }
    let rare = [KeySet { keys: vec!["sack"], most: 9, is_rare: true }];
    let found = read(store, |view| view.hits(sessions, &rare, &NoteFilter::ALL)).expect("a read");
    assert_eq!(found, [Hits { documents: Vec::new(), n: 9 }]);
}
