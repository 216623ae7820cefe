//! The receipt: the last line of a context, from which its delivery is proven in the transcript.

use crate::hash;
use crate::openers::RECEIPT as OPENING;

const N_BYTES: usize = 8;

/// What the last line of a text says about the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seal {
    /// The text is the one that the receipt was made for.
    Whole(String),
    /// The text was changed or cut after the receipt was made.
    Broken(String),
    /// The text ends in no receipt.
    Absent,
}

/// Checks the receipt that `text` ends with.
#[must_use]
pub fn seal(text: &str) -> Seal {
    let at = text.rfind('\n').map_or(0, |at| at + 1);
    let (body, line) = text.split_at(at);
    let digits = line.strip_prefix(OPENING).and_then(|rest| rest.strip_suffix(']'));
    match digits {
        None => Seal::Absent,
        Some(digits) if digits == receipt(body) => Seal::Whole(digits.to_owned()),
        Some(digits) => Seal::Broken(digits.to_owned()),
    }
}

/// The digits for a text that ends in `body`, its last line break included.
pub(super) fn receipt(body: &str) -> String {
    hash::hex(&hash::plain(body.as_bytes()), N_BYTES)
}

/// The line with these digits.
pub(super) fn line(receipt: &str) -> String {
    format!("{OPENING}{receipt}]")
}

/// The room that the line takes with the break before it, in any unit.
pub(super) const ROOM: usize = 1 + OPENING.len() + 2 * N_BYTES + 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proves_the_bytes_before_it() {
        let body = "vade: one\ntwo\n";
        let text = format!("{body}{}", line(&receipt(body)));
        assert_eq!(text.len() + 1, body.len() + ROOM);
        assert_eq!(seal(&text), Seal::Whole(receipt(body)));
        assert_eq!(seal(&text.replace("two", "three")), Seal::Broken(receipt(body)));
        assert_eq!(seal(&text[1..]), Seal::Broken(receipt(body)));
        assert_eq!(seal(body), Seal::Absent);
    }
}
