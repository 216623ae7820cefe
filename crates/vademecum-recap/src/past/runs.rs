//! How a program is run here, with what options, and how that went.

use std::collections::BTreeMap;

use vademecum_core::turn::{Action, Event, Turn};

use super::Spot;
use crate::command;

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
    found: BTreeMap<String, Run>,
    /// What was called and is not answered: the id of the call, its commands.
    open: Vec<(String, Vec<String>)>,
}

impl Runs {
    /// Looks for calls of `program`: a word, or more that a command begins with, such as `cargo test`.
    #[must_use]
    pub fn new(program: &str) -> Self {
        let program = program.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { program, found: BTreeMap::new(), open: Vec::new() }
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Called(call) => {
                let mut commands = Vec::new();
                for action in &call.actions {
                    let Action::Ran { command, .. } = action else { continue };
                    command::each_set(command, |whole, bare| {
                        if is_of(bare, &self.program) {
                            commands.push(whole.to_owned());
                        }
                    });
                }
                if !commands.is_empty() {
                    self.ran(turn, &commands);
                    self.open.push((call.id.clone(), commands));
                }
            }
            Event::Answered(answer) if !answer.is_ok() => self.failed(&answer.call),
            Event::Answered(answer) => self.open.retain(|(id, _)| *id != answer.call),
            _ => {}
        }
    }

    /// The forms that were found.
    pub fn finish(self) -> impl Iterator<Item = Run> {
        self.found.into_values()
    }

    fn ran(&mut self, turn: &Turn, commands: &[String]) {
        for command in commands {
            if self.found.len() == MOST && !self.found.contains_key(command) {
                continue;
            }
            let last = Spot::of(turn);
            let fresh = Run { command: command.clone(), times: 0, failed: 0, last, is_ok: true };
            let run = self.found.entry(command.clone()).or_insert(fresh);
            run.times += 1;
            (run.last, run.is_ok) = (last, true);
        }
    }

    /// Of a line that failed it is not known which of its commands did: of one that has the program twice the last.
    fn failed(&mut self, id: &str) {
        let Some(at) = self.open.iter().rposition(|(open, _)| open == id) else { return };
        let (_, commands) = self.open.swap_remove(at);
        if let Some(run) = commands.last().and_then(|command| self.found.get_mut(command)) {
            run.failed += 1;
            run.is_ok = false;
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
