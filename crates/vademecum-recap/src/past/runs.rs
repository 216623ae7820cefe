//! How a program is run here, with what options, and how that went.

use std::collections::BTreeMap;

use vademecum_core::turn::{Action, Answer, Event, Outcome, Turn};

use super::Spot;
use crate::command;
use crate::digest::Commits;
use crate::statement::messages;

/// So many forms of one session are kept.
const MOST: usize = 400;

/// One form in which the program was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The command, with the variables that were set for it.
    pub command: String,
    /// How often.
    pub times: u32,
    /// How often it failed.
    pub failed: u32,
    /// The last time.
    pub last: Spot,
    /// Whether that went well.
    pub is_ok: bool,
}

/// The calls of one program in a session.
#[derive(Debug)]
pub struct Runs {
    program: String,
    is_anywhere: bool,
    found: BTreeMap<String, Run>,
    /// What was called and is not answered.
    open: Vec<Open>,
}

/// A call that is not answered.
#[derive(Debug)]
struct Open {
    id: String,
    /// All that it runs.
    line: String,
    /// The commands of the program in it, each with how the one before went, and when.
    ran: Vec<(String, Option<(Spot, bool)>)>,
}

impl Runs {
    /// Looks for calls of `program`: a word, or more that a command begins with, such as `cargo test`. Of a whole line the
    /// first command counts; without a word it is each that an agent would not type by itself.
    #[must_use]
    pub fn new(program: &str) -> Self {
        let mut first = None;
        command::each_set(program, |_, bare| {
            first.get_or_insert_with(|| bare.to_owned());
        });
        // What holds no command is looked for as it stands: it is not nothing.
        let program =
            first.unwrap_or_else(|| program.split_whitespace().collect::<Vec<_>>().join(" "));
        Self { program, is_anywhere: false, found: BTreeMap::new(), open: Vec::new() }
    }

    /// Looks for calls that have these words anywhere, such as `test` of `mise run test`.
    #[must_use]
    pub fn anywhere(words: &str) -> Self {
        Self { is_anywhere: true, ..Self::new(words) }
    }

    fn wants(&self, command: &str) -> bool {
        match self.program.as_str() {
            "" => command::is_own(command) && command::works(command),
            words if self.is_anywhere => has_words(command, words),
            words => is_of(command, words),
        }
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Called(call) => {
                for action in &call.actions {
                    if let Action::Ran { command, .. } = action {
                        self.ran(turn, &call.id, command);
                    }
                }
            }
            Event::Answered(answer) => self.answered(answer),
            _ => {}
        }
    }

    /// The forms that were found.
    pub fn finish(self) -> impl Iterator<Item = Run> {
        self.found.into_values()
    }

    fn ran(&mut self, turn: &Turn, id: &str, line: &str) {
        let last = Spot::of(turn);
        let mut ran = Vec::new();
        command::each_set(line, |whole, bare| {
            let is_kept = self.found.len() < MOST || self.found.contains_key(whole);
            if is_kept && self.wants(bare) {
                let fresh =
                    Run { command: whole.to_owned(), times: 0, failed: 0, last, is_ok: true };
                let run = self.found.entry(whole.to_owned()).or_insert(fresh);
                let before = (0 < run.times).then_some((run.last, run.is_ok));
                run.times += 1;
                (run.last, run.is_ok) = (last, true);
                ran.push((whole.to_owned(), before));
            }
        });
        if !ran.is_empty() {
            self.open.push(Open { id: id.to_owned(), line: line.to_owned(), ran });
        }
    }

    /// Of a line that failed it is not known which of its commands did: of those of the program the last is taken.
    fn answered(&mut self, answer: &Answer) {
        let Some(at) = self.open.iter().rposition(|open| open.id == answer.call) else { return };
        let Open { line, mut ran, .. } = self.open.swap_remove(at);
        if answer.outcome == Outcome::Refused {
            return self.take_back(ran);
        }
        let Some((last, _)) = ran.pop() else { return };
        // What failed behind a commit that was made is another's.
        let is_made = || messages::is_commit(&last) && Commits::is_made(&line, &answer.text);
        if super::ran_well(&line, answer) || is_made() {
            return;
        }
        if let Some(run) = self.found.get_mut(&last) {
            run.failed += 1;
            run.is_ok = false;
        }
    }

    /// What was not let run is no run.
    fn take_back(&mut self, ran: Vec<(String, Option<(Spot, bool)>)>) {
        for (command, before) in ran.into_iter().rev() {
            let Some(run) = self.found.get_mut(&command) else { continue };
            run.times -= 1;
            match before {
                Some(before) => (run.last, run.is_ok) = before,
                None if run.times == 0 => drop(self.found.remove(&command)),
                None => {}
            }
        }
    }
}

/// Whether a command begins with the words of `program`; a program that is called by a path is called by its name too.
fn is_of(command: &str, program: &str) -> bool {
    let begins = |text: &str| {
        text.strip_prefix(program).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let words = command.find(' ').unwrap_or(command.len());
    let name = command[..words].rfind('/').map_or(0, |at| at + 1);
    begins(command) || begins(&command[name..])
}

/// What runs tests, and is not called so.
const TEST_RUNNERS: [&str; 6] = ["pytest", "unittest", "vitest", "nextest", "ctest", "doctest"];

/// Whether the words stand whole in a command, one behind the other; who asks for tests means their runners too.
fn has_words(command: &str, words: &str) -> bool {
    stands_in(command, words)
        || (words == "test" && TEST_RUNNERS.iter().any(|name| stands_in(command, name)))
}

fn stands_in(command: &str, words: &str) -> bool {
    command.match_indices(words).any(|(at, _)| {
        let (before, behind) = (&command[..at], &command[at + words.len()..]);
        let is_edge = |c: char| matches!(c, ' ' | ':' | '/');
        (before.is_empty() || before.ends_with(is_edge))
            && (behind.is_empty() || behind.starts_with(is_edge))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_tests_means_their_runners_too() {
        for (command, words, is_meant) in [
            ("mise run test", "test", true),
            ("npm run test:unit", "test", true),
            ("python -m unittest -v", "test", true),
            (".venv/bin/pytest -x", "test", true),
            ("cargo nextest run", "test", true),
            ("npx vitest --run", "test", true),
            ("git checkout latest", "test", false),
            ("python -m unittest", "unit", false),
            ("pytest -x", "build", false),
        ] {
            assert_eq!(has_words(command, words), is_meant, "{command}: {words}");
        }
    }
}
