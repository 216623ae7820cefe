//! A file is named for what is in it.

use super::finding::Finding;
use crate::tree::Tree;

const EMPTY_WORDS: &[&str] = &["common", "helpers", "manager", "misc", "types", "utils"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files.iter().filter_map(|file| fault(&file.path)).collect()
}

fn fault(path: &str) -> Option<Finding> {
    if path.rsplit('/').next() == Some("mod.rs") {
        let allowed = "note.rs beside the folder note/";
        return Some(Finding::new(path, 1, "a file mod.rs", allowed));
    }
    let stems = path.split('/').map(|part| part.split('.').next().unwrap_or(part));
    let word = stems.flat_map(|stem| stem.split(['_', '-'])).find(|it| EMPTY_WORDS.contains(it))?;
    let found = format!("a name with \"{word}\" in it");
    Some(Finding::new(path, 1, found, "a name that says what is in the file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_names_that_say_nothing() {
        let names =
            ["src/note.rs", "src/note/mod.rs", "src/utils.rs", "common/a.sql", "a_types.rs"];
        expect(
            check,
            &Tree::of(&names.map(|name| (name, ""))),
            &[
                "src/note/mod.rs:1: a file mod.rs",
                "src/utils.rs:1: a name with \"utils\" in it",
                "common/a.sql:1: a name with \"common\" in it",
                "a_types.rs:1: a name with \"types\" in it",
            ],
        );
    }
}
