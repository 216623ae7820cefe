//! Reads a call in the XML form of the notes' design, strictly: a tool, its name, its arguments.

mod scan;

use serde_json::{Map, Value};
use vademecum::ops::fields::{self, Field, FieldKind};
use vademecum::ops::{Op, OpError, registry};

use scan::{Element, Inside};

/// The operation that `text` calls, and the arguments it gives.
pub(crate) fn call(text: &str) -> Result<(&'static Op, Value), OpError> {
    let tool = scan::element(text)?;
    let parts = tool.only("tool", &["tool_name", "arguments"])?;
    let (Some(name), Some(arguments)) = (parts[0], parts[1]) else {
        return Err(OpError::usage("a tool needs tool_name and arguments"));
    };
    let name = name.text()?.trim();
    let op = registry::find(name)
        .ok_or_else(|| OpError::missing(format!("unknown operation \"{name}\"")))?;
    Ok((op, object(op, arguments)?))
}

fn object(op: &Op, arguments: &Element) -> Result<Value, OpError> {
    let fields = fields::of(op);
    let mut object = Map::new();
    for element in arguments.elements()? {
        let field = fields.iter().find(|field| field.name == element.name);
        if object.insert(element.name.clone(), value(field, element)?).is_some() {
            return Err(OpError::usage(format!("<{}> is given twice", element.name)));
        }
    }
    Ok(Value::Object(object))
}

/// What an element says; a field that the operation does not know is its own to refuse.
fn value(field: Option<&Field>, element: &Element) -> Result<Value, OpError> {
    match field.map(|field| (field, &field.kind)) {
        Some((field, FieldKind::Texts { .. })) => texts(field, element),
        Some((_, FieldKind::Integer | FieldKind::Number | FieldKind::Switch | FieldKind::Json)) => {
            let text = element.text()?.trim();
            serde_json::from_str(text).map_err(|_| {
                OpError::usage(format!(
                    "<{}> takes a number, true or false, \"{text}\" given",
                    element.name
                ))
            })
        }
        Some((_, FieldKind::Text | FieldKind::Choice(_))) | None => Ok(element.text()?.into()),
    }
}

/// The children of a list, each named for one of its values: `<tags><tag>a</tag></tags>`.
fn texts(field: &Field, element: &Element) -> Result<Value, OpError> {
    let one = field.option();
    let texts = element.elements()?.iter().map(|child| {
        if child.name != one {
            let given = &child.name;
            return Err(OpError::usage(format!("<{}> holds <{one}>, <{given}> given", field.name)));
        }
        Ok(Value::from(child.text()?))
    });
    texts.collect()
}

impl Element {
    /// The children with these names, each at most once and no others, if the element is a `name`.
    fn only(&self, name: &str, names: &[&str]) -> Result<Vec<Option<&Element>>, OpError> {
        if self.name != name {
            return Err(OpError::usage(format!("a call is a <{name}>, <{}> given", self.name)));
        }
        let children = self.elements()?;
        let is_known = |child: &&Element| names.contains(&child.name.as_str());
        if let Some(other) = children.iter().find(|child| !is_known(child)) {
            let allowed = names.join("> and <");
            return Err(OpError::usage(format!(
                "<{name}> holds <{allowed}>, <{}> given",
                other.name
            )));
        }
        let child = |name: &&str| match children.iter().filter(|it| it.name == **name).count() {
            0 | 1 => Ok(children.iter().find(|child| child.name == **name)),
            _ => Err(OpError::usage(format!("<{name}> is given twice"))),
        };
        names.iter().map(child).collect()
    }

    fn text(&self) -> Result<&str, OpError> {
        match &self.inside {
            Inside::Text(text) => Ok(text),
            Inside::Elements(_) => Err(OpError::usage(format!("<{}> takes text", self.name))),
        }
    }

    fn elements(&self) -> Result<&[Element], OpError> {
        match &self.inside {
            Inside::Elements(elements) => Ok(elements),
            Inside::Text(text) if text.trim().is_empty() => Ok(&[]),
            Inside::Text(_) => {
                Err(OpError::usage(format!("<{}> takes elements, text given", self.name)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: Result<(&str, Value), &str>) {
        let found = call(text);
        let found = found.map(|(op, arguments)| (op.declaration.name, arguments));
        let wanted = wanted.map_err(str::to_owned);
        assert_eq!(found.map_err(|error| error.message), wanted);
    }

    fn tool(arguments: &str) -> String {
        format!(
            "<tool>\n<tool_name>add_note</tool_name>\n<arguments>{arguments}</arguments>\n</tool>"
        )
    }

    #[test]
    fn the_forms_of_the_design_are_read() {
        check(
            "<tool>\n<tool_name>add_note</tool_name>\n<arguments>\n  <content>a &lt; b &amp; c</content>\n  \
             <tags>\n    <tag>location</tag>\n    <tag>auth</tag>\n  </tags>\n</arguments>\n</tool>\n",
            Ok(("add_note", json!({"content": "a < b & c", "tags": ["location", "auth"]}))),
        );
        check(
            "<tool><tool_name>list_notes</tool_name><arguments><limit>5</limit><tag>a</tag></arguments></tool>",
            Ok(("list_notes", json!({"limit": 5, "tag": "a"}))),
        );
        check(
            "<tool><tool_name>scratch_note</tool_name><arguments><id>note_1</id><scratched>true</scratched>\
             </arguments></tool>",
            Ok(("scratch_note", json!({"id": "note_1", "scratched": true}))),
        );
        check(
            "<tool><tool_name>list_tags</tool_name>\n<arguments>\n</arguments>\n</tool>",
            Ok(("list_tags", json!({}))),
        );
        check(
            &tool("<content><![CDATA[if a < b && c]]></content><tags></tags>"),
            Ok(("add_note", json!({"content": "if a < b && c", "tags": []}))),
        );
        check(
            &tool("<content>line\r\nend&#10;&#x1F600;</content>"),
            Ok(("add_note", json!({"content": "line\r\nend\n😀"}))),
        );
    }

    #[test]
    fn what_is_no_call_is_refused() {
        for (text, error) in [
            ("", "no XML: a call begins with <tool>"),
            ("hello", "no XML: a call begins with <tool>"),
            ("<a></a>", "a call is a <tool>, <a> given"),
            ("<tool></tool>", "a tool needs tool_name and arguments"),
            ("<tool><tool_name>x</tool_name><arguments/></tool>", "unknown operation \"x\""),
            ("<tool><x></x></tool>", "<tool> holds <tool_name> and <arguments>, <x> given"),
            ("<tool>text</tool>", "<tool> takes elements, text given"),
            ("<tool", "byte 5: a name and > are wanted"),
            ("<tool a=\"1\">", "byte 6: an element takes no attributes"),
            ("<tool></tool>x", "byte 13: nothing may follow </tool>"),
            (
                &tool("<content>a < b</content>"),
                "byte 61: < is written &lt; in text, or the text in <![CDATA[…]]>",
            ),
            (&tool("<content>a & b</content>"), "byte 61: & is written &amp; in text"),
            (&tool("<content>a</contents>"), "byte 60: </content> is wanted"),
            (&tool("<content>a</content>b"), "byte 70: text between elements"),
            (&tool("<content>a</content><content>b</content>"), "<content> is given twice"),
            (&tool("<tags><word>a</word></tags>"), "<tags> holds <tag>, <word> given"),
            (&tool("<tags>a</tags>"), "<tags> takes elements, text given"),
            (&tool("<content><a></a></content>"), "<content> takes text"),
        ] {
            check(text, Err(error));
        }
    }

    /// An argument as a model may write it.
    fn escaped(text: &str, as_cdata: bool) -> String {
        if as_cdata && !text.contains("]]>") {
            return format!("<![CDATA[{text}]]>");
        }
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    }

    proptest! {
        #[test]
        fn any_text_comes_through(content in any::<String>(), tags in prop::collection::vec(any::<String>(), 0..4), as_cdata: bool) {
            let children: Vec<String> = tags.iter().map(|tag| format!(" <tag>{}</tag>\n", escaped(tag, !as_cdata))).collect();
            let children = children.concat();
            let text = tool(&format!("\n<content>{}</content>\n<tags>{children}</tags>\n", escaped(&content, as_cdata)));
            check(&text, Ok(("add_note", json!({"content": content, "tags": tags}))));
        }

        #[test]
        fn no_text_makes_it_panic(text in "(<|>|/|tool|tool_name|arguments|&|#|x|;|!\\[CDATA\\[|\\]\\]|a| |é){0,40}") {
            let _whatever = call(&text).is_ok();
        }
    }
}
