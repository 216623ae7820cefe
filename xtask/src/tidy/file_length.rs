//! A file of code holds one idea: past its limit it is parted.

use super::finding::Finding;
use crate::tree::Tree;

/// The most lines of one file, with its tests. STYLE.md aims at 400.
const MAX: usize = 600;
const CODE: &[&str] = &["rs", "sql", "js", "py", "sh"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let code = tree.files.iter().filter(|file| CODE.iter().any(|end| file.is(end)));
    let counted = code.map(|file| (file, file.text.as_deref().unwrap_or("").lines().count()));
    let long = counted.filter(|&(_, n_lines)| n_lines > MAX);
    long.map(|(file, n_lines)| {
        Finding::new(
            &file.path,
            n_lines,
            format!("{n_lines} lines"),
            format!("{MAX}; part it by idea"),
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_a_long_file() {
        let (most, more) = ("\n".repeat(MAX), "\n".repeat(MAX + 1));
        let tree = Tree::of(&[("a.rs", &most), ("b.rs", &more), ("c.sql", &more), ("d.md", &more)]);
        expect(check, &tree, &["b.rs:601: 601 lines", "c.sql:601: 601 lines"]);
    }
}
