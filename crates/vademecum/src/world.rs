//! The real world: the only place that looks at clock, environment and folders.
#![expect(
    clippy::disallowed_methods,
    reason = "everything else gets the world as a value; it is made here"
)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use vademecum_core::time::Time;
use vademecum_files::read_named;
use vademecum_ops::identity::Identity;
use vademecum_ops::world::{Env, Folders, World};
use vademecum_sqlite::opencode::Opencode;

/// The world of this process; `work` is the folder that calls are about, else the current one.
#[must_use]
pub fn real(work: Option<PathBuf>) -> World {
    let env: Box<Env> = Box::new(|name| std::env::var_os(name));
    let work = work.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/"));
    World {
        now: Box::new(now),
        east: Box::new(east),
        new_id: Box::new(|| id_at(now())),
        folders: Folders::from_env(&*env, work),
        env,
        host_name: host(),
        host_id: Box::new(host_id),
        identity: Identity::default(),
        store: OnceLock::new(),
        databases: Box::new(Opencode),
        process_began: Box::new(process_began),
        process_above: Box::new(process_above),
        program: None,
    }
}

/// Whether the current folder is there; one that was deleted is no folder to keep anything for.
#[must_use]
pub fn has_current_folder() -> bool {
    std::env::current_dir().is_ok()
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// How many seconds east of UTC this place is at a time; 0 where nothing tells.
fn east(at: Time) -> i32 {
    let at = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    jiff::tz::TimeZone::system().to_offset(at).seconds()
}

/// A new id that begins with the time; a clock before 1970, which it cannot hold, counts as 1970.
fn id_at(now: Time) -> String {
    let ms = now.0.max(0).unsigned_abs();
    let nanos = u32::try_from(ms % 1000).unwrap_or(0) * 1_000_000;
    let at = uuid::Timestamp::from_unix(uuid::NoContext, ms / 1000, nanos);
    uuid::Uuid::new_v7(at).to_string()
}

/// When a process began, as Linux tells it: proc(5), the 22nd field of `stat`, in ticks since boot.
///
/// Both are counted from the boot of the host, whatever a container makes of `/proc/uptime`. One that has ended
/// and waits for its parent to ask, as for ever in a container without an init, counts as another that is still to begin.
#[cfg(target_os = "linux")]
fn process_began(pid: u32) -> Option<Time> {
    use rustix::time::{ClockId, clock_gettime};

    let (_, fields) = process(pid)?;
    if fields.trim_start().starts_with(['Z', 'X']) {
        return Some(Time(i64::MAX));
    }
    let ticks: i64 = fields.split_ascii_whitespace().nth(22 - 3)?.parse().ok()?;
    let per_second = i64::try_from(rustix::param::clock_ticks_per_second()).ok()?;
    let boot = clock_gettime(ClockId::Boottime);
    let age = boot.tv_sec * 1000 + boot.tv_nsec / 1_000_000 - ticks * 1000 / per_second;
    (0 <= age).then(|| now().plus(-age))
}

/// The nearest process above this one whose program is called `name`.
///
/// A harness starts a hook itself or through a shell, which may start one more.
#[cfg(target_os = "linux")]
fn process_above(name: &str) -> Option<u32> {
    const ABOVE_MAX: usize = 3;

    let parent = rustix::process::getppid()?;
    let mut pid = u32::try_from(parent.as_raw_nonzero().get()).ok()?;
    for _ in 0..ABOVE_MAX {
        let (program, fields) = process(pid)?;
        if program == name {
            return Some(pid);
        }
        pid = fields.split_ascii_whitespace().nth(4 - 3)?.parse().ok()?;
    }
    None
}

/// The name of a process, and what proc(5) says from the third field of `stat` on.
#[cfg(target_os = "linux")]
fn process(pid: u32) -> Option<(String, String)> {
    /// Some fifty numbers and a name of fifteen letters.
    const STAT_MAX: u64 = 4 << 10;

    let stat = read_named(Path::new(&format!("/proc/{pid}/stat")), STAT_MAX).ok()??;
    let stat = String::from_utf8_lossy(&stat);
    // The name stands in parentheses and may hold anything.
    let (before, fields) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    Some((name.to_owned(), fields.to_owned()))
}

/// When a process began: nothing tells it here.
#[cfg(not(target_os = "linux"))]
fn process_began(_pid: u32) -> Option<Time> {
    None
}

/// The process of the program that called: nothing tells it here.
#[cfg(not(target_os = "linux"))]
fn process_above(_name: &str) -> Option<u32> {
    None
}

/// What systemd and D-Bus call the installation: machine-id(5). Images of containers have none, or an empty one.
fn host_id() -> Option<Vec<u8>> {
    /// 32 digits and the end of a line.
    const MAX_BYTES: u64 = 64;

    let id = read_named(Path::new("/etc/machine-id"), MAX_BYTES).ok()??;
    Some(id.trim_ascii().to_vec()).filter(|id| id.len() == 32)
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The time of day here, with the day where that is not the day of `now`.
#[must_use]
pub fn local(at: Time, now: Time) -> String {
    let zone = jiff::tz::TimeZone::system();
    let zoned = |time: Time| {
        let at = jiff::Timestamp::from_millisecond(time.0).ok()?;
        Some(at.to_zoned(zone.clone()))
    };
    let (Some(at_here), Some(now)) = (zoned(at), zoned(now)) else { return at.to_rfc3339() };
    let form = match (at_here.date() == now.date(), at_here.year() == now.year()) {
        (true, _) => "%H:%M",
        (false, true) => "%-d %b %H:%M",
        (false, false) => "%Y-%m-%d %H:%M",
    };
    at_here.strftime(form).to_string()
}

/// How many columns the terminal of standard output has; none where it is none or does not say.
#[must_use]
pub fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| 0 < *columns)
}

/// A variable of the environment.
#[must_use]
pub fn var(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// Waits.
pub fn pause(time: std::time::Duration) {
    std::thread::sleep(time);
}

/// The file of the program that runs; it is looked at when a child is made of it.
#[must_use]
pub fn own_program() -> Option<PathBuf> {
    // On Linux this name stands for the running program even when its file has been replaced.
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { Some(own) } else { std::env::current_exe().ok() }
}

/// Ends the process at once.
pub fn end(code: i32) -> ! {
    std::process::exit(code)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn ids_are_new_whatever_the_clock_says() {
        let ids: std::collections::BTreeSet<String> =
            [i64::MIN, -1, 0, 1_763_700_000_000, i64::MAX]
                .into_iter()
                .chain([0; 100])
                .map(Time)
                .map(id_at)
                .collect();
        assert_eq!(ids.len(), 105);
    }

    #[test]
    fn tells_when_a_process_began() {
        let began = process_began(std::process::id()).expect("this process");
        let age = now().since(began);
        assert!((0..3_600_000).contains(&age), "{age} ms");
        // No process has this number.
        assert_eq!(process_began(2_147_483_646), None);
    }

    #[test]
    fn a_process_that_has_ended_is_no_earlier_one() {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

        let mut child = std::process::Command::new("/bin/true").spawn().expect("a process");
        let pid = Pid::from_child(&child);
        // It has ended, and its parent has not asked.
        waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).expect("an end");
        let began = process_began(child.id());
        child.wait().expect("an end");
        assert!(began.is_some_and(|began| now() < began), "{began:?}");
    }

    #[test]
    fn finds_the_program_that_called() {
        let parent = rustix::process::getppid().expect("a parent").as_raw_nonzero().get();
        let parent = u32::try_from(parent).expect("a number of a process");
        let (name, _) = process(parent).expect("the parent");
        assert_eq!(process_above(&name), Some(parent));
        assert_eq!(process_above("no program is called so"), None);
    }
}
