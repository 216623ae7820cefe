//! What a rule found: where, what, and what would be right.

use std::fmt;

/// A broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) found: String,
    pub(crate) allowed: String,
}

impl Finding {
    pub(crate) fn new(
        path: &str,
        line: usize,
        found: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self { path: path.to_owned(), line, found: found.into(), allowed: allowed.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, found, allowed } = self;
        write!(f, "{path}:{line}: {found}; allowed: {allowed}")
    }
}

/// Compares what `check` finds in `tree` with `wanted`, each as `path:line: found`.
#[cfg(test)]
#[track_caller]
pub(crate) fn expect(
    check: fn(&crate::tree::Tree) -> Vec<Finding>,
    tree: &crate::tree::Tree,
    wanted: &[&str],
) {
    let found = check(tree);
    let found = found.iter().map(|it| format!("{}:{}: {}", it.path, it.line, it.found));
    assert_eq!(found.collect::<Vec<_>>(), wanted);
}
