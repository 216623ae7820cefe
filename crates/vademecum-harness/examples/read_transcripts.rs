//! Reads transcripts and does nothing with their turns: what a profiler is pointed at.
#![expect(clippy::disallowed_methods, reason = "a program for measuring takes the time")]

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use vademecum_harness::transcript::{Span, read};

fn main() {
    let begun = Instant::now();
    let (mut bytes, mut turns) = (0, 0);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let span = if words.iter().any(|word| word == "--hook") { Span::HOOK } else { Span::Whole };
    for path in words.iter().filter(|word| *word != "--hook") {
        let Ok(file) = File::open(path) else { continue };
        let mut source = BufReader::with_capacity(64 * 1024, file);
        if let Ok(report) = read(None, span, &mut source, &mut |_| turns += 1) {
            bytes += report.coverage.read;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{bytes} bytes, {turns} turns, {seconds:.3} s");
}
