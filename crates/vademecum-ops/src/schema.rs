//! Brings JSON Schemas into the few words that a model needs: every word costs it.

mod written;

use schemars::Schema;
use serde_json::{Map, Value, json};

use crate::operation::{Declaration, Effect};

/// The help of the argument that names a session.
const SESSION: &str = "Only if a reply asks for it";

/// The schema of the arguments of the operation `name`, as it was written when it was last generated.
pub(crate) fn written(name: &str) -> Option<&'static str> {
    written::INPUTS.iter().find(|(written, _)| *written == name).map(|(_, schema)| *schema)
}

/// The schema of the arguments of an operation.
pub(crate) fn input(schema: Schema, declaration: &Declaration) -> Value {
    let mut schema = inlined(schema);
    slim(&mut schema);
    let Value::Object(mut object) = schema else {
        return schema;
    };
    // What the operation is about is said by its declaration.
    object.shift_remove("description");
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    if let (true, Value::Object(properties)) = (declaration.of_session, properties) {
        properties.insert("session".to_owned(), json!({"type": "string", "description": SESSION}));
    }
    object.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(object)
}

/// The field of an answer that tells which secrets were replaced in what was given.
pub(crate) const REPLACED: &str = "replaced";

/// The schema of the answer of an operation.
pub(crate) fn output(schema: Schema, declaration: &Declaration) -> Value {
    let mut schema = inlined(schema);
    slim(&mut schema);
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let (Effect::Writes, Some(properties)) = (declaration.effect, properties) {
        let one = json!({
            "type": "object",
            "properties": { "kind": { "type": "string" }, "count": { "type": "integer" } },
            "required": ["kind", "count"],
        });
        let about = "Which secrets were replaced before anything was kept; absent if none";
        let replaced = json!({ "type": "array", "description": about, "items": one });
        properties.insert(REPLACED.to_owned(), replaced);
    }
    schema
}

/// Whether a model may call the operation without asking a person: nothing is lost by it.
#[must_use]
pub fn is_gentle(declaration: &Declaration) -> bool {
    match declaration.effect {
        Effect::Reads | Effect::Writes => true,
        Effect::Destroys => false,
    }
}

/// Puts each definition where it is referred to.
fn inlined(schema: Schema) -> Value {
    let mut value = schema.to_value();
    let definitions = match value.as_object_mut().and_then(|object| object.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        Some(_) | None => Map::new(),
    };
    put_in(&mut value, &definitions);
    value
}

fn put_in(value: &mut Value, definitions: &Map<String, Value>) {
    let name = value.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
    if let Some(definition) = name.and_then(|name| definitions.get(name)) {
        let mut definition = definition.clone();
        if let (Some(object), Some(text)) = (definition.as_object_mut(), value.get("description")) {
            object.insert("description".to_owned(), text.clone());
        }
        *value = definition;
    }
    match value {
        Value::Object(object) => object.values_mut().for_each(|part| put_in(part, definitions)),
        Value::Array(parts) => parts.iter_mut().for_each(|part| put_in(part, definitions)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Drops what says nothing: titles, formats, that an optional field may be null.
fn slim(value: &mut Value) {
    match value {
        Value::Object(object) => {
            slim_object(object);
            for (name, part) in object.iter_mut() {
                if name == "properties" {
                    // Names of fields, not words of the schema language.
                    if let Value::Object(fields) = part {
                        fields.values_mut().for_each(slim);
                    }
                } else {
                    slim(part);
                }
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(slim),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn slim_object(object: &mut Map<String, Value>) {
    for word in ["$schema", "title", "format"] {
        object.remove(word);
    }
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    if object.get("minimum") == Some(&json!(0)) {
        object.remove("minimum");
    }
    if let Some(Value::Array(types)) = object.get("type")
        && let [one, null] = types.as_slice()
        && null == "null"
    {
        let one = one.clone();
        object.insert("type".to_owned(), one);
    }
    if let Some(Value::Array(options)) = object.get("anyOf")
        && let [Value::Object(one), null] = options.as_slice()
        && null == &json!({"type": "null"})
    {
        let one = one.clone();
        object.remove("anyOf");
        let description = object.remove("description");
        object.extend(one);
        object.extend(description.map(|text| ("description".to_owned(), text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn what_is_written_is_what_would_be_made() {
        for op in registry::ALL {
            let (name, made) = (op.declaration.name, op.made_input_schema().to_string());
            assert_eq!(written(name), Some(made.as_str()), "cargo xtask generate writes it anew");
        }
        assert_eq!(written::INPUTS.len(), registry::ALL.len());
    }
}
