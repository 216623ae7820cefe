//! Every Rust file says in its first line what it is.

use super::finding::Finding;
use crate::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let rust = tree.files.iter().filter(|file| file.is("rs"));
    let silent = rust.filter(|file| !opens_with_a_sentence(file.text.as_deref().unwrap_or("")));
    silent
        .map(|file| {
            let first = file.text.as_deref().unwrap_or("").lines().next().unwrap_or("");
            Finding::new(&file.path, 1, format!("\"{first}\""), "a sentence behind //!")
        })
        .collect()
}

fn opens_with_a_sentence(text: &str) -> bool {
    text.strip_prefix("//! ")
        .is_some_and(|rest| rest.trim_start().starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_a_file_that_does_not_say_what_it_is() {
        let tree = Tree::of(&[
            ("a.rs", "//! The a.\n"),
            ("b.rs", "use std::fmt;\n"),
            ("c.rs", "//!\n"),
            ("d.rs", "\n//! The d.\n"),
            ("e.sql", "select 1;\n"),
        ]);
        expect(check, &tree, &["b.rs:1: \"use std::fmt;\"", "c.rs:1: \"//!\"", "d.rs:1: \"\""]);
    }
}
