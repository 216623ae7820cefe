//! The picture of the page was made from the page as it is now.

use vademecum_core::hash;

use super::finding::Finding;
use crate::tree::Tree;

/// The page, as a test of its crate has seen it written.
pub(crate) const HTML: &str =
    "crates/vademecum-cli/src/page/snapshots/vade__page__tests__picture.snap.html";

/// The picture, and the hash of the page that it was made from.
pub(crate) const PNG: &str = "guide/src/pictures/page.png";
pub(crate) const MADE_FROM: &str = "guide/src/pictures/page.hash";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let allowed = "what `cargo xtask picture` makes";
    let Some(html) = tree.text(HTML) else { return Vec::new() };
    let mut found = Vec::new();
    if !tree.files.iter().any(|file| file.path == PNG) {
        found.push(Finding::new(PNG, 1, "no picture of the page", allowed));
    }
    if tree.text(MADE_FROM).map(str::trim) != Some(&*made_from(html)) {
        found.push(Finding::new(MADE_FROM, 1, "the picture shows another page", allowed));
    }
    found
}

/// The hash of a page, as it stands beside its picture.
pub(crate) fn made_from(html: &str) -> String {
    hash::hex(&hash::plain(html.as_bytes()), 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_a_picture_of_another_page() {
        let hash = made_from("<p>new");
        expect(check, &Tree::of(&[(HTML, "<p>new"), (PNG, "png"), (MADE_FROM, &hash)]), &[]);
        expect(
            check,
            &Tree::of(&[(HTML, "<p>newer"), (MADE_FROM, &hash)]),
            &[
                "guide/src/pictures/page.png:1: no picture of the page",
                "guide/src/pictures/page.hash:1: the picture shows another page",
            ],
        );
        expect(check, &Tree::of(&[("docs/a.md", "a")]), &[]);
    }
}
