//! What of a user's message the user wrote: what harnesses and memory tools put there is cut out.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem;
use vademecum_core::intake::is_own_block;
use vademecum_core::openers;
use vademecum_core::turn::Outcome;
use vademecum_core::wisdom::undelegated;

/// What a message in the user's name is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    /// The user's words.
    Words(String),
    /// The user stopped the agent.
    Interrupted,
    /// A harness's summary of what it dropped.
    Summary(String),
    /// Nothing that a user wrote.
    Nothing,
}

/// How messages begin that a program wrote in the user's name.
const WRAPPERS: [&str; 24] = [
    "<recommended_plugins>",
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<permissions",
    "<collaboration_mode>",
    "<skills_instructions>",
    "<skill>",
    "<skill ",
    "<user_shell_command>",
    "<subagent_notification>",
    "<hook_context",
    "Caveat: The messages below",
    "<local-command-",
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<bash-",
    "<task-notification",
    "<teammate-message",
    "Stop hook feedback:",
    "Operation stopped by hook:",
    "<user-memory-input>",
];

/// How harnesses begin the summary of what they dropped.
const SUMMARIES: [&str; 2] = [
    "This session is being continued from a previous conversation that ran out of context",
    "Another language model started to solve this problem",
];

/// Elements that are put into a message beside the user's words, at the start of a line.
const ELEMENTS: [&str; 20] = [
    "system-reminder",
    "system_reminder",
    "user-prompt-submit-hook",
    "environment_context",
    "user_instructions",
    "current_datetime",
    "reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "persisted-output",
    "claude-mem-context",
    "supermemory-context",
    "memory-context",
    "memory_context",
    "relevant-memories",
    "relevant_memories",
    "memories",
    "memory",
    "private",
];

/// What stands in every text of ours.
static OURS: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("vade"));

/// What stands in every text with an element.
static CLOSING: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("</"));

/// With what the names of [`ELEMENTS`] begin.
const FIRST: [u8; 8] = *b"scirmpue";

/// What harnesses answer in place of a call that was not let run.
const REFUSALS: [&str; 5] = [
    "The user doesn't want to",
    "The user rejected permission",
    "The user has specified a rule which prevents",
    "Permission to use",
    "[Request interrupted by user",
];

/// What stands before the user's words where they did not let a call run and said why.
const REASONS: [&str; 2] =
    ["To tell you how to proceed, the user said:\n", "with the following feedback: "];

/// How the call went that was answered by `text`.
pub(super) fn outcome(is_ok: bool, text: &str) -> Outcome {
    let text = text.trim_start();
    match is_ok {
        _ if REFUSALS.iter().any(|start| text.starts_with(start)) => Outcome::Refused,
        false if ["aborted", "Tool execution aborted"].iter().any(|it| text.starts_with(it)) => {
            Outcome::Stopped
        }
        false => Outcome::Failed,
        true => Outcome::Done,
    }
}

/// The user's words in the answer of a call that they did not let run.
pub(super) fn refusal(outcome: Outcome, text: &str) -> Option<&str> {
    let reasons = if outcome == Outcome::Refused { &REASONS[..] } else { &[] };
    reasons.iter().find_map(|start| Some(text.split_once(start)?.1))
}

/// The user's words without what a harness puts behind the plan that it lets them hand over; true if that is it.
pub(super) fn plan(words: &str) -> (&str, bool) {
    if !words.starts_with("Implement the following plan:") {
        return (words, false);
    }
    let end = words.find("\nIf you need specific details from before exiting plan mode");
    (words[..end.unwrap_or(words.len())].trim_end(), true)
}

/// Says what `text` is, a message or one part of it.
pub(super) fn prompt(text: &str) -> Prompt {
    let trimmed = text.trim_start();
    if trimmed.starts_with("[Request interrupted") || trimmed.starts_with("<turn_aborted>") {
        return Prompt::Interrupted;
    }
    if SUMMARIES.iter().any(|start| trimmed.starts_with(start)) {
        return Prompt::Summary(text.to_owned());
    }
    let words = without_injected(text);
    let words = words.trim();
    let is_wrapper = WRAPPERS.iter().any(|start| words.starts_with(start));
    match typed(words) {
        Some(command) => Prompt::Words(command),
        None if words.is_empty() || is_wrapper => Prompt::Nothing,
        None => Prompt::Words(words.to_owned()),
    }
}

/// The command of their own that a user typed, where they said more than its name.
fn typed(text: &str) -> Option<String> {
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>")).map(|(inside, _)| inside.trim())
    };
    let name = Some(text).filter(|it| it.starts_with("<command-")).and(element("command-name"))?;
    let said = element("command-args").filter(|it| it.contains(' '))?;
    (!BUILT_IN.contains(&name.trim_start_matches('/'))).then(|| format!("{name} {said}"))
}

/// Commands that tell the harness what to do, and not the agent.
const BUILT_IN: [&str; 8] =
    ["compact", "model", "config", "mcp", "plugin", "add-dir", "rename", "resume"];

/// `text` without what was put into it: elements of harnesses and memory tools, blocks of ours.
pub(super) fn without_injected(text: &str) -> Cow<'_, str> {
    let text = without_elements(undelegated(text));
    let may_be_ours = OURS.find(text.as_bytes()).is_some();
    if may_be_ours && is_own_block(&text) { Cow::Owned(without_own(&text)) } else { text }
}

fn without_elements(text: &str) -> Cow<'_, str> {
    // Each of them is closed; of code, which is full of `<`, hardly any text closes one.
    if CLOSING.find(text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    let (mut start, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let open = at + found;
        at = open + 1;
        if let Some(end) = element_end(text, start, open) {
            kept.push_str(&text[start..open]);
            start = text.len() - text[end..].trim_start_matches(['\n', ' ']).len();
            at = start;
        }
    }
    if start == 0 { Cow::Borrowed(text) } else { Cow::Owned(kept + &text[start..]) }
}

/// Where the element ends that opens at `open`; none if it is none of [`ELEMENTS`].
///
/// Only a reminder may stand within a line: `start` is where the text begins or an element ended.
fn element_end(text: &str, start: usize, open: usize) -> Option<usize> {
    let inside = &text[open + 1..];
    let first = inside.as_bytes().first()?;
    if !FIRST.contains(first) {
        return None;
    }
    let name = ELEMENTS.iter().find(|name| {
        let rest = inside.strip_prefix(**name);
        rest.is_some_and(|rest| rest.starts_with(['>', ' ', '\n']))
    })?;
    let line = text[start..open].rfind('\n').map_or(start, |newline| start + newline + 1);
    if *name != "system-reminder" && !text[line..open].trim().is_empty() {
        return None;
    }
    let close = format!("</{name}>");
    let end = memmem::find(inside.as_bytes(), close.as_bytes())?;
    Some(open + 1 + end + close.len())
}

/// `text` without the contexts of vade; without all of it if a piece cannot be told apart.
fn without_own(text: &str) -> String {
    let mut text = without_hints(text);
    for (open, close, is_line) in
        [(openers::VOICE, openers::RECEIPT, true), ("<vade-", "</vade-", false)]
    {
        while let Some(span) = own_span(&text, open, close, is_line) {
            text.replace_range(span, "");
        }
    }
    if is_own_block(&text) { String::new() } else { text }
}

/// `text` without the lines that are said where nothing is kept yet, which have no receipt.
fn without_hints(text: &str) -> String {
    // Each of them begins with our name, which hardly any text has.
    if memmem::find(text.as_bytes(), b"vade: ").is_none() {
        return text.to_owned();
    }
    let mut is_ours = false;
    let others = text.split_inclusive('\n').filter(|line| {
        let said = line.trim_start_matches(|c: char| c.is_whitespace() || "> |`*".contains(c));
        is_ours = openers::is_hint(said) || is_ours && openers::follows_hint(said);
        !is_ours
    });
    others.collect()
}

/// From the line that begins with `open` to the end of the line with `close` behind it.
fn own_span(text: &str, open: &str, close: &str, is_line: bool) -> Option<std::ops::Range<usize>> {
    let lines = |from: usize, to: usize| -> &str { &text[from..to] };
    let at = memmem::find_iter(text.as_bytes(), open.as_bytes()).find(|&at| {
        let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        is_own_block(lines(text[..at].rfind('\n').map_or(0, |newline| newline + 1), end))
    })?;
    let start = if is_line { text[..at].rfind('\n').map_or(0, |newline| newline + 1) } else { at };
    let rest = &text[at + open.len()..];
    let end = match rest.find(close) {
        Some(close) => {
            let close = at + open.len() + close;
            text[close..].find('\n').map_or(text.len(), |newline| close + newline + 1)
        }
        None => text.len(),
    };
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let words = match prompt(text) {
            Prompt::Words(words) => words,
            Prompt::Interrupted => "(interrupted)".to_owned(),
            Prompt::Summary(_) => "(summary)".to_owned(),
            Prompt::Nothing => "(nothing)".to_owned(),
        };
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn only_the_users_words_are_left() {
        check(" fix <b>it</b>\n", "fix <b>it</b>");
        check("a <system-reminder>b</system-reminder> c", "a c");
        check("<system-reminder>\nb\n</system-reminder>\n", "(nothing)");
        check("<memory>\nold\n</memory>\ndo it", "do it");
        check("what does <memory> in </memory> mean", "what does <memory> in </memory> mean");
        check("<system-reminder> never closed", "<system-reminder> never closed");
        check(
            "<claude-mem-context a=1>x</claude-mem-context>\n<claude-mem-context>y</claude-mem-context>z",
            "z",
        );
    }

    #[test]
    fn what_a_program_wrote_is_nothing() {
        for text in WRAPPERS {
            check(&format!("\n{text} and more"), "(nothing)");
        }
        check("[Request interrupted by user for tool use]", "(interrupted)");
        check("<turn_aborted>\nThe user", "(interrupted)");
        for text in SUMMARIES {
            check(&format!("{text} and more"), "(summary)");
        }
    }

    #[test]
    fn what_a_user_said_with_a_command_is_theirs() {
        let typed = |name: &str, said: &str| {
            format!(
                "<command-message>it</command-message>\n<command-name>{name}</command-name>\n<command-args>{said}</command-args>"
            )
        };
        check(&typed("/fix", "the double refund"), "/fix the double refund");
        check(&typed("/compact", "keep the plan"), "(nothing)");
        check(&typed("/clear", ""), "(nothing)");
    }

    #[test]
    fn what_was_not_let_run_has_not_failed() {
        for (is_ok, text, expected) in [
            (true, "fine", Outcome::Done),
            (false, "error: boom", Outcome::Failed),
            (false, "Permission to use Bash with command make has been denied.", Outcome::Refused),
            (true, "The user doesn't want to proceed with this tool use.", Outcome::Refused),
            (false, "[Request interrupted by user for tool use]", Outcome::Refused),
            (false, "aborted by user after 3.2s", Outcome::Stopped),
        ] {
            assert_eq!(outcome(is_ok, text), expected, "{text}");
        }
    }

    #[test]
    fn a_delegated_prompt_is_what_was_delegated() {
        let wisdom = "<wisdom>\n### Learnings\n- x\n</wisdom>\n\n";
        let directive =
            "\n<Work_Context>\n## Notepad Location (for recording learnings)\nx\n</Work_Context>\n";
        check(&format!("{wisdom}Find the callers.{directive}"), "Find the callers.");
        check("what is <wisdom>\n?", "what is <wisdom>\n?");
    }

    #[test]
    fn every_element_is_looked_for() {
        for name in ELEMENTS {
            check(&format!("<{name}>\nx\n</{name}>\ny"), "y");
        }
    }

    #[test]
    fn our_own_contexts_never_come_back() {
        let context = "vade: restored for this session: its notepad. Background\n- note\n[vade receipt 0123456789abcdef]";
        check(&format!("before\n{context}\nafter"), "before\nafter");
        check(&format!("{context}\n{context}"), "(nothing)");
        check("a\n> vade: restored for this sub-agent: its notepad.\nrest", "a");
        check("a\n<vade-3f9a1c02 lines=1 escaped=0>\n| x\n</vade-3f9a1c02>\nb", "a\nb");
        check("a\n[vade receipt 0123456789abcdef]\nb", "(nothing)");
        check("say `[vade receipt <hash>]`", "say `[vade receipt <hash>]`");
    }
}
