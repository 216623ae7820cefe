//! The lines of a source, whole or from its ends, each in bounded memory and twice if need be.

use std::io::{self, BufRead, Seek, SeekFrom};
use std::ops::Range;

use super::{Coverage, Span};

/// The longest line that is read, in bytes; a longer one is counted.
pub const LINE_MAX: usize = 8 * 1024 * 1024;

/// One line, without its line break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line with its line break.
    Ended(&'a [u8]),
    /// What stands behind the last line break.
    Unended(&'a [u8]),
    /// A line longer than [`LINE_MAX`].
    Long,
}

/// Goes through the lines of the spans of a source.
#[derive(Debug)]
pub(crate) struct Lines<'s, S> {
    source: &'s mut S,
    size: u64,
    spans: Vec<Range<u64>>,
    /// The span after the one that is read.
    next_span: usize,
    at: u64,
    end: u64,
    buffer: Vec<u8>,
}

impl<'s, S: BufRead + Seek> Lines<'s, S> {
    /// Takes `source` as long as it is now.
    pub(crate) fn new(source: &'s mut S, span: Span) -> io::Result<Self> {
        let size = source.seek(SeekFrom::End(0))?;
        let mut spans = Vec::with_capacity(2);
        match span {
            Span::Ends { head, tail } if head.saturating_add(tail) < size => {
                spans.extend([0..head, size - tail..size]);
            }
            Span::Whole | Span::Ends { .. } => spans.push(0..size),
        }
        let buffer = Vec::new();
        Ok(Self { source, size, spans, next_span: 0, at: 0, end: 0, buffer })
    }

    /// Goes back to the first line.
    pub(crate) fn rewind(&mut self) {
        (self.next_span, self.at, self.end) = (0, 0, 0);
    }

    /// How much lies within the spans, and whether the source is longer by now.
    pub(crate) fn coverage(&mut self) -> io::Result<(Coverage, bool)> {
        let read = self.spans.iter().map(|span| span.end - span.start).sum();
        let is_growing = self.size < self.source.seek(SeekFrom::End(0))?;
        Ok((Coverage { size: self.size, read }, is_growing))
    }

    /// The next line; none behind the last one.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if self.at == self.end && !self.enter()? {
                return Ok(None);
            }
            let (is_ended, is_long) = self.fill()?;
            let is_cut = !is_ended && self.end < self.size;
            if is_cut || (!is_ended && self.buffer.is_empty()) {
                continue;
            }
            return Ok(Some(match (is_long, is_ended) {
                (true, _) => Line::Long,
                (false, true) => Line::Ended(&self.buffer),
                (false, false) => Line::Unended(&self.buffer),
            }));
        }
    }

    /// Goes to the first whole line of the next span.
    fn enter(&mut self) -> io::Result<bool> {
        let Some(span) = self.spans.get(self.next_span).cloned() else { return Ok(false) };
        self.next_span += 1;
        self.at = span.start.saturating_sub(1);
        self.end = span.end;
        self.source.seek(SeekFrom::Start(self.at))?;
        if span.start > 0 {
            self.fill()?;
        }
        Ok(self.at < self.end || self.next_span < self.spans.len())
    }

    /// Reads up to the next line break: whether there was one, and whether the line is too long.
    fn fill(&mut self) -> io::Result<(bool, bool)> {
        self.buffer.clear();
        let mut is_long = false;
        while self.at < self.end {
            let bytes = self.source.fill_buf()?;
            if bytes.is_empty() {
                self.at = self.end;
                break;
            }
            let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
            let bytes = &bytes[..bytes.len().min(left)];
            let newline = memchr::memchr(b'\n', bytes);
            let line = &bytes[..newline.unwrap_or(bytes.len())];
            is_long |= LINE_MAX - self.buffer.len() < line.len();
            if !is_long {
                self.buffer.extend_from_slice(line);
            }
            let n_read = newline.map_or(bytes.len(), |at| at + 1);
            self.source.consume(n_read);
            self.at += n_read as u64;
            if newline.is_some() {
                return Ok((true, is_long));
            }
        }
        Ok((false, is_long))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn lines(text: &[u8], span: Span) -> Vec<String> {
        let mut source = Cursor::new(text);
        let mut lines = Lines::new(&mut source, span).expect("a cursor");
        let mut all = Vec::new();
        for _ in 0..2 {
            all.clear();
            lines.rewind();
            while let Some(line) = lines.next().expect("a cursor") {
                all.push(match line {
                    Line::Ended(line) => String::from_utf8_lossy(line).into_owned(),
                    Line::Unended(line) => format!("{}…", String::from_utf8_lossy(line)),
                    Line::Long => "long".to_owned(),
                });
            }
        }
        all
    }

    #[test]
    fn every_line_comes_once() {
        assert_eq!(lines(b"", Span::Whole), [""; 0]);
        assert_eq!(lines(b"a\n\nb", Span::Whole), ["a", "", "b…"]);
        assert_eq!(lines(b"a\nb\n", Span::Whole), ["a", "b"]);
        let long = [vec![b'x'; LINE_MAX + 1], b"\ny\n".to_vec(), vec![b'x'; LINE_MAX]].concat();
        let read = lines(&long, Span::Whole);
        assert_eq!(
            (read[0].as_str(), read[1].as_str(), read[2].len()),
            ("long", "y", LINE_MAX + 3)
        );
    }

    #[test]
    fn ends_are_cut_to_whole_lines() {
        let text = b"aa\nbb\ncc\ndd\nee";
        let ends = |head, tail| lines(text, Span::Ends { head, tail });
        assert_eq!(ends(4, 4), ["aa", "ee…"]);
        assert_eq!(ends(6, 5), ["aa", "bb", "dd", "ee…"].map(str::to_owned)[..].to_vec());
        assert_eq!(ends(1, 1), [""; 0]);
        assert_eq!(ends(9, 9), ["aa", "bb", "cc", "dd", "ee…"]);
    }
}
