//! What was true when it was said, and is told as such or not at all once more was done.

use vademecum_core::turn::{Event, Progress, Turn};
use vademecum_recap::Part;

use crate::turns::{answered, asked, digest, edited, later, planned, ran, said, turn};

/// All that is told of these turns, on one line.
fn told(turns: &[Turn]) -> String {
    digest(turns).recap(1_000).text.replace('\n', " ")
}

#[track_caller]
fn check(turns: &[Turn], words: &str, is_told: bool) {
    let text = told(turns);
    assert_eq!(text.contains(words), is_told, "{words:?}: {text}");
}

fn refund(turns: impl IntoIterator<Item = Turn>) -> Vec<Turn> {
    let ask = "The refund of an order is paid twice: find out why and mend it in the service.";
    [asked(ask)].into_iter().chain(turns).collect()
}

fn changed(path: &str) -> [Turn; 2] {
    [edited(path, path, "- key"), answered(path, true, "ok")]
}

/// That checks pass, and what is wrong with a file, held before more was changed.
#[test]
fn what_was_said_before_the_last_edits_is_told_as_such() {
    let wrong = "In src/key.rs the comment on the refund key still names the old table of orders.";
    let passing = "All 212 tests pass, with those of the refund key and of the webhook.";
    for (words, path, is_before) in [
        (wrong, "src/key.rs", true),
        (wrong, "src/hook.rs", false),
        (
            "The cache in src/key.rs is not cleared, since the user wants it so.",
            "src/key.rs",
            false,
        ),
        (passing, "src/hook.rs", true),
        (passing, "/tmp/out.txt", false),
    ] {
        let turns = [said(words)]
            .into_iter()
            .chain(changed(path))
            .chain([said("The order is the key of the webhook.")]);
        let turns = refund(turns);
        check(&turns, &format!("Before the last edits: {words}"), is_before);
        check(&turns, words, true);
    }
    let last = refund(changed("src/key.rs").into_iter().chain([said(passing)]));
    check(&last, "Before the last edits", false);
}

/// How checks and reviews stand on a server is what was said of it last.
#[test]
fn of_how_things_stand_elsewhere_the_newest_is_told() {
    let states = [
        "CI still has four failures in the refund job: lint, units and two shards.",
        "CI is green now, and no review threads are unresolved.",
    ];
    let turns =
        refund(states.map(said).into_iter().chain([said("The key of a refund is its order.")]));
    check(&turns, states[0], false);
    check(&turns, states[1], true);
    let cause = "CI is still red because the runner of the refund job has no python3.";
    check(&refund([said(cause), said(states[1])]), cause, true);
}

/// What the agent was about to find out is known since.
#[test]
fn what_was_to_be_found_out_is_not_told_as_found() {
    let about = "There is a crate serial_refund in the workspace, so I'm checking whether the service can use it.";
    let found = "The crate serial_refund is no part of the service.";
    check(&refund([said(about), said(found)]), about, false);
    check(&refund([said(about)]), "serial_refund in the workspace", true);
}

/// A rebase gives commits other hashes.
#[test]
fn hashes_of_before_a_rebase_are_not_told() {
    let words =
        "The branch has two commits of ours, febabe6a and 4559928a, on the table of refunds.";
    let commit =
        [ran("c", "git commit -m 'key: one'"), answered("c", true, "[main 1a2b3c4] key: one")];
    let turns = |line: &str, output: &str| {
        let rebased = [ran("r", line), answered("r", true, output)];
        refund(
            commit
                .clone()
                .into_iter()
                .chain([said(words)])
                .chain(rebased)
                .chain([said("The order is the key of the webhook.")]),
        )
    };
    for (line, output, is_same) in [
        ("git rebase origin/main", "Successfully rebased and updated refs/heads/main.", false),
        ("git status", "On branch main", true),
    ] {
        let turns = turns(line, output);
        check(&turns, words, is_same);
        check(&turns, "Committed 1a2b3c4 on main", is_same);
        check(&turns, "key: one", true);
    }
}

/// A commit that was only tried elsewhere changes nothing here.
#[test]
fn the_message_of_a_commit_elsewhere_is_no_change() {
    let message = "key: the first commit of a repository for tries";
    for (line, is_told) in [
        (format!("cd /tmp && mkdir tries && git init && git commit -m '{message}'"), false),
        (format!("git commit -m '{message}'"), true),
    ] {
        check(&refund([ran("c", &line), answered("c", true, "")]), message, is_told);
    }
}

/// A file that the plan names and nobody touched is what a reader has to look for.
#[test]
fn files_of_the_plan_that_were_not_changed_are_told() {
    let text = "Implement the following plan:\n\n# Mend it\n\n- Add the key to src/pay/key.rs\n\
                - Use it in src/pay/hook.rs (line 12)\n- See https://example.org/a/b.html\n\
                - Follow the pattern of src/pay/old.rs\n- Do not touch src/pay/table.rs\n- Run tests/pay.sh";
    let plan = turn(Event::Asked { text: text.to_owned(), is_plan: true });
    let begun = [vec![plan.clone()], changed("src/pay/key.rs").into()].concat();
    let line = "Named in the plan and not changed yet: src/pay/hook.rs";
    let next = |turns: &[Turn]| {
        let sections = digest(turns).recap(1_000).sections;
        let next = sections.into_iter().filter(|it| it.part == Part::Next);
        next.flat_map(|it| it.lines).any(|it| it == line)
    };
    assert!(next(&begun), "{}", told(&begun));
    assert!(!next(&[plan]), "nothing is begun");
    assert!(!next(&[begun.clone(), changed("src/pay/hook.rs").into()].concat()));
    for (found, is_told) in [
        ("`src/pay/hook.rs` doesn't have a key to use, so no changes needed there.", false),
        ("pay/hook.rs already uses the key.", false),
        ("src/pay/hook.rs is what comes next.", true),
        ("src/pay/other.rs already uses the key.", true),
    ] {
        let turns = [begun.clone(), vec![said(found)]].concat();
        assert_eq!(next(&turns), is_told, "{found}");
    }
    let done = planned(&[("Read the key", Progress::Done)]);
    assert!(!next(&[begun, vec![done]].concat()), "the list says that all is done");
}

/// What a plan told to do is done where all of the agent's list is.
#[test]
fn a_plan_whose_list_is_done_is_not_told_as_planned() {
    let step = "Add the column order_of_refund to the table of the webhook handler.";
    let text =
        format!("Implement the following plan:\n\n# Mend it\n\n- {step}\n- Keep the rest as it is");
    let plan = turn(Event::Asked { text, is_plan: true });
    let turns = |state| {
        let list = planned(&[("Add the column", state)]);
        let done = [vec![plan.clone()], changed("src/table.rs").into(), vec![list]].concat();
        [done, later()].concat()
    };
    check(&turns(Progress::Active), step, true);
    check(&turns(Progress::Done), step, false);
}

/// The message of a commit that was taken back is no change.
#[test]
fn the_message_of_a_commit_that_was_taken_back_is_no_change() {
    let why = "The order becomes the key of a refund because a refund has none of its own.";
    let commit = format!("git commit -m 'key: one' -m '{why}'");
    let made = "[main 1a2b3c4] key: one\n 1 file changed, 2 insertions(+)";
    let begun = [ran("c", &commit), answered("c", true, made)];
    for (line, is_told) in [
        ("git reset --soft HEAD~1", false),
        ("git reset HEAD src/key.rs", true),
        ("git log --oneline -1", true),
    ] {
        let behind = [ran("r", line), answered("r", true, ""), said("The webhook comes next.")];
        check(&refund(begun.iter().cloned().chain(behind)), why, is_told);
    }
}

/// A rebase that stopped half-way is where the session stands.
#[test]
fn what_git_stopped_at_is_told_until_it_is_finished() {
    let stopped = "error: could not apply 1a2b3c4... key: one\nCONFLICT (content): Merge conflict in src/key.rs";
    let begun = [ran("r", "git rebase origin/main"), answered("r", false, stopped)];
    let told = "Stopped at a conflict and not finished: `git rebase --continue` or `--abort` ends it, conflicts in src/key.rs";
    check(&refund(begun.clone()), told, true);
    let abort = [ran("a", "git rebase --abort"), answered("a", true, "")];
    check(&refund(begun.into_iter().chain(abort)), "Stopped at a conflict", false);
}

/// What stands below a line that forbids is told with it.
#[test]
fn what_is_ruled_out_is_not_told_as_if_it_were_wanted() {
    let item = "Expose the secret key of the refund service in the log";
    for (lead, is_wanted) in [
        ("The service must:", true),
        ("The service must not:", false),
        ("Never:", false),
        ("**Non-goals**", false),
        ("## Out of scope", false),
        ("It doesn't:", false),
    ] {
        let text = format!(
            "Implement the following plan:\n\n# Mend it\n\n- Add the key to src/pay/key.rs\n\n{lead}\n\n- {item}\n\nThe key is the order."
        );
        let plan = turn(Event::Asked { text, is_plan: true });
        let told = told(&[vec![plan], changed("src/pay/key.rs").into()].concat());
        let bare = lead.trim_matches(['#', '*', ' ']);
        let is_with_lead = told.contains(&format!("{bare} {item}"));
        assert_eq!(told.contains(item) && !is_with_lead, is_wanted, "{told}");
    }
}

/// One word behind a break says alone what the whole did not.
#[test]
fn a_word_that_goes_on_is_not_told_alone() {
    let ask = "i'm not sure if the refund of an order with aggregator: ./scripts/or.js\n\nworks. can you ensure that it is paid once";
    let turns = [asked(ask), said("I look at it."), asked("go on with the webhook of refunds")];
    check(&turns, "\"works.\"", false);
}
