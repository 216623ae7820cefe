//! An agent that is built with the library reads of nothing that its profile does not offer.

use serde_json::{Value, json};
use vademecum::Controller;
use vademecum::controller::{Children, Options, Step, Summary};
use vademecum::dialect::{Answer, Dialect};
use vademecum::ops::Config;
use vademecum::ops::config::Profile;
use vademecum::ops::{offer, registry};

use crate::bench::{Bench, options, says};

fn set() -> Options {
    let children = Some(Children::default());
    Options { children, tasks: true, summary: Summary::Host, ..options(Dialect::Anthropic) }
}

/// The next request, as its model reads it; what else the agent asks for is answered.
fn request(agent: &mut Controller<'_>, read: &mut Vec<String>) {
    loop {
        match agent.step().expect("a step") {
            Step::Call(request) => return read.push(request.body.to_string()),
            Step::Summarise(request) => {
                read.push(request.body.to_string());
                agent.summarised("all went well").expect("a summary");
            }
            Step::Run(calls) => {
                for call in calls {
                    agent.result(&call.id, "ran", false).expect("a result");
                }
            }
            Step::Wait(children) => unreachable!("nobody waits for {children:?}"),
            Step::Done { .. } => return,
        }
    }
}

/// A call of each tool that a model has, as it may be made and with nothing.
fn calls(config: &Config) -> Vec<(&'static str, Value)> {
    let own = ["begin_task", "end_task", "read_task", "cancel_task", "spawn_session"];
    let ops: Vec<_> = offer::offered(config).map(|op| op.declaration).collect();
    let good = ops.iter().map(|it| (it.name, serde_json::from_str(it.example).expect("JSON")));
    let bare = ops.iter().map(|it| it.name).chain(own).map(|name| (name, json!({})));
    let begun = [("begin_task", json!({"title": "Survey"})), ("end_task", json!({"summary": "x"}))];
    good.chain(bare).chain(begun).collect()
}

/// All requests of a session: at work, warned, summarised, and of a child of it.
fn read(profile: Profile) -> Vec<String> {
    let mut config = Config::of(profile);
    config.precompact.enabled = true;
    let bench = Bench::new(config.clone());
    let mut read = Vec::new();
    let mut agent = bench.agent(set());
    agent.ask("Find the callers.").expect("kept");
    request(&mut agent, &mut read);
    for (name, arguments) in calls(&config) {
        agent.answer(says("", &[(name, arguments)])).expect("kept");
        request(&mut agent, &mut read);
    }
    let task = json!({"task": "Look at the tests."});
    agent.answer(says("", &[("spawn_session", task)])).expect("kept");
    request(&mut agent, &mut read);
    let mut child = agent.child("1").expect("a child");
    request(&mut child, &mut read);
    let full: Answer = says(&"words of the work ".repeat(3_000), &[("begin_task", json!({}))]);
    agent.answer(full).expect("kept");
    for _ in 0..3 {
        request(&mut agent, &mut read);
        agent.answer(says("on", &[("begin_task", json!({}))])).expect("kept");
    }
    read
}

/// The names of tools in a text that are no words of English.
fn named(text: &str) -> Vec<&'static str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<&str> = text.split(|c| !is_part(c)).collect();
    let names = registry::ALL.iter().map(|op| op.declaration.name);
    names.filter(|name| name.contains('_') && words.contains(name)).collect()
}

#[test]
fn no_request_names_what_its_profile_does_not_offer() {
    for profile in Profile::ALL {
        let config = Config::of(profile);
        let offered: Vec<_> = offer::offered(&config).map(|op| op.declaration.name).collect();
        let page = profile.words().page();
        let mut foreign = vec!["scratchpad", " notepad"];
        // The third design has notepads of its own, those of plans.
        let has_pages = page.is_some() || profile == Profile::Seed3;
        foreign.retain(|name| !(has_pages && page.unwrap_or("notepad") == name.trim()));
        if !profile.words().keeps().contains("notes") {
            foreign.push(" note ");
        }
        let requests = read(profile);
        assert!(requests.iter().any(|it| it.contains("Summarize the record")), "{profile:?}");
        for text in requests {
            for name in named(&text) {
                assert!(offered.contains(&name), "{profile:?}: {name} in {text}");
            }
            // An argument of the published call, whatever the page is called.
            let text = text.replace("copy_notepad", "");
            for name in &foreign {
                let at = text.find(name).map(|at| &text[at.saturating_sub(80)..]);
                assert!(at.is_none(), "{profile:?}: {name}: {:.300}", at.unwrap_or_default());
            }
        }
    }
}
