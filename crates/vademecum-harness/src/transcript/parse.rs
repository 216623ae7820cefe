//! JSON for serde as `serde_json` reads it, with wide steps through long strings; it allocates nothing that is not kept.

use std::borrow::Cow;

use serde::de::value::{BorrowedStrDeserializer, CowStrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Number, Result};

/// By which name `serde_json` asks for a value as it stands.
const RAW: &str = "$serde_json::private::RawValue";

/// How deep values may lie in each other, as for `serde_json`; what is passed over has no limit.
const DEPTH: u8 = 128;

/// Reads the one value that `json` is.
pub(crate) fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T> {
    let mut parser = Parser::new(json);
    let value = T::deserialize(&mut parser)?;
    parser.blanks();
    if parser.at < json.len() { Err(wrong("trailing characters")) } else { Ok(value) }
}

/// Reads values from the beginning of a text.
pub(crate) struct Parser<'a> {
    json: &'a str,
    at: usize,
    depth: u8,
    /// Whether any control character stands in the text: none may in a string.
    has_controls: bool,
    /// Whether there are escapes in the string that was passed last.
    has_escapes: bool,
}

/// The brackets that are open, the first of them without an allocation.
#[derive(Default)]
struct Open {
    /// The last one lowest; 1 for a brace.
    bits: u64,
    len: usize,
    before: Vec<u64>,
}

impl Open {
    fn push(&mut self, opener: u8) {
        if self.len == 64 {
            self.before.push(self.bits);
            self.len = 0;
        }
        self.bits = self.bits << 1 | u64::from(opener == b'{');
        self.len += 1;
    }

    fn last(&self) -> Option<u8> {
        let opener = if self.bits & 1 == 1 { b'{' } else { b'[' };
        (0 < self.len).then_some(opener)
    }

    fn pop(&mut self) {
        self.bits >>= 1;
        self.len -= 1;
        if self.len == 0
            && let Some(before) = self.before.pop()
        {
            (self.bits, self.len) = (before, 64);
        }
    }
}

/// What stands between two quotation marks.
struct Quoted<'a> {
    inside: &'a str,
    has_escapes: bool,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(json: &'a str) -> Self {
        // No early end: so the whole is compared in wide steps.
        let controls = json.as_bytes().iter().fold(0, |any, byte| any | u8::from(*byte < b' '));
        Self { json, at: 0, depth: DEPTH, has_controls: controls != 0, has_escapes: false }
    }

    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// The first byte of what stands behind blanks.
    #[inline]
    fn next(&mut self) -> Result<u8> {
        self.blanks();
        self.peek().ok_or_else(|| wrong("the text ends within a value"))
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.next()? != byte {
            return Err(wrong("an unexpected character"));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<()> {
        if !self.json.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(wrong("an unknown word"));
        }
        self.at += word.len();
        Ok(())
    }

    /// Takes the string whose first quotation mark is next; its escapes are not looked at.
    #[inline]
    fn string(&mut self) -> Result<Quoted<'a>> {
        let start = self.at + 1;
        if !self.pass_string() {
            return Err(wrong("a string without an end, or with a control character"));
        }
        Ok(Quoted { inside: &self.json[start..self.at - 1], has_escapes: self.has_escapes })
    }

    /// Goes behind the string whose first quotation mark is next; whether it is one.
    fn pass_string(&mut self) -> bool {
        let start = self.at + 1;
        let bytes = self.json.as_bytes();
        let Some(mut at) = special(bytes, start) else { return false };
        self.has_escapes = bytes[at] == b'\\';
        if self.has_escapes {
            let Some(end) = end(bytes, start, at) else { return false };
            at = end;
        }
        self.at = at + 1;
        !self.has_controls || bytes[start..at].iter().all(|byte| b' ' <= *byte)
    }

    /// Takes the number that is next, as text.
    fn number(&mut self) -> Result<&'a str> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(&self.json[start..self.at])
    }

    fn digits(&mut self) -> Result<()> {
        let rest = &self.json.as_bytes()[self.at..];
        let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += n_digits;
        if n_digits == 0 { Err(wrong("an invalid number")) } else { Ok(()) }
    }

    /// Passes over the value that is next; only the escapes in it are not checked.
    fn skip(&mut self) -> Result<&'a str> {
        self.next()?;
        let start = self.at;
        let mut open = Open::default();
        loop {
            let byte = self.next()?;
            if matches!(byte, b'{' | b'[') {
                self.at += 1;
                open.push(byte);
                if self.next()? != closer(byte) {
                    self.skip_key(byte)?;
                    continue;
                }
            } else {
                self.skip_simple(byte)?;
            }
            if !self.skip_ends(&mut open)? {
                return Ok(&self.json[start..self.at]);
            }
        }
    }

    fn skip_simple(&mut self, byte: u8) -> Result<()> {
        match byte {
            b'"' => self.string().map(drop),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            b'-' | b'0'..=b'9' => self.number().map(drop),
            b'{' | b'[' => Ok(()),
            _ => Err(wrong("an unexpected character")),
        }
    }

    fn skip_key(&mut self, opener: u8) -> Result<()> {
        if opener == b'{' {
            self.key_follows()?;
            self.string()?;
            self.expect(b':')?;
        }
        Ok(())
    }

    /// Takes what stands behind a value up to the next one; says whether there is one.
    fn skip_ends(&mut self, open: &mut Open) -> Result<bool> {
        while let Some(opener) = open.last() {
            let byte = self.next()?;
            self.at += 1;
            if byte == b',' {
                self.skip_key(opener)?;
                return Ok(true);
            }
            if byte != closer(opener) {
                return Err(wrong("an unexpected character"));
            }
            open.pop();
        }
        Ok(false)
    }

    fn key_follows(&mut self) -> Result<()> {
        if self.next()? == b'"' { Ok(()) } else { Err(wrong("a key must be a string")) }
    }

    /// Reads what stands between brackets.
    fn inside<T>(
        &mut self,
        opener: u8,
        read: impl FnOnce(Inside<'_, 'a>) -> Result<T>,
    ) -> Result<T> {
        self.depth -= 1;
        if self.depth == 0 {
            return Err(wrong("values too deep in each other"));
        }
        self.at += 1;
        let value = read(Inside { parser: self, is_first: true, closer: closer(opener) })?;
        self.depth += 1;
        self.expect(closer(opener))?;
        Ok(value)
    }
}

fn closer(opener: u8) -> u8 {
    if opener == b'{' { b'}' } else { b']' }
}

fn wrong(what: &str) -> Error {
    Error::custom(what)
}

/// Where the string ends that began at `start` and has its first backslash at `at`.
fn end(bytes: &[u8], start: usize, mut at: usize) -> Option<usize> {
    loop {
        at += 1 + memchr::memchr(b'"', bytes.get(at + 1..)?)?;
        if !is_escaped(&bytes[start..at]) {
            return Some(at);
        }
    }
}

/// Where the next quotation mark or backslash stands.
#[inline]
fn special(bytes: &[u8], mut at: usize) -> Option<usize> {
    // Keys and ids end within these words; a search would take longer to begin.
    for _ in 0..2 {
        let Some((word, _)) = bytes.get(at..)?.split_first_chunk() else { break };
        let word = u64::from_le_bytes(*word);
        let found = (has(word, b'"') | has(word, b'\\')).trailing_zeros() / 8;
        if found < 8 {
            return Some(at + found as usize);
        }
        at += 8;
    }
    let found = memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
    Some(at + found)
}

/// The high bit of the first byte of `word` that is `byte`; bits before it are never set.
fn has(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let zeroed = word ^ (ONES * u64::from(byte));
    zeroed.wrapping_sub(ONES) & !zeroed & (ONES << 7)
}

/// Whether what follows `text` is escaped by a backslash at its end.
fn is_escaped(text: &[u8]) -> bool {
    let n_slashes = text.iter().rev().take_while(|byte| **byte == b'\\').count();
    !n_slashes.is_multiple_of(2)
}

/// The character that a backslash and `mark` stand for; none if it is one by number, or none.
fn unescaped(mark: u8) -> Option<char> {
    Some(match mark {
        b'"' | b'\\' | b'/' => char::from(mark),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

impl<'a> Quoted<'a> {
    #[inline]
    fn text(&self) -> Result<Cow<'a, str>> {
        if self.has_escapes {
            self.unescaped().map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(self.inside))
        }
    }

    fn unescaped(&self) -> Result<String> {
        let mut text = String::with_capacity(self.inside.len());
        let mut rest = self.inside;
        while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
            let Some(c) = rest.as_bytes().get(at + 1).and_then(|mark| unescaped(*mark)) else {
                return serde_json::from_str(&format!("\"{}\"", self.inside));
            };
            text.push_str(&rest[..at]);
            text.push(c);
            rest = &rest[at + 2..];
        }
        text.push_str(rest);
        Ok(text)
    }

    fn visit<V: Visitor<'a>>(&self, visitor: V) -> Result<V::Value> {
        match self.text()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }
}

impl<'de> Deserializer<'de> for &mut Parser<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.next()? {
            b'"' => self.string()?.visit(visitor),
            b'{' => self.inside(b'{', |inside| visitor.visit_map(inside)),
            b'[' => self.inside(b'[', |inside| visitor.visit_seq(inside)),
            b't' => self.word("true").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.word("false").and_then(|()| visitor.visit_bool(false)),
            b'n' => self.word("null").and_then(|()| visitor.visit_unit()),
            b'-' | b'0'..=b'9' => {
                let number: Number = serde_json::from_str(self.number()?)?;
                number.deserialize_any(visitor)
            }
            _ => Err(wrong("an unexpected character")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.next()? == b'n' {
            self.word("null")?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == RAW {
            return visitor.visit_map(AsItStands { json: Some(self.skip()?) });
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier
    }
}

/// What stands between brackets.
struct Inside<'p, 'a> {
    parser: &'p mut Parser<'a>,
    is_first: bool,
    closer: u8,
}

impl Inside<'_, '_> {
    /// Goes to the next element; says whether there is one.
    fn goes_on(&mut self) -> Result<bool> {
        let byte = self.parser.next()?;
        if byte == self.closer {
            return Ok(false);
        }
        if std::mem::take(&mut self.is_first) {
            return Ok(true);
        }
        self.parser.at += 1;
        if byte == b',' { Ok(true) } else { Err(wrong("an unexpected character")) }
    }
}

impl<'a> SeqAccess<'a> for Inside<'_, 'a> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.goes_on()? { seed.deserialize(&mut *self.parser).map(Some) } else { Ok(None) }
    }
}

impl<'a> MapAccess<'a> for Inside<'_, 'a> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.goes_on()? {
            return Ok(None);
        }
        self.parser.key_follows()?;
        match self.parser.string()?.text()? {
            Cow::Borrowed(key) => seed.deserialize(BorrowedStrDeserializer::new(key)),
            key @ Cow::Owned(_) => seed.deserialize(CowStrDeserializer::new(key)),
        }
        .map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value> {
        self.parser.expect(b':')?;
        seed.deserialize(&mut *self.parser)
    }
}

/// A value as it stands, in the form in which `serde_json` takes it.
struct AsItStands<'a> {
    json: Option<&'a str>,
}

impl<'a> MapAccess<'a> for AsItStands<'a> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.json {
            Some(_) => seed.deserialize(BorrowedStrDeserializer::new(RAW)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value> {
        seed.deserialize(BorrowedStrDeserializer::new(self.json.take().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests;
