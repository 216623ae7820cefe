//! Finds which of many words begin at a place, whatever their case, without a table made at run time.

/// How many words may begin with one letter.
const MOST: usize = 28;

/// No word.
const NONE: u8 = u8::MAX;

/// Words by their first letters.
pub(super) struct Index {
    /// One bit for each three letters that a word begins with: few places of a text pass, whatever it holds.
    threes: [u64; 512],
    by_first: [[u8; MOST]; 32],
}

impl Index {
    /// The index of words that the compiler knows; it refuses more of one letter than there is room for.
    pub(super) const fn of<const N: usize>(words: &[&str; N]) -> Self {
        assert!(N < NONE as usize);
        let mut index = Self { threes: [0; 512], by_first: [[NONE; MOST]; 32] };
        let (mut at, mut number) = (0, 0_u8);
        while at < N {
            let word = words[at].as_bytes();
            // Behind a word of two letters anything may stand.
            let (mut third, last) =
                if word.len() == 2 { (0, 31) } else { (word[2] & 31, word[2] & 31) };
            while third <= last {
                let three = three(word[0], word[1], third);
                index.threes[three / 64] |= 1 << (three % 64);
                third += 1;
            }
            let row = &mut index.by_first[(word[0] & 31) as usize];
            let mut place = 0;
            while row[place] != NONE {
                place += 1;
            }
            row[place] = number;
            at += 1;
            number += 1;
        }
        index
    }

    /// The numbers of the words with the first letter of `bytes`: who asks compares them.
    #[inline]
    pub(super) fn candidates(&self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        let row = bytes.first().map_or(&[][..], |first| &self.by_first[usize::from(first & 31)]);
        row.iter().take_while(|number| **number != NONE).map(|number| usize::from(*number))
    }

    /// Whether one of the words may begin at `at`.
    #[inline]
    pub(super) fn begins_one(&self, bytes: &[u8], at: usize) -> bool {
        let Some([first, second, third]) = bytes.get(at..at + 3) else { return false };
        let three = three(*first, *second, *third);
        self.threes[three / 64] >> (three % 64) & 1 == 1
    }
}

/// Three letters as a number; capitals and small letters have the same.
const fn three(first: u8, second: u8, third: u8) -> usize {
    (first & 31) as usize * 1024 + (second & 31) as usize * 32 + (third & 31) as usize
}

/// Whether `bytes` begin with `word`, whatever the case.
#[inline]
pub(super) fn begins(bytes: &[u8], word: &str) -> bool {
    bytes.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

/// The words of a table, by which it is indexed.
macro_rules! words {
    ($table:ident, $field:ident) => {{
        let mut words = [""; $table.len()];
        let mut at = 0;
        while at < $table.len() {
            words[at] = $table[at].$field;
            at += 1;
        }
        words
    }};
}
pub(super) use words;
