//! The tokens of a text that are indexed, asked for and counted: one reading for all three.

use super::split::{Gap, Part, Split};
use super::stem::stem;

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A word, or one part of a name.
    Word,
    /// One letter, or two neighbours, of a script without spaces.
    Letters,
    /// Two neighbouring words as one, whatever joins them: `parseconfig` for `parse_config`.
    Pair,
    /// A name of several parts without what joins them: `getusername` for `getUserName`.
    Name,
    /// The last two steps of a path without what joins them.
    Path,
}

/// One token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Its letters in lower case, without accents and without what joins its parts.
    pub(super) full: &'a str,
    /// What it stands for.
    pub(super) kind: Kind,
    /// How many parts of the text stand before it.
    pub(super) place: usize,
    /// How many parts it spans.
    pub(super) span: usize,
}

impl<'a> Token<'a> {
    /// What is compared: the same for all forms that should find each other.
    pub(super) fn key(&self) -> &'a str {
        stem(self.full)
    }

    /// Whether it is one word or one letter.
    pub(super) fn is_part(&self) -> bool {
        self.span == 1 && matches!(self.kind, Kind::Word | Kind::Letters)
    }
}

/// Calls `emit` for every token of `text`.
pub(super) fn scan(text: &str, emit: impl FnMut(Token<'_>)) {
    let mut split = Split::default();
    split.read(text);
    tokens(&split, emit);
}

/// Calls `emit` for every token of a text that was taken apart.
pub(super) fn tokens(split: &Split, mut emit: impl FnMut(Token<'_>)) {
    let parts = &split.parts;
    let mut send = |kind, place: usize, end: usize| {
        let full = &split.folded[parts[place].start..parts[end - 1].end];
        emit(Token { full, kind, place, span: end - place });
    };
    let mut runs = Runs::default();
    for (at, part) in parts.iter().enumerate() {
        send(if part.is_letter { Kind::Letters } else { Kind::Word }, at, at + 1);
        let before = at.checked_sub(1).map(|before| &parts[before]);
        if let Some(kind) = before.and_then(|before| joint(before, part)) {
            send(kind, at - 1, at + 1);
        }
        let next = parts.get(at + 1).map_or(Gap::Break, |next| next.gap);
        runs.part(split, at, next, &mut send);
    }
}

/// Where the word, the step and the path that are being read begin.
#[derive(Default)]
struct Runs {
    word: usize,
    step: usize,
    /// The last two steps of the path, as the parts they span.
    steps: [Option<(usize, usize)>; 2],
}

impl Runs {
    /// Sends what ends with the part `at`, before the gap `next`.
    fn part(
        &mut self,
        split: &Split,
        at: usize,
        next: Gap,
        send: &mut impl FnMut(Kind, usize, usize),
    ) {
        let end = at + 1;
        if split.parts[at].is_letter {
            (self.word, self.step) = (end, end);
            return;
        }
        if next == Gap::Word {
            return;
        }
        if is_name(&split.parts, self.word, end) {
            send(Kind::Name, self.word, end);
        }
        if Gap::Step < next {
            if self.step < self.word && is_name(&split.parts, self.step, end) {
                send(Kind::Name, self.step, end);
            }
            self.end_step(split, end);
        }
        if Gap::Path < next {
            self.end_path(send);
        }
        self.word = end;
    }

    /// A step that is a number is the line of a file, not a step.
    fn end_step(&mut self, split: &Split, end: usize) {
        if self.step + 1 < end || !is_number(split, &split.parts[self.step]) {
            self.steps = [self.steps[1], Some((self.step, end))];
        }
        self.step = end;
    }

    fn end_path(&mut self, send: &mut impl FnMut(Kind, usize, usize)) {
        if let [Some((start, _)), Some((_, end))] = self.steps
            && start + 2 < end
        {
            send(Kind::Path, start, end);
        }
        self.steps = [None, None];
    }
}

/// What two neighbours are together, if they are anything.
fn joint(before: &Part, part: &Part) -> Option<Kind> {
    if before.makes_pairs && part.makes_pairs {
        return (part.gap != Gap::Break).then_some(Kind::Pair);
    }
    (before.is_letter && part.is_letter && part.gap == Gap::Word).then_some(Kind::Letters)
}

/// Whether these parts make a name of their own: two are their pair already, if they make one.
fn is_name(parts: &[Part], start: usize, end: usize) -> bool {
    match parts.get(start..end) {
        Some([first, second]) => !first.makes_pairs || !second.makes_pairs,
        Some(parts) => 2 < parts.len(),
        None => false,
    }
}

fn is_number(split: &Split, part: &Part) -> bool {
    split.folded[part.start..part.end].bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &str, pairs: &str, names: &str) {
        let mut found = [const { Vec::new() }; 3];
        scan(text, |token| {
            let list = match token.kind {
                Kind::Word | Kind::Letters => 0,
                Kind::Pair => 1,
                Kind::Name | Kind::Path => 2,
            };
            found[list].push(token.key().to_owned());
        });
        assert_eq!(found.map(|list| list.join(" ")), [words, pairs, names], "{text}");
    }

    #[test]
    fn names_are_found_whole_and_in_parts() {
        check("parse_config", "pars config", "parseconfig", "");
        check("parseConfig, ParseConfig", "pars config pars config", "parseconfig parseconfig", "");
        check("getUserName", "get user nam", "getus usernam", "getusernam");
        check("with_timeout", "with timeout", "", "withtimeout");
        check(
            "HTTPServer __init__ E0277",
            "http serv init e0277",
            "httpserv serverinit inite0277",
            "",
        );
        check("v1.2.3", "v1 2 3", "", "v123");
    }

    #[test]
    fn tails_of_contractions_are_no_words() {
        check("I'll see it's Bob's, don't", "i see it bob don", "", "");
    }

    #[test]
    fn neighbours_are_found_as_one_word() {
        check("Parse config: the file", "pars config the fil", "parseconfig", "");
    }

    #[test]
    fn paths_are_found_by_their_last_two_steps() {
        let pairs = "srcauth authlogin logingo";
        check("src/auth/login.go:45", "src auth login go 45", pairs, "authlogingo");
        check("C:\\auth\\login.go", "c auth login go", "authlogin logingo", "authlogingo");
        check("std::fs::File", "std fs fil", "stdf fsfil", "");
        check("https://a.io/b.", "http a io b", "", "aio aiob");
    }

    #[test]
    fn scripts_without_spaces_are_found_by_letter_and_pair() {
        check("修复parse_config错误。", "修 复 修复 pars config 错 误 错误", "parseconfig", "");
    }

    #[test]
    fn punctuation_is_no_word() {
        check("C++ -x: AND", "c x and", "", "");
        check("... / -- _", "", "", "");
    }
}
