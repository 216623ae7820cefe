//! What the APIs of models take and give, as data: three dialects and their rules, without a client.

mod anthropic;
mod completions;
mod responses;
mod rules;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use rules::RuleError;

/// How one speaks with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions, which most servers of one's own speak as well.
    Completions,
    /// OpenAI Responses, with nothing stored at the other end.
    Responses,
}

/// The model that is asked, and how long its answer may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name at its server.
    pub name: String,
    /// The most tokens of one answer.
    pub max_answer: u64,
}

/// All that a model sees at one call, in no dialect yet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Window {
    /// The system prompt.
    pub system: String,
    /// The messages: a user's first, no two of one voice in a row.
    pub messages: Vec<Message>,
    /// The tools that may be called.
    pub tools: Vec<Tool>,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// The user's words.
    User(String),
    /// What the model answered.
    Agent(Answer),
    /// What its calls gave, and what the user said after them.
    Results {
        /// One for each call of the answer before.
        results: Vec<ToolResult>,
        /// The user's words, or nothing.
        text: String,
    },
}

/// A tool as a model is offered it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name: letters, digits, `_` and `-`, 64 at most.
    pub name: String,
    /// What it does.
    pub about: String,
    /// The JSON Schema of its arguments, an object.
    pub input: Value,
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// By what its result names it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// An object; a string where the model wrote no JSON.
    pub arguments: Value,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// The id of the call.
    pub call: String,
    /// What the model reads.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// Its words to the user; may be empty.
    pub text: String,
    /// The tools it calls, in order.
    pub calls: Vec<ToolCall>,
    /// The answer as it came, which is sent back as it is to the same dialect.
    pub native: Option<Native>,
    /// What it cost, where the server says.
    pub usage: Option<Usage>,
}

/// An answer in the words of its dialect: signed thoughts are in here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Native {
    /// Which dialect.
    pub dialect: Dialect,
    /// The blocks, the message or the items.
    pub body: Value,
}

/// Tokens of one call, as the server counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Of the request, cached ones too.
    pub input: u64,
    /// Of the answer.
    pub output: u64,
}

/// A body that is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The server refused the request.
    #[error("the model's server refused: {message}")]
    Refused {
        /// In its words.
        message: String,
    },
    /// The body is of another form.
    #[error("no answer of this dialect: {lacking} is not there")]
    Form {
        /// What was looked for.
        lacking: &'static str,
    },
}

impl Dialect {
    /// The three of them.
    pub const ALL: [Self; 3] = [Self::Anthropic, Self::Completions, Self::Responses];

    /// Where requests are sent, below the server's address.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Anthropic => "/v1/messages",
            Self::Completions => "/v1/chat/completions",
            Self::Responses => "/v1/responses",
        }
    }

    /// Writes the request: equal windows give equal bytes.
    #[must_use]
    pub fn request(self, model: &Model, window: &Window) -> Value {
        match self {
            Self::Anthropic => anthropic::request(model, window),
            Self::Completions => completions::request(model, window),
            Self::Responses => responses::request(model, window),
        }
    }

    /// Reads the body of an answer.
    pub fn answer(self, body: &Value) -> Result<Answer, AnswerError> {
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            let message =
                error["message"].as_str().map_or_else(|| error.to_string(), str::to_owned);
            return Err(AnswerError::Refused { message });
        }
        match self {
            Self::Anthropic => anthropic::answer(body),
            Self::Completions => completions::answer(body),
            Self::Responses => responses::answer(body),
        }
    }

    /// Checks a request against the rules of its dialect: pairs, voices, names.
    pub fn check(self, request: &Value) -> Result<(), RuleError> {
        match self {
            Self::Anthropic => rules::anthropic(request),
            Self::Completions => rules::completions(request),
            Self::Responses => rules::responses(request),
        }
    }
}

impl Answer {
    /// Whether there is nothing in it that could be sent back.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty() && self.calls.is_empty()
    }

    /// The answer as it came, if it came in `dialect`.
    fn native_in(&self, dialect: Dialect) -> Option<&Value> {
        let native = self.native.as_ref().filter(|native| native.dialect == dialect);
        native.map(|native| &native.body)
    }
}

impl ToolCall {
    /// The arguments as the object that every API wants.
    fn object(&self) -> Value {
        match &self.arguments {
            Value::Object(map) => Value::Object(map.clone()),
            Value::Null => Value::Object(Map::new()),
            other => json!({ "arguments": other }),
        }
    }

    /// The arguments as the text in which OpenAI's APIs carry them.
    fn text(&self) -> String {
        match &self.arguments {
            Value::String(raw) => raw.clone(),
            Value::Null => "{}".to_owned(),
            other => other.to_string(),
        }
    }
}

/// Reads arguments that came as text, or as an object from servers that skip the text.
fn arguments(given: &Value) -> Value {
    match given {
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| given.clone()),
        Value::Null => Value::Object(Map::new()),
        other => other.clone(),
    }
}

/// A text that may stand in a request, which never takes a blank one.
fn said(text: &str) -> &str {
    if text.trim().is_empty() { "(no output)" } else { text }
}

/// The texts of `parts` that are of one of these types, joined; or the plain text that it is.
fn joined(parts: &Value, types: &[&str]) -> String {
    if let Value::String(text) = parts {
        return text.clone();
    }
    let parts = parts.as_array().map(Vec::as_slice).unwrap_or_default();
    let is_text = |part: &&Value| part["type"].as_str().is_some_and(|it| types.contains(&it));
    parts.iter().filter(is_text).filter_map(|part| part["text"].as_str()).collect()
}

fn usage(body: &Value, input: &[&str], output: &str) -> Option<Usage> {
    let usage = body.get("usage")?;
    let tokens = |name: &str| usage[name].as_u64();
    let (first, more) = input.split_first()?;
    let input = tokens(first)? + more.iter().filter_map(|name| tokens(name)).sum::<u64>();
    Some(Usage { input, output: tokens(output)? })
}
