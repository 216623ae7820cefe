//! A session that is one JSON document, read part by part in bounded memory.

use std::io::{BufRead, Read, Seek, SeekFrom};

use super::lines::LINE_MAX;
use super::{Coverage, Out, Report, TranscriptError, json};
use crate::opencode::transcript::Session;

/// Reads `{"info": …, "messages": [{"info": …, "parts": […]}]}`.
pub(super) fn read<S: BufRead + Seek>(
    source: &mut S,
    mut out: Out<'_>,
) -> Result<Report, TranscriptError> {
    let size = source.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(0))?;
    let mut document = Document { bytes: source.by_ref().take(size), session: Session::default() };
    if !document.read(&mut out)? {
        out.skip(|skipped| skipped.torn += 1);
    }
    let is_growing = size < source.seek(SeekFrom::End(0))?;
    Ok(out.finish(Coverage { size, read: size }, is_growing))
}

struct Document<R> {
    bytes: R,
    session: Session,
}

/// One value of a document.
enum Value {
    Text(Vec<u8>),
    /// Longer than [`LINE_MAX`].
    Long,
    /// The document ends within it.
    Torn,
}

impl<R: BufRead> Document<R> {
    /// Reads it all; false if it ends too early or is no such document.
    fn read(&mut self, out: &mut Out<'_>) -> std::io::Result<bool> {
        self.object(&mut |document, key| {
            if key == "messages" {
                return document.array(&mut |document| document.message(out));
            }
            let value = document.value()?;
            if let ("info", Value::Text(text)) = (key, &value) {
                document.session.begin(&json::decode(text).text, out);
            }
            Ok(!matches!(value, Value::Torn))
        })
    }

    fn message(&mut self, out: &mut Out<'_>) -> std::io::Result<bool> {
        let mut info = String::new();
        self.object(&mut |document, key| match key {
            "info" => match document.value()? {
                Value::Text(text) => {
                    info = json::decode(&text).text.into_owned();
                    Ok(true)
                }
                Value::Long => Ok(true),
                Value::Torn => Ok(false),
            },
            "parts" => document.array(&mut |document| document.part(&info, out)),
            _ => Ok(!matches!(document.value()?, Value::Torn)),
        })
    }

    fn part(&mut self, info: &str, out: &mut Out<'_>) -> std::io::Result<bool> {
        match self.value()? {
            Value::Text(part) => {
                let decoded = json::decode(&part);
                self.session.take("", info, &decoded.text, out);
                if decoded.is_changed {
                    out.replaced();
                }
                Ok(true)
            }
            Value::Long => {
                out.skip(|skipped| skipped.too_long += 1);
                Ok(true)
            }
            Value::Torn => Ok(false),
        }
    }

    /// Reads an object, each value by `read`; false where it is broken.
    fn object(
        &mut self,
        read: &mut dyn FnMut(&mut Self, &str) -> std::io::Result<bool>,
    ) -> std::io::Result<bool> {
        if self.next()? != Some(b'{') {
            return Ok(false);
        }
        loop {
            match self.next()? {
                Some(b',') => {}
                Some(b'}') => return Ok(true),
                Some(b'"') => {
                    let Value::Text(key) = self.rest(b'"')? else { return Ok(false) };
                    let key = String::from_utf8_lossy(&key[1..key.len() - 1]).into_owned();
                    if self.next()? != Some(b':') || !read(self, &key)? {
                        return Ok(false);
                    }
                }
                Some(_) | None => return Ok(false),
            }
        }
    }

    /// Reads an array, each value by `read`; false where it is broken.
    fn array(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> std::io::Result<bool>,
    ) -> std::io::Result<bool> {
        if self.next()? != Some(b'[') {
            return Ok(false);
        }
        loop {
            match self.peek()? {
                Some(b',') => drop(self.next()?),
                Some(b']') => return self.next().map(|_| true),
                Some(_) => {
                    if !read(self)? {
                        return Ok(false);
                    }
                }
                None => return Ok(false),
            }
        }
    }

    /// The next byte that is no blank, which stays there.
    fn peek(&mut self) -> std::io::Result<Option<u8>> {
        loop {
            let bytes = self.bytes.fill_buf()?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let found = bytes.get(blank).copied();
            self.bytes.consume(blank);
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    fn next(&mut self) -> std::io::Result<Option<u8>> {
        let byte = self.peek()?;
        if byte.is_some() {
            self.bytes.consume(1);
        }
        Ok(byte)
    }

    /// The next value whole.
    fn value(&mut self) -> std::io::Result<Value> {
        match self.next()? {
            Some(first @ (b'{' | b'[' | b'"')) => self.rest(first),
            Some(first @ (b'-' | b'0'..=b'9' | b'a'..=b'z')) => self.word(first),
            Some(_) | None => Ok(Value::Torn),
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self, first: u8) -> std::io::Result<Value> {
        let mut word = vec![first];
        loop {
            let bytes = self.bytes.fill_buf()?;
            let is_end =
                |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
            match bytes.first() {
                Some(byte) if !is_end(byte) && word.len() < LINE_MAX => word.push(*byte),
                Some(_) => return Ok(Value::Text(word)),
                None => return Ok(Value::Torn),
            }
            self.bytes.consume(1);
        }
    }

    /// What follows the `first` byte of an object, an array or a string, up to its end.
    fn rest(&mut self, first: u8) -> std::io::Result<Value> {
        let mut text = vec![first];
        let mut scan =
            Scan { depth: usize::from(first != b'"'), is_text: first == b'"', is_escaped: false };
        let mut is_long = false;
        loop {
            let bytes = self.bytes.fill_buf()?;
            if bytes.is_empty() {
                return Ok(Value::Torn);
            }
            let end = scan.end(bytes);
            let n_read = end.unwrap_or(bytes.len());
            is_long |= LINE_MAX < text.len() + n_read;
            if is_long {
                text = Vec::new();
            } else {
                text.extend_from_slice(&bytes[..n_read]);
            }
            self.bytes.consume(n_read);
            if end.is_some() {
                return Ok(if is_long { Value::Long } else { Value::Text(text) });
            }
        }
    }
}

/// Where in a value a scan is.
struct Scan {
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl Scan {
    /// How many of `bytes` belong to the value; none if all do and it goes on.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            if self.is_text && !self.is_escaped {
                at += memchr::memchr2(b'"', b'\\', &bytes[at..])?;
            }
            match (self.is_text, bytes[at]) {
                (true, _) if self.is_escaped => self.is_escaped = false,
                (true, b'\\') => self.is_escaped = true,
                (_, b'"') => self.is_text = !self.is_text,
                (false, b'{' | b'[') => self.depth += 1,
                (false, b'}' | b']') => self.depth -= 1,
                (true | false, _) => {}
            }
            at += 1;
            if self.depth == 0 && !self.is_text {
                return Some(at);
            }
        }
        None
    }
}
