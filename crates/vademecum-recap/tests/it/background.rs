//! Commands and sub-agents that run on in the background, however a harness tells their end.

use vademecum_core::turn::{Action, Outcome, Turn};
use vademecum_recap::Part;

use crate::recap::check_lines;
use crate::turns::{answered, asked, called, came, digest, edited, ran, said};

/// A command that failed, and runs again in the background while others run well.
fn beside(n_others: usize) -> Vec<Turn> {
    let mut turns = vec![
        asked("Mend the build, please."),
        ran("1", "make test"),
        answered("1", false, "error: boom"),
        ran("2", "make test"),
        came("2", Outcome::Running, "Command running in background with ID: b1"),
    ];
    for n in 0..n_others {
        let id = format!("n{n}");
        turns.extend([ran(&id, &format!("make part{n}")), answered(&id, true, "")]);
    }
    turns
}

#[test]
fn what_runs_on_has_not_run_well() {
    check_lines(&beside(0), Part::Failed, "`", &["`make test` → error: boom"]);
    check_lines(&beside(0), Part::Now, "Running", &["Running: `make test`"]);
}

#[test]
fn what_runs_on_is_in_flight_until_its_end() {
    let mut turns = beside(10);
    check_lines(&turns, Part::Now, "Running", &["Running: `make test`"]);
    // Nobody asks after it: whether it runs still is not known.
    turns = beside(200);
    check_lines(&turns, Part::Now, "Running", &[]);
    turns.push(came("2", Outcome::Running, "still at it"));
    check_lines(&turns, Part::Now, "Running", &["Running: `make test`"]);
    turns.push(came("2", Outcome::Failed, "error: boom again"));
    check_lines(&turns, Part::Now, "Running", &[]);
    check_lines(&turns, Part::Failed, "`", &["`make test` → error: boom again"]);
}

#[test]
fn an_end_that_is_told_late_counts_when_it_is_told() {
    let mut turns = beside(3);
    turns.push(came("2", Outcome::Failed, "error: boom again"));
    assert_eq!(digest(&turns).state().failing(), Some("make test"));
    turns.extend([ran("3", "make test"), came("3", Outcome::Running, "")]);
    turns.push(came("3", Outcome::Done, "ok"));
    assert_eq!(digest(&turns).state().failing(), None);
}

#[test]
fn what_was_stopped_is_at_its_end_and_has_not_failed() {
    let mut turns = beside(3);
    turns.push(came("2", Outcome::Stopped, "Successfully killed shell: b1"));
    check_lines(&turns, Part::Now, "Running", &[]);
    check_lines(&turns, Part::Failed, "`", &["`make test` → error: boom"]);
}

#[test]
fn sub_agents_are_known_until_they_report() {
    let agent = |id: &str, about: &str| {
        let (to, task) = ("Explore".to_owned(), "Find who calls enqueue.\nAll of them.".to_owned());
        called(id, Action::Delegated { to, about: about.to_owned(), task }, "")
    };
    let mut turns = vec![agent("1", "Find the callers"), agent("2", "")];
    turns.push(came("1", Outcome::Running, "Async agent launched successfully."));
    let agents = |turns: &[Turn]| digest(turns).agents().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(agents(&turns), ["Find the callers", "Find who calls enqueue."]);
    turns.extend([came("2", Outcome::Done, "None."), came("1", Outcome::Done, "Two.")]);
    assert_eq!(agents(&turns), [""; 0]);
}

/// The agent's words end before what it did behind them.
#[test]
fn the_last_steps_are_those_behind_the_last_words() {
    let steps = |turns: &[Turn], expected: &str| {
        let line = format!("Last steps: {expected}");
        let expected = if expected.is_empty() { Vec::new() } else { vec![&*line] };
        check_lines(turns, Part::Now, "Last steps", &expected);
    };
    let mut turns = vec![
        asked("Mend the build, please."),
        ran("0", "make lint"),
        answered("0", true, "ok"),
        said("The lint is well; the parser of src/key.rs drops the last field."),
    ];
    steps(&turns, "");
    turns.extend([edited("1", "src/old.rs", ""), answered("1", true, "")]);
    turns.extend([edited("2", "src/no.rs", ""), answered("2", false, "no such text")]);
    turns.extend([edited("3", "src/key.rs", ""), answered("3", true, "")]);
    turns.extend([
        ran("4", "cd /home/dev/shop && make test 2>&1"),
        answered("4", false, "error: boom"),
    ]);
    steps(&turns, "edited src/old.rs; edited src/key.rs");
    turns.extend([ran("5", "make all | tail -3"), answered("5", true, "three lines")]);
    turns.extend([ran("6", "make deploy"), came("6", Outcome::Refused, "the user said no")]);
    turns.extend([ran("7", "make deploy")]);
    // What nobody answered runs on, what the user refused did not run.
    steps(
        &turns,
        "edited src/old.rs; edited src/key.rs; `make all | tail -3` ran → \"three lines\"",
    );
    turns.extend([
        answered("7", true, "ok"),
        edited("8", "src/key.rs", ""),
        answered("8", true, ""),
    ]);
    steps(
        &turns,
        "`make all | tail -3` ran → \"three lines\"; `make deploy` ran well → \"ok\"; edited src/key.rs",
    );
    let nothing = "(Bash completed with no output)";
    let quiet = [ran("q", "make quiet"), answered("q", true, nothing)];
    steps(
        &[&turns[..], &quiet].concat(),
        "`make deploy` ran well → \"ok\"; edited src/key.rs; `make quiet` ran well",
    );
    for command in ["printenv DB_PASSWORD", "openssl rand -hex 8", "cat notes/pw.txt"] {
        let secret = [ran("s", command), answered("s", true, "hunter two")];
        let shown =
            format!("`make deploy` ran well → \"ok\"; edited src/key.rs; `{command}` ran well");
        steps(&[&turns[..], &secret].concat(), &shown);
    }
    // What fails now did not run well.
    turns.extend([ran("9", "make deploy"), answered("9", false, "error: boom")]);
    steps(&turns, "`make all | tail -3` ran → \"three lines\"; edited src/key.rs");
    turns.push(asked("Stop here, please."));
    steps(&turns, "");
}

#[test]
fn what_a_command_that_prints_secrets_said_last_is_no_error() {
    let failing = |said| {
        let command = "terraform output -raw db";
        vec![asked("Go."), ran("1", command), answered("1", false, said)]
    };
    let told = "`terraform output -raw db`";
    check_lines(&failing("hunter two"), Part::Failed, "`", &[told]);
    let denied = "Error: no such output";
    check_lines(&failing(denied), Part::Failed, "`", &[&format!("{told} → {denied}")]);
}
