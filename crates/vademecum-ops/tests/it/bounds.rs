//! Bounds of results: pages, tags and ids, what an old store holds beyond them, and what contexts make of it.

mod importing;

use serde_json::{Value, json};
use vademecum_core::id::NoteId;
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::notepad;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_ops::config::{Config, Profile, Scratchpad};
use vademecum_store::{
    Author, Change, Decision, Origin, Outcome, Scope, SessionFilter, Store, Surface, Write, Writer,
    read,
};

use crate::desk::Desk;
use crate::moments::Claude;
use crate::recaps::Story;

/// The session that began first.
pub(crate) fn first(desk: &Desk) -> SessionKey {
    let mut all = read(&desk.store, |view| view.sessions(SessionFilter::ALL)).expect("a read");
    all.pop().expect("a session").key
}

/// Writes changes of the first session as a program did that knew no bounds.
#[track_caller]
pub(crate) fn as_before(desk: &Desk, changes: &[Change]) {
    let write = Write {
        scope: Scope::Session(first(desk)),
        is_fresh: false,
        id: vademecum_core::id::WriteId::new("before").expect("an id"),
        arguments: [0; 32],
        kind: "import",
        origin: Origin { surface: Surface::Cli, author: Author::User },
        by: Writer::NONE,
        at: Time(1),
    };
    let outcome = desk.store.write(&write, &mut |_| {
        Ok(Decision::Commit { changes: changes.to_vec(), reply: String::new() })
    });
    assert!(matches!(outcome, Ok(Outcome::Done { .. })), "{outcome:?}");
}

fn note(desk: &Desk, id: i64, tag: &str) -> Change {
    let note = Note {
        id: NoteId(id),
        content: Content::new("a note").expect("a text"),
        tags: Tags::kept(&[tag]).expect("a tag"),
        created_at: Time(1),
        updated_at: Time(1),
        scratched_at: None,
    };
    Change::AddNote { session: first(desk), note }
}

fn page(desk: &Desk, text: &str) -> Change {
    let splice = Splice::between("", text);
    Change::EditNotepad { session: first(desk), splice, rev: 1, at: Time(1) }
}

#[test]
fn no_edit_makes_a_page_that_is_too_large() {
    let desk = Desk::new();
    let ten = "z".repeat(10 << 20);
    desk.object("add_note", json!({"content": "a session", "tags": ["a"]}));
    as_before(&desk, &[page(&desk, &ten)]);
    let bomb = json!({"operation": "find_replace", "find": "z", "replace": "z".repeat(1 << 20), "replace_all": true});
    let append = json!({"operation": "append", "content": ten});
    let long = |given: usize| {
        let allowed = notepad::MAX;
        format!(
            "usage: a notepad takes at most {allowed} bytes, {given} would be on it: nothing was written"
        )
    };
    assert_eq!(desk.error("update_notepad", bomb), long(10 << 40));
    assert_eq!(desk.error("update_notepad", append), long(20 << 20));
    assert_eq!(desk.object("read_notepad", json!({}))["rev"], 1);
}

#[test]
fn a_scratchpad_without_a_budget_keeps_to_a_page() {
    let scratchpad = Some(Scratchpad { enabled: true, max_tokens: usize::MAX });
    let config = Config { scratchpad, ..Config::default() };
    let desk = Desk::with(config);
    let put = json!({"content": "x".repeat(10 << 20), "mode": "append"});
    desk.object("add_note", json!({"content": "a session", "tags": ["a"]}));
    as_before(&desk, &[page(&desk, &"x".repeat(10 << 20))]);
    let error = desk.error("session_scratchpad", put);
    assert!(
        error.starts_with("usage: a notepad takes at most 16711680 bytes, 20971521"),
        "{error}"
    );
}

#[test]
fn a_page_that_is_too_large_can_be_read_and_exported() {
    let desk = Desk::new();
    desk.object("add_note", json!({"content": "a session", "tags": ["a"]}));
    let text = "old ".repeat(17 << 18);
    as_before(&desk, &[page(&desk, &text)]);
    assert!(desk.object("read_notepad", json!({}))["content"] == *text);
    let exported = desk.object("export", json!({"format": "jsonl"}))["content"].clone();
    assert!(exported.as_str().is_some_and(|lines| lines.contains(&text)));
}

#[test]
fn a_tag_is_short_but_what_is_kept_is_listed_cut_and_exported_whole() {
    let desk = Desk::new();
    let long = "x".repeat(65);
    assert_eq!(
        desk.error("add_note", json!({"content": "a", "tags": ["b", long]})),
        "usage: a tag takes at most 64 characters, tag 2 has 65"
    );
    desk.object("add_note", json!({"content": "mine", "tags": ["x".repeat(64)]}));
    let huge = "y".repeat(5 << 20);
    as_before(&desk, &[note(&desk, 7, &huge)]);
    let cut = format!("{}…", "y".repeat(64));
    let listed = |name: &str, more: Value| {
        let reply = desk.call(name, more).expect("an answer");
        assert!(reply.text.len() < 500, "{}", reply.text.len());
        reply.object
    };
    assert_eq!(listed("list_notes", json!({}))["notes"][1]["tags"], json!([cut]));
    assert_eq!(
        listed("search_notes", json!({"query": "a note"}))["notes"][0]["tags"],
        json!([cut])
    );
    assert_eq!(listed("list_tags", json!({}))["tags"][1]["tag"], cut);
    let exported = desk.object("export", json!({"format": "json"}))["content"].clone();
    assert!(exported.as_str().is_some_and(|text| text.contains(&huge)));
}

#[test]
fn an_id_that_no_clock_gave_stops_nobody() {
    let desk = Desk::new();
    desk.object("add_note", json!({"content": "first", "tags": ["a"]}));
    as_before(&desk, &[note(&desk, i64::MAX, "b")]);
    let ids: Vec<Value> = (0..3)
        .map(|_| desk.object("add_note", json!({"content": "more", "tags": ["a"]}))["id"].clone())
        .collect();
    // The clock of a desk stands still.
    let first = 1_763_700_000_001_i64;
    let expected: Vec<Value> = (first..first + 3).map(|id| format!("note_{id}").into()).collect();
    assert_eq!(ids, expected);
    let bomb = format!("note_{}", i64::MAX);
    desk.object("delete_note", json!({"id": bomb}));
    assert_eq!(desk.object("list_notes", json!({}))["total"], 4);
}

/// What a clock that was ahead has put first is put right by its next change.
#[test]
fn a_note_of_tomorrow_is_put_in_its_place_by_its_next_change() {
    use std::sync::atomic::Ordering;

    let desk = Desk::new();
    let year = 365 * 86_400_000;
    desk.clock.fetch_add(3 * year, Ordering::SeqCst);
    let early = desk.object("add_note", json!({"content": "early", "tags": ["a"]}));
    desk.clock.fetch_sub(3 * year - 1, Ordering::SeqCst);
    desk.object("add_note", json!({"content": "later", "tags": ["a"]}));
    let first = || desk.object("list_notes", json!({}))["notes"][0]["content"].clone();
    assert_eq!(first(), "early");
    desk.object("update_note", json!({"id": early["id"], "tags": ["b"]}));
    desk.clock.fetch_add(1, Ordering::SeqCst);
    desk.object("add_note", json!({"content": "last", "tags": ["a"]}));
    assert_eq!(first(), "last");
}

#[test]
fn a_context_is_made_of_the_head_of_a_large_page() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("add_note", json!({"content": "kept", "tags": ["a"]}));
    as_before(&claude.desk, &[page(&claude.desk, &"a line of the page\n".repeat(1_500_000))]);
    let context = claude.starts("compact");
    assert!(context.encode_utf16().count() <= 9_000, "{}", context.len());
    assert!(context.starts_with("vade: restored for this session: "), "{context}");
    let cut = "shown); read_notepad gives all of it]";
    let marker = context.lines().find(|line| line.ends_with(cut)).expect("a marker");
    assert_eq!(
        marker,
        "[vade: the notepad is cut here, after line 444 (8,435 characters of 28,500,000 bytes shown); read_notepad gives all of it]"
    );
    assert!(context.contains("Left out: more than "), "{context}");
    // A later session is offered it without reading it either.
    let key = first(&claude.desk);
    let head = read(&claude.desk.store, |view| view.page(&key, 100)).expect("a read");
    let head = head.expect("a page");
    assert_eq!((head.text.len() as u64, head.more), (100, 28_500_000 - 100));
}

#[test]
fn a_scratchpad_keeps_to_its_budget_and_to_the_harness() {
    let prompt = |profile: Option<Profile>, max_tokens: usize, content: &str| {
        let mut config = profile.map_or_else(Config::default, Config::of);
        config.scratchpad = Some(Scratchpad { enabled: true, max_tokens });
        let claude = Claude::with(config);
        claude.starts("startup");
        claude.desk.object("write_notepad", json!({"content": content}));
        claude.context("UserPromptSubmit", &json!({"prompt": "go on"}))
    };
    let long = "x".repeat(40_000);
    let block = prompt(None, 100, &long);
    assert_eq!(
        block,
        format!(
            "[Session Scratchpad - your persistent working memory]\n{}\n[vade: the scratchpad is cut here, 400 of 40000 characters shown: its budget is used up]\n[End Scratchpad]",
            "x".repeat(400)
        )
    );
    for max_tokens in [5_000, usize::MAX / 8] {
        let block = prompt(Some(Profile::Seed2), max_tokens, &long);
        assert!(8_000 < block.len() && block.len() <= 9_000, "{}", block.len());
        assert!(block.ends_with("shown: the harness takes no more]\n[End Scratchpad]"), "{block}");
    }
}

#[test]
fn what_a_reply_says_of_the_page_is_what_comes_back() {
    let is_whole = [1, 100, 250, 270, 280, 290, 300, 1_000].map(|n_lines| {
        let claude = Claude::new();
        claude.starts("startup");
        // What else is there to be shown takes nothing from a page that is promised whole.
        let told = "make refunds idempotent; never touch the ledger crate. ".repeat(40);
        Story::default().asks(&told).says(&told).tell(&claude);
        for n in 0..9 {
            let content = format!("{n} {}", "a reason ".repeat(80));
            claude.desk.object("add_note", json!({"content": content, "tags": ["decision"]}));
        }
        let page = "- [ ] one more step of the plan\n".repeat(n_lines);
        let said = claude.desk.call("write_notepad", json!({"content": page}));
        let said = said.expect("an answer").text;
        let is_promised = said.contains("shown whole after compaction");
        let context = claude.starts("compact");
        assert!(context.contains(&page) || !is_promised, "{n_lines}: {said}");
        is_promised
    });
    assert!(is_whole[0] && !is_whole[7]);
}

/// What a summariser is told before a compaction.
fn told_to_the_summariser(claude: &Claude) -> String {
    let said = claude.event("PreCompact", &json!({"trigger": "auto"}));
    String::from_utf8(said.stdout).expect("text")
}

/// Of what it is told that it comes back, no line and no note is lacking behind the compaction.
#[test]
fn the_summariser_is_told_what_comes_back() {
    let mut n_whole = 0;
    for (n_notes, n_lines) in [(2, 3), (30, 0), (30, 400), (0, 400), (0, 90), (9, 90), (1, 0)] {
        let claude = Claude::new();
        claude.starts("startup");
        let told = "make refunds idempotent; never touch the ledger crate. ".repeat(40);
        Story::default().asks(&told).says(&told).tell(&claude);
        for n in 0..n_notes {
            let content = format!("{n} {}", "a reason ".repeat(15));
            claude.desk.object("add_note", json!({"content": content, "tags": ["bug"]}));
        }
        let page = "- [ ] one more step of the plan\n".repeat(n_lines);
        claude.desk.object("write_notepad", json!({ "content": page }));
        let told = told_to_the_summariser(&claude);
        let context = claude.starts("compact");

        let is_whole = told.contains("need not be summarised; say instead");
        let n_shown = context.lines().filter(|line| line.starts_with("note_")).count();
        let is_all = n_shown == n_notes && context.contains(&page);
        assert!(is_all || !is_whole, "{n_notes} {n_lines}: {told}\n{context}");
        n_whole += usize::from(is_whole);

        let n_notes_told = number_before(&told, " of the notes (decisions");
        assert!(n_notes_told.is_none_or(|told| told <= n_shown), "{n_shown}: {told}");
        let n_lines_told = told.split_once("at least the first ");
        let n_lines_told = n_lines_told.and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        let n_lines_shown = context.matches("- [ ] one more").count();
        assert!(
            n_lines_told.is_none_or(|told: usize| told <= n_lines_shown),
            "{n_lines_shown}: {told}"
        );
        assert!(
            is_whole || told.contains("belongs into the summary"),
            "{n_notes} {n_lines}: {told}"
        );
    }
    assert!((2..=4).contains(&n_whole), "{n_whole}");
}

/// The number in front of these words, where they are told.
fn number_before(told: &str, words: &str) -> Option<usize> {
    let (before, _) = told.split_once(words)?;
    before.rsplit(' ').next()?.parse().ok()
}

#[test]
fn a_reply_promises_no_note_that_has_no_room() {
    let claude = Claude::new();
    claude.starts("startup");
    let mut promised = Vec::new();
    for n in 0..31 {
        claude.desk.clock.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let text = format!("{n} {}", "a reason ".repeat(20));
        let said = claude.desk.call("add_note", json!({"content": text, "tags": ["bug"]}));
        let said = said.expect("an answer").text;
        let context = claude.starts("compact");
        let is_promised = said.contains("; back after compaction)");
        assert!(!is_promised || !context.contains("Left out"), "{said}\n{context}");
        let is_said = said.contains("as many as fit are back after compaction");
        assert_ne!(is_promised, is_said, "{said}");
        promised.push(is_promised);
    }
    assert!(promised[0] && promised[4] && !promised[30], "{promised:?}");
}

#[test]
fn the_call_that_is_named_shows_what_is_left_out() {
    let claude = Claude::new();
    claude.starts("startup");
    for n in 0..40 {
        let content = format!("{n} {}", "a reason ".repeat(30));
        claude.desk.object("add_note", json!({"content": content, "tags": ["bug"]}));
    }
    let context = claude.starts("compact");
    assert!(context.contains(" notes (list_notes limit=40)"), "{context}");
    let listed = claude.desk.object("list_notes", json!({"limit": 40}));
    assert_eq!(listed["notes"].as_array().map(Vec::len), Some(40));
}

#[test]
fn of_a_page_of_one_line_its_rest_is_left_out() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({"content": "x".repeat(20_000)}));
    let context = claude.starts("compact");
    let rest = "Left out: the rest of the notepad from inside line 1 on (read_notepad)";
    assert!(context.contains(rest), "{context}");
}

#[test]
fn the_person_is_told_the_tokens_of_the_page_as_its_writer_is() {
    let claude = Claude::new();
    claude.starts("startup");
    let said = claude.desk.call("write_notepad", json!({"content": "# Goal\n- [ ] one step"}));
    let said = said.expect("an answer").text;
    let tokens = said.split(", ").nth(1).expect("tokens");
    let told = claude.event("SessionStart", &json!({"source": "compact", "model": "m"}));
    let told = String::from_utf8(told.stdout).expect("text");
    assert!(told.contains(&format!("notepad {tokens}")), "{said}: {told}");
}
