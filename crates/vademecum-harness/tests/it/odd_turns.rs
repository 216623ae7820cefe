//! Transcripts on a bad day: whatever stands in them, the readers go on and count.

use proptest::prelude::*;
use proptest::sample::Index;
use vademecum_core::turn::{Event, Turn};
use vademecum_harness::transcript::{Format, Report, Span, TEXT_MAX};

use crate::turns::{FIXTURES, fixture, turns};

/// One way to hurt a transcript.
#[derive(Debug, Clone)]
enum Harm {
    Put(Index, Vec<u8>),
    Cut(Index, usize),
    Repeat(Index, Index),
    End(Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    let words = prop::sample::select(vec![
        "\0",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\\",
        "\\ud800",
        "\n",
        "null",
        "1e999",
        "-",
        "\x01",
        "é",
        "\"type\":7",
        "{\"a\":",
        "true",
        "<system-reminder>",
        "vade: restored for this session: its notepad.",
    ]);
    prop_oneof![
        (any::<Index>(), words).prop_map(|(at, word)| Harm::Put(at, word.as_bytes().to_vec())),
        (any::<Index>(), prop::collection::vec(any::<u8>(), 1..4))
            .prop_map(|(at, it)| Harm::Put(at, it)),
        (any::<Index>(), 1..80usize).prop_map(|(at, len)| Harm::Cut(at, len)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Harm::Repeat(from, to)),
        any::<Index>().prop_map(Harm::End),
    ]
}

fn hurt(bytes: &mut Vec<u8>, harm: &Harm) {
    let place = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
    match harm {
        Harm::Put(at, put) => {
            let at = place(at, bytes);
            bytes.splice(at..at, put.iter().copied());
        }
        Harm::Cut(at, len) => {
            let at = place(at, bytes);
            bytes.drain(at..bytes.len().min(at + len));
        }
        Harm::Repeat(from, to) => {
            let (from, to) = (place(from, bytes), place(to, bytes));
            let repeated = bytes[from.min(to)..from.max(to)].to_vec();
            bytes.splice(from..from, repeated);
        }
        Harm::End(at) => bytes.truncate(place(at, bytes)),
    }
}

fn check_bounds(turns: &[Turn], report: &Report, n_lines: u64) -> Result<(), TestCaseError> {
    for turn in turns {
        match &turn.event {
            Event::Asked { text, .. } | Event::Said { text } | Event::Thought { text } => {
                prop_assert!(text.len() <= TEXT_MAX && !text.trim().is_empty());
            }
            Event::Called(call) => {
                prop_assert!(call.text.len() <= TEXT_MAX && !call.actions.is_empty());
            }
            Event::Answered(answer) => prop_assert!(answer.text.len() <= TEXT_MAX),
            Event::Interrupted | Event::Compacted { .. } => {}
        }
    }
    let records = report.records + report.skipped.total();
    prop_assert!(report.format == Format::Opencode || records <= n_lines);
    prop_assert!(report.dead <= report.records);
    Ok(())
}

fn n_lines(bytes: &[u8]) -> u64 {
    bytes.split(|&byte| byte == b'\n').count() as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            let (turns, report) = turns(&bytes, Some(format), Span::Whole);
            check_bounds(&turns, &report, n_lines(&bytes))?;
        }
    }

    #[test]
    fn hurt_transcripts_are_read(
        which in 0..FIXTURES.len(),
        harms in prop::collection::vec(harm(), 1..6),
        ends in prop::option::of((0..4000u64, 0..4000u64)),
    ) {
        let (name, format) = FIXTURES[which];
        let mut bytes = fixture(name);
        for harm in &harms {
            hurt(&mut bytes, harm);
        }
        let span = ends.map_or(Span::Whole, |(head, tail)| Span::Ends { head, tail });
        let (turns, report) = turns(&bytes, Some(format), span);
        check_bounds(&turns, &report, n_lines(&bytes))?;
    }

    /// A line that is put between others takes none of them away.
    #[test]
    fn one_bad_line_costs_no_other(at in any::<Index>(), bad in "[^\n]{0,40}") {
        let bytes = fixture("codex/rollout.jsonl");
        let (whole, _) = turns(&bytes, Some(Format::Codex), Span::Whole);
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let bad = format!("{bad}\n");
        lines.insert(at.index(lines.len() + 1), bad.as_bytes());
        let (read, _) = turns(&lines.concat(), Some(Format::Codex), Span::Whole);
        let events = |turns: Vec<Turn>| turns.into_iter().map(|turn| turn.event).collect::<Vec<_>>();
        prop_assert_eq!(events(read), events(whole));
    }
}
