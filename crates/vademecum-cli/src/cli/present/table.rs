//! Rows in columns of one width each; the last column is broken at the edge of the terminal.

use std::fmt::Write;

use crate::cli::print::Paint;

/// A last column is never narrower, in columns of the terminal.
const NARROWEST: usize = 24;

/// What stands between two columns.
const GAP: &str = "  ";

/// One field of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    /// By what the row is called.
    Name(String),
    /// A word or two.
    Plain(String),
    /// What matters less.
    Faint(String),
    /// A number, which stands at the right.
    Number(String),
    /// Lines of text.
    Text(String),
}

/// Headers and rows, each with as many cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// What stands above each column.
    pub(super) heads: Vec<String>,
    /// The rows.
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Cell {
    fn text(&self) -> &str {
        let (Self::Name(text) | Self::Plain(text) | Self::Faint(text)) = self else {
            let (Self::Number(text) | Self::Text(text)) = self else { return "" };
            return text;
        };
        text
    }

    /// The text in `width` columns; the last one of a row is not filled.
    fn laid_out(&self, width: usize, is_last: bool, paint: Paint) -> String {
        let text = self.text();
        let blanks = " ".repeat(width.saturating_sub(columns(text)));
        let painted = match self {
            Self::Name(_) => paint.name(text),
            Self::Faint(_) => paint.faint(text),
            Self::Plain(_) | Self::Number(_) | Self::Text(_) => text.to_owned(),
        };
        match self {
            Self::Number(_) => format!("{blanks}{painted}"),
            _ if is_last => painted,
            Self::Name(_) | Self::Plain(_) | Self::Faint(_) | Self::Text(_) => {
                format!("{painted}{blanks}")
            }
        }
    }
}

impl Table {
    /// The table for a terminal with so many columns; none if that is not known.
    pub(super) fn text(&self, terminal: Option<usize>, paint: Paint) -> String {
        let widths: Vec<usize> = (0..self.heads.len()).map(|at| self.width(at)).collect();
        let last = widths.len().saturating_sub(1);
        let indent: usize = widths[..last].iter().map(|width| width + GAP.len()).sum();
        let room = terminal.map(|terminal| terminal.saturating_sub(indent).max(NARROWEST));
        let mut text = String::new();
        let heads = self.heads.iter().zip(&widths).enumerate().map(|(at, (head, width))| {
            let is_number = self.rows.iter().any(|row| matches!(row[at], Cell::Number(_)));
            let blanks = " ".repeat(width.saturating_sub(columns(head)));
            match (is_number, at == last) {
                (true, _) => format!("{blanks}{}", paint.head(head)),
                (false, true) => paint.head(head),
                (false, false) => format!("{}{blanks}", paint.head(head)),
            }
        });
        writeln!(text, "{}", heads.collect::<Vec<_>>().join(GAP)).expect("memory");
        for row in &self.rows {
            let lines = broken(row.last().map_or("", Cell::text), room);
            let first = Cell::Text(lines.first().cloned().unwrap_or_default());
            let cells = row.iter().enumerate().map(|(at, cell)| match cell {
                Cell::Text(_) if at == last => first.laid_out(0, true, paint),
                cell => cell.laid_out(widths[at], at == last, paint),
            });
            let line = cells.collect::<Vec<_>>().join(GAP);
            writeln!(text, "{}", line.trim_end()).expect("memory");
            if matches!(row.last(), Some(Cell::Text(_))) {
                for line in lines.iter().skip(1) {
                    writeln!(text, "{}{line}", " ".repeat(indent)).expect("memory");
                }
            }
        }
        text
    }

    /// The widest cell of a column.
    fn width(&self, at: usize) -> usize {
        let widths = self.rows.iter().map(|row| match &row[at] {
            Cell::Text(_) => 0,
            cell => columns(cell.text()),
        });
        widths.chain([columns(&self.heads[at])]).max().unwrap_or(0)
    }
}

/// The lines of `text`, those that are longer than `room` broken between words.
fn broken(text: &str, room: Option<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some(room) = room.filter(|room| *room < columns(line)) else {
            lines.push(line.to_owned());
            continue;
        };
        let mut part = String::new();
        for word in line.split_inclusive(' ') {
            if room < columns(&part) + columns(word.trim_end()) && !part.is_empty() {
                lines.push(std::mem::take(&mut part).trim_end().to_owned());
            }
            part.push_str(word);
        }
        lines.push(part.trim_end().to_owned());
    }
    lines
}

/// How many columns of a terminal `text` takes: two for the scripts of East Asia and for pictures.
fn columns(text: &str) -> usize {
    let of = |c: char| match u32::from(c) {
        0x300..=0x36f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff => 2,
        _ => 1,
    };
    text.chars().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_their_heads() {
        let row = |name: &str, n: &str, text: &str| {
            vec![
                Cell::Name(name.to_owned()),
                Cell::Number(n.to_owned()),
                Cell::Text(text.to_owned()),
            ]
        };
        let table = Table {
            heads: ["ID", "COUNT", "TEXT"].map(str::to_owned).to_vec(),
            rows: vec![
                row("note_1", "3", "short"),
                row("漢字", "12", "two\nlines"),
                row("a", "1", "one line that is longer than the terminal has room for"),
            ],
        };
        let wanted = "\
ID      COUNT  TEXT
note_1      3  short
漢字       12  two
               lines
a           1  one line that is longer
               than the terminal has
               room for
";
        assert_eq!(table.text(Some(30), Paint::default()), wanted);
    }
}
