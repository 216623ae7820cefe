//! Search: a planted note, older than all others, comes first.

use vademecum_core::search::{Query, rank};
use vademecum_store::{Change, Memory, NoteFilter, Scope, read};

use crate::scene::{add_note, commit, with_session};

/// So many notes lie on top of the planted ones: more than any bound of a search.
const OTHERS: i64 = 2_000;

const PLANTED: [(&str, &str); 5] = [
    ("parse_config", "The parse_config step drops comments, so settings are edited by span."),
    ("E0277", "E0277 on the trait bound came from the missing Send on the guard."),
    ("缓存失效", "部署之后缓存失效的原因是时区设置不一致，需要统一为世界时。"),
    ("Login tokens expiry", "Login hands out tokens in pairs; one has an expiry of a day."),
    ("imeout(5", "Wrap each probe by with_timeout(5s) or the suite hangs for good."),
];

/// Texts that hold each word of the planted ones somewhere, and never all of a query.
fn other(n: i64) -> String {
    const WORDS: [&str; 8] =
        ["parse", "config", "login", "tokens", "timeout", "E0308", "缓存", "expiry of keys"];
    let pick = |step: i64| WORDS[usize::try_from((n * step + n / 7) % 8).expect("an index")];
    format!("Step {n}: {} after {} was seen in run {}", pick(1), pick(5), n * 37 % 1_009)
}

#[track_caller]
fn check(store: &Memory, query: &str, expected: &str) {
    let (query, filter) = (Query::parse(query), NoteFilter::open(&["kept"]));
    let session = crate::scene::key("s");
    let found = read(store, |view| view.candidates(&session, &query, &filter)).expect("a read");
    let hits = rank(&query, &found.notes, &found.stats);
    let first = hits.first().map(|hit| found.notes[hit.idx].content.as_str());
    assert_eq!(first, Some(expected), "{query:?}");
}

#[test]
fn the_planted_note_comes_first() {
    let (store, session) = with_session("s");
    let planted = (1..).zip(PLANTED).map(|(id, (_, content))| (id, content.to_owned()));
    let others = (0..OTHERS).map(|n| (100 + n, other(n)));
    let add: Vec<Change> =
        planted.chain(others).map(|(id, content)| add_note(&session, id, &content)).collect();
    commit(&store, Scope::Session(session), "notes", &add).expect("notes");
    for (query, content) in PLANTED {
        check(&store, query, content);
    }
}
