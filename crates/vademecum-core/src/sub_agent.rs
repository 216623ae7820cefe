//! Sub-agents while they run: what each was asked, so that nothing is started twice.

use serde::{Deserialize, Serialize};

use crate::session::SessionKey;
use crate::time::Time;

/// What is known of a sub-agent while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// When it began.
    pub began_at: Time,
    /// The process of the harness that runs it.
    pub host_pid: Option<u32>,
    /// The kind of agent, in the harness's words.
    pub kind: Option<String>,
    /// What it was asked; none as long as its harness did not say.
    pub asked: Option<String>,
}

/// A sub-agent that has started and not stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubAgent {
    /// Its own session.
    pub session: SessionKey,
    /// The session that started it.
    pub parent: SessionKey,
    /// The harness's id of it.
    pub id: String,
    /// What is known of it.
    pub running: Running,
}

/// The most characters that are kept of what a sub-agent was asked.
const ASKED: usize = 400;

/// What a sub-agent is asked, on one line: the task in a few words, then how it begins.
#[must_use]
pub fn asked(description: Option<&str>, prompt: &str) -> Option<String> {
    let texts = [description.unwrap_or_default(), crate::wisdom::undelegated(prompt)];
    let lines = texts.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<&str> =
        lines.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    let line = lines.join(": ");
    let cut = line.char_indices().nth(ASKED).map(|(at, _)| format!("{}…", line[..at].trim_end()));
    Some(cut.unwrap_or(line)).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_one_line_without_what_we_put_there() {
        let prompt = "<wisdom>\nx\n</wisdom>\n\nFind\n  the callers.";
        for (description, prompt, expected) in [
            (Some("Find callers"), prompt, Some("Find callers: Find the callers.")),
            (None, prompt, Some("Find the callers.")),
            (Some(" "), "", None),
        ] {
            assert_eq!(asked(description, prompt).as_deref(), expected);
        }
        let long = asked(None, &"wörter ".repeat(100)).expect("a line");
        assert!(long.chars().count() <= ASKED + 1 && long.ends_with('…'), "{long}");
    }
}
