//! What the tests of the controller stand on: a store of its own, a clock that ticks, a scripted model.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use vademecum::controller::{Controller, Options, Request, Step};
use vademecum::core::time::Time;
use vademecum::dialect::{Answer, Dialect, Model, ToolCall};
use vademecum::ops::world::Folders;
use vademecum::ops::{Config, World};
use vademecum::{Session, Vade};

use crate::agent;

/// A folder with a store.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
    pub(crate) vade: Vade,
}

impl Bench {
    pub(crate) fn new(config: Config) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let vade = open(folder.path(), config);
        Self { folder, vade }
    }

    /// The same folder, as another process finds it.
    pub(crate) fn again(&self, config: Config) -> Vade {
        open(self.folder.path(), config)
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("session.jsonl")
    }

    pub(crate) fn session(&self) -> Session<'_> {
        self.vade.session("my-agent:1").expect("a name")
    }

    pub(crate) fn agent(&self, options: Options) -> Controller<'_> {
        Controller::open(self.session(), &self.file(), options).expect("a session")
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.file()).expect("a transcript")
    }
}

fn open(folder: &Path, config: Config) -> Vade {
    static NOW: AtomicI64 = AtomicI64::new(1_763_712_000_000);
    static ID: AtomicI64 = AtomicI64::new(0);
    let work = folder.to_owned();
    let world = World {
        now: Box::new(|| Time(NOW.fetch_add(1, Ordering::Relaxed))),
        new_id: Box::new(|| format!("id-{}", ID.fetch_add(1, Ordering::Relaxed))),
        env: Box::new(|_| None),
        folders: Folders { home: work.clone(), data: work.clone(), config: work.clone(), work },
        host_name: "test".to_owned(),
        ..vademecum::world::real(None)
    };
    let address = format!("sqlite:{}", folder.join("vade.db").display());
    Vade::with(&address, world, config).expect("an address")
}

pub(crate) fn options(dialect: Dialect) -> Options {
    let model = Model { name: "scripted".to_owned(), max_answer: 2_000 };
    Options { model, children: None, ..agent::options(dialect, "scripted", 16_000) }
}

/// An answer of words and calls, each a name with arguments; ids are made by the controller.
pub(crate) fn says(text: &str, calls: &[(&str, Value)]) -> Answer {
    let calls = calls.iter().map(|(name, arguments)| ToolCall {
        id: String::new(),
        name: (*name).to_owned(),
        arguments: arguments.clone(),
    });
    Answer { text: text.to_owned(), calls: calls.collect(), native: None, usage: None }
}

/// The answer's body as a server of this dialect sends it, with ids that it makes from `n`.
pub(crate) fn body(dialect: Dialect, answer: &Answer, n: usize) -> Value {
    let id = |place: usize| format!("call_{n}_{place}x");
    let calls = answer.calls.iter().enumerate();
    match dialect {
        Dialect::Anthropic => {
            let text = json!({"type": "text", "text": answer.text});
            let calls = calls.map(|(place, call)| {
                json!({"type": "tool_use", "id": id(place), "name": call.name, "input": call.arguments})
            });
            json!({"content": std::iter::once(text).chain(calls).collect::<Vec<_>>()})
        }
        Dialect::Completions => {
            let calls: Vec<Value> = calls
                .map(|(place, call)| {
                    let arguments = call.arguments.to_string();
                    json!({"id": id(place), "type": "function", "function": {"name": call.name, "arguments": arguments}})
                })
                .collect();
            let mut message = json!({"role": "assistant", "content": answer.text});
            if !calls.is_empty() {
                message["tool_calls"] = calls.into();
            }
            json!({"choices": [{"message": message}]})
        }
        Dialect::Responses => {
            let content = json!([{"type": "output_text", "text": answer.text}]);
            let text = json!({"type": "message", "role": "assistant", "content": content});
            let calls = calls.map(|(place, call)| {
                json!({"type": "function_call", "call_id": id(place), "name": call.name, "arguments": call.arguments.to_string()})
            });
            json!({"output": std::iter::once(text).chain(calls).collect::<Vec<_>>()})
        }
    }
}

/// What a window holds at least and at most: the rules of its dialect, the page whole, the limit.
#[track_caller]
pub(crate) fn check_request(agent: &Controller<'_>, dialect: Dialect, request: &Request) {
    assert_eq!(dialect.check(&request.body), Ok(()), "{:#}", request.body);
    let page = agent.session().page().expect("a page");
    let system = match dialect {
        Dialect::Anthropic => &request.body["system"],
        Dialect::Completions => &request.body["messages"][0]["content"],
        Dialect::Responses => &request.body["instructions"],
    };
    let system = system.as_str().expect("a system prompt");
    assert!(page.is_empty() || system.ends_with(&page), "the page is not whole in {system}");
}

/// Takes steps until the agent is done, with answers from `model` and results from `tool`.
pub(crate) fn work(
    agent: &mut Controller<'_>,
    dialect: Dialect,
    model: &mut dyn FnMut(&Request) -> Answer,
) -> String {
    loop {
        match agent.step().expect("a step") {
            Step::Call(request) => {
                check_request(agent, dialect, &request);
                agent.answer(model(&request)).expect("an answer");
            }
            Step::Run(calls) => {
                for call in calls {
                    agent.result(&call.id, &format!("ran {}", call.name), false).expect("a result");
                }
            }
            Step::Wait(children) => unreachable!("nobody works on {children:?}"),
            Step::Summarise(_) => agent.summarised("all went well").expect("a summary"),
            Step::Done(text) => return text,
        }
    }
}
