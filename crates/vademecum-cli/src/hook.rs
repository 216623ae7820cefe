//! Answers a harness at its moments; whatever is broken, the harness goes on.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use vademecum::harness::hook::{Event, Harness, Moment};
use vademecum::ops::moments::{Answer, Hook, Later, Noted, Undone, answer, cap, without_config};
use vademecum::ops::place::Place;
use vademecum::ops::renderings::Rendered;
use vademecum::ops::{Config, OpError, World};
use vademecum::port::Store;
use vademecum::{Address, Patience, open, store, world};

use crate::cli::print::say;

/// After this long a hook gives up, to have ended within 250 ms: the user's prompt is worth more than our note.
const DEADLINE: Duration = Duration::from_millis(240);

/// The same where recaps are made and hardly anybody waits: a compaction takes a model's time, and who ends a session
/// is gone. On a busy machine a shorter time makes none. Claude Code gives the end of a session 1.5 seconds.
const UNATTENDED: Duration = Duration::from_secs(1);

/// So long what is left undone may take to be noted.
const LAST: Duration = Duration::from_millis(100);

/// What of it a recap may take: the rest of a context must come out whatever the transcript is.
const RECAP_PERCENT: u32 = 60;

/// What of it the spool may take: what waits there waits for others, and the answer is for this one.
const DRAIN_PERCENT: u32 = 25;

/// Whether somebody has begun to answer, the deadline or who was asked: one of them does.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Whether the answer is out: a deadline after it takes nothing away.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// What the event has begun.
static UNDONE: OnceLock<Arc<Undone>> = OnceLock::new();

/// Another deadline in milliseconds, for a run that is fifty times slower because it is counted.
const OTHER_DEADLINE: &str = "VADE_DEADLINE_MS";

/// Answers the event that `words` name, such as `codex SessionStart`. The exit code is always 0.
pub(crate) fn run(words: &[OsString]) -> ExitCode {
    let word = |idx: usize| words.get(idx).and_then(|word| word.to_str());
    let deadline = deadline_of(word(1).unwrap_or_default());
    watch(deadline);
    let (Some(harness), Some(name), None) = (word(0).and_then(Harness::of), word(1), word(2))
    else {
        say(
            "vade: usage: vade hook claude-code|codex <Event>; it reads the event from standard input",
        );
        return ExitCode::SUCCESS;
    };
    let mut stdin = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut stdin) {
        say(&format!("vade: cannot read the event: {error}"));
        return ExitCode::SUCCESS;
    }
    match Event::parse(harness, name, &stdin) {
        Ok(event) => answer_event(&event, deadline),
        Err(error) => print(&Answer {
            stdout: Vec::new(),
            fault: Some(format!("vade: {error}; run: vade doctor")),
        }),
    }
    ExitCode::SUCCESS
}

fn print(answer: &Answer) {
    if HAS_BEGUN.swap(true, Ordering::SeqCst) {
        // Who answers instead ends the process when that is out; an end from here would cut it off.
        world::pause(LAST * 2);
        return;
    }
    if let Some(fault) = &answer.fault {
        say(fault);
    }
    write_out(&answer.stdout);
    IS_ANSWERED.store(true, Ordering::SeqCst);
}

fn write_out(bytes: &[u8]) {
    let mut stdout = std::io::stdout();
    // A harness that has stopped listening is not told so.
    drop(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

fn answer_event(event: &Event<'_>, deadline: Duration) {
    // The harness's own root stays where it is while the agent's folder wanders.
    let root = match event.harness {
        Harness::ClaudeCode => var("CLAUDE_PROJECT_DIR").map(PathBuf::from),
        Harness::Codex => None,
    };
    let world = world::real(Some(root.unwrap_or_else(|| event.cwd.clone())));
    let later = Later::of(&world, event);
    drop(UNDONE.set(later.undone()));
    match prepared(&world) {
        Ok(Prepared { config, config_fault, address }) => {
            address.tell(&world);
            let opened = open(&address, &world, patience(event));
            let is_far = address.file().is_none();
            let rendered = is_far.then(|| Rendered::of(&opened, &world, &event.session_key()));
            let store: &dyn Store = rendered.as_ref().map_or(&opened, |rendered| rendered);
            let hook = Hook {
                store,
                rendered: rendered.as_ref(),
                world: &world,
                config: &config,
                config_fault,
                cap: cap(event.harness),
                recap_until: world.now().plus(share_ms(deadline, RECAP_PERCENT)),
                drain_until: world.now().plus(share_ms(deadline, DRAIN_PERCENT)),
                later,
            };
            print(&answer(&hook, event));
            hook.finish();
            // What it wrote is on disk; the process ends now, and taking all apart would only take time.
            std::mem::forget(opened);
        }
        Err(error) => {
            let (noted, _) = later.undone().note();
            print(&without_config(event, &error, noted));
        }
    }
}

/// How long the event waits for other processes.
fn patience(event: &Event<'_>) -> Patience {
    match event.moment {
        Moment::SessionStart { .. } => Patience::Start,
        _ => Patience::Hook,
    }
}

/// What is set for a project, and where its store lies.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    config_fault: Option<OpError>,
    pub(crate) address: Address,
}

/// A project's file that is broken takes nobody's memory away: the person's own says where it is.
pub(crate) fn prepared(world: &World) -> Result<Prepared, OpError> {
    let root = Place::of(&world.folders.work).root;
    let (config, config_fault) = match Config::load(&world.folders, &root) {
        Ok(config) => (config, None),
        Err(error) => (Config::load_own(&world.folders)?, Some(error)),
    };
    let address = store::address(None, world, &config)?;
    Ok(Prepared { config, config_fault, address })
}

fn var(name: &str) -> Option<OsString> {
    world::var(name).filter(|value| !value.is_empty())
}

/// How long anything has that a person waits for.
pub(crate) fn deadline() -> Duration {
    deadline_of("")
}

/// How long the event of this name has.
fn deadline_of(name: &str) -> Duration {
    let other = var(OTHER_DEADLINE).and_then(|text| text.to_str()?.parse().ok());
    let own = if matches!(name, "PreCompact" | "SessionEnd") { UNATTENDED } else { DEADLINE };
    other.map_or(own, Duration::from_millis)
}

/// So much of a deadline, in milliseconds.
fn share_ms(deadline: Duration, percent: u32) -> i64 {
    i64::try_from((deadline * percent / 100).as_millis()).unwrap_or(i64::MAX)
}

/// Ends the process when the deadline has passed, whatever it is doing then.
fn watch(deadline: Duration) {
    let watched = std::thread::Builder::new().stack_size(64 * 1024).spawn(move || {
        world::pause(deadline);
        if !IS_ANSWERED.load(Ordering::SeqCst) {
            give_up(deadline.as_millis());
        }
        world::end(0);
    });
    // Without a thread there is no deadline but the harness's own.
    drop(watched);
}

/// Notes and says what comes to no end.
fn give_up(waited: u128) {
    // A disk that stalls, or who does not read what was begun to be printed, is waited for no longer than this.
    drop(std::thread::Builder::new().stack_size(64 * 1024).spawn(|| {
        world::pause(LAST);
        world::end(0);
    }));
    if HAS_BEGUN.swap(true, Ordering::SeqCst) {
        world::pause(LAST);
        return;
    }
    let undone = UNDONE.get();
    let (noted, answer) = undone.map_or((Noted::Nothing, Vec::new()), |undone| undone.note());
    say(&match noted {
        Noted::Owed => format!(
            "vade: gave up after {waited} ms, the session's next prompt or call brings its memory back; run: vade doctor"
        ),
        Noted::Queued => format!(
            "vade: gave up after {waited} ms, what was to be kept waits on disk and is taken in later; run: vade doctor"
        ),
        Noted::Unkept => format!(
            "vade: gave up after {waited} ms, what was to be remembered is not kept: say it again; run: vade doctor"
        ),
        Noted::Nothing => format!(
            "vade: gave up after {waited} ms, nothing was put in context, what is saved is kept; run: vade doctor"
        ),
    });
    write_out(&answer);
}
