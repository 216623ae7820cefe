//! Sets of ASCII characters: of what formats are made, and what stands around them.

#[cfg(test)]
thread_local! {
    /// How many bytes were looked at one by one, for a test that this grows with the text and not with its square.
    pub(super) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Takes in that so many bytes were looked at, in tests.
#[cfg(test)]
pub(super) fn looked_at(n_bytes: usize) {
    LOOKED_AT.set(LOOKED_AT.get() + n_bytes);
}

/// Takes in that so many bytes were looked at, in tests.
#[cfg(not(test))]
pub(super) fn looked_at(_n_bytes: usize) {}

/// A set of ASCII characters, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alphabet(u128);

impl Alphabet {
    /// The characters of `text`.
    pub(super) const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let (mut set, mut idx) = (0, 0);
        while idx < bytes.len() {
            set |= 1 << bytes[idx];
            idx += 1;
        }
        Self(set)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `byte` is one of them.
    pub(super) const fn has(self, byte: u8) -> bool {
        byte < 128 && self.0 >> byte & 1 == 1
    }

    /// How many bytes from `at` on are of it.
    ///
    /// Who asks this of many places of one run takes a time that grows with its square: see [`Self::run_to`].
    pub(super) fn run(self, bytes: &[u8], at: usize) -> usize {
        self.run_to(bytes, at, usize::MAX)
    }

    /// The same, counted up to `most`.
    pub(super) fn run_to(self, bytes: &[u8], at: usize, most: usize) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(most)];
        let n_run = rest.iter().position(|byte| !self.has(*byte)).unwrap_or(rest.len());
        looked_at(n_run);
        n_run
    }

    /// How many bytes right before `at` are of it, at most `most`.
    pub(super) fn run_back(self, bytes: &[u8], at: usize, most: usize) -> usize {
        let before = &bytes[at.saturating_sub(most)..at];
        let n_run = before.iter().rev().position(|byte| !self.has(*byte)).unwrap_or(before.len());
        looked_at(n_run);
        n_run
    }

    /// Its characters in order, for who makes samples.
    pub(super) fn letters(self) -> Vec<char> {
        (0..128_u8).filter(|byte| self.has(*byte)).map(char::from).collect()
    }
}

pub(super) const DIGIT: Alphabet = Alphabet::of("0123456789");
const LOWER: Alphabet = Alphabet::of("abcdefghijklmnopqrstuvwxyz");
const BIG: Alphabet = Alphabet::of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
pub(super) const UPPER: Alphabet = BIG.and(DIGIT);
pub(super) const UPPER_DASH: Alphabet = UPPER.and(Alphabet::of("-"));
pub(super) const HEX: Alphabet = DIGIT.and(Alphabet::of("abcdefABCDEF"));
pub(super) const HEX_DASH: Alphabet = HEX.and(Alphabet::of("-"));
pub(super) const HEX_H: Alphabet = HEX.and(Alphabet::of("ghGH"));
pub(super) const HEX_H_DASH: Alphabet = HEX_H.and(Alphabet::of("-"));
pub(super) const ALNUM: Alphabet = LOWER.and(UPPER);
pub(super) const ALNUM_DASH: Alphabet = ALNUM.and(Alphabet::of("-"));
pub(super) const WORD: Alphabet = ALNUM.and(Alphabet::of("_"));
pub(super) const KEBAB: Alphabet = WORD.and(Alphabet::of("-"));
pub(super) const KEBAB_EQ: Alphabet = KEBAB.and(Alphabet::of("="));
pub(super) const DOTTED: Alphabet = KEBAB_EQ.and(Alphabet::of("."));
pub(super) const TILDE: Alphabet = KEBAB.and(Alphabet::of("~."));
pub(super) const BASE64: Alphabet = ALNUM.and(Alphabet::of("+/="));
pub(super) const ANY64: Alphabet = KEBAB_EQ.and(Alphabet::of("+/"));
pub(super) const JWT: Alphabet = KEBAB_EQ.and(Alphabet::of("./\\+"));
pub(super) const PERCENT: Alphabet = ALNUM.and(Alphabet::of("%"));
/// What a value may be made of, whoever made it.
pub(super) const VALUE: Alphabet = DOTTED.and(Alphabet::of("+/~%"));
/// What a value of an `Authorization` header is made of.
pub(super) const HEADER: Alphabet = DOTTED.and(Alphabet::of("~@+/"));
/// What a value of a cookie is made of.
pub(super) const COOKIE: Alphabet = HEADER.and(Alphabet::of("%:"));
/// What a signature in an address is made of.
pub(super) const SIGNATURE: Alphabet = BASE64.and(Alphabet::of("%"));
/// [`KEBAB`] as a table, for the one pass over all of a text.
pub(super) static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = KEBAB.has(byte);
        byte += 1;
    }
    table
};
/// What may join two words to one value, and words.
pub(super) const JOINED: Alphabet = KEBAB.and(Alphabet::of(".+/~%"));
/// What may stand between a name and its sign, or a sign and its value: blanks, quotes, brackets, marks.
pub(super) const BETWEEN: Alphabet = Alphabet::of(" \t'\"`\\])*");
/// The same between a value and its sign, over lines.
pub(super) const QUOTES: Alphabet = Alphabet::of(" \t\n\r'\"`=\\*_");
/// The same between a sign and its name.
pub(super) const BRACKETS: Alphabet = Alphabet::of(" \t\n\r'\"`\\])*");
/// What a sign is made of.
pub(super) const SIGNS: Alphabet = Alphabet::of(":=>|?,");
/// What a name of several words is made of.
pub(super) const NAME: Alphabet = KEBAB.and(Alphabet::of(" \t."));
/// How names end that tell of a secret, or of a manifest.
pub(super) const LAST: Alphabet = Alphabet::of("dstyneDSTYNE");
