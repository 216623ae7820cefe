//! Copies of page and notes: the same as their source at first, and from then on each on its own.

use vademecum_core::id::NoteId;
use vademecum_core::note::{Note, TagCount};
use vademecum_core::search::Query;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;

use super::scene::{START, commit, note, project, session};
use crate::change::Change;
use crate::store::{Erase, Store, read};
use crate::view::{Counts, NoteFilter, Notepad};
use crate::write::Scope;

pub(super) const CASES: &[super::Case] = &[
    ("a copy is what its source was, and neither sees the other change", parts),
    ("copies of a copy are each on their own", copies_of_copies),
    ("what a session has of a kind it keeps", keeps),
    ("copies come beside notes of one's own, and go without them", beside),
    ("a copy is taken away by its reverse, and nothing else is", undoes),
    ("a copy outlives its source", outlives),
    ("the last id of a session is never a lower one", last),
];

/// All that can be seen of page and notes.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    page: Option<Notepad>,
    rev: Option<u32>,
    head: Option<Notepad>,
    after: Vec<Note>,
    counts: Counts,
    notes: Vec<Note>,
    open: Vec<Note>,
    tagged: Vec<Note>,
    tags: [Vec<TagCount>; 2],
    second: Option<Note>,
    found: Vec<NoteId>,
    n_searched: u64,
}

fn seen(store: &dyn Store, session: &SessionKey) -> Seen {
    let filter = |tags: &[&str], include_scratched| NoteFilter {
        tags: tags.iter().map(ToString::to_string).collect(),
        include_scratched,
        ..NoteFilter::default()
    };
    let all = filter(&[], true);
    let query = Query::parse("parse_config");
    read(store, |view| {
        let found = view.candidates(session, &query, &all)?;
        let mut ids: Vec<NoteId> = found.notes.iter().map(|note| note.id).collect();
        ids.sort();
        Ok(Seen {
            page: view.notepad(session)?,
            rev: view.notepad_rev(session)?,
            head: view.page(session, 4)?,
            after: view.notes_after(session, Some(NoteId(1)), 2)?,
            counts: view.counts(session)?,
            notes: view.notes(session, &all, 0)?,
            open: view.notes(session, &filter(&[], false), 2)?,
            tagged: view.notes(session, &filter(&["bug", "api"], true), 0)?,
            tags: [view.tags(session, true)?, view.tags(session, false)?],
            second: view.note(session, NoteId(2))?,
            found: ids,
            n_searched: found.stats.n_notes,
        })
    })
    .expect("a read")
}

/// What is seen of a copy that is made of `source`.
fn copied(source: &Seen, at: Time) -> Seen {
    let page = source.page.clone().map(|page| Notepad { rev: 1, updated_at: at, ..page });
    let head = source.head.clone().map(|head| Notepad { rev: 1, updated_at: at, ..head });
    Seen { rev: page.as_ref().map(|page| page.rev), head, page, ..source.clone() }
}

fn write_page(store: &dyn Store, session: &SessionKey, text: &str, name: &str) {
    let page = read(store, |view| view.notepad(session)).expect("a read");
    let (rev, old) = page.map_or((0, String::new()), |page| (page.rev, page.text));
    let splice = Splice::between(&old, text);
    let edit =
        Change::EditNotepad { session: session.clone(), splice, rev: rev + 1, at: START.plus(7) };
    commit(store, Scope::Session(session.clone()), name, &[edit]);
}

/// A session with a page at its second revision and three notes, one of them crossed out.
fn source(store: &dyn Store) -> SessionKey {
    let session = session(store, project(store, "/p"), "source");
    write_page(store, &session, "plan", "page 1");
    write_page(store, &session, "plan\n- [ ] 漢字", "page 2");
    let scratched = Note { scratched_at: Some(START), ..note(3, "done", &["todo"]) };
    let add = [
        note(1, "parse_config drops comments", &["bug", "api"]),
        note(2, "nothing of interest", &["api"]),
        scratched,
    ]
    .map(|note| Change::AddNote { session: session.clone(), note });
    commit(store, Scope::Session(session.clone()), "notes", &add);
    session
}

fn fork(store: &dyn Store, from: &SessionKey, name: &str) -> SessionKey {
    let copy = session(store, project(store, "/p"), name);
    let fork = Change::Fork {
        session: copy.clone(),
        from: from.clone(),
        page: true,
        notes: true,
        at_once: None,
        at: START.plus(9),
    };
    commit(store, Scope::Session(copy.clone()), "fork", &[fork]);
    copy
}

/// Changes every kind of thing that a session has.
fn change(store: &dyn Store, session: &SessionKey) {
    write_page(store, session, "another", "another page");
    let changes = [
        Change::SetNote { session: session.clone(), note: note(2, "parse_config again", &["c"]) },
        Change::DropNote { session: session.clone(), id: NoteId(1) },
        Change::AddNote { session: session.clone(), note: note(9, "new", &["bug"]) },
    ];
    commit(store, Scope::Session(session.clone()), "changes", &changes);
}

fn parts(store: &dyn Store) {
    let first = source(store);
    let was = seen(store, &first);
    let copy_was = copied(&was, START.plus(9));
    let [second, third, fourth] =
        ["second", "third", "fourth"].map(|name| fork(store, &first, name));
    assert_eq!(seen(store, &first), was);
    assert_eq!([seen(store, &second), seen(store, &third)], [copy_was.clone(), copy_was.clone()]);
    change(store, &second);
    assert_eq!([seen(store, &first), seen(store, &third)], [was, copy_was.clone()]);
    change(store, &first);
    assert_eq!([seen(store, &third), seen(store, &fourth)], [copy_was.clone(), copy_was.clone()]);
    change(store, &third);
    assert_eq!(seen(store, &fourth), copy_was);
    let (one, other) = (seen(store, &first), seen(store, &second));
    assert_eq!((&one.notes, &one.tags), (&other.notes, &other.tags));
    assert_eq!(one.found, [NoteId(2)]);
    assert_eq!((one.rev, other.rev), (Some(3), Some(2)));
}

fn copies_of_copies(store: &dyn Store) {
    let first = source(store);
    let was = copied(&seen(store, &first), START.plus(9));
    let second = fork(store, &first, "second");
    let third = fork(store, &second, "third");
    change(store, &second);
    assert_eq!(seen(store, &third), was);
    let changed = copied(&seen(store, &second), START.plus(9));
    let fourth = fork(store, &second, "fourth");
    change(store, &first);
    assert_eq!([seen(store, &third), seen(store, &fourth)], [was.clone(), changed.clone()]);
    let fifth = fork(store, &fourth, "fifth");
    store.erase(&Erase::Sessions(vec![second, fourth]), None).expect("erased");
    assert_eq!([seen(store, &third), seen(store, &fifth)], [was, changed]);
}

fn keeps(store: &dyn Store) {
    let first = source(store);
    let empty = session(store, project(store, "/p"), "empty");
    let nothing = seen(store, &empty);
    assert_eq!(seen(store, &fork(store, &empty, "of nothing")), nothing);

    let second = session(store, project(store, "/p"), "second");
    write_page(store, &second, "mine", "page");
    let page = seen(store, &second).page;
    let again = |session: &SessionKey, name: &str| {
        let at = START.plus(20);
        let again = Change::Fork {
            session: session.clone(),
            from: first.clone(),
            page: true,
            notes: true,
            at_once: None,
            at,
        };
        commit(store, Scope::Session(session.clone()), name, &[again]);
    };
    again(&second, "fork");
    assert_eq!(seen(store, &second).page, page);
    assert_eq!(seen(store, &second).notes, seen(store, &first).notes);
    let was = seen(store, &second);
    again(&second, "fork again");
    again(&first, "fork of itself");
    assert_eq!(seen(store, &second), was);
    for session in [&second, &first] {
        let add = Change::AddNote { session: session.clone(), note: note(30, "new", &["bug"]) };
        commit(store, Scope::Session(session.clone()), "add", &[add]);
        let was = seen(store, session);
        again(session, "fork at last");
        assert_eq!(seen(store, session), was);
    }
}

fn beside(store: &dyn Store) {
    let first = source(store);
    let second = session(store, project(store, "/p"), "second");
    write_page(store, &second, "mine", "page");
    let add = [note(2, "parse_config of mine", &["own"]), note(40, "mine", &["bug"])]
        .map(|note| Change::AddNote { session: second.clone(), note });
    commit(store, Scope::Session(second.clone()), "own", &add);
    let (own, theirs) = (seen(store, &second), seen(store, &first));
    let again = |name: &str, at_once| {
        let (session, from, at) = (second.clone(), first.clone(), START.plus(9));
        let fork = Change::Fork { session, from, page: true, notes: true, at_once, at };
        commit(store, Scope::Session(second.clone()), name, &[fork]);
    };
    again("fork", Some(1));

    let copies = theirs.notes.iter().filter(|note| note.id != NoteId(2));
    let mut notes: Vec<Note> = own.notes.iter().chain(copies).cloned().collect();
    notes.sort_by_key(|note| std::cmp::Reverse((note.updated_at, note.id)));
    let now = seen(store, &second);
    assert_eq!((now.notes.clone(), now.page.clone()), (notes, own.page.clone()));
    assert_eq!(now.counts, Counts { notes: 4, open: 3, last: Some(NoteId(40)) });
    let tag = |tag: &str, count| TagCount { tag: tag.to_owned(), count };
    let open = [tag("bug", 2), tag("api", 1), tag("own", 1)];
    assert_eq!(now.tags[1], open);
    assert_eq!((now.found.clone(), now.n_searched), (vec![NoteId(1), NoteId(2)], 4));
    assert_eq!(seen(store, &first), theirs);
    again("twice", None);
    assert_eq!(seen(store, &second), now);

    undo(store, &second, "fork");
    assert_eq!(seen(store, &second), own);
    again("once more", None);
    change(store, &second);
    assert_eq!(seen(store, &first), theirs);
    store.erase(&Erase::Sessions(vec![first]), None).expect("erased");
    let ids: Vec<_> = seen(store, &second).notes.iter().map(|note| note.id).collect();
    assert_eq!(ids.len(), 4, "{ids:?}");
}

fn undo(store: &dyn Store, session: &SessionKey, kind: &str) {
    let scope = Scope::Session(session.clone());
    let body = read(store, |view| {
        let id = vademecum_core::id::WriteId::new(kind).expect("a legal id");
        let record = view.record_of(&scope, &id)?.expect("a record");
        view.body(record.seq)
    });
    let undo = body.expect("a read").expect("a body").undo;
    commit(store, scope, &format!("undo {kind}"), &undo);
}

fn undoes(store: &dyn Store) {
    let first = source(store);
    let was = seen(store, &first);
    let second = fork(store, &first, "second");
    let copy = seen(store, &second);
    undo(store, &second, "fork");
    let left = seen(store, &second);
    assert_eq!((left.page, left.notes, left.tags), (None, Vec::new(), [vec![], vec![]]));
    assert_eq!(left.counts, Counts { notes: 0, open: 0, last: copy.counts.last });
    undo(store, &second, "undo fork");
    assert_eq!((seen(store, &second).page, seen(store, &second).notes), (None, copy.notes));

    // Of a copy that has been worked on the added note stays.
    let third = fork(store, &first, "third");
    change(store, &third);
    undo(store, &third, "fork");
    assert_eq!(seen(store, &third).page, None);
    assert_eq!(seen(store, &third).notes, [note(9, "new", &["bug"])]);
    assert_eq!(seen(store, &first), was);
}

fn outlives(store: &dyn Store) {
    let first = source(store);
    let was = copied(&seen(store, &first), START.plus(9));
    let (second, third) = (fork(store, &first, "second"), fork(store, &first, "third"));
    store.erase(&Erase::Sessions(vec![first, third]), None).expect("erased");
    assert_eq!(seen(store, &second), was);
    change(store, &second);
    assert_eq!(seen(store, &second).counts.notes, 3);
}

fn last(store: &dyn Store) {
    let first = source(store);
    let second = session(store, project(store, "/p"), "second");
    let changes = [
        Change::AddNote { session: second.clone(), note: note(50, "gone", &["a"]) },
        Change::DropNote { session: second.clone(), id: NoteId(50) },
        Change::Fork {
            session: second.clone(),
            from: first,
            page: false,
            notes: true,
            at_once: None,
            at: START.plus(9),
        },
    ];
    commit(store, Scope::Session(second.clone()), "fork", &changes);
    let seen = seen(store, &second);
    assert_eq!(seen.counts, Counts { notes: 3, open: 2, last: Some(NoteId(50)) });
    assert_eq!(seen.page, None);
}
