//! The files that a patch of the `apply_patch` tool touches.

use vademecum_core::turn::Action;

/// The line that opens a patch.
pub(super) const BEGIN: &str = "*** Begin Patch";

/// One action for each file of the patch in `text`; text around the patch is passed over.
pub(super) fn actions(text: &str) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    for line in text.lines() {
        if let Some(path) = path(line, "*** Add File: ") {
            actions.push(Action::Wrote { path, lines: 0 });
        } else if let Some(path) = path(line, "*** Update File: ") {
            actions.push(Action::Edited { path });
        } else if let Some(path) = path(line, "*** Delete File: ") {
            actions.push(Action::Deleted { path });
        } else if let Some(to) = path(line, "*** Move to: ")
            && let Some(Action::Edited { path }) = actions.last()
        {
            actions.push(Action::Moved { path: path.clone(), to });
        } else if line.starts_with('+')
            && let Some(Action::Wrote { lines, .. }) = actions.last_mut()
        {
            *lines = lines.saturating_add(1);
        }
    }
    actions
}

fn path(line: &str, sign: &str) -> Option<String> {
    let path = line.trim_start().strip_prefix(sign)?.trim();
    (!path.is_empty()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_one_action() {
        let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a b.rs\n+one\n+\n*** Update File: c\n*** Move to: d\n@@\n-x\n+y\n*** Delete File: e\n*** End Patch\nEOF";
        let edited = |path: &str| Action::Edited { path: path.to_owned() };
        let wrote = Action::Wrote { path: "a b.rs".to_owned(), lines: 2 };
        let moved = Action::Moved { path: "c".to_owned(), to: "d".to_owned() };
        let deleted = Action::Deleted { path: "e".to_owned() };
        assert_eq!(actions(patch), [wrote, edited("c"), moved, deleted]);
        assert_eq!(actions("no patch"), []);
    }
}
