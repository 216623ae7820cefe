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

    /// Whether anything stands below one of them behind the first `n`.
    pub(super) fn have_parts(&self, n: usize) -> bool {
        self.steps[n..].iter().any(|step| 1 < step.len())
    }

    /// The page without what `less` takes.
    pub(super) fn without(&self, less: Less) -> String {
        self.kept(less).map(|(_, line)| line).collect()
    }

    /// How many lines that takes.
    pub(super) fn n_lines(&self, less: Less) -> u64 {
        self.hidden(less).map(|lines| lines.len() as u64).sum()
    }

    /// The number on the page of the line with this number without that; both from 1.
    pub(super) fn number(&self, line: u64, less: Less) -> u64 {
        let idx = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        self.kept(less).nth(idx).map_or(line, |(at, _)| at as u64 + 1)
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

    /// The lines that go, step by step.
    fn hidden(&self, less: Less) -> impl Iterator<Item = Range<usize>> + '_ {
        let lines = move |(idx, step): (usize, &Range<usize>)| match less {
            Less::Parts(n) if n <= idx => step.end..step.end,
            Less::Steps(n) if idx < n => step.clone(),
            Less::Parts(_) | Less::Steps(_) => step.start + 1..step.end,
        };
        self.steps.iter().enumerate().map(lines).filter(|lines| !lines.is_empty())
    }

    fn kept(&self, less: Less) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        let mut gone = self.hidden(less).peekable();
        self.lines.iter().copied().enumerate().filter(move |(at, _)| {
            while gone.next_if(|lines| lines.end <= *at).is_some() {}
            gone.peek().is_none_or(|lines| !lines.contains(at))
        })
    }
}

/// What of the ticked steps is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Less {
    /// What stands below the first so many: that they are done is said by their own lines.
    Parts(usize),
    /// The first so many, and what stands below the others.
    Steps(usize),
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
        let all = Less::Steps(ticked.len());
        let said = (ticked.len(), ticked.without(all), ticked.number(line, all));
        assert_eq!(said, (n, without_all.to_owned(), number), "{page}");
        assert_eq!(ticked.without(Less::Parts(0)), page);
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

    #[test]
    fn what_stands_below_them_goes_before_they_do() {
        let ticked = Ticked::of("# P\n- [x] a\n  why\n- [x] b\n  how\n- [ ] c\n");
        for (less, left, n_lines) in [
            (Less::Parts(1), "# P\n- [x] a\n- [x] b\n  how\n- [ ] c\n", 1),
            (Less::Parts(2), "# P\n- [x] a\n- [x] b\n- [ ] c\n", 2),
            (Less::Steps(1), "# P\n- [x] b\n- [ ] c\n", 3),
            (Less::Steps(2), "# P\n- [ ] c\n", 4),
        ] {
            assert_eq!((ticked.without(less), ticked.n_lines(less)), (left.to_owned(), n_lines));
        }
        assert_eq!([ticked.have_parts(1), ticked.have_parts(2)], [true, false]);
    }
}
