//! A folder that becomes part of another project while something is written there.

use std::fs::{self, File};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::home::Home;

/// `vade` in one of the two folders.
fn command(home: &Home, folder: &str, words: &[&str]) -> std::process::Command {
    let mut command = home.command(home.program().as_path());
    command.args(words).current_dir(home.path(folder));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(home: &Home, folder: &str, words: &[&str]) -> (bool, String) {
    let output = command(home, folder, words).output().expect("a run");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[expect(clippy::disallowed_methods, reason = "nothing tells that a process waits at a lock")]
fn what_is_acknowledged_while_a_folder_is_joined_is_there_afterwards() {
    for first in [0, 20, 60] {
        let home = Home::with_program();
        for folder in ["one", "two"] {
            fs::create_dir_all(home.path(&format!("{folder}/.git"))).expect("a folder");
            home.write(&format!("{folder}/.git/HEAD"), "ref: refs/heads/main\n");
            assert!(run(&home, folder, &["decision", "add", &format!("kept of {folder}")]).0);
        }
        // Whoever comes first to the lock, the other one has looked up the project by then.
        let lock = File::open(home.path(".local/share/vademecum/vade.lock")).expect("a lock");
        lock.lock().expect("the lock");
        let spawn = |words: &[&str]| {
            let child = command(&home, "one", words).spawn().expect("a run");
            std::thread::sleep(Duration::from_millis(first));
            child
        };
        let join = spawn(&["project", "join", "two", "--yes"]);
        let added = ["decision", "plan"].map(|sort| match sort {
            "plan" => spawn(&["plan", "init", "raced"]),
            _ => spawn(&["decision", "add", "raced"]),
        });
        std::thread::sleep(Duration::from_millis(100));
        lock.unlock().expect("the lock");
        let end =
            |child: std::process::Child| child.wait_with_output().expect("an end").status.success();
        assert!(end(join));
        let [decision, plan] = added.map(end);
        let (_, found) = run(&home, "two", &["search", "raced", "--json"]);
        let found: Value = serde_json::from_str(&found).expect("JSON");
        let n_found = found["found"].as_array().expect("a list").len();
        assert_eq!(n_found, usize::from(decision), "{found}");
        let (_, plans) = run(&home, "two", &["plan", "list"]);
        assert_eq!(plans.contains("raced"), plan, "{plans}");
        let (_, projects) = run(&home, "two", &["project", "list", "--json"]);
        let projects: Value = serde_json::from_str(&projects).expect("JSON");
        assert_eq!(projects["projects"].as_array().map(Vec::len), Some(1), "{projects}");
    }
}
