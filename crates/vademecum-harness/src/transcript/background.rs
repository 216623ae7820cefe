//! What runs on in the background, in the words of each harness: that it does, and how it ended.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;
use vademecum_core::turn::Outcome;

use super::Arguments;

/// What stands before and behind the id of what runs on.
static RUNNING: LazyLock<[(Finder<'static>, &str); 9]> = LazyLock::new(|| {
    [
        ("running in background with ID: ", ""),
        ("moved to the background (ID: ", ""),
        ("backgrounded by user with ID: ", ""),
        ("Process running with session ID ", ""),
        ("Script running with cell ID ", ""),
        ("in background with shellId: ", ""),
        ("<command with shellId: ", " is still running"),
        ("in background with agent_id: ", ""),
        ("{\"agent_id\":\"", "\""),
    ]
    .map(|(before, behind)| (Finder::new(before), behind))
});

/// One of these stands wherever something runs on; hardly any answer has one, and each is looked through.
static SIGNS: LazyLock<[Finder<'static>; 5]> = LazyLock::new(|| {
    ["ackground", "unning with ", "shellId: ", "\"chunk_id\"", "\"agent_id\""].map(Finder::new)
});

/// How much of an answer is looked through from each end: there a harness says what became of a call.
const END: usize = 600;

/// The id of what the answer `text` says runs on; none if nothing does.
pub(super) fn running(text: &str) -> Option<&str> {
    if text.starts_with("Async agent launched") {
        return Some(id(&text[text.find("agentId: ")? + "agentId: ".len()..]));
    }
    let tail = if text.len() <= END { text.len() } else { text.len() - END };
    let ends = [&text[..text.floor_char_boundary(END)], &text[text.ceil_char_boundary(tail)..]];
    if !ends.iter().any(|end| SIGNS.iter().any(|sign| sign.find(end.as_bytes()).is_some())) {
        return None;
    }
    let told = ends.into_iter().find_map(|end| {
        RUNNING.iter().find_map(|(before, behind)| {
            let rest = &end[before.find(end.as_bytes())? + before.needle().len()..];
            rest[id(rest).len()..].starts_with(behind).then(|| id(rest))
        })
    });
    // What a script of Codex prints of a process has an exit code, or the session that it goes on in.
    let process = || {
        let head = &ends[0][ends[0].find("{\"chunk_id\"")?..];
        let (_, rest) = head.split("\"output\"").next()?.split_once("\"session_id\":")?;
        Some(id(rest))
    };
    told.or_else(process).filter(|id| !id.is_empty())
}

/// The characters of an id at the beginning of `text`.
fn id(text: &str) -> &str {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
    &text[..text.find(|c| !is_of_id(c)).unwrap_or(text.len())]
}

/// What a call asks after that runs in the background, by its id.
pub(super) fn asked_after<'a>(arguments: &'a Arguments<'_>) -> Option<Cow<'a, str>> {
    const FIELDS: [&str; 8] = [
        "task_id",
        "bash_id",
        "shell_id",
        "shellId",
        "session_id",
        "cell_id",
        "agent_id",
        "agentId",
    ];
    match arguments.whole_text() {
        Some(script) => {
            let (_, rest) = script.split_once("session_id")?;
            Some(id(rest.trim_start_matches(['"', ':', ' '])).into())
        }
        None => arguments.text(&FIELDS),
    }
}

/// What is told of something in the background.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct News {
    /// By its id; empty where only one is meant.
    pub(super) id: String,
    /// How it stands.
    pub(super) outcome: Outcome,
    /// What it printed or reported.
    pub(super) text: String,
}

/// What an answer, or a message that a program wrote in the user's name, tells of the background.
pub(super) fn news(text: &str) -> Vec<News> {
    let json = element(text, "subagent_notification").unwrap_or(text).trim();
    if json.starts_with('{') {
        let told: Value = serde_json::from_str(json).unwrap_or_default();
        let one = ["agent_id", "agent_path"].iter().find_map(|name| told[name].as_str());
        return match (one, &told["status"]) {
            (Some(id), status) => vec![of_agent(id, status)],
            (None, Value::Object(all)) => all.iter().map(|(id, it)| of_agent(id, it)).collect(),
            (None, _) => Vec::new(),
        };
    }
    let Some(status) = element(text, "status") else { return Vec::new() };
    let has_code = element(text, "exit_code").is_some_and(|code| code.trim() != "0");
    let outcome = match status.trim() {
        "running" | "pending" => Outcome::Running,
        "killed" | "stopped" | "cancelled" => Outcome::Stopped,
        "failed" | "error" | "errored" => Outcome::Failed,
        _ if has_code => Outcome::Failed,
        _ => Outcome::Done,
    };
    let said = ["result", "output", "stdout", "summary"].iter().find_map(|it| element(text, it));
    let id = ["task-id", "task_id"].iter().find_map(|it| element(text, it)).unwrap_or_default();
    vec![News { id: id.trim().to_owned(), outcome, text: said.unwrap_or(text).trim().to_owned() }]
}

/// What stands in the first element `name` of a text.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let close = format!("</{name}>");
    // A report may tell of elements of the same name.
    Some(&rest[..if name == "result" { rest.rfind(&close) } else { rest.find(&close) }?])
}

/// What Codex says of one sub-agent: a word, or one with what it wrote.
fn of_agent(id: &str, status: &Value) -> News {
    let said = |name: &str| status[name].as_str();
    let (outcome, text) = match status {
        Value::Object(it) if it.contains_key("completed") => (Outcome::Done, said("completed")),
        Value::Object(_) => (Outcome::Failed, said("errored")),
        _ if status == "interrupted" || status == "shutdown" => (Outcome::Stopped, None),
        _ => (Outcome::Running, None),
    };
    News { id: id.to_owned(), outcome, text: text.unwrap_or_default().to_owned() }
}

/// What a sub-agent reports in the answer `text`, without what the harness put around it.
pub(super) fn report(text: &str) -> Cow<'_, str> {
    let text = element(text, "task_result").unwrap_or(text);
    let ends = ["\nagentId: ", "\n<usage>", "\n<task_metadata>"];
    let text = ends.iter().filter_map(|end| text.rfind(end)).min().map_or(text, |at| &text[..at]);
    match handed_back(text) {
        Some(report) => Cow::Owned(report),
        None => Cow::Borrowed(text.trim()),
    }
}

/// The report behind the frame of Claude Code 2.1.330, which indents each line of it by two blanks; none without a frame.
fn handed_back(text: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| line.starts_with("[Subagent hand-back]"))?;
    // A report that quotes the frame does not stand in one.
    if lines.clone().any(|line| !line.trim().is_empty() && !line.starts_with("  ")) {
        return None;
    }
    let plain = lines.map(|line| line.strip_prefix("  ").unwrap_or(line));
    Some(plain.collect::<Vec<_>>().join("\n").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_told_without_its_frame() {
        let framed = "  <tools>Read</tools>\n  \n[Subagent hand-back] The text below is the final report. The report follows:\n  \
             Found it.\n  \n  ## Issues\n  - one\n    goes on\nagentId: a24 (use SendMessage)\n<usage>tokens: 3</usage>";
        for (text, expected) in [
            (framed, "Found it.\n\n## Issues\n- one\n  goes on"),
            ("Found it.\nagentId: a24 (x)", "Found it."),
            (
                "The cause.\n[Subagent hand-back] stands there.\nAnd more.",
                "The cause.\n[Subagent hand-back] stands there.\nAnd more.",
            ),
            ("It says [Subagent hand-back] somewhere.", "It says [Subagent hand-back] somewhere."),
        ] {
            assert_eq!(report(text), expected);
        }
    }

    #[test]
    fn what_runs_on_is_known_by_its_id() {
        for (text, expected) in [
            (
                "Command running in background with ID: b12f. Output is being written to: /t/b12f.output",
                Some("b12f"),
            ),
            (
                "Command did not complete within 120s and was moved to the background (ID: b3).",
                Some("b3"),
            ),
            (
                "Async agent launched successfully. (internal)\nagentId: a77c (do not mention)",
                Some("a77c"),
            ),
            (
                "Chunk ID: 1\nWall time: 30.0 seconds\nProcess running with session ID 667\nOutput:\nx",
                Some("667"),
            ),
            ("Script running with cell ID 170\nWall time 10.0 seconds\nOutput:\n", Some("170")),
            (
                "Script completed\nOutput:\n{\"chunk_id\":\"a\",\"session_id\":12,\"output\":\"x\"}",
                Some("12"),
            ),
            (
                "Script completed\nOutput:\n{\"chunk_id\":\"a\",\"exit_code\":0,\"output\":\"\\\"session_id\\\":1\"}",
                None,
            ),
            ("<command started in background with shellId: dev>", Some("dev")),
            (
                "up\n<command with shellId: 22 is still running after 30 seconds. Use read_bash>",
                Some("22"),
            ),
            ("up\n<command with shellId: 22 exited with exit code 0>", None),
            ("{\"agent_id\":\"0199-a\",\"nickname\":\"Bacon\"}", Some("0199-a")),
            ("Chunk ID: 1\nProcess exited with code 0\nOutput:\nfine", None),
        ] {
            assert_eq!(running(text), expected, "{text}");
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Outcome, &str)]) {
        let told = news(text);
        let told: Vec<_> = told.iter().map(|it| (&*it.id, it.outcome, &*it.text)).collect();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn ends_are_told_in_the_words_of_every_harness() {
        check(
            "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>Background command \"make\" failed with exit code 2</summary>\n</task-notification>",
            &[("b1", Outcome::Failed, "Background command \"make\" failed with exit code 2")],
        );
        check(
            "<task-notification>\n<task-id>a7</task-id>\n<status>completed</status>\n<summary>Agent \"x\" completed</summary>\n<result>Two callers,\nno <status>.</result>\n</task-notification>",
            &[("a7", Outcome::Done, "Two callers,\nno <status>.")],
        );
        check(
            "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>completed</status>\n\n<exit_code>1</exit_code>\n\n<output>\n2 failed\n</output>",
            &[("b1", Outcome::Failed, "2 failed")],
        );
        check(
            "<subagent_notification>\n{\"agent_id\":\"0199\",\"status\":{\"completed\":\"Found it.\"}}\n</subagent_notification>",
            &[("0199", Outcome::Done, "Found it.")],
        );
        check(
            "{\"status\":{\"a\":{\"completed\":null},\"b\":{\"errored\":\"no\"},\"c\":\"running\"},\"timed_out\":false}",
            &[("a", Outcome::Done, ""), ("b", Outcome::Failed, "no"), ("c", Outcome::Running, "")],
        );
        check("all fine", &[]);
    }

    #[test]
    fn a_report_is_what_the_sub_agent_wrote() {
        assert_eq!(
            report("Two callers.\nagentId: a7 (for resuming)\n<usage>t: 3</usage>"),
            "Two callers."
        );
        assert_eq!(report("task_id: s1\n\n<task_result>\nTwo.\n</task_result>"), "Two.");
    }
}
