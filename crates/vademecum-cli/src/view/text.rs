//! Texts as a screen takes them: nothing that a terminal would obey, broken and cut by the width of characters.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use vademecum::core::frame;

/// The most bytes of a text that a screen holds; a page may be far longer than anybody reads here.
const MOST: usize = 1 << 20;

/// A text without what a terminal would obey, tabs as blanks.
pub(super) fn clean(text: &str) -> String {
    let cut = &text[..text.floor_char_boundary(MOST)];
    let mut clean =
        frame::visible(cut).replace("\r\n", "\n").replace('\r', "\\r").replace('\t', "    ");
    if cut.len() < text.len() {
        let more = text.len() - cut.len();
        clean = format!("{clean}\n… {more} bytes more: vade notepad show has them");
    }
    clean
}

/// The first words of a text on one line.
pub(super) fn line(text: &str) -> String {
    // More than any screen is wide.
    frame::line(text, 400)
}

/// The lines of a text, none wider than `width`, broken between words where that is possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        wrap_line(line, width, &mut lines);
    }
    lines
}

fn wrap_line(line: &str, width: usize, lines: &mut Vec<String>) {
    // Where the line begins, where its last blank is, and how wide it is so far.
    let (mut begin, mut blank, mut used) = (0, None, 0);
    for (at, c) in line.char_indices() {
        if c == ' ' {
            blank = Some(at);
        }
        let wide = c.width().unwrap_or(0);
        if width < used + wide {
            let end = blank.filter(|blank| begin < *blank).unwrap_or(at);
            lines.push(line[begin..end].to_owned());
            // The blank at which it was broken is on no line.
            begin = if line[end..].starts_with(' ') { end + 1 } else { end };
            (blank, used) = (None, line[begin.min(at)..at].width());
            if at < begin {
                continue;
            }
        }
        used += wide;
    }
    lines.push(line[begin..].to_owned());
}

/// A text at exactly this width: cut with `…`, or filled with blanks.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let wide = text.width();
    if wide <= width {
        return format!("{text}{}", " ".repeat(width - wide));
    }
    let (mut cut, mut used) = (String::new(), 1);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if width < used + wide {
            break;
        }
        used += wide;
        cut.push(c);
    }
    if 0 < width {
        cut.push('…');
    }
    format!("{cut}{}", " ".repeat(width.saturating_sub(used)))
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_screen() {
        for (text, width, expected) in [
            ("one two three", 7, vec!["one two", "three"]),
            ("one two three", 8, vec!["one two", "three"]),
            ("unbreakable", 4, vec!["unbr", "eaka", "ble"]),
            ("漢字漢字", 5, vec!["漢字", "漢字"]),
            ("a\n\nb", 9, vec!["a", "", "b"]),
            ("", 9, vec![""]),
        ] {
            assert_eq!(wrapped(text, width), expected, "{text:?} at {width}");
            assert!(wrapped(text, width).iter().all(|line| line.width() <= width));
        }
    }

    #[test]
    fn a_cell_has_its_width_whatever_it_says() {
        for (text, width, expected) in
            [("abc", 5, "abc  "), ("abcdef", 4, "abc…"), ("漢字漢", 4, "漢… "), ("x", 0, "")]
        {
            assert_eq!(fitted(text, width), expected);
        }
    }

    #[test]
    fn nothing_is_left_that_a_terminal_would_obey() {
        let hostile = "a\u{1b}]52;c;aGk=\u{7}\u{9b}31m\u{202e}\r\n\tb\rc";
        let clean = clean(hostile);
        assert!(clean.chars().all(|c| !c.is_control() || c == '\n'), "{clean:?}");
        assert!(clean.contains("\\u{1b}") && !clean.contains('\u{202e}'), "{clean:?}");
    }
}
