//! Every text ends with one newline, so that appending to it changes one line.

use super::finding::Finding;
use crate::tree::Tree;

/// Recorded texts whose exact bytes are the point.
const EXACT: &str = "fixtures";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let texts = tree.files.iter().filter_map(|file| Some((file, file.text.as_deref()?)));
    let texts = texts.filter(|(file, _)| !file.path.split('/').any(|part| part == EXACT));
    texts.filter_map(|(file, text)| fault(&file.path, text)).collect()
}

fn fault(path: &str, text: &str) -> Option<Finding> {
    let n_lines = text.lines().count();
    let found = match text {
        "" => return None,
        _ if !text.ends_with('\n') => "no newline at the end",
        _ if text.ends_with("\n\n") => "an empty line at the end",
        _ => return None,
    };
    Some(Finding::new(path, n_lines, found, "one newline at the end"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_a_text_without_its_newline() {
        let tree = Tree::of(&[
            ("a.md", "a\nb"),
            ("b.md", "a\n"),
            ("c.md", ""),
            ("d.md", "a\n\n"),
            ("tests/fixtures/torn.jsonl", "{"),
        ]);
        expect(
            check,
            &tree,
            &["a.md:2: no newline at the end", "d.md:2: an empty line at the end"],
        );
    }
}
