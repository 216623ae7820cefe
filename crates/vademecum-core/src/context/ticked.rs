//! The ticked steps of a page: they give way first where not all of it is shown.

use std::ops::Range;

use super::offer::{is_fence, item};

/// The lines of a page, and which of them are ticked steps with all that is below them.
pub(super) struct Ticked<'a> {
    // Each with its line end.
    lines: Vec<&'a str>,
    steps: Vec<Range<usize>>,
}

impl<'a> Ticked<'a> {
    /// Finds the ticked steps of `page` outside code; one with an open step below it is none.
    pub(super) fn of(page: &'a str) -> Self {
        let lines: Vec<&str> = page.split_inclusive('\n').collect();
        let mut steps = Vec::new();
        let (mut at, mut in_code) = (0, false);
        while let Some(line) = lines.get(at) {
            in_code ^= is_fence(line.trim());
            let end = if in_code { None } else { end(&lines, at) };
            steps.extend(end.map(|end| at..end));
            at = end.unwrap_or(at + 1);
        }
        Self { lines, steps }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The page without the first `n` of them.
    pub(super) fn without(&self, n: usize) -> String {
        self.kept(n).map(|(_, line)| line).collect()
    }

    /// How many lines the first `n` of them have.
    pub(super) fn n_lines(&self, n: usize) -> u64 {
        self.steps[..n].iter().map(|step| step.len() as u64).sum()
    }

    /// The number on the page of the line with this number without the first `n` of them; both from 1.
    pub(super) fn number(&self, line: u64, n: usize) -> u64 {
        let idx = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        self.kept(n).nth(idx).map_or(line, |(at, _)| at as u64 + 1)
    }

    /// Where the first of them begins, in bytes; its end where there are none.
    pub(super) fn start(&self) -> usize {
        let n_before = self.steps.first().map_or(self.lines.len(), |step| step.start);
        self.lines[..n_before].iter().map(|line| line.len()).sum()
    }

    /// How many lines stand before the first of them.
    pub(super) fn n_before(&self) -> u64 {
        self.steps.first().map_or(self.lines.len(), |step| step.start) as u64
    }

    fn kept(&self, n: usize) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        let mut gone = self.steps[..n].iter().peekable();
        self.lines.iter().copied().enumerate().filter(move |(at, _)| {
            while gone.next_if(|step| step.end <= *at).is_some() {}
            gone.peek().is_none_or(|step| !step.contains(at))
        })
    }
}

/// Where the ticked step ends that begins at a line; none where that is no such step.
fn end(lines: &[&str], at: usize) -> Option<usize> {
    if !is_ticked(lines[at]) {
        return None;
    }
    let is_below = |line: &&&str| !line.trim().is_empty() && indent(lines[at]) < indent(line);
    let below = lines[at + 1..].iter().take_while(is_below);
    let end = at + 1 + below.clone().count();
    (!below.copied().any(is_open)).then_some(end)
}

fn is_ticked(line: &str) -> bool {
    item(line.trim()).is_some_and(|item| item.starts_with("[x]") || item.starts_with("[X]"))
}

fn is_open(line: &str) -> bool {
    item(line.trim()).is_some_and(|item| item.starts_with("[ ]"))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, n: usize, without_all: &str, line: u64, number: u64) {
        let ticked = Ticked::of(page);
        let said = (ticked.len(), ticked.without(ticked.len()), ticked.number(line, ticked.len()));
        assert_eq!(said, (n, without_all.to_owned(), number), "{page}");
        assert_eq!(ticked.without(0), page);
    }

    #[test]
    fn finds_the_ticked_steps_and_what_is_below_them() {
        check("# P\n- [x] a\n- [ ] b\n- [X] c\nend", 2, "# P\n- [ ] b\nend", 3, 5);
        check("1. [x] a\n   why\n   - more\n\n2. [ ] b\n", 1, "\n2. [ ] b\n", 2, 5);
        check("- [x] a\n  - [x] a1\n  - [ ] a2\n", 1, "- [x] a\n  - [ ] a2\n", 2, 3);
        check("```\n- [x] code\n```\n- [x] a", 1, "```\n- [x] code\n```\n", 1, 1);
        check("no steps [x]\n-[x] a", 0, "no steps [x]\n-[x] a", 2, 2);
        check("", 0, "", 1, 1);
    }
}
