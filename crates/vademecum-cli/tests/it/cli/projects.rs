//! A folder that was moved or renamed, and its project.

use std::fs;

use serde_json::json;

use super::home::Home;

#[test]
fn a_moved_folder_joins_its_project_again() {
    let home = Home::new();
    home.json(&[
        "--session",
        "claude-code:aaaa1111",
        "note",
        "add",
        "before the move",
        "--tag",
        "t",
    ]);
    home.json(&["learning", "add", "Money is in cents."]);
    let moved = home.path("moved/demo");
    fs::create_dir(home.path("moved")).expect("a folder");
    fs::rename(home.path("demo"), &moved).expect("a move");

    let there = |words: &[&str]| {
        let said = home.command(words).current_dir(&moved).output().expect("a run");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!("{}{}", text(&said.stdout), text(&said.stderr))
    };
    assert!(there(&["note", "list"]).contains("no notes"));
    let status = there(&["status"]);
    let listed = there(&["project", "list"]);
    let id = listed.split_once("  demo  2 sessions  ").map(|(id, _)| id).expect("an id");
    assert_eq!(id.len(), 8, "{listed}");
    assert!(listed.ends_with("/demo  (gone)\n"), "{listed}");
    assert!(status.contains(&format!("demo (project {id}) was in ")), "{status}");
    assert!(status.contains(&format!("vade project join {id}")), "{status}");

    // A session that ran here before anybody noticed comes along.
    there(&["--session", "claude-code:bbbb2222", "note", "add", "after the move", "--tag", "t"]);
    there(&["learning", "add", "Refunds are idempotent."]);
    there(&["learning", "add", "Money is in cents."]);
    let refused = there(&["project", "join", id]);
    assert_eq!(
        refused,
        "vade: this folder is project demo already, with what it keeps\n  hint: --yes moves all of it \
         to demo: they cannot be parted again\n"
    );
    let joined = there(&["project", "join", id, "--yes"]);
    assert_eq!(joined, "this folder belongs to project demo; 2 sessions and 1 entry moved there\n");
    for handle in ["aaaa1111", "bbbb2222"] {
        assert!(there(&["--session", handle, "note", "list"]).contains("the move"), "{handle}");
    }
    let plan = there(&["plan", "show", "_project", "--json"]);
    assert_eq!(plan.matches("Money is in cents.").count(), 1, "{plan}");
    assert_eq!(plan.matches("Refunds are idempotent.").count(), 1, "{plan}");
    let listed = there(&["project", "list", "--json"]);
    let projects: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(projects["projects"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(projects["projects"][0]["is_here"], true);
}

#[test]
fn only_what_may_have_been_moved_here_is_named() {
    let home = Home::new();
    let within = |folder: &str, words: &[&str]| {
        let folder = home.path(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let said = home.command(words).current_dir(folder).output().expect("a run");
        String::from_utf8(said.stdout).expect("UTF-8")
    };
    let begin = |folder: &str| {
        within(folder, &["note", "add", "kept", "--tag", "t"]);
        fs::remove_dir(home.path(folder)).expect("a folder that goes");
    };
    let said = |folder: &str| {
        let said = within(folder, &["status"]);
        let (_, said) = said.split_once("nothing is kept for this folder yet; ")?;
        Some(said.lines().next()?.to_owned())
    };
    begin("old/alpha");
    begin("old/gamma");
    let alpha = said("new/alpha").expect("it may be that one");
    assert!(
        alpha.starts_with("alpha (project ") && alpha.contains("old/alpha, which is gone"),
        "{alpha}"
    );
    assert_eq!(said("new/beta"), None);
    begin("older/alpha");
    let several = "2 projects may be alpha, and their folders are gone: if one was moved here, run vade project list";
    assert_eq!(said("new/alpha").as_deref(), Some(several));
}

#[test]
fn a_project_is_renamed() {
    let home = Home::new();
    home.add("kept", "t");
    assert_eq!(
        home.json(&["project", "rename", "billing"]),
        json!({"name": "billing", "before": "demo"})
    );
    assert_eq!(home.json(&["status"])["project"], "billing");
    for name in ["", " ", "two\nlines"] {
        assert!(
            home.error(&["project", "rename", name]).starts_with("usage: a project's name takes"),
            "{name}"
        );
    }
}
