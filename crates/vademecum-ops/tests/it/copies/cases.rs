//! What a copy brings again, and what it never brings again.

use serde_json::{Value, json};
use vademecum_core::id::Seq;
use vademecum_store::{Change, Scope, SessionFilter};

use super::half::{Half, compared, copied, session};

/// Two stores that have the same; the id of their note.
fn pair() -> (Half, Half, Value) {
    let (one, two) = Half::pair(false);
    let id = json!(one.notes()[0].0.to_string());
    (one, two, id)
}

fn later(half: &Half) {
    half.desk.clock.fetch_add(1000, std::sync::atomic::Ordering::SeqCst);
}

#[track_caller]
fn does(half: &Half, name: &str, arguments: Value) -> Value {
    later(half);
    half.desk.person(name, arguments).expect("an answer").object
}

fn forget(half: &Half, what: &str, id: &Value) {
    does(half, "forget", json!({"what": what, "id": id, "yes": true}));
}

/// Copies, and looks that a repeat brings nothing.
#[track_caller]
fn check_once(from: &Half, to: &Half) -> Vec<String> {
    let first = copied(from, to);
    let at = to.newest();
    let again = copied(from, to);
    assert!(again.is_empty() && to.newest() == at, "twice is not once: {again:?}");
    first.notices
}

#[test]
fn what_goes_and_comes_by_turns_is_followed() {
    let (one, two, id) = pair();
    let by_turns = [
        ("delete_note", json!({"id": id})),
        ("restore_note", json!({"id": id})),
        ("delete_note", json!({"id": id})),
        ("restore_note", json!({"id": id})),
        ("scratch_note", json!({"id": id, "scratched": true})),
        ("scratch_note", json!({"id": id, "scratched": false})),
        ("scratch_note", json!({"id": id, "scratched": true})),
        ("rename_project", json!({"name": "billing"})),
        ("rename_project", json!({"name": "project"})),
        ("rename_project", json!({"name": "billing"})),
        ("use_plan", json!({"plan": "work"})),
        ("complete_plan", json!({"plan": "work"})),
        ("write_handoff", json!({"content": "some words"})),
        ("write_handoff", json!({"content": "other words"})),
        ("write_handoff", json!({"content": "some words"})),
        ("archive_session", json!({})),
    ];
    for (name, arguments) in by_turns {
        does(&one, name, arguments.clone());
        check_once(&one, &two);
        check_same_but_keys(&one, &two, &format!("{name} {arguments}"));
    }
}

/// Stores whose project is known by other folders are the same but for that.
#[track_caller]
fn check_same_but_keys(one: &Half, two: &Half, what: &str) {
    let found = compared(one, two).differences;
    let of_keys =
        |line: &String| line.contains(" is known by ") || line.contains("journal of project");
    assert!(found.iter().all(of_keys), "{what}: {found:?}");
}

#[test]
fn a_name_that_both_changed_stays() {
    let (one, two, _) = pair();
    for (half, name) in [(&one, "billing"), (&two, "invoices")] {
        does(half, "rename_project", json!({"name": name}));
    }
    check_once(&one, &two);
    let name = two.read(|view| view.projects(None).expect("projects")[0].name.clone());
    assert_eq!(name, "invoices");
}

#[test]
fn two_pages_come_to_one_end() {
    let (one, two, _) = pair();
    does(&one, "write_notepad", json!({"content": "of one"}));
    does(&two, "write_notepad", json!({"content": "of two"}));
    check_once(&one, &two);
    check_once(&two, &one);
    let page =
        |half: &Half| half.read(|view| view.notepad(&session()).expect("a page")).map(|it| it.text);
    let ends = (one.newest(), two.newest());
    for _ in 0..2 {
        copied(&one, &two);
        copied(&two, &one);
    }
    assert_eq!((one.newest(), two.newest()), ends);
    assert_eq!((page(&one).as_deref(), page(&two).as_deref()), (Some("of two"), Some("of two")));
    assert!(one.tells("of one") && two.tells("of one"));
}

/// The replies of a scope that name an id.
fn naming(half: &Half, scope: &Scope, id: &str) -> Vec<String> {
    half.read(|view| {
        let records = view.records(scope, 0).expect("records");
        let bodies = records.iter().filter_map(|it| view.body(it.seq).expect("a body"));
        bodies.map(|body| body.reply).filter(|reply| reply.contains(&format!("\"{id}\""))).collect()
    })
}

#[test]
fn a_reply_names_what_was_moved_by_its_new_id() {
    let (mut one, mut two, _) = pair();
    for (half, text) in [(&mut one, "of one"), (&mut two, "of two")] {
        // Of a call that nobody can repeat no reply is kept.
        half.desk.write_id = Some(text);
        does(half, "add_note", json!({"content": text, "tags": ["a"]}));
        does(half, "add_learning", json!({"content": text, "plan": "work"}));
        half.desk.write_id = None;
    }
    let notices = check_once(&one, &two);
    let project = two.read(|view| view.projects(None).expect("projects")[0].id);
    let moved = |text: &str| {
        let notes = two.notes().into_iter().map(|(id, said)| (id.to_string(), said));
        let entries = two.entries().into_iter().map(|(id, said)| (id.to_string(), said));
        let found = notes.chain(entries).filter(|(_, said)| said == text);
        found.map(|(id, _)| id).collect::<Vec<_>>()
    };
    assert_eq!(notices.len(), 2, "{notices:?}");
    for (scope, place) in [(Scope::Session(session()), 0), (Scope::Project(project), 1)] {
        let (own, theirs) = (moved("of two")[place].clone(), moved("of one")[place].clone());
        assert_ne!(own, theirs);
        assert_eq!(naming(&two, &scope, &own).len(), 1, "{own}");
        assert_eq!(naming(&two, &scope, &theirs).len(), 1, "{theirs}");
    }
    // What one does with a note goes on with the note that it became.
    let (id, _) = one.notes().into_iter().find(|(_, text)| text == "of one").expect("a note");
    let id = id.to_string();
    does(&one, "update_note", json!({"id": id, "content": "of one, later"}));
    assert_eq!(check_once(&one, &two), Vec::<String>::new());
    let texts: Vec<String> = two.notes().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["of one, later", "of two", "first of all"]);
    does(&one, "delete_note", json!({"id": id}));
    check_once(&one, &two);
    assert_eq!(two.notes().len(), 2);
}

#[test]
fn a_forgotten_note_stays_out_whatever_is_done_with_it_elsewhere() {
    let (one, two, id) = pair();
    does(&one, "update_note", json!({"id": id, "content": "planted-secret"}));
    copied(&one, &two);
    forget(&two, "note", &id);
    assert!(!two.holds("planted-secret"));
    let doings = [
        ("add_note", json!({"content": "something new", "tags": ["a"]})),
        ("update_note", json!({"id": id, "content": "planted-secret, changed"})),
        ("delete_note", json!({"id": id})),
        ("restore_note", json!({"id": id})),
        ("scratch_note", json!({"id": id, "scratched": true})),
    ];
    for (name, arguments) in doings {
        does(&one, name, arguments);
        check_once(&one, &two);
        assert!(!two.holds("planted-secret"), "{name} brought it back");
    }
    let notices = check_once(&one, &two);
    let said = format!(
        "{} of session test:session-1 was forgotten there: it is left out",
        id.as_str().expect("an id")
    );
    assert_eq!(notices, [said]);
    // It stays where it was not forgotten, and a copy back does not take it from there.
    check_once(&two, &one);
    assert!(one.holds("planted-secret"));
    check_once(&one, &two);
    assert!(!two.holds("planted-secret"));
    two.check_sound();
}

#[test]
fn a_forgotten_note_that_had_another_id_stays_out() {
    let (one, two, _) = pair();
    does(&one, "add_note", json!({"content": "planted-secret", "tags": ["a"]}));
    does(&two, "add_note", json!({"content": "of two", "tags": ["a"]}));
    copied(&one, &two);
    let (id, _) =
        two.notes().into_iter().find(|(_, text)| text == "planted-secret").expect("a note");
    forget(&two, "note", &json!(id.to_string()));
    let (id, _) =
        one.notes().into_iter().find(|(_, text)| text == "planted-secret").expect("a note");
    let id = json!(id.to_string());
    let doings = [
        ("update_note", json!({"id": id, "content": "planted-secret, changed"})),
        ("delete_note", json!({"id": id})),
        ("restore_note", json!({"id": id})),
    ];
    for (name, arguments) in doings {
        does(&one, name, arguments);
        check_once(&one, &two);
        assert!(!two.holds("planted-secret"), "{name} brought it back");
    }
}

#[test]
fn a_forgotten_entry_stays_out_with_what_was_merged_from_it() {
    let (one, two, _) = pair();
    does(&one, "add_learning", json!({"content": "planted-secret", "plan": "work"}));
    copied(&one, &two);
    forget(&two, "entry", &json!(two.entries()[0].0.to_string()));
    assert!(!two.holds("planted-secret"));
    does(&one, "merge_plan", json!({"plan": "work"}));
    does(&one, "add_learning", json!({"content": "something new", "plan": "work"}));
    check_once(&one, &two);
    assert!(!two.holds("planted-secret") && two.holds("something new"));
}

#[test]
fn a_forgotten_session_or_project_stays_out() {
    for what in ["session", "project"] {
        let (one, two, id) = pair();
        does(&one, "update_note", json!({"id": id, "content": "planted-secret"}));
        copied(&one, &two);
        let name = if what == "session" { json!("test:session-1") } else { Value::Null };
        forget(&two, what, &name);
        // It works on there, which is another session.
        does(&two, "add_note", json!({"content": "begun again", "tags": ["a"]}));
        does(&one, "update_note", json!({"id": id, "content": "planted-secret, changed"}));
        does(&one, "rename_project", json!({"name": "planted-secret"}));
        let notices = check_once(&one, &two);
        assert!(notices.len() == 1 && notices[0].contains("was forgotten there"), "{notices:?}");
        let is_brought = two.holds("planted-secret, changed");
        assert!(!is_brought && two.holds("begun again"), "{what}");
        let n = two.read(|view| view.sessions(SessionFilter::ALL).expect("sessions").len());
        assert_eq!(n, 1);
        two.check_sound();
    }
}

#[test]
fn sessions_of_a_forgotten_project_stay_out_of_any_other() {
    let (one, _, id) = pair();
    let two = Half::alone("two");
    // It begins when that of the other store did: it is the same session, in another project.
    two.desk.object("add_note", json!({"content": "of two", "tags": ["a"]}));
    does(&one, "update_note", json!({"id": id, "content": "planted-secret"}));
    check_once(&one, &two);
    assert!(two.holds("planted-secret"));
    forget(&two, "project", &Value::Null);
    assert!(!two.holds("planted-secret"));
    check_once(&one, &two);
    assert!(!two.holds("planted-secret"));
}

#[test]
fn a_recap_that_quotes_what_was_forgotten_stays_out() {
    let (one, two, id) = pair();
    let set = |half: &Half, text: &str, at: i64| {
        let body = json!({"text": text}).to_string();
        let at = vademecum_core::time::Time(1_763_700_000_000 + at);
        let set = Change::SetRecap { session: session(), body, at };
        half.write(Scope::Session(session()), &[set]);
    };
    does(
        &one,
        "update_note",
        json!({"id": id, "content": "the planted-secret-91c4 lies in the vault"}),
    );
    set(&one, "kept: planted-secret-91c4", 1);
    copied(&one, &two);
    assert!(two.holds("planted-secret-91c4"));
    forget(&two, "note", &id);
    copied(&one, &two);
    assert!(!two.holds("planted-secret-91c4"));
    set(&one, "all is well again", 2);
    check_once(&one, &two);
    assert!(two.holds("all is well again"));
}

#[test]
fn what_is_copied_twice_at_once_is_there_once() {
    let (one, two, _) = pair();
    for n in 0..30 {
        does(&one, "add_note", json!({"content": format!("fact {n}"), "tags": ["a"]}));
        does(
            &one,
            "update_notepad",
            json!({"operation": "append", "content": format!("line {n}")}),
        );
    }
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..3).map(|_| scope.spawn(|| drop(two.takes_apart(&one)))).collect();
        for one in all {
            one.join().expect("a copy");
        }
    });
    assert_eq!(two.notes().len(), 31);
    check_once(&one, &two);
    check_same_but_keys(&one, &two, "at once");
    assert_ne!(two.newest(), Seq(0));
}
