//! A link in a document leads to a file of this tree.

use super::finding::Finding;
use crate::tree::{self, Tree};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| file.is("md")) {
        for (target, line) in links(file.text.as_deref().unwrap_or("")) {
            let path = target.split('#').next().unwrap_or("");
            let place = tree::resolve(tree::folder(&file.path), path);
            let below = format!("{place}/");
            if !tree.files.iter().any(|it| it.path == place || it.path.starts_with(&below)) {
                let what = format!("a link to {target}, where nothing is");
                found.push(Finding::new(&file.path, line, what, "a file or folder of this tree"));
            }
        }
    }
    found
}

/// The targets of `[…](…)` that lie in this tree, with their lines; code blocks are passed over.
fn links(text: &str) -> Vec<(&str, usize)> {
    let mut in_code = false;
    let mut found = Vec::new();
    for (line, n_line) in text.lines().zip(1..) {
        in_code ^= line.trim_start().starts_with("```");
        let behind = line.split("](").skip(1).filter(|_| !in_code);
        let targets = behind.filter_map(|rest| Some(rest.split_once(')')?.0));
        let inside = targets.filter(|target| !target.contains(':') && !target.starts_with('#'));
        found.extend(inside.map(|target| (target, n_line)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_a_link_that_leads_nowhere() {
        let page = "[a](../README.md) [b](b.md#part) [c](gone.md)\n[d](https://example.org/x)\n\
                    ```\n[e](gone.md)\n```\n[f](#here) [g](../crates/) [h](../gone/a.md)\n";
        let tree = Tree::of(&[
            ("README.md", ""),
            ("docs/a.md", page),
            ("docs/b.md", ""),
            ("crates/x", ""),
        ]);
        expect(
            check,
            &tree,
            &[
                "docs/a.md:1: a link to gone.md, where nothing is",
                "docs/a.md:6: a link to ../gone/a.md, where nothing is",
            ],
        );
    }
}
