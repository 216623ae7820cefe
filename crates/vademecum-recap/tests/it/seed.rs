//! Method `seed`: the cases C4 of its contract, by their numbers.

use proptest::prelude::*;
use vademecum_core::tokens::estimate;
use vademecum_core::turn::{Action, Event, Turn};
use vademecum_recap::seed::{
    Centrality, Collapse, Embed, MOST_CHUNKS, Novelty, Outside, Seed, SeedOptions, SeedRecap,
    Summarise, Weighs,
};

use crate::turns::{answered, asked, called, read, refunds, said, turn};

fn made(turns: &[Turn], options: &SeedOptions, budget: usize) -> SeedRecap {
    let mut seed = Seed::default();
    for turn in turns {
        seed.push(turn);
    }
    seed.recap(options, Outside::default(), budget)
}

fn plain(turns: &[Turn], budget: usize) -> SeedRecap {
    made(turns, &SeedOptions::default(), budget)
}

fn last(recap: &SeedRecap) -> String {
    recap.ranked().last().expect("there are chunks").summary.clone()
}

#[track_caller]
fn check_line(action: Action, answer: Option<&str>, line: Option<&str>) {
    let mut collapse = Collapse::default();
    collapse.push(&called("1", action, ""));
    if let Some(text) = answer {
        collapse.push(&answered("1", true, text));
    }
    let lines = collapse.finish();
    assert_eq!(lines.first().map(|it| it.text.as_str()), line);
}

#[test]
fn c4_1_every_row_of_the_collapse_table() {
    let text = String::from;
    let recalled =
        |is_one| Action::Recalled { query: text(if is_one { "42" } else { "q" }), is_one };
    let long = "x".repeat(150);
    check_line(
        Action::Read { path: text("foo.py") },
        Some("a\nb\nc"),
        Some("read foo.py (3 lines)"),
    );
    check_line(
        Action::Listed { path: text(".") },
        Some("a\nb\nc\nd\ne\nf\ng"),
        Some("listed .: a, b, c, d, e and 2 more"),
    );
    check_line(Action::Listed { path: text(".") }, Some("- a\n  - b"), Some("listed .: a, b"));
    check_line(recalled(false), Some("one\ntwo\nthree"), Some("recalled 3 for \"q\""));
    check_line(recalled(true), Some("text"), Some("opened memory 42"));
    // What a muted memory answered is not known.
    check_line(recalled(false), Some(""), Some("recalled for \"q\""));
    check_line(Action::Edited { path: text("bar.py") }, Some("ok"), Some("edited bar.py"));
    check_line(Action::Wrote { path: text("p"), lines: 7 }, None, Some("wrote p (7 lines)"));
    check_line(
        Action::Remembered { text: text("first\nsecond") },
        None,
        Some("remembered \"first\""),
    );
    check_line(
        Action::Proposed { plan: text("m") },
        Some(&long),
        Some(&format!("asked \"m\", answer \"{}\"", &long[..120])),
    );
    check_line(Action::Finished { summary: text("s") }, None, Some("finished: s"));
    check_line(Action::Looked, Some("fine"), None);
    check_line(
        Action::Other { arguments: text("{\"a\":1}") },
        None,
        Some("called tool({\"a\":1})"),
    );
    check_line(
        Action::Ran { command: text("echo \"a\""), is_look: false },
        None,
        Some("called tool({\"command\":\"echo \\\"a\\\"\"})"),
    );
}

#[test]
fn c4_1_what_is_dropped_and_what_is_kept_as_said() {
    let mut collapse = Collapse::default();
    collapse.push(&answered("9", true, "a result without its call"));
    collapse.push(&turn(Event::Thought { text: "why".to_owned() }));
    let lines: Vec<String> = collapse.finish().into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["thinking: why"]);
}

#[test]
fn c4_2_recency_alone_later_wins() {
    let turns = [asked("alpha beta"), asked("alpha beta"), asked("alpha beta")];
    let recap = plain(&turns, 1_000);
    let recency: Vec<f64> = recap.ranked().iter().map(|it| it.recency).collect();
    assert_eq!(recency, [1.0, 2.0 / 3.0, 1.0 / 3.0]);
}

#[test]
fn c4_3_a_chunk_equal_to_a_memory_is_last() {
    let known = "user: the database port is five thousand";
    let turns = [
        asked("the database schema has tables"),
        asked("the database port is five thousand"),
        asked("the database needs an index"),
    ];
    for novelty in [Novelty::Distance, Novelty::Information, Novelty::Compression] {
        let options =
            SeedOptions { novelty, memories: vec![known.to_owned()], ..SeedOptions::default() };
        assert_eq!(last(&made(&turns, &options, 1_000)), known, "{novelty:?}");
    }
}

#[test]
fn c4_4_an_off_topic_chunk_is_last() {
    let turns = [
        asked("parser reads tokens from the lexer"),
        asked("weather tomorrow: sunny"),
        asked("lexer gives tokens to the parser"),
        asked("parser and lexer share tokens"),
    ];
    for centrality in
        [Centrality::TextRank, Centrality::LexRank, Centrality::TfIdf, Centrality::Mmr]
    {
        let options = SeedOptions { centrality, ..SeedOptions::default() };
        let recap = made(&turns, &options, 1_000);
        let least = recap.chunks.iter().min_by(|a, b| a.centrality.total_cmp(&b.centrality));
        let least = &least.expect("there are chunks").summary;
        assert_eq!(least, "user: weather tomorrow: sunny", "{centrality:?}");
    }
    assert_eq!(last(&plain(&turns, 1_000)), "user: weather tomorrow: sunny");
}

#[test]
fn c4_5_a_chunk_with_a_write_beats_its_read_only_twin() {
    let wrote = |id| called(id, Action::Wrote { path: "a.rs".to_owned(), lines: 3 }, "");
    let turns = [
        asked("change a.rs"),
        wrote("1"),
        wrote("2"),
        wrote("3"),
        wrote("4"),
        wrote("5"),
        asked("change a.rs"),
        read("6", "a.rs"),
        read("7", "a.rs"),
        read("8", "a.rs"),
    ];
    let recap = plain(&turns, 1_000);
    let best = recap.ranked()[0];
    assert_eq!((best.chunk.n_consequential, best.action), (5, 2.25));
}

#[test]
fn what_changes_state_weighs_and_by_the_letter_only_what_writes() {
    let ran = |command: &str| Action::Ran { command: command.to_owned(), is_look: false };
    let text = String::from;
    let actions = [
        Action::Wrote { path: text("a"), lines: 1 },
        Action::Remembered { text: text("a") },
        ran("rm a && ls"),
        ran("git mv a b"),
        ran("git commit -m x"),
        ran("git status"),
        Action::Deleted { path: text("a") },
        Action::Revised { text: text("- a") },
        Action::Read { path: text("a") },
    ];
    let turns: Vec<Turn> = actions.into_iter().map(|action| called("1", action, "")).collect();
    for (weighs, action) in [(Weighs::Changes, 1.0 + 7.0 * 0.25), (Weighs::Letter, 1.5)] {
        let options = SeedOptions { weighs, ..SeedOptions::default() };
        let weighed: Vec<f64> =
            made(&turns, &options, 1_000).chunks.iter().map(|it| it.action).collect();
        assert_eq!(weighed, [action], "{weighs:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn c4_6_the_budget_is_never_exceeded(
        texts in prop::collection::vec("[a-zü日 \n]{0,400}", 0..12), budget in 0_usize..300,
    ) {
        let turns: Vec<Turn> = texts.iter().map(|text| asked(text)).collect();
        let recap = plain(&turns, budget);
        prop_assert!(estimate(&recap.text) <= budget, "{} of {budget}", estimate(&recap.text));
    }
}

#[test]
fn c4_7_output_is_in_time_order() {
    let turns = [asked("one alpha"), asked("two alpha"), asked("three alpha")];
    assert_eq!(plain(&turns, 1_000).text, "user: one alpha\nuser: two alpha\nuser: three alpha");
}

#[test]
fn c4_8_same_input_same_bytes() {
    assert_eq!(plain(&refunds(), 200), plain(&refunds(), 200));
}

#[test]
fn c4_11_an_empty_transcript_gives_nothing() {
    assert_eq!(plain(&[], 1_000).text, "");
}

#[test]
fn c4_12_one_chunk_is_chosen() {
    let recap = plain(&[asked("only this")], 1_000);
    assert_eq!(recap.text, "user: only this");
    assert!(recap.chunks[0].is_injected);
}

#[test]
fn c4_13_full_contains_all_that_rest_has() {
    let recap = plain(&refunds(), 60);
    assert!(!recap.rest().is_empty());
    assert!(recap.rest().iter().all(|text| recap.full().contains(text)));
}

#[test]
fn a_best_chunk_that_is_too_large_is_cut() {
    let recap = plain(&[asked(&"word ".repeat(60))], 30);
    assert!(recap.text.starts_with("user: word word"), "{}", recap.text);
    assert!(recap.text.ends_with(" [cut]"), "{}", recap.text);
}

#[test]
fn older_neighbours_are_merged_and_that_is_said() {
    let mut seed = Seed::default();
    for n in 0..2_100 {
        seed.push(&asked(&format!("step {n}")));
    }
    let recap = seed.recap(&SeedOptions::default(), Outside::default(), 100);
    assert!(recap.chunks.len() <= MOST_CHUNKS, "{}", recap.chunks.len());
    assert!(recap.explain().contains("older neighbours merged 500 times"), "{}", recap.n_merged);

    let mut few = Seed::default().within(40);
    (0..2_100).for_each(|n| few.push(&asked(&format!("step {n}"))));
    let recap = few.recap(&SeedOptions::default(), Outside::default(), 100);
    assert!((20..=40).contains(&recap.chunks.len()), "{}", recap.chunks.len());
    assert!(recap.text.contains("step 2099"), "what came last is whole: {}", recap.text);
    assert!(recap.explain().contains("to 40 chunks at most"), "{}", recap.explain());
}

#[test]
fn explains_every_factor() {
    insta::assert_snapshot!(plain(&refunds(), 60).explain());
}

#[test]
fn outside_programs_stand_in_and_fall_back() {
    let turns = [asked("alpha"), said("beta"), asked("gamma")];
    let make = |embed: Embed<'_>, summarise: Summarise<'_>| {
        let mut seed = Seed::default();
        for turn in &turns {
            seed.push(turn);
        }
        let outside = Outside { embed: Some(embed), summarise: Some(summarise) };
        seed.recap(&SeedOptions::default(), outside, 100)
    };
    let works =
        make(&mut |texts| Some(vec![vec![1.0, 0.0]; texts.len()]), &mut |_| Some("sum".to_owned()));
    assert_eq!(
        (works.text.as_str(), works.is_embedder_down, works.is_summariser_down),
        ("sum\nsum", false, false)
    );
    let fails = make(&mut |_| None, &mut |_| None);
    assert_eq!((fails.is_embedder_down, fails.is_summariser_down), (true, true));
    assert!(fails.explain().contains("the embedder failed"));
}
