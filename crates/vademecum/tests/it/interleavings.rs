//! Whatever the order of tasks, edits, compactions and crashes: pairs hold and no byte is lost.

use std::fs;

use proptest::prelude::*;
use serde_json::json;
use vademecum::controller::{Controller, Options, Step};
use vademecum::dialect::Dialect;
use vademecum::ops::Config;

use crate::bench::{Bench, check_request, options, says};

/// Takes away the last line if it is the result of a call of ours: the crash came before it.
fn lose_the_last_result(bench: &Bench) {
    let bytes = bench.bytes();
    let end = bytes.len().saturating_sub(1);
    let start = bytes[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = String::from_utf8_lossy(&bytes[start..]);
    if line.starts_with("{\"role\":\"tool\"") && !line.contains("host gave") {
        fs::write(bench.file(), &bytes[..start]).expect("a write");
    }
}

/// The calls of one answer, chosen by `choice`; what they append is a line of its own.
fn calls(choice: u8, n: usize) -> Vec<(&'static str, serde_json::Value)> {
    let line = json!({"operation": "append", "content": format!("- line {n}\n")});
    let long = ("read_file", json!({"path": "x".repeat(40)}));
    match choice % 8 {
        0 => vec![("begin_task", json!({"title": format!("t{n}")})), long],
        1 => vec![("end_task", json!({"summary": format!("s{n}")}))],
        2 => vec![("cancel_task", json!({"reason": format!("r{n}")})), ("update_notepad", line)],
        3 => vec![("update_notepad", line), long],
        4 => vec![("begin_task", json!({"title": "a"})), ("end_task", json!({"summary": "b"}))],
        5 => vec![long.clone(), long],
        6 => vec![("no_such_tool", json!({}))],
        _ => Vec::new(),
    }
}

fn play(dialect: Dialect, choices: &[u8]) {
    let bench = Bench::new(Config::default());
    let set = Options { window: 16_000, ..options(dialect) };
    let mut agent = bench.agent(set.clone());
    let mut lines = Vec::new();
    agent.ask("begin").expect("kept");
    for (n, &choice) in choices.iter().enumerate() {
        let step = agent.step().expect("a step");
        if choice & 64 != 0 {
            drop(agent);
            lose_the_last_result(&bench);
            agent = bench.agent(set.clone());
            assert_eq!(agent.step().as_ref(), Ok(&step), "after a crash");
        }
        act(&mut agent, dialect, step, choice, n, &mut lines);
        let page = agent.session().page().expect("a page");
        let asked_for = lines.iter().filter(|line| !page.contains(*line)).count();
        assert!(asked_for <= 1, "only the last answer's line may wait: {page}");
    }
}

fn act(
    agent: &mut Controller<'_>,
    dialect: Dialect,
    step: Step,
    choice: u8,
    n: usize,
    lines: &mut Vec<String>,
) {
    match step {
        Step::Call(request) => {
            check_request(agent, dialect, &request);
            let calls = calls(choice, n);
            if calls.iter().any(|(name, _)| *name == "update_notepad") {
                lines.push(format!("- line {n}\n"));
            }
            agent.answer(says(&format!("answer {n}"), &calls)).expect("kept");
        }
        Step::Run(_) if choice & 128 != 0 => agent.ask("no, stop").expect("kept"),
        Step::Run(calls) => {
            for call in calls {
                let long = "host gave this. ".repeat(usize::from(choice) * 4);
                agent.result(&call.id, &long, false).expect("kept");
            }
        }
        Step::Summarise(_) => unreachable!("the recap summarises"),
        Step::Done(_) => agent.ask(&format!("go on {n}")).expect("kept"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairs_hold_and_no_byte_is_lost(choices in prop::collection::vec(any::<u8>(), 1..50), at in 0..3usize) {
        play(Dialect::ALL[at], &choices);
    }
}
