//! Marks by which canaries are known again: words that stand nowhere else in the world.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::Result;
use memchr::memmem;

use crate::torture::chance::Chance;

/// What a mark stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file outside.
    Outside,
    /// The environment, and standard input where nobody was asked to read it.
    Around,
    /// What the same person keeps of another project.
    Kept,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Outside, Self::Around, Self::Kept];

    fn name(self) -> &'static str {
        match self {
            Self::Outside => "a file outside",
            Self::Around => "the environment or standard input",
            Self::Kept => "another project's notes",
        }
    }
}

/// The marks of one seed.
pub(super) struct Marks(Vec<(Kind, String)>);

/// A file is searched in pieces: what is read at once would be counted to every later child.
const PIECE: usize = 256 << 10;

impl Marks {
    pub(super) fn new(chance: &mut Chance) -> Self {
        Self(Kind::ALL.into_iter().map(|kind| (kind, word(chance))).collect())
    }

    /// The mark of this kind.
    pub(super) fn of(&self, kind: Kind) -> &str {
        let found = self.0.iter().find(|(other, _)| *other == kind);
        found.map_or("", |(_, word)| word)
    }

    /// Which of `kinds` stand in `bytes`, and the text around the first.
    pub(super) fn found(&self, bytes: &[u8], kinds: &[Kind]) -> Option<String> {
        self.0.iter().filter(|(kind, _)| kinds.contains(kind)).find_map(|(kind, word)| {
            let at = memmem::find(bytes, word.as_bytes())?;
            let end = bytes.len().min(at + word.len() + 40);
            let around = String::from_utf8_lossy(&bytes[at.saturating_sub(60)..end]).into_owned();
            Some(format!("{}: {around:?}", kind.name()))
        })
    }

    /// The same for a file of any length.
    pub(super) fn in_file(&self, path: &Path, kinds: &[Kind]) -> Result<Option<String>> {
        // What is longer than a few megabytes is a hole of ours, which nobody wrote.
        let mut file = File::open(path)?.take(64 << 20);
        let (mut piece, mut kept) = (vec![0; PIECE], Vec::new());
        loop {
            let n_read = file.read(&mut piece)?;
            if n_read == 0 {
                return Ok(None);
            }
            kept.extend_from_slice(&piece[..n_read]);
            if let Some(found) = self.found(&kept, kinds) {
                return Ok(Some(found));
            }
            // A mark may stand across two pieces.
            kept.drain(..kept.len().saturating_sub(64));
        }
    }
}

/// Eight syllables: no secret by its look, so that no redaction hides that it was read.
fn word(chance: &mut Chance) -> String {
    let mut word = String::new();
    for _ in 0..8 {
        for letters in ["bdfghklmnprstvz", "aeiou"] {
            let at = usize::try_from(chance.below(letters.len() as u64)).unwrap_or(0);
            word.push_str(&letters[at..=at]);
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_wherever_it_stands() {
        let marks = Marks::new(&mut Chance::of(7));
        let file = tempfile::NamedTempFile::new().expect("a file");
        for before in [0, 1, PIECE - 5, PIECE, 3 * PIECE - 1] {
            let text = format!("{}{}", "x".repeat(before), marks.of(Kind::Kept));
            std::fs::write(file.path(), text).expect("a file");
            let found = |kinds: &[Kind]| marks.in_file(file.path(), kinds).expect("a file");
            assert!(found(&[Kind::Kept]).is_some(), "{before}");
            assert_eq!(found(&[Kind::Outside, Kind::Around]), None, "{before}");
        }
    }
}
