//! What stands beside a recap is not said in it again: page, notes, an agent's own words, a summary.

use serde_json::json;

use crate::moments::Claude;
use crate::recaps::Story;

const OTHER: &str = "99999999-0000-4000-8000-000000000002";

const RULE: &str = "Never touch the ledger crate.";
const WHY: &str =
    "I chose a unique index instead of an advisory lock, because the lock is lost at failover.";
const NEXT: &str = "Next I pass the key from the arguments through SubmitArgs.";

/// The same in other words.
const SAID_RULE: &str = "- rule of the user: the ledger crate is never touched";
const SAID_WHY: &str = "- unique index, not an advisory lock (the lock is lost at failover)";

fn story() -> Story {
    Story::default()
        .asks(&format!("Make refunds idempotent, the second webhook pays twice. {RULE}"))
        .says(WHY)
        .calls("Edit", &json!({"file_path": "/repo/crates/pay/src/refund.rs", "old_string": "fn submit()", "new_string": "fn submit(key: RefundKey)"}))
        .answers("The file was updated.", false)
        .asks("Go on with the command line now, please, and tell me what is left.")
        .calls("Bash", &json!({"command": "cargo test -p pay refund_reuses_key"}))
        .answers("error[E0061]: this function takes 1 argument but 0 were supplied", true)
        .says(&format!("The command line still calls submit without a key. {NEXT}"))
}

fn working(page: &str) -> Claude {
    let claude = Claude::new();
    claude.starts("startup");
    claude.desk.object("write_notepad", json!({ "content": page }));
    story().tell(&claude);
    claude.event("PostToolBatch", &json!({"tool_calls": []}));
    claude
}

/// Whether each of these stands in the text.
fn says(text: &str) -> [bool; 3] {
    [RULE, WHY, NEXT].map(|words| text.contains(words))
}

#[test]
fn a_context_has_the_page_first_and_then_what_it_does_not_say() {
    assert_eq!(says(&working("## Plan").starts("compact")), [true, true, true]);
    let page = format!("## Decisions\n{SAID_WHY}");
    assert_eq!(says(&working(&page).starts("compact")), [true, false, true]);
    let context = working(&format!("{page}\n{SAID_RULE}")).starts("compact");
    assert_eq!(says(&context), [false, false, true]);
    insta::assert_snapshot!(context);
}

#[test]
fn a_note_says_it_as_well() {
    let claude = working("## Plan");
    claude.desk.object("add_note", json!({"content": SAID_WHY, "tags": ["decision"]}));
    claude.event("PreCompact", &json!({"trigger": "auto"}));
    assert_eq!(says(&claude.starts("compact")), [true, false, true]);
}

const FAILS: &str = "error[E0061]: this function takes 1 argument but 0 were supplied";

/// What fails now is told, unless it stands there as it is: older words that share its words tell of another time.
#[test]
fn what_fails_now_is_told_beside_older_words_that_share_its_words() {
    for (note, is_told) in [
        (
            "refund_reuses_key is mended: cargo test -p pay was an error, the function takes 1 argument and 0 were supplied in api.",
            true,
        ),
        (
            "`cargo test -p pay refund_reuses_key` passes again since the function takes an argument, error[E0061] is gone.",
            true,
        ),
        (&format!("cargo test -p pay refund_reuses_key fails: {FAILS}"), false),
    ] {
        let claude = working("## Plan");
        claude.desk.object("add_note", json!({ "content": note, "tags": ["finding"] }));
        claude.event("PreCompact", &json!({ "trigger": "auto" }));
        let context = claude.starts("compact");
        let n_told = context.matches(FAILS).count();
        assert_eq!(n_told, 1, "{context}");
        assert_eq!(context.contains(&format!("→ {FAILS}")), is_told, "{context}");
    }
}

#[test]
fn what_does_not_come_back_of_a_page_is_told_by_the_recap() {
    let page = format!("{}{SAID_WHY}\n", "- [ ] one more step of the plan\n".repeat(400));
    assert_eq!(says(&working(&page).starts("compact")), [true, true, true]);
}

#[test]
fn a_handoff_has_words_and_page_first_and_then_what_they_do_not_say() {
    let handed = |page: &str, words: Option<&str>| {
        let mut claude = working(page);
        let write = words.map(|words| json!({ "content": words }));
        write.map(|write| claude.desk.object("write_handoff", write));
        claude.event("SessionEnd", &json!({"reason": "other"}));
        claude.session = OTHER;
        claude.starts("startup");
        claude.desk.session = Some(format!("claude-code:{OTHER}"));
        claude.desk.call("read_handoff", json!({})).expect("an answer").text
    };
    let plain = handed("## Plan", None);
    assert_eq!(says(&plain), [true, true, true], "{plain}");
    assert_eq!(says(&handed(SAID_WHY, None)), [true, false, true]);
    let text = handed(SAID_WHY, Some(SAID_RULE));
    assert_eq!(says(&text), [false, false, true]);
    let at = |title: &str| text.find(title).expect("a part");
    assert!(at("## Its own words") < at("## Its notepad"));
    assert!(at("## Its notepad") < at("## From its transcript"));
}

/// A handoff is filled with whole statements before anything is left out of it, and no single word is worth asking for.
#[test]
fn a_handoff_fills_its_budget_and_leaves_out_no_single_words() {
    let mut claude = Claude::new();
    claude.starts("startup");
    let mut story =
        Story::default().asks("Make refunds idempotent, the second webhook pays twice.");
    for n in 0..80 {
        story = story.says(&format!(
            "Caller {n} of the module at row {n} pays twice because table {n} has no unique index for key_{n}."
        ));
    }
    let line = json!({"command": "git add -A && make keys_of_all"});
    story.calls("Bash", &line).answers("key_error E_DUP_REFUND", false).tell(&claude);
    claude.desk.object("write_notepad", json!({"content": "## Plan"}));
    claude.event("SessionEnd", &json!({"reason": "other"}));
    claude.session = OTHER;
    claude.starts("startup");
    claude.desk.session = Some(format!("claude-code:{OTHER}"));
    let read = |arguments| claude.desk.call("read_handoff", arguments).expect("an answer").text;
    for budget in [1_000, 2_000] {
        let text = read(json!({"from": crate::moments::SESSION, "budget": budget}));
        let tokens = vademecum_core::tokens::estimate(&text);
        assert!((budget * 3 / 4..=budget).contains(&tokens), "{tokens} of {budget}: {text}");
        assert!(text.contains("Left out here: "), "{text}");
    }
    let text = read(json!({"from": crate::moments::SESSION, "rest": true}));
    let (_, rest) = text.split_once("### Facts of its transcript").expect("a rest");
    assert!(rest.lines().skip(1).all(|line| line.contains([' ', '/'])), "{rest}");
    assert!(!rest.contains("\ngit "), "{rest}");
}

#[test]
fn what_the_harness_s_summary_says_is_not_said_again() {
    let claude = working("## Plan");
    let summary = format!(
        "The session made refunds idempotent. {SAID_WHY}. The next step is to pass the key from the arguments through SubmitArgs."
    );
    story().compacted(&summary).tell(&claude);
    let start = claude.event("SessionStart", &json!({"source": "compact"}));
    let start = String::from_utf8(start.stdout).expect("text");
    assert_eq!(says(&start), [true, false, false], "{start}");
    assert!(start.contains("so far (what the summary lacks)"), "{start}");
    assert!(start.contains(" tokens of what the summary lacks, back in context"), "{start}");
    assert!(!working("## Plan").starts("compact").contains("summary"), "one that cannot be read");
}

#[test]
fn a_summariser_is_told_what_failed_and_what_is_done_and_no_names() {
    let told = |story: &Story| {
        let claude = Claude::new();
        claude.starts("startup");
        story.tell(&claude);
        let said = claude.event("PreCompact", &json!({"trigger": "auto"}));
        String::from_utf8(said.stdout).expect("text")
    };
    let commit = json!({"command": "git commit -m 'refund: a table of keys'"});
    let done = story()
        .calls("Bash", &commit)
        .answers("[fix/key 3c1f9d2] refund: a table of keys\n 1 file changed", false);
    insta::assert_snapshot!(told(&done));
    let look = json!({"file_path": "/repo/crates/pay/src/refund.rs"});
    let names = Story::default()
        .asks("What does the table of refunds hold?")
        .calls("Read", &look)
        .answers("pub struct RefundKey(String);", false)
        .says("The table holds a key for each order.");
    assert_eq!(told(&names), "");
}

#[test]
fn a_recap_that_was_kept_before_there_was_a_state_still_tells_what_it_told() {
    let body = json!({
        "size": 1, "read": 1, "budget": 1, "text": "t", "rest": [], "facts": 1, "said": 1,
        "stop": "ended", "goal": "Mend it", "asked": "Go on", "next": "Read", "failing": "make test",
        "open": ["Write"], "standing": ["Never push."], "forms": [], "method": "best",
    });
    let kept = vademecum_ops::recaps::Kept::parse(&body.to_string()).expect("it is read");
    let told = (kept.state.goal.as_deref(), kept.state.next.as_deref(), &kept.state.rules[..]);
    assert_eq!(told, (Some("Mend it"), Some("Read"), &["Never push.".to_owned()][..]));
}
