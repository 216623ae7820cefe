//! A generated page says what the code says now.

use super::finding::Finding;
use crate::generate::{PAGES, Page};
use crate::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    stale(tree, PAGES)
}

fn stale(tree: &Tree, pages: &[Page]) -> Vec<Finding> {
    pages.iter().filter_map(|page| fault(tree, page)).collect()
}

fn fault(tree: &Tree, page: &Page) -> Option<Finding> {
    let allowed = "what `cargo xtask generate` writes";
    let fresh = match (page.render)(tree) {
        Ok(fresh) => fresh,
        Err(error) => return Some(Finding::new(page.path, 1, format!("{error:#}"), allowed)),
    };
    let kept = tree.text(page.path).unwrap_or("");
    let line = first_difference(kept, &fresh)?;
    Some(Finding::new(page.path, line, "not what the code says", allowed))
}

/// The first line, from 1, at which two texts part; nothing when they are equal.
fn first_difference(kept: &str, fresh: &str) -> Option<usize> {
    let same = kept.split('\n').zip(fresh.split('\n')).take_while(|(a, b)| a == b).count();
    (kept != fresh).then_some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: &[Page] = &[
        Page { path: "docs/a.md", render: |_| Ok("# A\nnew\n".to_owned()) },
        Page { path: "docs/b.md", render: |_| anyhow::bail!("no operations") },
    ];

    #[track_caller]
    fn check(files: &[(&str, &str)], wanted: &[(&str, usize, &str)]) {
        let found = stale(&Tree::of(files), PAGES);
        let found = found.iter().map(|it| (it.path.as_str(), it.line, it.found.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn finds_a_stale_and_an_absent_page() {
        let broken = ("docs/b.md", 1, "no operations");
        check(&[("docs/a.md", "# A\nnew\n")], &[broken]);
        check(
            &[("docs/a.md", "# A\nold\n")],
            &[("docs/a.md", 2, "not what the code says"), broken],
        );
        check(&[], &[("docs/a.md", 1, "not what the code says"), broken]);
    }
}
