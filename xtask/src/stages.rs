//! The second command of the README: every test of this repository, one stage after the other.

use anyhow::Result;

use crate::needs::{self, Program};
use crate::postgres::{self, Cluster, Pooler};
use crate::{bench, connections, e2e, fuzz, page, step, torture};

/// One stage of the tests.
struct Stage {
    name: &'static str,
    /// What the machine must have. A stage that lacks something is skipped, but never in CI.
    needs: &'static [Program],
    run: fn() -> Result<()>,
}

/// Every stage in order, the quick ones first; a new one is one line here.
const STAGES: &[Stage] = &[
    Stage { name: "cargo test", needs: &[], run: cargo_test },
    Stage { name: "without servers", needs: &[], run: connections::stage },
    Stage { name: "interleavings", needs: &[], run: interleavings },
    Stage { name: "isolation", needs: &[], run: isolation },
    Stage { name: "twins", needs: &[], run: twins },
    Stage { name: "copies", needs: &[], run: copies },
    Stage { name: "fuzz", needs: &[], run: fuzz::stage },
    Stage { name: "torture", needs: &[], run: torture::stage },
    Stage { name: "bench", needs: &[bench::VALGRIND], run: bench::stage },
    Stage { name: "page", needs: &[needs::NPM, page::NODE, page::CHROMIUM], run: page::stage },
    Stage { name: "e2e headless", needs: &[needs::NPM, needs::GIT], run: e2e_headless },
    Stage { name: "e2e interactive", needs: &[needs::NPM, needs::GIT], run: e2e_interactive },
];

/// Runs every stage, stops at the first that fails, and says at the end what was skipped.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let mut skipped = Vec::new();
    for stage in STAGES {
        if let Some(lack) = why_skipped(stage, needs::is_ci(), Program::is_here) {
            skipped.push(format!("skipped {}: {lack}; CI runs it", stage.name));
            continue;
        }
        stage.needs.iter().try_for_each(Program::provide)?;
        step::timed(stage.name, stage.run)?;
    }
    for line in &skipped {
        eprintln!("{line}");
    }
    println!(
        "stages: {} passed, 0 failed, {} skipped",
        STAGES.len() - skipped.len(),
        skipped.len()
    );
    Ok(())
}

/// What `stage` lacks on a developer's machine; nothing in CI, which installs it or fails.
fn why_skipped(stage: &Stage, is_ci: bool, is_here: fn(&Program) -> bool) -> Option<String> {
    let lacking = stage.needs.iter().find(|program| !is_here(program))?;
    (!is_ci).then(|| lacking.lack())
}

/// All of them, with a server of PostgreSQL and a pooler before it while they run.
fn cargo_test() -> Result<()> {
    let mut test = step::cargo();
    test.args(["test", "--workspace", "--locked"]);
    let Some(cluster) = needs::or_skip("the tests on PostgreSQL", Cluster::start()?)? else {
        return step::run(&mut test);
    };
    test.env(postgres::VARIABLE, cluster.url());
    // One connection: whoever needed two at once would wait for ever.
    let pooler = needs::or_skip("the tests behind PgBouncer", Pooler::start(&cluster, 1)?)?;
    if let Some(pooler) = &pooler {
        test.env(postgres::POOLER, pooler.url());
    }
    step::run(&mut test)
}

/// The test that plays hook, person, sub-agent and second client against each other.
const PLAY: &str = "interleavings::nothing_acknowledged_is_missing_from_what_is_shown_next";

/// The test that looks through answers for what is another project's, session's or branch's.
const ISOLATION: &str = "isolation::nobody_is_told_what_is_anothers";

/// The test that plays random sequences of operations on both engines.
const TWINS: &str = "twins::both_engines_answer_the_same";

/// The test that copies two stores into each other while both go on.
const COPIES: &str = "copies::copies_come_to_an_end_and_bring_nothing_that_was_forgotten";

/// A slice of the 5,000 that are played when hooks or the journal change.
fn interleavings() -> Result<()> {
    more(PLAY, "VADE_PLAYS", "800")
}

/// A slice of the 100,000 that are looked through when it changes who is told what.
fn isolation() -> Result<()> {
    more(ISOLATION, "VADE_ISOLATION", "5000")
}

/// A slice of the 10,000 that are played when an engine changes.
fn twins() -> Result<()> {
    more(TWINS, "VADE_TWINS", "300")
}

fn copies() -> Result<()> {
    more(COPIES, "VADE_COPIES", "30")
}

/// More plays than `cargo test` has time for, by the programs that it has built: a crate alone is another build.
fn more(test: &str, variable: &str, n: &str) -> Result<()> {
    let all = ["test", "--quiet", "--workspace", "--locked", "--test", "it", "--"];
    step::run(step::cargo().args(all).args(["--exact", test, "--nocapture"]).env(variable, n))
}

fn e2e_headless() -> Result<()> {
    end_to_end("headless")
}

fn e2e_interactive() -> Result<()> {
    end_to_end("interactive")
}

/// With the program as people get it, which benchmarks have built: hooks of a build for tests take ten times as long.
fn end_to_end(group: &str) -> Result<()> {
    let vade = step::build_released_vade()?.to_string_lossy().into_owned();
    e2e::run(&["--vade".to_owned(), vade, group.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGE: Stage = Stage {
        name: "counts",
        needs: &[needs::GIT, Program { name: "valgrind", package: "valgrind" }],
        run: || Ok(()),
    };

    #[test]
    fn skips_what_cannot_run_here_but_never_in_ci() {
        let lack = "no valgrind on the path (Debian: apt-get install valgrind)";
        let has_git = |program: &Program| *program == needs::GIT;
        assert_eq!(why_skipped(&STAGE, false, has_git).as_deref(), Some(lack));
        assert_eq!(why_skipped(&STAGE, true, has_git), None);
        assert_eq!(why_skipped(&STAGE, false, |_| true), None);
    }
}
