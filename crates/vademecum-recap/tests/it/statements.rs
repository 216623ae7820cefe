//! What is said in sentences: of whom, in which part, and what is not worth saying.

use vademecum_core::turn::{Action, Answer, Event, Holds, Outcome, Progress, Reply, Turn};
use vademecum_recap::{Digest, Options, Part, Recap};

use crate::turns::{answered, asked, called, digest, edited, later, ran, said, turn};

/// A session about refunds with these turns in it, and little more.
fn about(turns: Vec<Turn>) -> Recap {
    let mut all = vec![asked("The refund of an order is paid twice: find out why and mend it.")];
    all.extend(turns);
    all.extend([asked("Go on with it now, please."), said("The next order is read.")]);
    digest(&all).recap(1_000)
}

fn holds(call: &str, text: &str, holds: Holds) -> Turn {
    let (call, text) = (call.to_owned(), text.to_owned());
    turn(Event::Answered(Answer { call, outcome: Outcome::Done, text, holds }))
}

#[track_caller]
fn check(turns: Vec<Turn>, part: Part, expected: &str) {
    // What was said last is told as it was said: what a sentence is about parts those before it.
    let is_of_matter = matches!(part, Part::Decided | Part::Found | Part::Failed | Part::Done);
    let later = if is_of_matter { later() } else { Vec::new() };
    let recap = about([turns, later].concat());
    let section = recap.sections.iter().find(|section| section.part == part);
    let has = section.is_some_and(|it| it.lines.iter().any(|line| line == expected));
    assert!(has, "{expected:?} is not in {part:?} of {}", recap.text);
}

#[track_caller]
fn check_untold(turns: Vec<Turn>, untold: &str) {
    let text = about(turns).text;
    assert!(!text.contains(untold), "{untold:?} is in {text}");
}

#[test]
fn messages_are_told_by_what_they_state() {
    for (message, part) in [
        ("The webhook comes again because the first reply is sent too late.", Part::Decided),
        ("I keep the table of refunds instead of a cache in memory.", Part::Decided),
        ("The handler reads the order twice under `load_order`.", Part::Found),
        ("The test of the second webhook fails on an empty ledger.", Part::Failed),
        ("All nine tests pass with the new key of the refund service.", Part::Done),
        ("Still to come: the retry path of the webhook.", Part::Next),
    ] {
        check(vec![said(message)], part, &message.replace('`', ""));
    }
}

#[test]
fn what_changes_plans_replies_and_reports_say_is_told() {
    let commit =
        "git commit -m 'key: one key for every order' -m 'The retry finds the first refund.'";
    for line in
        ["Committed: key: one key for every order", "Change: The retry finds the first refund."]
    {
        check(vec![ran("1", commit), answered("1", true, "")], Part::Done, line);
    }

    let plan = "# Keys\n1. Parse the key of each order in `src/key.rs`.\n2. Store it in a table beside each refund of a payment.";
    let plan = called("1", Action::Proposed { plan: plan.to_owned() }, "");
    let line = "Parse the key of each order in src/key.rs. Store it in a table beside each refund of a payment.";
    check(vec![plan], Part::Next, &format!("Plan: {line}"));

    let reply = Reply {
        question: "Where shall the key be kept,\nin which table?".to_owned(),
        answer: "In refunds".to_owned(),
    };
    let replies = Holds::Replies { replies: vec![reply] };
    let line = "Where shall the key be kept, in which table? → In refunds";
    check(vec![holds("1", "answered", replies)], Part::Decided, line);
    let long = format!("{}?", "why and how ".repeat(60).trim_end());
    let replies = vec![Reply { question: long, answer: "Port 5432".to_owned() }];
    let text = about(vec![holds("1", "answered", Holds::Replies { replies })]).text;
    assert!(text.replace('\n', " ").contains("how … → Port 5432"), "{text}");

    let report = "Both callers of enqueue take the lock before they write.";
    check(vec![holds("1", report, Holds::Report)], Part::Found, report);
    let finished = Action::Finished { summary: report.to_owned() };
    check(vec![called("1", finished, "")], Part::Found, report);
}

#[test]
fn a_commit_is_told_with_its_hash_and_whether_it_was_pushed() {
    let mut turns =
        vec![ran("1", "git commit -am one"), answered("1", true, "[key 1a2b3c4] one order")];
    check(turns.clone(), Part::Done, "Committed 1a2b3c4 on key: one order");
    turns.extend([ran("2", "git push"), answered("2", true, "   0a2b3c4..1a2b3c4  key -> key")]);
    check(turns, Part::Done, "Committed 1a2b3c4 on key, pushed: one order");
}

#[test]
fn a_commit_that_was_taken_back_is_not_done() {
    let mut turns = vec![asked("Mend the refund of paid orders, please.")];
    for (id, file) in [("1", "src/key.rs"), ("2", "src/map.rs")] {
        let commit = format!("git commit -qm 'of {file}'");
        turns.extend([edited(id, file, ""), answered(id, true, "")]);
        turns.extend([ran(id, &format!("git add {file} && {commit}")), answered(id, true, "")]);
    }
    let committed =
        |turns: &[Turn]| (told(turns, Part::Done), told(turns, Part::Edited).join("; "));
    let lines = ["Committed: of src/map.rs", "Committed: of src/key.rs"].map(str::to_owned);
    let files = "Committed: src/map.rs, src/key.rs".to_owned();
    assert_eq!(committed(&turns), (lines.to_vec(), files));
    let reset = |how: &str| {
        let reset = format!("git reset {how}; true");
        committed(&[&turns[..], &[ran("3", &reset), answered("3", true, "")]].concat())
    };
    let files = "Not committed: src/map.rs; Committed: src/key.rs".to_owned();
    assert_eq!(reset("--soft HEAD~1"), (lines[1..].to_vec(), files));
    let files = "Committed: src/key.rs; src/map.rs (put back)".to_owned();
    assert_eq!(reset("--hard HEAD~1"), (lines[1..].to_vec(), files));
    assert_eq!(reset("HEAD~1 -- src/map.rs"), committed(&turns));
    assert!(!reset("HEAD~4000000000").0.iter().any(|line| line.starts_with("Committed")));
}

#[test]
fn what_is_about_to_be_looked_at_is_not_told() {
    check_untold(vec![said("Let me look at the handler of the webhook first.")], "look at");
    check_untold(vec![said("Here is what the handler of the webhook does:")], "Here is");
    check_untold(vec![said("## The handler of webhooks")], "handler");
    check_untold(vec![said("Still compiling, mostly the last crates of the handler.")], "handler");
    check_untold(vec![said("The handler is slow, so I'll run it once more.")], "handler");
    let taken_back = said("The handler keeps both keys. Actually it drops one of them.");
    check_untold([vec![taken_back], later()].concat(), "both keys");
    check_untold(vec![said("It reads:\n```\nlet key = order.key_of_handler;\n```")], "key_of");
}

#[test]
fn now_is_what_says_something() {
    let telling = "The key is parsed, and the retry path of the webhook takes it.";
    for nothing in ["Next.", "Now let me look:", "No response needed.", "Done!"] {
        let turns = [asked("Mend the refund, please."), said(telling), said(nothing)];
        let text = digest(&turns).recap(500).text;
        assert!(text.contains(&format!("- {telling}")), "{text}");
        assert!(!text.contains(nothing.trim_end_matches(':')), "{text}");
    }
}

/// Sessions in other languages keep the sentences that decide something: the request, the cause, the
/// decision, the failure, what comes next, the rule.
#[test]
fn sessions_in_other_languages_keep_what_decides() {
    let turns = |lines: &[&str]| -> Vec<Turn> {
        let one = |line: &&str| match (line.strip_prefix("> "), line.strip_prefix("$ ")) {
            (Some(ask), _) => vec![asked(ask)],
            (_, Some(command)) => vec![ran(command, command), answered(command, true, "fine")],
            (None, None) => vec![said(line)],
        };
        lines.iter().flat_map(one).collect()
    };
    for (session, told) in [
        (
            GERMAN,
            &[
                "doppelt ausgezahlt",
                "weil der Webhook",
                "Statt einer Sperre",
                "scheitert noch",
                "niemals direkt",
            ][..],
        ),
        (
            FRENCH,
            &[
                "remboursement est payé",
                "parce que le webhook",
                "au lieu d'un verrou",
                "échoue encore",
                "jamais directement",
            ],
        ),
        (CHINESE, &["退款被支付两次", "因为网关", "改用唯一键", "仍然失败", "不要直接推送"]),
        (
            JAPANESE,
            &[
                "二重に支払われる",
                "ウェブフックが再送",
                "代わりに一意キー",
                "まだ失敗",
                "絶対に直接",
            ],
        ),
    ] {
        for budget in [250, 500] {
            let text = digest(&turns(session)).recap(budget).text.replace('\n', " ");
            for words in told {
                assert!(text.contains(words), "{words} is not in {text}");
            }
        }
    }
}

const GERMAN: &[&str] = &[
    "> Finde heraus, warum die Erstattung doppelt ausgezahlt wird. Pushe niemals direkt auf main.",
    "Ich sehe mir zuerst den Dienst an.",
    "$ cargo test -p pay",
    "Die Erstattung kommt zweimal, weil der Webhook nach einer Sekunde noch einmal gesendet wird.",
    "Statt einer Sperre nehme ich einen eindeutigen Schlüssel je Bestellung.",
    "$ git diff",
    "> Gut, weiter so.",
    "Der Schlüssel ist eingebaut. Der Test für die leere Bestellung scheitert noch an der Migration.",
];

const FRENCH: &[&str] = &[
    "> Trouve pourquoi le remboursement est payé deux fois. Ne pousse jamais directement sur main.",
    "Je regarde d'abord le service.",
    "$ cargo test -p pay",
    "Le remboursement arrive deux fois parce que le webhook est renvoyé après une seconde.",
    "Je prends une clé unique par commande au lieu d'un verrou.",
    "$ git diff",
    "> Bien, continue.",
    "La clé est en place. Le test de la commande vide échoue encore à cause de la migration.",
];

const CHINESE: &[&str] = &[
    "> 请找出为什么退款被支付两次。不要直接推送到主分支。",
    "我先看一下服务。",
    "$ cargo test -p pay",
    "退款出现两次，因为网关在一秒后会重新发送通知。",
    "决定改用唯一键，而不是加锁。",
    "$ git diff",
    "> 好的，继续。",
    "唯一键已经加好了。空订单的测试仍然失败，问题在数据库迁移。",
];

const JAPANESE: &[&str] = &[
    "> 返金が二重に支払われる理由を調べてください。絶対に直接プッシュしないこと。",
    "まずサービスを見ます。",
    "$ cargo test -p pay",
    "一秒後にウェブフックが再送されるため、返金が二回届きます。",
    "ロックの代わりに一意キーを注文ごとに使うことに決めました。",
    "$ git diff",
    "> はい、続けてください。",
    "一意キーを追加しました。空の注文のテストは移行の問題でまだ失敗します。",
];

#[test]
fn lines_that_a_program_printed_are_not_told_as_words_of_the_user() {
    let pasted =
        "The build of the shop stops here:\n🔄 Change detected in shop.tsx\n✅ Rebuild complete";
    check_untold(vec![asked(pasted), said("It stops no more.")], "Rebuild");
    let log = "2026-11-22T10:00:01Z WARN shop::pay::Retry key=rk_1 order=42 took=1.2s";
    let asks = [asked(&format!("It fails like this, see the retry:\n{log}")), said("I see it.")];
    let recap = about(asks.into());
    let lines = recap.sections.iter().flat_map(|section| &section.lines);
    let alone = lines.filter(|line| line.trim_matches('"') == log).count();
    assert_eq!(alone, 0, "{}", recap.text);
}

#[test]
fn sentences_of_one_message_stand_together() {
    let one = "The webhook reads the order and its customer at every retry.";
    let other = "The ledger table holds both refunds of one payment.";
    let message = format!("{one} Let me see the code of that. {other}");
    let line = format!("{one} … {other}");
    check(vec![said(&message)], Part::Found, &line);
    let list = format!("- {}\n- {other}", one.trim_end_matches('.'));
    let line = format!("{}; {other}", one.trim_end_matches('.'));
    check(vec![said(&list)], Part::Found, &line);
}

#[test]
fn what_is_said_again_is_told_once() {
    let same = "The ledger table holds both refunds of one payment.";
    let text = about(vec![said(same), said("Yes."), said(same)]).text;
    assert_eq!(text.matches(same).count(), 1, "{text}");
}

#[test]
fn a_long_sentence_is_cut_at_a_word() {
    let long: Vec<String> = (1000..1100).map(|n| format!("refund{n}")).collect();
    let text = about(vec![said(&format!("The ledger holds {}", long.join(" ")))]).text;
    let text = text.replace('\n', " ");
    let told = text.split("The ledger holds ").nth(1).expect(&text);
    let told: Vec<&str> = told.split(" …").next().expect(&text).split(' ').collect();
    assert!(30 < told.len() && told[..] == long[..told.len()], "{text}");
}

#[test]
fn the_first_words_of_a_long_request_are_told() {
    let more: Vec<String> =
        (0..200).map(|n| format!("Step {n} of it is to read the order number {n}.")).collect();
    let ask = format!("Make the refunds idempotent in the service.\n{}", more.join("\n"));
    let recap = digest(&[asked(&ask), said("I read all orders first.")]).recap(500);
    let first = recap.sections.first().map(|section| section.lines.join("\n"));
    let first = first.expect(&recap.text);
    assert!(first.contains("Asked last: \"Make the refunds idempotent in the service."), "{first}");
}

#[test]
fn languages_without_blanks_are_told_in_sentences() {
    let turns = [
        asked("退款被支付了两次。请找出原因并修复它。"),
        said("网络钩子再次到达时账本还没有写入。测试现在全部通过。"),
        said("网络钩子再次到达时账本还没有写入。"),
        asked("继续。"),
        said("下一步是重试路径。"),
    ];
    let text = digest(&turns).recap(300).text;
    for told in ["退款被支付了两次", "账本还没有写入。", "测试现在全部通过。", "下一步是重试路径。"]
    {
        assert_eq!(text.matches(told).count(), 1, "{told} in {text}");
    }
}

#[test]
fn ten_thousand_messages_are_bounded() {
    let mut digest = Digest::new(&Options::default());
    digest.push(&ran("1", "git commit -m 'the very first change of all orders'"));
    for n in 0..10_000 {
        let words: Vec<String> = (0..8).map(|word| format!("word{n}x{word}")).collect();
        digest.push(&said(&format!("Order {n} holds {}.", words.join(" "))));
    }
    let samples = digest.statement_samples();
    assert!((1_000..=4_000).contains(&samples.len()), "{}", samples.len());
    assert!(samples.iter().any(|it| it.text.contains("very first change")), "changes stay longest");
    let text = digest.recap(200).text;
    assert!(text.contains("Order 9999 holds"), "{text}");
}

/// The lines of one part of a recap of these turns.
fn told(turns: &[Turn], part: Part) -> Vec<String> {
    let sections = digest(turns).recap(1_000).sections.into_iter();
    sections.filter(|section| section.part == part).flat_map(|section| section.lines).collect()
}

#[test]
fn rules_stand_first_and_those_taken_back_nowhere() {
    let turns = [
        asked("Never use mocks in tests. Mend the refund of paid orders in the service."),
        said("I read the service first."),
        asked("No caches. Then write the page on refunds."),
        said("It is written."),
        asked("Forget what I said about mocks."),
        later().remove(0),
        asked(LAST),
    ];
    let lines = [
        "\"No caches.\"",
        "\"Mend the refund of paid orders in the service.\"",
        "\"Then write the page on refunds.\"",
        "\"Forget what I said about mocks.\"",
    ];
    assert_eq!(told(&turns, Part::Rules), lines);
}

/// Whatever the agent was about to do, the user had the last word.
#[test]
fn a_step_that_the_user_ruled_out_is_not_told_as_the_present_one() {
    let mend = asked("Mend the refund of paid orders in the service, and test the retry path.");
    for (step, ruled_out) in [
        ("Next I push the branch to the shared remote.", "Do not push the branch."),
        (
            "Next the migration runs on the production database.",
            "Never run the migration on production!",
        ),
        ("Still to come: delete the old ledger table.", "No, don't delete the ledger table."),
    ] {
        let before = "The refund is mended, and its test ran well with the new key.";
        let answered = said(&format!("{before} {step}"));
        let ended = digest(&[mend.clone(), answered.clone(), asked(ruled_out)]);
        let text = ended.recap(1_000).text;
        assert!(!text.contains(step), "{text}");
        assert!(text.contains(before) && text.contains(ruled_out), "{text}");
        assert_ne!(ended.state().next.as_deref(), Some(step));
        // What the user did not rule out stands.
        let text = digest(&[mend.clone(), answered, asked("Do not touch the public API.")]);
        let text = text.recap(1_000).text;
        assert!(text.contains(step), "{step}: {text}");
    }
    let list = crate::turns::planned(&[
        ("Push the branch to the remote", Progress::Active),
        ("Write the page on refunds", Progress::Pending),
    ]);
    let text = digest(&[mend, list, asked("Don't push the branch.")]).recap(1_000).text;
    assert!(!text.contains("Push the branch") && text.contains("Write the page"), "{text}");
}

/// What came of each request is read where the requests and what the agent said follow each other; a message that only
/// says again what the next one says is left out, and so is what the agent was about to do.
#[test]
fn what_was_said_last_is_told_in_its_order() {
    let turns = [
        asked("Find out why the refund of an order is paid twice, and mend it in the service."),
        said("I will read the service first. It keeps each order under the key of its customer."),
        said("The reply is late, so the webhook comes twice."),
        said("The reply is late: the webhook comes twice, with one key for both orders."),
        asked("Then answer before the refund is booked, and tell me which test shows it."),
        said("Answered first now. The test webhook_answers_first shows it on an empty ledger."),
        asked(LAST),
        said("The key of the retry is right, and I'll run the tests of the ledger."),
        said("The retry waits for the ledger."),
    ];
    let lines = [
        "Asked first: \"Find out why the refund of an order is paid twice, and mend it in the service.\"",
        "It keeps each order under the key of its customer.",
        "The reply is late: the webhook comes twice, with one key for both orders.",
        "User: \"Then answer before the refund is booked, and tell me which test shows it.\"",
        "Answered first now. The test webhook_answers_first shows it on an empty ledger.",
        &format!("Asked last: \"{LAST}\""),
        "The key of the retry is right, and I'll run the tests of the ledger.",
        "The retry waits for the ledger.",
    ];
    assert_eq!(told(&turns, Part::Now), lines);
    assert_eq!(told(&turns, Part::Next), Vec::<String>::new());
}

/// A request that tells by itself what it is about.
const LAST: &str = "Now go on with the retry of the webhook, and with nothing else besides it.";

#[test]
fn a_request_is_cut_at_a_sentence() {
    let ask = "Mend the refund of paid orders in the service, whatever it takes to do so. ";
    let turns = [
        asked("Read the whole service first, please."),
        said("Read."),
        asked(&ask.repeat(9)),
        later().remove(0),
        asked(LAST),
    ];
    let line = format!("\"{} …\"", ask.repeat(2).trim_end());
    assert_eq!(told(&turns, Part::Rules).last(), Some(&line));
}

#[test]
fn a_short_answer_is_told_with_its_question() {
    let question = "Shall I merge the branch of the refund key now?";
    let turns = [asked("Mend the refund."), said(&format!("It is mended. {question}"))];
    let answered = [&turns[..], &[asked("Yes, merge it")]].concat();
    let lines = [&format!("The agent asked: {question}"), "Asked last: \"Yes, merge it\""];
    assert_eq!(told(&answered, Part::Now)[1..], lines);
    let more = [&answered[..], &later(), &[asked("Go on with the retry of it.")]].concat();
    assert_eq!(told(&more, Part::Decided), [format!("{question} → Yes, merge it")]);
}

#[test]
fn a_number_keeps_its_mark_and_a_long_message_is_cut_at_a_sentence() {
    let line = "#42 pays the refund of the order twice at every retry.";
    check(vec![said(line)], Part::Found, line);
    let long =
        "The ledger of refunds holds both payments of order 12 and its customer. ".repeat(120);
    let text = about(vec![said(&long)]).text.replace('\n', " ");
    assert!(text.contains(long[..70].trim_end()) && !text.contains("…"), "{text}");
}

#[test]
fn what_passed_is_told_and_whether_it_was_before_the_last_edits() {
    let mut turns = vec![
        asked("Mend the refund of paid orders, please."),
        ran("1", "cd shop && cargo test -p pay 2>&1 | tail -3"),
        answered("1", true, "test result: ok. 9 passed; 0 failed"),
        // Behind a pipe nothing says that it went well.
        ran("2", "make lint | tail -3"),
        answered("2", true, "linting"),
        ran("3", "gh pr create --title 'One key'"),
        answered("3", true, "https://github.com/a/b/pull/12"),
        said("It waits for a review."),
    ];
    let passed = "`cargo test -p pay` passed → test result: ok. 9 passed; 0 failed";
    let pull = "Pull request: https://github.com/a/b/pull/12";
    assert_eq!(told(&turns, Part::Done), [pull, passed, "Change: One key"]);
    turns.extend([edited("4", "src/key.rs", ""), answered("4", true, "")]);
    let passed = passed.replace("passed →", "passed, before the last edits →");
    assert_eq!(told(&turns, Part::Done)[1], passed);
    turns.extend([ran("5", "cd shop && cargo test -p pay | tail -3"), answered("5", true, "FAIL")]);
    turns.push(said("It fails."));
    assert_eq!(told(&turns, Part::Done), [pull, "Change: One key"]);
}

#[test]
fn failures_are_told_with_the_lines_that_say_how() {
    let mut turns = vec![asked("Mend the refund of paid orders, please.")];
    for (id, line, answer) in [
        ("1", "rtk bun run test", "error: unrecognized subcommand 'bun'"),
        (
            "2",
            "cd web && bun run lint 2>&1",
            "$ lint\nerror: lint failed\nsrc/a.ts:3:1: no default",
        ),
    ] {
        turns.extend([ran(id, line), answered(id, false, answer)]);
    }
    let lines = [
        "`bun run lint` → src/a.ts:3:1: no default | error: lint failed",
        "`rtk bun run test` → error: unrecognized subcommand 'bun'",
    ];
    assert_eq!(told(&turns, Part::Failed), lines);
}

#[test]
fn a_question_stands_once_before_its_answer() {
    let question = "Shall I move the key of paid refunds into a file of its own?";
    let turns = [
        asked("Make the refunds of paid orders idempotent, please."),
        said(&format!("Both ways work, and the first one changes fewer tests. {question}")),
        asked("yes"),
        said("The key is in src/key.rs now."),
    ];
    let text = digest(&turns).recap(1_000).text;
    assert!(text.contains("- Both ways work, and the first one changes fewer tests.\n"), "{text}");
    assert_eq!(text.matches(question).count(), 1, "{text}");
}

#[test]
fn what_only_looked_is_no_command_and_no_file() {
    let turns = [
        asked("Look at the pull requests of the shop, please."),
        ran("1", "gh api repos/a/b/pulls/12/comments && npm info left-pad && cargo run -- pay"),
        answered("1", true, "see docs/other/page.md and lib/deep/file.rs"),
    ];
    assert_eq!(told(&turns, Part::Edited), [""; 0]);
    assert_eq!(told(&turns, Part::Commands), ["cargo run -- pay"]);
}

/// What a harness's summary names is in front of the reader; a page that names a file says nothing of what was done to it.
#[test]
fn files_and_commands_that_the_summary_has_are_not_told_again() {
    let compacted = |summary: &str| turn(Event::Compacted { summary: Some(summary.to_owned()) });
    let work = |n: u32| {
        let (one, two) = (format!("{n}e"), format!("{n}r"));
        let edit =
            [edited(&one, &format!("src/refund_{n}.rs"), "let key = 1;"), answered(&one, true, "")];
        let run = [ran(&two, &format!("cargo nextest run -p refund{n}")), answered(&two, true, "")];
        edit.into_iter().chain(run)
    };
    let mut turns = vec![asked("The refund of an order is paid twice: find out why and mend it.")];
    turns.extend(work(1));
    let summary = "Edited src/refund_1.rs, and ran cargo nextest run -p refund1.";
    turns.push(compacted(summary));
    turns.extend(work(2));
    let digest = digest(&turns);
    let text = |beside: &str| Recap::text_of(&digest.sections(1_000, beside));
    for (beside, is_told) in [("", true), ("- [ ] look at src/refund_1.rs", true), (summary, false)]
    {
        let text = text(beside);
        for part in ["src/refund_1.rs", "cargo nextest run -p refund1"] {
            assert_eq!(text.contains(part), is_told, "{part} beside {beside:?} in {text}");
        }
        assert!(text.contains("refund_2.rs") && text.contains("-p refund2"), "{text}");
    }
}

#[test]
fn an_option_is_told_with_the_words_that_choose_it() {
    let listed = "Want to:\n1. **Do it now** - as part of this branch\n2. **Quick fix** - a copy of the helper in strategy.rs\n\nIt is a detour either way.";
    let lettered = "| Option | what |\n|---|---|\n| **A. All** | every checkpoint |\n| **B. Branch** | commits that are not in main |\n\nWhat do you prefer?";
    let proposed = "The list needs no strategy at all.";
    for (message, answer, expected) in [
        (
            listed,
            "let's do 2 for now, and open an issue for it",
            "2. Quick fix - a copy of the helper in strategy.rs → let's do 2 for now, and open an issue for it",
        ),
        (
            lettered,
            "I'd like it to do B, and for main itself it can show all that there is",
            "B. Branch: commits that are not in main → I'd like it to do B, and for main itself it can show all that there is",
        ),
        (
            proposed,
            "yes, that makes sense",
            "The list needs no strategy at all. → yes, that makes sense",
        ),
        (listed, "2", "2. Quick fix - a copy of the helper in strategy.rs → 2"),
    ] {
        check(vec![said(message), asked(answer)], Part::Decided, expected);
    }
    // What the agent did since answers it no more.
    let worked = [ran("1", "make all"), answered("1", true, "ok")];
    check_untold(
        [vec![said("Shall I push?")], worked.to_vec(), vec![asked("run the linter")]].concat(),
        " → run",
    );
    // A number of something else chooses nothing.
    let turns = vec![
        said(listed),
        asked("And for now limit the list to 2 of them, on all branches that there are."),
    ];
    check_untold(turns, " → ");
}

#[test]
fn a_question_that_was_answered_is_told_no_more() {
    let answer = said("The ledger keeps fifty of them.");
    let asks = |text: &str| [vec![asked(text), answer.clone()], later()].concat();
    check_untold(asks("How many refunds does the ledger keep?"), "How many");
    // Some orders look like questions.
    let order = "Can you write the refunds of the ledger into a table of the shop?";
    assert!(about(asks(order)).text.contains(order));
}
