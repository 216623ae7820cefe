//! Several persons on one store: what is a person's own is shown to nobody else unasked, and changed by nobody else.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_core::id::PersonId;
use vademecum_ops::identity::Identity;
use vademecum_ops::world::OpenStore;

use crate::desk::Desk;

/// From here on the person works whose data folder has this name.
fn works(desk: &mut Desk, person: &str) {
    desk.world.folders.data = desk.folder().join(person);
    desk.world.identity = Identity::default();
}

fn shared(is_shared: bool, person: Option<PersonId>) -> OnceLock<OpenStore> {
    OpenStore { name: "store".to_owned(), is_shared, person }.into()
}

/// A store of a project that two persons have joined, each with a session that has ended and with words on a desk.
fn desk(is_shared: bool) -> Desk {
    let mut desk = Desk::new();
    desk.world.store = shared(is_shared, None);
    for person in ["ann", "ben"] {
        works(&mut desk, person);
        desk.session = Some(format!("test:of-{person}"));
        if person == "ben" {
            asked(&desk, "join_project", json!({ "project": "project" }));
        }
        desk.object("write_notepad", json!({ "content": format!("# Page of {person}") }));
        desk.object("archive_session", json!({}));
        desk.session = None;
        desk.named = Some("desk".to_owned());
        asked(&desk, "write_notepad", json!({ "content": format!("# Desk of {person}") }));
        let note = format!("{person} wants the fathoms in metres");
        asked(&desk, "add_note", json!({ "content": note, "tags": ["x"] }));
        asked(&desk, "write_handoff", json!({ "content": format!("Next: {person}'s macro") }));
        desk.named = None;
    }
    desk
}

#[track_caller]
fn asked(desk: &Desk, operation: &str, arguments: Value) -> Value {
    desk.person(operation, arguments).expect(operation).object
}

/// What a person is shown of desks, offers, search and old sessions.
fn shown(desk: &mut Desk) -> String {
    desk.named = Some("desk".to_owned());
    let own = ["read_notepad", "list_notes", "read_handoff"]
        .map(|operation| asked(desk, operation, json!({})).to_string());
    desk.named = None;
    let found = ["fathoms", "macro", "desk"]
        .map(|query| asked(desk, "search_project", json!({ "query": query }))["found"].to_string());
    let exported = asked(desk, "export", json!({ "all": true }))["content"].to_string();
    let offered = asked(desk, "list_sessions", json!({ "open": true }));
    let sessions = asked(desk, "list_sessions", json!({}));
    let desks = sessions["sessions"].as_array().expect("a list").iter();
    let n_desks = desks.filter(|session| session["session"] == "desk").count();
    let pruned = asked(desk, "prune", json!({ "older": "0h", "dry_run": true }));
    let exported = exported.matches("wants the fathoms").count();
    format!("{own:?} {found:?} {offered} exported: {exported}, {pruned} desks: {n_desks}")
}

#[test]
fn each_is_shown_their_own() {
    let mut desk = desk(true);
    for (person, other) in [("ann", "ben"), ("ben", "ann")] {
        works(&mut desk, person);
        let shown = shown(&mut desk);
        assert!(!shown.contains(other), "{person}: {shown}");
        let own = [format!("# Desk of {person}"), format!("{person} wants"), format!("{person}'s")];
        assert!(own.iter().all(|own| shown.contains(own)), "{person}: {shown}");
        assert!(shown.contains(&format!("test:of-{person}")), "{person}: {shown}");
        assert!(shown.ends_with("desks: 1") && shown.contains("exported: 1,"), "{person}: {shown}");
    }
    // Who has never written is nobody yet.
    works(&mut desk, "cyd");
    asked(&desk, "join_project", json!({ "project": "project" }));
    let dismissed = desk.person("dismiss_handoff", json!({})).expect_err("nothing is offered");
    assert!(dismissed.message.starts_with("nothing that a session left open"), "{dismissed}");
}

/// Whom the store knows by itself is the same on each of their machines, whatever the data folder says.
#[test]
fn one_person_has_two_machines() {
    let mut desk = desk(true);
    let page = |desk: &Desk| asked(desk, "read_notepad", json!({}))["content"].clone();
    desk.named = Some("desk".to_owned());
    for (machine, role, found) in [
        ("one", 7, json!("")),
        ("two", 7, json!("# Of 7")),
        ("one", 8, json!("")),
        ("two", 8, json!("# Of 8")),
    ] {
        works(&mut desk, machine);
        desk.world.store = shared(true, Some(PersonId([role; 16])));
        drop(desk.person("join_project", json!({ "project": "project" })));
        assert_eq!(page(&desk), found, "{machine} {role}");
        asked(&desk, "write_notepad", json!({ "content": format!("# Of {role}") }));
    }
    // What a machine's folder wrote before the store knew its person stays theirs.
    works(&mut desk, "ann");
    desk.world.store = shared(true, Some(PersonId([7; 16])));
    desk.named = None;
    let pruned = asked(&desk, "prune", json!({ "older": "0h", "dry_run": true }));
    assert_eq!(pruned["sessions"], json!(["test:of-ann"]));
}

/// Whatever names it, nobody reads, writes or settles another person's desk.
#[test]
fn nobody_names_anothers_desk() {
    let mut desk = desk(true);
    let named = |desk: &mut Desk, name: &str, operation: &str, arguments: Value| {
        desk.named = Some(name.to_owned());
        let answered = desk.person(operation, arguments).map(|reply| reply.object.to_string());
        desk.named = None;
        answered
    };
    works(&mut desk, "ben");
    let status = named(&mut desk, "desk", "status", json!({})).expect("a status");
    let status: Value = serde_json::from_str(&status).expect("JSON");
    let full = status["session"].as_str().expect("a name").to_owned();
    let (_, id) = full.split_once(':').expect("a harness");
    let (project, _) = id.split_once('.').expect("a person");
    works(&mut desk, "ann");
    for name in [full.as_str(), id, project, &id[..8]] {
        for operation in ["read_notepad", "list_notes", "read_handoff", "show_session"] {
            let answered = named(&mut desk, name, operation, json!({}));
            assert!(!answered.is_ok_and(|it| it.contains("ben")), "{name} {operation}");
        }
        drop(named(&mut desk, name, "write_notepad", json!({ "content": "# By ann" })));
        drop(desk.person("dismiss_handoff", json!({ "from": name })));
        drop(desk.person("forget", json!({ "what": "session", "id": name, "yes": true })));
    }
    assert!(!asked(&desk, "check_files", json!({})).to_string().contains("ben"));
    works(&mut desk, "ben");
    let bens = shown(&mut desk);
    assert!(bens.contains("# Desk of ben") && bens.contains("ben's macro"), "{bens}");
}

/// A file is one person's, and a lost identity takes nobody's desk away.
#[test]
fn a_file_has_one_desk() {
    let mut desk = desk(false);
    let shown = shown(&mut desk);
    assert!(
        ["ann wants", "ben wants", "# Desk of ben"].iter().all(|it| shown.contains(it)),
        "{shown}"
    );
}

/// What was copied from a file stays its writer's, found and shown to nobody else, and a desk begun elsewhere does not hide it.
#[test]
fn a_desk_that_was_copied_stays_its_writers() {
    let mut desk = desk(false);
    let page = |desk: &Desk| asked(desk, "read_notepad", json!({}))["content"].clone();
    // Both wrote on the one desk of the file, which ann began.
    desk.world.store = shared(true, None);
    works(&mut desk, "ben");
    for query in ["fathoms", "macro", "desk"] {
        let found = asked(&desk, "search_project", json!({ "query": query }));
        assert_eq!(found["found"], json!([]), "{query}");
    }
    let listed = asked(&desk, "list_sessions", json!({})).to_string();
    assert!(!listed.contains("desk"), "{listed}");
    desk.named = Some("desk".to_owned());
    asked(&desk, "write_notepad", json!({ "content": "# Now of ben" }));
    assert_eq!(page(&desk), "# Now of ben");
    // On her other machine ann has no folder's word that it is hers, and begins one of her own.
    let role = Some(PersonId([7; 16]));
    desk.world.store = shared(true, role);
    for (machine, found) in [("anns-other", ""), ("ann", "# Desk of ben")] {
        works(&mut desk, machine);
        drop(desk.person("join_project", json!({ "project": "project" })));
        assert_eq!(page(&desk), found, "{machine}");
        if found.is_empty() {
            asked(&desk, "write_notepad", json!({ "content": "# On the other" }));
        }
    }
    // Back in a file each has what was theirs there.
    desk.world.store = shared(false, None);
    works(&mut desk, "ben");
    assert_eq!(page(&desk), "# Now of ben");
}

/// What another took over by its name is settled, and is not offered to its person again.
#[test]
fn what_another_took_over_is_settled() {
    let mut desk = desk(true);
    let open = |desk: &Desk| asked(desk, "list_sessions", json!({ "open": true })).to_string();
    works(&mut desk, "ann");
    desk.session = Some("test:anns-next".to_owned());
    desk.object("write_notepad", json!({ "content": "- [ ] the macro" }));
    desk.clock.fetch_add(3_600_000, Ordering::SeqCst);
    assert!(open(&desk).contains("the macro"), "{}", open(&desk));
    works(&mut desk, "ben");
    desk.session = Some("test:bens-next".to_owned());
    desk.object("write_notepad", json!({ "content": "# Of ben" }));
    assert!(!open(&desk).contains("the macro"), "{}", open(&desk));
    desk.object("read_handoff", json!({ "from": "test:anns-next" }));
    desk.clock.fetch_add(1_000, Ordering::SeqCst);
    desk.object("write_handoff", json!({ "content": "The macro is done." }));
    desk.clock.fetch_add(3_600_000, Ordering::SeqCst);
    works(&mut desk, "ann");
    assert!(!open(&desk).contains("the macro"), "{}", open(&desk));
}

/// Others' desks take no place in a list that is cut.
#[test]
fn others_desks_take_no_place_in_a_list() {
    let mut desk = desk(true);
    works(&mut desk, "ann");
    let listed = asked(&desk, "list_sessions", json!({ "limit": 3 }));
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(3), "{listed}");
}

/// However many sessions others have begun since, what one's own left open is offered.
#[test]
fn others_sessions_push_nobodys_work_out_of_sight() {
    let mut desk = desk(true);
    works(&mut desk, "ann");
    desk.session = Some("test:anns-next".to_owned());
    desk.object("write_notepad", json!({ "content": "- [ ] the macro" }));
    works(&mut desk, "ben");
    for n in 0..60 {
        desk.clock.fetch_add(60_000, Ordering::SeqCst);
        desk.session = Some(format!("test:of-ben-{n}"));
        desk.object("write_notepad", json!({ "content": "- [ ] of ben" }));
    }
    desk.clock.fetch_add(3_600_000, Ordering::SeqCst);
    works(&mut desk, "ann");
    let open = asked(&desk, "list_sessions", json!({ "open": true })).to_string();
    assert!(open.contains("the macro") && !open.contains("of ben"), "{open}");
}

#[test]
fn who_forgets_a_project_is_told_of_others_there() {
    for (is_shared, told) in [
        (true, "say yes to it: --yes; 2 sessions of other persons go too"),
        (false, "say yes to it: --yes"),
    ] {
        let desk = desk(is_shared);
        let refused = desk.person("forget", json!({ "what": "project" })).expect_err("a refusal");
        assert_eq!(refused.hint.as_deref(), Some(told));
    }
}

/// Whose folder is on another machine is not told that it is gone.
#[test]
fn what_another_machine_has_is_not_gone() {
    let mut desk = desk(true);
    let project = |desk: &Desk| asked(desk, "list_projects", json!({}))["projects"][0].clone();
    desk.world.folders.work = desk.folder().join("moved");
    std::fs::rename(desk.folder().join("project"), &desk.world.folders.work).expect("a folder");
    assert_eq!(project(&desk)["is_gone"], false);
    // A store that one machine alone has used says so.
    let one = Desk::new();
    one.object("write_notepad", json!({ "content": "# Page" }));
    std::fs::remove_dir_all(one.folder().join("project")).expect("a folder");
    assert_eq!(project(&one)["is_gone"], true);
}
