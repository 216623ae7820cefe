//! Pictures of the terminal as SVG, made of what a test has seen the program print.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};

use crate::tree::Tree;

/// As wide as a terminal that stands beside an editor; a longer line goes on in the next one.
const COLUMNS: usize = 100;

/// Pixels of a character of the font, and of a line.
const WIDE: usize = 8;
const HIGH: usize = 18;

/// Around the text.
const EDGE: usize = 16;

/// What `vade tour` shows of a context: the snapshot's own lines, so that the picture cannot say what no test saw.
pub(super) fn tour(tree: &Tree) -> Result<String> {
    const SNAPSHOT: &str =
        "crates/vademecum-cli/tests/it/snapshots/it__tour__shows_what_comes_back.snap";
    let snapshot = tree.text(SNAPSHOT).context("no snapshot of the tour")?;
    let from = snapshot.find("Details that the summary").context("the tour has no details")?;
    let end = snapshot.find("The next session in this project").context("the tour has no end")?;
    // Ids and counts that change stand masked in the snapshot.
    let text =
        snapshot[from..end].trim_end().replace(" (N tokens)", "").replace("note_N", "note_…");
    let text = text.replace("HASH", "…");
    Ok(svg(
        "vade tour",
        "What the model reads beside the summary of a compaction",
        &format!("$ vade tour\n…\n{text}"),
    ))
}

/// What the viewer shows: screens that its tests have seen, each without the rows that tell no more, above its keys.
pub(super) fn viewer(tree: &Tree) -> Result<String> {
    const SCREENS: [(&str, usize); 3] = [("sessions", 6), ("notepad", 8), ("timeline", 8)];
    let mut screens = Vec::new();
    for (name, n_rows) in SCREENS {
        let path =
            format!("crates/vademecum-cli/src/view/snapshots/vade__view__tests__{name}_80x24.snap");
        let snapshot = tree.text(&path).with_context(|| format!("no snapshot {path}"))?;
        let (_, screen) = snapshot.rsplit_once("\n---\n").context("a snapshot has a head")?;
        let keys = screen.trim_end().lines().next_back().context("a screen has its keys")?;
        let rows: Vec<&str> = screen.lines().take(n_rows).collect();
        screens.push(format!("{}\n\n{keys}", rows.join("\n").trim_end()));
    }
    let text = format!("$ vade\n{}", screens.join("\n\n"));
    Ok(svg("vade", "The viewer: sessions, one's notepad, and what happened in it", &text))
}

/// A terminal with this text in it.
fn svg(title: &str, about: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().flat_map(wrapped).collect();
    let (width, height) = (2 * EDGE + COLUMNS * WIDE, 2 * EDGE + lines.len() * HIGH);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">{}</title>\n<desc id=\"d\">{}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#16181b\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#e8e6e1\">\n",
        escaped(title),
        escaped(about),
    );
    for (line, n) in lines.iter().zip(1..) {
        let y = EDGE + n * HIGH - 5;
        let colour = match line.trim_start().chars().next() {
            None => continue,
            Some('$') => " fill=\"#7fd1c8\"",
            Some('|') => "",
            Some(_) => " fill=\"#b1b5bb\"",
        };
        // A font of another width is squeezed into its columns, so that nothing is cut off.
        let length = line.chars().count() * WIDE;
        writeln!(
            svg,
            "<text x=\"{EDGE}\" y=\"{y}\" xml:space=\"preserve\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\"{colour}>{}</text>",
            escaped(line)
        )
        .expect("a text takes any length");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The line as rows of the terminal, parted at blanks; what goes on stands below where it began.
fn wrapped(line: &str) -> Vec<String> {
    let lead: String = line.chars().take_while(|c| matches!(c, ' ' | '|')).collect();
    let mut rows = vec![lead.clone()];
    let mut is_begun = false;
    for word in line[lead.len()..].split(' ') {
        let row = rows.last_mut().expect("there is a first row");
        if is_begun && COLUMNS < row.chars().count() + 1 + word.chars().count() {
            rows.push(format!("{lead}{word}"));
            continue;
        }
        if is_begun {
            row.push(' ');
        }
        row.push_str(word);
        is_begun = true;
    }
    rows
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_go_on_below_where_they_began() {
        let long = format!("  | {}end", "word ".repeat(30));
        let rows = wrapped(&long);
        assert!(rows.iter().all(|row| row.chars().count() <= COLUMNS && row.starts_with("  | ")));
        assert_eq!(rows.len(), 2);
        assert_eq!(wrapped("a  b"), ["a  b"]);
        assert_eq!(wrapped(""), [""]);
    }

    #[test]
    fn no_text_is_markup() {
        let svg = svg("a<b", "c&d", "<script>\n\n| \"x\"");
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script"), "{svg}");
        assert_eq!(svg.matches("<text").count(), 2);
    }
}
