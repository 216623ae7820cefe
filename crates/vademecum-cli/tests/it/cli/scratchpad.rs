//! The scratchpad at the command line: conformance cases of group C2 that it can show.

use serde_json::Value;

use super::home::Home;

const TEN: &str = "[scratchpad]\nmaxTokens = 10";

#[track_caller]
fn put(home: &Home, words: &[&str]) -> Value {
    home.json(&[&["scratchpad", "put"], words].concat())
}

#[test]
fn c2_1_and_2_an_append_over_the_budget_is_refused() {
    for (first, second, current, append) in [(36, 20, 9, 5), (20, 20, 5, 5)] {
        let home = Home::configured(TEN);
        put(&home, &[&"a".repeat(first)]);
        let reply = put(&home, &[&"b".repeat(second), "--mode", "append"]);
        let message = format!(
            "Append would exceed 10 token budget (current: {current}, append: {append}). \
             Use mode 'replace' to rewrite, or reduce content."
        );
        assert_eq!((&reply["message"], &reply["saved"]), (&message.into(), &false.into()));
        assert_eq!(home.page(), "a".repeat(first));
    }
}

#[test]
fn c2_3_a_replace_over_the_budget_is_cut() {
    let home = Home::configured(TEN);
    let reply = put(&home, &[&"漢".repeat(100)]);
    let message = "Scratchpad truncated to 10 tokens (original: 25). Consider summarizing.";
    assert_eq!(reply["message"], message);
    assert_eq!(home.page(), "漢".repeat(40));
}

#[test]
fn c2_4_8_9_the_last_write_counts() {
    let home = Home::configured(TEN);
    put(&home, &["one", "--mode", "append"]);
    assert_eq!(home.page(), "one");
    put(&home, &["two", "--mode", "append"]);
    assert_eq!(home.page(), "one\ntwo");
    put(&home, &["three"]);
    assert_eq!(home.page(), "three");
    put(&home, &[""]);
    assert_eq!(home.page(), "");
    let unknown = home.error(&["scratchpad", "put", "x", "--mode", "merge"]);
    assert!(unknown.starts_with("usage: "), "{unknown}");
}

#[test]
fn c2_11_and_12_it_is_there_when_its_table_is() {
    for (toml, is_there) in [
        ("", false),
        ("[scratchpad]\nenabled = false", false),
        (TEN, true),
        ("profile = 'seed2'", true),
    ] {
        let home = Home::configured(toml);
        let said = home.vade(&["scratchpad", "put", "x"]);
        assert_eq!(said.code, if is_there { 0 } else { 2 }, "{toml}");
        assert_eq!(home.text(&["--help"]).contains("scratchpad"), is_there, "{toml}");
        let by_name = home.vade(&["call", "session.scratchpad", r#"{"content": "x"}"#]);
        assert_eq!(by_name.code, if is_there { 0 } else { 6 }, "{toml}");
    }
}
