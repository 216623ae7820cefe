//! Kill -9: a process of its own runs the controller, is killed at any point, and the next goes on.
#![expect(
    clippy::disallowed_methods,
    reason = "this test binary is started again as the process to kill"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use vademecum::controller::{Children, Controller, Options, Step};
use vademecum::core::hash::{hex, plain};
use vademecum::dialect::{Answer, Dialect};
use vademecum::ops::Config;
use vademecum::{Vade, world};

use crate::bench::{check_request, options, says};

/// The variable that names the folder of the process to kill.
const FOLDER: &str = "VADE_KILLED_IN";

/// The variables for how often it kills, and what its chance begins with.
const N_KILLS: &str = "VADE_N_KILLS";
const SEED: &str = "VADE_SEED";

/// The answers of one run.
const N_ANSWERS: usize = 24;

/// The process that is killed; run among the other tests it has no folder, and nothing to do.
#[test]
fn victim() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        run(Path::new(&folder), &mut std::io::stdout());
    }
}

#[test]
fn killed_at_any_point_the_requests_are_the_same() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let (n_kills, seed) = (number(N_KILLS).unwrap_or(6), number(SEED).unwrap_or(1));
    for round in 0..n_kills.div_ceil(10) {
        kill_over_and_over(n_kills.min(10), seed ^ round);
    }
}

/// What was asked of the model, by session and number of its answers.
type Requests = BTreeMap<String, String>;

fn kill_over_and_over(n_kills: u64, seed: u64) {
    let calm = tempfile::tempdir().expect("a folder");
    let mut said = Vec::new();
    run(calm.path(), &mut said);
    let expected = requests(&String::from_utf8(said).expect("a text"));

    let folder = tempfile::tempdir().expect("a folder");
    let mut chance = seed;
    let mut made = Requests::new();
    for _ in 0..n_kills {
        chance =
            chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let most = usize::try_from(chance >> 33).unwrap_or_default() % 24;
        check(&expected, &mut made, &killed_after(folder.path(), most));
    }
    check(&expected, &mut made, &killed_after(folder.path(), usize::MAX));
    assert_eq!(made, expected, "every request was made");
    assert_eq!(kept(folder.path()), kept(calm.path()), "transcripts and pages");
}

#[track_caller]
fn check(expected: &Requests, made: &mut Requests, said: &str) {
    for (place, request) in requests(said) {
        assert_eq!(expected.get(&place), Some(&request), "the request at {place} is another");
        made.insert(place, request);
    }
}

fn requests(said: &str) -> Requests {
    let lines = said.lines().filter_map(|line| line.strip_prefix("request "));
    lines
        .filter_map(|line| line.split_once('\t'))
        .map(|(at, hash)| (at.to_owned(), hash.to_owned()))
        .collect()
}

/// Starts the process, kills it once it has said so many words, and gives what it said.
fn killed_after(folder: &Path, most: usize) -> String {
    let mut process = start(folder);
    let mut said = String::new();
    let stdout = process.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(stdout).lines();
    for line in lines.by_ref().take(most) {
        writeln!(said, "{}", line.expect("a line")).expect("a string takes all");
    }
    if most != usize::MAX {
        process.kill().expect("killed");
    }
    // What was in the pipe when it died was said.
    for line in lines {
        writeln!(said, "{}", line.expect("a line")).expect("a string takes all");
    }
    let status = process.wait().expect("it ended");
    assert!(most != usize::MAX || status.success(), "{said}");
    said
}

fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "killed::victim", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a process")
}

/// What must be the same after any number of kills: messages without their time, and pages.
fn kept(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut kept = BTreeMap::new();
    let vade = open(folder);
    for path in files.filter(|path| path.extension().is_some_and(|it| it == "jsonl")) {
        let text = fs::read_to_string(&path).expect("a transcript");
        let mut lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for line in &mut lines {
            line["at"] = Value::Null;
        }
        let session = vade.session(lines[0]["name"].as_str().expect("a name")).expect("a name");
        lines.push(session.page().expect("a page").into());
        kept.insert(path.file_name().expect("a name").to_string_lossy().into_owned(), lines);
    }
    kept
}

fn open(folder: &Path) -> Vade {
    let address = format!("sqlite:{}", folder.join("vade.db").display());
    Vade::with(&address, world::real(Some(folder.to_owned())), Config::default()).expect("a store")
}

/// Works until so many answers were given, from wherever the folder stands.
fn run(folder: &Path, out: &mut dyn Write) {
    let vade = open(folder);
    let file = folder.join("session.jsonl");
    let session = vade.session("my-agent:1").expect("a name");
    let children = Some(Children { seconds: 3_600, ..Children::default() });
    let mut agent =
        Controller::open(session, &file, Options { children, ..options(Dialect::Completions) })
            .expect("a session");
    if !fs::read_to_string(&file).expect("a transcript").contains("\"role\":\"user\"") {
        agent.ask("begin").expect("kept");
    }
    work(&mut agent, &file, out);
}

fn n_answers(file: &Path) -> usize {
    fs::read_to_string(file).expect("a transcript").matches("{\"role\":\"assistant\"").count()
}

fn work(agent: &mut Controller<'_>, file: &Path, out: &mut dyn Write) {
    let name = agent.session().name().to_owned();
    let mut n = n_answers(file);
    loop {
        let step = agent.step().expect("a step");
        match step {
            Step::Call(request) => {
                check_request(agent, Dialect::Completions, &request);
                let hash = hex(&plain(request.body.to_string().as_bytes()), 32);
                writeln!(out, "request {name} {n}\t{hash}").expect("it is read");
                agent.answer(answer(&name, n, request.is_warning)).expect("kept");
                n += 1;
                writeln!(out, "answered").expect("it is read");
            }
            Step::Run(calls) => {
                for call in calls {
                    agent
                        .result(&call.id, &"row 234: EMEA, July; ".repeat(120), false)
                        .expect("kept");
                    writeln!(out, "ran").expect("it is read");
                }
            }
            Step::Wait(children) => {
                for id in children {
                    let n = id.rsplit('.').next().unwrap_or_default();
                    let file = file.with_extension(format!("{n}.jsonl"));
                    let child = |child: &mut Controller<'_>| {
                        work(child, &file, out);
                        Ok::<_, String>(())
                    };
                    agent.work_child(&id, child).expect("a child");
                }
            }
            Step::Summarise(_) => unreachable!("the recap summarises"),
            Step::Done(_) if N_ANSWERS <= n || name.contains('/') => return,
            Step::Done(_) => agent.ask(&format!("go on after {n}")).expect("kept"),
        }
    }
}

/// The model: what it says hangs on the number of its answer alone.
fn answer(name: &str, n: usize, is_warning: bool) -> Answer {
    let line =
        ("update_notepad", json!({"operation": "append", "content": format!("- {name} {n}\n")}));
    if is_warning {
        return says("", &[("write_notepad", json!({"content": format!("- warned at {n}")}))]);
    }
    let read = ("read_file", json!({"path": format!("{n}.csv")}));
    let task = json!({"task": format!("part {n}"), "copy_notepad": true});
    if name.contains('/') {
        return match n {
            0 => says("", &[line, read]),
            _ => says("", &[("report_result", json!({"result": format!("{name} is done")}))]),
        };
    }
    match n % 9 {
        _ if N_ANSWERS <= n => says("all is done", &[]),
        0 => says("", &[line, read]),
        1 => says("", &[("begin_task", json!({"title": format!("part {n}")})), read.clone(), read]),
        2 => says("", &[line.clone(), line, read]),
        3 => says("", &[("end_task", json!({"summary": format!("part {n} is done")}))]),
        4 => says("", &[("spawn_session", task.clone()), line, ("fork_session", task)]),
        5 => says("", &[("wait_for_sessions", json!({}))]),
        6 => says("", &[read.clone(), read]),
        7 => says(&format!("turn {n} is done"), &[]),
        _ => says("", &[("list_notes", json!({})), line]),
    }
}
