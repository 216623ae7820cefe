//! What a project keeps, found by its words: pieces of all that was written, the best first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vademecum_core::entry::{Category, Elsewhere, Line, Said};
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::search::{Count, Hit, Query, Searched, Stats, Tier, keys, rank, weigh};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::{Document, EntryFilter, SessionFilter, StoreError, View, recap_text};

use crate::recaps::Kept;

/// So many pieces of one text are told: more would crowd the others out.
const OF_ONE: usize = 3;

/// A paragraph that is longer is told line by line, and a longer line in parts.
const PARAGRAPH: usize = 400;

/// How much the whole that a piece is of counts beside the piece.
///
/// On two of the ten dialogues of LoCoMo 5 and 6 found the session of an answer best (docs/search.md).
const WHOLE: f32 = 6.0;

/// A document of more bytes is long.
const LONG: usize = 8 * 1024;

/// So many of the long documents are ranked piece by piece.
const N_LONG: usize = 50;

/// Of so many of the best it is looked up whether they hold still.
const LOOKED_UP: usize = 64;

/// What is asked for beside words.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Only of these kinds; none for all.
    pub kinds: Vec<Kind>,
    /// Only what has all of these tags.
    pub tags: Vec<String>,
    /// Only what was written at this time or later.
    pub since: Option<Time>,
    /// Only what was written before this time.
    pub until: Option<Time>,
    /// Whether crossed-out notes are left out.
    pub without_scratched: bool,
    /// Whether what a person keeps for themselves is left out.
    pub without_desk: bool,
}

/// What a piece is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A note.
    Note,
    /// A session's page.
    Page,
    /// What a session left for the next one.
    Handoff,
    /// What was made of a session's transcript.
    Recap,
    /// An entry of this category; none of a later program's.
    Entry(Option<Category>),
}

impl Kind {
    /// All that can be asked for.
    pub const ALL: [Self; 7] = [
        Self::Note,
        Self::Page,
        Self::Handoff,
        Self::Recap,
        Self::Entry(Some(Category::Decision)),
        Self::Entry(Some(Category::Issue)),
        Self::Entry(Some(Category::Learning)),
    ];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Page => "page",
            Self::Handoff => "handoff",
            Self::Recap => "recap",
            Self::Entry(category) => category.map_or("entry", Category::word),
        }
    }

    /// The kind that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    fn of(document: &Document) -> Self {
        match document {
            Document::Note(..) => Self::Note,
            Document::Page(..) => Self::Page,
            Document::Words(..) => Self::Handoff,
            Document::Recap(..) => Self::Recap,
            Document::Entry(entry) => Self::Entry(entry.said.matter.category()),
        }
    }
}

/// A piece of a document.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The project that keeps it.
    pub project: ProjectId,
    /// The document that it is of.
    pub document: Document,
    /// What it is of.
    pub kind: Kind,
    /// The piece.
    pub text: String,
    /// Whether all that was asked for stands in it.
    pub is_whole: bool,
    /// Why it holds no longer; none while it does.
    pub over: Option<Over>,
    /// The branch that an entry was recorded on, where that is another one than here.
    pub elsewhere: Option<Line>,
}

/// Why something holds no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// A note that was crossed out.
    Scratched,
    /// An issue that is gone.
    Resolved,
    /// An entry that this one corrects.
    Superseded(Option<EntryId>),
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The pieces, the best first.
    pub pieces: Vec<Piece>,
    /// Whether there may be more.
    pub has_more: bool,
}

impl Found {
    /// Names the branch of each entry of a project that was recorded on another one, and puts it behind the other entries.
    ///
    /// What answers whole stays before the rest, and what is no entry where it is.
    pub(crate) fn put_behind(&mut self, project: ProjectId, elsewhere: &Elsewhere) {
        for piece in &mut self.pieces {
            if let (true, Document::Entry(entry)) = (piece.project == project, &piece.document) {
                piece.elsewhere = elsewhere.branch(entry).cloned();
            }
        }
        for of in self.pieces.chunk_by_mut(|a, b| a.is_whole == b.is_whole) {
            let is_entry = |piece: &Piece| matches!(piece.document, Document::Entry(_));
            let places: Vec<usize> = (0..of.len()).filter(|at| is_entry(&of[*at])).collect();
            let mut entries: Vec<Piece> = places.iter().map(|at| of[*at].clone()).collect();
            entries.sort_by_key(|it| (it.is_whole && it.over.is_some(), it.elsewhere.is_some()));
            places.iter().zip(entries).for_each(|(at, piece)| of[*at] = piece);
        }
    }
}

/// Finds what projects keep: what has the text as its id, then what answers the query that it is.
pub fn find(
    view: &dyn View,
    projects: &[ProjectId],
    (text, query): (&str, &Query),
    wanted: &Wanted,
) -> Result<Found, StoreError> {
    let mut found = by_words(view, projects, query, wanted)?;
    let mut named = Vec::new();
    for project in projects {
        named.append(&mut by_id(view, *project, text, wanted)?);
    }
    found.pieces.retain(|piece| named.iter().all(|named| named.document != piece.document));
    found.pieces.splice(..0, named);
    Ok(found)
}

fn by_words(
    view: &dyn View,
    projects: &[ProjectId],
    query: &Query,
    wanted: &Wanted,
) -> Result<Found, StoreError> {
    let needed = keys("", &wanted.tags).words;
    let mut found = vec![Count::default(); query.terms.len()];
    let (mut documents, mut of, mut has_more) = (Vec::new(), Vec::new(), false);
    if 1 < projects.len() {
        let ask = |view: &dyn View, id: &ProjectId| view.project_candidates(*id, query, &needed);
        view.expect(&|view| projects.iter().for_each(|id| drop(ask(view, id))));
    }
    for project in projects {
        let candidates = view.project_candidates(*project, query, &needed)?;
        for (all, found) in found.iter_mut().zip(candidates.found) {
            all.n += found.n;
            all.saturated |= found.saturated;
        }
        has_more |= !candidates.is_complete;
        documents.extend(candidates.documents.into_iter().filter(|it| is_wanted(it, wanted)));
        of.resize(documents.len(), *project);
    }
    let mut texts: Vec<Part<'_>> =
        documents.iter().enumerate().flat_map(|(of, it)| texts(it, of)).collect();
    let hits = ranked(query, &mut texts, found);
    let piece = |hit: &Hit| {
        let text = &texts[hit.idx];
        let (document, project) = (documents[text.of].clone(), of[text.of]);
        let (kind, text) = (Kind::of(&document), text.text.clone());
        let is_whole = hit.tier != Tier::SomeTerms;
        Piece { project, document, kind, text, is_whole, over: None, elsewhere: None }
    };
    let mut pieces = told(&hits, &texts).into_iter().map(piece).collect::<Vec<_>>();
    look_up(view, pieces.iter_mut().take(LOOKED_UP).collect())?;
    // Of what answers whole, that goes first which holds still; of the others the one that tells more.
    pieces.sort_by_key(|piece| (!piece.is_whole, piece.is_whole && piece.over.is_some()));
    Ok(Found { pieces, has_more })
}

/// Looks up why each holds no longer.
fn look_up(view: &dyn View, pieces: Vec<&mut Piece>) -> Result<(), StoreError> {
    // What stands in place of one that is over is asked for those few alone.
    view.expect(&|view| {
        for it in &pieces {
            drop(is_in_force(view, it.project, &it.document));
        }
    });
    for piece in pieces {
        piece.over = over(view, piece.project, &piece.document)?;
    }
    Ok(())
}

/// The notes or the entry whose id `text` is, as it is printed beside what was found.
///
/// Sessions number their notes each for itself: two may have one of the same id.
fn by_id(
    view: &dyn View,
    project: ProjectId,
    text: &str,
    wanted: &Wanted,
) -> Result<Vec<Piece>, StoreError> {
    let mut documents = match (text.parse(), EntryId::parse(text)) {
        (Ok(id), _) => notes(view, project, id)?,
        (_, Some(id)) => {
            let entry = view.entry(project, id)?;
            entry.map(|entry| Document::Entry(Box::new(entry))).into_iter().collect()
        }
        (Err(_), None) => Vec::new(),
    };
    documents.retain(|it| is_wanted(it, wanted));
    documents.into_iter().map(|document| whole(view, project, document)).collect()
}

/// A note or an entry as the piece that it is.
fn whole(view: &dyn View, project: ProjectId, document: Document) -> Result<Piece, StoreError> {
    let text = texts(&document, 0).remove(0).text;
    let (kind, over) = (Kind::of(&document), over(view, project, &document)?);
    Ok(Piece { project, document, kind, text, is_whole: true, over, elsewhere: None })
}

/// The notes of this id in all sessions of the project, the session started last first.
pub fn notes(view: &dyn View, project: ProjectId, id: NoteId) -> Result<Vec<Document>, StoreError> {
    let filter = SessionFilter {
        project: Some(project),
        include_archived: true,
        include_agents: true,
        ..SessionFilter::default()
    };
    let mut notes = Vec::new();
    for session in view.sessions(filter)? {
        let note = view.note(&session.key, id)?;
        notes.extend(note.map(|note| Document::Note(Arc::new(session.key), note)));
    }
    Ok(notes)
}

fn is_wanted(document: &Document, wanted: &Wanted) -> bool {
    let tags = document.tags();
    (wanted.kinds.is_empty() || wanted.kinds.contains(&Kind::of(document)))
        && wanted.tags.iter().all(|tag| tags.contains(tag))
        && wanted.since.is_none_or(|since| since <= document.at())
        && wanted.until.is_none_or(|until| document.at() < until)
        && !(wanted.without_scratched && is_scratched(document))
        && !(wanted.without_desk && is_of_desk(document))
}

/// Whether it is a person's own: entries and words for the next session are others' too.
fn is_of_desk(document: &Document) -> bool {
    matches!(document, Document::Note(..) | Document::Page(..))
        && document.session().is_some_and(|session| session.harness == SessionKey::DESK)
}

fn is_scratched(document: &Document) -> bool {
    matches!(document, Document::Note(_, note) if note.is_scratched())
}

/// The pieces that answer, the best first: each by itself, and by the whole that it is a piece of.
///
/// What a question asks about often stands around the line that says it.
fn ranked(query: &Query, pieces: &mut Vec<Part<'_>>, found: Vec<Count>) -> Vec<Hit> {
    let n_notes = pieces.len() as u64;
    let wholes: Vec<Part<'_>> = pieces.chunk_by(|a, b| a.of == b.of).map(Part::whole).collect();
    let of_whole: BTreeMap<usize, f32> = weigh(query, &wholes)
        .into_iter()
        .zip(&wholes)
        .map(|(score, whole)| (whole.of, score))
        .collect();
    let poor = poor(&wholes, &of_whole);
    pieces.retain(|piece| !poor.contains(&piece.of));
    let mut hits = rank(query, pieces, &Stats { n_notes, found });
    for hit in &mut hits {
        hit.score += WHOLE * of_whole.get(&pieces[hit.idx].of).copied().unwrap_or_default();
    }
    // A stable sort: what ties stays as it was ranked.
    hits.sort_by(|a, b| a.tier.cmp(&b.tier).then(b.score.total_cmp(&a.score)));
    hits
}

/// Of the long documents those that are none of the best: to rank all their pieces would take too long.
fn poor(wholes: &[Part<'_>], of_whole: &BTreeMap<usize, f32>) -> BTreeSet<usize> {
    let long = wholes.iter().filter(|whole| LONG < whole.text.len()).map(|whole| whole.of);
    let mut long: Vec<usize> = long.collect();
    long.sort_by(|a, b| of_whole[b].total_cmp(&of_whole[a]));
    long.into_iter().skip(N_LONG).collect()
}

/// The hits that are told: what says the same once, and of one text the best few.
fn told<'h>(hits: &'h [Hit], texts: &[Part<'_>]) -> Vec<&'h Hit> {
    let (mut said, mut of) = (BTreeSet::new(), BTreeMap::<usize, Vec<String>>::new());
    let mut is_told = |hit: &&Hit| {
        let text = &texts[hit.idx];
        let flat: String = text.text.chars().filter(|c| c.is_alphanumeric()).collect();
        let of = of.entry(text.of).or_default();
        // A recap has a sentence of the user as it is and behind what its part is called.
        let is_like = |one: &String| {
            let (short, long) = if one.len() < flat.len() { (one, &flat) } else { (&flat, one) };
            long.len() < 2 * short.len() && long.contains(short)
        };
        if of.len() == OF_ONE || of.iter().any(is_like) || !said.insert(flat.clone()) {
            return false;
        }
        of.push(flat);
        true
    };
    hits.iter().filter(|hit| is_told(hit)).collect()
}

fn over(
    view: &dyn View,
    project: ProjectId,
    document: &Document,
) -> Result<Option<Over>, StoreError> {
    if is_scratched(document) {
        return Ok(Some(Over::Scratched));
    }
    let Document::Entry(entry) = document else { return Ok(None) };
    if is_in_force(view, project, document)? {
        return Ok(None);
    }
    let of_project = EntryFilter { project: Some(project), ..EntryFilter::default() };
    if entry.said.matter.own().status == Some("resolved") {
        return Ok(Some(Over::Resolved));
    }
    let later = EntryFilter { after: Some(entry.id), by_id: true, ..of_project };
    let later = view.entries(later, 0)?;
    let by = later.iter().find(|later| later.said.supersedes == Some(entry.id));
    Ok(Some(Over::Superseded(by.map(|by| by.id))))
}

/// Whether a document is no entry, or one that holds still.
fn is_in_force(
    view: &dyn View,
    project: ProjectId,
    document: &Document,
) -> Result<bool, StoreError> {
    let Document::Entry(entry) = document else { return Ok(true) };
    let of_project = EntryFilter { project: Some(project), ..EntryFilter::default() };
    let in_force = EntryFilter { id: Some(entry.id), in_force: true, ..of_project };
    Ok(view.entry_count(in_force)? != 0)
}

/// A piece of text that is ranked.
#[derive(Clone)]
struct Part<'a> {
    text: String,
    tags: &'a [String],
    at: Time,
    /// Its place among all pieces: those of one document stand side by side.
    place: i64,
    /// The document that it is of.
    of: usize,
}

impl<'a> Part<'a> {
    /// The document whose pieces these are, with its day: who asks for what was in October names that too.
    fn whole(pieces: &[Part<'a>]) -> Self {
        let day = pieces[0].at.day_in_words();
        let texts = pieces.iter().map(|piece| piece.text.as_str());
        let text = std::iter::once(day.as_str()).chain(texts).collect::<Vec<_>>().join("\n");
        Self { text, ..pieces[0].clone() }
    }
}

impl Searched for Part<'_> {
    fn text(&self) -> &str {
        &self.text
    }

    fn tags(&self) -> &[String] {
        self.tags
    }

    fn order(&self) -> (Time, i64) {
        (self.at, self.place)
    }
}

/// The pieces of a document: a note and an entry is one, of a longer text each paragraph is.
fn texts(document: &Document, of: usize) -> Vec<Part<'_>> {
    let pieces = match document {
        Document::Note(..) => vec![document.text().into_owned()],
        Document::Entry(entry) => vec![told_entry(&entry.said)],
        Document::Page(_, page) => paragraphs(&page.text),
        Document::Words(_, words) => paragraphs(&words.text),
        Document::Recap(_, recap) => match Kept::parse(&recap.body) {
            Some(kept) => recapped(&kept),
            None => paragraphs(&recap_text(&recap.body)),
        },
    };
    let first = i64::try_from(of).unwrap_or(i64::MAX) << 20;
    let text = |(place, text): (i64, String)| Part {
        text,
        tags: document.tags(),
        at: document.at(),
        place: first + place,
        of,
    };
    (0..).zip(pieces).map(text).collect()
}

/// The lines of a recap, each behind what its part is called, and what it had no room for.
fn recapped(kept: &Kept) -> Vec<String> {
    let mut part = "";
    let mut pieces = Vec::new();
    for line in kept.text.lines().map(str::trim) {
        if line.ends_with(':') && !line.starts_with("- ") {
            // What was so then is not so now.
            part = if line == "Now:" { "" } else { line };
        } else if !line.is_empty() {
            pieces.push(format!("{part} {}", line.trim_start_matches("- ")).trim().to_owned());
        }
    }
    pieces.extend(kept.rest.iter().map(|line| line.trim().to_owned()));
    pieces.extend(kept.words.iter().flat_map(|words| paragraphs(words)));
    pieces
}

/// An entry, each part behind what it is.
fn told_entry(said: &Said) -> String {
    let own = said.matter.own();
    let parts = [
        ("why", own.rationale),
        ("instead of", own.alternatives),
        ("workaround", own.workaround),
        ("task", said.task.as_ref().map(Line::as_str)),
        ("where", said.pattern.as_ref().map(Line::as_str)),
    ];
    let parts = parts.into_iter().filter_map(|(what, text)| Some(format!("{what}: {}", text?)));
    std::iter::once(said.content.as_str().to_owned()).chain(parts).collect::<Vec<_>>().join("\n")
}

/// The paragraphs of a text, each below the heading that it stands under; a long one line by line.
fn paragraphs(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut heading, mut lines, mut is_code) = (String::new(), Vec::new(), false);
    for line in text.lines().chain([""]) {
        is_code ^= line.trim_start().starts_with("```");
        let is_underline = lines.len() == 1 && is_underline(line);
        let is_heading = !is_code && line.starts_with('#');
        if !line.trim().is_empty() && !is_heading && !is_underline {
            lines.push(line);
            continue;
        }
        if is_underline {
            heading = lines.pop().unwrap_or_default().to_owned();
        }
        let head = if heading.is_empty() { String::new() } else { format!("{heading}\n") };
        let whole = lines.join("\n");
        if PARAGRAPH < whole.len() {
            let parts = lines.iter().flat_map(|line| parts(line));
            pieces.extend(parts.map(|part| format!("{head}{part}")));
        } else if !whole.is_empty() {
            pieces.push(head + &whole);
        }
        lines.clear();
        if is_heading {
            line.clone_into(&mut heading);
        }
    }
    pieces
}

/// Whether a line makes a heading of the one above it.
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    2 < line.len()
        && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

/// A line in parts that end with a sentence, else with a word.
fn parts(mut line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while PARAGRAPH < line.len() {
        let head = &line[..line.floor_char_boundary(PARAGRAPH)];
        let sentence = head.rfind(". ").filter(|at| PARAGRAPH / 2 < *at).map(|at| at + 1);
        let end = sentence.or_else(|| head.rfind(' ')).filter(|end| 0 < *end).unwrap_or(head.len());
        parts.push(&line[..end]);
        line = line[end..].trim_start();
    }
    parts.push(line);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_its_paragraphs() {
        let long = "word ".repeat(50);
        for (text, pieces) in [
            ("", vec![]),
            ("# Only a heading", vec![]),
            ("one\ntwo\n\nthree", vec!["one\ntwo", "three"]),
            ("# A\none\n## B\n\ntwo", vec!["# A\none", "## B\ntwo"]),
            (
                &format!("# A\n- {long}\n- {long}2"),
                vec![&format!("# A\n- {long}"), &format!("# A\n- {long}2")],
            ),
        ] {
            assert_eq!(paragraphs(text), pieces);
        }
    }
}
