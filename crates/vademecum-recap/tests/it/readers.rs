//! What misled readers who had nothing but the recap: what is over told as to be done, halves of orders, voices mixed up.

use vademecum_core::turn::{Event, Progress, Turn};
use vademecum_recap::Part;

use crate::turns::{answered, asked, digest, edited, later, planned, ran, read, said, turn};

/// The lines of a part.
///
/// What was said last is told as it was said: what a sentence is about parts those before it.
fn lines(turns: &[Turn], part: Part) -> Vec<String> {
    let is_of_matter = matches!(part, Part::Decided | Part::Found | Part::Failed | Part::Done);
    let later = if is_of_matter { later() } else { Vec::new() };
    let sections = digest(&[turns, &later].concat()).recap(1_000).sections;
    sections.into_iter().filter(|it| it.part == part).flat_map(|it| it.lines).collect()
}

#[track_caller]
fn tells(turns: &[Turn], part: Part, words: &str) {
    let lines = lines(turns, part);
    assert!(
        lines.iter().any(|line| line.contains(words)),
        "{words:?} is not in {part:?}: {lines:?}"
    );
}

#[track_caller]
fn tells_nowhere(turns: &[Turn], words: &str) {
    let text = digest(turns).recap(1_000).text.replace('\n', " ");
    assert!(!text.contains(words), "{words:?} is in {text}");
}

fn refund(turns: impl IntoIterator<Item = Turn>) -> Vec<Turn> {
    let ask = "The refund of an order is paid twice: find out why and mend it in the service.";
    [asked(ask)].into_iter().chain(turns).collect()
}

const STEP: &str = "Remove the cache_of_orders block from the webhook handler.";

fn removes() -> Vec<Turn> {
    vec![
        edited(
            "1",
            "src/webhook.rs",
            "- let cache_of_orders = block(webhook, handler); // removed",
        ),
        answered("1", true, "ok"),
    ]
}

#[test]
fn a_step_is_next_until_something_was_changed() {
    let read = || said("The next order is read from the table of refunds.");
    tells(&refund([said(STEP), read()]), Part::Next, "Remove the cache_of_orders");
    let plan = turn(Event::Asked {
        text: format!("Implement the following plan:\n\n# Mend it\n\n{STEP}"),
        is_plan: true,
    });
    // Whether the change did it nobody says: it was planned. What an agent says while it works it does then.
    let begun = |step| refund([step].into_iter().chain(removes()).chain([read()]));
    tells(&begun(plan), Part::Decided, "Plan: Remove the cache_of_orders");
    tells_nowhere(&begun(said(STEP)), "Remove the cache");
    let listed = [said(STEP), asked("Mend the rest as well")];
    let listed = refund(listed.into_iter().chain(removes()).chain([read()]));
    tells(&listed, Part::Decided, "Plan: Remove the cache_of_orders");
}

#[test]
fn what_is_found_or_planned_is_not_told_as_done() {
    let read = || said("The next order is read from the table of refunds.");
    for found in [
        "The refund never ends: close_order drops it when the phase is PHASE_COMMITTED.",
        "The test creates a RefundKey and passes it to the handler, which has a merged list.",
        "The pushed refund stands in the ledger, and the order is passed to close_order.",
    ] {
        tells(&refund([said(found), read()]), Part::Found, found);
    }
    for done in [
        "I added a key to each refund, and the handler takes it.",
        "Removed the second webhook from the handler of refunds.",
        "The suite of the refunds passed on the second run.",
    ] {
        tells(&refund([said(done), read()]), Part::Done, done);
    }
}

#[test]
fn what_fails_is_told_until_something_was_changed() {
    let fails = "The test of the second webhook fails on an empty ledger.";
    let read = || said("The next order is read from the table of refunds.");
    tells(&refund([said(fails), read()]), Part::Failed, fails);
    let changed = refund([said(fails)].into_iter().chain(removes()).chain([read()]));
    tells(&changed, Part::Found, fails);
    let may = "Perhaps the webhook fails on an empty ledger of refunds.";
    tells(&refund([said(may), read()]), Part::Found, may);
}

/// Each check of a line that failed may run well by itself.
#[test]
fn a_failure_is_over_when_each_check_of_it_ran_well() {
    let ran = |id: &str, line: &str, is_ok| {
        let answer = if is_ok { "fine" } else { "error: the key of the refund is missing" };
        [ran(id, line), answered(id, is_ok, answer)]
    };
    let failed = || ran("1", "make fmt && make lint && make test", false).into_iter();
    let lint = || ran("2", "make lint", true).into_iter();
    let failing = refund(failed().chain(lint()));
    tells(&failing, Part::Failed, "`make fmt && make lint && make test` → error");
    let over = refund(failed().chain(lint()).chain(ran("3", "make test", true)));
    tells_nowhere(&over, "is missing");
    for (failed, mended) in [
        ("npm run lint:fix", "npm run lint"),
        ("go test ./pay -run Key", "mise run test"),
        ("gh api repos/a/b/pulls?page=1", "gh api \"repos/a/b/pulls?page=1\""),
    ] {
        let turns = [ran("1", failed, false), ran("2", mended, true)].concat();
        tells_nowhere(&refund(turns), "is missing");
    }
}

#[test]
fn what_was_only_tried_is_told_as_such() {
    let mut turns =
        refund([ran("1", "./pay --dry refunds"), answered("1", false, "error: no such option")]);
    tells(&turns, Part::Failed, "`./pay --dry refunds` → error");
    turns.extend([ran("2", "./pay list"), answered("2", true, "12 refunds")]);
    assert_eq!(
        lines(&turns, Part::Failed),
        ["Tried: `./pay --dry refunds` → error: no such option"]
    );
}

#[test]
fn a_list_of_long_ago_may_be_done() {
    let listed = || {
        let items = [("Key of the refund", Progress::Active), ("Retry of it", Progress::Pending)];
        planned(&items)
    };
    let edit =
        |n: u32| [edited(&n.to_string(), "src/key.rs", ""), answered(&n.to_string(), true, "")];
    let turns = |n| refund([listed()].into_iter().chain((0..n).flat_map(edit)));
    assert_eq!(lines(&turns(3), Part::Next), ["Retry of it"]);
    let old = ["On a to-do list older than the last changes: Retry of it"];
    assert_eq!(lines(&turns(30), Part::Next), old);
    let doing = "Doing, by a to-do list older than the last changes: Key of the refund";
    tells(&turns(30), Part::Now, doing);
    let commit = [ran("c", "git commit -m key"), answered("c", true, "[main 1a2b3c4] key")];
    let committed: Vec<Turn> = turns(3).into_iter().chain(commit).collect();
    assert_eq!(lines(&committed, Part::Next), old);
}

#[test]
fn a_step_that_nobody_took_up_is_told_nowhere() {
    let on =
        "Now write the retry path of the webhook with a key of its own for every order instead.";
    let other = said("The retry path has a key of its own.");
    tells_nowhere(&refund([said(STEP), asked(on), other.clone()]), "Remove the cache");
    tells(
        &refund([said(STEP), asked("yes, please go on with that one"), other.clone()]),
        Part::Now,
        "The agent had said: Remove the cache",
    );
    let commit = [
        ran("1", "git commit -m 'key: one order'"),
        answered("1", true, "[key 1a2b3c4] key: one order"),
    ];
    tells_nowhere(
        &refund([said(STEP)].into_iter().chain(commit).chain([other])),
        "Remove the cache",
    );
}

#[test]
fn what_was_about_to_be_done_and_guesses_go_with_the_next_change() {
    let read = || said("The next order is read from the table of refunds.");
    for over in [
        "For the second caller I need to find the stray lock of the ledger in the handler.",
        "Maybe the ledger drops its lock before the second webhook comes in.",
        "Should the ledger keep its lock until the second webhook came in?",
    ] {
        let done = refund([said(over)].into_iter().chain(removes()).chain([read()]));
        tells_nowhere(&done, "lock");
    }
}

#[test]
fn a_picture_belongs_to_what_was_asked_before_it() {
    let turns = refund([said("It is mended."), asked("[image]"), said("The page shows two rows.")]);
    tells(&turns, Part::Now, "in the service. [image]");
    let long =
        format!("Mend the key of the refund. {}", "The ledger holds both orders. ".repeat(40));
    let turns = [asked(&long), asked("[image]"), said("The page shows two rows of the ledger.")];
    let text = digest(&turns).recap(250).text;
    assert!(text.contains("Asked last: \"Mend the key of the refund."), "{text}");
}

#[test]
fn an_answer_stands_beside_what_it_answers() {
    let offer = "There are two ways:\n1. Drop the cache of orders\n2. Add a **key** for every order\n\nBoth are small.";
    let turns =
        refund([said(offer), asked("let's try 2"), said("The key is read in the handler.")]);
    tells(&turns, Part::Now, "The agent had said: Both are small. → 2. Add a key for every order");
    let turns = refund([
        said("Shall I push the branch of the key?"),
        asked("yes"),
        said("The key is read."),
    ]);
    tells(&turns, Part::Now, "The agent asked: Shall I push the branch of the key?");
}

#[test]
fn the_number_of_a_list_is_no_sentence() {
    let two = "I'd like to do two things: 1. add a key for every order 2. tell of it in the notes of the release";
    let turns = [
        asked(two),
        said("It is added."),
        asked("Then tell me how the refund of an order finds its key now."),
    ];
    let text = digest(&turns).recap(1_000).text.replace('\n', " ");
    assert!(!text.contains("1. \"") && !text.contains("1. …"), "{text}");
}

#[test]
fn findings_are_no_failures_and_what_may_be_is_not_done() {
    tells(
        &refund([
            said("A second webhook cannot find the key of the refund."),
            said("The next order is read from the table of refunds."),
        ]),
        Part::Found,
        "cannot find",
    );
    let whether = "The ledger tells whether the refund was added by the second webhook.";
    tells(
        &refund([said(whether), said("The next order is read from the table of refunds.")]),
        Part::Found,
        whether,
    );
}

#[test]
fn a_commit_of_a_scratch_repository_is_not_done() {
    let try_it =
        "cd /tmp && mkdir try && cd try && git init && git commit -m initial --allow-empty";
    let turns = refund([
        ran("1", try_it),
        answered("1", true, "[main (root-commit) 1a2b3c4] initial"),
        said("The next order is read from the table of refunds."),
    ]);
    tells_nowhere(&turns, "1a2b3c4");
}

#[test]
fn a_command_that_failed_last_is_no_way_to_test() {
    let test = |id: &str, is_ok| {
        vec![
            ran(id, "npx drizzle generate --name refunds"),
            answered(id, is_ok, "1 test of the refunds"),
        ]
    };
    let after = |is_ok| {
        let looks = (0..80).flat_map(|_| [read("2", "src/key.rs"), answered("2", true, "")]);
        refund(test("1", is_ok).into_iter().chain(looks).chain([said("The next order is read.")]))
    };
    tells(&after(true), Part::Commands, "npx drizzle generate --name refunds");
    assert_eq!(
        lines(&after(false), Part::Commands).iter().filter(|it| it.contains("drizzle")).count(),
        0
    );
}

#[test]
fn what_a_program_printed_is_no_rule() {
    for printed in [
        "Feb  9 09:56:50.789 the hook must always be stopped by its name",
        "Some(key) => orders.never(key),",
        "To go on with the other one instead, leave it and run:",
    ] {
        let turns = [
            asked(&format!(
                "Why does it say this?\n\n{printed}\n\nTell me in a few words, please."
            )),
            said("The next order is read from the table of refunds."),
        ];
        assert_eq!(digest(&turns).state().rules, Vec::<String>::new(), "{printed}");
    }
}

/// What stands in quotation marks is the user's: every word and mark, cut at the end of a sentence or a clause.
#[test]
fn quotes_are_the_words_of_the_user() {
    let first = "So I began a new session with the log of the ledger\nbut the refunds are still leaking into\n\
                 2026-11-22T10:00:01Z WARN shop::pay::Retry key=rk_1\n\
                 - **Never** drop `the lock` of the [ledger](https://a.b/c), whatever the webhook does.\n\
                 ok? Then the second half of it — the one of the retries; it is long, ";
    let first = format!("{first}{}and done.", "and read the order once more, ".repeat(12));
    let second =
        "And also write the page on refunds - but not the one on keys. Now, keep it short.";
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for last in ["Now go on.", &first] {
        let turns = [asked(&first), said("I do."), asked(second), said("Well."), asked(last)];
        for budget in [250, 500, 1_000] {
            let sections = digest(&turns).recap(budget).sections.into_iter();
            let quotes = sections.flat_map(|it| it.lines).filter(|line| line.ends_with('"'));
            for line in quotes {
                let quote = &line[line.find('"').expect("a quote") + 1..line.len() - 1];
                for piece in quote.split("\" \"").flat_map(|it| it.split('…')).map(str::trim) {
                    let texts = [flat(&first), flat(second), flat(last)];
                    assert!(texts.iter().any(|text| text.contains(piece)), "{piece:?} of {line}");
                    let is_end = |end: char| ",.;:?".contains(end) || piece.ends_with("into");
                    let ends = piece.chars().next_back().is_none_or(is_end)
                        || ["ledger", "retries", "refunds"].iter().any(|end| piece.ends_with(end));
                    assert!(ends, "{piece:?} of {line}");
                }
            }
        }
    }
}

#[test]
fn pieces_of_paths_and_code_are_not_told() {
    let say = "The pieces show it.\nlet key == order.key &&";
    let turns = refund([
        said(say),
        ran("1", "cat /TreeView.Branch chunk-36jrqfj4.js _test.go"),
        answered("1", true, ""),
        said("The next order is read from the table of refunds."),
    ]);
    tells_nowhere(&turns, "TreeView.Branch");
    tells_nowhere(&turns, "order.key &&");
}

#[test]
fn sentences_without_a_blank_between_them_are_two() {
    let say = "The webhook reads the order twice under one keyI'll look at the ledger of the second one next.";
    let turns = refund([said(say), said("The next order is read from the table.")]);
    tells(&turns, Part::Found, "under one key");
    tells_nowhere(&turns, "look at the ledger");
}

/// What git did with a file, whichever words it was told to.
#[test]
fn of_a_changed_file_what_became_of_it_is_told() {
    let commit = ["git add -A && git commit -qm 'key: one'"];
    for (commands, expected) in [
        (&["git checkout src/key.rs"][..], "src/key.rs (put back)"),
        (&["git checkout -- src/key.rs"], "src/key.rs (put back)"),
        (&["git checkout main"], "Not committed: src/key.rs"),
        (&["git checkout -b src/key.rs"], "Not committed: src/key.rs"),
        (&["git stash"], "src/key.rs (stashed)"),
        (&["git stash push -m wip"], "src/key.rs (stashed)"),
        (&["git stash push -- src/other.rs"], "Not committed: src/key.rs"),
        (&["git stash list"], "Not committed: src/key.rs"),
        (&["git stash", "git stash pop"], "Not committed: src/key.rs"),
        (&["git stash", commit[0]], "src/key.rs (stashed)"),
        (&["rm src/key.rs"], "Not committed: src/key.rs (deleted)"),
        (&["rm src/key.rs", commit[0]], "src/key.rs (deleted)"),
        (&commit, "Committed: src/key.rs"),
    ] {
        let ran = |(n, command): (usize, &&str)| {
            let id = format!("c{n}");
            [turn(ran(&id, command).event), answered(&id, true, "")]
        };
        let edit = [edited("1", "src/key.rs", ""), answered("1", true, "")];
        let turns = edit.into_iter().chain(commands.iter().enumerate().flat_map(ran));
        assert_eq!(lines(&refund(turns), Part::Edited), [expected], "{commands:?}");
    }
}

/// A request after which nothing came is told as such: what was done before is not done for it.
#[test]
fn a_request_that_nothing_came_of_is_not_begun() {
    let done = [edited("1", "src/key.rs", ""), answered("1", true, ""), said("It is pushed.")];
    let again = "Now rebase the branch of the refund once more, and push it.";
    for (turns, title) in [
        (refund(done.clone().into_iter().chain([asked(again)])), "Asked last, not begun yet"),
        (refund(done.into_iter().chain([asked(again), said("I fetch it.")])), "Asked last"),
    ] {
        tells(&turns, Part::Now, &format!("{title}: \"{again}\""));
    }
    tells(&[asked(again)], Part::Now, &format!("Asked last: \"{again}\""));
    for thanks in ["Thanks, that is all for today.", "No.", "/compact keep the refund table"] {
        let turns = refund([said("It is pushed."), asked(thanks)]);
        tells_nowhere(&turns, "not begun yet");
    }
}

/// A user who put changes back says so, and nothing is left to commit; who asks for it has not done it.
#[test]
fn what_the_user_put_back_is_not_uncommitted() {
    for (words, told) in [
        ("I've reverted your changes - only the second.", "src/key.rs (put back)"),
        ("Could you revert your changes?", "Not committed: src/key.rs"),
    ] {
        let edit = [edited("1", "src/key.rs", ""), answered("1", true, "")];
        let turns = refund(edit.into_iter().chain([asked(words)]));
        assert_eq!(lines(&turns, Part::Edited), [told], "{words}");
    }
}

/// Git puts back and keeps aside only what it knows.
#[test]
fn a_file_that_was_made_stays_where_changes_are_put_back() {
    for (command, told) in [
        ("git checkout -- .", "Not committed: src/key.rs"),
        ("git stash", "Not committed: src/key.rs"),
        ("git stash -u", "src/key.rs (stashed)"),
        ("git add -A && git stash", "src/key.rs (stashed)"),
    ] {
        let turns = [
            edited("1", "src/key.rs", ""),
            answered("1", true, "File created successfully at: /home/dev/shop/src/key.rs"),
            ran("2", command),
            answered("2", true, ""),
        ];
        assert_eq!(lines(&refund(turns), Part::Edited), [told], "{command}");
    }
}

/// What ran again in one line with others is not said not to have run.
#[test]
fn a_failure_whose_command_ran_again_beside_others_is_not_told_as_left() {
    let long =
        format!("python3 - <<'X'\n{}X\ntimeout 60 cargo test -p pay", "print(1)\n".repeat(90));
    let fails =
        [ran("1", "cargo test -p pay"), answered("1", false, "error: left rk_1, right rk_2")];
    let edit = [edited("2", "src/key.rs", ""), answered("2", true, "")];
    let passes = [ran("3", &long), answered("3", true, "test result: ok. 3 passed")];
    let turns = fails.iter().chain(&edit).chain(&passes).cloned();
    assert!(lines(&refund(turns), Part::Failed).is_empty());
    let fails = [ran("1", "python3 bury.py 1"), answered("1", false, "NameError: name 'q'")];
    let unseen = [ran("3", "python3 bury.py 1; python3 stats.py"), answered("3", true, "buried")];
    let turns = fails.iter().chain(&edit).chain(&unseen).cloned();
    let told = lines(&refund(turns), Part::Failed).join("\n");
    assert!(told.contains("how that ended is not seen"), "{told}");
}

/// What fails by the agent's words may be mended since: tests that ran well say so.
#[test]
fn a_failure_that_was_told_before_tests_passed_is_told_as_such() {
    for failing in [
        "The test refund_key fails because submit() makes its key anew.",
        "The root cause is that submit() makes the key of each order anew.",
    ] {
        check_told_before(failing);
    }
}

#[track_caller]
fn check_told_before(failing: &str) {
    let runs = |id: &str, output: &str| {
        [ran(id, "python3 -m unittest 2>&1 | tail -4"), answered(id, true, output)]
    };
    let failed = runs("1", "FAILED (failures=1)");
    let mended = [edited("2", "src/key.rs", ""), answered("2", true, "")];
    let before = failed.into_iter().chain([said(failing)]).chain(mended);
    let after = |output| {
        let turns = before.clone().chain(runs("3", output));
        refund(turns.chain([said("Next I look at the webhook and its retries.")]))
    };
    for (output, is_over) in [("Ran 5 tests in 0.002s\n\nOK", true), ("", false)] {
        let turns = after(output);
        let told = format!("Before tests passed: {failing}");
        let text = digest(&turns).recap(1_000).text.replace('\n', " ");
        assert_eq!(text.contains(&told), is_over, "{text}");
        assert_eq!(text.contains("FAILED (failures=1)"), !is_over, "{text}");
        let unseen = "FAILED (failures=1) (run again since; how that ended is not seen)";
        assert_eq!(text.contains(unseen), !is_over, "{text}");
    }
}

/// What the user ruled behind the page is not on it, though they share words; half of a rule goes without the other.
#[test]
fn rules_stand_as_the_user_left_them() {
    let page = "- [ ] a Parser struct with a counter\n- [ ] commit messages in German";
    let wrote = crate::recap::wrote("mcp__vade__write_notepad", page);
    let turns = refund([
        asked("Always answer in German, and write commit messages in German too."),
        wrote,
        asked("A Parser struct is overkill, don't add one."),
        asked("Forget what I said about German commit messages: English from now on."),
        said("Understood."),
        asked("go on"),
    ]);
    let digest = digest(&turns);
    let rules = [
        "Always answer in German",
        "A Parser struct is overkill, don't add one.",
        "Forget what I said about German commit messages: English from now on.",
    ];
    assert_eq!(digest.state().rules, rules);
    assert_eq!(digest.rules_beside(page), rules, "for who sums up");
    let text = vademecum_recap::Recap::text_of(&digest.sections(1_000, page)).replace('\n', " ");
    let newer = format!("- Since the notepad was written: \"{}\"", rules[1]);
    for (words, n) in [(&*newer, 1), (rules[0], 1), (rules[2], 1), ("in German too", 0)] {
        assert_eq!(text.matches(words).count(), n, "{words}: {text}");
    }
}

/// What an agent says that it saved may not have been, and what is there stands beside the recap.
#[test]
fn what_the_agent_says_of_its_memory_is_not_told() {
    let claimed = "I saved the key of the refund to the notepad, and it is at rev 13 now.";
    let turns = [asked("Go on with the key."), said("The key is parsed once."), said(claimed)];
    let text = digest(&turns).recap(1_000).text;
    assert!(text.contains("parsed once") && !text.contains("rev 13"), "{text}");
}

/// Whatever a long request has no mark of, its beginning is told.
#[test]
fn a_request_of_one_long_line_or_with_a_log_is_told() {
    let line =
        format!("Change the importer so that it keeps {}", "the order of the rows and ".repeat(60));
    let log: Vec<String> =
        (0..100).map(|n| format!("2026-11-20 ERROR worker {n} failed with code E{n}")).collect();
    let log = log.join("\n");
    let before = format!("Why does this fail?\n{log}");
    let behind = format!("{log}\nWhy does this fail?");
    for (request, told) in [
        (&line, "Asked last: \"Change the importer so that it keeps the order"),
        (&before, "Asked last: \"Why does this fail?"),
        (&behind, "\"Why does this fail?"),
    ] {
        let turns = [asked(request), said("The lock is taken twice in worker.rs.")];
        let text = digest(&turns).recap(1_000).text;
        assert!(text.contains(told), "{text}");
        assert!(!text.contains("code E7"), "{text}");
    }
}
