//! What the mock model will say: one step for each request of a conversation.

use std::collections::VecDeque;

use serde_json::{Value, json};

/// One tool call of a step.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The tool's name as the model sees it.
    pub(super) tool: String,
    /// The input, an object.
    pub(super) input: Value,
}

/// Makes a call of one of vade's tools.
#[must_use]
pub(super) fn vade(tool: &str, input: Value) -> Call {
    Call { tool: format!("mcp__vade__{tool}"), input }
}

/// Makes a call of a tool of the harness.
#[must_use]
pub(super) fn tool(tool: &str, input: Value) -> Call {
    Call { tool: tool.to_owned(), input }
}

/// Makes a call that starts a sub-agent.
///
/// The marker in the prompt is how the mock model knows the sub-agent's requests.
#[must_use]
pub(super) fn sub_agent(name: &str, task: &str, waiting: Waiting) -> Call {
    let prompt = format!("{} {task}", marker(name));
    let input = json!({
        "description": format!("Work of {name}"),
        "prompt": prompt,
        "subagent_type": "general-purpose",
        "run_in_background": waiting == Waiting::No,
    });
    tool("Agent", input)
}

/// Whether an agent waits for the end of a sub-agent that it starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// Its turn goes on when the sub-agent is done.
    Yes,
    /// Both work at the same time.
    No,
}

/// Writes the words that mark a sub-agent's conversation.
#[must_use]
pub(super) fn marker(name: &str) -> String {
    format!("[sub-agent {name}]")
}

/// One reply: some text, some calls, and the context size the model pretends to have seen.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The text, empty for none.
    pub(super) text: String,
    /// The calls, all in one reply.
    pub(super) calls: Vec<Call>,
    /// The total of the reported token counts.
    pub(super) used: u64,
    /// Whether the model is silent before this reply, until it is told to go on.
    pub(super) is_held: bool,
}

/// The replies of one conversation, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    steps: VecDeque<Step>,
    used: Option<u64>,
}

impl Script {
    /// The context size reported until another is set.
    pub(super) const USED: u64 = 5_000;

    /// Makes a script without steps.
    #[must_use]
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Reports this context size from the next step on.
    #[must_use]
    pub(super) fn used(mut self, total: u64) -> Self {
        self.used = Some(total);
        self
    }

    /// Adds a reply with one call.
    #[must_use]
    pub(super) fn call(self, call: Call) -> Self {
        self.batch(vec![call])
    }

    /// Adds a reply with several calls, which the harness runs as one batch.
    #[must_use]
    pub(super) fn batch(self, calls: Vec<Call>) -> Self {
        self.step(String::new(), calls)
    }

    /// Adds a reply of text with one call.
    #[must_use]
    pub(super) fn say_and_call(self, text: &str, call: Call) -> Self {
        self.step(text.to_owned(), vec![call])
    }

    /// Adds a reply of text, which ends the turn.
    #[must_use]
    pub(super) fn say(self, text: &str) -> Self {
        self.step(text.to_owned(), Vec::new())
    }

    /// Adds one round of reading a file for each context size given.
    #[must_use]
    pub(super) fn rounds(mut self, file: &str, totals: &[u64]) -> Self {
        for &total in totals {
            self = self.used(total).call(tool("Read", json!({ "file_path": file })));
        }
        self
    }

    fn step(mut self, text: String, calls: Vec<Call>) -> Self {
        let used = self.used.unwrap_or(Self::USED);
        self.steps.push_back(Step { text, calls, used, is_held: false });
        self
    }

    /// Holds the last reply added back until the model is told to go on.
    #[must_use]
    pub(super) fn held(mut self) -> Self {
        if let Some(step) = self.steps.back_mut() {
            step.is_held = true;
        }
        self
    }

    /// Takes the next step out, if one is left.
    pub(super) fn next(&mut self) -> Option<Step> {
        self.steps.pop_front()
    }

    /// The text of the last reply, which ends the turn.
    #[must_use]
    pub(super) fn last_words(&self) -> &str {
        self.steps.back().map_or("", |step| &step.text)
    }

    /// Counts the steps not yet played.
    #[must_use]
    pub(super) fn left(&self) -> usize {
        self.steps.len()
    }
}
