//! The journal: repeats, refusals, order and the chain.

use vademecum_core::id::{Seq, WriteId};

use super::scene::{WRITER, begun, commit, note, project, session, write};
use crate::change::Change;
use crate::error::StoreError;
use crate::journal::JournalEntry;
use crate::store::{Depth, Erase, Parts, Store, Unfinished, read};
use crate::view::JournalFilter;
use crate::write::{Author, Decision, Origin, Outcome, Scope, Surface, Write};

pub(super) const CASES: &[super::Case] = &[
    ("the same write again gives the stored reply", replays),
    ("other arguments under the same write id are a conflict", conflicts),
    ("a refused or empty write leaves nothing", leaves_nothing),
    ("entries of a scope are chained in order", chained),
    ("erased bodies are gone and the chain stands", erases),
    ("the changes of a write are undone the last one first", undone),
    ("an intention stays until an erasure fulfils it", intends),
    ("what was forgotten is not forgotten again by who comes late", ended),
    ("what neither model nor harness wrote is found by itself", outside),
    ("every choice of conditions finds what all of them let through", filters),
    ("bodies are read up to the first that does not fit", bodies),
];

fn reply(changes: Vec<Change>, reply: &str) -> Decision {
    Decision::Commit { changes, reply: reply.to_owned() }
}

fn replays(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let add =
        |text: &str| Change::AddNote { session: session.clone(), note: note(1, text, &["a"]) };
    let first = store
        .write(&write(scope.clone(), "w", "x"), &mut |_| Ok(reply(vec![add("one")], "1")))
        .expect("a write");
    let Outcome::Done { seq } = first else { panic!("not done: {first:?}") };
    let again = store
        .write(&write(scope, "w", "x"), &mut |_| Ok(reply(vec![add("two")], "2")))
        .expect("a write");
    assert_eq!(again, Outcome::Replayed { seq, reply: "1".to_owned() });
    assert_eq!(read(store, |view| view.counts(&session)).expect("a read").notes, 1);
}

fn conflicts(store: &dyn Store) {
    let project = project(store, "/p");
    let (session, other) = (session(store, project, "s"), session(store, project, "t"));
    let add = |session| Change::AddNote { session, note: note(1, "text", &["a"]) };
    commit(store, Scope::Session(session.clone()), "w", &[add(session.clone())]);
    let scope = Scope::Session(session);
    let result = store.write(&write(scope, "w", "else"), &mut |_| Ok(reply(Vec::new(), "2")));
    assert!(matches!(result, Err(StoreError::Reused { .. })), "{result:?}");
    let elsewhere = commit(store, Scope::Session(other.clone()), "w", &[add(other)]);
    assert!(matches!(elsewhere, Outcome::Done { .. }), "{elsewhere:?}");
}

fn leaves_nothing(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session);
    let refused = store
        .write(&write(scope.clone(), "no", "x"), &mut |_| Ok(Decision::Refuse))
        .expect("a write");
    let empty = store
        .write(&write(scope.clone(), "none", "x"), &mut |_| Ok(reply(Vec::new(), "1")))
        .expect("a write");
    assert_eq!((refused, empty), (Outcome::Refused, Outcome::Unchanged));
    assert_eq!(read(store, |view| view.last_seq(&scope)).expect("a read"), Seq(0));
    for id in ["no", "none"] {
        let id = WriteId::new(id).expect("a legal id");
        assert_eq!(read(store, |view| view.record_of(&scope, &id)).expect("a read"), None);
    }
}

fn chained(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    for id in 1..=5 {
        commit(
            store,
            scope.clone(),
            &format!("{id}"),
            &[Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) }],
        );
    }
    let newest = read(store, |view| view.records(&scope, 2)).expect("a read");
    assert_eq!(
        newest.iter().map(|record| record.write_id.as_str()).collect::<Vec<_>>(),
        ["5", "4"]
    );
    let (of, before) = (Some(&scope), Some(newest[1].seq));
    let before = JournalFilter { scope: of, before, ..JournalFilter::default() };
    let older = read(store, |view| view.records_by(&before)).expect("a read");
    assert_eq!(
        older.iter().map(|record| record.write_id.as_str()).collect::<Vec<_>>(),
        ["3", "2", "1"]
    );
    assert_eq!(read(store, |view| view.last_seq(&scope)).expect("a read"), newest[0].seq);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn erases(store: &dyn Store) {
    let project = project(store, "/p");
    let session = session(store, project, "s");
    let scope = Scope::Session(session.clone());
    commit(
        store,
        scope.clone(),
        "w",
        &[Change::AddNote { session: session.clone(), note: note(1, "text", &["a"]) }],
    );
    let seq = read(store, |view| view.last_seq(&scope)).expect("a read");
    store
        .erase(&Erase::Parts(Parts { bodies: vec![seq], ..Parts::default() }), None)
        .expect("erased");
    assert_eq!(read(store, |view| view.body(seq)).expect("a read"), None);
    let again = store.write(&write(scope.clone(), "w", "w"), &mut |_| Ok(reply(Vec::new(), "2")));
    assert!(matches!(again, Err(StoreError::Erased { .. })), "{again:?}");
    store.erase(&Erase::Sessions(vec![session.clone()]), None).expect("erased");
    assert_eq!(read(store, |view| view.session(&session)).expect("a read"), None);
    // Its entry stays, under no name: that is gone too.
    let left =
        read(store, |view| view.with_body(seq, u64::MAX)).expect("a read").expect("an entry");
    assert_eq!((left.record.seq, left.body), (seq, None));
    assert_ne!(left.record.scope, scope);
    assert_eq!(read(store, |view| view.records(&scope, 0)).expect("a read"), []);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, Vec::<String>::new());
}

fn undone(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let set = |text| Change::SetNote { session: session.clone(), note: note(1, text, &["a"]) };
    let add = Change::AddNote { session: session.clone(), note: note(1, "one", &["a"]) };
    commit(store, scope.clone(), "add", &[add]);
    commit(store, scope.clone(), "set", &[set("two"), set("three")]);
    let body = read(store, |view| view.body(view.last_seq(&scope)?)).expect("a read");
    let undo = body.expect("a body").undo;
    assert_eq!(undo, [set("two"), set("one")]);
}

fn unfinished(store: &dyn Store) -> Unfinished {
    read(store, |view| Ok(view.store()?.unfinished)).expect("a read")
}

fn intends(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let is_intended = |(id, what): (_, &str)| {
        // A caller who lost an answer intends again: there may be more.
        unfinished(store).intents.contains(&(id, what.to_owned()))
    };
    let [one, other] =
        ["forget s", "forget t"].map(|what| (store.intend(what).expect("an intention"), what));
    assert_eq!([one, other].map(is_intended), [true, true]);
    store.erase(&Erase::Nothing, None).expect("erased");
    assert_eq!([one, other].map(is_intended), [true, true]);
    store.erase(&Erase::Sessions(vec![session]), Some(one.0)).expect("erased");
    assert_eq!([one, other].map(is_intended), [false, true]);
    assert!(!unfinished(store).has_bytes);
}

/// Who comes late to a forgetting that others have ended must not meet what was begun under the same name since.
fn ended(store: &dyn Store) {
    let project = project(store, "/p");
    let gone = session(store, project, "s");
    let first = store.intend("forget s").expect("an intention");
    store.erase(&Erase::Sessions(vec![gone.clone()]), Some(first)).expect("erased");
    commit(store, Scope::Project(project), "anew", &[begun(project, &gone)]);
    store.erase(&Erase::Sessions(vec![gone.clone()]), Some(first)).expect("nothing to do");
    assert!(read(store, |view| view.session(&gone)).expect("a read").is_some());
    let second = store.intend("forget s").expect("an intention");
    assert!(first < second, "no number is given twice");
    store.erase(&Erase::Nothing, Some(first)).expect("nothing to do");
    // What has a number goes: nobody else would erase it any more.
    let scope = Scope::Session(gone.clone());
    let add = Change::AddNote { session: gone.clone(), note: note(1, "text", &["a"]) };
    let Outcome::Done { seq } = commit(store, scope, "late", &[add]) else { panic!("not done") };
    let parts = Parts { bodies: vec![seq], ..Parts::default() };
    store.erase(&Erase::Parts(parts), Some(first)).expect("erased");
    assert_eq!(read(store, |view| view.body(seq)).expect("a read"), None);
    assert!(unfinished(store).intents.iter().any(|(id, _)| *id == second));
}

fn outside(store: &dyn Store) {
    let session = session(store, project(store, "/p"), "s");
    let scope = Scope::Session(session.clone());
    let mut seqs = Vec::new();
    for (id, surface) in
        (1..).zip([Surface::Mcp, Surface::Cli, Surface::Hook, Surface::Import, Surface::Cli])
    {
        let author = if surface == Surface::Mcp { Author::Agent } else { Author::User };
        let origin = Origin { surface, author };
        let name = id.to_string();
        let request = Write { origin, ..write(scope.clone(), &name, &name) };
        let add =
            vec![Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) }];
        store.write(&request, &mut |_| Ok(reply(add.clone(), "1"))).expect("a write");
        seqs.push(read(store, |view| view.last_seq(&scope)).expect("a read"));
    }
    let newest = read(store, |view| view.records(&scope, 1)).expect("a read").remove(0);
    assert_eq!((newest.origin.word().as_str(), newest.by), ("cli/user", WRITER));
    for (after, limit, expected) in [
        (Seq(0), 0, vec![seqs[1], seqs[3], seqs[4]]),
        (seqs[1], 1, vec![seqs[3]]),
        (seqs[4], 0, vec![]),
    ] {
        let found = read(store, |view| view.records_outside(&scope, after, limit)).expect("a read");
        assert_eq!(found.iter().map(|record| record.seq).collect::<Vec<_>>(), expected);
    }
}

/// Writes of two sessions by a model, a hook and a person in turn; the whole journal, oldest first.
fn written(store: &dyn Store) -> (Scope, Vec<JournalEntry>) {
    let project = project(store, "/p");
    let sessions = [session(store, project, "s"), session(store, project, "t")];
    for (id, surface) in (1..).zip([Surface::Mcp, Surface::Hook, Surface::Cli, Surface::Cli]) {
        for session in &sessions {
            let author = if surface == Surface::Mcp { Author::Agent } else { Author::User };
            let name = id.to_string();
            let request = write(Scope::Session(session.clone()), &name, &name);
            let request = Write { origin: Origin { surface: surface.clone(), author }, ..request };
            let add =
                vec![Change::AddNote { session: session.clone(), note: note(id, "text", &["a"]) }];
            store.write(&request, &mut |_| Ok(reply(add.clone(), "1"))).expect("a write");
        }
    }
    let all = JournalFilter { oldest_first: true, ..JournalFilter::default() };
    (Scope::Session(sessions[0].clone()), read(store, |view| view.journal(&all)).expect("a read"))
}

fn is_let_through(filter: &JournalFilter<'_>, entry: &JournalEntry) -> bool {
    let record = &entry.record;
    let origin = record.origin.word();
    filter.scope.is_none_or(|scope| *scope == record.scope)
        && filter.after.is_none_or(|after| after < record.seq)
        && filter.before.is_none_or(|before| record.seq < before)
        && filter.write_id.is_none_or(|id| id.as_str() == record.write_id)
        && !(filter.outside && (origin.ends_with("/agent") || origin.starts_with("hook/")))
}

fn filters(store: &dyn Store) {
    let (scope, all) = written(store);
    let (first, last) = (all[0].record.seq, all[all.len() - 1].record.seq);
    // One of a model and one of a hook: who asks for what is outside finds neither.
    let ids = ["1", "2", "3"].map(|id| WriteId::new(id).expect("a legal id"));
    let ids = [None, Some(&ids[0]), Some(&ids[1]), Some(&ids[2])];
    let filter = |choice: u32, write_id| {
        let is_chosen = |bit: u32| choice >> bit & 1 == 1;
        JournalFilter {
            scope: is_chosen(0).then_some(&scope),
            after: is_chosen(1).then_some(first),
            before: is_chosen(2).then_some(last),
            outside: is_chosen(3),
            write_id,
            oldest_first: is_chosen(4),
            limit: if is_chosen(5) { 2 } else { 0 },
            bodies: 0,
        }
    };
    // All in one read: the suite makes each call fail in turn.
    let look = read(store, |view| {
        for (choice, id) in (0..64).flat_map(|choice| ids.map(|id| (choice, id))) {
            let filter = filter(choice, id);
            let through = all.iter().filter(|entry| is_let_through(&filter, entry)).cloned();
            let mut expected: Vec<_> = through.collect();
            if !filter.oldest_first {
                expected.reverse();
            }
            expected.truncate(if filter.limit == 0 { expected.len() } else { filter.limit });
            assert_eq!(view.journal(&filter)?, expected, "{filter:?}");
        }
        Ok(())
    });
    look.expect("a read");
}

fn bodies(store: &dyn Store) {
    let (scope, _) = written(store);
    let ask = |bodies| {
        let filter = JournalFilter { scope: Some(&scope), bodies, ..JournalFilter::default() };
        let found = read(store, |view| view.journal(&filter)).expect("a read");
        found.into_iter().map(|entry| (entry.size, entry.body)).collect::<Vec<_>>()
    };
    let whole = ask(u64::MAX);
    assert!(whole.iter().all(|(size, body)| size.is_some() && body.is_some()), "{whole:?}");
    let two = whole[0].0.zip(whole[1].0).map_or(0, |(a, b)| a + b);
    for (room, n_read) in [(1, 0), (two - 1, 1), (two, 2), (two + 1, 2)] {
        let mut expected = whole.clone();
        expected[n_read..].iter_mut().for_each(|(_, body)| *body = None);
        assert_eq!(ask(room), expected, "{room} bytes");
    }
    assert!(ask(0).iter().all(|found| *found == (None, None)));
}
