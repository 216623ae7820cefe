//! The option by which a person keeps a secret, and who is refused it.

use super::home::Home;

/// A password in two pieces, so that no file of ours holds one.
fn text() -> String {
    format!("password='{}{}'", "hunter", 22)
}

#[test]
fn only_a_person_keeps_a_secret_and_only_for_one_write() {
    let home = Home::new();
    let note = |home: &Home, more: &[&str]| {
        let text = text();
        home.vade(&[&["note", "add", &text, "--tag", "a", "--json"], more].concat())
    };
    let kept = note(&home, &["--allow-secret"]);
    assert!(kept.code == 0 && kept.out.contains(&text()), "{kept:?}");
    let replaced = note(&home, &[]);
    let is_told = replaced.out.contains(r#""replaced":[{"kind":"password","count":1}]"#);
    assert!(is_told && !replaced.out.contains(&text()), "{replaced:?}");

    let agent = home.with("CLAUDE_CODE_SESSION_ID", "5a3b1c9e");
    let refused = note(&agent, &["--allow-secret"]);
    assert!(refused.code != 0 && refused.err.contains("is a person's"), "{refused:?}");
    assert!(!refused.err.contains("hunter"), "{refused:?}");
}

#[test]
fn an_import_says_what_it_replaced() {
    let home = Home::new();
    let session = serde_json::json!({
        "name": "test:other", "started_at": "2026-11-20T10:00:00Z", "notepad": text(), "notes": [],
    });
    let package = serde_json::json!({ "vademecum": 1, "project": "demo", "sessions": [session] });
    std::fs::write(home.path("demo/all.json"), package.to_string()).expect("a file");
    let said = home.text(&["import", "all.json"]);
    let expected = "took in 1 notepad and 0 notes of 1 session; already there: 0\n\
        replaced before anything was kept: 1 password (only a person can keep them, with --allow-secret)\n";
    assert_eq!(said, expected);
}

#[test]
fn it_is_for_what_is_written_by_a_person_alone() {
    let home = Home::new();
    for words in [
        &["note", "list", "--allow-secret"][..],
        &["recap", "--allow-secret"],
        &["sandbox", "run", "--code", "1", "--allow-secret"],
    ] {
        let refused = home.vade(words);
        assert!(refused.code != 0 && refused.err.contains("commands that write"), "{refused:?}");
    }
}
