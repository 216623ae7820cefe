//! Takes a text apart: words, the parts of names, and what stands between them.

use super::fold::{ASCII, Class, class, is_unspaced, push_plain};
use super::stop::is_stop;

/// What stands between a part and the one before it; the closer, the smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing or `_`: parts of one word.
    Word,
    /// `-` or `.`: words of one step.
    Step,
    /// `/`, `:`, `@` or a backslash: steps of one path.
    Path,
    /// White space.
    Space,
    /// Anything else, or several of these.
    Break,
}

/// A word, a part of a name, or one letter of a script without spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// Where its letters begin in [`Split::folded`].
    pub(super) start: usize,
    /// Where they end.
    pub(super) end: usize,
    /// What stands before it.
    pub(super) gap: Gap,
    /// Whether it is one letter of a script without spaces.
    pub(super) is_letter: bool,
    /// Whether it is a word that says nothing.
    pub(super) is_stop: bool,
    /// Whether it makes one word with its neighbours; too many words would, so not all may.
    pub(super) makes_pairs: bool,
}

/// A text as its parts; kept and filled again to read many texts.
#[derive(Debug, Default)]
pub(super) struct Split {
    /// The letters of all parts, one behind the other, so that every token is a piece of it.
    pub(super) folded: String,
    /// The parts in order.
    pub(super) parts: Vec<Part>,
}

impl Split {
    /// Takes `text` apart in place of what was read before.
    pub(super) fn read(&mut self, text: &str) {
        self.folded.clear();
        self.folded.reserve(text.len());
        self.parts.clear();
        let mut state =
            State { open: None, gap: Gap::Break, n_joiners: 0, last: [Class::Other; 2] };
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += match ASCII[usize::from(byte)] {
                Class::Lower => {
                    let n_small = bytes[at..].iter().take_while(|b| b.is_ascii_lowercase()).count();
                    self.take_small(&mut state, &text[at..at + n_small]);
                    n_small
                }
                Class::Other => self.take_other(&mut state, &text[at..]),
                class => {
                    self.take(&mut state, char::from(byte), class);
                    1
                }
            };
        }
        self.close(&mut state);
    }

    /// Takes punctuation, the tail of a contraction or a character beyond ASCII, and says how long it is.
    fn take_other(&mut self, state: &mut State, text: &str) -> usize {
        if state.open.is_some()
            && let Some(tail) = contraction(text)
        {
            self.take(state, '\'', Class::Space);
            return tail;
        }
        let Some(c) = text.chars().next() else { return text.len() };
        self.take(state, c, class(c));
        c.len_utf8()
    }

    /// Takes small ASCII letters, most of any text, all at once.
    fn take_small(&mut self, state: &mut State, letters: &str) {
        self.part_in_word(state, Class::Lower);
        state.open.get_or_insert(self.folded.len());
        self.folded.push_str(letters);
        state.last =
            if letters.len() == 1 { [state.last[1], Class::Lower] } else { [Class::Lower; 2] };
    }

    fn take(&mut self, state: &mut State, c: char, class: Class) {
        match class {
            Class::Lower | Class::Upper | Class::Digit => {
                self.part_in_word(state, class);
                state.open.get_or_insert(self.folded.len());
                push_plain(&mut self.folded, c);
            }
            Class::Mark => return,
            Class::Unspaced => {
                self.close(state);
                if state.last[1] != Class::Unspaced && state.gap == Gap::Word {
                    state.gap = Gap::Break;
                }
                state.open = Some(self.folded.len());
                self.folded.push(c);
                self.close(state);
            }
            Class::Joiner(gap) => {
                self.close(state);
                state.join(gap);
            }
            Class::Space | Class::Other => {
                self.close(state);
                state.part(class);
            }
        }
        state.last = [state.last[1], class];
    }

    /// Ends a part where the case shows it: in `aB`, and before the `Bc` of `ABc`.
    fn part_in_word(&mut self, state: &mut State, class: Class) {
        let Some(start) = state.open else {
            if state.last[1] == Class::Unspaced {
                state.gap = Gap::Break;
            }
            return;
        };
        if class == Class::Upper && state.last[1] == Class::Lower {
            self.close(state);
        } else if class == Class::Lower && state.last == [Class::Upper; 2] {
            let last = self.folded.char_indices().next_back().map_or(start, |(at, _)| at);
            self.push_part(state, start, last);
            state.open = Some(last);
        }
    }

    fn close(&mut self, state: &mut State) {
        if let Some(start) = state.open.take() {
            self.push_part(state, start, self.folded.len());
        }
    }

    fn push_part(&mut self, state: &mut State, start: usize, end: usize) {
        let word = &self.folded[start..end];
        let is_letter = !word.is_ascii() && word.chars().next().is_some_and(is_unspaced);
        let is_stop = is_stop(word);
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let makes_pairs = 1 < word.len() && !is_number && !is_stop && !is_letter;
        self.parts.push(Part { start, end, gap: state.gap, is_letter, is_stop, makes_pairs });
        state.gap = Gap::Word;
        state.n_joiners = 0;
    }
}

/// Where reading stands between two characters.
struct State {
    /// Where the part being read begins.
    open: Option<usize>,
    /// What stands before the next part, as far as it was read.
    gap: Gap,
    n_joiners: usize,
    last: [Class; 2],
}

impl State {
    const MAX_JOINERS: usize = 3;

    fn join(&mut self, gap: Gap) {
        self.n_joiners += 1;
        let is_broken = Gap::Space <= self.gap || Self::MAX_JOINERS < self.n_joiners;
        self.gap = if gap == Gap::Word {
            self.gap
        } else if is_broken {
            Gap::Break
        } else {
            self.gap.max(gap)
        };
    }

    fn part(&mut self, class: Class) {
        let is_space = class == Class::Space && matches!(self.gap, Gap::Word | Gap::Space);
        self.gap = if is_space { Gap::Space } else { Gap::Break };
    }
}

/// How much of `text` is an apostrophe and the tail of a contraction, as in `I'll`.
///
/// Such tails are no words.
fn contraction(text: &str) -> Option<usize> {
    let tail = text.strip_prefix(['\'', '’'])?;
    let n_letters = tail.bytes().take_while(u8::is_ascii_alphabetic).count();
    let is_tail = ["s", "t", "d", "m", "ll", "re", "ve"]
        .iter()
        .any(|known| tail[..n_letters].eq_ignore_ascii_case(known));
    is_tail.then(|| text.len() - tail.len() + n_letters)
}
