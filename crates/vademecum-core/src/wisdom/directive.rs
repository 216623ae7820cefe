//! What a sub-agent is told about recording: the published text, or ours with the operations' names.

use std::fmt::Write as _;

use crate::plan::PlanName;

/// How a sub-agent is asked to record what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    /// As published: append to the files.
    Seed,
    /// By the one operation that every model is offered, else by appending.
    Operation,
    /// By the operations of all categories, else by appending.
    Operations,
}

/// Where a sub-agent records.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The folder of all plans' files, such as `.planning`.
    pub root: &'a str,
    /// The plan.
    pub plan: &'a PlanName,
    /// Whether the plan has files.
    pub has_files: bool,
    /// What the reader's harness puts before the name of a tool; empty for the name alone.
    pub prefix: &'a str,
    /// Whether what its last message reports is taken in.
    pub takes_reports: bool,
}

/// How directives begin, by which a prompt that has one already is known: that with files, and that without.
const SIGNS: [&str; 2] = [
    "## Notepad Location (for recording learnings)",
    "When done, record anything the next agent on this project must know with ",
];

/// How one without the tool reports, in the headings that are taken in.
const REPORT: &str = "; without that tool, list it in your last message under ## Key Learnings, ## Decisions or ## Issues";

const OPENER: &str = "\n<Work_Context>\n";
const CLOSER: &str = "\n</Work_Context>\n";

impl Directive {
    /// The text for one plan.
    #[must_use]
    pub fn text(self, place: &Place<'_>) -> String {
        let mut text = OPENER.to_owned();
        if place.has_files || self == Self::Seed {
            let Place { root, plan, .. } = place;
            write!(
                text,
                "{}\nNOTEPAD PATH: {root}/notepads/{plan}/\n\
                 - learnings.md: Record patterns, conventions, successful approaches\n\
                 - issues.md: Record problems, blockers, gotchas encountered\n\
                 - decisions.md: Record architectural choices and rationales\n\n\
                 You SHOULD append findings to notepad files after completing work.\n",
                SIGNS[0]
            )
            .expect("a String takes every text");
            text.push_str(&self.last_line(place));
        } else {
            let tools = self.tools(place.prefix);
            let report = if place.takes_reports { REPORT } else { "" };
            let rest = "Skip it if you learned nothing new.";
            write!(text, "{}{tools} (one fact each){report}. {rest}", SIGNS[1])
                .expect("a String takes every text");
        }
        text.push_str(CLOSER);
        text
    }

    fn last_line(self, place: &Place<'_>) -> String {
        let without = match self {
            Self::Seed => {
                return "IMPORTANT: Always APPEND to notepad files - never overwrite or use Edit tool."
                    .to_owned();
            }
            Self::Operation => "it",
            Self::Operations => "them",
        };
        format!(
            "IMPORTANT: Record with {} (plan \"{}\"). Without {without} APPEND to \
             these files with >> - never overwrite or use Edit tool.",
            self.tools(place.prefix),
            place.plan
        )
    }

    /// The tools that record, as the reader's harness names them.
    fn tools(self, prefix: &str) -> String {
        match self {
            Self::Seed | Self::Operation => format!("{prefix}add_learning"),
            Self::Operations => {
                format!("{prefix}add_learning, {prefix}add_issue or {prefix}add_decision")
            }
        }
    }
}

/// Puts wisdom before a delegated prompt and the directive behind it, each once.
///
/// A prompt without a word stays as it is.
#[must_use]
pub fn delegate(prompt: &str, wisdom: &str, directive: &str) -> String {
    if prompt.trim().is_empty() {
        return prompt.to_owned();
    }
    let has_wisdom = prompt.trim_start().starts_with("<wisdom>");
    let wisdom = if has_wisdom { "" } else { wisdom };
    let has_directive = SIGNS.iter().any(|sign| prompt.contains(sign));
    let directive = if has_directive { "" } else { directive };
    format!("{wisdom}{prompt}{directive}")
}

/// A delegated prompt without the wisdom before it and the directive behind it.
#[must_use]
pub fn undelegated(prompt: &str) -> &str {
    // A text of an entry cannot close the block: the first closer is its own.
    let rest = prompt.strip_prefix(super::OPENER).and_then(|rest| rest.split_once(super::CLOSER));
    let prompt = rest.map_or(prompt, |(_, rest)| rest);
    // A harness may keep it without the line break at its end.
    let is_last = prompt.trim_end().ends_with(CLOSER.trim_end());
    let directive = if is_last { prompt.rfind(OPENER) } else { None };
    let is_ours =
        |at: &usize| SIGNS.iter().any(|sign| prompt[at + OPENER.len()..].starts_with(sign));
    let directive = directive.filter(is_ours);
    directive.map_or(prompt, |at| &prompt[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(directive: Directive, has_files: bool) -> String {
        let plan = PlanName::new("03-01-PLAN").expect("a name");
        let prefix = "mcp__vade__";
        let root = ".planning";
        directive.text(&Place { root, plan: &plan, has_files, prefix, takes_reports: true })
    }

    #[test]
    fn the_published_directive_is_exact() {
        insta::assert_snapshot!(text(Directive::Seed, true), @"

        <Work_Context>
        ## Notepad Location (for recording learnings)
        NOTEPAD PATH: .planning/notepads/03-01-PLAN/
        - learnings.md: Record patterns, conventions, successful approaches
        - issues.md: Record problems, blockers, gotchas encountered
        - decisions.md: Record architectural choices and rationales

        You SHOULD append findings to notepad files after completing work.
        IMPORTANT: Always APPEND to notepad files - never overwrite or use Edit tool.
        </Work_Context>
        ");
        assert_eq!(text(Directive::Seed, false), text(Directive::Seed, true));
    }

    #[test]
    fn ours_names_the_operations_and_the_files_for_those_without_them() {
        insta::assert_snapshot!(text(Directive::Operation, true), @r#"

        <Work_Context>
        ## Notepad Location (for recording learnings)
        NOTEPAD PATH: .planning/notepads/03-01-PLAN/
        - learnings.md: Record patterns, conventions, successful approaches
        - issues.md: Record problems, blockers, gotchas encountered
        - decisions.md: Record architectural choices and rationales

        You SHOULD append findings to notepad files after completing work.
        IMPORTANT: Record with mcp__vade__add_learning (plan "03-01-PLAN"). Without it APPEND to these files with >> - never overwrite or use Edit tool.
        </Work_Context>
        "#);
        let all = text(Directive::Operations, true);
        insta::assert_snapshot!(all.lines().rev().nth(1).unwrap_or_default(), @r#"IMPORTANT: Record with mcp__vade__add_learning, mcp__vade__add_issue or mcp__vade__add_decision (plan "03-01-PLAN"). Without them APPEND to these files with >> - never overwrite or use Edit tool."#);
        insta::assert_snapshot!(text(Directive::Operation, false), @"

        <Work_Context>
        When done, record anything the next agent on this project must know with mcp__vade__add_learning (one fact each); without that tool, list it in your last message under ## Key Learnings, ## Decisions or ## Issues. Skip it if you learned nothing new.
        </Work_Context>
        ");
    }

    #[test]
    fn a_prompt_is_given_each_once_and_found_again() {
        check_once(&text(Directive::Seed, true));
        check_once(&text(Directive::Operation, true));
        check_once(&text(Directive::Operation, false));
    }

    #[track_caller]
    fn check_once(directive: &str) {
        let wisdom = "<wisdom>\nx\n</wisdom>\n\n";
        let once = delegate("do it", wisdom, directive);
        assert_eq!(once, format!("{wisdom}do it{directive}"));
        assert_eq!(delegate(&once, wisdom, directive), once);
        assert_eq!(delegate(" \n", wisdom, directive), " \n");
        for prompt in ["do it", "", "\n<Work_Context>\nof theirs\n</Work_Context>\n", "<wisdom>\nx"]
        {
            assert_eq!(undelegated(prompt), prompt);
            let delegated = format!("{wisdom}{prompt}{directive}");
            assert_eq!(undelegated(&delegated), prompt);
            assert_eq!(undelegated(delegated.trim_end()), prompt);
        }
    }
}
