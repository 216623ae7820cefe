//! The sub-agents that still run: a line each, so that none is started twice.

use super::form::Form;
use super::table::{BlockName, Fitted, Part, RUNNING, STOPPED};
use crate::sub_agent::SubAgent;

/// What an id or a kind may take of a line, in units.
const NAME: usize = 60;

/// What a line tells of what was asked: as much as there is room for, or a few words.
const ASKED: [usize; 2] = [240, 60];

/// Lines about running sub-agents, the longer ones and the shorter ones.
pub(super) struct Agents {
    lines: [Vec<String>; 2],
}

impl Agents {
    /// Says of each what it was asked; none where none runs.
    pub(super) fn new(running: &[SubAgent], form: &Form) -> Option<Self> {
        let lines =
            ASKED.map(|units| running.iter().map(|agent| line(agent, units, form)).collect());
        (!running.is_empty()).then_some(Self { lines })
    }

    fn heading(&self) -> String {
        format!("{RUNNING} ({}): their results still come, none is to be started again", self.of())
    }

    fn size(&self, lines: &[String], form: &Form) -> usize {
        let lines = lines.iter().map(|line| 1 + form.cap.measure(line));
        form.cap.measure(&self.heading()) + lines.sum::<usize>()
    }

    /// The first of the short lines that fit.
    fn cut(&self, room: usize, form: &Form) -> &[String] {
        let mut left = room.saturating_sub(form.cap.measure(&self.heading()));
        let fits = |line: &&String| {
            let rest = left.checked_sub(1 + form.cap.measure(line));
            rest.map(|rest| left = rest).is_some()
        };
        let n_fitting = self.lines[1].iter().take_while(fits).count();
        &self.lines[1][..n_fitting]
    }
}

impl Part for Agents {
    fn name(&self) -> BlockName {
        BlockName::Agents
    }

    fn of(&self) -> u64 {
        self.lines[0].len() as u64
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn want(&self, form: &Form) -> usize {
        self.size(&self.lines[0], form)
    }

    fn fit(&self, room: usize, form: &Form) -> Fitted {
        let whole = self.lines.iter().find(|lines| self.size(lines, form) <= room);
        let lines = whole.map_or_else(|| self.cut(room, form), Vec::as_slice);
        let shown = lines.len() as u64;
        let text = match shown {
            0 => String::new(),
            _ => format!("{}\n{}", self.heading(), lines.join("\n")),
        };
        let why = if self.want(form) <= room {
            "all of them".to_owned()
        } else {
            format!("shorter: it wants {} characters and gets {room}", self.want(form))
        };
        Fitted { text, shown, why }
    }
}

/// The sub-agents that were told of as running and are not, on one line.
pub(super) struct Stopped<'a>(&'a [String]);

impl<'a> Stopped<'a> {
    /// Names them; none where all that were told of still run.
    pub(super) fn new(ids: &'a [String]) -> Option<Self> {
        (!ids.is_empty()).then_some(Self(ids))
    }

    fn heading(&self) -> String {
        format!("{STOPPED} ({}): what they have not reported will not come", self.of())
    }
}

impl Part for Stopped<'_> {
    fn name(&self) -> BlockName {
        BlockName::Agents
    }

    fn of(&self) -> u64 {
        self.0.len() as u64
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn want(&self, form: &Form) -> usize {
        let names = form.line(&self.0.join(", "), form.cap.units);
        form.cap.measure(&self.heading()) + 1 + form.cap.measure(&names)
    }

    /// The heading counts them all, whatever names there is room for.
    fn fit(&self, room: usize, form: &Form) -> Fitted {
        let heading = self.heading();
        let left = room.checked_sub(form.cap.measure(&heading) + 1);
        let names = left.map(|left| form.line(&self.0.join(", "), left));
        match names {
            Some(names) => {
                let text = format!("{heading}\n{names}");
                Fitted { text, shown: self.of(), why: "all of them".to_owned() }
            }
            None => Fitted { text: String::new(), shown: 0, why: "no room".to_owned() },
        }
    }
}

fn line(agent: &SubAgent, units: usize, form: &Form) -> String {
    let running = &agent.running;
    let kind = running.kind.as_deref().filter(|kind| !kind.trim().is_empty());
    let kind = kind.map(|kind| format!(" ({})", form.line(kind, NAME)));
    let asked = running.asked.as_deref().map(|asked| form.line(asked, units));
    let asked = asked.map_or_else(|| "task not known".to_owned(), |asked| format!("\"{asked}\""));
    format!("- agent {}{}: {asked}", form.line(&agent.id, NAME), kind.unwrap_or_default())
}
