//! What search promises, over many realistic notes and an exact stand-in for an engine.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use proptest::prelude::*;

use super::{Count, Hit, Query, Stats, Tier, keys, rank, rank_seed, weigh};
use crate::id::NoteId;
use crate::note::{Content, Note, Tags};
use crate::time::Time;

const N_OTHERS: usize = 20_000;
const MOST_PER_TERM: usize = 1_000;

fn note(id: i64, content: &str, tags: &[&str]) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(content).expect("a short text"),
        tags: Tags::new(tags).expect("a few words"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

const OPENINGS: [&str; 8] = [
    "Decided to keep",
    "Fixed a bug in",
    "The cause was",
    "Todo: look again at",
    "Users wait for",
    "Login fails after",
    "Tests cover",
    "No cache in front of",
];
const THINGS: [&str; 16] = [
    "parse_args",
    "load_config",
    "src/auth/logout.go:45",
    "src/user/login.go:54",
    "E0276",
    "with_deadline",
    "config parser",
    "token refresh",
    "the expiry job",
    "请求超时",
    "配置文件解析",
    "foo or baz",
    "C++ templates",
    "parseUrl",
    "ConfigStore",
    "timeout of the proxy",
];
const REASONS: [&str; 8] = [
    "because the lock is lost at failover",
    "so that the queue drains first",
    "with a retry",
    "as E0308 says",
    "see docs/login.md",
    "since tokens are shared",
    "to parse less",
    "and the config is read once",
];

/// The same notes on every run: near misses of what is looked for among them.
fn others() -> Vec<Note> {
    let mut state = 7_usize;
    let mut next = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let one = |id: usize| {
        let (opening, reason) = (OPENINGS[next(8)], REASONS[next(8)]);
        let text = format!(
            "{opening} {} and {}, {reason} (case {id}).",
            THINGS[next(16)],
            THINGS[next(16)]
        );
        note(
            i64::try_from(id).expect("a small number"),
            &text,
            &[["bug", "todo", "decision", "auth"][next(4)]],
        )
    };
    (1..=N_OTHERS).map(one).collect()
}

/// Notes and an exact index of their keys, newest note last.
struct Engine {
    notes: Vec<Note>,
    index: HashMap<String, Vec<usize>>,
}

impl Engine {
    fn new() -> Self {
        let mut engine = Self { notes: Vec::new(), index: HashMap::new() };
        for note in others() {
            engine.add(note);
        }
        engine
    }

    fn shared() -> &'static Self {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        ENGINE.get_or_init(Self::new)
    }

    fn add(&mut self, note: Note) {
        let found = keys(note.content.as_str(), note.tags.as_slice());
        for key in found.words.into_iter().chain(found.grams) {
            self.index.entry(key).or_default().push(self.notes.len());
        }
        self.notes.push(note);
    }

    fn holding_all(&self, keys: &[String]) -> BTreeSet<usize> {
        let holding = |key: &String| -> BTreeSet<usize> {
            self.index.get(key).into_iter().flatten().copied().collect()
        };
        let all = keys.iter().map(holding);
        all.reduce(|a, b| &a & &b).unwrap_or_default()
    }
}

/// `planted` as the oldest note, before all notes of the shared engine.
struct Planted<'a> {
    engine: &'a Engine,
    note: Note,
    keys: BTreeSet<String>,
}

impl Planted<'_> {
    fn new(content: &str) -> Self {
        let note = note(0, content, &["note"]);
        let found = keys(content, note.tags.as_slice());
        let keys = found.words.into_iter().chain(found.grams).collect();
        Self { engine: Engine::shared(), note, keys }
    }

    /// The notes with all of `keys`, newest first; none is the planted note.
    fn holding_all(&self, keys: &[String]) -> Vec<Option<usize>> {
        let others = self.engine.holding_all(keys).into_iter().rev().map(Some);
        let planted = keys.iter().all(|key| self.keys.contains(key)).then_some(None);
        others.chain(planted).collect()
    }

    /// What an engine does: bounded lists per term and for the literal, then their union.
    fn search(&self, text: &str) -> (Vec<Note>, Vec<Hit>) {
        let query = Query::parse(text);
        let mut found = BTreeSet::new();
        let mut stats = Stats { n_notes: N_OTHERS as u64 + 1, found: Vec::new() };
        for term in &query.terms {
            let mut held = self.holding_all(std::slice::from_ref(&term.key));
            let saturated = MOST_PER_TERM < held.len();
            held.truncate(MOST_PER_TERM);
            stats.found.push(Count { n: held.len() as u64, saturated });
            found.extend(held);
        }
        if let Some(literal) = query.literal.as_ref().filter(|literal| !literal.grams.is_empty()) {
            found.extend(self.holding_all(&literal.grams).into_iter().take(MOST_PER_TERM));
        }
        let note = |at: Option<usize>| at.map_or(&self.note, |at| &self.engine.notes[at]).clone();
        let candidates: Vec<Note> = found.into_iter().map(note).collect();
        let hits = rank(&query, &candidates, &stats);
        (candidates, hits)
    }
}

#[track_caller]
fn check_first(query: &str, content: &str, tier: Tier) {
    let (notes, hits) = Planted::new(content).search(query);
    let first = hits.first().map(|hit| (notes[hit.idx].content.as_str(), hit.tier));
    assert_eq!(first, Some((content, tier)), "{query}");
}

#[test]
fn a_planted_note_comes_first_among_20_000() {
    use Tier::{AllTerms, Substring};
    let parse = "Startup calls parse_config before the logger is ready.";
    check_first("parse_config", parse, Substring);
    check_first("parse config", parse, AllTerms);
    check_first("parse config", "Startup calls parseConfig before the logger.", AllTerms);
    check_first("parseConfig", parse, AllTerms);
    check_first("parse_config", "Startup has to parse config files first.", AllTerms);
    check_first("arse_conf", parse, Substring);
    check_first("src/auth/login.go:45", "Null user at src/auth/login.go:45, seen once.", Substring);
    check_first("E0277", "rustc says E0277: the bound is missing on T.", Substring);
    check_first("with_timeout", "Wrap the call in with_timeout(5s).", Substring);
    check_first("登录令牌过期", "用户说登录令牌过期后页面不会刷新。", Substring);
    check_first("Login tokens expiry", "Expiry of tokens is checked at login only.", AllTerms);
    check_first("foo\" OR (bar*", "Typed foo\" OR (bar* into the box.", Substring);
    check_first("C++ -x: AND", "Compile with g++, that is C++ -x: AND nothing else.", Substring);
}

#[test]
fn a_note_handed_over_in_error_drops_out() {
    let notes = [note(1, "about parsers", &["bug"]), note(2, "nothing of it", &["bug"])];
    let hits = rank(&Query::parse("parse"), &notes, &Stats::default());
    assert_eq!(hits.iter().map(|hit| hit.idx).collect::<Vec<_>>(), [0]);
}

#[test]
fn equal_notes_come_newest_first() {
    let notes = [1, 3, 2].map(|id| note(id, "same words", &["bug"]));
    let hits = rank(&Query::parse("words"), &notes, &Stats::default());
    assert_eq!(hits.iter().map(|hit| hit.idx).collect::<Vec<_>>(), [1, 2, 0]);
}

#[track_caller]
fn check_seed(query: &str, expected: &[usize]) {
    let notes = [
        note(1, "tokens and Token", &["bug"]),
        note(2, "a token", &["bug"]),
        note(3, "TOKEN token", &["bug"]),
        note(4, "nothing", &["bug"]),
        note(5, "token a", &["bug"]),
        note(6, "token a", &["bug"]),
    ];
    assert_eq!(rank_seed(query, &notes), expected, "{query}");
}

#[test]
fn the_seed_ranks_substrings_by_whole_words_number_and_place() {
    check_seed("token", &[2, 0, 5, 4, 1]);
    check_seed("", &[5, 4, 3, 2, 1, 0]);
    check_seed("oken", &[2, 0, 5, 4, 1]);
    check_seed("absent", &[]);
}

proptest! {
    #[test]
    fn any_part_of_a_note_finds_it(
        content in r"[a-zA-Z0-9_./: '\n修复错误éİΣßไทย\u{301}-]{1,60}",
        (start, len) in (0..60_usize, 1..60_usize),
    ) {
        prop_assume!(!content.trim().is_empty());
        let note = note(1, &content, &["note"]);
        let found = keys(&content, note.tags.as_slice());
        let part: String = content.chars().skip(start).take(len).collect();
        let query = Query::parse(&part);

        let grams = query.literal.iter().flat_map(|literal| &literal.grams);
        for key in grams {
            prop_assert!(found.grams.contains(key) || found.words.contains(key), "{key:?}");
        }
        let hits = rank(&query, &[note], &Stats::default());
        let tiers: Vec<Tier> = hits.iter().map(|hit| hit.tier).collect();
        prop_assert_eq!(tiers, vec![Tier::Substring; usize::from(!part.trim().is_empty())]);
    }

    #[test]
    fn every_word_of_a_text_is_a_key_of_it(content in r"[a-zA-Z0-9_./: '\n修复错误é-]{1,80}") {
        let found = keys(&content, &[]);
        for term in Query::parse(&content).terms.iter().filter(|term| term.is_needed()) {
            prop_assert!(found.words.contains(&term.key), "{:?}", term.key);
        }
    }
}

/// Three texts of the same words: far apart, near each other, and one behind the other as in the query.
#[test]
fn a_text_weighs_more_whose_words_stand_together() {
    let far = "of what was said here ".repeat(6);
    let texts = [
        format!("retry {far} queue {far}"),
        format!("queue {far} {far} then a retry"),
        format!("{far} {far} queue before a retry"),
        format!("{far} {far} a retry queue"),
    ];
    let notes: Vec<Note> = (1..).zip(&texts).map(|(id, text)| note(id, text, &["todo"])).collect();
    let of = weigh(&Query::parse("retry queue"), &notes);
    assert!(of[0] < of[2] && of[1] < of[2] && of[2] < of[3], "{of:?}");
    // A query of one word, of none that stand, and of more words than are paired has no pairs that are out of place.
    let many = (0..60).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    for query in ["retry", "", &many, "retry retry retry"] {
        assert!(weigh(&Query::parse(query), &notes).iter().all(|it| it.is_finite()), "{query}");
    }
}
