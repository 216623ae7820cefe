//! Writes the pages that are made from code, so that no page can lag behind it.

mod configuration;
mod operations;
mod picture;
mod schemas;

use anyhow::{Context, Result};

use crate::step;
use crate::tree::Tree;

/// A page that is made from code.
pub(crate) struct Page {
    /// Where it lies, from the top folder.
    pub(crate) path: &'static str,
    /// Makes the whole text, the same for the same tree.
    pub(crate) render: fn(&Tree) -> Result<String>,
}

/// Every generated page; a new one is one line here.
pub(crate) const PAGES: &[Page] = &[
    Page { path: "docs/configuration.md", render: |_| Ok(configuration::page()) },
    Page { path: "docs/operations.md", render: |_| operations::page() },
    Page { path: "guide/src/pictures/tour.svg", render: picture::tour },
    Page { path: "guide/src/pictures/viewer.svg", render: picture::viewer },
    Page { path: "crates/vademecum-ops/src/schema/written.rs", render: |_| schemas::file() },
];

/// Writes each page that is not fresh and names it.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let tree = Tree::read()?;
    for page in PAGES {
        let text = (page.render)(&tree).context(page.path)?;
        if tree.text(page.path) != Some(text.as_str()) {
            std::fs::write(step::root().join(page.path), text).context(page.path)?;
            eprintln!("wrote {}", page.path);
        }
    }
    Ok(())
}
