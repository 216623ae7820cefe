//! The offer to a new session: where the one before stopped, if it left something open.

use super::form::Form;

/// What the session before left.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// Its short name.
    pub handle: &'a str,
    /// Its place in the project's line.
    pub instance: u32,
    /// The text of its notepad.
    pub notepad: &'a str,
    /// How many of its open notes carry the tag `todo`.
    pub n_todos: u64,
}

// What a quoted line may take, in units.
const QUOTE: usize = 160;

impl Offer<'_> {
    /// Says in one line what is open; none where nothing is.
    pub(super) fn open(&self, form: &Form) -> Option<String> {
        let page = Outline::of(self.notepad);
        let quote = |text: &str| format!("\"{}\"", form.line(text, QUOTE));
        let left = match (page.n_open, page.first_open, page.last_heading) {
            (1, Some(first), _) => Some(format!("one item open in its notepad: {}", quote(first))),
            (n, Some(first), _) => {
                Some(format!("{n} items open in its notepad, the first: {}", quote(first)))
            }
            (_, None, Some(heading)) if page.n_done == 0 || 0 < self.n_todos => {
                Some(format!("last heading of its notepad: {}", quote(heading)))
            }
            (_, None, _) => None,
        };
        let todos = match self.n_todos {
            0 => None,
            1 => Some("1 open todo note".to_owned()),
            n => Some(format!("{n} open todo notes")),
        };
        let parts: Vec<_> = left.into_iter().chain(todos).collect();
        (!parts.is_empty()).then(|| format!("Left there: {}.", parts.join("; ")))
    }
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
}
