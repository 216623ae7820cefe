//! Sections as text.

use super::{Part, Section};

/// How many characters a line holds.
const LINE: usize = 200;

/// The whole as text, no line longer than 200 characters.
pub(super) fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        push(&mut text, &format!("{}:", title(section.part)));
        for line in &section.lines {
            match section.part {
                Part::Edited | Part::Read | Part::Commands => push(&mut text, line),
                _ => push(&mut text, &format!("- {line}")),
            }
        }
    }
    text
}

/// Adds a line, in several where it is too long.
fn push(text: &mut String, line: &str) {
    let mut rest = line;
    loop {
        if !text.is_empty() {
            text.push('\n');
        }
        let past = if LINE < rest.len() { rest.char_indices().nth(LINE) } else { None };
        let Some((end, _)) = past else {
            text.push_str(rest);
            return;
        };
        let end = rest[..end].rfind(' ').filter(|at| 0 < *at).unwrap_or(end);
        text.push_str(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Now => "Now",
        Part::Next => "Next",
        Part::Decided => "Decided and why",
        Part::Found => "Found",
        Part::Failed => "Failed",
        Part::Rules => "The user said",
        Part::Done => "Done",
        Part::Edited => "Edited",
        Part::Read => "Read",
        Part::Commands => "Commands",
    }
}
