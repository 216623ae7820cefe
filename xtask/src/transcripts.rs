//! What the readers make of transcripts, a line for each: `cargo xtask transcripts [--turns] FILE…`.

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use anyhow::{Context, Result};
use vademecum_harness::transcript::{Report, Span, TranscriptError, read};

/// Reads each file and prints its counts, or every turn as JSON.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let shows_turns = words.first().is_some_and(|word| word == "--turns");
    let shows_head = words.first().is_some_and(|word| word == "--hook");
    let span = if shows_head { Span::HOOK } else { Span::Whole };
    let (mut lines, mut skipped) = (0, 0);
    for path in words.iter().filter(|word| !word.starts_with("--")) {
        let file = File::open(path).with_context(|| path.clone())?;
        let begun = Instant::now();
        let mut print = |turn| {
            if shows_turns {
                println!("{}", serde_json::to_string(&turn).unwrap_or_default());
            }
        };
        match read(None, span, &mut BufReader::with_capacity(256 * 1024, file), &mut print) {
            Ok(report) => {
                lines += report.records + report.skipped.total();
                skipped += report.skipped.total();
                eprintln!("{path}: {} in {:?}", told(&report), begun.elapsed());
            }
            Err(error @ TranscriptError::Unknown { .. }) => eprintln!("{path}: {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    eprintln!("{lines} records, {skipped} of them passed over");
    Ok(())
}

fn told(report: &Report) -> String {
    let skipped = report.skipped;
    format!(
        "{} {} records, {} dead, {} turns, {} clipped, {} replaced; torn {}, foreign {}, NUL {}, \
         too long {}; read {} of {}",
        report.format.name(),
        report.records,
        report.dead,
        report.turns,
        report.clipped,
        report.replaced,
        skipped.torn,
        skipped.foreign,
        skipped.nul,
        skipped.too_long,
        report.coverage.read,
        report.coverage.size,
    )
}
