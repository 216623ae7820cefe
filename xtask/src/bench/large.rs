//! What the largest transcripts cost: memory that stays bounded, and a hook that keeps its time.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::figure::{Bound, Figure, Unit};
use super::recap::write_transcript;
use super::stores::{SESSION, Size};
use super::world::{World, finish, median};

/// Some 1 GB and 20 MB.
const GIGABYTE: usize = 186_000;
const IN_A_HOOK: usize = 3_750;

/// How long the one line is.
const LINE: usize = 200_000_000;

/// The most memory of a recap, in KiB.
const MEMORY: u64 = 64 * 1024;

/// The most that a start may take with such a transcript, in nanoseconds.
const HOOK: u64 = 150_000_000;

/// The most memory of `vade recap` on a transcript of 1 GB and on one with a line of 200 MB.
pub(super) fn memory(world: &World) -> Result<Vec<Figure>> {
    let path = world.path("large.jsonl");
    let mut figures = Vec::new();
    write_transcript(&path, GIGABYTE)?;
    let (peak, said) = recapped(world, &path)?;
    ensure!(said.contains("part_"), "the recap should tell of files, it said {said}");
    figures.push(kibibytes("memory of a recap, 1 GB", peak));
    write_line(&path)?;
    let (peak, said) = recapped(world, &path)?;
    ensure!(said.contains("part_"), "the recap should tell of files, it said {said}");
    figures.push(kibibytes("memory of a recap, one line", peak));
    fs::remove_file(&path)?;
    Ok(figures)
}

/// The hook after a compaction, with a transcript of 20 MB.
pub(super) fn hook(world: &World) -> Result<Vec<Figure>> {
    let path = world.path("large.jsonl");
    write_transcript(&path, IN_A_HOOK)?;
    let mut times = Vec::new();
    for _ in 0..15 {
        // A recap that is kept would be shown again. The copy is on disk before the hook's own commit,
        // which would wait for it.
        fs::File::open(world.fresh(Size::Full)?)?.sync_all()?;
        let mut command = world.command("vade", Size::Full)?;
        let event = json!({"source": "compact", "transcript_path": path, "session_id": SESSION});
        world.event(&mut command, "SessionStart", &event)?;
        let begin = Instant::now();
        let (said, _) = finish(&mut command)?;
        times.push(u64::try_from(begin.elapsed().as_nanos())?);
        ensure!(said.contains("part_"), "the context should hold a recap, it said {said}");
    }
    fs::remove_file(&path)?;
    let time = median(&times).unwrap_or_default();
    let figure = Figure::new("start hook, 20 MB to recap", Unit::Nanoseconds, time);
    Ok(vec![figure.within(Bound::Most(HOOK))])
}

fn kibibytes(name: &'static str, peak: u64) -> Figure {
    Figure::new(name, Unit::Kibibytes, peak).within(Bound::Most(MEMORY))
}

/// A short session whose last answer is one line of 200 MB.
fn write_line(path: &Path) -> Result<()> {
    write_transcript(path, 10)?;
    let last = fs::read_to_string(path)?.lines().count() - 1;
    let mut file = File::options().append(true).open(path)?;
    let head = format!(
        r#"{{"type":"user","uuid":"wide","parentUuid":"line-{last}","sessionId":"{SESSION}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_wide","content":""#
    );
    file.write_all(head.as_bytes())?;
    let words = "what a tool printed, again and again; ".repeat(1000);
    for _ in 0..LINE / words.len() {
        file.write_all(words.as_bytes())?;
    }
    file.write_all(b"\"}]}}\n")?;
    Ok(())
}

/// Makes a recap; the most memory that was resident, in KiB, and what was said.
fn recapped(world: &World, path: &Path) -> Result<(u64, String)> {
    let mut command = world.command("vade", Size::Empty)?;
    command.args(["recap", "--budget", "1000", "--format", "text"]).arg(path);
    let out = world.path("recap.txt");
    let peak = peak_of(command.stdout(File::create(&out)?))?;
    Ok((peak, fs::read_to_string(&out)?))
}

/// Runs `command` to its end and looks at its memory until then.
fn peak_of(command: &mut Command) -> Result<u64> {
    let mut child = command.stderr(std::process::Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let told = fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(now.unwrap_or(0));
        if let Some(ended) = child.try_wait()? {
            ensure!(ended.success(), "{command:?} ended with {ended}");
            return Ok(peak);
        }
        sleep(Duration::from_millis(10));
    }
}
