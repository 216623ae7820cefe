//! The form of entries: exact, and read back whatever they say.

use proptest::prelude::*;

use super::*;
use crate::entry::Labels;
use crate::entry::{Matter, Text};
use crate::id::EntryId;

fn text(text: &str) -> Text {
    Text::new(text).expect("a text")
}

fn line(text: &str) -> Line {
    Line::new(text).expect("a line")
}

const AT: Time = Time(1_769_524_200_000);

#[test]
fn an_entry_has_the_published_form() {
    let bare = Said {
        task: Some(line("03-01")),
        ..Said::bare(Category::Learning, text("Zod 3.23 changed `.transform()`"))
    };
    assert_eq!(
        render(Category::Learning, AT, &bare),
        "\n## 2026-01-27T14:30:00.000Z | Task: 03-01\n\nZod 3.23 changed `.transform()`\n\n\n\n\n---\n"
    );
    let full = Said {
        pattern: Some(line("src/a.rs:45-60")),
        tags: Labels::new(&["zod", "validation"]).expect("tags"),
        ..bare
    };
    assert_eq!(
        render(Category::Learning, AT, &full),
        "\n## 2026-01-27T14:30:00.000Z | Task: 03-01\n\nZod 3.23 changed `.transform()`\n\n\
         **Pattern found:** `src/a.rs:45-60`\n\n**Tags:** zod, validation\n\n---\n"
    );
}

#[test]
fn a_decision_says_why() {
    let decision = Said {
        matter: Matter::Decision {
            rationale: Some(text("the lock\n\nis lost")),
            alternatives: Some(text("a lock")),
        },
        supersedes: Some(EntryId(7)),
        ..Said::bare(Category::Decision, text("A unique index"))
    };
    insta::assert_snapshot!(render(Category::Decision, AT, &decision), @"

    ## 2026-01-27T14:30:00.000Z | Task: -

    A unique index

    **Rationale:** the lock
      
      is lost

    **Alternatives:** a lock

    **Supersedes:** entry_7




    ---
    ");
    check_round_trip(AT, &decision);
}

#[test]
fn an_issue_says_where_it_stands() {
    let issue = Said {
        matter: Matter::Issue {
            severity: Some(Severity::High),
            status: Status::Workaround,
            workaround: Some(text("run it twice")),
        },
        ..Said::bare(Category::Issue, text("The first run fails"))
    };
    insta::assert_snapshot!(render(Category::Issue, AT, &issue), @"

    ## 2026-01-27T14:30:00.000Z | Task: -

    The first run fails

    **Severity:** high

    **Status:** workaround

    **Workaround:** run it twice




    ---
    ");
    check_round_trip(AT, &issue);
}

#[track_caller]
fn check_round_trip(at: Time, said: &Said) {
    let category = said.matter.category().expect("a category with a file");
    let one = render(category, at, said);
    let written = format!("{}{one}{one}", title(category));
    let found = parse(category, &written);
    let said: Vec<_> = vec![(Some(at), Ok(said.clone()), true); 2];
    let found: Vec<_> = found.into_iter().map(|one| (one.at, one.said, one.is_closed)).collect();
    assert_eq!(found, said, "{written}");
}

/// What a file says: the time of each entry, its task and its text.
#[track_caller]
fn check(file: &str, expected: &[(Option<&str>, Option<&str>, &str)]) {
    let found = parse(Category::Learning, file);
    let found: Vec<_> = found
        .iter()
        .map(|one| {
            let said = one.said.as_ref().expect("an entry");
            let task = said.task.as_ref().map(Line::as_str);
            (one.at.map(Time::to_rfc3339), task, said.content.as_str())
        })
        .collect();
    let expected: Vec<_> =
        expected.iter().map(|(at, task, text)| (at.map(str::to_owned), *task, *text)).collect();
    assert_eq!(found, expected);
}

#[test]
fn four_dialects_of_headers_are_read() {
    let at = Some("2026-01-27T14:30:00.000Z");
    for (header, task) in [
        ("## 2026-01-27T14:30:00Z | Task: x y", Some("x y")),
        ("## 2026-01-27T14:30:00.000Z | Task: x", Some("x")),
        ("## [2026-01-27T14:30:00Z] Task: x", Some("x")),
        ("## 2026-01-27 14:30:00", None),
        ("## 2026-01-27T14:30:00Z | Task: -\r", None),
        ("## [2026-01-27 14:30:00] Task:", None),
    ] {
        check(&format!("# Learnings\n\n{header}\n\ntext\n\n---\n"), &[(at, task, "text")]);
    }
    for text in
        ["## Findings", "## 2026", "## 2026-13-45T00:00:00Z | Task: x", "### 2026-01-27 14:30:00"]
    {
        let file = format!("{}{text}\n---\n", "## 2026-01-27T14:30:00Z | Task: x\n");
        check(&file, &[(at, Some("x"), text)]);
    }
}

#[test]
fn a_file_with_headers_only_has_no_entry() {
    check("", &[]);
    check("# Learnings\n\n", &[]);
    check("# Learnings\n\n\n# From: 03-01\n\n# Learnings\n\n## 2026-01-27 14:30:00\n\n---\n", &[]);
}

#[test]
fn what_is_appended_without_a_header_is_read_too() {
    let at = Some("2026-01-27T14:30:00.000Z");
    check(
        "# Learnings\n\n- one\n- two\n  more\n\nthree\nfour\n\n## 2026-01-27 14:30:00\na\n\nb\n---\n- five",
        &[
            (None, None, "- one"),
            (None, None, "- two\n  more"),
            (None, None, "three\nfour"),
            (at, None, "a\n\nb"),
            (None, None, "- five"),
        ],
    );
}

#[test]
fn an_entry_written_by_hand_keeps_every_line() {
    let file = "## 2026-01-27T14:30:00Z | Task: 03-01\n\n**Discovery:** use `.pipe()`\n\n\
        **Pattern found:** `src/a.ts:45-60` shows it\n\n**Tags:** zod, Types\n\n**Tags:** again\nmore";
    let found = parse(Category::Learning, file);
    let expected = Said {
        content: text("**Discovery:** use `.pipe()`\n\n\n\n**Tags:** again\nmore"),
        task: Some(line("03-01")),
        pattern: Some(line("src/a.ts:45-60 shows it")),
        tags: Labels::new(&["zod", "types"]).expect("tags"),
        ..Said::bare(Category::Learning, text("x"))
    };
    assert_eq!(found[0].said, Ok(expected));
    assert!(!found[0].is_closed);
}

#[test]
fn content_that_looks_like_a_header_is_content() {
    for content in [
        "## 2026-01-01T00:00:00Z | Task: x",
        "\\## 2026-01-01T00:00:00Z | Task: x",
        "a\n---\nb",
        "# From: other\n**Tags:** x\n**Supersedes:** entry_1",
        "\n\n \\ \n\\\\\n",
        "a\r\n\r\n",
        "**Status:** open",
    ] {
        for category in Category::ALL {
            check_round_trip(AT, &Said::bare(category, text(content)));
        }
    }
}

fn any_content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,12}",
        Just("## 2026-01-01T00:00:00Z | Task: x".to_owned()),
        Just("## [2026-01-01T00:00:00Z] Task: x".to_owned()),
        Just("---".to_owned()),
        Just("**Rationale:** x".to_owned()),
        Just("**Tags:** a, b".to_owned()),
        Just("# From: a".to_owned()),
        Just("# Learnings".to_owned()),
        Just("  indented".to_owned()),
        "[\\\\ \t\r\u{85}\u{2028}漢😀\0]{0,4}",
    ];
    proptest::collection::vec((prop_oneof!["", "\\\\{1,2}"], piece), 1..6).prop_map(|lines| {
        lines.iter().map(|(mark, line)| format!("{mark}{line}")).collect::<Vec<_>>().join("\n")
    })
}

fn any_text() -> impl Strategy<Value = Text> {
    any_content().prop_filter_map("not blank", |content| Text::new(content).ok())
}

fn any_field() -> impl Strategy<Value = Option<Text>> {
    proptest::option::of(any_content().prop_filter_map("not blank", |it| Text::trimmed(&it).ok()))
}

fn any_matter() -> impl Strategy<Value = Matter> {
    let severity = proptest::option::of(proptest::sample::select(Severity::ALL));
    let status = proptest::sample::select(Status::ALL);
    prop_oneof![
        Just(Matter::Learning),
        (any_field(), any_field())
            .prop_map(|(rationale, alternatives)| Matter::Decision { rationale, alternatives }),
        (severity, status, any_field()).prop_map(|(severity, status, workaround)| {
            Matter::Issue { severity, status, workaround }
        }),
    ]
}

fn any_said() -> impl Strategy<Value = Said> {
    let lines = || {
        proptest::option::of("[ -~漢]{1,20}".prop_filter_map("a line", |it| Line::new(&it).ok()))
    };
    let tags = proptest::collection::vec("[a-z漢]{1,8}", 0..4);
    let supersedes = proptest::option::of((0..i64::MAX).prop_map(EntryId));
    (any_text(), any_matter(), lines(), lines(), tags, supersedes).prop_map(
        |(content, matter, task, pattern, tags, supersedes)| Said {
            content,
            matter,
            task,
            pattern,
            tags: Labels::new(&tags).expect("tags"),
            supersedes,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn every_entry_reads_back_as_it_was(at in 0..253_000_000_000_000_i64, said in any_said()) {
        check_round_trip(Time(at), &said);
    }

    #[test]
    fn no_text_stops_the_reader(file in any_content()) {
        for category in Category::ALL {
            let n_lines = file.split('\n').count();
            assert!(parse(category, &file).len() <= n_lines);
        }
    }
}
