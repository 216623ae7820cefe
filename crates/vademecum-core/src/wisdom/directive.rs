//! What a sub-agent is told about recording: the published text, or ours with the operations' names.

use crate::plan::PlanName;

/// How a sub-agent is asked to record what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    /// As published: append to the files.
    Seed,
    /// By the operations, and by appending where an agent has no tools of vade.
    Operations,
}

/// The line by which a prompt that has a directive already is known.
const SIGN: &str = "## Notepad Location (for recording learnings)";

impl Directive {
    /// The text for a plan whose files lie below `root`, such as `.planning`.
    #[must_use]
    pub fn text(self, root: &str, plan: &PlanName) -> String {
        let last = match self {
            Self::Seed => {
                "IMPORTANT: Always APPEND to notepad files - never overwrite or use Edit tool."
                    .to_owned()
            }
            Self::Operations => format!(
                "IMPORTANT: Record with the tools add_learning, add_issue, add_decision of vade \
                 (plan \"{plan}\"). Without them APPEND to these files with >> - never overwrite \
                 or use Edit tool."
            ),
        };
        format!(
            "\n<Work_Context>\n{SIGN}\nNOTEPAD PATH: {root}/notepads/{plan}/\n\
             - learnings.md: Record patterns, conventions, successful approaches\n\
             - issues.md: Record problems, blockers, gotchas encountered\n\
             - decisions.md: Record architectural choices and rationales\n\n\
             You SHOULD append findings to notepad files after completing work.\n{last}\n\
             </Work_Context>\n"
        )
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
    let directive = if prompt.contains(SIGN) { "" } else { directive };
    format!("{wisdom}{prompt}{directive}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_directive_is_exact() {
        let plan = PlanName::new("03-01-PLAN").expect("a name");
        insta::assert_snapshot!(Directive::Seed.text(".planning", &plan), @"

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
        insta::assert_snapshot!(Directive::Operations.text(".planning", &plan), @r#"

        <Work_Context>
        ## Notepad Location (for recording learnings)
        NOTEPAD PATH: .planning/notepads/03-01-PLAN/
        - learnings.md: Record patterns, conventions, successful approaches
        - issues.md: Record problems, blockers, gotchas encountered
        - decisions.md: Record architectural choices and rationales

        You SHOULD append findings to notepad files after completing work.
        IMPORTANT: Record with the tools add_learning, add_issue, add_decision of vade (plan "03-01-PLAN"). Without them APPEND to these files with >> - never overwrite or use Edit tool.
        </Work_Context>
        "#);
    }

    #[test]
    fn a_prompt_is_given_each_once() {
        let plan = PlanName::new("a").expect("a name");
        let directive = Directive::Seed.text(".planning", &plan);
        let wisdom = "<wisdom>\nx\n</wisdom>\n\n";
        let once = delegate("do it", wisdom, &directive);
        assert_eq!(once, format!("{wisdom}do it{directive}"));
        assert_eq!(delegate(&once, wisdom, &directive), once);
        assert_eq!(delegate(" \n", wisdom, &directive), " \n");
    }
}
