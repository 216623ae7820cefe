//! The controller: windows, tasks, compaction, and what a crash leaves.

use serde_json::json;
use vademecum::controller::{Options, SCRATCHPAD_ENTRY, Step, Summary};
use vademecum::core::notepad::{EMPTY_HINT, WARNING};
use vademecum::core::scratchpad::Order;
use vademecum::dialect::Dialect;
use vademecum::ops::Config;
use vademecum::ops::config::Profile;

use crate::bench::{Bench, options, says, work};

const ANTHROPIC: Dialect = Dialect::Anthropic;

/// The next request as text; the step is none other.
#[track_caller]
fn request(agent: &mut vademecum::Controller<'_>) -> String {
    match agent.step().expect("a step") {
        Step::Call(request) => request.body.to_string(),
        step => unreachable!("not a call: {step:?}"),
    }
}

#[test]
fn c0_12_and_13_the_page_stands_last_in_the_system_prompt() {
    let bench = Bench::new(Config::of(Profile::Seed0));
    let mut set = options(ANTHROPIC);
    (set.tasks, set.sections) = (false, vec!["## Skills\n- pdf".to_owned()]);
    let mut agent = bench.agent(set);
    agent.ask("hi").expect("kept");
    assert!(request(&mut agent).contains(EMPTY_HINT));
    agent.session().call("write_notepad", json!({"content": "- [ ] a"})).expect("a write");
    let Ok(Step::Call(request)) = agent.step() else { panic!("no call") };
    let system = request.body["system"].as_str().expect("a text");
    assert!(system.starts_with("You are a careful assistant."));
    assert!(system.ends_with("\n\n## Skills\n- pdf\n\n## Session Notepad\n- [ ] a"), "{system}");
    let tools = request.body["tools"].as_array().expect("tools");
    let names: Vec<_> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["read_file", "read_notepad", "write_notepad", "update_notepad"]);
}

#[test]
fn c2_5_9_and_13_the_scratchpad_stands_before_the_user_and_nowhere_else() {
    for (order, shown) in [
        (
            Order::ScratchpadFirst,
            "[Session Scratchpad - your persistent working memory]\nplan\n[End Scratchpad]\n\nbe quick\n\nand now?",
        ),
        (
            Order::SteerFirst,
            "be quick\n\n[Session Scratchpad - your persistent working memory]\nplan\n[End Scratchpad]\n\nand now?",
        ),
    ] {
        let config = Config { order, ..Config::of(Profile::Seed2) };
        let bench = Bench::new(config.clone());
        let set = options(ANTHROPIC);
        let mut agent = bench.agent(set.clone());
        agent.ask("hi").expect("kept");
        assert!(!request(&mut agent).contains("[Session Scratchpad"), "C2.9: nothing for nothing");
        for content in ["one", "two", "plan"] {
            let call = ("session_scratchpad", json!({"content": content}));
            agent.answer(says("", &[call])).expect("kept");
            request(&mut agent);
        }
        agent.answer(says("noted", &[])).expect("kept");
        agent.ask("and now?").expect("kept");
        agent.steer("be quick");
        let Ok(Step::Call(now)) = agent.step() else { panic!("no call") };
        let messages = now.body["messages"].as_array().expect("messages");
        assert_eq!(messages.last().expect("one")["content"], shown);
        let text = String::from_utf8(bench.bytes()).expect("a text");
        assert!(!text.contains("[Session Scratchpad"), "C2.6");
        assert!(!text.contains("be quick"), "steer is never stored");

        drop(agent);
        let vade = bench.again(config);
        let session = vade.session("my-agent:1").expect("a name");
        let mut again = vademecum::Controller::open(session, &bench.file(), set).expect("resumed");
        again.steer("be quick");
        assert_eq!(again.step(), Ok(Step::Call(now)), "C2.7");
        assert_eq!(again.custom(SCRATCHPAD_ENTRY), Some(&json!("plan")), "C2.8");
        again.answer(says("", &[("session.scratchpad", json!({"content": ""}))])).expect("kept");
        assert!(!request(&mut again).contains("[Session Scratchpad"), "C2.9");
        drop(again);
        let again = bench.agent(options(ANTHROPIC));
        assert_eq!(again.session().page().as_deref(), Ok(""), "C2.9: a clear is no absence");
    }
}

#[test]
fn a_scratchpad_comes_back_from_the_transcript_alone() {
    let from = Bench::new(Config::of(Profile::Seed2));
    let mut agent = from.agent(options(ANTHROPIC));
    agent.ask("hi").expect("kept");
    agent.answer(says("", &[("session_scratchpad", json!({"content": "plan"}))])).expect("kept");
    agent.step().expect("a step");
    let to = Bench::new(Config::of(Profile::Seed2));
    std::fs::copy(from.file(), to.file()).expect("a copy");
    assert_eq!(to.agent(options(ANTHROPIC)).session().page().as_deref(), Ok("plan"));
}

#[test]
fn tasks_collapse_to_their_line_and_are_read_again() {
    for dialect in Dialect::ALL {
        let bench = Bench::new(Config::default());
        let mut agent = bench.agent(options(dialect));
        agent.ask("tidy up").expect("kept");
        let mut n = 0;
        let mut last = String::new();
        let done = work(&mut agent, dialect, &mut |request| {
            n += 1;
            last = request.body.to_string();
            match n {
                1 => says("first", &[("begin_task", json!({"title": "outer"}))]),
                2 => says("", &[("read_file", json!({"path": "secret-step"}))]),
                3 => says("", &[("begin_task", json!({"title": "inner"}))]),
                4 => says("", &[("cancel_task", json!({"reason": "no use"}))]),
                5 => says(
                    "both",
                    &[("end_task", json!({"summary": "all tidy"})), ("list_tags", json!({}))],
                ),
                6 => says("", &[("read_task", json!({"task": "task_1"}))]),
                _ => says("done", &[]),
            }
        });
        assert_eq!(done, "done");
        assert!(
            last.contains("task_1 \\\"outer\\\" done: all tidy (steps: read_task task_1)"),
            "{last}"
        );
        assert!(
            !last.contains("task_2 \\\"inner\\\" cancelled: no use (steps: read_task task_2)\"}]")
        );
        assert_eq!(last.matches("secret-step").count(), 1, "once, in what read_task gave: {last}");
    }
}

#[test]
fn tasks_nest_to_four_and_end_only_once() {
    let bench = Bench::new(Config::default());
    let mut agent = bench.agent(options(ANTHROPIC));
    agent.ask("go").expect("kept");
    let mut n = 0;
    let mut seen = String::new();
    work(&mut agent, ANTHROPIC, &mut |request| {
        n += 1;
        seen = request.body["messages"].to_string();
        match n {
            1 => says("", &vec![("begin_task", json!({"title": "deeper"})); 5]),
            2 => says("", &vec![("end_task", json!({"summary": "up"})); 5]),
            _ => says("done", &[]),
        }
    });
    assert_eq!(seen.matches("at most 4 tasks lie in each other, 4 are open").count(), 1);
    assert_eq!(seen.matches("end_task: no task is open").count(), 1);
}

#[test]
fn warned_once_then_compacted_and_the_request_is_kept() {
    for summary in [Summary::Recap(800), Summary::Host] {
        let bench = Bench::new(Config::of(Profile::Seed0));
        let mut set = options(ANTHROPIC);
        set.summary = summary;
        let mut agent = bench.agent(set);
        agent.ask("audit every sheet, keep the totals").expect("kept");
        let long = "a finding about a sheet. ".repeat(60);
        let (mut n, mut warnings) = (0, 0);
        work(&mut agent, ANTHROPIC, &mut |request| {
            n += 1;
            let text = request.body.to_string();
            assert_eq!(text.contains(&WARNING.replace('\n', "\\n")), request.is_warning);
            assert!(text.contains("audit every sheet, keep the totals"), "{n}");
            if request.is_warning {
                warnings += 1;
                let page = format!("- warned {warnings}\n");
                let page = json!({"operation": "append", "content": page});
                let write = ("update_notepad", page);
                return says("", &[write, ("read_file", json!({"path": "x"}))]);
            }
            if 40 <= n {
                says("done", &[])
            } else {
                says(&long, &[("read_file", json!({"path": "x"}))])
            }
        });
        assert!(2 <= warnings, "{warnings}");
        let page = (1..=warnings).fold(String::new(), |page, n| page + &format!("- warned {n}\n"));
        assert_eq!(agent.session().page(), Ok(page), "what the answer to a warning wrote is kept");
        let transcript = String::from_utf8(bench.bytes()).expect("a text");
        assert_eq!(transcript.matches("\"type\":\"summary\"").count(), warnings);
        let status = agent.session().call("status", json!({})).expect("a status").text;
        assert!(status.contains(&format!("context  compacted {warnings} times")), "{status}");
        let list = agent.session().call("list_sessions", json!({})).expect("a list").object;
        assert_eq!(list["sessions"][0]["compactions"], warnings);
        // Its transcript is known: a recap is made of it by name alone.
        let recap = agent.session().call("recap", json!({})).expect("a recap").text;
        assert!(recap.contains("audit every sheet"), "{recap}");
        assert_eq!(transcript.matches("not run: the conversation is compacted").count(), warnings);
    }
}

#[test]
fn a_torn_end_is_taken_away_and_a_second_opener_refused() {
    let bench = Bench::new(Config::default());
    let mut agent = bench.agent(options(ANTHROPIC));
    agent.ask("hi").expect("kept");
    let second = vademecum::Controller::open(bench.session(), &bench.file(), options(ANTHROPIC));
    assert!(second.is_err_and(|error| error.message == "the session is open in another program"));
    let before = request(&mut agent);
    drop(agent);
    let whole = bench.bytes();
    let torn = [&whole[..], br#"{"type":"summary","at":"x","conte"#].concat();
    std::fs::write(bench.file(), torn).expect("a write");
    let mut agent = bench.agent(options(ANTHROPIC));
    assert_eq!(bench.bytes(), whole, "an interrupted compaction leaves nothing");
    assert_eq!(request(&mut agent), before);
}

#[test]
fn an_answer_to_a_warning_is_made_once_whatever_crashes() {
    let bench = Bench::new(Config::default());
    let mut set = options(ANTHROPIC);
    set.summary = Summary::Host;
    let mut agent = bench.agent(set.clone());
    agent.ask("go").expect("kept");
    loop {
        let Ok(Step::Call(request)) = agent.step() else { unreachable!("no call") };
        if request.is_warning {
            break;
        }
        agent.answer(says(&"found. ".repeat(900), &[("list_tags", json!({}))])).expect("kept");
    }
    agent.answer(says("", &[("write_notepad", json!({"content": "- found"}))])).expect("kept");
    let step = agent.step().expect("a step");
    assert!(matches!(step, Step::Summarise(_)), "{step:?}");
    drop(agent);
    let bytes = bench.bytes();
    let last =
        bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    assert!(bytes[last..].starts_with(b"{\"role\":\"tool\""));
    std::fs::write(bench.file(), &bytes[..last]).expect("a write");
    let mut again = bench.agent(set);
    assert_eq!(again.step(), Ok(step), "the call is made again and gives its first reply");
    assert_eq!(again.session().page().as_deref(), Ok("- found"));
}

/// What a write of a page of so many lines answers, and whether the page was kept.
///
/// Whatever it answers, the next request can be made.
fn told_of_page(n_lines: usize) -> (String, bool) {
    let bench = Bench::new(Config::default());
    let mut agent = bench.agent(options(ANTHROPIC));
    agent.ask("hi").expect("kept");
    request(&mut agent);
    let page = "- [ ] one more step of the plan\n".repeat(n_lines);
    agent.answer(says("", &[("write_notepad", json!({"content": page}))])).expect("kept");
    request(&mut agent);
    let kept = agent.session().page().expect("a page");
    assert!(kept.is_empty() || kept == page);
    let transcript = String::from_utf8(bench.bytes()).expect("a text");
    let mut lines = transcript.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let result = lines.find(|line: &serde_json::Value| line["role"] == "tool").expect("a result");
    (result["content"].as_str().expect("a text").to_owned(), !kept.is_empty())
}

#[test]
fn a_long_page_is_weighed_against_the_window_of_its_own_session() {
    // No hook of any harness lets the second one through.
    for n_lines in [1, 400] {
        let (told, is_kept) = told_of_page(n_lines);
        assert!(
            is_kept && told.ends_with("tokens, shown whole in every request (this session only)"),
            "{told}"
        );
    }
    let (told, is_kept) = told_of_page(700);
    assert!(is_kept);
    insta::assert_snapshot!(told, @"notepad rev 1, 7065 tokens, shown whole in every request, which leaves about 2152 for the conversation: shorten it (this session only)");
    let (told, is_kept) = told_of_page(5_000);
    assert!(!is_kept);
    insta::assert_snapshot!(told, @r"
    the notepad would take 52363 tokens, a request has room for 9535: nothing was written
    keep the parts that are needed in every turn, and add_note for the rest
    ");
}

#[test]
fn a_page_as_long_as_it_may_be_leaves_a_request_possible() {
    let (mut least, mut most) = (700, 5_000);
    while least + 1 < most {
        let middle = usize::midpoint(least, most);
        if told_of_page(middle).1 {
            least = middle;
        } else {
            most = middle;
        }
    }
    assert!(least < 1_000, "{least}");
}

/// What each of these calls, made in the answer to a warning on the page "- [ ] a", gives, and the page then.
fn in_the_warning_turn(
    profile: Profile,
    calls: &[(&str, serde_json::Value)],
) -> (Vec<String>, String) {
    let bench = Bench::new(Config::of(profile));
    let mut agent = bench.agent(options(ANTHROPIC));
    agent.ask("go").expect("kept");
    agent.session().call("write_notepad", json!({"content": "- [ ] a"})).expect("a write");
    loop {
        let Ok(Step::Call(request)) = agent.step() else { unreachable!("no call") };
        if request.is_warning {
            break;
        }
        agent.answer(says(&"found. ".repeat(900), &[("read_notepad", json!({}))])).expect("kept");
    }
    let n_before = String::from_utf8(bench.bytes()).expect("a text").lines().count();
    agent.answer(says("", calls)).expect("kept");
    request(&mut agent);
    let transcript = String::from_utf8(bench.bytes()).expect("a text");
    let lines = transcript.lines().skip(n_before);
    let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let results = lines.filter(|line| line["role"] == "tool");
    let told = results.map(|line| line["content"].as_str().expect("a text").to_owned()).collect();
    (told, agent.session().page().expect("a page"))
}

#[test]
fn in_the_warning_turn_each_write_does_what_it_answers() {
    let ok = r#"{"ok":true}"#;
    let tick = json!({"operation": "find_replace", "find": "[ ]", "replace": "[x]"});
    let (told, page) = in_the_warning_turn(
        Profile::Seed0,
        &[
            ("update_notepad", tick),
            ("update_notepad", json!({"operation": "prepend", "content": "# P\n"})),
        ],
    );
    assert_eq!((told, page.as_str()), (vec![ok.to_owned(); 2], "# P\n- [x] a"));
    let write = ("write_notepad", json!({"content": "REWRITTEN"}));
    let (told, page) = in_the_warning_turn(Profile::Seed0, &[write]);
    assert_eq!((told, page.as_str()), (vec![ok.to_owned()], "REWRITTEN"));
    let (told, _) = in_the_warning_turn(
        Profile::Default,
        &[
            ("read_file", json!({"path": "x"})),
            ("begin_task", json!({"title": "t"})),
            ("read_notepad", json!({})),
        ],
    );
    let not_run =
        "not run: the conversation is compacted now; call again after it if it is still needed";
    assert_eq!(told, [not_run, not_run, "- [ ] a"]);
}

#[test]
fn after_a_compaction_the_open_notes_are_back() {
    for (profile, has_notes) in [
        (Profile::Default, true),
        (Profile::Seed1, true),
        (Profile::Seed4, true),
        (Profile::Seed0, false),
    ] {
        let bench = Bench::new(Config::of(profile));
        let mut agent = bench.agent(Options { summary: Summary::Host, ..options(ANTHROPIC) });
        agent.ask("go").expect("kept");
        let note = json!({"content": "retry swallows E_DUP", "tags": ["bug"]});
        agent.session().call("add_note", note).expect("a note");
        agent.step().expect("a step");
        agent.answer(says("found", &[("read_file", json!({"path": "x"}))])).expect("kept");
        agent.step().expect("a step");
        let call = last_call(&bench);
        agent.result(&call, "ran", false).expect("kept");
        agent.summarised("it went on").expect("kept");
        let text = request(&mut agent);
        assert!(text.contains("it went on"), "{text}");
        assert_eq!(text.contains("retry swallows E_DUP"), has_notes, "{profile:?} {text}");
        drop(agent);
        let mut again = bench.agent(options(ANTHROPIC));
        assert_eq!(request(&mut again).contains("retry swallows E_DUP"), has_notes, "{profile:?}");
    }
}

#[test]
fn a_new_session_is_told_what_its_project_knows() {
    for (profile, is_told) in
        [(Profile::Default, true), (Profile::Seed3, true), (Profile::Seed0, false)]
    {
        let bench = Bench::new(Config::of(profile));
        let learned = json!({"content": "totals are in cents"});
        bench.session().call("add_learning", learned).expect("a learning");
        let mut agent = bench.agent(options(ANTHROPIC));
        agent.ask("audit the sheets").expect("kept");
        let Ok(Step::Call(first)) = agent.step() else { panic!("no call") };
        let said = first.body["messages"][0].to_string();
        assert_eq!(said.contains("totals are in cents"), is_told, "{profile:?}: {said}");
        assert!(said.contains("audit the sheets"), "{said}");
        drop(agent);
        let more = json!({"content": "rows begin at two"});
        bench.session().call("add_learning", more).expect("a learning");
        assert_eq!(
            bench.agent(options(ANTHROPIC)).step(),
            Ok(Step::Call(first)),
            "the same when it goes on"
        );
    }
}

/// The id of the last call in the transcript.
fn last_call(bench: &Bench) -> String {
    let transcript = String::from_utf8(bench.bytes()).expect("a text");
    let mut lines = transcript.lines().rev().map(serde_json::from_str::<serde_json::Value>);
    let id = |line: serde_json::Value| line["tool_calls"][0]["id"].as_str().map(str::to_owned);
    lines.find_map(|line| id(line.ok()?)).expect("a call")
}

#[test]
fn guidance_is_of_the_profile_and_schemas_name_no_session() {
    for (profile, said) in [
        (Profile::Default, "add_note"),
        (Profile::Seed0, "use the session notepad"),
        (Profile::Seed1, "One idea a note, 1-5 tags"),
        (Profile::Seed3, "Record right after completing work"),
    ] {
        let bench = Bench::new(Config::of(profile));
        let mut agent = bench.agent(options(ANTHROPIC));
        agent.ask("hi").expect("kept");
        let Ok(Step::Call(request)) = agent.step() else { panic!("no call") };
        let system = request.body["system"].as_str().expect("a text");
        assert!(system.contains(said), "{profile:?}: {system}");
        for tool in request.body["tools"].as_array().expect("tools") {
            assert!(tool["input_schema"]["properties"]["session"].is_null(), "{tool}");
        }
    }
}

#[test]
fn c0_1_an_empty_page_is_told_as_one() {
    let bench = Bench::new(Config::default());
    let mut agent = bench.agent(options(ANTHROPIC));
    agent.ask("hi").expect("kept");
    request(&mut agent);
    agent.answer(says("", &[("read_notepad", json!({}))])).expect("kept");
    let told = request(&mut agent);
    assert!(told.contains(r#"{\"content\":\"\"}"#), "{told}");
}
