//! Which facts a text came to, for runs and lines that come up again: files are read more than once.

use std::hash::Hasher;

use super::FactId;
use super::quick::Quick;

/// How many texts are remembered; of those that meet in one place the two newest.
const PLACES: usize = 4_096;

/// A text of at most `LONGEST` bytes with at most `FACTS` facts.
#[derive(Debug, Clone, Copy)]
struct Slot<const LONGEST: usize, const FACTS: usize> {
    text: [u8; LONGEST],
    /// How long the text is; 0 if there is none.
    len: u8,
    n_facts: u8,
    facts: [FactId; FACTS],
}

/// The texts so far, each with its facts in the order they stand.
#[derive(Debug, Default)]
pub(super) struct Met<const LONGEST: usize, const FACTS: usize> {
    slots: Vec<[Slot<LONGEST, FACTS>; 2]>,
}

impl<const LONGEST: usize, const FACTS: usize> Met<LONGEST, FACTS> {
    /// The facts of a text, and how many they are; nothing if it is not known.
    pub(super) fn find(&self, text: &str) -> Option<([FactId; FACTS], usize)> {
        if LONGEST < text.len() {
            return None;
        }
        let both = self.slots.get(place(text))?;
        let is_same = |slot: &&Slot<LONGEST, FACTS>| {
            usize::from(slot.len) == text.len() && slot.text[..text.len()] == *text.as_bytes()
        };
        let slot = both.iter().find(is_same)?;
        Some((slot.facts, usize::from(slot.n_facts)))
    }

    /// Remembers the facts of a text, unless it is longer or has more of them than there is room for.
    pub(super) fn keep(&mut self, text: &str, facts: &[FactId]) {
        if LONGEST < text.len() || FACTS < facts.len() {
            return;
        }
        let (Ok(len), Ok(n_facts)) = (u8::try_from(text.len()), u8::try_from(facts.len())) else {
            return;
        };
        if self.slots.is_empty() {
            let none = Slot { text: [0; LONGEST], len: 0, n_facts: 0, facts: [0; FACTS] };
            self.slots = vec![[none; 2]; PLACES];
        }
        let [slot, older] = &mut self.slots[place(text)];
        *older = *slot;
        (slot.len, slot.n_facts) = (len, n_facts);
        slot.text[..text.len()].copy_from_slice(text.as_bytes());
        slot.facts[..facts.len()].copy_from_slice(facts);
    }

    /// Forgets all: the facts have moved.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }
}

fn place(text: &str) -> usize {
    let mut quick = Quick::default();
    quick.write(text.as_bytes());
    usize::try_from(quick.finish() % PLACES as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_until_all_is_forgotten() {
        let mut met = Met::<8, 2>::default();
        assert_eq!(met.find("a"), None);
        met.keep("a", &[7]);
        met.keep("b", &[]);
        met.keep("too long a text", &[7]);
        met.keep("many", &[1, 2, 3]);
        let found = |met: &Met<8, 2>, text| met.find(text).map(|(facts, n)| facts[..n].to_vec());
        assert_eq!(found(&met, "a"), Some(vec![7]));
        assert_eq!(found(&met, "b"), Some(vec![]));
        assert_eq!((found(&met, "too long a text"), found(&met, "many")), (None, None));
        met.clear();
        assert_eq!(found(&met, "a"), None);
    }
}
