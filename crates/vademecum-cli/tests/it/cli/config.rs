//! What is set, where it was set, and what becomes of a faulty file.

use super::home::Home;

#[test]
fn what_is_set_is_shown_with_its_file() {
    let home = Home::configured("[notes]\nsearch_limit = 5\n[scratchpad]\nmaxTokens = 9\n");
    std::fs::write(home.path("demo/.vademecum.toml"), "profile = 'seed1'\n").expect("a file");
    insta::assert_snapshot!(home.steady(&home.text(&["config", "show", "--explain"])));
    let keys = home.json(&["config", "show"]);
    let key = keys["keys"]
        .as_array()
        .expect("keys")
        .iter()
        .find(|key| key["key"] == "notes.search_limit");
    assert_eq!(
        home.steady(&key.expect("the key").to_string()),
        r#"{"key":"notes.search_limit","value":5,"from":"~/config/vademecum/config.toml"}"#
    );
}

#[test]
fn what_is_shown_is_a_file_that_sets_the_same() {
    for toml in ["", "profile = 'seed2'", "[scratchpad]\nmaxTokens = 9\n[store]\nurl = '~/own.db'"]
    {
        let home = Home::configured(toml);
        let values = |home: &Home| {
            let keys = home.json(&["config", "show"])["keys"].clone();
            let keys = keys.as_array().expect("keys").iter();
            keys.map(|key| (key["key"].clone(), key["value"].clone())).collect::<Vec<_>>()
        };
        let before = values(&home);
        home.configure(&home.text(&["config", "show", "--explain"]));
        assert_eq!(values(&home), before, "{toml}");
    }
}

#[test]
fn a_faulty_file_stops_commands_and_not_those_that_mend_it() {
    let home = Home::configured("[notes]\nlimit = 3\n");
    assert!(home.error(&["note", "list"]).starts_with("usage: "));
    assert_eq!(home.steady(&home.text(&["config", "path"])), "~/config/vademecum/config.toml\n");
    let shown = home.vade(&["config", "show", "--explain"]);
    assert!(shown.code == 0 && shown.err.contains("unknown field `limit`"), "{}", shown.err);
    assert!(shown.out.contains("search_limit = 20"));
    let status = home.json(&["status"]);
    assert!(status["config_error"].as_str().expect("an error").contains("unknown field `limit`"));
    assert_eq!(status["on"], true);
}

/// A repository's broken file takes nothing that a person has set out of what is shown: hooks go by it too.
#[test]
fn a_faulty_file_of_the_project_leaves_what_a_person_has_set() {
    let home = Home::configured("[notes]\nsearch_limit = 5\n");
    std::fs::write(home.path("demo/.vademecum.toml"), "[notes]\nlimit = 3\n").expect("a file");
    let shown = home.vade(&["config", "show"]);
    assert!(shown.code == 0 && shown.err.contains("an unknown key\n"), "{}", shown.err);
    assert!(shown.out.contains("search_limit = 5  # set in "), "{}", shown.out);
}

/// C6.2.
#[test]
fn a_warning_that_could_not_come_in_time_is_refused() {
    let home = Home::configured("[precompact]\nsoft = 0\n");
    let said = home.error(&["note", "list"]);
    let wanted = "precompact.soft takes 1 or more tokens, 0 given: the warning must come before the compaction";
    assert!(said.starts_with("usage: ") && said.contains(wanted), "{said}");
}
