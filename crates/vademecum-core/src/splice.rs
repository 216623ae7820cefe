//! A splice: the one changed stretch between two texts, kept in the journal and undone from it.

use serde::{Deserialize, Serialize};

/// A change of one stretch of a text; its serialised form is kept for ever.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Splice {
    /// Where the stretch starts, in bytes, on a character boundary.
    pub at: usize,
    /// How many bytes go, up to a character boundary.
    pub remove: usize,
    /// What takes their place.
    pub insert: String,
}

/// A splice that was not made for the text it is applied to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    /// It reaches past the end.
    #[error("the splice takes {remove} bytes at {at}, the text has {len}")]
    Outside {
        /// Where the splice starts.
        at: usize,
        /// How many bytes it takes.
        remove: usize,
        /// How many bytes the text has.
        len: usize,
    },
    /// It starts or ends inside a character.
    #[error("the splice cuts a character at byte {at}")]
    Character {
        /// Where the character is cut.
        at: usize,
    },
}

impl Splice {
    /// Finds the smallest splice that turns `old` into `new`.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        let at = floor(old, common_prefix(old.as_bytes(), new.as_bytes()));

        let (old_rest, new_rest) = (&old[at..], &new[at..]);
        let same = common_suffix(old_rest.as_bytes(), new_rest.as_bytes());
        let old_end = ceil(old_rest, old_rest.len() - same);
        let kept = old_rest.len() - old_end;

        Self { at, remove: old_end, insert: new_rest[..new_rest.len() - kept].to_owned() }
    }

    /// Whether the splice leaves every text as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.remove == 0 && self.insert.is_empty()
    }

    /// Makes the change in a copy of `text`.
    pub fn apply(&self, text: &str) -> Result<String, SpliceError> {
        let removed = self.removed(text)?;
        let mut new = String::with_capacity(text.len() - removed.len() + self.insert.len());
        new.push_str(&text[..self.at]);
        new.push_str(&self.insert);
        new.push_str(&text[self.at + removed.len()..]);
        Ok(new)
    }

    /// Gives the splice that leads back to `old`, the text before the change.
    pub fn reverse(&self, old: &str) -> Result<Self, SpliceError> {
        let insert = self.removed(old)?.to_owned();
        Ok(Self { at: self.at, remove: self.insert.len(), insert })
    }

    fn removed<'a>(&self, text: &'a str) -> Result<&'a str, SpliceError> {
        let (at, remove, len) = (self.at, self.remove, text.len());
        let end = at.checked_add(remove).filter(|&end| end <= len);
        let end = end.ok_or(SpliceError::Outside { at, remove, len })?;

        match [at, end].into_iter().find(|&edge| !text.is_char_boundary(edge)) {
            Some(at) => Err(SpliceError::Character { at }),
            None => Ok(&text[at..end]),
        }
    }
}

// Whole blocks are compared at once, so that a page of megabytes costs about a memcmp.
const BLOCK: usize = 4096;

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let start = blocks.take_while(|(a, b)| a == b).count() * BLOCK;
    start + a[start..].iter().zip(&b[start..]).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let end = blocks.take_while(|(a, b)| a == b).count() * BLOCK;
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    end + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

// Texts that are equal up to a boundary of one have a boundary there in both, so one is asked.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, at: usize, remove: usize, insert: &str) {
        let splice = Splice::between(old, new);
        assert_eq!(splice, Splice { at, remove, insert: insert.to_owned() });
        assert_eq!(splice.apply(old).as_deref(), Ok(new));
        let back = splice.reverse(old).and_then(|reverse| reverse.apply(new));
        assert_eq!(back.as_deref(), Ok(old));
    }

    #[test]
    fn finds_the_changed_stretch() {
        check("", "", 0, 0, "");
        check("abc", "abc", 3, 0, "");
        check("abc", "abcd", 3, 0, "d");
        check("abc", "", 0, 3, "");
        check("aa", "aaa", 2, 0, "a");
        check("- [ ] one\n- [ ] two", "- [x] one\n- [ ] two", 3, 1, "x");
    }

    #[test]
    fn cuts_between_characters() {
        // The pairs share their first or their last byte.
        check("é", "è", 0, 2, "è");
        check("a漢b", "a漣b", 1, 3, "漣");
        check("😀!", "😁!", 0, 4, "😁");
        check("\u{104}", "\u{144}", 0, 2, "\u{144}");
    }

    #[test]
    fn an_append_to_a_long_text_is_undone_by_a_few_bytes() {
        let old = "a line of the page\n".repeat(280_000);
        let splice = Splice::between(&old, &format!("{old}- done\n"));
        let expected = Splice { at: old.len(), remove: 0, insert: "- done\n".to_owned() };
        assert_eq!(splice, expected);
        let reverse = Splice { at: old.len(), remove: 7, insert: String::new() };
        assert_eq!(splice.reverse(&old), Ok(reverse));
    }

    #[test]
    fn refuses_a_text_it_was_not_made_for() {
        let splice = Splice { at: 1, remove: 3, insert: String::new() };
        assert_eq!(splice.apply("abc"), Err(SpliceError::Outside { at: 1, remove: 3, len: 3 }));
        assert_eq!(splice.apply("é12"), Err(SpliceError::Character { at: 1 }));
        assert_eq!(splice.reverse("a12é"), Err(SpliceError::Character { at: 4 }));
        let far = Splice { at: usize::MAX, remove: 1, insert: String::new() };
        assert!(far.apply("abc").is_err());
    }

    #[test]
    fn the_kept_form_never_changes() {
        let splice = Splice { at: 3, remove: 1, insert: "x".to_owned() };
        let json = r#"{"at":3,"remove":1,"insert":"x"}"#;
        assert_eq!(serde_json::to_string(&splice).ok().as_deref(), Some(json));
        assert_eq!(serde_json::from_str(json).ok(), Some(splice));
    }

    proptest! {
        #[test]
        fn leads_there_and_back(a in "[ab漢漣é😀]{0,12}", b in "[ab漢漣é😀]{0,12}", n in 0usize..3) {
            let middle = "x漢".repeat(n * 1500);
            for (old, new) in [
                (a.clone(), b.clone()),
                (format!("{middle}{a}"), format!("{middle}{b}")),
                (format!("{a}{middle}"), format!("{b}{middle}")),
            ] {
                let splice = Splice::between(&old, &new);
                prop_assert_eq!(splice.apply(&old), Ok(new.clone()));
                prop_assert_eq!(splice.reverse(&old).and_then(|back| back.apply(&new)), Ok(old));
            }
        }
    }
}
