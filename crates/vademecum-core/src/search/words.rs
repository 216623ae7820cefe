//! Cuts a text into the tokens that are indexed, asked for and counted: one reading for all three.

use super::fold::{Class, class, push_plain};
use super::stem::stem;
use super::stop::is_stop;

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A word, or one part of a name, stemmed.
    Word,
    /// One letter, or two neighbours, of a script without spaces.
    Letters,
    /// Two neighbouring words as one, whatever stands between: `parseconfig` for `parse_config`.
    Pair,
    /// A name of several parts without what joins them: `getusername` for `getUserName`.
    Name,
    /// The last two steps of a path.
    Path,
}

/// One token: `key` is the same for all spellings that should find each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// What is compared.
    pub(super) key: &'a str,
    /// The key before its ending was cut.
    pub(super) full: &'a str,
    /// What it stands for.
    pub(super) kind: Kind,
    /// How many words stand before it; a name stands where its first part does.
    pub(super) place: u32,
    /// How many words it spans.
    pub(super) span: u32,
}

/// Calls `emit` for every token of `text`; parts come before the name that they make up.
pub(super) fn scan(text: &str, emit: impl FnMut(Token<'_>)) {
    let mut scanner = Scanner::new(emit);
    let mut rest = text;
    while let Some(at) = rest.find(|c| matches!(class(c), Class::Word | Class::Unspaced)) {
        if !rest[..at].chars().all(char::is_whitespace) {
            scanner.last.clear();
        }
        rest = &rest[at..];
        let end = if rest.chars().next().map(class) == Some(Class::Unspaced) {
            let end = rest.find(|c| class(c) != Class::Unspaced).unwrap_or(rest.len());
            scanner.letters(&rest[..end]);
            end
        } else {
            let end = compound_end(rest);
            scanner.compound(&rest[..end]);
            end
        };
        rest = &rest[end..];
    }
}

/// Where the words at the start of `text` that joiners tie together end.
fn compound_end(text: &str) -> usize {
    let mut end = 0;
    let mut joiners = 0;
    for (at, c) in text.char_indices() {
        match class(c) {
            Class::Word => {
                end = at + c.len_utf8();
                joiners = 0;
            }
            Class::Joiner if joiners < 3 => joiners += 1,
            Class::Joiner | Class::Unspaced | Class::Other => break,
        }
    }
    end
}

struct Scanner<F> {
    emit: F,
    place: u32,
    /// The word before, empty where it makes no pair with the next.
    last: String,
    paired_at: Option<u32>,
    word: String,
    name: String,
}

impl<F: FnMut(Token<'_>)> Scanner<F> {
    fn new(emit: F) -> Self {
        let (last, word, name) = Default::default();
        Self { emit, place: 0, last, paired_at: None, word, name }
    }

    fn letters(&mut self, run: &str) {
        self.last.clear();
        let mut last = None;
        for (at, c) in run.char_indices() {
            let end = at + c.len_utf8();
            self.send(&run[at..end], Kind::Letters, self.place, 1);
            if let Some(before) = last {
                self.send(&run[before..end], Kind::Letters, self.place - 1, 2);
            }
            last = Some(at);
            self.place += 1;
        }
    }

    /// `src/auth/login.go:45`: its steps, each with its parts, then the path.
    fn compound(&mut self, text: &str) {
        let mut steps: [Option<(&str, u32)>; 2] = [None, None];
        for step in text.split(['/', '\\', ':', '@']).filter(|step| !step.is_empty()) {
            let place = self.place;
            self.step(step);
            let is_line = step.bytes().all(|b| b.is_ascii_digit());
            if !is_line && place < self.place {
                steps = [steps[1], Some((step, place))];
            }
        }
        if let [Some((folder, place)), Some((file, _))] = steps {
            let mut path = std::mem::take(&mut self.name);
            path.clear();
            folder.chars().for_each(|c| push_plain(&mut path, c));
            path.push('/');
            file.chars().for_each(|c| push_plain(&mut path, c));
            self.send(&path, Kind::Path, place, self.place - place);
            self.name = path;
        }
    }

    /// `login-form.test.ts`: its words, then the whole as a name.
    fn step(&mut self, text: &str) {
        let place = self.place;
        let mut n_words = 0;
        for word in text.split(['-', '.']).filter(|word| !word.is_empty()) {
            self.word(word);
            n_words += 1;
        }
        if 1 < n_words {
            self.name(text, place);
        }
    }

    /// `parseConfig` or `parse_config`: its parts, then the whole as a name.
    fn word(&mut self, text: &str) {
        let place = self.place;
        let mut start = 0;
        let mut last = None;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|&(_, next)| next);
            if last.is_some_and(|last| parts_at(last, c, next)) {
                self.part(&text[start..at]);
                start = at;
            }
            last = Some(c);
        }
        self.part(&text[start..]);
        if place + 1 < self.place {
            self.name(text, place);
        }
    }

    fn part(&mut self, text: &str) {
        let mut word = std::mem::take(&mut self.word);
        word.clear();
        text.chars().filter(|&c| c != '_').for_each(|c| push_plain(&mut word, c));
        if !word.is_empty() {
            self.send(&word, Kind::Word, self.place, 1);
            self.pair(&word);
            self.place += 1;
        }
        self.word = word;
    }

    /// Joins `word` to the one before it, and makes it the one before the next.
    fn pair(&mut self, word: &str) {
        let pairs = pairs(word);
        if pairs && !self.last.is_empty() {
            let mut pair = std::mem::take(&mut self.last);
            pair.push_str(word);
            self.send(&pair, Kind::Pair, self.place - 1, 2);
            self.paired_at = Some(self.place - 1);
            self.last = pair;
        }
        self.last.clear();
        if pairs {
            self.last.push_str(word);
        }
    }

    /// A name of two words is their pair already, unless they make none.
    fn name(&mut self, text: &str, place: u32) {
        let span = self.place - place;
        if span == 2 && self.paired_at == Some(place) {
            return;
        }
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        text.chars()
            .filter(|c| !matches!(c, '_' | '-' | '.'))
            .for_each(|c| push_plain(&mut name, c));
        self.send(&name, Kind::Name, place, span);
        self.name = name;
    }

    fn send(&mut self, full: &str, kind: Kind, place: u32, span: u32) {
        (self.emit)(Token { key: stem(full), full, kind, place, span });
    }
}

/// Whether `word` makes pairs: numbers, letters and words that say nothing would make too many.
fn pairs(word: &str) -> bool {
    2 <= word.len() && !word.as_bytes()[0].is_ascii_digit() && !is_stop(word)
}

/// Whether a part ends between `last` and `c`: at `_`, in `aB` and before the `Bc` of `ABc`.
fn parts_at(last: char, c: char, next: Option<char>) -> bool {
    if c == '_' || last == '_' {
        return c == '_' && last != '_';
    }
    c.is_uppercase()
        && (last.is_lowercase() || (last.is_uppercase() && next.is_some_and(char::is_lowercase)))
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
            found[list].push(token.key.to_owned());
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
    fn neighbours_are_found_as_one_word() {
        check("Parse config: the file", "pars config the fil", "parseconfig", "");
    }

    #[test]
    fn paths_are_found_by_their_last_two_steps() {
        let pairs = "srcauth authlogin logingo";
        check("src/auth/login.go:45", "src auth login go 45", pairs, "auth/login.go");
        check("C:\\auth\\login.go", "c auth login go", "authlogin logingo", "auth/login.go");
        check("std::fs::File", "std fs fil", "stdf fsfil", "fs/file");
        check("https://a.io/b.", "http a io b", "", "aio a.io/b");
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
