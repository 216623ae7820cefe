//! The command `vade call`: any operation by its name, in JSON and in XML.

use super::home::Home;

#[test]
fn a_call_is_json_given_or_read() {
    let home = Home::new();
    let json = r#"{"content": "text", "tags": ["a"]}"#;
    assert_eq!(home.json(&["call", "add_note", json])["content"], "text");
    for words in [&["call", "add_note"][..], &["call", "add_note", "-"]] {
        let said = home.vade_reading(json, words);
        let added = "added note_ID (this session only; ";
        assert!(home.steady(&said.out).starts_with(added), "{}", said.err);
    }
    assert_eq!(home.json(&["call", "list_notes"])["total"], 3);
    assert_eq!(home.json(&["call", "list_notes", "{}"])["total"], 3);
}

#[test]
fn a_call_is_xml_given_or_read() {
    let home = Home::new();
    let xml = "<tool>\n<tool_name>add_note</tool_name>\n<arguments>\n<content>a &lt; b</content>\n\
               <tags>\n<tag>location</tag>\n<tag>auth</tag>\n</tags>\n</arguments>\n</tool>\n";
    assert_eq!(home.json(&["call", "--xml", xml])["content"], "a < b");
    assert_eq!(home.vade_reading(xml, &["call", "--xml"]).code, 0);
    let list = "<tool><tool_name>list_notes</tool_name><arguments><tags><tag>auth</tag></tags></arguments></tool>";
    assert_eq!(home.json(&["call", "--xml", list])["notes"].as_array().map(Vec::len), Some(2));
    assert_eq!(home.error(&["call", "--xml", "{}"]), "usage: no XML: a call begins with <tool>");
}

#[test]
fn what_is_no_call_is_refused() {
    let home = Home::new();
    for (words, error) in [
        (&["call", "nothing"][..], "missing: unknown operation \"nothing\""),
        (
            &["call", "add_note", "{"],
            "usage: arguments are no JSON: EOF while parsing an object at line 1 column 1",
        ),
        (&["call", "add_note", "[]"], "usage: arguments are a JSON object, something else given"),
        (
            &["call", "read_notepad", r#"{"x": 1}"#],
            "usage: read_notepad: unknown field `x`, there are no fields",
        ),
        (
            &["call", "--xml", "<tool/>", "x"],
            "usage: \"x\" is one word too many: --xml takes the call alone",
        ),
    ] {
        assert_eq!(home.error(words), error);
    }
}
