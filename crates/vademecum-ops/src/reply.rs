//! Replies as the journal keeps them: what the caller said is not kept a second time.
//!
//! A repeat names the same arguments, which the store has checked by their hash, so the whole reply is made again of both.

use serde::Serialize;
use serde_json::{Map, Value};

/// The field that names the arguments which stand in a reply with the same name and value; no reply has it.
const SAME: &str = "=";

/// A shorter reply is kept whole: a hook's is, and pays for no look at it.
const SHORT: usize = 128;

/// A reply without the fields that the arguments have, too.
pub(crate) fn kept(reply: &impl Serialize, arguments: &str) -> serde_json::Result<String> {
    let whole = serde_json::to_string(reply)?;
    if whole.len() <= SHORT {
        return Ok(whole);
    }
    let (Value::Object(mut fields), Value::Object(given)) =
        (serde_json::from_str(&whole)?, serde_json::from_str(arguments)?)
    else {
        return Ok(whole);
    };
    let is_same = |name: &&String| fields.get(*name) == given.get(*name);
    let same: Vec<String> = given.keys().filter(is_same).cloned().collect();
    if same.is_empty() {
        return Ok(whole);
    }
    fields.retain(|name, _| !same.contains(name));
    fields.insert(SAME.to_owned(), same.into());
    serde_json::to_string(&fields)
}

/// The reply that was kept, with what the arguments say.
pub(crate) fn whole(kept: &str, arguments: &str) -> serde_json::Result<Value> {
    let mut reply = serde_json::from_str(kept)?;
    if let Value::Object(fields) = &mut reply
        && let Some(Value::Array(same)) = fields.remove(SAME)
    {
        let given: Map<String, Value> = serde_json::from_str(arguments)?;
        let is_same = |name: &String| same.iter().any(|same| same == name);
        fields.extend(given.into_iter().filter(|(name, _)| is_same(name)));
    }
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{kept, whole};

    #[test]
    fn a_reply_is_made_whole_of_what_is_kept_and_of_the_arguments() {
        let text = "Retry swallows E_DUP: map it to Ok, else the queue loops. ".repeat(3);
        let arguments = json!({"content": text, "tags": ["bug"], "limit": null});
        for (reply, expected) in [
            (
                json!({"id": "note_1", "content": text, "tags": ["bug"], "open": 1}),
                r#"{"id":"note_1","open":1,"=":["content","tags"]}"#,
            ),
            (
                json!({"id": "note_1", "content": text, "tags": ["api"]}),
                r#"{"id":"note_1","tags":["api"],"=":["content"]}"#,
            ),
        ] {
            let said = kept(&reply, &arguments.to_string()).expect("JSON");
            let fields = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
            assert_eq!(fields(&said), fields(expected));
            assert_eq!(whole(&said, &arguments.to_string()).expect("JSON"), reply);
        }
        for reply in [
            json!({"id": 1, "content": "short"}),
            json!([text]),
            json!({"content": format!("{text}.")}),
            json!(text),
        ] {
            let said = kept(&reply, &arguments.to_string()).expect("JSON");
            assert_eq!(said, reply.to_string());
            let again = whole(&said, &arguments.to_string()).expect("JSON");
            assert_eq!(again["content"], reply["content"]);
        }
    }
}
