//! What a project keeps, found by its words: pieces of all that was written, the best first.

use std::collections::{BTreeMap, BTreeSet};

use vademecum_core::entry::Category;
use vademecum_core::id::ProjectId;
use vademecum_core::search::{Hit, Query, Searched, Stats, Tier, rank};
use vademecum_core::time::Time;
use vademecum_store::{Document, EntryFilter, StoreError, View, recap_text};

use crate::recaps::Kept;

/// So many pieces of one text are told: more would crowd the others out.
const OF_ONE: usize = 3;

/// A paragraph that is longer is told line by line.
const PARAGRAPH: usize = 400;

/// What is asked for beside words.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Only of these kinds; none for all.
    pub kinds: Vec<Kind>,
    /// Only what has all of these tags.
    pub tags: Vec<String>,
    /// Only what was written at this time or later.
    pub since: Option<Time>,
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
    pub const WORDS: [&str; 7] =
        ["note", "page", "handoff", "recap", "decision", "issue", "learning"];

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
        match word {
            "note" => Some(Self::Note),
            "page" => Some(Self::Page),
            "handoff" => Some(Self::Handoff),
            "recap" => Some(Self::Recap),
            word => Category::parse(word).map(|category| Self::Entry(Some(category))),
        }
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
    /// The document that it is of.
    pub document: Document,
    /// What it is of.
    pub kind: Kind,
    /// The piece.
    pub text: String,
    /// Whether all that was asked for stands in it.
    pub is_whole: bool,
    /// Whether it holds no longer: crossed out, resolved or corrected.
    pub is_over: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The pieces, the best first.
    pub pieces: Vec<Piece>,
    /// Whether there may be more.
    pub has_more: bool,
}

/// Finds what a project keeps.
pub fn find(
    view: &dyn View,
    project: ProjectId,
    query: &Query,
    wanted: &Wanted,
) -> Result<Found, StoreError> {
    let candidates = view.project_candidates(project, query)?;
    let documents = candidates.documents.into_iter().filter(|it| is_wanted(it, wanted));
    let documents: Vec<Document> = documents.collect();
    let texts: Vec<Part<'_>> =
        documents.iter().enumerate().flat_map(|(of, it)| texts(it, of)).collect();
    let stats = Stats { n_notes: texts.len() as u64, found: candidates.found };
    let hits = rank(query, &texts, &stats);
    let mut pieces = Vec::new();
    for hit in told(&hits, &texts) {
        let text = &texts[hit.idx];
        let document = documents[text.of].clone();
        pieces.push(Piece {
            kind: Kind::of(&document),
            text: text.text.clone(),
            is_whole: hit.tier != Tier::SomeTerms,
            is_over: is_over(view, project, &document)?,
            document,
        });
    }
    Ok(Found { pieces, has_more: !candidates.is_complete })
}

fn is_wanted(document: &Document, wanted: &Wanted) -> bool {
    let tags = document.tags();
    (wanted.kinds.is_empty() || wanted.kinds.contains(&Kind::of(document)))
        && wanted.tags.iter().all(|tag| tags.contains(tag))
        && wanted.since.is_none_or(|since| since <= document.at())
}

/// The hits that are told: what says the same once, and of one text the best few.
fn told<'h>(hits: &'h [Hit], texts: &[Part<'_>]) -> Vec<&'h Hit> {
    let (mut said, mut of) = (BTreeSet::new(), BTreeMap::<usize, usize>::new());
    let mut is_told = |hit: &&Hit| {
        let text = &texts[hit.idx];
        let flat = text.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let n = of.entry(text.of).or_default();
        if *n == OF_ONE || !said.insert(flat) {
            return false;
        }
        *n += 1;
        true
    };
    hits.iter().filter(|hit| is_told(hit)).collect()
}

fn is_over(view: &dyn View, project: ProjectId, document: &Document) -> Result<bool, StoreError> {
    match document {
        Document::Note(_, note) => Ok(note.is_scratched()),
        Document::Entry(entry) => {
            let in_force = EntryFilter {
                project: Some(project),
                id: Some(entry.id),
                in_force: true,
                ..EntryFilter::default()
            };
            Ok(view.entry_count(in_force)? == 0)
        }
        Document::Page(..) | Document::Words(..) | Document::Recap(..) => Ok(false),
    }
}

/// A piece of text that is ranked.
struct Part<'a> {
    text: String,
    tags: &'a [String],
    at: Time,
    /// Its place among all pieces: those of one document stand side by side.
    place: i64,
    /// The document that it is of.
    of: usize,
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
        Document::Note(..) | Document::Entry(_) => vec![document.text().into_owned()],
        Document::Page(_, page) => paragraphs(&page.text),
        Document::Words(_, words) => paragraphs(&words.text),
        Document::Recap(_, recap) => match Kept::parse(&recap.body) {
            Some(kept) => {
                let lines = kept.text.lines().chain(kept.rest.iter().map(String::as_str));
                lines.map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
            }
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

/// The paragraphs of a text, each below the heading that it stands under; a long one line by line.
fn paragraphs(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut heading, mut lines) = ("", Vec::new());
    for line in text.lines().chain([""]) {
        let is_heading = line.starts_with('#');
        if !line.trim().is_empty() && !is_heading {
            lines.push(line);
            continue;
        }
        let whole = lines.join("\n");
        let head = if heading.is_empty() { String::new() } else { format!("{heading}\n") };
        if PARAGRAPH < whole.len() {
            pieces.extend(lines.iter().map(|line| format!("{head}{line}")));
        } else if !whole.is_empty() {
            pieces.push(head + &whole);
        }
        lines.clear();
        if is_heading {
            heading = line;
        }
    }
    pieces
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
