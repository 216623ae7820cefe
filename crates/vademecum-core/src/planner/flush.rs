//! Writes while a warning is being answered: they only add, so that no answer loses the page.

use crate::time::Time;

/// What became of a write during a flush.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// The page with the text at its end.
    Appended(String),
    /// The page has the text already, as whole lines, and stays as it is; the reply says so.
    Duplicate,
}

/// Adds `text` at the end of `page`, on a line of its own, unless the page holds it already.
#[must_use]
pub fn add(page: &str, text: &str) -> Added {
    if holds(page, text) {
        return Added::Duplicate;
    }
    let joined = page.is_empty() || page.ends_with('\n') || text.starts_with('\n');
    Added::Appended([page, if joined { "" } else { "\n" }, text].concat())
}

/// Gives the moment `at` if a date can name it, else `now`.
#[must_use]
pub fn dated(at: Time, now: Time) -> Time {
    if jiff::Timestamp::from_millisecond(at.0).is_ok() { at } else { now }
}

fn holds(page: &str, text: &str) -> bool {
    let entry = text.trim_matches('\n');
    let starts_line = |at: usize| at == 0 || page[..at].ends_with('\n');
    let ends_line = |at: usize| at == page.len() || page[at..].starts_with('\n');
    entry.is_empty()
        || page.match_indices(entry).any(|(at, _)| starts_line(at) && ends_line(at + entry.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, text: &str, expected: Option<&str>) {
        let expected = expected.map_or(Added::Duplicate, |page| Added::Appended(page.to_owned()));
        assert_eq!(add(page, text), expected);
    }

    #[test]
    fn adds_on_a_line_of_its_own() {
        check("", "a", Some("a"));
        check("a", "b", Some("a\nb"));
        check("a\n", "b", Some("a\nb"));
        check("a", "\nb", Some("a\nb"));
    }

    #[test]
    fn adds_nothing_twice() {
        check("a\n- one\n- two\nb", "- one\n- two\n", None);
        check("a\n- one", "- one", None);
        check("- one too", "- one", Some("- one too\n- one"));
        check("x- one", "- one", Some("x- one\n- one"));
        check("page", "\n", None);
    }

    #[test]
    fn a_date_out_of_range_becomes_now() {
        let now = Time(1_763_712_004_311);
        assert_eq!(dated(Time(0), now), Time(0));
        assert_eq!(dated(Time(i64::MAX), now), now);
        assert_eq!(dated(Time(i64::MIN), now), now);
    }
}
