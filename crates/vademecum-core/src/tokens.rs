//! How many tokens a text costs its reader: an estimate, since no hook has time for a tokenizer.

mod weights;

use weights::{BLOCKS, Block, Joins, TRADITIONAL, UNIT};

/// Counts tokens as the seeds do: characters by four, rounded up.
///
/// Only for the seeds' own texts and limits; everything else is an [`estimate`].
#[must_use]
pub fn chars4(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

/// Estimates the o200k tokens of `text`, rather too many than too few.
///
/// The text is cut into words, digits, marks, blanks and breaks nearly as o200k cuts it, and each
/// piece costs what such pieces cost on average: a word by its pairs of letters, so that prose,
/// names and random letters part by themselves. A margin of 3 % and 0.95 times the square root is
/// added, which is why short texts come out relatively dearer.
///
/// **Bound.** For text of a kind that agents write (prose in the large languages, code, diffs,
/// paths, commands, notepads, JSON, hashes, base64, emoji) of 64 characters or more the estimate
/// is at most 3 % under the true count; below that it is at most 2 tokens under. The tests hold it
/// to that, piece by piece, on texts of every kind and on mixtures, and print the over-estimate:
/// `cargo test -p vademecum-core tokens`. On average it is a third at 64 characters, 13 % at
/// 1,000, 10 % at 4,000 and 8 % at 16,000.
///
/// **Beyond it.** One unlucky word that fills a page by repetition (a test run that prints one
/// package path on every line) can be a fifth under: 1 in 70 tool outputs of real sessions.
///
/// Appending text never lowers it, so a budget may be searched by halving.
#[must_use]
pub fn estimate(text: &str) -> usize {
    let mut meter = Meter::default();
    meter.add(text);
    meter.tokens()
}

/// What stands before the next character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Last {
    #[default]
    Nothing,
    Word,
    Digit,
    /// A run of marks; `lone` while it is one mark without a blank before it.
    Mark {
        lone: bool,
    },
    Blank,
    Break,
    /// A run of characters beyond ASCII.
    Wide(Joins),
}

/// Adds up the [`estimate`] of a text that comes in pieces.
///
/// It never takes anything back; a copy goes on where the first stands.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    /// The cost so far, in units.
    sum: u64,
    /// How much of the next letters of this word costs nothing: most words are one token.
    free: u32,
    last: Last,
    /// The last ASCII character, 0 if it was another.
    byte: u8,
    /// How many characters the present run has.
    run: u32,
    /// How many capitals the present word ends with.
    capitals: u32,
}

impl Meter {
    /// Takes the next piece of the text in.
    pub fn add(&mut self, text: &str) {
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            at += if self.is_in_small_word(byte) {
                self.small_letters(&text.as_bytes()[at..])
            } else if byte.is_ascii() {
                self.take(char::from(byte));
                1
            } else {
                let c = text[at..].chars().next().expect("a first byte has a first character");
                self.take(c);
                c.len_utf8()
            };
        }
    }

    /// The estimate of the text so far.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let margin = self.sum * 3 / 100 + (self.sum * 30).isqrt();
        usize::try_from((self.sum + margin).div_ceil(UNIT)).unwrap_or(usize::MAX)
    }

    fn take(&mut self, c: char) {
        match c {
            'a'..='z' | 'A'..='Z' => self.letter(c as u8),
            '0'..='9' => self.digit(c as u8),
            '\n' | '\r' => self.line_break(c as u8),
            ' ' => self.blank(b' '),
            _ if c.is_whitespace() => self.blank(if c.is_ascii() { c as u8 } else { 0 }),
            _ if c.is_ascii() => self.mark(c as u8),
            _ => self.wide(c),
        }
    }

    /// Whether `byte` is a small letter behind a small letter: most of any text.
    fn is_in_small_word(&self, byte: u8) -> bool {
        self.last == Last::Word && byte.is_ascii_lowercase() && self.byte.is_ascii_lowercase()
    }

    /// Takes the small letters that `text` begins with, within a word; how many they are.
    fn small_letters(&mut self, text: &[u8]) -> usize {
        let (mut n_letters, mut units) = (0_u32, 0);
        for &byte in text.iter().take(MOST_LETTERS).take_while(|byte| byte.is_ascii_lowercase()) {
            units += pair(self.byte, byte);
            self.byte = byte;
            n_letters += 1;
        }
        let n_long = (self.run + n_letters).saturating_sub(10) - self.run.saturating_sub(10);
        self.pay_in_word(units + n_long * weights::LONG_WORD);
        self.run += n_letters;
        self.capitals = 0;
        n_letters as usize
    }

    fn pay(&mut self, units: u32) {
        self.sum += u64::from(units);
    }

    /// Pays for a further letter of a word, from what is free in it first.
    fn pay_in_word(&mut self, units: u32) {
        self.pay(units.saturating_sub(self.free));
        self.free = self.free.saturating_sub(units);
    }

    fn letter(&mut self, byte: u8) {
        match self.last {
            Last::Word => self.letter_in_word(byte),
            Last::Wide(Joins::Latin | Joins::Letter) => {
                self.pay_in_word(weights::ASCII_AFTER_WIDE);
                self.run += 1;
                self.capitals = 0;
            }
            Last::Nothing
            | Last::Digit
            | Last::Mark { .. }
            | Last::Blank
            | Last::Break
            | Last::Wide(Joins::Symbol) => self.letter_first(byte),
        }
        self.last = Last::Word;
        self.byte = byte;
    }

    fn letter_first(&mut self, byte: u8) {
        let (cost, free) = match self.last {
            Last::Blank => (weights::WORD_AFTER_BLANK, weights::FREE_AFTER_BLANK),
            Last::Digit => (weights::WORD_AFTER_DIGIT, weights::FREE_AFTER_DIGIT),
            Last::Mark { lone: true } => {
                (place(&weights::WORD_AFTER_MARK, self.byte), weights::FREE_AFTER_MARK)
            }
            Last::Mark { lone: false }
            | Last::Nothing
            | Last::Word
            | Last::Break
            | Last::Wide(_) => (weights::WORD_ALONE, weights::FREE_ALONE),
        };
        self.pay(cost);
        self.free = free;
        self.run = 1;
        self.capitals = 0;
        if byte.is_ascii_uppercase() {
            self.pay(weights::CAPITAL_START);
            self.capitals = 1;
        }
    }

    fn letter_in_word(&mut self, byte: u8) {
        let (was_capital, is_capital) = (self.byte.is_ascii_uppercase(), byte.is_ascii_uppercase());
        if is_capital && !was_capital {
            self.pay(weights::WORD_AT_HUMP);
            self.free = weights::FREE_AT_HUMP;
            self.run = 1;
            self.capitals = 1;
            return;
        }

        self.run += 1;
        self.pay_in_word(pair(self.byte, byte));
        if 10 < self.run {
            self.pay_in_word(weights::LONG_WORD);
        }
        if is_capital {
            self.pay_in_word(weights::CAPITAL_RUN);
            self.capitals += 1;
            return;
        }
        if was_capital && 1 < self.capitals {
            self.pay_in_word(weights::SMALL_AFTER_CAPITALS);
        }
        self.capitals = 0;
    }

    fn digit(&mut self, byte: u8) {
        if self.last == Last::Digit {
            if self.run.is_multiple_of(3) {
                self.pay(weights::DIGITS);
            }
            self.run += 1;
        } else {
            if self.last == Last::Blank {
                self.pay(weights::BLANK_BEFORE_DIGIT);
            }
            self.pay(weights::DIGITS);
            self.run = 1;
        }
        self.last = Last::Digit;
        self.byte = byte;
    }

    fn line_break(&mut self, byte: u8) {
        let more = self.last == Last::Break;
        let cost = match self.last {
            Last::Break if self.byte == byte && self.run < 2 => 0,
            Last::Break => weights::BREAK_MORE,
            Last::Mark { .. } => weights::BREAK_AFTER_MARK,
            Last::Blank => weights::BREAK_AFTER_BLANK,
            Last::Nothing | Last::Word | Last::Digit | Last::Wide(_) => weights::BREAK,
        };
        self.pay(cost);
        self.run = if more { self.run + 1 } else { 1 };
        self.last = Last::Break;
        self.byte = byte;
    }

    fn blank(&mut self, byte: u8) {
        if self.last == Last::Blank {
            self.run += 1;
            if self.run == 2 {
                self.pay(weights::BLANK_RUN);
            } else if self.run.is_multiple_of(8) {
                self.pay(weights::BLANK_LONG_RUN);
            }
            if byte != self.byte {
                self.pay(weights::BLANK_ODD);
            }
        } else {
            self.run = 1;
            if byte != b' ' {
                self.pay(weights::BLANK_ODD);
            }
        }
        self.last = Last::Blank;
        self.byte = byte;
    }

    fn mark(&mut self, byte: u8) {
        if let Last::Mark { .. } = self.last {
            let same = byte == self.byte;
            let table = if same { &weights::MARK_AFTER_SAME } else { &weights::MARK_AFTER_OTHER };
            self.pay(place(table, byte));
            self.last = Last::Mark { lone: false };
        } else {
            let apostrophe = self.last == Last::Word && byte == b'\'';
            self.pay(if apostrophe { weights::APOSTROPHE } else { place(&weights::MARK, byte) });
            let after_blank = self.last == Last::Blank;
            if after_blank {
                self.pay(weights::MARK_AFTER_BLANK);
            }
            self.last = Last::Mark { lone: !after_blank };
        }
        self.byte = byte;
    }

    fn wide(&mut self, c: char) {
        let block = block(c);
        let next = u32::from(block.next);
        match self.last {
            Last::Word if block.joins == Joins::Latin => {
                self.pay_in_word(weights::LATIN_AFTER_ASCII);
                self.pay_in_word(next);
            }
            Last::Wide(joins) if (joins == Joins::Symbol) == (block.joins == Joins::Symbol) => {
                self.pay_in_word(next);
            }
            Last::Nothing
            | Last::Word
            | Last::Digit
            | Last::Mark { .. }
            | Last::Blank
            | Last::Break
            | Last::Wide(_) => {
                self.pay(u32::from(block.first));
                self.free = u32::from(block.free);
            }
        }
        self.last = Last::Wide(block.joins);
        self.byte = 0;
        self.run = 0;
    }
}

/// How many letters of a word are paid for at once.
const MOST_LETTERS: usize = 1 << 16;

/// The weights of pairs of letters as numbers, each letter by its last five bits.
const PAIRS: [[u8; 32]; 32] = {
    let mut pairs = [[0; 32]; 32];
    let mut at = 0;
    while at < 26 * 26 {
        let digit = weights::PAIRS[at / 26][at % 26];
        let weight = if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
        pairs[at / 26 + 1][at % 26 + 1] = weight;
        at += 1;
    }
    pairs
};

/// What the letter `b` costs behind the letter `a`.
fn pair(a: u8, b: u8) -> u32 {
    u32::from(PAIRS[usize::from(a & 31)][usize::from(b & 31)])
}

/// The weight of an ASCII mark in `table`.
fn place(table: &[u8; 32], mark: u8) -> u32 {
    let idx = match mark {
        b'!'..=b'/' => mark - b'!',
        b':'..=b'@' => mark - b':' + 15,
        b'['..=b'`' => mark - b'[' + 22,
        b'{'..=b'~' => mark - b'{' + 28,
        _ => 31,
    };
    u32::from(table[usize::from(idx.min(31))])
}

/// The block that a character beyond ASCII lies in.
fn block(c: char) -> &'static Block {
    let code = u32::from(c);
    if is_traditional(code) {
        return &TRADITIONAL;
    }
    let idx = BLOCKS.partition_point(|block| block.last < code);
    &BLOCKS[idx.min(BLOCKS.len() - 1)]
}

/// Whether the character stands under a radical that mainland China writes otherwise.
fn is_traditional(code: u32) -> bool {
    matches!(code,
        0x7cf8..=0x7e9f | 0x8a00..=0x8b9f | 0x8c9d..=0x8d1c | 0x8eca..=0x8f65
        | 0x91d1..=0x9484 | 0x9580..=0x95e7 | 0x9801..=0x9874 | 0x99ac..=0x9a6b)
}

#[cfg(test)]
mod tests;
