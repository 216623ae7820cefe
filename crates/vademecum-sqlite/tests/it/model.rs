//! A naive model in memory beside the store: after any list of writes both say the same.

use std::collections::BTreeMap;

use proptest::prelude::*;
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::search::{Query, Tier, rank};
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_sqlite::Sqlite;
use vademecum_store::{Change, NoteFilter, Scope, conformance, read};

use crate::scene::{SESSION, Scene, begin, commit};

const TAGS: [&str; 4] = ["api", "bug", "todo", "漢字"];
const WORDS: [&str; 4] = ["parse_config", "with_timeout", "src/auth/login.go:45", "内存泄漏"];

/// One thing that is done.
#[derive(Debug, Clone)]
enum Act {
    Add { word: usize, tags: Vec<usize> },
    Set { nth: usize, word: usize, tags: Vec<usize> },
    Scratch { nth: usize, is_scratched: bool },
    Drop { nth: usize },
    Page { text: String },
    Undo,
    Reopen,
}

fn tags() -> impl Strategy<Value = Vec<usize>> {
    proptest::sample::subsequence((0..TAGS.len()).collect::<Vec<_>>(), 1..=TAGS.len())
}

fn act() -> impl Strategy<Value = Act> {
    let word = 0..WORDS.len();
    prop_oneof![
        4 => (word.clone(), tags()).prop_map(|(word, tags)| Act::Add { word, tags }),
        2 => (0..9_usize, word, tags()).prop_map(|(nth, word, tags)| Act::Set { nth, word, tags }),
        2 => (0..9_usize, any::<bool>())
            .prop_map(|(nth, is_scratched)| Act::Scratch { nth, is_scratched }),
        1 => (0..9_usize).prop_map(|nth| Act::Drop { nth }),
        2 => "[a-c漢😀\n]{0,12}".prop_map(|text| Act::Page { text }),
        2 => Just(Act::Undo),
        1 => Just(Act::Reopen),
    ]
}

/// What should be there.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    notes: BTreeMap<NoteId, Note>,
    page: Option<String>,
}

impl Model {
    fn nth(&self, nth: usize) -> Option<&Note> {
        self.notes.values().nth(nth % self.notes.len().max(1))
    }

    /// The change of an act at this time, and the model after it.
    fn after(&self, act: &Act, at: i64) -> Option<(Change, Self)> {
        let mut model = self.clone();
        let change = match act {
            Act::Add { word, tags } => {
                let note = note(at, *word, tags);
                Change::AddNote { session: SESSION.clone(), note }
            }
            Act::Set { nth, word, tags } => {
                let old = self.nth(*nth)?;
                let new = note(old.id.0, *word, tags);
                let note = Note { updated_at: Time(at), scratched_at: old.scratched_at, ..new };
                Change::SetNote { session: SESSION.clone(), note }
            }
            Act::Scratch { nth, is_scratched } => {
                let scratched_at = is_scratched.then_some(Time(at));
                let note = Note { scratched_at, ..self.nth(*nth)?.clone() };
                Change::SetNote { session: SESSION.clone(), note }
            }
            Act::Drop { nth } => {
                Change::DropNote { session: SESSION.clone(), id: self.nth(*nth)?.id }
            }
            Act::Page { text } => {
                let splice = Splice::between(self.page.as_deref().unwrap_or_default(), text);
                model.page = Some(text.clone());
                Change::EditNotepad { session: SESSION.clone(), splice, rev: 1, at: Time(at) }
            }
            Act::Undo | Act::Reopen => return None,
        };
        match &change {
            Change::AddNote { note, .. } | Change::SetNote { note, .. } => {
                model.notes.insert(note.id, note.clone());
            }
            Change::DropNote { id, .. } => drop(model.notes.remove(id)),
            _ => {}
        }
        Some((change, model))
    }
}

fn note(id: i64, word: usize, tags: &[usize]) -> Note {
    let tags: Vec<&str> = tags.iter().map(|&idx| TAGS[idx]).collect();
    Note {
        id: NoteId(id),
        content: Content::new(format!("why {} fails", WORDS[word])).expect("a text"),
        tags: Tags::new(&tags).expect("tags"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

/// Both say the same of notes, page, lists and search.
fn check(store: &Sqlite, model: &Model) {
    let mut expected: Vec<Note> = model.notes.values().cloned().collect();
    expected.sort_by_key(|note| std::cmp::Reverse((note.updated_at, note.id)));
    let all = NoteFilter::ALL;
    let found = read(store, |view| {
        let page = view.notepad(&SESSION)?.map(|page| page.text);
        Ok((view.notes(&SESSION, &all, 0)?, page))
    });
    assert_eq!(found.expect("a read"), (expected, model.page.clone()));
    for word in WORDS {
        let query = Query::parse(word);
        let found = read(store, |view| view.candidates(&SESSION, &query, &all)).expect("a read");
        let hits = rank(&query, &found.notes, &found.stats);
        let n_hits = hits.iter().filter(|hit| hit.tier == Tier::Substring).count();
        let holds = |note: &&Note| note.content.as_str().contains(word);
        assert_eq!(n_hits, model.notes.values().filter(holds).count(), "{word}");
    }
    conformance::check_sound(store);
}

fn play(acts: &[Act]) {
    let scene = Scene::empty();
    let mut store = scene.open();
    begin(&store);
    let scope = Scope::Session(SESSION.clone());
    let (mut model, mut before) = (Model::default(), Vec::new());
    for (at, act) in (10..).zip(acts) {
        match act {
            Act::Reopen => store = scene.open(),
            Act::Undo => {
                let Some((seq, was)) = before.pop() else { continue };
                let body = read(&store, |view| view.body(seq)).expect("a read").expect("a body");
                commit(&store, scope.clone(), &format!("undo {at}"), &body.undo).expect("undone");
                model = was;
            }
            _ => {
                let Some((change, after)) = model.after(act, at) else { continue };
                commit(&store, scope.clone(), &format!("act {at}"), &[change]).expect("a write");
                let seq = read(&store, |view| view.last_seq(&scope)).expect("a read");
                before.push((seq, std::mem::replace(&mut model, after)));
            }
        }
    }
    check(&store, &model);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_store_is_what_a_naive_model_is(acts in proptest::collection::vec(act(), 1..24)) {
        play(&acts);
    }
}
