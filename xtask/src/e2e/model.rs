//! The mock model: plays scripts to the harness and keeps every request it received.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::codex;
use super::http::{self, Incoming, Outgoing};
use super::reply::{Reply, json_body};
use super::request::{Purpose, Request, Speaker};
use super::script::{Script, Step, marker};

/// What the model says when it is to sum up a conversation.
pub(super) const SUMMARY: &str = "The work was begun, and summed_up_rows.txt was read.";

/// A model on the loopback that says what its scripts tell it.
pub(super) struct Model {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    gate: Arc<Gate>,
}

/// Where replies wait that are held back.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
    n_waiting: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        self.n_waiting.fetch_add(1, Ordering::SeqCst);
        let shut = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(shut, |is_open| !*is_open));
        self.n_waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Default)]
struct State {
    scripts: BTreeMap<Speaker, Script>,
    requests: Vec<Request>,
}

impl Model {
    /// Starts a model without scripts.
    pub(super) fn start() -> Result<Self> {
        let state = Arc::new(Mutex::new(State::default()));
        let gate = Arc::new(Gate::default());
        let (shared, shared_gate) = (Arc::clone(&state), Arc::clone(&gate));
        let address = http::serve(Arc::new(move |incoming| {
            let (outgoing, is_held) = lock(&shared).answer(incoming);
            if is_held {
                shared_gate.pass();
            }
            outgoing
        }))?;
        Ok(Self { address, state, gate })
    }

    /// How many replies are being held back.
    #[must_use]
    pub(super) fn n_held(&self) -> usize {
        self.gate.n_waiting.load(Ordering::SeqCst)
    }

    /// Gives every reply that is held back, and those to come at once.
    pub(super) fn go_on(&self) {
        *self.gate.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.gate.opened.notify_all();
    }

    /// Holds replies back again that are to be held.
    pub(super) fn hold(&self) {
        *self.gate.is_open.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }

    /// The address as the harness wants it.
    #[must_use]
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets what `speaker` says from its next request on.
    pub(super) fn play(&self, speaker: Speaker, script: Script) {
        lock(&self.state).scripts.insert(speaker, script);
    }

    /// Every request so far, in the order they came.
    #[must_use]
    pub(super) fn requests(&self) -> Vec<Request> {
        lock(&self.state).requests.clone()
    }

    /// How many requests came so far.
    #[must_use]
    pub(super) fn n_requests(&self) -> usize {
        lock(&self.state).requests.len()
    }

    /// Counts the steps that `speaker` was not yet asked for.
    #[must_use]
    pub(super) fn left(&self, speaker: &Speaker) -> usize {
        lock(&self.state).scripts.get(speaker).map_or(0, Script::left)
    }

    /// Checks that every script was played to its end.
    pub(super) fn check_played(&self) -> Result<()> {
        for (speaker, script) in &lock(&self.state).scripts {
            ensure!(
                script.left() == 0,
                "{} steps of {speaker:?} were never asked for",
                script.left()
            );
        }
        Ok(())
    }
}

/// A panic in another thread leaves the requests readable, and the scenario fails by itself.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// The answer, and whether it is to be held back.
    fn answer(&mut self, incoming: &Incoming) -> (Outgoing, bool) {
        let path = incoming.path.split('?').next().unwrap_or_default();
        match (incoming.method.as_str(), path) {
            ("POST", "/v1/messages") => self.reply(&incoming.body),
            ("POST", "/v1/responses") => self.respond(&incoming.body),
            ("POST", "/v1/messages/count_tokens") => {
                (json_body(&json!({ "input_tokens": Script::USED })), false)
            }
            _ => (json_body(&json!({})), false),
        }
    }

    fn reply(&mut self, body: &[u8]) -> (Outgoing, bool) {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let request = Request::new(body);
        let step = self.next_step(&request);

        let number = self.requests.len() + 1;
        let model = request.body["model"].as_str().unwrap_or("unknown");
        let is_streamed = request.body["stream"] == true;
        let outgoing = Reply { number, model, step: &step }.send(is_streamed);
        self.requests.push(request);
        (outgoing, step.is_held)
    }

    /// The same for the responses API.
    fn respond(&mut self, body: &[u8]) -> (Outgoing, bool) {
        let request = codex::request::read(serde_json::from_slice(body).unwrap_or_default());
        let step = self.next_step(&request);
        let outgoing = codex::reply::send(self.requests.len() + 1, &step, &request);
        self.requests.push(request);
        (outgoing, step.is_held)
    }

    fn next_step(&mut self, request: &Request) -> Step {
        let scripted = match request.purpose {
            Purpose::Turn => self.scripts.get_mut(&request.speaker).and_then(Script::next),
            Purpose::Summary | Purpose::Side => None,
        };
        scripted.unwrap_or_else(|| Step {
            text: unscripted(request),
            calls: Vec::new(),
            used: Script::USED,
            is_held: false,
        })
    }
}

/// What is said where no script speaks; a sub-agent's summary keeps the marker that tells it apart.
fn unscripted(request: &Request) -> String {
    match (request.purpose, &request.speaker) {
        (Purpose::Turn, _) => "Done.".to_owned(),
        (Purpose::Side, _) => "{}".to_owned(),
        (Purpose::Summary, Speaker::Main) => format!("<summary>{SUMMARY}</summary>"),
        (Purpose::Summary, Speaker::Agent(name)) => {
            format!("<summary>{} {SUMMARY}</summary>", marker(name))
        }
    }
}
