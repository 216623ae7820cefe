//! What a harness lets through: a number of units, and what it counts.

/// What a harness counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// UTF-16 code units.
    Utf16,
    /// UTF-8 bytes.
    Bytes,
}

/// The most that a harness lets through in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cap {
    /// How many units.
    pub units: usize,
    /// Which units.
    pub unit: Unit,
}

impl Cap {
    /// The smallest cap under which there is always room for a header with faults, in units.
    pub const MIN: usize = 1_500;

    /// How many units `text` takes.
    #[must_use]
    pub fn measure(&self, text: &str) -> usize {
        match self.unit {
            Unit::Bytes => text.len(),
            Unit::Utf16 => utf16_units(text),
        }
    }

    /// The longest start of `text` that takes at most `units`.
    #[must_use]
    pub fn clip<'a>(&self, text: &'a str, units: usize) -> &'a str {
        let mut left = units;
        let over = text.char_indices().find(|(_, c)| {
            let size = match self.unit {
                Unit::Bytes => c.len_utf8(),
                Unit::Utf16 => c.len_utf16(),
            };
            left.checked_sub(size).map(|rest| left = rest).is_none()
        });
        over.map_or(text, |(at, _)| &text[..at])
    }
}

// The units of a character are counted at its first byte; four-byte characters take two.
// Counts of a byte for parts of at most 255 let the compiler take many bytes at once.
fn utf16_units(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let of_four = |part: &[u8]| part.iter().map(|byte| u8::from(0xF0 <= *byte)).sum::<u8>();
    let parts = text.as_bytes().chunks(usize::from(u8::MAX));
    text.chars().count() + parts.map(|part| usize::from(of_four(part))).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, utf16: usize, bytes: usize) {
        for (unit, units) in [(Unit::Utf16, utf16), (Unit::Bytes, bytes)] {
            let cap = Cap { units, unit };
            assert_eq!(cap.measure(text), units);
            assert_eq!(cap.clip(text, units), text);
            assert!(units == 0 || cap.clip(text, units - 1).len() < text.len());
        }
    }

    #[test]
    fn counts_what_the_harness_counts() {
        check("", 0, 0);
        check("abc", 3, 3);
        check("é", 1, 2);
        check("漢字", 2, 6);
        check("😀", 2, 4);
        check("a\u{301}👩\u{200d}👩", 7, 14);
    }
}
