//! Git as a program, for what its own files say too slowly: asked by commands and servers alone, never by a hook.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use vademecum_files::resolve;

use crate::place::Place;
use crate::world::Env;

/// So much is read of what it says, in bytes.
const MOST: u64 = 1 << 20;

/// What a caller's environment may say of another repository.
const OF_ANOTHER: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
];

/// The git of this machine: never one that lies in the work tree, or in the one that it is linked to.
fn program(env: &Env, place: &Place) -> Option<PathBuf> {
    let main = place.common.as_deref().and_then(Path::parent);
    let trees: Vec<PathBuf> =
        [Some(place.root.as_path()), main].into_iter().flatten().filter_map(resolve).collect();
    let folders = env("PATH")?;
    let mut folders = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
    folders.find_map(|folder| {
        let git = folder.join("git");
        // Where links lead counts, and the program is called as it is named.
        let lies = resolve(&git)?;
        trees.iter().all(|tree| !lies.starts_with(tree)).then_some(git)
    })
}

/// What git says in a work tree; none where it fails, or has not ended in time.
///
/// It looks at commits alone: nothing is fetched, and no filter, hook, pager or monitor of the repository runs for that.
/// It finds the repository itself, so that it refuses one that belongs to somebody else.
#[expect(clippy::disallowed_methods, reason = "it ends within the time it is given, or is killed")]
pub(crate) fn ask(env: &Env, place: &Place, arguments: &[&str], time: Duration) -> Option<String> {
    let mut git = Command::new(program(env, place)?);
    git.arg("--no-pager").args(arguments).current_dir(&place.root);
    for name in OF_ANOTHER {
        git.env_remove(name);
    }
    // A partial clone would ask its remote for commits that it lacks: that may be any program.
    git.envs([("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", ""), ("GIT_OPTIONAL_LOCKS", "0")]);
    git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = git.spawn().ok()?;
    let said = child.stdout.take()?;
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = std::io::Read::read_to_string(&mut std::io::Read::take(said, MOST), &mut text);
        drop(tell.send(read.map(|_| text)));
    });
    let text = told.recv_timeout(time).ok().and_then(Result::ok);
    if text.is_none() {
        child.kill().ok();
    }
    let is_done = child.wait().is_ok_and(|status| status.success());
    text.filter(|_| is_done)
}
