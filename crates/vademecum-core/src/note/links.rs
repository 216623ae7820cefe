//! Links between notes: a note that has the id of another one in its text links to it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Note;
use crate::id::NoteId;

/// The notes that one links to, and those that link to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Links {
    /// The notes that its text names, in that order.
    pub to: Vec<NoteId>,
    /// The notes whose texts name it, the oldest first.
    pub from: Vec<NoteId>,
}

/// How the ids of notes begin; hardly any text has it, and each that is listed is looked through.
const SIGN: &str = "note_";
static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(SIGN));

/// The note ids that stand in `text`, each once, in their order.
#[must_use]
pub fn named(text: &str) -> Vec<NoteId> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut ids = Vec::new();
    for at in FINDER.find_iter(text.as_bytes()) {
        let rest = &text[at + SIGN.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_whole = !text[..at].ends_with(is_of_word) && !rest[digits..].starts_with(is_of_word);
        let id = text[at..at + SIGN.len() + digits].parse::<NoteId>();
        if let Some(id) = id.ok().filter(|id| is_whole && !ids.contains(id)) {
            ids.push(id);
        }
    }
    ids
}

impl Note {
    /// The other notes that its text names, whether they are there or not.
    #[must_use]
    pub fn named(&self) -> Vec<NoteId> {
        let mut ids = named(self.content.as_str());
        ids.retain(|id| *id != self.id);
        ids
    }
}

/// The links among all notes of a session, by note; those without any are left out.
#[must_use]
pub fn among(notes: &[Note]) -> BTreeMap<NoteId, Links> {
    let none_else = |_| Ok::<_, Infallible>(false);
    among_and(notes, none_else).unwrap_or_else(|never| match never {})
}

/// The same of some notes, with their links to others that `is_there` knows of.
pub fn among_and<E>(
    notes: &[Note],
    mut is_there: impl FnMut(NoteId) -> Result<bool, E>,
) -> Result<BTreeMap<NoteId, Links>, E> {
    let mut links: BTreeMap<NoteId, Links> = BTreeMap::new();
    let naming = notes.iter().map(|note| (note.id, note.named()));
    let mut naming: Vec<_> = naming.filter(|(_, ids)| !ids.is_empty()).collect();
    if naming.is_empty() {
        return Ok(links);
    }
    naming.sort_unstable();
    let mut sorted: Vec<NoteId> = notes.iter().map(|note| note.id).collect();
    sorted.sort_unstable();
    for (from, ids) in naming {
        for to in ids {
            let is_among = sorted.binary_search(&to).is_ok();
            if is_among {
                links.entry(to).or_default().from.push(from);
            }
            if is_among || is_there(to)? {
                links.entry(from).or_default().to.push(to);
            }
        }
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ids: &[i64]) {
        assert_eq!(named(text), ids.iter().copied().map(NoteId).collect::<Vec<_>>(), "{text}");
    }

    #[test]
    fn an_id_in_a_text_is_a_link() {
        check("see note_12, (note_7) and note_12.", &[12, 7]);
        check("note_3", &[3]);
        check("footnote_3 note_3a note_ note_x my_note_4 note_5_6", &[]);
        check("note_99999999999999999999", &[]);
        check("näheres: »note_8«", &[8]);
    }
}
