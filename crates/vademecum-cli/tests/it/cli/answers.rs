//! Answers: text for people, one line of JSON for programs.

use super::home::Home;

#[test]
fn commands_answer_in_words() {
    let home = Home::new();
    let mut text = Vec::new();
    let mut run = |words: &[&str]| {
        let said = home.vade(words);
        let (out, err) = (home.steady(&said.out), home.steady(&said.err));
        text.push(format!("$ vade {}\n{err}{out}\n", words.join(" ")));
    };
    run(&["notepad", "write", "## Plan\n- [ ] first step\n"]);
    run(&["notepad", "update", "append", "- [ ] second step\n"]);
    run(&["notepad", "show"]);
    run(&["note", "add", "Retry swallows E_DUP.", "--tags", "bug,queue"]);
    run(&["note", "list"]);
    run(&["note", "search", "e_dup"]);
    run(&["tag", "list"]);
    run(&["session", "list"]);
    run(&["status"]);
    run(&["off"]);
    run(&["status"]);
    insta::assert_snapshot!(text.concat());
}

#[test]
fn json_is_one_line_and_says_no_more() {
    let home = Home::new();
    let mut text = Vec::new();
    for words in [
        &["notepad", "write", "## Plan"][..],
        &["notepad", "show"],
        &["note", "add", "Retry swallows E_DUP.", "--tag", "bug"],
        &["note", "list"],
        &["session", "list"],
        &["status"],
    ] {
        let (words, object) = (words.join(" "), home.json(words).to_string());
        text.push(format!("$ vade {words} --json\n{}\n", home.steady(&object)));
    }
    insta::assert_snapshot!(text.concat());
}

#[test]
fn a_page_goes_from_pipe_to_pipe_byte_for_byte() {
    let home = Home::new();
    for page in ["no line end", "two\n\n", "\n", "漢字 😀\t\r\n"] {
        home.vade_reading(page, &["notepad", "write", "-"]);
        assert_eq!(home.text(&["notepad", "show"]), page);
    }
}
