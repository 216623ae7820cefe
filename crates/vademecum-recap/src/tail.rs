//! Method `tail`: the last messages and calls, without what tools printed.

use std::collections::VecDeque;

use vademecum_core::tokens::estimate;
use vademecum_core::turn::{Answer, Event, Turn};

use crate::collapse::{Collapse, Line};

/// How many lines are kept, and how many bytes of each.
const LINES: usize = 600;
const LINE: usize = 2_000;

/// The last of a session so far.
#[derive(Debug, Default)]
pub struct Tail {
    lines: VecDeque<Line>,
    n_lines: usize,
}

/// What method `tail` made of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailRecap {
    /// The last lines; the first of them may lack its beginning.
    pub text: String,
    /// How many lines it says whole.
    pub said: usize,
    /// How many there were.
    pub lines: usize,
}

impl Tail {
    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        if let Event::Answered(Answer { .. }) = turn.event {
            return;
        }
        let mut collapse = Collapse::default();
        collapse.push(turn);
        for mut line in collapse.finish() {
            line.text.truncate(line.text.floor_char_boundary(LINE));
            self.lines.push_back(line);
            self.n_lines += 1;
        }
        while LINES < self.lines.len() {
            self.lines.pop_front();
        }
    }

    /// Says the last lines that `budget` tokens have room for.
    #[must_use]
    pub fn recap(&self, budget: usize) -> TailRecap {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        let (mut low, mut high) = (0, lines.len() + 1);
        while low + 1 < high {
            let middle = low.midpoint(high);
            let fits = estimate(&lines[lines.len() - middle..].join("\n")) <= budget;
            if fits { low = middle } else { high = middle }
        }
        let whole = lines[lines.len() - low..].join("\n");
        let text = match lines.len().checked_sub(low + 1) {
            Some(before) => begun(lines[before], &whole, budget),
            None => whole,
        };
        TailRecap { text, said: low, lines: self.n_lines }
    }
}

/// The text with as much of the end of the line before as there is room for.
fn begun(line: &str, whole: &str, budget: usize) -> String {
    let with = |from: usize| {
        let end = &line[line.ceil_char_boundary(from)..];
        if whole.is_empty() { format!("…{end}") } else { format!("…{end}\n{whole}") }
    };
    let (mut low, mut high) = (0, line.len());
    while low < high {
        let middle = low.midpoint(high);
        if estimate(&with(middle)) <= budget { high = middle } else { low = middle + 1 }
    }
    if line.len() <= low { whole.to_owned() } else { with(low) }
}
