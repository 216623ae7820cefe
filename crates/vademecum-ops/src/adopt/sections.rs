//! The notepad of oh-my-claudecode: entries below headings with a time, orphaned copies among them.

use vademecum_core::entry::Category;
use vademecum_core::mirror::{self, Found, Header};

/// Reads its entries; a heading without a time ends one, and comments are left out.
pub(crate) fn read(text: &str) -> Vec<Found> {
    let mut lines = Vec::new();
    let mut is_comment = false;
    for line in text.lines() {
        let begins = line.trim_start().starts_with("<!--");
        if begins || is_comment {
            is_comment = !line.contains("-->");
            continue;
        }
        lines.push(brought_into_form(line));
    }
    let found = mirror::parse(Category::Learning, &lines.join("\n"));
    // What stands without a time under a heading of the tool is its owner's text, kept as well.
    found.into_iter().filter(|one| one.said.is_ok()).collect()
}

fn brought_into_form(line: &str) -> String {
    let Some(heading) = line.strip_prefix("### ").or_else(|| line.strip_prefix("## ")) else {
        return if line.starts_with("# ") { "---".to_owned() } else { line.to_owned() };
    };
    let with_seconds = format!("## {}:00", heading.trim());
    for header in [format!("## {}", heading.trim()), with_seconds] {
        if Header::parse(&header).is_some() {
            return header;
        }
    }
    if line.starts_with("## ") { "---".to_owned() } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orphans_are_entries_again_and_headings_end_them() {
        let text = "# Notepad\n<!-- managed\nby the tool -->\n\n## Priority Context\nuse tabs\n\n\
            ## Working Memory\n### 2026-01-27 14:30\nfirst\n### Why\nmore\n\n## 2026-01-27 14:31:05\norphan\n\n\
            ## MANUAL\nby hand\n";
        let found: Vec<_> = read(text)
            .into_iter()
            .map(|one| {
                let said = one.said.expect("an entry");
                (
                    one.at.map(vademecum_core::time::Time::to_rfc3339),
                    said.content.as_str().to_owned(),
                )
            })
            .collect();
        let at = |time: &str| Some(format!("2026-01-27T{time}.000Z"));
        let expected = [
            (None, "use tabs"),
            (at("14:30:00"), "first\n### Why\nmore"),
            (at("14:31:05"), "orphan"),
            (None, "by hand"),
        ];
        assert_eq!(found, expected.map(|(at, text)| (at, text.to_owned())));
    }
}
