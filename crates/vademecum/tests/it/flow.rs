//! The example's agent over real HTTP: the flow of the seed, and 300 turns in a small window.

use std::fmt::Write as _;

use serde_json::{Value, json};
use vademecum::Controller;
use vademecum::controller::{Options, Step};
use vademecum::core::notepad::WARNING;
use vademecum::dialect::Dialect;
use vademecum::ops::Config;
use vademecum::ops::config::Profile;

use crate::agent;
use crate::bench::{Bench, check_request, options, says};
use crate::server::start;

const SHEET: &str = "row 234: EMEA, July, 45000; ";

/// The requests as people read them: tools by their names, the long sheet by a word.
fn shown(requests: impl Iterator<Item = Value>) -> String {
    let mut text = String::new();
    for (idx, mut request) in requests.enumerate() {
        let names: Vec<Value> = request["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .map(
                |tool| {
                    if tool["name"].is_null() { &tool["function"]["name"] } else { &tool["name"] }
                },
            )
            .cloned()
            .collect();
        request["tools"] = names.into();
        let pretty = format!("{request:#}").replace(&SHEET.repeat(160), "<a sheet>");
        writeln!(text, "request {}\n{pretty}\n", idx + 1).expect("a string takes all");
    }
    text
}

#[test]
fn the_flow_of_the_seed_in_three_dialects() {
    for dialect in Dialect::ALL {
        let mut n = 0;
        let scripted = start(dialect, move |_, request| {
            let is_warning = request.to_string().contains("[System] Context is approaching");
            n += usize::from(!is_warning);
            let read = ("read_file", json!({"path": format!("sheet-{n}.csv")}));
            match n {
                _ if is_warning => says(
                    "Noted.",
                    &[(
                        "update_notepad",
                        json!({"operation": "append", "content": "- EMEA rows 234-267 are doubled"}),
                    )],
                ),
                1 => says(
                    "",
                    &[
                        ("write_notepad", json!({"content": "## Plan\n- [ ] sheets 1 to 3\n"})),
                        read,
                    ],
                ),
                2 | 3 => says("Next.", &[read]),
                4 => says("Three sheets read: July of EMEA is counted twice.", &[]),
                _ => says("You are welcome.", &[]),
            }
        });
        let bench = Bench::new(Config::of(Profile::Seed0));
        let mut agent = bench.agent(Options { tasks: false, ..options(dialect) });
        let read = |_: &_| Ok(SHEET.repeat(160));
        agent.ask("Find the gap in Q3. Change nothing.").expect("kept");
        let said = agent::work(&mut agent, &scripted.server, &read).expect("an answer");
        assert_eq!(said, "Three sheets read: July of EMEA is counted twice.");
        agent.ask("Thank you.").expect("kept");
        agent::work(&mut agent, &scripted.server, &read).expect("an answer");
        drop(agent);

        let requests: Vec<Value> = scripted.received.try_iter().collect();
        for request in &requests {
            assert_eq!(dialect.check(request), Ok(()));
        }
        let warned = |request: &&Value| request.to_string().contains(&WARNING.replace('\n', "\\n"));
        assert_eq!(requests.iter().filter(warned).count(), 1);
        let name = format!("flow_{}", dialect.path().rsplit('/').next().unwrap_or_default());
        insta::assert_snapshot!(name, shown(requests.into_iter()));
    }
}

/// The tokens of a request as OpenAI counts them, with its answer.
fn tokens(request: &Value) -> usize {
    bpe_openai::o200k_base().count(&request.to_string()) + 2_000
}

#[test]
fn three_hundred_answers_in_a_small_window_by_anthropics_rules() {
    play(Dialect::Anthropic, 300);
}

#[test]
fn three_hundred_answers_in_a_small_window_by_chat_completions() {
    play(Dialect::Completions, 300);
}

#[test]
fn three_hundred_answers_in_a_small_window_by_responses() {
    play(Dialect::Responses, 300);
}

/// Lets the model give so many answers; checks every request, and resumes after every fifth step.
fn play(dialect: Dialect, n_answers: usize) {
    let mut n = 0;
    let scripted = start(dialect, move |_, request| {
        let text = request.to_string();
        if text.contains("[System] Context is approaching")
            || text.contains("will soon be compacted")
        {
            let line = format!("- before compaction, at request {n}");
            return says("", &[("write_notepad", json!({"content": line}))]);
        }
        n += 1;
        match n % 7 {
            1 => {
                says("A part of its own.", &[("begin_task", json!({"title": format!("part {n}")}))])
            }
            4 => says("", &[("end_task", json!({"summary": format!("part at {n} is done")}))]),
            5 => says(
                "",
                &[("add_note", json!({"content": format!("finding {n}"), "tags": ["finding"]}))],
            ),
            0 => says(&format!("Turn {n} is done."), &[]),
            _ => says(
                "I look.",
                &[("read_file", json!({"path": format!("{n}.csv")})), ("list_notes", json!({}))],
            ),
        }
    });
    let bench = Bench::new(Config::default());
    let (mut turns, mut warnings, mut n_requests, mut n_steps) = (0, 0, 0, 0);
    let mut agent = bench.agent(options(dialect));
    while n_requests < n_answers {
        turns += 1;
        agent.ask(&format!("Go on with step {turns}.")).expect("kept");
        loop {
            let step = agent.step().expect("a step");
            n_steps += 1;
            if n_steps % 5 == 0 {
                drop(agent);
                agent = bench.agent(options(dialect));
                assert_eq!(agent.step().as_ref(), Ok(&step), "killed and resumed at turn {turns}");
            }
            match step {
                Step::Call(request) => {
                    n_requests += 1;
                    warnings += usize::from(request.is_warning);
                    check_request(&agent, dialect, &request);
                    if n_requests % 10 == 0 || request.is_warning {
                        let n = tokens(&request.body);
                        assert!(n <= 16_000, "{n} tokens at turn {turns}");
                    }
                    let body = scripted.server.send(&request).expect("an answer");
                    agent.answer(dialect.answer(&body).expect("an answer")).expect("kept");
                }
                Step::Run(calls) => finish(&mut agent, &calls, turns),
                Step::Wait(_) | Step::Summarise(_) => unreachable!("neither is set"),
                Step::Done(_) => break,
            }
        }
    }
    let transcript = String::from_utf8(bench.bytes()).expect("a text");
    assert_eq!(transcript.matches("\"type\":\"summary\"").count(), warnings);
    assert!(n_answers / 30 <= warnings, "{warnings} warnings in {n_requests} requests");
}

fn finish(agent: &mut Controller<'_>, calls: &[vademecum::dialect::ToolCall], turn: usize) {
    for call in calls {
        let long = SHEET.repeat(if turn.is_multiple_of(9) { 900 } else { turn % 60 });
        agent.result(&call.id, &long, false).expect("kept");
    }
}
