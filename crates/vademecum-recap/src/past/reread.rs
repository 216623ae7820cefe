//! What a session read again after a compaction that it had read before, and that had not changed between.

use std::collections::BTreeMap;

use vademecum_core::turn::{Action, Event, Turn};

/// So many files are remembered.
const FILES: usize = 10_000;

/// What a session did, counted.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reread {
    /// What the user asked.
    pub requests: u32,
    /// What the agent called.
    pub calls: u32,
    /// How often the harness took the conversation away.
    pub compactions: u32,
    /// Files that were read.
    pub reads: u32,
    /// Files that were read again behind a compaction though nothing had changed them.
    pub again: u32,
    /// What came back of those, four bytes a token.
    pub again_tokens: u64,
    /// Searches of the memory, and those of them that found something.
    pub searches: u32,
    /// Those that found something.
    pub hits: u32,
    /// How each file stands: at which compaction it was read last; none since it was changed.
    read_at: BTreeMap<String, u32>,
    /// What is read again and not answered.
    open: Vec<String>,
    /// The searches that are not answered.
    asked: Vec<String>,
}

impl Reread {
    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Asked { .. } => self.requests += 1,
            Event::Compacted { .. } => self.compactions += 1,
            Event::Called(call) => {
                self.calls += 1;
                call.actions.iter().for_each(|action| self.acted(&call.id, action));
            }
            Event::Answered(answer) => {
                if let Some(at) = self.open.iter().position(|id| *id == answer.call) {
                    self.open.swap_remove(at);
                    self.again_tokens += answer.text.len().div_ceil(4) as u64;
                }
                if let Some(at) = self.asked.iter().position(|id| *id == answer.call) {
                    self.asked.swap_remove(at);
                    self.hits += u32::from(answer.is_ok() && finds(&answer.text));
                }
            }
            _ => {}
        }
    }

    fn acted(&mut self, id: &str, action: &Action) {
        match action {
            Action::Read { path } => {
                self.reads += 1;
                let before = self.read_at.get(path).copied();
                if before.is_some_and(|before| before < self.compactions) {
                    self.again += 1;
                    self.open.push(id.to_owned());
                }
                if before.is_some() || self.read_at.len() < FILES {
                    self.read_at.insert(path.clone(), self.compactions);
                }
            }
            Action::Edited { path } | Action::Wrote { path, .. } | Action::Deleted { path } => {
                self.read_at.remove(path);
            }
            Action::Moved { path, to } => {
                self.read_at.remove(path);
                self.read_at.remove(to);
            }
            Action::Recalled { is_one: false, .. } => {
                self.searches += 1;
                self.asked.push(id.to_owned());
            }
            _ => {}
        }
    }
}

/// Whether the answer to a search tells of anything.
fn finds(answer: &str) -> bool {
    let answer = answer.trim();
    let first = answer.lines().next().unwrap_or_default();
    let begin = first.get(..24).unwrap_or(first).to_ascii_lowercase();
    let begins_with_none =
        ["no ", "nothing", "0 ", "[]", "{}"].iter().any(|none| begin.starts_with(none));
    // What holds a part of the words is found too; a search of a project has its hits beside an empty list of notes.
    let is_none = begins_with_none && !first.contains(" a part");
    let is_empty_list = answer.contains("\"notes\":[]") && !answer.contains("\"found\":[{");
    !answer.is_empty() && !is_none && !is_empty_list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_tells_whether_anything_was_found() {
        for (answer, is_found) in [
            ("2 notes\nnote_1 …", true),
            ("no notes match; scope project searches all sessions", false),
            ("no note holds all of it; 2 hold a part\nnote_1 …", true),
            ("nothing that the project keeps matches", false),
            ("nothing holds all of it; 3 a part\nrecap …", true),
            ("no session is known to have met E0502", false),
            (r#"{"notes":[],"matched":0,"partly":0}"#, false),
            (r#"{"notes":[],"found":[],"matched":0,"partly":0}"#, false),
            (r#"{"notes":[],"found":[{"kind":"recap"}],"matched":1,"partly":0}"#, true),
            ("[]", false),
            (" ", false),
        ] {
            assert_eq!(finds(answer), is_found, "{answer}");
        }
    }
}
