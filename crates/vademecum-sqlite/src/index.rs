//! The index of notes: opaque tokens of one session, and the candidates they lead to.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};
use vademecum_core::note::Note;
use vademecum_core::search::{self, Count, Query, Stats};
use vademecum_store::{Candidates, NoteFilter, StoreError};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::Port;
use crate::names::SessionRow;
use crate::{notes, sessions};

/// So many of the newest notes with a word are looked at; a word in more of them says little.
const PER_TERM: usize = 500;

/// So many of the newest notes with all trigrams of the query are looked at.
const PER_LITERAL: usize = 100;

/// So many trigrams find the text of a name among notes; what they find in error is read and dropped.
const FEW_GRAMS: usize = 4;

/// So many of the newest notes are looked at without any index: in a small session, all of them.
const NEWEST: usize = 600;

/// What a token stands for; the same text as a word and as a tag are two tokens.
#[derive(Clone, Copy)]
enum Sort {
    Word,
    Tag,
    Open,
}

/// Writes a key of one session as 8 letters or digits.
fn token(session: SessionRow, sort: Sort, key: &str, out: &mut String) {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut hash = xxh3_64_with_seed(key.as_bytes(), session.0.cast_unsigned() << 2 | sort as u64);
    for _ in 0..8 {
        let digit = usize::try_from(hash & 31).expect("five bits fit a usize");
        out.push(char::from(DIGITS[digit]));
        hash >>= 5;
    }
}

pub(crate) fn add(
    connection: &Connection,
    session: SessionRow,
    row: i64,
    note: &Note,
) -> Result<(), StoreError> {
    let tokens = tokens(session, note);
    let sql = "INSERT INTO document_index (rowid, tokens) VALUES (?1, ?2)";
    connection.prepare_cached(sql).port()?.execute(params![row, tokens]).port()?;
    Ok(())
}

/// Adds every note of a session that has none in the index.
pub(crate) fn add_all(connection: &Connection, session: SessionRow) -> Result<(), StoreError> {
    let sql = format!("SELECT {}, row FROM note WHERE session = ?1 ORDER BY row", notes::COLUMNS);
    let mut query = connection.prepare(&sql).port()?;
    let rows = query.query_map([session.0], |row| Ok((notes::note(row)?, row.get(6)?))).port()?;
    for row in rows {
        let (note, row) = row.port()?;
        add(connection, session, row, &note)?;
    }
    Ok(())
}

fn tokens(session: SessionRow, note: &Note) -> String {
    let keys = search::keys(note.content.as_str(), note.tags.as_slice());
    let mut tokens = String::with_capacity(9 * (keys.words.len() + keys.grams.len() + 6));
    let mut put = |sort, key: &str| {
        token(session, sort, key, &mut tokens);
        tokens.push(' ');
    };
    keys.words.iter().for_each(|word| put(Sort::Word, word));
    keys.grams.iter().for_each(|gram| put(Sort::Word, gram));
    note.tags.as_slice().iter().for_each(|tag| put(Sort::Tag, tag));
    if !note.is_scratched() {
        put(Sort::Open, "");
    }
    tokens
}

pub(crate) fn remove(connection: &Connection, row: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached("DELETE FROM document_index WHERE rowid = ?1")
        .port()?
        .execute([row])
        .port()?;
    Ok(())
}

pub(crate) fn candidates(
    connection: &Connection,
    session: SessionRow,
    query: &Query,
    filter: &NoteFilter,
) -> Result<Candidates, StoreError> {
    let mut found =
        Found { connection, session, filter: narrow(session, filter), notes: BTreeMap::new() };
    let counts = match found.single(query, filter)? {
        Some(counts) => counts,
        None => found.several(query, filter)?,
    };
    let stats = Stats { n_notes: sessions::card(connection, session)?.counts.notes, found: counts };
    Ok(Candidates { notes: found.notes.into_values().collect(), stats })
}

struct Found<'a> {
    connection: &'a Connection,
    session: SessionRow,
    filter: String,
    notes: BTreeMap<i64, Note>,
}

impl Found<'_> {
    /// Takes the notes with the one name that is the query; none where there are none or many.
    ///
    /// Those that hold a part of the name would only come behind them, and cost a hundred times more.
    fn single(
        &mut self,
        query: &Query,
        filter: &NoteFilter,
    ) -> Result<Option<Vec<Count>>, StoreError> {
        let Some(at) = query.single() else { return Ok(None) };
        let n = self.take_all(&word(self.session, &query.terms[at].key), filter)?;
        if self.notes.is_empty() || n == PER_TERM {
            self.notes.clear();
            return Ok(None);
        }
        if !query.terms[at].is_pair() {
            self.longer(query, filter)?;
        }
        let mut counts = vec![Count::default(); query.terms.len()];
        counts[at] = Count { n: n as u64, saturated: false };
        Ok(Some(counts))
    }

    /// Takes the notes with longer names that hold the one name that is the query.
    ///
    /// Those of several parts are found by the parts, one word in a longer one by its letters.
    fn longer(&mut self, query: &Query, filter: &NoteFilter) -> Result<(), StoreError> {
        let needed: Vec<&String> = query.needed().collect();
        if 1 < needed.len() {
            let parts = all_of(self.session, needed);
            if self.take_all(&parts, filter)? == PER_TERM {
                self.take(&parts, PER_TERM)?;
            }
        } else if let Some(literal) = &query.literal {
            let few = literal.grams.iter().step_by(literal.grams.len().div_ceil(FEW_GRAMS).max(1));
            self.take(&all_of(self.session, few), PER_LITERAL)?;
        }
        Ok(())
    }

    /// Takes the newest notes with each word, with all common words, and with the text of the query.
    fn several(&mut self, query: &Query, filter: &NoteFilter) -> Result<Vec<Count>, StoreError> {
        let mut counts = Vec::with_capacity(query.terms.len());
        let mut common = Vec::new();
        for term in &query.terms {
            let word = word(self.session, &term.key);
            let saturated = self.holds(&word, PER_TERM)?;
            let n = if saturated { PER_TERM } else { self.take(&word, PER_TERM)? };
            counts.push(Count { n: n as u64, saturated });
            if saturated {
                common.push(word);
            }
        }
        // So many notes with all common words leave no room for those with one of them.
        let is_enough = 1 < common.len() && self.take(&common.join(" AND "), PER_TERM)? == PER_TERM;
        if !is_enough {
            for word in &common {
                self.take(word, PER_TERM)?;
            }
        }
        if let Some(literal) = &query.literal {
            self.take(&all_of(self.session, &literal.grams), PER_LITERAL)?;
        }
        if !is_enough {
            for note in notes::by(self.connection, self.session, filter, NEWEST)? {
                self.notes.insert(note.id.0, note);
            }
        }
        Ok(counts)
    }

    /// Whether `n_least` notes match the expression.
    fn holds(&self, expression: &str, n_least: usize) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM document_index WHERE document_index MATCH ?1
                   ORDER BY rowid DESC LIMIT 1 OFFSET ?2";
        let expression = format!("({expression}){}", self.filter);
        let offset = crate::sessions::limit(n_least.saturating_sub(1));
        self.connection.prepare_cached(sql).port()?.exists(params![expression, offset]).port()
    }

    /// Takes those of the newest notes with these words that pass the filter; how many it looked at.
    ///
    /// Of few notes, to look at each is cheaper than to look the filter up.
    fn take_all(&mut self, words: &str, filter: &NoteFilter) -> Result<usize, StoreError> {
        let found = self.matching(words, PER_TERM)?;
        let n = found.len();
        let passes = |note: &Note| {
            let has = |tag: &String| note.tags.as_slice().contains(tag);
            (filter.include_scratched || !note.is_scratched()) && filter.tags.iter().all(has)
        };
        self.notes.extend(found.into_iter().filter(passes).map(|note| (note.id.0, note)));
        Ok(n)
    }

    /// Takes the newest notes that the expression matches; how many these are.
    fn take(&mut self, expression: &str, n_most: usize) -> Result<usize, StoreError> {
        if expression.is_empty() {
            return Ok(0);
        }
        let found = self.matching(&format!("({expression}){}", self.filter), n_most)?;
        let n = found.len();
        self.notes.extend(found.into_iter().map(|note| (note.id.0, note)));
        Ok(n)
    }

    /// The newest notes of the session that the expression matches.
    fn matching(&self, expression: &str, n_most: usize) -> Result<Vec<Note>, StoreError> {
        let sql = format!(
            "SELECT {} FROM document_index CROSS JOIN note ON note.row = document_index.rowid
             WHERE document_index MATCH ?1 AND note.session = ?2
             ORDER BY document_index.rowid DESC LIMIT ?3",
            notes::COLUMNS
        );
        let mut query = self.connection.prepare_cached(&sql).port()?;
        let limit = crate::sessions::limit(n_most);
        let rows =
            query.query_map(params![expression, self.session.0, limit], notes::note).port()?;
        rows.collect::<rusqlite::Result<_>>().port()
    }
}

/// The part of an expression that keeps to the filter.
fn narrow(session: SessionRow, filter: &NoteFilter) -> String {
    let mut part = String::new();
    for tag in &filter.tags {
        part.push_str(" AND ");
        token(session, Sort::Tag, tag, &mut part);
    }
    if !filter.include_scratched {
        part.push_str(" AND ");
        token(session, Sort::Open, "", &mut part);
    }
    part
}

fn word(session: SessionRow, key: &str) -> String {
    let mut expression = String::new();
    token(session, Sort::Word, key, &mut expression);
    expression
}

fn all_of<'a>(session: SessionRow, keys: impl IntoIterator<Item = &'a String>) -> String {
    let words: Vec<String> = keys.into_iter().map(|key| word(session, key)).collect();
    words.join(" AND ")
}
