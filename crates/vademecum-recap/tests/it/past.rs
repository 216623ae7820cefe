//! What earlier sessions did, asked one thing at a time.

use vademecum_core::turn::{Action, Event, Outcome, Turn};
use vademecum_recap::Options;
use vademecum_recap::past::{Error, Mended, Reread, Runs, Touched};

use crate::turns::{answered, asked, called, came, edited, ran, read, said, turn};

fn options() -> Options {
    Options { roots: vec!["/home/dev/shop".to_owned()] }
}

/// Who changed `path`, a line for each request.
fn touched(path: &str, turns: &[Turn]) -> Vec<String> {
    let mut touched = Touched::new(path, &options());
    for turn in turns {
        touched.push(turn);
    }
    let line = |touch: vademecum_recap::past::Touch| {
        let said = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let deed = touch.deed.unwrap_or("edited");
        format!(
            "{} {deed} | {} | {} | {}",
            touch.changes,
            said(touch.asked),
            said(touch.why),
            said(touch.commit)
        )
    };
    touched.finish().into_iter().map(line).collect()
}

#[test]
fn a_change_is_told_with_its_request_its_reason_and_its_commit() {
    let path = "/home/dev/shop/crates/pay/src/retry.rs";
    let turns = [
        asked("Make the webhook retries idempotent, they charge twice."),
        said("I will look at `retry.rs` first."),
        edited("1", path, "a"),
        said(
            "The key in retry.rs was made per attempt. It must be made once because the bank compares keys.",
        ),
        edited("2", path, "b"),
        said("The lint is run anew since the config changed."),
        ran("3", "git commit -am \"retry: one key for all attempts\""),
        ran("c1", "cd /tmp/try && git init && git commit -m \"Initial commit\""),
        asked("yes, the other too"),
        said("It is made anew because the other one differs."),
        called("4", Action::Wrote { path: path.to_owned(), lines: 9 }, ""),
        edited("5", "/home/dev/shop/crates/pay/src/other.rs", "c"),
        edited("6", path, "refused"),
        answered("6", false, "File has not been read yet"),
        asked("Once more, with all that it takes."),
        edited("7", path, "refused"),
        answered("7", false, "File has not been read yet"),
    ];
    let told = [
        "1 wrote | Make the webhook retries idempotent, they charge twice. … then: yes, the other too | It is made anew because the other one differs. | -",
        "2 edited | Make the webhook retries idempotent, they charge twice. | The key in retry.rs was made per attempt. | retry: one key for all attempts",
    ];
    for name in [
        "crates/pay/src/retry.rs",
        "retry.rs",
        "retry.rs:14",
        "retry.rs:3-9",
        "./crates/pay/src/retry.rs",
        path,
    ] {
        assert_eq!(touched(name, &turns), told, "{name}");
    }
    assert_eq!(touched("crates/pay", &turns).len(), 2);
    for other in ["try.rs", "pay/src", "other", "crates/pay/src/retry.rs.bak"] {
        assert!(
            !touched(other, &turns).iter().any(|line| line.contains("wrote")) || other == "pay/src"
        );
    }
    assert_eq!(touched("try.rs", &turns), [""; 0]);
}

/// What became of `error`, a line each.
fn mended(error: &str, turns: &[Turn]) -> Vec<String> {
    let mut mended = Mended::new(Error::new(error), &options());
    for turn in turns {
        mended.push(turn);
    }
    let line = |mend: vademecum_recap::past::Mend| {
        let end = if mend.ended.is_some() { "ended" } else { "open" };
        let well = mend.well.map_or_else(String::new, |well| format!(" by {well}"));
        let why = mend.why.unwrap_or_else(|| "-".to_owned());
        format!("{} × {} | {end}{well} | {} | {why}", mend.times, mend.line, mend.steps.join(", "))
    };
    mended.finish().into_iter().map(line).collect()
}

const BORROW: &str = "error[E0502]: cannot borrow `queue` as mutable\n --> src/queue.rs:14:9\n";

#[test]
fn an_error_is_told_with_what_ended_it() {
    let turns = [
        ran("1", "cargo test -p pay"),
        answered("1", false, BORROW),
        edited("2", "/home/dev/shop/src/lib.rs", "no help"),
        ran("3", "cargo test -p pay"),
        answered("3", false, &BORROW.replace("14:9", "17:9")),
        edited("4", "/home/dev/shop/src/queue.rs", "help"),
        said("The borrow ended too late because the guard lived on."),
        ran("5", "cargo test -p pay --lib"),
        answered("5", true, "test result: ok. 9 passed"),
        edited("6", "/home/dev/shop/src/after.rs", "later"),
    ];
    let told =
        ["2 × error[E0502]: cannot borrow `queue` as mutable | ended by cargo test -p pay --lib \
                 | changed src/queue.rs | The borrow ended too late because the guard lived on."];
    // With other numbers, quotes, folders and case it is the same error.
    for error in [
        "cannot borrow 'queue' as mutable",
        "E0502",
        BORROW,
        "ERROR[e0502]: Cannot borrow \"queue\"",
    ] {
        assert_eq!(mended(error, &turns), told, "{error}");
    }
    for other in [
        "cannot borrow `queues`",
        "E0503",
        "error[E0502]: cannot move",
        "rror[E0502]",
        "mutabl",
        "borro",
    ] {
        assert_eq!(mended(other, &turns), [""; 0], "{other}");
    }
}

/// A line that says how well it went is no error, whatever it names; one that ends like that is.
#[test]
fn an_output_says_its_error_in_a_line_of_its_own() {
    for (output, said) in [
        ("Exit code 1\nerror: cannot deliver to the webhook", true),
        ("test parse::error_of_a_line ... ok", false),
        ("12 errors were expected, all passed", false),
        ("Exit code 101", false),
        ("everything went as it should", false),
    ] {
        assert_eq!(Error::said_in(output).is_some(), said, "{output}");
    }
}

#[test]
fn what_only_stands_in_an_output_is_no_error() {
    let look = |id: &str, command: &str| {
        called(id, Action::Ran { command: command.to_owned(), is_look: true }, command)
    };
    for turns in [
        [ran("1", "cargo test"), answered("1", true, BORROW)],
        [look("1", "git diff | head"), answered("1", true, BORROW)],
        [edited("1", "/home/dev/shop/src/queue.rs", "x"), answered("1", false, BORROW)],
    ] {
        assert_eq!(mended(BORROW, &turns), [""; 0], "{turns:?}");
    }
    let piped = [ran("1", "cargo build | head"), answered("1", true, BORROW)];
    assert_eq!(mended(BORROW, &piped).len(), 1);
}

#[test]
fn of_many_steps_those_that_wrote_a_file_stay() {
    let path = |n: u32| format!("/home/dev/shop/src/{n}.rs");
    let mut turns = vec![ran("0", "make"), answered("0", false, BORROW)];
    turns.push(called("1", Action::Wrote { path: path(0), lines: 9 }, ""));
    turns.extend((1..8).map(|n| edited(&format!("e{n}"), &path(n), "")));
    turns.extend([ran("2", "for f in src/*; do sed -i s/a/b/ $f; done"), ran("3", "make")]);
    turns.push(answered("3", true, "ok"));
    let told = mended(BORROW, &turns);
    assert!(told[0].contains("wrote src/0.rs, changed src/5.rs"), "{told:?}");
    assert!(told[0].contains("changed src/7.rs, for f in src/*; do sed -i"), "{told:?}");
}

#[test]
fn what_is_done_for_other_requests_did_not_end_it() {
    let turns = [
        ran("1", "make check"),
        answered("1", false, BORROW),
        asked("end it please"),
        edited("2", "/home/dev/shop/src/queue.rs", "help"),
        asked("now the docs"),
        edited("3", "/home/dev/shop/docs/a.md", "other"),
        said("The docs were old because nobody read them."),
        ran("4", "make check"),
        answered("4", true, "ok"),
    ];
    let told =
        ["1 × error[E0502]: cannot borrow `queue` as mutable | ended | changed src/queue.rs | -"];
    assert_eq!(mended(BORROW, &turns), told);
}

#[test]
fn what_a_file_says_is_no_error_and_what_the_user_tells_is_one() {
    let turns = [
        read("1", "/home/dev/shop/docs/errors.md"),
        answered("1", true, BORROW),
        asked("CI says: cannot borrow `queue` as mutable"),
        edited("2", "/home/dev/shop/src/queue.rs", "help"),
        asked("thanks, now the docs"),
        edited("3", "/home/dev/shop/docs/a.md", "other"),
    ];
    let told = ["1 × CI says: cannot borrow `queue` as mutable | open | changed src/queue.rs | -"];
    assert_eq!(mended("cannot borrow `queue`", &turns), told);
}

#[test]
fn what_has_no_word_is_no_error() {
    for text in ["", "  \n ", "42", "=> :", "11:32"] {
        assert_eq!(Error::new(text), None, "{text}");
    }
}

#[test]
fn a_program_is_told_with_its_options_and_how_that_went() {
    let turns = [
        ran("1", "cd shop && DATABASE_URL=postgres://localhost/t cargo test -p pay 2>&1 | tail -3"),
        answered("1", false, "FAILED"),
        ran("2", "DATABASE_URL=postgres://localhost/t cargo test -p pay"),
        answered("2", true, "ok"),
        ran("3", "cargo  build"),
        ran("4", "make && ./target/debug/cargo test"),
        ran("5", "cargo-deny check; echo cargo test"),
        ran("6", "cargo test --lib 2>&1 | tail -3"),
        answered("6", true, "test result: FAILED. 1 passed; 2 failed"),
        ran("7", "git commit -am 'key: made' && cargo doc"),
        answered("7", false, "[main 1a2b3c4] key: made\nerror: could not document `pay`"),
        ran("8", "git commit -m 'key: hooked' | tail -3"),
        answered("8", true, "2 failed, 9 passed in 0.12s"),
        ran("9", "cargo test --lib"),
        came("9", Outcome::Refused, "The user doesn't want to proceed with this tool use."),
        ran("10", "git push --force"),
        came("10", Outcome::Refused, "The user doesn't want to proceed with this tool use."),
    ];
    let of = |program: &str| {
        let mut runs = Runs::new(program);
        for turn in &turns {
            runs.push(turn);
        }
        let line = |run: vademecum_recap::past::Run| {
            format!("{} ({}, {} failed, {})", run.command, run.times, run.failed, run.is_ok)
        };
        runs.finish().map(line).collect::<Vec<_>>()
    };
    assert_eq!(
        of("cargo test"),
        [
            "./target/debug/cargo test (1, 0 failed, true)",
            "DATABASE_URL=postgres://localhost/t cargo test -p pay (2, 1 failed, true)",
            "cargo test --lib (1, 1 failed, false)",
        ]
    );
    assert_eq!(
        of("git"),
        [
            "git commit -am 'key: made' (1, 0 failed, true)",
            "git commit -m 'key: hooked' (1, 1 failed, false)",
        ]
    );
    assert_eq!(of("make"), ["make (1, 0 failed, true)"]);
    assert_eq!(of("cargo").len(), 5);
    assert_eq!(of("car"), [""; 0]);
}

#[test]
fn what_was_read_again_behind_a_compaction_is_counted() {
    let (a, b) = ("/home/dev/shop/a.rs", "/home/dev/shop/b.rs");
    let compacted = || turn(Event::Compacted { summary: None });
    let turns = [
        asked("Look"),
        read("1", a),
        read("2", b),
        read("3", a),
        compacted(),
        edited("4", b, "new"),
        read("5", b),
        read("6", a),
        answered("6", true, "12345678"),
        read("7", a),
        compacted(),
        read("8", a),
        answered("8", true, "1234"),
    ];
    let mut counted = Reread::default();
    for turn in &turns {
        counted.push(turn);
    }
    let Reread { requests, calls, compactions, reads, again, again_tokens, .. } = counted;
    assert_eq!((requests, calls, compactions, reads, again, again_tokens), (1, 8, 2, 7, 2, 3));
}

#[test]
fn a_search_of_the_memory_that_found_something_is_told_from_one_that_did_not() {
    let search = |id: &str| {
        let query = "webhook".to_owned();
        called(id, Action::Recalled { query, is_one: false }, "webhook")
    };
    let answers = [
        (true, "2 notes\nnote_1 …", true),
        (true, "{\"notes\":[{\"id\":\"note_1\"}]}", true),
        (true, "no notes match; scope project searches all sessions", false),
        (true, "nothing that the project keeps matches", false),
        (true, "{\"notes\":[],\"matched\":0}", false),
        (true, "", false),
        (false, "2 notes", false),
    ];
    for (is_ok, answer, hits) in answers {
        let mut counted = Reread::default();
        for turn in [search("1"), answered("1", is_ok, answer)] {
            counted.push(&turn);
        }
        assert_eq!((counted.searches, counted.hits), (1, u32::from(hits)), "{answer}");
    }
}
