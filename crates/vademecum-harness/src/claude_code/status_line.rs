//! What Claude Code tells the command of its status line, as seen with version 2.1.330.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;
use vademecum_core::session::SessionKey;

use super::ID;

/// What it tells; what is absent or of another type is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusLine {
    /// The session that is in front of the person.
    pub key: SessionKey,
    /// The root of its project.
    pub project: Option<PathBuf>,
    /// The model that answers.
    pub model: Option<String>,
    /// How many tokens the last answer left in the context: input, both caches and output.
    ///
    /// None before the first answer, and after a compaction until the next one.
    pub used: Option<u64>,
}

/// Reads it; none where it names no session.
#[must_use]
pub fn parse(stdin: &[u8]) -> Option<StatusLine> {
    let told: Value = serde_json::from_slice(stdin).ok()?;
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let key =
        SessionKey { harness: ID.to_owned(), external: text(&told["session_id"])?, agent: None };
    let project = text(&told["workspace"]["project_dir"]).or_else(|| text(&told["cwd"]));
    Some(StatusLine {
        key,
        project: project.map(PathBuf::from),
        model: text(&told["model"]["id"]),
        used: Usage::deserialize(&told["context_window"]["current_usage"]).ok().map(Usage::sum),
    })
}

/// The counts of one answer, under the API's names.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Usage {
    #[serde(rename = "input_tokens")]
    input: u64,
    #[serde(rename = "output_tokens", default)]
    output: u64,
    #[serde(rename = "cache_creation_input_tokens", default)]
    written: u64,
    #[serde(rename = "cache_read_input_tokens", default)]
    read: u64,
}

impl Usage {
    fn sum(self) -> u64 {
        let caches = self.written.saturating_add(self.read);
        self.input.saturating_add(self.output).saturating_add(caches)
    }
}
