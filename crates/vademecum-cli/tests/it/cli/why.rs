//! The command `vade why` as a person meets it.

use serde_json::Value;

use super::home::Home;

#[test]
fn a_line_of_a_recap_is_pasted_as_it_stands() {
    let home = Home::new();
    let runs: [&[&str]; 5] = [
        &["why", "pass the key from cli/refund.rs through SubmitArgs", "--sample"],
        &["why", "- Asked last: \"good. no mocks in the integration …\"", "--sample"],
        &[
            "why",
            "- `cargo test -p pay refund` → test refund_cli_reuses_key ... FAILED",
            "--sample",
        ],
        &["why", "pass the ball", "--sample"],
        &["why", "pass the key", "--path", "none.jsonl"],
    ];
    let said = runs.map(|words| {
        let run = home.vade(words);
        format!("$ vade {}\n{}{}", words.join(" "), run.out, run.err)
    });
    insta::assert_snapshot!(home.steady(&said.join("\n")));
}

#[test]
fn both_forms_of_json_are_the_same() {
    let home = Home::new();
    let words = ["why", "no mocks", "--sample"];
    let json = home.text(&[&words[..], &["--format", "json"]].concat());
    let object = home.text(&[&words[..], &["--json"]].concat());
    let [json, object] =
        [json, object].map(|text| serde_json::from_str::<Value>(&text).expect("JSON"));
    assert_eq!(json, object);
    assert_eq!(json["places"][0]["line"], 24);
}
