//! Where a session stands, as one record.

use vademecum_core::turn::{Action, Event, Holds, Item, Outcome, Progress, Turn};
use vademecum_recap::{Standing, State};

use crate::turns::{answered, asked, called, came, digest, edited, planned, ran, said, turn};

/// A command that worked, and what it printed.
fn worked(id: &str, command: &str, output: &str) -> [Turn; 2] {
    [ran(id, command), answered(id, true, output)]
}

fn changed(id: &str, path: &str) -> [Turn; 2] {
    [edited(id, &format!("/home/dev/shop/{path}"), "fn pay()"), answered(id, true, "ok")]
}

#[track_caller]
fn state<const N: usize>(turns: &[[Turn; N]]) -> State {
    digest(turns.concat().as_slice()).state()
}

fn compacted() -> Turn {
    turn(Event::Compacted { summary: Some("Always use mocks.".to_owned()) })
}

#[test]
fn a_whole_session_is_one_record() {
    let mut turns = vec![
        asked(
            "Make refunds idempotent in the shop. Never touch the ledger crate, whatever happens.",
        ),
        ran("0", "git status"),
        answered("0", true, "On branch refund-key\nnothing to commit"),
        planned(&[
            ("Find the double refund", Progress::Done),
            ("Mend it", Progress::Active),
            ("Write the page", Progress::Pending),
            ("Ask the bank", Progress::Dropped),
        ]),
        said("A lock around the table of refunds did not work: the webhook waits for itself."),
    ];
    turns.extend(changed("1", "src/key.rs"));
    turns.extend(changed("2", "src/old.rs"));
    turns.extend(worked(
        "3",
        "git add src/key.rs && git commit -m 'One key'",
        "[refund-key 1a2b3c4] One key",
    ));
    turns.extend(worked(
        "4",
        "git push -u origin refund-key",
        " * [new branch]      refund-key -> refund-key",
    ));
    turns.extend(worked("5", "gh pr create --fill", "https://github.com/shop/pay/pull/7"));
    turns.extend(changed("6", "src/args.rs"));
    turns.extend(worked("7", "rm src/old.rs", ""));
    turns.extend([
        ran("8", "cargo test -p pay"),
        answered("8", false, "error: left rk_1, right rk_2"),
    ]);
    turns.extend([ran("9", "cargo watch -x test"), came("9", Outcome::Running, "")]);
    let about = "Look for callers".to_owned();
    let agent = Action::Delegated { to: String::new(), about, task: String::new() };
    turns.extend([called("10", agent, ""), came("10", Outcome::Running, "")]);
    turns.push(said(
        "The test still fails. I need your word on the format: shall the key hold the shop?",
    ));
    let state = digest(&turns).state();
    let json = serde_json::to_string_pretty(&state).expect("it is JSON");
    insta::assert_snapshot!(json);
    assert_eq!(serde_json::from_str::<State>(&json).expect("it is read back"), state);
}

#[test]
fn a_session_that_tells_nothing_has_an_empty_record() {
    assert_eq!(serde_json::to_string(&digest(&[]).state()).expect("it is JSON"), "{}");
}

#[test]
fn rules_outlive_every_compaction_and_those_taken_back_are_gone() {
    let turns = [
        asked("Never push to the origin. Always sign commits."),
        said("Understood."),
        compacted(),
        asked("Don't use mocks in any test of the shop."),
        said("Good."),
        asked("Forget what I said about the origin, push."),
        compacted(),
        asked("Go on."),
    ];
    let rules = ["Always sign commits.", "Don't use mocks in any test of the shop."];
    let digest = digest(&turns);
    assert_eq!(digest.state().rules, rules);
    let text = digest.recap(1_000).text;
    for rule in rules {
        assert!(text.contains(rule), "{text}");
    }
    assert!(!text.contains("Never push") && !text.contains("Always use mocks"), "{text}");
}

#[test]
fn items_stand_as_the_last_word_on_them_says() {
    use Progress::{Active, Done, Pending};
    let item = |id: &str, text: &str, state| {
        let item = Item { id: id.to_owned(), text: text.to_owned(), state };
        called("i", Action::Planned { items: vec![item], is_whole: false }, "")
    };
    let mut turns =
        vec![item("1", "Read", Active), item("2", "Write", Pending), item("1", "", Done)];
    let told = |turns: &[Turn]| -> Vec<(String, Standing)> {
        let items = digest(turns).state().items.into_iter();
        items.map(|it| (it.text, it.state)).collect()
    };
    let is = |text: &str, state| (text.to_owned(), state);
    assert_eq!(told(&turns), [is("Read", Standing::Done), is("Write", Standing::Open)]);
    // A list that is shown later knows that what was never closed is done.
    let item = |text: &str, state| Item { id: String::new(), text: text.to_owned(), state };
    let items = vec![item("Read", Done), item("Write", Done), item("Ship", Active)];
    let mut list = answered("l", true, "");
    if let Event::Answered(answer) = &mut list.event {
        answer.holds = Holds::Items { items };
    }
    turns.push(list);
    let expected =
        [is("Read", Standing::Done), is("Write", Standing::Done), is("Ship", Standing::Doing)];
    assert_eq!(told(&turns), expected);
}

#[test]
fn what_is_not_committed_follows_git() {
    let [a, b] = [changed("a", "src/a.rs"), changed("b", "lib/b.rs")];
    for (line, output, left) in [
        ("git commit -am all", "[main 1a2b3c4] all", &[][..]),
        ("git add . && git commit -m all", "[main 1a2b3c4] all", &[]),
        ("git add src && git commit -m a", "[main 1a2b3c4] a", &["lib/b.rs"]),
        ("cd lib && git add b.rs && git commit -m b", "[main 1a2b3c4] b", &["src/a.rs"]),
        (
            "git add /home/dev/shop/src/a.rs; git commit -m 'mend -a'",
            "[main 1a2b3c4] a",
            &["lib/b.rs"],
        ),
        ("git -C /home/dev/shop commit -m staged", "[main 1a2b3c4] staged", &[]),
        ("git commit -am none", "nothing to commit", &["lib/b.rs", "src/a.rs"]),
        ("git checkout -- src/a.rs", "", &["lib/b.rs"]),
        ("git restore lib/b.rs", "", &["src/a.rs"]),
        ("git restore --staged lib/b.rs", "", &["lib/b.rs", "src/a.rs"]),
        ("git reset --hard", "HEAD is now at 1a2b3c4", &[]),
        ("git status", "On branch main\nnothing to commit, working tree clean", &[]),
        ("git status -s", " M src/a.rs", &["src/a.rs"]),
        ("cd /home/dev/shop && git status -s", " M lib/", &["lib/b.rs"]),
        ("cd /home/dev/desk && git status -s", "", &["lib/b.rs", "src/a.rs"]),
        (
            "git status -s; git -C ../desk status",
            "On branch main\nnothing to commit, working tree clean",
            &["lib/b.rs", "src/a.rs"],
        ),
        ("git -C ../desk status -s", "", &["lib/b.rs", "src/a.rs"]),
        ("git checkout key", "Switched to branch 'key'", &["lib/b.rs", "src/a.rs"]),
    ] {
        let state = state(&[a.clone(), b.clone(), worked("c", line, output)]);
        assert_eq!(state.uncommitted, left, "{line}");
    }
    let apart =
        [worked("c", "git add src/a.rs", ""), worked("d", "git commit -m a", "[main 1a2b3c4] a")];
    let state = state(&[a, b, apart[0].clone(), apart[1].clone(), changed("e", "/tmp/out.txt")]);
    assert_eq!(state.uncommitted, ["lib/b.rs"], "and nothing that lies elsewhere");
}

#[test]
fn the_branch_is_the_one_that_git_told_last() {
    for (line, output, branch) in [
        ("git checkout -b key", "Switched to a new branch 'key'", Some("key")),
        ("git status", "On branch main\nclean", Some("main")),
        ("git commit -m x", "[key 1a2b3c4] x", Some("key")),
        ("git commit -m x", "[detached HEAD 1a2b3c4] x", None),
        ("cat page.md", "On branch of the tree", None),
        ("git log", "On branch of the tree", None),
    ] {
        assert_eq!(state(&[worked("1", line, output)]).branch.as_deref(), branch, "{line}");
    }
}

#[test]
fn what_took_effect_beyond_the_work_tree_is_not_to_be_done_again() {
    let told = |line: &str, is_ok| {
        state(&[[ran("1", line), answered("1", is_ok, "")]]).not_again.join(", ")
    };
    for line in ["git push origin key", "npm publish", "npm run deploy", "rails db:migrate"] {
        assert_eq!(told(line, true), line);
        assert_eq!(told(line, false), "", "it failed: {line}");
    }
    for line in [
        "npm publish --dry-run",
        "cargo test -p deploy",
        "cargo test deploy",
        "git commit -m 'then git push'",
        "./redeployed.sh it",
        "ls deploy",
    ] {
        assert_eq!(told(line, true), "", "{line}");
    }
}

#[test]
fn what_it_waits_for_is_the_agents_last_word() {
    let blocked = |say: &str| digest(&[asked("Mend it."), said(say)]).state().blocked;
    let waiting = "It is blocked by the missing token of the bank.";
    assert_eq!(
        blocked(&format!("Half is done. {waiting} The rest follows.")).as_deref(),
        Some(waiting)
    );
    assert_eq!(blocked("Done. Shall I push it?").as_deref(), Some("Shall I push it?"));
    assert_eq!(blocked("All is done."), None);
    let answered = [asked("Mend it."), said("Shall I push it?"), asked("Yes.")];
    assert_eq!(digest(&answered).state().blocked, None);
}

#[test]
fn a_rule_alone_is_not_the_goal() {
    let task = "Make the refunds of the shop idempotent, one key for each order and no lock.";
    let turns = [
        [asked(task)],
        [said("I will begin with the key.")],
        [asked("good. no mocks in the integration tests please, use the real database")],
        [said("I fixed the bug in a.rs.")],
    ];
    assert_eq!(state(&turns).goal.as_deref(), Some(task));
}
