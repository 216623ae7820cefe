//! What a text says already, in whatever words around them.

use memchr::memmem;

use super::Part;
use super::prose::{NOT_AGAIN, UNSEEN};
use crate::digest::QuickSet;
use crate::statement::words::{self, Word, tells};
use crate::statement::words_of;

/// A text says a sentence if it holds this share of what the sentence's words tell.
const SHARE: f32 = 0.6;

/// And this share in so many lines that follow each other.
const TOGETHER: f32 = 0.45;
const LINES: usize = 3;

/// So much a word counts that stands in names alone: a name is told whole and in its parts, and to name a thing is not
/// to say what is said of it.
const NAMED: f32 = 0.25;

/// The words of a text.
#[derive(Default)]
pub(super) struct Said {
    pub(super) all: QuickSet<Word>,
    lines: Vec<QuickSet<Word>>,
    /// Those that stand in names and nowhere else.
    named: QuickSet<Word>,
    /// The text as it is.
    raw: String,
    /// The same in small letters and with single spaces.
    text: String,
    /// The same without the lines of its open boxes, and without those of its ticked ones, where it has any.
    without_open: Option<Box<Said>>,
    without_ticked: Option<Box<Said>>,
}

impl Said {
    pub(super) fn of(text: &str) -> Self {
        let without = |marks: &[&str]| {
            let is_left = |line: &&str| !is_box(line, marks);
            let has_any = text.lines().any(|line| is_box(line, marks));
            has_any.then(|| text.lines().filter(is_left).collect::<Vec<_>>().join("\n"))
        };
        let without = |marks| without(marks).map(|text| Box::new(Self::whole(&text)));
        Self {
            without_open: without(&["[ ]"]),
            without_ticked: without(&["[x]", "[X]"]),
            ..Self::whole(text)
        }
    }

    fn whole(text: &str) -> Self {
        let mut said = Self { raw: text.to_owned(), text: plain(text), ..Self::default() };
        let mut alone = QuickSet::default();
        for line in text.lines() {
            let mut words = QuickSet::default();
            words::each_as(line, |word, is_of_name| {
                words.insert(word);
                (if is_of_name { &mut said.named } else { &mut alone }).insert(word);
            });
            if !words.is_empty() {
                said.all.extend(&words);
                said.lines.push(words);
            }
        }
        said.named.retain(|word| !alone.contains(word));
        said
    }

    /// Whether the text says what these words say.
    pub(super) fn says(&self, words: &[Word]) -> bool {
        let tells = |word: &Word| {
            let is_named = self.named.contains(word);
            tells(*word) * if is_named { NAMED } else { 1.0 }
        };
        let all: f32 = words.iter().map(tells).sum();
        let holds = |share: f32, is_held: &dyn Fn(&Word) -> bool| {
            let held = words.iter().filter(|word| is_held(word)).map(tells);
            0.0 < all && share * all <= held.sum::<f32>()
        };
        let together = |lines: &[QuickSet<Word>]| {
            holds(TOGETHER, &|word| lines.iter().any(|line| line.contains(word)))
        };
        // Most sentences are not said anywhere.
        holds(SHARE, &|word| self.all.contains(word))
            && self.lines.windows(LINES.min(self.lines.len())).any(together)
    }

    /// Whether it says this of how things stand: a box that is open does not say that its step is done or in the
    /// works, and a ticked one not that it is open again.
    pub(super) fn says_as(&self, part: Part, words: &[Word]) -> bool {
        let without = match part {
            Part::Now | Part::Done => &self.without_open,
            Part::Next => &self.without_ticked,
            _ => &None,
        };
        self.says(words) && without.as_ref().is_none_or(|said| said.says(words))
    }

    /// Whether steps stand there as boxes.
    pub(super) fn has_boxes(&self) -> bool {
        self.without_open.is_some() || self.without_ticked.is_some()
    }

    /// What stands there as steps that are not ticked: lines of lists.
    pub(super) fn steps(&self) -> impl Iterator<Item = &str> {
        let is_step = |line: &&str| {
            line.trim_start().starts_with(['-', '*', '+']) && !is_box(line, &["[x]", "[X]"])
        };
        let bare = |line| step(line).trim_start_matches("[ ]").trim();
        self.raw.lines().filter(is_step).map(bare)
    }

    /// Whether a line stands there word for word.
    pub(super) fn has_text(&self, line: &str) -> bool {
        self.text.contains(plain(line).trim_end_matches(['…', ' ']))
    }

    /// `text` if all of it stands there.
    pub(super) fn holding<'t>(&self, text: Option<&'t str>) -> Option<&'t str> {
        text.filter(|text| memmem::find(self.raw.as_bytes(), text.as_bytes()).is_some())
    }

    pub(super) fn says_text(&self, text: &str) -> bool {
        !self.all.is_empty() && self.says(&words_of(text))
    }

    /// Whether each of its words stands there.
    pub(super) fn says_each(&self, text: &str) -> bool {
        let words = words_of(text);
        !words.is_empty() && words.iter().all(|word| self.all.contains(word))
    }

    /// The same of how things stand.
    pub(super) fn says_line(&self, part: Part, text: &str) -> bool {
        !self.all.is_empty() && self.says_as(part, &words_of(text))
    }

    /// Whether a failure stands there as it is: the command, and the lines that say how.
    ///
    /// It is what fails now. Words about it, as that it was mended, share most of its own and say another thing.
    pub(super) fn has_failure(&self, line: &str) -> bool {
        let line = [NOT_AGAIN, UNSEEN].iter().find_map(|it| line.strip_suffix(it)).unwrap_or(line);
        let mut parts = line.split(" → ").flat_map(|part| part.split(" | ")).map(plain);
        !self.all.is_empty() && parts.all(|part| self.text.contains(part.trim_end_matches('…')))
    }
}

/// Whether a line is a step with one of these boxes.
fn is_box(line: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| step(line).starts_with(mark))
}

/// A line of a list without the mark that it begins with.
fn step(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_ascii_digit() || " \t-*+.)".contains(c))
}

/// A text in small letters, without marks of code and with single spaces.
fn plain(text: &str) -> String {
    let text = text.replace('`', "").to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::Said;

    #[test]
    fn to_name_a_thing_is_not_to_say_what_is_said_of_it() {
        let decision = "Decision: we skip retry_dup_is_ok on Windows.";
        for (page, is_said) in [
            ("- [ ] write test retry_dup_is_ok", false),
            ("see `retry_dup_is_ok`, `parseLine` and src/queue/retry.rs", false),
            ("Decisions\n- retry_dup_is_ok is skipped on Windows", true),
            ("We skip retry_dup_is_ok on Windows", true),
        ] {
            assert_eq!(Said::of(page).says_text(decision), is_said, "{page}");
        }
        let failure = "The test retry_dup_is_ok still fails with a timeout.";
        assert!(!Said::of("- [ ] write test retry_dup_is_ok").says_text(failure));
        assert!(Said::of("retry_dup_is_ok: the test fails with a timeout").says_text(failure));
    }
}
