//! The warning before a compaction: what it asks for, and when it is not given.

use std::sync::atomic::Ordering;

use serde_json::json;
use vademecum_ops::config::{Config, Profile};

use crate::conversation::Conversation;
use crate::moments::Claude;
use crate::recaps::Story;

/// A session in which all happened that a page should tell of.
fn story() -> Story {
    let commit = "git commit -m 'refund: a table of keys'";
    Story::default()
        .asks("Make refunds idempotent, the second webhook pays twice. Never touch the ledger crate.")
        .says("I chose a unique index instead of an advisory lock, because the lock is lost at failover.")
        .calls("Edit", &json!({"file_path": "/repo/crates/pay/src/refund.rs", "old_string": "fn submit()", "new_string": "fn submit(key: RefundKey)"}))
        .answers("The file was updated.", false)
        .calls("Bash", &json!({ "command": commit }))
        .answers("[fix/key 3c1f9d2] refund: a table of keys\n 1 file changed", false)
        .calls("Bash", &json!({"command": "cargo test -p pay refund_reuses_key"}))
        .answers("error[E0061]: this function takes 1 argument but 0 were supplied", true)
        .says("The command line still calls submit without a key. Next I pass the key from the arguments through SubmitArgs.")
}

const NOW: &str = "Next: pass the key from the arguments through SubmitArgs.\n";
const WHY: &str = "Unique index, no advisory lock (lost at failover).\n";
const FAILED: &str = "E0061: the function takes 1 argument, 0 supplied.\n";
const RULES: &str = "User: never touch the ledger crate.\n";
const DONE: &str = "Committed 3c1f9d2.\n";
const WHERE: &str = "In crates/pay/src/refund.rs.\n";

/// What a session of this configuration is told that keeps `page` when its context is full.
fn warned(config: Config, story: &Story, page: &str) -> String {
    let claude = Claude::with(config);
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({ "content": page }));
    story.tell(&claude);
    claude.fills(66_000, "msg_1");
    claude.context("PostToolBatch", &json!({"tool_calls": []}))
}

#[test]
fn a_warning_names_what_the_page_lacks_of_the_transcript() {
    let all = [NOW, WHY, FAILED, RULES, DONE, WHERE].concat();
    let empty = warned(Config::default(), &story(), "");
    assert_eq!(empty.lines().filter(|line| line.starts_with("- ")).count(), 6, "{empty}");
    let whole = warned(Config::default(), &story(), &all);
    for lacking in [NOW, WHY, FAILED, RULES, DONE, WHERE] {
        let said = warned(Config::default(), &story(), &all.replace(lacking, ""));
        let named: Vec<&str> = said.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(named.len(), 1, "without {lacking}: {said}");
    }
    let without_why = warned(Config::default(), &story(), &all.replace(WHY, ""));
    insta::assert_snapshot!([empty, whole, without_why].join("\n\n"));
}

#[test]
fn notes_say_what_the_page_need_not() {
    let claude = Claude::new();
    claude.starts("startup");
    let page = [NOW, FAILED, RULES, DONE, WHERE].concat();
    claude.desk.object("write_notepad", json!({ "content": page }));
    claude.desk.object("add_note", json!({"content": WHY, "tags": ["decision"]}));
    story().tell(&claude);
    claude.fills(66_000, "msg_1");
    let said = claude.context("PostToolBatch", &json!({"tool_calls": []}));
    assert!(said.contains("they lack nothing"), "{said}");
}

#[test]
fn where_no_transcript_is_read_the_warning_names_all_that_a_page_should_say() {
    let mut config = Config::default();
    config.recap.enabled = false;
    let said = warned(config, &story(), "the plan");
    insta::assert_snapshot!(said);
    let words = warned(Config::default(), &Story::default(), "the plan");
    assert_eq!(words, said, "a record without a word");
}

#[test]
fn no_warning_comes_where_the_compaction_does_before_any_answer() {
    let batch = |config: Config, used: u64| {
        let claude = Claude::with(config);
        claude.starts("startup");
        claude.used(20_000, "msg_1");
        assert_eq!(claude.context("PostToolBatch", &json!({"tool_calls": []})), "");
        claude.used(used, "msg_2");
        let said = claude.context("PostToolBatch", &json!({"tool_calls": []}));
        let status = claude.desk.object("status", json!({"explain": true})).to_string();
        claude.starts("compact");
        claude.desk.clock.fetch_add(1_000, Ordering::SeqCst);
        claude.used(65_000, "msg_3");
        let next = claude.context("PostToolBatch", &json!({"tool_calls": []}));
        assert!(
            next.contains("token limit"),
            "it comes in time in the next cycle: {used} {}",
            claude.desk.object("status", json!({"explain": true}))
        );
        (said, status)
    };
    assert!(batch(Config::default(), 66_999).0.contains("token limit"));
    let (said, status) = batch(Config::default(), 70_000);
    assert_eq!(said, "");
    assert!(status.contains("comes before any answer"), "{status}");
    // The published designs say when theirs comes.
    assert!(batch(Config::of(Profile::Seed0), 70_000).0.contains("token limit"));
}

/// What a prompt carried is gone with it when the user takes it back.
#[test]
fn a_warning_that_was_taken_back_with_its_prompt_is_given_again() {
    let mut talk = Conversation::new(Claude::new());
    talk.starts("startup");
    talk.prompt();
    talk.claude.fills(66_000, "msg_1");
    assert!(talk.takes_back().contains("token limit"));
    assert!(talk.prompt().contains("token limit"));
    assert_eq!(talk.prompt(), "");
}
