//! The index of documents: opaque tokens, and what has them.

use std::cmp::Reverse;
use std::sync::Arc;

use rusqlite::{Connection, Params, params};
use vademecum_core::note::Note;
use vademecum_core::search::{self, Keys};
use vademecum_core::session::SessionKey;
use vademecum_store::{Document, Hits, KeySet, NoteFilter, StoreError};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::{Port, unreadable};
use crate::names::SessionRow;
use crate::numbers::{self, Order};
use crate::sessions::limit;
use crate::{documents, notes};

/// So many documents wait at most before they go into the index together, which costs little more than one of them.
const SLICE: u32 = 16;

/// So many are taken in together at most: where notes were copied, more may wait.
const MOST: u32 = 64;

/// So many leaves of the index are merged in one write at most; a merge goes on where it stopped.
///
/// Each slice is written once more for each level of merges that it goes through, about one for each fourfold number of
/// notes: this is enough for all levels of a million. A step costs some 20 pages beside what it writes, so that fewer leaves a
/// step make more pages in all: 8.0 an add with 160, 8.4 with 96, 8.6 with 64, over 3,000 adds.
const MERGE: u32 = 160;

/// Up to this order numbers are known; a later program's documents wait for it, and stay where they are.
const KNOWN: &str = "(number >> 25 & 7) <= 5";

/// What a token stands for; the same text as a word and as a tag are two tokens.
#[derive(Clone, Copy)]
enum Sort {
    Word,
    Tag,
    Open,
}

/// 40 bits of the hash of a key.
pub(crate) type Token = [u8; 5];

fn hashed(seed: u64, sort: Sort, key: &str) -> Token {
    let hash = xxh3_64_with_seed(key.as_bytes(), seed << 2 | sort as u64);
    *hash.to_le_bytes().first_chunk().expect("a hash has 8 bytes")
}

/// The token of a word in a project whose words are hashed with this.
pub(crate) fn word(search: i64, key: &str) -> Token {
    hashed(search.cast_unsigned(), Sort::Word, key)
}

/// What the keys of a session are hashed with, or those of a project's entries.
#[derive(Clone, Copy)]
struct Seeds {
    session: SessionRow,
    /// Its project's, so that one set of words serves all its sessions, and those of no other project.
    project: u64,
}

impl Seeds {
    fn of(connection: &Connection, session: SessionRow) -> Result<Self, StoreError> {
        Self::by(connection, session, "SELECT search FROM session WHERE id = ?1")
    }

    /// What the keys of a document are hashed with.
    fn of_number(connection: &Connection, number: i64) -> Result<Self, StoreError> {
        let sql = match Order::of(number) {
            Some(Order::Entries) => "SELECT search FROM project WHERE id = ?1",
            _ => "SELECT search FROM session WHERE id = ?1",
        };
        Self::by(connection, numbers::session(number), sql)
    }

    fn by(connection: &Connection, session: SessionRow, sql: &str) -> Result<Self, StoreError> {
        let mut query = connection.prepare_cached(sql).port()?;
        let search: i64 = query.query_row([session.0], |row| row.get(0)).port()?;
        Ok(Self { session, project: search.cast_unsigned() })
    }

    /// Of what most notes of a project have, each session has a token of its own.
    fn token(self, sort: Sort, key: &str) -> Token {
        let seed = match sort {
            Sort::Word => self.project,
            Sort::Tag | Sort::Open => self.session.0.cast_unsigned(),
        };
        hashed(seed, sort, key)
    }

    /// The tokens of a note in their order, in which each is found fast while the note waits.
    fn tokens(self, note: &Note) -> Vec<Token> {
        let mut tokens = self.words(&search::keys(note.content.as_str(), note.tags.as_slice()));
        tokens.extend(note.tags.as_slice().iter().map(|tag| self.token(Sort::Tag, tag)));
        if !note.is_scratched() {
            tokens.push(self.token(Sort::Open, ""));
        }
        tokens.sort_unstable();
        tokens
    }

    /// The tokens of the words of a document.
    fn words(self, keys: &Keys) -> Vec<Token> {
        let words = keys.words.iter().chain(&keys.grams);
        words.map(|word| self.token(Sort::Word, word)).collect()
    }

    /// The tokens of what passes the filter.
    fn narrow(self, filter: &NoteFilter) -> Vec<Token> {
        let tags = filter.tags.iter().map(|tag| self.token(Sort::Tag, tag));
        let open = (!filter.include_scratched).then(|| self.token(Sort::Open, ""));
        tags.chain(open).collect()
    }
}

/// Writes a token as the index has it: 8 letters or digits.
fn write(token: Token, out: &mut String) {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut bits = token.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    for _ in 0..8 {
        let digit = usize::try_from(bits & 31).expect("five bits fit a usize");
        out.push(char::from(DIGITS[digit]));
        bits >>= 5;
    }
}

fn written(tokens: impl Iterator<Item = Token>, between: &str) -> String {
    let mut text = String::new();
    for token in tokens {
        if !text.is_empty() {
            text.push_str(between);
        }
        write(token, &mut text);
    }
    text
}

/// Lets a note wait for the index; whoever makes a slice full takes it in, in the same transaction.
pub(crate) fn add(connection: &Connection, number: i64, note: &Note) -> Result<(), StoreError> {
    let sql = "INSERT INTO waiting (number, keys) VALUES (?1, ?2)";
    let keys = Seeds::of(connection, numbers::session(number))?.tokens(note).concat();
    connection.prepare_cached(sql).port()?.execute(params![number, keys]).port()?;
    take_in_if_full(connection)
}

fn take_in_if_full(connection: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM waiting LIMIT 1 OFFSET ?1";
    let is_full = connection.prepare_cached(sql).port()?.exists([SLICE - 1]).port()?;
    if is_full { take_in(connection, MOST) } else { Ok(()) }
}

/// Lets a document that is no note wait for the index as it is now; what it was is found no more.
///
/// Its keys are made when they are needed: a page is often written again before.
pub(crate) fn renew(connection: &Connection, number: i64) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO waiting (number, keys) VALUES (?1, NULL)";
    if connection.prepare_cached(sql).port()?.execute([number]).port()? == 0 {
        return Ok(());
    }
    let sql = "DELETE FROM document_index WHERE rowid = ?1";
    connection.prepare_cached(sql).port()?.execute([number]).port()?;
    take_in_if_full(connection)
}

/// The same for a text that is long: it goes into the index at once.
///
/// While it waits each search makes its keys anew, and whoever makes a slice full those of up to 15 more.
pub(crate) fn renew_long(connection: &Connection, number: i64) -> Result<(), StoreError> {
    forget(connection, number)?;
    let sql = "INSERT INTO document_index (rowid, tokens) VALUES (?1, ?2)";
    let tokens = written(tokens(connection, number)?.into_iter(), " ");
    connection.prepare_cached(sql).port()?.execute(params![number, tokens]).port()?;
    merge(connection, 1)
}

/// Takes a document out of the index, or of those that wait for it; whether the index had it.
pub(crate) fn forget(connection: &Connection, number: i64) -> Result<bool, StoreError> {
    let sql = "DELETE FROM waiting WHERE number = ?1";
    if connection.prepare_cached(sql).port()?.execute([number]).port()? != 0 {
        return Ok(false);
    }
    let sql = "DELETE FROM document_index WHERE rowid = ?1";
    connection.prepare_cached(sql).port()?.execute([number]).port()?;
    Ok(true)
}

/// Merges parts of the index after a write that added or changed so many notes: in the middle between two slices.
///
/// Who takes a slice in writes enough pages as it is.
pub(crate) fn tend(connection: &Connection, n_notes: usize) -> Result<(), StoreError> {
    let n_notes = u32::try_from(n_notes).unwrap_or(u32::MAX / 2);
    let sql = "SELECT count(*) FROM waiting";
    let mut query = connection.prepare_cached(sql).port()?;
    let n_waiting: u32 = query.query_row([], |row| row.get(0)).port()?;
    let is_middle = (SLICE / 2..SLICE / 2 + n_notes).contains(&n_waiting);
    if is_middle || SLICE <= n_notes { merge(connection, n_notes) } else { Ok(()) }
}

/// Merges as much as the slices of so many notes let come together.
pub(crate) fn merge(connection: &Connection, n_notes: u32) -> Result<(), StoreError> {
    let sql = "INSERT INTO document_index (document_index, rank) VALUES ('merge', ?1)";
    let n = MERGE.saturating_mul(n_notes.div_ceil(SLICE)).min(1 << 24);
    connection.prepare_cached(sql).port()?.execute([n]).port().map(drop)
}

/// Takes the first documents that wait into the index, and counts the tags of notes.
pub(crate) fn take_in(connection: &Connection, n_most: u32) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {}, waiting.number, waiting.keys
         FROM waiting LEFT JOIN note USING (number) WHERE {KNOWN} ORDER BY waiting.number LIMIT ?1",
        notes::COLUMNS
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let sql = "INSERT INTO document_index (rowid, tokens) VALUES (?1, ?2)";
    let mut insert = connection.prepare_cached(sql).port()?;
    let mut rows = query.query([n_most]).port()?;
    let mut last = 0;
    while let Some(row) = rows.next().port()? {
        let number = row.get(6).port()?;
        let keys = row.get_ref(7).port()?.as_blob_or_null();
        let tokens = match keys.map_err(|error| unreadable(7, error)).port()? {
            Some(keys) => written(keys.as_chunks().0.iter().copied(), " "),
            None => written(tokens(connection, number)?.into_iter(), " "),
        };
        insert.execute(params![number, tokens]).port()?;
        if Order::of(number).is_some_and(Order::is_of_notes) {
            notes::add_tags(connection, numbers::session(number), &notes::note(row).port()?)?;
        }
        last = number;
    }
    let sql = format!("DELETE FROM waiting WHERE number <= ?1 AND {KNOWN}");
    connection.prepare_cached(&sql).port()?.execute([last]).port().map(drop)
}

/// The tokens of a document, in their order.
fn tokens(connection: &Connection, number: i64) -> Result<Vec<Token>, StoreError> {
    let seeds = Seeds::of_number(connection, number)?;
    match Order::of(number) {
        Some(order) if order.is_of_notes() => {
            Ok(seeds.tokens(&notes::by_number(connection, number)?))
        }
        Some(order) => {
            let mut tokens = seeds.words(&documents::keys_of(connection, number, order)?);
            tokens.sort_unstable();
            Ok(tokens)
        }
        None => Ok(Vec::new()),
    }
}

/// Takes a note out of the index and of those that wait for it.
pub(crate) fn remove(connection: &Connection, number: i64, note: &Note) -> Result<(), StoreError> {
    if forget(connection, number)? {
        notes::drop_tags(connection, numbers::session(number), note)
    } else {
        Ok(())
    }
}

/// The notes of a session that wait, whose tags are in no count.
pub(crate) fn waiting(
    connection: &Connection,
    session: SessionRow,
) -> Result<Vec<Note>, StoreError> {
    let sql = format!(
        "SELECT {} FROM waiting CROSS JOIN note USING (number) WHERE waiting.number BETWEEN ?1 AND ?2",
        notes::COLUMNS
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map(numbers::notes(session), notes::note).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

/// The notes that have the tags of a filter, or are open, in the order of lists.
///
/// Those that were moved out of that order stand behind each other in another one: all of them are looked at.
pub(crate) fn listed(
    connection: &Connection,
    session: SessionRow,
    filter: &NoteFilter,
    n_most: usize,
) -> Result<Vec<Note>, StoreError> {
    let seeds = Seeds::of(connection, session)?;
    // To pass over a few scratched notes costs less than to look up which are open.
    let asks_open =
        filter.tags.is_empty() || notes::is_mostly_scratched(connection, session, filter)?;
    let tokens = seeds.narrow(&NoteFilter { include_scratched: !asks_open, ..filter.clone() });
    let (listed, moved) =
        (numbers::range(session, Order::Listed), numbers::range(session, Order::Moved));
    let n_listed = if filter.by_id || filter.after.is_some() { 0 } else { n_most };
    let mut found = indexed(connection, &tokens, listed, n_listed)?;
    if n_listed != 0 && found.iter().any(|(note, _)| !filter.lets_through(note)) {
        let n_listed = n_listed + notes::FEW_SCRATCHED as usize;
        found = indexed(connection, &tokens, listed, n_listed)?;
    }
    found.extend(indexed(connection, &tokens, moved, 0)?);
    let found = found.into_iter().map(|(note, _)| note);
    let mut found: Vec<Note> = found.chain(waiting(connection, session)?).collect();
    found.retain(|note| filter.lets_through(note));
    notes::order(&mut found, filter, n_most);
    Ok(found)
}

/// The newest notes of a range of numbers that the index has under all these tokens, with their numbers.
fn indexed(
    connection: &Connection,
    tokens: &[Token],
    (first, last): (i64, i64),
    n_most: usize,
) -> Result<Vec<(Note, i64)>, StoreError> {
    let sql = format!(
        "SELECT {}, number FROM document_index CROSS JOIN note ON number = document_index.rowid
         WHERE document_index MATCH ?1 AND document_index.rowid BETWEEN ?2 AND ?3
         ORDER BY document_index.rowid DESC LIMIT ?4",
        notes::COLUMNS
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let values = params![all(tokens), first, last, limit(n_most)];
    let rows = query.query_map(values, |row| Ok((notes::note(row)?, row.get(6)?))).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

/// What a session's notes are looked up with: of one snapshot it is read once.
pub(crate) struct Lookup {
    seeds: Seeds,
    key: Arc<SessionKey>,
    waiting: Vec<(i64, Vec<u8>)>,
}

impl Lookup {
    pub(crate) fn of(
        connection: &Connection,
        session: SessionRow,
        key: &SessionKey,
    ) -> Result<Self, StoreError> {
        let (seeds, key) = (Seeds::of(connection, session)?, Arc::new(key.clone()));
        let (first, last) = numbers::notes(session);
        let which = "WHERE number BETWEEN ?1 AND ?2";
        Ok(Self { seeds, key, waiting: all_waiting(connection, which, [first, last])? })
    }

    pub(crate) fn is_of(&self, session: SessionRow) -> bool {
        self.seeds.session.0 == session.0
    }

    /// For each set the notes that have its keys and pass the filter.
    pub(crate) fn hits(
        &self,
        connection: &Connection,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError> {
        let narrow = self.seeds.narrow(filter);
        let hits = |set: &KeySet<'_>| {
            if set.keys.is_empty() {
                return Ok(Hits::default());
            }
            let words = set.keys.iter().map(|key| self.seeds.token(Sort::Word, key));
            let tokens: Vec<Token> = words.chain(narrow.iter().copied()).collect();
            if set.is_rare && self.holds(connection, &tokens, set.most)? {
                return Ok(Hits { documents: Vec::new(), n: set.most });
            }
            let notes = self.matching(connection, &tokens, set.most)?.into_iter();
            let documents = notes.map(|note| Document::Note(Arc::clone(&self.key), note));
            let documents: Vec<Document> = documents.collect();
            Ok(Hits { n: documents.len(), documents })
        };
        sets.iter().map(hits).collect()
    }

    /// The numbers that wait and have all these tokens, newest first.
    fn waits(&self, tokens: &[Token]) -> Vec<i64> {
        let having = self.waiting.iter().filter(|(_, keys)| has_all(keys, tokens));
        having.map(|(number, _)| *number).collect()
    }

    /// Whether `n_least` notes have all these tokens.
    fn holds(
        &self,
        connection: &Connection,
        tokens: &[Token],
        n_least: usize,
    ) -> Result<bool, StoreError> {
        let Some(n_others) = n_least.checked_sub(1 + self.waits(tokens).len()) else {
            return Ok(true);
        };
        let sql = "SELECT 1 FROM document_index WHERE document_index MATCH ?1
                       AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT 1 OFFSET ?4";
        let (first, last) = numbers::notes(self.seeds.session);
        let values = params![all(tokens), first, last, limit(n_others)];
        connection.prepare_cached(sql).port()?.exists(values).port()
    }

    /// The newest notes of the session that have all these tokens.
    fn matching(
        &self,
        connection: &Connection,
        tokens: &[Token],
        n_most: usize,
    ) -> Result<Vec<Note>, StoreError> {
        let mut found = Vec::new();
        for number in self.waits(tokens) {
            found.push((notes::by_number(connection, number)?, number));
        }
        let n_waiting = found.len();
        let range = numbers::notes(self.seeds.session);
        found.extend(indexed(connection, tokens, range, n_most)?);
        if n_waiting != 0 {
            found.sort_by_key(|(_, number)| Reverse(*number));
            found.truncate(n_most);
        }
        Ok(found.into_iter().map(|(note, _)| note).collect())
    }
}

/// Whether a document that waits has all these tokens.
pub(crate) fn has_all(keys: &[u8], tokens: &[Token]) -> bool {
    let keys: &[Token] = keys.as_chunks().0;
    tokens.iter().all(|token| keys.binary_search(token).is_ok())
}

/// The numbers that wait with their tokens, the highest first; what was copied, or is no note, waits without them.
pub(crate) fn all_waiting(
    connection: &Connection,
    which: &str,
    values: impl Params,
) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
    let sql = format!("SELECT number, keys FROM waiting {which} ORDER BY number DESC");
    let mut query = connection.prepare_cached(&sql).port()?;
    let mut rows = query.query(values).port()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().port()? {
        let (number, keys): (_, Option<Vec<u8>>) = (row.get(0).port()?, row.get(1).port()?);
        let keys = match keys {
            Some(keys) => keys,
            None => tokens(connection, number)?.concat(),
        };
        found.push((number, keys));
    }
    Ok(found)
}

/// What the index is asked for what has all these tokens.
pub(crate) fn all(tokens: &[Token]) -> String {
    written(tokens.iter().copied(), " AND ")
}
