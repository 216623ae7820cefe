//! Children: what they start with, what their parent hears, and what a crash leaves.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use vademecum::Controller;
use vademecum::controller::{Children, Options, Outcome, Request, Step};
use vademecum::dialect::{Answer, Dialect};
use vademecum::ops::Config;
use vademecum::ops::config::Profile;

use crate::agent;
use crate::bench::{Bench, check_request, options, says};
use crate::server::start;

fn set(dialect: Dialect) -> Options {
    Options { children: Some(Children::default()), tasks: false, ..options(dialect) }
}

/// A model that is told whose request it answers.
type Model<'m> = dyn FnMut(&str, &Request) -> Answer + 'm;

/// Takes the steps of a session and of its children, one after the other.
fn work(agent: &mut Controller<'_>, dialect: Dialect, model: &mut Model<'_>) -> String {
    loop {
        match agent.step().expect("a step") {
            Step::Call(request) => {
                check_request(agent, dialect, &request);
                let answer = model(agent.session().name(), &request);
                agent.answer(answer).expect("an answer");
            }
            Step::Run(calls) => {
                for call in calls {
                    agent.result(&call.id, "ran", false).expect("a result");
                }
            }
            Step::Wait(children) => {
                for id in children {
                    let work =
                        |child: &mut Controller<'_>| Ok::<_, String>(work(child, dialect, model));
                    agent.work_child(id, work).expect("a child");
                }
            }
            Step::Summarise(_) => unreachable!("the recap summarises"),
            Step::Done(text) => return text,
        }
    }
}

/// The request that is next.
#[track_caller]
fn called(agent: &mut Controller<'_>) -> Request {
    match agent.step().expect("a step") {
        Step::Call(request) => request,
        step => unreachable!("not a call: {step:?}"),
    }
}

fn page(agent: &Controller<'_>, id: &str) -> String {
    agent.child(id).expect("a child").session().page().expect("a page")
}

/// An agent whose page says "mine", that made `calls`; children have not been opened yet.
fn after<'b>(bench: &'b Bench, set: Options, calls: &[(&str, Value)]) -> Controller<'b> {
    let mut agent = bench.agent(set);
    agent.ask("audit the sheets").expect("kept");
    agent.session().call("write_notepad", json!({"content": "mine"})).expect("a write");
    agent.session().call("add_note", json!({"content": "a", "tags": ["t"]})).expect("a write");
    agent.step().expect("a step");
    agent.answer(says("I look at sheet one.", &[("list_tags", json!({}))])).expect("kept");
    agent.step().expect("a step");
    agent.answer(says("I share the work.", calls)).expect("kept");
    agent.step().expect("a step");
    agent
}

fn bench() -> Bench {
    Bench::new(Config::default())
}

fn n_notes(agent: &Controller<'_>) -> usize {
    let reply = agent.session().call("list_notes", json!({})).expect("notes");
    reply.object["notes"].as_array().map_or(0, Vec::len)
}

#[track_caller]
fn starts_with(tool: &str, arguments: &Value, with_page: &str, with_notes: usize) {
    for dialect in Dialect::ALL {
        let bench = bench();
        let mut agent = after(&bench, set(dialect), &[(tool, arguments.clone())]);
        let mut child = agent.child("1").expect("a child");
        assert_eq!(child.session().page().as_deref(), Ok(with_page));
        assert_eq!(n_notes(&child), with_notes);
        assert_eq!(child.session().name(), "my-agent:1/1");
        let request = called(&mut child);
        check_request(&child, dialect, &request);
        let text = request.body.to_string();
        assert!(text.contains("sheet two"), "{text}");
        assert_eq!(text.contains("I look at sheet one."), tool == "fork_session");
        assert!(!text.contains("I share the work."), "the call that made it is its parent's");
        assert!(text.contains("report_result"));
        drop(child);
        let said = match agent.step().expect("a step") {
            Step::Call(request) => request.body.to_string(),
            step => unreachable!("{step:?}"),
        };
        assert!(said.contains(r#"{\"id\":\"1\"}"#), "{said}");
        assert!(!said.contains("report_result"), "only a child reports");
    }
}

#[test]
fn a_child_starts_with_what_its_siblings_learned() {
    for (profile, tool) in [
        (Profile::Default, "spawn_session"),
        (Profile::Default, "fork_session"),
        (Profile::Seed3, "spawn_session"),
    ] {
        let bench = Bench::new(Config::of(profile));
        bench.session().call("init_plan", json!({"name": "audit"})).expect("a plan");
        let mut agent = bench.agent(set(Dialect::Anthropic));
        agent.ask("audit the sheets").expect("kept");
        agent.step().expect("a step");
        agent.answer(says("", &[(tool, json!({"task": "sheet two"}))])).expect("kept");
        agent.step().expect("a step");
        // What is learned between the call and the start is told too.
        let learned = json!({"plan": "audit", "content": "totals are in cents"});
        bench.session().call("add_learning", learned).expect("a learning");
        let mut child = agent.child("1").expect("a child");
        let messages = called(&mut child).body["messages"].to_string();
        let at =
            |words: &str| messages.find(words).unwrap_or_else(|| panic!("{words}: {messages}"));
        assert!(at("<wisdom>") < at("totals are in cents"), "{messages}");
        assert!(at("totals are in cents") < at("sheet two"), "{messages}");
        assert!(at("sheet two") < at("<Work_Context>"), "{messages}");
    }
    let bench = Bench::new(Config::default());
    let mut agent =
        after(&bench, set(Dialect::Anthropic), &[("spawn_session", json!({"task": "t"}))]);
    let mut child = agent.child("1").expect("a child");
    assert!(
        !called(&mut child).body.to_string().contains("Work_Context"),
        "nothing was ever recorded"
    );
    drop(child);
    agent.step().expect("a step");
}

#[test]
fn after_a_compaction_the_children_that_run_are_told() {
    let bench = bench();
    let spawn = ("spawn_session", json!({"task": "count the rows of sheet two"}));
    let mut agent = after(&bench, set(Dialect::Anthropic), &[spawn]);
    agent.summarised("it went on").expect("kept");
    let text = called(&mut agent).body["messages"].to_string();
    assert!(text.contains("Sub-agents still running (1)"), "{text}");
    assert!(text.contains("count the rows of sheet two"), "{text}");
}

#[test]
fn c0_14_a_spawned_session_starts_empty() {
    starts_with("spawn_session", &json!({"task": "sheet two"}), "", 0);
}

#[test]
fn c0_15_a_spawned_session_with_the_copy_starts_equal() {
    starts_with("spawn_session", &json!({"task": "sheet two", "copy_notepad": true}), "mine", 0);
}

#[test]
fn c0_16_a_fork_starts_equal_with_the_history() {
    starts_with("fork_session", &json!({"task": "sheet two"}), "mine", 1);
}

#[test]
fn c0_17_a_change_on_one_side_is_not_seen_on_the_other() {
    let bench = bench();
    let copy = json!({"task": "sheet two", "copy_notepad": true});
    let calls = [("fork_session", json!({"task": "sheet two"})), ("spawn_session", copy)];
    let agent = after(&bench, set(Dialect::Anthropic), &calls);
    for id in ["1", "2"] {
        let child = agent.child(id).expect("a child");
        child.session().call("write_notepad", json!({"content": id})).expect("a write");
    }
    assert_eq!(agent.session().page().as_deref(), Ok("mine"));
    agent.session().call("write_notepad", json!({"content": "changed"})).expect("a write");
    assert_eq!((page(&agent, "1").as_str(), page(&agent, "2").as_str()), ("1", "2"));
    assert_eq!(agent.session().page().as_deref(), Ok("changed"));
}

#[test]
fn c0_18_a_report_holds_no_notepad() {
    for dialect in Dialect::ALL {
        let bench = Bench::new(Config::of(Profile::Seed0));
        let mut agent = bench.agent(set(dialect));
        agent.ask("audit").expect("kept");
        let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let said = work(&mut agent, dialect, &mut |name, request| {
            let requests = seen.entry(name.to_owned()).or_default();
            requests.push(request.body.to_string());
            match (name, requests.len()) {
                ("my-agent:1", 1) => says("", &[("spawn_session", json!({"task": "sheet two"}))]),
                ("my-agent:1", 2) => says("", &[("wait_for_sessions", json!({}))]),
                ("my-agent:1", _) => says("all audited", &[]),
                (_, 1) => says("", &[("write_notepad", json!({"content": "SECRET"}))]),
                _ => says("", &[("report_result", json!({"result": "42 rows"}))]),
            }
        });
        assert_eq!(said, "all audited");
        let parent = seen["my-agent:1"].concat();
        assert!(parent.contains(r"session 1 reported:\n42 rows"), "{parent}");
        assert!(!parent.contains("SECRET"));
        assert!(seen["my-agent:1/1"].concat().contains("SECRET"));
    }
}

/// What the parent reads of its children once they have ended.
#[track_caller]
fn heard(agent: &mut Controller<'_>) -> String {
    agent.answer(says("", &[("wait_for_sessions", json!({}))])).expect("kept");
    match agent.step().expect("a step") {
        Step::Call(request) => {
            let messages = request.body["messages"].as_array().expect("messages");
            messages.last().expect("one")["content"][0]["content"]
                .as_str()
                .expect("a text")
                .to_owned()
        }
        step => unreachable!("not a call: {step:?}"),
    }
}

#[test]
fn a_report_ends_its_session_though_a_crash_comes_between() {
    for crashed_at in ["\"ended\"", "\"reported\",\"is_error\""] {
        let bench = bench();
        let spawn = ("spawn_session", json!({"task": "x"}));
        let mut agent = after(&bench, set(Dialect::Anthropic), &[spawn]);
        let report = says("", &[("report_result", json!({"result": "42 rows"}))]);
        let steps = |child: &mut Controller<'_>| {
            child.step()?;
            child.answer(report.clone())?;
            child.step().map(drop)
        };
        agent.work_child("1", steps).expect("ended");
        let file = bench.file().with_extension("1.jsonl");
        let whole = std::fs::read_to_string(&file).expect("a transcript");
        let lines = whole.split_inclusive('\n');
        let cut: String = lines.take_while(|line| !line.contains(crashed_at)).collect();
        assert!(cut.contains("42 rows") && cut.len() < whole.len(), "{cut}");
        std::fs::write(&file, cut).expect("a file");
        assert_eq!(agent.running(), Ok(vec!["1".to_owned()]));
        if crashed_at.contains("ended") {
            // Even who comes too late hears what was reported.
            agent.end_child("1", Outcome::TimedOut, "too late").expect("ended");
        } else {
            agent.work_child("1", |child| child.step().map(drop)).expect("ended");
        }
        assert_eq!(heard(&mut agent), "session 1 reported:\n42 rows");
        let lines = |text: &str| -> Vec<serde_json::Value> {
            let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
            lines
                .map(|mut line: serde_json::Value| {
                    line["at"].take();
                    line
                })
                .collect()
        };
        let mended = std::fs::read_to_string(&file).expect("a transcript");
        assert_eq!(lines(&mended), lines(&whole));
    }
}

#[test]
fn every_end_of_a_child_is_heard_once() {
    let bench = bench();
    let spawn = ("spawn_session", json!({"task": "x"}));
    let mut agent = after(&bench, set(Dialect::Anthropic), &vec![spawn; 4]);
    agent.work_child("1", |_| Err::<(), _>("no connection")).expect("ended");
    agent
        .work_child("2", |_| -> Result<(), String> { panic!("of the host's own") })
        .expect("ended");
    agent.end_child("3", Outcome::Cancelled, "not wanted").expect("ended");
    assert_eq!(agent.running(), Ok(vec!["4".to_owned()]));
    // A child that just says its last word has reported it.
    agent
        .work_child("4", |child| {
            child.step()?;
            child.answer(says("nothing found", &[]))?;
            child.step()
        })
        .expect("ended");
    agent.end_child("4", Outcome::Cancelled, "too late").expect("nothing");
    insta::assert_snapshot!(heard(&mut agent), @r"
    session 1 crashed: no connection

    session 2 crashed: its program panicked

    session 3 was cancelled: not wanted

    session 4 reported:
    nothing found
    ");
    assert_eq!(heard(&mut agent), "no session of yours runs");
    agent
        .answer(says("", &[("wait_for_sessions", json!({"sessions": ["2", "9"]}))]))
        .expect("kept");
    let Ok(Step::Call(request)) = agent.step() else { panic!("no call") };
    assert!(request.body.to_string().contains(r#"no session \"9\": yours are 1, 2, 3, 4"#));
    let ended = agent.child("3").expect("a child").step();
    assert_eq!(ended, Ok(Step::Done("not wanted".to_owned())));
    let error = agent.child("3").expect("a child").ask("and now?").expect_err("it is over");
    assert_eq!(error.message, "the session has ended: nobody answers");
}

#[test]
fn a_child_whose_time_is_up_ends() {
    let bench = bench();
    let mut late = set(Dialect::Anthropic);
    late.children = Some(Children { seconds: 0, ..Children::default() });
    let spawn = ("spawn_session", json!({"task": "x"}));
    let mut agent = after(&bench, late, &vec![spawn; 2]);
    let mut child = agent.child("1").expect("a child");
    assert_eq!(child.step(), Ok(Step::Done("no result within 0 seconds".to_owned())));
    // The second is opened, and its program dies.
    drop(agent.child("2").expect("a child"));
    assert_eq!(
        heard(&mut agent),
        "session 1 timed out: no result within 0 seconds\n\nsession 2 timed out: no result within 0 seconds"
    );
}

#[test]
fn sessions_lie_three_deep_and_ten_run_at_once() {
    let bench = bench();
    let fork = ("fork_session", json!({"task": "x"}));
    let mut agent = after(&bench, set(Dialect::Anthropic), &vec![fork; 11]);
    let Ok(Step::Call(request)) = agent.step() else { panic!("no call") };
    let text = request.body.to_string();
    let refusal = "at most 10 children run at once, 10 do: wait_for_sessions first";
    assert_eq!(text.matches(refusal).count(), 1);

    let (_, _, child) = deeper(&agent, "1");
    let (_, _, grandchild) = deeper(&child, "1.1");
    let (step, may, _) = deeper(&grandchild, "1.1.1");
    assert!(!may, "it is not offered what it may not do");
    assert!(matches!(step, Step::Run(_)), "the call is the host's, who has no such tool: {step:?}");
}

/// Opens a child and lets it fork: its step after, whether it was offered that, and itself.
fn deeper<'a>(agent: &Controller<'a>, id: &str) -> (Step, bool, Controller<'a>) {
    let mut child = agent.child(id).expect("a child");
    let request = called(&mut child);
    let may = request.body.to_string().contains("\"fork_session\"");
    child.answer(says("", &[("fork_session", json!({"task": "x"}))])).expect("kept");
    (child.step().expect("a step"), may, child)
}

#[test]
fn a_fork_costs_the_same_however_long_the_history_is() {
    let bench = bench();
    let mut agent = after(&bench, set(Dialect::Anthropic), &[]);
    for n in 0..40 {
        agent.ask(&format!("step {n}")).expect("kept");
        agent.step().expect("a step");
        agent.answer(says(&"a finding about a sheet. ".repeat(80), &[])).expect("kept");
    }
    agent.ask("share it").expect("kept");
    agent.step().expect("a step");
    let n_lines = bench.bytes().split(|&byte| byte == b'\n').count() - 1;
    agent.answer(says("", &[("fork_session", json!({"task": "x"}))])).expect("kept");
    agent.step().expect("a step");
    let mut fork = agent.child("1").expect("a fork");
    let Ok(Step::Call(request)) = fork.step() else { panic!("no call") };
    let text = request.body.to_string();
    assert!(text.contains("[Summary of what came before"), "history after the compaction: {text}");
    assert!(!text.contains("step 3\""));
    let file = fs::read_to_string(bench.file().with_extension("1.jsonl")).expect("a file");
    assert_eq!(file.lines().count(), 2, "{file}");
    let first: Value = serde_json::from_str(file.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["from"], json!({"file": "session.jsonl", "line": n_lines}));
    assert!(file.len() < 700, "{file}");
}

#[test]
fn a_child_goes_on_in_another_process() {
    let bench = bench();
    let calls = [("fork_session", json!({"task": "x"})), ("wait_for_sessions", json!({}))];
    let mut agent = after(&bench, set(Dialect::Anthropic), &calls);
    let waits = Step::Wait(vec!["1".to_owned()]);
    assert_eq!(agent.step(), Ok(waits.clone()));
    let mut child = agent.child("1").expect("a child");
    child.step().expect("a step");
    child
        .answer(says("", &[("update_notepad", json!({"operation": "append", "content": " too"}))]))
        .expect("kept");
    let next = child.step();
    let refused = agent.end_child("1", Outcome::Cancelled, "").expect_err("it is open");
    assert_eq!(refused.message, "the session is open in another program");
    drop((agent, child));
    let mut agent = bench.agent(set(Dialect::Anthropic));
    assert_eq!(agent.step(), Ok(waits));
    let mut child = agent.child("1").expect("a child");
    assert_eq!(child.step(), next);
    assert_eq!(child.session().page().as_deref(), Ok("mine too"));
}

#[test]
fn what_began_before_a_crash_is_told_though_the_user_spoke() {
    let bench = bench();
    let calls = [("spawn_session", json!({"task": "x", "copy_notepad": true}))];
    drop(after(&bench, set(Dialect::Anthropic), &calls));
    let bytes = bench.bytes();
    let at =
        bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    assert!(bytes[at..].starts_with(b"{\"role\":\"tool\""), "the last line is the result");
    fs::write(bench.file(), &bytes[..at]).expect("a write");
    let mut agent = bench.agent(set(Dialect::Anthropic));
    agent.ask("are you there?").expect("kept");
    let Ok(Step::Call(request)) = agent.step() else { panic!("no call") };
    assert!(request.body.to_string().contains(r#"{\"id\":\"1\"}"#));
    assert_eq!(agent.running(), Ok(vec!["1".to_owned()]));
}

#[test]
fn what_a_child_may_not_be_given_is_refused() {
    let bench = bench();
    let mut set = set(Dialect::Anthropic);
    set.children = Some(Children { models: vec!["small".to_owned()], ..Children::default() });
    let spawn = |arguments: Value| ("spawn_session", arguments);
    let calls = [
        spawn(json!({"task": " "})),
        spawn(json!({"task": "x", "model": "large"})),
        spawn(json!({"task": "x", "token_limit": 10})),
        spawn(json!({"task": "x", "model": "small", "token_limit": 9_000})),
    ];
    let mut agent = after(&bench, set, &calls);
    let Ok(Step::Call(request)) = agent.step() else { panic!("no call") };
    let messages = request.body["messages"].as_array().expect("messages");
    let results = messages.last().expect("one")["content"].as_array().expect("results");
    let text: Vec<_> = results.iter().filter_map(|result| result["content"].as_str()).collect();
    insta::assert_snapshot!(text.join("\n"), @r#"
    spawn_session needs task, none given
    no model "large" for a child: use one of small, or leave it out
    token_limit takes at least 8000, 10 given
    {"id":"1"}
    "#);
    let Ok(Step::Call(request)) = agent.child("1").expect("a child").step() else {
        panic!("no call")
    };
    assert_eq!(request.body["model"], "small");
}

#[test]
fn children_work_at_once_over_http() {
    for dialect in Dialect::ALL {
        let scripted = start(dialect, move |_, request| {
            let text = request.to_string();
            let n_spawned = text.matches(r#"{\"id\":"#).count();
            match n_spawned {
                _ if text.contains("a sheet of one's own") && !text.contains("audit them") => {
                    says("", &[("report_result", json!({"result": "audited"}))])
                }
                0 => {
                    let task = json!({"task": "a sheet of one's own"});
                    says("", &vec![("spawn_session", task); 3])
                }
                _ if text.contains("session 3 reported") => says("all three audited", &[]),
                _ => says("", &[("wait_for_sessions", json!({}))]),
            }
        });
        let bench = bench();
        let mut agent = bench.agent(set(dialect));
        agent.ask("audit them").expect("kept");
        let said = agent::work(&mut agent, &scripted.server, &|_| Ok(String::new()));
        assert_eq!(said.expect("an answer"), "all three audited");
        for request in scripted.received.try_iter() {
            assert_eq!(dialect.check(&request), Ok(()));
        }
    }
}
