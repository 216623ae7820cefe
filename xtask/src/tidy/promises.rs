//! What vade promises is played by a test: each sentence with a word of promise has its row in docs/promises.md.

mod row;
mod sentences;

use super::finding::Finding;
use crate::tree::{File, Tree};
use row::{Proof, Row};
use sentences::Sentence;

const PAGE: &str = "docs/promises.md";

/// Its sentences are those of the code it is generated from.
const MADE_FROM_CODE: &str = "docs/operations.md";

/// What a sentence says that promises an outcome to a person or a model.
const WORDS: &[&str] = &[
    "back",
    "told",
    "in front of the model",
    "offered",
    "shown whole",
    "in full",
    "saved",
    "kept",
    "survive",
    "survives",
    "lost",
    "ok",
    "restored",
    "erased",
    "no byte",
    "left out",
    "arrived",
    "every",
    "always",
    "never",
    "nothing is",
    "nothing was",
    "nothing else",
    "changes nothing",
    "leaves nothing",
];

/// Code whose texts are words that it looks for in what others wrote.
const READERS: &[&str] = &[
    "crates/vademecum-harness/",
    "crates/vademecum-recap/",
    "crates/vademecum-core/src/search/",
    "crates/vademecum-core/src/secrets/",
    "crates/vademecum-store/src/conformance",
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let rows = row::rows(tree.text(PAGE).unwrap_or(""));
    let mut is_used = vec![false; rows.len()];
    let mut found = Vec::new();
    for (file, said) in said(tree) {
        let mut has_row = false;
        for (row, is_used) in rows.iter().zip(&mut is_used) {
            let is_of_it = row.is_of(&said.text);
            (has_row, *is_used) = (has_row || is_of_it, *is_used || is_of_it);
        }
        if !has_row {
            found.push(Finding::new(
                &file.path,
                said.line,
                format!("a promise without its row: {}", said.text),
                format!("a row in {PAGE} with the test that plays it, or why it promises nothing"),
            ));
        }
    }
    found.extend(rows.iter().zip(is_used).filter_map(|(row, is_used)| fault(tree, row, is_used)));
    found
}

/// What is wrong with `row` itself.
fn fault(tree: &Tree, row: &Row, is_used: bool) -> Option<Finding> {
    if !is_used {
        let found = format!("nothing says \"{}\"", row.sentence);
        return Some(Finding::new(PAGE, row.line, found, "a sentence that is said somewhere"));
    }
    let missing = match &row.proof {
        Proof::Tests(tests) => tests.iter().find(|test| !row::exists(tree, test))?,
        Proof::Reason(reason) if reason.split_whitespace().count() < 3 => reason,
        Proof::Reason(_) => return None,
    };
    let allowed = "tests as `crate module::name`, or a reason of three words and more";
    Some(Finding::new(PAGE, row.line, format!("no test or reason: {missing}"), allowed))
}

/// Each sentence with a word of promise that a person or a model may read.
fn said(tree: &Tree) -> Vec<(&File, Sentence)> {
    let mut all = Vec::new();
    for file in tree.files.iter().filter(|file| is_page(file)) {
        let text = file.text.as_deref().unwrap_or("");
        all.extend(sentences::of_page(text).into_iter().map(|said| (file, said)));
    }
    for file in tree.files.iter().filter(|file| speaks(file)) {
        let text = file.text.as_deref().unwrap_or("");
        all.extend(sentences::of_code(text).into_iter().map(|said| (file, said)));
    }
    all.retain(|(_, said)| promises(&said.text));
    all
}

fn is_page(file: &File) -> bool {
    let is_named = matches!(file.path.as_str(), "README.md" | "SECURITY.md" | "PRIVACY.md");
    let is_doc = file.path.starts_with("docs/") || file.path.starts_with("guide/src/");
    let is_written = file.path != PAGE && file.path != MADE_FROM_CODE;
    file.is("md") && is_written && (is_named || is_doc)
}

fn speaks(file: &File) -> bool {
    let is_source = file.path.starts_with("crates/") && file.path.contains("/src/");
    file.is("rs")
        && is_source
        && !file.is_test()
        && !READERS.iter().any(|path| file.path.starts_with(path))
}

/// Whether one of the words stands in `text` as words of its own.
fn promises(text: &str) -> bool {
    let text = text.to_lowercase();
    WORDS.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    const TABLE: &str = "| said | played by |\n|---|---|\n\
        | Nothing is ever **left out** | `cli mcp::all::nothing_is_left_out` |\n\
        | `saved as rev {n}` | `ops pages::is_kept`, `torture kill` |\n\
        | never say never | a proverb, no promise |\n\
        | gone | `ops pages::is_kept` |\n";

    #[test]
    fn every_promise_has_its_row() {
        let page = "# Title\nNothing is ever\n**left out**. It is told to all; it never ends.\n\
                    ```\nnever\n```\n| never say never | x |\n";
        let code = "//! Never.\n/// Every.\nfn f() { say(\"saved as rev {n}\"); g!(\"ok\"); h.expect(\"never\") }\n\
                    #[cfg(test)]\nmod tests { const A: &str = \"never\"; }\n";
        let test = "#[test]\nfn nothing_is_left_out() {}\n";
        let tree = Tree::of(&[
            (PAGE, TABLE),
            ("docs/a.md", page),
            ("crates/vademecum-ops/src/a.rs", code),
            ("crates/vademecum-cli/tests/it/mcp/all.rs", test),
            ("xtask/src/torture.rs", "const A: &str = \"kill\";"),
        ]);
        expect(
            check,
            &tree,
            &[
                "docs/a.md:2: a promise without its row: It is told to all",
                "docs/a.md:2: a promise without its row: it never ends.",
                "crates/vademecum-ops/src/a.rs:3: a promise without its row: ok",
                "docs/promises.md:4: no test or reason: ops pages::is_kept",
                "docs/promises.md:6: nothing says \"gone\"",
            ],
        );
    }
}
