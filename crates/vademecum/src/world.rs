//! The real world: the only place that looks at clock, environment and folders.
#![expect(
    clippy::disallowed_methods,
    reason = "everything else gets the world as a value; it is made here"
)]

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use vademecum_core::time::Time;
use vademecum_ops::world::{Env, Folders, World};
use vademecum_sqlite::opencode::Opencode;

/// The world of this process; `work` is the folder that calls are about, else the current one.
#[must_use]
pub fn real(work: Option<PathBuf>) -> World {
    let env: Box<Env> = Box::new(|name| std::env::var_os(name));
    let work = work.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/"));
    World {
        now: Box::new(now),
        new_id: Box::new(|| uuid::Uuid::now_v7().to_string()),
        folders: Folders::from_env(&*env, work),
        env,
        machine: machine(),
        databases: Box::new(Opencode),
        program: None,
    }
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
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
