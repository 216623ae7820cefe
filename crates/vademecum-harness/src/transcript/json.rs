//! JSON as harnesses write it on a bad day: odd types, lone surrogates, NUL and broken UTF-8.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor, value};
use serde_json::value::RawValue;

use super::parse::{Parser, parse};

/// JSON as it stands.
pub(crate) type Raw<'a> = Option<&'a RawValue>;

/// One line as text.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    /// The text, without blanks and NUL bytes around it.
    pub(crate) text: Cow<'a, str>,
    /// Whether there were NUL bytes.
    pub(crate) has_nul: bool,
    /// Whether something was replaced that no text can hold.
    pub(crate) is_changed: bool,
}

/// Makes text of a line.
pub(crate) fn decode(line: &[u8]) -> Decoded<'_> {
    let has_nul = memchr::memchr(0, line).is_some();
    let text = undecoded(line);
    let is_lossy = matches!(text, Cow::Owned(_));
    match without_lone_surrogates(&text) {
        Some(text) => Decoded { text: text.into(), has_nul, is_changed: true },
        None => Decoded { text, has_nul, is_changed: is_lossy },
    }
}

/// The same as text alone; surrogates are left as they are.
pub(crate) fn undecoded(line: &[u8]) -> Cow<'_, str> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = line.iter().position(|byte| !is_blank(byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|byte| !is_blank(byte)).map_or(start, |at| at + 1);
    let line = &line[start..end];
    // The lossy way looks at each byte; nearly every line can do without.
    std::str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed)
}

/// `text` with blanks for control characters; none if it has none.
pub(crate) fn without_controls(text: &str) -> Option<String> {
    let is_control = |c: char| c < ' ';
    text.contains(is_control).then(|| text.replace(is_control, " "))
}

/// `json` with U+FFFD for every escaped surrogate that has no partner; none if it has none.
#[must_use]
pub fn without_lone_surrogates(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    if !has_units(bytes) {
        return None;
    }
    let mut fixed = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let escape = at + found;
        at = escape + 2;
        if bytes.get(escape + 1) != Some(&b'u') {
            continue;
        }
        match (unit(bytes, escape), unit(bytes, escape + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at = escape + 12,
            (Some(0xD800..=0xDFFF), _) => {
                fixed.push_str(&json[kept..escape]);
                fixed.push_str("\\ufffd");
                kept = escape + 6;
                at = kept;
            }
            _ => {}
        }
    }
    (kept > 0).then(|| fixed + &json[kept..])
}

/// Whether there may be an escape by number; compared in wide steps, for few lines have one.
fn has_units(bytes: &[u8]) -> bool {
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let is_one = |first: u8, second: u8| u8::from(first == b'\\') & u8::from(second == b'u');
    pairs.fold(0, |any, (first, second)| any | is_one(*first, *second)) != 0
}

/// The unit that is escaped as `\uXXXX` at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

/// A text, borrowed where it can be; numbers as they are written, anything else is empty.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Str<'a>(pub(crate) Cow<'a, str>);

impl Str<'_> {
    /// The text, none if it is empty.
    pub(crate) fn said(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(self.0.as_ref())
    }
}

impl std::ops::Deref for Str<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Lenient).map(|any| match any {
            Any::Text(text) => Str(text),
            Any::Flag(_) | Any::Other => Str::default(),
        })
    }
}

/// Yes or no; anything else is no.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flag(pub(crate) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Lenient).map(|any| match any {
            Any::Flag(flag) => Flag(flag),
            Any::Text(_) | Any::Other => Flag(false),
        })
    }
}

enum Any<'de> {
    Text(Cow<'de, str>),
    Flag(bool),
    Other,
}

/// Takes whatever stands there.
struct Lenient;

impl<'de> Visitor<'de> for Lenient {
    type Value = Any<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Any<'de>, E> {
        Ok(Any::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Any<'de>, E> {
        Ok(Any::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Any<'de>, E> {
        Ok(Any::Text(Cow::Owned(text)))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Any<'de>, E> {
        Ok(Any::Flag(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Any<'de>, E> {
        Ok(Any::Text(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Any<'de>, E> {
        Ok(Any::Text(Cow::Owned(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Any<'de>, E> {
        Ok(Any::Text(Cow::Owned(number.to_string())))
    }

    fn visit_unit<E>(self) -> Result<Any<'de>, E> {
        Ok(Any::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Any<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Any::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Any::Other)
    }
}

/// An object; none for anything else.
#[derive(Debug, Clone)]
pub(crate) struct Maybe<T>(pub(crate) Option<T>);

impl<T> Default for Maybe<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Maybe<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Object(std::marker::PhantomData))
    }
}

struct Object<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
    type Value = Maybe<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Maybe<T>, A::Error> {
        T::deserialize(value::MapAccessDeserializer::new(map)).map(|object| Maybe(Some(object)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Maybe<T>, A::Error> {
        Lenient.visit_seq(seq).map(|_| Maybe(None))
    }

    fn visit_str<E>(self, _: &str) -> Result<Maybe<T>, E> {
        Ok(Maybe(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Maybe<T>, E> {
        Ok(Maybe(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Maybe<T>, E> {
        Ok(Maybe(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Maybe<T>, E> {
        Ok(Maybe(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Maybe<T>, E> {
        Ok(Maybe(None))
    }

    fn visit_unit<E>(self) -> Result<Maybe<T>, E> {
        Ok(Maybe(None))
    }
}

/// Under which keys the texts of a message or result stand.
const TEXTS: [&str; 4] = ["text", "content", "output", "message"];

/// The text of a message or result: a string, a list of parts, or an object that holds either.
pub(crate) fn joined(raw: Raw<'_>) -> String {
    let mut texts = Texts::default();
    if let Some(raw) = raw {
        texts.read(raw, &TEXTS);
    }
    texts.text
}

/// What [`joined`] says of a value, where it is wanted in any case.
#[derive(Debug, Default)]
pub(crate) struct Joined(pub(crate) String);

impl<'de> Deserialize<'de> for Joined {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = String::new();
        Strings { texts: &mut text, keys: Some(&TEXTS) }.deserialize(deserializer)?;
        Ok(Self(text))
    }
}

/// Every string in `json`, one a line, in the order they stand.
pub(crate) fn strings(json: &str, texts: &mut String) {
    let mut parser = Parser::new(json);
    // A number that no type can hold ends the walk; what stands before it is kept.
    Strings { texts, keys: None }.deserialize(&mut parser).unwrap_or_default();
}

#[derive(Default)]
struct Texts {
    text: String,
}

impl Texts {
    fn read(&mut self, raw: &RawValue, keys: &'static [&'static str]) {
        let mut parser = Parser::new(raw.get());
        let walk = Strings { texts: &mut self.text, keys: Some(keys) };
        walk.deserialize(&mut parser).unwrap_or_default();
    }
}

/// Collects strings: all of them, or those under the first of some keys that an object has.
struct Strings<'t> {
    texts: &'t mut String,
    keys: Option<&'static [&'static str]>,
}

impl Strings<'_> {
    fn again(&mut self) -> Strings<'_> {
        Strings { texts: self.texts, keys: self.keys }
    }
}

impl<'de> DeserializeSeed<'de> for Strings<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strings<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if !self.texts.is_empty() {
            self.texts.push('\n');
        }
        self.texts.push_str(text);
        Ok(())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<(), E> {
        if self.texts.is_empty() {
            *self.texts = text;
            return Ok(());
        }
        self.visit_str(&text)
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(self.again())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Str(key)) = map.next_key()? {
            let is_wanted = self.keys.is_none_or(|keys| keys.contains(&key.as_ref()));
            if is_wanted {
                map.next_value_seed(self.again())?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Whether what a command printed begins with an exit code that is not 0.
pub(crate) fn is_failure(text: &str) -> bool {
    const SIGNS: [&str; 4] = ["xited with code ", "xit code: ", "xit code ", "xit_code\":"];
    let head = &text[..text.floor_char_boundary(600)];
    // Only a script of Codex prints it as a field.
    let fits = |sign: &str| !sign.contains('_') || head.contains("{\"chunk_id\"");
    let told = memmem::find_iter(head.as_bytes(), b"xit").find_map(|at| {
        let rest = &head[at..];
        SIGNS
            .iter()
            .find_map(|sign| rest.strip_prefix(sign).filter(|_| fits(sign)))
            .filter(|_| head[..at].ends_with(['e', 'E']))
    });
    told.is_some_and(|code| {
        let code = code.trim_start_matches('-');
        let digits = code.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && code[..digits].bytes().any(|digit| digit != b'0')
    })
}

/// The JSON that stands in a string of a record, or the JSON itself where it does not.
pub(crate) fn inner_json(raw: Raw<'_>) -> String {
    let json = raw.map_or("{}", RawValue::get);
    let inner = parse(json).unwrap_or_else(|_| json.to_owned());
    without_lone_surrogates(&inner).unwrap_or(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &[u8], text: &str, has_nul: bool, is_changed: bool) {
        let decoded = decode(line);
        assert_eq!(
            (decoded.text.as_ref(), decoded.has_nul, decoded.is_changed),
            (text, has_nul, is_changed)
        );
    }

    #[test]
    fn lines_become_text() {
        check(b" {\"a\":1}\r", "{\"a\":1}", false, false);
        check(b"\0\0{}\0", "{}", true, false);
        check(b"\0\0", "", true, false);
        check(b"\"\xff\"", "\"\u{fffd}\"", false, true);
        check(
            br#""\ud83d\ude00 \\ud800 \ud800x\uDC00\ud800""#,
            r#""\ud83d\ude00 \\ud800 \ufffdx\ufffd\ufffd""#,
            false,
            true,
        );
        check(br#""\ud83d\ude00 \u00e9""#, r#""\ud83d\ude00 \u00e9""#, false, false);
        check(b"\"\\ud8", "\"\\ud8", false, false);
    }

    #[test]
    fn odd_types_are_taken_for_nothing() {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Odd<'a> {
            #[serde(borrow)]
            text: Str<'a>,
            flag: Flag,
            #[serde(borrow)]
            inner: Maybe<Inner<'a>>,
        }
        #[derive(Deserialize)]
        struct Inner<'a> {
            #[serde(borrow)]
            text: Str<'a>,
        }
        for (json, text, flag, inner) in [
            (r#"{"text":"a","flag":true,"inner":{"text":"\n"}}"#, "a", true, Some("\n")),
            (r#"{"text":7,"flag":"true","inner":[{"text":1}]}"#, "7", false, None),
            (r#"{"text":{"a":[1]},"flag":null,"inner":"x"}"#, "", false, None),
        ] {
            let odd: Odd<'_> = serde_json::from_str(json).expect("lenient");
            let found = odd.inner.0.as_ref().map(|inner| inner.text.as_ref());
            assert_eq!((odd.text.as_ref(), odd.flag.0, found), (text, flag, inner));
        }
    }

    #[test]
    fn strings_come_in_their_order() {
        let mut texts = String::new();
        strings(r#"{"b":"1","a":[{"c":"2"},true,3,"4"]}"#, &mut texts);
        assert_eq!(texts, "1\n2\n4");
        let raw = |json: &str| RawValue::from_string(json.to_owned()).expect("JSON");
        let content =
            raw(r#"[{"type":"text","text":"a"},{"type":"image","source":{"data":"x"}},"b"]"#);
        assert_eq!(joined(Some(&content)), "a\nb");
        assert_eq!(joined(Some(&raw(r#"{"content":"a","kind":"b"}"#))), "a");
        assert_eq!(joined(None), "");
    }

    #[test]
    fn exit_codes_tell_failures() {
        for (text, expected) in [
            ("Exit code 1\nno such file", true),
            ("Exit code: 0\nOutput", false),
            ("Chunk ID: 1\nProcess exited with code 101\n", true),
            ("<exited with exit code 0>", false),
            ("exit code x", false),
            (
                "Script completed\nOutput:\n{\"chunk_id\":\"a\",\"exit_code\":101,\"output\":\"x\"}",
                true,
            ),
            ("{\"exit_code\":101}", false),
            ("fine", false),
        ] {
            assert_eq!(is_failure(text), expected, "{text}");
        }
    }
}
