//! What holds for any session: the budget, the same bytes, nothing invented, lines of 200 characters.

use std::ops::ControlFlow;

use proptest::prelude::*;
use vademecum_core::turn::Turn;
use vademecum_recap::{Part, fact, tokens};

use crate::turns::{answered, asked, digest, edited, ran, read, said};

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "fix",
        "the",
        "RefundKey",
        "src/lib.rs",
        "never",
        "error:",
        "E0382",
        "--no-verify",
        "don't",
        "parse_line.",
        "/home/dev/shop/a/b.rs",
        "ü",
        "日本語",
        "\n",
        "https://a.b/c",
        "3c1f9d2",
        "a/b/c",
        "\"",
        "`",
        "…",
        "; && |",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let one =
        (0..7_u8, words(), "[a-d]/[a-f]{1,6}\\.rs").prop_map(|(which, text, path)| match which {
            0 => asked(&text),
            1 => said(&text),
            2 => ran("1", &format!("cargo {text}")),
            3 => edited("2", &path, &text),
            4 => read("3", &path),
            5 => answered("1", true, &text),
            _ => answered("1", false, &text),
        });
    prop::collection::vec(one, 0..40)
}

/// Every string of a session, as one.
fn all(turns: &[Turn]) -> String {
    let said: Vec<String> = turns.iter().map(|turn| format!("{:?}", turn.event)).collect();
    said.join("\n").replace("\\n", " ").replace("\\\"", "\"")
}

/// Whether the words of a line stand in one turn in their order, without those that say whose they are.
fn stands(line: &str, turns: &[Turn]) -> bool {
    let ours = [
        "Asked first: ",
        "Asked last: ",
        "Asked last, not begun yet: ",
        "Asked before: ",
        "The agent asked: ",
        "The agent had said: ",
        "User: ",
        "Running: ",
        "Last steps: ",
        "Tried: ",
        "Plan: ",
        "Named in the plan and not changed yet: ",
        "Began: ",
        "Before the last edits: ",
    ];
    let line = ours.iter().find_map(|words| line.strip_prefix(words)).unwrap_or(line);
    let line = ["` passed, before the last edits", "` passed", "` ran well", "` ran", "edited "]
        .iter()
        .fold(line.to_owned(), |line, words| line.replace(words, ""));
    turns.iter().any(|turn| {
        let said = format!("{:?}", turn.event).replace("\\n", " ");
        let mut said = words_of(&said);
        words_of(&line).all(|word| said.any(|other| other == word))
    })
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_recap_keeps_its_promises(turns in turns(), budget in 0_usize..600) {
        let recap = digest(&turns).recap(budget);
        prop_assert!(tokens(&recap.text) <= budget);
        prop_assert!(recap.text.lines().all(|line| line.chars().count() <= 200));
        prop_assert_eq!(&recap, &digest(&turns).recap(budget));
        prop_assert!(recap.coverage.said <= recap.coverage.facts, "{:?}", recap.coverage);

        let told = format!("{}\n{}", recap.text, recap.rest.join("\n")).replace('\n', " ");
        for fact in digest(&turns).facts() {
            prop_assert!(told.contains(fact), "{fact} is not told in {told}");
        }

        let said = all(&turns);
        let mut invented = Vec::new();
        fact::scan(&recap.text, |_, fact| {
            if !said.contains(fact) {
                invented.push(fact.to_owned());
            }
            ControlFlow::Continue(())
        });
        prop_assert!(invented.is_empty(), "{invented:?} in {}", recap.text);

        for section in recap.sections.iter().filter(|section| section.part < Part::Edited) {
            // Of a failure the line that says most stands before the one that came first.
            let own = |line: &String| line.replace(" (files were changed since; not run again)", "");
            let lines: Vec<String> = section.lines.iter().map(own).collect();
            let parts = lines.iter().flat_map(|line| line.split(" → "));
            let parts = parts.flat_map(|part| part.split("; "));
            for line in parts.flat_map(|part| part.split(" | ")) {
                prop_assert!(stands(line, &turns), "{line} in {}", recap.text);
            }
        }
    }
}

#[test]
fn a_long_session_stays_small() {
    let turns = (0..30_000)
        .map(|n| edited("1", &format!("src/file_{n}.rs"), &format!("fn name_{n}() {{}}")));
    let mut digest = vademecum_recap::Digest::new(&vademecum_recap::Options::default());
    for turn in turns {
        digest.push(&turn);
    }
    let recap = digest.recap(200);
    assert!(recap.text.contains("in src/ file_29999.rs"), "{}", recap.text);
    assert!(recap.coverage.facts <= 24_000, "{:?}", recap.coverage);
}
