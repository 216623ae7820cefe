//! Reads the table of crates in ARCHITECTURE.md, which says what each may depend on.

use crate::tree::Tree;

/// The page that holds the table.
pub(crate) const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Crates";

/// One row: a crate and the crates of this workspace that it may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) depends_on: Vec<String>,
    pub(crate) in_tests: Vec<String>,
}

impl Row {
    /// Whether the row lets its crate name `name`, in tests or everywhere.
    pub(crate) fn allows(&self, name: &str, in_tests: bool) -> bool {
        let lists = |names: &[String]| names.iter().any(|it| it == name || it == "any");
        lists(&self.depends_on) || (in_tests && lists(&self.in_tests))
    }
}

/// The rows below `## Crates`: crate, what it is, what it may depend on, what its tests may.
pub(crate) fn rows(tree: &Tree) -> Vec<Row> {
    let page = tree.text(PAGE).unwrap_or("").lines().zip(1..);
    let section = page.skip_while(|(text, _)| text.trim_end() != HEADING).skip(1);
    let section = section.take_while(|(text, _)| !text.starts_with("## "));
    section.filter_map(|(text, line)| row(text, line)).collect()
}

fn row(text: &str, line: usize) -> Option<Row> {
    let cells: Vec<&str> = text.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').collect();
    let name = quoted(cells.first()?).into_iter().next()?;
    let names = |idx: usize| cells.get(idx).map(|cell| quoted(cell)).unwrap_or_default();
    Some(Row { line, name, depends_on: names(2), in_tests: names(3) })
}

/// The words of `text` that stand between backticks.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_own_section_alone() {
        let page = "# A\n\n| `x` | no | `y` | |\n\n## Crates\n\n| crate | what | uses | tests |\n\
                    |---|---|---|---|\n| `core` | pure | | |\n\
                    | `ops` | acts | `core`, `store` | `sqlite` |\n\n## More\n| `z` | | | |\n";
        let row = |line, name: &str, depends_on: &[&str], in_tests: &[&str]| Row {
            line,
            name: name.to_owned(),
            depends_on: depends_on.iter().map(|&it| it.to_owned()).collect(),
            in_tests: in_tests.iter().map(|&it| it.to_owned()).collect(),
        };
        assert_eq!(
            rows(&Tree::of(&[(PAGE, page)])),
            [row(9, "core", &[], &[]), row(10, "ops", &["core", "store"], &["sqlite"])],
        );
        assert_eq!(rows(&Tree::of(&[])), []);
    }
}
