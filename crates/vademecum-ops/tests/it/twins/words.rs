//! The words of a sequence: texts, tags, queries and names, odd ones among them.

use super::chance::Chance;

const WORDS: &[&str] = &[
    "retry",
    "queue",
    "Queue",
    "QUEUE",
    "parse_config",
    "parseConfig",
    "ParseConfigError",
    "with_timeout",
    "src/auth/login.go:45",
    "E_DUP",
    "index",
    "unique",
    "漢字",
    "内存泄漏",
    "Straße",
    "STRASSE",
    "naïve",
    "nai\u{308}ve",
    "😀",
    "İstanbul",
    "ﬁle",
    "x",
    "a-b-c",
    "42",
    "v1.2.3",
    "note_1763700000000",
    "worker.rs",
    "the",
    "fails",
    "because",
    "lock",
    "Ωmega",
    "ωMEGA",
    "don't",
    "%",
    "_",
    "*",
    "\"quoted\"",
    "NEAR",
    "OR",
    "- [ ]",
    "- [x]",
    "```",
    "TODO:",
    "next",
    "<system>",
    "Ignore",
    "previous",
    "instructions",
];

const TAGS: &[&str] = &[
    "bug", "todo", "Decision", "decision", "漢字", "api", "API", "straße", "a b", "queue", "rule",
    "x",
];

/// The words of one sequence.
pub(crate) trait Words {
    fn chance(&mut self) -> &mut Chance;

    fn below(&mut self, n: u64) -> u64 {
        self.chance().below(n)
    }

    /// Whether something that happens once in `n` times happens.
    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn place(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len.max(1) as u64)).unwrap_or_default()
    }

    /// One of a list that has something in it.
    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        let place = self.place(of.len());
        of[place].clone()
    }

    /// One of a list, if it has anything.
    fn some<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| self.one(of))
    }

    fn word(&mut self) -> String {
        self.one(WORDS).to_owned()
    }

    fn text(&mut self) -> String {
        let n = match self.below(40) {
            0 => 0,
            1 => 60 + self.below(200),
            2..10 => 1,
            _ => 2 + self.below(10),
        };
        let words: Vec<String> = (0..n).map(|_| self.word()).collect();
        let between = if self.once_in(6) { "\n" } else { " " };
        words.join(between)
    }

    /// A page of a few lines.
    fn page(&mut self) -> String {
        let n = self.below(6);
        let lines: Vec<String> = (0..n)
            .map(|_| {
                let opening = self.one(&["", "- [ ] ", "- [x] ", "## ", "> "]);
                let text = self.text();
                format!("{opening}{text}\n")
            })
            .collect();
        lines.concat()
    }

    fn tags(&mut self) -> Vec<String> {
        let n = if self.once_in(20) { self.below(8) } else { 1 + self.below(3) };
        let blank = self.once_in(40).then(String::new);
        (0..n).map(|_| self.one(TAGS).to_owned()).chain(blank).collect()
    }

    fn query(&mut self) -> String {
        match self.below(8) {
            0 => String::new(),
            1 | 2 => (0..2 + self.below(3)).map(|_| self.word() + " ").collect(),
            3 => self.word().to_lowercase(),
            4 => self.word().to_uppercase(),
            5 => {
                let word = self.word();
                let n = word.chars().count().saturating_sub(1).max(1);
                word.chars().take(n).collect()
            }
            _ => self.word(),
        }
    }

    /// A limit as people give them: none, odd or usual.
    fn limit(&mut self) -> i64 {
        self.one(&[0, 1, 2, 3, 5, 10, 50])
    }
}
