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
fn a_place_is_told_as_json() {
    let home = Home::new();
    let json = home.text(&["why", "no mocks", "--sample", "--json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["places"][0]["line"], &json["places"][0]["said"]),
        (&24.into(), &"user".into())
    );
}
