//! Whatever the order of tasks, children, edits, compactions and crashes: pairs hold, no byte is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use vademecum::controller::{Children, Controller, Options, Outcome, Request, Step};
use vademecum::dialect::{Answer, Dialect};
use vademecum::ops::Config;

use crate::bench::{Bench, check_request, options, says};

/// One play: what chance chose, and what each session's page must hold.
struct Play<'p> {
    bench: &'p Bench,
    dialect: Dialect,
    choices: std::vec::IntoIter<u8>,
    n: usize,
    pages: BTreeMap<String, String>,
    n_children: BTreeMap<String, usize>,
}

/// A call as `says` takes it.
type Call = (&'static str, Value);

impl Play<'_> {
    /// Takes the steps of a session until nothing is chosen any more, or it has ended.
    fn run<'b>(&mut self, open: &dyn Fn() -> Controller<'b>) {
        let mut agent = open();
        loop {
            let mut step = agent.step().expect("a step");
            let choice = self.choices.next();
            if choice.is_some_and(|choice| choice & 64 != 0) {
                drop(agent);
                self.crash();
                agent = open();
                let again = agent.step().expect("a step");
                assert_eq!(again, step, "after a crash");
                step = again;
            }
            self.check_pages(&agent);
            let is_child = agent.session().name().contains('/');
            match (step, choice) {
                (Step::Done(_), None) => return,
                (Step::Done(_), Some(_)) if is_child => return,
                (step, choice) => self.act(&mut agent, step, choice),
            }
        }
    }

    fn act(&mut self, agent: &mut Controller<'_>, step: Step, choice: Option<u8>) {
        let chosen = choice.unwrap_or_default();
        match step {
            Step::Call(request) => {
                check_request(agent, self.dialect, &request);
                let answer = match choice {
                    Some(choice) => self.answer(agent.session().name(), choice, &request),
                    None => says("done", &[]),
                };
                agent.answer(answer).expect("kept");
            }
            Step::Run(_) | Step::Wait(_) if chosen & 128 != 0 => {
                agent.ask("no, stop").expect("kept");
            }
            Step::Run(calls) => {
                for call in calls {
                    let long = "host gave this. ".repeat(1 + usize::from(chosen) * 4);
                    agent.result(&call.id, &long, false).expect("kept");
                }
            }
            Step::Wait(children) => {
                for id in children {
                    self.child(agent, &id);
                }
            }
            Step::Summarise(_) => unreachable!("the recap summarises"),
            Step::Done(_) => agent.ask(&format!("go on {}", self.n)).expect("kept"),
        }
    }

    fn child(&mut self, agent: &Controller<'_>, id: &str) {
        let open = || agent.child(id).expect("a child");
        match self.choices.next().unwrap_or(7) % 8 {
            0 => agent.end_child(id, Outcome::Cancelled, "not wanted").expect("ended"),
            1 => {
                drop(open().step().expect("a step"));
                agent.end_child(id, Outcome::Crashed, "no connection").expect("ended");
            }
            _ => self.run(&open),
        }
        assert!(!agent.running().expect("children").contains(&id.to_owned()));
    }

    /// An answer; what its calls do to pages is noted, in their order.
    fn answer(&mut self, name: &str, choice: u8, request: &Request) -> Answer {
        self.n += 1;
        let mut calls = self.calls(choice);
        let depth = name.split_once('/').map_or(0, |(_, agent)| agent.split('.').count());
        let may = !request.is_warning
            && depth < 3
            && *self.n_children.entry(name.to_owned()).or_default() < 5;
        let is_start = |call: &Call| matches!(call.0, "spawn_session" | "fork_session");
        calls.retain(|call| may || !is_start(call));
        let mut page = self.pages.get(name).cloned().unwrap_or_default();
        for (tool, arguments) in &calls {
            match *tool {
                "update_notepad" => page.push_str(arguments["content"].as_str().expect("a text")),
                "spawn_session" | "fork_session" => {
                    let n = self.n_children.entry(name.to_owned()).or_default();
                    *n += 1;
                    let separator = if depth == 0 { '/' } else { '.' };
                    let copies = *tool == "fork_session" || arguments["copy_notepad"] == true;
                    let given = if copies { page.clone() } else { String::new() };
                    self.pages.insert(format!("{name}{separator}{n}"), given);
                }
                _ => {}
            }
        }
        self.pages.insert(name.to_owned(), page);
        says(&format!("answer {}", self.n), &calls)
    }

    fn calls(&self, choice: u8) -> Vec<Call> {
        let n = self.n;
        let line =
            ("update_notepad", json!({"operation": "append", "content": format!("- line {n}\n")}));
        let long = ("read_file", json!({"path": "x".repeat(40)}));
        let task = format!("part {n}");
        match choice % 13 {
            0 => vec![("begin_task", json!({"title": task})), long],
            1 => vec![("end_task", json!({"summary": task}))],
            2 => vec![("cancel_task", json!({"reason": task})), line],
            3 => vec![line, long],
            4 => vec![("begin_task", json!({"title": "a"})), ("end_task", json!({"summary": "b"}))],
            5 => vec![long.clone(), long],
            6 => vec![("no_such_tool", json!({}))],
            7 => vec![("spawn_session", json!({"task": task})), line],
            8 => vec![line, ("spawn_session", json!({"task": task, "copy_notepad": true}))],
            9 => vec![("fork_session", json!({"task": task})), line],
            10 | 11 => vec![("wait_for_sessions", json!({})), line],
            _ => vec![line, ("report_result", json!({"result": task}))],
        }
    }

    /// Every page of the tree is what its own session made of what it was given.
    fn check_pages(&self, agent: &Controller<'_>) {
        let own = agent.session().page().expect("a page");
        assert_eq!(own, self.pages.get(agent.session().name()).cloned().unwrap_or_default());
        if self.n.is_multiple_of(8) {
            for (name, page) in &self.pages {
                let session = self.bench.vade.session(name).expect("a name");
                assert_eq!(session.page().as_ref(), Ok(page), "{name}");
            }
        }
    }

    /// Takes the last line of each transcript away that is the result of a call of ours: the crash
    /// came before it.
    fn crash(&self) {
        for file in transcripts(self.bench) {
            let bytes = fs::read(&file).expect("a transcript");
            let end = bytes.len().saturating_sub(1);
            let start = bytes[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let line = String::from_utf8_lossy(&bytes[start..]);
            let is_ours = line.starts_with("{\"role\":\"tool\"") && !line.contains("host gave");
            if is_ours && !line.contains("the user spoke first") && is_free(&file) {
                fs::write(&file, &bytes[..start]).expect("a write");
            }
        }
    }
}

fn transcripts(bench: &Bench) -> Vec<std::path::PathBuf> {
    let folder = bench.file().parent().expect("a folder").to_owned();
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    files.filter(|path| path.extension().is_some_and(|it| it == "jsonl")).collect()
}

fn is_free(file: &Path) -> bool {
    fs::File::open(file).expect("a file").try_lock().is_ok()
}

/// The tasks that are open before the line `before`, the innermost last; ends must be of the innermost.
fn open_tasks(folder: &Path, file: &str, before: u64) -> Vec<String> {
    let text = fs::read_to_string(folder.join(file)).expect("a transcript");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let from = &lines[0]["from"];
    let first = from["line"].as_u64().unwrap_or_default();
    let mut open = match from["file"].as_str() {
        Some(file) => open_tasks(folder, file, first),
        None => Vec::new(),
    };
    for (_, line) in (first..before).zip(&lines) {
        let task = || line["task"].as_str().expect("a name").to_owned();
        match line["type"].as_str() {
            Some("began_task") => open.push(task()),
            Some("ended_task") => assert_eq!(open.pop(), Some(task()), "the innermost ends"),
            _ => {}
        }
        assert!(open.len() <= 4);
    }
    open
}

/// No end of a child is told twice; in the end all are.
fn check_told(agent: &mut Controller<'_>, bench: &Bench, n_children: usize) {
    agent.ask("who is left?").expect("kept");
    while let Step::Call(request) = agent.step().expect("a step") {
        agent
            .answer(says(
                "",
                if request.is_warning { vec![] } else { vec![("wait_for_sessions", json!({}))] }
                    .as_slice(),
            ))
            .expect("kept");
        if !request.is_warning {
            break;
        }
    }
    while let Step::Wait(children) = agent.step().expect("a step") {
        for id in children {
            agent.end_child(&id, Outcome::Cancelled, "not wanted").expect("ended");
        }
    }
    let text = fs::read_to_string(bench.file()).expect("a transcript");
    let told =
        text.lines().filter(|line| line.starts_with("{\"role\":\"tool\"")).collect::<String>();
    for n in 1..=n_children {
        let n_told: usize = ["reported:", "crashed:", "timed out:", "was cancelled:"]
            .iter()
            .map(|end| told.matches(&format!("session {n} {end}")).count())
            .sum();
        assert_eq!(n_told, 1, "child {n} in {told}");
    }
}

fn play(dialect: Dialect, choices: Vec<u8>) {
    let bench = Bench::new(Config::default());
    let set = Options { children: Some(Children::default()), ..options(dialect) };
    let mut play = Play {
        bench: &bench,
        dialect,
        choices: choices.into_iter(),
        n: 0,
        pages: BTreeMap::new(),
        n_children: BTreeMap::new(),
    };
    bench.agent(set.clone()).ask("begin").expect("kept");
    play.run(&|| bench.agent(set.clone()));
    let n_children = play.n_children.get("my-agent:1").copied().unwrap_or_default();
    play.n = 0;
    let mut agent = bench.agent(set.clone());
    play.check_pages(&agent);
    check_told(&mut agent, &bench, n_children);
    for file in transcripts(&bench) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        open_tasks(file.parent().expect("a folder"), &name, u64::MAX);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairs_hold_and_no_byte_is_lost(choices in prop::collection::vec(any::<u8>(), 1..60), at in 0..3usize) {
        play(Dialect::ALL[at], choices);
    }
}

#[test]
fn a_report_in_the_answer_to_a_warning_ends_the_child() {
    let choices = [
        19, 49, 35, 5, 68, 69, 146, 201, 101, 6, 109, 139, 248, 57, 23, 246, 154, 188, 208, 214,
        71, 168, 183, 229,
    ];
    play(Dialect::Completions, choices.to_vec());
}
