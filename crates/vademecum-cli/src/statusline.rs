//! Prints the status line of Claude Code; it reads only, and whatever is broken, the line is empty.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Mutex;

use vademecum::core::frame;
use vademecum::core::openers::VOICE;
use vademecum::harness::claude_code::status_line::parse;
use vademecum::ops::moments::status_line;
use vademecum::{Patience, open, world};

use crate::hook::{deadline, prepared};

/// The longest line: a terminal cuts it anyway, and every part of it is short.
const LINE_MAX: usize = 200;

/// More than Claude Code tells; what goes on for ever is not waited for.
const STDIN_MAX: u64 = 1 << 20;

/// Whether the line is out: there is one, whoever comes first.
static IS_OUT: Mutex<bool> = Mutex::new(false);

/// Reads what Claude Code tells and prints the line. The exit code is always 0.
pub(crate) fn run() -> ExitCode {
    watch();
    print(&line().unwrap_or_default());
    ExitCode::SUCCESS
}

/// The line; none on any fault: `vade status` and `vade doctor` say what is wrong.
fn line() -> Option<String> {
    let mut stdin = Vec::new();
    std::io::stdin().take(STDIN_MAX).read_to_end(&mut stdin).ok()?;
    let told = parse(&stdin)?;
    let world = world::real(told.project.clone());
    let prepared = prepared(&world).ok()?;
    let store = open(&prepared.address, &world, Patience::Hook);
    let line = status_line(&store, &world, &prepared.config, &told).ok()?;
    // The process ends now, and taking all apart would only take time.
    std::mem::forget(store);
    Some(line)
}

fn print(line: &str) {
    let Ok(mut is_out) = IS_OUT.lock() else { return };
    if !std::mem::replace(&mut *is_out, true) {
        let mut stdout = std::io::stdout();
        // The voice is ours; what stands behind it is the harness's and the store's.
        let (voice, rest) = line.split_at(if line.starts_with(VOICE) { VOICE.len() } else { 0 });
        let line = format!("{voice}{}", frame::line(rest, LINE_MAX));
        // A harness that has stopped listening is not told so.
        drop(writeln!(stdout, "{line}").and_then(|()| stdout.flush()));
    }
}

/// Ends the process when the deadline of a hook has passed, with an empty line.
fn watch() {
    let watched = std::thread::Builder::new().stack_size(64 * 1024).spawn(|| {
        world::pause(deadline());
        print("");
        world::end(0);
    });
    // Without a thread there is no deadline but the harness's own.
    drop(watched);
}
