//! Fuzz: transcripts hurt by chance are read and recapped, programs made by chance are run in the sandbox.
//!
//! `cargo xtask fuzz [--seconds N] [--reader NAME] [--programs N] [--seed N] [--vade PATH]`: transcripts for so many
//! seconds of this process's processor time, shared by all readers or all of it for one, or so many programs. The
//! same seed makes the same transcripts and programs.

mod grammar;
mod programs;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use rustix::time::{ClockId, clock_gettime};
use vademecum_core::turn::{Event, Turn};
use vademecum_harness::transcript::{Format, Span, TEXT_MAX, read};
use vademecum_recap::{Digest, Options, tokens};

use crate::step;

/// How long a stage of the tests computes, over all readers.
const STAGE_SECONDS: u64 = 60;

/// How many programs a stage of the tests runs.
const STAGE_PROGRAMS: u64 = 200;

/// One in so many transcripts is recapped too.
const RECAPPED: usize = 16;

/// The seed where none is given.
const SEED: u64 = 0x5eed;

/// The project's own small transcripts.
const FIXTURES: &str = "crates/vademecum-harness/tests/fixtures";

/// The readers, in the order of their formats, and the folders of their fixtures.
const FOLDERS: [(Format, &str); 5] = [
    (Format::ClaudeCode, "claude_code"),
    (Format::Codex, "codex"),
    (Format::Copilot, "copilot"),
    (Format::Opencode, "opencode"),
    (Format::MessageLog, "message_log"),
];

/// What breaks parsers.
const WORDS: [&str; 28] = [
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
    "\\u0000",
    "\n",
    "\r\n",
    "null",
    "1e999",
    "-",
    "\x01",
    "é",
    "漢",
    "\u{2028}",
    "\"type\":7,",
    "{\"a\":",
    "[[[[[[[[",
    "true",
    "<system-reminder>",
    "</system-reminder>",
    "vade: restored for this session: its notepad.",
    "<vade-3f9a1c02 lines=1>",
];

/// Fuzzes every reader for as long as is asked, or runs as many programs.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let seconds = number(words, "--seconds")?.unwrap_or(STAGE_SECONDS);
    let seed = number(words, "--seed")?.unwrap_or(SEED);
    if let Some(n_programs) = number(words, "--programs")? {
        let vade =
            word(words, "--vade")?.map_or_else(step::build_vade, |path| Ok(PathBuf::from(path)))?;
        return programs::run(&vade, n_programs, seed);
    }
    let reader = word(words, "--reader")?.map(reader).transpose()?;
    fuzz(Duration::from_secs(seconds), seed, reader)
}

/// The stage of `cargo xtask test`.
pub(crate) fn stage() -> Result<()> {
    fuzz(Duration::from_secs(STAGE_SECONDS), SEED, None)?;
    programs::run(&step::build_vade()?, STAGE_PROGRAMS, SEED)
}

fn number(words: &[String], name: &str) -> Result<Option<u64>> {
    let Some(value) = word(words, name)? else { return Ok(None) };
    Ok(Some(value.parse().with_context(|| format!("{name} takes a number, {value} given"))?))
}

/// The word after an option, if the option is given.
fn word<'a>(words: &'a [String], name: &str) -> Result<Option<&'a str>> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(None) };
    let value = words.get(at + 1).with_context(|| format!("{name} takes a word after it"))?;
    Ok(Some(value))
}

/// The reader of a name.
fn reader(name: &str) -> Result<Format> {
    let all: Vec<&str> = FOLDERS.iter().map(|(format, _)| format.name()).collect();
    let found = FOLDERS.iter().find(|(format, _)| format.name() == name);
    let (format, _) = found.with_context(|| format!("no reader {name}: {}", all.join(", ")))?;
    Ok(*format)
}

/// What this process has computed so far.
fn processor_time() -> Result<Duration> {
    Ok(Duration::try_from(clock_gettime(ClockId::ProcessCPUTime))?)
}

/// Fuzzes one reader, or every reader for its share of `time`.
fn fuzz(time: Duration, seed: u64, only: Option<Format>) -> Result<()> {
    let fixtures = fixtures()?;
    let mut names: Vec<Format> = FOLDERS.iter().map(|(format, _)| *format).collect();
    names.retain(|name| only.is_none_or(|only| only == *name));
    let each = time / u32::try_from(names.len().max(1))?;
    let texts: Vec<&[u8]> = fixtures.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    for format in names {
        let of_format = fixtures.iter().filter(|fixture| fixture.0 == format);
        let own: Vec<&[u8]> = of_format.map(|(_, bytes)| bytes.as_slice()).collect();
        let end = processor_time()? + each;
        let mut n: u64 = 0;
        while processor_time()? < end {
            let mut chance = Chance(seed ^ (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let bytes = hurt(&own, &texts, &mut chance);
            try_one(format, &bytes, &mut chance)
                .with_context(|| format!("{} {n} of seed {seed}", format.name()))?;
            n += 1;
        }
        println!("fuzz {}: {n} transcripts in {} s, seed {seed}", format.name(), each.as_secs());
    }
    Ok(())
}

/// The transcripts of each format, in the order of the formats.
fn fixtures() -> Result<Vec<(Format, Vec<u8>)>> {
    let mut all = Vec::new();
    for (format, folder) in FOLDERS {
        let folder = step::root().join(FIXTURES).join(folder);
        let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        paths.sort();
        for path in paths.iter().filter(|path| !path.ends_with("hook-stdin.jsonl")) {
            all.push((format, std::fs::read(path)?));
        }
    }
    Ok(all)
}

/// Reads one transcript and holds what was read to what readers promise.
fn try_one(format: Format, bytes: &[u8], chance: &mut Chance) -> Result<()> {
    let span = match chance.below(4) {
        0 => Span::Ends { head: chance.below(3000) as u64, tail: chance.below(3000) as u64 },
        _ => Span::Whole,
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut turns: Vec<Turn> = Vec::new();
        let report =
            read(Some(format), span, &mut Cursor::new(bytes), &mut |turn| turns.push(turn));
        report.map(|report| (turns, report))
    }));
    let Ok(read) = result else { bail!("a panic on {}", String::from_utf8_lossy(bytes)) };
    let (turns, report) = read?;
    ensure!(turns.len() as u64 == report.turns, "the count of turns");
    ensure!(report.dead <= report.records, "the count of dead records");
    for turn in &turns {
        ensure!(longest(&turn.event) <= TEXT_MAX, "a text of {} bytes", longest(&turn.event));
    }
    if chance.below(RECAPPED) == 0 {
        let budget = chance.below(1000);
        let recapped = catch_unwind(AssertUnwindSafe(|| recap(&turns, &report.cwds, budget)));
        let Ok(cost) = recapped else {
            bail!("a recap panics on {}", String::from_utf8_lossy(bytes))
        };
        ensure!(cost <= budget, "a recap of {cost} tokens within {budget}");
    }
    Ok(())
}

/// What a recap of the turns within `budget` costs.
fn recap(turns: &[Turn], roots: &[String], budget: usize) -> usize {
    let mut digest = Digest::new(&Options { roots: roots.to_vec() });
    for turn in turns {
        digest.push(turn);
    }
    tokens(&digest.recap(budget).text)
}

fn longest(event: &Event) -> usize {
    match event {
        Event::Asked { text, .. } | Event::Said { text } | Event::Thought { text } => text.len(),
        Event::Called(call) => call.text.len(),
        Event::Answered(answer) => answer.text.len(),
        Event::Interrupted => 0,
        Event::Compacted { summary } => summary.as_ref().map_or(0, String::len),
    }
}

/// One of `own`, changed in one to eight places; pieces of all others may come in.
fn hurt(own: &[&[u8]], others: &[&[u8]], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = chance.pick(own).to_vec();
    for _ in 0..=chance.below(8) {
        let at = chance.below(bytes.len() + 1);
        let end = bytes.len().min(at + chance.below(200));
        match chance.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => put(&mut bytes, at, &[chance.byte()]),
            3 | 4 => put(&mut bytes, at, chance.pick(&WORDS).as_bytes()),
            5 => {
                let piece = bytes[at..end].to_vec();
                let to = chance.below(bytes.len() + 1);
                put(&mut bytes, to, &piece);
            }
            6 => {
                let other = chance.pick(others);
                let from = chance.below(other.len() + 1);
                let piece = &other[from..other.len().min(from + chance.below(400))];
                put(&mut bytes, at, piece);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }
        }
    }
    bytes
}

fn put(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// A source of chance that a seed repeats (xorshift64*).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.max(1);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`, or 0.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or_default() % limit.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[7]
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}
