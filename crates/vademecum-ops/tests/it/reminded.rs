//! The line long before a warning: what happened since page and notes were written.

use std::sync::atomic::Ordering;

use serde_json::json;
use vademecum_core::tokens::estimate;
use vademecum_ops::config::{Config, Profile};

use crate::moments::Claude;
use crate::recaps::Story;

/// When stories begin; each of their records is a second later than the one before.
const BEGIN: i64 = 1_763_697_600_000;

/// The minutes from one look at what happened to the next, and a little.
const LOOK: i64 = 3 * 60 * 1000;

fn looks(story: Story, n_calls: usize) -> Story {
    (0..n_calls).fold(story, |story, n| {
        let look = json!({"file_path": format!("/repo/src/part_{n}.rs")});
        story.calls("Read", &look).answers("fn part() {}", false)
    })
}

fn commits(story: Story, subject: &str) -> Story {
    let commit = json!({ "command": format!("git commit -am '{subject}'") });
    story.calls("Bash", &commit).answers(&format!("[main 3c1f9d2] {subject}"), false)
}

fn asked() -> Story {
    Story::default().asks("Make refunds idempotent. No mocks in the integration tests, please.")
}

fn working(config: Config) -> Claude {
    let claude = Claude::with(config);
    claude.desk.clock.store(BEGIN - 1_000, Ordering::SeqCst);
    claude.starts("startup");
    claude
}

/// What the session is told when a batch ends after `story`, so many tokens being used.
fn batch(claude: &Claude, story: &Story, tokens: u64) -> String {
    claude.desk.clock.fetch_add(LOOK, Ordering::SeqCst);
    story.tell(claude);
    claude.fills(tokens, &format!("msg_of_{tokens}"));
    claude.context("PostToolBatch", &json!({"tool_calls": []}))
}

#[test]
fn much_that_is_on_no_page_is_told_once_in_a_third_of_the_window() {
    let claude = working(Config::default());
    let much = commits(looks(asked(), 14), "refund: a table of keys");
    let line = batch(&claude, &much, 20_000);
    assert!(estimate(&line) <= 40, "{line}");
    insta::assert_snapshot!(line, @r#"vade: the notepad is empty; so far: a commit, a rule of the user ("No mocks in the integration tests, please."). update_notepad saves it."#);
    let more = commits(looks(much.clone(), 40), "refund: one key an order");
    assert_eq!(batch(&claude, &more, 50_000), "", "less than a third of the window");
    let again = batch(&claude, &more, 54_000);
    assert!(again.contains("2 commits"), "{again}");
    assert_eq!(claude.context("PostToolBatch", &json!({"tool_calls": []})), "");

    // After a compaction the window begins anew, and what was used before it counts.
    claude.starts("compact");
    assert_eq!(batch(&claude, &more, 20_001), "");
    assert_ne!(batch(&claude, &more, 21_000), "");
}

#[test]
fn a_page_that_was_written_since_is_not_spoken_of() {
    let claude = working(Config::default());
    let much = commits(looks(asked(), 14), "refund: a table of keys");
    claude.desk.clock.store(BEGIN + 60_000, Ordering::SeqCst);
    claude.desk.object("write_notepad", json!({"content": "No mocks. Committed 3c1f9d2."}));
    assert_eq!(batch(&claude, &much, 20_000), "");
    let little = looks(much, 20);
    assert_eq!(batch(&claude, &little, 21_000), "", "a few calls and nothing else");
    let rule = little.asks("Never touch the ledger crate, another change is in flight there.");
    let line = batch(&claude, &looks(rule.clone(), 15), 22_000);
    insta::assert_snapshot!(line, @r#"vade: since notepad and notes were written: a rule of the user ("Never touch the ledger crate, another change…"). update_notepad saves it."#);

    let claude = working(Config::default());
    claude.desk.clock.store(BEGIN + 300_000, Ordering::SeqCst);
    claude.desk.object("add_note", json!({"content": "no mocks", "tags": ["rule"]}));
    assert_eq!(batch(&claude, &looks(rule, 15), 22_000), "", "a note says it");
}

#[test]
fn where_the_window_is_not_known_fifty_calls_lie_between() {
    let mut claude = Claude::new();
    claude.desk.world.env = Box::new(|_| None);
    claude.desk.clock.store(BEGIN - 1_000, Ordering::SeqCst);
    claude.context("SessionStart", &json!({"source": "startup"}));
    let batch = |story: &Story| {
        claude.desk.clock.fetch_add(LOOK, Ordering::SeqCst);
        story.tell(&claude);
        claude.context("PostToolBatch", &json!({"tool_calls": []}))
    };
    let plain = Story::default().asks("Make refunds idempotent.");
    let much = looks(plain, 45);
    assert!(batch(&much).contains("45 calls"));
    // The first look was 180 seconds behind the start.
    let then = looks(much, 45 + 40);
    assert_eq!(batch(&then), "");
    assert!(batch(&looks(then, 30)).contains("calls"));
}

#[test]
fn it_can_be_switched_off_and_no_published_design_has_it() {
    let much = commits(looks(asked(), 45), "refund: a table of keys");
    let off = Config { reminder: false, ..Config::default() };
    assert_eq!(batch(&working(off), &much, 20_000), "");
    for profile in [Profile::Seed0, Profile::Seed1, Profile::Seed2, Profile::Seed3] {
        assert_eq!(batch(&working(Config::of(profile)), &much, 20_000), "", "{profile:?}");
    }
    assert_ne!(batch(&working(Config::of(Profile::Seed4)), &much, 20_000), "");
    let mut unread = Config::default();
    unread.recap.enabled = false;
    assert_eq!(batch(&working(unread), &much, 20_000), "", "no hook reads transcripts");
}
