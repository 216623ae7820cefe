//! The offer to a new session: where the one before stopped, if it left something open.

use super::form::Form;

/// What the session before left.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// Its short name.
    pub handle: &'a str,
    /// Its place in the project's line.
    pub instance: u32,
    /// What its agent wrote for the next one.
    pub handoff: Option<&'a str>,
    /// Whether it went on for long after those words: what they call open may be done.
    pub went_on: bool,
    /// The text of its notepad.
    pub notepad: &'a str,
    /// How many of its open notes carry the tag `todo`.
    pub n_todos: u64,
    /// Where its transcript ends; none where nothing is known of it.
    pub last: Option<Last<'a>>,
}

/// Where a session's transcript ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Last<'a> {
    /// What the user asked for last.
    pub goal: Option<&'a str>,
    /// What the agent said last.
    pub next: Option<&'a str>,
    /// The command that fails.
    pub failing: Option<&'a str>,
    /// What is still to be done of the agent's own list.
    pub open: &'a [String],
    /// How it stopped short of its end; none where the agent had the last word.
    pub stop: Option<&'a str>,
}

// What a quoted line may take, in units.
const QUOTE: usize = 160;
const SHORT: usize = 100;

impl Offer<'_> {
    /// How it stopped, where that was not its end.
    pub(super) fn how(&self) -> Option<&str> {
        self.last?.stop
    }

    /// Says in one or two lines what was left; none where the work came to its end.
    pub(super) fn left(&self, form: &Form) -> Option<Vec<String>> {
        let state = self.state(form);
        // Words that are older than the work behind them tell of nothing open, where that can be read.
        let is_word = self.handoff.is_some() && !(self.went_on && self.last.is_some());
        let is_open = is_word || self.how().is_some() || !state.is_empty();
        let lines = [self.said(form), state].into_iter().filter(|line| !line.is_empty());
        is_open.then(|| lines.collect())
    }

    /// The words: the agent's own for the next one first, else its last; and what it was asked.
    fn said(&self, form: &Form) -> String {
        let last = self.last.unwrap_or_default();
        let words = self.handoff.map(|words| ("It left word", first_sentence(words)));
        let next = last.next.filter(|_| words.is_none()).map(|next| ("It said last", next));
        let goal = last.goal.map(|goal| ("The user asked", goal));
        let quote = |(what, text)| {
            let text = form.line(text, QUOTE);
            let stop = if text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
            format!("{what}: \"{text}\"{stop}")
        };
        let parts: Vec<_> = words.into_iter().chain(goal).chain(next).map(quote).collect();
        parts.join(" ")
    }

    /// What fails and what is open.
    fn state(&self, form: &Form) -> String {
        let failing = self.last.and_then(|last| last.failing);
        let failing =
            failing.map(|command| format!("Failing then: `{}`.", form.line(command, SHORT)));
        let parts: Vec<_> = failing.into_iter().chain(self.open(form)).collect();
        parts.join(" ")
    }

    /// What its notepad, its todo notes and its own list say is open; none where nothing is.
    fn open(&self, form: &Form) -> Option<String> {
        let page = Outline::of(self.notepad);
        let quote = |text: &str| format!("\"{}\"", form.line(text, SHORT));
        let items = |n: usize, first: Option<&str>, of: &str| match (n, first) {
            (_, None) => None,
            (1, Some(first)) => Some(format!("one item open {of}: {}", quote(first))),
            (n, Some(first)) => Some(format!("{n} items open {of}, the first: {}", quote(first))),
        };
        let heading = page.last_heading.filter(|_| self.shows_heading(&page));
        let heading = heading.map(|text| format!("last heading of its notepad: {}", quote(text)));
        let listed = self.last.map_or(&[][..], |last| last.open);
        let todos = match self.n_todos {
            0 => None,
            1 => Some("1 open todo note".to_owned()),
            n => Some(format!("{n} open todo notes")),
        };
        let noted = items(page.n_open, page.first_open, "in its notepad").or(heading);
        // The agent's own list often says the same as its page: one of them is enough.
        let planned = || items(listed.len(), listed.first().map(String::as_str), "on its list");
        let parts: Vec<_> = noted.or_else(planned).into_iter().chain(todos).collect();
        (!parts.is_empty()).then(|| format!("Left there: {}.", parts.join("; ")))
    }

    /// Whether a page without checklists counts as open: only where nothing else tells of an end.
    fn shows_heading(&self, page: &Outline) -> bool {
        let is_finished = 0 < page.n_done || self.last.is_some_and(|last| last.stop.is_none());
        page.n_open == 0 && (!is_finished || 0 < self.n_todos)
    }
}

/// The first sentence of a text below its headings.
fn first_sentence(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line =
        lines().find(|line| heading(line).is_none()).or_else(|| lines().next()).unwrap_or("");
    let line = line.trim_start_matches(['-', '*', '>', ' ']);
    let mut ends = line.match_indices(['.', '!', '?']).map(|(at, mark)| at + mark.len());
    ends.find(|end| line[*end..].starts_with(' ')).map_or(line, |end| &line[..end])
}

/// What a page shows of its state: checklists and headings outside code.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outline<'a> {
    n_open: usize,
    n_done: usize,
    first_open: Option<&'a str>,
    last_heading: Option<&'a str>,
}

impl<'a> Outline<'a> {
    fn of(page: &'a str) -> Self {
        let mut outline = Self::default();
        let mut in_code = false;
        for line in page.lines().map(str::trim) {
            if line.starts_with("```") || line.starts_with("~~~") {
                in_code = !in_code;
            } else if !in_code {
                outline.read(line);
            }
        }
        outline
    }

    fn read(&mut self, line: &'a str) {
        if let Some(item) = item(line) {
            if let Some(text) = item.strip_prefix("[ ]") {
                self.n_open += 1;
                self.first_open = self.first_open.or(Some(text.trim()));
            } else if item.starts_with("[x]") || item.starts_with("[X]") {
                self.n_done += 1;
            }
        } else if let Some(heading) = heading(line) {
            self.last_heading = Some(heading);
        }
    }
}

/// The text of a list item, behind its bullet or number.
fn item(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        line[digits..].strip_prefix(['.', ')']).filter(|_| 0 < digits)
    });
    rest.filter(|rest| rest.starts_with(' ')).map(str::trim_start)
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_checklists_and_headings() {
        let page = "# Goal\n- [x] one\n  * [ ] two\n3. [ ] three\n+ [X] four\n-[ ] no item\n## Findings ##\n#tag\n```\n- [ ] code\n# code\n```\n";
        let outline = Outline {
            n_open: 2,
            n_done: 2,
            first_open: Some("two"),
            last_heading: Some("Findings ##"),
        };
        assert_eq!(Outline::of(page), outline);
        assert_eq!(Outline::of(""), Outline::default());
    }

    #[test]
    fn quotes_the_first_sentence() {
        for (text, sentence) in [
            ("", ""),
            ("one", "one"),
            ("# State\n\n- Parser v1.2 works. Next: docs.\nmore", "Parser v1.2 works."),
            ("# State", "# State"),
        ] {
            assert_eq!(first_sentence(text), sentence);
        }
    }
}
