//! Candidates for a search: found by hashed keys, within the limits of the other engines, so that all hand over the same.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::id::NoteId;
use vademecum_core::note::Note;
use vademecum_core::search::{Count, Query, Stats};
use vademecum_core::session::SessionKey;
use vademecum_store::{Candidates, NoteFilter, StoreError};

use crate::notes::{self, COLUMNS, conditions, hashed};
use crate::sessions;
use crate::snapshot::{Rows, Snapshot};
use crate::statement::{Statement, Value, column};

/// So many of the newest notes with a word are looked at; a word in more of them says little.
const PER_TERM: usize = 500;

/// So many of the newest notes with all trigrams of the query are looked at.
const PER_LITERAL: usize = 100;

/// So many trigrams find the text of a name among notes.
const FEW_GRAMS: usize = 4;

/// So many of the newest notes are looked at whatever they hold: in a small session, all of them.
const NEWEST: usize = 600;

/// So many of the newest notes are walked before the index is asked.
///
/// The index gives all notes with a word before any is put in order: for a common one that is most of a session.
const WALKED: i64 = 5_000;

/// Finds what might match a query.
pub(crate) fn candidates(
    view: &Snapshot<'_>,
    key: &SessionKey,
    query: &Query,
    filter: &NoteFilter,
) -> Result<Candidates, StoreError> {
    let n_notes = sessions::card(view, key)?.counts.notes;
    let Some(session) = view.find_session(key)? else { return Ok(Candidates::default()) };
    let mut found = Found { view, session, filter, taken: BTreeSet::new() };
    if let Some((counts, notes)) = found.single(query)? {
        return Ok(Candidates { notes, stats: Stats { n_notes, found: counts } });
    }
    let (counts, is_enough) = found.several(query)?;
    let newest = (!is_enough).then(|| newest(key, filter));
    let notes = found.notes(newest)?;
    Ok(Candidates { notes, stats: Stats { n_notes, found: counts } })
}

fn newest(key: &SessionKey, filter: &NoteFilter) -> Statement {
    notes::listed(key, filter, NEWEST)
}

type Ids = BTreeSet<NoteId>;

/// What a query of one name finds: how many have each word, and the notes.
type Single = (Vec<Count>, Vec<Note>);

struct Found<'a> {
    view: &'a Snapshot<'a>,
    session: i64,
    filter: &'a NoteFilter,
    taken: Ids,
}

impl Found<'_> {
    /// The notes with the one name that is the query; none where there are none or many.
    fn single(&mut self, query: &Query) -> Result<Option<Single>, StoreError> {
        let Some(at) = query.single() else { return Ok(None) };
        let term = &query.terms[at];
        let mut first = self.first_and_longer(query, at)?;
        let n = first.0.len();
        let mut notes = if n == PER_TERM { Vec::new() } else { self.passing_of(&first.0)? };
        if notes.is_empty() {
            self.taken.clear();
            return Ok(None);
        }
        if !term.is_pair() {
            let known: Ids = notes.iter().map(|note| note.id).collect();
            first.1.retain(|id| !known.contains(id));
            notes.extend(self.passing_of(&first.1)?);
        }
        let mut counts = vec![Count::default(); query.terms.len()];
        counts[at] = Count { n: n as u64, saturated: false };
        Ok(Some((counts, notes)))
    }

    /// The newest notes with a name, and those with longer names that hold it; not filtered, but for the last look.
    fn first_and_longer(
        &self,
        query: &Query,
        at: usize,
    ) -> Result<(Vec<NoteId>, Vec<NoteId>), StoreError> {
        let needed: Vec<&String> = query.needed().collect();
        let mut asked = vec![self.having(&[&query.terms[at].key], PER_TERM, false)];
        if 1 < needed.len() {
            asked.push(self.having(&needed, PER_TERM, false));
        } else if let Some(literal) = &query.literal {
            let step = literal.grams.len().div_ceil(FEW_GRAMS).max(1);
            let few: Vec<&String> = literal.grams.iter().step_by(step).collect();
            asked.push(self.having(&few, PER_LITERAL, true));
        }
        let mut found = self.ids(&asked)?.into_iter();
        let (first, mut longer) =
            (found.next().unwrap_or_default(), found.next().unwrap_or_default());
        if 1 < needed.len() && longer.len() == PER_TERM && !query.terms[at].is_pair() {
            let passing = self.ids(&[self.having(&needed, PER_TERM, true)])?;
            longer.extend(passing.into_iter().flatten());
        }
        Ok((first, longer))
    }

    /// Takes the newest notes with each word, with all common words, and with the text of the query.
    ///
    /// Whether these are enough without the newest of all.
    fn several(&mut self, query: &Query) -> Result<(Vec<Count>, bool), StoreError> {
        let each = query.terms.iter().map(|term| self.having(&[&term.key], PER_TERM, true));
        let mut asked: Vec<Statement> = each.collect();
        if let Some(literal) = &query.literal {
            asked.push(self.having(&literal.grams.iter().collect::<Vec<_>>(), PER_LITERAL, true));
        }
        let mut found = self.ids(&asked)?;
        let literal = found.split_off(query.terms.len());
        self.taken.extend(literal.into_iter().flatten());
        let mut counts = Vec::with_capacity(query.terms.len());
        let (mut common, mut of_common): (Vec<&String>, Ids) = Default::default();
        for (term, ids) in query.terms.iter().zip(found) {
            let saturated = ids.len() == PER_TERM;
            counts.push(Count { n: ids.len() as u64, saturated });
            if saturated {
                common.push(&term.key);
                of_common.extend(ids);
            } else {
                self.taken.extend(ids);
            }
        }
        // So many notes with all common words leave no room for those with one of them.
        let mut is_enough = false;
        if 1 < common.len() {
            let all = self.ids(&[self.having(&common, PER_TERM, true)])?;
            is_enough = all.iter().any(|ids| ids.len() == PER_TERM);
            self.taken.extend(all.into_iter().flatten());
        }
        if !is_enough {
            self.taken.extend(of_common);
        }
        Ok((counts, is_enough))
    }

    /// The newest notes that have all of these keys, with the filter asked or not; none without keys.
    fn having(&self, keys: &[&String], n_most: usize, is_filtered: bool) -> Statement {
        let hashes = keys.iter().map(|key| hashed(self.session, key)).collect();
        let n_most = i64::try_from(n_most).unwrap_or(i64::MAX);
        let mut values =
            vec![self.session.into(), Value::Ints(hashes), n_most.into(), WALKED.into()];
        let filter = if is_filtered { conditions(self.filter, &mut values) } else { String::new() };
        // The second part runs only where the first did not find enough, and there is more than was walked.
        let sql = format!(
            "WITH walked AS MATERIALIZED (
                 SELECT id, place, note.keys @> $2 AND true{filter} AS fits FROM note
                 WHERE session = $1 ORDER BY place DESC LIMIT $4),
             near AS MATERIALIZED (
                 SELECT id, place FROM walked WHERE fits ORDER BY place DESC LIMIT $3),
             far AS MATERIALIZED (
                 SELECT id, place FROM note
                 WHERE (SELECT count(*) FROM near) < $3 AND (SELECT count(*) FROM walked) = $4
                     AND session = $1 AND place < (SELECT min(place) FROM walked)
                     AND note.keys @> $2{filter})
             SELECT id FROM (SELECT * FROM near UNION ALL SELECT * FROM far) AS found
             WHERE 0 < cardinality($2) ORDER BY place DESC LIMIT $3"
        );
        Statement::new(sql, values)
    }

    fn ids(&self, asked: &[Statement]) -> Result<Vec<Vec<NoteId>>, StoreError> {
        let all = self.view.ask_all(asked)?;
        let ids = |rows: Rows| {
            rows.iter().map(|row| column(row, 0).map(NoteId)).collect::<Result<Vec<_>, _>>()
        };
        all.into_iter().map(ids).collect()
    }

    fn with_ids(&self, ids: impl Iterator<Item = NoteId>) -> Statement {
        let ids = Value::Ints(ids.map(|id| id.0).collect());
        let sql = format!("SELECT {COLUMNS} FROM note WHERE session = $1 AND id = ANY ($2)");
        Statement::new(sql, vec![self.session.into(), ids])
    }

    /// Those of these notes that the filter lets through.
    fn passing_of(&self, ids: &[NoteId]) -> Result<Vec<Note>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.view.ask(self.with_ids(ids.iter().copied()))?;
        let mut notes = rows.iter().map(notes::note).collect::<Result<Vec<_>, _>>()?;
        notes.retain(|note| self.filter.lets_through(note));
        Ok(notes)
    }

    /// The notes that were taken, and those of `also`.
    fn notes(&self, also: Option<Statement>) -> Result<Vec<Note>, StoreError> {
        let mut asked = Vec::from_iter(also);
        asked.push(self.with_ids(self.taken.iter().copied()));
        let mut notes = BTreeMap::new();
        for row in self.view.ask_all(&asked)?.iter().flat_map(|rows| rows.iter()) {
            let note = notes::note(row)?;
            notes.insert(note.id, note);
        }
        Ok(notes.into_values().collect())
    }
}
