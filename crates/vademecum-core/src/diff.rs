//! What changed between two texts, line by line, in the unified form that every tool reads.

/// More pairs of lines than this are not compared: all of them are told as changed.
///
/// A page of two thousand lines that was written anew is compared in a blink, in 16 MB.
const MOST: usize = 4_000_000;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Gone(&'t str),
    New(&'t str),
}

/// The changes from `old` to `new` as a unified diff without file names; empty if there are none.
///
/// So many equal lines are shown `around` each change.
#[must_use]
pub fn unified(old: &str, new: &str, around: usize) -> String {
    let lines = lines(old, new);
    let is_change = |line: &Line<'_>| !matches!(line, Line::Same(_));
    let mut text = String::new();
    let mut at = 0;
    while let Some(first) = lines[at..].iter().position(is_change).map(|place| at + place) {
        let begin = first.saturating_sub(around).max(at);
        let mut end = first;
        // Changes that are near to each other are told together.
        while let Some(next) = lines[end..].iter().take(2 * around + 1).position(is_change) {
            end += next + 1;
        }
        let end = (end + around).min(lines.len());
        text.push_str(&hunk(&lines, begin, end));
        at = end;
    }
    text
}

/// The lines from `begin` to `end` below a head that says where they stand.
fn hunk(lines: &[Line<'_>], begin: usize, end: usize) -> String {
    let count = |lines: &[Line<'_>]| {
        let old = lines.iter().filter(|line| !matches!(line, Line::New(_))).count();
        (old, lines.iter().filter(|line| !matches!(line, Line::Gone(_))).count())
    };
    let (before, inside) = (count(&lines[..begin]), count(&lines[begin..end]));
    // A range without a line stands behind the one before it.
    let place = |before: usize, n: usize| if n == 0 { before } else { before + 1 };
    let (old, new) = (place(before.0, inside.0), place(before.1, inside.1));
    let head = format!("@@ -{old},{} +{new},{} @@\n", inside.0, inside.1);
    let line = |line: &Line<'_>| match line {
        Line::Same(text) => format!(" {text}\n"),
        Line::Gone(text) => format!("-{text}\n"),
        Line::New(text) => format!("+{text}\n"),
    };
    std::iter::once(head).chain(lines[begin..end].iter().map(line)).collect()
}

/// All lines of both texts, in order.
fn lines<'t>(old: &'t str, new: &'t str) -> Vec<Line<'t>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = ends.take_while(|(old, new)| old == new).count();
    let (old_mid, new_mid) =
        (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let same = |lines: &[&'t str]| lines.iter().map(|line| Line::Same(line)).collect::<Vec<_>>();
    [same(&old[..head]), between(old_mid, new_mid), same(&old_rest[old_rest.len() - tail..])]
        .concat()
}

/// The lines of two texts with the most of them the same: the longest common subsequence.
fn between<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let width = new.len() + 1;
    if MOST < (old.len() + 1).saturating_mul(width) {
        let gone = old.iter().map(|line| Line::Gone(line));
        return gone.chain(new.iter().map(|line| Line::New(line))).collect();
    }
    // How many lines the rests behind each pair of places have in common.
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for (i, was) in old.iter().enumerate().rev() {
        for (j, is) in new.iter().enumerate().rev() {
            let at = i * width + j;
            common[at] = if was == is {
                common[at + width + 1] + 1
            } else {
                common[at + width].max(common[at + 1])
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        let at = i * width + j;
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push(Line::Same(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[at + 1] <= common[at + width] {
            lines.push(Line::Gone(old[i]));
            i += 1;
        } else {
            lines.push(Line::New(new[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, wanted: &str) {
        assert_eq!(unified(old, new, 3), wanted);
    }

    #[test]
    fn what_changed_is_told_with_what_stands_around_it() {
        check("a\nb\n", "a\nb\n", "");
        check("", "a\n", "@@ -0,0 +1,1 @@\n+a\n");
        check("a\n", "", "@@ -1,1 +0,0 @@\n-a\n");
        check("a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n",
            "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n14\n",
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -11,3 +11,4 @@\n 11\n 12\n 13\n+14\n",
        );
    }

    proptest! {
        #[test]
        fn each_text_is_in_the_lines(old in "([ab]\n){0,12}", new in "([abc]\n){0,12}") {
            let lines = lines(&old, &new);
            let text = |is_new: bool| lines.iter().filter_map(|line| match line {
                Line::Same(text) => Some(*text),
                Line::Gone(text) => Some(*text).filter(|_| !is_new),
                Line::New(text) => Some(*text).filter(|_| is_new),
            }).flat_map(|line| [line, "\n"]).collect::<String>();
            prop_assert_eq!(text(false), old.clone());
            prop_assert_eq!(text(true), new.clone());
            prop_assert_eq!(unified(&old, &new, 1).is_empty(), old == new);
        }
    }
}
