//! What leaves, enters and goes for good: forget, prune, export, import, off and on.

use std::path::Path;
use std::sync::atomic::Ordering;

use serde_json::json;
use vademecum_core::time::Time;
use vademecum_ops::who::full_key;
use vademecum_store::read;

use crate::desk::Desk;

const SECRET: &str = "planted-secret-7f3a";

/// Every file below `folder` that holds the secret.
fn holding(folder: &Path) -> Vec<String> {
    files_with(folder, SECRET)
}

/// Every file below `folder` that holds `text`.
pub(crate) fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() {
            found.extend(files_with(&entry, text));
        } else if String::from_utf8_lossy(&std::fs::read(&entry).expect("a file")).contains(text) {
            found.push(entry.display().to_string());
        }
    }
    found
}

fn planted() -> (Desk, String) {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": format!("a {SECRET}")}));
    desk.object("write_notepad", json!({"content": "clean"}));
    let content = format!("key {SECRET} here");
    let note = desk.object("add_note", json!({"content": content, "tags": [SECRET]}));
    let id = note["id"].as_str().expect("an id").to_owned();
    desk.object("update_note", json!({"id": id, "content": format!("again {SECRET}")}));
    (desk, id)
}

#[test]
fn no_byte_of_a_forgotten_note_is_left() {
    let desk = Desk::new();
    let other = desk.object("add_note", json!({"content": "stays", "tags": ["a"]}));
    let note =
        desk.object("add_note", json!({"content": format!("key {SECRET}"), "tags": [SECRET]}));
    desk.object("update_note", json!({"id": note["id"], "content": format!("again {SECRET}")}));
    assert!(!holding(&desk.folder().join("data")).is_empty());
    desk.object("forget", json!({"what": "note", "id": note["id"], "yes": true}));
    assert_eq!(holding(&desk.folder().join("data")), Vec::<String>::new());
    assert_eq!(desk.object("list_notes", json!({}))["notes"][0]["id"], other["id"]);
}

#[test]
fn no_byte_of_a_forgotten_session_or_project_is_left() {
    for what in ["session", "project"] {
        let (desk, _) = planted();
        assert!(!holding(&desk.folder().join("data")).is_empty());
        desk.object("forget", json!({"what": what, "yes": true}));
        assert_eq!(holding(&desk.folder().join("data")), Vec::<String>::new(), "{what}");
        assert_eq!(desk.object("read_notepad", json!({})), json!({"content": ""}));
    }
}

/// A file in `backups/` that is no copy of vade's own stays, and may say the same.
#[test]
fn copies_of_the_store_go_along_or_are_named() {
    let check = |what: &str, files: &[&str], said: &str| {
        let (desk, id) = planted();
        desk.object("archive_session", json!({}));
        let backups = desk.folder().join("data/backups");
        std::fs::create_dir_all(&backups).expect("a folder");
        for file in files {
            std::fs::write(backups.join(file), SECRET).expect("a copy");
        }
        let id = (what == "note").then_some(id);
        let reply = desk.call("forget", json!({"what": what, "id": id, "yes": true}));
        let text =
            reply.expect("an answer").text.replace(&backups.display().to_string(), "backups");
        let text = id.map_or(text.clone(), |id| text.replace(&id, "ID"));
        assert_eq!(text, said);
        let held = if backups.exists() { holding(&backups) } else { Vec::new() };
        assert_eq!(held.is_empty(), text.contains("no byte"), "{held:?}");
    };
    let made = "; a copy that you made keeps it";
    check(
        "note",
        &[],
        &format!("forgot ID: no byte of it is left in vade's own files (3 writes emptied){made}"),
    );
    check(
        "session",
        &["vade-before-restore-1.db"],
        &format!(
            "forgot test:session-1: no byte of it is left in vade's own files (5 writes emptied, \
             1 copy of the store in backups/ removed){made}"
        ),
    );
    check(
        "project",
        &["mine.db\nforged", "vade-before-restore-1.db", "vade-before-1.1.db"],
        "forgot project project (5 writes emptied, 2 copies of the store in backups/ removed). \
         What still says the same:\n\
         - it may stand in a file that is none of vade's own copies; if so, delete it: backups/mine.db forged",
    );
}

#[test]
fn what_is_named_is_forgotten_and_nothing_else() {
    let mut desk = Desk::new();
    let n_kept = |desk: &mut Desk| {
        ["test:one", "test:two"].map(|session| {
            desk.session = Some(session.to_owned());
            desk.object("list_notes", json!({}))["total"].as_u64()
        })
    };
    for session in ["test:one", "test:two"] {
        desk.session = Some(session.to_owned());
        desk.object("add_note", json!({"content": "kept", "tags": ["a"]}));
    }
    let forget = |what: &str, id: &str| json!({"what": what, "id": id, "yes": true});
    for (what, id, expected) in [
        ("session", "nope", "missing: no session \"nope\""),
        ("session", "test:nope", "missing: no session \"test:nope\""),
        (
            "project",
            "other",
            "usage: this is project \"project\", \"other\" given: nothing was forgotten",
        ),
    ] {
        assert_eq!(desk.error("forget", forget(what, id)), expected);
    }
    assert_eq!(n_kept(&mut desk), [Some(1), Some(1)]);
    assert_eq!(desk.session.as_deref(), Some("test:two"));
    desk.object("forget", forget("session", "test:one"));
    assert_eq!(n_kept(&mut desk), [Some(0), Some(1)]);
    desk.object("forget", forget("project", "project"));
    assert_eq!(n_kept(&mut desk), [Some(0), Some(0)]);
}

#[test]
fn forgetting_asks_for_a_yes() {
    let (desk, id) = planted();
    let error = desk.error("forget", json!({"what": "note", "id": id}));
    assert_eq!(error, "usage: forgetting a note cannot be undone");
    let error = desk.error("forget", json!({"what": "entry", "id": "entry_1"}));
    assert_eq!(error, "usage: forgetting an entry cannot be undone");
    assert_eq!(desk.object("list_notes", json!({}))["total"], 1);
}

#[test]
fn archiving_a_session_that_is_not_there_makes_none() {
    let desk = Desk::new();
    let error = desk.error("archive_session", json!({}));
    assert_eq!(error, "missing: this session keeps nothing: there is nothing to archive");
    assert_eq!(desk.object("list_sessions", json!({}))["sessions"], json!([]));
}

#[test]
fn pruned_sessions_are_gone_and_others_stay() {
    let mut desk = Desk::new();
    desk.object("write_notepad", json!({"content": "old ".repeat(100_000)}));
    desk.object("archive_session", json!({}));
    desk.clock.fetch_add(8 * 24 * 3_600_000, Ordering::SeqCst);
    desk.session = Some("test:session-2".to_owned());
    desk.object("write_notepad", json!({"content": "new"}));
    let planned = desk.object("prune", json!({"older": "7d", "dry_run": true}));
    let done = desk.object("prune", json!({"older": "7d"}));
    assert_eq!(
        (&planned["sessions"], &done["sessions"]),
        (&json!(["test:session-1"]), &json!(["test:session-1"]))
    );
    let bytes = |name: &str| done[name].as_u64().expect("bytes");
    assert!(bytes("bytes_after") < bytes("bytes_before"));
    assert_eq!(desk.object("read_notepad", json!({}))["content"], "new");
    let left = desk.object("list_sessions", json!({}));
    assert_eq!(left["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        desk.error("prune", json!({"older": "x"})),
        "usage: older takes a number and h, d or w, such as 7d; \"x\" given"
    );
}

#[test]
fn an_export_comes_in_whole_and_once() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "漢字\r\nplan"}));
    let note = desk.object("add_note", json!({"content": "why", "tags": ["decision", "a"]}));
    desk.object("scratch_note", json!({"id": note["id"], "scratched": true}));
    let package = desk.object("export", json!({"format": "json", "all": true}))["content"].clone();

    let other = Desk::new();
    let first = other.object("import", json!({"content": package}));
    let again = other.object("import", json!({"content": package}));
    let counts = |reply: &serde_json::Value| {
        (reply["notepads"].clone(), reply["notes"].clone(), reply["kept"].clone())
    };
    assert_eq!(counts(&first), (json!(1), json!(1), json!(0)));
    assert_eq!(counts(&again), (json!(0), json!(0), json!(2)));
    assert_eq!(again.get("differing"), None);
    let other_words = package.as_str().expect("a text").replace("why", "who").replace("plan", "p");
    let said = other.call("import", json!({"content": other_words})).expect("an import").text;
    let differs = "already there: 2; 2 of these differ from the file and stay as they are here";
    assert!(said.ends_with(differs), "{said}");
    assert_eq!(other.object("export", json!({"format": "json", "all": true}))["content"], package);
    assert_eq!(
        other.error("import", json!({"content": "{}"}))[..50],
        *"usage: the import is no export of vade: missing fi"
    );
}

/// The desks of two projects have other numbers in another store.
#[test]
fn a_desk_comes_in_as_the_desk_of_the_project_that_it_is_taken_into() {
    let from = |folder: &str, words: &str| {
        let mut desk = Desk::new();
        desk.session = Some("desk".to_owned());
        desk.world.folders.work = desk.folder().join(folder);
        std::fs::create_dir_all(&desk.world.folders.work).expect("a folder");
        desk.object("add_note", json!({"content": words, "tags": ["a"]}));
        desk.object("write_notepad", json!({"content": format!("page of {words}")}));
        desk
    };
    let package = from("x", "x").object("export", json!({"format": "json"}))["content"].clone();
    let mut other = from("y", "y");
    other.world.folders.work = other.folder().join("x");
    std::fs::create_dir_all(&other.world.folders.work).expect("a folder");
    other.object("import", json!({"content": package}));
    for folder in ["x", "y"] {
        other.world.folders.work = other.folder().join(folder);
        let notes = other.object("list_notes", json!({}));
        assert_eq!(notes["total"], 1, "{notes}");
        assert_eq!(notes["notes"][0]["content"], folder);
        assert_eq!(other.object("read_notepad", json!({}))["content"], format!("page of {folder}"));
    }
}

/// Where the project that it comes to has none, its desk is the desk there.
#[test]
fn a_desk_goes_along_with_a_project_that_is_joined() {
    for has_own in [false, true] {
        let mut desk = Desk::new();
        let works = |desk: &mut Desk, session: &str, folder: &str| {
            desk.session = Some(session.to_owned());
            desk.world.folders.work = desk.folder().join(folder);
            std::fs::create_dir_all(&desk.world.folders.work).expect("a folder");
        };
        works(&mut desk, if has_own { "desk" } else { "test:one" }, "into");
        desk.object("write_notepad", json!({"content": "# Of into"}));
        works(&mut desk, "desk", "from");
        desk.object("write_notepad", json!({"content": "# Of from"}));
        desk.object("write_handoff", json!({"content": "Mind the lock."}));
        let full = desk.object("status", json!({}))["session"].clone();
        desk.person("join_project", json!({"project": "into", "yes": true})).expect("a project");
        // By then nobody runs.
        desk.clock.fetch_add(24 * 3_600_000, Ordering::SeqCst);
        for folder in ["into", "from"] {
            works(&mut desk, "desk", folder);
            let page = if has_own { "# Of into" } else { "# Of from" };
            assert_eq!(desk.object("read_notepad", json!({}))["content"], page, "{folder}");
            desk.named = Some(full.as_str().expect("a name").to_owned());
            let page = desk.person("read_notepad", json!({})).expect("a page").object;
            assert_eq!(page["content"], "# Of from");
            desk.named = None;
            let open = desk.person("list_sessions", json!({"open": true})).expect("a list").text;
            assert_eq!(open.contains("Mind the lock."), !has_own, "{open}");
        }
        // What is written there later goes to the same.
        desk.object("add_note", json!({"content": "later", "tags": ["a"]}));
        let name = &desk.object("status", json!({}))["session"];
        assert_eq!(name == &full, !has_own, "{name} {full}");
    }
}

/// Who took over what, and what was dismissed, is so where the export comes in.
#[test]
fn an_export_brings_along_who_continued_whom_and_what_is_settled() {
    let mut desk = Desk::new();
    for (session, words) in [("test:one", "one"), ("test:two", "two"), ("test:three", "three")] {
        desk.session = Some(session.to_owned());
        desk.clock.fetch_add(60_000, Ordering::SeqCst);
        if session == "test:two" {
            desk.object("add_note", json!({"content": "begun", "tags": ["a"]}));
            desk.object("read_handoff", json!({"from": "one"}));
        }
        desk.object("write_handoff", json!({"content": words}));
        desk.object("archive_session", json!({}));
        // It works again: what it left is offered again.
        desk.clock.fetch_add(60_000, Ordering::SeqCst);
        desk.object("write_handoff", json!({"content": words}));
    }
    desk.person("dismiss_handoff", json!({"from": "three"})).expect("dismissed");
    let export = json!({"format": "json", "all": true});
    let package = desk.object("export", export.clone())["content"].clone();
    let mut other = Desk::new();
    other.session = Some("test:four".to_owned());
    other.clock.fetch_add(3_600_000, Ordering::SeqCst);
    other.object("import", json!({"content": package}));
    assert_eq!(other.object("export", export)["content"], package);
    let package: serde_json::Value =
        serde_json::from_str(package.as_str().expect("a text")).expect("JSON");
    let told: Vec<_> = package["sessions"].as_array().expect("sessions").iter().collect();
    let told = told.iter().map(|it| (&it["name"], &it["follows"], &it["settled"]));
    let none = serde_json::Value::Null;
    let expected = [
        (json!("test:one"), none.clone(), json!(true)),
        (json!("test:two"), json!("test:one"), none.clone()),
        (json!("test:three"), none, json!(true)),
    ];
    assert_eq!(
        told.collect::<Vec<_>>(),
        expected.iter().map(|(a, b, c)| (a, b, c)).collect::<Vec<_>>()
    );
    let offered = other.call("read_handoff", json!({})).expect("a handoff").text;
    for part in ["Handoff of session two", "It took over from session one"] {
        assert!(offered.contains(part), "{offered}");
    }
}

/// What is known already stays with its project, wherever the export is taken in.
#[test]
fn an_import_says_what_went_into_another_project() {
    let mut desk = Desk::new();
    let export = |desk: &Desk| desk.object("export", json!({"format": "json"}))["content"].clone();
    desk.object("add_note", json!({"content": "first", "tags": ["a"]}));
    let package = export(&desk);
    let package =
        package.as_str().expect("a text").replace("note_1763700000000", "note_1763700000007");
    let here =
        desk.call("import", json!({"content": package, "dry_run": true})).expect("an import");
    assert_eq!(here.text, "would take in 0 notepads and 1 note of 1 session; already there: 0");
    let projects = desk.person("list_projects", json!({})).expect("projects").object;
    let id = projects["projects"][0]["id"].as_str().expect("an id").to_owned();

    desk.session = None;
    desk.world.folders.work = desk.folder().join("q");
    std::fs::create_dir_all(&desk.world.folders.work).expect("a folder");
    for (dry_run, said) in [
        (
            true,
            "would take in 0 notepads and 1 note of 1 session; already there: 0\n1 session is of project project (ID): what is new of them would go there",
        ),
        (
            false,
            "took in 0 notepads and 1 note of 1 session; already there: 0\n1 session is of project project (ID): what was new of them went there",
        ),
    ] {
        let arguments = json!({"content": package, "dry_run": dry_run});
        let reply = desk.call("import", arguments).expect("an import");
        assert_eq!(reply.text, said.replace("ID", &id));
        let elsewhere = &reply.object["elsewhere"][0];
        assert_eq!((&elsewhere["name"], &elsewhere["sessions"]), (&json!("project"), &json!(1)));
    }
    let mut other = Desk::new();
    other.world.folders.work = other.folder().join("q");
    std::fs::create_dir_all(&other.world.folders.work).expect("a folder");
    let reply = other.call("import", json!({"content": package})).expect("an import");
    let said = "took in 0 notepads and 1 note of 1 session; already there: 0\nthe export is of project project: what no project has yet went into q";
    assert_eq!(reply.text, said);
}

#[test]
fn an_ended_session_comes_in_ended_with_its_words() {
    let mut desk = Desk::new();
    desk.object("write_handoff", json!({"content": "Next: the cli."}));
    desk.object("archive_session", json!({}));
    let export = json!({"format": "json", "all": true});
    let package = desk.object("export", export.clone())["content"].clone();
    let mut other = Desk::new();
    let plan = other.object("import", json!({"content": package, "dry_run": true}));
    let first = other.object("import", json!({"content": package}));
    assert_eq!((&plan["handoffs"], &first["handoffs"]), (&json!(1), &json!(1)));
    assert_eq!(other.object("export", export)["content"], package);
    for desk in [&mut desk, &mut other] {
        desk.session = Some("test:session-2".to_owned());
        let handoff = desk.call("read_handoff", json!({})).expect("a handoff").text;
        assert!(handoff.contains("Next: the cli."), "{handoff}");
    }
}

/// It began when its package says, and what was last heard of it is no later: it does not run here.
#[test]
fn a_session_of_long_ago_does_not_pass_for_one_that_runs() {
    let desk = Desk::new();
    let package = |ended: serde_json::Value| {
        let session = json!({
            "name": "claude-code:old", "started_at": "2025-10-01T08:00:00Z", "ended_at": ended, "notepad": "- [ ] leeks",
            "handoff": "Next: the leeks.", "notes": [],
        });
        json!({"vademecum": 1, "project": "p", "sessions": [session]}).to_string()
    };
    for (name, ended, state, words_at) in [
        ("old", json!("2025-10-02T08:00:00Z"), "ended", Time::parse("2025-10-02T08:00:00Z")),
        ("older", json!(null), "killed", Time::parse("2025-10-01T08:00:00Z")),
        ("coming", json!("2033-10-02T08:00:00Z"), "ended", None),
    ] {
        let package = package(ended).replace("claude-code:old", &format!("claude-code:{name}"));
        desk.object("import", json!({"content": package}));
        let sessions = desk.person("list_sessions", json!({"all": true})).expect("a list").object;
        let found = sessions["sessions"].as_array().and_then(|all| {
            all.iter().find(|it| it["name"] == format!("claude-code:{name}")).cloned()
        });
        let found = found.expect("the session");
        assert_eq!(
            (&found["started_at"], &found["state"]),
            (&json!("2025-10-01T08:00:00.000Z"), &json!(state))
        );
        let key = full_key(&format!("claude-code:{name}")).expect("a name");
        let words = read(&desk.store, |view| view.handoff(&key)).expect("a read");
        let words = words.expect("the words").updated_at;
        let now = Time(desk.clock.load(Ordering::SeqCst));
        assert!(words_at.map_or(words <= now, |at| words == at), "{name}: {words:?}");
    }
}

#[test]
fn off_means_off_until_it_is_on_again() {
    let desk = Desk::new();
    desk.object("write_notepad", json!({"content": "text"}));
    for all in [false, true] {
        desk.object("switch_off", json!({"all": all}));
        assert!(desk.error("read_notepad", json!({})).starts_with("denied: vade is switched off"));
        // To switch it on is not the model's.
        let hint = desk.call("read_notepad", json!({})).expect_err("it is off").hint;
        assert_eq!(hint.as_deref(), Some("the user did that: go on without it"));
        assert!(
            desk.error("add_note", json!({"content": "x", "tags": ["a"]}))
                .starts_with("denied: vade is switched off")
        );
        desk.object("switch_on", json!({"all": all}));
        assert_eq!(desk.object("read_notepad", json!({}))["content"], "text");
    }
}

/// The names of operations that answer an agent, or a person, each called with its own example.
fn answering(desk: &Desk, is_person: bool) -> Vec<&'static str> {
    let answers = |op: &&vademecum_ops::Op| {
        let example = serde_json::from_str(op.declaration.example).expect("JSON");
        let said = if is_person {
            desk.person(op.declaration.name, example)
        } else {
            desk.call(op.declaration.name, example)
        };
        said.err().is_none_or(|error| !error.message.starts_with("vade is switched off"))
    };
    let all =
        vademecum_ops::registry::ALL.iter().filter(|op| !op.declaration.name.contains("switch"));
    all.filter(answers).map(|op| op.declaration.name).collect()
}

#[test]
fn nothing_kept_is_shown_to_a_model_written_or_deleted_while_it_is_off() {
    for all in [false, true] {
        let (desk, _) = planted();
        let export = json!({"format": "json", "all": true});
        let before = desk.object("export", export.clone());
        desk.object("switch_off", json!({"all": all}));
        // The program of the sandbox reaches the session by these operations alone.
        let own = ["run_sandbox_code", "session_scratchpad", "status"];
        assert_eq!(answering(&desk, false), own);
        let wide = json!({"query": "x", "scope": "project"});
        assert!(desk.error("search_notes", wide).contains("vade is switched off"));
        let looks = [
            "recap",
            "why",
            "list_instances",
            "list_sessions",
            "list_projects",
            "export",
            "show_config",
        ];
        let person = answering(&desk, true);
        assert!(person.iter().all(|name| own.contains(name) || looks.contains(name)), "{person:?}");
        desk.object("switch_on", json!({"all": all}));
        assert_eq!(desk.object("export", export), before);
    }
}
