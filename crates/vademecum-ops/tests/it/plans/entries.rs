//! Entries: where they go, what is refused, what is recognised, what is merged.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{add, append, contents, path, planned, text, tick};
use crate::desk::Desk;

#[test]
fn c3_12_merging_twice_is_merging_once() {
    let desk = planned();
    add(&desk, "one");
    tick(&desk);
    desk.object("add_learning", json!({"content": "two", "pattern": "src/a.rs:1-2"}));
    tick(&desk);
    desk.object("add_issue", json!({"content": "three", "severity": "high"}));
    let first = desk.object("merge_plan", json!({"plan": "a"}));
    assert_eq!(first["merged"], 3);
    let files = ["learnings.md", "issues.md", "patterns.md", "summary.md"];
    let before: Vec<String> = files.iter().map(|file| text(&desk, "_project", file)).collect();
    insta::assert_snapshot!(before.join("=====\n"), @"
    # Learnings



    # From: a


    ## 2025-11-21T04:40:01.000Z | Task: -

    one




    ---

    ## 2025-11-21T04:40:02.000Z | Task: -

    two

    **Pattern found:** `src/a.rs:1-2`



    ---
    =====
    # Issues



    # From: a


    ## 2025-11-21T04:40:03.000Z | Task: -

    three

    **Severity:** high




    ---
    =====
    # Patterns

    - `src/a.rs:1-2`: two
    =====
    # Summary

    ## Issues

    - 2025-11-21: three

    ## Learnings

    - 2025-11-21: one
    - 2025-11-21: two
    ");
    for (name, n) in [("merge_plan", 0), ("complete_plan", 0)] {
        let again = desk.object(name, json!({"plan": "a"}));
        let merged =
            again.get("merged").and_then(|it| it.get("merged")).unwrap_or(&again["merged"]);
        assert_eq!(merged, &json!(n), "{again}");
    }
    let after: Vec<String> = files.iter().map(|file| text(&desk, "_project", file)).collect();
    assert_eq!(after, before);
    assert_eq!(contents(&desk, "_project"), ["one", "two", "three"]);
    let shown = desk.object("show_plan", json!({"plan": "_project", "category": "issue"}));
    assert!(shown["entries"][0]["merged_from"].is_string());
}

#[test]
fn c3_13_names_are_refused_not_mangled() {
    let desk = planned();
    for name in ["_project", "../x", "a b", ".hidden", "x/y", ""] {
        let expected = format!(
            "usage: plan name \"{name}\" is not allowed: use letters, digits, \".\", \"_\", \"-\", 64 at most, \
             first one a letter or digit"
        );
        assert_eq!(desk.error("init_plan", json!({"name": name})), expected);
    }
    let clash = desk.error("init_plan", json!({"name": "A"}));
    assert_eq!(clash, "usage: plan \"A\" is not allowed beside \"a\": only the case differs");
    let folder = desk.world.folders.work.join(".planning/notepads");
    assert_eq!(folder.read_dir().expect("a folder").count(), 1);
}

#[test]
fn c3_14_a_plan_only_grows_and_its_first_entry_is_legal() {
    let desk = Desk::new();
    desk.object("init_plan", json!({"name": "fresh"}));
    for file in ["learnings.md", "decisions.md", "issues.md"] {
        std::fs::remove_file(path(&desk, "fresh", file)).expect("removed");
    }
    add(&desk, "the first");
    assert!(text(&desk, "fresh", "learnings.md").starts_with("# Learnings\n\n\n## "));
    for name in ["add_learning", "add_decision", "add_issue"] {
        let error = desk.error(name, json!({"content": "x", "replace": "the first"}));
        assert!(error.starts_with(&format!("usage: {name}: unknown field `replace`")), "{error}");
    }
    let names: Vec<&str> =
        vademecum_ops::registry::ALL.iter().map(|op| op.declaration.name).collect();
    let changes = ["update", "delete", "remove", "write", "edit"];
    assert!(
        !names
            .iter()
            .any(|name| changes.iter().any(|it| name.starts_with(it)) && name.ends_with("entry"))
    );
}

#[test]
fn what_says_the_same_again_is_recognised() {
    let desk = planned();
    let first = add(&desk, "Use .pipe()");
    let again = add(&desk, "use  .pipe().");
    assert_eq!((&again["id"], &again["known"]), (&first["id"], &json!(true)));
    assert_eq!(text(&desk, "a", "learnings.md").matches(".pipe()").count(), 1);
    append(&desk, "a", "learnings.md", "- by hand\n");
    let by_hand = add(&desk, "- by hand");
    assert_eq!(by_hand["known"], true);
    assert_eq!(contents(&desk, "a").len(), 2);
}

#[test]
fn a_correction_supersedes() {
    let desk = planned();
    let wrong = add(&desk, "the port is 80");
    tick(&desk);
    desk.object("merge_plan", json!({"plan": "a"}));
    let copy = desk.object("show_plan", json!({"plan": "_project"}))["entries"][0]["id"].clone();
    tick(&desk);
    // Correcting the copy corrects the original too.
    let right = json!({"content": "the port is 8080", "supersedes": copy});
    assert_eq!(desk.object("add_learning", right)["supersedes"], wrong["id"]);
    for plan in ["a", "_project"] {
        let shown = desk.object("show_plan", json!({"plan": plan}));
        let n_wrong = shown["entries"].to_string().matches("port is 80\"").count();
        assert_eq!(n_wrong, 0, "{plan}");
    }
    let nowhere = json!({"content": "x", "supersedes": "entry_1"});
    assert_eq!(
        desk.error("add_learning", nowhere),
        "missing: no entry \"entry_1\" in this project"
    );
}

/// What says the same again and names what it corrects is no repeat.
#[test]
fn a_link_that_is_said_later_is_kept() {
    let desk = Desk::new();
    let old = desk.object("add_learning", json!({"content": "The cache is flushed by hand."}));
    let same = json!({"content": "A deploy flushes the cache."});
    desk.object("add_learning", same.clone());
    let linked = json!({"content": "A deploy flushes the cache.", "supersedes": old["id"]});
    desk.object("add_learning", linked.clone());
    let told = desk.object("show_plan", json!({"plan": "_project"}));
    let told = told["entries"].as_array().expect("a list").iter().map(|it| it["content"].clone());
    assert_eq!(told.collect::<Vec<_>>(), [same["content"].clone(), same["content"].clone()]);
    let n = |arguments| {
        desk.object("add_learning", arguments);
        desk.object("show_plan", json!({"plan": "_project", "all": true}))["total"].clone()
    };
    assert_eq!((n(linked), n(same)), (json!(3), json!(3)));
    let wrong = json!({"content": "A deploy flushes the cache.", "supersedes": "entry_1"});
    assert_eq!(desk.error("add_learning", wrong), "missing: no entry \"entry_1\" in this project");
}

#[test]
fn all_of_a_plan_says_what_took_whose_place() {
    let desk = planned();
    let old = desk.object("add_learning", json!({"content": "Money is kept in cents."}));
    tick(&desk);
    let new = json!({"content": "Money is kept in mills.", "supersedes": old["id"]});
    let new = desk.object("add_learning", new);
    let [old, new] = [old, new].map(|it| it["id"].as_str().expect("an id").to_owned());
    let shown = desk.call("show_plan", json!({"plan": "a", "all": true})).expect("an answer").text;
    assert!(
        shown.contains(&format!("learning (superseded by {new}): Money is kept in cents.")),
        "{shown}"
    );
    assert!(shown.contains("learning: Money is kept in mills.") && shown.contains(&old), "{shown}");
}

#[test]
fn a_resolved_issue_is_told_no_more() {
    let desk = planned();
    let issue = desk.object("add_issue", json!({"content": "the build is slow"}));
    tick(&desk);
    let gone =
        json!({"content": "the build is slow", "status": "resolved", "supersedes": issue["id"]});
    desk.object("add_issue", gone);
    assert_eq!(desk.object("show_plan", json!({"plan": "a"}))["total"], 0);
    assert_eq!(super::wisdom(&desk, json!({"plan": "a"})), "");
}

#[test]
fn entries_go_to_the_plan_that_the_session_works_on() {
    let mut desk = Desk::new();
    let place = |desk: &Desk, content: &str| add(desk, content)["plan"].clone();
    assert_eq!(place(&desk, "no plan"), "_project");
    desk.object("init_plan", json!({"name": "a"}));
    assert_eq!(place(&desk, "the only open one"), "a");
    desk.object("init_plan", json!({"name": "b"}));
    assert_eq!(place(&desk, "two are open"), "_project");
    desk.object("use_plan", json!({"plan": "b"}));
    assert_eq!(place(&desk, "as told"), "b");
    desk.session = Some("test:session-1/agent-1".to_owned());
    assert_eq!(place(&desk, "as the parent was told"), "b");
    desk.session = Some("test:session-2".to_owned());
    assert_eq!(place(&desk, "another session"), "_project");
    desk.session = Some("test:session-1".to_owned());
    desk.object("complete_plan", json!({"plan": "b"}));
    assert_eq!(place(&desk, "b is complete"), "a");
    let status = desk.object("status", json!({}));
    assert_eq!((&status["plan"], &status["entries"]), (&json!("a"), &json!(2)));
}

#[test]
fn a_note_is_promoted() {
    let desk = planned();
    let note =
        desk.object("add_note", json!({"content": "ack after post", "tags": ["decision", "pay"]}));
    let entry = desk.object("promote_note", json!({"id": note["id"]}));
    assert_eq!(
        (&entry["plan"], &entry["category"], &entry["tags"]),
        (&json!("_project"), &json!("decision"), &json!(["decision", "pay"]))
    );
    assert_eq!(contents(&desk, "_project"), ["ack after post"]);
}

#[test]
fn wrong_calls_are_refused_in_words() {
    let desk = planned();
    for (name, arguments, error) in [
        ("add_learning", json!({"content": " "}), "usage: an entry needs a text, none given"),
        (
            "add_learning",
            json!({"content": "x", "plan": "b"}),
            "missing: no plan \"b\" in this project",
        ),
        (
            "add_learning",
            json!({"content": "x", "task": "a\nb"}),
            "usage: a task or pattern is one line of at most 200 characters without back-ticks, \"a\nb\" given",
        ),
        (
            "add_issue",
            json!({"content": "x", "severity": "bad"}),
            "usage: severity \"bad\" is not known: use low, medium, high or critical",
        ),
        (
            "add_learning",
            json!({"content": "[vade receipt 0123456789abcdef]"}),
            "usage: line 1 belongs to a vade block of the context, which is kept already",
        ),
        (
            "add_learning",
            json!({"content": "x", "supersedes": "7"}),
            "usage: \"7\" is no entry id: they look like entry_1734604200000",
        ),
        ("complete_plan", json!({"plan": "b"}), "missing: no plan \"b\" in this project"),
        ("use_plan", json!({"plan": "b"}), "missing: no plan \"b\" in this project"),
    ] {
        assert_eq!(desk.error(name, arguments), error);
    }
    assert_eq!(contents(&desk, "a"), [""; 0]);
    desk.object("archive_plan", json!({"plan": "a"}));
    let archived = desk.error("add_learning", json!({"content": "x", "plan": "a"}));
    assert_eq!(archived, "denied: plan \"a\" is archived: nothing is added to it");
    assert_eq!(desk.object("list_plans", json!({})), json!({"plans": []}));
    assert_eq!(desk.object("init_plan", json!({"name": "a"}))["new"], false);
    assert_eq!(add(&desk, "again")["plan"], "a");
}

#[test]
fn a_repeat_with_the_same_write_id_adds_nothing() {
    let mut desk = planned();
    desk.write_id = Some("toolu_1");
    let add = || desk.object("add_learning", json!({"content": "one"}));
    let first = add();
    assert_eq!(add(), first);
    assert_eq!(
        desk.error("add_learning", json!({"content": "two"})).split(':').next(),
        Some("conflict")
    );
    assert_eq!(contents(&desk, "a"), ["one"]);
}

#[test]
fn plans_leave_and_enter_a_store_whole() {
    let from = planned();
    let first = add(&from, "the port is 80");
    tick(&from);
    from.object("add_issue", json!({"content": "slow", "severity": "low", "workaround": "wait"}));
    tick(&from);
    from.object("add_learning", json!({"content": "the port is 8080", "supersedes": first["id"]}));
    from.object("complete_plan", json!({"plan": "a"}));
    let export = |desk: &Desk| {
        let reply = desk.object("export", json!({"format": "json", "all": true}));
        reply["content"].as_str().expect("a text").to_owned()
    };
    let package = export(&from);

    let to = Desk::new();
    to.clock.store(from.clock.load(Ordering::SeqCst), Ordering::SeqCst);
    let import =
        |dry_run: bool| to.object("import", json!({"content": package, "dry_run": dry_run}));
    assert_eq!(import(true)["entries"], 5);
    assert_eq!(import(false)["entries"], 5);
    let again = import(false);
    assert_eq!((again.get("entries"), &again["kept"]), (None, &json!(5)));
    for plan in ["a", "_project"] {
        let shown = |desk: &Desk| {
            desk.object("show_plan", json!({"plan": plan, "all": true}))["entries"].clone()
        };
        assert_eq!(shown(&to), shown(&from));
    }
}

/// What is known of where the work tree stood goes along: out, in, and into the project's own plan.
#[test]
fn where_an_entry_stood_goes_with_it() {
    let from = planned();
    add(&from, "the port is 80");
    let export = |desk: &Desk| -> Value {
        let reply = desk.object("export", json!({"format": "json", "all": true}));
        serde_json::from_str(reply["content"].as_str().expect("a text")).expect("JSON")
    };
    let mut package = export(&from);
    let entry = package["plans"][0]["entries"][0].as_object_mut().expect("an entry");
    assert!(!entry.contains_key("branch") && !entry.contains_key("commit"), "{entry:?}");
    let stood = (json!("feature/two words"), json!("0123456789abcdef0123456789abcdef01234567"));
    entry.insert("branch".to_owned(), stood.0.clone());
    entry.insert("commit".to_owned(), stood.1.clone());

    let to = Desk::new();
    to.clock.store(from.clock.load(Ordering::SeqCst), Ordering::SeqCst);
    to.object("import", json!({"content": package.to_string()}));
    assert_eq!(export(&to)["plans"], package["plans"]);
    to.object("merge_plan", json!({"plan": "a"}));
    for plan in ["a", "_project"] {
        let shown = to.object("show_plan", json!({"plan": plan, "all": true}));
        let entry = &shown["entries"][0];
        assert_eq!((&entry["branch"], &entry["commit"]), (&stood.0, &stood.1), "{plan}");
    }
}

/// Who leaves an option out does not say that it is not so; who gives one says more.
#[test]
fn the_text_alone_is_known_from_an_entry_that_says_more() {
    let desk = planned();
    let is_known = |name: &str, arguments: Value| desk.object(name, arguments)["known"] == true;
    for (name, more, other) in [
        ("add_learning", json!({"pattern": "a.rs:1"}), json!({"pattern": "b.rs:1"})),
        ("add_decision", json!({"rationale": "fewer steps"}), json!({"alternatives": "a queue"})),
        ("add_issue", json!({"severity": "high"}), json!({"severity": "low"})),
    ] {
        let with = |more: &Value| {
            let mut arguments = json!({"content": "the same text"});
            let more = more.as_object().expect("an object").clone();
            arguments.as_object_mut().expect("an object").extend(more);
            arguments
        };
        assert!(!is_known(name, with(&more)), "{name}");
        assert!(is_known(name, with(&json!({}))), "{name}");
        assert!(is_known(name, with(&more)), "{name}");
        assert!(!is_known(name, with(&other)), "{name}: another option is another entry");
    }
}

#[test]
fn an_entry_that_is_not_there_is_told_with_where_ids_stand() {
    let desk = planned();
    let wrong = json!({"content": "x", "supersedes": "entry_123"});
    let error = desk.call("add_learning", wrong.clone()).expect_err("no such entry");
    assert_eq!(error.message, "no entry \"entry_123\" in this project");
    assert_eq!(error.hint.as_deref(), Some("recall kind=known shows ids"));
    let error = desk.person("add_learning", wrong).expect_err("no such entry");
    assert_eq!(error.hint.as_deref(), Some("show_plan shows ids"));
}
