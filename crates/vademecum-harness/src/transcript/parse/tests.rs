//! The parser reads what `serde_json` reads, and refuses what that refuses; but for escapes in what is passed over.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::*;
use crate::transcript::{Maybe, Str};

type List = Vec<Maybe<IgnoredAny>>;
type Pairs<'a> = Vec<(Option<Str<'a>>, Option<&'a RawValue>)>;

#[track_caller]
fn check(json: &str) {
    let value = |json| parse::<Value>(json).ok();
    assert_eq!(value(json), serde_json::from_str(json).ok(), "{json:?}");
    same(json, |json| parse::<&RawValue>(json).ok(), |json| serde_json::from_str(json).ok());
    same(json, |json| parse::<List>(json).ok(), |json| serde_json::from_str(json).ok());
    same(json, |json| parse::<Pairs<'_>>(json).ok(), |json| serde_json::from_str(json).ok());
}

#[track_caller]
fn same<'a, T: std::fmt::Debug>(
    json: &'a str,
    ours: impl Fn(&'a str) -> Option<T>,
    theirs: impl Fn(&'a str) -> Option<T>,
) {
    let (ours, theirs) = (ours(json), theirs(json));
    if theirs.is_some() || !json.contains('\\') {
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{json:?}");
    }
}

#[test]
fn reads_and_refuses_what_serde_json_does() {
    for json in [
        "",
        " ",
        "null",
        "nul",
        "[1, -2, 0.5, 1e3, 1E+2, -0]",
        "[01]",
        "[1.]",
        "[-]",
        "[1e]",
        "[1e999]",
        "[18446744073709551616, -9223372036854775809]",
        "[]",
        "[ ]",
        "[,]",
        "[1,]",
        "[1 2]",
        "[1",
        "[1}",
        "{}",
        "{\"a\": [true, false, null], \"b\" : {\"c\":\"d\"} }",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "{a:1}",
        "{,}",
        "{\"a\":1",
        "1 2",
        "\u{b}1",
        "\r\n\t1 ",
        "[[\"a\", {\"b\":[]}], [null, null]]",
    ] {
        check(json);
    }
}

#[test]
fn strings_are_those_of_serde_json() {
    for inside in [
        "",
        "seventeen bytes..",
        "fifteen bytes.\\",
        "\\\"\\\\\\/\\b\\f\\n\\r\\t",
        "\\x",
        "\\u00e9 \\ud83d\\ude00",
        "\\ud83d",
        "\\ude00",
        "\\u12",
        "\\u12g4",
        "a tab\t",
        "a bell\u{7}",
        "漢字, longer than two words\\n漢",
    ] {
        check(&format!("\"{inside}\""));
        check(&format!("[[\"{inside}\",\"{inside}\"]]"));
        check(&format!("{{\"{inside}\":\"{inside}\"}}"));
        check(&format!("\"{inside}"));
    }
}

#[test]
fn the_depth_is_limited_where_values_are_kept() {
    for depth in [126, 127, 128, 129, 5_000] {
        check(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        check(&format!("{}1{}", "{\"a\":[".repeat(depth), "]}".repeat(depth)));
        check(&format!("{}1{}", "{\"a\":[".repeat(depth), "}]".repeat(depth)));
    }
}

proptest! {
    #[test]
    fn any_text_is_taken_alike(parts in proptest::collection::vec(
        prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "u", "00e9", "ud800", "\\udc00", "a", "null", "true",
            "1", "-", ".5", "e7", " ", "\n", "\u{1}", "é", "a word and another", "\"k\":", "\"v\",",
        ]),
        0..24,
    )) {
        check(&parts.concat());
    }
}
